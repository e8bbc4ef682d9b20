#![doc = include_str!("../README.md")]

#[cfg(feature = "analysis")]
pub mod analysis;
#[cfg(feature = "play")]
pub mod boardwalk;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "files")]
pub mod conversion;
mod fnv;
pub mod game;
pub mod games;
#[cfg(feature = "files")]
pub mod input;
pub mod journal;
mod lock;
pub mod morris;
pub mod othello;
#[cfg(feature = "files")]
pub mod output;
pub mod perft;
#[cfg(feature = "tournament")]
pub mod players;
#[cfg(feature = "play")]
pub mod protocol;
pub mod search;
#[cfg(feature = "play")]
pub mod session;
#[cfg(feature = "play")]
pub mod text;
#[cfg(feature = "tournament")]
pub mod tournament;
#[cfg(feature = "training")]
pub mod training;
#[cfg(feature = "web")]
pub mod web;
