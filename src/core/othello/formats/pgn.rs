//! Games in PGN structure: tags, then a numbered [transcript] on any number of lines.
//!
//! ```text
//! [Event "Cup"]
//! [Date "2024.05.01"]
//! [Black "Anna"]
//! [White "Bob"]
//! [Result "40-24"]
//!
//! 1. f5 d6 2. c3 {a comment} d3 3. c4 f4 40-24
//! ```
//!
//! `Event`, `Date`, `Time`, `Black`, `White`, `BlackElo`, `WhiteElo`, `Result`, `Termination` and
//! `FEN` (a first position as a board string) are interpreted, and other tags are kept. Comments
//! such as `{+1.5 0.25s}` are the evaluation and the time of the move before them. Other comments,
//! variations and glyphs are read into a [`MoveTree`](crate::game::MoveTree). Comments are in
//! braces, or begin with `;` and end with the line. Results are the discs of Black and White, or
//! the points for Black, `+16`. The results `1-0`, `0-1` and `1/2-1/2` are accepted and ignored,
//! because programs disagree on the winner. The `Result` tag must agree with the result after the
//! moves. If the game is finished and has no `Termination` tag, the result must also agree with the
//! board. A result outside variations ends the moves, and tags begin another game.

use thiserror::Error;

use super::transcript::Played;
use super::transcript::{self, ParseTranscriptError, TranscriptErrorKind};
use super::{board, result};
use crate::game::format::movetext::{Token, Tokens};
use crate::game::format::pgn;
use crate::game::format::pgn::{PgnScanner, TagValues};
use crate::game::format::tree_text;
use crate::game::{
    AnnotatedGame, AnyPosition, Color, Game, GameResult, ImpossibleResult, LineFormat, MetadataKind, Note, ParseError,
    ParsedRecord, Playable, Position as _, Tags, disc_counts, disc_result, part_at,
};
use crate::othello::{Board, Move, SizedPosition};

/// Describes the format.
#[must_use]
pub const fn format<const N: usize>() -> LineFormat
where
    SizedPosition<N>: Playable,
{
    LineFormat {
        scanner: Some(|| Box::new(PgnScanner::new(transcript::is_result))),
        ..LineFormat::of_games(
            "pgn",
            "games with tags, `[Black \"Anna\"]`, then `1. f5 d6 2. c3 40-24`, on any number of lines",
            |text| begins_tag(text.trim_start()),
            |text| Ok(ParsedRecord::from(read::<N>(text)?)),
            |game| Ok(write::<N>(&game.known())),
            MetadataKind::OF_PGN,
        )
    }
}

/// Returns whether the text begins like a tag, perhaps an invalid one, and not like a JSON list.
fn begins_tag(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// An error in a game with tags.
pub type ParsePgnError = ParseError<PgnErrorKind>;

/// The kinds of errors in a game with tags.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A line that begins with a bracket is not a tag.
    #[error("expected a tag such as `[Black \"Anna\"]`, found `{0}`")]
    NotATag(String),
    /// A tag occurs twice.
    #[error("duplicate tag `{0}`")]
    DuplicateTag(String),
    /// The value of the `Result` tag is not a result.
    #[error("expected a result such as `40-24`, `+16` or `*`, found `{0}`")]
    Result(String),
    /// The discs in the `Result` tag exceed the squares of the board.
    #[error(transparent)]
    ImpossibleResult(ImpossibleResult),
    /// The result after the moves differs from the `Result` tag.
    #[error("the moves end with `{moves}`, but the `Result` tag is `{tag}`; correct one of them")]
    ConflictingResult {
        /// The result in the tag.
        tag: String,
        /// The result after the moves.
        moves: String,
    },
    /// The result contradicts the board of a finished game.
    #[error("the result is `{result}`, but the moves end with {board} on the board; correct or remove the result")]
    ContradictsBoard {
        /// The result.
        result: String,
        /// The discs of Black and White, with the empty squares added to the winner's discs.
        board: String,
    },
    /// The value of the `FEN` tag is not a position.
    #[error("{0} in the `FEN` tag")]
    Position(String),
    /// The variant is anti-Othello, in which the side with fewer discs wins.
    #[error("the variant is `{0}`, in which fewer discs win: only games of Othello can be read; remove the game")]
    AntiGame(String),
    /// The moves are invalid.
    #[error(transparent)]
    Moves(TranscriptErrorKind),
    /// The first moves are not Othello moves.
    #[error("{0}; is this a game of Othello?")]
    OtherGame(TranscriptErrorKind),
}

/// Reads a game.
///
/// ```
/// use morello::othello::formats::pgn;
///
/// let read = pgn::read::<8>("[Black \"Anna\"]\n[White \"Bob\"]\n\n1. f5 d6\n2. c3 d3 40-24")?;
/// assert_eq!(read.game.moves().len(), 4);
/// assert_eq!(read.tags.names, [Some("Anna".to_owned()), Some("Bob".to_owned())]);
/// assert_eq!(read.tags.result.map(|result| result.points), Some(16.0));
/// # Ok::<(), pgn::ParsePgnError>(())
/// ```
///
/// # Errors
/// [`ParsePgnError`], with the column in characters of the whole text; a line break is one
/// character.
pub fn read<const N: usize>(text: &str) -> Result<AnnotatedGame<SizedPosition<N>>, ParsePgnError>
where
    SizedPosition<N>: Playable,
{
    let pgn = PgnText::new(text)?;
    let mut game = Game::new(read_start::<N>(text, pgn.start)?);
    let is_start = *game.start() == SizedPosition::default();
    let played = transcript::play_moves(&mut game, text, pgn.moves, transcript::PGN_SYNTAX);
    let Played { result: after, rest } = played.map_err(|error| moves_error(error, is_start))?;
    let in_discs = after
        .filter(|word| disc_counts(word).is_some())
        .map(|word| read_result(Board::<N>::AREA, word).map_err(|kind| ParsePgnError::at(text, word, kind)));
    let in_discs = in_discs.transpose()?.flatten().map(|points| GameResult { points });
    let notes = read_notes(&game, pgn.moves);
    let tags = pgn.tags(Board::<N>::AREA, after, in_discs, result::board_result(&game))?;
    let mut unread = transcript::unread(text, rest);
    let (tree, illegal) = tree_text::read_remarks(text, || game.any(), AnyPosition::find_move);
    unread.splice(0..0, illegal);
    Ok(AnnotatedGame { tags, notes, tree, unread, ..AnnotatedGame::from(game) })
}

/// Returns the notes in the comments of a game, one per move; empty if there are no notes.
fn read_notes<const N: usize>(game: &Game<SizedPosition<N>>, moves: &str) -> Vec<Note> {
    if !moves.contains('{') {
        return Vec::new();
    }
    let mut notes = vec![Note::default(); game.moves().len()];
    let mut ply = 0;
    let tokens = Tokens::new(moves, transcript::PGN_SYNTAX).map_while(Result::ok);
    for Token { text, rest, .. } in tokens.filter(|token| token.number.is_none()) {
        // The list may omit forced passes.
        let is_pass = Move::from_text(text).is_none_or(|m| m == Move::PASS);
        ply += usize::from(!is_pass && game.moves().get(ply) == Some(&Move::PASS));
        if let (Some(note), Some(read)) = (notes.get_mut(ply), pgn::read_note(&rest[text.len()..])) {
            *note = read;
        }
        ply += 1;
    }
    if notes.iter().all(|note| *note == Note::default()) { Vec::new() } else { notes }
}

/// Returns whether the side with fewer discs wins in a variant of Othello.
fn is_anti(variant: &str) -> bool {
    let variant = variant.to_lowercase();
    ["anti", "misere", "misère", "reverse"].iter().any(|name| variant.contains(name))
}

/// The parts of a game.
struct PgnText<'a> {
    text: &'a str,
    values: TagValues,
    /// The values of the tags for the result and the starting position.
    result: Option<&'a str>,
    start: Option<&'a str>,
    moves: &'a str,
}

impl<'a> PgnText<'a> {
    fn new(text: &'a str) -> Result<Self, ParsePgnError> {
        let fail = |part: &str, kind| Err(ParsePgnError::at(text, part, kind));
        let (mut values, mut result, mut start) = (TagValues::default(), None, None);
        let mut tokens = Tokens::new(text, transcript::PGN_SYNTAX);
        let unclosed = |(rest, unclosed)| {
            ParsePgnError::at(text, rest, PgnErrorKind::Moves(TranscriptErrorKind::Unclosed(unclosed)))
        };
        while let Some(tag) = tokens.tag().map_err(unclosed)? {
            if tag.name == "Variant" && is_anti(tag.value) {
                return fail(tag.value, PgnErrorKind::AntiGame(tag.value.trim().to_owned()));
            }
            let is_duplicate = match tag.name {
                "Result" => result.replace(tag.value).is_some(),
                "FEN" => start.replace(tag.value).is_some(),
                _ => !values.add(tag),
            };
            if is_duplicate {
                return fail(tag.name, PgnErrorKind::DuplicateTag(tag.name.to_owned()));
            }
        }
        let moves = tokens.skip_annotations().map_err(unclosed)?;
        if begins_tag(moves) {
            let line = moves.lines().next().unwrap_or_default();
            return fail(moves, PgnErrorKind::NotATag(line.trim_end().to_owned()));
        }
        Ok(Self { text, values, result, start, moves })
    }

    /// Returns the tags of a game. `area` is the number of squares of the board, `after` the word
    /// after the moves, `in_discs` the result in discs that this word states, and `on_board` the
    /// result on the board.
    fn tags(
        self,
        area: u32,
        after: Option<&str>,
        in_discs: Option<GameResult>,
        on_board: Option<i32>,
    ) -> Result<Tags, ParsePgnError> {
        let Self { text, values, result, .. } = self;
        let fail = |part: &str, kind| Err(ParsePgnError::at(text, part, kind));
        let recorded = match result.map(|value| (value, read_result(area, value.trim()))) {
            Some((value, Err(kind))) => return fail(value, kind),
            Some((_, Ok(points))) => points,
            None => None,
        };
        if let (Some(value), Some(after)) = (result, after)
            && are_in_conflict(area, value.trim(), after)
        {
            let (tag, moves) = (value.trim().to_owned(), after.to_owned());
            return fail(value, PgnErrorKind::ConflictingResult { tag, moves });
        }
        let tags = values.tags(in_discs.or(recorded.map(|points| GameResult { points })));
        // A game that ended early, such as on time, may have any result.
        if let (Some(recorded), Some(board), None) = (tags.result, on_board, tags.termination)
            && recorded.points != f64::from(board)
        {
            let found = after.filter(|word| disc_counts(word).is_some()).or(result).unwrap_or_default();
            let board = disc_text(f64::from(area), board.into());
            return fail(found, PgnErrorKind::ContradictsBoard { result: found.trim().to_owned(), board });
        }
        Ok(tags)
    }
}

/// Reads the starting position from the value of a tag, which is a slice of the text.
fn read_start<const N: usize>(text: &str, value: Option<&str>) -> Result<SizedPosition<N>, ParsePgnError>
where
    SizedPosition<N>: Playable,
{
    let Some(value) = value else { return Ok(SizedPosition::default()) };
    let value = value.trim();
    let entry = board::parse::<N>(value).map_err(|error| {
        ParsePgnError::at(text, part_at(value, error.column()), PgnErrorKind::Position(error.to_string()))
    })?;
    Ok(entry.position)
}

/// Returns whether two results contradict each other. Programs disagree on who wins with `1-0`, but
/// not on whether somebody wins.
fn are_in_conflict(area: u32, tag: &str, moves: &str) -> bool {
    let discs = |text| {
        disc_result(text, area)
            .and_then(Result::ok)
            .filter(|_| transcript::is_result(text) || text.starts_with(['+', '-']))
    };
    let winner = |text| GameResult::from_pgn(text).ok().flatten().map(|result| result.points);
    match (discs(tag), discs(moves), winner(tag), winner(moves)) {
        (Some(tag), Some(moves), ..) => tag != moves,
        (.., Some(tag), Some(moves)) => tag != moves,
        (Some(points), _, _, Some(winner)) | (_, Some(points), Some(winner), _) => (points == 0.0) != (winner == 0.0),
        _ => false,
    }
}

/// Writes the discs of Black and White on a board with this number of squares, `40-24`, or the
/// points for Black if the discs are not whole numbers.
fn disc_text(squares: f64, points: f64) -> String {
    let black = (squares + points) / 2.0;
    let is_whole = black.fract() == 0.0 && (0.0..=squares).contains(&black);
    if is_whole { format!("{black}-{}", squares - black) } else { format!("{points:+}") }
}

/// Returns the points for Black in a `Result` tag; `None` if they are unknown.
fn read_result(area: u32, value: &str) -> Result<Option<f64>, PgnErrorKind> {
    match disc_result(value, area) {
        Some(result) => result.map(Some).map_err(PgnErrorKind::ImpossibleResult),
        None if matches!(value, "" | "?" | "-") || transcript::is_result(value) => Ok(None),
        None => Err(PgnErrorKind::Result(value.to_owned())),
    }
}

/// Notes in an error in the first moves that the game may be another game, such as chess.
fn moves_error(error: ParseTranscriptError, is_start: bool) -> ParsePgnError {
    let is_foreign = match &error.kind {
        TranscriptErrorKind::IllegalMove { ply, .. } => is_start && *ply <= 2,
        // Moves of chess and draughts: `Nf3`, `exd5`, `O-O`, `11-15`.
        TranscriptErrorKind::NotAMove(word) => {
            let is_draughts = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['-', 'x']);
            let is_file = |byte: Option<&u8>| byte.is_some_and(|byte| (b'a'..=b'h').contains(byte));
            let bytes = word.as_bytes();
            let captures = bytes.iter().take(2).position(|&byte| byte == b'x');
            let is_capture =
                captures.is_some_and(|at| is_file(bytes.get(at + 1)) && (at == 0 || is_file(bytes.first())));
            let is_chess = word.starts_with(['K', 'Q', 'R', 'B', 'N', 'O', '+', '#']) || is_capture;
            is_chess || is_draughts
        }
        _ => false,
    };
    let kind = if is_foreign { PgnErrorKind::OtherGame(error.kind) } else { PgnErrorKind::Moves(error.kind) };
    ParsePgnError { column: error.column, kind }
}

/// Writes a game with its tags; each line ends with a line break. If no result is recorded, writes
/// the result on the board. Passes are written and count as moves in the numbers.
///
/// ```
/// use morello::game::AnnotatedGame;
/// use morello::othello::formats::{pgn, transcript};
///
/// let game = AnnotatedGame::with_names(transcript::read::<8>("f5d6c3")?, ["Anna", "Bob"]);
/// let text = pgn::write(&game);
/// assert!(text.contains("[Black \"Anna\"]\n[White \"Bob\"]\n"));
/// assert!(text.ends_with("[Result \"*\"]\n\n1. f5 d6 2. c3 *\n"));
/// assert_eq!(pgn::read::<8>(&text)?.game.moves(), game.game.moves());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write<const N: usize>(annotated: &AnnotatedGame<SizedPosition<N>>) -> String {
    let AnnotatedGame { game, tags, notes, tree, .. } = annotated;
    let board = || game.position().is_over().then(|| result::result_if_over(game).into());
    // PGN readers reject a result that contradicts the board, so the result on the board is
    // written, unless the game ended early.
    let recorded = tags.result.filter(|_| tags.termination.is_some() || result::check_result(annotated).is_ok());
    let result = match recorded.map(|result| result.points).or_else(board) {
        None => "*".to_owned(),
        Some(points) => disc_text(f64::from(Board::<N>::AREA), points),
    };
    let start = (*game.start() != SizedPosition::default()).then(|| game.start().to_string());
    let mut text = pgn::write_tags(tags, Color::Black, &result);
    if let Some(start) = start {
        text += &pgn::write_tag("SetUp", "1");
        text += &pgn::write_tag("FEN", &start);
    }
    let begins_second = game.start().side_to_move() == Color::White;
    let name = |is_pass, m: String| if is_pass { "pass".to_owned() } else { m };
    text + &match tree {
        Some(tree) => tree_text::write_tree(tree, &|m| name(m.is_pass(), m.to_string()), begins_second, &result),
        None => {
            let moves = game.moves().iter().map(|m| name(*m == Move::PASS, m.to_string()));
            pgn::write_moves(moves, notes, begins_second, &result)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Tags, Termination, random_game};
    use crate::othello::Position;

    const TAGS: &str = "[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Black \"Anna\"]\n[White \"Bob\"]\n";

    /// Returns the line and column of an error, and its text.
    fn error(text: &str) -> (usize, usize, String) {
        let error = read::<8>(text).unwrap_err();
        let before: String = text.chars().take(error.column - 1).collect();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column, error.to_string())
    }

    #[test]
    fn reads_a_game_with_its_tags() {
        let moves = transcript::read::<8>("f5d6c3d3c4").unwrap().moves().to_vec();
        for (result, list, points) in [
            ("40-24", "1. f5 d6 2. c3 d3 3. c4", Some(16.0)),
            ("40-24", "1. f5 d6\n2. c3 d3\n3. c4 40-24\n", Some(16.0)),
            ("1-0", "1. f5 d6 {a\ncomment} 2. c3 d3 $1 3. c4 1-0", None),
            ("*", "1. f5 d6 ; c4 is best\n; and so is d3\n2. c3 d3 3. c4 *", None),
            ("*", "1. f5 d6 (1... f6\n2. e6)\n2. c3! d3\n3. c4\n*", None),
            ("?", "F5D6C3D3C4 24:40", Some(-16.0)),
            ("-3", "f5 d6 c3 d3 c4", Some(-3.0)),
        ] {
            let text = format!("{TAGS}[BlackElo \"1800\"]\n[Round \"1\"]\n[Result \"{result}\"]\n\n{list}");
            let read = read::<8>(&text).unwrap();
            assert_eq!(read.game.moves(), moves, "{text}");
            let expected = Tags {
                names: ["Anna", "Bob"].map(|name| Some(name.to_owned())),
                ratings: [Some(1800.0), None],
                tournament: Some("Cup".to_owned()),
                date: Some("2024-05-01".to_owned()),
                result: points.map(|points| GameResult { points }),
                termination: None,
                theoretical: None,
                others: vec![("Round".to_owned(), "1".to_owned())],
            };
            assert_eq!(read.tags, expected, "{text}");
        }
        let read = read::<4>("[Black \"A\"] [FEN \"4/1OX1/1XO1/4 w\"] 1... c1").unwrap();
        assert_eq!((read.game.start().side_to_move(), read.game.moves().len()), (Color::White, 1));
    }

    #[test]
    fn reports_where_a_game_is_invalid() {
        assert_eq!(
            error("[Event \"Cup]\n1. f5"),
            (1, 1, "expected a tag such as `[Black \"Anna\"]`, found `[Event \"Cup]`".into())
        );
        assert_eq!(error(&format!("{TAGS}[Black \"Eve\"]")), (5, 2, "duplicate tag `Black`".into()));
        let anti = error(&format!("{TAGS}[Variant \"Anti-Othello\"]\n1. f5"));
        assert!((anti.0, anti.1) == (5, 11) && anti.2.contains("`Anti-Othello`, in which fewer discs win"), "{anti:?}");
        assert!(read::<8>(&format!("{TAGS}[Variant \"Standard\"]\n1. f5")).is_ok());
        let impossible = "impossible result `50-24`: the board has 64 squares; correct or remove the result";
        assert_eq!(error("[Result \"50-24\"]\nf5"), (1, 10, impossible.into()));
        assert_eq!(error("[Black \"A\"]\n1. f5 d6 50-24"), (2, 10, impossible.into()));
        assert_eq!(
            error("[Result \"won\"]\nf5"),
            (1, 10, "expected a result such as `40-24`, `+16` or `*`, found `won`".into())
        );
        for (tag, moves) in
            [("40-24", "24-40"), ("1-0", "0-1"), ("1-0", "1/2-1/2"), ("40-24", "1/2-1/2"), ("0-1", "32-32")]
        {
            let conflict =
                format!("the moves end with `{moves}`, but the `Result` tag is `{tag}`; correct one of them");
            assert_eq!(error(&format!("[Result \"{tag}\"]\nf5 {moves}")), (1, 10, conflict));
        }
        for (tag, moves) in [("40-24", "1-0"), ("1-0", "24-40"), ("*", "1-0"), ("1-0", "*"), ("32-32", "1/2-1/2")] {
            assert!(read::<8>(&format!("[Result \"{tag}\"]\nf5 {moves}")).is_ok(), "{tag} {moves}");
        }
        assert_eq!(
            error("[FEN \"8/8 b\"]\nf5"),
            (1, 10, "expected 8 rows separated by `/`, found 2 in the `FEN` tag".into())
        );
        assert_eq!(
            error("[Black \"A\"]\n\n1. f5 d6\n3. c3"),
            (4, 1, "expected move number `2.`, found `3.`; are moves missing?".into())
        );
    }

    #[test]
    fn a_result_must_be_that_of_the_finished_board() {
        // White has lost its last disc.
        let game = "[FEN \"XO-------------- O\"]\n[Black \"A\"]";
        let read = |text: &str| read::<4>(text).map_err(|error| (error.column, error.to_string()));
        let contradiction = |result: &str| {
            format!("the result is `{result}`, but the moves end with 16-0 on the board; correct or remove the result")
        };
        let tagged = |result: &str, moves: &str| format!("[Result \"{result}\"]{game}\nc1 {moves}");
        assert_eq!(read(&tagged("0-16", "")).unwrap_err(), (10, contradiction("0-16")));
        assert_eq!(read(&tagged("-16", "*")).unwrap_err(), (10, contradiction("-16")));
        let text = format!("{game}\nc1 4-12");
        assert_eq!(read(&text).unwrap_err(), (text.len() - 3, contradiction("4-12")));
        for result in ["16-0", "4-0", "+16", "1-0", "0-1", "*"] {
            assert!(read(&tagged(result, "")).is_ok(), "{result}");
        }
        assert!(read(&format!("[Termination \"time forfeit\"]{}", tagged("0-16", ""))).is_ok());
        assert!(read(&format!("[Result \"0-16\"]{game}\n")).is_ok(), "the game is not over");
    }

    #[test]
    fn games_of_chess_and_draughts_are_recognized() {
        for list in ["1. e4 e5 2. Nf3", "1. d3 d5", "1. c4 Nf6", "1. Nf3 d5", "1. 11-15 23-19", "1. d3 c3 2. O-O"] {
            let (line, _, text) = error(&format!("{TAGS}[Result \"1-0\"]\n\n{list} 1-0"));
            assert!(line == 7 && text.ends_with("; is this a game of Othello?"), "{list}: {text}");
        }
        assert!(error(&format!("{TAGS}\n1. d3 c3 2. exd5")).2.ends_with("Othello?"));
        for list in ["1. f5 d6 2. d6", "1. f5 {x", "1. f5 x", "1. f5 (x", "1. f5 ax"] {
            assert!(!error(&format!("[Black \"A\"]\n{list}")).2.contains("Othello"), "{list}");
        }
    }

    #[test]
    fn a_scanner_separates_games() {
        let lines = |text: &str| {
            let mut scanner = (format::<8>().scanner.unwrap())();
            let mut count = 0;
            for line in text.lines() {
                if count > 0 && !scanner.accepts(line) {
                    break;
                }
                scanner.add(line);
                count += 1;
            }
            count
        };
        let game = "[Black \"A\"]\n\n1. f5 d6\n2. c3";
        assert_eq!(lines(&format!("{game}\n[Black \"A\"]\nf5")), 4);
        assert_eq!(lines(&format!("{game} 40-24\nf5d6")), 4);
        assert_eq!(lines(&format!("{game} *\n\n{game}")), 4);
        assert_eq!(lines(&format!("{game} {{40-24\n}}\n\n{game}")), 6);
    }

    fn any_tags(area: i32) -> impl Strategy<Value = Tags> {
        let name = || prop::option::of("[a-z\\\\\"{}\\[\\]%#]{0,5}[^\\p{C}\\p{Z}?-]");
        let rating = || prop::option::of((0..30_000u32).prop_map(|tenths| f64::from(tenths) / 10.0));
        let date = prop::option::of("[12][0-9]{3}(-[01][0-9](-[0-3][0-9]( [0-2][0-9]:[0-5][0-9])?)?)?");
        let result =
            (prop::option::of(-area..=area), prop::option::of(prop::sample::select(Termination::ALL.to_vec())));
        let others = ["Site", "Round", "X_1"].map(|tag| name().prop_map(move |value| Some((tag.to_owned(), value?))));
        ([name(), name(), name()], [rating(), rating()], date, result, others).prop_map(
            |([black, white, tournament], ratings, date, (points, termination), others)| Tags {
                names: [black, white],
                ratings,
                tournament,
                date,
                result: points.map(|points| GameResult { points: points.into() }),
                termination,
                theoretical: None,
                others: others.into_iter().flatten().collect(),
            },
        )
    }

    fn round_trip<const N: usize>(seed: u64, plies: usize, later: usize, tags: &Tags)
    where
        SizedPosition<N>: Playable,
    {
        let mut game = random_game::<SizedPosition<N>>(seed, plies);
        if later > 0 {
            let mut rest = Game::new(*game.position());
            for _ in 0..later {
                let Some(m) = rest.position().legal_moves().next() else { break };
                rest.play(m).unwrap();
            }
            game = rest;
        }
        // A result that contradicts the board is an error.
        let is_over = game.position().is_over() && tags.termination.is_none();
        let tags = &Tags { result: tags.result.filter(|_| !is_over), ..tags.clone() };
        let note = |ply: usize| Note {
            eval: (seed >> (ply % 60) & 1 == 1).then(|| ply as f64 / 4.0 - 3.0),
            depth: (seed >> (ply % 60) & 5 == 1).then_some(ply as u32),
            seconds: (seed >> (ply % 59) & 3 == 0).then(|| ply as f64 / 8.0),
        };
        let notes: Vec<_> = (0..game.moves().len()).map(note).collect();
        let text =
            write(&AnnotatedGame { tags: tags.clone(), notes: notes.clone(), ..AnnotatedGame::from(game.clone()) });
        let read = read::<N>(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        assert_eq!((read.game.start(), read.game.moves()), (game.start(), game.moves()), "{text}");
        let has_notes = notes.iter().any(|note| *note != Note::default());
        assert_eq!(read.notes, if has_notes { notes } else { Vec::new() }, "{text}");
        let on_board = game.position().is_over().then(|| result::result_if_over(&game).into());
        let points = on_board.map(|points| GameResult { points });
        assert_eq!(read.tags, Tags { result: tags.result.or(points), ..tags.clone() }, "{text}");
    }

    proptest! {
        #[test]
        fn games_round_trip(seed: u64, plies in 0..65usize, later in 0..6usize, tags in any_tags(16)) {
            round_trip::<8>(seed, plies, later, &tags);
            round_trip::<6>(seed, plies, later, &tags);
            round_trip::<4>(seed, plies, later, &tags);
        }

        #[test]
        fn error_columns_lie_within_the_text(
            text in "(\\[Black \"é?\"\\]\n?|\\[Result \"[0-9]{1,2}-[0-9]\"\\]|[1-3]\\. ?|[c-f][3-6] \
                ?|[{}é\"\n\\[]|40-24 ){0,14}",
        ) {
            if let Err(error) = read::<8>(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{text}: {error:?}");
            }
        }
    }

    #[test]
    fn tags_are_detected() {
        let detected =
            |line| <Position as crate::game::Notation>::formats().iter().find(|f| (f.detect)(line)).unwrap().name;
        assert_eq!((detected("[Event \"a\"]"), detected("[Event \"a]")), ("pgn", "pgn"));
        assert_eq!((detected("1. f5 d6"), detected("f5")), ("transcript", "transcript"));
        assert_ne!(detected("[\"f5\"]"), "pgn");
    }
}
