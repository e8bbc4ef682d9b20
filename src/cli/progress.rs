//! Progress on the standard error.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

/// The time between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(3);

/// When and how progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// A bar, if the standard error is a terminal
    Auto,
    /// A bar; plain lines if the standard error is no terminal
    Always,
    /// None
    Never,
    /// A line every few seconds
    Plain,
}

/// Shows how far the work is; may be shared by threads.
pub(super) enum Progress {
    /// Nothing is shown.
    Silent,
    /// A bar on a terminal.
    Bar {
        /// The bar.
        bar: ProgressBar,
        /// Whether the output goes to the same terminal.
        beside_output: bool,
    },
    /// A line now and then.
    Plain {
        /// What is done.
        what: &'static str,
        /// When the last line was written.
        last: Mutex<Option<Instant>>,
    },
}

impl Progress {
    /// Begins; `what` names the work, and `output_on_terminal` says whether its output may be where the bar is.
    pub(super) fn new(mode: Mode, what: &'static str, output_on_terminal: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        match mode {
            Mode::Never => Self::Silent,
            Mode::Auto if !terminal => Self::Silent,
            Mode::Auto | Mode::Always if terminal => {
                let bar = ProgressBar::no_length();
                bar.set_style(
                    ProgressStyle::with_template("{prefix} {elapsed} {wide_bar} {percent:>3} % {msg}")
                        .expect("the template is well formed"),
                );
                bar.set_prefix(what);
                // Work that takes long between two steps still shows that it is alive.
                bar.enable_steady_tick(Duration::from_millis(250));
                Self::Bar { bar, beside_output: output_on_terminal }
            }
            _ => Self::Plain { what, last: Mutex::new(None) },
        }
    }

    /// Shows that `done` of `total` is done; a total of `None` is not known. The message is made only if it is shown.
    pub(super) fn set(&self, done: u64, total: Option<u64>, message: impl FnOnce() -> String) {
        match self {
            Self::Silent => {}
            Self::Bar { bar, .. } => {
                if let Some(total) = total {
                    bar.set_length(total);
                }
                bar.set_position(done);
                bar.set_message(message());
            }
            Self::Plain { .. } => {
                let share = total.filter(|&total| total > 0).map(|total| format!("{} % ", done * 100 / total));
                self.plain(|| share.unwrap_or_default() + &message());
            }
        }
    }

    /// Writes a plain line, unless the last one is too recent.
    fn plain(&self, message: impl FnOnce() -> String) {
        let Self::Plain { what, last } = self else { return };
        let mut last = last.lock().expect("no thread panics while it shows progress");
        if last.is_none_or(|last| last.elapsed() >= PLAIN_INTERVAL) {
            *last = Some(Instant::now());
            // Progress that nobody reads is no reason to fail.
            let _ = writeln!(std::io::stderr(), "{what}: {}", message());
        }
    }

    /// Shows how far a part of the work is, until more of the whole is done. The message is made only if it is shown.
    pub(super) fn note(&self, message: impl FnOnce() -> String) {
        match self {
            Self::Silent => {}
            Self::Bar { bar, .. } => bar.set_message(message()),
            Self::Plain { .. } => self.plain(message),
        }
    }

    /// Runs something that writes to what may be the same terminal.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match self {
            // To draw the bar anew costs more than most rows: only where it must be.
            Self::Bar { bar, beside_output: true } => bar.suspend(write),
            _ => write(),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// Writes a time as people do: `7s`, `4m 05s`, `2h 03m`.
pub(super) fn in_words(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_people_do() {
        assert_eq!([7, 245, 7384].map(in_words), ["7s", "4m 05s", "2h 03m"]);
    }
}
