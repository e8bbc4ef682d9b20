//! `morello database probe`: prints the value of a position and of its moves.

use std::iter;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{help, numbers};
use morello_core::game::{AnyPosition, Game, Position as _, ReportSource, Score, result_name};
use morello_core::morris::engine::database::{Database, HalfmoveClock, MoveValue, Probe, Ruleset};
use morello_files::book::Book;
use morello_files::output::Field;

use super::folder_arguments::{FolderArguments, check_sector};
use super::{RowOutput, require_mill_game};
use crate::cli::position_argument::PositionArgument;

const EXAMPLES: &str = "\
Examples:
  morello database probe nine-mens-morris-flying '0,0 c5,d7,g7 a7,f4,f6 W'
  morello database probe morabaraba '0,0 a7,d7,g4 a1,b2,c3 W' --clock 12 --format jsonl";

/// Print the values of a position and of its moves, best move first
///
/// `outcome` is the result for the side to move, and `plies` is the number of plies to the end of
/// the game under best play. Small sectors need not be built: they are computed when needed. In
/// Morabaraba, if a side has three cows, `to_capture` is the number of plies to the next capture.
/// If it exceeds the ten-move limit, the outcome is a draw, and `note` shows the result without the
/// limit. If tables are missing but the built-in opening book proves the result, the rows come from
/// the book, and `source` says so.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    #[command(flatten)]
    position: PositionArgument,

    /// Plies since the last capture, for the ten-move draw [default: from moves]
    ///
    /// This applies to Morabaraba. If there was no capture, count the plies since a side was first
    /// reduced to three cows. By default, the plies are counted from the given moves; without
    /// moves, the value is 0.
    #[arg(long, value_name = "PLIES", help_heading = help::INPUT,
        value_parser = numbers::whole(0..=1000_u32))]
    clock: Option<HalfmoveClock>,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let (game, rules) = require_mill_game(&self.game)?;
        let played = self.position.read(game)?;
        let position = *played.position();
        let clock = self.clock(&played, &rules)?;
        let mut database = self.root.open(rules)?;
        let after = position.legal_moves().map(|m| game.sector_of(&position.after(m)));
        iter::once(game.sector_of(&position)).chain(after).try_for_each(|sector| check_sector(&database, sector))?;
        let found = database.look_up(|database| look_up(database, &position, clock))?;
        let text = position.to_string();
        let row = |m: Option<String>, value| ProbeRow { game: game.info().name, position: text.clone(), m, value };
        let known = match found {
            Some((probe, moves)) => {
                let moves = moves.into_iter().map(|known| row(Some(known.m.to_string()), known.probe.into()));
                iter::once(row(None, probe.into())).chain(moves).collect()
            }
            None => book_values(&played)?.into_iter().map(|(m, value)| row(m, value)).collect::<Vec<_>>(),
        };
        if known.is_empty() {
            let sector = game.sector_of(&position);
            let what = if position == position.game().start() {
                "--all-sectors".into()
            } else {
                format!("--sectors {sector}")
            };
            let build = self.root.build_command(game.info().name, &what);
            bail!(
                "no table of sector {sector}, or of a sector that it leads to, in `{}`; run {build}, which reports \
                    the memory and disk space that it requires",
                self.root.folder(game.info().name)?.display()
            );
        }
        let mut output = RowOutput::new(&self.rows, fields(game.info().name, &text))?;
        known.iter().try_for_each(|row| output.write(row))?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The value of a position and the values of its moves.
type PositionValues = (Probe, Vec<MoveValue>);

impl Arguments {
    /// Returns the plies since the last capture.
    fn clock(&self, played: &Game, rules: &Ruleset) -> anyhow::Result<HalfmoveClock> {
        let limit = played.position().no_progress_limit();
        let Some(clock) = self.clock else {
            return match limit {
                Some(limit) if played.halfmove_clock() >= limit => {
                    bail!(
                        "POSITION: the moves end the game, which is drawn after {limit} plies without a capture; give \
                            fewer moves"
                    )
                }
                limit => Ok(limit.map_or(0, |_| played.halfmove_clock())),
            };
        };
        match limit {
            _ if clock == 0 => {}
            None if rules.rules.three_men_limit.is_none() => {
                bail!("--clock {clock}: {} has no draw after a number of plies; remove --clock", rules.name)
            }
            None => bail!(
                "--clock {clock}: the clock starts when a side has three men, which is not the case here; remove \
                    --clock"
            ),
            Some(limit) if clock >= limit => {
                bail!("--clock {clock}: the game is drawn after {limit} plies; use at most {}", limit - 1)
            }
            Some(_) => {}
        }
        Ok(clock)
    }
}

/// Looks a position up; `None` if a table is missing.
fn look_up(
    database: &Database,
    position: &AnyPosition,
    clock: HalfmoveClock,
) -> anyhow::Result<Option<PositionValues>> {
    let Some(probe) = database.probe(position, clock)? else { return Ok(None) };
    let moves = database.probe_moves(position, clock).context("cannot probe the moves of the position")?;
    Ok(moves.map(|moves| (probe, moves)))
}

/// Returns the proved values of a position and its moves in the opening book of the program, best
/// first; none if it does not prove that of the position.
fn book_values(played: &Game) -> anyhow::Result<Vec<(Option<String>, KnownValue)>> {
    let position = played.position();
    // A book does not know the moves before a position.
    let book = Book::built_in(position.game()).transpose()?.filter(|_| played.halfmove_clock() == 0);
    let Some(entry) = book.map(|book| book.get(position)).transpose()?.flatten() else { return Ok(Vec::new()) };
    let moves = entry.moves.iter().map(|known| (Some(known.m.to_string()), known.score.score));
    let of_position = entry.score(position).map(|score| (None, score.score));
    let is_known = of_position.as_ref().is_some_and(|(_, score)| score.is_exact());
    let known = of_position.into_iter().chain(moves).filter(|(_, score)| is_known && score.is_exact());
    Ok(known.map(|(m, score)| (m, score.into())).collect())
}

/// A value that a table or a book proves.
struct KnownValue {
    outcome: &'static str,
    plies: Option<u32>,
    to_capture: Option<u32>,
    source: ReportSource,
    note: Option<&'static str>,
}

impl From<Probe> for KnownValue {
    fn from(probe: Probe) -> Self {
        Self {
            outcome: result_name(probe.outcome()),
            plies: probe.plies(),
            to_capture: probe.to_capture,
            source: ReportSource::Table,
            note: probe.note(),
        }
    }
}

impl From<Score> for KnownValue {
    fn from(score: Score) -> Self {
        let outcome = result_name(score.thousandths.cmp(&0));
        Self { outcome, plies: score.plies, to_capture: None, source: ReportSource::Book, note: None }
    }
}

/// The value of the position or of a move.
struct ProbeRow {
    game: &'static str,
    position: String,
    m: Option<String>,
    value: KnownValue,
}

fn fields(game: &str, position: &str) -> Vec<Field<ProbeRow>> {
    type One = Field<ProbeRow>;
    vec![
        One::text("game", |row| row.game.into()).width(game.len()).rank(9),
        One::text("position", |row| row.position.as_str().into()).width(position.chars().count()).rank(8),
        One::text("move", |row| row.m.clone().into()).width("a7-a4xa1".len()),
        One::text("outcome", |row| row.value.outcome.into()),
        One::integer("plies", |row| row.value.plies.into()),
        One::integer("to_capture", |row| row.value.to_capture.into()),
        One::text("source", |row| row.value.source.name().into()),
        One::text("note", |row| row.value.note.into()),
    ]
}

#[cfg(test)]
mod tests {
    use morello_core::morris::engine::database::PositionValue;

    use super::*;

    #[test]
    fn reports_wins_and_losses_drawn_by_the_rule() {
        let win =
            Probe { value: PositionValue::win(31), to_capture: Some(21), drawn_by_rule: true, within_clock: false };
        assert_eq!((result_name(win.outcome()), win.plies()), ("draw", None));
        assert_eq!(win.note(), Some("win, drawn by the ten-move rule"));
        let loss = Probe { value: PositionValue::loss(30), ..win };
        assert_eq!(loss.note(), Some("loss, drawn by the ten-move rule"));
        assert_eq!(Probe { drawn_by_rule: false, ..win }.note(), None);
    }
}
