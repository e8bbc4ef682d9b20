//! `Limits`: search limits, and the keyword arguments that searching functions share.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use morello::game::{AnyGame, Confidence, EXACT_NODES, LEVELS, Limits};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::{invalid, natural};
use crate::values::{Keywords, value_class};

/// Search limits. A search stops at the first limit reached. At least one of the first five is
/// required.
///
/// Searching functions accept them as keywords or as `limits`:
///
///     engine.search(position, depth=12)
///     limits = Limits(level=20)
///     engine.search(position, limits=limits)
///
/// Args:
///     depth: the depth in plies.
///     nodes: the number of nodes.
///     time: the time in seconds.
///     level: a strength of play, from 1 to 60, which sets the other limits.
///     exact: whether to search until the score is proved.
///     confidence: the confidence of a selective search in percent: 73, 87, 95, 98, 99 or 100.
///
/// Raises:
///     MorelloError: a limit is out of range.
#[pyclass(module = "morello", name = "Limits", frozen, get_all, eq)]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SearchLimits {
    /// The depth in plies, or None.
    pub depth: Option<u32>,
    /// The number of nodes, or None.
    pub nodes: Option<u64>,
    /// The time in seconds, or None.
    pub time: Option<f64>,
    /// The strength of play, or None.
    pub level: Option<u32>,
    /// Whether to search until the score is proved.
    pub exact: bool,
    /// The confidence in percent, or None.
    pub confidence: Option<u32>,
}

value_class!(SearchLimits { depth, nodes, time, level, exact, confidence });

#[pymethods]
impl SearchLimits {
    #[new]
    #[pyo3(signature = (*, depth=None, nodes=None, time=None, level=None, exact=false, confidence=None))]
    fn new(
        #[pyo3(from_py_with = natural)] depth: Option<u32>,
        #[pyo3(from_py_with = natural)] nodes: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = natural)] level: Option<u32>,
        exact: bool,
        #[pyo3(from_py_with = natural)] confidence: Option<u32>,
    ) -> PyResult<Self> {
        Self { depth, nodes, time, level, exact, confidence }.checked()
    }

    /// Returns the limits as a dict, which `json.dumps` accepts; `Limits(**limits)` is equal again.
    #[pyo3(name = "to_dict")]
    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut given = Vec::new();
        for (name, value) in self.fields(py)? {
            if !value.is_none() && !value.is(&*PyBool::new(py, false)) {
                given.push(format!("{name}={value:?}"));
            }
        }
        Ok(format!("Limits({})", given.join(", ")))
    }
}

impl SearchLimits {
    /// Returns the limits from the keyword arguments of a function: `limits`, or the keywords of
    /// this class.
    pub fn of(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given: Option<Self> = take(keywords, "limits")?;
        if given.is_some() && keywords.is_some_and(|rest| !rest.is_empty()) {
            return Err(invalid("limits excludes the keywords depth, nodes, time, level, exact and confidence"));
        }
        let limits = Self {
            depth: take_number(keywords, "depth")?,
            nodes: take_number(keywords, "nodes")?,
            time: take(keywords, "time")?,
            level: take_number(keywords, "level")?,
            exact: take(keywords, "exact")?.unwrap_or(false),
            confidence: take_number(keywords, "confidence")?,
        };
        if let Some(other) = keywords.and_then(|rest| rest.keys().iter().next()) {
            return Err(PyTypeError::new_err(format!("unexpected keyword argument '{other}'")));
        }
        Ok(given.unwrap_or(limits))
    }

    /// Returns the limits if each is in its range.
    fn checked(self) -> PyResult<Self> {
        if let Some(level) = self.level.filter(|level| !(1..=LEVELS).contains(level)) {
            return Err(invalid(format!("level must be 1 to {LEVELS}, not {level}")));
        }
        if let Some(depth) = self.depth.filter(|depth| !(1..=Limits::MAX_DEPTH).contains(depth)) {
            return Err(invalid(format!("depth must be 1 to {}, not {depth}", Limits::MAX_DEPTH)));
        }
        if let Some(percent) = self.confidence.filter(|&percent| Confidence::from_percent(percent).is_none()) {
            let known = Confidence::all().map(|level| level.percent().to_string()).collect::<Vec<_>>().join(", ");
            return Err(invalid(format!("confidence must be one of {known}, not {percent}")));
        }
        self.time.map(seconds).transpose()?;
        Ok(self)
    }

    /// Returns the limits for a game and a number of lines; 0 means all.
    ///
    /// # Errors
    /// If a value is out of range, or no limit is given.
    pub fn resolve(self, game: &dyn AnyGame, lines: usize) -> PyResult<Limits> {
        let Self { depth, nodes, time, level, exact, confidence } = self.checked()?;
        let is_bounded = depth.is_some() || nodes.is_some() || time.is_some() || level.is_some();
        if !is_bounded && !exact {
            return Err(invalid("no limit; give depth, nodes, time or level, or exact=True"));
        }
        let mut limits = level.map_or_else(Limits::default, |level| game.level(level));
        limits.depth = depth.or(limits.depth);
        limits.nodes = nodes.or(limits.nodes);
        limits.time = time.map(seconds).transpose()?.or(limits.time);
        limits.exact |= exact;
        if exact && !game.info().exact_solver && !is_bounded {
            limits.nodes = Some(EXACT_NODES);
        }
        limits.confidence = confidence.and_then(Confidence::from_percent).or(limits.confidence);
        limits.lines = if lines == 0 { usize::MAX } else { lines };
        Ok(limits)
    }
}

/// Converts a number of seconds.
pub fn seconds(number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number).map_err(|_| invalid(format!("not a time in seconds: {number}")))
}

/// A number, or a pair of minimum and maximum.
#[derive(FromPyObject)]
pub enum Span {
    Exactly(u32),
    Between(u32, u32),
}

impl Span {
    /// Returns the range of the argument `name`.
    pub fn range(self, name: &str) -> PyResult<RangeInclusive<u32>> {
        match self {
            Self::Exactly(number) => Ok(number..=number),
            Self::Between(least, most) if least <= most => Ok(least..=most),
            Self::Between(least, most) => {
                Err(invalid(format!("{name} must be (least, greatest), not ({least}, {most})")))
            }
        }
    }
}

/// Converts the argument `shard`, which counts from 1, to a part number, from 0, and the number of
/// parts. Without it, returns (0, 1): everything.
pub fn part(shard: Option<(i64, i64)>) -> PyResult<(u64, u64)> {
    match shard {
        None => Ok((0, 1)),
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part.abs_diff(1), parts.unsigned_abs())),
        Some((part, parts)) => {
            Err(invalid(format!("shard must be (k, n) with k from 1 to n, such as (2, 8), not ({part}, {parts})")))
        }
    }
}

/// The keyword arguments of functions that search many positions.
pub struct SearchOptions<'py> {
    pub limits: SearchLimits,
    pub hash_mib: usize,
    pub threads: Option<usize>,
    pub database: Option<PathBuf>,
    pub progress: Option<Bound<'py, PyAny>>,
}

impl<'py> SearchOptions<'py> {
    /// Reads the keyword arguments of a function whose default memory is `hash_mib`.
    pub fn of(keywords: Option<&Bound<'py, PyDict>>, hash_mib: usize) -> PyResult<Self> {
        Ok(Self {
            hash_mib: take_number(keywords, "hash_mib")?.unwrap_or(hash_mib),
            threads: take_number(keywords, "threads")?,
            database: take(keywords, "database")?,
            progress: take(keywords, "progress")?,
            // The other keywords are limits.
            limits: SearchLimits::of(keywords)?,
        })
    }
}

/// Removes a keyword argument; `None` if it is not given or None.
fn take<'py, T: FromPyObjectOwned<'py>>(keywords: Option<&Bound<'py, PyDict>>, name: &str) -> PyResult<Option<T>> {
    let Some(keywords) = keywords else { return Ok(None) };
    let Some(value) = keywords.get_item(name)? else { return Ok(None) };
    keywords.del_item(name)?;
    value.extract().map_err(|_| PyTypeError::new_err(format!("argument '{name}' must not be {value}")))
}

/// Removes a keyword argument that is a number; `None` if it is not given or None.
fn take_number<'py, T: FromPyObjectOwned<'py>>(
    keywords: Option<&Bound<'py, PyDict>>,
    name: &str,
) -> PyResult<Option<T>> {
    let Some(value) = take::<Bound<'py, PyAny>>(keywords, name)? else { return Ok(None) };
    let wrong = |error: PyErr| PyTypeError::new_err(format!("argument '{name}': {}", error.value(value.py())));
    natural::<T>(&value).map(Some).map_err(wrong)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SearchLimits>()
}
