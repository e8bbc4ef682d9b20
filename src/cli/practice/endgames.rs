//! `morello practice endgames`: asks for the best moves of endgames that are made anew.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_analysis::{Difficulty, Exercise, ExerciseOptions, Theme};
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::{
    AnyGame, AnyPosition, Cancel, EngineOptions, Game, GameData, Limits, RandomNumbers, Scoring, Searcher,
};
use morello_play::session::SEPARATE_TABLES;

use super::exercises::ask_all;
use super::{ColorArguments, FilterArguments};
use crate::cli::board_style::board_style;
use crate::cli::book::game_parser;
use crate::cli::endgame_arguments::EndgameArguments;
use crate::cli::review::reserve;

/// The exercises written by default.
const WRITTEN: u32 = 10;
/// The seed of exercises that are written.
const DEFAULT_SEED: u64 = 1;
/// How often an exercise of the wanted difficulty is looked for, and how often one may have been before: of
/// two or three dozen exercises, all are found.
const TRIES: usize = 5;
const REPEATS: usize = 200;

const EXAMPLES: &str = "\
Examples:
  morello practice endgames othello
  morello practice endgames othello --empties 6..8 --difficulty easy --limit 5
  morello practice endgames othello --theme parity
  morello practice endgames nine-mens-morris-flying --difficulty hard
  morello practice endgames othello --limit 20 --seed 7 -o endgames.jsonl";

/// Find the best moves of endgames
///
/// In Othello, the endgames come from games of weak players. They are solved, and one move is
/// better than all others by at least 2 discs. An exercise is easy if a search of depth 1 finds
/// this move and it is better by at least 8 discs, medium if a search of depth 1 or 4 finds it, and
/// hard otherwise.
///
/// In a mill game, only one move keeps the win or the draw. The endgames come from the available
/// tables and, for some games, from built-in sets. The difficulties are the same as in `morello
/// database puzzles`.
///
/// Othello themes: parity (a region with an odd number of empty squares), swindle (a pair of
/// squares that the opponent cannot share), wedge (between two discs of an edge), stoner-trap (a
/// corner that no reply saves). Mill themes: double-mill (two mills that a man closes in turn),
/// zugzwang (the opponent would rather pass), flying.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = game_parser())]
    game: &'static dyn AnyGame,

    /// Number of empty squares, 4 to 14, or a range [default: 8..12]
    #[arg(long, value_name = "RANGE", help_heading = help::INPUT, value_parser = values::parse_within)]
    empties: Option<RangeInclusive<u32>>,

    #[command(flatten)]
    filters: FilterArguments,

    /// Make at most N exercises [default: 10 with -o, otherwise until you quit]
    #[arg(long, value_name = "N", help_heading = help::OUTPUT, 
        value_parser = numbers::whole(1..=u32::MAX))]
    limit: Option<u32>,

    /// Write the exercises to this .jsonl file instead of asking them
    ///
    /// `morello practice FILE` asks them. The page of `morello serve` also opens the file.
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    color: ColorArguments,

    /// Seed of the exercises [default: 1 with -o, otherwise random]
    #[arg(long, value_name = "N", help_heading = help::REPRODUCIBILITY, value_parser = numbers::whole(0..=u64::MAX))]
    seed: Option<u64>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Some(path) = &arguments.output else {
        let exercises = arguments.exercises(values::random_seed, Cancel::new())?;
        let limit = arguments.limit.map(|limit| limit as usize);
        return ask_all(exercises.take(limit.unwrap_or(usize::MAX)), limit, board_style(arguments.color.color));
    };
    let output = reserve(Some(path), "--output", &["jsonl"])?.expect("there is a path");
    let cancel = signals::cancel_on_signal()?;
    let exercises = arguments.exercises(|| DEFAULT_SEED, cancel.clone())?;
    let mut text = String::new();
    for found in exercises.take(arguments.limit.unwrap_or(WRITTEN) as usize) {
        if cancel.is_cancelled() {
            eprint_line(format_args!("interrupted: no exercise was written"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        text.push_str(&serde_json::to_string(&found?.0)?);
        text.push('\n');
    }
    output.write(&text)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn exercises(&self, seed: impl FnOnce() -> u64, cancel: Cancel) -> anyhow::Result<Exercises> {
        let (game, allowed) = (self.game, ExerciseOptions::EMPTIES);
        if let Some(empties) = &self.empties {
            if game.info().scoring == Scoring::Distance {
                bail!("--empties: {} does not count empty squares; remove the option", game.name());
            }
            // Small boards have fewer.
            let most = game.start().empty_count().map_or(*allowed.end(), |most| most.min(*allowed.end()));
            if empties.start() < allowed.start() || *empties.end() > most {
                bail!("--empties: endgames of {} have {} to {most} empty squares", game.name(), allowed.start());
            }
        }
        if let Some(theme) = self.filters.theme.filter(|theme| !theme.is_of(game)) {
            let known: Vec<_> = Theme::of_game(game).map(Theme::name).collect();
            bail!("--theme: {} has no theme {}; choose {}", game.name(), theme.name(), known.join(", "));
        }
        let options = self.filters.options();
        let empties = self.empties.clone().unwrap_or(options.empties.clone());
        Ok(Exercises {
            game,
            options: ExerciseOptions { empties, ..options },
            searcher: game.searcher(&EngineOptions::new(SEPARATE_TABLES))?,
            database: self.endgames.open(game)?,
            random: RandomNumbers::new(self.seed.unwrap_or_else(seed)),
            seen: HashSet::new(),
            is_over: false,
            cancel,
        })
    }
}

/// The exercises of a game, each another one. After an error, there are no more.
struct Exercises {
    game: &'static dyn AnyGame,
    options: ExerciseOptions,
    searcher: Box<dyn Searcher>,
    database: Option<GameData>,
    random: RandomNumbers,
    seen: HashSet<AnyPosition>,
    is_over: bool,
    cancel: Cancel,
}

impl Iterator for Exercises {
    type Item = anyhow::Result<(Exercise, AnyPosition)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let found = self.find().transpose();
        self.is_over = !matches!(found, Some(Ok(_)));
        found
    }
}

impl Exercises {
    /// Returns another exercise; `None` if there are no more. Fails if there is none at all.
    fn find(&mut self) -> anyhow::Result<Option<(Exercise, AnyPosition)>> {
        let (mut misses, mut repeats) = (0, 0);
        while misses < TRIES && repeats < REPEATS {
            let Some(exercise) = self.make()?.filter(|exercise| self.options.accepts(exercise)) else {
                misses += 1;
                continue;
            };
            let position = self.game.parse_position(&exercise.start)?;
            // Symmetric positions are the same exercise.
            if self.seen.insert(position.canonical()) {
                return Ok(Some((exercise, position)));
            }
            repeats += 1;
        }
        let name = self.game.name();
        let (difficulty, theme) = (self.options.difficulty.map(Difficulty::name), self.options.theme.map(Theme::name));
        let kind: String = [difficulty, theme].into_iter().flatten().map(|word| format!("{word} ")).collect();
        match self.game.info().scoring {
            _ if !self.seen.is_empty() => {
                eprint_line(format_args!("no other {kind}exercise of {name} was found"));
                Ok(None)
            }
            Scoring::Margin => {
                bail!("no {kind}exercise of {name} was found; try other --empties, --difficulty or --theme")
            }
            Scoring::Distance => bail!(
                "no {kind}exercise of {name} was found, built-in or in the available tables; try another \
                    --difficulty or --theme, or build larger tables with `morello database build {name}`, without \
                    --no-database"
            ),
        }
    }

    fn make(&mut self) -> anyhow::Result<Option<Exercise>> {
        let Self { searcher, cancel, .. } = self;
        if self.game.info().scoring == Scoring::Distance {
            let found = self.options.puzzle(self.game, self.database.as_ref(), &mut self.random);
            return found.context("cannot use the tables");
        }
        self.options.endgame(self.game, &mut self.random, &mut |record: &Game, limits: &Limits| {
            if cancel.is_cancelled() {
                bail!("interrupted");
            }
            searcher.clear();
            Ok(searcher.search(record, limits, cancel, &mut |_| ()))
        })
    }
}
