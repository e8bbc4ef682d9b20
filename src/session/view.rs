//! [`View`]: what there is to see of a game, and [`BoardView`]: what is the same in every position of it. Lists of two are of Black and White.

use serde::Serialize;

use super::end_view::EndView;
use super::game::Session;
use crate::game::{AnyGame, AnyMove, AnyPosition, Color, LEVELS, Layout, Position as _, Scoring, Terminology};

/// A game, before anything is played.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BoardView {
    /// The name of the game.
    pub game: &'static str,
    /// The board.
    pub layout: Layout,
    /// How people speak of the pieces.
    pub words: Terminology,
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
#[non_exhaustive]
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
#[non_exhaustive]
pub struct GameView {
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
#[non_exhaustive]
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

impl BoardView {
    /// Describes a game.
    #[must_use]
    pub fn new(game: &dyn AnyGame) -> Self {
        let start = game.start();
        let layout = game.layout();
        let formats = game.formats().iter().map(|format| FormatView {
            name: format.name,
            about: format.about,
            of_games: format.of_games,
            is_written: format.writer.game.is_some() || format.writer.position.is_some(),
        });
        let counts_margin = game.scoring() == Scoring::Margin;
        Self {
            game: game.name(),
            words: game.terminology(),
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

impl Session {
    /// Returns what there is to see.
    #[must_use]
    pub fn view(&self) -> GameView {
        let (rules, game) = (self.rules(), self.game());
        let (position, start) = (game.position(), game.start());
        let points = rules.layout().points.len();
        let pieces = pieces(position, points);
        let count = |color| pieces.iter().filter(|&&piece| piece == Some(color)).count();
        let moves = game.moves().iter().chain(self.undone.iter().rev());
        let end = game.end();
        let legal = position.legal_moves().filter(|_| end.is_none()).map(|m| MoveView::new(position, m, points));
        let last = game.moves().last().zip(game.positions().iter().rev().nth(1));
        GameView {
            game: rules.name(),
            start: (*start != rules.start()).then(|| start.to_string()),
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
            end: end.map(|end| EndView::new(game, end)),
        }
    }
}

impl MoveView {
    /// Describes a move that is legal in a position, on a board of so many points.
    fn new(position: &AnyPosition, m: AnyMove, points: usize) -> Self {
        let after = pieces(&position.after(m), points);
        let changes =
            pieces(position, points).into_iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
        Self {
            text: m.to_string(),
            points: m.path().points().collect(),
            changes: changes.map(|(point, _)| point).collect(),
            is_pass: m.is_pass(),
        }
    }
}

fn pieces(position: &AnyPosition, points: usize) -> Vec<Option<Color>> {
    (0..points).map(|point| position.piece_at(point)).collect()
}

fn in_hand(position: &AnyPosition) -> Option<[u32; 2]> {
    let [black, white] = Color::ALL.map(|color| position.in_hand(color));
    black.zip(white).map(|(black, white)| [black, white])
}
