//! [`Summary`]: the result of a match, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::elo::{Pentanomial, Z_95};
use super::log::milliseconds;
use super::{EndReason, Schedule, Tally};
use crate::game::{OpeningPolicy, Playable};

/// The result of a match from the point of view of the first engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The game.
    pub game: &'static str,
    /// The seed that the games follow from.
    pub seed: u64,
    /// The games that were asked for.
    pub games_planned: u64,
    /// The openings.
    pub openings: OpeningSummary,
    /// The engines; what they took depends on the clock and the bounds.
    pub engines: [EngineSummary; 2],
    /// Finished games.
    pub games: u64,
    /// Of these, won by the first engine.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the first engine.
    pub losses: u64,
    /// Points for a game, 1 for a win and 1/2 for a draw, from 0 to 1; null without games.
    pub score: Option<f64>,
    /// Finished pairs of games by their results.
    pub pentanomial: Pentanomial,
    /// The difference in Elo; null where there is no finite one.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval, from the pairs.
    pub elo_error: Option<f64>,
    /// The normalized difference in Elo.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority of the first engine, from 0 to 1.
    pub los: Option<f64>,
    /// The mean score on the board in points (discs) for a game that ended by the rules; null in games without such a score.
    pub mean_discs: Option<f64>,
    /// Half the width of its 95 % interval: 1.96 standard errors.
    pub mean_discs_error: Option<f64>,
    /// Its standard error, from pairs both of whose games ended by the rules.
    pub mean_discs_standard_error: Option<f64>,
    /// Finished games that differ from each other in any move.
    pub distinct_games: u64,
    /// Finished games by why they ended.
    pub end_reasons: BTreeMap<EndReason, u64>,
    /// How long it took, in seconds.
    pub elapsed_s: f64,
}

/// The openings of a match.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OpeningSummary {
    /// Different openings, up to symmetry.
    pub count: usize,
    /// The fewest plies of one.
    pub min_plies: u32,
    /// The most plies of one.
    pub max_plies: u32,
    /// The depth to which they were searched to see whether they are balanced; 0 if they were not.
    pub depth: u32,
    /// The highest score of one for either side, in points.
    pub most_points: f64,
}

/// What an engine is, and what its choices took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// The text that it was asked for with.
    pub spec: String,
    /// Its settings in words.
    pub settings: String,
    /// Moves chosen.
    pub moves: u64,
    /// Nodes of all of them; null if it does not tell.
    pub nodes: Option<u64>,
    /// Nodes a move.
    pub nodes_per_move: Option<f64>,
    /// The mean depth of a search, in plies, a solved position counting with the plies to its end; null if it does not tell.
    pub mean_depth: Option<f64>,
    /// The mean time of a move in milliseconds, by the clock on the wall.
    pub time_per_move_ms: Option<f64>,
    /// The longest.
    pub max_time_ms: f64,
    /// Games that it forfeited.
    pub forfeits: u64,
}

impl Summary {
    /// Sums up a match of game `P`. `engines` are each engine's name, text and settings.
    #[must_use]
    pub fn new<P: Playable>(
        schedule: &Schedule,
        policy: &OpeningPolicy,
        engines: [(&str, &str, String); 2],
        tally: &Tally,
        elapsed: Duration,
    ) -> Self {
        let games = tally.games();
        let (elo, nelo) = (tally.pentanomial.elo(), tally.pentanomial.normalized_elo());
        // The sum over a pair is twice the mean of its games.
        let standard_error = tally.pair_points.standard_error().map(|error| error / 2.0);
        let mut number = 0;
        Self {
            game: P::NAME,
            seed: schedule.seed,
            games_planned: schedule.games,
            openings: OpeningSummary {
                count: schedule.openings,
                min_plies: *policy.plies.start(),
                max_plies: *policy.plies.end(),
                depth: policy.depth,
                most_points: policy.most_points,
            },
            engines: engines.map(|engine| {
                number += 1;
                EngineSummary::new(engine, tally, number - 1)
            }),
            games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: (games > 0).then(|| (tally.wins as f64 + tally.draws as f64 / 2.0) / games as f64),
            pentanomial: tally.pentanomial,
            elo: elo.value,
            elo_error: elo.error,
            nelo: nelo.value,
            nelo_error: nelo.error,
            los: tally.pentanomial.superiority(),
            mean_discs: tally.points.mean(),
            mean_discs_error: standard_error.map(|error| Z_95 * error),
            mean_discs_standard_error: standard_error,
            distinct_games: tally.distinct_games(),
            end_reasons: tally.end_reasons.clone(),
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    /// Returns how many games ended for this reason.
    #[must_use]
    pub fn ended(&self, reason: EndReason) -> u64 {
        self.end_reasons.get(&reason).copied().unwrap_or(0)
    }
}

impl EngineSummary {
    fn new((name, spec, settings): (&str, &str, String), tally: &Tally, number: usize) -> Self {
        let effort = &tally.efforts[number];
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        Self {
            name: name.to_owned(),
            spec: spec.to_owned(),
            settings,
            moves: effort.moves,
            nodes: (effort.moves_with_nodes > 0).then_some(effort.nodes),
            nodes_per_move: mean(effort.nodes as f64, effort.moves_with_nodes),
            mean_depth: mean(effort.depths as f64, effort.moves_with_depth),
            time_per_move_ms: mean(milliseconds(effort.time), effort.moves),
            max_time_ms: milliseconds(effort.longest),
            forfeits: tally.forfeits[number],
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let or_dash = |number: Option<f64>, decimals: usize| {
            number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
        };
        write!(f, "match      {}, {}", self.game, plural(self.games, "game"))?;
        if self.games < self.games_planned {
            write!(f, " of {}", self.games_planned)?;
        }
        writeln!(f, " in {:.1} s, {} of them different", self.elapsed_s, self.distinct_games)?;
        let OpeningSummary { count, min_plies, max_plies, depth, most_points } = self.openings;
        write!(f, "openings   {count} of {min_plies} to {max_plies} random plies, seed {}", self.seed)?;
        match depth {
            0 => writeln!(f)?,
            depth => writeln!(f, ", none above {most_points} points for a side at depth {depth}")?,
        }
        for (engine, label) in self.engines.iter().zip(["engines  ", ""]) {
            writeln!(f, "{label:<11}{}: {}", engine.name, engine.settings)?;
        }
        let name = &self.engines[0].name;
        write!(f, "result     {name} won {}, drew {}, lost {}", self.wins, self.draws, self.losses)?;
        match self.score {
            Some(score) => writeln!(f, ": {:.1} %", score * 100.0)?,
            None => writeln!(f)?,
        }
        let margin = |error: Option<f64>, decimals: usize| {
            error.map_or_else(|| " (no interval)".to_owned(), |error| format!(" ± {error:.decimals$} (95 %)"))
        };
        if let Some(mean) = self.mean_discs {
            write!(f, "discs      {mean:+.2}{} a game", margin(self.mean_discs_error, 2))?;
            match self.mean_discs_standard_error {
                Some(error) => writeln!(f, ", standard error {error:.2}")?,
                None => writeln!(f)?,
            }
        }
        match self.elo {
            Some(elo) => write!(f, "Elo        {elo:+.1}{}", margin(self.elo_error, 1))?,
            None => write!(f, "Elo        -")?,
        }
        if let Some(nelo) = self.nelo {
            write!(f, ", normalized {nelo:+.1}{}", margin(self.nelo_error, 1))?;
        }
        match self.los {
            Some(los) => writeln!(f, ", superior with {:.1} %", los * 100.0)?,
            None => writeln!(f)?,
        }
        let Pentanomial { ll, ld, wl, dd, wd, ww } = self.pentanomial;
        writeln!(f, "pairs      LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")?;
        let ends: Vec<_> = self.end_reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(f, "ended      {}", if ends.is_empty() { "-".to_owned() } else { ends.join(", ") })?;
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
                "{:<width$}  {:>9}  {:>12}  {:>5}  {:>9}  {:>9.3}  {:>8}",
                engine.name,
                engine.moves,
                or_dash(engine.nodes_per_move, 0),
                or_dash(engine.mean_depth, 1),
                or_dash(engine.time_per_move_ms, 3),
                engine.max_time_ms,
                engine.forfeits
            )?;
        }
        Ok(())
    }
}
