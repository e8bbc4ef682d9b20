//! Text formats of Othello positions.
