//! Lines, each with a position or game, and multi-line games.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use morello_core::game::label::is_lone_result;
use morello_core::game::{
    AnnotatedGame, AnyGame, LineFormat, MetadataKind, ParsedRecord, RecordScanner, Tags, UnreadKind, UnreadText,
    is_pass_word,
};

use super::beginning::{Beginning, invalid};
use super::game_columns;
use super::json;
use super::line_reader::{LineReader, excerpt, read_line, without_comment_within};
use super::links;
use super::located_text::LocatedText;
use super::record::{MAX_RECORD_BYTES, Record, RecordError, RecordProblem};
use super::record_stream::{DetectedStream, RecordStream, StreamContext};

/// The characters that begin a text format, by the name of the format, and a description for games
/// without this format.
const TEXTS: [(&str, &[&str], &str); 2] = [
    ("ggf", &["(;GM[Othello", "(;GM[othello"], "an Othello game in GGF"),
    (
        "pgn",
        &["[Event ", "[Site ", "[Date ", "[White ", "[Black ", "[Variant ", "[FEN "],
        "a game with tags, as in PGN",
    ),
];

/// Returns the stream for an input with this first line, or an error if the line is in a format of
/// another game.
pub(super) fn detect(beginning: &Beginning<'_>, line: Option<&str>) -> io::Result<DetectedStream> {
    let (mut of_games, mut has_tags) = (false, false);
    if let Some(line) = line {
        reject_foreign_text(beginning, line)?;
        let format = beginning.formats.of(line);
        let names_players = |game: &AnnotatedGame| game.tags.names.iter().any(Option::is_some);
        of_games = format.of_games || links::is_link(line.as_bytes());
        has_tags = format.writer.preserved.contains(&MetadataKind::Names)
            || matches!((format.parse)(line), Ok(ParsedRecord::Games(games)) if games.iter().any(names_players));
    }
    Ok(DetectedStream::new(of_games, has_tags, |stream, context| {
        Ok(Lines {
            lines: LineReader::new(stream),
            context,
            pending: VecDeque::new(),
            headings: Headings::default(),
            has_separate_moves: false,
        })
    }))
}

/// Rejects a line in a format that the game does not support, unless a format was requested.
fn reject_foreign_text(beginning: &Beginning<'_>, line: &str) -> io::Result<()> {
    let game = beginning.formats.game;
    let text = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let is_foreign = |(name, begins, _): &&(&str, &[&str], _)| {
        begins.iter().any(|begin| text.starts_with(begin)) && !game.formats().iter().any(|format| format.is_named(name))
    };
    match TEXTS.iter().find(is_foreign) {
        Some((.., about)) if beginning.formats.requested.is_none() => {
            let remedy =
                if line.starts_with('[') { "; to read its moves in this game, remove the lines of tags" } else { "" };
            Err(invalid(format!("this looks like {about}, but the game is {}{remedy}", game.name())))
        }
        _ => Ok(()),
    }
}

/// The maximum number of headings before a record.
const MAX_HEADINGS: usize = 100;

struct Lines {
    lines: LineReader,
    context: StreamContext,
    /// The remaining records of a line with several games, one of which is invalid.
    pending: VecDeque<Record>,
    /// The lines before the next record that no format can read. They may be its label.
    headings: Headings,
    /// Whether two games of one move in succession have been reported.
    has_separate_moves: bool,
}

/// Lines with words before a record.
#[derive(Default)]
struct Headings {
    /// The lines before an invalid record. They say nothing about the next record.
    stale: Vec<LocatedText>,
    lines: VecDeque<LocatedText>,
    /// Whether the lines are the label of the record being read.
    are_label: bool,
}

impl Headings {
    /// Takes the headings and returns them as ignored parts of the text.
    fn unread(&mut self) -> Vec<UnreadText> {
        let headings = std::mem::take(&mut self.stale).into_iter().chain(std::mem::take(&mut self.lines));
        headings.map(|heading| heading.unread(UnreadKind::words(&heading.text))).collect()
    }
}

/// Returns the game of a record if the game may continue.
fn unfinished(record: &Record) -> Option<&AnnotatedGame> {
    let Ok(ParsedRecord::Games(games)) = &record.content else { return None };
    let [game] = &games[..] else { return None };
    (!game.game.moves().is_empty() && game.tags.result.is_none() && !game.game.is_over()).then_some(game)
}

/// Returns whether a game has one move and nothing else.
fn is_move(AnnotatedGame { game, tags, unread, .. }: &AnnotatedGame, rules: &dyn AnyGame) -> bool {
    game.moves().len() == 1 && *game.start() == rules.start() && *tags == Tags::default() && unread.is_empty()
}

impl RecordStream for Lines {
    fn next(&mut self) -> io::Result<Option<Record>> {
        if let Some(record) = self.pending.pop_front() {
            return Ok(Some(record));
        }
        while let Some(bytes) = self.lines.next()? {
            let (raw, content) = read_line(&bytes);
            let content = match content {
                Ok(content) => content.map(|content| self.record(&bytes, raw, content)).transpose()?.flatten(),
                Err((column, problem)) => Some(self.error(raw, self.lines.number, column, problem)),
            };
            if let Some(record) = content {
                return Ok(Some(self.below_headings(record)));
            }
        }
        // Headings at the end of the input are errors.
        self.headings.stale.clear();
        Ok(self.headings.lines.pop_front().map(|heading| {
            let (line, raw) = (heading.place_of(0).0, heading.text.clone());
            self.context.record(line, raw, self.context.formats.parse(&heading))
        }))
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes_read()
    }

    fn deal(&mut self, shard: (u64, u64)) -> io::Result<bool> {
        self.lines.deal(shard).map(|()| true)
    }
}

impl Lines {
    fn error(&self, raw: String, line: u64, column: usize, problem: RecordProblem) -> Record {
        self.context.record(line, raw, Err(RecordError { line, column, problem }))
    }

    /// Returns the record that begins with this part of a line; `None` for an empty array.
    fn record(&mut self, bytes: &[u8], mut raw: String, content: Range<usize>) -> io::Result<Option<Record>> {
        let (line, formats) = (self.lines.number, self.context.formats);
        let place = (line, raw[..content.start].chars().count() + 1);
        if let Some(texts) = json::located(&raw[content.clone()], place) {
            if texts.is_empty() {
                return Ok(None);
            }
            let mut parsed = formats.parse(&texts);
            if let Ok(ParsedRecord::Games(games)) = &mut parsed {
                let seconds = json::seconds(&raw[content]);
                games.iter_mut().for_each(|game| game_columns::add_seconds(game, &seconds));
            }
            return Ok(Some(self.context.record(line, raw.replace('\r', "\n"), parsed)));
        }
        let comment = raw[content.end..].trim();
        let column = |part: &str| raw[..part.as_ptr() as usize - raw.as_ptr() as usize].chars().count() + 1;
        let mut comment = comment.starts_with("//").then(|| LocatedText::new(comment, (line, column(comment))));
        let mut text = LocatedText::new(&raw[content.clone()], place);
        let mut format = formats.of(&text.text);
        if self.headings.lines.len() < MAX_HEADINGS && formats.is_heading(format, &text.text) {
            // A comment sign may be part of a name: `Anna // Bob: f5d6`.
            let whole = comment.take().map(|_| LocatedText::new(raw[content.start..].trim_end(), place));
            let is_game = |whole: &LocatedText| {
                !formats.is_heading(formats.of(&whole.text), &whole.text) && formats.can_parse(&whole.text)
            };
            let Some(whole) = whole.filter(is_game) else {
                self.headings.lines.push_back(text);
                return Ok(None);
            };
            (format, text) = (formats.of(&whole.text), whole);
        }
        if let Some(begin) = format.scanner
            && self.read_on(begin(), format.has_loose_lines, bytes, &mut raw, &mut text)?
        {
            return Ok(Some(self.error(excerpt(text.text.as_bytes()), line, 1, RecordProblem::TooLong)));
        }
        let text = self.with_label(format, text);
        let record = self.games(format, line, raw, &text);
        let record = record.map(|record| self.wrapped(format, record, text)).transpose()?;
        Ok(record.map(|mut record| {
            if let Some(comment) = comment
                && let Ok(content) = &mut record.content
                && let Some(unread) = content.unread_mut().next()
            {
                unread.push(comment.unread(UnreadKind::words(&comment.text)));
            }
            record
        }))
    }

    /// Puts the headings before a game if they may be its label.
    fn with_label(&mut self, format: &'static LineFormat, text: LocatedText) -> LocatedText {
        if !format.has_loose_lines || self.headings.lines.is_empty() {
            return text;
        }
        let mut headings = self.headings.lines.iter();
        let mut joined = headings.next().cloned().unwrap_or_default();
        headings.chain([&text]).for_each(|line| joined.push('\n', line));
        let is_label = (format.detect)(&joined.text);
        self.headings.are_label = is_label;
        if is_label { joined } else { text }
    }

    /// Adds the headings to a record as ignored text.
    fn below_headings(&mut self, mut record: Record) -> Record {
        match &mut record.content {
            Ok(content) => {
                if std::mem::take(&mut self.headings.are_label) {
                    self.headings.lines.clear();
                }
                if let Some(unread) = content.unread_mut().next() {
                    unread.splice(..0, self.headings.unread());
                }
            }
            Err(_) => self.headings.stale.extend(std::mem::take(&mut self.headings.lines)),
        }
        record
    }

    /// Adds the lines after an unfinished game that continue it and are not games themselves. After
    /// one such line, a single move that could begin a game continues this one, too, if all lines
    /// have one move.
    fn wrapped(
        &mut self,
        format: &'static LineFormat,
        mut record: Record,
        mut text: LocatedText,
    ) -> io::Result<Record> {
        let formats = self.context.formats;
        let is_move = |game: &AnnotatedGame| is_move(game, formats.game);
        let (mut lines, mut pass_lines) = (1, 0);
        while format.has_loose_lines
            && self.pending.is_empty()
            && let Some(game) = unfinished(&record)
        {
            let plies = game.game.moves().len();
            let passes = game.game.moves().iter().filter(|m| m.is_pass()).count();
            let Some(line) = self.lines.peek(0)? else { break };
            let (raw, Ok(Some(content))) = read_line(line) else { break };
            let next = LocatedText::new(&raw[content.clone()], (self.lines.number + 1, content.start + 1));
            let is_result = is_lone_result(&next.text);
            let is_pass = next.text == "--" || is_pass_word(&next.text);
            // Numbers and names show where a game begins.
            let are_moves = lines > 1
                && plies - passes == lines - pass_lines
                && game.tags == Tags::default()
                && !text.text.contains('.');
            let is_part = std::ptr::eq(formats.of(&next.text), format)
                && match (format.parse)(&next.text) {
                    Ok(ParsedRecord::Games(games)) => are_moves && games.iter().all(is_move),
                    Ok(ParsedRecord::Position(_)) => false,
                    Err(_) => true,
                };
            if !is_part && !is_result && !is_pass {
                break;
            }
            let mut joined = text.clone();
            joined.push('\n', &next);
            let Ok(ParsedRecord::Games(mut games)) = formats.parse_part(format, &joined, &joined.text, 0) else {
                break;
            };
            let is_longer = games[0].game.moves().len() > plies && games[0].unread.len() <= game.unread.len();
            if !is_longer && games[0].tags.result.is_none() {
                break;
            }
            games[0].unread.clone_from(&game.unread);
            if is_longer {
                games[0].unread.push(next.unread(UnreadKind::Continuation));
            }
            self.lines.next()?;
            lines += 1;
            pass_lines += usize::from(is_pass);
            record.raw = record.raw + "\n" + &raw;
            record.content = Ok(ParsedRecord::Games(games));
            text = joined;
        }
        self.say_separate_moves(format, &mut record)?;
        Ok(record)
    }

    /// Says once that this line and the next one have one move each, and are two games.
    fn say_separate_moves(&mut self, format: &LineFormat, record: &mut Record) -> io::Result<()> {
        let Self { lines, context, has_separate_moves: is_said, .. } = self;
        let rules = context.formats.game;
        if let Ok(ParsedRecord::Games(games)) = &mut record.content
            && let [game] = &mut games[..]
            && format.has_loose_lines
            && !*is_said
            && is_move(game, rules)
            && let Some(next) = lines.peek(0)?
            && let (raw, Ok(Some(content))) = read_line(next)
            && let Ok(ParsedRecord::Games(next)) = (format.parse)(&raw[content])
            && next.iter().all(|game| is_move(game, rules))
        {
            game.unread.push(UnreadText { line: record.line, column: 1, kind: UnreadKind::SeparateMoves });
            *is_said = true;
        }
        Ok(())
    }

    /// Returns the number of blank lines that follow, up to a few.
    fn blank_lines(&mut self) -> io::Result<usize> {
        const MAX_BLANK: usize = 3;
        let mut count = 0;
        while count < MAX_BLANK && self.lines.peek(count)?.is_some_and(|line| line.trim_ascii().is_empty()) {
            count += 1;
        }
        Ok(count)
    }

    /// Adds the further lines of a multi-line game. Returns whether the game is too long; then the
    /// rest of it is skipped.
    fn read_on(
        &mut self,
        mut scanner: Box<dyn RecordScanner>,
        is_loose: bool,
        first: &[u8],
        raw: &mut String,
        text: &mut LocatedText,
    ) -> io::Result<bool> {
        scanner.add(&text.text);
        let (mut open, mut is_too_long) = (None, false);
        without_comment_within(first, &mut open);
        // A complete game is returned at once. For an incomplete game, the next line shows whether
        // it continues.
        while scanner.may_continue() {
            let blank = if is_loose { self.blank_lines()? } else { 0 };
            let Some(next) = self.lines.peek(blank)? else { break };
            let mut open_after = open.filter(|_| !next.trim_ascii_start().starts_with(b"["));
            let next = String::from_utf8_lossy(without_comment_within(next, &mut open_after)).into_owned();
            // After blank lines, only a number shows that the game continues.
            let begins_with_number = || next.trim_start().starts_with(|c: char| c.is_ascii_digit());
            if !scanner.accepts(next.trim()) || (blank > 0 && (!begins_with_number() || is_lone_result(&next))) {
                break;
            }
            for _ in 0..blank {
                self.lines.next()?;
                raw.push('\n');
            }
            self.lines.next()?;
            scanner.add(&next);
            open = open_after;
            is_too_long |= text.text.len() + next.len() > MAX_RECORD_BYTES;
            if !is_too_long {
                text.push('\n', &LocatedText::new(&next, (self.lines.number, 1)));
                raw.push('\n');
                *raw += &next;
            }
        }
        Ok(is_too_long)
    }

    /// Parses text with one or more games and returns the first record. An invalid game does not
    /// affect the others.
    fn games(&mut self, format: &LineFormat, line: u64, raw: String, located: &LocatedText) -> Option<Record> {
        let formats = self.context.formats;
        let text = located.text.trim_end();
        let parsed = formats.parse_part(format, located, text, 0);
        let starts = format.split.filter(|_| parsed.is_err()).map_or(Vec::new(), |split| split(text));
        if starts.len() < 2 {
            return Some(self.context.record(line, raw, parsed));
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let mut before = text[..starts[0]].chars().count();
        for game in starts.iter().zip(ends).map(|(&start, end)| &text[start..end]) {
            let parsed = formats.parse_part(format, located, game, before);
            self.pending.push_back(self.context.record(line, game.to_owned(), parsed));
            before += game.chars().count();
        }
        self.pending.pop_front()
    }
}
