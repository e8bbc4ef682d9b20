//! [`Referee`]: checks the moves of a game played elsewhere.
//!
//! For each move, the referee prints the new position, or rejects the move with a reason. It
//! detects the end of the game. A rejected move changes nothing.
//!
//! Moves are read line by line, in the notation of the game:
//!
//! ```text
//! f5 d6, c3                       separated by spaces, commas or semicolons
//! f5d6c3                          placements without separators
//! 1. d2 f4 2. d6 f2 1-0           move numbers and results are ignored
//! 7,8 a4,b4 g7 B                  a position before the first move
//! 7,8 a4,b4 g7 B; c4              a position and moves, separated by a semicolon or `moves`
//! 1. d2! {a remark} f4??          remarks in braces and annotations are ignored
//! d2 f4 # a comment               so are comments to the end of the line (#, %, //), and lines of
//!                                 tags such as [White "Anna"]
//! Anna - Bob: 1 f5 d6 2 c3        and the names of the players
//! (;GM[Othello]...B[f5]W[d6];)    a line in another format of the game
//! ```
//!
//! A forced pass before another move may be omitted. The referee then reports the pass as well.

use std::io::{self, BufRead, Write};

use morello_core::game::label::split_label;
use morello_core::game::movetext::{moves_and_results, squares};
use morello_core::game::opening::{START, split};
use morello_core::game::{AnyMove, AnyPosition, Color, DrawRules, EndDescription, Game, GameResult, Position as _};
use morello_files::input::{read_line, read_position, read_text};
use serde::{Deserialize, Serialize};

use super::draw::{Style, draw};
use super::messages::{capitalize, result, sanitize};
use crate::session::{InputError, Session, read_move};

/// The maximum length of a line, in bytes; the rest is read as another line.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The referee's ruling on a move, or the description of the start position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Ruling {
    /// The number of the move, from 1; 0 at the start. A rejected move has the number that it would
    /// have if it were legal.
    pub ply: usize,
    /// The move in the notation of the game, or as it was read if it is rejected; `None` at the
    /// start.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// Whether it is legal and was played.
    pub legal: bool,
    /// The reason why it is not legal.
    pub reason: Option<String>,
    /// The current position.
    pub position: String,
    /// The side to move.
    pub side_to_move: Color,
    /// Whether the game is over.
    pub over: bool,
    /// The result of a finished game: `black`, `white` or `draw`.
    pub outcome: Option<&'static str>,
    /// The reason for the end, as an identifier such as `blocked`, `too_few`, `full_board` or
    /// `repetition`.
    pub end_reason: Option<&'static str>,
    /// The result and the reason, in words.
    #[serde(skip)]
    pub end: Option<String>,
}

/// The output format of rulings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RulingFormat {
    /// Human-readable lines.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for RulingFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Text, Self::Json]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        use clap::builder::PossibleValue;

        Some(match self {
            Self::Text => PossibleValue::new("text").help("Readable lines"),
            Self::Json => PossibleValue::new("jsonl").help("One JSON object per line"),
        })
    }
}

/// Checks the moves of a game played elsewhere.
#[derive(Debug, Clone)]
pub struct Referee {
    session: Session,
    /// How the board is drawn after every move; `None` draws none.
    boards: Option<Style>,
}

impl Referee {
    /// Starts at a position. `settings` are draw rules in addition to the rules of the game.
    #[must_use]
    pub fn new(start: AnyPosition, settings: DrawRules) -> Self {
        Self { session: Game::with_draw_rules(start, settings).into(), boards: None }
    }

    /// Draws the board after every legal move, below its line of text.
    #[must_use]
    pub fn with_boards(self, style: Style) -> Self {
        Self { boards: Some(style), ..self }
    }

    /// Returns the game so far.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// Describes the current position.
    #[must_use]
    pub fn start(&self) -> Ruling {
        self.ruling(self.game().moves().len(), None, None)
    }

    /// Plays or rejects a move. If a forced pass was omitted, its ruling comes before the ruling on
    /// the move.
    ///
    /// ```
    /// use morello::game::DrawRules;
    /// use morello::games;
    /// use morello::text::referee::Referee;
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// let start = morris.parse_position("7,8 a4,b4 g7 B").map_err(|error| error.to_string())?;
    /// let mut referee = Referee::new(start, DrawRules::default());
    /// let rejected = &referee.adjudicate_move("b4")[0];
    /// assert_eq!((rejected.legal, rejected.reason.as_deref()), (false, Some("a man stands on b4")));
    /// assert_eq!(referee.adjudicate_move("c4")[0].position, "7,7 a4,b4 c4,g7 W");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn adjudicate_move(&mut self, text: &str) -> Vec<Ruling> {
        let pass = self.session.play_omitted_pass(|after| after.find_move(text).is_some());
        let mut rulings: Vec<_> = pass.map(|pass| self.accepted(pass)).into_iter().collect();
        rulings.push(match read_move(self.game(), text) {
            Ok(m) => {
                self.session.play(m).expect("the move is legal and the game is not over");
                self.accepted(m)
            }
            Err(error) => {
                let reason = match error {
                    InputError::GameOver(_) => error.reason(),
                    _ if text.starts_with('{') => "the remark has no closing `}` in this line".to_owned(),
                    InputError::NotAMove { example, .. } => format!("not a move (for example: {example})"),
                    error => error.reason(),
                };
                self.ruling(self.game().moves().len() + 1, Some(text.to_owned()), Some(reason))
            }
        });
        rulings
    }

    /// Draws the board below a ruling in text.
    fn write_board(&self, format: RulingFormat, output: &mut impl Write) -> io::Result<()> {
        match self.boards.filter(|_| format == RulingFormat::Text) {
            Some(style) => writeln!(output, "{}\n", draw(self.game(), style)),
            None => Ok(()),
        }
    }

    /// Returns the ruling on the last move.
    fn accepted(&self, m: AnyMove) -> Ruling {
        self.ruling(self.game().moves().len(), Some(m.to_string()), None)
    }

    fn ruling(&self, ply: usize, text: Option<String>, reason: Option<String>) -> Ruling {
        let (position, end) = (self.session.position(), self.game().end());
        let cause = EndDescription::of(self.game());
        let described = end.zip(cause.as_ref());
        Ruling {
            ply,
            text,
            legal: reason.is_none(),
            reason,
            position: position.to_string(),
            side_to_move: position.side_to_move(),
            over: end.is_some(),
            outcome: end.map(|end| end.outcome.name()),
            end_reason: cause.as_ref().map(|cause| cause.name),
            end: described.map(|(end, cause)| {
                let outcome =
                    end.outcome.winner().map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} wins"));
                format!("{outcome}: {}", result(self.game(), end.outcome, &cause.text, false))
            }),
        }
    }

    /// Before the first move, returns the start position and the moves of a game in a format other
    /// than a move list; `None` for other text.
    fn other_format(&self, line: &str) -> Option<String> {
        let is_other =
            line.starts_with(['(', '[']) || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains("(;");
        if !is_other || !self.game().moves().is_empty() {
            return None;
        }
        let game = read_text(self.session.rules(), line).ok()?.game.game;
        let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
        Some(format!("{} moves {}", game.start(), moves.join(" ")))
    }

    /// Replaces the start position if the text is a position and no move was played; returns
    /// whether it did.
    fn set_up(&mut self, text: &str) -> bool {
        let text = text.trim();
        let is_position =
            text != START && self.game().moves().is_empty() && !self.session.rules().format_of(text).of_games;
        let start = if is_position { read_position(self.session.rules(), text).ok() } else { None };
        if let Some(start) = start {
            self.session.set_game(Game::new(start));
        }
        start.is_some()
    }
}

impl Ruling {
    /// Writes the ruling in one line or, at the end of the game, in two.
    fn write(&self, format: RulingFormat, output: &mut impl Write) -> io::Result<()> {
        if format == RulingFormat::Json {
            serde_json::to_writer(&mut *output, self)?;
            return writeln!(output);
        }
        let Self { ply, position, side_to_move, .. } = self;
        match (&self.text, &self.reason) {
            (None, _) => write!(output, "start  {position}")?,
            (Some(text), None) => write!(output, "{ply}. {}  {position}", sanitize(text))?,
            // The position is unchanged and not repeated.
            (Some(text), Some(reason)) => {
                return writeln!(output, "{ply}. {}  illegal: {}", sanitize(text), sanitize(reason));
            }
        }
        match &self.end {
            None => writeln!(output, "  {side_to_move} to move"),
            Some(end) => writeln!(output, "\nGame over. {}", capitalize(end)),
        }
    }
}

/// The summary of a run of the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RefereeSummary {
    /// The number of rejected moves.
    pub rejected: usize,
}

/// Checks the moves of an input as they arrive. With `strict`, it stops at the first rejected move.
///
/// ```
/// use morello::game::DrawRules;
/// use morello::games;
/// use morello::text::referee::{Referee, RulingFormat, adjudicate};
///
/// let referee = Referee::new(games::get("nine-mens-morris")?.start(), DrawRules::default());
/// let mut output = Vec::new();
/// let summary = adjudicate(referee, "1. d2 f4 2. d2\n".as_bytes(), &mut output, RulingFormat::Text, false)?;
/// assert_eq!(summary.rejected, 1);
/// assert!(String::from_utf8(output)?.ends_with("3. d2  illegal: a man stands on d2\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn adjudicate(
    mut referee: Referee,
    mut input: impl BufRead,
    mut output: impl Write,
    format: RulingFormat,
    strict: bool,
) -> io::Result<RefereeSummary> {
    let mut summary = RefereeSummary { rejected: 0 };
    referee.start().write(format, &mut output)?;
    referee.write_board(format, &mut output)?;
    output.flush()?;
    while let Some(line) = read_line(&mut input, MAX_LINE_BYTES)? {
        let line = line.trim_start_matches('\u{feff}');
        let line = without_comment(line).trim();
        if line.is_empty() || is_tag(line) {
            continue;
        }
        // A line in another format, such as GGF, is replaced by its start position and moves.
        let other = referee.other_format(line);
        let line = other.as_deref().unwrap_or(line);
        let (start, moves) = split(line);
        let is_set_up = referee.set_up(start.unwrap_or(line));
        if is_set_up {
            referee.start().write(format, &mut output)?;
            referee.write_board(format, &mut output)?;
        }
        // Text that is not a position is read as moves.
        let moves = match start {
            None if is_set_up => "",
            Some(start) if is_set_up || start.trim() == START => moves,
            _ => line,
        };
        for text in moves_of(without_names(moves)) {
            let before = referee.game().moves().len();
            for ruling in referee.adjudicate_move(&text) {
                ruling.write(format, &mut output)?;
                summary.rejected += usize::from(!ruling.legal);
            }
            if referee.game().moves().len() > before {
                referee.write_board(format, &mut output)?;
            }
            if strict && summary.rejected > 0 {
                output.flush()?;
                return Ok(summary);
            }
        }
        output.flush()?;
    }
    Ok(summary)
}

/// Strips a comment, which begins with `#`, `%` or `//` at the start of a word outside braces, or
/// with `;` at the start of a line.
fn without_comment(line: &str) -> &str {
    let mut depth = 0;
    let starts = line.char_indices().find(|&(at, c)| {
        let is_in_word = line[..at].ends_with(|c: char| !c.is_whitespace() && c != '}');
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let is_sign = "#%".contains(c) || line[at..].starts_with("//");
        depth <= 0 && ((is_sign && !is_in_word) || (c == ';' && line[..at].trim().is_empty()))
    });
    starts.map_or(line, |(at, _)| &line[..at])
}

/// Returns whether a line is a tag, such as `[White "Anna"]`.
fn is_tag(line: &str) -> bool {
    line.starts_with('[') && line.ends_with("\"]") && line[1..].starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Strips the names of the players, as in `Anna - Bob: f5d6`.
fn without_names(moves: &str) -> &str {
    let begins = |text: &str| {
        let text = text.trim_start();
        text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '{')
    };
    split_label(moves, begins).map_or(moves, |(_, moves)| moves)
}

/// Returns the moves in a text, followed by any text that begins at an unclosed brace. A capture
/// may be a separate word.
fn moves_of(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for part in moves_and_results(text) {
        let part = part.unwrap_or_else(|(unclosed, _)| unclosed);
        let is_capture = part.strip_prefix(['x', 'X']).is_some_and(|captured| squares(captured).is_some());
        match moves.last_mut() {
            _ if part == START || part == "moves" || GameResult::from_pgn(part).is_ok() => {}
            Some(last) if is_capture && squares(part).is_none() => last.push_str(part),
            _ => moves.push(part.to_owned()),
        }
    }
    moves
}

#[cfg(test)]
mod tests;
