//! What the library says in words.

use crate::pointers::{caught, given, network, taken};
use crate::types::{tb_network, tb_status};
use std::ffi::{CStr, c_char};
use std::ptr::null_mut;
use tailback_sim::Outcome;

/// # Safety
/// As `tailback.h` says of the pointer.
unsafe fn told(of: *const tb_network, tell: impl FnOnce(&Outcome) -> String) -> *mut c_char {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network(of) }) else { return null_mut() };
    caught(null_mut(), || network.outcome().map_or(null_mut(), |outcome| given(tell(&outcome))))
}

/// The record of the run so far.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_record(of: *const tb_network) -> *mut c_char {
    // SAFETY: the caller's promise.
    unsafe {
        told(of, |outcome| outcome.record.row().map_or(String::new(), |row| serde_json::Value::Object(row).to_string()))
    }
}

/// Why the network was the bottleneck.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_why(of: *const tb_network) -> *mut c_char {
    // SAFETY: the caller's promise.
    unsafe { told(of, |outcome| outcome.explanation.clone()) }
}

/// The story of the message that is followed.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_story(of: *const tb_network) -> *mut c_char {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network(of) }) else { return null_mut() };
    caught(null_mut(), || network.story().map_or(null_mut(), given))
}

/// Frees a text.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_free(text: *mut c_char) {
    // SAFETY: the caller's promise.
    unsafe { taken(text) };
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn tb_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// A status in words.
#[unsafe(no_mangle)]
pub extern "C" fn tb_status_text(status: i32) -> *const c_char {
    const ALL: [(tb_status, &CStr); 14] = [
        (tb_status::TB_OK, c"it was done"),
        (tb_status::TB_NULL, c"an argument is NULL that must not be"),
        (tb_status::TB_NO_NODE, c"there is no such node"),
        (tb_status::TB_NO_CLASS, c"there is no such message class"),
        (tb_status::TB_LENGTH, c"a message is longer or shorter than the network takes"),
        (tb_status::TB_FULL, c"the source queue of the node is full"),
        (tb_status::TB_TIME, c"the clock does not go there"),
        (tb_status::TB_DEADLOCKED, c"packets wait for each other forever"),
        (tb_status::TB_LIVELOCKED, c"packets go on and on, and none arrives"),
        (tb_status::TB_SPEC, c"the spec or the configuration is wrong"),
        (tb_status::TB_FILE, c"a file cannot be read or written"),
        (tb_status::TB_DAMAGED, c"a checkpoint or a call log is damaged, or of another network"),
        (tb_status::TB_TEXT, c"a text is not UTF-8"),
        (tb_status::TB_BUG, c"a bug of Tailback was met; the network is of no use any more"),
    ];
    let found = ALL.iter().find(|(known, _)| *known as i32 == status);
    found.map_or(c"there is no such status", |(_, words)| words).as_ptr()
}
