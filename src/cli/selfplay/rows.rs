//! The result of a match or a tournament as rows of comma-separated values.

use std::sync::Arc;

use crate::output::{Field, Integer};
use crate::tournament::{EndReason, EngineSummary, Standing, Summary};

/// Two engines that have met: a row.
pub(super) struct Row {
    summary: Arc<Summary>,
    /// The engines, by their numbers.
    engines: [usize; 2],
    games: u64,
    standing: Standing,
}

/// Makes a row of each encounter: of a match there is one.
pub(super) fn rows(summary: Summary) -> Vec<Row> {
    let summary = Arc::new(summary);
    let row = |engines, games, standing: &Standing| Row {
        summary: Arc::clone(&summary),
        engines,
        games,
        standing: standing.clone(),
    };
    if let Some(standing) = &summary.standing {
        return vec![row([0, 1], summary.games, standing)];
    }
    let number = |name: &str| summary.engines.iter().position(|engine| engine.name == name).expect("it takes part");
    let of = |met: &crate::tournament::EncounterSummary| {
        row([number(&met.first), number(&met.second)], met.games, &met.standing)
    };
    summary.encounters.iter().map(of).collect()
}

impl Row {
    fn engine(&self, number: usize) -> &EngineSummary {
        &self.summary.engines[self.engines[number]]
    }

    fn ended(&self, reason: EndReason) -> Integer {
        self.summary.ended(reason).into()
    }
}

/// Returns the fields of a row: those of the JSON object, with the engines numbered. What the engines' moves took, the different games and
/// why games ended are those of all encounters.
pub(super) fn fields() -> Vec<Field<Row>> {
    type One = Field<Row>;
    vec![
        One::text("game", |row| row.summary.game.into()),
        One::integer("seed", |row| row.summary.seed.into()),
        One::integer("openings", |row| (row.summary.openings.count as u64).into()),
        One::text("engine_1", |row| row.engine(0).name.clone().into()),
        One::text("engine_1_spec", |row| row.engine(0).spec.clone().into()),
        One::float("engine_1_nodes_per_move", |row| row.engine(0).nodes_per_move.into()),
        One::float("engine_1_mean_depth", |row| row.engine(0).mean_depth.into()),
        One::float("engine_1_time_per_move_ms", |row| row.engine(0).time_per_move_ms.into()),
        One::float("engine_1_max_time_ms", |row| row.engine(0).max_time_ms.into()),
        One::integer("engine_1_forfeits", |row| row.engine(0).forfeits.into()),
        One::float("engine_1_rating", |row| row.engine(0).rating.into()),
        One::float("engine_1_rating_error", |row| row.engine(0).rating_error.into()),
        One::text("engine_2", |row| row.engine(1).name.clone().into()),
        One::text("engine_2_spec", |row| row.engine(1).spec.clone().into()),
        One::float("engine_2_nodes_per_move", |row| row.engine(1).nodes_per_move.into()),
        One::float("engine_2_mean_depth", |row| row.engine(1).mean_depth.into()),
        One::float("engine_2_time_per_move_ms", |row| row.engine(1).time_per_move_ms.into()),
        One::float("engine_2_max_time_ms", |row| row.engine(1).max_time_ms.into()),
        One::integer("engine_2_forfeits", |row| row.engine(1).forfeits.into()),
        One::float("engine_2_rating", |row| row.engine(1).rating.into()),
        One::float("engine_2_rating_error", |row| row.engine(1).rating_error.into()),
        One::integer("games", |row| row.games.into()),
        One::integer("wins", |row| row.standing.wins.into()),
        One::integer("draws", |row| row.standing.draws.into()),
        One::integer("losses", |row| row.standing.losses.into()),
        One::float("score", |row| row.standing.score.into()),
        One::integer("pairs_ll", |row| row.standing.pentanomial.ll.into()),
        One::integer("pairs_ld", |row| row.standing.pentanomial.ld.into()),
        One::integer("pairs_wl", |row| row.standing.pentanomial.wl.into()),
        One::integer("pairs_dd", |row| row.standing.pentanomial.dd.into()),
        One::integer("pairs_wd", |row| row.standing.pentanomial.wd.into()),
        One::integer("pairs_ww", |row| row.standing.pentanomial.ww.into()),
        One::float("elo", |row| row.standing.elo.into()),
        One::float("elo_error", |row| row.standing.elo_error.into()),
        One::float("nelo", |row| row.standing.nelo.into()),
        One::float("nelo_error", |row| row.standing.nelo_error.into()),
        One::float("los", |row| row.standing.los.into()),
        One::float("llr", |row| row.standing.llr.into()),
        One::float("mean_discs", |row| row.standing.mean_discs.into()),
        One::float("mean_discs_error", |row| row.standing.mean_discs_error.into()),
        One::float("mean_discs_standard_error", |row| row.standing.mean_discs_standard_error.into()),
        One::integer("distinct_games", |row| row.summary.distinct_games.into()),
        One::integer("ended_rules", |row| row.ended(EndReason::Rules)),
        One::integer("ended_repetition", |row| row.ended(EndReason::Repetition)),
        One::integer("ended_no_progress", |row| row.ended(EndReason::NoProgress)),
        One::integer("ended_ply_cap", |row| row.ended(EndReason::PlyCap)),
        One::integer("ended_database", |row| row.ended(EndReason::Database)),
        One::integer("ended_score", |row| row.ended(EndReason::Score)),
        One::integer("ended_resignation", |row| row.ended(EndReason::Resignation)),
        One::integer("ended_crash", |row| row.ended(EndReason::Crash)),
        One::integer("ended_timeout", |row| row.ended(EndReason::Timeout)),
        One::integer("ended_illegal_move", |row| row.ended(EndReason::IllegalMove)),
        One::float("elapsed_s", |row| row.summary.elapsed_s.into()),
    ]
}
