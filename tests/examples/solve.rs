//! Solves an Othello endgame exactly: the score of every move, and what a move loses against the
//! best.
//!
//! `cargo run --release --example solve`

use std::error::Error;

use morello::game::{Engine, EngineOptions, Game, Limits, Position};
use morello::othello;

/// Prints the exact value of every move of a position with 16 empty squares.
pub fn main() -> Result<(), Box<dyn Error>> {
    let position: othello::Position = "--XXXXX--OOOXX-O-OOXXOX-OXOXXOXXOXXOXXOX-OXXXXXX--XXXX----XXXX-- O".parse()?;
    println!("{} squares are empty, {} moves are legal", position.empty_count(), position.count_moves());

    let mut searcher = othello::Position::searcher(&EngineOptions::new(16 << 20))?;
    let limits = Limits::exact().with_lines(usize::MAX);
    let report = searcher.best(&Game::new(position), &limits);
    let best = report.best().score.points();
    for line in &report.lines {
        assert!(line.score.is_exact());
        println!(
            "{}  {:+} discs, {} fewer than the best move",
            line.pv[0],
            line.score.points(),
            best - line.score.points()
        );
    }
    Ok(())
}
