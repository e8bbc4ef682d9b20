//! `morello database puzzles`: prints positions in which one move keeps the result.

use std::collections::HashSet;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use morello_analysis::Difficulty;
use morello_command::row_arguments::RowArguments;
use morello_command::{eprint_line, help, numbers};
use morello_core::game::{RandomNumbers, result_name};
use morello_core::morris::engine::database::{Metric, Puzzle, Sector};
use morello_core::sorting;
use morello_files::output::{Field, Text};

use super::folder_arguments::FolderArguments;
use super::{RowOutput, require_mill_game, rounded};
use crate::cli::exercise_filters::difficulty_parser;

/// The random positions tried for each puzzle that was asked for.
const TRIES: usize = 20_000;

/// All positions of the sectors are tried instead if there are at most this many, and no more than
/// random ones.
const MAX_LISTED: usize = 1 << 24;

const EXAMPLES: &str = "\
Examples:
  morello database puzzles nine-mens-morris-flying --limit 5
  morello database puzzles nine-mens-morris-flying --sectors 4-3 --result draw --difficulty hard";

/// Print positions in which only one move keeps a win or a draw
///
/// White is to move. `difficulty` is the estimated chance, from 0 to 1, that a player without the
/// tables misses the move: `easy` is below 0.5, `medium` below 0.9, and `hard` 0.9 or more. `plies`
/// is the number of plies to the end of a won game. Easier puzzles come first.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Sectors of the positions, such as 5-4,4-4 [default: all available]
    ///
    /// Small sectors need not be built.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = help::INPUT)]
    sectors: Vec<Sector>,

    #[command(flatten)]
    root: FolderArguments,

    /// List at most N puzzles
    #[arg(long, value_name = "N", default_value = "10", help_heading = help::OUTPUT,
        value_parser = numbers::whole(1..=100_000_u32))]
    limit: u32,

    /// Only puzzles with this result [default: both]
    #[arg(long, value_enum, help_heading = help::FILTERS)]
    result: Option<PuzzleResult>,

    /// Only puzzles of this difficulty [default: all]
    #[arg(long, value_name = "DIFFICULTY", help_heading = help::FILTERS, value_parser = difficulty_parser())]
    difficulty: Option<Difficulty>,

    /// Seed of the puzzle selection
    ///
    /// The same seed and tables give the same puzzles.
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::REPRODUCIBILITY,
        value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    rows: RowArguments,
}

/// The result that the solution keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PuzzleResult {
    Win,
    Draw,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.rows.check()?;
        let (game, rules) = require_mill_game(&self.game)?;
        let mut database = self.root.open(rules)?;
        database.solve_small_sectors()?;
        self.sectors.iter().try_for_each(|&sector| self.root.table(&database, sector).map(drop))?;
        let sectors = if self.sectors.is_empty() { database.sectors() } else { self.sectors.clone() };
        let (mut random, mut found, mut seen) = (RandomNumbers::new(self.seed), Vec::new(), HashSet::new());
        let wanted = self.limit as usize;
        let tries = TRIES.saturating_mul(wanted);
        let tables: Vec<_> = sectors.iter().filter_map(|&sector| database.table(sector, Metric::End)).collect();
        let positions: u64 = tables.iter().map(|table| table.slots()).sum();
        let lists_all = positions <= tries.min(MAX_LISTED) as u64;
        let mut all = lists_all.then(|| {
            let mut slots: Vec<_> =
                tables.iter().flat_map(|&table| (0..table.slots() as usize).map(move |slot| (table, slot))).collect();
            for left in (1..slots.len()).rev() {
                slots.swap(left, random.below(left + 1));
            }
            slots.into_iter()
        });
        let mut next = || match &mut all {
            Some(all) => all.next().map_or(Ok(None), |(table, slot)| database.puzzle_at(table, slot)),
            None => database.random_puzzle(&sectors, 1, &mut random),
        };
        let (tries, what) = match lists_all {
            true => (positions as usize, "positions"),
            false => (tries, "random positions"),
        };
        for _ in 0..tries {
            if found.len() == wanted {
                break;
            }
            let puzzle = next()?;
            if let Some(puzzle) = puzzle.filter(|puzzle| self.accepts(puzzle))
                && seen.insert(puzzle.position.canonical().to_string())
            {
                found.push(puzzle);
            }
        }
        if found.is_empty() {
            bail!("no puzzle matches among {tries} {what}; try other sectors, or remove --result or --difficulty");
        }
        sorting::sort_by(&mut found, &|a, b| a.difficulty.total_cmp(&b.difficulty));
        let mut output = RowOutput::new(&self.rows, fields(game.info().name))?;
        found.iter().try_for_each(|puzzle| output.write(puzzle))?;
        output.finish()?;
        if found.len() < wanted {
            eprint_line(format_args!("found only {} of {wanted} such puzzles among {tries} {what}", found.len()));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn accepts(&self, puzzle: &Puzzle) -> bool {
        let wins = puzzle.solution.probe.outcome().is_gt();
        let result = if wins { PuzzleResult::Win } else { PuzzleResult::Draw };
        self.result.is_none_or(|wanted| wanted == result)
            && self.difficulty.is_none_or(|wanted| wanted == Difficulty::of_chance(puzzle.difficulty))
    }
}

fn fields(game: &'static str) -> Vec<Field<Puzzle>> {
    type One = Field<Puzzle>;
    vec![
        One::capturing("game", move |_| Text::from(game)).width(game.len()).rank(9),
        One::text("position", |puzzle| puzzle.position.to_string().into()).width(40),
        One::text("solution", |puzzle| puzzle.solution.m.to_string().into()).width("a7-a4xa1".len()),
        One::text("outcome", |puzzle| result_name(puzzle.solution.probe.outcome()).into()),
        One::integer("plies", |puzzle| puzzle.solution.probe.plies().into()),
        One::integer("moves", |puzzle| (puzzle.moves as u64).into()),
        One::float("difficulty", |puzzle| rounded(puzzle.difficulty.into(), 3).into()).rank(5),
        One::text("level", |puzzle| Difficulty::of_chance(puzzle.difficulty).name().into()),
    ]
}
