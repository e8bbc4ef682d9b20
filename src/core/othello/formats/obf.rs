//! OBF, the Othello Benchmark Format: a board string, then move scores.
//!
//! ```text
//! O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;
//! ```
//!
//! Each field ends in a semicolon. A score is the disc difference from the point of view of the
//! side to move, with the empty squares added to the winner's discs. The fields may be in any
//! order. The reader also accepts:
//!
//! * no semicolon after the last field;
//! * no space before the side to move;
//! * `PS` or `PA` for a pass;
//! * the sentinel `--:-127`, which is ignored;
//! * a score without a move (`+12;`), which is the score of the position.
//!
//! Illegal moves, impossible scores and duplicate moves are errors. Source: the files that come
//! with Edax.

use thiserror::Error;

use crate::game::{
    AnnotatedPosition, Failure, LineFormat, MetadataKind, ParseError, Playable, Position as _, Score, write_scores,
};
use crate::othello::notation;
use crate::othello::notation::ParsePositionError;
use crate::othello::{Board, Move, SizedPosition};

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        aliases: &["scr"],
        ..LineFormat::of_positions(
            "obf",
            "a board string, a semicolon, then scored moves: `<board> <side>; A2:+38; C7:+36;`",
            |line| line.contains(';'),
            |line| Ok(parse::<N>(line)?.into()),
            |entry| Ok(write::<N>(&entry.known())),
            &[MetadataKind::Scores],
        )
    }
}

/// An error in a line of OBF.
pub type ParseObfError = ParseError<ObfErrorKind>;

impl From<ParsePositionError> for ParseObfError {
    fn from(error: ParsePositionError) -> Self {
        Self { column: error.column, kind: ObfErrorKind::Position(error.kind) }
    }
}

/// The kinds of errors in a line of OBF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ObfErrorKind {
    /// The board string is invalid.
    #[error(transparent)]
    Position(notation::PositionErrorKind),
    /// No semicolon follows the side to move.
    #[error("expected `;` after the side to move")]
    MissingSemicolon,
    /// A field is empty.
    #[error("expected a field such as `d3:+2` before `;`")]
    EmptyField,
    /// A field is neither a move with its score nor a score.
    #[error("expected a field such as `d3:+2`, found `{0}`")]
    UnknownField(String),
    /// A move is illegal.
    #[error("illegal move `{0}`")]
    IllegalMove(String),
    /// A move has two scores.
    #[error("second score for the same move: `{0}`")]
    DuplicateMove(String),
    /// The text after the colon is not an integer.
    #[error("expected a score such as `+2`, found `{0}`")]
    NotAScore(String),
    /// A score is larger than the board.
    #[error("the score {score} is out of range (-{area} to +{area})")]
    ScoreOutOfRange {
        /// The score.
        score: i64,
        /// The number of squares of the board.
        area: u32,
    },
}

/// Reads a line without surrounding spaces.
///
/// ```
/// use morello::othello::formats::obf;
///
/// let entry = obf::parse::<4>("-----OX--XO-----X; a2:-8; B1:-8; C4:-10;")?;
/// assert_eq!(entry.best_score(), Some(-8));
/// assert_eq!(obf::parse::<4>("-----OX--XO----- X; A2:-8; D4:-10;").unwrap_err().to_string(), "illegal move `D4`");
/// # Ok::<(), obf::ParseObfError>(())
/// ```
///
/// # Errors
/// [`ParseObfError`], with the column.
pub fn parse<const N: usize>(line: &str) -> Result<AnnotatedPosition<SizedPosition<N>>, ParseObfError> {
    let fail = |(part, kind)| ParseObfError::at(line, part, kind);
    let (position, rest) = notation::parse_prefix::<N>(line)?;
    let rest = rest.trim_start();
    let mut rest = rest.strip_prefix(';').ok_or_else(|| fail((rest, ObfErrorKind::MissingSemicolon)))?.trim_start();
    let mut expected = Vec::new();
    while !rest.is_empty() {
        let (field, after) = rest.split_once(';').unwrap_or((rest, ""));
        let field = field.trim_end();
        if let Some((m, score)) = parse_field(&position, field).map_err(fail)? {
            if expected.iter().any(|&(other, _)| other == m) {
                return Err(fail((field, ObfErrorKind::DuplicateMove(field.to_owned()))));
            }
            expected.push((m, score));
        }
        rest = after.trim_start();
    }
    Ok(AnnotatedPosition { expected, ..position.into() })
}

/// Writes a position with its scores, best first.
///
/// ```
/// use morello::othello::formats::obf;
///
/// let entry = obf::parse::<4>("-----OX--XO-----X;C4:-10;a2:-8;")?;
/// assert_eq!(obf::write(&entry), "-----OX--XO----- X; A2:-8; C4:-10;");
/// # Ok::<(), obf::ParseObfError>(())
/// ```
#[must_use]
pub fn write<const N: usize>(entry: &AnnotatedPosition<SizedPosition<N>>) -> String {
    write_scored(&entry.position.to_string(), entry.expected.clone())
}

fn write_scored(position: &str, mut expected: Vec<Scored>) -> String {
    expected.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
    let name = |m: Move| if m == Move::PASS { "PS".to_owned() } else { m.to_string().to_uppercase() };
    let scores = write_scores(expected.into_iter().map(|(m, score)| (m.map(name), Score::exact(score))));
    format!("{position}; {scores}").trim_end().to_owned()
}

/// A move, or `None` for the position itself, and its score.
type Scored = (Option<Move>, i32);

/// Reads a field; `None` for the sentinel.
fn parse_field<'a, const N: usize>(
    position: &SizedPosition<N>,
    field: &'a str,
) -> Result<Option<Scored>, Failure<'a, ObfErrorKind>> {
    if field.is_empty() {
        return Err((field, ObfErrorKind::EmptyField));
    }
    if field == "--:-127" {
        return Ok(None);
    }
    let unknown = || (field, ObfErrorKind::UnknownField(field.to_owned()));
    let Some((name, score)) = field.split_once(':') else {
        field.parse::<i64>().map_err(|_| unknown())?;
        // A score of the position has no move, unless the side to move must pass.
        let m = position.legal_moves().next().filter(|&m| m == Move::PASS);
        return Ok(Some((m, parse_score::<N>(field)?)));
    };
    let m = Move::from_text(name).ok_or_else(unknown)?;
    if !position.is_legal(m) {
        return Err((field, ObfErrorKind::IllegalMove(name.to_owned())));
    }
    Ok(Some((Some(m), parse_score::<N>(score)?)))
}

fn parse_score<const N: usize>(text: &str) -> Result<i32, Failure<'_, ObfErrorKind>> {
    let area = Board::<N>::AREA;
    let number = text.trim_start();
    match number.parse::<i64>() {
        Err(_) => Err((text, ObfErrorKind::NotAScore(number.to_owned()))),
        Ok(score) if score.unsigned_abs() > u64::from(area) => {
            Err((text, ObfErrorKind::ScoreOutOfRange { score, area }))
        }
        Ok(score) => Ok(score as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "-----OX--XO-----";

    fn fields(line: &str) -> Vec<(String, i32)> {
        let entry = parse::<4>(line).unwrap();
        entry.expected.iter().map(|(m, score)| (m.map_or_else(String::new, |m| m.to_string()), *score)).collect()
    }

    fn error(line: &str) -> (usize, ObfErrorKind) {
        let error = parse::<4>(line).unwrap_err();
        (error.column, error.kind)
    }

    #[test]
    fn reads_scored_moves_in_any_order_case_and_spacing() {
        let both = [("a2".to_owned(), -10), ("b1".to_owned(), -8)];
        assert_eq!(fields(&format!("{START} X; A2:-10; B1:-8;")), both);
        assert_eq!(fields(&format!("{START}X;a2:-10;b1:-8;  ")), both);
        assert_eq!(fields(&format!("{START} X ; A2:-10 ; B1:-8 ;")), both);
        assert_eq!(fields(&format!("{START} X; C4:8; D3:+8;")), [("c4".to_owned(), 8), ("d3".to_owned(), 8)]);
        assert_eq!(fields(&format!("{START} X;")), []);
        assert_eq!(fields(&format!("{START} X; C4: +8; D3:-2")), [("c4".to_owned(), 8), ("d3".to_owned(), -2)]);
    }

    #[test]
    fn reads_larger_boards() {
        let line = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; D8:+34;";
        let entry = parse::<8>(line).unwrap();
        assert_eq!((entry.expected.len(), entry.best_score()), (3, Some(38)));
        assert_eq!(parse::<6>("--------------OX----XO-------------- X; C2:-4;").unwrap().expected.len(), 1);
    }

    #[test]
    fn reads_every_name_of_a_pass() {
        // The corner disc cannot be flipped, so White must pass.
        for name in ["PS", "PA", "pa"] {
            assert_eq!(fields(&format!("XO-------------- O; {name}:-16;")), [("pa".to_owned(), -16)]);
        }
        assert_eq!(error(&format!("{START} X; PS:+0;")), (21, ObfErrorKind::IllegalMove("PS".into())));
    }

    #[test]
    fn ignores_the_sentinel() {
        assert_eq!(fields(&format!("{START} X; --:-127;")), []);
        assert_eq!(error(&format!("{START} X; --:-12;")), (21, ObfErrorKind::UnknownField("--:-12".into())));
    }

    #[test]
    fn reads_a_score_without_a_move() {
        assert_eq!(fields("XO-------------- O; -16;"), [("pa".to_owned(), -16)]);
        let over = "XXXXXXXXXXXXXXOO";
        assert_eq!(fields(&format!("{over} X; +12;")), [(String::new(), 12)]);
        assert_eq!(error(&format!("{over} X; A1:+12;")), (21, ObfErrorKind::IllegalMove("A1".into())));
        assert_eq!(fields(&format!("{START} X; +12;")), [(String::new(), 12)]);
    }

    #[test]
    fn reports_where_a_field_is_invalid() {
        assert_eq!(error(&format!("{START} X; A2:-8; D4:-8;")), (28, ObfErrorKind::IllegalMove("D4".into())));
        assert_eq!(
            error(&format!("{START} X; A2:-8; best move;")),
            (28, ObfErrorKind::UnknownField("best move".into()))
        );
        assert_eq!(error(&format!("{START} X; A2:-8; A2:-6;")), (28, ObfErrorKind::DuplicateMove("A2:-6".into())));
        assert_eq!(error(&format!("{START} X; A2:-8;; B1:-8;")), (27, ObfErrorKind::EmptyField));
        assert_eq!(error(&format!("{START} X; A2:-18;")), (24, ObfErrorKind::ScoreOutOfRange { score: -18, area: 16 }));
        assert_eq!(error(&format!("{START} X; A2:x;")), (24, ObfErrorKind::NotAScore("x".into())));
        assert_eq!(error(&format!("{START} X; A2:-8; trailing")), (28, ObfErrorKind::UnknownField("trailing".into())));
        assert_eq!(error(&format!("{START} X A2:-8;")), (20, ObfErrorKind::MissingSemicolon));
        assert!(matches!(
            error("-----OX; X"),
            (8, ObfErrorKind::Position(notation::PositionErrorKind::MissingSquares { .. }))
        ));
    }
}
