//! [`TerminalGame`]: a terminal game between two participants.

mod commands;
mod review;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use morello_core::causes::with_causes;
use morello_core::game::{
    AnyMove, Color, DrawRules, EndDescription, Game, MetadataKind, Outcome, Player, PlayerError, Position as _,
    Termination,
};
use morello_core::printable::{is_hidden, printable_lines};
use morello_files::input::{MAX_LINE_INPUT_BYTES, read_line};
use thiserror::Error;

use super::draw::{Style, draw};
use super::game_files::{self, FileError, SessionFiles};
use super::interrupt::Interrupt;
use super::messages;
use crate::session::{
    Forfeit, InputError, LoadError, SearcherPool, Session, SessionCommand, TypedInput, command_words, interpret,
};

/// Who plays a side.
#[non_exhaustive]
pub enum Participant {
    /// A human at the keyboard.
    Human,
    /// A computer player, with its name.
    Computer(String, Box<dyn Player>),
}

impl fmt::Debug for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("Human"),
            Self::Computer(name, _) => f.debug_tuple("Computer").field(name).finish_non_exhaustive(),
        }
    }
}

/// The options of a [`TerminalGame`].
#[derive(Debug, Clone, Default)]
pub struct TerminalOptions {
    /// How the board is drawn.
    pub style: Style,
    /// The human's name in saved games; `human` if `None`.
    pub name: Option<String>,
    /// The draw rules.
    pub settings: DrawRules,
    /// The seed of random choices.
    pub seed: u64,
    /// The file to which the game is saved after every move.
    pub autosave: Option<PathBuf>,
    /// Whether to echo the input. Terminals do this themselves.
    pub echo: bool,
    /// Cancels searches on Ctrl-C.
    pub interrupt: Interrupt,
    /// Whether the output is a terminal. If so, a line says that an engine is thinking until it
    /// moves.
    pub is_terminal: bool,
}

/// Reads lines with editing and a history.
pub trait LineEditor: Send {
    /// Shows a prompt and reads a line, without its end; `None` at the end of the input. `words`
    /// are the completions.
    ///
    /// # Errors
    /// If the terminal cannot be read.
    fn read_line(&mut self, prompt: &str, words: Vec<String>) -> io::Result<Option<String>>;
}

/// Why a game cannot start or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TerminalError {
    /// A position or game cannot be loaded.
    #[error(transparent)]
    SetUp(#[from] LoadError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A player cannot start.
    #[error("{side} ({name}) cannot play")]
    Player {
        /// The player's side.
        side: Color,
        /// The player's name.
        name: String,
        /// The reason.
        source: PlayerError,
    },
}

/// A game between two participants, which [`play`] plays.
pub struct TerminalGame {
    session: Session,
    searchers: SearcherPool,
    participants: [Participant; 2],
    options: TerminalOptions,
    files: SessionFiles,
    /// Whether the players must be prepared for a new game.
    is_new: bool,
    /// Whether the human has quit.
    has_quit: bool,
    /// Messages to print with the next board.
    notices: Vec<String>,
    /// The moves of the game when it was last written or loaded.
    saved_moves: Vec<AnyMove>,
    /// Whether the game was loaded from the autosave file.
    is_saved: bool,
    /// Whether the last autosave failed.
    pub is_unsaved: bool,
    /// Reads the human's lines instead of the input.
    pub editor: Option<Box<dyn LineEditor>>,
    /// The number of games before this one, so that each game makes different random choices.
    games: u64,
    /// Whether the last key at the prompt was Ctrl-C.
    is_interrupted: bool,
}

morello_core::debug_fields!(TerminalGame { session, participants, options });

impl TerminalGame {
    /// Creates a game. `participants` are Black and White; `searchers` compute hints.
    #[must_use]
    pub fn new(searchers: SearcherPool, participants: [Participant; 2], options: TerminalOptions) -> Self {
        Self {
            session: Game::with_draw_rules(searchers.game().start(), options.settings).into(),
            searchers,
            participants,
            options,
            files: SessionFiles::default(),
            is_new: true,
            has_quit: false,
            notices: Vec::new(),
            saved_moves: Vec::new(),
            is_saved: false,
            is_unsaved: false,
            editor: None,
            games: 0,
            is_interrupted: false,
        }
    }

    /// Returns the game so far.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// Loads a position or game from text in any format of the game.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use morello::game::EngineOptions;
    /// use morello::games;
    /// use morello::session::SearcherPool;
    /// use morello::text::{Participant, TerminalGame, TerminalOptions};
    ///
    /// let searchers = SearcherPool::new(games::get("othello")?, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
    /// let players = [Participant::Human, Participant::Human];
    /// let mut terminal = TerminalGame::new(searchers, players, TerminalOptions::default());
    /// terminal.set_up("f5d6c3")?;
    /// assert_eq!(terminal.game().moves().len(), 3);
    /// assert!(terminal.has_human() && !terminal.is_over());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TerminalError::SetUp`] if the text cannot be parsed.
    pub fn set_up(&mut self, text: &str) -> Result<(), TerminalError> {
        self.session.load(text)?;
        self.position_changed();
        Ok(())
    }

    /// Loads the first game of a file. The session may then overwrite the file, unless that would
    /// lose information.
    ///
    /// # Errors
    /// [`TerminalError`] if the file cannot be read or parsed.
    pub fn load(&mut self, path: &Path) -> Result<(), TerminalError> {
        let has_more = self.session.load(&game_files::read(path)?)?;
        self.saved_moves = self.game().moves().to_vec();
        self.is_saved |= self.options.autosave.as_deref() == Some(path);
        // Never overwrite a file with less information than it contains.
        let lost = game_files::lost_details(path, &self.session.annotated()).unwrap_or_default();
        if !has_more && lost.is_empty() {
            self.files.0.insert(path.to_owned());
        } else if self.options.autosave.as_deref() == Some(path) {
            self.options.autosave = None;
            let why = if has_more {
                "it contains several games"
            } else {
                "its extension names a format that would lose details"
            };
            self.notices.push(format!("Moves are not saved to `{}`: {why}", path.display()));
        }
        self.position_changed();
        let count = self.game().moves().len();
        let more = if has_more { ", first game of the file" } else { "" };
        self.notices.push(format!(
            "Loaded `{}`: {count} {}{more}",
            path.display(),
            if count == 1 { "move" } else { "moves" }
        ));
        let recorded = messages::recorded_result(&self.session.annotated().tags);
        self.notices.extend(
            recorded
                .filter(|_| self.game().end().is_none())
                .map(|result| format!("The file records the game as {result}; you can continue it")),
        );
        Ok(())
    }

    /// Prepares the players.
    ///
    /// # Errors
    /// [`TerminalError::Player`] if one cannot play.
    pub fn prepare(&mut self) -> Result<(), TerminalError> {
        for side in Color::ALL {
            if let Participant::Computer(name, player) = &mut self.participants[side.index()] {
                let seed = self.options.seed.wrapping_add(side.index() as u64).wrapping_add(2 * self.games);
                self.options
                    .interrupt
                    .run_cancellable(|cancel| player.prepare(seed, cancel))
                    .map_err(|source| TerminalError::Player { side, name: name.clone(), source })?;
            }
        }
        self.is_new = false;
        self.games += 1;
        Ok(())
    }

    /// Returns whether a human plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.participants.iter().any(|participant| matches!(participant, Participant::Human))
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// Clears a forfeit and marks the players for preparation, after the position was replaced.
    fn position_changed(&mut self) {
        self.session.forfeit = None;
        self.is_new = true;
    }

    fn side(&self) -> Color {
        self.session.position().side_to_move()
    }

    /// Returns whether a human must choose a move.
    fn is_choice(&self) -> bool {
        matches!(self.participants[self.side().index()], Participant::Human)
            && self.session.position().forced_pass().is_none()
    }

    /// Saves the game to the autosave file. A failure is only reported.
    fn autosave(&mut self) {
        let Some(path) = self.options.autosave.clone() else { return };
        let written = self.write(&path, true);
        self.is_unsaved = written.is_err();
        match written {
            Ok(lost) if lost.is_empty() => {}
            Ok(lost) => self.notices.push(messages::saved(&path, &lost)),
            Err(error) => self.notices.push(format!("Not saved: {}", with_causes(&error))),
        }
    }

    /// Writes the game to a file; returns the details that the format cannot store.
    fn write(&mut self, path: &Path, overwrite: bool) -> Result<Vec<MetadataKind>, FileError> {
        let names = names(&self.participants, self.options.name.as_deref().unwrap_or("human"));
        let lost = self.files.write(path, overwrite, &self.session.annotated(), names)?;
        self.saved_moves = self.game().moves().to_vec();
        Ok(lost)
    }

    /// Prints and clears the notices.
    fn print_notices(&mut self, output: &mut dyn Write) -> io::Result<()> {
        self.notices.drain(..).try_for_each(|notice| writeln!(output, "{}", printable_lines(&notice)))
    }

    /// Draws the board, and describes the pieces and an opening that the game has just reached.
    fn board(&self) -> String {
        let status = messages::status(self.game(), self.is_over());
        let lines = [Some(draw(self.game(), self.options.style)), Some(status), messages::new_opening(self.game())];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// Prints the board and, if the game is over, the result.
    fn show(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}", self.board())?;
        if !self.is_over() {
            return Ok(());
        }
        let (winner, forfeit) = (self.session.winner(), self.session.forfeit.as_ref());
        match winner {
            Some(winner) => writeln!(output, "{winner} wins!")?,
            None => writeln!(output, "It is a draw!")?,
        }
        let reason = match forfeit {
            Some(forfeit) => forfeit.reason.clone(),
            None => EndDescription::of(self.game()).map_or_else(String::new, |cause| cause.text),
        };
        let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
        let result = messages::result(self.game(), outcome, &reason, forfeit.is_some());
        writeln!(output, "{}", messages::capitalize(&result))
    }

    /// Prints a prompt and reads a line; `None` at the end of the input.
    fn read(&mut self, prompt: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let words = self.completions();
        let line = match &mut self.editor {
            Some(editor) => {
                output.flush()?;
                editor.read_line(prompt, words)?
            }
            None => {
                output.write_all(prompt.as_bytes())?;
                output.flush()?;
                read_line(input, MAX_LINE_INPUT_BYTES)?
            }
        };
        self.options.interrupt.reset();
        // The input may be printed, so it must not contain escape sequences.
        let line = line.map(|line| line.replace('\t', " ").replace(is_hidden, "\u{fffd}"));
        if let Some(line) = line.as_ref().filter(|_| self.options.echo) {
            writeln!(output, "{line}")?;
        }
        Ok(line)
    }

    /// Returns what a user may type: the legal moves and the commands.
    fn completions(&self) -> Vec<String> {
        if self.editor.is_none() {
            return Vec::new();
        }
        let moves = self.game().position().legal_moves().filter(|_| !self.is_over()).map(|m| m.to_string());
        moves.chain(command_words().map(str::to_owned)).collect()
    }

    /// Prints a welcome: who plays whom, and how to begin.
    fn print_welcome(&self, output: &mut dyn Write) -> io::Result<()> {
        if !self.has_human() {
            return Ok(());
        }
        let names = names(&self.participants, "you");
        let names = if names == ["you", "you"] { ["a human", "a human"] } else { names };
        writeln!(output, "{}", messages::welcome(self.game(), names))
    }

    /// Plays the move of the side to move, or runs a human's command. Returns false if the input
    /// has ended or the human has quit.
    fn turn(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<bool> {
        if self.is_over() || self.is_choice() {
            return self.ask(input, output);
        }
        match self.session.forced_pass() {
            Some(pass) => {
                writeln!(output, "{} has no legal move and passes", self.side())?;
                self.play(pass, output)?;
            }
            None => self.choose(output)?,
        }
        Ok(true)
    }

    /// Asks a human for a move or a command; after the end of the game, for a command.
    fn ask(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<bool> {
        let is_over = self.is_over();
        let prompt =
            if is_over { "The game is over (review, undo, new, save FILE, load FILE, quit): " } else { "Your move: " };
        let line = match self.read(prompt, input, output) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                if std::mem::replace(&mut self.is_interrupted, true) {
                    return self.leave(input, output);
                }
                writeln!(output, "Press Ctrl-C again to leave the game")?;
                return Ok(true);
            }
            line => line?,
        };
        self.is_interrupted = false;
        let Some(line) = line else { return self.leave(input, output) };
        match interpret(self.game(), &line) {
            Ok(TypedInput::Empty) if is_over => {}
            Ok(TypedInput::Empty) => {
                let example = self.game().position().legal_moves().next();
                let example = example.map_or_else(String::new, |m| m.to_string());
                writeln!(output, "Type a move, such as `{example}`, or `help`")?;
            }
            Ok(TypedInput::Command(SessionCommand::Resign)) if is_over => writeln!(output, "The game is over")?,
            Ok(TypedInput::Command(SessionCommand::Resign)) => {
                let side = self.side();
                self.forfeit(!side, Termination::Resignation, format!("{side} has resigned"), output)?;
            }
            Ok(TypedInput::Command(command)) => {
                if self.run_command(command, output)? {
                    self.show(output)?;
                }
            }
            Err(InputError::CommandSyntax(error)) => writeln!(output, "{}", messages::failure(&error))?,
            Ok(TypedInput::Move(_)) | Err(_) if is_over => {
                writeln!(output, "The game is over: type `undo` to undo a move, or `new` to start a new game")?;
            }
            Ok(TypedInput::Move(m)) => self.play(m, output)?,
            Err(error @ InputError::NotAMove { .. }) => writeln!(output, "{}", messages::capitalize(&error.reason()))?,
            Err(error) => writeln!(output, "Invalid move: {}", printable_lines(&error.reason()))?,
        }
        if self.has_quit { self.leave(input, output) } else { Ok(true) }
    }

    /// Leaves the game; at a terminal, offers to save it first. Returns whether the game continues.
    fn leave(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<bool> {
        if self.editor.is_none() {
            return Ok(false);
        }
        self.has_quit = true;
        let moves = self.game().moves();
        if moves.is_empty() || moves == self.saved_moves || self.options.autosave.is_some() {
            return Ok(false);
        }
        let prompt = "Save the game to a file, such as game.txt (Enter: leave without saving): ";
        let file = match self.read(prompt, input, output) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
            file => file?,
        };
        let file = file.unwrap_or_default();
        if file.trim().is_empty() {
            return Ok(false);
        }
        let path = Path::new(file.trim());
        let text = match self.write(path, false) {
            Ok(lost) => messages::saved(path, &lost),
            Err(error) => {
                (self.is_interrupted, self.has_quit) = (false, false);
                writeln!(output, "Not saved: {}", with_causes(&error))?;
                return Ok(true);
            }
        };
        writeln!(output, "{text}")?;
        Ok(false)
    }

    /// Asks the computer player for a move and plays it.
    fn choose(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let (side, has_human) = (self.side(), self.has_human());
        loop {
            if self.is_new
                && let Err(error) = self.prepare()
            {
                let (failed, ending) = match &error {
                    TerminalError::Player { side, source, .. } => (*side, source.termination()),
                    _ => (side, Termination::Other),
                };
                return self.forfeit(!failed, ending, messages::sanitize(&with_causes(&error)), output);
            }
            let Participant::Computer(name, player) = &mut self.participants[side.index()] else {
                return Ok(());
            };
            let game = self.session.game();
            if self.options.is_terminal {
                write!(output, "{side} ({name}) is thinking; Ctrl-C makes it move at once")?;
                output.flush()?;
            }
            let chosen = self.options.interrupt.run_cancellable(|cancel| player.choose(game, cancel));
            if self.options.is_terminal {
                // Go back to the start of the line and erase it.
                output.write_all(b"\r\x1b[K")?;
            }
            match chosen {
                Ok(choice) => {
                    // Against a human, the score would reveal too much about the position.
                    let details =
                        if has_human { String::new() } else { messages::choice(self.session.rules(), &choice) };
                    writeln!(output, "{side} ({name}): {}{details}", choice.m)?;
                    return self.play(choice.m, output);
                }
                Err(PlayerError::Cancelled) => {
                    writeln!(output, "{side} ({name}) has no move yet and continues; press Ctrl-C again to exit")?;
                }
                Err(error) => {
                    let (why, name) = (messages::sanitize(&error.to_string()), name.clone());
                    // The player can play again after it has been prepared again.
                    self.is_new = true;
                    let message = match error {
                        PlayerError::Resigned => "has resigned".to_owned(),
                        _ => format!("has failed: {why}"),
                    };
                    return self.forfeit(!side, error.termination(), format!("{side} ({name}) {message}"), output);
                }
            }
        }
    }

    /// Plays a legal move.
    fn play(&mut self, m: AnyMove, output: &mut dyn Write) -> io::Result<()> {
        self.session.play(m).expect("the move is legal and the game is not over");
        self.save_and_show(output)
    }

    /// Ends the game with a result that was not decided on the board.
    fn forfeit(
        &mut self,
        winner: Color,
        ending: Termination,
        reason: String,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        self.session.forfeit = Some(Forfeit { winner, ending, reason });
        self.save_and_show(output)
    }

    fn save_and_show(&mut self, output: &mut dyn Write) -> io::Result<()> {
        self.autosave();
        if self.is_over() {
            writeln!(output)?;
        }
        self.show(output)?;
        output.flush()
    }
}

/// Returns the names of both participants, with `human` for a human.
fn names<'a>(participants: &'a [Participant; 2], human: &'a str) -> [&'a str; 2] {
    participants.each_ref().map(|participant| match participant {
        Participant::Human => human,
        Participant::Computer(name, _) => name,
    })
}

/// Plays a [prepared](TerminalGame::prepare) game until it is over. With a human player, commands
/// still work after the end of the game, until the human quits or the input ends.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::EngineOptions;
/// use morello::games;
/// use morello::players::RandomPlayer;
/// use morello::session::SearcherPool;
/// use morello::text::{Participant, TerminalGame, TerminalOptions, play};
///
/// let searchers = SearcherPool::new(games::get("othello-4x4")?, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
/// let random = |seed| Participant::Computer(format!("random {seed}"), Box::new(RandomPlayer::new(seed)));
/// let mut terminal = TerminalGame::new(searchers, [random(1), random(2)], TerminalOptions::default());
/// terminal.prepare()?;
/// let mut output = Vec::new();
/// play(&mut terminal, std::io::empty(), &mut output)?;
/// assert!(terminal.is_over());
/// assert!(String::from_utf8(output)?.contains("Black "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn play(terminal: &mut TerminalGame, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (input, output): (&mut dyn BufRead, &mut dyn Write) = (&mut input, &mut output);
    if !terminal.is_saved {
        terminal.autosave();
    }
    terminal.print_welcome(output)?;
    if !terminal.is_over() {
        terminal.print_notices(output)?;
    }
    terminal.show(output)?;
    loop {
        terminal.print_notices(output)?;
        if terminal.is_over() && !terminal.has_human() {
            return output.flush();
        }
        if !terminal.turn(input, output)? {
            if !terminal.has_quit {
                let missing = if terminal.is_over() { "" } else { "\nEnd of input: the game is not over." };
                writeln!(output, "{missing}")?;
            }
            return output.flush();
        }
    }
}
