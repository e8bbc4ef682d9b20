//! [`spawn`]: starts a program that does not outlive this process.

use std::io;
use std::process::{Child, Command};

/// Starts a program. On Linux, the system kills it when this process ends, even if this process is
/// killed and runs no destructors.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a hook between fork and exec")]
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    use std::sync::LazyLock;
    use std::sync::mpsc::{Sender, channel};

    use morello_core::threads;
    use nix::sys::{prctl, signal::Signal};

    type Request = (Command, Sender<io::Result<Child>>);
    // The kernel sends the signal when the thread that started the program ends, so this thread
    // lives as long as the process.
    static SPAWNER: LazyLock<Sender<Request>> = LazyLock::new(|| {
        let (sender, requests) = channel::<Request>();
        threads::spawn(Box::new(move || {
            while let Ok((mut command, answer)) = requests.recv() {
                let _ = answer.send(command.spawn());
            }
        }));
        sender
    });
    // SAFETY: the hook allocates nothing and only calls `prctl`, which is async-signal-safe.
    unsafe {
        command.pre_exec(|| prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from));
    }
    let (answer, spawned) = channel();
    let ended = || io::Error::other("the thread that starts programs has ended");
    SPAWNER.send((command, answer)).map_err(|_| ended())?;
    spawned.recv().map_err(|_| ended())?
}

/// Starts a program.
#[cfg(not(target_os = "linux"))]
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    command.spawn()
}
