//! One type for the probes of all tests.

use tailback_engine::contract::probe::{EndOfCycle, Grant, Message, SetAside, Taken};
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};

/// Any probe. A network is stepped with it and not with the probe itself: for each type of a probe all loops of the engine are compiled anew, which is
/// most of what it takes to build these tests.
pub struct AnyProbe<'p>(pub &'p mut (dyn Probe + Send));

macro_rules! forwarded {
    ($($hook:ident($($arg:ident: $type:ty),+);)+) => {
        $(fn $hook(&mut self, $($arg: $type),+) {
            self.0.$hook($($arg),+);
        })+
    };
}

impl Probe for AnyProbe<'_> {
    fn needs_occupancy(&self) -> bool {
        self.0.needs_occupancy()
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        self.0.reads_levels(cycle)
    }

    fn watches_flits(&self) -> bool {
        self.0.watches_flits()
    }

    fn times_flits(&self) -> bool {
        self.0.times_flits()
    }

    tailback_engine::probe_hooks!(forwarded {});
}
