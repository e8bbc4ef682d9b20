//! `morello database openings`: lists all openings with their values and replies.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals};
use morello_core::game::{AnyMove, Position as _, Wdl, result_name};
use morello_core::morris::engine::database::{
    Database, MillGame, Opening, OpeningValue, Reply, Sector, TableError, openings,
};
use morello_core::parallel;
use morello_core::threads;
use morello_files::output::{Field, OutputFormat, Text};

use super::folder_arguments::{FolderArguments, check_sector};
use super::{RowOutput, require_mill_game, rounded};

/// The number of openings evaluated between two updates of the progress.
const CHUNK: usize = 256;

/// The number of replies in a row.
const REPLIES: usize = 3;

const EXAMPLES: &str = "\
Examples:
  morello database openings six-mens-morris --opening-plies 2
  morello database openings nine-mens-morris --opening-plies 4 --format csv > openings.csv";

/// List all openings up to symmetry, with their values and best replies
///
/// An opening is a position after `--opening-plies` plies; only the first line that leads to it is
/// listed. `outcome` is the result for the side to move, and `plies` is the number of plies to the
/// end of the game. `moves` is the number of legal moves, and `keeping` is the number of moves that
/// keep the outcome. `difficulty` is the estimated chance, from 0 to 1, that a player without the
/// tables chooses a move that does not keep it. `replies` lists the best moves; among moves of
/// equal value, the hardest to answer comes first. The number after a move that does not win is the
/// estimated chance that the opponent gives the result away.
///
/// The command requires the tables of the positions one ply after the openings. `replies` also
/// requires the tables of the positions two plies after them.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Length of the openings
    #[arg(long, value_name = "PLIES", default_value = "4", help_heading = help::OPENINGS,
        value_parser = numbers::whole(0..=8_u32))]
    opening_plies: u32,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.rows.check()?;
        let (game, rules) = require_mill_game(&self.game)?;
        let mut database = self.root.open(rules)?;
        let pool = self.threads.pool()?;
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "openings", io::stdout().is_terminal());
        let openings = openings(game.start(), self.opening_plies as usize);
        if !missing(game, &database, &openings).is_empty() {
            database.solve_small_sectors()?;
            let missing = missing(game, &database, &openings);
            missing.iter().try_for_each(|&sector| check_sector(&database, sector))?;
            if !missing.is_empty() {
                return Err(self.no_tables(&database, &missing));
            }
        }
        let (mut done, mut counts) = (0, Wdl::default());
        let mut output = RowOutput::new(&self.rows, fields(game.info().name))?;
        for chunk in openings.chunks(CHUNK) {
            if cancel.is_cancelled() {
                progress.finish();
                output.finish()?;
                eprint_line(format_args!("interrupted after {done} of {} openings", openings.len()));
                return Ok(ExitCode::from(INTERRUPTED));
            }
            let value = |opening: &Opening| database.opening_value(&opening.position);
            let values: Result<Vec<_>, TableError> =
                threads::run_on(&pool, || parallel::map(chunk.len(), &|at| value(&chunk[at]))).into_iter().collect();
            for (opening, value) in chunk.iter().zip(values.context("cannot look up the openings")?) {
                let value = value.expect("the tables of all moves exist");
                counts.add(value.probe.outcome());
                progress.suspend(|| output.write(&ValuedOpeningRow { opening, value }))?;
            }
            done += chunk.len();
            progress.set(done as u64, Some(openings.len() as u64), &String::new);
        }
        progress.finish();
        output.finish()?;
        if self.rows.format()? == OutputFormat::Table {
            let Wdl { wins, draws, losses } = counts;
            let done = counted(done as u64, "opening");
            eprint_line(format_args!("{done}: {wins} won by the side to move, {draws} drawn, {losses} lost"));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn no_tables(&self, database: &Database, missing: &BTreeSet<Sector>) -> anyhow::Error {
        let rules = database.rules();
        let list = missing.iter().map(Sector::to_string).collect::<Vec<_>>().join(",");
        let build = self.root.build_command(rules.name, &format!("--sectors {list}"));
        anyhow::anyhow!(
            "no tables of the sectors after the openings; run {build}, which reports the memory and disk space that \
                it requires"
        )
    }
}

/// Returns the sectors after the openings that have no table.
fn missing(game: &dyn MillGame, database: &Database, openings: &[Opening]) -> BTreeSet<Sector> {
    let mut sectors = BTreeSet::new();
    for Opening { position, .. } in openings {
        sectors.extend(position.legal_moves().map(|m| game.sector_of(&position.after(m))));
    }
    sectors.retain(|&sector| sector.is_playable(database.rules()) && !database.sectors().contains(&sector));
    sectors
}

/// An opening and its value.
struct ValuedOpeningRow<'a> {
    opening: &'a Opening,
    value: OpeningValue,
}

/// Formats the best replies: `d6 0.410; f4 0.320`; winning moves without a chance.
fn best_replies(replies: &[Reply]) -> String {
    let reply = |reply: &Reply| match reply.value.probe.outcome() {
        Ordering::Greater => reply.value.m.to_string(),
        _ => format!("{} {:.3}", reply.value.m, reply.chance),
    };
    replies.iter().take(REPLIES).map(reply).collect::<Vec<_>>().join("; ")
}

fn fields<'a>(game: &'static str) -> Vec<Field<ValuedOpeningRow<'a>>> {
    type One<'a> = Field<ValuedOpeningRow<'a>>;
    vec![
        One::capturing("game", move |_| Text::from(game)).width(game.len()).rank(9),
        One::text("opening", |row| {
            let moves: Vec<_> = row.opening.moves.iter().map(AnyMove::to_string).collect();
            moves.join(" ").into()
        })
        .width(11),
        One::text("position", |row| row.opening.position.to_string().into()).width(20).shortens_to(12),
        One::text("outcome", |row| result_name(row.value.probe.outcome()).into()),
        One::integer("plies", |row| row.value.probe.plies().into()),
        One::integer("moves", |row| (row.value.moves as u64).into()),
        One::integer("keeping", |row| (row.value.keeping.len() as u64).into()),
        One::float("difficulty", |row| rounded(row.value.difficulty.into(), 3).into()),
        One::text("replies", |row| best_replies(&row.value.keeping).into()),
    ]
}
