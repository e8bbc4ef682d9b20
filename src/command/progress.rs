//! Progress on standard error.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};
use morello_core::printable::printable;

use super::help;

/// The time between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(3);

/// The option that controls progress.
#[derive(Debug, Clone, Copy, Args)]
pub struct ProgressArguments {
    /// When to show progress on standard error
    #[arg(long = "progress", value_enum, default_value = "auto", value_name = "WHEN",
        help_heading = help::OUTPUT, hide_short_help = true)]
    mode: ProgressMode,
}

/// When progress is shown, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProgressMode {
    /// A bar if standard error is a terminal, else nothing
    Auto,
    /// A bar if standard error is a terminal, else plain lines
    Always,
    /// Nothing
    Never,
    /// A line every few seconds
    Plain,
}

/// A progress display; threads can share it.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    /// When the work was first shown, and how much was done then: an interrupted work may have been
    /// resumed.
    first: OnceLock<(Instant, u64)>,
}

#[derive(Debug)]
enum Display {
    /// Shows nothing.
    Silent,
    /// A bar on a terminal.
    Bar {
        /// The bar.
        bar: ProgressBar,
        /// Whether the output may go to the same terminal.
        beside_output: bool,
    },
    /// Writes a line every few seconds.
    Plain {
        /// The name of the work.
        what: &'static str,
        /// When the last line was written.
        last: Mutex<Option<Instant>>,
    },
}

/// The bar on the terminal; there is one at a time.
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

fn shown_bar() -> MutexGuard<'static, Option<WeakProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to the terminal beside a bar that another part of the program may show.
pub fn beside(write: impl FnOnce()) {
    match shown_bar().as_ref().and_then(WeakProgressBar::upgrade) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

impl Progress {
    /// Starts a display. `what` names the work; `output_on_terminal` is whether its output may go
    /// to the same terminal.
    pub fn new(arguments: ProgressArguments, what: &'static str, output_on_terminal: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let display = match arguments.mode {
            ProgressMode::Never => Display::Silent,
            ProgressMode::Auto if !terminal => Display::Silent,
            ProgressMode::Auto | ProgressMode::Always if terminal => {
                let bar = ProgressBar::no_length();
                bar.set_style(style("{prefix} {elapsed} {wide_msg}"));
                bar.set_prefix(what);
                // The elapsed time advances during long steps.
                bar.enable_steady_tick(Duration::from_millis(250));
                *shown_bar() = Some(bar.downgrade());
                Display::Bar { bar, beside_output: output_on_terminal }
            }
            _ => Display::Plain { what, last: Mutex::new(None) },
        };
        Self { display, first: OnceLock::new() }
    }

    /// Shows that `done` of `total` is done, and the time left; `None` is an unknown total. The
    /// message is built only if it is shown.
    pub fn set(&self, done: u64, total: Option<u64>, message: &dyn Fn() -> String) {
        let with_time_left = || {
            let &(start, before) = self.first.get_or_init(|| (Instant::now(), done));
            let left = total.and_then(|total| seconds_left(start.elapsed(), before, done, total));
            message() + &left.map_or_else(String::new, |seconds| format!(", {} left", format_duration(seconds)))
        };
        match &self.display {
            Display::Silent => {}
            Display::Bar { bar, .. } => {
                if let Some(total) = total {
                    if bar.length().is_none() {
                        bar.set_style(style("{prefix} {elapsed} {wide_bar} {percent:>3} % {msg}"));
                    }
                    bar.set_length(total);
                }
                bar.set_position(done);
                bar.set_message(with_time_left());
            }
            Display::Plain { .. } => {
                let share = total.filter(|&total| total > 0).map(|total| format!("{} % ", done * 100 / total));
                self.plain(&|| share.clone().unwrap_or_default() + &with_time_left());
            }
        }
    }

    /// Writes a plain line, unless the last one is too recent.
    fn plain(&self, message: &dyn Fn() -> String) {
        let Display::Plain { what, last } = &self.display else { return };
        let mut last = last.lock().expect("no thread panics while it shows progress");
        if last.is_none_or(|last| last.elapsed() >= PLAIN_INTERVAL) {
            *last = Some(Instant::now());
            // Errors are ignored: progress is not essential.
            let _ = writeln!(std::io::stderr(), "{what}: {}", printable(&message()));
        }
    }

    /// Shows a message until the next `set`. The message is built only if it is shown.
    pub fn set_message(&self, message: &dyn Fn() -> String) {
        match &self.display {
            Display::Silent => {}
            Display::Bar { bar, .. } => bar.set_message(message()),
            Display::Plain { .. } => self.plain(message),
        }
    }

    /// Runs `write`, which may write to the same terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.display {
            // Redrawing the bar costs more than writing most rows.
            Display::Bar { bar, beside_output: true } => {
                let (mut write, mut result) = (Some(write), None);
                suspend(bar, &mut || result = write.take().map(|write| write()));
                result.expect("the bar calls it")
            }
            _ => write(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Display::Bar { bar, .. } = &self.display {
            bar.finish_and_clear();
        }
    }
}

/// Removes the bar while `write` runs.
fn suspend(bar: &ProgressBar, write: &mut dyn FnMut()) {
    bar.suspend(write);
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}

/// Estimates the remaining time from the speed since `before` was done; `None` before the first
/// second.
fn seconds_left(elapsed: Duration, before: u64, done: u64, total: u64) -> Option<u64> {
    let seconds = elapsed.as_secs_f64();
    let since = done.checked_sub(before).filter(|&since| since > 0 && seconds >= 1.0)?;
    Some((seconds * total.saturating_sub(done) as f64 / since as f64) as u64)
}

/// Formats a number with its noun: `1 position`, `2 positions`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats a time: `7s`, `4m 05s`, `2h 03m`.
fn format_duration(seconds: u64) -> String {
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
    fn formats_a_time() {
        assert_eq!([7, 245, 7384].map(format_duration), ["7s", "4m 05s", "2h 03m"]);
    }

    #[test]
    fn estimates_the_time_left_from_the_speed_of_this_run() {
        let left = |millis, before, done| seconds_left(Duration::from_millis(millis), before, done, 100);
        assert_eq!(left(999, 0, 50), None);
        assert_eq!(left(8000, 50, 50), None);
        assert_eq!(left(8000, 0, 50), Some(8));
        assert_eq!(left(8000, 40, 50), Some(40));
        assert_eq!(left(8000, 40, 101), Some(0));
    }

    #[test]
    fn a_number_decides_the_form_of_its_noun() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "record")), ["0 records", "1 record", "2 records"]);
    }
}
