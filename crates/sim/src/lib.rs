//! The façade: from a point of a plan to its record. The only crate that sees all the others.
//!
//! [`catalogue`] is what a spec may say, [`prepare`] checks that a point can exist and builds its network, [`run`] runs
//! it. A point is a pure function of its spec, so many run at once: [`side_by_side`]; [`attempt`] does both for one of them,
//! and a bug that it meets is no end of the others.

#[cfg(test)]
extern crate self as tailback_sim;

mod alone;
mod anatomy;
mod attempt;
pub mod bench;
mod burden;
mod catalogue;
mod changes;
mod checkpoint;
mod classes;
mod critical;
mod deadlock;
mod diagnosis;
mod drive;
mod facts;
mod fits;
mod hosted;
mod jobs;
mod least;
pub mod live;
mod loads;
mod memo;
mod memory;
mod outcome;
mod parts;
mod prepare;
mod presets;
mod ramp;
pub mod ranks;
pub mod remedy;
mod router;
mod run;
mod shapes;
mod soonest;
#[cfg(test)]
mod split_twin;
mod starvation;
mod summary;
mod threads;
mod trace;
mod types;
mod unmatched;
mod watch;
mod why;

pub use anatomy::Dissected;
pub use attempt::{attempt, attempt_explained, attempt_from, attempt_kept, guarded, quietly, reason};
pub use catalogue::catalogue;
pub use changes::{CHANGEABLE, is_changeable};
pub use checkpoint::{Refused, Resumed};
pub use critical::{Critical, Crossed, Held as CriticalWait, SHARE_NAMES, Segment, Shares};
pub use deadlock::Witness;
pub use diagnosis::{Diagnosis, Held, Lock, Saturation, Slow, Stuck};
pub use facts::{Facts, Shape, notes};
pub use hosted::{Halt, Stepped, host};
pub use jobs::JobDone;
pub use least::Least;
pub use outcome::Outcome;
pub use prepare::{ALIKE, Prepared, minds_load, prepare, prepare_unless, witness};
pub use ranks::run_in_ranks;
pub use run::{Control, Keep, OfClass, Settled, go_on, run, run_in_parts, run_kept, run_parts_kept};
pub use soonest::Soonest;
pub use starvation::{Doubt, LongWaits, Starving};
pub use summary::parameters;
pub use tailback_deadlock::{Buffer, Circle, Step};
pub use tailback_engine::outcome::Blocked;
pub use tailback_mechanisms::admission::{local_rule, rule};
pub use tailback_probes::periods::{Block, Extent, Rate};
pub use tailback_probes::{Finding, LinkUse, SpaceTime};
pub use tailback_traffic::pattern::Table;
pub use threads::{side_by_side, threads_each, threads_in_room};
pub use trace::{Stop, Story, Traced, Wait, Which, trace};
pub use watch::watched;
pub use why::{Cause, Line, Why};

/// The version that records and capsules carry.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
