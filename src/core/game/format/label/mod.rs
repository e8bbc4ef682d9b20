//! Labels: the names, date and result that people write before or after the moves of a game, or in
//! the lines before it.
//!
//! ```text
//! 12.05.2024 Anna - Maria 21-43 f5d6c3
//! Game 6: Anna (12) vs. Maria (52): f5d6c3
//! Black: Anna, White: Maria
//! ```
//!
//! Anything that is not understood or is ambiguous is returned as [`UnreadText`], never as a name
//! or a result.

mod date;
mod keys;
mod players;
mod score;
mod split;
#[cfg(test)]
mod tests;
mod words;

pub use date::normalized_date;
pub use split::split_label;
pub(crate) use split::{labels, labels_of_squares};
pub(crate) use words::{begins_with_board, is_remark, is_wordy, remark_from, remark_in_parentheses};
pub use words::{is_heading, is_lone_result};

pub use super::color_words::color_word;

use self::date::{DateReading, find_date, year};
use self::keys::{Key, named_values, without_count, without_hash};
use self::players::{Player, balanced, split_names, trimmed, without_between};
use self::score::{Score, draw_after, find_score, has_verdict};
use self::split::{is_between_digits, is_strong};
use self::words::MAX_LABEL;
use crate::game::movetext::is_square_name;
use crate::game::{AnnotatedGame, AnyGame, Color, GameResult, Position, Scoring, UnreadKind, UnreadText};

/// How to read the labels of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelRules {
    /// The side whose name comes first.
    pub first: Color,
    /// The number of squares of the board, if results are in discs.
    pub squares: Option<u32>,
}

impl LabelRules {
    /// Returns the rules for a game: the name of its first player comes first.
    pub fn of(game: &dyn AnyGame) -> Self {
        let is_margin = game.info().scoring == Scoring::Margin;
        Self { first: game.start().side_to_move(), squares: is_margin.then(|| game.layout().points.len() as u32) }
    }
}

/// Adds the information in labels to a game. The labels are slices of the game's text, the likelier
/// ones first. Values that the game already has take precedence.
pub(crate) fn add_labels<P: Position>(
    annotated: &mut AnnotatedGame<P>,
    rules: LabelRules,
    text: &str,
    labels: &[&str],
) {
    if labels.iter().all(|label| label.trim().is_empty()) {
        return;
    }
    let mut reader = LabelReader::new(rules);
    labels.iter().for_each(|label| reader.read(label));
    let board = annotated.game.points(rules.first).map(f64::from);
    reader.finish(board);
    let LabelReader { names, ratings, dates, results, mut unread, .. } = reader;
    let tags = &mut annotated.tags;
    for (own, name) in tags.names.iter_mut().zip(names) {
        name.into_iter().for_each(|name| put(own, name.to_owned(), name, &mut unread));
    }
    for (own, rating) in tags.ratings.iter_mut().zip(ratings) {
        rating.into_iter().for_each(|(rating, text)| put(own, rating, text, &mut unread));
    }
    dates.into_iter().for_each(|(date, text)| put(&mut tags.date, date, text, &mut unread));
    for (points, text) in results {
        put(&mut tags.result, GameResult { points }, text, &mut unread);
    }
    annotated.unread.extend(unread.into_iter().map(|(part, kind)| UnreadText::at(text, part, kind)));
    annotated.unread.sort_by_key(|unread| unread.column);
}

/// The ignored parts of the text, with the reasons.
type Unread<'a> = Vec<(&'a str, UnreadKind)>;

/// Stores a value that `part` states. If there is already another value, the part is ignored.
fn put<'a, T: PartialEq>(own: &mut Option<T>, value: T, part: &'a str, unread: &mut Unread<'a>) {
    match own {
        None => *own = Some(value),
        Some(known) if *known != value => unread.push((part, UnreadKind::words(part))),
        Some(_) => {}
    }
}

struct LabelReader<'a> {
    rules: LabelRules,
    /// The number of the current line.
    line: usize,
    /// The players, indexed by color.
    players: [Option<Player<'a>>; 2],
    /// The color that is named first, and the line in which it is named.
    order: Option<(Color, usize)>,
    /// The scores with their lines, and whether they follow a date: those may be times.
    scores: Vec<(usize, Score<'a>, bool)>,
    dates: Vec<(String, &'a str)>,
    unread: Unread<'a>,
    names: [Option<&'a str>; 2],
    ratings: [Option<(f64, &'a str)>; 2],
    /// The points by which Black won, with the text that states them.
    results: Vec<(f64, &'a str)>,
}

impl<'a> LabelReader<'a> {
    fn new(rules: LabelRules) -> Self {
        Self {
            rules,
            line: 0,
            players: [None; 2],
            order: None,
            scores: Vec::new(),
            dates: Vec::new(),
            unread: Vec::new(),
            names: [None; 2],
            ratings: [None; 2],
            results: Vec::new(),
        }
    }

    fn read(&mut self, label: &'a str) {
        if label.len() > MAX_LABEL {
            return self.leave_out(label.trim());
        }
        for line in label.split('\n') {
            self.line += 1;
            self.line(line);
        }
    }

    /// Reads a line: named values, `Black: Anna, White: Bob`, or parts between colons and bars.
    fn line(&mut self, line: &'a str) {
        let keys = named_values(line);
        let Some(first) = keys.first() else { return self.parts(line) };
        self.parts(&line[..first.0]);
        for (number, &(_, key, start)) in keys.iter().enumerate() {
            let end = keys.get(number + 1).map_or(line.len(), |next| next.0);
            let value = trimmed(&line[start..end]);
            match key {
                Key::Name(color) => self.named(color, value),
                Key::Date | Key::Result => self.parts(value),
            }
        }
    }

    /// Takes the name after its color, and the date, result and game number that follow it.
    fn named(&mut self, color: Color, value: &'a str) {
        if let Some((before, after, _)) = self.take(value) {
            self.named(color, before);
            return self.part(after);
        }
        let counted = value.rsplit_once(',').filter(|(_, after)| without_count(after.trim()).is_some());
        if let Some((before, after)) = counted {
            self.named(color, before);
            return self.part(after);
        }
        let player = Player::new(without_between(value));
        if is_square_name(player.name) {
            self.leave_out(player.name);
        } else {
            self.set(color, player);
        }
    }

    fn parts(&mut self, line: &'a str) {
        let is_end = |at: usize, c: char| is_strong(c) && !is_between_digits(line, at);
        let mut start = 0;
        for (at, c) in line.char_indices().filter(|&(at, c)| is_end(at, c)).chain([(line.len(), ' ')]) {
            self.part(&line[start..at]);
            start = (at + c.len_utf8()).min(line.len());
        }
    }

    /// Reads a part: a date, a result, a game number and the names around them.
    fn part(&mut self, part: &'a str) {
        let part = trimmed(without_hash(part));
        if part.is_empty() {
            return;
        }
        if year(part).is_some() {
            return self.dates.push((part.to_owned(), part));
        }
        if let Some(rest) = without_count(part) {
            return self.part(rest);
        }
        let Some((before, after, is_score)) = self.take(part) else { return self.players(part) };
        let is_name = |text: &str| text.contains(char::is_alphabetic) && split_names(text).is_none();
        if is_score && is_name(before) && is_name(after) && self.has_no_names() {
            let mut outer = Vec::new();
            let [first, second] = balanced([before, after], &mut outer);
            let second = self.peel(second);
            outer.into_iter().for_each(|text| self.part(text));
            let names = self.without_numbers([first, second]);
            self.pair(names);
        } else {
            self.part(before);
            self.part(after);
        }
    }

    /// Removes dates and scores from a name and stores them.
    fn peel(&mut self, name: &'a str) -> &'a str {
        match self.take(name) {
            None => name,
            Some(("", after, _)) => self.peel(after),
            Some((before, after, _)) => {
                self.part(after);
                before
            }
        }
    }

    /// Removes the first date, or else the first score, from a part. Returns the text before and
    /// after it, and whether it is a score.
    fn take(&mut self, part: &'a str) -> Option<(&'a str, &'a str, bool)> {
        let around = |found: &'a str| {
            let start = found.as_ptr() as usize - part.as_ptr() as usize;
            let before = part[..start].trim_end_matches(['(', '[', ' ']);
            (trimmed(before), trimmed(part[start + found.len()..].trim_start_matches([')', ']', ' ', '.'])))
        };
        if let Some(found) = find_date(part) {
            // The discs `20:44` after a date look like a time.
            let may_be_discs = |score: &Score| score.sides.map(|sides| sides[0] + sides[1]) == self.squares();
            let discs = found.time.and_then(find_score).filter(may_be_discs);
            let day = discs.map(|discs| found.text.strip_suffix(discs.text).unwrap_or(found.text).trim_end());
            let reading = day.and_then(find_date).map_or(found.reading, |day| day.reading);
            self.scores.extend(discs.map(|discs| (self.line, discs, true)));
            self.set_date(day.unwrap_or(found.text), reading);
            let (before, after) = around(found.text);
            return Some((before, after, false));
        }
        let score = find_score(part)?;
        if has_verdict(part, score.text) {
            self.leave_out(part);
            return Some(("", "", false));
        }
        self.scores.push((self.line, score, false));
        let (before, after) = around(score.text);
        Some((before, after, true))
    }

    fn has_no_names(&self) -> bool {
        self.players.iter().all(Option::is_none)
    }

    fn squares(&self) -> Option<f64> {
        self.rules.squares.map(f64::from)
    }

    fn set_date(&mut self, text: &'a str, reading: DateReading) {
        match reading {
            DateReading::Date(date) => self.dates.push((date, text)),
            DateReading::Ambiguous => self.unread.push((text, UnreadKind::Date(text.to_owned()))),
            DateReading::Impossible => self.unread.push((text, UnreadKind::ImpossibleDate(text.to_owned()))),
        }
    }

    /// Reads the names of two players.
    fn players(&mut self, part: &'a str) {
        match split_names(part).filter(|_| self.has_no_names()) {
            Some((outer, names)) => {
                outer.into_iter().for_each(|text| self.part(text));
                let names = self.without_numbers(names);
                self.pair(names);
            }
            None => self.leave_out(part),
        }
    }

    /// Removes everything but the names before the first one: a remark in brackets or a number with
    /// marks, `12h30`, `2024/05`, and years.
    fn without_numbers(&mut self, [first, second]: [&'a str; 2]) -> [&'a str; 2] {
        let is_number = |word: &str| {
            let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let has_mark =
                digits.starts_with(['-', '/', ':', '.', '+', 'h']) && digits.ends_with(|c: char| c.is_ascii_digit());
            word.len() > digits.len() && (has_mark || year(word).is_some())
        };
        let is_remark = |word: &str| word.starts_with('(') && word.ends_with(')') && Player::new(word).color.is_none();
        let before = first.split_once(' ').filter(|(word, _)| is_number(word) || is_remark(word));
        let after =
            second.rsplit_once(' ').filter(|(_, word)| year(word).is_some() && Player::new(first).bare.is_none());
        before.into_iter().for_each(|(word, _)| self.leave_out(word));
        after.into_iter().for_each(|(_, word)| self.leave_out(word));
        [before.map_or(first, |(_, name)| name), after.map_or(second, |(name, _)| name)]
    }

    /// Stores the names of the first and the second player, and what is written next to them.
    fn pair(&mut self, [first, second]: [&'a str; 2]) {
        let (second, draw) = draw_after(second).map_or((second, None), |(second, draw)| (second, Some(draw)));
        self.scores.extend(draw.map(|draw| (self.line, draw, false)));
        // `Black Jack` is a name, but `Black Anna - White Bob` has colors.
        let colored = [first, second].map(|name| {
            let (word, name) = name.trim_start().split_once(' ')?;
            color_word(word).filter(|_| name.contains(char::is_alphabetic)).map(|color| (color, name))
        });
        if let [Some((of_first, first)), Some((of_second, second))] = colored
            && of_first != of_second
        {
            self.set(of_first, Player::new(first));
            return self.set(of_second, Player::new(second));
        }
        if let [Some(of_first), Some(of_second)] = [first, second].map(color_word)
            && of_first != of_second
        {
            self.order.get_or_insert((of_first, self.line));
            return;
        }
        let texts = [first, second];
        let [first, second] = texts.map(Player::new);
        let of_second = second.color.map(Color::opponent);
        let is_one_color = first.color.is_some_and(|color| of_second.is_some_and(|other| other != color));
        if is_one_color || first.name.is_empty() != second.name.is_empty() {
            return texts.into_iter().for_each(|text| self.leave_out(text.trim()));
        }
        let color = first.color.or(of_second).unwrap_or(self.rules.first);
        self.set(color, first);
        self.set(color.opponent(), second);
    }

    fn set(&mut self, color: Color, player: Player<'a>) {
        if player.name.is_empty() && player.discs.is_none() {
            return;
        }
        self.order.get_or_insert((color, self.line));
        match self.players[color.index()] {
            Some(_) => self.leave_out(player.name),
            None => self.players[color.index()] = Some(player),
        }
    }

    fn leave_out(&mut self, part: &'a str) {
        if part.contains(|c: char| c.is_alphanumeric() || c == '½') {
            self.unread.push((part, UnreadKind::words(part)));
        }
    }

    /// Decides what the numbers next to the names mean, and which score is the result. `board` is
    /// the score of the side named first in a finished game.
    fn finish(&mut self, board: Option<f64>) {
        for (line, score, may_be_time) in std::mem::take(&mut self.scores) {
            let points = score.sides.and_then(|sides| self.points(sides, line, board));
            self.set_result(points.filter(|_| !may_be_time || points == board), &[score.text]);
        }
        let players = self.players;
        self.names = players.map(|player| Some(player?.name).filter(|name| !name.is_empty()));
        self.ratings = players.map(|player| player?.rating);
        let is_year = |rating: &(f64, &str)| year(rating.1).is_some();
        if let [Some(rating), None] | [None, Some(rating)] = self.ratings
            && is_year(&rating)
        {
            self.ratings = [None; 2];
            self.leave_out(rating.1);
        }
        self.set_discs(players.map(|player| player?.discs), board);
        let mut bare = players.map(|player| player?.bare);
        if let [Some((first, of_first)), Some((second, of_second))] = bare
            && of_first.0.min(of_second.0) > 100.0
            && [of_first, of_second].iter().any(|rating| !is_year(rating))
        {
            self.names = [Some(first), Some(second)];
            self.ratings = [Some(of_first), Some(of_second)];
        }
        for bare in &mut bare {
            *bare = bare.filter(|(_, (discs, _))| *discs <= 64.0);
        }
        let sum: f64 = bare.iter().flatten().map(|(_, (discs, _))| discs).sum();
        // Small numbers belong to the names: `level 10 - level 12`.
        if self.squares().is_some_and(|squares| 2.0 * sum > squares) {
            self.set_discs(bare.map(|bare| Some(bare?.1)), board);
            let names = self.names.into_iter().zip(bare);
            self.names = std::array::from_fn(|_| None);
            for (at, (name, bare)) in names.enumerate() {
                self.names[at] = bare.map(|bare| bare.0).or(name);
            }
        }
    }

    /// Stores the discs after the names, indexed by color.
    fn set_discs(&mut self, discs: [Option<(f64, &'a str)>; 2], board: Option<f64>) {
        let texts: Vec<&str> = discs.iter().flatten().map(|(_, text)| *text).collect();
        let (first, second) = (self.rules.first.index(), self.rules.first.opponent().index());
        let sides = discs[first].zip(discs[second]).map(|(first, second)| [first.0, second.0]);
        let points = sides.filter(|_| self.rules.squares.is_some()).and_then(|sides| self.rules.points(sides, board));
        self.set_result(points, &texts);
    }

    /// Stores the points of the side named first, or ignores the parts that state them.
    fn set_result(&mut self, points: Option<f64>, texts: &[&'a str]) {
        let Some(&first) = texts.first() else { return };
        let of_black = |points: f64| if self.rules.first == Color::Black { points } else { 0.0 - points };
        match points {
            Some(points) => self.results.push((of_black(points), first)),
            None => self.unread.extend(texts.iter().map(|text| (*text, UnreadKind::Score((*text).to_owned())))),
        }
    }

    /// Returns the points of the side that is usually named first, from a score in a line. If names
    /// precede the numbers in the same line, the numbers are in the order of the names.
    fn points(&self, [first, second]: [f64; 2], line: usize, board: Option<f64>) -> Option<f64> {
        let as_written = self.rules.points([first, second], board);
        let exchanged = || self.rules.points([second, first], board);
        match self.order.filter(|(color, _)| *color != self.rules.first) {
            None => as_written,
            Some((_, of_names)) if of_names == line => exchanged(),
            // The numbers may be in the order of the names or in the usual order.
            Some(_) => {
                [as_written, exchanged()].into_iter().flatten().find(|points| first == second || board == Some(*points))
            }
        }
    }
}
