//! The review of a game at the terminal: the losses of its moves, as `morello analyze` computes them.

use std::io::{self, Write};

use super::TerminalGame;
use crate::analysis::{AnalysisRow, GameReviews, LossMeasure, ReviewedMove, Severity, TaskPosition, game_tasks};
use crate::causes::with_causes;
use crate::game::{Color, Limits, Scoring};
use crate::session::ScoreView;
use crate::text::messages;

/// The level of the searches, and the largest number of nodes of one.
const LEVEL: u32 = 8;
const NODES: u64 = 400_000;

/// The moves of the best line that are shown.
const LINE_PLIES: usize = 5;

impl TerminalGame {
    /// Prints the mistakes and the accuracy of both sides. Ctrl-C ends the review early.
    pub(super) fn review(&mut self, output: &mut dyn Write) -> io::Result<()> {
        if self.game().moves().is_empty() {
            return writeln!(output, "No moves to review");
        }
        let rules = self.session.rules();
        let limits = Limits { nodes: Some(NODES), ..rules.level(LEVEL) };
        let measure = LossMeasure::of(&limits);
        let mut rows = match self.analyze(limits) {
            Ok(rows) => rows,
            Err(error) => return writeln!(output, "{}", messages::capitalize(&error)),
        };
        let mut reviews = GameReviews::new(measure);
        for at in 0..rows.len() {
            let next = rows.get(at + 1).cloned();
            measure.set_loss(&mut rows[at], next.as_ref());
            reviews.add(&rows[at]);
        }
        let Some(review) = reviews.games().first() else { return writeln!(output, "No moves to review") };
        let severity = |m: &ReviewedMove| m.loss.and_then(|loss| Severity::of(loss, rules.scoring(), measure));
        let decimals = if rules.scoring() == Scoring::Margin { 1 } else { 2 };
        for m in &review.moves {
            let (Some(severity), Some(played), Some(loss)) = (severity(m), m.played, m.loss) else { continue };
            let line: Vec<_> = m.pv.iter().take(LINE_PLIES).map(ToString::to_string).collect();
            let score = ScoreView::new(m.score, rules.scoring()).text;
            writeln!(
                output,
                "{:>3}. {:<6}{:<10}{:<3} loses {loss:.decimals$}; best was {} ({score})",
                m.ply + 1,
                m.mover.to_string(),
                played.to_string(),
                severity.mark(),
                line.join(" "),
            )?;
        }
        for side in Color::ALL {
            let statistics = review.statistics(side);
            let (Some(accuracy), Some(mean)) = (statistics.accuracy(), statistics.mean_loss()) else { continue };
            let counts = Severity::ALL.map(|wanted| {
                let count = review.moves.iter().filter(|m| m.mover == side && severity(m) == Some(wanted)).count();
                count_text(count, wanted)
            });
            writeln!(output, "{side}: accuracy {accuracy:.1} %, mean loss {mean:.2}, {}", counts.join(", "))?;
        }
        Ok(())
    }

    /// Searches all positions of the game; an error is a message.
    fn analyze(&self, limits: Limits) -> Result<Vec<AnalysisRow>, String> {
        self.options.interrupt.run_cancellable(|cancel| {
            let mut rows = Vec::new();
            for task in game_tasks(self.game().clone()) {
                let Some(game) = task.position().map(TaskPosition::game) else { continue };
                let report = self.searchers.search_separately(&game, &limits, cancel);
                let report = report.map_err(|error| with_causes(&error))?;
                if cancel.is_cancelled() {
                    break;
                }
                rows.push(task.into_row(report));
            }
            Ok(rows)
        })
    }
}

/// Returns a number of inaccuracies, mistakes or blunders.
fn count_text(count: usize, severity: Severity) -> String {
    let name = severity.name();
    match (count, name.strip_suffix('y')) {
        (1, _) => format!("1 {name}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {name}s"),
    }
}
