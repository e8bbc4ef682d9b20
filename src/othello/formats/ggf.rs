//! GGF, the Generic Game Format: a whole game on a line, as the servers GGS and the program NBoard write it.
//!
//! ```text
//! (;GM[Othello]PC[morello]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)
//! ```
//!
//! `BO` is the position that the game started from: the size, the squares row by row from a1 (`*` Black, `O` White, `-` empty), the side
//! to move. Then the moves, a pass as `PA`. `RE` is the result in discs for Black, `?` while the game goes on.

use std::fmt::Write as _;

use crate::game::{Color, Game, Position as _};
use crate::othello::{Move, Position};

/// Writes a game, with the names of Black and White.
///
/// A name cannot hold square brackets here: round ones stand for them.
///
/// ```
/// use morello::game::{Game, Position};
/// use morello::othello::{self, formats::ggf};
///
/// let mut game = Game::new(<othello::Position>::default());
/// game.play(game.position().parse_move("f5")?)?;
/// assert!(ggf::write(&game, ["a", "b"]).ends_with(" *]B[F5];)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write<const N: usize>(game: &Game<Position<N>>, names: [&str; 2]) -> String {
    let [black, white] = names.map(|name| name.replace('[', "(").replace(']', ")"));
    let last = game.position();
    let result = if last.is_over() {
        let sign = if last.side_to_move() == Color::Black { 1 } else { -1 };
        format!("{:+}", sign * last.final_score())
    } else {
        "?".to_owned()
    };
    let start = game.start().to_string().replace('X', "*");
    let mut text = format!("(;GM[Othello]PC[morello]PB[{black}]PW[{white}]RE[{result}]TY[{N}]BO[{N} {start}]");
    let mut side = game.start().side_to_move();
    for m in game.moves() {
        let side_letter = if side == Color::Black { 'B' } else { 'W' };
        let m = if *m == Move::PASS { "PA".to_owned() } else { m.to_string().to_uppercase() };
        write!(text, "{side_letter}[{m}]").expect("a string takes all that is written to it");
        side = !side;
    }
    text + ";)"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game<const N: usize>(start: &str, moves: &str) -> Game<Position<N>> {
        let mut game = Game::new(start.parse::<Position<N>>().unwrap());
        for m in moves.split_whitespace() {
            game.play(game.position().parse_move(m).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_game_from_the_start_is_written_whole() {
        let start = <Position>::default().to_string();
        assert_eq!(
            write(&game::<8>(&start, "f5 d6 c3"), ["a[1]", "b"]),
            "(;GM[Othello]PC[morello]PB[a(1)]PW[b]RE[?]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)"
        );
    }

    #[test]
    fn passes_and_results_are_written() {
        // White must pass, then Black takes the last disc of White: 16 squares are Black's.
        let text = write(&game::<4>("XO-------------- O", "pa c1"), ["", ""]);
        assert!(text.contains("RE[+16]TY[4]BO[4 *O-------------- O]W[PA]B[C1];)"), "{text}");
        let text = write(&game::<4>("OX-------------- O", "c1"), ["", ""]);
        assert!(text.contains("RE[-16]"), "{text}");
    }
}
