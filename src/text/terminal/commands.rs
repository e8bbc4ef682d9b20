//! Runs each [`Command`] at the terminal.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{TerminalError, TerminalGame};
use crate::causes::with_causes;
use crate::game::{Cancel, Limits, Position as _, grid};
use crate::printable::printable;
use crate::session::{Command, help};
use crate::text::messages;

/// The level and time limit of searches for hints.
const HINT_LEVEL: u32 = 14;
const HINT_TIME: Duration = Duration::from_secs(3);

/// The width of a line of moves, in characters.
const WIDTH: usize = 78;

impl TerminalGame {
    /// Runs any command but `resign`; returns whether the position has changed.
    pub(super) fn run_command(&mut self, command: Command, output: &mut dyn Write) -> io::Result<bool> {
        // A new or loaded game overwrites the autosave file only after its first move.
        let is_another = matches!(command, Command::Load(_) | Command::New);
        let has_moved = match command {
            Command::Hint(count) => self.hint(count, output).map(|()| false)?,
            Command::Eval => self.hint(0, output).map(|()| false)?,
            Command::Moves => self.moves(output).map(|()| false)?,
            Command::Undo => self.undo(output)?,
            Command::Redo => self.redo(output)?,
            Command::Save { file, overwrite } => {
                let path = PathBuf::from(file);
                match self.write(&path, overwrite) {
                    Ok(lost) => writeln!(output, "{}", messages::saved(&path, &lost))?,
                    Err(error) => writeln!(output, "{}", messages::capitalize(&with_causes(&error)))?,
                }
                false
            }
            Command::Load(file) => match self.load(Path::new(&file)) {
                Ok(()) => true,
                Err(TerminalError::SetUp(error)) => {
                    writeln!(output, "Cannot load `{file}`: {}", printable(&error.to_string())).map(|()| false)?
                }
                Err(error) => {
                    writeln!(output, "{}", messages::capitalize(&with_causes(&error)))?;
                    false
                }
            },
            Command::New => {
                self.session.restart();
                true
            }
            Command::Opening => writeln!(output, "{}", messages::opening(self.game())).map(|()| false)?,
            Command::Board => {
                self.print_board(output)?;
                false
            }
            Command::Review => {
                self.review(output)?;
                false
            }
            Command::Help => {
                let position = self.session.position();
                let m = position.legal_moves().next();
                let by_grid = m.and_then(|m| grid::write(position, m)).map(|text| format!(" or `{text}`"));
                let example = m.map(|m| format!("`{m}`{}", by_grid.unwrap_or_default()));
                writeln!(
                    output,
                    "{}",
                    help(self.session.rules(), &example.unwrap_or_else(|| "the game is over".to_owned()))
                )?;
                false
            }
            Command::Quit => {
                self.has_quit = true;
                false
            }
            Command::Resign => false,
        };
        if has_moved {
            self.position_changed();
            if !is_another {
                self.autosave();
            }
        }
        Ok(has_moved)
    }

    /// Undoes moves until a human has to choose again; returns whether there was such a move.
    fn undo(&mut self, output: &mut dyn Write) -> io::Result<bool> {
        let plies = self.game().moves().len();
        // Undoing a resignation keeps all moves.
        if self.session.forfeited().is_some() && self.is_choice() {
            return Ok(true);
        }
        while self.session.undo() {
            if self.is_choice() || !self.has_human() {
                return Ok(true);
            }
        }
        self.session.go_to_ply(plies);
        writeln!(output, "No move of yours to undo")?;
        Ok(false)
    }

    /// Redoes moves until a human has to choose; returns whether there was one.
    fn redo(&mut self, output: &mut dyn Write) -> io::Result<bool> {
        if !self.session.redo() {
            writeln!(output, "No move to redo")?;
            return Ok(false);
        }
        while !self.is_choice() && self.session.redo() {}
        Ok(true)
    }

    /// Prints the best moves or, if `count` is 0, the evaluation of the position.
    fn hint(&mut self, count: usize, output: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(output, "The game is over");
        }
        let rules = self.session.rules();
        let limits = Limits { time: Some(HINT_TIME), lines: count.max(1), ..rules.level(HINT_LEVEL) };
        let think = |cancel: &Cancel| self.searchers.search(self.game(), &limits, cancel, &mut |_| ());
        let thought = self.options.interrupt.run_cancellable(think);
        let lines = match thought {
            Ok(thought) if count == 0 => messages::evaluation(rules, &thought),
            Ok(thought) => messages::lines(&thought),
            Err(error) => vec![messages::capitalize(&with_causes(&error))],
        };
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))
    }

    fn moves(&self, output: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(output, "The game is over: no legal moves");
        }
        let moves: Vec<_> = self.game().position().legal_moves().map(|m| m.to_string()).collect();
        let mut line = format!("{}:", moves.len());
        for m in moves {
            if line.len() + 1 + m.len() > WIDTH {
                writeln!(output, "{line}")?;
                line = "  ".to_owned();
            }
            line += &format!(" {m}");
        }
        writeln!(output, "{line}")
    }
}
