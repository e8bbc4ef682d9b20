//! Searches a position: the best moves with their scores, reports while the search runs, and a
//! limit of time.
//!
//! `cargo run --release --example search`

use std::error::Error;
use std::time::Duration;

use morello::game::{Cancel, EngineOptions, Game, Limits, Position};
use morello::games;

/// Searches a position of Othello for 0.3 seconds.
pub fn main() -> Result<(), Box<dyn Error>> {
    let game = games::get("othello")?;
    let position = game.parse_position("----------------------XXX---OOXX--OOOXXX---OOX------O----------- X")?;

    // Scores are from the point of view of the side to move: discs in Othello, 1 for a win in the
    // mill games.
    let limits = Limits::depth(60).with_time(Duration::from_millis(300)).with_lines(3);
    let mut searcher = game.searcher(&EngineOptions::new(64 << 20))?;
    // Another thread may cancel the search, which then returns the best moves so far.
    let cancel = Cancel::new();
    let report = searcher.search(&Game::new(position), &limits, &cancel, &mut |report| {
        println!("depth {:>2}, {:>9} nodes: {}", report.depth, report.nodes, report.best().score);
    });
    for line in &report.lines {
        let moves: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
        println!("{:>6}  {}", line.score, moves.join(" "));
    }
    assert!(report.best_move().is_none_or(|m| position.is_legal(m)));
    Ok(())
}
