//! [`Referee`]: adjudicates a game between others, who tell their moves.
//!
//! It keeps the position, answers each move, refuses those that the rules do not allow, with the reason, and notices the end and why. A
//! move that is refused changes nothing.
//!
//! Moves come in lines, in the notation of the game:
//!
//! ```text
//! f5 d6, c3                       separated by blanks, commas or semicolons
//! f5d6c3                          or by nothing, in Othello
//! 1. d2 f4 2. d6 f2 1-0           with numbers and a result, which are not looked at
//! 7,8 a4,b4 g7 B                  a position, before the first move, alone in its line or
//! 7,8 a4,b4 g7 B; c4              with moves behind it, after a semicolon or `moves`
//! 1. d2! {a remark} f4??          with remarks in braces and judgements, likewise
//! d2 f4 # a comment               to the end of its line
//! ```
//!
//! A forced pass that is not told is made where a move follows it, and answered as a move.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::messages::{capitalize, result, sanitize};
use crate::game::{
    AnyMove, AnyPosition, Color, DrawRules, EndDescription, Game, GameResult, Outcome, Position as _, is_pass_word,
};
use crate::input::read_line;
use crate::session::{InputError, Session, read_move};

/// The longest line, in bytes; what goes beyond is a line of its own.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The answer to a move, or what is said of the position at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Ruling {
    /// The number of the move, from 1; 0 at the start. A move that is refused has the number that it would have had.
    pub ply: usize,
    /// The move: as the game writes it or, if it is refused, as it was told; `None` at the start.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// Whether it was made.
    pub legal: bool,
    /// Why it was not.
    pub reason: Option<String>,
    /// The position on the board now.
    pub position: String,
    /// The side to move in it.
    pub side_to_move: Color,
    /// Whether the game is over.
    pub over: bool,
    /// The result then: `black`, `white` or `draw`.
    pub outcome: Option<&'static str>,
    /// Why, in a word: `blocked`, `too_few`, `full_board`, `repetition` and so on.
    pub end_reason: Option<&'static str>,
    /// The result with the reason, for people.
    #[serde(skip)]
    pub end: Option<String>,
}

/// How rulings are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RulingFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

/// Adjudicates a game that others play.
#[derive(Debug, Clone)]
pub struct Referee {
    session: Session,
}

impl Referee {
    /// Begins at a position; `settings` say what draws a game beside the rules.
    #[must_use]
    pub fn new(start: AnyPosition, settings: DrawRules) -> Self {
        Self { session: Game::with_draw_rules(start, settings).into() }
    }

    /// Returns the game up to now.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// Says what the position is.
    #[must_use]
    pub fn start(&self) -> Ruling {
        self.ruling(self.game().moves().len(), None, None)
    }

    /// Rules on a move; a forced pass that was not told comes with a ruling of its own before it.
    ///
    /// ```
    /// use morello::game::DrawRules;
    /// use morello::games;
    /// use morello::text::referee::Referee;
    ///
    /// let start = games::get("nine-mens-morris")?.parse_position("7,8 a4,b4 g7 B").map_err(|error| error.to_string())?;
    /// let mut referee = Referee::new(start, DrawRules::default());
    /// let refused = &referee.adjudicate_move("b4")[0];
    /// assert_eq!((refused.legal, refused.reason.as_deref()), (false, Some("a man stands on b4")));
    /// assert_eq!(referee.adjudicate_move("c4")[0].position, "7,7 a4,b4 c4,g7 W");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn adjudicate_move(&mut self, text: &str) -> Vec<Ruling> {
        let pass = self.session.play_omitted_pass(|after| after.find_move(text).is_some());
        let mut rulings: Vec<_> = pass.map(|pass| self.accepted(pass)).into_iter().collect();
        rulings.push(match read_move(self.game(), text) {
            Ok(m) => {
                self.session.play(m).expect("the move is legal and the game goes on");
                self.accepted(m)
            }
            Err(refused) => {
                let reason = match refused {
                    InputError::GameOver(_) => refused.reason(),
                    _ if text.starts_with('{') => "the remark has no `}` in its line".to_owned(),
                    InputError::NotAMove { example, .. } => format!("it is no move; one would be `{example}`"),
                    refused => refused.reason(),
                };
                self.ruling(self.game().moves().len() + 1, Some(text.to_owned()), Some(reason))
            }
        });
        rulings
    }

    /// Tells of the move that was played last.
    fn accepted(&self, m: AnyMove) -> Ruling {
        self.ruling(self.game().moves().len(), Some(m.to_string()), None)
    }

    fn ruling(&self, ply: usize, text: Option<String>, reason: Option<String>) -> Ruling {
        let (position, end) = (self.session.position(), self.game().end());
        let cause = EndDescription::of(self.game());
        let told = end.zip(cause.as_ref());
        Ruling {
            ply,
            text,
            legal: reason.is_none(),
            reason,
            position: position.to_string(),
            side_to_move: position.side_to_move(),
            over: end.is_some(),
            outcome: end.map(|end| match end.outcome {
                Outcome::Win(Color::Black) => "black",
                Outcome::Win(Color::White) => "white",
                Outcome::Draw => "draw",
            }),
            end_reason: cause.as_ref().map(|cause| cause.name),
            end: told.map(|(end, cause)| {
                let outcome =
                    end.outcome.winner().map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} wins"));
                format!("{outcome}: {}", result(self.game(), end.outcome, &cause.text, false))
            }),
        }
    }

    /// Takes another position for the start, if no move was made yet and a text is one.
    fn set_up(&mut self, text: &str) -> bool {
        let start = self.session.rules().parse_position(text.trim()).ok().filter(|_| self.game().moves().is_empty());
        if let Some(start) = start {
            self.session.set_game(Game::new(start));
        }
        start.is_some()
    }
}

impl Ruling {
    /// Writes it, in one line or, at the end of the game, in two.
    fn write(&self, form: RulingFormat, output: &mut impl Write) -> io::Result<()> {
        if form == RulingFormat::Json {
            serde_json::to_writer(&mut *output, self)?;
            return writeln!(output);
        }
        let Self { ply, position, side_to_move, .. } = self;
        match (&self.text, &self.reason) {
            (None, _) => write!(output, "start  {position}")?,
            (Some(text), None) => write!(output, "{ply}. {}  {position}", sanitize(text))?,
            // The position stands as it was told last.
            (Some(text), Some(reason)) => {
                return writeln!(output, "{ply}. {}  refused: {}", sanitize(text), sanitize(reason));
            }
        }
        match &self.end {
            None => writeln!(output, "  {side_to_move} to move"),
            Some(end) => writeln!(output, "\nGame over. {}", capitalize(end)),
        }
    }
}

/// What a game that was told came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefereeSummary {
    /// The moves that were refused.
    pub refused: usize,
}

/// Rules on all moves of an input, one after the other, as they come; `strict` ends at the first that is refused.
///
/// # Errors
/// Those of reading and writing.
pub fn adjudicate(
    mut referee: Referee,
    mut input: impl BufRead,
    mut output: impl Write,
    form: RulingFormat,
    strict: bool,
) -> io::Result<RefereeSummary> {
    let mut told = RefereeSummary { refused: 0 };
    let has_squares = referee.session.rules().layout().lines.is_empty();
    referee.start().write(form, &mut output)?;
    output.flush()?;
    while let Some(line) = read_line(&mut input, MAX_LINE_BYTES)? {
        let line = line.trim_start_matches('\u{feff}');
        let line = line.split('#').next().unwrap_or_default().trim_end();
        if line.is_empty() {
            continue;
        }
        let (start, moves) = split(line);
        let is_set_up = start.is_some_and(|start| referee.set_up(start));
        if is_set_up {
            referee.start().write(form, &mut output)?;
        }
        // What was no position may have been moves.
        let moves = if is_set_up || start.is_none_or(|start| start.trim() == START) { moves } else { line };
        let (moves, open) = without_remarks(moves);
        for text in words(&moves, has_squares).into_iter().chain(open.map(str::to_owned)) {
            for ruling in referee.adjudicate_move(&text) {
                ruling.write(form, &mut output)?;
                told.refused += usize::from(!ruling.legal);
            }
            if strict && told.refused > 0 {
                output.flush()?;
                return Ok(told);
            }
        }
        output.flush()?;
    }
    Ok(told)
}

/// The word for the start of the game.
const START: &str = crate::game::opening::START;

/// Splits a line into what may be a position and the moves behind it.
fn split(line: &str) -> (Option<&str>, &str) {
    let at_word = || line.find(" moves ").map(|at| (at, at + " moves ".len()));
    let at_end = || line.strip_suffix(" moves").map(|before| (before.len(), line.len()));
    match line.find(';').map(|at| (at, at + 1)).or_else(at_word).or_else(at_end) {
        Some((end, next)) => (Some(&line[..end]), &line[next..]),
        None => (Some(line), ""),
    }
}

/// Returns a text without what stands in braces, and without what judges its moves, such as `!?`; and what follows a brace that is not closed.
fn without_remarks(text: &str) -> (String, Option<&str>) {
    let (mut kept, mut open) = (String::new(), Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => open.push(at),
            '}' => drop(open.pop()),
            '!' | '?' => {}
            _ if open.is_empty() => kept.push(c),
            _ => {}
        }
    }
    (kept, open.first().map(|&at| &text[at..]))
}

/// Returns the moves of a text, without the numbers and the result; on a board of squares they may stand side by side.
fn words(text: &str, has_squares: bool) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word =
            if digits.len() < word.len() && digits.starts_with('.') { digits.trim_start_matches('.') } else { word };
        if word.is_empty() || word == START || word == "moves" || GameResult::from_pgn(word).is_some() {
            continue;
        }
        match squares(word) {
            Some(moves) if has_squares => words.extend(moves),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Splits the squares of a transcript, if a word is nothing else.
fn squares(word: &str) -> Option<Vec<String>> {
    let mut squares = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let is_square = |square: &&str| matches!(square.as_bytes(), [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
        let is_pass = |len: &usize| rest.get(..*len).is_some_and(is_pass_word);
        let length = match rest.get(..2).filter(is_square) {
            Some(square) => square.len(),
            None => [4, 2].into_iter().find(is_pass)?,
        };
        squares.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    Some(squares)
}
