//! Search and analysis for Othello and the mill games (nine men's morris, Morabaraba and others).
//!
//! This library is behind the program `morello`; the [`guide`] and `morello help` describe the
//! program. It provides bitboard move generation, text notations, perft, alpha-beta search for
//! every game, an exact solver and a trained evaluation for Othello, and endgame databases for the
//! mill games.
//!
//! | I want to | item | feature |
//! | --- | --- | --- |
//! | read a position or moves | `"f5d6c3".parse::<`[`othello::Position`]`>()` | |
//! | list, check and play moves | [`game::Position`]: [`legal_moves`](game::Position::legal_moves), [`parse_move`](game::Position::parse_move), [`play`](game::Position::play) | |
//! | record a game, with its end and draws | [`game::Game`] | |
//! | look at squares and discs | [`othello::Board`], [`othello::Square`], [`othello::SquareSet`] | |
//! | look at points and men | [`morris::Position`], [`morris::Point`], [`morris::PointSet`] | |
//! | find the best move | [`game::Searcher::best`] with [`game::Limits`] | |
//! | find the exact result of an endgame | [`game::Limits::exact`], [`othello::engine::Solver`] | |
//! | find out who wins | [`outcome`](game::Bounds::outcome) of the [`bounds`](game::Report::bounds) of a report | |
//! | find out why a move is illegal | [`game::IllegalMove::why`], [`othello::IllegalReason`], [`morris::IllegalReason`] | |
//! | stop a search from another thread | [`game::Searcher::search`] with [`game::Cancel`] | |
//! | count positions | [`perft::count`], [`perft::divide`], on all cores [`games::perft`] | |
//! | choose a game by its name | [`games::get`], [`games::all`] | |
//! | look up a mill position | `morris::engine::database::Database` | `database` |
//! | read files of positions and games | `input::Reader`, `input::read_game` | `files` |
//! | write tables, CSV, JSON lines, Parquet | `output` | `files` |
//! | convert files | `conversion` | `files` |
//! | analyze files | `analysis::run` | `analysis` |
//! | search a game collection | `collection` | `analysis` |
//! | use or build an opening book | `book` | `files` |
//! | play matches between engines | `tournament`, `players` | `play` |
//! | play against an opponent, with undo and a clock | `session` | `play` |
//! | speak NBoard, GTP or another protocol | `protocol` | `play` |
//! | search or count positions of my own game | [`guide::own_game`] | |
//!
//! # Positions and moves
//!
//! A position is a small `Copy` value, and its moves are an iterator. A [`Game`](game::Game)
//! records the moves played, and detects repetitions and the end of the game. The trait
//! [`game::Position`] has the methods of all positions; the [`prelude`] brings it into scope.
//!
//! ```
//! use morello::othello::{Position, Square};
//! use morello::prelude::*;
//!
//! let position: Position = "f5d6c3".parse()?;
//! let moves: Vec<String> = position.legal_moves().map(|m| m.to_string()).collect();
//! assert_eq!(moves, ["d3", "f3", "f4", "g5"]);
//! assert!(position.board().moves().contains(Square::F4));
//! let next = position.play(position.parse_move("f4")?)?;
//! println!("{next:#}"); // draws the board
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Perft
//!
//! ```
//! use morello::othello;
//! use morello::perft::{self, Convention};
//!
//! let start = othello::Position::default();
//! assert_eq!(perft::count(&start, 7, Convention::PassesCount), 55_092);
//! for (m, nodes) in perft::divide(&start, 7, Convention::PassesCount) {
//!     println!("{m}: {nodes}");
//! }
//! ```
//!
//! # Find the best move
//!
//! A [`Searcher`](game::Searcher) searches within [`Limits`](game::Limits) on depth, nodes or time,
//! or until it has proved the score. Scores are from the point of view of the side to move: discs
//! in Othello, 1 for a win and -1 for a loss in the mill games.
//!
//! ```
//! use std::time::Duration;
//!
//! use morello::game::{EngineOptions, Limits};
//! use morello::othello::Position;
//! use morello::prelude::*;
//!
//! let mut searcher = Position::searcher(&EngineOptions::default())?;
//! let report = searcher.best(&"f5d6c3".parse()?, &Limits::time(Duration::from_millis(50)));
//! println!("{:?} {} at depth {}", report.best_move(), report.best().score, report.depth);
//! # assert!(report.best_move().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Solve a position
//!
//! ```
//! use morello::game::{EngineOptions, Limits, Outcome};
//! use morello::othello::Position;
//! use morello::prelude::*;
//!
//! let text = "XXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOO-O-OOOO- X";
//! let position: Position = text.parse()?;
//! let report = Position::searcher(&EngineOptions::default())?.best(&text.parse()?, &Limits::exact());
//! let best = report.best();
//! assert_eq!((best.pv[0].to_string().as_str(), best.score.points(), best.score.is_exact()), ("h8", 50.0, true));
//! let black = position.side_to_move();
//! assert_eq!(report.bounds.outcome(black), Some(Outcome::Win(black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Choose a game by name
//!
//! The types above are fast because the game is a type parameter. [`games::get`] returns a game
//! whose name is known only at run time; its positions, games and reports have no type parameter.
//!
//! ```
//! use morello::game::{EngineOptions, Limits};
//! use morello::{games, perft};
//!
//! let morris = games::get("nine-mens-morris")?;
//! let game = morris.parse_game("0,0 a7,d7,g4 a1,b2,c3 W; g4-g7xb2")?;
//! let report = morris.searcher(&EngineOptions::default())?.best(&game, &Limits::depth(4));
//! assert!(report.best_move().is_none(), "Black has two men and has lost");
//! assert_eq!(games::perft("nine-mens-morris")?.count(&morris.start(), 3, perft::Convention::default()), 12_144);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Example programs
//!
//! The example programs are in `tests/examples`. Run one with `cargo run --release --example NAME`:
//!
//! * `search`: find the best move; `solve`: prove a result; `perft`: check a move generator
//! * `mill_database`: look up a mill position
//! * `read_games`: read a game file in any format
//! * `find_mistakes`: analyze a game
//! * `match`: play a match between two engines
//! * `boardwalk`: run your own game on a platform for board games
//!
//! # Features
//!
//! The default feature, `cli`, is the whole program. Libraries should use
//! `default-features = false`, which keeps the rules, notations, perft, search and the trained
//! evaluation, and builds 16 crates in all. Add what you need:
//!
//! * `database`: endgame databases of the mill games
//! * `files`: `input`, `output`, `conversion`, `book`: read and convert position and game files;
//!   write tables, CSV and JSON lines; use opening books
//! * `parquet`: Parquet output
//! * `analysis`: `analysis`, `collection`: analyze position and game files, with statistics; search
//!   game collections
//! * `play`: `players`, `session`, `tournament`, `protocol`, `text`, `seeds`: games in progress,
//!   external engines and matches, engine protocols and terminal play
//! * `serde`: `Serialize` and `Deserialize` for positions, moves, sets, limits, draw rules, scores,
//!   lines and results; only `Serialize` for reports, summaries and positions without a type
//!   parameter. A game is stored as text.
//!
//! # Stability
//!
//! Errors have types. Parse errors include the column ([`game::LocatedError`]). An error that
//! depends on a game chosen at run time is a [`game::GameError`]. Enums and structs that may grow
//! are `#[non_exhaustive]`.
//!
//! The library follows semantic versioning: before 1.0, a release that breaks its users raises the
//! second number. That covers the items documented here. It does not cover hidden items, the
//! wording of messages, search scores and node counts, or the checkpoint format. Rust 1.95 is the
//! oldest supported release; requiring a newer one raises the second number, too.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(all(test, feature = "cli"))]
#[path = "../tests/fuzz/target.rs"]
mod fuzz;
#[cfg(any(doc, doctest, feature = "cli"))]
#[cfg_attr(docsrs, doc(auto_cfg = false))]
pub mod guide;

#[cfg(feature = "analysis")]
#[doc(inline)]
pub use morello_analysis::{self as analysis, collection};
#[doc(inline)]
pub use morello_core::{game, games, morris, othello, perft, provenance, search, with_game};
#[cfg(feature = "files")]
#[doc(inline)]
pub use morello_files::{book, conversion, input, output};
#[cfg(feature = "play")]
#[doc(inline)]
pub use morello_play::{players, protocol, seeds, session, text, tournament};
#[cfg(feature = "web")]
#[doc(hidden)]
pub use morello_web as web;

/// The traits whose methods most programs use. `use morello::prelude::*;` brings the methods into
/// scope without naming the traits.
///
/// ```
/// use morello::othello::Position;
/// use morello::prelude::*;
///
/// assert_eq!(Position::default().legal_moves().len(), 4);
/// ```
pub mod prelude {
    pub use morello_core::game::{CountLeaves as _, Engine as _, GameRules as _, Position as _, Searcher as _};
}
