//! [`TerminalGame`]: a game at the terminal between two participants, people or players.

mod commands;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::draw::{Style, draw};
use super::game_files::{self, FileError, SessionFiles};
use super::interrupt::Interrupt;
use super::messages;
use crate::causes::with_causes;
use crate::game::{
    AnyMove, Color, DrawRules, EndDescription, Game, MetadataKind, Outcome, Player, PlayerError, Position as _,
    Termination,
};
use crate::input::{MAX_LINE_INPUT_BYTES, read_line};
use crate::session::{Command, Forfeit, InputError, LoadError, SearcherPool, Session, TypedInput, interpret};

/// Who plays a side.
#[non_exhaustive]
pub enum Participant {
    /// A person, who is asked.
    Human,
    /// A player, with its name.
    Computer(String, Box<dyn Player>),
}

/// How a [game](TerminalGame) is played at the terminal.
#[derive(Debug, Clone, Default)]
pub struct TerminalOptions {
    /// How the board is drawn.
    pub style: Style,
    /// What draws a game.
    pub settings: DrawRules,
    /// The seed of players who play at random.
    pub seed: u64,
    /// The file that the game is written to after every move.
    pub autosave: Option<PathBuf>,
    /// Whether what is typed is written, too, as a terminal does it itself.
    pub echo: bool,
    /// What stops those who think.
    pub interrupt: Interrupt,
}

/// Something that ends the program, not the game alone.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TerminalError {
    /// The game cannot be begun as asked for.
    #[error(transparent)]
    SetUp(#[from] LoadError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A player cannot play at all.
    #[error("{side} ({name}) cannot play")]
    Player {
        /// Its side.
        side: Color,
        /// What it is called.
        name: String,
        /// Why.
        source: PlayerError,
    },
}

/// What came of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnResult {
    /// There was a move, or the game was given up.
    Moved,
    /// The same side is asked again, or whoever is to move now.
    Retry,
    /// Nobody is there any more.
    InputEnded,
}

/// A game between two participants, which [`play`](super::play()) plays.
pub struct TerminalGame {
    session: Session,
    searchers: SearcherPool,
    participants: [Participant; 2],
    options: TerminalOptions,
    files: SessionFiles,
    /// Whether the players do not know yet that another game is on the board.
    is_new: bool,
    /// Whether a person has asked for the end.
    has_quit: bool,
    /// What is to be told with the next board.
    notices: Vec<String>,
    /// Whether a game was loaded from where it is saved to.
    is_saved: bool,
    /// Whether the game could not be written when it was last to be.
    is_unsaved: bool,
}

impl TerminalGame {
    /// Sets the board up; `participants` are Black and White, and `searchers` think for hints.
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
            is_saved: false,
            is_unsaved: false,
        }
    }

    /// Returns the game up to now.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// Begins with a position or game in any text format of the game.
    ///
    /// # Errors
    /// [`TerminalError::SetUp`] if the text is none.
    pub fn set_up(&mut self, text: &str) -> Result<(), TerminalError> {
        self.session.load(text)?;
        self.position_changed();
        Ok(())
    }

    /// Goes on with the game of a file, which may be written over then.
    ///
    /// # Errors
    /// [`TerminalError`] if the file cannot be read, or holds no game.
    pub fn load(&mut self, path: &Path) -> Result<(), TerminalError> {
        let loaded = self.session.load(&game_files::read(path)?)?;
        self.is_saved |= self.options.autosave.as_deref() == Some(path);
        // What it holds beside the moves is to be there again when it is written.
        let lost = game_files::lost_details(path, &self.session.annotated()).unwrap_or_default();
        if !loaded.more && lost.is_empty() {
            self.files.allow_overwrite(path);
        } else if self.options.autosave.as_deref() == Some(path) {
            self.options.autosave = None;
            let why =
                if loaded.more { "holds other games as well" } else { "holds more than its name has a place for" };
            self.notices.push(format!("`{}` {why}: the moves are not saved to it", path.display()));
        }
        self.position_changed();
        let count = self.game().moves().len();
        let more = if loaded.more { "; the file goes on, this is the first game in it" } else { "" };
        self.notices.push(format!(
            "`{}`: {count} {} played{more}",
            path.display(),
            if count == 1 { "move" } else { "moves" }
        ));
        let told = self.session.annotated().tags.result.filter(|_| self.game().end().is_none());
        self.notices
            .extend(told.map(|verdict| format!("It was told as {}; it goes on here", messages::verdict(verdict))));
        Ok(())
    }

    /// Returns whether the game was to be saved, and could not be.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// Gets the players ready.
    ///
    /// # Errors
    /// [`TerminalError::Player`] if one cannot take part.
    pub fn prepare(&mut self) -> Result<(), TerminalError> {
        self.prepare_all().map_err(|(_, error)| error)
    }

    /// An error comes with the side that it is of.
    fn prepare_all(&mut self) -> Result<(), (Color, TerminalError)> {
        for side in Color::ALL {
            if let Participant::Computer(name, player) = &mut self.participants[side.index()] {
                let seed = self.options.seed.wrapping_add(side.index() as u64);
                self.options
                    .interrupt
                    .run_cancellable(|cancel| player.prepare(seed, cancel))
                    .map_err(|source| (side, TerminalError::Player { side, name: name.clone(), source }))?;
            }
        }
        self.is_new = false;
        Ok(())
    }

    /// Returns whether a person plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.participants.iter().any(|participant| matches!(participant, Participant::Human))
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// Takes note that another position is on the board.
    fn position_changed(&mut self) {
        self.session.undo_forfeit();
        self.is_new = true;
    }

    fn side(&self) -> Color {
        self.session.position().side_to_move()
    }

    /// Returns whether a person is to choose here.
    fn is_choice(&self) -> bool {
        matches!(self.participants[self.side().index()], Participant::Human)
            && self.session.position().forced_pass().is_none()
    }

    /// Writes a game that was not loaded from there where it is written after every move.
    pub(super) fn begin(&mut self) {
        if !self.is_saved {
            self.autosave();
        }
    }

    /// Writes the game where it is written after every move; that it fails is told and no more.
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

    /// Writes the game to a file; returns what of it is not there.
    fn write(&mut self, path: &Path, over: bool) -> Result<Vec<MetadataKind>, FileError> {
        let names = self.participants.each_ref().map(|participant| match participant {
            Participant::Human => "human",
            Participant::Computer(name, _) => name.as_str(),
        });
        self.files.write(path, over, &self.session.annotated(), names)
    }

    /// Tells what has come about since the last time.
    pub(super) fn print_notices(&mut self, output: &mut dyn Write) -> io::Result<()> {
        self.notices.drain(..).try_for_each(|news| writeln!(output, "{news}"))
    }

    /// Lets a person whose game is over do as they like. Returns whether there is a game to go on with.
    pub(super) fn run_commands_after_end(
        &mut self,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<bool> {
        while self.is_over() && !self.has_quit {
            self.print_notices(output)?;
            let Some(line) = self.read("The game is over (undo, new, save FILE, load FILE, quit): ", input, output)?
            else {
                return Ok(false);
            };
            match interpret(self.game(), &line) {
                Ok(TypedInput::Empty) => {}
                Ok(TypedInput::Command(Command::Resign)) => writeln!(output, "The game is over")?,
                // The board of a game that goes on is drawn by who goes on with it.
                Ok(TypedInput::Command(command)) => {
                    if self.run_command(command, output)? && self.is_over() {
                        self.show(output)?;
                    }
                }
                Err(InputError::WrongForm(error)) => writeln!(output, "{}", messages::capitalize(&error.to_string()))?,
                Ok(TypedInput::Move(_)) | Err(_) => {
                    writeln!(output, "The game is over: take a move back by `undo`, or begin a `new` one")?
                }
            }
        }
        Ok(!self.has_quit)
    }

    /// Draws the board.
    pub(super) fn print_board(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}", draw(self.game(), self.options.style))?;
        writeln!(output, "{}", messages::status(self.game(), self.is_over()))
    }

    /// Shows what is on the board, and how it ended if it did.
    pub(super) fn show(&self, output: &mut dyn Write) -> io::Result<()> {
        self.print_board(output)?;
        if !self.is_over() {
            return Ok(());
        }
        let (winner, forfeit) = (self.session.winner(), self.session.forfeited());
        match winner {
            Some(winner) => writeln!(output, "Player {winner} wins!")?,
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

    /// Tells that nobody is there any more, if a person did not say so.
    pub(super) fn print_farewell(&self, output: &mut dyn Write) -> io::Result<()> {
        match (self.has_quit, self.is_over()) {
            (true, _) => Ok(()),
            (false, true) => writeln!(output),
            (false, false) => writeln!(output, "\nThe input has ended, and the game is not over."),
        }
    }

    /// Asks a question and reads what is typed; `None` at the end.
    fn read(&self, question: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        output.write_all(question.as_bytes())?;
        output.flush()?;
        let line = read_line(input, MAX_LINE_INPUT_BYTES)?;
        self.options.interrupt.reset();
        // What is typed may be told back, and is not to act on the terminal then.
        let line = line.map(|line| line.replace('\t', " ").replace(char::is_control, "\u{fffd}"));
        if let Some(line) = line.as_ref().filter(|_| self.options.echo) {
            writeln!(output, "{line}")?;
        }
        Ok(line)
    }

    /// Lets whoever is to move do so, or a person do something else.
    pub(super) fn turn(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<TurnResult> {
        if let Some(pass) = self.session.forced_pass() {
            writeln!(output, "{} has no move, and passes", self.side())?;
            return Ok(self.play(pass));
        }
        if self.is_choice() { self.ask(input, output) } else { self.choose(output) }
    }

    /// Asks a person for a move or a command.
    fn ask(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<TurnResult> {
        let Some(line) = self.read("Your move: ", input, output)? else { return Ok(TurnResult::InputEnded) };
        match interpret(self.game(), &line) {
            Ok(TypedInput::Empty) => {
                let example = self.game().position().legal_moves().next();
                let example = example.map_or_else(String::new, |m| m.to_string());
                writeln!(output, "Type a move, such as `{example}`, or `help`")?;
            }
            Ok(TypedInput::Move(m)) => return Ok(self.play(m)),
            Ok(TypedInput::Command(Command::Resign)) => {
                let side = self.side();
                return Ok(self.forfeit(!side, Some(Termination::Resignation), format!("{side} has resigned")));
            }
            Ok(TypedInput::Command(command)) => {
                if self.run_command(command, output)? {
                    self.show(output)?;
                }
            }
            Err(InputError::WrongForm(error)) => writeln!(output, "{}", messages::capitalize(&error.to_string()))?,
            Err(refused) => writeln!(output, "Invalid move: {}", refused.reason())?,
        }
        Ok(if self.has_quit { TurnResult::InputEnded } else { TurnResult::Retry })
    }

    /// Lets the player of the side to move choose.
    fn choose(&mut self, output: &mut dyn Write) -> io::Result<TurnResult> {
        let side = self.side();
        loop {
            if self.is_new
                && let Err((side, error)) = self.prepare_all()
            {
                return Ok(self.forfeit(!side, None, messages::sanitize(&with_causes(&error))));
            }
            let Participant::Computer(name, player) = &mut self.participants[side.index()] else {
                return Ok(TurnResult::Retry);
            };
            let game = self.session.game();
            match self.options.interrupt.run_cancellable(|cancel| player.choose(game, cancel)) {
                Ok(choice) => {
                    let details = messages::choice(self.session.rules(), &choice);
                    writeln!(output, "{side} ({name}): {}{details}", choice.m)?;
                    return Ok(self.play(choice.m));
                }
                Err(PlayerError::Cancelled) => {
                    writeln!(output, "{side} ({name}) had no move yet, and is asked again; Ctrl-C once more ends all")?;
                }
                Err(error) => {
                    let (why, name) = (messages::sanitize(&error.to_string()), name.clone());
                    // It can play again once it was made anew.
                    self.is_new = true;
                    let (ending, what) = match error {
                        PlayerError::Resigned => (Some(Termination::Resignation), "has resigned".to_owned()),
                        PlayerError::Timeout { .. } => (Some(Termination::Timeout), format!("has failed: {why}")),
                        _ => (None, format!("has failed: {why}")),
                    };
                    return Ok(self.forfeit(!side, ending, format!("{side} ({name}) {what}")));
                }
            }
        }
    }

    /// Plays a legal move.
    fn play(&mut self, m: AnyMove) -> TurnResult {
        self.session.play(m).expect("the move is legal and the game goes on");
        self.autosave();
        TurnResult::Moved
    }

    /// Ends the game off the board.
    fn forfeit(&mut self, winner: Color, ending: Option<Termination>, reason: String) -> TurnResult {
        self.session.forfeit(Forfeit { winner, ending, reason });
        self.autosave();
        TurnResult::Moved
    }
}
