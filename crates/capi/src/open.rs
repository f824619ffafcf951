//! Opening and closing networks.

use crate::pointers::{given, path, taken, texts};
use crate::types::{tb_error, tb_inside, tb_network, tb_status};
use std::ffi::c_char;
use std::path::Path;
use std::ptr::null_mut;
use tailback_embed::{Error, Network};
use tailback_sim::quietly;

/// What opening comes to: the network, or NULL and the error.
///
/// # Safety
/// `error` is NULL or points to a `tb_error`, whose bytes may be anything.
unsafe fn opened(error: *mut tb_error, open: impl FnOnce() -> Result<Network, Fault>) -> *mut tb_network {
    let made = quietly(open).unwrap_or_else(|bug| Err(Fault::Error(Error::Bug(bug))));
    let (network, fault) = match made {
        Ok(network) => (
            Box::into_raw(Box::new(tb_network { network })),
            tb_error { status: tb_status::TB_OK, message: null_mut() },
        ),
        Err(fault) => (null_mut(), fault.told()),
    };
    if error.is_null() {
        // SAFETY: the message was made above, and nobody has taken it back.
        unsafe { taken(fault.message) };
    } else {
        // SAFETY: it is not NULL, and the caller promises room for a `tb_error`; nothing is read or dropped there.
        unsafe { error.write(fault) };
    }
    network
}

/// What went wrong.
enum Fault {
    Argument(tb_status),
    Error(Error),
}

impl From<tb_status> for Fault {
    fn from(status: tb_status) -> Fault {
        Fault::Argument(status)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

impl Fault {
    fn told(self) -> tb_error {
        let (status, words) = match self {
            Fault::Argument(tb_status::TB_TEXT) => (tb_status::TB_TEXT, "a text is not UTF-8".to_owned()),
            Fault::Argument(status) => (status, "an argument is NULL that must not be".to_owned()),
            Fault::Error(error) => ((&error).into(), error.to_string()),
        };
        tb_error { status, message: given(words) }
    }
}

/// Opens the network of a file with one of the façade's functions.
///
/// # Safety
/// `file`, the `count` texts and `error` are as `tailback.h` says of `tb_open`.
unsafe fn opened_file(
    file: *const c_char,
    (overrides, count): (*const *const c_char, usize),
    error: *mut tb_error,
    open: impl FnOnce(&Path, &[String]) -> Result<Network, Error>,
) -> *mut tb_network {
    // SAFETY: the caller's promises are the same.
    unsafe {
        let of = path(file).and_then(|file| Ok((file, texts(overrides, count)?)));
        opened(error, || {
            let (file, overrides) = of?;
            Ok(open(&file, &overrides)?)
        })
    }
}

/// Opens the network of a spec.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_open(
    file: *const c_char,
    overrides: *const *const c_char,
    count: usize,
    error: *mut tb_error,
) -> *mut tb_network {
    // SAFETY: the caller's promises.
    unsafe { opened_file(file, (overrides, count), error, Network::from_file) }
}

/// Opens the network of a spec as text.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_open_text(toml: *const c_char, length: usize, error: *mut tb_error) -> *mut tb_network {
    let bytes = if toml.is_null() {
        Err(tb_status::TB_NULL)
    } else {
        // SAFETY: it is not NULL, and the caller promises so many bytes. More than a spec may have are not looked at.
        Ok(unsafe { std::slice::from_raw_parts(toml.cast::<u8>(), length.min(MOST)) })
    };
    // SAFETY: the caller's promise.
    unsafe { opened(error, || Ok(Network::from_bytes(bytes?, &[])?)) }
}

/// Bytes of a text that are looked at: more than any spec may have.
const MOST: usize = 1 << 24;

/// Opens the network of a BookSim 2 configuration.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_open_booksim(
    file: *const c_char,
    overrides: *const *const c_char,
    count: usize,
    error: *mut tb_error,
) -> *mut tb_network {
    // SAFETY: the caller's promises.
    unsafe { opened_file(file, (overrides, count), error, Network::from_booksim) }
}

/// Opens one of the networks of a BookSim 2 configuration with the keys of a simulator around it.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_open_inside(
    file: *const c_char,
    overrides: *const *const c_char,
    count: usize,
    cores: u32,
    memories: u32,
    places: *mut u32,
    inside: *mut tb_inside,
    error: *mut tb_error,
) -> *mut tb_network {
    let open = |file: &Path, overrides: &[String]| {
        let (network, interior) = Network::from_inside(file, overrides, (cores, memories))?;
        // SAFETY: they are NULL, or the caller promises room for one, and for as many as there are devices, each of which has one place.
        unsafe {
            if !inside.is_null() {
                inside.write((&interior).into());
            }
            if !places.is_null() {
                std::ptr::copy_nonoverlapping(interior.places.as_ptr(), places, interior.places.len());
            }
        }
        Ok(network)
    };
    // SAFETY: the caller's promises.
    unsafe { opened_file(file, (overrides, count), error, open) }
}

/// Goes on from a checkpoint.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_restore(file: *const c_char, error: *mut tb_error) -> *mut tb_network {
    // SAFETY: the caller's promises.
    unsafe {
        let file = path(file);
        opened(error, || {
            let file = file?;
            Ok(Network::restore(Path::new(&file))?)
        })
    }
}

/// Frees the message of an error.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_error_clear(error: *mut tb_error) {
    // SAFETY: the caller promises NULL or an error that a function of this library has filled.
    if let Some(error) = unsafe { error.as_mut() } {
        error.status = tb_status::TB_OK;
        // SAFETY: the message is what the library gave, or NULL after this.
        unsafe { taken(std::mem::replace(&mut error.message, null_mut())) };
    }
}

/// Closes a network and ends its call log.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_close(network: *mut tb_network) {
    if !network.is_null() {
        // SAFETY: it came from `Box::into_raw`, and the caller promises that it was not closed. A panic would leak it, and nothing more.
        let _ = quietly(|| drop(unsafe { Box::from_raw(network) }));
    }
}
