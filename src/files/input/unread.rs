//! [`unread_note`]: a remark on the parts of a record's text that were ignored.

use morello_core::game::UnreadText;

/// Returns a remark on the parts of the record's text that were ignored, with the columns of parts
/// on its first `line` and the lines of other parts; `None` if nothing was ignored.
///
/// ```
/// use morello::games;
/// use morello::input::{read_text, unread_note};
///
/// let game = read_text(games::get("othello")?, "Tiger: f5d6c3")?.game;
/// assert_eq!(unread_note(1, game.unread.iter()).as_deref(), Some("column 1: left out: `Tiger`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn unread_note<'a>(line: u64, unread: impl Iterator<Item = &'a UnreadText>) -> Option<String> {
    let place = |unread: &UnreadText| match unread.line == line {
        true => format!("column {}", unread.column),
        false => format!("line {}, column {}", unread.line, unread.column),
    };
    let notes: Vec<_> = unread.map(|unread| format!("{}: {unread}", place(unread))).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
