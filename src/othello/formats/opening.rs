//! Openings on a line: transcripts, positions, and positions with moves.
//!
//! | begins with | is |
//! | --- | --- |
//! | a move | a [`transcript`] from the start of the game: XOT lists and what people type |
//! | a board string; a move | a transcript from there |
//! | a board string | a position: a [`board`], or [`obf`], whose scores are of no interest here |
//! | `(;`, or a number and `(;` | [GGF](super::ggf) |

use thiserror::Error;

use super::{board, ggf, obf, transcript};
use crate::game::{Game, ParseError, Placed};
use crate::othello::Position;
use crate::othello::notation;

/// A text that is no opening.
pub type ReadOpeningError = ParseError<Problem>;

/// What is wrong with a text that is in none of the formats.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text begins as none of the formats does.
    #[error(
        "`{0}` begins no opening: expected a transcript such as `f5d6c3`, a position (a board string and the side to move, or OBF), a \
         position, `;` and a transcript, or a game in GGF"
    )]
    Unknown(String),
}

/// Reads an opening as the game up to its end.
///
/// # Errors
/// The error of the format that the line looks like, or [`ReadOpeningError`] if it looks like none.
pub fn read<const N: usize>(line: &str) -> Result<Game<Position<N>>, Box<dyn Placed>> {
    if ggf::looks_like(line) {
        return Ok(ggf::read(line)?.game);
    }
    if transcript::begins(line) {
        return Ok(transcript::read(line)?);
    }
    let (_, rest, _) = match notation::parse_prefix::<N>(line) {
        Ok(parsed) => parsed,
        Err(error) if looks_like_board::<N>(line) => return Err(error.into()),
        Err(_) => {
            let word = line.split_whitespace().next().unwrap_or_default().chars().take(20).collect();
            return Err(ReadOpeningError { column: 1, problem: Problem::Unknown(word) }.into());
        }
    };
    let Some(fields) = rest.trim_start().strip_prefix(';') else {
        return Ok(Game::new(board::parse(line)?.position));
    };
    if transcript::begins_moves(fields) {
        Ok(transcript::read(line)?)
    } else {
        Ok(Game::new(obf::parse(line)?.position))
    }
}

/// Returns whether the first characters, a row of them, are squares of a board string.
fn looks_like_board<const N: usize>(line: &str) -> bool {
    let mut row = line.chars().filter(|c| !c.is_whitespace()).take(N);
    row.clone().count() == N && row.all(|c| "Xx*bBOowW-.".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Annotated, Playable, Position as _};

    fn opening(line: &str) -> (Position, String) {
        let game = Position::read_opening(line).unwrap();
        (*game.start(), game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    fn error(line: &str) -> (usize, String) {
        let error = <Position>::read_opening(line).unwrap_err();
        (error.column(), error.to_string())
    }

    #[test]
    fn every_format_is_read() {
        let start = <Position>::default();
        assert_eq!(opening("F5D6C3D3C4F4F6G5"), (start, "f5 d6 c3 d3 c4 f4 f6 g5".into()));
        assert_eq!(opening("f5 d6, c3"), (start, "f5 d6 c3".into()));
        assert_eq!(opening(&format!("{start}; f5d6")), (start, "f5 d6".into()));
        for line in
            [format!("{start}"), format!("{start};"), format!("{start}; d3:+0; c4:+0;"), format!("{start}; +0;")]
        {
            assert_eq!(opening(&line), (start, String::new()), "{line}");
        }
        let mut game = Game::new(start);
        game.play(start.parse_move("f5").unwrap()).unwrap();
        assert_eq!(opening(&format!("1 {}", ggf::write(&Annotated::between(game, ["a", "b"])))), (start, "f5".into()));
        let after = start.after(start.parse_move("f5").unwrap());
        assert_eq!(opening(&format!("{after}; d6")), (after, "d6".into()));
    }

    #[test]
    fn errors_are_those_of_the_format() {
        assert_eq!(error("f5d6d6"), (5, "illegal move `d6` in ply 3: the square is occupied".into()));
        assert!(error("-------- OX").1.contains("expected 64 squares"), "{:?}", error("-------- OX"));
        assert!(error("1 (;GM[Othello]PC[x];)").1.contains("BO"), "{:?}", error("1 (;GM[Othello]PC[x];)"));
        let (column, text) = error("hello world");
        assert!((column, text.starts_with("`hello` begins no opening: expected a transcript")) == (1, true), "{text}");
        assert_eq!(error("").0, 1);
        let start = <Position>::default();
        assert!(error(&format!("{start}; f5:x")).1.contains("expected a score"));
        assert!(error(&format!("{start} f5")).1.contains("unexpected text `f5` after the side to move"));
    }

    /// Returns whether a line is an opening; if so, its moves are legal.
    fn check<const N: usize>(line: &str) -> bool
    where
        Position<N>: Playable,
    {
        let Ok(game) = Position::<N>::read_opening(line) else { return false };
        game.moves().iter().fold(*game.start(), |position, &m| position.play(m).unwrap());
        true
    }

    proptest! {
        #[test]
        fn garbage_is_an_error(line in "[i-np-vyzé0-9 (;:,+]{1,60}", other in "\\PC{0,90}") {
            // Without letters of squares and discs nothing is a move or a board.
            prop_assert!(!check::<8>(&line) && !check::<4>(&line), "{}", line);
            check::<8>(&other);
            check::<4>(&other);
        }

        #[test]
        fn nearly_right_lines_are_no_panic(at in 0..90usize, c in "[a-zA-Z0-9;:,+é* -]", moves in "([a-h][1-8]|pa){0,12}") {
            let line: String = format!("{}; {moves}", <Position>::default());
            check::<8>(&line);
            check::<8>(&moves);
            let changed: String = line.chars().enumerate().map(|(i, old)| if i == at { c.clone() } else { old.into() }).collect();
            check::<8>(&changed);
        }
    }
}
