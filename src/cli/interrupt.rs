//! Ctrl-C and termination: the first asks for an orderly end, the last ends at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;

use super::{INTERRUPTED, eprint_line};
use crate::game::Cancel;
use crate::players;

/// Who asks for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// Somebody at the keyboard, by Ctrl-C.
    Interrupt,
    /// The system, or another program: the terminal is closed, the machine goes down, the time is over.
    Terminate,
}

/// Returns a flag that the first signal to end raises; a second one ends the process.
///
/// # Errors
/// If the signals cannot be caught, or are caught already.
pub(super) fn cancel_on_signal() -> anyhow::Result<Cancel> {
    let [cancel] = raise_on_signals("")?;
    Ok(cancel)
}

/// Returns flags of which each signal to end raises one, in their order; one more ends the process. After the first, `what_next` is told on
/// the standard error, unless it is empty.
///
/// # Errors
/// As [`cancel_on_signal`].
pub(super) fn raise_on_signals<const N: usize>(what_next: &'static str) -> anyhow::Result<[Cancel; N]> {
    let flags: [Cancel; N] = std::array::from_fn(|_| Cancel::new());
    let (raised, signals) = (flags.clone(), AtomicUsize::new(0));
    on_signal(move |_| {
        let number = signals.fetch_add(1, Ordering::Relaxed);
        match raised.get(number) {
            Some(flag) => flag.cancel(),
            None => exit(),
        }
        if number == 0 && !what_next.is_empty() {
            eprint_line(format_args!("interrupted: {what_next}"));
        }
    })?;
    Ok(flags)
}

/// Ends the process, and the programs that it has started, at once.
pub(super) fn exit() -> ! {
    players::exit(INTERRUPTED.into())
}

/// Does something at each signal to end, on a thread of its own.
///
/// # Errors
/// As [`cancel_on_signal`].
#[cfg(unix)]
pub(super) fn on_signal(mut act: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).context(CANNOT_CATCH)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            act(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    });
    Ok(())
}

/// Does something at each signal to end, on a thread of its own.
///
/// # Errors
/// As [`cancel_on_signal`].
#[cfg(not(unix))]
pub(super) fn on_signal(mut act: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || act(Signal::Interrupt)).context(CANNOT_CATCH)
}

const CANNOT_CATCH: &str = "cannot catch the signal of Ctrl-C";
