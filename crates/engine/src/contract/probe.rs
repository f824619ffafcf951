//! Probes watch. They are type parameters with empty defaults, so a run without them contains no trace of them.

use super::admission::Gauges;
use super::queueing::Side;
use crate::occupancy::Occupancy;
use crate::packet::Packet;

/// A packet whose tail has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// Cycle in which its tail has been received.
    pub cycle: u64,
    /// The packet.
    pub packet: &'a Packet,
}

/// A message of which the last packet has been delivered. Where messages are not cut into packets, every packet is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Cycle in which the last tail has been received.
    pub cycle: u64,
    /// Cycle in which its first packet was made.
    pub birth: u64,
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Its length, all packets together.
    pub flits: u32,
}

/// An output that was granted: under cut-through to a packet, under wormhole to one flit. Where a packet may hold a channel
/// while the link is busy, it is reported when the packet is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The current cycle.
    pub cycle: u64,
    /// The router.
    pub router: u32,
    /// Network port and virtual channel, or `None` when the packet is consumed.
    pub channel: Option<(u8, u8)>,
    /// Flits that leave by this grant: the packet's length under cut-through, 1 under wormhole.
    pub flits: u32,
    /// Whether a packet's head leaves its injection queue.
    pub injected: bool,
}

/// A head that was given an output channel, under wormhole and adaptive cut-through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The current cycle.
    pub cycle: u64,
    /// The router.
    pub router: u32,
    /// Network port.
    pub port: u8,
    /// How it came to it.
    pub by: TakenBy,
}

/// How a head came to its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenBy {
    /// The packet took a channel that routing prefers.
    Preference,
    /// No preferred channel was free, so the packet took an escape channel.
    Escape,
    /// The packet took the recovery lane.
    Lane,
}

/// A side of a port of the input-output-queued data path has another number of set-aside queues in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The current cycle.
    pub cycle: u64,
    /// Which side.
    pub side: Side,
    /// The router; of an adapter its node.
    pub router: u32,
    /// The port; of an adapter the number of the router's port that its link leads to.
    pub port: u8,
    /// Queues in use from now on.
    pub in_use: u32,
}

/// The state a probe may read at the end of a cycle.
#[derive(Clone, Copy, Debug)]
pub struct EndOfCycle<'a> {
    /// The cycle that ends.
    pub cycle: u64,
    /// Packets whose head has left the source queue and whose tail has not arrived.
    pub in_flight: u64,
    /// Flits in the buffers, when some probe or throttle needs them; where a data path counts them only on demand, in the cycles
    /// for which the probe has said that it [reads](Probe::reads_levels) them.
    pub occupancy: Option<&'a Occupancy>,
    /// What the throttle's controller knows.
    pub gauges: Gauges,
    /// Packets in every injection queue, node by node, one that is being sent included; empty where the data path does not
    /// say.
    pub injection: &'a [u32],
}

/// A watcher. Every hook is optional.
pub trait Probe {
    /// Whether [`EndOfCycle::occupancy`] is needed.
    fn needs_occupancy(&self) -> bool {
        false
    }

    /// Whether it reads [`EndOfCycle::occupancy`] at the end of this cycle.
    fn reads_levels(&self, _cycle: u64) -> bool {
        self.needs_occupancy()
    }

    /// Whether [`Probe::granted`] is needed of a data path that moves flits one by one, and for which it is dear.
    fn watches_flits(&self) -> bool {
        true
    }

    /// Whether [`Probe::flit_left`] and [`Probe::flit_arrived`] are needed, which are dear, of a data path that knows the times of flits.
    fn times_flits(&self) -> bool {
        false
    }

    /// A packet came to the head of its source queue; later ones of the same source have not been made yet.
    #[inline]
    fn started(&mut self, _packet: &Packet) {}

    /// The head of a packet that has started leaves its source queue.
    #[inline]
    fn entered(&mut self, _cycle: u64, _packet: &Packet) {}

    /// An output was granted.
    #[inline]
    fn granted(&mut self, _grant: Grant) {}

    /// A packet sets out for the next router by this port of `router`, in the cycle in which it gets the link, or its head the channel.
    #[inline]
    fn sets_out(&mut self, _cycle: u64, _router: u32, _port: u8) {}

    /// A head was given a channel between routers.
    #[inline]
    fn taken(&mut self, _taken: Taken) {}

    /// A head at `router` is taken for deadlocked and its packet handed to the recovery lane.
    #[inline]
    fn recovers(&mut self, _cycle: u64, _router: u32) {}

    /// A flit leaves its source. `id` is that of its packet among those in the network; ids are used again. The flits of a packet leave
    /// and arrive in order.
    #[inline]
    fn flit_left(&mut self, _cycle: u64, _id: u32) {}

    /// A flit is on its last wire, and arrives in `cycle`.
    #[inline]
    fn flit_arrived(&mut self, _cycle: u64, _id: u32, _packet: &Packet) {}

    /// A tail has arrived.
    #[inline]
    fn delivered(&mut self, _delivery: Delivery<'_>) {}

    /// The last tail of a message has arrived, under the data paths that cut messages into packets; the delivery of the packet has been reported.
    #[inline]
    fn message_delivered(&mut self, _message: Message) {}

    /// The number of set-aside queues in use of a side has changed.
    #[inline]
    fn set_aside(&mut self, _change: SetAside) {}

    /// A cycle ends.
    #[inline]
    fn end_of_cycle(&mut self, _end: EndOfCycle<'_>) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn watches_flits(&self) -> bool {
        false
    }
}

/// Calls a macro with `args` and, behind them, every hook of [`Probe`] that says what happens: its name, its arguments and their types. So
/// whoever passes hooks on to other probes forgets none.
#[macro_export]
macro_rules! probe_hooks {
    ($($then:ident)::+ { $($args:tt)* }) => {
        $($then)::+! { $($args)*
            started(packet: &Packet);
            entered(cycle: u64, packet: &Packet);
            granted(grant: Grant);
            sets_out(cycle: u64, router: u32, port: u8);
            taken(taken: Taken);
            recovers(cycle: u64, router: u32);
            flit_left(cycle: u64, id: u32);
            flit_arrived(cycle: u64, id: u32, packet: &Packet);
            delivered(delivery: Delivery<'_>);
            message_delivered(message: Message);
            set_aside(change: SetAside);
            end_of_cycle(end: EndOfCycle<'_>);
        }
    };
}

macro_rules! of_both {
    ($($hook:ident($($arg:ident: $type:ty),+);)+) => {
        $(#[inline]
        fn $hook(&mut self, $($arg: $type),+) {
            self.0.$hook($($arg),+);
            self.1.$hook($($arg),+);
        })+
    };
}

impl<A: Probe, B: Probe> Probe for (A, B) {
    fn needs_occupancy(&self) -> bool {
        self.0.needs_occupancy() || self.1.needs_occupancy()
    }

    #[inline]
    fn reads_levels(&self, cycle: u64) -> bool {
        self.0.reads_levels(cycle) || self.1.reads_levels(cycle)
    }

    #[inline]
    fn watches_flits(&self) -> bool {
        self.0.watches_flits() || self.1.watches_flits()
    }

    #[inline]
    fn times_flits(&self) -> bool {
        self.0.times_flits() || self.1.times_flits()
    }

    probe_hooks!(of_both {});
}

macro_rules! of_some {
    ($($hook:ident($($arg:ident: $type:ty),+);)+) => {
        $(#[inline]
        fn $hook(&mut self, $($arg: $type),+) {
            if let Some(probe) = self {
                probe.$hook($($arg),+);
            }
        })+
    };
}

impl<A: Probe> Probe for Option<A> {
    fn needs_occupancy(&self) -> bool {
        self.as_ref().is_some_and(Probe::needs_occupancy)
    }

    #[inline]
    fn reads_levels(&self, cycle: u64) -> bool {
        self.as_ref().is_some_and(|probe| probe.reads_levels(cycle))
    }

    #[inline]
    fn watches_flits(&self) -> bool {
        self.as_ref().is_some_and(Probe::watches_flits)
    }

    #[inline]
    fn times_flits(&self) -> bool {
        self.as_ref().is_some_and(Probe::times_flits)
    }

    probe_hooks!(of_some {});
}
