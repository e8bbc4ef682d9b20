//! An error with what caused it, in a line.

use std::error::Error;

/// Writes an error and its causes, one after the other.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let mut texts: Vec<_> = causes.map(ToString::to_string).collect();
    // A transparent error says what its cause does.
    texts.dedup();
    texts.join(": ")
}
