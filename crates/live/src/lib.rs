//! The laboratory in a browser: a network that runs on this machine, and a page that shows and steers it; or results on disk, and a page
//! to browse them.
//!
//! [`serve`] is who may ask for what over HTTP, [`socket`] the connection to a page, [`session`] the play itself with its variants, in
//! a thread of its own that waits for no page. [`frame`] is the binary form of a picture, [`place`] where everything stands. [`library`] is what is
//! asked for of results.
//! `docs/live.md` is for those who use it.

mod control;
mod files;
mod frame;
mod history;
mod lessons;
mod library;
mod line;
mod matrix;
mod outbox;
mod place;
mod serve;
mod session;
mod socket;
mod variant;

pub use library::{Data, Library};
pub use serve::{Door, Server};
pub use session::{Began, Session};
