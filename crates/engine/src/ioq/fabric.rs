//! The state of a network, and the cycle.

use super::admit::Admittance;
use super::generate::Sources;
use super::layout::{Layout, longest_route, words};
use super::notices::Notices;
use super::parked::Parked;
use super::pool::Pool;
use super::queues::Queue;
use super::ring::Ring;
use super::sides::{Ingress, Out, Queues, Switch, part};
use super::{MAX_PORTS, Mechanisms, Parts, Router};
use crate::contract::admission::Gauges;
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::queueing::{Discipline, Queueing};
use crate::cut_through::{Counters, ones_below};
use crate::occupancy::Occupancy;
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::Grid;
use tailback_traffic::Traffic;

/// A head that reaches an ingress side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrival {
    pub side: u32,
    pub packet: u32,
}

/// A control packet that counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    /// The link it came by if it is a notice, else the out side that gets credits.
    pub at: u32,
    /// The counter that gets them.
    pub counter: u32,
    /// Credits; 0 where it is a notice.
    pub credits: u32,
}

/// A packet that is through the crossbar.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crossed {
    /// The ingress side.
    pub side: u32,
    /// The counter of credits of its place there.
    pub counter: u32,
    /// The egress port.
    pub port: u8,
}

/// A queue of an ingress side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ripe {
    pub side: u32,
    pub queue: u32,
}

/// What is known to happen.
pub(super) struct Events {
    pub control: Wheel<Control>,
    pub arrivals: Wheel<Arrival>,
    /// Packets of which the tail reaches a node.
    pub deliveries: Wheel<u32>,
    /// Packets that are through the crossbar.
    pub crossed: Wheel<Crossed>,
    /// Links that fall idle.
    pub sent: Ring,
    /// Queues whose first packet may ask from then on.
    pub ripe: Wheel<Ripe>,
    /// Nodes whose adapter may take the next packet.
    pub taken: Wheel<u32>,
}

/// Memory is reserved for so many packets; beyond, it grows with what is in the network.
const RESERVED: usize = 1 << 20;

/// A network of input-output-queued switches. PERF: `SHARED`, whether the queues of a side share its memory, is known where
/// this is compiled: then sets of queues are words, and there is one counter of credits a side.
pub(super) struct Fabric<'a, M: Mechanisms, const SHARED: bool> {
    pub grid: &'a Grid,
    pub traffic: &'a Traffic,
    pub parts: Parts<M>,
    pub config: Router,
    pub layout: Layout,
    pub cycle: u64,

    pub pool: Pool,
    pub events: Events,
    pub notices: Notices,
    /// Links that send nothing.
    pub idle: BitSet,
    /// Links that send a packet.
    pub sending: BitSet,

    pub ingress: Vec<Ingress>,
    pub in_queues: Vec<Queues<M>>,
    /// By `side * in_stride + queue`.
    pub in_lists: Vec<Queue>,
    pub in_stride: usize,
    /// Queues whose first packet may ask and that are not parked, by where it goes: words of a set from
    /// `(side * ports + port) * in_words` on.
    pub asks: Vec<u64>,
    pub in_words: usize,
    /// Counters that are owed credits, and those to which they are due: words from `side * counter_words` on.
    pub owing: Vec<u64>,
    pub due: Vec<u64>,
    pub counter_words: usize,

    pub outs: Vec<Out>,
    pub out_queues: Vec<Queues<M>>,
    /// By `out * out_stride + queue`.
    pub out_lists: Vec<Queue>,
    pub out_stride: usize,
    /// Queues with packets that are not parked: words from `out * out_words` on.
    pub filled: Vec<u64>,
    pub out_words: usize,

    pub switches: Vec<Switch>,
    /// Switches in which something may be granted.
    pub look: BitSet,

    /// Where memory is parted: queues of ingress sides that wait for room in a queue of an egress side, queues of out sides
    /// that wait for a credit of a counter, and admittance queues that wait for room in a queue of their adapter.
    pub room: Parked,
    pub credit: Parked,
    pub adapter: Parked,

    pub sources: Sources,
    pub admittance: Admittance,
    pub occupancy: Option<Occupancy>,
    pub counters: Counters,
}

impl<'a, M: Mechanisms, const SHARED: bool> Fabric<'a, M, SHARED> {
    pub fn new(grid: &'a Grid, traffic: &'a Traffic, config: Router, parts: Parts<M>, needs_occupancy: bool) -> Self {
        let (layout, discipline) = (Layout::new(grid, &config), &parts.discipline);
        assert_eq!(discipline.shares_memory(), SHARED, "the network is made for its discipline");
        let in_queues: Vec<_> = (0..layout.sides).map(|side| discipline.queues(layout.ingress(side))).collect();
        let out_queues: Vec<_> = (0..layout.outs).map(|out| discipline.queues(layout.out(out))).collect();
        let most = |queues: &[Queues<M>]| queues.iter().map(Queueing::count).max().unwrap_or(1);
        let (in_stride, out_stride) = (most(&in_queues), most(&out_queues));
        let counter_stride = if SHARED { 1 } else { in_stride };
        // The counters of a side are kept with its queues.
        let out_stride = out_stride.max(counter_stride);
        let (in_words, out_words, counter_words) = (words(in_stride), words(out_stride), words(counter_stride));
        let (sides, outs, switches) = (layout.sides, layout.outs, grid.routers());
        let mut idle = BitSet::new(outs);
        (0..outs).for_each(|out| idle.insert(out));
        let free = Switch {
            idle_inputs: ones_below(layout.ports),
            idle_outputs: ones_below(layout.ports),
            wanted: [0; 2],
            pointer: 0,
            askers: [[0; 2]; MAX_PORTS],
        };
        let ingress = in_queues.iter().enumerate().map(|(side, queues)| {
            let part = part(config.ingress_packets, queues.count(), SHARED);
            Ingress::new(queues, (&layout, grid, side), part, config.credit_batch_packets)
        });
        let ingress: Vec<Ingress> = ingress.collect();
        let of_out = |(out, queues): (usize, &Queues<M>)| {
            Out::new(queues, (&layout, grid, out), part(config.egress_packets, queues.count(), SHARED))
        };
        let out_states: Vec<Out> = out_queues.iter().enumerate().map(of_out).collect();
        assert!(!SHARED || in_words.max(out_words) == 1, "disciplines share memory among at most 64 queues");
        let parked = |things, places| if SHARED { Parked::new(0, 0) } else { Parked::new(things, places) };
        let mut fabric = Fabric {
            cycle: 0,
            pool: Pool::new(packets(&layout, &config), longest_route(grid), layout.ports),
            events: Events::new(&layout),
            notices: Notices::new(&layout),
            idle,
            sending: BitSet::new(outs),
            in_lists: vec![Queue::EMPTY; sides * in_stride],
            in_stride,
            asks: vec![0; sides * layout.ports * in_words],
            in_words,
            owing: vec![0; sides * counter_words],
            due: vec![0; sides * counter_words],
            counter_words,
            out_lists: vec![Queue::EMPTY; outs * out_stride],
            out_stride,
            filled: vec![0; outs * out_words],
            out_words,
            switches: vec![free; switches],
            look: BitSet::new(switches),
            room: parked(sides * in_stride, sides * out_stride),
            credit: parked(outs * out_stride, outs * out_stride),
            adapter: parked(grid.nodes() * grid.nodes(), grid.nodes() * out_stride),
            sources: Sources::new(grid, traffic, &config),
            admittance: Admittance::new(grid, &config),
            occupancy: needs_occupancy.then(|| Occupancy::by_flits(switches, layout.network, 1)),
            counters: Counters::default(),
            outs: out_states,
            ingress,
            in_queues,
            out_queues,
            grid,
            traffic,
            parts,
            config,
            layout,
        };
        fabric.give_credits();
        fabric
    }

    /// All memories are empty.
    fn give_credits(&mut self) {
        for (out, state) in self.outs.iter().enumerate() {
            if let Some(behind) = self.ingress.get(state.to as usize) {
                let counters = if SHARED { 1 } else { behind.count as usize };
                let lists = &mut self.out_lists[out * self.out_stride..][..counters];
                lists.iter_mut().for_each(|list| list.credits = behind.part);
            }
        }
    }

    /// The block diagram of a cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        let now = self.cycle;
        self.deliver(now, probe);
        self.generate(now, probe);
        self.send(now, probe);
        self.cross(now, probe);
        self.admit(now, probe);
        self.observe(now, probe);
        self.cycle = now + 1;
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let (in_flight, occupancy) = (self.in_flight(), self.occupancy.as_ref());
        let (gauges, injection) = (Gauges::default(), self.admittance.counts());
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection });
    }

    /// Whether nothing in the network can ever happen again although packets are in it.
    pub fn is_still(&self) -> bool {
        self.in_flight() > 0
            && self.events.pending() == 0
            && self.notices.is_empty()
            && self.notices.work.is_done()
            && self.look.is_empty()
            && self.admittance.look.is_empty()
    }

    #[inline]
    pub fn in_flight(&self) -> u64 {
        self.counters.entered - self.counters.delivered
    }

    /// Books how full the memory of a network port is.
    #[inline]
    pub fn observe_ingress(&mut self, side: usize) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let state = &self.ingress[side];
        let port = usize::from(state.port);
        if port < self.layout.network {
            // Buffers are named by the port that feeds them, at the other end of the link.
            let buffer = occupancy.index(state.switch, port ^ 1, 0);
            let flits = (state.used * self.config.packet_flits).min(u32::from(u16::MAX)) as u16;
            occupancy.set(buffer, flits);
        }
    }
}

impl Ingress {
    fn new(queues: &impl Queueing, (layout, grid, side): (&Layout, &Grid, usize), part: u32, batch: u32) -> Self {
        assert!(part > 0, "the spec was checked for queues that hold a packet");
        Ingress {
            held: queues.held(),
            deferred: queues.deferred(),
            upstream: layout.upstream(grid, side),
            used: 0,
            turn: 0,
            credit_turn: 0,
            count: queues.count() as u32,
            part,
            batch: batch.min(part / 4).max(1),
            set_aside: queues.set_aside(),
            switch: (side / layout.ports) as u32,
            port: (side % layout.ports) as u8,
        }
    }
}

impl Out {
    fn new(queues: &impl Queueing, (layout, grid, out): (&Layout, &Grid, usize), part: u32) -> Self {
        assert!(part > 0, "the spec was checked for queues that hold a packet");
        Out {
            held: queues.held(),
            to: layout.behind(grid, out),
            used: 0,
            turn: 0,
            count: queues.count() as u32,
            part,
            granted: 0,
            sends: 0,
            packet: 0,
            wanted: 0,
            unpaid: 0,
            set_aside: queues.set_aside(),
            place: out.checked_sub(layout.sides).unwrap_or(out / layout.ports) as u32,
            port: layout.out(out).port,
        }
    }
}

impl Events {
    fn new(layout: &Layout) -> Self {
        let &Layout { link, transfer, flits, control, delay, sides, outs, all_nodes, .. } = layout;
        let on_links = |time: u64, each: u64| outs * (2 + (time / each) as usize);
        Events {
            control: Wheel::new(link + control, on_links(link + control, control)),
            arrivals: Wheel::new(link, on_links(link, flits)),
            deliveries: Wheel::new(link + flits, on_links(link + flits, flits)),
            crossed: Wheel::new(transfer, sides),
            sent: Ring::new(flits.max(control), outs),
            ripe: Wheel::new(delay, sides * (2 + (delay / flits) as usize)),
            taken: Wheel::new(transfer, all_nodes),
        }
    }

    /// Events outstanding.
    pub fn pending(&self) -> usize {
        self.control.pending()
            + self.arrivals.pending()
            + self.deliveries.pending()
            + self.crossed.pending()
            + self.sent.count()
            + self.ripe.pending()
            + self.taken.pending()
    }
}

/// Packets for which memory is reserved.
fn packets(layout: &Layout, config: &Router) -> usize {
    let places = layout.sides * config.ingress_packets as usize + layout.outs * config.egress_packets as usize;
    let fronts = layout.all_nodes * layout.all_nodes;
    (places + fronts + layout.outs * (2 + (layout.link / layout.flits) as usize)).min(RESERVED)
}
