//! [`View`]: what there is to see of a game, and [`BoardView`]: what is the same in every position of it. Lists of two are of Black and White.

use serde::Serialize;

use super::Session;
use crate::game::{Cause, Color, End, Game, LEVELS, Layout, Outcome, Playable, Reason, Scoring, Words};

/// A game, before anything is played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardView {
    /// The name of the game.
    pub game: &'static str,
    /// The board.
    pub layout: Layout,
    /// How people speak of the pieces.
    pub words: Words,
    /// Whether the size of a win counts; else its moment does.
    pub counts_margin: bool,
    /// The most points that can be won.
    pub most_points: u32,
    /// The side that begins.
    pub first: Color,
    /// The pieces beside the board at the start, where they are counted.
    pub in_hand: Option<[u32; 2]>,
    /// The highest level of play.
    pub levels: u32,
    /// The formats, in the order in which they are tried.
    pub formats: Vec<FormatView>,
}

/// A format of positions or games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormatView {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Whether it is one of games.
    pub of_games: bool,
    /// Whether it is written, or read alone.
    pub is_written: bool,
}

/// What there is to see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// The name of the game.
    pub game: &'static str,
    /// The position that the game starts from; `None` if it is the start of the game.
    pub start: Option<String>,
    /// The moves, those that were taken back included.
    pub moves: Vec<String>,
    /// How many of them are played on the board.
    pub ply: usize,
    /// The text of the position.
    pub position: String,
    /// The side that moves first from the start.
    pub first: Color,
    /// The side to move.
    pub side: Color,
    /// The pieces on the points of the layout.
    pub pieces: Vec<Option<Color>>,
    /// How many pieces are on the board.
    pub counts: [usize; 2],
    /// How many are beside it, where they are counted.
    pub in_hand: Option<[u32; 2]>,
    /// The moves that may be played; none at the end of the game.
    pub legal: Vec<MoveView>,
    /// The last move.
    pub last: Option<MoveView>,
    /// How the game ended.
    pub end: Option<EndView>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveView {
    /// Its text.
    pub text: String,
    /// The points that it names, in the order in which a person touches them.
    pub points: Vec<usize>,
    /// All points that it changes.
    pub changes: Vec<usize>,
    /// Whether it only passes the turn.
    pub is_pass: bool,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndView {
    /// Who won; `None` if nobody did.
    pub winner: Option<Color>,
    /// The points by which Black won.
    pub points: i32,
    /// The result with its reason, in words.
    pub text: String,
}

impl BoardView {
    /// Describes a game.
    #[must_use]
    pub fn new<P: Playable>() -> Self {
        let start = P::default();
        let layout = P::layout();
        let formats = P::formats().iter().map(|format| FormatView {
            name: format.name,
            about: format.about,
            of_games: format.of_games,
            is_written: format.writing.game.is_some() || format.writing.position.is_some(),
        });
        let counts_margin = P::SCORING == Scoring::Margin;
        Self {
            game: P::NAME,
            words: P::WORDS,
            counts_margin,
            most_points: if counts_margin { layout.points.len() as u32 } else { 1 },
            layout,
            first: start.side_to_move(),
            in_hand: in_hand(&start),
            levels: LEVELS,
            formats: formats.collect(),
        }
    }
}

impl View {
    /// Looks at a session.
    #[must_use]
    pub fn new<P: Playable>(session: &Session<P>) -> Self {
        let game = session.game();
        let (position, start) = (game.position(), game.start());
        let points = P::layout().points.len();
        let pieces = pieces(position, points);
        let count = |color| pieces.iter().filter(|&&piece| piece == Some(color)).count();
        let moves = game.moves().iter().chain(session.undone.iter().rev());
        let end = game.end();
        let legal = position.legal_moves().filter(|_| end.is_none()).map(|m| MoveView::new(position, m, points));
        let last = game.moves().last().zip(game.positions().iter().rev().nth(1));
        Self {
            game: P::NAME,
            start: (*start != P::default()).then(|| start.to_string()),
            moves: moves.map(ToString::to_string).collect(),
            ply: game.moves().len(),
            position: position.to_string(),
            first: start.side_to_move(),
            side: position.side_to_move(),
            counts: Color::ALL.map(count),
            pieces,
            in_hand: in_hand(position),
            legal: legal.collect(),
            last: last.map(|(&m, before)| MoveView::new(before, m, points)),
            end: end.map(|end| self::end(game, end)),
        }
    }
}

impl MoveView {
    /// Describes a move that is legal in a position, on a board of so many points.
    fn new<P: Playable>(position: &P, m: P::Move, points: usize) -> Self {
        let after = pieces(&position.after(m), points);
        let changes =
            pieces(position, points).into_iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
        Self {
            text: m.to_string(),
            points: P::path(m).points().collect(),
            changes: changes.map(|(point, _)| point).collect(),
            is_pass: P::is_pass(m),
        }
    }
}

/// Says how a game ended.
pub(super) fn end<P: Playable>(game: &Game<P>, end: End) -> EndView {
    let position = game.position();
    let score = match position.side_to_move() {
        Color::Black => position.final_score(),
        Color::White => -position.final_score(),
    };
    let points = match (end.reason, end.outcome) {
        (_, Outcome::Draw) => 0,
        _ => score,
    };
    let text = match (end.outcome, end.reason) {
        (Outcome::Win(winner), _) if P::SCORING == Scoring::Margin => {
            format!("{winner} wins by {}", of(points.unsigned_abs(), P::WORDS))
        }
        (Outcome::Win(winner), _) => {
            Cause::of(game).map_or_else(|| format!("{winner} wins"), |cause| format!("{winner} wins: {}", cause.text))
        }
        (Outcome::Draw, Reason::Rules) => "a draw".to_owned(),
        (Outcome::Draw, _) => Cause::of(game).map_or_else(String::new, |cause| format!("a draw: {}", cause.text)),
    };
    EndView { winner: end.outcome.winner(), points, text }
}

fn of(count: u32, words: Words) -> String {
    format!("{count} {}", if count == 1 { words.piece } else { words.pieces })
}

fn pieces<P: Playable>(position: &P, points: usize) -> Vec<Option<Color>> {
    (0..points).map(|point| position.piece_at(point)).collect()
}

fn in_hand<P: Playable>(position: &P) -> Option<[u32; 2]> {
    let [black, white] = Color::ALL.map(|color| position.in_hand(color));
    black.zip(white).map(|(black, white)| [black, white])
}
