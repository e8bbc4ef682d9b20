//! The traits and types shared by all games and by everything that searches or plays them.
//!
//! * [`Position`] is a position without history; [`Game`] records the moves played from one.
//! * A concrete game implements [`GameRules`], [`CountLeaves`], [`BoardDisplay`], [`Notation`], [`Engine`] and [`Openings`], together
//!   [`Playable`]. [`AnyGame`], [`AnyPosition`] and [`AnyMove`] are the type-erased forms.
//! * A [`Searcher`] searches within [`Limits`] until a [`Cancel`] flag is raised and returns a [`Report`]; an [`Evaluator`] estimates positions.
//! * A [`Player`] chooses moves in games; it may be an external engine that speaks a [`Protocol`].

mod annotated;
mod any;
mod board_display;
mod color;
mod confidence;
pub mod diagram;
mod disc_result;
mod duration;
mod end_description;
mod engine;
mod format;
pub mod grid;
mod info;
mod layout;
mod level;
mod limits;
pub(crate) mod movetext;
mod numbered_moves;
pub mod opening;
mod opening_names;
mod openings;
mod outcome;
mod parse;
pub(crate) mod pgn;
mod player;
mod position;
mod protocol;
mod random;
mod record;
mod report;
mod searcher;

pub use annotated::{AnnotatedGame, GameResult, Note, Tags, Termination, TheoreticalResult};
pub use any::{AnyGame, AnyMove, AnyPosition, PackedRules, Playable, any_game};
pub(crate) use any::{TypedGame, erased};
pub use board_display::BoardDisplay;
pub use color::Color;
pub use confidence::{Confidence, ParseConfidenceError};
pub use disc_result::ImpossibleResult;
pub(crate) use disc_result::{disc_counts, disc_result};
pub use duration::{ParseTimeError, parse_time};
pub use end_description::EndDescription;
pub use engine::{
    Engine, EngineOptions, EvaluationKind, GameData, LEVELS, SearcherWrapper, WeightsError, WrongGameData,
};
pub(crate) use format::comment;
#[cfg(test)]
pub(crate) use format::first_record_lines;
pub use format::{
    AnnotatedPosition, CreateRecords, FormatWriter, LineFormat, MetadataKind, Notation, OpenRecords, ParseLine,
    ParsedRecord, ReadRecord, RecordFormat, RecordScanner, Records, WriteRecords, WriteResult, WriteText,
};
pub use info::{GameInfo, RuleSummary, Scoring};
pub use layout::{Layout, MovePoints, Point, Terminology};
pub use level::{DEFAULT_LEVEL, Level, NAMED_LEVELS, NamedLevel, ParseLevelError};
pub use limits::{Cancel, EXACT_NODES, Limits};
pub(crate) use numbered_moves::NumberedMovesScanner;
pub use opening_names::{NamedOpening, OpeningNames};
pub use openings::{OpeningPolicy, Openings};
pub use outcome::{Outcome, Wdl, result_name, result_of_name};
pub(crate) use parse::{Failure, is_pass_word, part_at};
pub use parse::{LocatedError, ParseError};
pub use player::{Choice, Player, PlayerError};
pub use position::{CountLeaves, GameRules, IllegalMove, Packed, Position};
pub use protocol::{Dialect, Protocol, ReadGame, UnknownProtocol};
pub use random::{RandomNumbers, play_random_moves, random_game};
pub use record::{DrawRules, Game, GameEnd, GameEndReason, PlayError};
pub use report::{Bounds, Certainty, Line, Report, Score, write_scores};
pub use searcher::{CAPTURE_THRESHOLD, Evaluator, KnownResult, Searcher, TACTICAL_THRESHOLD};
