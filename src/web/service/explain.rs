//! [`explain`]: finds the code of an error.

use std::error::Error;
use std::io;

use morello_core::causes::with_causes;
use morello_core::game::diagram::DiagramErrorKind;
use morello_core::game::movetext::Unclosed;
use morello_core::game::opening::OpeningErrorKind;
use morello_core::game::{
    GameError, IllegalMove, LEVELS, ParseLevelError, PlayError, SgfErrorKind, UnreadKind, UnreadText,
};
use morello_core::games;
use morello_core::morris::formats::moves::{TextErrorKind, WrongMoveNumber};
use morello_core::morris::formats::playok::PlayOkErrorKind;
use morello_core::morris::formats::sanmill::fen::FenErrorKind;
use morello_core::morris::formats::sanmill::uci::UciErrorKind;
use morello_core::morris::{self, ArrangementError, TooManyMen, WordedReason};
use morello_core::othello;
use morello_core::othello::formats::ggf::GgfErrorKind;
use morello_core::othello::formats::obf::ObfErrorKind;
use morello_core::othello::formats::pgn::PgnErrorKind;
use morello_core::othello::formats::transcript::TranscriptErrorKind;
use morello_files::input::{
    MAX_RECORD_BYTES, ReadError, ReadTextError, RecordError, RecordProblem, UnknownBytes, unread_note,
};
use morello_play::session::{InputError, LoadError, PointError, SaveError};

use super::message::{Explanation, Message, short};

type AnyError = dyn Error + 'static;
/// The message of an error, and its cause; `None` if the error has no code.
type Found = Option<(Message, Option<Explanation>)>;

/// The kinds of errors that users can see.
const KINDS: &[fn(&AnyError) -> Found] = &[
    |error| found(error.downcast_ref::<GameError>()?.inner()),
    |error| found(error.downcast_ref::<io::Error>()?.get_ref()?),
    |error| error.downcast_ref::<ParseLevelError>().and_then(|_| only(Message::UnknownLevel { levels: LEVELS })),
    |error| input(error.downcast_ref()?),
    |error| point(error.downcast_ref()?),
    |error| load(error.downcast_ref()?),
    |error| save(error.downcast_ref()?),
    |error| text(error.downcast_ref()?),
    |error| because(Message::Unreadable, &error.downcast_ref::<ReadError>()?.source),
    |error| error.downcast_ref::<UnknownBytes>().and_then(|_| only(Message::UnknownFormat)),
    |error| record(error.downcast_ref()?),
    |error| problem(error.downcast_ref()?),
    |error| unread(error.downcast_ref()?),
    |error| illegal(error.downcast_ref()?),
    |error| played(error.downcast_ref()?),
    |error| othello_reason(*error.downcast_ref()?),
    |error| error.downcast_ref::<WordedReason>().and_then(|worded| mill_reason(&worded.reason, worded.words.piece)),
    |error| mill_reason(error.downcast_ref()?, "man"),
    |error| arrangement(error.downcast_ref()?),
    |error| too_many(error.downcast_ref()?),
    |error| othello_position(error.downcast_ref()?),
    |error| mill_position(error.downcast_ref()?),
    |error| diagram(error.downcast_ref()?),
    |error| moves(error.downcast_ref()?),
    |error| mill_text(error.downcast_ref()?),
    |error| move_number(error.downcast_ref()?),
    |error| unclosed(*error.downcast_ref()?),
    |error| transcript(error.downcast_ref()?),
    |error| pgn(error.downcast_ref()?),
    |error| ggf(error.downcast_ref()?),
    |error| sgf(error.downcast_ref()?),
    |error| obf(error.downcast_ref()?),
    |error| playok(error.downcast_ref()?),
    |error| uci(error.downcast_ref()?),
    |error| fen(error.downcast_ref()?),
];

/// Explains an error with its causes.
pub fn explain(error: &AnyError) -> Explanation {
    let text = with_causes(error);
    let (message, cause) = found(error).unwrap_or_else(|| (Message::Other { text: short(&text) }, None));
    Explanation::new(&text, message, cause)
}

/// Explains why part of a record was ignored. The record begins at this line.
pub fn explain_unread(line: u64, unread: &UnreadText) -> Explanation {
    let text = unread_note(line, std::iter::once(unread)).unwrap_or_default();
    Explanation::new(&text, Message::At { line: unread.line, column: unread.column }, Some(explain(&unread.kind)))
}

fn found(error: &AnyError) -> Found {
    KINDS.iter().find_map(|kind| kind(error))
}

fn only(message: Message) -> Found {
    Some((message, None))
}

fn because(message: Message, cause: &AnyError) -> Found {
    Some((message, Some(explain(cause))))
}

fn input(error: &InputError) -> Found {
    match error {
        InputError::Point(error) => found(error),
        InputError::GameOver(_) => only(Message::GameOver),
        InputError::Illegal { text, reason } => because(Message::IllegalMove { text: short(text) }, reason),
        InputError::NotAMove { text, example, .. } => {
            only(Message::NotAMoveLike { text: short(text), example: example.clone() })
        }
        _ => None,
    }
}

fn point(error: &PointError) -> Found {
    only(match error.clone() {
        PointError::Unknown(number) => Message::NoPoint { point: number.to_string() },
        PointError::NotNow { point, targets } => Message::NotNow { point, targets: targets.join(", ") },
        PointError::Occupied(point) => Message::Occupied { point },
        PointError::Illegal { point, reason } => return because(Message::IllegalMove { text: point }, &reason),
        PointError::NoPlacement { point, .. } => Message::NoPlacement { point },
        PointError::Blocked { point, piece } => Message::NotMovable { point, piece },
        PointError::NotOwn { point, piece, .. } => Message::NotOwn { point, piece },
        _ => return None,
    })
}

fn load(error: &LoadError) -> Found {
    match error {
        LoadError::Text(error) => found(error),
        LoadError::NoPieces => only(Message::NoPieces),
        LoadError::Pieces(error) => found(error),
        LoadError::Start { text, reason } => {
            because(Message::NotAPosition { text: short(text) }, reason.without_place())
        }
        LoadError::Move { text, ply, reason } => {
            let cause = reason.as_ref().map(|reason| explain(reason));
            Some((Message::IllegalInPly { text: short(text), ply: *ply }, cause))
        }
        _ => None,
    }
}

fn save(error: &SaveError) -> Found {
    match error {
        SaveError::Unrepresentable { format, reason } => because(Message::Unrepresentable { format }, reason),
        _ => None,
    }
}

fn text(error: &ReadTextError) -> Found {
    match error {
        ReadTextError::Empty => only(Message::Empty),
        ReadTextError::Invalid(error) => found(error),
        ReadTextError::Unreadable(error) => found(error),
        _ => None,
    }
}

fn record(error: &RecordError) -> Found {
    because(Message::At { line: error.line, column: error.column }, &error.problem)
}

fn problem(problem: &RecordProblem) -> Found {
    match problem {
        RecordProblem::TooLong => only(Message::RecordTooLong { bytes: MAX_RECORD_BYTES }),
        RecordProblem::NotUtf8 => only(Message::NotText),
        RecordProblem::Unreadable(error) => found(error.without_place()),
        RecordProblem::Unrecognized(unrecognized) => only(Message::Unrecognized {
            text: unrecognized.text.clone(),
            game: unrecognized.game,
            title: games::get(unrecognized.game).map_or("", |game| game.info().title),
            example: unrecognized.example.clone(),
        }),
        RecordProblem::OtherGame(without_game, _) => self::problem(without_game),
        RecordProblem::LinkWithoutMoves(example) => only(Message::LinkWithoutMoves { example: example.clone() }),
        _ => None,
    }
}

fn unread(kind: &UnreadKind) -> Found {
    only(match kind {
        UnreadKind::Words(text) => Message::LeftOut { text: short(text) },
        UnreadKind::Date(text) | UnreadKind::ImpossibleDate(text) => Message::LeftOutDate { text: short(text) },
        UnreadKind::Score(text) => Message::LeftOutScore { text: short(text) },
        UnreadKind::Continuation => Message::Continuation,
        UnreadKind::SeparateMoves => Message::SeparateMoves,
        _ => return None,
    })
}

fn illegal(illegal: &IllegalMove) -> Found {
    Some((Message::IllegalMove { text: short(&illegal.text) }, illegal.why().map(|reason| explain(&reason))))
}

fn played(error: &PlayError) -> Found {
    match error {
        PlayError::Illegal(error) => illegal(error),
        PlayError::Over(_) => only(Message::GameOver),
    }
}

fn othello_reason(reason: othello::IllegalReason) -> Found {
    use othello::IllegalReason as Reason;
    only(match reason {
        Reason::Over => Message::GameOver,
        Reason::OffBoard => Message::NoSuchSquare,
        Reason::Occupied => Message::SquareOccupied,
        Reason::MustPass => Message::MustPass,
        Reason::FlipsNothing => Message::FlipsNothing,
        Reason::MayNotPass => Message::MayNotPass,
        _ => return None,
    })
}

fn mill_reason(reason: &morris::IllegalReason, piece: &'static str) -> Found {
    use morris::IllegalReason as Reason;
    only(match reason.clone() {
        Reason::Over => Message::GameOver,
        Reason::UnknownPoint(point) => Message::NoPoint { point: point.0 },
        Reason::Occupied(point) => Message::Occupied { point },
        Reason::HandEmpty => Message::HandEmpty { piece },
        Reason::MustPlace => Message::MustPlace { piece },
        Reason::NoMan(point) => Message::NoPiece { point, piece },
        Reason::TooFar { from, to } => Message::TooFar { from, to },
        Reason::Banned => Message::Banned { piece },
        Reason::MustCapture(example) => Message::MustCapture { example, piece },
        Reason::CapturesNothing => Message::CapturesNothing,
        Reason::NoVictim(point) => Message::NoVictim { point, piece },
        Reason::InMill(point) => Message::InMill { point, piece },
        _ => return None,
    })
}

fn arrangement(error: &ArrangementError) -> Found {
    match error {
        ArrangementError::TooManyMen(error) => too_many(error),
        _ => None,
    }
}

fn too_many(&TooManyMen { color, found, men }: &TooManyMen) -> Found {
    only(Message::TooManyMen { side: color.name(), found, men })
}

fn othello_position(kind: &othello::PositionErrorKind) -> Found {
    use othello::PositionErrorKind as Kind;
    only(match *kind {
        Kind::MissingSquares { expected, found, .. } => Message::MissingSquares { expected, found },
        Kind::RowLength { row, expected, found } => Message::RowLength { row, expected, found },
        Kind::Rows { expected, found } => Message::MissingRows { expected, found },
        Kind::NotASquare(found) => Message::NotASquare { found },
        Kind::MissingSide => Message::MissingSide,
        Kind::UnknownSide(found) => Message::NotASide { found: found.to_string() },
        Kind::TrailingText(ref text) => Message::TextAfterPosition { text: short(text) },
        _ => return None,
    })
}

fn mill_position(kind: &morris::PositionErrorKind) -> Found {
    use morris::PositionErrorKind as Kind;
    only(match kind {
        Kind::TooManyMen(error) => return too_many(error),
        Kind::UnknownPoint { name, .. } => Message::NoPoint { point: short(name) },
        Kind::DuplicatePoint(point) | Kind::OverlappingPoints(point) => Message::PointTwice { point: point.clone() },
        Kind::UnknownSide(found) => Message::NotASide { found: short(found) },
        Kind::TrailingText(text) => Message::TextAfterPosition { text: short(text) },
        _ => return None,
    })
}

fn diagram(kind: &DiagramErrorKind) -> Found {
    only(match kind {
        DiagramErrorKind::NotARow { expected, found, .. } => {
            Message::NotARow { expected: *expected, found: short(found) }
        }
        &DiagramErrorKind::MissingRows { expected, found } => Message::MissingRows { expected, found },
        DiagramErrorKind::MissingSide(_) => Message::MissingSide,
        DiagramErrorKind::Arrangement(error) => return found(error),
        _ => return None,
    })
}

fn moves(kind: &OpeningErrorKind) -> Found {
    only(match kind {
        OpeningErrorKind::AfterResult(text) => Message::TextAfterResult { text: short(text) },
        OpeningErrorKind::NotAMove(text) => Message::NotAMove { text: short(text) },
        OpeningErrorKind::Unclosed(error) => return unclosed(*error),
        OpeningErrorKind::IllegalMove { text, ply, reason } => return illegal_in_ply(text, *ply, reason),
        _ => return None,
    })
}

fn illegal_in_ply(text: &str, ply: usize, reason: &AnyError) -> Found {
    because(Message::IllegalInPly { text: short(text), ply }, reason)
}

fn mill_text(kind: &TextErrorKind) -> Found {
    match kind {
        TextErrorKind::Position(kind) => mill_position(kind),
        TextErrorKind::MoveNumber(error) => move_number(error),
        TextErrorKind::Moves(kind) => moves(kind),
        _ => None,
    }
}

fn move_number(error: &WrongMoveNumber) -> Found {
    only(Message::MoveNumber { expected: error.expected, found: short(&error.found) })
}

fn unclosed(unclosed: Unclosed) -> Found {
    only(match unclosed {
        Unclosed::Comment => Message::UnclosedComment,
        Unclosed::Variation => Message::UnclosedVariation,
        _ => return None,
    })
}

fn transcript(kind: &TranscriptErrorKind) -> Found {
    only(match kind {
        TranscriptErrorKind::Position(kind) => return othello_position(kind),
        TranscriptErrorKind::MoveNumber { expected, found } => {
            Message::MoveNumber { expected: *expected, found: short(found) }
        }
        TranscriptErrorKind::TrailingText { text, .. } => Message::TextAfterResult { text: short(text) },
        TranscriptErrorKind::Unclosed(error) => return unclosed(*error),
        TranscriptErrorKind::NotAMove(text) => Message::NotAMove { text: short(text) },
        TranscriptErrorKind::IllegalMove { text, ply, reason } => return illegal_in_ply(text, *ply, reason),
        _ => return None,
    })
}

fn pgn(kind: &PgnErrorKind) -> Found {
    only(match kind {
        PgnErrorKind::NotATag(found) => Message::NotATag { found: short(found) },
        PgnErrorKind::DuplicateTag(tag) => Message::DuplicateTag { tag: short(tag) },
        PgnErrorKind::Result(found) => Message::NotAResult { found: short(found) },
        PgnErrorKind::ConflictingResult { tag, moves } => {
            Message::ConflictingResult { tag: short(tag), moves: short(moves) }
        }
        PgnErrorKind::ContradictsBoard { result, board } => {
            Message::ContradictsBoard { result: short(result), board: short(board) }
        }
        PgnErrorKind::AntiGame(variant) => Message::FewerWins { variant: short(variant) },
        PgnErrorKind::Moves(kind) | PgnErrorKind::OtherGame(kind) => return transcript(kind),
        _ => return None,
    })
}

fn ggf(kind: &GgfErrorKind) -> Found {
    only(match kind {
        GgfErrorKind::OtherGame(found) => Message::OtherGame { found: short(found) },
        GgfErrorKind::AntiGame(variant) => Message::FewerWins { variant: short(variant) },
        GgfErrorKind::BoardSize { expected, found } => Message::BoardSize { expected: *expected, found: short(found) },
        GgfErrorKind::Board(kind) => return othello_position(kind),
        GgfErrorKind::Result(found) => Message::NotAResult { found: short(found) },
        GgfErrorKind::WrongSideToMove(side) => Message::WrongSide { side: side.name() },
        GgfErrorKind::IllegalMove(text) => Message::IllegalMove { text: short(text) },
        _ => return None,
    })
}

fn sgf(kind: &SgfErrorKind) -> Found {
    only(match kind {
        SgfErrorKind::OtherGame { found, .. } => Message::OtherGame { found: short(found) },
        SgfErrorKind::BoardSize { expected, found } => Message::BoardSize { expected: *expected, found: short(found) },
        SgfErrorKind::Point(point) => Message::NoPoint { point: short(point) },
        SgfErrorKind::Result(found) => Message::NotAResult { found: short(found) },
        SgfErrorKind::WrongSide(side) => Message::WrongSide { side: side.name() },
        SgfErrorKind::IllegalMove(text) => Message::IllegalMove { text: short(text) },
        _ => return None,
    })
}

fn obf(kind: &ObfErrorKind) -> Found {
    only(match kind {
        ObfErrorKind::Position(kind) => return othello_position(kind),
        ObfErrorKind::IllegalMove(text) => Message::IllegalMove { text: short(text) },
        _ => return None,
    })
}

fn playok(kind: &PlayOkErrorKind) -> Found {
    only(match kind {
        PlayOkErrorKind::DuplicateTag(tag) => Message::DuplicateTag { tag: short(tag) },
        PlayOkErrorKind::Result(found) => Message::NotAResult { found: short(found) },
        PlayOkErrorKind::ConflictingResult { tag, moves } => {
            Message::ConflictingResult { tag: (*tag).to_owned(), moves: (*moves).to_owned() }
        }
        PlayOkErrorKind::Number { expected, found } => Message::MoveNumber { expected: *expected, found: short(found) },
        PlayOkErrorKind::NotAMove(text) => Message::NotAMove { text: short(text) },
        PlayOkErrorKind::NoPoint(point) => Message::NoPoint { point: short(point) },
        PlayOkErrorKind::IllegalMove { text, ply, reason, .. } => return illegal_in_ply(text, *ply, reason),
        PlayOkErrorKind::Fen(kind) => return fen(kind),
        PlayOkErrorKind::Unclosed(error) => return unclosed(*error),
        PlayOkErrorKind::TrailingText(text) => Message::TextAfterResult { text: short(text) },
        _ => return None,
    })
}

fn uci(kind: &UciErrorKind) -> Found {
    only(match kind {
        UciErrorKind::Fen(kind) => return fen(kind),
        UciErrorKind::NotAToken(text) => Message::NotAMove { text: short(text) },
        UciErrorKind::MissingCapture { text, example } => {
            Message::MissingCapture { text: short(text), example: example.clone() }
        }
        UciErrorKind::IllegalMove { text, ply, reason } => return illegal_in_ply(text, *ply, reason),
        _ => return None,
    })
}

fn fen(kind: &FenErrorKind) -> Found {
    match kind {
        FenErrorKind::TooManyMen(error) => too_many(error),
        _ => None,
    }
}
