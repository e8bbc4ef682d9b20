//! [`EnginePlayer`]: plays the moves of the game's searcher.

use std::path::PathBuf;
use std::sync::Arc;

use morello_core::game::{
    AnyGame, Cancel, Choice, Clock, EngineOptions, EvaluationKind, Game, GameData, Level, Limits, Player, PlayerError,
    RandomNumbers, Searcher, TimeControl, WrongGameData,
};
use morello_files::book::{Book, BookAnswers, BookUse, with_book};

use super::spec::settings::{CLOCK, DEPTH, NODES, Setting, TIME, describe_limits};
use super::spec::{GivenSettings, ParseSpecError, PlayerConfig, PlayerKind, SpecProblem, UnsupportedSpec};

/// The default memory of an engine's tables, in MiB. It is small because the tables are cleared
/// before each game.
const DEFAULT_HASH: u32 = 16;

/// A player that searches each move on one thread, with its own tables.
pub struct EnginePlayer {
    searcher: Box<dyn Searcher>,
    limits: Limits,
    /// The level that chooses among the lines of a report; `None` chooses the best line.
    level: Option<Level>,
    random: RandomNumbers,
    clock: Clock,
}

morello_core::debug_fields!(EnginePlayer { limits, level });

impl EnginePlayer {
    /// Creates a player of `game` that searches each move within `limits`.
    ///
    /// ```
    /// use morello::game::{Cancel, EngineOptions, Game, Limits, Player};
    /// use morello::games;
    /// use morello::players::EnginePlayer;
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// let mut player = EnginePlayer::new(morris, &EngineOptions::new(1 << 20), Limits::depth(3))?;
    /// player.prepare(0, &Cancel::new())?;
    /// let choice = player.choose(&Game::new(morris.start()), &Cancel::new())?;
    /// assert!(choice.score.is_some() && choice.nodes > Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WrongGameData`] if the weights or the database belong to another game.
    pub fn new(game: &'static dyn AnyGame, options: &EngineOptions, limits: Limits) -> Result<Self, WrongGameData> {
        let random = RandomNumbers::new(0);
        let searcher = game.searcher(options)?;
        Ok(Self { searcher, limits: limits.for_move(), level: None, random, clock: Clock::default() })
    }
}

impl Player for EnginePlayer {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.searcher.clear();
        self.searcher.reseed(seed);
        self.random = RandomNumbers::new(seed);
        Ok(())
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.clock = *clock;
    }

    fn choose(&mut self, game: &Game, cancel: &Cancel) -> Result<Choice, PlayerError> {
        let report = self.searcher.search(game, &self.clock.limits(game, self.limits), cancel, &mut |_| ());
        let line = self.level.map_or(0, |level| level.choose_line(game, &report, &mut self.random));
        let line = &report.lines[line];
        let m = *line.pv.first().expect("the game is not over, so each line has a move");
        Ok(Choice { m, depth: Some(report.depth), nodes: Some(report.nodes), score: Some(line.score) })
    }
}

/// The player kind of the built-in engine.
pub(super) const ENGINE: PlayerKind = PlayerKind {
    name: "an engine",
    key: None,
    settings: &[
        DEPTH,
        Setting::new("level", "LEVEL", "playing level, 1 to 60 or a name such as casual, instead of a depth"),
        Setting::new("weights", "FILE", "evaluate with the weights in this file"),
        Setting::new("eval", "NAME", "`trained` weights [default] or a `simple` evaluation"),
        NODES,
        TIME,
        CLOCK,
        Setting::new("confidence", "PERCENT", "confidence of selective search: 73, 87, 95, 98, 99 or 100"),
        Setting::new("exact", "N", "solve positions with at most this many moves left (empty squares)"),
        Setting::new("hash", "MIB", "size of the transposition tables [default: 16]"),
        Setting::new("no-database", "", "do not use the endgame database"),
        Setting::new("variety", "POINTS", "play book moves within this many points of the best book move"),
        Setting::new("book", "FILE", "opening book for variety= [default: the built-in book]"),
    ],
    parse: |given| EngineConfig::read(given).map(EngineConfig::into_config),
};

/// The kind of player that looks up moves in the endgame database.
pub(super) const DATABASE: PlayerKind = PlayerKind {
    name: "the database player",
    key: Some("database"),
    settings: &[Setting::new(
        "database",
        "",
        "moves from the endgame database; a one-ply search for positions outside it",
    )],
    parse: |_| {
        let description = "database moves, with a one-ply search outside it";
        Ok(PlayerConfig { wants_database: true, ..PlayerConfig::new(description, database_player) })
    },
};

/// The settings of an engine.
#[derive(Debug)]
struct EngineConfig {
    limits: Limits,
    clock: Option<TimeControl>,
    level: Option<Level>,
    weights: Option<PathBuf>,
    evaluation: EvaluationKind,
    hash: u32,
    database: bool,
    /// By how many points a book move may be worse than the best one, and the file of the opening
    /// book.
    variety: Option<f64>,
    book: Option<PathBuf>,
}

impl EngineConfig {
    fn read(given: &GivenSettings<'_>) -> Result<Self, ParseSpecError> {
        let (confidence, exact_from) = (given.value("confidence", str::parse)?, given.number("exact")?);
        let limits = Limits { confidence, exact_from, ..given.limits()? };
        let clock = given.clock()?;
        let level: Option<Level> = given.value("level", str::parse)?;
        let eval = |text: &str| EvaluationKind::from_name(text).ok_or_else(|| SpecProblem::Evaluation(text.to_owned()));
        let is_timed = limits.time.is_some() || clock.is_some();
        let is_bounded = limits.depth.is_some() || limits.nodes.is_some() || is_timed;
        if level.is_some() && (limits.depth.is_some() || limits.exact_from.is_some() || limits.confidence.is_some()) {
            return Err(given.fail(SpecProblem::LevelAndBounds));
        }
        if level.is_none() && !is_bounded {
            return Err(given.fail(SpecProblem::NoBound));
        }
        let variety = given.value("variety", |text| {
            let points = text.parse().ok().filter(|points| (0.0..=64.0).contains(points));
            points.ok_or_else(|| SpecProblem::Points(text.to_owned()))
        })?;
        let book = given.text("book").map(PathBuf::from);
        if book.is_some() && variety.is_none() {
            return Err(given.fail_at("book", SpecProblem::BookWithoutVariety));
        }
        Ok(Self {
            limits,
            clock,
            level,
            weights: given.text("weights").map(PathBuf::from),
            evaluation: given.value("eval", eval)?.unwrap_or_default(),
            hash: given.number("hash")?.unwrap_or(DEFAULT_HASH),
            database: given.text("no-database").is_none(),
            variety,
            book,
        })
    }

    fn into_config(self) -> PlayerConfig {
        PlayerConfig {
            hash: self.hash,
            weights: self.weights.clone(),
            wants_database: self.database,
            uses_clock: self.limits.time.is_some() || self.clock.is_some(),
            time: self.limits.time,
            clock: self.clock,
            ..PlayerConfig::new(self.description(), move |game, database| self.player(game, database))
        }
    }

    fn player(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
    ) -> Result<Box<dyn Player>, UnsupportedSpec> {
        if self.limits.exact_from.is_some() && !game.info().exact_solver {
            return Err(UnsupportedSpec::NoExactSolver(game.name()));
        }
        let mut options = EngineOptions::new((self.hash as usize) << 20);
        options.weights = self.weights.as_deref().map(|file| game.read_weights(file)).transpose()?;
        options.database = database.filter(|_| self.database).cloned();
        options.evaluation = self.evaluation;
        if let Some(variety) = self.variety {
            let book = match &self.book {
                Some(file) => Book::open(file, game)?,
                None => Book::built_in(game).ok_or(UnsupportedSpec::NoBook(game.name()))??,
            };
            let usage = BookUse { variety: Some(variety), answers: BookAnswers::Never, seed: 0 };
            options.wrapper = Some(with_book(Arc::new(book), usage));
        }
        let Limits { nodes, time, .. } = self.limits;
        let limits = match self.level {
            Some(level) => Limits { nodes, time, ..level.limits(game) },
            None => self.limits.for_move(),
        };
        let player = EnginePlayer::new(game, &options, limits)?;
        Ok(Box::new(EnginePlayer { limits, level: self.level, ..player }))
    }

    /// Describes the settings in words.
    fn description(&self) -> String {
        let Self { limits, clock, level, weights, evaluation, hash, database, variety, book } = self;
        let others = [
            limits.confidence.map(|confidence| format!("confidence {confidence}")),
            limits.exact_from.map(|left| format!("exact from {left} moves before the end")),
            weights.as_deref().map(|file| format!("weights of {}", file.display())),
            (*evaluation != EvaluationKind::default()).then(|| format!("{} evaluation", evaluation.name())),
            Some(format!("{hash} MiB")),
            (!database).then(|| "no database".to_owned()),
            variety.map(|points| format!("book moves within {points} points")),
            book.as_deref().map(|file| format!("book {}", file.display())),
        ];
        let level = level.map(|level| format!("level {level}"));
        let all = level.into_iter().chain(describe_limits(limits, *clock)).chain(others.into_iter().flatten());
        all.collect::<Vec<_>>().join(", ")
    }
}

fn database_player(
    game: &'static dyn AnyGame,
    database: Option<&GameData>,
) -> Result<Box<dyn Player>, UnsupportedSpec> {
    let database = database.ok_or(UnsupportedSpec::NoDatabase(game.name()))?;
    let options = EngineOptions { database: Some(database.clone()), ..EngineOptions::new(1 << 20) };
    Ok(Box::new(EnginePlayer::new(game, &options, Limits::depth(1))?))
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Position as _, any_game};
    use morello_core::othello::Position;

    use super::*;

    #[test]
    fn games_are_independent() {
        let limits = Limits { exact_from: Some(10), ..Limits::depth(3) };
        let othello = any_game::<Position>();
        let mut engine = EnginePlayer::new(othello, &EngineOptions::new(1 << 20), limits).unwrap();
        let game = |empties: usize| othello.random_game(5, 60 - empties);
        let mut choose = |empties: usize| engine.choose(&game(empties), &Cancel::new()).unwrap();
        let first = [choose(12), choose(10)];
        assert_eq!(first.map(|choice| choice.depth), [Some(3), Some(10)]);
        assert!(game(12).position().is_legal(first[0].m) && first[0].nodes > Some(0));
        assert_ne!(choose(10), first[1], "the table knows the position");
        engine.prepare(0, &Cancel::new()).unwrap();
        let mut choose = |empties: usize| engine.choose(&game(empties), &Cancel::new()).unwrap();
        assert_eq!([choose(12), choose(10)], first);
    }
}
