//! The searcher with a database. It reports database values for positions in the database. For
//! other positions, the generic search probes the database at every node.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use super::super::{Database, HalfmoveClock, Metric, PositionValue, Ruleset};
use super::probe::{Place, final_value};
use super::report::{database_report, extend, is_limited, result_without_plies, with_results};
use crate::game::{
    AnyMove, AnyPosition, Cancel, Color, EngineOptions, Evaluator, Game, GameData, GameError, GameRules as _,
    KnownResult, Limits, Outcome, Position as _, Report, Searcher, WrongGameData,
};
use crate::morris::engine::MillEvaluation;
use crate::morris::engine::generic_search::{evaluation, generic_search};
use crate::morris::{Board, Move, Position, Rules, Variant};
use crate::search::SearchControl;

/// Creates a searcher with an optional database.
pub(in crate::morris::engine) fn searcher<V: Variant>(
    options: &EngineOptions,
) -> Result<Box<dyn Searcher<Position<V>>>, WrongGameData> {
    let evaluator = DatabaseEvaluator::new(V::NAME, V::BOARD, &V::RULES, options)?;
    let answers = evaluator.answers();
    // A single evaluator type is used, so that the search is compiled only once.
    let search = generic_search(evaluator, options);
    Ok(match answers {
        Some(answers) => Box::new(MorrisSearcher { search, answers }),
        None => search,
    })
}

/// [Opens](crate::game::Engine::open_database) the database of a game.
pub(in crate::morris::engine) fn open<V: Variant>(folder: Option<&Path>) -> Result<Option<GameData>, GameError> {
    Ruleset::of::<V>().map_or(Ok(None), |rules| open_with(rules, folder))
}

/// Opens the database of a game with these rules.
fn open_with(rules: Ruleset, folder: Option<&Path>) -> Result<Option<GameData>, GameError> {
    let mut database = match folder {
        Some(folder) => Database::open(folder, rules).map_err(GameError::new)?,
        None => Database::new(rules),
    };
    database.solve_small_sectors().map_err(GameError::new)?;
    Ok(Some(GameData::new(Arc::new(database))))
}

/// [Looks up](crate::game::Engine::look_up) a game.
pub(in crate::morris::engine) fn look_up<V: Variant>(
    data: &GameData,
    game: &Game<Position<V>>,
) -> Result<Option<Outcome>, WrongGameData> {
    look_up_any(V::NAME, data, &AnyPosition::new(*game.position()), game.halfmove_clock())
}

/// Looks up a position of the game with this name.
fn look_up_any(
    game: &str,
    data: &GameData,
    position: &AnyPosition,
    clock: HalfmoveClock,
) -> Result<Option<Outcome>, WrongGameData> {
    // A damaged table is ignored.
    let probe = database_of(game, data)?.probe(position, clock).ok().flatten();
    Ok(probe.map(|probe| Outcome::from_score(probe.outcome() as i32, position.side_to_move())))
}

/// Returns the database if it belongs to the game.
fn database_of(game: &str, data: &GameData) -> Result<Arc<Database>, WrongGameData> {
    let database = data.get::<Database>()?;
    if database.rules().name == game { Ok(database) } else { Err(WrongGameData) }
}

/// Evaluates positions with the database, or with the evaluation if the database has no value.
#[derive(Clone)]
struct DatabaseEvaluator {
    evaluate: MillEvaluation,
    database: Option<Arc<Database>>,
    /// The side that wins at the root, if the database does not contain the number of plies. The
    /// search then looks for progress: it does not stop at such wins, and every other result counts
    /// as a loss for this side.
    winner: Option<Color>,
    /// Whether a move limit of the game may turn a win in an unknown number of plies into a draw.
    is_limited: bool,
}

impl DatabaseEvaluator {
    fn new(name: &str, board: &Board, rules: &Rules, options: &EngineOptions) -> Result<Self, WrongGameData> {
        let evaluate = evaluation(board, rules, options)?;
        let database = options.database.as_ref().map(|data| database_of(name, data)).transpose()?;
        Ok(Self { evaluate, database, winner: None, is_limited: false })
    }

    /// Returns the interface to the database, if there is one.
    fn answers(&self) -> Option<Answers> {
        let database = self.database.clone()?;
        Some(Answers { evaluate: self.evaluate.clone(), database })
    }

    /// Prepares for the search of a game.
    fn begin_any(&mut self, database: &Database, game: &Game) {
        let side = game.position().side_to_move();
        let result = result_without_plies(database, game);
        self.winner = result.map(|result| if result.is_gt() { side } else { side.opponent() });
        self.is_limited = is_limited(game);
    }

    /// Returns the part of the value of a place that the search may use.
    fn probe(
        &self,
        database: &Database,
        place: Place,
        side: Color,
        clock: HalfmoveClock,
        final_value: &dyn Fn() -> Option<PositionValue>,
    ) -> Option<KnownResult> {
        // A damaged table is ignored here; the report mentions it.
        let probe = database.probe_place(place, clock, final_value).ok()??;
        let (outcome, plies) = (probe.outcome(), probe.plies());
        if let Some(winner) = self.winner {
            let win = if side == winner { Ordering::Greater } else { Ordering::Less };
            return match plies {
                _ if outcome != win => Some(KnownResult { outcome: win.reverse(), plies: None }),
                Some(_) => Some(KnownResult { outcome, plies }),
                None => None,
            };
        }
        // If the clock may rule out the plies, a search is needed.
        let counts_without_plies = probe.value.is_result_only() && !self.is_limited;
        (outcome.is_eq() || plies.is_some() || counts_without_plies).then_some(KnownResult { outcome, plies })
    }
}

impl<V: Variant> Evaluator<Position<V>> for DatabaseEvaluator {
    fn evaluate(&self, position: &Position<V>) -> i32 {
        self.evaluate.evaluate(position)
    }

    fn begin(&mut self, game: &Game<Position<V>>) {
        if let Some(database) = self.database.clone() {
            self.begin_any(&database, &game.any());
        }
    }

    fn known_result(&self, position: &Position<V>, clock: u32) -> Option<KnownResult> {
        let database = self.database.as_ref()?;
        let place = Place::of(position);
        // Most positions have no table; return early.
        database.table(place.sector, Metric::End)?;
        self.probe(database, place, position.side_to_move(), clock, &|| final_value(position))
    }

    fn draw_outcome(&self, position: &Position<V>) -> Ordering {
        // A win must not end in a draw by repetition.
        match self.winner {
            Some(winner) if position.side_to_move() == winner => Ordering::Less,
            Some(_) => Ordering::Greater,
            None => Ordering::Equal,
        }
    }

    fn score_move(&self, position: &Position<V>, m: Move<V>, next: &Position<V>) -> i32 {
        self.evaluate.score_move(position, m, next)
    }

    fn score_moves(&self, position: &Position<V>, moves: &mut [(i32, Move<V>)]) {
        self.evaluate.score_moves(position, moves);
    }

    fn is_quiet(&self, position: &Position<V>) -> bool {
        self.evaluate.is_quiet(position)
    }

    fn table_key(&self, position: &Position<V>) -> (u64, usize) {
        let (key, symmetry) = self.evaluate.table_key(position);
        // Values from searches for progress differ, so they have other keys.
        let of_winner = self.winner.map_or(0, |winner| 0x5851_f42d_4c95_7f2d << winner.index());
        (key ^ of_winner, symmetry)
    }
}

/// A search for the positions that are not in the database.
type Search<'a> = dyn FnMut(&Limits, &mut dyn FnMut(&Report)) -> Report + 'a;

/// Reports for positions in the database.
#[derive(Clone)]
struct Answers {
    evaluate: MillEvaluation,
    database: Arc<Database>,
}

impl Answers {
    /// Reports the database values, or else the result of `search`.
    fn search(
        &self,
        game: &Game,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report),
        search: &mut Search<'_>,
    ) -> Report {
        let database = &self.database;
        // Database reports ignore the node limit.
        let mut stop = SearchControl::new(&Limits { nodes: None, ..*limits }, cancel).with_check_interval(1);
        let known = if game.end().is_none() {
            database_report(database, &self.evaluate, game, limits, &mut stop)
        } else {
            Ok(None)
        };
        let mut report = match known.unwrap_or(None) {
            Some(report) => {
                on_info(&report);
                report
            }
            None => {
                let time = limits.time.map(|time| time.saturating_sub(stop.elapsed()));
                let moves = result_without_plies(database, game)
                    .and_then(|_| database.probe_moves(game.position(), game.halfmove_clock()).ok().flatten());
                let mut report = search(&Limits { time, ..*limits }, &mut |report| match &moves {
                    Some(moves) => on_info(&with_results(report.clone(), game, moves)),
                    None => on_info(report),
                });
                if let Some(moves) = &moves {
                    report = with_results(report, game, moves);
                }
                // The variations of the search end where the database begins.
                report.lines.iter_mut().for_each(|line| extend(database, game, line, &mut stop));
                report
            }
        };
        report.time = stop.elapsed();
        if database.is_damaged() {
            report.note = Some("a damaged table of the database was ignored; run `morello database verify`");
        }
        report
    }
}

/// A searcher for positions of the mill game `V`.
struct MorrisSearcher<V: Variant> {
    search: Box<dyn Searcher<Position<V>>>,
    answers: Answers,
}

impl<V: Variant> Searcher<Position<V>> for MorrisSearcher<V> {
    fn search(
        &mut self,
        game: &Game<Position<V>>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<Position<V>>),
    ) -> Report<Position<V>> {
        let any = |report: &Report<Position<V>>| report.map(AnyMove::new::<Position<V>>);
        let typed = |report: &Report| report.map(|m| Position::<V>::unpack_move(m.into()));
        let report = self.answers.search(
            &game.any(),
            limits,
            cancel,
            &mut |report| on_info(&typed(report)),
            &mut |limits, on_info| any(&self.search.search(game, limits, cancel, &mut |report| on_info(&any(report)))),
        );
        typed(&report)
    }

    fn fork(&self) -> Box<dyn Searcher<Position<V>>> {
        Box::new(Self { search: self.search.fork(), answers: self.answers.clone() })
    }

    fn clear(&mut self) {
        self.search.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::puzzles;
    use super::*;
    use crate::game::{AnyMove, Certainty, Confidence, DrawRules, Engine as _, RandomNumbers, Score};
    use crate::morris::engine::database::{Build, BuildProgress, Probe, Sector, StoredValues};
    use crate::morris::{Morabaraba, NineMensMorris, NineMensMorrisFlying, point};

    type Flying = Position<NineMensMorrisFlying>;

    /// Returns a position with these men on random points.
    fn random_position<V: Variant>(random: &mut RandomNumbers, own: usize, other: usize) -> Position<V> {
        let sector = Sector { own: own as u8, other: other as u8, own_hand: 0, other_hand: 0 };
        let (own, other) = puzzles::random_men(sector, V::BOARD.len(), random);
        Position::new([0; 2], [other, own].map(point::points), Color::White).unwrap()
    }

    fn probed<V: Variant>(database: &Database, position: &Position<V>, clock: HalfmoveClock) -> Probe {
        database.probe(&AnyPosition::new(*position), clock).unwrap().unwrap()
    }

    fn search<V: Variant>(options: &EngineOptions, game: &Game<Position<V>>, limits: &Limits) -> Report<Position<V>> {
        Position::<V>::searcher(options).unwrap().best(game, limits)
    }

    #[test]
    fn database_positions_are_answered_with_variations_to_the_end() {
        let options = EngineOptions { database: Flying::open_database(None).unwrap(), ..EngineOptions::new(1 << 16) };
        let mut random = RandomNumbers::new(1);
        let mut seen = [0; 3];
        for _ in 0..300 {
            let position: Flying = random_position(&mut random, 3, 4);
            if position.is_over() {
                continue;
            }
            let limits = Limits { lines: usize::MAX, ..Limits::depth(1) };
            let report = search(&options, &Game::new(position), &limits);
            assert_eq!(report.lines.len(), position.count_moves());
            for line in &report.lines {
                assert!(line.score.is_exact());
                let mut game = Game::new(position);
                line.pv.iter().for_each(|&m| game.play(m).unwrap());
                if let Some(plies) = line.score.plies {
                    assert_eq!(line.pv.len() as u32, plies);
                    assert!(game.position().is_over());
                }
            }
            assert!(report.lines.is_sorted_by(|a, b| a.score.thousandths >= b.score.thousandths));
            seen[(report.best().score.thousandths / 1000 + 1) as usize] += 1;
        }
        assert!(seen[1] > 50 && seen[2] > 10);
    }

    #[test]
    fn cancelling_truncates_variations_but_keeps_scores() {
        let options = EngineOptions { database: Flying::open_database(None).unwrap(), ..EngineOptions::new(1 << 16) };
        let position: Flying = "0,0 c5,d7,g7 a7,f4,f6 B".parse().unwrap();
        let cancel = Cancel::new();
        let limits = Limits { lines: usize::MAX, ..Limits::depth(1) };
        let mut searcher = Position::searcher(&options).unwrap();
        let whole = searcher.search(&Game::new(position), &limits, &cancel, &mut |_| ());
        cancel.cancel();
        let cut = searcher.search(&Game::new(position), &limits, &cancel, &mut |_| ());
        assert!(whole.lines.iter().any(|line| line.pv.len() > 2));
        assert!(cut.lines.iter().all(|line| line.pv.len() == 1 && line.score.is_exact()));
        let values = |report: &Report<Flying>| report.lines.iter().map(|line| line.score.plies).collect::<Vec<_>>();
        assert_eq!(values(&cut), values(&whole));
    }

    #[test]
    fn searches_that_probe_smaller_sectors_agree_with_the_larger_database() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Ruleset::of::<NineMensMorris>().unwrap();
        let four = Sector { own: 4, other: 4, own_hand: 0, other_hand: 0 };
        let build = Build::open(folder.path(), rules, &[four], StoredValues::Distances).unwrap();
        build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
        let whole = Database::open(folder.path(), rules).unwrap();
        // Without the table of the sector, the search must find the sector's values by reaching the
        // end of the game or smaller sectors.
        let database = Position::<NineMensMorris>::open_database(None).unwrap();
        let options = EngineOptions { database, ..EngineOptions::new(1 << 20) };
        let mut random = RandomNumbers::new(2);
        let (mut near, mut far) = (0, 0);
        for _ in 0..20_000 {
            let position: Position<NineMensMorris> = random_position(&mut random, 4, 4);
            let probe = probed(&whole, &position, 0);
            let Some(plies) = probe.plies().filter(|_| !position.is_over()) else { continue };
            let game = Game::new(position);
            let wins_by_capture = |m: &Move<NineMensMorris>| {
                m.captured().is_some() && probed(&whole, &position.after(*m), 0).outcome().is_lt()
            };
            if plies > 2 && far < 50 && position.legal_moves().any(|m| wins_by_capture(&m)) {
                // A search of one ply can prove this only with the database.
                let found = search(&options, &game, &Limits::depth(1)).best().score;
                assert_eq!(
                    (found.thousandths, found.certainty),
                    (Score::POINT, Certainty::Exact),
                    "{position}: {found:?}"
                );
                far += 1;
            } else if plies <= 7 && near < 50 {
                let report = search(&options, &game, &Limits::depth(plies));
                let found = report.best().score;
                assert_eq!(report.best().pv.len() as u32, plies, "{position}");
                assert_eq!(
                    (found.plies, found.thousandths),
                    (Some(plies), probe.outcome() as i32 * 1000),
                    "{position}"
                );
                near += 1;
            }
        }
        assert_eq!((near, far), (50, 50));
    }

    /// Searches positions with few men without the database, and compares the exact scores with the
    /// database. Returns the number of exact lines with a distance.
    fn check_exact_scores<V: Variant>(positions: &[Position<V>], confidence: Option<Confidence>, depth: u32) -> usize {
        let database = Position::<V>::open_database(None).unwrap().unwrap().get::<Database>().unwrap();
        let mut searcher = Position::<V>::searcher(&EngineOptions::new(1 << 22)).unwrap();
        let mut checked = 0;
        for (position, lines) in positions.iter().flat_map(|position| [1, usize::MAX].map(|lines| (position, lines))) {
            let values = database.probe_moves(&AnyPosition::new(*position), 0).unwrap().unwrap();
            let limits = Limits { lines, confidence, ..Limits::depth(depth) };
            let report = searcher.best(&Game::new(*position), &limits);
            for line in report.lines.iter().filter(|line| line.score.is_exact()) {
                let probe =
                    values.iter().find(|value| value.m == AnyMove::new::<Position<V>>(line.pv[0])).unwrap().probe;
                let Score { thousandths, plies, .. } = line.score;
                let context = format!("{} in {position}: {probe:?}", line.pv[0]);
                assert_eq!(thousandths, probe.outcome() as i32 * 1000, "{context}");
                assert!(plies.is_none() || plies == probe.plies(), "{plies:?} {context}");
                checked += usize::from(plies.is_some());
            }
        }
        checked
    }

    #[test]
    fn proved_scores_agree_with_the_database() {
        // After some of these moves the quickest win returns to the position before them.
        let texts = ["0,0 d7,g7,a4 b6,e4,c3 W", "0,0 f2,b4,d3 a4,d5,e4 W", "0,0 a7,d7,g4 a1,b2,c3 W"];
        let positions = texts.map(|text| text.parse().unwrap());
        let checked = check_exact_scores::<NineMensMorris>(&positions, Some(Confidence::FULL), 9);
        assert!(checked > 10, "{checked}");
        let mut random = RandomNumbers::new(5);
        let positions: Vec<_> = (0..40).map(|n| random_position(&mut random, 3 + n % 2, 3)).collect();
        let checked = check_exact_scores::<NineMensMorris>(&positions, None, 9);
        assert!(checked > 50, "{checked}");
        let positions: Vec<_> = (0..10).map(|n| random_position(&mut random, 3 + n % 2, 3)).collect();
        let checked = check_exact_scores::<NineMensMorrisFlying>(&positions, None, 5);
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn respects_the_no_progress_clock_of_the_game() {
        let options = EngineOptions {
            database: Position::<Morabaraba>::open_database(None).unwrap(),
            ..EngineOptions::new(1 << 16)
        };
        let database = options.database.as_ref().unwrap().get::<Database>().unwrap();
        let mut random = RandomNumbers::new(3);
        let mut late = 0;
        for _ in 0..5000 {
            let position: Position<Morabaraba> = random_position(&mut random, 3, 3);
            let probe = probed(&database, &position, 0);
            if position.is_over() || probe.outcome() != Ordering::Greater || probe.to_capture.unwrap() < 5 {
                continue;
            }
            // Both sides make quiet moves until the capture is too far away.
            let mut game = Game::new(position);
            while game.end().is_none() && game.halfmove_clock() < 18 {
                let quiet = |m: &Move<Morabaraba>| {
                    let next = game.position().after(*m);
                    m.captured().is_none() && !next.is_over()
                };
                let Some(m) = game.position().legal_moves().find(quiet) else { break };
                game.play(m).unwrap();
            }
            let probe = probed(&database, game.position(), game.halfmove_clock());
            if game.end().is_some() || !probe.drawn_by_rule {
                continue;
            }
            let report = search(&options, &game, &Limits::depth(4));
            assert_eq!(report.best().score, Score::exact(0));
            assert!(report.note.is_some_and(|note| note.ends_with("drawn by the ten-move rule")));
            // The variation is legal in the game. The rule ends the game.
            report.best().pv.iter().for_each(|&m| game.play(m).unwrap());
            late += 1;
        }
        assert!(late > 20, "{late}");
    }

    #[test]
    fn a_win_beyond_the_ply_cap_is_a_draw() {
        let options = EngineOptions { database: Flying::open_database(None).unwrap(), ..EngineOptions::new(1 << 16) };
        let database = options.database.as_ref().unwrap().get::<Database>().unwrap();
        let mut random = RandomNumbers::new(4);
        let far = |position: &Flying| probed(&database, position, 0).plies().is_some_and(|plies| plies > 9);
        let position: Flying =
            std::iter::repeat_with(|| random_position(&mut random, 3, 3)).take(10_000).find(far).unwrap();
        let capped = Game::with_draw_rules(position, DrawRules { ply_cap: Some(6), ..DrawRules::default() });
        let report = search(&options, &capped, &Limits { exact: true, ..Limits::depth(6) });
        assert_eq!((report.best().score.thousandths, report.best().score.is_exact()), (0, true));
        assert_ne!(search(&options, &Game::new(position), &Limits::depth(6)).best().score.thousandths, 0);
    }

    #[test]
    fn results_without_plies_guide_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Ruleset::of::<NineMensMorris>().unwrap();
        let four = Sector { own: 4, other: 4, own_hand: 0, other_hand: 0 };
        let build = Build::open(folder.path(), rules, &[four], StoredValues::Results).unwrap();
        build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
        // The smaller sectors are solved in memory, with plies; 4-4 has results only.
        let database = Position::<NineMensMorris>::open_database(Some(folder.path())).unwrap();
        let options = EngineOptions { database, ..EngineOptions::new(1 << 20) };
        let known = options.database.as_ref().unwrap().get::<Database>().unwrap();
        assert!(known.has_distances("4-3".parse().unwrap(), Metric::End));
        let mut random = RandomNumbers::new(6);
        let mut searcher = Position::searcher(&options).unwrap();
        let (mut seen, mut proved) = ([0; 3], 0);
        for _ in 0..150 {
            let position: Position<NineMensMorris> = random_position(&mut random, 4, 4);
            if position.is_over() {
                continue;
            }
            let probe = probed(&known, &position, 0);
            assert_eq!(probe.plies(), None);
            let limits = Limits { lines: usize::MAX, ..Limits::depth(3) };
            let game = Game::new(position);
            let report = searcher.search(&game, &limits, &Cancel::new(), &mut |report| {
                assert_eq!(report.best().score.thousandths, probe.outcome() as i32 * 1000);
            });
            assert_eq!(report.best().score.thousandths, probe.outcome() as i32 * 1000, "{position}");
            let moves = known.probe_moves(&AnyPosition::new(position), 0).unwrap().unwrap();
            for line in &report.lines {
                let known =
                    moves.iter().find(|known| known.m == AnyMove::new::<Position<NineMensMorris>>(line.pv[0])).unwrap();
                assert_eq!(line.score.thousandths, known.probe.outcome() as i32 * 1000, "{position} {}", known.m);
                assert!(line.score.is_exact());
            }
            proved += report.lines.iter().filter(|line| line.score.plies.is_some()).count();
            seen[(probe.outcome() as i32 + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 2) && proved > 20, "{seen:?} {proved}");
    }

    #[test]
    fn a_won_game_is_won_with_results_only() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Ruleset::of::<NineMensMorris>().unwrap();
        let four = Sector { own: 4, other: 4, own_hand: 0, other_hand: 0 };
        let build = Build::open(folder.path(), rules, &[four], StoredValues::Results).unwrap();
        build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).unwrap();
        let database = Position::<NineMensMorris>::open_database(Some(folder.path())).unwrap();
        let options = EngineOptions { database, ..EngineOptions::new(1 << 20) };
        let known = options.database.as_ref().unwrap().get::<Database>().unwrap();
        let mut random = RandomNumbers::new(8);
        // The draw rules of tournaments, and no draw rules.
        for draw_rules in [DrawRules::standard::<Position<NineMensMorris>>(), DrawRules::default()] {
            let mut games = 0;
            while games < 15 {
                let position: Position<NineMensMorris> = random_position(&mut random, 4, 4);
                if position.is_over() || probed(&known, &position, 0).outcome().is_le() {
                    continue;
                }
                games += 1;
                let mut game = Game::with_draw_rules(position, draw_rules);
                let winner = position.side_to_move();
                // The fifth search is too short to search a single move.
                let limits = |played| Limits { nodes: (played == 5).then_some(1), ..Limits::depth(5) };
                while game.end().is_none() {
                    let report = search(&options, &game, &limits(game.moves().len()));
                    let is_winner = game.position().side_to_move() == winner;
                    let expected = if is_winner { Ordering::Greater } else { Ordering::Less };
                    let next = probed(&known, game.position(), game.halfmove_clock());
                    assert_eq!(next.outcome(), expected, "the winner never gives the win away: {}", game.position());
                    let score = report.best().score;
                    let limited = draw_rules.ply_cap.is_some() && score.plies.is_none();
                    let points = if limited { 999 } else { 1000 };
                    assert_eq!(score.thousandths, expected as i32 * points, "{}", game.position());
                    assert_eq!(score.is_exact(), !limited);
                    game.play(report.best().pv[0]).unwrap();
                }
                assert!(game.position().is_over(), "{:?} after {} plies", game.end(), game.moves().len());
            }
        }
    }
}
