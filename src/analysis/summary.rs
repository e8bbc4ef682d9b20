//! Formats an [`AnalysisSummary`] as text.

use std::fmt;

use super::statistics::{AnalysisSummary, Bin, BoundOutcomes, Outcomes, ScoreSigns};
use super::{MoveSummary, PlaySummary};
use crate::printable::printable;

/// Length of the longest bar of the histogram, in characters.
const BAR_WIDTH: u64 = 40;

/// Maximum number of players shown.
const MAX_PLAYERS: usize = 10;

impl fmt::Display for AnalysisSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game       {}", self.game)?;
        write!(f, "positions  {}", self.positions)?;
        match self.bad_lines {
            0 => writeln!(f)?,
            bad => writeln!(f, ", and {bad} bad line{}", if bad == 1 { "" } else { "s" })?,
        }
        if self.exact > 0 {
            let Outcomes { wins, draws, losses } = self.exact_outcomes;
            writeln!(f, "exact      {}: {wins} won, {draws} drawn, {losses} lost", self.exact)?;
        }
        if self.bounds > 0 {
            let BoundOutcomes { wins, losses, open } = self.bound_outcomes;
            write!(f, "bounds     {}: {wins} won, {losses} lost", self.bounds)?;
            match open {
                0 => writeln!(f)?,
                open => writeln!(f, ", {open} open")?,
            }
        }
        if self.heuristic > 0 {
            let ScoreSigns { positive, zero, negative } = self.heuristic_signs;
            writeln!(f, "heuristic  {}: {positive} ahead, {zero} even, {negative} behind", self.heuristic)?;
        }
        if let Some(depths) = self.depths {
            writeln!(f, "depth      min {}, median {}, max {}", depths.min, depths.median, depths.max)?;
        }
        writeln!(f, "nodes      {}", self.nodes)?;
        if let Some(timing) = &self.timing {
            writeln!(f, "elapsed    {:.3} s, {} nodes/s", timing.elapsed_s, timing.nodes_per_second)?;
            if self.positions > 0 {
                let (p50, p95, max) = (timing.p50_ms, timing.p95_ms, timing.max_ms);
                writeln!(f, "time       p50 {p50} ms, p95 {p95} ms, max {max} ms a position")?;
            }
        }
        if let Some(agreement) = self.agreement {
            f.write_str("expected   ")?;
            if agreement.named_moves > 0 {
                write!(f, "move {} of {}, ", agreement.moves, agreement.named_moves)?;
            }
            write!(f, "score {} of {}", agreement.scores, agreement.expected)?;
            if let Some(error) = agreement.mean_absolute_error {
                write!(f, ", mean absolute error {error}")?;
            }
            match agreement.exact_disagreements {
                1 => writeln!(f, "; 1 exact disagreement")?,
                count => writeln!(f, "; {count} exact disagreements")?,
            }
        }
        if let Some(scores) = &self.scores {
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
            write_histogram(f, &scores.histogram)?;
        }
        if let Some(play) = &self.play {
            write_play(f, play)?;
        }
        Ok(())
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

/// Writes the statistics of played moves, with the players who made the most moves. The JSON summary has all players and openings.
fn write_play(f: &mut fmt::Formatter<'_>, play: &PlaySummary) -> fmt::Result {
    write!(f, "games      {}: ", play.games)?;
    // With --unique, no loss is known.
    if play.moves.moves == 0 {
        return writeln!(f, "losses not measured");
    }
    writeln!(f, "{}", play.moves)?;
    let mut players: Vec<_> = play.by_player.iter().filter(|player| player.moves.moves > 0).collect();
    players.sort_by(|a, b| b.moves.moves.cmp(&a.moves.moves).then(a.name.cmp(&b.name)));
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
