//! Rows for the tests of this module.

use morello_core::game::{AnyGame, Bounds, Confidence, Line, Position as _, Report, Score, any_game};
use morello_core::morris::{self, NineMensMorris};
use morello_core::othello;

use super::row::Analysis;
use super::{AnalysisRow, RowOrigin};

pub(super) fn othello4() -> &'static dyn AnyGame {
    any_game::<othello::SizedPosition<4>>()
}

pub(super) fn nine() -> &'static dyn AnyGame {
    any_game::<morris::Position<NineMensMorris>>()
}

pub(super) fn report(lines: Vec<Line>, bounds: Bounds) -> Report {
    let time = std::time::Duration::ZERO;
    Report {
        lines,
        bounds,
        depth: 9,
        confidence: Confidence::FULL,
        nodes: 7,
        time,
        note: None,
        source: morello_core::game::ReportSource::Search,
    }
}

/// Returns a row for the start of a game, with two moves; the first has the score.
pub(super) fn row(game: &dyn AnyGame, score: Score) -> AnalysisRow {
    let position = game.start();
    let m = position.legal_moves().next().unwrap();
    let pv = vec![m, position.after(m).legal_moves().next().unwrap()];
    let report = report(vec![Line { score, pv }], score.bounds());
    AnalysisRow {
        origin: RowOrigin { file: "f".into(), line: 3, ..RowOrigin::default() }.into(),
        game_context: None,
        loss: None,
        plies_lost: None,
        result: Ok(Analysis::new(report, &position.into(), false)),
    }
}
