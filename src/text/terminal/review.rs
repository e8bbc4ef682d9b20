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
        let severity = |m: &ReviewedMove| m.loss.and_then(|loss| Severity::of(loss, rules.info().scoring, measure));
        let decimals = if rules.info().scoring == Scoring::Margin { 1 } else { 2 };
        for m in &review.moves {
            let (Some(severity), Some(played), Some(loss)) = (severity(m), m.played, m.loss) else { continue };
            let line: Vec<_> = m.pv.iter().take(LINE_PLIES).map(ToString::to_string).collect();
            let score = ScoreView::new(m.score, rules.info().scoring).text;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::EngineOptions;
    use crate::games;
    use crate::session::SearcherPool;
    use crate::text::{Participant, TerminalOptions, play};

    #[test]
    fn lists_the_mistakes_and_the_accuracy_of_both_sides() {
        let pool = SearcherPool::new(games::get("othello-4x4").unwrap(), Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
        let players = [Participant::Human, Participant::Human];
        let mut terminal = TerminalGame::new(pool, players, TerminalOptions::default());
        let mut output = Vec::new();
        play(&mut terminal, "review\nb1\nc1\nd1\nreview\nquit\n".as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains("Your move: No moves to review\n"), "{output}");
        // White loses the game with c1; a1 was best.
        let line = output.lines().find(|line| line.contains(" loses ")).unwrap_or_default();
        assert!(line.contains("2. White c1        ??  loses ") && line.contains("best was a1 "), "{output}");
        assert!(
            output.contains("Black: accuracy 100.0 %, mean loss 0.00, 0 inaccuracies, 0 mistakes, 0 blunders\n"),
            "{output}"
        );
        assert!(output.contains("White: accuracy 0.0 %, mean loss ") && output.contains(" 1 blunder\n"), "{output}");
    }

    #[test]
    fn counts_have_the_right_number() {
        let texts = |count| Severity::ALL.map(|severity| count_text(count, severity));
        assert_eq!(texts(1), ["1 inaccuracy", "1 mistake", "1 blunder"]);
        assert_eq!(texts(0), ["0 inaccuracies", "0 mistakes", "0 blunders"]);
    }
}
