//! [`Editor`]: lines that the user edits at the terminal, with a history and completion.

use std::env;
#[cfg(unix)]
use std::io::Write as _;
use std::io::{self, IsTerminal as _};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use morello_play::text::LineEditor;
#[cfg(unix)]
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Helper};

/// How the terminal worked before the first line was edited.
#[cfg(unix)]
static MODE: Mutex<Option<Termios>> = Mutex::new(None);

/// Reads lines with rustyline.
pub(super) struct Editor(rustyline::Editor<Words, DefaultHistory>);

impl Editor {
    /// Returns an editor if the program runs at a terminal that can edit; otherwise lines are read as
    /// they are.
    pub fn of_terminal() -> Option<Self> {
        let is_capable = io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && env::var("TERM").is_ok_and(|term| term != "dumb");
        is_capable.then(Self::new).and_then(Result::ok)
    }

    fn new() -> io::Result<Self> {
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = rustyline::Editor::with_config(config).map_err(io::Error::other)?;
        #[cfg(unix)]
        MODE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(tcgetattr(io::stdin())?);
        editor.set_helper(Some(Words::default()));
        Ok(Self(editor))
    }
}

/// Restores the terminal, before a signal ends the program while a line is edited.
pub(super) fn restore_terminal() {
    #[cfg(unix)]
    if let Some(mode) = &*MODE.lock().unwrap_or_else(PoisonError::into_inner) {
        // The terminal may be gone. The sequence ends the bracketed paste mode.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, mode);
        let _ = io::stderr().write_all(b"\x1b[?2004l");
    }
}

impl LineEditor for Editor {
    fn read_line(&mut self, prompt: &str, words: Vec<String>) -> io::Result<Option<String>> {
        if let Some(helper) = self.0.helper_mut() {
            helper.0 = words;
        }
        loop {
            return match self.0.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof) => Ok(None),
                // The terminal is in raw mode, so Ctrl-C is a key here and not a signal.
                Err(ReadlineError::Interrupted) => Err(io::ErrorKind::Interrupted.into()),
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    println!("This is not UTF-8 text; type it again");
                    continue;
                }
                Err(error) => Err(io::Error::other(error)),
            };
        }
    }
}

/// Completes the first word of a line with moves and commands.
#[derive(Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..end];
        Ok((0, self.0.iter().filter(|word| word.starts_with(typed)).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
