//! The cut-through data path. The unit of allocation is the packet: an output is held from grant to tail and the buffer
//! downstream has room for the whole packet, so a packet's flits move in lock-step. The engine touches a packet when its
//! head asks, when it is granted and when its tail leaves: work per packet-hop, not per flit-hop.
//!
//! A grant in cycle `t` sends flits in `t .. t + flits`; the head reaches the next router in `t + link`, may ask there
//! `header` cycles later, and the tail's leaving frees the output and the input in `t + flits`. A flit that leaves in `t`
//! is a credit upstream in `t + credit`. A consumed packet is delivered when its tail has been received, in `t + flits`.
//! Zero-load latency is therefore `hops * link + (hops + 1) * header + flits`.

mod allocate;
mod audit;
mod credit;
mod deadlock;
mod deliver;
mod source;

use crate::calendar::Calendar;
use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::flow_control::FlowControl;
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::routing::Routing;
use crate::occupancy::Occupancy;
use crate::packet::{Packets, Slot};
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::Grid;
use tailback_traffic::{Generated, Source, Traffic};

pub use audit::AuditError;
pub use deadlock::{Blocked, Deadlock};

/// The mechanisms of a run.
pub trait Mechanisms {
    /// Routing.
    type Routing: Routing;
    /// Arbiter of every output.
    type Arbiter: Arbiter;
    /// Flow control.
    type FlowControl: FlowControl;
    /// Admission of new packets.
    type Admission: Admission;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
    /// Arbiter of every output.
    pub arbiter: M::Arbiter,
    /// Flow control.
    pub flow_control: M::FlowControl,
    /// Admission of new packets.
    pub admission: M::Admission,
}

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, 1 to 16.
    pub channels: u32,
    /// Buffer of a virtual channel \[flits\], 1 to 65535.
    pub buffer_flits: u32,
    /// Cycles a head spends in a router before it may ask for an output.
    pub header_cycles: u32,
    /// Cycles from a flit's leaving a buffer to the credit's use upstream; at least 1.
    pub credit_cycles: u32,
    /// Packets a node can consume at a time, a flit a cycle each; `None`: one from every input.
    pub ejection_channels: Option<u32>,
    /// Packets a source queue holds, the one being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Seed of all random streams.
    pub seed: u64,
}

/// The largest number of inputs, and of outputs, of a router: one bit each in a request mask.
pub const MAX_PORTS: usize = 64;

/// The index formulas, fixed at build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Network ports.
    pub ports: usize,
    /// Virtual channels a port.
    pub channels: usize,
    /// Nodes a router.
    pub nodes: usize,
    /// Network inputs: `ports * channels`. Injection inputs follow.
    pub network_inputs: usize,
    /// Ejection outputs a node.
    pub ejection: usize,
    /// All outputs: network ports, then each node's ejection outputs.
    pub outputs: usize,
    /// Packets a buffer can hold, partly arrived and partly left ones included.
    pub depth: usize,
}

impl Layout {
    /// Index of `channel` at output `port` of `router`: credits, returns.
    #[inline]
    fn channel(&self, router: u32, port: usize, channel: usize) -> usize {
        (router as usize * self.ports + port) * self.channels + channel
    }

    /// Index of an output.
    #[inline]
    fn output(&self, router: u32, output: usize) -> usize {
        router as usize * self.outputs + output
    }
}

/// Inputs and outputs of a router with these numbers.
pub fn port_counts(grid: &Grid, router: &Router) -> (usize, usize) {
    let network = grid.ports() * router.channels as usize;
    let nodes = grid.nodes_per_router() as usize;
    let ejection = router.ejection_channels.map_or(network, |k| k as usize);
    (network + nodes, grid.ports() + nodes * ejection)
}

/// Port and channel of every network input. Tables, because a 64-bit division costs as much as the rest of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    port: [u8; MAX_PORTS],
    channel: [u8; MAX_PORTS],
}

impl Lanes {
    fn new(layout: &Layout) -> Self {
        let mut lanes = Lanes { port: [0; MAX_PORTS], channel: [0; MAX_PORTS] };
        for input in 0..layout.network_inputs {
            lanes.port[input] = (input / layout.channels) as u8;
            lanes.channel[input] = (input % layout.channels) as u8;
        }
        lanes
    }

    /// Port and channel of network input `input`.
    #[inline]
    fn of(&self, input: usize) -> (u8, u8) {
        (self.port[input & (MAX_PORTS - 1)], self.channel[input & (MAX_PORTS - 1)])
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct RouterState {
    /// Outputs no packet holds.
    idle: u64,
    /// Outputs that are idle and wanted by a head whose channel has room.
    ready: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Output {
    /// Channels with room for the shortest packet.
    room: u16,
    /// Channels some head wants.
    wanted: u16,
    /// The arbiter's byte.
    pointer: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Input {
    /// Ring position of the front packet.
    front: u16,
    /// Packets in the ring.
    count: u16,
    /// Channels the front packet asks for.
    channels: u16,
    /// Output it asks for.
    output: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arrival {
    router: u32,
    input: u32,
    slot: Slot,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    router: u32,
    input: u8,
    output: u8,
}

/// A network of cut-through routers in the middle of a run.
pub struct CutThrough<'a, M: Mechanisms> {
    grid: &'a Grid,
    traffic: &'a Traffic,
    parts: Parts<M>,
    config: Router,
    layout: Layout,
    lanes: Lanes,
    /// Length of all packets, or 0 when it varies.
    flits: u32,
    cycle: u64,

    routers: Vec<RouterState>,
    /// Routers with a ready output.
    active: BitSet,
    outputs: Vec<Output>,
    /// Per output and channel, the inputs whose head wants it.
    want: Vec<u64>,
    credits: credit::Credits,
    /// Per router, network inputs then injection inputs.
    inputs: Vec<Input>,
    /// Per network input, a ring of `depth` packets.
    queues: Vec<Slot>,

    packets: Packets,
    arrivals: Wheel<Arrival>,
    tails: Wheel<Tail>,

    sources: Vec<Source>,
    /// Per node: the packet at the head of its source queue (once generated) or the next to be generated.
    upcoming: Vec<Generated>,
    source_slots: Vec<Slot>,
    /// Nodes whose upcoming packet heads the source queue or is being sent.
    at_head: BitSet,
    /// Nodes that never send again.
    dry: BitSet,
    calendar: Calendar,
    /// Nodes whose head waits for admission or a grant; kept only when admission is active.
    waiting: BitSet,
    /// Finite source queues: cycle in which each of the last `source_queue_packets` packets left, a ring a node.
    left: Vec<u64>,

    occupancy: Option<Occupancy>,
    counters: Counters,
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that have headed their source queue.
    pub started: u64,
    /// Packets whose head has left its source queue.
    pub entered: u64,
    /// Packets delivered.
    pub delivered: u64,
    /// Flits of the packets delivered.
    pub delivered_flits: u64,
    /// Grants of links between routers.
    pub packet_hops: u64,
    /// Flits those grants send.
    pub flit_hops: u64,
}

impl<'a, M: Mechanisms> CutThrough<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: every packet fits a buffer, and inputs and outputs number at most [`MAX_PORTS`].
    pub fn new(grid: &'a Grid, traffic: &'a Traffic, config: Router, parts: Parts<M>, needs_occupancy: bool) -> Self {
        let layout = layout(grid, &config, parts.flow_control.room_flits(traffic.min_flits(), false));
        let (shortest, longest) = (traffic.min_flits(), traffic.max_flits());
        let (routers, nodes) = (grid.routers(), grid.nodes());
        let (inputs, outputs) = port_counts(grid, &config);
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(longest <= config.buffer_flits && config.credit_cycles >= 1, "the spec was checked for whole packets");
        let head_delay = u64::from(grid.link_cycles() + config.header_cycles);
        let arrivals = routers * layout.ports * (2 + head_delay as usize / shortest as usize);
        let horizon = u64::from(longest) + head_delay;
        let occupancy = (needs_occupancy || parts.admission.needs_occupancy()).then(|| {
            let link = u64::from(grid.link_cycles());
            Occupancy::new(routers, layout.ports, layout.channels, u64::from(longest) + link, shortest, link)
        });
        let mut engine = CutThrough {
            grid,
            traffic,
            config,
            layout,
            lanes: Lanes::new(&layout),
            flits: if shortest == longest { shortest } else { 0 },
            cycle: 0,
            routers: vec![RouterState { idle: ones_below(outputs), ready: 0 }; routers],
            active: BitSet::new(routers),
            outputs: vec![Output { room: 1, ..Output::default() }; routers * outputs],
            want: vec![0; routers * outputs * layout.channels],
            credits: credit::Credits::new(grid, &config, layout, shortest, longest),
            inputs: vec![Input::default(); routers * inputs],
            queues: vec![Slot::default(); routers * layout.network_inputs * layout.depth],
            packets: Packets::new(routers * layout.network_inputs * layout.depth + arrivals + nodes),
            arrivals: Wheel::new(head_delay, arrivals),
            tails: Wheel::new(horizon, routers * outputs),
            sources: Vec::with_capacity(nodes),
            upcoming: Vec::with_capacity(nodes),
            source_slots: vec![Slot::default(); nodes],
            at_head: BitSet::new(nodes),
            dry: BitSet::new(nodes),
            calendar: Calendar::new(nodes),
            waiting: BitSet::new(nodes),
            left: vec![0; config.source_queue_packets.unwrap_or(0) as usize * nodes],
            occupancy,
            counters: Counters::default(),
            parts,
        };
        engine.open_channels();
        engine.open_sources();
        engine
    }

    fn open_channels(&mut self) {
        let all = ones_below(self.layout.channels) as u16;
        for router in 0..self.routers.len() as u32 {
            for port in 0..self.layout.ports {
                self.outputs[self.layout.output(router, port)].room = all;
            }
        }
    }

    /// Simulates one cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        let now = self.cycle;
        self.deliver(now, probe);
        self.generate(now, probe);
        self.admit();
        self.allocate(now, probe);
        self.observe(now, probe);
        self.cycle = now + 1;
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if let Some(occupancy) = &mut self.occupancy {
            occupancy.step(now);
        }
        if self.parts.admission.is_active() {
            self.parts.admission.observe(now, self.occupancy.as_ref());
        }
        let in_flight = self.in_flight();
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy: self.occupancy.as_ref() });
    }

    /// The cycle to be simulated next.
    #[inline]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Totals since the start.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Packets whose head has left the source queue and whose tail has not arrived.
    #[inline]
    pub fn in_flight(&self) -> u64 {
        self.counters.entered - self.counters.delivered
    }

    /// The mechanisms.
    pub fn parts(&self) -> &Parts<M> {
        &self.parts
    }
}

fn layout(grid: &Grid, config: &Router, shortest: u32) -> Layout {
    let channels = config.channels as usize;
    let network_inputs = grid.ports() * channels;
    let ejection = config.ejection_channels.map_or(network_inputs, |k| k as usize);
    let nodes = grid.nodes_per_router() as usize;
    Layout {
        ports: grid.ports(),
        channels,
        nodes,
        network_inputs,
        ejection,
        outputs: grid.ports() + nodes * ejection,
        // One more than fit whole: the front one may be partly gone while the last is granted room.
        depth: (config.buffer_flits / shortest + 1) as usize,
    }
}

/// A mask of the lowest `n` bits.
pub(crate) fn ones_below(n: usize) -> u64 {
    if n == 64 { u64::MAX } else { (1 << n) - 1 }
}
