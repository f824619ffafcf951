//! What several files of tests share.

pub mod families;
pub mod listed;
pub mod networks;
pub mod plain_adaptive;
pub mod shapeless;
pub mod single;
pub mod tested;
#[path = "../wormhole/throttles.rs"]
pub mod throttles;
pub mod traffic;
pub mod twins;
pub mod watch;
