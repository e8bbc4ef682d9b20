//! Formats an [`AnalysisSummary`] as text.

use std::fmt;

use morello_core::game::Wdl;
use morello_core::games;
use morello_core::printable::printable;
use morello_core::sorting;

use super::statistics::{AnalysisSummary, Bin, BoundOutcomes, ExpectationAgreement, ScoreDistribution, ScoreSigns};
use super::{MoveSummary, PlaySummary};

/// Length of the longest bar of the histogram, in characters.
const BAR_WIDTH: u64 = 40;

/// Maximum number of players shown.
const MAX_PLAYERS: usize = 10;

impl fmt::Display for AnalysisSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bad_lines = match self.bad_lines {
            0 => String::new(),
            1 => ", and 1 bad line".to_owned(),
            bad => format!(", and {bad} bad lines"),
        };
        writeln!(f, "game       {}\npositions  {}{bad_lines}", games::described(self.game), self.positions)?;
        for (name, value) in self.counts() {
            writeln!(f, "{name:<11}{value}")?;
        }
        if let Some(timing) = &self.timing {
            writeln!(f, "elapsed    {:.3} s, {} nodes/s", timing.elapsed_s, timing.nodes_per_second)?;
            if self.positions > 0 {
                let (p50, p95, max) = (timing.p50_ms, timing.p95_ms, timing.max_ms);
                writeln!(f, "time       p50 {p50} ms, p95 {p95} ms, max {max} ms per position")?;
            }
        }
        self.agreement.iter().try_for_each(|agreement| write_agreement(f, agreement))?;
        self.scores.iter().try_for_each(|scores| self.write_scores(f, scores))?;
        self.play.iter().try_for_each(|play| write_play(f, play))
    }
}

impl AnalysisSummary {
    /// Returns the counts of results, the depths and the nodes, with their names.
    pub(super) fn counts(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        if self.exact > 0 {
            let Wdl { wins, draws, losses } = self.exact_outcomes;
            rows.push(("exact", format!("{}: {wins} won, {draws} drawn, {losses} lost", self.exact)));
        }
        if self.bounds > 0 {
            let BoundOutcomes { wins, losses, open } = self.bound_outcomes;
            let open = if open > 0 { format!(", {open} open") } else { String::new() };
            rows.push(("bounds", format!("{}: {wins} won, {losses} lost{open}", self.bounds)));
        }
        if self.heuristic > 0 {
            let ScoreSigns { positive, zero, negative } = self.heuristic_signs;
            rows.push(("heuristic", format!("{}: {positive} ahead, {zero} even, {negative} behind", self.heuristic)));
        }
        if let Some(depths) = self.depths {
            rows.push(("depth", format!("min {}, median {}, max {}", depths.min, depths.median, depths.max)));
        }
        rows.push(("nodes", self.nodes.to_string()));
        rows
    }

    fn write_scores(&self, f: &mut fmt::Formatter<'_>, scores: &ScoreDistribution) -> fmt::Result {
        write!(f, "score      mean {}, standard deviation {}", scores.mean, scores.standard_deviation)?;
        match self.bounds {
            0 => writeln!(f)?,
            _ => writeln!(f, " ({} positions, without bounds)", self.positions - self.bounds)?,
        }
        writeln!(
            f,
            "           min {}, 5 % {}, 25 % {}, median {}, 75 % {}, 95 % {}, max {}",
            scores.min, scores.p5, scores.p25, scores.median, scores.p75, scores.p95, scores.max
        )?;
        write_histogram(f, &scores.histogram)
    }
}

fn write_agreement(f: &mut fmt::Formatter<'_>, agreement: &ExpectationAgreement) -> fmt::Result {
    f.write_str("expected   ")?;
    if agreement.named_moves > 0 {
        write!(f, "move {} of {}, ", agreement.moves, agreement.named_moves)?;
    }
    write!(f, "score {} of {}", agreement.scores, agreement.expected)?;
    if let Some(error) = agreement.mean_absolute_error {
        write!(f, ", mean absolute error {error}")?;
    }
    match agreement.exact_disagreements {
        1 => writeln!(f, "; 1 exact disagreement"),
        count => writeln!(f, "; {count} exact disagreements"),
    }
}

impl fmt::Display for MoveSummary {
    /// For example `238 moves, mean loss 1.071, accuracy 75.21 %, agreement 75.21 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = |measure: Option<f64>| measure.map_or_else(|| "-".to_owned(), |measure| measure.to_string());
        let (loss, accuracy, agreement) = (measure(self.mean_loss), measure(self.accuracy), measure(self.agreement));
        let noun = if self.moves == 1 { "move" } else { "moves" };
        write!(f, "{} {noun}, mean loss {loss}, accuracy {accuracy} %, agreement {agreement} %", self.moves)
    }
}

/// Writes the statistics of played moves, with the players who made the most moves. The JSON
/// summary has all players and openings.
fn write_play(f: &mut fmt::Formatter<'_>, play: &PlaySummary) -> fmt::Result {
    write!(f, "games      {}: ", play.games)?;
    // With --unique, no loss is known.
    if play.moves.moves == 0 {
        return writeln!(f, "losses not measured");
    }
    writeln!(f, "{}", play.moves)?;
    let mut players: Vec<_> = play.by_player.iter().filter(|player| player.moves.moves > 0).collect();
    sorting::sort_by(&mut players, &|a, b| b.moves.moves.cmp(&a.moves.moves).then(a.name.cmp(&b.name)));
    for (number, player) in players.iter().take(MAX_PLAYERS).enumerate() {
        f.write_str(if number == 0 { "players    " } else { "           " })?;
        writeln!(f, "{}  {}", player.moves, printable(&player.name))?;
    }
    match players.len().saturating_sub(MAX_PLAYERS) {
        0 => Ok(()),
        more => writeln!(f, "           and {more} more"),
    }
}

fn write_histogram(f: &mut fmt::Formatter<'_>, bins: &[Bin]) -> fmt::Result {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1).max(1);
    for bin in bins {
        // A bin that is not empty shows at least one mark.
        let bar = "#".repeat((bin.count * BAR_WIDTH).div_ceil(most) as usize);
        writeln!(f, "{}", format!("{:>8} to {:<8} {:>9} {bar}", bin.from, bin.to, bin.count).trim_end())?;
    }
    Ok(())
}
