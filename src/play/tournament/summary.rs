//! [`MatchSummary`]: the result of a match or a tournament, as text, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::time::Duration;

use morello_core::games;
use morello_core::provenance::Provenance;
use serde::Serialize;
use serde_json::Value;

use super::elo::Estimate;
use super::log::milliseconds;
use super::openings::OpeningSummary;
use super::standings::{self, EncounterSummary, Rank, SprtSummary, Standing, or_dash};
use super::tally::Encounter;
use super::{EndReason, Entrant, MatchPlan, Tally};

/// The result of a match, from the point of view of the first engine, or of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MatchSummary {
    /// The game.
    pub game: &'static str,
    /// The seed.
    pub seed: u64,
    /// The requested number of games.
    pub games_planned: u64,
    /// The openings.
    pub openings: OpeningSummary,
    /// The engines.
    pub engines: Vec<EngineSummary>,
    /// The number of finished games.
    pub games: u64,
    /// The result of the first engine against the second; only in a match.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    /// The number of distinct finished games.
    pub distinct_games: u64,
    /// The number of finished games by the reason for their end.
    pub end_reasons: BTreeMap<EndReason, u64>,
    /// The SPRT; null without one.
    pub sprt: Option<SprtSummary>,
    /// The results of every two engines; only in a tournament.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encounters: Vec<EncounterSummary>,
    /// What played the match, if known.
    #[serde(skip_serializing_if = "Provenance::is_empty")]
    pub provenance: Provenance,
    /// The time of this run in seconds, without earlier runs; null without times.
    pub elapsed_s: Option<f64>,
}

/// An engine with its result and its effort.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EngineSummary {
    /// The engine's name.
    pub name: String,
    /// The engine's [spec](crate::players::Spec), as text.
    pub spec: String,
    /// The engine's settings, in words.
    pub settings: String,
    /// The number of finished games.
    pub games: u64,
    /// The mean score per game, from 0 to 1: 1 for a win, 1/2 for a draw; null without games.
    pub score: Option<f64>,
    /// The rating in Elo, where the mean of all engines is 0; null in a match.
    pub rating: Option<f64>,
    /// Half the width of the rating's 95 % confidence interval.
    pub rating_error: Option<f64>,
    /// The number of moves chosen.
    pub moves: u64,
    /// The number of nodes visited; null if the engine reports none.
    pub nodes: Option<u64>,
    /// The mean number of nodes per move.
    pub nodes_per_move: Option<f64>,
    /// The mean search depth in plies; a solved position counts the plies to the end of the game.
    /// Null if the engine reports none.
    pub mean_depth: Option<f64>,
    /// The mean wall-clock time per move, in milliseconds; null without times.
    pub time_per_move_ms: Option<f64>,
    /// The longest time for a move, in milliseconds; null without times.
    pub max_time_ms: Option<f64>,
    /// The number of games that the engine forfeited.
    pub forfeits: u64,
}

impl MatchSummary {
    /// Summarizes a match. Without `elapsed`, the summary has no times.
    pub(super) fn new(plan: &MatchPlan, openings: OpeningSummary, tally: &Tally, elapsed: Option<Duration>) -> Self {
        let none = Encounter::default();
        let of = |players: [usize; 2]| tally.encounters.get(&players).unwrap_or(&none);
        let is_match = plan.entrants.len() == 2;
        let ratings = if is_match { Vec::new() } else { tally.ratings() };
        let engine = |number| {
            let rating = ratings.get(number).copied().unwrap_or_default();
            let engine = EngineSummary::new(plan, tally, number, elapsed.is_some());
            EngineSummary { rating: rating.value, rating_error: rating.error, ..engine }
        };
        let engines: Vec<_> = (0..plan.entrants.len()).map(engine).collect();
        let encounter = |players: &[usize; 2]| EncounterSummary {
            first: engines[players[0]].name.clone(),
            second: engines[players[1]].name.clone(),
            games: of(*players).results().total(),
            standing: Standing::new(of(*players), None),
        };
        Self {
            game: plan.game.name(),
            seed: plan.schedule.seed,
            games_planned: plan.schedule.planned(),
            openings,
            games: tally.games(),
            standing: is_match.then(|| Standing::new(of([0, 1]), plan.sprt.as_ref())),
            distinct_games: tally.distinct_games(),
            end_reasons: tally.end_reasons.clone(),
            sprt: plan.sprt.map(|test| SprtSummary::new(test, &tally.pentanomial().sample())),
            encounters: if is_match { Vec::new() } else { plan.schedule.encounters.iter().map(encounter).collect() },
            engines,
            provenance: plan.provenance.clone(),
            elapsed_s: elapsed.map(|elapsed| elapsed.as_secs_f64()),
        }
    }

    /// Writes CSV: a header, then one row per encounter (a match has one). The columns are the
    /// fields of the JSON object, with the engines numbered. Distinct games and end reasons are
    /// counted over the whole tournament.
    ///
    /// ```
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::MatchPlan;
    ///
    /// let entrants = vec!["depth=1,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
    /// let summary = MatchPlan::new(games::get("three-mens-morris")?, entrants, 2).play_all()?.summary;
    /// let mut csv = Vec::new();
    /// summary.write_csv(&mut csv)?;
    /// assert_eq!(String::from_utf8(csv)?.lines().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Any error from the sink.
    pub fn write_csv(&self, sink: impl io::Write) -> io::Result<()> {
        let number =
            |name: &str| self.engines.iter().position(|engine| engine.name == name).expect("it is one of the engines");
        let rows: Vec<_> = match &self.standing {
            Some(standing) => vec![self.columns([0, 1], self.games, standing)?],
            None => {
                let row = |encounter: &EncounterSummary| {
                    let engines = [number(&encounter.first), number(&encounter.second)];
                    self.columns(engines, encounter.games, &encounter.standing)
                };
                self.encounters.iter().map(row).collect::<io::Result<_>>()?
            }
        };
        let mut csv = csv::Writer::from_writer(sink);
        csv.write_record(rows.iter().take(1).flatten().map(|(name, _)| name))?;
        for row in &rows {
            csv.write_record(row.iter().map(|(_, value)| match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            }))?;
        }
        csv.flush()
    }

    /// Returns the columns of an encounter.
    fn columns(&self, engines: [usize; 2], games: u64, standing: &Standing) -> io::Result<Vec<(String, Value)>> {
        let column = |name: &str, value: Value| (name.to_owned(), value);
        let mut row = vec![
            column("game", self.game.into()),
            column("seed", self.seed.into()),
            column("openings", self.openings.count.into()),
        ];
        for (number, engine) in (1..).zip(engines.map(|number| &self.engines[number])) {
            let fields = serde_json::to_value(engine)?;
            row.push((format!("engine_{number}"), engine.name.clone().into()));
            row.extend(ENGINE_COLUMNS.iter().map(|field| (format!("engine_{number}_{field}"), fields[field].clone())));
        }
        row.push(column("games", games.into()));
        for (name, value) in object(standing)? {
            match value {
                Value::Object(pairs) => {
                    row.extend(pairs.into_iter().map(|(pair, count)| (format!("pairs_{}", pair.to_lowercase()), count)))
                }
                value => row.push((name, value)),
            }
        }
        row.push(column("distinct_games", self.distinct_games.into()));
        for reason in EndReason::ALL {
            let count = self.end_reasons.get(&reason).copied().unwrap_or(0);
            row.push((format!("ended_{}", serde_json::to_value(reason)?.as_str().unwrap_or_default()), count.into()));
        }
        row.push(column("elapsed_s", self.elapsed_s.into()));
        Ok(row)
    }
}

/// The fields of [`EngineSummary`] that become columns.
const ENGINE_COLUMNS: [&str; 8] =
    ["spec", "nodes_per_move", "mean_depth", "time_per_move_ms", "max_time_ms", "forfeits", "rating", "rating_error"];

/// Returns the fields of a struct, in order.
fn object(record: &impl Serialize) -> serde_json::Result<serde_json::Map<String, Value>> {
    Ok(match serde_json::to_value(record)? {
        Value::Object(fields) => fields,
        _ => serde_json::Map::new(),
    })
}

impl EngineSummary {
    /// Summarizes an engine of a match, without its rating.
    fn new(plan: &MatchPlan, tally: &Tally, number: usize, has_times: bool) -> Self {
        let Entrant { name, text, settings, wants_database, .. } = &plan.entrants[number];
        let looks = if *wants_database && plan.database.is_some() { ", endgame database" } else { "" };
        let effort = &tally.efforts[number];
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let (mut games, mut points) = (0, 0.0);
        for (players, encounter) in tally.encounters.iter().filter(|(players, _)| players.contains(&number)) {
            let results = encounter.results();
            points += if players[0] == number { results } else { results.reversed() }.points();
            games += results.total();
        }
        Self {
            name: name.clone(),
            spec: text.clone(),
            settings: format!("{settings}{looks}"),
            games,
            score: mean(points, games),
            rating: None,
            rating_error: None,
            moves: effort.moves,
            nodes: (effort.moves_with_nodes > 0).then_some(effort.nodes),
            nodes_per_move: mean(effort.nodes as f64, effort.moves_with_nodes),
            mean_depth: mean(effort.depths as f64, effort.moves_with_depth),
            time_per_move_ms: mean(milliseconds(effort.time), effort.moves).filter(|_| has_times),
            max_time_ms: has_times.then(|| milliseconds(effort.longest)),
            forfeits: tally.forfeits[number],
        }
    }
}

impl fmt::Display for MatchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let what = if self.standing.is_some() { "match" } else { "tournament" };
        write!(f, "{what:<10} {}, {}", games::described(self.game), plural(self.games, "game"))?;
        if self.games < self.games_planned {
            write!(f, " of {}", self.games_planned)?;
        }
        if let Some(seconds) = self.elapsed_s {
            write!(f, " in {seconds:.1} s")?;
        }
        writeln!(f, ", {} distinct", self.distinct_games)?;
        writeln!(f, "openings   {} {}, seed {}", self.openings.count, self.openings.source, self.seed)?;
        for (number, engine) in self.engines.iter().enumerate() {
            let label = if number == 0 { "engines" } else { "" };
            writeln!(f, "{label:<10} {}: {}", engine.name, engine.settings)?;
        }
        if let Some(standing) = &self.standing {
            standing.write(f, Some(&self.engines[0].name))?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "{sprt}")?;
        }
        let ends: Vec<_> = self.end_reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(f, "ended      {}", if ends.is_empty() { "-".to_owned() } else { ends.join(", ") })?;
        if self.standing.is_none() {
            let rank = |engine: &EngineSummary| Rank {
                name: engine.name.clone(),
                rating: Estimate { value: engine.rating, error: engine.rating_error },
                games: engine.games,
                score: engine.score,
                by_color: None,
            };
            standings::write_ranks(f, "engine", self.engines.iter().map(rank).collect())?;
            standings::write_encounters(f, &self.encounters)?;
        }
        self.write_efforts(f)
    }
}

impl MatchSummary {
    fn write_efforts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max("engine".len());
        writeln!(
            f,
            "\n{:<width$}  {:>9}  {:>12}  {:>5}  {:>9}  {:>9}  {:>8}",
            "engine", "moves", "nodes/move", "depth", "ms/move", "max ms", "forfeits"
        )?;
        for engine in &self.engines {
            writeln!(
                f,
                "{:<width$}  {:>9}  {:>12}  {:>5}  {:>9}  {:>9}  {:>8}",
                engine.name,
                engine.moves,
                or_dash(engine.nodes_per_move, 0),
                or_dash(engine.mean_depth, 1),
                or_dash(engine.time_per_move_ms, 3),
                or_dash(engine.max_time_ms, 3),
                engine.forfeits
            )?;
        }
        Ok(())
    }
}
