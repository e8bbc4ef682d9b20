//! The style of a drawn board: colors and Unicode, by the terminal and the options.

use std::env;
use std::io::{self, IsTerminal as _};

use clap::ValueEnum;
use morello_play::text::draw::Style;

/// When to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorMode {
    Auto,
    Always,
    Never,
}

/// Returns the style of the board: plain unless the output is a capable terminal.
pub(super) fn board_style(when: ColorMode) -> Style {
    let variable = |name| env::var(name).unwrap_or_default();
    let is_capable = || io::stdout().is_terminal() && !["", "dumb"].contains(&variable("TERM").as_str());
    let color = match when {
        ColorMode::Auto => is_capable() && variable("NO_COLOR").is_empty(),
        ColorMode::Always => true,
        ColorMode::Never => false,
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|value| !value.is_empty());
    let is_utf8 = locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    Style { color, unicode: is_utf8 && is_capable() }
}
