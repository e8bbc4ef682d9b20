//! [`GamesFile`]: the finished games of a match, a line each.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

use anyhow::bail;

use crate::cli::files;
use crate::game::{Annotated, Color, Game, Playable, Settings};
use crate::tournament::Record;

/// A file of games, as GGF or as their moves.
pub(super) struct GamesFile<P: Playable> {
    file: Box<dyn Write + Send>,
    as_ggf: bool,
    game: PhantomData<P>,
}

impl<P: Playable> GamesFile<P> {
    /// Begins a file; what it held is lost. The ending of its name says what it holds.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        let as_ggf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ggf"));
        if as_ggf && ggf::<P>().is_none() {
            bail!(
                "--save-games `{}`: {} is not written as GGF; any other ending has the moves",
                path.display(),
                P::NAME
            );
        }
        Ok(Self { file: files::output(Some(path))?, as_ggf, game: PhantomData })
    }

    /// Writes a game; `names` are those of the players.
    pub fn write(&mut self, record: &Record, names: &[&str]) -> io::Result<()> {
        let game = replay::<P>(record).expect("the moves of a finished game are legal");
        let name = |color: Color| names[record.seats[color.index()]];
        let game = Annotated::between(game, [name(Color::Black), name(Color::White)]);
        let ggf = ggf::<P>().filter(|_| self.as_ggf).and_then(|write| write(&game).ok());
        writeln!(self.file, "{}", ggf.unwrap_or_else(|| P::write_moves(&game.game)))
    }

    /// Hands on all that was written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Plays a game again; `None` if its texts are not of one.
pub(super) fn replay<P: Playable>(record: &Record) -> Option<Game<P>> {
    let start = record.start.as_deref().map_or(Some(P::default()), |start| start.parse().ok())?;
    let mut game = Game::with_settings(start, Settings::default());
    for m in record.opening_moves.split_whitespace().chain(record.moves.split_whitespace()) {
        game.play(game.position().parse_move(m).ok()?).ok()?;
    }
    Some(game)
}

/// Returns how games are written as GGF, in games that have it.
fn ggf<P: Playable>() -> Option<crate::game::WriteText<Annotated<P>>> {
    P::formats().iter().find(|format| format.name == "ggf")?.writing.game
}
