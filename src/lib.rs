//! Search and analysis for Othello and the mill games (nine men's morris, Morabaraba and others).
//!
//! This is the library behind the program `morello`, which the [`guide`] and `morello help`
//! describe. It provides bitboard move generation, text notations, perft, alpha-beta search for
//! every game, an exact solver and a trained evaluation for Othello, and endgame databases for the
//! mill games.
//!
//! # Play by the rules
//!
//! A position is a small `Copy` value. A [`Game`](game::Game) records the moves played, and detects
//! repetitions and the end of the game.
//!
//! ```
//! use morello::game::{Game, Position};
//! use morello::othello;
//!
//! let mut game = Game::new(othello::Position::default());
//! for text in ["f5", "d6", "c3"] {
//!     game.play(game.position().parse_move(text)?)?;
//! }
//! let moves: Vec<String> = game.position().legal_moves().map(|m| m.to_string()).collect();
//! assert_eq!(moves, ["d3", "f3", "f4", "g5"]);
//! assert!(game.end().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Find the best move
//!
//! A [`Searcher`](game::Searcher) searches within [`Limits`](game::Limits) on depth, nodes or time,
//! or until it has proved the score. Scores are from the point of view of the side to move: discs
//! in Othello, 1 for a win and -1 for a loss in the mill games.
//!
//! ```
//! use morello::game::{Engine, EngineOptions, Game, Limits};
//! use morello::othello;
//!
//! let position = "XXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOO-O-OOOO- X".parse::<othello::Position>()?;
//! let mut searcher = othello::Position::searcher(&EngineOptions::new(16 << 20))?;
//! let report = searcher.best(&Game::new(position), &Limits::exact());
//! println!("{:?} wins {} discs", report.best_move(), report.best().score.points());
//! assert!(report.best().score.is_exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Choose a game by name
//!
//! The types above are fast because the game is a type parameter. [`games::get`] returns a game
//! whose name is known only at run time; its positions, games and reports have no type parameter.
//!
//! ```
//! use morello::game::{EngineOptions, Game, Limits, Position};
//! use morello::{games, perft};
//!
//! let morris = games::get("nine-mens-morris")?;
//! let mut game = Game::new(morris.parse_position("0,0 a7,d7,g4 a1,b2,c3 W")?);
//! game.play(game.position().parse_move("g4-g7xb2")?)?;
//! let mut searcher = morris.searcher(&EngineOptions::new(1 << 20))?;
//! let report = searcher.best(&game, &Limits::depth(4));
//! assert!(report.best_move().is_none(), "Black has two men and has lost");
//!
//! let perft = games::perft("nine-mens-morris")?;
//! assert_eq!(perft.count(&morris.start(), 3, perft::Convention::default()), 12_144);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The default feature, `cli`, is the whole program. Libraries should use
//! `default-features = false`, which leaves rules, notations, perft, search and the trained
//! evaluation, with 14 dependencies in all. These features add to it:
//!
//! * `database`: endgame databases of the mill games
//! * `files`: `input`, `output`, `conversion`, `book`: read and convert files of positions and
//!   games; write tables, CSV and JSON lines; opening books
//! * `parquet`: Parquet output
//! * `analysis`: `analysis`, `collection`: evaluate files of positions and games, with statistics;
//!   search collections of games
//! * `play`: `players`, `session`, `tournament`, `protocol`, `text`, `seeds`: games in progress,
//!   external engines and matches, engine protocols and terminal play
//! * `web`: `web`: the browser interface
//! * `serde`: `Serialize` and `Deserialize` for a few small types
//!
//! Every fallible function has a typed error. Enums and structs that may grow are
//! `#[non_exhaustive]`.

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(doc, feature = "cli"))]
pub mod guide;

#[cfg(feature = "analysis")]
#[doc(inline)]
pub use morello_analysis::{self as analysis, collection};
#[doc(inline)]
pub use morello_core::{game, games, morris, othello, perft, search, with_game};
#[cfg(feature = "files")]
#[doc(inline)]
pub use morello_files::{book, conversion, input, output};
#[cfg(feature = "play")]
#[doc(inline)]
pub use morello_play::{players, protocol, seeds, session, text, tournament};
#[cfg(feature = "web")]
#[doc(inline)]
pub use morello_web as web;
