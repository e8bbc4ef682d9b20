//! Analyzes every position of a game on all cores, and prints the moves that lose points.
//!
//! `cargo run --release --example find_mistakes --features analysis`

use std::error::Error;
use std::io;

use morello::analysis::{self, AnalysisOptions, AnalysisRow, Severity, TaskError};
use morello::game::{Cancel, Limits};
use morello::games;
use morello::input::{Input, Reader};

const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6";

/// Analyzes the game at depth 8.
pub fn main() -> Result<(), Box<dyn Error>> {
    let reader = Reader::of(games::get("othello")?, Input::Text(GAME.to_owned()))?;
    let options = AnalysisOptions::new(Limits::depth(8));
    let mut found = 0;
    // Rows arrive in the order of the input.
    let mut print = |row: Result<AnalysisRow, TaskError>| {
        let row = row.map_err(io::Error::other)?;
        if let (Some(loss), Some(place), Ok(analysis)) = (row.loss, &row.game_context, &row.result)
            && loss.severity() >= Some(Severity::Inaccuracy)
            && let (Some(played), Some(best)) = (place.played, analysis.report.best_move())
        {
            println!("move {:>2}: {played} loses {:.1} discs; {best} is best", place.ply + 1, loss.points);
            found += 1;
        }
        Ok(true)
    };
    analysis::run(reader.into(), &options, &|_| (), &Cancel::new(), &mut print)?;
    println!("{found} mistakes");
    Ok(())
}
