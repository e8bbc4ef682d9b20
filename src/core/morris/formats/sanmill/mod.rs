//! Sanmill's notations of [positions](fen) and [games](uci).
//!
//! The notations support boards with 24 points and any number of men: the variants of nine men's
//! morris, Lasker's morris and Morabaraba (the notation does not depend on the diagonals). Games on
//! other boards are errors. Source: the documents of Sanmill.

pub mod fen;
pub mod uci;
