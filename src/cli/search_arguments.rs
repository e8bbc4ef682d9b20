//! [`SearchArguments`] and [`ResourceArguments`]: the search of positions from files, and its
//! threads, memory and cache.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use morello_analysis::Cache;
use morello_command::{eprint_line, help, numbers, values};
use morello_core::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use morello_core::causes::with_causes;
use morello_core::game::{AnyGame, Confidence, EXACT_NODES, EngineOptions, EvaluationKind, LEVELS, Level, Limits};
use morello_core::provenance;
use morello_files::book::known_values;
use twox_hash::XxHash3_128;

use super::endgame_arguments::EndgameArguments;

/// The search depth without another limit, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// How positions are searched.
#[derive(Debug, Args)]
pub(super) struct SearchArguments {
    /// Search depth [default: 8]
    ///
    /// The default is 8, or no limit with --nodes, --time, --level or --exact.
    #[arg(long, value_name = "PLIES", help_heading = help::SEARCH,
        value_parser = numbers::whole(1..=Limits::MAX_DEPTH))]
    depth: Option<u32>,

    /// Node limit per position
    #[arg(long, value_name = "N", help_heading = help::SEARCH, value_parser = numbers::whole(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Time limit per position, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time: Option<Duration>,

    /// Playing level, 1 to 60, instead of a depth
    ///
    /// The level is the depth in plies. In Othello, positions with few empty squares are solved: up
    /// to 20 at level 10, 25 at level 20 and 28 at level 30. The search is selective, with
    /// --confidence 73 up to level 30, 87 up to level 40, 95 up to level 50, and 98 above. With
    /// --time or --nodes, the search stops at the first limit that it reaches.
    #[arg(long, value_name = "LEVEL", help_heading = help::SEARCH, conflicts_with_all = ["depth", "exact",
        "confidence"], value_parser = parse_level)]
    level: Option<u32>,

    /// Search until the score is proved
    ///
    /// The mill games have no exact solver. Positions in the endgame database are looked up; others
    /// are searched for up to 20 million nodes, or to your limit.
    #[arg(long, help_heading = help::SEARCH)]
    exact: bool,

    /// Confidence of selective search: 73, 87, 95, 98, 99 or 100 percent
    ///
    /// Moves that a shallower search makes unlikely to matter are pruned at this confidence; 100
    /// prunes nothing. Edax calls it selectivity. In the mill games, all values below 100 are the
    /// same. The default is 73; in Othello it increases once a search reaches the end of the game.
    /// With --time or --nodes, an Othello search begins at 73 and increases to this value as far as
    /// the limit allows.
    #[arg(long, value_name = "PERCENT", help_heading = help::SEARCH, hide_short_help = true)]
    confidence: Option<Confidence>,

    /// Evaluate with the weights in this file [default: built-in weights]
    ///
    /// `morello-train network` and `morello-train fit` write such files.
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION, hide_short_help = true)]
    weights: Option<PathBuf>,

    #[command(flatten)]
    endgames: EndgameArguments,
}

/// The threads, the memory and the cache of a search.
#[derive(Debug, Args)]
pub(super) struct ResourceArguments {
    /// Number of threads [default: all cores]
    ///
    /// Each thread analyzes a different position. When every position has been started, idle threads
    /// help with the unfinished ones, except with --deterministic or --nodes.
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Size in MiB of the transposition tables
    #[arg(long, value_name = "MIB", default_value = "64", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    pub hash: u32,

    /// Store results in this file and reuse those of earlier runs
    ///
    /// A result is reused for the same search settings in an equal or symmetric position (with
    /// --deterministic: only in an equal one).
    #[arg(long, value_name = "FILE", help_heading = help::PERFORMANCE, hide_short_help = true)]
    pub cache: Option<PathBuf>,

    /// Produce the same output on every run, byte for byte
    ///
    /// Each position is searched with empty tables, and no times are reported. Each thread has its
    /// own tables of the size given by --hash.
    #[arg(long, conflicts_with = "time", help_heading = help::REPRODUCIBILITY, hide_short_help = true)]
    pub deterministic: bool,
}

/// Parses a level of searches. The named levels, which choose moves at random, are for play.
pub(super) fn parse_level(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(Level::Number(level)) => Ok(level),
        Ok(Level::Named(_)) => {
            Err(format!("named levels are for `play`, `engine` and `selfplay`; use a level from 1 to {LEVELS}"))
        }
        Err(_) => Err(format!("expected a level from 1 to {LEVELS}; higher levels search longer")),
    }
}

impl SearchArguments {
    /// Returns the limits, with bounds of the score if `window` is given, for the best `lines`
    /// moves.
    pub fn limits(&self, game: &dyn AnyGame, window: Option<(i32, i32)>, lines: usize) -> anyhow::Result<Limits> {
        let level = self.level.map(|level| game.level(level));
        let bounded = level.is_some() || self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        if window.is_some() && !game.info().exact_solver {
            bail!(
                "{} has no exact solver, which --alpha, --beta and --wld require; use --exact with --depth, --nodes \
                    or --time",
                game.name()
            );
        }
        let exact = self.exact || window.is_some();
        let nodes = self.nodes.or((exact && !game.info().exact_solver && !bounded).then_some(EXACT_NODES));
        let depth = self.depth.or((!bounded && !exact).then_some(DEFAULT_DEPTH));
        Ok(Limits {
            depth: depth.or(level.and_then(|level| level.depth)),
            nodes,
            time: self.time,
            exact,
            confidence: self.confidence.or(level.and_then(|level| level.confidence)),
            exact_from: level.and_then(|level| level.exact_from),
            window,
            move_only: false,
            lines,
            skipped: 0,
        })
    }

    /// Returns the options of the searchers. Unless the search is given, proved values of the opening
    /// book of the program answer.
    pub fn engine_options(
        &self,
        game: &'static dyn AnyGame,
        resources: &ResourceArguments,
    ) -> anyhow::Result<EngineOptions> {
        let tables = if resources.deterministic { resources.threads() } else { 1 };
        Ok(EngineOptions {
            hash_bytes: values::hash_bytes(resources.hash, tables)?,
            weights: self.weights.as_deref().map(|file| game.read_weights(file)).transpose()?,
            database: self.endgames.open(game)?,
            evaluation: EvaluationKind::default(),
            wrapper: if self.says_how() { None } else { known_values(game)? },
        })
    }

    /// Returns whether positions are evaluated with the built-in weights.
    pub fn has_built_in_weights(&self) -> bool {
        self.weights.is_none()
    }

    /// Returns an identification of the weights and the endgame database.
    pub fn evaluation_identity(&self, game: &dyn AnyGame) -> anyhow::Result<impl std::fmt::Debug + use<>> {
        let weights = describe_weights(self.weights.as_deref()).context("--weights")?;
        Ok((weights, self.endgames.identity(game)?))
    }

    /// Records the settings of a search for the provenance of its outputs: its limits, and the
    /// weights and the database with their fingerprints.
    pub fn record(&self, game: &dyn AnyGame, resources: &ResourceArguments, limits: &Limits) -> anyhow::Result<()> {
        let weights = describe_weights(self.weights.as_deref()).context("--weights")?;
        let confidence = limits.confidence.map(|confidence| confidence.to_string());
        let known = [
            ("game", Some(game.name().to_owned())),
            ("depth", limits.depth.map(|depth| depth.to_string())),
            ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
            ("time", limits.time.map(|time| format!("{time:?}"))),
            ("exact", limits.exact.then(|| "yes".to_owned())),
            ("exact_from", limits.exact_from.map(|empties| empties.to_string())),
            ("confidence", confidence),
            ("window", limits.window.map(|(alpha, beta)| format!("{alpha} to {beta}"))),
            ("lines", Some(limits.lines).filter(|&lines| lines != usize::MAX).map(|lines| lines.to_string())),
            ("hash_mib", Some(resources.hash.to_string())),
            ("weights", Some(weights)),
            ("database", Some(self.endgames.describe(game)?)),
        ];
        provenance::add_settings(known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Ok(())
    }

    /// Returns whether the depth, the nodes or the time of the search are given.
    pub fn says_how(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Opens the cache, if there is one. `book` is the use of an opening book.
    pub fn open_cache(
        &self,
        game: &dyn AnyGame,
        resources: &ResourceArguments,
        limits: &Limits,
        book: &dyn std::fmt::Debug,
    ) -> anyhow::Result<Option<Cache>> {
        let Some(file) = &resources.cache else { return Ok(None) };
        let cannot_use = || format!("--cache `{}`", file.display());
        // The result of a search depends on the size of its tables as well; reproducible output
        // must account for that.
        let hash = resources.deterministic.then_some(resources.hash);
        let settings = (env!("CARGO_PKG_VERSION"), game.name(), limits, self.evaluation_identity(game)?, hash, book);
        let cache = Cache::open(file, &format!("{settings:?}"), !resources.deterministic).with_context(cannot_use)?;
        let name = cannot_use();
        Ok(Some(
            cache.on_problem(move |problem| eprint_line(format_args!("warning: {name}: {}", with_causes(problem)))),
        ))
    }
}

/// Describes the weights in a file by their checksum, or the built-in ones.
pub(super) fn describe_weights(file: Option<&Path>) -> anyhow::Result<String> {
    let Some(file) = file else { return Ok("built-in".to_owned()) };
    let weights = read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
    Ok(format!("xxh3 {:032x}", XxHash3_128::oneshot(&weights)))
}

impl ResourceArguments {
    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        values::thread_count(self.threads)
    }

    /// Completes the cache, if there is one, and returns a line with its use.
    pub fn finish_cache(&self, cache: Option<&Cache>) -> Option<String> {
        let (Some(cache), Some(file)) = (cache, &self.cache) else { return None };
        cache.finish();
        let (found, added) = cache.counts();
        Some(format!("{found} results reused from `{}`, {added} added", file.display()))
    }
}
