//! Counts positions (perft) of a game chosen by its name, and of one chosen by its type.
//!
//! `cargo run --release --example perft`

use std::error::Error;

use morello::perft::{self, Convention};
use morello::{games, othello};

/// Compares two conventions for passes, and divides a count among the first moves.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The type is a parameter: the fastest way.
    let start = othello::Position::default();
    for depth in 1..=7 {
        println!("depth {depth}: {:>7}", perft::count(&start, depth, Convention::PassesCount));
    }

    // The counts of each first move find a wrong move in another program.
    let after_f5 = games::get("othello")?.parse_position("f5")?;
    for division in games::perft("othello")?.divide(&after_f5, 5, Convention::PassesCount) {
        println!("{}: {}", division.root, division.nodes);
    }

    // The name is known only at run time.
    for game in games::all() {
        let count = games::perft(game.name())?.count(&game.start(), 3, Convention::default());
        println!("{:<35} {count:>7}", game.name());
    }
    Ok(())
}
