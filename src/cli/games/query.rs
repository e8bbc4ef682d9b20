//! [`QueryArguments`]: the arguments of all questions about games, and how their games are read.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use morello_analysis::collection::{
    FilterCheck, GameBatch, GameDatum, GameFilter, GameSample, SelectedGames, UnmatchedName,
};
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::{FAILED, INTERRUPTED, eprint_line, files, help, numbers, signals, values};
use morello_core::game::{AnyGame, AnyPosition, Cancel};
use morello_core::games;
use morello_files::input::{GameRecord, ReadError, Reader};

use super::filter_arguments::FilterArguments;

/// The games and the filters.
#[derive(Debug, Args)]
pub(in crate::cli) struct QueryArguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    #[command(flatten)]
    source: SourceArguments,
}

/// The files and the filters.
#[derive(Debug, Args)]
pub(in crate::cli) struct SourceArguments {
    /// Game files; `-` or no file means standard input
    ///
    /// Files may be compressed with gzip, zstd, bzip2 or xz. For a directory or zip archive, all
    /// its files are read. Invalid games are reported on standard error and skipped.
    files: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    filters: FilterArguments,

    #[command(flatten)]
    progress: ProgressArguments,
}

/// The threads that read the inputs.
#[derive(Debug, Args)]
pub(in crate::cli) struct ReadingThreads {
    /// Number of threads [default: all cores]
    ///
    /// Each thread reads a different file.
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE, hide_short_help = true,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,
}

impl ReadingThreads {
    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        values::thread_count(self.threads)
    }
}

/// A question whose inputs are open.
pub(in crate::cli) struct Query<'a> {
    /// The reader of the inputs.
    pub reader: Reader,
    /// The filter.
    pub filter: Arc<GameFilter>,
    /// Raised by Ctrl-C.
    pub cancel: Cancel,
    /// The maximum number of games to pass on; reading ends after it.
    pub limit: Option<u64>,
    arguments: &'a SourceArguments,
    total_bytes: Option<u64>,
}

/// What was read.
#[derive(Debug, Default)]
pub(in crate::cli) struct QueryCounts {
    /// The games that match.
    pub matching: u64,
    /// The games.
    pub games: u64,
    /// The games of the sample, if one was requested.
    pub sampled: Option<u64>,
    /// The invalid records.
    invalid: u64,
    /// The positions, which are not games.
    positions: u64,
    is_cancelled: bool,
    /// The names in the filter that no game has, if all games were read.
    unmatched: Vec<UnmatchedName>,
    /// The data in the filter that no game has, if all games were read.
    missing: Vec<GameDatum>,
    /// The limit, if reading ended early because of it.
    limited: Option<u64>,
    /// The error that ended the reading of an input.
    failed: Option<ReadError>,
}

impl QueryArguments {
    /// Returns the game.
    pub fn game(&self) -> anyhow::Result<&'static dyn AnyGame> {
        Ok(games::get(&self.game)?)
    }

    /// Returns the position of `--position`.
    pub fn position(&self) -> anyhow::Result<Option<AnyPosition>> {
        self.source.filters.position(self.game()?)
    }

    /// Returns the number of inputs.
    pub fn inputs(&self) -> usize {
        self.source.files.len().max(1)
    }

    /// Returns the names of the inputs.
    pub fn file_names(&self) -> String {
        files::names(&self.source.files)
    }

    /// Returns whether `--player` is given.
    pub fn has_player(&self) -> bool {
        self.source.filters.has_player()
    }

    /// Starts a progress display.
    pub fn progress(&self, what: &'static str, output_on_terminal: bool) -> Progress {
        Progress::new(self.source.progress, what, output_on_terminal)
    }

    /// Opens the inputs, which must not be among the outputs.
    pub fn open(&self, outputs: &[&Path]) -> anyhow::Result<Query<'_>> {
        self.source.open(self.game()?, outputs)
    }
}

impl SourceArguments {
    /// Opens the inputs, which must not be among the outputs.
    pub fn open(&self, game: &'static dyn AnyGame, outputs: &[&Path]) -> anyhow::Result<Query<'_>> {
        let (format, filter) = (self.format.input_format(game)?, self.filters.filter(game)?);
        let inputs = files::inputs(&self.files)?;
        files::check_distinct(&inputs, outputs)?;
        let total_bytes = files::total_bytes(&inputs);
        let reader = files::reader(game, inputs, &format)?;
        let cancel = signals::cancel_on_signal()?;
        Ok(Query { reader, filter: Arc::new(filter), cancel, limit: None, arguments: self, total_bytes })
    }
}

/// What is made of a game. One type, since each would be another copy of everything that reads
/// games.
type Item = Box<dyn Any + Send>;

impl Query<'_> {
    /// Reads the games with some threads. Passes what `map` makes of each selected one to `sink`,
    /// in input order.
    pub fn run<T: Send + 'static>(
        self,
        threads: usize,
        output_on_terminal: bool,
        map: impl Fn(GameRecord) -> T + Send + Sync + 'static,
        sink: &mut dyn FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<QueryCounts> {
        let map = move |record| Box::new(map(record)) as Item;
        self.run_erased(threads, output_on_terminal, Box::new(map), &mut |item| {
            sink(*item.downcast().expect("`map` returns this type"))
        })
    }

    fn run_erased(
        self,
        threads: usize,
        output_on_terminal: bool,
        map: Box<dyn Fn(GameRecord) -> Item + Send + Sync>,
        sink: &mut dyn FnMut(Item) -> anyhow::Result<()>,
    ) -> anyhow::Result<QueryCounts> {
        let Self { reader, filter, cancel, limit, arguments, total_bytes } = self;
        let progress = Progress::new(arguments.progress, "games", output_on_terminal);
        let check = Arc::new(FilterCheck::new(&filter));
        let checked = Arc::clone(&check);
        let select = move |record: GameRecord| {
            checked.add(&record.game);
            filter.matches(&record.game).then(|| map(record))
        };
        let mut sample = arguments.filters.sample().map(|(size, seed)| GameSample::new(size, seed));
        let (mut counts, mut bytes) = (QueryCounts::default(), 0);
        for batch in SelectedGames::new(reader, threads, &cancel, select) {
            let GameBatch { mut selected, games, positions, invalid, error, .. } = batch;
            if let Some(limit) = limit.filter(|_| sample.is_none()) {
                selected.truncate(usize::try_from(limit - counts.matching).unwrap_or(usize::MAX));
            }
            counts.matching += selected.len() as u64;
            counts.games += games;
            counts.positions += positions;
            counts.invalid += invalid.len() as u64;
            bytes += batch.bytes;
            progress.set(bytes, total_bytes, &|| format!("{} of {}", counts.matching, counted(counts.games, "game")));
            for (file, error) in invalid {
                progress.suspend(|| files::report_invalid(&file, &error));
            }
            counts.failed = counts.failed.or(error);
            match &mut sample {
                Some(sample) => selected.into_iter().for_each(|item| sample.add(item)),
                None => progress.suspend(|| selected.into_iter().try_for_each(&mut *sink))?,
            }
            if sample.is_none() && limit == Some(counts.matching) {
                counts.limited = limit;
                break;
            }
        }
        progress.finish();
        if let Some(sample) = sample {
            let mut items = sample.finish();
            items.truncate(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX));
            counts.sampled = Some(items.len() as u64);
            items.into_iter().try_for_each(sink)?;
        }
        counts.is_cancelled = cancel.is_cancelled();
        if !counts.is_cancelled && counts.limited.is_none() && counts.failed.is_none() {
            (counts.missing, counts.unmatched) = (check.missing(), check.unmatched());
        }
        Ok(counts)
    }
}

/// Describes a name that no game has, with the nearest names.
fn describe(unmatched: &UnmatchedName) -> String {
    let UnmatchedName { of, pattern, nearest, .. } = unmatched;
    let what = if *of == GameDatum::Event { "event" } else { "player" };
    let hint = match nearest.as_slice() {
        [] if *of == GameDatum::Player => "`morello games players` lists the names".to_owned(),
        [] => "no name is similar".to_owned(),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("the nearest names are {}", names.join(", "))
        }
    };
    let whole = if pattern.is_whole { " (`=` requires the whole name)" } else { "" };
    format!("no {what} matches `{pattern}`{whole}: {hint}")
}

impl QueryCounts {
    /// Prints the number of games that match.
    pub fn print(&self) {
        if let Some(limit) = self.limited {
            eprint_line(format_args!("{} found; --limit ended the search", counted(limit, "game")));
            return;
        }
        let sampled = self.sampled.map_or_else(String::new, |sampled| format!(", {sampled} sampled"));
        eprint_line(format_args!("{} of {}{sampled}", self.matching, counted(self.games, "game")));
        if self.positions > 0 {
            let positions = counted(self.positions, "position");
            eprint_line(format_args!("skipped {positions}: only games are searched"));
        }
        if self.games > 0 {
            for datum in &self.missing {
                let (what, options) = match datum {
                    GameDatum::Player => ("player names", "--player, --opponent, --black or --white"),
                    GameDatum::Event => ("an event", "--event"),
                    GameDatum::Year => ("a year", "--year"),
                    GameDatum::Result => ("a result", "--result"),
                    GameDatum::Ratings => ("ratings of both players", "--rating"),
                };
                eprint_line(format_args!("no game has {what}, so none can match {options}"));
            }
            self.unmatched.iter().for_each(|unmatched| eprint_line(format_args!("{}", describe(unmatched))));
        }
    }

    /// Returns the exit code. `failures` is the number of other failures.
    ///
    /// # Errors
    /// An input could not be read to its end.
    pub fn exit_code(self, failures: u64) -> anyhow::Result<ExitCode> {
        match self {
            Self { failed: Some(error), .. } => Err(error.into()),
            Self { is_cancelled: true, .. } => Ok(ExitCode::from(INTERRUPTED)),
            _ if self.invalid + failures > 0 => Ok(ExitCode::from(FAILED)),
            _ => Ok(ExitCode::SUCCESS),
        }
    }
}
