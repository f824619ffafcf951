//! The cut-through data path. The unit of allocation is the packet: an output is held from grant to tail and the buffer
//! downstream has room for the whole packet, so a packet's flits move in lock-step. The engine touches a packet when its
//! head asks, when it is granted and when its tail leaves: work per packet-hop, not per flit-hop.
//!
//! A grant in cycle `t` sends flits in `t .. t + flits`; the head reaches the next router in `t + link`, may ask there
//! `header` cycles later, and the tail's leaving frees the output and the input in `t + flits`. A flit that leaves in `t`
//! is a credit upstream in `t + credit`. A consumed packet is delivered when its tail has been received, in `t + flits`.
//! Zero-load latency is therefore `hops * link + (hops + 1) * header + flits`.

/// Runs `$body` with `$fabric` bound to the fabric of whatever shape.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {
        match $self {
            Shaped::Small($fabric) => $body,
            Shaped::Deep($fabric) => $body,
            Shaped::Medium($fabric) => $body,
            Shaped::Wide($fabric) => $body,
        }
    };
}

mod allocate;
mod audit;
mod audit_places;
mod audit_returns;
mod blocks;
mod census;
mod checkpoint;
mod compact;
mod credit;
mod deadlock;
mod deliver;
mod fabric;
mod fronts;
mod join;
mod share;
mod source;
mod state;
mod tables;

use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::flow_control::FlowControl;
use crate::contract::probe::Probe;
use crate::contract::routing::Routing;
use crate::packet::Slot;
use crate::partition::{Cut, Partition};
use crate::totals::Totals;
use compact::{Inputs, Level};
use fabric::Fabric;
use serde::{Deserialize, Serialize};
use share::{Half, Mail, Share};
use state::RouterState;
use tailback_base::state::{Reader, State, Unfit, Writer, are_counts, ensure};
use tailback_network::Grid;
use tailback_traffic::{Generated, Traffic};

pub use audit::AuditError;
pub use deadlock::{Blocked, Deadlock, Waiting};

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
    /// Buffer of a virtual channel \[flits\], 1 to 32767.
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

/// Inputs and outputs of a router with these numbers.
pub fn port_counts(grid: &Grid, router: &Router) -> (usize, usize) {
    let network = grid.ports() * router.channels as usize;
    let nodes = grid.nodes_per_router() as usize;
    let ejection = router.ejection_channels.map_or(network, |k| k as usize);
    (network + nodes, grid.ports() + nodes * ejection)
}

/// A network of cut-through routers in the middle of a run.
pub struct CutThrough<'a, M: Mechanisms>(Shaped<'a, M>);

/// A network in the smallest shape that its routers fit.
enum Shaped<'a, M: Mechanisms> {
    /// Up to 16 inputs, 8 outputs, 4 network ports and 4 virtual channels of at most 191 flits, and packets of at most 64: two
    /// dimensions with three channels.
    Small(Fabric<'a, M, u16, 16, 8, 4, 4>),
    /// Up to 32 inputs, 16 outputs, 8 network ports and 2 virtual channels: four dimensions of very many routers.
    Deep(Fabric<'a, M, u32, 32, 16, 8, 2>),
    /// Up to 32 inputs, 16 outputs, 8 network ports and 8 virtual channels.
    Medium(Fabric<'a, M, u32, 32, 16, 8, 8>),
    /// Up to 64 inputs, 64 outputs, 16 network ports and 16 virtual channels.
    Wide(Fabric<'a, M, u64, 64, 64, 16, 16>),
}

/// The fabric of a network that is known to have a shape.
macro_rules! shape_of {
    ($network:expr, $shape:ident) => {
        match &$network.0 {
            Shaped::$shape(fabric) => Some(fabric),
            _ => None,
        }
    };
}

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Small,
    Deep,
    Medium,
    Wide,
}

/// The smallest for packets of up to `longest` flits.
fn shape(inputs: usize, outputs: usize, ports: usize, config: &Router, longest: u32) -> Shape {
    type Small = <u16 as Inputs>::Level;
    let small_buffers = config.buffer_flits <= Small::MOST && longest <= Small::LONGEST;
    match (inputs, outputs, ports, config.channels) {
        (0..=16, 0..=8, 0..=4, 0..=4) if small_buffers => Shape::Small,
        (0..=32, 0..=16, 0..=8, 0..=2) => Shape::Deep,
        (0..=32, 0..=16, 0..=8, 0..=8) => Shape::Medium,
        _ => Shape::Wide,
    }
}

/// Bytes of hot state and packet queues of a router with so many inputs, outputs and network ports, for estimates.
pub fn router_bytes(inputs: usize, outputs: usize, ports: usize, config: &Router, shortest: u32) -> usize {
    // Whatever packets fit a buffer.
    let (state, inputs) = match shape(inputs, outputs, ports, config, config.buffer_flits) {
        Shape::Small => (size_of::<RouterState<u16, 16, 8, 4, 4>>(), 16),
        Shape::Deep => (size_of::<RouterState<u32, 32, 16, 8, 2>>(), 32),
        Shape::Medium => (size_of::<RouterState<u32, 32, 16, 8, 8>>(), 32),
        Shape::Wide => (size_of::<RouterState<u64, 64, 64, 16, 16>>(), 64),
    };
    state + inputs * fabric::queue_depth(config.buffer_flits, shortest, false) * size_of::<Slot>()
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

tailback_base::state!([] Counters {
    saved: started, entered, delivered, delivered_flits, packet_hops, flit_hops;
} [fits]);

impl Counters {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.started, self.delivered, self.delivered_flits, self.packet_hops, self.flit_hops])?;
        ensure(self.entered <= self.started, "more packets have left their sources than have come")
    }

    /// That no more packets have come out than have gone in. Of a part of a network that need not be: packets cross it.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn are_of_a_whole(&self) -> Result<(), Unfit> {
        ensure(self.delivered <= self.entered, "more packets have left than have come")
    }

    /// Adds the totals of another part of the network.
    pub fn add(&mut self, other: &Counters) {
        self.started += other.started;
        self.entered += other.entered;
        self.delivered += other.delivered;
        self.delivered_flits += other.delivered_flits;
        self.packet_hops += other.packet_hops;
        self.flit_hops += other.flit_hops;
    }

    pub(crate) fn to_array(self) -> [u64; 6] {
        let Counters { started, entered, delivered, delivered_flits, packet_hops, flit_hops } = self;
        [started, entered, delivered, delivered_flits, packet_hops, flit_hops]
    }

    pub(crate) fn from_array(of: [u64; 6]) -> Self {
        let [started, entered, delivered, delivered_flits, packet_hops, flit_hops] = of;
        Counters { started, entered, delivered, delivered_flits, packet_hops, flit_hops }
    }
}

impl<'a, M: Mechanisms> CutThrough<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: every packet fits a buffer, and inputs and outputs number at most [`MAX_PORTS`].
    pub fn new(grid: &'a Grid, traffic: &'a Traffic, config: Router, parts: Parts<M>, needs_occupancy: bool) -> Self {
        CutThrough::of_share(grid, traffic, config, parts, needs_occupancy, Share::whole(grid))
    }

    /// Part number `part` of the same network, which `cut` divides; nobody reads its buffer levels. It is to be told, after at most
    /// [`Partition::lookahead`](crate::partition::Partition::lookahead) cycles, what the others have posted.
    pub fn part(grid: &'a Grid, traffic: &'a Traffic, config: Router, parts: Parts<M>, cut: &Cut, part: usize) -> Self {
        CutThrough::of_share(grid, traffic, config, parts, false, Share::new(cut.clone(), part))
    }

    fn of_share(
        grid: &'a Grid,
        traffic: &'a Traffic,
        config: Router,
        parts: Parts<M>,
        needs_occupancy: bool,
        share: Share,
    ) -> Self {
        let (inputs, outputs) = port_counts(grid, &config);
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(traffic.max_flits() <= config.buffer_flits, "the spec was checked for packets that fit a buffer");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        CutThrough(match shape(inputs, outputs, grid.ports(), &config, traffic.max_flits()) {
            Shape::Small => Shaped::Small(Fabric::new(grid, traffic, config, parts, needs_occupancy, share)),
            Shape::Deep => Shaped::Deep(Fabric::new(grid, traffic, config, parts, needs_occupancy, share)),
            Shape::Medium => Shaped::Medium(Fabric::new(grid, traffic, config, parts, needs_occupancy, share)),
            Shape::Wide => Shaped::Wide(Fabric::new(grid, traffic, config, parts, needs_occupancy, share)),
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        each!(&mut self.0, fabric => fabric.bit_instructions = false);
        self
    }

    /// Simulates one cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step(Half::Both, probe));
    }

    /// The cycle to be simulated next.
    pub fn cycle(&self) -> u64 {
        each!(&self.0, fabric => fabric.cycle())
    }

    /// Totals since the start.
    pub fn counters(&self) -> Counters {
        each!(&self.0, fabric => fabric.counters())
    }

    /// Packets whose head has left the source queue and whose tail has not arrived.
    pub fn in_flight(&self) -> u64 {
        each!(&self.0, fabric => fabric.in_flight())
    }

    /// What became of all packets since cycle 0.
    pub fn totals(&self) -> Totals {
        each!(&self.0, fabric => fabric.totals())
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn sources_are_dry(&self) -> bool {
        each!(&self.0, fabric => fabric.sources_are_dry())
    }

    /// Packets that the sources made before cycle `end` and that have not come to the head of their queue.
    pub fn backlog(&self, end: u64, made: impl FnMut(u32, Generated)) {
        each!(&self.0, fabric => fabric.backlog(end, made));
    }

    /// Re-derives the books between two cycles: credits of every channel, packets in every queue and on every link.
    pub fn audit(&self) -> Result<(), AuditError> {
        each!(&self.0, fabric => fabric.audit())
    }

    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    pub fn deadlock(&self) -> Option<Deadlock> {
        each!(&self.0, fabric => fabric.deadlock())
    }

    /// Whether nothing in the network can ever happen again although packets are in it: no flit moves, no credit is on its
    /// way, no output is ready.
    pub fn is_still(&self) -> bool {
        each!(&self.0, fabric => fabric.is_still())
    }

    /// Calls `each` with every queue that a packet is in which has come to the front of its source queue, or is on the way to.
    /// Cost: proportional to the buffers of the network.
    pub fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        each!(&self.0, fabric => fabric.census(each))
    }

    /// Calls `each` with every head that stands behind no other packet: see [`Network::fronts`](crate::Network::fronts).
    pub fn fronts(&self, scratch: &mut Scratch, each: impl FnMut(Front)) {
        each!(&self.0, fabric => fabric.fronts(scratch, each))
    }

    /// The packet with a number that [`CutThrough::fronts`] told.
    pub fn name_of(&self, id: u32) -> Name {
        each!(&self.0, fabric => fabric.name(id))
    }

    /// Calls `each` with all heads in buffers of links that wait, if only for their turn.
    pub fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        each!(&self.0, fabric => fabric.waiting(each))
    }
}

impl<'a, M: Mechanisms> Partition for CutThrough<'a, M>
where
    CutThrough<'a, M>: Send,
{
    type Mail = Mail;

    fn lookahead(&self) -> u64 {
        each!(&self.0, fabric => fabric.lookahead())
    }

    fn begin<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step(Half::Edge, probe));
    }

    fn end<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step(Half::Rest, probe));
    }

    fn outbox(&mut self, part: usize) -> &mut Vec<Mail> {
        each!(&mut self.0, fabric => fabric.share.outbox(part))
    }

    fn receive(&mut self, mail: &[Mail]) {
        each!(&mut self.0, fabric => fabric.receive(mail));
    }

    fn pack(&self, to: &mut Writer) {
        each!(&self.0, fabric => fabric.save(to));
    }

    fn unpack(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        // Its books balance only together with those of the others.
        each!(&mut self.0, fabric => fabric.restore(from))
    }

    fn join(&mut self, parts: &mut dyn Iterator<Item = &Self>) {
        match &mut self.0 {
            Shaped::Small(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Small))),
            Shaped::Deep(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Deep))),
            Shaped::Medium(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Medium))),
            Shaped::Wide(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Wide))),
        }
    }
}

/// A mask of the lowest `n` bits.
pub(crate) fn ones_below(n: usize) -> u64 {
    if n == 64 { u64::MAX } else { (1 << n) - 1 }
}
