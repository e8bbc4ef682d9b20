#![doc = include_str!("../README.md")]

pub mod game;
pub mod morris;
pub mod othello;
pub mod perft;
pub mod search;
