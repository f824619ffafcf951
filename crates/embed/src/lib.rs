//! Tailback inside other simulators: a network that a host opens, steps, sends into and receives from (`docs/embedding.md`).
//!
//! Nothing here prints, exits or keeps global state. Whatever a host does wrong is an [`Error`] or a [`Refusal`], and so is a bug of this
//! program: the network is of no use then, and says so.
//!
//! ```
//! use tailback_embed::{Message, Network};
//!
//! let spec = "topology = { kind = \"torus\", radix = [4, 4] }";
//! let mut network = Network::from_text(spec, &[]).unwrap();
//! network.send(Message { source: 0, destination: 5, class: 0, flits: 8, tag: 77 }).unwrap();
//! network.advance(100).unwrap();
//! let delivery = network.receive(5, 0).unwrap();
//! assert_eq!((delivery.message.tag, delivery.sent), (77, 0));
//! assert!(network.is_idle());
//! ```

mod booksim;
mod checkpoint;
mod due;
mod error;
mod files;
mod log;
mod messages;
mod network;
mod open;
mod replay;

pub use error::{Error, Refusal};
pub use messages::{Delivery, Message};
pub use network::{LAST_CYCLE, Network};
pub use open::Interior;
pub use replay::{Replayed, replay};
pub use tailback_booksim::Inside;
