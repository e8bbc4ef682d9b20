//! Reviews a game at the terminal, with the same move losses as `morello analyze`.

use morello_analysis::{GameReview, GameReviewer, ReviewedMove, Severity, review_limits};
use morello_core::game::{Color, Scoring};

use super::TerminalGame;
use crate::session::{ScoreView, SearcherUnavailable};
use crate::text::messages;

/// The maximum number of moves shown for the best line.
const LINE_PLIES: usize = 5;

impl TerminalGame {
    /// Describes the mistakes and the accuracy of both sides. Ctrl-C ends the review early.
    pub(super) fn review(&self) -> String {
        let review = match self.reviewed() {
            Ok(Some(review)) => review,
            Ok(None) => return "No moves to review".to_owned(),
            Err(error) => return messages::failure(&error),
        };
        let scoring = self.session.rules().info().scoring;
        let mistakes = review.moves.iter().filter_map(|m| describe_mistake(&review, m, scoring));
        let sides = Color::ALL.into_iter().filter_map(|side| {
            let statistics = review.statistics(side);
            let (accuracy, mean) = (statistics.accuracy()?, statistics.mean_loss()?);
            let counts = Severity::ALL.map(|severity| count_text(review.count(side, severity), severity));
            Some(format!("{side}: accuracy {accuracy:.1} %, mean loss {mean:.2}, {}", counts.join(", ")))
        });
        mistakes.chain(sides).collect::<Vec<_>>().join("\n")
    }

    /// Searches the positions of the game until Ctrl-C; `None` without moves.
    fn reviewed(&self) -> Result<Option<GameReview>, SearcherUnavailable> {
        if self.game().moves().is_empty() {
            return Ok(None);
        }
        let limits = review_limits(self.session.rules(), None, None);
        let mut reviewer = GameReviewer::new(self.game().clone(), &limits);
        self.options.interrupt.run_cancellable(|cancel| {
            while let Some((game, limits)) = reviewer.next_search() {
                let report = self.searchers.search_separately(&game, &limits, cancel)?;
                if cancel.is_cancelled() {
                    break;
                }
                reviewer.add(report);
            }
            Ok(reviewer.finish().1)
        })
    }
}

/// Describes a move with the best line if it is a mistake.
fn describe_mistake(review: &GameReview, m: &ReviewedMove, scoring: Scoring) -> Option<String> {
    let (severity, played, loss) = (m.severity()?, m.played?, m.loss?.points);
    let line: Vec<_> = m.pv.iter().take(LINE_PLIES).map(ToString::to_string).collect();
    let decimals = if scoring == Scoring::Margin { 1 } else { 2 };
    Some(format!(
        "{:>3}. {:<6}{:<10}{:<3} loses {loss:.decimals$}; best was {} ({})",
        review.number(m),
        m.mover.to_string(),
        played.to_string(),
        severity.mark(),
        line.join(" "),
        ScoreView::new(m.score, scoring).text,
    ))
}

/// Returns a number of inaccuracies, mistakes or blunders, as text.
fn count_text(count: usize, severity: Severity) -> String {
    format!("{count} {}", if count == 1 { severity.name() } else { severity.plural() })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use morello_core::game::EngineOptions;
    use morello_core::games;

    use super::*;
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
        assert!(output.contains("White: accuracy ") && output.contains(" 1 blunder\n"), "{output}");
    }

    #[test]
    fn counts_have_the_right_number() {
        let texts = |count| Severity::ALL.map(|severity| count_text(count, severity));
        assert_eq!(texts(1), ["1 inaccuracy", "1 mistake", "1 blunder"]);
        assert_eq!(texts(0), ["0 inaccuracies", "0 mistakes", "0 blunders"]);
    }
}
