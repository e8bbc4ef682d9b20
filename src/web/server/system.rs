//! What the server asks of the operating system: memory that is freed, and threads of low priority.

#![allow(unsafe_code)] // to call functions of the C library

use std::thread;

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

/// The niceness of threads that search or read files. Quick requests are answered beside them.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lets freed blocks of 256 KiB or more return to the system at once, and bounds the number of
/// heaps of many threads. With the defaults, the glibc allocator kept hundreds of megabytes of
/// searches and files that had ended.
pub fn limit_kept_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes no pointer, and any thread may call it at any time.
    unsafe {
        nix::libc::mallopt(nix::libc::M_MMAP_THRESHOLD, 256 << 10);
        nix::libc::mallopt(nix::libc::M_ARENA_MAX, 2);
    }
}

/// Returns freed memory to the system, if the allocator supports it.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes no pointer, and any thread may call it at any time.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

/// Runs work on another thread, one of low priority if it is slow. The receiver fails if the work
/// panics.
pub fn spawn<T: Send + 'static>(is_slow: bool, work: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
    let (sender, receiver) = oneshot::channel();
    let run = move || drop(sender.send(work()));
    if is_slow {
        // If no thread can be started, the sender is dropped.
        let _ = thread::Builder::new().spawn(move || {
            lower_priority();
            run();
        });
    } else {
        spawn_blocking(run);
    }
    receiver
}

/// Lowers the priority of this thread and of the threads that it starts.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    // SAFETY: the function takes no pointer. On Linux, 0 means the calling thread.
    unsafe {
        nix::libc::setpriority(nix::libc::PRIO_PROCESS, 0, NICENESS);
    }
}
