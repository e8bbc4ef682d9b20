//! Writes games.

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
