//! [`MatchSummary`]: the result of a match or a tournament, as text, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::time::Duration;

use morello_core::games;
use morello_core::provenance::Provenance;
use morello_core::sorting;
use serde::Serialize;
use serde_json::Value;

use super::elo::{Pentanomial, Z_95};
use super::log::milliseconds;
use super::openings::OpeningSummary;
use super::tally::Encounter;
use super::{EndReason, Entrant, MatchPlan, Sprt, SprtDecision, Tally};

/// The result of a match, from the point of view of the first engine, or of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MatchSummary {
    /// The game.
    pub game: &'static str,
    /// The seed.
    pub seed: u64,
    /// The requested number of games.
    pub games_planned: u64,
    /// The openings.
    pub openings: OpeningSummary,
    /// The engines.
    pub engines: Vec<EngineSummary>,
    /// Finished games.
    pub games: u64,
    /// The result of the first engine against the second; only in a match.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    /// Distinct finished games.
    pub distinct_games: u64,
    /// Finished games by the reason for their end.
    pub end_reasons: BTreeMap<EndReason, u64>,
    /// The SPRT; null without one.
    pub sprt: Option<SprtSummary>,
    /// The results of each two engines; only in a tournament.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encounters: Vec<EncounterSummary>,
    /// What played the match, if known.
    #[serde(skip_serializing_if = "Provenance::is_empty")]
    pub provenance: Provenance,
    /// The time of this run in seconds, without earlier runs; null without times.
    pub elapsed_s: Option<f64>,
}

/// An engine with its result and its effort.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// The text of its [spec](crate::players::Spec).
    pub spec: String,
    /// Its settings in words.
    pub settings: String,
    /// Finished games.
    pub games: u64,
    /// Mean score of a game, from 0 to 1: 1 for a win, 1/2 for a draw; null without games.
    pub score: Option<f64>,
    /// Its rating in Elo, where the mean of all engines is 0; null in a match.
    pub rating: Option<f64>,
    /// Half the width of the rating's 95 % confidence interval.
    pub rating_error: Option<f64>,
    /// Moves chosen.
    pub moves: u64,
    /// Nodes visited; null if it reports none.
    pub nodes: Option<u64>,
    /// Nodes per move.
    pub nodes_per_move: Option<f64>,
    /// The mean search depth in plies; a solved position counts the plies to the end of the game.
    /// Null if it reports none.
    pub mean_depth: Option<f64>,
    /// The mean wall-clock time of a move, in milliseconds; null without times.
    pub time_per_move_ms: Option<f64>,
    /// The longest time of a move, in milliseconds; null without times.
    pub max_time_ms: Option<f64>,
    /// Games that it forfeited.
    pub forfeits: u64,
}

/// The result of one engine against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// Games won by the first engine.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first engine.
    pub losses: u64,
    /// Mean score of a game, from 0 to 1: 1 for a win, 1/2 for a draw; null without games.
    pub score: Option<f64>,
    /// Finished pairs of games by their results.
    pub pentanomial: Pentanomial,
    /// The Elo difference; null if it is not finite.
    pub elo: Option<f64>,
    /// Half the width of its 95 % confidence interval, from the pairs.
    pub elo_error: Option<f64>,
    /// The normalized Elo difference.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority of the first engine, from 0 to 1.
    pub los: Option<f64>,
    /// The log-likelihood ratio of the SPRT; null without one.
    pub llr: Option<f64>,
    /// The games with a final score: those that ended by the rules. Of others, such as those won on
    /// time or by adjudication, only the winner is known.
    pub scored_games: u64,
    /// The mean final score in points (discs) of these games; null in games without such a score.
    pub mean_discs: Option<f64>,
    /// Half the width of its 95 % confidence interval: 1.96 standard errors.
    pub mean_discs_error: Option<f64>,
    /// Its standard error, from the pairs in which both games ended by the rules.
    pub mean_discs_standard_error: Option<f64>,
}

/// The result of two engines of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EncounterSummary {
    /// The name of the first engine.
    pub first: String,
    /// The name of the second engine.
    pub second: String,
    /// Finished games.
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
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// The accepted hypothesis; null if undecided.
    pub verdict: Option<SprtDecision>,
}

impl MatchSummary {
    /// Summarizes a match. Without `elapsed`, the summary has no times.
    pub(super) fn new(plan: &MatchPlan, openings: OpeningSummary, tally: &Tally, elapsed: Option<Duration>) -> Self {
        let none = Encounter::default();
        let of = |players: [usize; 2]| tally.encounters.get(&players).unwrap_or(&none);
        let is_match = plan.entrants.len() == 2;
        let pentanomial = tally.pentanomial();
        let ratings = if is_match { Vec::new() } else { tally.ratings() };
        let engine = |number| {
            let rating = ratings.get(number).copied().unwrap_or_default();
            let engine = EngineSummary::new(plan, tally, number, elapsed.is_some());
            EngineSummary { rating: rating.value, rating_error: rating.error, ..engine }
        };
        let engines: Vec<_> = (0..plan.entrants.len()).map(engine).collect();
        let encounter = |players: &[usize; 2]| EncounterSummary {
            first: engines[players[0]].name.clone(),
            second: engines[players[1]].name.clone(),
            games: of(*players).games(),
            standing: Standing::new(of(*players), None),
        };
        Self {
            game: plan.game.name(),
            seed: plan.schedule.seed,
            games_planned: plan.schedule.planned(),
            openings,
            games: tally.games(),
            standing: is_match.then(|| Standing::new(of([0, 1]), plan.sprt.as_ref())),
            distinct_games: tally.distinct_games(),
            end_reasons: tally.end_reasons.clone(),
            sprt: plan.sprt.map(|test| {
                let (llr, [lower, upper]) = (test.llr(&pentanomial), test.bounds());
                SprtSummary { test, llr, lower, upper, verdict: test.verdict(llr) }
            }),
            encounters: if is_match { Vec::new() } else { plan.schedule.encounters.iter().map(encounter).collect() },
            engines,
            provenance: plan.provenance.clone(),
            elapsed_s: elapsed.map(|elapsed| elapsed.as_secs_f64()),
        }
    }

    /// Writes CSV: a header, then a row for each encounter (one in a match). The columns are the
    /// fields of the JSON object, with the engines numbered. The distinct games and the end reasons
    /// are those of the whole tournament.
    ///
    /// ```
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::MatchPlan;
    ///
    /// let entrants = vec!["depth=1,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
    /// let summary = MatchPlan::new(games::get("three-mens-morris")?, entrants, 2).play_all()?.summary;
    /// let mut csv = Vec::new();
    /// summary.write_csv(&mut csv)?;
    /// assert_eq!(String::from_utf8(csv)?.lines().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Any error from the sink.
    pub fn write_csv(&self, sink: impl io::Write) -> io::Result<()> {
        let number =
            |name: &str| self.engines.iter().position(|engine| engine.name == name).expect("it is one of the engines");
        let rows: Vec<_> = match &self.standing {
            Some(standing) => vec![self.columns([0, 1], self.games, standing)?],
            None => {
                let row = |encounter: &EncounterSummary| {
                    let engines = [number(&encounter.first), number(&encounter.second)];
                    self.columns(engines, encounter.games, &encounter.standing)
                };
                self.encounters.iter().map(row).collect::<io::Result<_>>()?
            }
        };
        let mut csv = csv::Writer::from_writer(sink);
        csv.write_record(rows.iter().take(1).flatten().map(|(name, _)| name))?;
        for row in &rows {
            csv.write_record(row.iter().map(|(_, value)| match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            }))?;
        }
        csv.flush()
    }

    /// Returns the columns of an encounter.
    fn columns(&self, engines: [usize; 2], games: u64, standing: &Standing) -> io::Result<Vec<(String, Value)>> {
        let column = |name: &str, value: Value| (name.to_owned(), value);
        let mut row = vec![
            column("game", self.game.into()),
            column("seed", self.seed.into()),
            column("openings", self.openings.count.into()),
        ];
        for (number, engine) in (1..).zip(engines.map(|number| &self.engines[number])) {
            let fields = serde_json::to_value(engine)?;
            row.push((format!("engine_{number}"), engine.name.clone().into()));
            row.extend(ENGINE_COLUMNS.iter().map(|field| (format!("engine_{number}_{field}"), fields[field].clone())));
        }
        row.push(column("games", games.into()));
        for (name, value) in object(standing)? {
            match value {
                Value::Object(pairs) => {
                    row.extend(pairs.into_iter().map(|(pair, count)| (format!("pairs_{}", pair.to_lowercase()), count)))
                }
                value => row.push((name, value)),
            }
        }
        row.push(column("distinct_games", self.distinct_games.into()));
        for reason in EndReason::ALL {
            let count = self.end_reasons.get(&reason).copied().unwrap_or(0);
            row.push((format!("ended_{}", serde_json::to_value(reason)?.as_str().unwrap_or_default()), count.into()));
        }
        row.push(column("elapsed_s", self.elapsed_s.into()));
        Ok(row)
    }
}

/// The fields of [`EngineSummary`] that become columns.
const ENGINE_COLUMNS: [&str; 8] =
    ["spec", "nodes_per_move", "mean_depth", "time_per_move_ms", "max_time_ms", "forfeits", "rating", "rating_error"];

/// Returns the fields of a struct, in their order.
fn object(record: &impl Serialize) -> serde_json::Result<serde_json::Map<String, Value>> {
    Ok(match serde_json::to_value(record)? {
        Value::Object(fields) => fields,
        _ => serde_json::Map::new(),
    })
}

impl EngineSummary {
    /// Summarizes an engine of a match, without its rating.
    fn new(plan: &MatchPlan, tally: &Tally, number: usize, has_times: bool) -> Self {
        let Entrant { name, text, settings, wants_database, .. } = &plan.entrants[number];
        let looks = if *wants_database && plan.database.is_some() { ", endgame database" } else { "" };
        let effort = &tally.efforts[number];
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let (mut games, mut points) = (0, 0.0);
        for (players, encounter) in tally.encounters.iter().filter(|(players, _)| players.contains(&number)) {
            let score = encounter.score();
            points += if players[0] == number { score } else { encounter.games() as f64 - score };
            games += encounter.games();
        }
        Self {
            name: name.clone(),
            spec: text.clone(),
            settings: format!("{settings}{looks}"),
            games,
            score: mean(points, games),
            rating: None,
            rating_error: None,
            moves: effort.moves,
            nodes: (effort.moves_with_nodes > 0).then_some(effort.nodes),
            nodes_per_move: mean(effort.nodes as f64, effort.moves_with_nodes),
            mean_depth: mean(effort.depths as f64, effort.moves_with_depth),
            time_per_move_ms: mean(milliseconds(effort.time), effort.moves).filter(|_| has_times),
            max_time_ms: has_times.then(|| milliseconds(effort.longest)),
            forfeits: tally.forfeits[number],
        }
    }
}

impl Standing {
    fn new(encounter: &Encounter, sprt: Option<&Sprt>) -> Self {
        let pentanomial = encounter.pentanomial;
        let (elo, nelo) = (pentanomial.elo(), pentanomial.normalized_elo());
        // The sum of a pair is twice the mean of its games.
        let standard_error = encounter.pair_points.standard_error().map(|error| error / 2.0);
        Self {
            wins: encounter.wins,
            draws: encounter.draws,
            losses: encounter.losses,
            score: (encounter.games() > 0).then(|| encounter.score() / encounter.games() as f64),
            pentanomial,
            elo: elo.value,
            elo_error: elo.error,
            nelo: nelo.value,
            nelo_error: nelo.error,
            los: pentanomial.superiority(),
            llr: sprt.map(|sprt| sprt.llr(&pentanomial)),
            scored_games: encounter.points.count,
            mean_discs: encounter.points.mean(),
            mean_discs_error: standard_error.map(|error| Z_95 * error),
            mean_discs_standard_error: standard_error,
        }
    }
}

fn or_dash(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
}

impl fmt::Display for MatchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let what = if self.standing.is_some() { "match" } else { "tournament" };
        write!(f, "{what:<10} {}, {}", games::described(self.game), plural(self.games, "game"))?;
        if self.games < self.games_planned {
            write!(f, " of {}", self.games_planned)?;
        }
        if let Some(seconds) = self.elapsed_s {
            write!(f, " in {seconds:.1} s")?;
        }
        writeln!(f, ", {} distinct", self.distinct_games)?;
        writeln!(f, "openings   {} {}, seed {}", self.openings.count, self.openings.source, self.seed)?;
        for (number, engine) in self.engines.iter().enumerate() {
            let label = if number == 0 { "engines" } else { "" };
            writeln!(f, "{label:<10} {}: {}", engine.name, engine.settings)?;
        }
        if let Some(standing) = &self.standing {
            standing.write(f, &self.engines[0].name)?;
        }
        if let Some(SprtSummary { test, llr, lower, upper, verdict }) = &self.sprt {
            let verdict = match verdict {
                Some(SprtDecision::H1) => "H1 accepted",
                Some(SprtDecision::H0) => "H0 accepted",
                None => "undecided",
            };
            writeln!(f, "SPRT       {test}: LLR {llr:.2} ({lower:.2} to {upper:.2}), {verdict}")?;
        }
        let ends: Vec<_> = self.end_reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(f, "ended      {}", if ends.is_empty() { "-".to_owned() } else { ends.join(", ") })?;
        if self.standing.is_none() {
            self.write_ranks(f)?;
            self.write_encounters(f)?;
        }
        self.write_efforts(f)
    }
}

impl Standing {
    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        write!(f, "result     {name} won {}, drew {}, lost {}", self.wins, self.draws, self.losses)?;
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
                scored if scored == games => "a game".to_owned(),
                scored => format!("a game, in the {scored} of {games} games with a final score"),
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
                match (self.elo_error, self.pentanomial.elo_bounds()) {
                    (None, [Some(low), None]) => write!(f, " (95 %: above {low:+.1})")?,
                    (None, [None, Some(high)]) => write!(f, " (95 %: below {high:+.1})")?,
                    (error, _) => f.write_str(&margin(error, 1))?,
                }
            }
            None => write!(f, "Elo        -")?,
        }
        if let Some(nelo) = self.nelo {
            write!(f, ", normalized {nelo:+.1}{}", margin(self.nelo_error, 1))?;
        }
        match self.los {
            // The likelihood is never certain.
            Some(los) => writeln!(f, ", LOS {} %", percent(los.clamp(f64::EPSILON, 1.0 - f64::EPSILON)))?,
            None => writeln!(f)?,
        }
        let Pentanomial { ll, ld, wl, dd, wd, ww } = self.pentanomial;
        writeln!(f, "pairs      LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }
}

/// Formats a share in percent with one decimal. Only 1 is 100.0, and only 0 is 0.0.
fn percent(share: f64) -> String {
    match format!("{:.1}", share * 100.0).as_str() {
        "100.0" if share < 1.0 => "> 99.9".to_owned(),
        "0.0" if share > 0.0 => "< 0.1".to_owned(),
        text => text.to_owned(),
    }
}

impl MatchSummary {
    fn width(&self) -> usize {
        self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max("engine".len())
    }

    fn write_ranks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranked: Vec<_> = self.engines.iter().collect();
        sorting::sort_by(&mut ranked, &|a, b| b.rating.unwrap_or(0.0).total_cmp(&a.rating.unwrap_or(0.0)));
        let width = self.width();
        writeln!(f, "\nrank  {:<width$}  {:>7}  {:>6}  {:>6}  {:>7}", "engine", "Elo", "±", "games", "score")?;
        for (rank, engine) in (1..).zip(ranked) {
            writeln!(
                f,
                "{rank:>4}  {:<width$}  {:>7}  {:>6}  {:>6}  {:>5} %",
                engine.name,
                engine.rating.map_or_else(|| "-".to_owned(), |rating| format!("{rating:+.1}")),
                or_dash(engine.rating_error, 1),
                engine.games,
                or_dash(engine.score.map(|score| score * 100.0), 1)
            )?;
        }
        Ok(())
    }

    fn write_encounters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        write!(f, "\n{:<width$}  {:<width$}  {:>6}  {:>6}  {:>6}", "first", "second", "won", "drawn", "lost")?;
        let has_discs = self.encounters.iter().any(|encounter| encounter.standing.mean_discs.is_some());
        let discs = if has_discs { "    discs      of" } else { "" };
        writeln!(f, "  {:>7}  {:>7}  {:>6}{discs}", "score", "Elo", "±")?;
        for EncounterSummary { first, second, standing, .. } in &self.encounters {
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

    fn write_efforts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        writeln!(
            f,
            "\n{:<width$}  {:>9}  {:>12}  {:>5}  {:>9}  {:>9}  {:>8}",
            "engine", "moves", "nodes/move", "depth", "ms/move", "max ms", "forfeits"
        )?;
        for engine in &self.engines {
            writeln!(
                f,
                "{:<width$}  {:>9}  {:>12}  {:>5}  {:>9}  {:>9}  {:>8}",
                engine.name,
                engine.moves,
                or_dash(engine.nodes_per_move, 0),
                or_dash(engine.mean_depth, 1),
                or_dash(engine.time_per_move_ms, 3),
                or_dash(engine.max_time_ms, 3),
                engine.forfeits
            )?;
        }
        Ok(())
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
        (encounter.wins, encounter.draws) = (19, 1);
        struct Text(Standing);
        impl fmt::Display for Text {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, "a")
            }
        }
        let text = Text(Standing::new(&encounter, None)).to_string();
        assert!(text.contains("Elo        +636.4 (95 %: above +") && text.contains(", LOS > 99.9 %\n"), "{text}");
    }
}
