//! The limits of searches, from keyword arguments.

use std::time::Duration;

use morello::game::{AnyGame, Confidence, EXACT_NODES, LEVELS, Limits};
use pyo3::prelude::*;

use crate::errors::invalid;

/// The limits that every searching function accepts.
#[derive(Debug, Clone, Copy, Default)]
pub struct LimitArguments {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<f64>,
    pub level: Option<u32>,
    pub exact: bool,
    pub confidence: Option<u32>,
    pub lines: usize,
}

impl LimitArguments {
    /// Returns the limits.
    ///
    /// # Errors
    /// A value is out of range, or no limit is given.
    pub fn limits(self, game: &dyn AnyGame) -> PyResult<Limits> {
        let Self { depth, nodes, time, level, exact, confidence, lines } = self;
        if depth.is_none() && nodes.is_none() && time.is_none() && level.is_none() && !exact {
            return Err(invalid("no limit: give depth, nodes, time or level, or exact=True"));
        }
        let mut limits = match level {
            Some(level @ 1..=LEVELS) => game.level(level),
            Some(level) => return Err(invalid(format!("level must be 1 to {LEVELS}, not {level}"))),
            None => Limits::default(),
        };
        limits.depth = depth.or(limits.depth);
        limits.nodes = nodes.or(limits.nodes);
        if let Some(seconds) = time {
            let time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| invalid(format!("not a time in seconds: {seconds}")))?;
            limits.time = Some(time);
        }
        limits.exact |= exact;
        if exact && !game.info().exact_solver && depth.is_none() && nodes.is_none() && time.is_none() && level.is_none()
        {
            limits.nodes = Some(EXACT_NODES);
        }
        if let Some(percent) = confidence {
            let known = || Confidence::all().map(|level| level.percent().to_string()).collect::<Vec<_>>().join(", ");
            let level = Confidence::from_percent(percent);
            limits.confidence =
                Some(level.ok_or_else(|| invalid(format!("confidence must be one of {}, not {percent}", known())))?);
        }
        limits.lines = lines;
        Ok(limits)
    }
}
