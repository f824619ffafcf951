//! The C interface of a network that a host steps: `include/tailback.h` is the documentation, `docs/embedding.md` the introduction.
//!
//! Every function takes whatever it is given: a NULL is a status or nothing, and a bug of this program is a status, too, for no panic leaves
//! the library. Nothing prints, exits or aborts.
//!
//! What cannot be checked is the caller's duty, as the header says: that pointers which are not NULL are those of this library or of memory as
//! long as it is said to be, and that a network is used by one thread at a time.
// An interface of pointers has no other way. Every block says on what it relies.
#![allow(unsafe_code)]

mod calls;
mod files;
pub mod measure;
mod open;
mod pointers;
mod texts;
mod types;

pub use calls::*;
pub use files::*;
pub use open::*;
pub use texts::*;
pub use types::{tb_delivery, tb_error, tb_inside, tb_network, tb_status};
