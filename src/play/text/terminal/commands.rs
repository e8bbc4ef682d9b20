//! Runs each [`SessionCommand`] at the terminal.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use morello_core::game::grid;
use morello_core::game::{Cancel, Limits, Position as _};
use morello_core::printable::printable;

use super::{TerminalError, TerminalGame};
use crate::session::{SessionCommand, help};
use crate::text::messages;

/// The level and time limit of searches for hints.
const HINT_LEVEL: u32 = 14;
const HINT_TIME: Duration = Duration::from_secs(3);

/// The maximum width of a line of moves, in characters.
const WIDTH: usize = 78;

impl TerminalGame {
    /// Runs any command except `resign`. Returns whether the position has changed.
    pub(super) fn run_command(&mut self, command: SessionCommand, output: &mut dyn Write) -> io::Result<bool> {
        // A new or loaded game overwrites the autosave file only after its first move.
        let is_another = matches!(command, SessionCommand::Load(_) | SessionCommand::New);
        // A command without a reply changes the position.
        let reply = match command {
            SessionCommand::Hint(count) => Some(self.hint(count)),
            SessionCommand::Eval => Some(self.hint(0)),
            SessionCommand::Moves => Some(self.moves()),
            SessionCommand::Undo => (!self.undo()).then(|| "No move of yours to undo".to_owned()),
            SessionCommand::Redo => (!self.redo()).then(|| "No move to redo".to_owned()),
            SessionCommand::Save { file, overwrite } => {
                let path = PathBuf::from(file);
                let written = self.write(&path, overwrite);
                Some(written.map_or_else(|error| messages::failure(&error), |lost| messages::saved(&path, &lost)))
            }
            SessionCommand::Load(file) => self.load(Path::new(&file)).err().map(|error| match error {
                TerminalError::SetUp(error) => format!("Cannot load `{file}`: {}", printable(&error.to_string())),
                error => messages::failure(&error),
            }),
            SessionCommand::New => {
                self.session.restart();
                None
            }
            SessionCommand::Opening => Some(messages::opening(self.game())),
            SessionCommand::Board => Some(self.board()),
            SessionCommand::Review => Some(self.review()),
            SessionCommand::Help => Some(self.help()),
            SessionCommand::Quit => {
                self.has_quit = true;
                return Ok(false);
            }
            SessionCommand::Resign => return Ok(false),
        };
        if let Some(reply) = reply {
            return writeln!(output, "{reply}").map(|()| false);
        }
        self.position_changed();
        if !is_another {
            self.autosave();
        }
        Ok(true)
    }

    /// Undoes moves until a human has to choose again. Returns false if there is no such move.
    fn undo(&mut self) -> bool {
        let plies = self.game().moves().len();
        // Undoing a resignation keeps all moves.
        if self.session.forfeit.is_some() && self.is_choice() {
            return true;
        }
        while self.session.undo() {
            if self.is_choice() || !self.has_human() {
                return true;
            }
        }
        self.session.go_to_ply(plies);
        false
    }

    /// Redoes moves until a human has to choose. Returns false if there is no move to redo.
    fn redo(&mut self) -> bool {
        let has_redone = self.session.redo();
        while has_redone && !self.is_choice() && self.session.redo() {}
        has_redone
    }

    /// Describes the best moves or, if `count` is 0, the evaluation of the position.
    fn hint(&self, count: usize) -> String {
        if self.is_over() {
            return "The game is over".to_owned();
        }
        let rules = self.session.rules();
        let limits = Limits { time: Some(HINT_TIME), lines: count.max(1), ..rules.level(HINT_LEVEL) };
        let think = |cancel: &Cancel| self.searchers.search(self.game(), &limits, cancel, &mut |_| ());
        match self.options.interrupt.run_cancellable(think) {
            Ok(thought) if count == 0 => messages::evaluation(rules, &thought),
            Ok(thought) => messages::lines(&thought),
            Err(error) => messages::failure(&error),
        }
    }

    fn moves(&self) -> String {
        if self.is_over() {
            return "The game is over: no legal moves".to_owned();
        }
        let moves: Vec<_> = self.game().position().legal_moves().map(|m| m.to_string()).collect();
        let mut text = format!("{}:", moves.len());
        let mut width = text.len();
        for m in moves {
            if width + 1 + m.len() > WIDTH {
                text += "\n  ";
                width = 2;
            }
            text += &format!(" {m}");
            width += 1 + m.len();
        }
        text
    }

    fn help(&self) -> String {
        let position = self.session.position();
        let example = position.legal_moves().next().map(|m| {
            let by_grid = grid::write(position, m).map(|text| format!(" or `{text}`"));
            format!("`{m}`{}", by_grid.unwrap_or_default())
        });
        help(self.session.rules(), example.as_deref().unwrap_or("the game is over"))
    }
}
