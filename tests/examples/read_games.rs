//! Reads games in any format from a file, or from text: players, result and moves, and errors with
//! their place.
//!
//! `cargo run --release --example read_games --features files [FILE]`

use std::error::Error;
use std::path::PathBuf;

use morello::game::{Color, ParsedRecord};
use morello::games;
use morello::input::{Input, Reader};

/// Three games and a mistake. The format of each line is detected.
const GAMES: &str = "\
f5d6c3d3c4f4f6f3e6e7
1. f5 d6 2. c4 d3 3. c3
Anna - Bob: f5f6e6f4
f5d6x9
";

/// Prints a line for each game of the file that the argument names.
pub fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).map(PathBuf::from).filter(|file| file.is_file());
    let input = file.map_or_else(|| Input::Text(GAMES.to_owned()), Input::File);
    let (mut read, mut invalid) = (0, 0);
    for record in Reader::of(games::get("othello")?, input)? {
        let record = record?;
        match record.content {
            Ok(ParsedRecord::Games(games)) => {
                for annotated in games {
                    let names = annotated.tags.names.each_ref().map(|name| name.as_deref().unwrap_or("?"));
                    let (moves, result) = (annotated.game.moves().len(), annotated.game.points(Color::Black));
                    let result = result.map_or_else(|| "unfinished".to_owned(), |points| format!("{points:+}"));
                    println!("line {}: {} - {}, {moves} moves, {result}", record.line, names[0], names[1]);
                    read += 1;
                }
            }
            Ok(ParsedRecord::Position(entry)) => println!("line {}: position {}", record.line, entry.position),
            Err(error) => {
                println!("line {}, column {}: {error}", error.line, error.column);
                invalid += 1;
            }
        }
    }
    println!("{read} games, {invalid} invalid lines");
    Ok(())
}
