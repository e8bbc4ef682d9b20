//! Transcripts: the moves of a complete or unfinished game on one line.
//!
//! ```text
//! f5d6c3d3c4f4
//! ---------------------------OX------XO--------------------------- X; f5d6c3
//! ```
//!
//! Passes are omitted, because the rules imply them; the reader inserts a forced pass before the next move. It also accepts a written pass
//! (`pa`, `ps`, `pass`) where one is forced. Only a pass at the end of an unfinished game is written, because no move follows it.
//!
//! Upper and lower case are equivalent, and moves may be separated by blanks or commas. A game that does not begin at the start position
//! begins with its board string and a semicolon. The XOT opening lists are transcripts of eight plies.

use std::fmt::Write as _;

use thiserror::Error;

use crate::game::{AnnotatedGame, FormatWriter, Game, LineFormat, MetadataKind, ParseError, Playable, Position as _};
use crate::othello::notation::{self, ParsePositionError};
use crate::othello::{IllegalReason, Move, Position};

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    Position<N>: Playable,
{
    LineFormat {
        name: "transcript",
        aliases: &["xot"],
        about: "games: the moves, `f5d6c3`, after a position and `;` if not from the start",
        of_games: true,
        detect: looks_like,
        parse: |line| Ok(AnnotatedGame::from(read::<N>(line)?).into()),
        scanner: None,
        split: None,
        writer: FormatWriter {
            game: Some(|game| Ok(write_line::<N>(&game.game.known()))),
            position: None,
            preserved: &[MetadataKind::Moves],
        },
    }
}

/// Returns whether a line is more likely a transcript than a position: it begins with a move, or has a move where OBF has the first score.
#[must_use]
pub fn looks_like(line: &str) -> bool {
    begins(line) || line.split_once(';').is_some_and(|(_, moves)| begins_moves(moves))
}

/// Returns whether the text after a position begins with moves, not with the scores of OBF.
fn begins_moves(fields: &str) -> bool {
    begins(fields.trim_start()) && !fields.contains(':')
}

/// An error in a transcript.
pub type ParseTranscriptError = ParseError<TranscriptErrorKind>;

impl From<ParsePositionError> for ParseTranscriptError {
    fn from(error: ParsePositionError) -> Self {
        Self { column: error.column, kind: TranscriptErrorKind::Position(error.kind) }
    }
}

/// What is wrong with a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TranscriptErrorKind {
    /// The board string is invalid.
    #[error(transparent)]
    Position(notation::PositionErrorKind),
    /// No semicolon follows the side to move.
    #[error("expected `;` between the position and the moves")]
    MissingSemicolon,
    /// A word is not a move.
    #[error("expected a move such as `f5`, found `{0}`")]
    NotAMove(String),
    /// A move is illegal.
    #[error("illegal move `{text}` in ply {ply}: {reason}")]
    IllegalMove {
        /// The move as written.
        text: String,
        /// The ply, from 1, with passes counted.
        ply: usize,
        /// Why it is illegal.
        reason: IllegalReason,
    },
}

/// Returns whether a text begins with a move, like a transcript from the start position.
#[must_use]
pub fn begins(text: &str) -> bool {
    move_len(text).is_some()
}

/// Reads a transcript, ignoring surrounding blanks. An empty one is a game without moves.
///
/// ```
/// use morello::othello::formats::transcript;
///
/// let game = transcript::read::<8>("F5D6 c3")?;
/// assert_eq!(game.moves().len(), 3);
/// assert_eq!(transcript::write(&game), "f5d6c3");
/// let error = transcript::read::<8>("f5d6d6").unwrap_err();
/// assert_eq!((error.column, error.to_string().as_str()), (5, "illegal move `d6` in ply 3: the square is occupied"));
/// # Ok::<(), transcript::ParseTranscriptError>(())
/// ```
///
/// # Errors
/// [`ParseTranscriptError`], with the column.
pub fn read<const N: usize>(text: &str) -> Result<Game<Position<N>>, ParseTranscriptError> {
    if text.trim().is_empty() || begins(text.trim_start()) || !text.contains(';') {
        return read_moves(Game::new(Position::default()), text, 1);
    }
    let (start, rest, column) = notation::parse_prefix::<N>(text)?;
    let blanks = rest.chars().take_while(|c| c.is_whitespace()).count();
    match rest.trim_start().strip_prefix(';') {
        Some(moves) => read_moves(Game::new(start), moves, column + blanks + 1),
        None => Err(ParseTranscriptError { column: column + blanks, kind: TranscriptErrorKind::MissingSemicolon }),
    }
}

/// Reads moves into a game. `column` is the column of the first character of the text.
fn read_moves<const N: usize>(
    mut game: Game<Position<N>>,
    text: &str,
    mut column: usize,
) -> Result<Game<Position<N>>, ParseTranscriptError> {
    let is_separator = |c: char| c.is_whitespace() || c == ',';
    let mut rest = text;
    loop {
        let after = rest.trim_start_matches(is_separator);
        column += rest[..rest.len() - after.len()].chars().count();
        rest = after;
        if rest.is_empty() {
            return Ok(game);
        }
        let Some(len) = move_len(rest) else {
            let word: String = rest.chars().take_while(|&c| !is_separator(c)).take(20).collect();
            return Err(ParseTranscriptError { column, kind: TranscriptErrorKind::NotAMove(word) });
        };
        let (name, after) = rest.split_at(len);
        let m = Move::from_text(name).expect("`move_len` found a move");
        if m != Move::PASS && game.position().is_legal(Move::PASS) {
            game.play(Move::PASS).expect("a pass is legal here");
        }
        if let Some(reason) = game.position().why_illegal(m) {
            let kind = TranscriptErrorKind::IllegalMove { text: name.to_owned(), ply: game.moves().len() + 1, reason };
            return Err(ParseTranscriptError { column, kind });
        }
        game.play(m).expect("the move is legal, and no draw rule ends a game of Othello");
        (rest, column) = (after, column + len);
    }
}

/// Returns the length of the move at the beginning of a text, in bytes and characters.
fn move_len(text: &str) -> Option<usize> {
    [4, 2].into_iter().find(|&len| text.get(..len).is_some_and(|name| Move::from_text(name).is_some()))
}

/// Writes a game as a line. A game without moves becomes its position, because readers skip blank lines.
fn write_line<const N: usize>(game: &Game<Position<N>>) -> String {
    let text = write(game);
    if text.is_empty() { format!("{};", game.start()) } else { text }
}

/// Writes a game. Passes are omitted except at the end, and the first position precedes the moves unless it is the start position.
#[must_use]
pub fn write<const N: usize>(game: &Game<Position<N>>) -> String {
    let mut text = String::new();
    if *game.start() != Position::default() {
        write!(text, "{};", game.start()).expect("writing to a string cannot fail");
        if !game.moves().is_empty() {
            text.push(' ');
        }
    }
    let last = game.moves().len().saturating_sub(1);
    for (_, m) in game.moves().iter().enumerate().filter(|&(ply, &m)| m != Move::PASS || ply == last) {
        write!(text, "{m}").expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{RandomNumbers, random_game};

    /// A game of 60 moves without a pass, which ends in a draw.
    const WITHOUT_PASSES: &str = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2\
                           C1H2H1G2B8A8G7H8H7H6";

    /// A game in which the moves 58 and 59 each follow a pass; Black wins by 48 to 16.
    const WITH_PASSES: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2\
                               g7h8g8h1b8a2a1a3a8b4b3";

    fn error(text: &str) -> (usize, String) {
        let error = read::<8>(text).unwrap_err();
        (error.column, error.to_string())
    }

    #[test]
    fn reads_whole_games() {
        let game = read::<8>(WITHOUT_PASSES).unwrap();
        assert_eq!((game.moves().len(), game.position().final_score()), (60, 0));
        assert_eq!(write(&game), WITHOUT_PASSES.to_lowercase());

        let game = read::<8>(WITH_PASSES).unwrap();
        let passes: Vec<_> = (0..game.moves().len()).filter(|&ply| game.moves()[ply] == Move::PASS).collect();
        assert_eq!((game.moves().len(), passes), (62, vec![57, 59]));
        assert!(game.position().is_over());
        assert_eq!((game.position().disc_difference().abs(), write(&game).as_str()), (32, WITH_PASSES));
        // Written passes give the same game.
        let (before, after) = WITH_PASSES.split_at(2 * 57);
        let written = format!("{before} PASS {} pa{}", &after[..2], &after[2..]);
        assert_eq!(read::<8>(&written).unwrap().moves(), game.moves());
    }

    #[test]
    fn games_of_all_sizes_round_trip() {
        fn check<const N: usize>(plies: usize) {
            let mut numbers = RandomNumbers::new(3);
            for seed in 0..50 {
                let game = random_game::<Position<N>>(seed, numbers.below(plies));
                let read = read::<N>(&write(&game)).unwrap();
                assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
                let mut later = Game::new(*game.position());
                while let Some(m) = later.position().legal_moves().next() {
                    later.play(m).unwrap();
                }
                let read = super::read::<N>(&write(&later)).unwrap();
                assert_eq!((read.start(), read.moves()), (later.start(), later.moves()));
            }
        }
        check::<8>(65);
        check::<6>(40);
        check::<4>(14);
    }

    #[test]
    fn ignores_case_spaces_and_commas() {
        let moves = read::<8>("f5d6c3").unwrap().moves().to_vec();
        for text in [" F5D6C3 ", "f5 d6 c3", "f5,d6, c3,", "F5d6\tC3"] {
            assert_eq!(read::<8>(text).unwrap().moves(), moves, "{text}");
        }
        let start = <Position>::default();
        for text in [format!("{start};f5d6c3"), format!("{start} ; f5 d6c3")] {
            assert_eq!(read::<8>(&text).unwrap().moves(), moves, "{text}");
        }
        assert!(read::<8>("").unwrap().moves().is_empty());
        assert_eq!(write(&read::<4>("XO-------------- O; c1").unwrap()), "XO-------------- O; c1");
        assert_eq!(read::<4>("XO-------------- O; c1").unwrap().moves().len(), 2);
        assert_eq!(write(&read::<4>("XO-------------- O; pa").unwrap()), "XO-------------- O; pa");
    }

    #[test]
    fn reports_where_and_why_a_transcript_is_invalid() {
        assert_eq!(error("f5d6c3d3c4f4 a1"), (14, "illegal move `a1` in ply 7: it flips no disc".into()));
        assert_eq!(error("f5d6D6"), (5, "illegal move `D6` in ply 3: the square is occupied".into()));
        assert_eq!(
            error("f5pad6"),
            (3, "illegal move `pa` in ply 2: the side to move has a legal move and cannot pass".into())
        );
        assert_eq!(error("f5 d9c3"), (4, "expected a move such as `f5`, found `d9c3`".into()));
        assert_eq!(error("f5é"), (3, "expected a move such as `f5`, found `é`".into()));
        assert_eq!(error("f5d"), (3, "expected a move such as `f5`, found `d`".into()));
        let start = <Position>::default();
        assert_eq!(error(&format!("{start}; f5x")), (71, "expected a move such as `f5`, found `x`".into()));
        assert_eq!(error(&format!("{start} f5; d6")), (68, "expected `;` between the position and the moves".into()));
        assert_eq!(error("--- X; f5").0, 10);
        let whole = format!("{WITHOUT_PASSES}a1");
        assert_eq!(error(&whole), (121, "illegal move `a1` in ply 61: the game is over".into()));
        let text = read::<4>("a2e2").unwrap_err().to_string();
        assert_eq!(text, "illegal move `e2` in ply 2: the board has no such square");
    }
}
