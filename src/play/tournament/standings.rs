//! [`Standing`]: the result of two players, and tables of several.

use std::fmt;

use morello_core::game::Wdl;
use morello_core::sorting;
use serde::Serialize;

use super::elo::{Estimate, Pentanomial, Sample, Z_95};
use super::tally::Encounter;
use super::{Sprt, SprtDecision};

/// The result of one engine against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// The number of games won by the first engine.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games lost by the first engine.
    pub losses: u64,
    /// The mean score per game, from 0 to 1: 1 for a win, 1/2 for a draw; null without games.
    pub score: Option<f64>,
    /// The numbers of finished game pairs by result; all 0 if games are not in pairs.
    pub pentanomial: Pentanomial,
    /// The Elo difference; null if it is not finite.
    pub elo: Option<f64>,
    /// Half the width of its 95 % confidence interval, from the pairs, or from the games if they are
    /// not in pairs.
    pub elo_error: Option<f64>,
    /// The ends of this interval; an infinite end is null.
    #[serde(skip)]
    pub elo_bounds: [Option<f64>; 2],
    /// The normalized Elo difference: in units of the standard deviation of a game.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority of the first engine, from 0 to 1.
    pub los: Option<f64>,
    /// The log-likelihood ratio of the SPRT; null without one.
    pub llr: Option<f64>,
    /// The number of games with a final score, which are the games that ended by the rules. For
    /// other games, such as wins on time or by adjudication, only the winner is known.
    pub scored_games: u64,
    /// The mean final score in points (discs) of these games; null in games without such a score.
    pub mean_discs: Option<f64>,
    /// Half the width of its 95 % confidence interval: 1.96 standard errors.
    pub mean_discs_error: Option<f64>,
    /// The standard error of the mean, from the pairs in which both games ended by the rules, or
    /// from the games if they are not in pairs.
    pub mean_discs_standard_error: Option<f64>,
}

/// The result of two engines in a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EncounterSummary {
    /// The name of the first engine.
    pub first: String,
    /// The name of the second engine.
    pub second: String,
    /// The number of finished games.
    pub games: u64,
    /// The result of the first engine.
    #[serde(flatten)]
    pub standing: Standing,
}

/// An [SPRT](Sprt) and its result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio of the results.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// The accepted hypothesis; null if undecided.
    pub verdict: Option<SprtDecision>,
}

impl SprtSummary {
    /// Summarizes a test on a sample.
    #[must_use]
    pub fn new(test: Sprt, sample: &Sample) -> Self {
        let (llr, [lower, upper]) = (test.llr(sample), test.bounds());
        Self { test, llr, lower, upper, verdict: test.verdict(llr) }
    }
}

impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, llr, lower, upper, verdict } = self;
        let verdict = match verdict {
            Some(SprtDecision::H1) => "H1 accepted",
            Some(SprtDecision::H0) => "H0 accepted",
            None => "undecided",
        };
        write!(f, "SPRT       {test}: LLR {llr:.2} ({lower:.2} to {upper:.2}), {verdict}")
    }
}

impl Standing {
    /// Summarizes the results of two players.
    pub(super) fn new(encounter: &Encounter, sprt: Option<&Sprt>) -> Self {
        let (results, sample) = (encounter.results(), encounter.sample());
        let standard_error = encounter.standard_error_of_points();
        Self {
            pentanomial: encounter.pentanomial,
            scored_games: encounter.points.count,
            mean_discs: encounter.points.mean(),
            mean_discs_error: standard_error.map(|error| Z_95 * error),
            mean_discs_standard_error: standard_error,
            ..Self::of_sample(results, &sample, sprt)
        }
    }

    /// Summarizes games by their results. Pairs and scores are unknown.
    ///
    /// ```
    /// use morello::tournament::Standing;
    /// use morello::game::Wdl;
    /// use morello::tournament::elo::Sample;
    ///
    /// let games = Wdl { wins: 60, draws: 20, losses: 40 };
    /// let standing = Standing::of_sample(games, &Sample::of_games(games), None);
    /// assert_eq!(standing.elo.map(f64::round), Some(58.0));
    /// ```
    #[must_use]
    pub fn of_sample(results: Wdl, sample: &Sample, sprt: Option<&Sprt>) -> Self {
        let (elo, nelo, bounds) = (sample.elo(), sample.normalized_elo(), sample.elo_bounds());
        let Wdl { wins, draws, losses } = results;
        Self {
            wins,
            draws,
            losses,
            score: results.score(),
            pentanomial: Pentanomial::default(),
            elo: elo.value,
            elo_error: elo.error,
            elo_bounds: bounds,
            nelo: nelo.value,
            nelo_error: nelo.error,
            los: sample.superiority(),
            llr: sprt.map(|sprt| sprt.llr(sample)),
            scored_games: 0,
            mean_discs: None,
            mean_discs_error: None,
            mean_discs_standard_error: None,
        }
    }

    /// Summarizes pairs of games by their results. Scores are unknown. The numbers of wins, draws
    /// and losses follow from the pairs.
    #[must_use]
    pub fn of_pairs(pairs: Pentanomial, sprt: Option<&Sprt>) -> Self {
        Self { pentanomial: pairs, ..Self::of_sample(pairs.results(), &pairs.sample(), sprt) }
    }

    /// Writes lines of text, with the player's name if it is known.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, name: Option<&str>) -> fmt::Result {
        let name = name.map_or_else(String::new, |name| format!("{name} "));
        write!(f, "result     {name}won {}, drew {}, lost {}", self.wins, self.draws, self.losses)?;
        match self.score {
            Some(score) => writeln!(f, ": {} %", percent(score))?,
            None => writeln!(f)?,
        }
        let margin = |error: Option<f64>, decimals: usize| {
            error.map_or_else(|| " (no interval)".to_owned(), |error| format!(" ± {error:.decimals$} (95 %)"))
        };
        if let Some(mean) = self.mean_discs {
            let games = self.wins + self.draws + self.losses;
            let of = match self.scored_games {
                scored if scored == games => "per game".to_owned(),
                scored => format!("per game, in the {scored} of {games} games with a final score"),
            };
            write!(f, "discs      {mean:+.2}{} {of}", margin(self.mean_discs_error, 2))?;
            match self.mean_discs_standard_error {
                Some(error) => writeln!(f, ", standard error {error:.2}")?,
                None => writeln!(f)?,
            }
        }
        match self.elo {
            Some(elo) => {
                write!(f, "Elo        {elo:+.1}")?;
                match (self.elo_error, self.elo_bounds) {
                    (None, [Some(low), None]) => write!(f, " (95 %: above {low:+.1})")?,
                    (None, [None, Some(high)]) => write!(f, " (95 %: below {high:+.1})")?,
                    (error, _) => f.write_str(&margin(error, 1))?,
                }
            }
            None => write!(f, "Elo        -")?,
        }
        if let Some(nelo) = self.nelo {
            write!(f, ", nElo {nelo:+.1}{}", margin(self.nelo_error, 1))?;
        }
        match self.los {
            // The likelihood is never 0 or 1.
            Some(los) => writeln!(f, ", LOS {} %", percent(los.clamp(f64::EPSILON, 1.0 - f64::EPSILON)))?,
            None => writeln!(f)?,
        }
        if self.pentanomial.pairs() == 0 {
            return Ok(());
        }
        let Pentanomial { ll, ld, wl, dd, wd, ww } = self.pentanomial;
        writeln!(f, "pairs      LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None)
    }
}

/// A line of a rating table.
pub(super) struct Rank {
    pub name: String,
    pub rating: Estimate,
    pub games: u64,
    /// The mean score per game.
    pub score: Option<f64>,
    /// The results as Black and as White, if they are shown.
    pub by_color: Option<[Wdl; 2]>,
}

/// Writes a rating table, the highest rating first. `who` is the heading of the names.
pub(super) fn write_ranks(f: &mut fmt::Formatter<'_>, who: &str, mut ranks: Vec<Rank>) -> fmt::Result {
    sorting::sort_by(&mut ranks, &|a, b| b.rating.value.unwrap_or(0.0).total_cmp(&a.rating.value.unwrap_or(0.0)));
    let width = ranks.iter().map(|rank| rank.name.chars().count()).max().unwrap_or(0).max(who.len());
    let has_colors = ranks.iter().any(|rank| rank.by_color.is_some());
    let colors = if has_colors { "    draws    Black    White" } else { "" };
    writeln!(f, "\nrank  {who:<width$}  {:>7}  {:>6}  {:>6}  {:>7}{colors}", "Elo", "±", "games", "score")?;
    let share = |share: Option<f64>| or_dash(share.map(|share| share * 100.0), 1);
    for (number, Rank { name, rating, games, score, by_color }) in (1..).zip(ranks) {
        let elo = rating.value.map_or_else(|| "-".to_owned(), |rating| format!("{rating:+.1}"));
        let (error, score) = (or_dash(rating.error, 1), share(score));
        write!(f, "{number:>4}  {name:<width$}  {elo:>7}  {error:>6}  {games:>6}  {score:>5} %")?;
        if let Some([black, white]) = by_color {
            let draws = (black.draws + white.draws) as f64;
            let draws = share((games > 0).then(|| draws / games as f64));
            write!(f, "  {draws:>5} %  {:>5} %  {:>5} %", share(black.score()), share(white.score()))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// Writes a table with the results of every two players.
pub(super) fn write_encounters(f: &mut fmt::Formatter<'_>, encounters: &[EncounterSummary]) -> fmt::Result {
    let names = encounters.iter().flat_map(|encounter| [&encounter.first, &encounter.second]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).max("second".len());
    write!(f, "\n{:<width$}  {:<width$}  {:>6}  {:>6}  {:>6}", "first", "second", "won", "drawn", "lost")?;
    let has_discs = encounters.iter().any(|encounter| encounter.standing.mean_discs.is_some());
    let discs = if has_discs { "    discs      of" } else { "" };
    writeln!(f, "  {:>7}  {:>7}  {:>6}{discs}", "score", "Elo", "±")?;
    for EncounterSummary { first, second, standing, .. } in encounters {
        let Standing { wins, draws, losses, score, elo, elo_error, scored_games, mean_discs, .. } = standing;
        write!(f, "{first:<width$}  {second:<width$}  {wins:>6}  {draws:>6}  {losses:>6}")?;
        let elo = elo.map_or_else(|| "-".to_owned(), |elo| format!("{elo:+.1}"));
        let score = or_dash(score.map(|score| score * 100.0), 1);
        write!(f, "  {score:>5} %  {elo:>7}  {:>6}", or_dash(*elo_error, 1))?;
        match mean_discs {
            Some(discs) => writeln!(f, "  {discs:>+7.2}  {scored_games:>6}")?,
            None => writeln!(f)?,
        }
    }
    Ok(())
}

/// Formats a number, or a dash.
pub(super) fn or_dash(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
}

/// Formats a fraction in percent with one decimal. Only 1 is shown as 100.0, and only 0 as 0.0.
fn percent(share: f64) -> String {
    match format!("{:.1}", share * 100.0).as_str() {
        "100.0" if share < 1.0 => "> 99.9".to_owned(),
        "0.0" if share > 0.0 => "< 0.1".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certainty_is_a_hundred_percent() {
        let texts = [1.0, 0.9999, 0.5, 0.0001, 0.0].map(percent);
        assert_eq!(texts, ["100.0", "> 99.9", "50.0", "< 0.1", "0.0"]);
    }

    #[test]
    fn an_elo_difference_with_one_bound_says_so() {
        let mut encounter = Encounter::default();
        encounter.pentanomial = Pentanomial { wd: 1, ww: 9, ..Pentanomial::default() };
        encounter.by_color[0] = Wdl { wins: 19, draws: 1, losses: 0 };
        struct Text(Standing);
        impl fmt::Display for Text {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, Some("a"))
            }
        }
        let text = Text(Standing::new(&encounter, None)).to_string();
        assert!(text.contains("Elo        +636.4 (95 %: above +") && text.contains(", LOS > 99.9 %\n"), "{text}");
    }
}
