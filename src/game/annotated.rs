//! [`AnnotatedGame`]: a game with what a file tells of it beside its moves.

use super::{AnyPosition, Game, Position};

/// A game with what is told of it.
#[derive(Debug, Clone)]
pub struct AnnotatedGame<P: Position = AnyPosition> {
    /// The start, and the moves with every forced pass.
    pub game: Game<P>,
    /// Who played it, where, when and to what end.
    pub tags: Tags,
    /// What is noted of each move of the game; empty where nothing is noted of any.
    pub notes: Vec<Note>,
}

impl<P: Position> From<Game<P>> for AnnotatedGame<P> {
    fn from(game: Game<P>) -> Self {
        Self { game, tags: Tags::default(), notes: Vec::new() }
    }
}

impl<P: Position> AnnotatedGame<P> {
    /// Returns whether anything is noted of a move.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.notes.iter().any(|note| note.eval.is_some() || note.seconds.is_some())
    }

    /// Returns a game of which no more than the names of Black and White is told.
    #[must_use]
    pub fn with_names(game: Game<P>, names: [&str; 2]) -> Self {
        let names = names.map(|name| Some(name.to_owned()));
        Self { tags: Tags { names, ..Tags::default() }, ..Self::from(game) }
    }
}

/// What is told of a game as a whole; `None` for whatever is not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tags {
    /// The names of Black and White.
    pub names: [Option<String>; 2],
    /// The tournament, match or place.
    pub tournament: Option<String>,
    /// The day, as far as it is known: `1977`, `2003-12-15`, `2003-12-15 12:33:18`.
    pub date: Option<String>,
    /// The result, which need not be what the board says.
    pub result: Option<GameResult>,
    /// What the result would have been under best play by both sides from some point of the game on.
    pub theoretical: Option<TheoreticalResult>,
}

impl Tags {
    /// Returns the points by which Black won: the recorded ones, else those on the board.
    #[must_use]
    pub fn points_or(&self, board: Option<i32>) -> Option<f64> {
        self.result.map(|verdict| verdict.points).or(board.map(f64::from))
    }

    /// Names Black and White where no others are told.
    pub fn fill_names(&mut self, names: [&str; 2]) {
        for (told, name) in self.names.iter_mut().zip(names) {
            told.get_or_insert_with(|| name.to_owned());
        }
    }
}

/// The result of a game as it is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameResult {
    /// The points by which Black won, less than zero if White did: discs in Othello, one in games that are only won or lost.
    pub points: f64,
    /// What ended the game before its time.
    pub termination: Option<Termination>,
}

impl GameResult {
    /// Reads a result as PGN writes it: `1-0` if White won, `0-1` if Black did, `1/2-1/2` for a draw and `*` where none is told. `None` if
    /// the text is none of these.
    #[must_use]
    pub fn from_pgn(text: &str) -> Option<Option<Self>> {
        let points = match text {
            "1-0" => -1.0,
            "0-1" => 1.0,
            "1/2-1/2" => 0.0,
            "*" => return Some(None),
            _ => return None,
        };
        Some(Some(Self { points, termination: None }))
    }

    /// Writes a result so: who won, and neither by how much nor what ended the game.
    #[must_use]
    pub fn to_pgn(verdict: Option<Self>) -> &'static str {
        match verdict {
            None => "*",
            Some(Self { points, .. }) if points < 0.0 => "1-0",
            Some(Self { points, .. }) if points > 0.0 => "0-1",
            Some(_) => "1/2-1/2",
        }
    }
}

/// What ended a game that was not played to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Termination {
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Timeout,
    /// The sides agreed on the result.
    Agreement,
}

/// A result under best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TheoreticalResult {
    /// The empty squares of the position from which on both sides play their best.
    pub empties: u32,
    /// The points by which Black wins then.
    pub points: i32,
}

/// What is noted of a move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Note {
    /// The estimate of whoever played it.
    pub eval: Option<f64>,
    /// The seconds it took.
    pub seconds: Option<f64>,
}
