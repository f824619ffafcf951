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
            Shaped::Broad($fabric) => $body,
            Shaped::Wide($fabric) => $body,
            Shaped::Crowd($fabric) => $body,
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
mod crowd;
mod deadlock;
mod deliver;
mod events;
mod fabric;
mod fronts;
mod hosted;
mod hot;
mod join;
mod kept;
mod mechanisms;
mod peers;
mod post;
mod returns;
mod router;
mod share;
mod sight;
mod source;
mod state;
mod tables;

use crate::contract::partition::Partition;
use crate::contract::probe::Probe;
use crate::contract::sources::Sources;
use crate::data_paths::data_path;
use crate::occupancy::Buffers;
use crate::outcome::{Deadlock, Standing};
use crate::packet::Slot;
use crate::partition::cut::Cut;
use compact::{Inputs, Level};
use crowd::Crowd;
use fabric::Fabric;
use hot::{Hot, Size};
use share::{Half, Mail, Share};
use state::RouterState;
use tables::rings;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_network::Network;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{Links, MAX_INPUTS, MAX_LINKS, MAX_NODES, MAX_OUTPUTS, MAX_PORTS, Router, port_counts};

/// A network of cut-through routers in the middle of a run.
pub struct CutThrough<'a, M: Mechanisms>(Shaped<'a, M>);

/// A network in the smallest shape that its routers fit.
enum Shaped<'a, M: Mechanisms> {
    /// Up to 16 inputs, 8 outputs, 4 network ports and 4 virtual channels of at most 191 flits, and packets of at most 64: two
    /// dimensions with three channels.
    Small(Fabric<'a, M, Small>),
    /// Up to 32 inputs, 16 outputs, 8 network ports and 2 virtual channels: four dimensions of very many routers.
    Deep(Fabric<'a, M, Deep>),
    /// Up to 32 inputs, 16 outputs, 8 network ports and 8 virtual channels.
    Medium(Fabric<'a, M, Medium>),
    /// Networks without a grid: up to 64 inputs, 32 outputs, 16 network ports and 4 virtual channels.
    Broad(Fabric<'a, M, Broad>),
    /// Up to 64 inputs, 64 outputs, 16 network ports and 16 virtual channels.
    Wide(Fabric<'a, M, Wide>),
    /// Up to 2,048 inputs, 32,768 outputs, 64 network ports and 16 virtual channels.
    Crowd(Fabric<'a, M, Crowd>),
}

type Small = RouterState<u16, 16, 8, 4, 4>;
type Deep = RouterState<u32, 32, 16, 8, 2>;
type Medium = RouterState<u32, 32, 16, 8, 8>;
type Broad = RouterState<u64, 64, 32, 16, 4>;
type Wide = RouterState<u64, 64, 64, 16, 16>;

/// The fabric of a network that is known to have a shape.
macro_rules! shape_of {
    ($network:expr, $shape:ident) => {
        match &$network.0 {
            Shaped::$shape(fabric) => Some(fabric),
            _ => None,
        }
    };
}

/// Runs an expression on the fabrics of all parts of a network, which have one shape.
macro_rules! all {
    ($parts:expr, $fabrics:ident => $body:expr) => {
        match &$parts[0].0 {
            Shaped::Small(_) => all!($parts, Small, $fabrics => $body),
            Shaped::Deep(_) => all!($parts, Deep, $fabrics => $body),
            Shaped::Medium(_) => all!($parts, Medium, $fabrics => $body),
            Shaped::Broad(_) => all!($parts, Broad, $fabrics => $body),
            Shaped::Wide(_) => all!($parts, Wide, $fabrics => $body),
            Shaped::Crowd(_) => all!($parts, Crowd, $fabrics => $body),
        }
    };
    ($parts:expr, $shape:ident, $fabrics:ident => $body:expr) => {{
        let $fabrics = &$parts.iter().filter_map(|part| shape_of!(part, $shape)).collect::<Vec<_>>();
        $body
    }};
}

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Small,
    Deep,
    Medium,
    Broad,
    Wide,
    Crowd,
}

/// The smallest for packets of up to `longest` flits, or that of networks without a grid, whose plain cycle looks links up.
///
/// PERF: `tailback bench dragonfly-1056`.
fn shape(inputs: usize, outputs: usize, ports: usize, config: &Router, longest: u32, links: Links) -> Shape {
    type Short = <u16 as Inputs>::Level;
    let small_buffers = config.buffer_flits <= Short::MOST && longest <= Short::LONGEST;
    match (inputs, outputs, ports, config.channels) {
        (0..=64, 0..=32, 0..=16, 0..=4) if links == Links::Listed => Shape::Broad,
        (0..=16, 0..=8, 0..=4, 0..=4) if small_buffers => Shape::Small,
        (0..=32, 0..=16, 0..=8, 0..=2) => Shape::Deep,
        (0..=32, 0..=16, 0..=8, 0..=8) => Shape::Medium,
        (0..=64, 0..=64, 0..=16, _) => Shape::Wide,
        _ => Shape::Crowd,
    }
}

/// Bytes of hot state and packet queues of a router with so many inputs, outputs and network ports, for estimates.
pub fn router_bytes(
    (inputs, outputs, ports): (usize, usize, usize),
    links: Links,
    config: &Router,
    shortest: u32,
) -> usize {
    let network_inputs = ports * config.channels as usize;
    let buffer_flits = config.buffer_flits as i16;
    let size = Size { network_inputs, inputs, ports, outputs, channels: config.channels as usize, buffer_flits };
    let depth = fabric::queue_depth(config.buffer_flits, shortest, 1);
    // Whatever packets fit a buffer.
    match shape(inputs, outputs, ports, config, config.buffer_flits, links) {
        Shape::Small => bytes::<Small>(&size, depth),
        Shape::Deep => bytes::<Deep>(&size, depth),
        Shape::Medium => bytes::<Medium>(&size, depth),
        Shape::Broad => bytes::<Broad>(&size, depth),
        Shape::Wide => bytes::<Wide>(&size, depth),
        Shape::Crowd => bytes::<Crowd>(&size, depth),
    }
}

fn bytes<R: Hot>(size: &Size, depth: usize) -> usize {
    R::bytes(size) + rings::<R>(size.network_inputs) * depth * size_of::<Slot>()
}

impl<'a, M: Mechanisms> CutThrough<'a, M> {
    /// Builds the state of an empty network in cycle 0.
    ///
    /// The numbers have been checked: every packet fits a buffer, and a router has at most [`MAX_LINKS`] network ports, [`MAX_INPUTS`]
    /// inputs and [`MAX_OUTPUTS`] outputs.
    pub fn new(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let network = network.into();
        let share = Share::whole(&network);
        CutThrough::of_share(network, sources.into(), config, parts, buffers, share)
    }

    /// Part number `part` of the same network, which `cut` divides; nobody reads its buffer levels. It is to be told, after at most
    /// [`Partition::lookahead`] cycles, what the others have posted.
    pub fn part(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        cut: &Cut,
        part: usize,
    ) -> Self {
        CutThrough::of_share(
            network.into(),
            sources.into(),
            config,
            parts,
            Buffers::Unwatched,
            Share::new(cut.clone(), part),
        )
    }

    fn of_share(
        network: Network,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
        share: Share,
    ) -> Self {
        let (inputs, outputs) = port_counts(network.most_ports(), network.most_nodes(), &config);
        let fits = network.most_ports() <= MAX_LINKS && inputs <= MAX_INPUTS && outputs <= MAX_OUTPUTS;
        assert!(fits, "the spec was checked for routers that are not too wide");
        assert!(sources.max_flits() <= config.buffer_flits, "the spec was checked for packets that fit a buffer");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        let links = if network.has_computed_links() { Links::OfGrid } else { Links::Listed };
        CutThrough(match shape(inputs, outputs, network.most_ports(), &config, sources.max_flits(), links) {
            Shape::Small => Shaped::Small(Fabric::new(network, sources, config, parts, buffers, share)),
            Shape::Deep => Shaped::Deep(Fabric::new(network, sources, config, parts, buffers, share)),
            Shape::Medium => Shaped::Medium(Fabric::new(network, sources, config, parts, buffers, share)),
            Shape::Broad => Shaped::Broad(Fabric::new(network, sources, config, parts, buffers, share)),
            Shape::Wide => Shaped::Wide(Fabric::new(network, sources, config, parts, buffers, share)),
            Shape::Crowd => Shaped::Crowd(Fabric::new(network, sources, config, parts, buffers, share)),
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        each!(&mut self.0, fabric => fabric.bit_instructions = false);
        self
    }
}

data_path!(CutThrough, each);

impl<'a, M: Mechanisms> Partition for CutThrough<'a, M>
where
    CutThrough<'a, M>: Send,
{
    type Mail = Mail;

    fn lookahead(&self) -> u64 {
        each!(&self.0, fabric => fabric.lookahead())
    }

    fn begin<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step_half(Half::Edge, probe));
    }

    fn end<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step_half(Half::Rest, probe));
    }

    fn outbox(&mut self, part: usize) -> &mut Vec<Mail> {
        each!(&mut self.0, fabric => fabric.share.outbox(part))
    }

    fn receive(&mut self, mail: &[Mail]) {
        each!(&mut self.0, fabric => fabric.receive(mail));
    }

    fn moves(&self) -> bool {
        each!(&self.0, fabric => fabric.moves())
    }

    fn waits_for_places(&self) -> bool {
        each!(&self.0, fabric => fabric.waits_for_places())
    }

    fn deadlock_of(parts: &[&Self]) -> Option<Deadlock> {
        all!(parts, fabrics => Fabric::snapshot_of(fabrics)).deadlock()
    }

    fn has_program(&self) -> bool {
        each!(&self.0, fabric => fabric.sources().has_program())
    }

    fn standing_of(parts: &[&Self], owners: &[u16], most: usize) -> Option<Standing> {
        let sources: Vec<_> = parts.iter().map(|part| part.sources()).collect();
        M::Sources::standing_of(&sources, owners, most)
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
            Shaped::Broad(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Broad))),
            Shaped::Wide(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Wide))),
            Shaped::Crowd(whole) => whole.join(parts.filter_map(|part| shape_of!(part, Crowd))),
        }
    }
}
