//! Sanmill's notations: [positions](fen), and [games](uci) as the program is told them.
//!
//! Its boards have 24 points and as many men as the rules say: nine men's morris of all kinds, Lasker's morris, and Morabaraba, whose
//! diagonals are a matter of its rules and not of the notation. Games on other boards are refused. Source: the documents of the program.

pub mod fen;
pub mod uci;
