//! The width that tables and help fit.

use std::io::{self, IsTerminal};

/// Returns the width of standard output, in characters: the environment variable `COLUMNS` if it is set, also for a
/// file or a pipe, otherwise the width of the terminal. Returns `None` if neither exists.
pub fn of_stdout() -> Option<usize> {
    let own = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let columns = of_columns(std::env::var("COLUMNS").ok().as_deref());
    columns.or_else(|| own().filter(|_| io::stdout().is_terminal())).filter(|&width| width > 0)
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
