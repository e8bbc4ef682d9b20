//! [`Table`]: a board with two at it, people or players that need none, as a game of the [platform](crate::boardwalk).

mod obey;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::command::{Command, Typed};
use super::draw::{Style, draw};
use super::files::{self, FileError, Files};
use super::patience::Patience;
use super::tell;
use crate::boardwalk::{self, Attributes, Game as _, Hosted, InvalidMove, State, prompt};
use crate::game::{self, Cause, Color, Outcome, Playable, Player, PlayerError, Scoring, Settings, Told, Verdict};
use crate::session::{AnySession, Room, Session, SetUpError};

/// What stands for a move where the side to move gives the game up.
const RESIGN: &str = "resign";

/// Somebody at the board.
pub enum Sitter {
    /// A person, who is asked.
    Human,
    /// A player, with its name.
    Computer(String, Box<dyn Player>),
}

/// How a game is played at a [table](Table).
#[derive(Debug, Clone, Default)]
pub struct Manners {
    /// How the board is drawn.
    pub style: Style,
    /// What draws a game.
    pub settings: Settings,
    /// The seed of players who play at random.
    pub seed: u64,
    /// The file that the game is written to after every move.
    pub autosave: Option<PathBuf>,
    /// Whether what is typed is written, too, as a terminal does it itself.
    pub echo: bool,
    /// What stops those who think.
    pub patience: Patience,
}

/// Something that ends the program, not the game alone.
#[derive(Debug, Error)]
pub enum TableError {
    /// The game cannot be begun as asked for.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
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

/// What ended a game off the board.
struct GivenUp {
    winner: Color,
    ending: Option<game::Ending>,
    reason: String,
}

/// A game between two sitters. It is a game of the platform, and [`play`](super::play()) lets its loop play it.
pub struct Table<P: Playable> {
    session: Session<P>,
    /// The same game, as the platform sees it.
    hosted: Hosted<P>,
    sitters: [Sitter; 2],
    manners: Manners,
    files: Files,
    given_up: Option<GivenUp>,
    /// Whether the players do not know yet that another game is on the board.
    is_new: bool,
    /// Whether a person has asked for the end.
    pub(super) has_quit: bool,
    /// What is to be told with the next board.
    news: Vec<String>,
    /// Whether a game was loaded from where it is saved to.
    is_saved: bool,
    /// Whether the game could not be written when it was last to be.
    is_unsaved: bool,
}

impl<P: Playable> Table<P> {
    /// Sets the board up; `sitters` are Black and White.
    #[must_use]
    pub fn new(room: &Room<P>, sitters: [Sitter; 2], manners: Manners) -> Self {
        let mut session = room.open();
        session.set_settings(manners.settings);
        let hosted = Hosted::new(session.game().clone());
        Self {
            session,
            hosted,
            sitters,
            manners,
            files: Files::default(),
            given_up: None,
            is_new: true,
            has_quit: false,
            news: Vec::new(),
            is_saved: false,
            is_unsaved: false,
        }
    }

    /// Returns the game up to now.
    #[must_use]
    pub fn game(&self) -> &game::Game<P> {
        self.session.game()
    }

    /// Begins with a position or game in any text format of the game.
    ///
    /// # Errors
    /// [`TableError::SetUp`] if the text is none.
    pub fn set_up(&mut self, text: &str) -> Result<(), TableError> {
        self.session.load(text)?;
        self.change();
        Ok(())
    }

    /// Goes on with the game of a file, which may be written over then.
    ///
    /// # Errors
    /// [`TableError`] if the file cannot be read, or holds no game.
    pub fn load(&mut self, path: &Path) -> Result<(), TableError> {
        let loaded = self.session.load(&files::read(path)?)?;
        self.is_saved |= self.manners.autosave.as_deref() == Some(path);
        // What it holds beside the moves is to be there again when it is written.
        let lost = files::lost(path, &self.session.annotated()).unwrap_or_default();
        if !loaded.more && lost.is_empty() {
            self.files.own(path);
        } else if self.manners.autosave.as_deref() == Some(path) {
            self.manners.autosave = None;
            let why =
                if loaded.more { "holds other games as well" } else { "holds more than its name has a place for" };
            self.news.push(format!("`{}` {why}: the moves are not saved to it", path.display()));
        }
        self.change();
        let count = self.game().moves().len();
        let more = if loaded.more { "; the file goes on, this is the first game in it" } else { "" };
        self.news.push(format!(
            "`{}`: {count} {} played{more}",
            path.display(),
            if count == 1 { "move" } else { "moves" }
        ));
        let told = self.session.annotated().tags.result.filter(|_| self.game().end().is_none());
        self.news.extend(told.map(|verdict| format!("It was told as {}; it goes on here", tell::verdict(verdict))));
        Ok(())
    }

    /// Returns whether the game was loaded from the file that it is saved to.
    pub(super) fn is_saved(&self) -> bool {
        self.is_saved
    }

    /// Returns whether the game was to be saved, and could not be.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// Gets the players ready.
    ///
    /// # Errors
    /// [`TableError::Player`] if one cannot take part.
    pub fn prepare(&mut self) -> Result<(), TableError> {
        self.prepare_all().map_err(|(_, error)| error)
    }

    /// An error comes with the side that it is of.
    fn prepare_all(&mut self) -> Result<(), (Color, TableError)> {
        for side in Color::ALL {
            if let Sitter::Computer(name, player) = &mut self.sitters[side.index()] {
                let seed = self.manners.seed.wrapping_add(side.index() as u64);
                self.manners
                    .patience
                    .think(|cancel| player.prepare(seed, cancel))
                    .map_err(|source| (side, TableError::Player { side, name: name.clone(), source }))?;
            }
        }
        self.is_new = false;
        Ok(())
    }

    /// Returns whether a person plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.sitters.iter().any(|sitter| matches!(sitter, Sitter::Human))
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.given_up.is_some() || self.game().end().is_some()
    }

    /// Tells the platform and the players that another position is on the board.
    fn change(&mut self) {
        self.hosted = Hosted::new(self.game().clone());
        self.given_up = None;
        self.is_new = true;
    }

    fn side(&self) -> Color {
        self.game().position().side_to_move()
    }

    fn names(&self) -> [&str; 2] {
        let name = |sitter| match sitter {
            &Sitter::Human => "human",
            Sitter::Computer(name, _) => name.as_str(),
        };
        [name(&self.sitters[0]), name(&self.sitters[1])]
    }

    fn forced_pass(&self) -> Option<P::Move> {
        self.game().position().legal_moves().next().filter(|&m| P::is_pass(m))
    }

    /// Returns whether a person is to choose here.
    fn is_choice(&self) -> bool {
        matches!(self.sitters[self.side().index()], Sitter::Human) && self.forced_pass().is_none()
    }

    /// Writes the game where it is written after every move; that it fails is told and no more.
    pub(super) fn autosave(&mut self) {
        let Some(path) = self.manners.autosave.clone() else { return };
        let written = self.write(&path, true);
        self.is_unsaved = written.is_err();
        match written {
            Ok(lost) if lost.is_empty() => {}
            Ok(lost) => self.news.push(tell::saved(&path, &lost)),
            Err(error) => self.news.push(format!("Not saved: {}", tell::with_causes(&error))),
        }
    }

    /// Writes the game to a file; returns what of it is not there.
    fn write(&mut self, path: &Path, over: bool) -> Result<Vec<Told>, FileError> {
        let mut game = self.session.annotated();
        if let Some(GivenUp { winner, ending, .. }) = &self.given_up {
            let most = match P::SCORING {
                Scoring::Margin => P::layout().points.len() as f64,
                Scoring::Distance => 1.0,
            };
            let points = if *winner == Color::Black { most } else { -most };
            game.tags.result = Some(Verdict { points, ending: *ending });
        }
        let names = self.names().map(str::to_owned);
        self.files.write(path, over, &game, names.each_ref().map(String::as_str))
    }

    /// Ends the game off the board.
    fn give_up(&mut self, winner: Color, ending: Option<game::Ending>, reason: String) {
        self.given_up = Some(GivenUp { winner, ending, reason });
    }

    /// Tells what has come about since the last time.
    pub(super) fn tell_news(&mut self, output: &mut dyn Write) -> io::Result<()> {
        self.news.drain(..).try_for_each(|news| writeln!(output, "{news}"))
    }

    /// Lets a person whose game is over do as they like. Returns whether there is a game to go on with.
    pub(super) fn linger(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<bool> {
        while self.is_over() && !self.has_quit {
            self.tell_news(output)?;
            let Some(line) = self.read("The game is over (undo, new, save FILE, load FILE, quit): ", input, output)?
            else {
                return Ok(false);
            };
            match Typed::read(&line) {
                Ok(Typed::Nothing) => {}
                Ok(Typed::Move(_)) => {
                    writeln!(output, "The game is over: take a move back by `undo`, or begin a `new` one")?
                }
                Ok(Typed::Command(Command::Resign)) => writeln!(output, "The game is over")?,
                // The board of a game that goes on is drawn by who goes on with it.
                Ok(Typed::Command(command)) => {
                    if self.obey(command, output)? && self.is_over() {
                        self.show(output)?;
                    }
                }
                Err(error) => writeln!(output, "{}", tell::capital(&error.to_string()))?,
            }
        }
        Ok(!self.has_quit)
    }

    /// Shows what is on the board, and how it ended if it did.
    pub(super) fn show(&self, output: &mut dyn Write) -> io::Result<()> {
        self.print_board(output)?;
        if self.is_over() { self.finish_message(self.winner().as_ref(), output) } else { Ok(()) }
    }

    /// Asks a question and reads what is typed; `None` at the end.
    fn read(&self, question: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let line = prompt(question, input, output)?;
        self.manners.patience.typed();
        // What is typed may be told back, and is not to act on the terminal then.
        let line = line.map(|line| line.replace('\t', " ").replace(char::is_control, "\u{fffd}"));
        if let Some(line) = line.as_ref().filter(|_| self.manners.echo) {
            writeln!(output, "{line}")?;
        }
        Ok(line)
    }

    /// Asks a person for a move; `None` at the end.
    fn ask(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let Some(line) = self.read("Your move: ", input, output)? else { return Ok(None) };
        match Typed::read(&line) {
            Ok(Typed::Nothing) => {
                let example = self.game().position().legal_moves().next();
                let example = example.map_or_else(String::new, |m| m.to_string());
                writeln!(output, "Type a move, such as `{example}`, or `help`")?;
            }
            Ok(Typed::Move(text)) => return Ok(Some(text)),
            Ok(Typed::Command(Command::Resign)) => return Ok(Some(RESIGN.to_owned())),
            Ok(Typed::Command(command)) => {
                if self.obey(command, output)? {
                    self.show(output)?;
                }
            }
            Err(error) => writeln!(output, "{}", tell::capital(&error.to_string()))?,
        }
        Ok(Some(String::new()))
    }

    /// Lets the player of the side to move choose.
    fn choose(&mut self, output: &mut dyn Write) -> io::Result<String> {
        let side = self.side();
        loop {
            if self.is_new
                && let Err((side, error)) = self.prepare_all()
            {
                self.give_up(!side, None, tell::shown(&tell::with_causes(&error)));
                return Ok(RESIGN.to_owned());
            }
            let Sitter::Computer(name, player) = &mut self.sitters[side.index()] else { return Ok(RESIGN.to_owned()) };
            let game = self.session.game().any();
            match self.manners.patience.think(|cancel| player.choose(&game, cancel)) {
                Ok(choice) => {
                    let details = tell::choice(&choice, P::SCORING);
                    writeln!(output, "{side} ({name}): {}{details}", choice.m)?;
                    return Ok(choice.m.to_string());
                }
                Err(PlayerError::Cancelled) => {
                    writeln!(output, "{side} ({name}) had no move yet, and is asked again; Ctrl-C once more ends all")?;
                }
                Err(error) => {
                    let (why, name) = (tell::shown(&error.to_string()), name.clone());
                    // It can play again once it was made anew.
                    self.is_new = true;
                    let (ending, what) = match error {
                        PlayerError::Resigned => (Some(game::Ending::Resignation), "has resigned".to_owned()),
                        PlayerError::Timeout { .. } => (Some(game::Ending::Timeout), format!("has failed: {why}")),
                        _ => (None, format!("has failed: {why}")),
                    };
                    self.give_up(!side, ending, format!("{side} ({name}) {what}"));
                    return Ok(RESIGN.to_owned());
                }
            }
        }
    }
}

impl<P: Playable> boardwalk::Game for Table<P> {
    type Player = Color;
    type Extras = P;

    fn attributes(&self) -> &Attributes<Color> {
        self.hosted.attributes()
    }

    fn attributes_mut(&mut self) -> &mut Attributes<Color> {
        self.hosted.attributes_mut()
    }

    fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
        if m == RESIGN { Ok(()) } else { self.hosted.read_move(m).map(drop) }
    }

    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        if m == RESIGN {
            let side = self.side();
            if self.given_up.is_none() {
                self.give_up(!side, Some(game::Ending::Resignation), format!("{side} has resigned"));
            }
            self.autosave();
            return Ok(());
        }
        let m = self.hosted.read_move(m)?;
        self.session.play(&m.to_string())?;
        self.hosted = Hosted::new(self.game().clone());
        self.autosave();
        Ok(())
    }

    fn state(&self) -> State<Color, P> {
        self.hosted.state()
    }

    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        loop {
            self.tell_news(output)?;
            if self.has_quit {
                return Ok(None);
            }
            if self.is_over() {
                if !self.linger(input, output)? {
                    return Ok(None);
                }
                self.print_board(output)?;
            }
            if let Some(pass) = self.forced_pass() {
                writeln!(output, "{} has no move, and passes", self.side())?;
                return Ok(Some(pass.to_string()));
            }
            if !self.is_choice() {
                return self.choose(output).map(Some);
            }
            match self.ask(input, output)? {
                Some(line) if line.is_empty() => {}
                asked => return Ok(asked),
            }
        }
    }

    fn game_finished(&self) -> bool {
        self.is_over()
    }

    fn winner(&self) -> Option<Color> {
        match &self.given_up {
            Some(given_up) => Some(given_up.winner),
            None => self.game().end().and_then(|end| end.outcome.winner()),
        }
    }

    fn next_player(&self) -> Color {
        self.side()
    }

    fn round_counter(&self) -> u32 {
        self.game().moves().len() as u32 + 1
    }

    fn print_board(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}", draw(self.game(), self.manners.style))?;
        writeln!(output, "{}", tell::status(self.game(), self.is_over()))
    }

    fn finish_message(&self, winner: Option<&Color>, output: &mut dyn Write) -> io::Result<()> {
        match winner {
            Some(winner) => writeln!(output, "Player {winner} wins!")?,
            None => writeln!(output, "It is a draw!")?,
        }
        let reason = match &self.given_up {
            Some(given_up) => given_up.reason.clone(),
            None => Cause::of(self.game()).map_or_else(String::new, |cause| cause.text),
        };
        let outcome = winner.map_or(Outcome::Draw, |&winner| Outcome::Win(winner));
        let result = tell::result(self.game(), outcome, &reason, self.given_up.is_some());
        writeln!(output, "{}", tell::capital(&result))
    }

    fn unfinished_message(&self, output: &mut dyn Write) -> io::Result<()> {
        match (self.has_quit, self.is_over()) {
            (true, _) => Ok(()),
            (false, true) => writeln!(output),
            (false, false) => writeln!(output, "\nThe input has ended, and the game is not over."),
        }
    }
}
