//! [`MoveTree`] as text: moves with comments in braces and variations in parentheses, as in PGN.

use std::fmt;

use super::movetext::{leading_tag, squares};
use super::pgn::{read_note, write_note, write_words};
use crate::game::{AnyMove, AnyPosition, Game, MoveTree, Note, Position as _, UnreadKind, UnreadText, is_pass_word};

/// The move glyphs, in the order of their numbers in PGN, from 1.
const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

impl MoveTree {
    /// Reads moves with their comments, `{a remark}`, notes, `{+1.5 0.2s}`, glyphs, `?!`, and
    /// variations, `(1... f6)`. Each line ends before its first illegal move.
    #[must_use]
    pub fn read(start: AnyPosition, text: &str) -> Self {
        read(start, text, AnyPosition::find_move).0
    }
}

/// Reads the comments and variations among the moves of a text with tags; `None` if there are none.
/// Also returns the illegal moves; each ends a variation.
pub(crate) fn read_remarks(
    text: &str,
    game: impl FnOnce() -> Game,
    find: impl Fn(&AnyPosition, &str) -> Option<AnyMove>,
) -> (Option<MoveTree>, Vec<UnreadText>) {
    let mut moves = text;
    while let Some((_, after)) = leading_tag(moves.trim_start()) {
        moves = after;
    }
    // Most games have only moves and notes.
    let is_remark = |(at, _): (usize, &str)| read_note(&moves[at..]).is_none();
    if !moves.contains(['(', ';', '!', '?', '$']) && !moves.match_indices('{').any(is_remark) {
        return (None, Vec::new());
    }
    let game = game();
    let (mut tree, mut illegal) = read(*game.start(), moves, find);
    let is_whole = tree.promote(game.moves());
    if !is_whole {
        // The comments cannot be distinguished from the moves.
        illegal = moves.find(['{', '(', ';']).map(|at| moves[at..].trim_end()).into_iter().collect();
    }
    let unread = illegal.iter().map(|word| UnreadText::at(text, word, UnreadKind::words(word))).collect();
    (Some(tree).filter(|tree| is_whole && !tree.is_plain()), unread)
}

fn read(start: AnyPosition, text: &str, find: impl Fn(&AnyPosition, &str) -> Option<AnyMove>) -> (MoveTree, Vec<&str>) {
    let (mut tree, mut illegal) = (MoveTree::new(start), Vec::new());
    // After an illegal move, the rest of its variation is skipped. Then `at` is `None`, and only
    // the number of open parentheses matters.
    let (mut at, mut before, mut skipped) = (Some(0), Vec::new(), 0_usize);
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let Some((part, after)) =
            rest.chars().next().map(|first| rest.split_at(part_len(rest, first, before.is_empty())))
        else {
            break;
        };
        rest = after;
        match part.as_bytes()[0] {
            b'(' => match at.filter(|_| before.len() < MoveTree::MAX_DEPTH) {
                Some(from) => {
                    before.push(from);
                    at = tree.parent(from);
                }
                None => skipped += 1,
            },
            b')' if skipped > 0 => skipped -= 1,
            _ if skipped > 0 => {}
            b')' => match before.pop() {
                Some(open) => at = Some(open),
                None => break,
            },
            b'{' | b';' => {
                if let Some(at) = at {
                    let node = tree.node_mut(at);
                    match read_note(part).filter(|_| node.note == Note::default()) {
                        Some(note) => node.note = note,
                        None => node.add_comment(part.trim_start_matches(['{', ';']).trim_end_matches('}')),
                    }
                }
            }
            b'!' | b'?' | b'$' => {
                let number = part.strip_prefix('$').map(|number| number.parse().unwrap_or(0_usize).wrapping_sub(1));
                let glyphs = number.map_or(part, |number| GLYPHS.get(number).copied().unwrap_or_default());
                at.into_iter().for_each(|at| tree.node_mut(at).glyphs += glyphs);
            }
            _ if part.trim_end_matches(['.', ')', ':']).bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => {
                let Some(from) = at else { continue };
                let mut play = |at: usize, word: &str| {
                    tree.play(at, |position| match is_pass_word(word) {
                        true => position.forced_pass(),
                        false => find(position, word),
                    })
                };
                // The man captured by a mill may be a separate word: `g1 xa4`.
                if rest.trim_start().starts_with('x') {
                    let (captured, after) = rest.trim_start().split_at(part_len(rest.trim_start(), 'x', false));
                    if let Some(next) = play(from, &format!("{part}{captured}")) {
                        (at, rest) = (Some(next), after);
                        continue;
                    }
                }
                at = play(from, part).or_else(|| squares(part)?.into_iter().try_fold(from, &mut play));
                if at.is_none() && before.is_empty() {
                    break;
                }
                // Other words are remarks, such as the time that the move took.
                let is_counted = illegal.len() < MoveTree::MAX_ILLEGAL;
                if at.is_none() && is_counted && tree.node(from).position.explain_illegal(part).is_some() {
                    illegal.push(part);
                }
            }
        }
    }
    (tree, illegal)
}

/// Returns the length of the part at the start of a text that begins with this character: a
/// comment, a parenthesis, glyphs, a move number or a word. On the main line, a parenthesis after a
/// number is part of the number: `1) f5`.
fn part_len(text: &str, first: char, is_main: bool) -> usize {
    let run = |is_part: fn(char) -> bool| {
        let rest = text[first.len_utf8()..].trim_start_matches(is_part);
        text.len() - rest.len()
    };
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match first {
        '{' => text.find('}').map_or(text.len(), |end| end + 1),
        ';' => text.find('\n').unwrap_or(text.len()),
        '(' | ')' => 1,
        '!' | '?' => run(|c| matches!(c, '!' | '?')),
        '$' => run(|c| c.is_ascii_digit()),
        _ if digits.starts_with('.') => text.len() - digits.trim_start_matches('.').len(),
        _ if is_main && first.is_ascii_digit() && digits.starts_with([')', ':']) => text.len() - digits.len() + 1,
        _ => run(|c| !c.is_whitespace() && !"(){}!?$;,".contains(c)),
    }
}

impl fmt::Display for MoveTree {
    /// Writes the moves with comments and variations, in the notation of the game, but no move
    /// numbers, notes or glyphs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writer = Writer { tree: self, name: &|m| m.to_string(), is_pgn: false };
        f.write_str(&writer.words(0).join(" "))
    }
}

/// Writes the moves of a tree for PGN, as `pgn::write_moves` does without a tree.
pub(crate) fn write_tree(
    tree: &MoveTree,
    name: &dyn Fn(AnyMove) -> String,
    begins_second: bool,
    result: &str,
) -> String {
    write_words(Writer { tree, name, is_pgn: true }.words(usize::from(begins_second)), result)
}

struct Writer<'a> {
    tree: &'a MoveTree,
    /// Returns the text of a move.
    name: &'a dyn Fn(AnyMove) -> String,
    /// Whether move numbers, notes and glyphs are written.
    is_pgn: bool,
}

impl Writer<'_> {
    fn words(&self, ply: usize) -> Vec<String> {
        let mut words = Vec::new();
        self.add_remarks(&mut words, 0);
        self.add_line(&mut words, 0, ply, true);
        words
    }

    /// Adds the moves after a node. `begins` is true if the first move needs its number.
    fn add_line(&self, words: &mut Vec<String>, mut at: usize, mut ply: usize, mut begins: bool) {
        while let [first, others @ ..] = self.tree.children(at) {
            self.add_move(words, *first, ply, begins);
            for &other in others {
                let start = words.len();
                self.add_move(words, other, ply, true);
                self.add_line(words, other, ply + 1, false);
                words[start].insert(0, '(');
                words.last_mut().expect("a variation has a move").push(')');
            }
            (at, ply, begins) = (*first, ply + 1, !others.is_empty());
        }
    }

    fn add_move(&self, words: &mut Vec<String>, at: usize, ply: usize, begins: bool) {
        let node = self.tree.node(at);
        if self.is_pgn && (begins || ply.is_multiple_of(2)) {
            words.push(format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." }));
        }
        let glyphs = if self.is_pgn { node.glyphs.as_str() } else { "" };
        words.push(node.played.map_or_else(String::new, self.name) + glyphs);
        self.add_remarks(words, at);
    }

    fn add_remarks(&self, words: &mut Vec<String>, at: usize) {
        let node = self.tree.node(at);
        words.extend(write_note(node.note).filter(|_| self.is_pgn));
        if !node.comment.is_empty() {
            let comment = format!("{{{}}}", node.comment);
            // Otherwise it would be read as an evaluation or a time.
            let is_note = self.is_pgn && node.note == Note::default() && read_note(&comment).is_some();
            let comment = if is_note { format!("{{\"{}\"}}", node.comment) } else { comment };
            words.extend(comment.split(' ').map(str::to_owned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::othello::Position;

    fn start() -> AnyPosition {
        any_game::<Position>().start()
    }

    /// Reads a text and writes it in PGN style.
    fn pgn(text: &str) -> String {
        write_tree(&MoveTree::read(start(), text), &|m| m.to_string(), false, "*").trim().replace('\n', " ")
    }

    #[test]
    fn trees_round_trip() {
        for text in [
            "1. f5 d6 (1... f6 {good} 2. e6) 2. c3 *",
            "{the start} 1. f5?! {-1.5} {[%csl Ge5] a remark} (1. d3 {+2} c3 (1... e3)) 1... d6 2. c3 *",
            "1. f5 d6 (1... f4) (1... f6 2. e6 f4) 2. c3?? d3 *",
        ] {
            assert_eq!(pgn(text), text);
            let tree = MoveTree::read(start(), text);
            let plain = tree.to_string();
            assert_eq!(MoveTree::read(start(), &plain).to_string(), plain, "{text}");
        }
        let tree = MoveTree::read(start(), "f5 {a} {+1} {b\n{c} ; d\n d6 $6 (f6!) (f4) c3");
        assert_eq!(tree.to_string(), "f5 {a b (c d} d6 (f6) (f4) c3");
        assert_eq!(pgn("1.f5 d6$4 f5d6"), "1. f5 d6?? *");
    }

    #[test]
    fn illegal_moves_end_their_line() {
        let read = |text| {
            let game = || "f5d6".parse::<Game<Position>>().unwrap().any();
            let (tree, unread) = read_remarks(text, game, AnyPosition::find_move);
            (tree.map(|tree| tree.to_string()), unread.iter().map(|unread| unread.column).collect::<Vec<_>>())
        };
        let text = "1. f5 d6 (1... f6 2. a1 {lost} (2. e6)) (0:12) (1... h8) *";
        assert_eq!(read(text), (Some("f5 d6 (f6)".to_owned()), vec![22, 54]));
        let tagged = read("[White \"one\"]\n{start} f5d6 {good}");
        assert_eq!(tagged, (Some("{start} f5 d6 {good}".to_owned()), vec![]));
        let deep = format!("f5 d6 {}", "(f6 (f4 ".repeat(3000) + &")".repeat(6000));
        assert_eq!(MoveTree::read(start(), &deep).to_string(), "f5 d6 (f6) (f4)");
        assert_eq!(read("f5 d6 c3 {good}"), (None, vec![10]));
        for text in ["f5 d6 {+1 0.2s}", "f5 d6", "f5 d6 (0:12)"] {
            assert_eq!(read(text), (None, vec![]), "{text}");
        }
    }

    #[test]
    fn numbers_and_lines_are_written_in_many_ways() {
        let read = |text: &str| {
            let game = || "f5d6c3".parse::<Game<Position>>().unwrap().any();
            let (tree, unread) = read_remarks(text, game, AnyPosition::find_move);
            (tree.map(|tree| tree.to_string()), unread.len())
        };
        for (text, tree) in [
            ("1 f5 {good} d6 2 c3 (2 c4)", "f5 {good} d6 c3 (c4)"),
            ("1) f5 {good} d6 2) c3 (0:12)", "f5 {good} d6 c3"),
            ("1: f5 {good} d6 2: c3", "f5 {good} d6 c3"),
            ("1. f5 (1. f5 f6) d6 {good} 2. c3", "f5 d6 {good} (f6) c3"),
        ] {
            assert_eq!(read(text), (Some(tree.to_owned()), 0), "{text}");
        }
        assert_eq!(pgn("1. f5 {+1} {-2} d6"), "1. f5 {+1} {-2} d6 *");
        assert_eq!(read("1. f5 d6?! 2. c3").0, Some("f5 d6 c3".to_owned()), "glyphs are remarks");
        assert_eq!(read("f5 e6 {good}"), (None, 1), "what cannot be told from the moves is reported");
        let illegal = format!("f5 d6 {} c3", "(a1) ".repeat(3000));
        assert_eq!(read(&illegal), (None, MoveTree::MAX_ILLEGAL));
        let morris = crate::games::get("nine-mens-morris").unwrap().start();
        let tree = MoveTree::read(morris, "1. a7 d2 2. d7 b2 3. g7 xd2 {good} g1 (3... d2 {b})");
        assert_eq!(tree.to_string(), "a7 d2 d7 b2 g7xd2 {good} g1 (d2 {b})");
    }

    #[test]
    fn lines_end_after_two_thousand_plies() {
        let tree = MoveTree::read(start(), "f5 d6");
        assert_eq!(tree.main_line().count(), 3);
        let morris = crate::games::get("nine-mens-morris").unwrap().start();
        let placed = "a7 g7 d7 d6 a4 f6 b6 b4 c5 d5 e5 c4 e4 f4 g4 c3 d3 a1 ";
        let text = placed.to_owned() + &"e4-e3 a1-d1 e3-e4 d1-a1 ".repeat(800);
        assert_eq!(MoveTree::read(morris, &text).main_line().count(), 2001);
    }

    #[test]
    fn lines_are_wrapped_and_read_back() {
        let text = format!("f5 {{{}}} d6 (f6 {{b}}) c3", "a long remark ".repeat(20).trim());
        let written = write_tree(&MoveTree::read(start(), &text), &|m| m.to_string(), false, "*");
        assert!(written.lines().all(|line| line.len() <= 80) && written.lines().count() > 3, "{written}");
        assert_eq!(MoveTree::read(start(), &written).to_string(), text);
    }
}
