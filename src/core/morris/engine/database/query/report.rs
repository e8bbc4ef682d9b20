//! Database reports: the values of a position and of its moves, and variations to the end of the
//! game.

use std::cmp::{Ordering, Reverse};

use super::super::{Database, HalfmoveClock, MoveValue, Probe, TableError};
use super::probe::clock_after;
use super::traps::Traps;
use crate::game::{
    AnyMove, AnyPosition, Bounds, Certainty, Confidence, Game, Limits, Line, Position as _, Report, ReportSource, Score,
};
use crate::morris::engine::MillEvaluation;
use crate::search::SearchControl;

/// The maximum number of plies in the variation of a draw.
const MAX_DRAW_PLIES: usize = 8;

/// The maximum number of plies in any variation, which is more than the longest win of any game.
const MAX_VARIATION_PLIES: usize = 1000;

/// Returns the result of a won or lost position if the database does not have the number of plies
/// for the position or for one of its moves. The search must then find a move that makes progress.
fn result_only(
    database: &Database,
    position: &AnyPosition,
    clock: HalfmoveClock,
) -> Result<Option<Ordering>, TableError> {
    let Some(probe) = database.probe(position, clock)?.filter(|probe| probe.outcome().is_ne()) else {
        return Ok(None);
    };
    let is_unknown = probe.value.is_result_only()
        || database.probe_moves(position, clock)?.is_some_and(|moves| {
            let kept = moves.iter().filter(|move_value| move_value.probe.outcome() == probe.outcome());
            kept.into_iter().any(|move_value| move_value.probe.value.is_result_only())
        });
    Ok(is_unknown.then(|| probe.outcome()))
}

/// Returns the result of a game if its position has [only a result](result_only).
pub(crate) fn result_without_plies(database: &Database, game: &Game) -> Option<Ordering> {
    // A damaged table is ignored here; the report mentions it.
    let result = || result_only(database, game.position(), game.halfmove_clock()).ok().flatten();
    game.end().is_none().then(result).flatten()
}

/// Returns whether a move limit of the game may turn a win in an unknown number of plies into a
/// draw.
pub(crate) fn is_limited(game: &Game) -> bool {
    let (played, clock) = (game.moves().len() as u32, game.halfmove_clock());
    !game.draw_rules().allow_plies(played, clock, MAX_VARIATION_PLIES as u32)
}

/// Replaces the scores from a search for progress by the results of the moves. Wins and losses that
/// the search has proved keep their plies. The best line has the result of the position, even if
/// the search was stopped too early to find such a move.
pub(crate) fn with_results(mut report: Report, game: &Game, moves: &[MoveValue]) -> Report {
    let is_limited = is_limited(game);
    let result = |probe: Probe, found: Option<Score>| {
        let known = score(probe);
        let proved = found.filter(|found| found.is_exact() && found.thousandths == known.thousandths);
        let plies = known.plies.or(proved.and_then(|found| found.plies));
        let allows = |plies| game.draw_rules().allow_plies(game.moves().len() as u32, game.halfmove_clock(), plies);
        if is_limited && known.thousandths != 0 && !plies.is_some_and(allows) {
            // The move limit may come before the end of the game.
            let estimate = known.thousandths - known.thousandths.signum();
            return Score { thousandths: estimate, certainty: Certainty::Heuristic, plies: None };
        }
        Score { plies, ..known }
    };
    for line in &mut report.lines {
        if let Some(known) = moves.iter().find(|known| line.pv.first() == Some(&known.m)) {
            line.score = result(known.probe, Some(line.score));
        }
    }
    report.lines.sort_by_key(|line| Reverse(line.score.thousandths));
    let best = Line { score: result(moves[0].probe, None), pv: vec![moves[0].m] };
    if report.lines.first().is_none_or(|line| line.score.thousandths.signum() < best.score.thousandths.signum()) {
        let wanted = report.lines.len().max(1);
        report.lines.retain(|line| line.pv.first() != Some(&moves[0].m));
        report.lines.insert(0, best);
        report.lines.truncate(wanted);
    }
    let best = report.lines[0].score;
    if best.is_exact() {
        report.bounds = Bounds::exact(best.thousandths / Score::POINT);
        report.confidence = Confidence::FULL;
    }
    report.note = Some("the result is from a table without plies, and the move from a search");
    report
}

/// Reports the database values of a position. Returns `None` if the position or a position after
/// one of its moves is not in the database, or if a draw rule of the game could turn a win or a
/// loss into a draw.
pub(crate) fn database_report(
    database: &Database,
    evaluate: &MillEvaluation,
    game: &Game,
    limits: &Limits,
    stop: &mut SearchControl,
) -> Result<Option<Report>, TableError> {
    let (position, clock) = (game.position(), game.halfmove_clock());
    let Some(probe) = database.probe(position, clock)? else { return Ok(None) };
    if result_only(database, position, clock)?.is_some() {
        return Ok(None);
    }
    let rounds = if limits.move_only { 2 } else { 1 };
    let Some(moves) = sorted_moves(database, evaluate, game, rounds, stop)? else { return Ok(None) };
    let played = game.moves().len();
    let mut lines = Vec::new();
    for &MoveValue { m, probe } in moves.iter().take(limits.lines.max(1)) {
        let allows = |plies| game.draw_rules().allow_plies(played as u32, clock, plies);
        if !probe.plies().is_none_or(allows) {
            return Ok(None);
        }
        let end = variation(database, game, m, stop)?;
        let is_truncated = end.end().is_none();
        if probe.outcome().is_ne() && !end.position().is_over() && !is_truncated {
            // The variation ends by repeating an earlier position of the game.
            return Ok(None);
        }
        lines.push(Line { score: score(probe), pv: end.moves()[played..].to_vec() });
    }
    let best = lines[0].score;
    Ok(Some(Report {
        lines,
        bounds: Bounds::exact(best.thousandths / Score::POINT),
        depth: 0,
        confidence: Confidence::FULL,
        nodes: moves.len() as u64 + 1,
        time: stop.elapsed(),
        note: probe.note(),
        source: ReportSource::Table,
    }))
}

/// Extends the variation of a proved line with database moves.
pub(crate) fn extend(database: &Database, game: &Game, line: &mut Line, stop: &mut SearchControl) {
    let (mut played, first) = (game.clone(), game.moves().len());
    if line.score.is_exact()
        && line.pv.iter().all(|&m| played.play(m).is_ok())
        && let Ok(played) = follow(database, played, first, stop)
    {
        line.pv = played.moves()[first..].to_vec();
    }
}

/// Converts a probe into a score.
fn score(probe: Probe) -> Score {
    Score { thousandths: probe.outcome() as i32 * Score::POINT, certainty: Certainty::Exact, plies: probe.plies() }
}

/// A move in a position, with its value and how hard it is to answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// The move with its value.
    pub value: MoveValue,
    /// The estimated chance, from 0 to 1, that an opponent without the database answers it badly; 0
    /// for a winning move.
    pub chance: f32,
}

/// Returns the moves in the last position of a game, best first: quick wins before slow ones, and
/// long losses before short ones. Draws that do not repeat a position of the game come before other
/// draws. Among moves of equal value, the move that an opponent without the database is most likely
/// to answer badly comes first, if there is time to find out; then the evaluation decides. Returns
/// `None` if a position after one of the moves is not in the database.
pub(crate) fn replies(
    database: &Database,
    evaluate: &MillEvaluation,
    game: &Game,
    rounds: u32,
    stop: &mut SearchControl,
) -> Result<Option<Vec<Reply>>, TableError> {
    let (position, clock) = (game.position(), game.halfmove_clock());
    let Some(moves) = database.probe_moves(position, clock)? else { return Ok(None) };
    let traps = Traps { database, evaluate };
    let mut keyed = Vec::with_capacity(moves.len());
    for value in moves {
        let next = position.after(value.m);
        let (mut repetitions, mut chance, mut estimate) = (0, 0.0, 0);
        if value.probe.outcome().is_le() && !next.is_over() {
            if value.probe.outcome().is_eq() && !position.is_irreversible(value.m) {
                repetitions = game.repeatable_positions().iter().filter(|&&earlier| earlier == next).count();
            }
            let rounds = if value.probe.outcome().is_eq() { rounds } else { 1 };
            let clock = clock_after(position, value.m, clock);
            chance = traps.chance(&next, clock, rounds, stop)?.unwrap_or(0.0);
            estimate = -database.rules().game.evaluate(evaluate, &next);
        }
        // Chances are compared as integers, so that the order is total.
        keyed.push((
            (value.probe.rank(), Reverse(repetitions), (chance * 1e6) as u32, estimate),
            Reply { value, chance },
        ));
    }
    keyed.sort_by_key(|&(key, _)| Reverse(key));
    Ok(Some(keyed.into_iter().map(|(_, reply)| reply).collect()))
}

/// Returns the values of [`replies`].
fn sorted_moves(
    database: &Database,
    evaluate: &MillEvaluation,
    game: &Game,
    rounds: u32,
    stop: &mut SearchControl,
) -> Result<Option<Vec<MoveValue>>, TableError> {
    let replies = replies(database, evaluate, game, rounds, stop)?;
    Ok(replies.map(|replies| replies.into_iter().map(|reply| reply.value).collect()))
}

/// Plays a move and then [follows](follow) the database.
fn variation(database: &Database, game: &Game, m: AnyMove, stop: &mut SearchControl) -> Result<Game, TableError> {
    let (mut game, first) = (game.clone(), game.moves().len());
    game.play(m).expect("the game is not over and the move is legal");
    follow(database, game, first, stop)
}

/// Plays the best database moves until the game ends, a draw reaches [`MAX_DRAW_PLIES`] after the
/// `first` moves, a position is not in the database, or the search must stop.
fn follow(database: &Database, mut game: Game, first: usize, stop: &mut SearchControl) -> Result<Game, TableError> {
    while game.end().is_none() && game.moves().len() - first < MAX_VARIATION_PLIES && stop.visit() {
        let Some(moves) = database.probe_moves(game.position(), game.halfmove_clock())? else { break };
        let Some(best) = moves.first() else { break };
        if best.probe.value.is_result_only() {
            break;
        }
        if best.probe.outcome().is_eq() && game.moves().len() - first >= MAX_DRAW_PLIES {
            break;
        }
        game.play(best.m).expect("the game is not over and the move is legal");
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cancel, RandomNumbers};
    use crate::morris::NineMensMorrisFlying;
    use crate::morris::engine::database::Ruleset;

    #[test]
    fn draws_are_sorted_by_the_errors_that_they_invite_and_repetitions_come_last() {
        let mut database = Database::new(Ruleset::of::<NineMensMorrisFlying>().unwrap());
        database.solve_small_sectors().unwrap();
        let evaluate = MillEvaluation::new::<NineMensMorrisFlying>();
        let traps = Traps { database: &database, evaluate: &evaluate };
        let control = || SearchControl::new(&Limits::default(), &Cancel::new());
        let sorted = |game: &Game| sorted_moves(&database, &evaluate, game, 1, &mut control()).unwrap().unwrap();
        let is_quiet_draw = |value: &&MoveValue| value.probe.outcome().is_eq() && value.m.path().captured.is_none();
        let mut random = RandomNumbers::new(2);
        let (mut distinct, mut repeated) = (0, 0);
        while repeated < 20 {
            let position = database.random_position("4-3".parse().unwrap(), &mut random);
            if position.is_over() || database.probe(&position, 0).unwrap().unwrap().outcome().is_ne() {
                continue;
            }
            let mut game = Game::new(position);
            let moves = sorted(&game);
            let draws = moves.iter().filter(|value| value.probe.outcome().is_eq());
            let chances: Vec<_> = draws
                .map(|value| {
                    let (next, clock) = (position.after(value.m), clock_after(&position, value.m, 0));
                    traps.chance(&next, clock, 1, &mut control()).unwrap().unwrap()
                })
                .collect();
            assert!(chances.is_sorted_by(|a, b| a >= &(b - 2e-6)), "{position}: {chances:?}");
            distinct += usize::from(chances.first() > chances.last());

            // Both sides move a man back and forth.
            let quiet: Vec<_> = moves.iter().filter(is_quiet_draw).collect();
            let [first, _, ..] = quiet[..] else { continue };
            game.play(first.m).unwrap();
            let Some(reply) = sorted(&game).into_iter().find(|value| is_quiet_draw(&value)) else { continue };
            game.play(reply.m).unwrap();
            let back = |m: AnyMove| {
                let text = m.to_string();
                text.split_once('-').map(|(from, to)| format!("{to}-{from}"))
            };
            let played = [first.m, reply.m].into_iter().all(|m| {
                let m = back(m).and_then(|text| game.position().parse_move(&text).ok());
                m.is_some_and(|m| game.end().is_none() && game.play(m).is_ok())
            });
            if !played || game.end().is_some() || *game.position() != position {
                continue;
            }
            let again = sorted(&game);
            assert_ne!(again[0].m, first.m, "{position}");
            let index = |m| again.iter().position(|value| value.m == m).unwrap();
            let last_draw = again.iter().rposition(|value| value.probe.outcome().is_eq()).unwrap();
            assert_eq!(index(first.m), last_draw, "{position}: the only repetition is the last of the draws");
            repeated += 1;
        }
        assert!(distinct > 10, "{distinct}");
    }
}
