//! Writes PlayOK games.

use std::fmt::Write as _;

use thiserror::Error;

use super::super::points_named;
use super::ORDER;
use crate::game::{AnnotatedGame, Color, GameResult, Outcome};
use crate::morris::{Position, Variant};

/// The maximum number of characters of a line of moves.
const WIDTH: usize = 80;

const STRING: &str = "writing to a string cannot fail";

/// A game that PlayOK's notation cannot represent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WritePlayOkError {
    /// PlayOK does not support the board of the game.
    #[error("PlayOK does not support {0}: its board has 24 points")]
    UnsupportedBoard(&'static str),
    /// The game begins from another position.
    #[error("the game begins from `{0}`, but PlayOK games begin from an empty board: write it as a move list")]
    Start(String),
}

/// Writes a game with its tags; each line ends with a line break. If no result is recorded, writes the result on the board. The reason of
/// the end is not written.
///
/// # Errors
/// [`WritePlayOkError`] if PlayOK does not support the board or the start position.
pub fn write<V: Variant>(annotated: &AnnotatedGame<Position<V>>) -> Result<String, WritePlayOkError> {
    let AnnotatedGame { game, tags, .. } = annotated;
    let points = points_named::<V>(ORDER).ok_or(WritePlayOkError::UnsupportedBoard(V::NAME))?;
    if *game.start() != Position::default() {
        return Err(WritePlayOkError::Start(game.start().to_string()));
    }
    let result = GameResult::to_pgn(tags.result.or_else(|| {
        let points = match game.end()?.outcome {
            Outcome::Win(Color::Black) => 1.0,
            Outcome::Win(Color::White) => -1.0,
            Outcome::Draw => 0.0,
        };
        Some(GameResult { points, termination: None })
    }));
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\"")).expect(STRING);
    };
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    tag("Event", &or_unknown(&tags.tournament));
    let (date, time) = date_and_time(tags.date.as_deref());
    tag("Date", &date);
    if let Some(time) = time {
        tag("Time", time);
    }
    tag("White", &or_unknown(&tags.names[Color::White.index()]));
    tag("Black", &or_unknown(&tags.names[Color::Black.index()]));
    for (name, color) in [("WhiteElo", Color::White), ("BlackElo", Color::Black)] {
        if let Some(rating) = tags.ratings[color.index()] {
            tag(name, &rating.to_string());
        }
    }
    tag("Result", result);
    let number = |point: u32| points.iter().position(|&p| p == point).expect("all points are numbered") + 1;
    let mut words = Vec::new();
    for (ply, m) in game.moves().iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        let from = m.from().map_or(String::new(), |from| format!("{}-", number(from)));
        let captured = m.captured().map_or(String::new(), |captured| format!("x{}", number(captured)));
        words.push(format!("{from}{}{captured}", number(m.to())));
    }
    words.push(result.to_owned());
    let mut width = 0;
    for word in words {
        let fits = width > 0 && width + 1 + word.len() <= WIDTH;
        text.push(if fits { ' ' } else { '\n' });
        text += &word;
        width = if fits { width + 1 + word.len() } else { word.len() };
    }
    Ok(text + "\n")
}

/// Splits `2012-05-01 12:33:18` into the date `2012.05.01` and the time; unknown parts of the date become `??`.
fn date_and_time(date: Option<&str>) -> (String, Option<&str>) {
    let Some(date) = date else { return ("????.??.??".to_owned(), None) };
    let (day, time) = date.split_once(' ').map_or((date, None), |(day, time)| (day, Some(time)));
    let parts: Vec<_> = day.split('-').collect();
    let is_part = |(part, len): (&&str, usize)| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().zip([4, 2, 2]).all(is_part) {
        return (date.to_owned(), None);
    }
    let part = |i: usize| parts.get(i).copied().unwrap_or("??");
    (format!("{}.{}.{}", part(0), part(1), part(2)), time)
}
