//! What every game and everything that thinks about games share.
//!
//! [`Position`] is what a record of a game asks of its positions, and [`Game`] the record that owns the history. A game that is a type
//! implements [`GameRules`], [`CountLeaves`], [`Pieces`], [`Notation`], [`Engine`] and [`Openings`], together [`Playable`]; [`AnyGame`] is a game
//! without its type, with [`AnyPosition`] and [`AnyMove`]. [`Searcher`] and [`Evaluator`] are the seam to whatever thinks, bounded by [`Limits`] and
//! [`Cancel`] and answering with a [`Report`]; a [`Player`] takes part in games, and may be an external engine that speaks a [`Protocol`].

mod annotated;
mod any;
mod cause;
mod color;
mod command;
mod confidence;
mod duration;
mod engine;
mod format;
mod layout;
mod limits;
mod notation;
pub mod opening;
mod openings;
mod outcome;
mod parse;
mod pieces;
mod playable;
mod player;
mod position;
mod protocol;
mod random;
mod record;
mod report;
mod searcher;

pub use annotated::{Annotated, Ending, Note, Tags, Theoretical, Verdict};
pub use any::{AnyGame, AnyMove, AnyMoves, AnyPosition, PackedRules, any_game};
pub use cause::Cause;
pub use color::Color;
pub use command::Command;
pub use confidence::{Confidence, ParseConfidenceError};
pub use duration::{ParseTimeError, parse_time};
pub use engine::{Engine, EngineOptions, EvaluationKind, GameData, LEVELS, WeightsError, WrongData};
pub use format::{
    CreateRecords, Entry, Extent, Held, LineFormat, OpenRecords, ParseLine, ReadRecord, RecordFormat, Records, Told,
    WriteRecords, WriteText, Writing, Written,
};
pub use layout::{Layout, Path, Point, Words};
pub use limits::{Cancel, Limits};
pub use notation::Notation;
pub use openings::{OpeningPolicy, Openings};
pub use outcome::Outcome;
pub(crate) use parse::is_pass_word;
pub use parse::{ParseError, Placed};
pub use pieces::Pieces;
pub use playable::Playable;
pub use player::{Choice, Player, PlayerError};
pub use position::{CountLeaves, GameRules, IllegalMove, Packed, Position, Scoring};
pub use protocol::{Dialect, Protocol, ReadGame, UnknownProtocol};
pub use random::{RandomNumbers, random_game};
pub use record::{End, Game, PlayError, Reason, Settings};
pub use report::{Bounds, Certainty, Line, Report, Score, write_scores};
pub use searcher::{Evaluator, LOUD, Searcher, Solved};
