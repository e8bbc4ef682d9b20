//! Lines that are a board string: the squares row by row from a1, then the side to move, as Edax and NBoard write them.

use crate::game::{AnnotatedPosition, FormatWriter, LineFormat, LocatedError, Playable};
use crate::othello::SizedPosition;

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        name: "board",
        aliases: &[],
        about: "a board string: the squares row by row from a1 (X, O, - or 1, 2, 0), then the side to move",
        of_games: false,
        detect: |line| !line.contains(';'),
        parse: |line| Ok(parse::<N>(line)?.into()),
        scanner: None,
        split: None,
        writer: FormatWriter { game: None, position: Some(|entry| Ok(entry.position.to_string())), preserved: &[] },
    }
}

/// Reads a line without surrounding spaces.
pub(super) fn parse<const N: usize>(line: &str) -> Result<AnnotatedPosition<SizedPosition<N>>, Box<dyn LocatedError>> {
    let squares = line.split_whitespace().next().unwrap_or_default();
    if squares.len() == N * N && squares.bytes().all(|square| b"012".contains(&square)) {
        // Digits for empty, black and white squares.
        let letters = |c| match c {
            '0' => '-',
            '1' => 'X',
            '2' => 'O',
            other => other,
        };
        return Ok(line.chars().map(letters).collect::<String>().parse::<SizedPosition<N>>()?.into());
    }
    Ok(line.parse::<SizedPosition<N>>()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Position;

    #[test]
    fn reads_every_board_size_and_rejects_trailing_text() {
        let entry = parse::<4>("-----OX--XO----- X").unwrap();
        assert_eq!(entry.position, SizedPosition::<4>::default());
        assert!(entry.expected.is_empty());
        assert_eq!(
            parse::<6>("--------------OX----XO--------------X").unwrap().position,
            SizedPosition::<6>::default()
        );
        assert_eq!(parse::<4>("0000021001200000 1").unwrap().position, SizedPosition::<4>::default());
        let error = parse::<4>("-----OX--XO----- X d3").unwrap_err();
        assert_eq!((error.column(), error.to_string().as_str()), (20, "unexpected text `d3` after the side to move"));
    }

    #[test]
    fn leaves_lines_with_a_semicolon_to_obf() {
        let detected =
            |line| <Position as crate::game::Notation>::formats().iter().find(|f| (f.detect)(line)).unwrap().name;
        assert_eq!((detected("-- X"), detected("-- X;")), ("board", "obf"));
    }
}
