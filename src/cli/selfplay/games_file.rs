//! [`GamesFile`]: the finished games of a match, a line each.

use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;

use crate::cli::files;
use crate::game::{Annotated, AnyGame, Color, Game, Position as _, Settings, TextFormat};
use crate::tournament::Record;

/// A file of games, as GGF or as their moves.
pub(super) struct GamesFile {
    file: Box<dyn Write + Send>,
    ggf: Option<&'static dyn TextFormat>,
}

impl GamesFile {
    /// Begins a file; what it held is lost. The ending of its name says what it holds.
    pub fn create(game: &'static dyn AnyGame, path: &Path) -> anyhow::Result<Self> {
        let as_ggf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ggf"));
        let ggf = if as_ggf { game.formats().into_iter().find(|format| format.name() == "ggf") } else { None };
        if as_ggf && ggf.is_none() {
            bail!(
                "--save-games `{}`: {} is not written as GGF; any other ending has the moves",
                path.display(),
                game.name()
            );
        }
        Ok(Self { file: files::output(Some(path))?, ggf })
    }

    /// Writes a game; `names` are those of the players.
    pub fn write(&mut self, game: &'static dyn AnyGame, record: &Record, names: &[&str]) -> io::Result<()> {
        let played = replay(game, record).expect("the moves of a finished game are legal");
        let name = |color: Color| names[record.seats[color.index()]];
        let annotated = Annotated::between(played, [name(Color::Black), name(Color::White)]);
        let ggf = self.ggf.and_then(|format| format.write_game(&annotated)?.ok());
        writeln!(self.file, "{}", ggf.unwrap_or_else(|| game.write_moves(&annotated.game)))
    }

    /// Hands on all that was written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Plays a game again; `None` if its texts are not of one.
pub(super) fn replay(game: &dyn AnyGame, record: &Record) -> Option<Game> {
    let start = record.start.as_deref().map_or(Some(game.start()), |start| game.parse_position(start).ok())?;
    let mut game = Game::with_settings(start, Settings::default());
    for m in record.opening_moves.split_whitespace().chain(record.moves.split_whitespace()) {
        game.play(game.position().parse_move(m).ok()?).ok()?;
    }
    Some(game)
}
