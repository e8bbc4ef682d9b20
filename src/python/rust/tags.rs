//! Game tags as dicts.

use std::collections::BTreeMap;

use morello::game::{AnyGame, GameResult, Scoring, Tags, Termination, TheoreticalResult};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::invalid;

/// Returns the known tags as a dict.
pub fn to_dict<'py>(py: Python<'py>, tags: &Tags) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let [black, white] = &tags.names;
    for (key, value) in [("black", black), ("white", white), ("event", &tags.tournament), ("date", &tags.date)] {
        if let Some(value) = value {
            dict.set_item(key, value)?;
        }
    }
    let [black, white] = tags.ratings;
    let result = tags.result.map(|result| result.points);
    for (key, value) in [("black_rating", black), ("white_rating", white), ("result", result)] {
        if let Some(value) = value {
            dict.set_item(key, value)?;
        }
    }
    if let Some(ending) = tags.termination {
        dict.set_item("ending", ending.name())?;
    }
    if let Some(TheoreticalResult { empties, points }) = tags.theoretical {
        dict.set_item("theoretical", (empties, points))?;
    }
    if !tags.others.is_empty() {
        dict.set_item("others", tags.others.iter().cloned().collect::<BTreeMap<_, _>>())?;
    }
    Ok(dict)
}

/// Checks points for Black.
fn possible(game: &dyn AnyGame, name: &str, points: f64) -> PyResult<GameResult> {
    let result = GameResult { points };
    if result.is_possible(game) {
        return Ok(result);
    }
    let range = match game.info().scoring {
        Scoring::Margin => format!("from -{0} to {0}", GameResult::most_points(game)),
        Scoring::Distance => "-1, 0 or 1".to_owned(),
    };
    Err(invalid(format!("tag `{name}`: the points of {} must be {range}, not {points}", game.name())))
}

/// Sets a tag of a game; None removes it.
pub fn set(tags: &mut Tags, game: &dyn AnyGame, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    fn read<'py, T: FromPyObjectOwned<'py>>(name: &str, value: &Bound<'py, PyAny>, expected: &str) -> PyResult<T> {
        let wrong = |_| PyTypeError::new_err(format!("tag `{name}` must be {expected} or None, not {value:?}"));
        value.extract().map_err(wrong)
    }
    let text = || read::<Option<String>>(name, value, "a str");
    let number = || match read::<Option<f64>>(name, value, "a number")? {
        Some(number) if !number.is_finite() => Err(invalid(format!("tag `{name}` must be finite, not {number}"))),
        number => Ok(number),
    };
    match name {
        "black" => tags.names[0] = text()?,
        "white" => tags.names[1] = text()?,
        "black_rating" => tags.ratings[0] = number()?,
        "white_rating" => tags.ratings[1] = number()?,
        "event" => tags.tournament = text()?,
        "date" => tags.date = text()?,
        "result" => tags.result = number()?.map(|points| possible(game, name, points)).transpose()?,
        "ending" => {
            let named = |name: String| Termination::ALL.into_iter().find(|ending| ending.name() == name);
            let known = || Termination::ALL.map(Termination::name).join(", ");
            tags.termination = match text()? {
                Some(name) => Some(
                    named(name)
                        .ok_or_else(|| invalid(format!("tag `ending` must be one of {}, not {value:?}", known())))?,
                ),
                None => None,
            };
        }
        "theoretical" => {
            let pair: Option<(u32, i32)> = read(name, value, "a pair (empties, points)")?;
            if let Some((_, points)) = pair {
                possible(game, name, points.into())?;
            }
            tags.theoretical = pair.map(|(empties, points)| TheoreticalResult { empties, points });
        }
        "others" => {
            let others: Option<BTreeMap<String, String>> = read(name, value, "a dict of str")?;
            let others = others.unwrap_or_default();
            let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if let Some(name) = others.keys().find(|name| !is_name(name)) {
                let text = "use a name of letters, digits and underscores, as PGN has them";
                return Err(invalid(format!("tag `others`: no tag can have the name {name:?}: {text}")));
            }
            tags.others = others.into_iter().collect();
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "unknown tag `{name}` (known: black, white, black_rating, white_rating, event, date, result, ending, \
                    theoretical, others)"
            )));
        }
    }
    Ok(())
}
