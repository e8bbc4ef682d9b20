//! The structure of PGN, which several games share: tags such as `[White "one"]`, then numbered
//! moves on any number of lines, with comments in braces and a result at the end.

use std::fmt::Write as _;

use super::label::normalized_date;
use super::movetext::{OpenAnnotations, Tag, leading_tag};
use crate::game::{Color, GameResult, Note, RecordScanner, Tags, Termination};
use crate::printable::in_a_line;

/// The maximum width of a line of moves, in characters.
const WIDTH: usize = 80;

const STRING: &str = "writing to a string cannot fail";

/// Finds the end of a game: after its result, or before a tag that follows its moves or repeats one
/// of its tags. Blank lines within a game are allowed. An unclosed comment or variation ends before
/// a tag that follows a blank line, so that it does not swallow the next game.
#[derive(Debug, Clone)]
pub(crate) struct PgnScanner {
    is_result: fn(&str) -> bool,
    /// The names of the tags read so far.
    tags: Vec<String>,
    /// A result in a variation does not end the game.
    annotations: OpenAnnotations,
    /// Whether anything other than tags was read.
    has_moves: bool,
    ended: bool,
    /// Whether the last line was blank.
    after_blank: bool,
}

impl PgnScanner {
    /// Creates a scanner for games whose results are recognized by `is_result`.
    pub fn new(is_result: fn(&str) -> bool) -> Self {
        Self {
            is_result,
            tags: Vec::new(),
            annotations: OpenAnnotations::default(),
            has_moves: false,
            ended: false,
            after_blank: false,
        }
    }
}

impl RecordScanner for PgnScanner {
    fn add(&mut self, line: &str) {
        self.after_blank = line.trim().is_empty();
        let mut rest = line;
        while let Some((tag, after)) = leading_tag(rest.trim_start()).filter(|_| !self.annotations.is_in_comment()) {
            self.tags.push(tag.name.to_owned());
            rest = after;
        }
        let text = self.annotations.outside(rest, true);
        self.has_moves |= self.annotations.has_variation() || !text.trim().is_empty();
        self.ended |= text.split_whitespace().any(self.is_result);
    }

    fn may_continue(&self) -> bool {
        self.annotations.is_open() || !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        let Some((tag, _)) = leading_tag(next.trim_start()) else { return self.may_continue() };
        let is_open = self.annotations.is_open();
        let begins_game = if is_open { self.after_blank } else { self.has_moves };
        let repeats = !is_open && self.after_blank && self.tags.iter().any(|name| name == tag.name);
        self.may_continue() && !begins_game && !repeats
    }
}

/// The names of the tags for which [`Tags`] has a field.
const NAMES: [&str; 8] = ["Event", "Date", "Time", "White", "Black", "WhiteElo", "BlackElo", "Termination"];

/// Other tags that are computed when writing, if they apply.
const WRITTEN: [&str; 3] = ["Result", "SetUp", "FEN"];

/// Required PGN tags for which [`Tags`] has no field.
const SITE: &str = "Site";
const ROUND: &str = "Round";

/// Returns whether PGN allows a tag of this name.
fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The values of the tags, unescaped.
#[derive(Debug, Default)]
pub(crate) struct TagValues {
    values: [Option<String>; NAMES.len()],
    others: Vec<(String, String)>,
}

impl TagValues {
    /// Adds a tag. Returns false if it is a duplicate of a tag that has a field.
    pub fn add(&mut self, tag: Tag<'_>) -> bool {
        if let Some(at) = NAMES.iter().position(|&name| name == tag.name) {
            return self.values[at].replace(unescape(tag.value)).is_none();
        }
        if let Some(value) = known_value(unescape(tag.value)).filter(|_| !WRITTEN.contains(&tag.name)) {
            self.others.push((tag.name.to_owned(), value));
        }
        true
    }

    /// Returns the metadata of the game.
    pub fn tags(self, result: Option<GameResult>) -> Tags {
        let [event, date, time, white, black, white_rating, black_rating, ending] = self.values;
        let termination = ending.as_deref().and_then(Termination::read);
        let date = date.and_then(known_value).and_then(iso_date);
        let date = match (date, time.and_then(known_value)) {
            (Some(date), Some(time)) => Some(format!("{date} {time}")),
            (date, _) => date,
        };
        Tags {
            names: [black, white].map(|name| name.and_then(known_value)),
            ratings: [black_rating, white_rating]
                .map(|rating| rating?.trim().parse().ok().filter(|rating: &f64| rating.is_finite())),
            tournament: event.and_then(known_value),
            date,
            result,
            termination,
            theoretical: None,
            others: self.others,
        }
    }
}

/// Returns the trimmed value of a tag; `None` if it is empty, `?` or `-`, which mean unknown.
fn known_value(value: String) -> Option<String> {
    let is_unknown = matches!(value.trim(), "" | "?" | "-");
    (!is_unknown).then(|| value.trim().to_owned())
}

/// Converts `2012.05.01` to `2012-05-01` and `2012.??.??` to `2012`, and other text if it is a
/// date.
fn iso_date(date: String) -> Option<String> {
    let parts: Vec<_> = date.split('.').collect();
    let is_part =
        |(part, len): (&&str, usize)| part.len() == len && part.bytes().all(|b| b.is_ascii_digit() || b == b'?');
    if parts.len() != 3 || !parts.iter().zip([4, 2, 2]).all(is_part) {
        return Some(normalized_date(&date));
    }
    let known: Vec<_> = parts.into_iter().take_while(|part| !part.contains('?')).collect();
    (!known.is_empty()).then(|| known.join("-"))
}

/// Unescapes a value.
pub(crate) fn unescape(value: &str) -> String {
    let mut text = String::new();
    let mut escaped = false;
    for c in value.chars() {
        escaped = c == '\\' && !escaped;
        if !escaped {
            text.push(c);
        }
    }
    text
}

/// Writes a tag as a line.
pub(crate) fn write_tag(name: &str, value: &str) -> String {
    let value = in_a_line(value);
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes the tags of a game, one per line. `first` is the side that moves first.
pub(crate) fn write_tags(tags: &Tags, first: Color, result: &str) -> String {
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    let other = |of: &str| {
        let others = tags.others.iter().filter(|(name, _)| name == of);
        others.map(|(name, value)| write_tag(name, value)).collect::<String>()
    };
    let mut text = write_tag("Event", &or_unknown(&tags.tournament)) + &other(SITE);
    let (date, time) = date_and_time(tags.date.as_deref());
    text += &write_tag("Date", &date);
    if let Some(time) = time {
        text += &write_tag("Time", &time);
    }
    text += &other(ROUND);
    let sides = [first, first.opponent()];
    for side in sides {
        text += &write_tag(&side.to_string(), &or_unknown(&tags.names[side.index()]));
    }
    for side in sides {
        if let Some(rating) = tags.ratings[side.index()] {
            text += &write_tag(&format!("{side}Elo"), &rating.to_string());
        }
    }
    text += &write_tag("Result", result);
    if let Some(termination) = tags.termination {
        text += &write_tag("Termination", termination.pgn_name());
    }
    let is_written = |name: &str| [SITE, ROUND].contains(&name) || NAMES.contains(&name) || WRITTEN.contains(&name);
    let rest = tags.others.iter().filter(|(name, _)| is_tag_name(name) && !is_written(name));
    rest.for_each(|(name, value)| text += &write_tag(name, value));
    text
}

/// Writes a date in any known form as `2012-05-01`, followed by its time.
pub(crate) fn iso_date_and_time(date: &str) -> String {
    let (day, time) = date_and_time(Some(date));
    let day = day.replace('.', "-").trim_end_matches("-??").to_owned();
    time.map_or(day.clone(), |time| format!("{day} {time}"))
}

/// Splits `2012-05-01 12:33:18`, or `2012.05.01_12:33:18.MST` as in GGF, into the date `2012.05.01`
/// and the time with its zone; unknown parts of the date become `??`.
fn date_and_time(date: Option<&str>) -> (String, Option<String>) {
    let Some(date) = date else { return ("????.??.??".to_owned(), None) };
    let (day, time) = date.split_once([' ', '_']).map_or((date, None), |(day, time)| (day, Some(time)));
    let parts: Vec<_> = day.split(['-', '.']).collect();
    let is_part = |(part, len): (&&str, usize)| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().zip([4, 2, 2]).all(is_part) {
        return (date.to_owned(), None);
    }
    let part = |i: usize| parts.get(i).copied().unwrap_or("??");
    let zoned = |time: &str| match time.rsplit_once('.') {
        Some((time, zone)) if zone.bytes().all(|byte| byte.is_ascii_alphabetic()) => format!("{time} {zone}"),
        _ => time.to_owned(),
    };
    (format!("{}.{}.{}", part(0), part(1), part(2)), time.map(zoned))
}

/// Writes a note as a comment, as fastchess does: the evaluation for the side that moved, the
/// depth, then the time.
pub(crate) fn write_note(note: Note) -> Option<String> {
    let depth = note.depth.map_or_else(String::new, |depth| format!("/{depth}"));
    let eval = note.eval.map(|eval| format!("{eval:+}{depth}"));
    let parts: Vec<_> = eval.into_iter().chain(note.seconds.map(|seconds| format!("{seconds}s"))).collect();
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(" ")))
}

/// Reads the note in the comment at the start of the text, after the glyphs of the move:
/// `{+1.2 0.5s}` or `{-3.5/12 0.5s}`. A remark is not a note.
pub(crate) fn read_note(text: &str) -> Option<Note> {
    let text = text.trim_start_matches(['!', '?']).trim_start();
    let (inner, _) = text.strip_prefix('{')?.split_once('}')?;
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let mut note = Note::default();
    for word in inner.split_whitespace() {
        if let Some(seconds) = word.strip_suffix('s').and_then(number).filter(|&seconds| seconds >= 0.0) {
            note.seconds = Some(seconds);
        } else {
            let (eval, depth) = word.split_once('/').map_or((word, None), |(eval, depth)| (eval, Some(depth)));
            note.eval = Some(Some(eval).filter(|eval| eval.starts_with(['+', '-'])).and_then(number)?);
            note.depth = depth.and_then(|depth| depth.parse().ok());
        }
    }
    (note != Note::default()).then_some(note)
}

/// Writes the moves of a game, given as text, after a blank line: with their numbers, their notes
/// and the result, in lines of at most 80 characters. `begins_second` is true if the side that
/// usually moves second makes the first move.
pub(crate) fn write_moves(
    moves: impl IntoIterator<Item = String>,
    notes: &[Note],
    begins_second: bool,
    result: &str,
) -> String {
    let mut words = Vec::new();
    let mut notes = notes.iter();
    for (ply, text) in (usize::from(begins_second)..).zip(moves) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if words.is_empty() {
            words.push("1...".to_owned());
        }
        words.push(text);
        words.extend(notes.next().copied().and_then(write_note));
    }
    write_words(words, result)
}

/// Writes the words of the moves and the result in lines, after a blank line.
pub(crate) fn write_words(words: Vec<String>, result: &str) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words.iter().map(String::as_str).chain([result]) {
        let fits = width > 0 && width + 1 + word.len() <= WIDTH;
        write!(text, "{}{word}", if fits { ' ' } else { '\n' }).expect(STRING);
        width = if fits { width + 1 + word.len() } else { word.len() };
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::first_record_lines;

    /// Returns the number of lines in the first game.
    fn first_game(text: &str) -> usize {
        first_record_lines(&mut PgnScanner::new(|word| matches!(word, "*" | "1-0")), text)
    }

    #[test]
    fn a_game_ends_after_its_result_or_before_the_next_tags() {
        assert_eq!(first_game("[A \"a\"]\n\n1. f5 *\n[A \"b\"]"), 3);
        assert_eq!(first_game("[A \"a\"]\n1. f5\n[A \"b\"]\n1. f5"), 2);
        assert_eq!(first_game("[A \"a\"]\n1. f5\n( 1... f6 * )\n(1... f4\n1-0) 2. c3 *\n1. f5"), 5);
        assert_eq!(first_game("[A \"a\"]\n1. f5 ; not the end: *\nd6 *\n1. f5"), 3);
        assert_eq!(first_game("[A \"a\"]\n[B \"b\"]\n\n[A \"c\"]\n1. f5 *"), 3);
        assert_eq!(first_game("[A \"a\"]\n\n[B \"b\"]\n1. f5 *\n1. f5"), 4);
        assert_eq!(first_game("[A \"a\"]\n1. f5 (f6\n\n[A \"b\"]\n1. f5 *"), 3);
    }

    #[test]
    fn other_tags_that_pgn_cannot_have_are_left_out() {
        let names = ["", "Q\"", "a b", "White", "SetUp", "Time_1", "Site"];
        let others = names.map(|name| (name.to_owned(), "x".to_owned())).to_vec();
        let text = write_tags(&Tags { others, ..Tags::default() }, Color::Black, "*");
        let written: Vec<_> = text.lines().map(|line| leading_tag(line).unwrap().0.name).collect();
        assert_eq!(written, ["Event", "Site", "Date", "Black", "White", "Result", "Time_1"]);
    }

    #[test]
    fn dates_of_all_formats_are_written() {
        for (date, day, time) in [
            ("2003.12.15_13:24:03.MST", "2003.12.15", Some("13:24:03 MST")),
            ("2003-12-15 13:24:03", "2003.12.15", Some("13:24:03")),
            ("2003-12", "2003.12.??", None),
            ("2003.12.15", "2003.12.15", None),
            ("spring of 2003", "spring of 2003", None),
            ("15.12.2003", "15.12.2003", None),
        ] {
            assert_eq!(date_and_time(Some(date)), (day.to_owned(), time.map(str::to_owned)), "{date}");
        }
        assert_eq!(date_and_time(None).0, "????.??.??");
    }

    #[test]
    fn notes_are_comments_of_their_moves() {
        let note = |eval, seconds| Note { eval, seconds, ..Note::default() };
        let deep = Note { depth: Some(12), ..note(Some(0.34), Some(1.5)) };
        let notes =
            [note(Some(1.5), Some(0.25)), note(None, None), note(Some(-2.0), None), note(None, Some(3.0)), deep];
        let moves = ["f5", "d6", "c3", "d3", "c4"].map(str::to_owned);
        assert_eq!(
            write_moves(moves, &notes, false, "*"),
            "\n1. f5 {+1.5 0.25s} d6 2. c3 {-2} d3 {3s} 3. c4 {+0.34/12 1.5s} *\n"
        );
        for written in notes {
            let text = write_note(written).unwrap_or_default();
            assert_eq!(read_note(&format!("!? {text} d6")), (!text.is_empty()).then_some(written), "{text}");
        }
        for text in ["", "d6 {+1}", "{}", "{1.5}", "{-4 is lost}", "{books}", "{+1", "{-1s}", "{+inf}"] {
            assert_eq!(read_note(text), None, "{text}");
        }
    }

    #[test]
    fn moves_of_the_second_side_begin_with_dots() {
        let moves = ["d6", "c3", "d3"].map(str::to_owned);
        assert_eq!(write_moves(moves.clone(), &[], true, "*"), "\n1... d6 2. c3 d3 *\n");
        assert_eq!(write_moves(moves, &[], false, "*"), "\n1. d6 c3 2. d3 *\n");
        assert_eq!(write_moves([], &[], true, "*"), "\n*\n");
    }
}
