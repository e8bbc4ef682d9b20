//! Analyzes every position of a game on all cores, and prints the moves that lose points.
//!
//! `cargo run --release --example find_mistakes --features analysis`

use std::error::Error;
use std::io;
use std::thread;

use morello::analysis::pipeline::Sink;
use morello::analysis::{self, AnalysisOptions, AnalysisRow, TaskError, Tasks};
use morello::game::{Cancel, EngineOptions, Limits};
use morello::games;
use morello::input::{Input, InputFormat, Reader, Selection};

const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6";

/// Prints rows as they arrive, in the order of the input.
#[derive(Default)]
struct Mistakes {
    found: u32,
}

impl Sink<Result<AnalysisRow, TaskError>> for Mistakes {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = row.map_err(io::Error::other)?;
        if let (Some(loss), Some(place), Ok(analysis)) = (row.loss, &row.game_context, &row.result)
            && loss >= 2.0
            && let (Some(played), Some(best)) = (place.played, analysis.report.best_move())
        {
            println!("move {:>2}: {played} loses {loss:.1} discs; {best} is best", place.ply + 1);
            self.found += 1;
        }
        Ok(true)
    }
}

/// Analyzes the game at depth 8.
pub fn main() -> Result<(), Box<dyn Error>> {
    let input = Input::Text(GAME.to_owned());
    let reader = Reader::open(games::get("othello")?, vec![input], &InputFormat::default())?;
    let options = AnalysisOptions {
        limits: Limits::depth(8),
        engine: EngineOptions::new(64 << 20),
        threads: thread::available_parallelism()?.get(),
        deterministic: false,
        cache: None,
    };
    let mut mistakes = Mistakes::default();
    analysis::run(Tasks::new(reader, Selection::default(), None), &options, &|_| (), &Cancel::new(), &mut mistakes)?;
    println!("{} mistakes", mistakes.found);
    Ok(())
}
