//! Ctrl-C and termination signals: the first requests an orderly end, the last one exits
//! immediately.

use std::process;
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use anyhow::Context;
use morello_core::game::Cancel;
use morello_core::threads;

use super::INTERRUPTED;

/// What else ends the process: see [`end_process_with`].
static END: OnceLock<fn(i32) -> !> = OnceLock::new();

/// The origin of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The system or another program: the terminal was closed, or the machine shuts down.
    Terminate,
}

/// Signals within this time are one.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Returns a flag that the first signal sets; a second one exits the process, unless it comes at
/// once: `timeout` and shells signal a process and then its group.
///
/// # Errors
/// If the signals cannot be caught, or already are.
pub fn cancel_on_signal() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let (raised, mut first) = (cancel.clone(), None);
    on_signal(move |_| {
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL {
            exit();
        }
        raised.cancel();
    })?;
    Ok(cancel)
}

/// Raises a flag after some time. The thread that waits ends with the program.
pub fn cancel_after(time: Duration, cancel: &Cancel) {
    let cancel = cancel.clone();
    threads::spawn(Box::new(move || {
        std::thread::sleep(time);
        cancel.cancel();
    }));
}

/// Runs `work` on a thread and returns its result; `None` if cancelled. The thread may be blocked
/// on a terminal or a pipe: it ends with the process.
pub fn wait_for<T: Send + 'static>(cancel: &Cancel, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, result) = channel();
    threads::spawn(Box::new(move || {
        let _ = sender.send(work());
    }));
    cancel.receive(&result)?.ok()
}

/// Sets the function that ends the process at the last signal, such as one that first kills the
/// programs that it has started.
pub fn end_process_with(end: fn(i32) -> !) {
    // A second call is without effect.
    let _ = END.set(end);
}

/// Exits the process immediately: see [`end_process_with`].
pub fn exit() -> ! {
    exit_with(INTERRUPTED)
}

pub(crate) fn exit_with(code: u8) -> ! {
    match END.get() {
        Some(end) => end(code.into()),
        None => process::exit(code.into()),
    }
}

/// Calls `act` at each signal, on a separate thread.
///
/// # Errors
/// Same as [`cancel_on_signal`].
#[cfg(unix)]
pub fn on_signal(mut act: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).context(CANNOT_CATCH)?;
    threads::spawn(Box::new(move || {
        for signal in signals.forever() {
            act(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    }));
    Ok(())
}

/// Calls `act` at each signal, on a separate thread.
///
/// # Errors
/// Same as [`cancel_on_signal`].
#[cfg(not(unix))]
pub fn on_signal(mut act: impl FnMut(Signal) + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || act(Signal::Interrupt)).context(CANNOT_CATCH)
}

const CANNOT_CATCH: &str = "cannot catch Ctrl-C";
