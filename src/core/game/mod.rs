//! The traits and types shared by all games and by everything that searches or plays them.
//!
//! * [`Position`] is a position without history; [`Game`] records the moves played from one.
//! * A concrete game implements [`GameRules`], [`CountLeaves`], [`BoardDisplay`], [`Notation`],
//!   [`Engine`] and [`Openings`], together [`Playable`]. [`AnyGame`], [`AnyPosition`] and
//!   [`AnyMove`] are the type-erased forms.
//! * A [`Searcher`] searches within [`Limits`] until a [`Cancel`] flag is raised and returns a
//!   [`Report`]; an [`Evaluator`] estimates positions.
//! * A [`Player`] chooses moves in games; it may be an external engine that speaks a [`Protocol`].

mod any;
mod engine;
pub(crate) mod format;
mod record;
mod rules;

pub use any::{AnyGame, AnyMove, AnyPosition, PackedRules, Playable, any_game};
pub(crate) use any::{TypedGame, erased};
pub use engine::clock::{Clock, ParseTimeControlError, TimeControl};
pub use engine::confidence::{Confidence, ParseConfidenceError};
pub use engine::duration::{ParseTimeError, parse_time};
pub use engine::level::{DEFAULT_LEVEL, Level, NAMED_LEVELS, NamedLevel, ParseLevelError};
pub use engine::limits::{Cancel, EXACT_NODES, Limits};
pub use engine::report::{Bounds, Certainty, Line, Report, ReportSource, Score, write_scores};
pub use engine::searcher::{CAPTURE_THRESHOLD, Evaluator, KnownResult, Searcher, TACTICAL_THRESHOLD};
pub use engine::{
    Engine, EngineOptions, EvaluationKind, GameData, LEVELS, NotEnoughMemory, SearcherWrapper, WeightsError,
    WrongGameData, table_bytes,
};
pub use format::comment;
pub use format::diagram;
#[cfg(test)]
pub(crate) use format::first_record_lines;
pub use format::grid;
#[doc(hidden)]
pub use format::label;
#[doc(hidden)]
pub use format::movetext;
pub(crate) use format::numbered_moves::{ListSoFar, NumberedMovesScanner};
pub use format::opening;
pub use format::parse::{Failure, is_pass_word, part_at};
pub use format::parse::{GameError, LocatedError, ParseError};
pub use format::protocol::{Dialect, Protocol, ReadGame, UnknownProtocol};
pub use format::sgf::SgfErrorKind;
pub use format::unread::{UnreadKind, UnreadText};
pub use format::{
    AnnotatedPosition, CreateRecords, FormatWriter, LineFormat, MetadataKind, Notation, OpenRecords, ParseLine,
    ParsedRecord, ReadRecord, RecordFormat, RecordScanner, Records, WriteRecords, WriteResult, WriteText,
};
pub use record::annotated::{AnnotatedGame, GameResult, ParseResultError, Tags, Termination, TheoreticalResult};
pub use record::opening_names::{NamedOpening, OpeningNames};
pub use record::openings::{OpeningPolicy, Openings};
pub use record::player::{Choice, Player, PlayerError};
pub use record::tree::{MoveNode, MoveTree, Note, StoredNode};
pub use record::{DrawRules, Game, GameEnd, GameEndReason, PlayError};
pub(crate) use rules::bit_set::bits;
pub use rules::bit_set::{BitSet, Element, Elements};
pub use rules::board_display::BoardDisplay;
pub use rules::color::{Color, ParseColorError};
pub use rules::disc_result::ImpossibleResult;
pub use rules::disc_result::{disc_counts, disc_result};
pub use rules::end_description::EndDescription;
pub use rules::info::{GameInfo, RuleSummary, Scoring};
pub use rules::layout::{BoardPoint, Layout, MovePoints, Terminology};
pub use rules::outcome::{Outcome, ParseOutcomeError, Wdl, result_name, result_of_name};
pub use rules::position::{CountLeaves, GameRules, IllegalMove, Packed, Position};
pub use rules::random::{RandomNumbers, play_random_moves, random_game};
