//! [`PrintedDivision`]: the counts below each move, as another program printed them.
//!
//! ```text
//! f5: 12
//! d6 9
//! Nodes: 21
//! ```
//!
//! A line contains a move and its count, or the total, which is optional. Other lines and other
//! words are skipped, so the table of `morello perft --divide` can be read too. A list ends with
//! its total, or before a move that it already contains, so a text may contain several lists.

use std::collections::HashSet;

use super::Division;
use crate::game::{AnyGame, AnyMove, AnyPosition, Position as _, is_pass_word};

/// The words before a total, as in `Nodes searched: 56`; `-` is in the table of
/// `morello perft --divide`.
const TOTALS: [&str; 4] = ["nodes", "searched", "total", "-"];

/// The counts below each move of one position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrintedDivision {
    /// The line number of the first move, counted from 1.
    pub line: usize,
    /// The moves as printed, each with the number of leaves below it.
    pub moves: Vec<(String, u64)>,
    /// The total that the other program printed.
    pub total: Option<u64>,
}

/// Reads all lists in the text. Text without moves contains no list.
///
/// ```
/// use morello::games;
/// use morello::perft::read_divisions;
///
/// let lists = read_divisions(games::get("othello")?, "perft 2\nd3: 3\nc4: 3\nNodes: 6\n");
/// assert_eq!(lists[0].moves, [("d3".to_owned(), 3), ("c4".to_owned(), 3)]);
/// assert_eq!((lists[0].line, lists[0].total), (2, Some(6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn read_divisions(game: &dyn AnyGame, text: &str) -> Vec<PrintedDivision> {
    let mut lists = Vec::new();
    let mut list = PrintedDivision::default();
    let mut seen = HashSet::new();
    for (line, text) in (1..).zip(text.lines()) {
        match read_line(game, text) {
            Some((Some(m), nodes)) => {
                if list.total.is_some() || !seen.insert(m.to_ascii_lowercase()) {
                    lists.push(std::mem::take(&mut list));
                    seen = HashSet::from([m.to_ascii_lowercase()]);
                }
                list.line = if list.moves.is_empty() { line } else { list.line };
                list.moves.push((m, nodes));
            }
            Some((None, total)) => list.total = Some(total),
            None => {}
        }
    }
    lists.push(list);
    lists.retain(|list| !list.moves.is_empty());
    lists
}

/// Returns the move of a line with its count. The move is `None` on the line of a total.
fn read_line(game: &dyn AnyGame, line: &str) -> Option<(Option<String>, u64)> {
    let line = line.replace(':', " ");
    let words: Vec<_> = line.split_whitespace().collect();
    words.windows(2).find_map(|two| {
        let (word, nodes) = (two[0], two[1].parse().ok()?);
        let is_total = TOTALS.iter().any(|total| total.eq_ignore_ascii_case(word));
        (is_total || is_move(game, word)).then(|| ((!is_total).then(|| word.to_owned()), nodes))
    })
}

/// Returns whether a word has the form of a move of the game.
fn is_move(game: &dyn AnyGame, word: &str) -> bool {
    let start = game.start();
    is_pass_word(word) || start.find_move(word).is_some() || start.explain_illegal(word).is_some()
}

/// A move in a position, with morello's count and another program's count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ComparedMove {
    /// The move, if it is legal.
    pub m: Option<AnyMove>,
    /// The move in morello's notation; an illegal move as it was printed.
    pub text: String,
    /// morello's count; `None` if the move is illegal.
    pub ours: Option<u64>,
    /// The other program's count; `None` if it lacks the move.
    pub theirs: Option<u64>,
}

impl ComparedMove {
    /// Returns whether both programs have the move.
    #[must_use]
    pub fn is_common(&self) -> bool {
        self.ours.is_some() && self.theirs.is_some()
    }

    /// Returns whether both programs have the move with the same count.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.ours == self.theirs
    }
}

/// Compares the counts below the moves of a position. The legal moves come first, in their order,
/// then the moves that only the other program has.
///
/// ```
/// use morello::games;
/// use morello::perft::{Convention, compare_divisions, read_divisions};
///
/// let start = games::get("othello")?.start();
/// let perft = games::perft("othello")?;
/// let ours = perft.divide(&start, 2, Convention::default());
/// let theirs = &read_divisions(start.game(), "d3: 3\nc4: 2\nf5: 3\na1: 9")[0];
/// let mut compared = compare_divisions(&start, &ours, theirs);
/// compared.retain(|m| !m.agrees());
/// let wrong: Vec<_> = compared.iter().map(|m| (m.text.as_str(), m.ours, m.theirs)).collect();
/// assert_eq!(wrong, [("c4", Some(3), Some(2)), ("e6", Some(3), None), ("a1", None, Some(9))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn compare_divisions(position: &AnyPosition, ours: &[Division], theirs: &PrintedDivision) -> Vec<ComparedMove> {
    let read = |text: &str| position.forced_pass().filter(|_| is_pass_word(text)).or_else(|| position.find_move(text));
    let theirs: Vec<_> = theirs.moves.iter().map(|(text, nodes)| (read(text), text, *nodes)).collect();
    let legal = ours.iter().map(|division| ComparedMove {
        m: Some(division.root),
        text: division.root.to_string(),
        ours: Some(division.nodes),
        theirs: theirs.iter().find(|(m, ..)| *m == Some(division.root)).map(|&(.., nodes)| nodes),
    });
    let illegal = theirs.iter().filter(|(m, ..)| m.is_none()).map(|&(_, text, nodes)| ComparedMove {
        m: None,
        text: text.clone(),
        ours: None,
        theirs: Some(nodes),
    });
    legal.chain(illegal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::{morris, othello};

    type Nine = morris::Position<morris::NineMensMorris>;

    /// Reads a text. Each list is returned as `move count, ...; total`.
    fn read(game: &dyn AnyGame, text: &str) -> Vec<String> {
        let shown = |list: &PrintedDivision| {
            let moves: Vec<_> = list.moves.iter().map(|(m, nodes)| format!("{m} {nodes}")).collect();
            let total = list.total.map_or(String::new(), |total| format!("; {total}"));
            format!("{}{total}", moves.join(", "))
        };
        read_divisions(game, text).iter().map(shown).collect()
    }

    fn othello(text: &str) -> Vec<String> {
        read(any_game::<othello::Position>(), text)
    }

    #[test]
    fn reads_moves_with_counts_and_the_total() {
        for text in [
            "d3: 349\nc4: 1047\n\nNodes: 1396\n",
            "perft test\nd3 349\nc4:1047\r\nNodes searched: 1396\nTime: 0.5 s\nNodes/second: 1200000\n",
            "1. d3 349\n2. c4 1047\ntotal 1396",
            "othello  --OX-- X  5  d3   349      -  passes-count\n\
             othello  --OX-- X  5  c4  1047      -  passes-count\n\
             othello  --OX-- X  5  -   1396  0.189  passes-count\n",
        ] {
            assert_eq!(othello(text), ["d3 349, c4 1047; 1396"], "{text}");
        }
        let nine = any_game::<Nine>();
        assert_eq!(read(nine, "a7-a4xb6: 12\nd2 7"), ["a7-a4xb6 12, d2 7"]);
        assert_eq!(read(nine, "nine-mens-morris  7,8 d2,d6 f4 B      2  a1   20  -  passes-count\n"), ["a1 20"]);
        assert_eq!(othello("pass: 5\nPA 6"), ["pass 5, PA 6"]);
        for text in ["", "hello\nworld 5", "d3: 0.25", "depth 5\nNodes: 1396\n"] {
            assert!(othello(text).is_empty(), "{text}: {:?}", othello(text));
        }
    }

    #[test]
    fn splits_several_lists() {
        assert_eq!(othello("d3: 1\nc4: 2\nNodes: 3\nc3: 4\nNodes: 4\n"), ["d3 1, c4 2; 3", "c3 4; 4"]);
        assert_eq!(othello("d3: 1\nc4: 2\nD3: 4\n"), ["d3 1, c4 2", "D3 4"]);
        let lists = read_divisions(any_game::<othello::Position>(), &"\nd3: 1\nc4: 1\n".repeat(10_000));
        assert_eq!((lists.len(), lists[0].line, lists[1].line), (10_000, 2, 5));
    }

    #[test]
    fn compares_the_moves_of_a_position() {
        let position = any_game::<othello::Position>().start();
        let ours: Vec<_> = position.legal_moves().map(|root| Division { root, nodes: 3 }).collect();
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
    fn every_word_for_a_pass_is_the_pass() {
        let game = any_game::<othello::SizedPosition<4>>();
        let positions = (0..1000).map(|seed| *game.random_game(seed, 3 + seed as usize % 9).position());
        let position = positions.into_iter().find(|position| position.forced_pass().is_some()).unwrap();
        let ours = [Division { root: position.forced_pass().unwrap(), nodes: 1 }];
        for pass in ["pass", "PS", "pa"] {
            let theirs = &read_divisions(position.game(), &format!("{pass}: 1"))[0];
            assert!(compare_divisions(&position, &ours, theirs)[0].agrees(), "{pass}");
        }
    }
}
