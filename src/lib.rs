#![doc = include_str!("../README.md")]

pub mod game;
pub mod othello;
pub mod perft;
pub mod search;
