//! The log of a match: one line of JSON per finished game. An interrupted match can be resumed from
//! it.
//!
//! Each line has a checksum that detects damage.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::iter::repeat_n;
use std::time::Duration;

use morello_core::game::{AnyGame, AnyMove, Color, Game, Note, Position as _};
use morello_core::provenance::Provenance;
use morello_core::signed_line::{is_signed, signed};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Effort, EndReason, FinishedGame};

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct LogLine {
    /// The identity of the match: a digest of everything that determines its games.
    #[serde(rename = "match")]
    match_id: String,
    /// The name of the game, as on the command line.
    rules: String,
    /// The number of the game, from 0.
    game: u64,
    opening: usize,
    black: String,
    white: String,
    result: LogOutcome,
    /// The final score in points for Black.
    score: Option<i32>,
    end_reason: EndReason,
    problem: Option<String>,
    /// The last lines of the conversation with the program that forfeited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conversation: Vec<String>,
    start: Option<String>,
    opening_moves: String,
    moves: String,
    /// The scores of the moves after the opening, in points for the side that made them. Trailing
    /// nulls are omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<f64>>,
    /// The depths of the searches for these moves, in plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// The times of these moves, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seconds: Vec<Option<f64>>,
    /// When the game began, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// The first player of the encounter, then the second.
    engines: [EngineLine; 2],
    /// What played the game.
    #[serde(default, skip_serializing_if = "Provenance::is_empty")]
    provenance: Provenance,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LogOutcome {
    Black,
    White,
    Draw,
}

/// One engine's effort.
#[derive(Serialize, Deserialize)]
struct EngineLine {
    name: String,
    moves: u64,
    /// The number of nodes; null if the engine reports none.
    nodes: Option<u64>,
    moves_with_nodes: u64,
    /// The sum of the engine's search depths; null if it reports none.
    depths: Option<u64>,
    moves_with_depth: u64,
    mean_depth: Option<f64>,
    time_ms: f64,
    max_time_ms: f64,
}

/// Why a match cannot be resumed from a log.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadLogError {
    /// The log cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not a log line.
    #[error("line {line} is not a line of a game log ({cause})")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The JSON error.
        cause: serde_json::Error,
    },
    /// A line was changed after it was written.
    #[error("line {line} is damaged or was edited; delete it to play its game again")]
    Damaged {
        /// The line number, from 1.
        line: usize,
    },
    /// A game belongs to a different match.
    #[error(
        "line {line}: the game belongs to a different match; use the same game, engines, seed, openings and rules, or \
            another log"
    )]
    OtherMatch {
        /// The line number, from 1.
        line: usize,
    },
    /// A game is not the scheduled one: its moves are illegal or contradict its result, or its
    /// players or opening differ.
    #[error(
        "game {game} of the log is not the scheduled game, or its moves contradict its result; to play it again, \
            delete its line, which has `\"game\":{game}`"
    )]
    Game {
        /// The number of the game, from 0.
        game: u64,
    },
    /// A game occurs twice.
    #[error("line {line}: duplicate of game {game}; delete one of the two lines")]
    Duplicate {
        /// The number of the second line, from 1.
        line: usize,
        /// The number of the game, from 0.
        game: u64,
    },
}

/// Returns a game as a log line, without the line break. `names` are the names of the players;
/// `match_id` identifies the match, and `provenance` says what played it.
///
/// ```
/// use morello::games;
/// use morello::players::Spec;
/// use morello::tournament::{MatchEvent, MatchPlan, log_line, read_log};
/// use morello::game::Cancel;
///
/// let morris = games::get("three-mens-morris")?;
/// let entrants = vec!["depth=1,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
/// let plan = MatchPlan::new(morris, entrants, 2);
/// let mut log = String::new();
/// plan.play(&Cancel::new(), &mut |event| {
///     if let MatchEvent::Finished(game) = event {
///         log += &(log_line(game, &plan.names(), "club match", &plan.provenance) + "\n");
///     }
///     Ok(())
/// })?;
/// let (games, bytes) = read_log(morris, log.as_bytes(), &plan.names(), "club match")?;
/// assert_eq!((games.len(), bytes as usize), (2, log.len()));
/// let error = read_log(morris, log.as_bytes(), &plan.names(), "another").unwrap_err();
/// assert!(error.to_string().starts_with("line 1: the game belongs to a different match"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn log_line(record: &FinishedGame, names: &[&str], match_id: &str, provenance: &Provenance) -> String {
    let player = |color: Color| names[record.players[color.index()]];
    let engine = |color: Color| {
        let Effort { moves, nodes, moves_with_nodes, depths, moves_with_depth, time, longest } =
            record.efforts[color.index()];
        EngineLine {
            name: player(color).to_owned(),
            moves,
            nodes: (moves_with_nodes > 0).then_some(nodes),
            moves_with_nodes,
            depths: (moves_with_depth > 0).then_some(depths),
            moves_with_depth,
            mean_depth: (moves_with_depth > 0).then(|| depths as f64 / moves_with_depth as f64),
            time_ms: milliseconds(time),
            max_time_ms: milliseconds(longest),
        }
    };
    let first = record.first();
    let (opening_moves, moves) = record.moves.split_at(record.opening_plies);
    let notes = record.notes.get(record.opening_plies..).unwrap_or_default();
    let text = |moves: &[AnyMove]| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let line = LogLine {
        match_id: match_id.to_owned(),
        rules: record.start.game().name().to_owned(),
        game: record.game,
        opening: record.opening,
        black: player(Color::Black).to_owned(),
        white: player(Color::White).to_owned(),
        result: match record.winner {
            None => LogOutcome::Draw,
            Some(Color::Black) => LogOutcome::Black,
            Some(Color::White) => LogOutcome::White,
        },
        score: record.black_points,
        end_reason: record.end_reason,
        problem: record.problem.clone(),
        conversation: record.conversation.clone(),
        start: (!record.start.is_start()).then(|| record.start.to_string()),
        opening_moves: text(opening_moves),
        moves: text(moves),
        scores: known_values(notes, |note| note.eval),
        depths: known_values(notes, |note| note.depth),
        seconds: known_values(notes, |note| note.seconds),
        date: record.date.clone(),
        engines: [engine(first), engine(!first)],
        provenance: provenance.clone(),
    };
    signed(serde_json::to_string(&line).expect("a line contains only strings and numbers"))
}

/// Returns the values of notes without trailing `None`s.
fn known_values<T>(notes: &[Note], value: fn(&Note) -> Option<T>) -> Vec<Option<T>> {
    let known = notes.iter().rposition(|note| value(note).is_some()).map_or(0, |last| last + 1);
    notes[..known].iter().map(value).collect()
}

/// Reads the log of a match of `game`. Returns the games by their numbers, and the length in bytes
/// of all complete lines: a killed process may have left an incomplete last line.
///
/// # Errors
/// [`ReadLogError`] if a line is invalid or belongs to another match.
pub fn read_log(
    game: &dyn AnyGame,
    mut log: impl BufRead,
    names: &[&str],
    match_id: &str,
) -> Result<(BTreeMap<u64, FinishedGame>, u64), ReadLogError> {
    let (mut records, mut bytes, mut text) = (BTreeMap::new(), 0, Vec::new());
    for line in 1.. {
        text.clear();
        let length = log.read_until(b'\n', &mut text)?;
        if text.pop() != Some(b'\n') {
            break;
        }
        bytes += length as u64;
        if text.trim_ascii().is_empty() {
            continue;
        }
        let read: LogLine = serde_json::from_slice(&text).map_err(|cause| ReadLogError::Line { line, cause })?;
        if read.match_id != match_id {
            return Err(ReadLogError::OtherMatch { line });
        }
        if !is_signed(text.trim_ascii()) {
            return Err(ReadLogError::Damaged { line });
        }
        let player = |name: &String| names.iter().position(|known| known == name);
        let players = player(&read.black).zip(player(&read.white));
        let number = read.game;
        let record = players.and_then(|(black, white)| read.record(game, [black, white]));
        let record = record.ok_or(ReadLogError::Game { game: number })?;
        if records.insert(number, record).is_some() {
            return Err(ReadLogError::Duplicate { line, game: number });
        }
    }
    Ok((records, bytes))
}

impl LogLine {
    /// Returns the game; `None` if its moves are illegal or contradict its result.
    fn record(self, game: &dyn AnyGame, players: [usize; 2]) -> Option<FinishedGame> {
        let start = self.start.as_deref().map_or(Some(game.start()), |start| game.parse_position(start).ok())?;
        let mut played = Game::new(start);
        let mut play = |m| played.play(played.position().find_move(m)?).ok();
        self.opening_moves.split_whitespace().try_for_each(&mut play)?;
        let opening_plies = played.moves().len();
        let mut play = |m| played.play(played.position().find_move(m)?).ok();
        self.moves.split_whitespace().try_for_each(&mut play)?;
        let note = |at: usize| {
            let value = |values: &[Option<f64>]| values.get(at).copied().flatten();
            let depth = self.depths.get(at).copied().flatten();
            Note { eval: value(&self.scores), depth, seconds: value(&self.seconds) }
        };
        let notes = (0..self.scores.len().max(self.depths.len()).max(self.seconds.len())).map(note);
        let opening = repeat_n(Note::default(), if notes.len() > 0 { opening_plies } else { 0 });
        let mut efforts = self.engines.map(EngineLine::effort);
        if players[0] > players[1] {
            efforts.swap(0, 1);
        }
        let record = FinishedGame {
            game: self.game,
            opening: self.opening,
            players,
            start,
            moves: played.moves().to_vec(),
            opening_plies,
            notes: opening.chain(notes).collect(),
            date: self.date,
            winner: match self.result {
                LogOutcome::Black => Some(Color::Black),
                LogOutcome::White => Some(Color::White),
                LogOutcome::Draw => None,
            },
            black_points: self.score,
            end_reason: self.end_reason,
            problem: self.problem,
            conversation: self.conversation,
            efforts,
        };
        record.is_result_of(&played).then_some(record)
    }
}

impl EngineLine {
    fn effort(self) -> Effort {
        Effort {
            moves: self.moves,
            nodes: self.nodes.unwrap_or(0),
            moves_with_nodes: self.moves_with_nodes,
            depths: self.depths.unwrap_or(0),
            moves_with_depth: self.moves_with_depth,
            time: from_milliseconds(self.time_ms),
            longest: from_milliseconds(self.max_time_ms),
        }
    }
}

/// Returns a time in milliseconds, exact to the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn from_milliseconds(time: f64) -> Duration {
    Duration::from_micros((time * 1000.0).round().max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use morello_core::game::any_game;
    use morello_core::othello;
    use proptest::prelude::*;

    use super::*;
    use crate::tournament::Tally;
    use crate::tournament::finished_game::black_points;

    fn small() -> &'static dyn AnyGame {
        any_game::<othello::SizedPosition<4>>()
    }

    /// Returns a complete game. From the third on, games do not begin with the standard start
    /// position.
    fn played(game: u64) -> Game {
        let whole = small().random_game(game, 100);
        let from = if game > 1 { 2 } else { 0 };
        let mut played = Game::new(whole.positions()[from]);
        whole.moves()[from..].iter().try_for_each(|&m| played.play(m)).unwrap();
        played
    }

    fn record(game: u64) -> FinishedGame {
        let played = played(game);
        let opening_plies = played.moves().len() - 3;
        let effort = Effort {
            moves: 3,
            nodes: 12_345,
            moves_with_nodes: 2,
            depths: 111,
            moves_with_depth: 1,
            time: Duration::from_micros(1_234_567),
            longest: Duration::from_micros(89),
        };
        FinishedGame {
            game,
            opening: 3,
            players: if game.is_multiple_of(2) { [0, 2] } else { [2, 0] },
            start: *played.start(),
            moves: played.moves().to_vec(),
            opening_plies,
            notes: if game == 0 {
                Vec::new()
            } else {
                let note = |eval, depth, seconds| Note { eval, depth, seconds };
                let notes = vec![
                    note(Some(1.25), Some(7), Some(0.5)),
                    note(None, None, Some(0.001)),
                    note(Some(-3.0), None, None),
                ];
                [vec![Note::default(); opening_plies], notes].concat()
            },
            date: (game != 2).then(|| "2026-11-26 12:33:18".to_owned()),
            winner: if game == 1 { Some(Color::White) } else { played.end().unwrap().outcome.winner() },
            black_points: black_points(played.position()).filter(|_| game != 1),
            end_reason: if game == 1 { EndReason::Crash } else { EndReason::Rules },
            problem: (game == 1).then(|| "it \"ended\"".to_owned()),
            conversation: if game == 1 { vec!["> go".to_owned(), "! \"out of cheese\"".to_owned()] } else { vec![] },
            efforts: [effort, Effort { time: Duration::from_micros(5), ..Effort::default() }],
        }
    }

    fn line_of(record: &FinishedGame) -> String {
        let provenance = Provenance { program: "morello".to_owned(), ..Provenance::default() };
        log_line(record, &["a", "b", "c"], "id", &provenance)
    }

    #[test]
    fn log_lines_round_trip() {
        let names = ["a", "b", "c"];
        let lines: String = (0..4).map(|game| line_of(&record(game)) + "\n").collect();
        let cut = format!("{lines}{{\"match\":\"id");
        let (records, bytes) = read_log(small(), cut.as_bytes(), &names, "id").unwrap();
        assert_eq!(bytes, lines.len() as u64);
        assert!(records.into_iter().eq((0..4).map(|game| (game, record(game)))));
    }

    #[test]
    fn rejects_a_result_that_contradicts_the_moves() {
        let names = ["a", "b", "c"];
        let line = line_of(&record(0));
        let rejected = |line: &str| {
            let line = signed(line[..line.rfind(",\"checksum\"").unwrap()].to_owned() + "}");
            let error = read_log(small(), format!("{line}\n").as_bytes(), &names, "id").unwrap_err();
            assert!(matches!(error, ReadLogError::Game { game: 0 }), "{error}");
        };
        rejected(&line.replacen("\"moves\":\"", "\"moves\":\"a1 ", 1));
        let points = record(0).black_points.unwrap();
        rejected(&line.replacen(&format!("\"score\":{points}"), &format!("\"score\":{}", points + 1), 1));
    }

    #[test]
    fn rejects_games_of_another_match() {
        let line = line_of(&record(0));
        let error = |text: &str, names: &[&str], match_id: &str| {
            read_log(small(), text.as_bytes(), names, match_id).unwrap_err()
        };
        assert!(matches!(error(&format!("{line}\n"), &["a", "b", "c"], "x"), ReadLogError::OtherMatch { line: 1 }));
        assert!(matches!(error(&format!("\n{line}\n"), &["a"], "id"), ReadLogError::Game { game: 0 }));
        assert!(matches!(error("{}\n", &[], ""), ReadLogError::Line { line: 1, .. }));
        assert!(matches!(
            error(&format!("{line}\n{line}\n"), &["a", "b", "c"], "id"),
            ReadLogError::Duplicate { line: 2, game: 0 }
        ));
    }

    #[test]
    fn forged_numbers_are_harmless() {
        let names = ["a", "b", "c"];
        let line = line_of(&record(0));
        let most = u64::MAX.to_string();
        for (from, to) in [
            ("\"time_ms\":1234.567", "\"time_ms\":-0.001"),
            ("\"time_ms\":1234.567", "\"time_ms\":1e300"),
            ("\"nodes\":12345", "\"nodes\":null"),
            ("\"moves_with_nodes\":2", &format!("\"moves_with_nodes\":{most}")),
            ("\"depths\":null", &format!("\"depths\":{most}")),
            (",\"engines\"", ",\"scores\":[1,2,3,4],\"engines\""),
        ] {
            assert!(line.contains(from), "{from}: {line}");
            let edited = line.replacen(from, to, 1);
            let text = signed(edited[..edited.rfind(",\"checksum\"").unwrap()].to_owned() + "}") + "\n";
            let (games, _) = read_log(small(), text.as_bytes(), &names, "id").unwrap();
            assert_eq!(games[&0].annotated(&names).game.moves(), played(0).moves(), "{to}");
            let mut tally = Tally::new(3);
            (0..2).for_each(|_| tally.add(&games[&0]));
        }
    }

    #[test]
    fn no_flipped_bit_changes_a_game() {
        let names = ["a", "b", "c"];
        let lines: String = (0..2).map(|game| line_of(&record(game)) + "\n").collect();
        for bit in 0..8 * lines.len() {
            let mut bytes = lines.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok((games, _)) = read_log(small(), bytes.as_slice(), &names, "id") {
                assert!(games.into_iter().all(|(number, game)| game == record(number)), "bit {bit}");
            }
        }
    }

    proptest! {
        #[test]
        fn damaged_logs_never_panic(
            place in any::<prop::sample::Index>(),
            byte: u8,
            cut in any::<prop::sample::Index>(),
        ) {
            let names = ["a", "b", "c"];
            let lines: String = (0..3).map(|game| line_of(&record(game)) + "\n").collect();
            let mut bytes = lines.into_bytes();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            bytes.truncate(cut.index(bytes.len() + 1).max(place + 1));
            if let Ok((records, _)) = read_log(small(), bytes.as_slice(), &names, "id") {
                let mut tally = Tally::new(3);
                records.values().for_each(|record| tally.add(record));
                prop_assert_eq!(tally.games(), records.len() as u64);
            }
        }
    }
}
