//! [`Engine`] for the mill games: the generic search with a trained evaluation and an optional
//! endgame database.

use std::path::Path;

#[cfg(feature = "database")]
use super::database;
use super::evaluation::{MillEvaluation, terms};
#[cfg(not(feature = "database"))]
use super::generic_search::{evaluation, generic_search};
use super::weights::Weights;
use crate::game::{Engine, EngineOptions, Evaluator as _, GameData, Openings, Searcher, WeightsError, WrongGameData};
#[cfg(feature = "database")]
use crate::game::{Game, GameError, Outcome};
use crate::morris::{Position, Variant};

impl<V: Variant> Openings for Position<V> {}

impl<V: Variant> Engine for Position<V> {
    fn static_evaluation(&self) -> i32 {
        MillEvaluation::new::<V>().evaluate(self)
    }

    fn features(&self) -> Vec<i32> {
        terms(self).to_vec()
    }

    fn read_weights(file: &Path) -> Result<GameData, WeightsError> {
        Weights::read(V::BOARD, file).map(GameData::new)
    }

    #[cfg(feature = "database")]
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData> {
        database::searcher(options)
    }

    #[cfg(not(feature = "database"))]
    fn searcher(options: &EngineOptions) -> Result<Box<dyn Searcher<Self>>, WrongGameData> {
        if options.database.is_some() {
            Err(WrongGameData)
        } else {
            Ok(generic_search(evaluation(V::BOARD, &V::RULES, options)?, options))
        }
    }

    #[cfg(feature = "database")]
    fn open_database(folder: Option<&Path>) -> Result<Option<GameData>, GameError> {
        database::open::<V>(folder)
    }

    #[cfg(feature = "database")]
    fn look_up(database: &GameData, game: &Game<Self>) -> Result<Option<Outcome>, WrongGameData> {
        database::look_up(database, game)
    }
}
