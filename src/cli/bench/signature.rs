//! `morello bench` without a subcommand: a fixed suite of searches, whose node counts are a
//! signature of the searches.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use morello_command::files;
use morello_core::game::{AnyGame, EngineOptions, Limits};
use morello_core::games;
use morello_files::output::{Field, Output, OutputFormat};

/// The numbers of random plies before the positions of each game; the number is also the seed.
const OPENINGS: [usize; 6] = [0, 12, 24, 40, 56, 72];

/// The search depth, in plies.
const DEPTH: u32 = 7;

/// Games with an exact solver also solve positions about this many plies before the end.
const SOLVED_PLIES: usize = 16;

/// The number of positions to solve.
const SOLVED: u64 = 8;

/// The result of the suite in one game.
struct SignatureRow {
    game: &'static str,
    positions: u32,
    nodes: u64,
    time: Duration,
}

fn fields() -> Vec<Field<SignatureRow>> {
    let width = games::all().iter().map(|game| game.name().len()).max().unwrap_or(0);
    type Named = Field<SignatureRow>;
    vec![
        Named::text("game", |row| row.game.into()).width(width),
        Named::integer("positions", |row| row.positions.into()),
        Named::integer("nodes", |row| row.nodes.into()).width(10),
        Named::float("time_ms", |row| (row.time.as_micros() as f64 / 1000.0).into()).width(9),
    ]
}

/// Runs the suite and prints its signature.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    let cannot_write = "cannot write to standard output";
    let mut total = 0;
    {
        let mut output =
            Output::new(OutputFormat::Table, fields(), files::output(files::Target::Stdout)?).context(cannot_write)?;
        for game in games::all() {
            let row = measure(*game);
            total += row.nodes;
            output.write(&row).and_then(|()| output.flush()).context(cannot_write)?;
        }
        output.finish().context(cannot_write)?;
    }
    writeln!(std::io::stdout(), "Bench: {total}").context(cannot_write)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the suite of one game.
fn measure(game: &dyn AnyGame) -> SignatureRow {
    let start = Instant::now();
    let mut searcher = game.searcher(&EngineOptions::new(16 << 20)).expect("no data can be another game's");
    let mut row = SignatureRow { game: game.name(), positions: 0, nodes: 0, time: Duration::ZERO };
    let mut search = |seed: u64, plies: usize, limits: &Limits| {
        searcher.clear();
        let report = searcher.best(&game.random_game(seed, plies), limits);
        row.positions += 1;
        row.nodes += report.nodes;
    };
    for plies in OPENINGS {
        search(plies as u64, plies, &Limits::depth(DEPTH));
    }
    if game.info().exact_solver {
        for seed in 0..SOLVED {
            let length = game.random_game(seed, usize::MAX).moves().len();
            search(seed, length.saturating_sub(SOLVED_PLIES), &Limits::exact());
        }
    }
    SignatureRow { time: start.elapsed(), ..row }
}
