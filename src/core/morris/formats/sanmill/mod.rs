//! Sanmill's notations of [positions](fen) and [games](uci).
//!
//! The notations support boards with 24 points and any number of men: the variants of nine men's
//! morris, Lasker's morris and Morabaraba. (The notation does not depend on the diagonals.) Games
//! on other boards are errors. Source: Sanmill's documentation.

pub mod fen;
pub mod uci;
