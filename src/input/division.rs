//! [`PrintedDivision`]: the counts below each move that a program printed, such as `perft --divide` of this or of another program.
//!
//! Most programs print a line for each move, in one of these forms:
//!
//! ```text
//! f5: 12            f5 12             1. f5 = 12          f5 - 12          a7-a4xb6: 1,234
//! Nodes: 1396       Total: 1396       perft(5) = 1396     the total, which is optional
//! ```
//!
//! Tables with the columns `move` and `nodes`, in aligned columns or CSV, and JSON objects are read as well. Other lines are skipped. A list ends
//! with its total, before a move that it already has, and before a heading with a depth, such as `depth 5`, `Depth: 5` or `perft 5`, so a text may
//! contain several lists.

use std::collections::HashSet;

use super::columns;
use super::count_text::{MAX_DEPTH, whole_number};
use super::perft_counts::COUNT_COLUMNS;
use crate::game::{AnyGame, AnyMove, AnyPosition, Position as _, is_pass_word};
use crate::perft::Division;

/// The counts below each move of one position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrintedDivision {
    /// The moves in their order.
    pub moves: Vec<PrintedMove>,
    /// The total that the program printed.
    pub total: Option<u64>,
    /// The depth, in tables that have it or from a heading.
    pub depth: Option<u32>,
}

/// A move and the count below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedMove {
    /// The line number, from 1.
    pub line: usize,
    /// The move as printed.
    pub text: String,
    /// The number of leaves.
    pub nodes: u64,
}

/// Words in the line of a total.
const TOTAL_WORDS: [&str; 6] = ["nodes", "total", "sum", "perft", "leaves", "leaf"];

/// The content of a line.
enum Content {
    Move(String, u64),
    Total(u64),
}

/// Reads all lists of a text. A text without a move gives no list.
#[must_use]
pub fn read_divisions(game: &dyn AnyGame, text: &str) -> Vec<PrintedDivision> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut lists = Lists::default();
    let mut header = None;
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(found) = Header::read(text) {
            header = Some(found);
            continue;
        }
        if let Some(depth) = heading(text) {
            lists.heading = Some(depth);
            continue;
        }
        let (depth, contents) = match header.as_ref().and_then(|header| header.row(text)) {
            Some((depth, content)) => (depth, vec![content]),
            None => (None, json_line(text).unwrap_or_else(|| read_line(game, text).into_iter().collect())),
        };
        contents.into_iter().for_each(|content| lists.add(line, depth, content));
    }
    lists.finish()
}

/// The lists read so far.
#[derive(Default)]
struct Lists {
    complete: Vec<PrintedDivision>,
    list: PrintedDivision,
    /// The moves of the list, in lower case.
    seen: HashSet<String>,
    /// Whether the total came after the moves.
    has_ended: bool,
    /// The depth of a heading without a move after it yet.
    heading: Option<u32>,
}

impl Lists {
    fn add(&mut self, line: usize, depth: Option<u32>, content: Content) {
        let has_moves = !self.list.moves.is_empty();
        let begins_another = match &content {
            Content::Move(text, _) => {
                self.has_ended
                    || self.seen.contains(&text.to_ascii_lowercase())
                    || (has_moves && self.heading.is_some())
            }
            // Some programs print the total before the moves.
            Content::Total(_) => self.list.total.is_some() && has_moves,
        };
        if begins_another || (depth.is_some() && self.list.depth.is_some() && depth != self.list.depth) {
            self.complete.push(std::mem::take(&mut self.list));
            self.seen.clear();
            self.has_ended = false;
        }
        self.list.depth = self.list.depth.or(depth).or(self.heading.take());
        match content {
            Content::Move(text, nodes) => {
                self.seen.insert(text.to_ascii_lowercase());
                self.list.moves.push(PrintedMove { line, text, nodes });
            }
            Content::Total(nodes) => {
                self.list.total = Some(nodes);
                self.has_ended = !self.list.moves.is_empty();
            }
        }
    }

    fn finish(mut self) -> Vec<PrintedDivision> {
        // The depth may follow the moves.
        self.list.depth = self.list.depth.or(self.heading);
        self.complete.push(self.list);
        self.complete.retain(|list| !list.moves.is_empty());
        self.complete
    }
}

/// Reads a heading with the depth of a list: `depth 5`, `Depth: 5`, `perft(5)` or `--- go perft 5:`.
fn heading(line: &str) -> Option<u32> {
    const WORDS: [&str; 11] = ["depth", "perft", "divide", "go", "at", "to", "of", "for", "the", "ply", "plies"];
    let lower = line.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (mut depth, mut named) = (None, false);
    for word in words {
        match word.parse() {
            Ok(number) if depth.is_none() && number <= MAX_DEPTH => depth = Some(number),
            Err(_) if WORDS.contains(&word) => named |= ["depth", "perft", "divide", "plies"].contains(&word),
            _ => return None,
        }
    }
    // `perft: 56` and `perft = 56` are totals.
    let is_total = !lower.contains("depth") && lower.trim_end_matches([':', ' ', '-', '=']).contains([':', '=']);
    depth.filter(|_| named && !is_total)
}

/// The columns of a table.
struct Header {
    split: Split,
    columns: usize,
    m: usize,
    nodes: usize,
    depth: Option<usize>,
}

/// How the fields of a row are separated.
#[derive(Clone, Copy)]
enum Split {
    Delimiter(u8),
    /// Two or more spaces.
    Spaces,
}

impl Split {
    fn fields(self, line: &str) -> Vec<String> {
        match self {
            Self::Delimiter(delimiter) => columns::fields(line, delimiter).unwrap_or_default(),
            Self::Spaces => {
                let fields = line.split("  ").map(str::trim).filter(|field| !field.is_empty());
                fields.map(str::to_owned).collect()
            }
        }
    }
}

impl Header {
    /// Reads a header; `None` if a line is none.
    fn read(line: &str) -> Option<Self> {
        // Few lines need to be split.
        let is_candidate = line.as_bytes().windows(4).any(|word| word.eq_ignore_ascii_case(b"move"));
        is_candidate.then_some(())?;
        [Split::Delimiter(b','), Split::Delimiter(b';'), Split::Delimiter(b'\t'), Split::Spaces].into_iter().find_map(
            |split| {
                let names = split.fields(line);
                let place = |name: &str| names.iter().position(|other| other.trim().eq_ignore_ascii_case(name));
                let nodes = COUNT_COLUMNS.iter().find_map(|name| place(name))?;
                Some(Self { split, columns: names.len(), m: place("move")?, nodes, depth: place("depth") })
            },
        )
    }

    /// Reads a row: its depth and its content; `None` if a line is none.
    fn row(&self, line: &str) -> Option<(Option<u32>, Content)> {
        let fields = self.split.fields(line);
        if fields.len() != self.columns {
            return None;
        }
        let nodes = whole_number(&fields[self.nodes])?;
        let content = match fields[self.m].trim() {
            "" | "-" => Content::Total(nodes),
            m => Content::Move(m.to_owned(), nodes),
        };
        Some((self.depth.and_then(|depth| fields[depth].parse().ok()), content))
    }
}

/// Reads a JSON object: `{"move": "f5", "nodes": 12}`, or `{"f5": 12, "d6": 9}`.
fn json_line(line: &str) -> Option<Vec<Content>> {
    let line = line.trim().trim_start_matches('[').trim_end_matches([',', ']']);
    let object: serde_json::Map<String, serde_json::Value> =
        line.starts_with('{').then(|| serde_json::from_str(line).ok())??;
    let nodes = COUNT_COLUMNS.iter().find_map(|name| object.get(*name)?.as_u64());
    match (object.get("move"), nodes) {
        (Some(serde_json::Value::String(m)), Some(nodes)) => Some(vec![Content::Move(m.clone(), nodes)]),
        (_, Some(nodes)) => Some(vec![Content::Total(nodes)]),
        _ => Some(object.into_iter().filter_map(|(m, nodes)| Some(Content::Move(m, nodes.as_u64()?))).collect()),
    }
}

/// Reads a line of text; `None` if it has neither a move with a count nor a total.
fn read_line(game: &dyn AnyGame, line: &str) -> Option<Content> {
    let line = line.trim().trim_start_matches(['|', '*', '"', '\'']).trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    // A number of the move in the list.
    let numbered = digits.trim_start_matches(['.', ')', ':', ' ', '\t']);
    let unnumbered = if digits.len() < line.len() && numbered.len() < digits.len() { numbered } else { line };
    [unnumbered, line].into_iter().find_map(|line| move_of(game, line)).or_else(|| total(line))
}

/// Reads a move and its count.
fn move_of(game: &dyn AnyGame, line: &str) -> Option<Content> {
    let is_end = |c: char| c.is_whitespace() || ":=,;|>\"'".contains(c);
    let (word, mut rest) = line.split_at(line.find(is_end).unwrap_or(line.len()));
    let mut text = word.to_owned();
    if !is_move(game, word) {
        // `f5-12` and `f5->12`
        let (m, after) = word.rsplit_once('-').filter(|(m, _)| is_move(game, m))?;
        text = m.to_owned();
        rest = &line[line.len() - rest.len() - after.len()..];
    }
    // A capture may be a word of its own: `a7-a4 xb6`.
    let next = rest.trim_start();
    let capture = next.split(is_end).next().unwrap_or_default();
    if capture.starts_with(['x', 'X']) && is_move(game, &format!("{text}{capture}")) {
        text += capture;
        rest = &next[capture.len()..];
    }
    let rest = rest.trim_start_matches([' ', '\t', ':', '=', '-', '>', ',', ';', '|', '"', '\'']);
    let number = rest.split(|c: char| !(c.is_ascii_digit() || ",'_".contains(c))).next().unwrap_or_default();
    let after = rest[number.len()..].chars().next();
    // Not a fraction, such as an evaluation or a time.
    if after.is_some_and(|c| c == '.' || c.is_alphanumeric()) && rest[number.len()..].len() > 1 {
        return None;
    }
    Some(Content::Move(text, whole_number(number.trim_end_matches([',', '\'']))?))
}

/// Returns whether a word has the form of a move of the game.
fn is_move(game: &dyn AnyGame, word: &str) -> bool {
    let start = game.start();
    is_pass(word) || start.find_move(word).is_some() || start.why_illegal(word).is_some()
}

fn is_pass(word: &str) -> bool {
    is_pass_word(word) || word == "--"
}

/// Reads the line of a total: the number after the word, or the second one if the first is the depth.
fn total(line: &str) -> Option<Content> {
    let lower = line.to_lowercase();
    if ["/s", "per s", "nps"].iter().any(|speed| lower.contains(speed)) {
        return None;
    }
    let (at, word) = TOTAL_WORDS.iter().find_map(|word| Some((lower.find(word)?, *word)))?;
    // `Leaf nodes at depth 2: 12`
    let value = lower[at..].split_once([':', '=']).filter(|(label, _)| label.contains("depth"));
    let mut numbers = numbers(value.map_or(&lower[at..], |(_, value)| value));
    let first = numbers.next();
    // `1396 nodes`
    let before = || self::numbers(&lower[..at]).last();
    let second = numbers.next();
    // `perft 5` has only a depth.
    let is_depth = word == "perft" && second.is_none() && !lower[at..].contains([':', '=']);
    let number = if word == "perft" { second.or(first).filter(|_| !is_depth) } else { first };
    number.or_else(before).map(Content::Total)
}

fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || ",'_".contains(c)));
    words.filter_map(|word| whole_number(word.trim_matches([',', '\''])))
}

/// A move of a position with our count and that of another program; `None` where a program lacks the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedMove {
    /// The move, if it is legal.
    pub m: Option<AnyMove>,
    /// The move as we write it; an illegal move as printed.
    pub text: String,
    /// Our count; `None` if the move is illegal.
    pub ours: Option<u64>,
    /// The count of the other program; `None` if it lacks the move.
    pub theirs: Option<u64>,
}

impl ComparedMove {
    /// Returns whether both programs have the move with the same count.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.ours.is_some() && self.ours == self.theirs
    }
}

/// Compares the counts below the moves of a position: our moves in their order, then those that only the other program has.
#[must_use]
pub fn compare_divisions(
    position: &AnyPosition,
    ours: &[Division<AnyMove>],
    theirs: &PrintedDivision,
) -> Vec<ComparedMove> {
    let read = |text: &str| match position.forced_pass().filter(|_| is_pass(text)) {
        Some(pass) => Some(pass),
        None => position.find_move(text),
    };
    let mut same = vec![None; ours.len()];
    let mut illegal = Vec::new();
    for printed in &theirs.moves {
        match read(&printed.text).map(|m| ours.iter().position(|division| division.root == m)) {
            Some(Some(place)) => same[place] = same[place].or(Some(printed.nodes)),
            Some(None) => {}
            None => illegal.push(ComparedMove {
                m: None,
                text: printed.text.clone(),
                ours: None,
                theirs: Some(printed.nodes),
            }),
        }
    }
    let compared = ours.iter().zip(same).map(|(division, theirs)| ComparedMove {
        m: Some(division.root),
        text: division.root.to_string(),
        ours: Some(division.nodes),
        theirs,
    });
    compared.chain(illegal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// Reads a text; each list as `move count, ...; total`.
    fn read(game: &str, text: &str) -> Vec<String> {
        let shown = |list: &PrintedDivision| {
            let moves: Vec<_> = list.moves.iter().map(|m| format!("{} {}", m.text, m.nodes)).collect();
            let total = list.total.map_or(String::new(), |total| format!("; {total}"));
            let depth = list.depth.map_or(String::new(), |depth| format!(" at {depth}"));
            format!("{}{total}{depth}", moves.join(", "))
        };
        read_divisions(games::get(game).unwrap(), text).iter().map(shown).collect()
    }

    #[test]
    fn reads_the_forms_of_many_programs() {
        for text in [
            "d3: 349\nc4: 1047\n\nNodes: 1396\n",
            "perft test\nd3 349\nc4 1,047\nNodes searched: 1396\nTime: 0.5 s\n",
            "1. d3 = 349\n2. c4 = 1047\ntotal = 1396",
            "1) d3 349\n2) c4 1047\nperft(5) = 1396",
            " 1 d3 349\n 2 c4 1047\n1396 nodes",
            "d3 - 349\nc4 - 1'047\nTotal moves and leaves: 1396",
            "d3->349\nc4 -> 1047\nsum 1396",
            "d3-349\nc4-1047\nperft 5: 1396",
            "\u{feff}d3: 349\rc4: 1047\rNodes/second: 1200000\rLeaf nodes at depth 5: 1396",
            "| d3 | 349 |\n| c4 | 1047 |\n| total | 1396 |",
            "move,nodes\nd3,349\nc4,1047\n,1396\n",
            "move  count  time\nd3      349  0.1\nc4     1047  0.2\n-      1396  0.3\n",
            "{\"move\":\"d3\",\"nodes\":349}\n{\"move\":\"c4\",\"nodes\":1047}\n{\"move\":null,\"nodes\":1396}\n",
            "{\"d3\": 349, \"c4\": 1047}\ntotal 1396",
            "[{\"move\":\"d3\",\"nodes\":349},\n{\"move\":\"c4\",\"nodes\":1047},\n{\"nodes\":1396}]",
            "Total: 1396\nd3: 349 (25.0 %)\nc4: 1047 (75.0 %)",
        ] {
            assert_eq!(read("othello", text), ["d3 349, c4 1047; 1396"], "{text}");
        }
        for text in ["a7-a4xb6: 12\nd2 - 7", "a7-a4 xb6: 12\nd2: 7\n", "a7-a4xb6 12\n d2 7", "a7-a4xb6-12\nd2-7"] {
            assert_eq!(read("nine-mens-morris", text), ["a7-a4xb6 12, d2 7"], "{text}");
        }
        assert_eq!(read("othello", "--: 5\n"), ["-- 5"]);
        assert_eq!(read("othello", "pass: 5\nPA 6"), ["pass 5, PA 6"]);
        for text in ["", "hello\nworld 5", "d3: 0.25", "depth 5\nNodes: 1396\n", "time d3 12"] {
            assert!(read("othello", text).is_empty(), "{text}: {:?}", read("othello", text));
        }
    }

    #[test]
    fn splits_several_lists() {
        let lists = ["d3 1, c4 2; 3", "c3 4; 4"];
        assert_eq!(read("othello", "d3: 1\nc4: 2\nNodes: 3\nc3: 4\nNodes: 4\n"), lists);
        assert_eq!(read("othello", "Nodes: 3\nd3: 1\nc4: 2\nNodes: 4\nc3: 4\n"), lists);
        assert_eq!(read("othello", "d3: 1\nc4: 2\nD3: 4\n"), ["d3 1, c4 2", "D3 4"]);
        let table = "depth,move,nodes\n1,d3,1\n1,c4,1\n2,d3,3\n2,c4,3\n2,,6\n";
        assert_eq!(read("othello", table), ["d3 1, c4 1 at 1", "d3 3, c4 3; 6 at 2"]);
    }

    #[test]
    fn headings_have_the_depth_of_a_list() {
        for heading in
            ["depth 5", "perft 5", "Depth: 5", "perft(5)", "Perft 5:", "--- go perft 5 ---", "divide 5", "depth=5"]
        {
            let text = format!("{heading}\nd3: 349\nc4 1047\nNodes: 1396\n");
            assert_eq!(read("othello", &text), ["d3 349, c4 1047; 1396 at 5"], "{heading}");
        }
        // A heading begins another list, also if its moves differ from those before it.
        let text = "Depth: 2\n\nd3: 1\nc4: 2\n\nDepth: 1\nc3: 1\n";
        assert_eq!(read("othello", text), ["d3 1, c4 2 at 2", "c3 1 at 1"]);
        assert_eq!(read("othello", "perft 2\nTotal: 3\nd3: 1\nc4: 2\nperft 1\nTotal: 1\nc3: 1\n").len(), 2);
        for after in ["d3: 1\nDepth: 2", "d3: 1\nDepth: 2\nNodes: 1"] {
            assert!(read("othello", after)[0].ends_with(" at 2"), "{after}");
        }
        for total in ["perft: 56", "perft = 56", "perft 256", "depth 300"] {
            assert!(heading(total).is_none(), "{total}");
        }
    }

    #[test]
    fn reads_and_compares_long_lists() {
        let games = games::get("othello").unwrap();
        let text: String = (0..20_000).map(|at| format!("a{at}: 1\n")).collect();
        let word = |m: &PrintedMove| m.text.clone();
        // Only squares are moves; the same ones begin a list each.
        let lists = read_divisions(games, &format!("{text}{}", "d3: 1\nc4: 1\n".repeat(10_000)));
        assert_eq!(
            (lists.len(), lists.last().map(|list| list.moves.iter().map(word).collect::<Vec<_>>().join(" "))),
            (10_000, Some("d3 c4".to_owned()))
        );
        let list = PrintedDivision {
            moves: (0..20_000).map(|at| PrintedMove { line: at, text: format!("x{at}"), nodes: 1 }).collect(),
            ..PrintedDivision::default()
        };
        assert_eq!(compare_divisions(&games.start(), &[], &list).len(), 20_000);
    }

    #[test]
    fn compares_the_moves_of_a_position() {
        let position = games::get("othello").unwrap().start();
        let nodes = [3, 3, 3, 3];
        let ours: Vec<_> = position.legal_moves().zip(nodes).map(|(root, nodes)| Division { root, nodes }).collect();
        let theirs = &read_divisions(position.game(), "E6: 3\nD3: 4\na1: 5\nf5: 3\n")[0];
        let compared = compare_divisions(&position, &ours, theirs);
        let shown: Vec<_> =
            compared.iter().map(|m| format!("{} {:?} {:?} {}", m.text, m.ours, m.theirs, m.agrees())).collect();
        assert_eq!(
            shown,
            [
                "d3 Some(3) Some(4) false",
                "c4 Some(3) None false",
                "f5 Some(3) Some(3) true",
                "e6 Some(3) Some(3) true",
                "a1 None Some(5) false"
            ]
        );
    }

    #[test]
    fn every_spelling_of_a_pass_is_the_pass() {
        let game = games::get("othello-4x4").unwrap();
        let positions = (0..1000).map(|seed| *game.random_game(seed, 3 + seed as usize % 9).position());
        let position = positions.into_iter().find(|position| position.forced_pass().is_some()).unwrap();
        let ours = [Division { root: position.forced_pass().unwrap(), nodes: 1 }];
        for pass in ["pass", "PS", "pa", "--"] {
            let theirs = &read_divisions(position.game(), &format!("{pass}: 1"))[0];
            assert!(compare_divisions(&position, &ours, theirs)[0].agrees(), "{pass}");
        }
    }
}
