//! Formats an error and its causes in one line.

use std::error::Error;

/// Formats an error and its causes, outermost first, separated by colons.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let mut texts: Vec<_> = causes.map(ToString::to_string).collect();
    // A transparent error repeats the text of its cause.
    texts.dedup();
    texts.join(": ")
}
