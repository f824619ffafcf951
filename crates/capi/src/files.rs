//! Checkpoints and call logs.

use crate::pointers::{caught, network, network_mut, path};
use crate::types::{tb_network, tb_status};
use std::ffi::c_char;
use std::path::Path;
use tailback_embed::{Error, Network};

fn done(network: Result<(), Error>) -> tb_status {
    network.map_or_else(|error| (&error).into(), |()| tb_status::TB_OK)
}

/// # Safety
/// As `tailback.h` says of the pointers.
unsafe fn with_path(file: *const c_char, work: impl FnOnce(&Path) -> Result<(), Error>) -> tb_status {
    // SAFETY: the caller's promise.
    match unsafe { path(file) } {
        Ok(file) => caught(tb_status::TB_BUG, || done(work(&file))),
        Err(status) => status,
    }
}

/// Writes a checkpoint.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_checkpoint(of: *const tb_network, file: *const c_char) -> tb_status {
    // SAFETY: the caller's promises.
    unsafe {
        let Some(network) = network(of) else { return tb_status::TB_NULL };
        with_path(file, |file| network.checkpoint(file))
    }
}

/// Keeps a log of all calls.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_log(of: *mut tb_network, file: *const c_char) -> tb_status {
    // SAFETY: the caller's promises.
    unsafe {
        let Some(network) = network_mut(of) else { return tb_status::TB_NULL };
        with_path(file, |file| network.log(file))
    }
}

/// Ends the log.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_log_end(of: *mut tb_network) -> tb_status {
    // SAFETY: the caller's promise.
    match unsafe { network_mut(of) } {
        Some(network) => caught(tb_status::TB_BUG, || done(Network::end_log(network))),
        None => tb_status::TB_NULL,
    }
}
