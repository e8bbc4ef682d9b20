//! Text formats of mill positions, and how a game is told in the protocol [`MorrisText`](Protocol::MorrisText).

use thiserror::Error;

use super::{ParsePositionError, Position, Problem, Variant};
use crate::game::{Dialect, Entry, Game, LineFormat, ParseError, Placed, PlayError, Position as _, Protocol, Writing};

/// For sharing out time: how many plies may be left of a game that may last for ever.
const PLIES_LEFT: u32 = 60;

/// Returns the formats of one position a line, in the order in which they are tried.
#[must_use]
pub fn formats<V: Variant>() -> &'static [LineFormat<Position<V>>] {
    const {
        &[LineFormat {
            name: "seed",
            aliases: &[],
            about: "men in hand, White's points, Black's points, side to move: `7,8 a4,b4 g7 B`",
            of_games: false,
            detect: looks_like_seed,
            parse: |line| Ok(parse_seed(line)?.into()),
            continues: None,
            writing: Writing { game: None, position: Some(|entry| Ok(entry.position.to_string())), keeps: &[] },
        }]
    }
}

/// Returns whether a line begins with two numbers and a comma between them, as no other notation of the field does.
fn looks_like_seed(line: &str) -> bool {
    let hands = line.split_whitespace().next().and_then(|field| field.split_once(','));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    hands.is_some_and(|(white, black)| number(white) && number(black))
}

fn parse_seed<V: Variant>(line: &str) -> Result<Entry<Position<V>>, Box<dyn Placed>> {
    match line.parse::<Position<V>>() {
        Ok(position) => Ok(Entry::from(position)),
        Err(error) => Err(Box::new(error)),
    }
}

/// Returns how a mill game is told to programs that speak a protocol.
#[must_use]
pub fn dialect<V: Variant>(protocol: Protocol) -> Option<Dialect<Position<V>>> {
    match protocol {
        Protocol::NBoard | Protocol::Gtp => None,
        Protocol::MorrisText => Some(Dialect {
            game: V::NAME.to_owned(),
            write_game,
            read_game: |text| match read_game(text) {
                Ok(game) => Ok(game),
                Err(error) => Err(Box::new(error)),
            },
            write_move: |m| m.to_string(),
            read_move: |position, text| position.parse_move(text).ok(),
            draw: |position| position.to_string(),
            plies_left: |_| PLIES_LEFT,
        }),
    }
}

/// Writes the start, `start` if that is the game's own, and the moves: `start moves d2 a1`.
fn write_game<V: Variant>(game: &Game<Position<V>>) -> String {
    let mut text = if *game.start() == Position::default() { "start".to_owned() } else { game.start().to_string() };
    if !game.moves().is_empty() {
        text += " moves";
    }
    for m in game.moves() {
        text = text + " " + &m.to_string();
    }
    text
}

/// A text that is not a game: a position, or `start`, then `moves` and each of them.
pub type ParseGameError = ParseError<GameProblem>;

/// What is wrong with such a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameProblem {
    /// The position is wrong.
    #[error(transparent)]
    Position(Problem),
    /// Something else than `moves` follows `start`.
    #[error("expected `moves` or nothing after `start`, found `{0}`")]
    AfterStart(String),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] PlayError),
}

/// Reads a game, as `start moves d2 a1` or `0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1`.
fn read_game<V: Variant>(text: &str) -> Result<Game<Position<V>>, ParseGameError> {
    let mut words = words(text).peekable();
    let moves = words.clone().find(|&(_, word)| word == "moves");
    let position = &text[..moves.map_or(text.len(), |(at, _)| at)];
    let column = |at: usize| text[..at].chars().count() + 1;
    let mut game = match words.peek() {
        Some(&(_, "start")) => {
            words.next();
            match words.peek() {
                Some(&(at, word)) if word != "moves" => {
                    return Err(ParseGameError {
                        column: column(at),
                        problem: GameProblem::AfterStart(word.to_owned()),
                    });
                }
                _ => Game::new(Position::default()),
            }
        }
        _ => Game::new(position.trim_end().parse().map_err(|error: ParsePositionError| ParseGameError {
            column: error.column,
            problem: GameProblem::Position(error.problem),
        })?),
    };
    for (at, word) in words.skip_while(|&(_, word)| word != "moves").skip(1) {
        let fail = |error: PlayError| ParseGameError { column: column(at), problem: error.into() };
        // A game that is over has no legal move: that it is over says more.
        let end = game.end().map(|end| PlayError::Over(end.reason));
        let m = end.map_or_else(|| game.position().parse_move(word).map_err(PlayError::from), Err).map_err(fail)?;
        game.play(m).map_err(fail)?;
    }
    Ok(game)
}

/// Returns the words of a text, each with the byte where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random_game;
    use crate::morris::NineMensMorris;

    type Morris = Position<NineMensMorris>;

    #[test]
    fn games_are_read_as_they_are_written() {
        for seed in 0..40 {
            let game = random_game::<Morris>(seed, 3 * seed as usize);
            let read = read_game::<NineMensMorris>(&write_game(&game)).unwrap();
            assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
        }
        let game = read_game::<NineMensMorris>(" 0,0 a7,d7,g4 a1,b2,c3 W  moves g4-g7xa1").unwrap();
        assert_eq!(write_game(&game), "0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1");
        assert_eq!(write_game(&read_game::<NineMensMorris>("start").unwrap()), "start");
    }

    #[test]
    fn tells_where_a_game_is_wrong() {
        let error = |text: &str| read_game::<NineMensMorris>(text).unwrap_err();
        assert_eq!(error("start d2").column, 7);
        assert_eq!(error("start moves d2 d2").column, 16);
        assert_eq!((error("").column, error("moves d2").column), (1, 1));
        assert!(matches!(error("9,9 - é W moves d2"), ParseGameError { column: 7, problem: GameProblem::Position(_) }));
        let over = error("0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1 b2-a1");
        assert_eq!((over.column, over.to_string().as_str()), (40, "the game is over (Rules)"));
    }
}
