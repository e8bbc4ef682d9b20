//! [`Explanation`]: what went wrong, for users of any language.

use serde::Serialize;

/// The maximum length of an explanation, in characters. It may quote the request.
const MAX_CHARS: usize = 300;

/// Why something failed, and the cause.
///
/// ```json
/// {"error": "illegal move `d4`: the square is occupied", "code": "illegal_move", "values": {"text": "d4"},
///  "cause": {"error": "the square is occupied", "code": "square_occupied"}}
/// ```
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// The whole explanation in English, in one line.
    #[serde(rename = "error")]
    pub text: String,
    #[serde(flatten)]
    message: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Box<Explanation>>,
}

impl Explanation {
    pub fn new(text: &str, message: Message, cause: Option<Self>) -> Self {
        Self { text: short(text), message, cause: cause.map(Box::new) }
    }
}

/// Returns text as one line of bounded length.
pub fn short(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// What an explanation says, as a code and values. The page has a text for each code in its
/// languages, `error.CODE`; the causes follow after a colon. The value `piece` selects the text for
/// games with that piece, and `game` is shown as the title of the game.
#[derive(Debug, Serialize)]
#[rustfmt::skip]
#[serde(tag = "code", content = "values", rename_all = "snake_case")]
pub enum Message {
    /// A rare error, in English.
    Other { text: String },

    // About requests.
    Busy,
    GameTooLong { plies: usize },
    HostNotAllowed,
    Internal,
    NoBook { game: &'static str, title: &'static str },
    NoExercise { game: &'static str, title: &'static str },
    NotFound,
    RequestTooLong { bytes: usize },
    TokenRequired,
    UnknownGame { name: String },
    UnknownLevel { levels: u32 },

    // About moves.
    GameOver,
    IllegalInPly { text: String, ply: usize },
    IllegalMove { text: String },
    NotAMove { text: String },
    NotAMoveLike { text: String, example: String },
    WrongSide { side: &'static str },

    // About Othello moves.
    FlipsNothing,
    MayNotPass,
    MustPass,
    NoSuchSquare,
    SquareOccupied,

    // About moves in the mill games.
    Banned { piece: &'static str },
    CapturesNothing,
    HandEmpty { piece: &'static str },
    InMill { point: String, piece: &'static str },
    MissingCapture { text: String, example: String },
    MustCapture { example: String, piece: &'static str },
    MustPlace { piece: &'static str },
    NoPiece { point: String, piece: &'static str },
    NoPoint { point: String },
    NoVictim { point: String, piece: &'static str },
    Occupied { point: String },
    TooFar { from: String, to: String },

    // About selected points.
    NoPlacement { point: String },
    NotMovable { point: String, piece: &'static str },
    NotNow { point: String, targets: String },
    NotOwn { point: String, piece: &'static str },

    // About positions.
    MissingRows { expected: usize, found: usize },
    MissingSide,
    MissingSquares { expected: u32, found: u32 },
    NoPieces,
    NotARow { expected: usize, found: String },
    NotASide { found: String },
    NotASquare { found: char },
    PointTwice { point: String },
    RowLength { row: usize, expected: usize, found: usize },
    TextAfterPosition { text: String },
    TooManyMen { side: &'static str, found: u32, men: u8 },

    // About text and files.
    At { line: u64, column: usize },
    BoardSize { expected: usize, found: String },
    ConflictingResult { tag: String, moves: String },
    ContradictsBoard { result: String, board: String },
    DuplicateTag { tag: String },
    Empty,
    FewerWins { variant: String },
    LinkWithoutMoves { example: String },
    MoveNumber { expected: usize, found: String },
    NotAPosition { text: String },
    NotATag { found: String },
    NotAResult { found: String },
    NotText,
    UnknownFormat,
    OtherGame { found: String },
    RecordTooLong { bytes: usize },
    TextAfterResult { text: String },
    UnclosedComment,
    UnclosedVariation,
    Unreadable,
    Unrecognized { text: String, game: &'static str, title: &'static str, example: String },
    Unrepresentable { format: &'static str },

    // About parts of text that are ignored.
    Continuation,
    LeftOut { text: String },
    LeftOutDate { text: String },
    LeftOutScore { text: String },
    SeparateMoves,
}
