//! [`ExerciseOptions`]: makes exercises: endgames of games with a margin, and mill puzzles from the
//! endgame database.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use morello_core::game::{AnyGame, Game, GameData, Level, Limits, NAMED_LEVELS, Position as _, RandomNumbers, Report};
use morello_core::games;
use morello_core::morris::engine::database::{Puzzle, TableError};

use super::{Difficulty, Exercise, Theme};

/// The number of games played to find an endgame, and of positions tried to find a puzzle.
/// Exercises with a theme take more.
const GAMES: usize = 40;
const GAMES_OF_THEME: usize = 400;
const POSITIONS: usize = 3000;
const POSITIONS_OF_THEME: usize = 30_000;

/// Puzzles from endgame databases that are not built in. `scripts/data/exercises.py` makes them.
static BUILT_IN: LazyLock<Vec<Exercise>> = LazyLock::new(|| {
    let lines = include_str!("data/exercises.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("the built-in exercises can be read")).collect()
});

/// The kind of exercises to make.
///
/// ```
/// use morello::analysis::ExerciseOptions;
/// use morello::game::{EngineOptions, RandomNumbers};
/// use morello::games;
///
/// let othello = games::get("othello-6x6")?;
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let options = ExerciseOptions { empties: 6..=7, ..ExerciseOptions::default() };
/// let found = options.endgame::<()>(othello, &mut RandomNumbers::new(1), &mut |game, limits| {
///     searcher.clear();
///     Ok(searcher.best(game, limits))
/// });
/// let exercise = found.unwrap().expect("one of 40 games has an endgame with a best move");
/// let position = othello.parse_position(&exercise.start)?;
/// assert!((6..=7).contains(&position.empty_count().unwrap()));
/// let others = exercise.values.keys().filter(|m| !exercise.is_right(m));
/// assert!(others.filter_map(|m| exercise.loss(m)).all(|loss| loss >= ExerciseOptions::LEAD));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExerciseOptions {
    /// The number of empty squares of an endgame is drawn from this range. Numbers within
    /// [`EMPTIES`](Self::EMPTIES) are solved quickly.
    pub empties: RangeInclusive<u32>,
    /// The difficulty; `None` for any.
    pub difficulty: Option<Difficulty>,
    /// The theme, one of [the game](Theme::of_game); `None` for any.
    pub theme: Option<Theme>,
}

impl Default for ExerciseOptions {
    /// Returns endgames with 8 to 12 empty squares, of any difficulty and theme.
    fn default() -> Self {
        Self { empties: 8..=12, difficulty: None, theme: None }
    }
}

impl ExerciseOptions {
    /// The numbers of empty squares of endgames that are solved quickly.
    pub const EMPTIES: RangeInclusive<u32> = 4..=14;

    /// The best move of an endgame is better than the others by at least this many discs.
    pub const LEAD: f64 = 2.0;

    /// Makes an endgame: plays games of weak players until few squares are empty and one move is
    /// proved the best by [`LEAD`](Self::LEAD) discs or more.
    ///
    /// It plays up to 40 games, or 400 if a theme is wanted. If no endgame has the wanted
    /// difficulty, it returns the last one that has the theme, or `None` if no endgame has the
    /// theme.
    ///
    /// `search` searches the last position of a game. If each search is independent of earlier
    /// ones, the same random numbers give the same exercises.
    ///
    /// # Errors
    /// Any error from `search`.
    ///
    /// # Panics
    /// If the range of empty squares is empty.
    pub fn endgame<E>(
        &self,
        game: &'static dyn AnyGame,
        random: &mut RandomNumbers,
        search: &mut dyn FnMut(&Game, &Limits) -> Result<Report, E>,
    ) -> Result<Option<Exercise>, E> {
        let mut last = None;
        for _ in 0..if self.theme.is_some() { GAMES_OF_THEME } else { GAMES } {
            let empties = self.empties.start() + random.below(self.empties.clone().count()) as u32;
            let mut record = Game::new(game.start());
            // Themes are rare, so try every position in the range.
            let least = if self.theme.is_some() { *self.empties.start() } else { empties };
            for empties in (least..=empties).rev() {
                play(&mut record, empties, random, search)?;
                last = self.solve(&record, search)?.or(last);
                if last.as_ref().is_some_and(|exercise| self.accepts(exercise)) {
                    return Ok(last);
                }
            }
        }
        Ok(last)
    }

    /// Returns a position of a mill game in which one move keeps a win or a draw. Half of the
    /// puzzles come from a built-in set, which some games have, and half are random positions of an
    /// [open database](morello_core::game::Engine::open_database). If one source has no puzzle of
    /// the wanted difficulty and theme, the other is used.
    ///
    /// If the set and 3000 random positions (30,000 with a theme) contain no puzzle of the wanted
    /// difficulty, it returns one of another difficulty that has the theme. It returns `None` if no
    /// puzzle has the theme, or if the game has neither a set nor a database.
    ///
    /// ```
    /// use morello::analysis::ExerciseOptions;
    /// use morello::game::RandomNumbers;
    /// use morello::games;
    ///
    /// let game = games::get("three-mens-morris")?;
    /// // Small databases need no files.
    /// let database = game.open_database(None)?;
    /// let puzzle = ExerciseOptions::default().puzzle(game, database.as_ref(), &mut RandomNumbers::new(1))?;
    /// assert_eq!(puzzle.expect("most positions have one").best.len(), 1);
    /// let morabaraba = games::get("morabaraba")?;
    /// let puzzle = ExerciseOptions::default().puzzle(morabaraba, None, &mut RandomNumbers::new(1))?;
    /// assert_eq!(puzzle.expect("the game has a built-in set").game, "morabaraba");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub fn puzzle(
        &self,
        game: &dyn AnyGame,
        database: Option<&GameData>,
        random: &mut RandomNumbers,
    ) -> Result<Option<Exercise>, TableError> {
        let of_theme = |exercise: &&Exercise| exercise.game == game.name() && self.has_theme(&exercise.themes);
        let (wanted, others): (Vec<_>, Vec<_>) =
            BUILT_IN.iter().filter(of_theme).partition(|exercise| self.accepts(exercise));
        let chosen = choose(&wanted, random);
        if chosen.is_some() && random.below(2) == 0 {
            return Ok(chosen);
        }
        let found = match database {
            Some(database) => self.puzzle_of_tables(game, database, random)?,
            None => None,
        };
        Ok(match found {
            Some(exercise) if self.accepts(&exercise) => Some(exercise),
            found => chosen.or(found).or_else(|| choose(&others, random)),
        })
    }

    /// Returns a puzzle from random positions of the database.
    fn puzzle_of_tables(
        &self,
        game: &dyn AnyGame,
        database: &GameData,
        random: &mut RandomNumbers,
    ) -> Result<Option<Exercise>, TableError> {
        let Ok(game) = games::mill(game.name()) else { return Ok(None) };
        let mut last = None;
        for _ in 0..if self.theme.is_some() { POSITIONS_OF_THEME } else { POSITIONS } {
            let Some(puzzle) = game.puzzle(database, 1, random)? else { continue };
            let exercise = exercise_of(&puzzle);
            if self.has_theme(&exercise.themes) {
                let exercise = last.insert(exercise);
                if self.accepts(exercise) {
                    break;
                }
            }
        }
        Ok(last)
    }

    /// Returns whether an exercise has the wanted difficulty and theme.
    #[must_use]
    pub fn accepts(&self, exercise: &Exercise) -> bool {
        (self.difficulty.is_none() || self.difficulty == exercise.difficulty) && self.has_theme(&exercise.themes)
    }

    fn has_theme(&self, themes: &[Theme]) -> bool {
        self.theme.is_none_or(|theme| themes.contains(&theme))
    }

    /// Returns the exercise at the end of a game; `None` if no move is best by [`LEAD`](Self::LEAD)
    /// discs, or the exercise does not have the theme.
    fn solve<E>(
        &self,
        record: &Game,
        search: &mut dyn FnMut(&Game, &Limits) -> Result<Report, E>,
    ) -> Result<Option<Exercise>, E> {
        let position = *record.position();
        let is_possible = |m| self.has_theme(&Theme::of_move(&position, m));
        if record.end().is_some() || position.forced_pass().is_some() || !position.legal_moves().any(is_possible) {
            return Ok(None);
        }
        let record = Game::new(position);
        let report = search(&record, &Limits::exact().with_lines(usize::MAX))?;
        let [best, second, ..] = &report.lines[..] else { return Ok(None) };
        let lead = best.score.points() - second.score.points();
        if lead < Self::LEAD || !best.score.is_exact() {
            return Ok(None);
        }
        let Some(mut exercise) = Exercise::new(&position, &report.lines) else { return Ok(None) };
        if !self.has_theme(&exercise.themes) {
            return Ok(None);
        }
        let finds = |depth| Ok(search(&record, &Limits::depth(depth))?.lines[0].pv.first() == best.pv.first());
        exercise.difficulty = Some(Difficulty::of_endgame(lead, finds)?);
        // Every disc counts, even if the winner is certain.
        exercise.best.truncate(1);
        Ok(Some(exercise))
    }
}

fn choose(exercises: &[&Exercise], random: &mut RandomNumbers) -> Option<Exercise> {
    (!exercises.is_empty()).then(|| exercises[random.below(exercises.len())].clone())
}

fn exercise_of(puzzle: &Puzzle) -> Exercise {
    let outcome = if puzzle.solution.probe.outcome().is_gt() { "win" } else { "draw" };
    let mut exercise = Exercise::of_result(&puzzle.position, &[puzzle.solution.m], outcome);
    exercise.difficulty = Some(Difficulty::of_chance(puzzle.difficulty));
    exercise.themes.extend(puzzle.is_zugzwang.then_some(Theme::Zugzwang));
    exercise
}

/// Lets weak players continue the game until at most `empties` squares are empty.
fn play<E>(
    record: &mut Game,
    empties: u32,
    random: &mut RandomNumbers,
    search: &mut dyn FnMut(&Game, &Limits) -> Result<Report, E>,
) -> Result<(), E> {
    let (level, game) = (Level::Named(&NAMED_LEVELS[NAMED_LEVELS.len() / 2]), record.position().game());
    while record.end().is_none() && record.position().empty_count() > Some(empties) {
        let report = search(record, &level.limits(game))?;
        let line = level.choose_line(record, &report, random);
        let Some(&m) = report.lines[line].pv.first() else { break };
        record.play(m).expect("a search returns legal moves, and the game is not over");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use morello_core::game::{EngineOptions, Scoring, Searcher};
    use morello_core::morris::engine::database::{Database, Metric};

    use super::*;

    /// Makes an exercise, with searches that do not depend on each other.
    fn make(options: &ExerciseOptions, searcher: &mut dyn Searcher, game: &str, seed: u64) -> Option<Exercise> {
        let game = games::get(game).unwrap();
        let random = &mut RandomNumbers::new(seed);
        if game.info().scoring == Scoring::Distance {
            return options.puzzle(game, game.open_database(None).unwrap().as_ref(), random).unwrap();
        }
        let mut search = |game: &Game, limits: &Limits| {
            searcher.clear();
            Ok::<_, ()>(searcher.best(game, limits))
        };
        options.endgame(game, random, &mut search).unwrap()
    }

    #[test]
    fn exercises_have_one_solution_by_an_exact_search_of_every_move() {
        for (name, empties) in [("othello", 5..=6), ("othello-6x6", 5..=8), ("three-mens-morris", 8..=8)] {
            let game = games::get(name).unwrap();
            let mut searcher = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
            let options = ExerciseOptions { empties: empties.clone(), ..ExerciseOptions::default() };
            for seed in 1..=4 {
                let exercise = make(&options, &mut *searcher, name, seed).unwrap();
                assert_eq!(make(&options, &mut *searcher, name, seed).as_ref(), Some(&exercise));
                let position = game.parse_position(&exercise.start).unwrap();
                assert!(position.empty_count().is_none_or(|count| empties.contains(&count)), "{exercise:?}");
                // The score of each move, for the side that makes it.
                let value = |m: &str| {
                    let mut record = Game::new(position);
                    record.play(position.find_move(m).unwrap()).unwrap();
                    let mut limits = Limits::exact();
                    limits.depth = (game.info().scoring == Scoring::Distance).then_some(12);
                    let report = searcher.best(&record, &limits);
                    let sign = if record.position().side_to_move() == position.side_to_move() { 1.0 } else { -1.0 };
                    sign * report.best().score.points()
                };
                let moves: Vec<_> = position.legal_moves().map(|m| m.to_string()).collect();
                let mut values: Vec<_> = moves.iter().map(String::as_str).map(value).collect();
                let best = moves.iter().position(|m| *m == exercise.best[0]).unwrap();
                let best = values.swap_remove(best);
                let lead = if game.info().scoring == Scoring::Margin { ExerciseOptions::LEAD } else { f64::EPSILON };
                assert!(exercise.best.len() == 1 && values.iter().all(|value| best - value >= lead), "{exercise:?}");
            }
        }
    }

    #[test]
    fn exercises_have_the_wanted_theme() {
        for name in ["othello-6x6", "six-mens-morris"] {
            let game = games::get(name).unwrap();
            let mut searcher = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
            for theme in Theme::of_game(game) {
                let options = ExerciseOptions { empties: 5..=8, difficulty: None, theme: Some(theme) };
                let exercise = make(&options, &mut *searcher, name, 1).unwrap();
                assert!(exercise.themes.contains(&theme), "{exercise:?}");
                let position = game.parse_position(&exercise.start).unwrap();
                let of_move = Theme::of_move(&position, position.find_move(&exercise.best[0]).unwrap());
                assert!(theme == Theme::Zugzwang || of_move.contains(&theme), "{exercise:?}");
            }
        }
    }

    #[test]
    fn the_difficulty_is_that_of_shallow_searches() {
        let mut searcher = games::get("othello-6x6").unwrap().searcher(&EngineOptions::new(1 << 20)).unwrap();
        for difficulty in Difficulty::ALL {
            let options = ExerciseOptions { empties: 9..=9, difficulty: Some(difficulty), theme: None };
            let exercise = make(&options, &mut *searcher, "othello-6x6", 1).unwrap();
            assert!(options.accepts(&exercise), "{difficulty:?}: {exercise:?}");
            let position = games::get("othello-6x6").unwrap().parse_position(&exercise.start).unwrap();
            let mut finds = |depth| {
                searcher.clear();
                let report = searcher.best(&Game::new(position), &Limits::depth(depth));
                report.best().pv[0].to_string() == exercise.best[0]
            };
            let found = [finds(1), finds(4)];
            let second = exercise.values.keys().filter(|m| !exercise.is_right(m)).map(|m| exercise.loss(m).unwrap());
            let is_clear = second.fold(f64::INFINITY, f64::min) >= Difficulty::EASY_LEAD;
            match difficulty {
                Difficulty::Easy => assert!(found[0] && is_clear, "{exercise:?}"),
                Difficulty::Medium => assert!(if found[0] { !is_clear } else { found[1] }, "{exercise:?}"),
                Difficulty::Hard => assert_eq!(found, [false; 2], "{exercise:?}"),
            }
        }
    }

    #[test]
    fn built_in_exercises_are_puzzles_of_many_kinds() {
        let mut databases = BTreeMap::new();
        let (mut seen, mut kinds, mut probed) = (HashSet::new(), Vec::new(), 0);
        for exercise in BUILT_IN.iter() {
            let game = games::mill(&exercise.game).unwrap();
            let any = games::get(&exercise.game).unwrap();
            let position = any.parse_position(&exercise.start).unwrap();
            assert!(seen.insert((any.name(), position.canonical().to_string())), "symmetric to another: {exercise:?}");
            let m = position.find_move(&exercise.best[0]).unwrap();
            let of_board: Vec<_> = exercise.themes.iter().copied().filter(|theme| *theme != Theme::Zugzwang).collect();
            assert_eq!(of_board, Theme::of_move(&position, m), "{exercise:?}");
            kinds.extend(exercise.themes.iter().map(|&theme| (any.name(), Some(theme), exercise.difficulty)));
            kinds.push((any.name(), None, exercise.difficulty));
            // Small tables are built in.
            let database = databases
                .entry(any.name())
                .or_insert_with(|| any.open_database(None).unwrap().unwrap().get::<Database>().unwrap());
            if database.table(game.sector_of(&position), Metric::End).is_some() {
                let puzzle = database.puzzle(&position).unwrap().expect("one move keeps the result");
                assert_eq!(exercise_of(&puzzle), *exercise, "made with other weights? See scripts/data/exercises.py");
                probed += 1;
            }
        }
        assert!(probed >= 50, "{probed} are in tables");
        for name in databases.keys() {
            for difficulty in Difficulty::ALL.map(Some) {
                assert!(kinds.contains(&(*name, None, difficulty)), "{name} {difficulty:?}");
                assert!(kinds.contains(&(*name, Some(Theme::Zugzwang), difficulty)), "{name} {difficulty:?}");
            }
            for theme in Theme::of_game(games::get(name).unwrap()) {
                assert!(kinds.iter().any(|kind| (kind.0, kind.1) == (*name, Some(theme))), "{name} {theme:?}");
            }
        }
    }

    #[test]
    fn built_in_exercises_stand_in_for_missing_tables() {
        let game = games::get("nine-mens-morris").unwrap();
        let mut random = RandomNumbers::new(1);
        for difficulty in Difficulty::ALL {
            // No position with three men each has a double mill.
            for theme in [None, Some(Theme::DoubleMill)] {
                let options = ExerciseOptions { difficulty: Some(difficulty), theme, ..ExerciseOptions::default() };
                for database in [None, game.open_database(None).unwrap()] {
                    let exercise = options.puzzle(game, database.as_ref(), &mut random).unwrap().unwrap();
                    assert!(options.accepts(&exercise), "{exercise:?}");
                }
            }
        }
        // The set has double mills of Morabaraba, but no easy ones.
        let options = ExerciseOptions {
            difficulty: Some(Difficulty::Easy),
            theme: Some(Theme::DoubleMill),
            ..ExerciseOptions::default()
        };
        let exercise = options.puzzle(games::get("morabaraba").unwrap(), None, &mut random).unwrap().unwrap();
        assert!(exercise.themes.contains(&Theme::DoubleMill) && !options.accepts(&exercise), "{exercise:?}");
        let three = games::get("three-mens-morris").unwrap();
        assert_eq!(ExerciseOptions::default().puzzle(three, None, &mut random).unwrap(), None);
    }
}
