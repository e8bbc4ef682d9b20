//! Ctrl-C and termination: the first asks for an orderly end, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::INTERRUPTED;
use crate::game::Cancel;

/// Returns a flag that the first signal to end raises; a second one ends the process.
///
/// # Errors
/// If the signals cannot be caught, or are caught already.
pub(super) fn cancel_on_signal() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let raised = cancel.clone();
    let signalled = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if signalled.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        raised.cancel();
    })
    .context("cannot catch the signal of Ctrl-C")?;
    Ok(cancel)
}
