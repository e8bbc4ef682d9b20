//! Asks for the value of a position of nine men's morris under best play. Small endgames are solved
//! on demand; `morello database build` makes tables of larger ones.
//!
//! `cargo run --release --example mill_database --features database`

use std::error::Error;

use morello::game::{EngineOptions, Game, Limits, Position};
use morello::games;

/// Prints the value of every move of an endgame of three men against three.
pub fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let game = games::get("nine-mens-morris-flying")?;
    let position = game.parse_position("0,0 c5,d7,g7 a7,f4,f6 W")?;

    let mut options = EngineOptions::new(1 << 20);
    options.database = game.open_database(None)?;
    let mut searcher = game.searcher(&options)?;
    let limits = Limits::exact().with_lines(usize::MAX);
    let report = searcher.best(&Game::new(position), &limits);
    // A move is a path of points, with the captured man after `x`.
    for line in report.lines.iter().take(5) {
        println!("{:<12} {}", line.pv[0].to_string(), line.score);
    }
    assert!(report.lines.iter().all(|line| line.score.is_exact()) && !position.is_over());
    Ok(())
}
