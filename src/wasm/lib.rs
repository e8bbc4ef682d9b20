//! The engine of the browser edition: responds to the page's requests in a worker.
//!
//! The host is a script. It provides the clock, data files and threads, and receives the lines of
//! the responses. Each instance handles one request at a time. The host calls these functions:
//!
//! | function | |
//! | --- | --- |
//! | `allocate` | returns memory for the bytes of a request |
//! | `answer` | handles a request: calls `line` with each line of the response |
//! | `cancel` | ends the searches of the current request; imported functions may call it |
//! | `lend_thread` | makes the calling thread help all searches in the shared memory; never returns |
//!
//! The host provides the functions of `morello_core::host` and two more as imports from the module
//! `morello`: `line` receives a line of the response, and `panicked` receives the reason why the
//! program ends.
#![cfg_attr(not(target_family = "wasm"), allow(missing_docs))]
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // for the interface to the host

use std::cell::RefCell;
use std::panic;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use morello_core::game::{AnyGame, Cancel, EngineOptions};
use morello_core::threads;
use morello_files::book::known_values;
use morello_play::session::EngineOptionsError;
use morello_web::LocalService;

/// The maximum time of a search, the same as in the server.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The size of the search tables of each game, in bytes.
const HASH_BYTES: usize = 32 << 20;

#[link(wasm_import_module = "morello")]
unsafe extern "C" {
    fn line(bytes: *const u8, length: usize);
    fn panicked(text: *const u8, length: usize);
}

static SERVICE: LazyLock<LocalService> = LazyLock::new(|| LocalService::new(Arc::new(options), MAX_TIME));

thread_local! {
    /// The flag that cancels the request that this thread is handling.
    static RUNNING: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// Reports to the host why the program ends.
static HOOK: LazyLock<()> = LazyLock::new(|| {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the host only reads the text at this place in memory.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
});

fn options(game: &'static dyn AnyGame) -> Result<EngineOptions, EngineOptionsError> {
    let mut options = EngineOptions::new(HASH_BYTES);
    options.database = game.open_database(None).map_err(EngineOptionsError::new)?;
    options.wrapper = known_values(game).map_err(EngineOptionsError::new)?;
    Ok(options)
}

/// Returns memory for `length` bytes, which `answer` frees.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes ownership of bytes from the host.
///
/// # Safety
/// The memory must come from [`allocate`] with this length, and may be taken only once.
unsafe fn take(bytes: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the caller guarantees this.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) }.into_vec()
}

/// Handles a request. The path and the body must be in memory from [`allocate`]; `seed` determines
/// random choices.
///
/// # Safety
/// The lengths must be the lengths of the allocated memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(path: *mut u8, path_length: usize, body: *mut u8, body_length: usize, seed: f64) {
    // SAFETY: the host guarantees this.
    let (path, body) = unsafe { (take(path, path_length), take(body, body_length)) };
    let cancel = Cancel::new();
    LazyLock::force(&HOOK);
    RUNNING.set(Some(cancel.clone()));
    SERVICE.answer(&String::from_utf8_lossy(&path), &body, seed.to_bits(), &cancel, &mut |text| {
        // SAFETY: the host only reads the text at this place in memory.
        unsafe { line(text.as_ptr(), text.len()) };
    });
    RUNNING.set(None);
}

/// Ends the searches of the current request.
#[unsafe(no_mangle)]
pub extern "C" fn cancel() {
    RUNNING.with_borrow(|running| running.iter().for_each(Cancel::cancel));
}

/// Lends the calling thread to searches, forever. Only for threads with shared memory.
#[unsafe(no_mangle)]
pub extern "C" fn lend_thread() {
    threads::lend();
}
