#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod boardwalk;
pub mod cli;
pub mod conversion;
mod fnv;
pub mod game;
pub mod games;
pub mod input;
mod lock;
pub mod morris;
pub mod othello;
pub mod output;
pub mod perft;
pub mod players;
pub mod protocol;
pub mod search;
pub mod session;
pub mod text;
pub mod tournament;
pub mod training;
pub mod web;
