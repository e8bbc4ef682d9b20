//! [`GameReview`]: a game with the score of each position and the loss of each move.

use std::collections::BTreeMap;
use std::sync::Arc;

use morello_core::game::{AnyMove, AnyPosition, Color, Limits, Outcome, Report, Score, Scoring};
use morello_files::input::tag_fields;
use morello_files::output::{Field, Float, Integer};

use super::collection::Phase;
use super::{AnalysisRow, GameHeader, MoveLoss, MoveStatistics, RowOrigin, Severity};

/// The number of plies kept of each variation.
const PV_PLIES: usize = 8;

/// A game with its analyzed positions.
///
/// [`GameReviewer`](crate::GameReviewer) reviews a game in memory;
/// [`PlayStatistics`](crate::PlayStatistics) collects reviews from the rows of a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GameReview {
    /// The record of the game.
    pub origin: Arc<RowOrigin>,
    /// The game.
    pub head: Arc<GameHeader>,
    /// The analyzed positions in the order of the game, without forced passes.
    pub moves: Vec<ReviewedMove>,
}

/// An analyzed position of a game and the move played in it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReviewedMove {
    /// The plies played before the position.
    pub ply: u32,
    /// The side to move.
    pub mover: Color,
    /// The position.
    pub position: AnyPosition,
    /// The score for the side to move.
    pub score: Score,
    /// The best line found.
    pub pv: Vec<AnyMove>,
    /// The move played; `None` after the last move.
    pub played: Option<AnyMove>,
    /// The ply of the next position that is not a forced pass.
    pub next_ply: u32,
    /// The loss of the move; `None` if unknown.
    pub loss: Option<MoveLoss>,
}

impl ReviewedMove {
    /// Returns the reviewed move of a row; `None` if the row is not part of a game or is a bad
    /// line.
    #[must_use]
    pub fn of(row: &AnalysisRow) -> Option<Self> {
        let (context, analysis) = (row.game_context.as_ref()?, row.result.as_ref().ok()?);
        let best = analysis.report.best();
        Some(Self {
            ply: context.ply,
            mover: context.mover,
            position: analysis.position,
            score: best.score,
            pv: best.pv.iter().take(PV_PLIES).copied().collect(),
            played: context.played,
            next_ply: context.next_ply,
            loss: row.loss,
        })
    }

    /// Returns how bad the move is; `None` if its loss is unknown or less than an inaccuracy.
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        self.loss.and_then(MoveLoss::severity)
    }

    /// Returns the score for Black, in points.
    #[must_use]
    pub fn points_for_black(&self) -> f64 {
        if self.mover == Color::Black { self.score.points() } else { -self.score.points() }
    }

    /// Returns whether the move changed the expected winner.
    fn turns_the_game(&self) -> bool {
        let winner = |points: f64| points.partial_cmp(&0.0);
        let best = self.score.points();
        let is_turn = |loss: MoveLoss| loss.severity().is_some() && winner(best) != winner(best - loss.points);
        self.loss.is_some_and(is_turn)
    }
}

/// Returns the limits for a second look at the position of a [disputed](GameReview::disputed) move.
/// They are the limits of the review, but every move gets a score. Clear the search tables before
/// the search.
#[must_use]
pub fn second_look(limits: &Limits) -> Limits {
    limits.with_lines(usize::MAX)
}

impl GameReview {
    /// Begins a review with the game of a row; `None` if the row is not part of a game.
    #[must_use]
    pub(super) fn begin(row: &AnalysisRow) -> Option<Self> {
        let head = Arc::clone(&row.game_context.as_ref()?.game);
        Some(Self { origin: Arc::clone(&row.origin), head, moves: Vec::new() })
    }

    /// Returns whether a row belongs to this game.
    pub(super) fn contains(&self, row: &AnalysisRow) -> bool {
        row.game_context.as_ref().is_some_and(|context| Arc::ptr_eq(&self.head, &context.game))
    }

    /// Adds a row of the game. Rows must be added in order.
    pub(super) fn add(&mut self, row: &AnalysisRow) {
        self.moves.extend(ReviewedMove::of(row));
    }

    /// Returns the statistics of a side's moves.
    #[must_use]
    pub fn statistics(&self, side: Color) -> MoveStatistics {
        super::reviews::statistics(self.moves.iter().filter(|m| m.mover == side))
    }

    /// Returns the move statistics of Black and White in each phase of the game.
    #[must_use]
    pub fn phases(&self) -> BTreeMap<Phase, [MoveStatistics; 2]> {
        let mut phases: BTreeMap<_, [MoveStatistics; 2]> = BTreeMap::new();
        for m in &self.moves {
            if let (Some(loss), Some(phase)) = (m.loss, Phase::of(&m.position)) {
                phases.entry(phase).or_default()[m.mover.index()].add(loss);
            }
        }
        phases
    }

    /// Returns the score at the upper edge of a graph: the smallest of some round numbers that is
    /// not exceeded by any score or by the result on the board.
    #[must_use]
    pub fn score_limit(&self) -> f64 {
        let scores = self.moves.iter().map(|m| m.score.points());
        let most = scores.chain(self.head.black_points.map(f64::from)).map(f64::abs).fold(0.0, f64::max);
        match self.moves.first().map(|m| m.position.game().info().scoring) {
            Some(Scoring::Margin) => {
                [4.0, 8.0, 16.0, 32.0, 64.0].into_iter().find(|&limit| limit >= most).unwrap_or(most)
            }
            Some(Scoring::Distance) | None => 1.0,
        }
    }

    /// Returns the number of a move as players count. In Othello every new disc has its own number,
    /// and passes have none; in other games each number covers one move by each side.
    #[must_use]
    pub fn number(&self, m: &ReviewedMove) -> u32 {
        let empties = |position: AnyPosition| position.empty_count();
        if let (Some(first), Some(now)) = (empties(m.position.game().start()), empties(m.position)) {
            return first - now + 1;
        }
        let is_second = m.mover != self.order()[0];
        (m.ply + u32::from(is_second != (m.ply % 2 == 1))) / 2 + 1
    }

    /// Returns how many moves of a side have this severity.
    #[must_use]
    pub fn count(&self, side: Color, severity: Severity) -> usize {
        self.moves.iter().filter(|m| m.mover == side && m.severity() == Some(severity)).count()
    }

    /// Returns the indices of disputed moves: moves that look bad although one of the scores before
    /// and after the move is proved and the other estimated. A move that wins as well as the best
    /// one, but later, can look like a mistake in this way. Take a [second look](second_look) at
    /// their positions and [settle](Self::settle) them.
    #[must_use]
    pub fn disputed(&self) -> Vec<usize> {
        let is_disputed = |(m, next): (&ReviewedMove, &ReviewedMove)| {
            m.severity().is_some() && m.score.is_exact() != next.score.is_exact() && m.next_ply == next.ply
        };
        let pairs = self.moves.iter().zip(self.moves.iter().skip(1));
        pairs.enumerate().filter(|&(_, pair)| is_disputed(pair)).map(|(index, _)| index).collect()
    }

    /// Recomputes the loss of the move at an index from a report in which one search scored both
    /// the move and the best move. If the report has no score for the move, nothing changes.
    pub fn settle(&mut self, index: usize, report: &Report) {
        let m = &mut self.moves[index];
        let scored = report.lines.iter().find(|line| m.played.is_some() && line.pv.first() == m.played.as_ref());
        if let Some(scored) = scored {
            m.loss = Some(MoveLoss::new(&m.position, report.best().score.points(), scored.score.points()));
        }
    }

    /// Returns the turning point: the last inaccuracy, mistake or blunder that changed the
    /// expected winner.
    ///
    /// ```
    /// use morello::analysis::{GameReviewer, Severity};
    /// use morello::game::{EngineOptions, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let mut reviewer = GameReviewer::new(othello.random_game(3, 12), &Limits::exact());
    /// while let Some((game, limits)) = reviewer.next_search() {
    ///     drop(reviewer.add(searcher.best(&game, &limits)));
    /// }
    /// let review = reviewer.finish().1.expect("the game has moves");
    /// let turn = review.turning_point().expect("a random move gives the win away");
    /// assert!(turn.severity().is_some() && turn.played.is_some());
    /// assert!(review.count(turn.mover, Severity::Blunder) > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turning_point(&self) -> Option<&ReviewedMove> {
        self.moves.iter().rfind(|m| m.turns_the_game())
    }

    /// Returns the fields of the games table.
    ///
    /// ```
    /// use morello::analysis::GameReview;
    ///
    /// let names: Vec<_> = GameReview::fields().iter().map(|field| field.name().to_owned()).collect();
    /// assert_eq!(names[..3], ["file", "line", "game"]);
    /// assert!(names.contains(&"turning_move".to_owned()));
    /// ```
    #[must_use]
    pub fn fields() -> Vec<Field<Self>> {
        type Named = Field<GameReview>;
        let mut fields = vec![
            Named::text("file", |game| (&*game.origin.file).into()).about("The input"),
            Named::integer("line", |game| game.origin.line.into()).about("The number of the line or record, from 1"),
            Named::integer("game", |game| game.head.number.into()).about("The number of the game in its input, from 1"),
        ];
        let tags = tag_fields().into_iter().filter(|field| !["year", "ending"].contains(&field.name()));
        fields.extend(tags.map(|field| field.of(|game: &Self| &game.head.tags)));
        fields.extend([
            Named::text("result", |game| game.head.outcome().map(Outcome::name).into())
                .about("The winner: black, white or draw"),
            Named::float("black_points", |game| game.head.black_score.into())
                .about("The points by which Black won, according to the file or else on the board"),
            Named::integer("plies", |game| game.head.plies.into()).about("The plies played"),
        ]);
        fields.extend(Color::ALL.into_iter().flat_map(side_fields));
        fields.extend([
            Named::integer("turning_ply", |game| game.turning_point().map(|m| m.ply).into())
                .about("The plies played before the last move that changed the expected winner"),
            Named::text("turning_move", |game| game.turning_point().and_then(|m| Some(m.played?.to_string())).into())
                .about("That move"),
            Named::text("turning_side", |game| game.turning_point().map(|m| m.mover.name()).into())
                .about("The side that played it: black or white"),
            Named::float("turning_loss", |game| {
                game.turning_point().and_then(|m| m.loss).map(|loss| loss.points).into()
            })
            .about("Its loss, in points"),
            Named::text("opening", |game| game.head.opening.into()).about("The last named opening of the game"),
        ]);
        fields
    }
}

/// Returns the fields for a side's moves.
fn side_fields(side: Color) -> [Field<GameReview>; 5] {
    type Named = Field<GameReview>;
    let of = move |game: &GameReview| game.statistics(side);
    let name = |field: &str| format!("{}_{field}", side.name());
    [
        Named::capturing(name("moves"), move |game| Integer::from(of(game).moves()))
            .about("The number of moves of this side whose loss is known"),
        Named::capturing(name("loss"), move |game| Float::from(of(game).loss()))
            .about("The total loss of these moves, in points"),
        Named::capturing(name("mean_loss"), move |game| Float::from(of(game).mean_loss()))
            .about("The mean loss per move, in points"),
        Named::capturing(name("accuracy"), move |game| Float::from(of(game).accuracy()))
            .about("The accuracy of these moves, in percent"),
        Named::capturing(name("agreement"), move |game| Float::from(of(game).agreement()))
            .about("The share of the moves that lost nothing, in percent"),
    ]
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Certainty, Line, Position as _, Tags};

    use super::super::GameContext;
    use super::super::tests::{nine, othello4, report, row};
    use super::*;

    #[test]
    fn counts_the_moves_of_each_side() {
        let head: Arc<GameHeader> = GameHeader {
            number: 1,
            tags: Tags::default(),
            plies: 3,
            black_points: None,
            black_score: None,
            opening: None,
        }
        .into();
        let row_of = |ply: u32, loss: f64| {
            let context = GameContext {
                game: Arc::clone(&head),
                ply,
                mover: if ply.is_multiple_of(2) { Color::Black } else { Color::White },
                played: None,
                next_ply: ply + 1,
                final_points: None,
                opening: None,
                is_selected: true,
            };
            let start = row(othello4(), Score::exact(1));
            let loss = Some(MoveLoss::new(&start.result.as_ref().unwrap().position, 1.0, 1.0 - loss));
            AnalysisRow { game_context: Some(context), loss, ..start }
        };
        let rows = [0.0, 1.0, 2.0].map(|loss| row_of(loss as u32, loss));
        let mut review = GameReview::begin(&rows[0]).unwrap();
        rows.iter().for_each(|row| review.add(row));
        let black = review.statistics(Color::Black);
        assert_eq!((black.moves(), black.loss(), black.agreement()), (2, 2.0, Some(50.0)));
        assert_eq!(Color::ALL.map(|side| review.count(side, Severity::Mistake)), [1, 0]);
        assert_eq!(review.turning_point().map(|m| m.ply), Some(2));
        assert_eq!(review.number(&review.moves[2]), 1, "only discs count");
        assert_eq!((review.moves[1].points_for_black(), review.score_limit()), (-1.0, 4.0));
        review.moves[0].score = Score::exact(-5);
        assert_eq!(review.score_limit(), 8.0);
        assert!(review.contains(&rows[1]) && !review.contains(&row(othello4(), Score::exact(1))));
        assert!(GameReview::begin(&row(othello4(), Score::exact(1))).is_none());
    }

    #[test]
    fn a_second_look_settles_a_proof_against_an_estimate() {
        let head = Arc::new(GameHeader {
            number: 1,
            tags: Tags::default(),
            plies: 2,
            black_points: None,
            black_score: None,
            opening: None,
        });
        let proved = Score::exact(1);
        let estimated = Score { thousandths: -400, certainty: Certainty::Heuristic, ..proved };
        let position = nine().start();
        let [best, played] = [0, 1].map(|at| position.legal_moves().nth(at).unwrap());
        let review_of = |scores: [Score; 2], next_ply| {
            let reviewed = |(ply, score): (u32, Score)| ReviewedMove {
                ply,
                mover: Color::Black,
                position,
                score,
                pv: vec![best],
                played: (ply == 0).then_some(played),
                next_ply,
                loss: (ply == 0).then(|| MoveLoss::new(&position, 1.0, 0.4)),
            };
            let moves = (0..).zip(scores).map(reviewed).collect();
            GameReview { origin: Arc::default(), head: Arc::clone(&head), moves }
        };
        assert_eq!(review_of([proved, proved], 1).disputed(), [0; 0]);
        assert_eq!(review_of([estimated, estimated], 1).disputed(), [0; 0]);
        assert_eq!(review_of([proved, estimated], 2).disputed(), [0; 0], "another position follows");
        assert_eq!(review_of([estimated, proved], 1).disputed(), [0]);
        let mut review = review_of([proved, estimated], 1);
        assert_eq!(review.disputed(), [0]);
        let line = |m: AnyMove, score| Line { score, pv: vec![m] };
        let before = review.clone();
        review.settle(0, &report(vec![line(best, proved)], proved.bounds()));
        assert_eq!(review, before, "the move has no score");
        review.settle(0, &report(vec![line(best, proved), line(played, proved)], proved.bounds()));
        assert_eq!((review.moves[0].severity(), review.moves[0].score), (None, proved));
        assert_eq!(review.disputed(), [0; 0]);
    }

    #[test]
    fn every_field_is_described() {
        assert!(GameReview::fields().iter().all(|field| !field.description().is_empty()));
    }
}
