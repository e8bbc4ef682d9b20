//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::RecordScanner;

/// Collects the lines of a numbered move list: a list continues in lines that are a result or start with a suitable number, until its result.
#[derive(Debug)]
pub(crate) struct NumberedMovesScanner {
    is_result: fn(&str) -> bool,
    /// Returns whether a number at the start of a line continues a list that named so many squares in its moves.
    continues: fn(squares: usize, number: &str, line: &str) -> bool,
    is_open: bool,
    has_started: bool,
    squares: usize,
}

impl NumberedMovesScanner {
    /// Creates a scanner for lists whose results are recognized by `is_result`. `continues` gets the number of squares in the moves so far, the
    /// number at the start of the next line, and that line.
    pub fn new(is_result: fn(&str) -> bool, continues: fn(usize, &str, &str) -> bool) -> Self {
        Self { is_result, continues, is_open: false, has_started: false, squares: 0 }
    }
}

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        let is_numbered = if self.has_started { self.is_open } else { move_number(line.trim_start()).is_some() };
        self.has_started = true;
        self.is_open = is_numbered && !line.split_whitespace().any(self.is_result);
        self.squares += count_squares(line);
    }

    fn may_continue(&self) -> bool {
        self.is_open
    }

    fn accepts(&self, next: &str) -> bool {
        let next = next.trim();
        let continues = |number| (self.continues)(self.squares, number, next);
        self.is_open && ((self.is_result)(next) || move_number(next).is_some_and(continues))
    }
}

/// Returns the number of squares named in a line outside comments in braces.
fn count_squares(line: &str) -> usize {
    let mut in_comment = false;
    let is_outside = |&byte: &u8| {
        in_comment = (in_comment || byte == b'{') && byte != b'}';
        !in_comment
    };
    let outside: Vec<u8> = line.bytes().filter(is_outside).collect();
    let is_square = |pair: &&[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    outside.windows(2).filter(is_square).count()
}

/// Returns the move number at the start of a text, `12` for `12. d2`. A dot, a parenthesis, a colon or a space must follow it.
pub(crate) fn move_number(text: &str) -> Option<&str> {
    let (number, rest) = text.split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    let is_marked = rest.starts_with(['.', ')', ':']);
    // A number may be an evaluation or a result: without a mark, a letter must follow.
    let is_bare = || rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_ascii_alphabetic());
    (!number.is_empty() && (is_marked || is_bare())).then_some(number)
}

/// Returns the text after the mark of a move number.
pub(crate) fn after_mark(text: &str) -> &str {
    match text.strip_prefix([')', ':']) {
        Some(rest) => rest,
        None => text.trim_start_matches('.'),
    }
}

/// Splits a label, such as the names of the players in `Anna - Bob: f5d6`, from the moves after its colon. `begins` is whether a text begins like
/// moves.
pub(crate) fn split_label(text: &str, begins: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let (label, moves) = text.split_once(':')?;
    let is_number = label.trim().bytes().all(|byte| byte.is_ascii_digit());
    let is_label = !is_number && !label.contains([';', '{', '[']) && !label.trim_start().starts_with('(');
    (is_label && begins(moves)).then_some((label, moves))
}

/// Returns the names in a label such as `Anna - Bob` or `12. Anna - Bob`, in their order.
pub(crate) fn label_names(label: &str) -> [Option<String>; 2] {
    // A number counts games only if it has a mark: `3 Kings` is a name.
    let label = label.trim();
    let number = move_number(label).map_or("", |number| number);
    let label = if label[number.len()..].starts_with(' ') { label } else { after_mark(&label[number.len()..]) };
    let names = [" - ", " \u{2013} ", " vs. ", " vs ", " v "].into_iter().find_map(|between| label.split_once(between));
    names.map_or([None, None], |(first, second)| [first, second].map(|name| Some(name.trim().to_owned())))
}
