//! The engine of the browser edition: answers the requests of the page in a worker.
//!
//! The host is a script: it gives the clock, data files and threads, and takes the lines of
//! answers. Each instance answers one request at a time. The functions that it calls:
//!
//! | function | |
//! | --- | --- |
//! | `allocate` | returns memory for the bytes of a request |
//! | `answer` | answers a request: calls `line` with each line |
//! | `cancel` | ends the searches of the request; may be called by an imported function |
//! | `lend_thread` | makes the calling thread help all searches in the shared memory; never returns |
//!
//! It gives as imported functions of the module `morello`, beside those of
//! `morello_core::host`, `line`, which takes a line of the answer, and `panicked`, which takes the reason for
//! which the program ends.
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

/// The longest time of a search, as that of the server.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The size of the tables of each game.
const HASH_BYTES: usize = 32 << 20;

#[link(wasm_import_module = "morello")]
unsafe extern "C" {
    fn line(bytes: *const u8, length: usize);
    fn panicked(text: *const u8, length: usize);
}

static SERVICE: LazyLock<LocalService> = LazyLock::new(|| LocalService::new(Arc::new(options), MAX_TIME));

thread_local! {
    /// The flag of the request that this thread is answering.
    static RUNNING: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// Tells the host why the program ends.
static HOOK: LazyLock<()> = LazyLock::new(|| {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the host reads the text at this place of the memory.
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

/// Takes bytes from the host.
///
/// # Safety
/// The memory is from [`allocate`] with this length, and is taken once.
unsafe fn take(bytes: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the caller promises it.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) }.into_vec()
}

/// Answers a request. Both texts are in memory of [`allocate`]; `seed` makes random choices.
///
/// # Safety
/// The lengths are those of the memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(path: *mut u8, path_length: usize, body: *mut u8, body_length: usize, seed: f64) {
    // SAFETY: the host promises it.
    let (path, body) = unsafe { (take(path, path_length), take(body, body_length)) };
    let cancel = Cancel::new();
    LazyLock::force(&HOOK);
    RUNNING.set(Some(cancel.clone()));
    SERVICE.answer(&String::from_utf8_lossy(&path), &body, seed.to_bits(), &cancel, &mut |text| {
        // SAFETY: the host reads the text at this place of the memory.
        unsafe { line(text.as_ptr(), text.len()) };
    });
    RUNNING.set(None);
}

/// Ends the searches of the request that is being answered.
#[unsafe(no_mangle)]
pub extern "C" fn cancel() {
    RUNNING.with_borrow(|running| running.iter().for_each(Cancel::cancel));
}

/// Lends the calling thread to searches, for ever. Only for threads with a shared memory.
#[unsafe(no_mangle)]
pub extern "C" fn lend_thread() {
    threads::lend();
}
