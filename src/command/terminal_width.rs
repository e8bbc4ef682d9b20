//! The width of the terminal.

use std::io::{self, IsTerminal};

/// Returns the width of the terminal that standard output writes to, in characters: `COLUMNS` if it
/// is set, else the terminal's own. `None` if standard output is a file or a pipe.
pub fn of_stdout() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let own = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    of_columns(std::env::var("COLUMNS").ok().as_deref()).or_else(own).filter(|&width| width > 0)
}

/// Reads the variable `COLUMNS`.
fn of_columns(text: Option<&str>) -> Option<usize> {
    text?.trim().parse().ok().filter(|&width| width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_columns() {
        let texts = [Some("132"), Some(" 80 "), Some("0"), Some("wide"), Some(""), None];
        assert_eq!(texts.map(of_columns), [Some(132), Some(80), None, None, None, None]);
    }
}
