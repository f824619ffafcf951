//! From pointers to what they point to, and panics that do not get out.

use crate::types::{tb_network, tb_status};
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use tailback_embed::Network;
use tailback_sim::quietly;

/// Does `work`; `else_` where it panics.
pub(crate) fn caught<T>(else_: T, work: impl FnOnce() -> T) -> T {
    quietly(work).unwrap_or(else_)
}

/// The network behind a pointer; `None` for NULL.
///
/// # Safety
/// A pointer that is not NULL came from a function that opens networks, was not closed, and nobody else uses the network meanwhile.
pub(crate) unsafe fn network<'n>(network: *const tb_network) -> Option<&'n Network> {
    // SAFETY: the caller's promise: it points to a living `tb_network`, which nobody changes meanwhile.
    unsafe { network.as_ref() }.map(|of| &of.network)
}

/// As [`network`], to change it.
///
/// # Safety
/// As of [`network`].
pub(crate) unsafe fn network_mut<'n>(network: *mut tb_network) -> Option<&'n mut Network> {
    // SAFETY: the caller's promise: it points to a living `tb_network`, which nobody else uses meanwhile.
    unsafe { network.as_mut() }.map(|of| &mut of.network)
}

/// A C string as text.
///
/// # Safety
/// A pointer that is not NULL points to bytes up to a 0, which nobody changes meanwhile.
pub(crate) unsafe fn text<'t>(text: *const c_char) -> Result<&'t str, tb_status> {
    if text.is_null() {
        return Err(tb_status::TB_NULL);
    }
    // SAFETY: it is not NULL, and the caller promises that a 0 ends it.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| tb_status::TB_TEXT)
}

/// A C string as a path.
///
/// # Safety
/// As of [`text`].
pub(crate) unsafe fn path(path: *const c_char) -> Result<PathBuf, tb_status> {
    // SAFETY: the caller's promise is the same.
    unsafe { text(path) }.map(PathBuf::from)
}

/// `count` C strings.
///
/// # Safety
/// `texts` points to `count` pointers as [`text`] takes them, or `count` is 0.
pub(crate) unsafe fn texts(texts: *const *const c_char, count: usize) -> Result<Vec<String>, tb_status> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if texts.is_null() {
        return Err(tb_status::TB_NULL);
    }
    // SAFETY: it is not NULL, and the caller promises so many pointers, each to a text.
    (0..count).map(|n| unsafe { text(*texts.add(n)) }.map(str::to_owned)).collect()
}

/// A text that C frees with `tb_free` or `tb_error_clear`. A 0 in it ends it.
pub(crate) fn given(text: String) -> *mut c_char {
    let mut bytes = text.into_bytes();
    bytes.retain(|&byte| byte != 0);
    CString::new(bytes).map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Takes back what [`given`] gave.
///
/// # Safety
/// NULL, or what [`given`] gave and nobody has taken back.
pub(crate) unsafe fn taken(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: it came from `CString::into_raw`, as the caller promises.
        drop(unsafe { CString::from_raw(text) });
    }
}
