//! The traffic of a point: what every node sends, packet by packet, when asked.

use crate::cutting::Cutting;
use crate::exchange::{Exchange, Type};
use crate::hosted::Hosted;
use crate::pattern::{Pattern, Table};
use crate::placed::{Classes, Placed};
use crate::process::Process;
use crate::shared::Shared;
use crate::size::Sizes;
use crate::source::{Generated, NEVER, Source, Stream};
use crate::workload::timeline::Timeline;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_base::rng::{self, Purpose};

/// What all nodes send. Immutable: where a node has got to is in its [`Source`].
pub struct Traffic {
    seed: u64,
    patterns: Vec<Box<dyn Pattern>>,
    plan: Plan,
    sizes: Sizes,
    /// What receivers answer, where they do.
    exchange: Option<Exchange>,
    /// Length of the packets that messages are cut into; 0: a message is a packet.
    packet_flits: u32,
    nodes: u32,
    /// Share of the nodes that send, by pattern.
    active_shares: Vec<f64>,
    active_nodes: u32,
    /// Cycles from one time at which what nodes send may change to the next; 0: it is known for all time.
    pace: u64,
    /// By node: the flits of its packets, once they have been counted. Empty where no count is needed, or where there is no end.
    counted: Box<[OnceLock<Counted>]>,
}

/// The flits of all packets of a node.
struct Counted {
    /// Those before every multiple of `stride` packets.
    before: Vec<u64>,
    stride: u64,
    all: u64,
}

/// Sums that are kept of all nodes together.
const SUMS: u64 = 1 << 21;

/// Packets of all nodes that are counted at most: some ten seconds before a run of many minutes.
const MOST_COUNTED: u64 = 1 << 30;

/// When nodes send.
pub(crate) enum Plan {
    /// At a load that depends on the time.
    Load {
        /// The load over time.
        timeline: Timeline,
        /// The process that follows it.
        process: Box<dyn Process>,
    },
    /// Each node makes this number of packets, all at cycle 0.
    Packets(u64),
    /// Nodes execute a program. The engine asks it, and not the traffic, what they send.
    Program(Box<Placed>),
    /// A host says what nodes send. The engine asks nobody else.
    Host(Hosted),
    /// Nodes send in several classes, each of which has its traffic. A class is a port, and counts as a node.
    Shared(Shared),
}

impl Traffic {
    /// Makes the traffic from its parts, for a network of `nodes` nodes.
    pub(crate) fn new(
        seed: u64,
        nodes: u32,
        patterns: Vec<Box<dyn Pattern>>,
        plan: Plan,
        sizes: Sizes,
        packet_flits: u32,
    ) -> Self {
        let (active_shares, active_nodes) = Default::default();
        let (pace, exchange, none) = (0, None, Vec::new());
        let counts = matches!(plan, Plan::Packets(_)) && !sizes.is_fixed();
        let counted = (0..if counts { nodes } else { 0 }).map(|_| OnceLock::new()).collect();
        let traffic = Traffic {
            seed,
            patterns: none,
            plan,
            sizes,
            exchange,
            packet_flits,
            nodes,
            active_shares,
            active_nodes,
            pace,
            counted,
        };
        traffic.sent_by(patterns)
    }

    /// The traffic of several classes that share the wires of nodes.
    pub(crate) fn of_classes(seed: u64, shared: Shared) -> Self {
        let (nodes, active) = (shared.sum(Traffic::nodes), shared.sum(Traffic::active_nodes));
        let packet_flits = shared.classes()[0].packet_flits;
        let none = Sizes::new(&[(1, 1.0)]);
        let traffic = Traffic::new(seed, 0, Vec::new(), Plan::Shared(shared), none, packet_flits);
        Traffic { nodes, active_nodes: active, ..traffic }
    }

    /// The classes that share the wires of nodes, where there are several.
    pub fn shared(&self) -> Option<&Shared> {
        match &self.plan {
            Plan::Shared(shared) => Some(shared),
            _ => None,
        }
    }

    /// The same traffic, whose packets are requests.
    pub(crate) fn answered(mut self, exchange: Option<Exchange>) -> Self {
        self.exchange = exchange;
        self
    }

    /// What receivers answer, where the packets of `node` are requests.
    pub fn exchange(&self, node: u32) -> Option<&Exchange> {
        match &self.plan {
            Plan::Shared(shared) => shared.of(node).0.exchange.as_ref(),
            _ => self.exchange.as_ref(),
        }
    }

    /// Whether receivers answer, those of some class at least.
    pub fn has_answers(&self) -> bool {
        self.exchanges().next().is_some()
    }

    /// What receivers answer, in each class in which they do.
    fn exchanges(&self) -> impl Iterator<Item = &Exchange> + Clone {
        self.each_class().iter().filter_map(|class| class.exchange.as_ref())
    }

    /// The classes that share the wires of nodes; without these all traffic is one.
    fn each_class(&self) -> &[Traffic] {
        self.shared().map_or(std::slice::from_ref(self), Shared::classes)
    }

    /// What request number `number` of `node` is, where receivers answer.
    pub fn request_type(&self, node: u32, number: u64) -> Option<Type> {
        if let Plan::Shared(shared) = &self.plan {
            let (traffic, node) = shared.of(node);
            return traffic.request_type(node, number);
        }
        let exchange = self.exchange.as_ref()?;
        Some(exchange.request(rng::draw_u64(self.seed, Purpose::Size, node, number)))
    }

    /// The same traffic to other destinations: `table` takes the place of every pattern.
    ///
    /// # Errors
    /// Where it is of another number of nodes, in words.
    pub fn with_table(self, table: &Table) -> Result<Traffic, String> {
        if self.program().is_some() {
            return Err("a program says by itself who sends to whom, so no pattern takes its place".to_owned());
        }
        if self.shared().is_some() {
            return Err("each class has a pattern of its own, and no single pattern takes their place".to_owned());
        }
        if table.nodes() != self.nodes as usize {
            return Err(format!("the pattern is of {} nodes, and the network has {}", table.nodes(), self.nodes));
        }
        let patterns = self.patterns.iter().map(|_| Box::new(table.clone()) as Box<dyn Pattern>).collect();
        Ok(self.sent_by(patterns))
    }

    fn sent_by(mut self, patterns: Vec<Box<dyn Pattern>>) -> Self {
        let share = |pattern: &dyn Pattern| {
            let active = (0..self.nodes).filter(|&node| pattern.destination(node, 0).is_some()).count();
            active as f64 / f64::from(self.nodes)
        };
        self.active_shares = patterns.iter().map(|pattern| share(pattern.as_ref())).collect();
        self.patterns = patterns;
        self.active_nodes = (0..self.nodes).filter(|&node| self.sends(node)).count() as u32;
        self
    }

    /// The same traffic, of which nobody knows yet what it will be in multiples of `pace` cycles from now on: sources give no packet
    /// beyond the next one. It sends what it would send otherwise, and whoever goes on from a checkpoint of such a cycle may go on with
    /// other traffic, which differs from that cycle on alone.
    #[must_use]
    pub fn paced(mut self, pace: u64) -> Traffic {
        self.pace = pace;
        if let Plan::Shared(shared) = &mut self.plan {
            shared.classes_mut().iter_mut().for_each(|class| class.pace = pace);
        }
        self
    }

    /// Cycles from one time at which what nodes send may change to the next; 0: it is known for all time.
    pub fn pace(&self) -> u64 {
        self.pace
    }

    /// The cursor of `node` before its first packet.
    pub fn source(&self, node: u32) -> Source {
        let mut source = Source { index: 0, clock: NEVER, draws: 0, state: 0 };
        match &self.plan {
            Plan::Shared(shared) => {
                let (traffic, node) = shared.of(node);
                return traffic.source(node);
            }
            _ if !self.sends(node) && self.pace == 0 => {}
            Plan::Load { process, .. } => process.start(self.stream(node), &mut source, 0),
            Plan::Packets(_) => source.clock = 0,
            Plan::Program(_) | Plan::Host(_) => {}
        }
        source
    }

    /// The next packet of `node`, in the order of their cycles; `None` when it never sends again. It may be asked for
    /// long before its cycle or long after.
    pub fn next(&self, node: u32, source: &mut Source) -> Option<Generated> {
        if source.clock == NEVER {
            return None;
        }
        if let Plan::Shared(shared) = &self.plan {
            return shared.next(node, source);
        }
        let found = self.next_flow(node, source);
        let Some((cycle, destination)) = found else {
            source.clock = NEVER;
            return None;
        };
        let index = source.index;
        source.index += 1;
        Some(Generated { cycle, destination, flits: self.flits(node, index), index })
    }

    /// Flits of packet number `index` of `node`.
    fn flits(&self, node: u32, index: u64) -> u32 {
        match self.sizes.is_fixed() {
            true => self.sizes.max(),
            false => self.sizes.flits(rng::draw_u64(self.seed, Purpose::Size, node, index)),
        }
    }

    /// Takes all packets that `node` has left, if it made all of them in one cycle: that cycle, and how many they are. `None` where it has
    /// none left, too.
    pub fn rest(&self, node: u32, source: &mut Source) -> Option<(u64, u64)> {
        if let Plan::Shared(shared) = &self.plan {
            let (traffic, node) = shared.of(node);
            return traffic.rest(node, source);
        }
        let Plan::Packets(packets) = self.plan else { return None };
        let left = packets.checked_sub(source.index).filter(|&left| left > 0)?;
        if source.clock == NEVER || !self.sends(node) {
            return None;
        }
        source.index = packets;
        Some((source.clock, left))
    }

    /// Flits of the packets of `node` that have these numbers. Cost: a draw for each of them, where lengths differ and have not been
    /// counted.
    pub fn flits_of(&self, node: u32, numbers: Range<u64>) -> u64 {
        if let Plan::Shared(shared) = &self.plan {
            let (traffic, node) = shared.of(node);
            return traffic.flits_of(node, numbers);
        }
        if self.sizes.is_fixed() {
            return (numbers.end - numbers.start).saturating_mul(u64::from(self.sizes.max()));
        }
        let counted = self.counted.get(node as usize).and_then(OnceLock::get);
        match (&self.plan, counted) {
            (Plan::Packets(all), Some(counted)) if numbers.end <= *all => {
                let before =
                    |number: u64| if number == *all { counted.all } else { self.before(node, counted, number) };
                before(numbers.end) - before(numbers.start)
            }
            _ => self.drawn(node, numbers),
        }
    }

    /// Flits of the packets before number `number`.
    fn before(&self, node: u32, counted: &Counted, number: u64) -> u64 {
        let sum = number / counted.stride;
        counted.before[sum as usize] + self.drawn(node, sum * counted.stride..number)
    }

    /// Flits of packets, by drawing each length.
    fn drawn(&self, node: u32, numbers: Range<u64>) -> u64 {
        numbers.map(|index| u64::from(self.flits(node, index))).sum()
    }

    /// Draws the lengths of all packets of a collective once, where they differ, until `cancel` is set. The end of a run asks for the flits
    /// of all packets, those included that are still to be sent: whoever stops a run does not wait for that many draws. Of more than
    /// [`MOST_COUNTED`] packets nothing is counted, as nobody waits for the end of such a run, and all would wait for its beginning.
    pub fn count(&self, cancel: &AtomicBool) {
        if let Plan::Shared(shared) = &self.plan {
            return shared.classes().iter().for_each(|class| class.count(cancel));
        }
        let Plan::Packets(all) = self.plan else { return };
        let packets = all.saturating_mul(self.active_nodes.into());
        if packets > MOST_COUNTED {
            return;
        }
        let stride = (packets / SUMS).max(1 << 10);
        for (node, counted) in (0..).zip(&self.counted).filter(|&(node, _)| self.sends(node)) {
            let (mut before, mut flits) = (Vec::new(), 0);
            for first in (0..=all).step_by(stride as usize) {
                if cancel.load(Ordering::Relaxed) || counted.get().is_some() {
                    break;
                }
                before.push(flits);
                flits += self.drawn(node, first..all.min(first + stride));
            }
            if before.len() as u64 == all / stride + 1 {
                _ = counted.set(Counted { before, stride, all: flits });
            }
        }
    }

    /// The most packets that can be taken from a source up to cycle `now`: a node makes at most one a cycle, and the next one is known
    /// before its time; or all that it has.
    pub fn most_taken(&self, now: u64) -> u64 {
        match &self.plan {
            Plan::Load { .. } => now.saturating_add(1),
            Plan::Packets(packets) => *packets,
            Plan::Program(_) | Plan::Host(_) => 0,
            Plan::Shared(shared) => shared.classes().iter().map(|class| class.most_taken(now)).max().unwrap_or(0),
        }
    }

    /// Whether packet number `packet.index` of `node` goes to such a destination and has such a length, whenever it is made: for what
    /// comes from a checkpoint.
    pub fn makes(&self, node: u32, packet: &Generated) -> bool {
        if let Plan::Shared(shared) = &self.plan {
            return shared.makes(node, packet);
        }
        let draw = rng::draw_u64(self.seed, Purpose::Destination, node, packet.index);
        let leads = |pattern: &dyn Pattern| pattern.destination(node, draw) == Some(packet.destination);
        let there = match &self.plan {
            Plan::Load { .. } => true,
            Plan::Packets(packets) => packet.index < *packets,
            Plan::Program(_) | Plan::Host(_) | Plan::Shared(_) => false,
        };
        there && packet.flits == self.flits(node, packet.index) && self.patterns.iter().any(|p| leads(p.as_ref()))
    }

    /// Whether a source may stand behind `packet`, the last one that was taken from it, when it was stalled until cycle `latest` at
    /// most: for what comes from a checkpoint.
    pub fn stands_behind(&self, source: &Source, packet: &Generated, latest: u64) -> bool {
        let load = |traffic: &Traffic| matches!(traffic.plan, Plan::Load { .. });
        let first = packet.cycle + u64::from(load(self.shared().map_or(self, |shared| &shared.classes()[0])));
        source.index == packet.index + 1 && (first..=latest.max(packet.cycle + 1)).contains(&source.clock)
    }

    /// Tells the source of `node` that generation was suspended, its queue being full: there is no packet before `until`, and the
    /// gap to the next one begins there, as if the packet before had been made in the cycle before `until`. A source
    /// that stands behind `until` already is left as it is.
    pub fn stall(&self, node: u32, source: &mut Source, until: u64) {
        if let Plan::Shared(shared) = &self.plan {
            let (traffic, node) = shared.of(node);
            return traffic.stall(node, source, until);
        }
        if until <= source.clock {
            return;
        }
        match &self.plan {
            Plan::Load { timeline, process } => process.resume(timeline, source, until),
            Plan::Packets(_) => source.clock = until,
            Plan::Program(_) | Plan::Host(_) => {}
            Plan::Shared(_) => unreachable!("its class was asked above"),
        }
    }

    /// The shortest packet that occurs, in flits.
    pub fn min_flits(&self) -> u32 {
        let answers = Exchange::lengths(self.exchanges()).map(|lengths| lengths.0);
        self.each_class().iter().map(|class| class.sent_lengths().0).chain(answers).min().unwrap_or(1)
    }

    /// The longest packet that occurs, in flits.
    pub fn max_flits(&self) -> u32 {
        let answers = Exchange::lengths(self.exchanges()).map(|lengths| lengths.1);
        self.each_class().iter().map(|class| class.sent_lengths().1).chain(answers).max().unwrap_or(1)
    }

    /// The shortest and the longest packet that nodes send by themselves, of traffic without classes \[flits\].
    fn sent_lengths(&self) -> (u32, u32) {
        self.given_lengths().unwrap_or_else(|| (self.sizes.min(), self.sizes.max()))
    }

    /// The first length that occurs and is no multiple of `unit` flits.
    pub fn uneven(&self, unit: u32) -> Option<u32> {
        if let Plan::Shared(shared) = &self.plan {
            return shared.classes().iter().find_map(|class| class.uneven(unit));
        }
        // Messages of a program or of a host are filled up.
        if self.given_lengths().is_some() { None } else { self.sizes.uneven(unit) }
    }

    /// Mean length of a packet, in flits.
    pub fn mean_flits(&self) -> f64 {
        if let Plan::Shared(shared) = &self.plan {
            return shared.mean_flits();
        }
        // Nobody counts the messages of a program or knows those of a host: most of them are as long as the longest.
        self.given_lengths().map_or_else(|| self.sizes.mean(), |lengths| f64::from(lengths.1))
    }

    /// The length of the packets that messages are cut into, in flits: a divisor of every length that occurs. 0: they are not
    /// cut, and a message is a packet.
    pub fn packet_flits(&self) -> u32 {
        self.packet_flits
    }

    /// Whether every node has a fixed number of packets, or those that a host gives it, so that a run is over when all are delivered.
    pub fn ends(&self) -> bool {
        match &self.plan {
            Plan::Packets(_) | Plan::Program(_) | Plan::Host(_) => true,
            Plan::Load { .. } => false,
            Plan::Shared(shared) => shared.classes().iter().all(Traffic::ends),
        }
    }

    /// The shortest and the longest packet of a program or of a host.
    fn given_lengths(&self) -> Option<(u32, u32)> {
        match &self.plan {
            Plan::Program(placed) => Some(placed.lengths()),
            Plan::Host(hosted) => Some(hosted.lengths()),
            Plan::Load { .. } | Plan::Packets(_) | Plan::Shared(_) => None,
        }
    }

    /// The program that nodes execute, where they do.
    pub fn program(&self) -> Option<&Placed> {
        match &self.plan {
            Plan::Program(placed) => Some(placed),
            Plan::Load { .. } | Plan::Packets(_) | Plan::Host(_) | Plan::Shared(_) => None,
        }
    }

    /// The bounds of what a host sends, where one does.
    pub fn hosted(&self) -> Option<&Hosted> {
        match &self.plan {
            Plan::Host(hosted) => Some(hosted),
            Plan::Load { .. } | Plan::Packets(_) | Plan::Program(_) | Plan::Shared(_) => None,
        }
    }

    /// The same traffic; the messages of a program or of a host are cut so.
    #[must_use]
    pub fn cut(mut self, cutting: Cutting) -> Traffic {
        if let Plan::Program(placed) = self.plan {
            self.plan = Plan::Program(Box::new(placed.cut(cutting)));
        } else if let Plan::Host(hosted) = self.plan {
            self.plan = Plan::Host(hosted.cut(cutting));
        }
        self
    }

    /// The same traffic; where a host sends, no packet is longer than `flits`, which a buffer holds.
    #[must_use]
    pub fn in_buffers_of(mut self, flits: u32) -> Traffic {
        if let Plan::Host(hosted) = self.plan {
            self.plan = Plan::Host(hosted.in_buffers_of(flits));
        }
        self
    }

    /// The same traffic; a run writes down what happened to every operation of a program.
    #[must_use]
    pub fn recorded(mut self) -> Traffic {
        if let Plan::Program(placed) = self.plan {
            self.plan = Plan::Program(Box::new(placed.recorded()));
        }
        self
    }

    /// The same traffic; the messages of a program have these classes, and a node has a port for each: from here on a port is a node.
    #[must_use]
    pub fn classed(mut self, classes: Classes) -> Traffic {
        if let Plan::Program(placed) = self.plan {
            self.nodes *= classes.count;
            let placed = placed.classed(classes);
            if placed.classes() > 1 {
                let mut senders = BTreeSet::new();
                placed.ways(&mut |from, _, _| _ = senders.insert(from));
                self.active_nodes = senders.len() as u32;
            }
            self.plan = Plan::Program(Box::new(placed));
        }
        self
    }

    /// The same traffic; the messages of a host have classes, and a node has a port for each: from here on a port is a node. `held`: as
    /// [`Hosted::held`].
    #[must_use]
    pub fn in_classes_of(mut self, of: impl FnOnce(Hosted) -> Hosted) -> Traffic {
        if let Plan::Host(hosted) = self.plan {
            let hosted = of(hosted);
            self.nodes *= hosted.classes();
            self.active_nodes *= hosted.classes();
            self.plan = Plan::Host(hosted);
        }
        self
    }

    /// Message classes.
    pub fn classes(&self) -> u32 {
        match &self.plan {
            Plan::Program(placed) => placed.classes(),
            Plan::Host(hosted) => hosted.classes(),
            Plan::Load { .. } | Plan::Packets(_) | Plan::Shared(_) => 1,
        }
    }

    /// Ports of a node, each of which counts as a node: one for each class, of either kind.
    pub fn ports(&self) -> u32 {
        self.classes() * self.shared().map_or(1, Shared::count)
    }

    /// Packets that all nodes send until every one has sent its last; `None` where they never stop. Messages are cut into packets of
    /// `cut` flits, a divisor of every length that occurs; `None`: a message is a packet.
    pub fn packets(&self, cut: Option<u32>) -> Option<u64> {
        if let Plan::Program(placed) = &self.plan {
            return Some(placed.all_packets());
        }
        if let Plan::Shared(shared) = &self.plan {
            return shared.classes().iter().map(|class| class.packets(cut)).sum();
        }
        let Plan::Packets(messages) = self.plan else { return None };
        let Some(cut) = cut else { return Some(u64::from(self.active_nodes) * messages) };
        let senders = (0..self.nodes).filter(|&node| self.sends(node));
        Some(senders.map(|node| self.flits_of(node, 0..messages)).sum::<u64>() / u64::from(cut))
    }

    /// Cycles of one pass through a workload that has phases; `None` where time has no such mark.
    pub fn pass_cycles(&self) -> Option<u64> {
        if let Plan::Shared(shared) = &self.plan {
            return shared.classes().iter().filter_map(Traffic::pass_cycles).max();
        }
        let Plan::Load { timeline, .. } = &self.plan else { return None };
        Some(timeline.last_end()).filter(|&end| end < NEVER)
    }

    /// Mean load that the spec asks for over the cycles `from..to`, over all nodes of the network, those that a pattern
    /// keeps silent among them, in flits/node/cycle. Every request is answered, and answers count.
    pub fn offered_load(&self, from: u64, to: u64) -> f64 {
        if let Plan::Shared(shared) = &self.plan {
            return shared.sum(|class| class.offered_load(from, to));
        }
        let answers = self.exchange.as_ref().map_or(0.0, |exchange| exchange.mean() / self.sizes.mean());
        (1.0 + answers) * self.sent_load(from, to)
    }

    /// The same of what nodes send by themselves.
    fn sent_load(&self, from: u64, to: u64) -> f64 {
        match &self.plan {
            Plan::Load { timeline, .. } => timeline.mean_load(from, to, &self.active_shares),
            Plan::Packets(packets) if from == 0 && to > 0 => {
                *packets as f64 * self.mean_flits() * self.active_shares[0] / to as f64
            }
            Plan::Packets(_) | Plan::Program(_) | Plan::Host(_) | Plan::Shared(_) => 0.0,
        }
    }

    /// The number of nodes of the network.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The number of nodes that ever send: a permutation's fixed points do not.
    pub fn active_nodes(&self) -> u32 {
        self.active_nodes
    }

    /// The number of nodes that ever send in some class. Without classes that share wires these are [`Traffic::active_nodes`].
    pub fn sending_nodes(&self) -> u32 {
        let Plan::Shared(shared) = &self.plan else { return self.active_nodes };
        let nodes = self.nodes / shared.count();
        (0..nodes).filter(|&node| shared.classes().iter().any(|class| class.sends(node))).count() as u32
    }

    /// Of every node, whether it is a hot source, under the first pattern that has these (`hot_sources`); `None` where none has.
    pub fn hot_sources(&self) -> Option<Vec<bool>> {
        if let Plan::Shared(shared) = &self.plan {
            let hot: Vec<_> = shared.classes().iter().map(Traffic::hot_sources).collect();
            let is_hot = |port: u32| {
                hot[shared.class(port) as usize].as_ref().is_some_and(|hot| hot[shared.of(port).1 as usize])
            };
            return hot.iter().any(Option::is_some).then(|| (0..self.nodes).map(is_hot).collect());
        }
        let under = |pattern: &dyn Pattern| (0..self.nodes).map(|node| pattern.is_hot_source(node)).collect();
        self.patterns.iter().find_map(|pattern| under(pattern.as_ref()))
    }

    /// Calls `emit(destination, share)` for each destination of `node` under the first pattern; the shares of its packets
    /// add up to 1, or there are none when it is silent. Under a program they are shares of its flits, over all of the program.
    pub fn flows(&self, node: u32, emit: &mut dyn FnMut(u32, f64)) {
        if let Some(placed) = self.program() {
            return placed.flows(node, emit);
        }
        if let Plan::Shared(shared) = &self.plan {
            let (traffic, own) = shared.of(node);
            return traffic.flows(own, &mut |to, share| emit(shared.to(node, to), share));
        }
        if let Some(pattern) = self.patterns.first() {
            pattern.flows(node, emit);
        }
    }

    /// Cycle and destination of the next packet.
    fn next_flow(&self, node: u32, source: &mut Source) -> Option<(u64, u32)> {
        let draw = rng::draw_u64(self.seed, Purpose::Destination, node, source.index);
        let (timeline, process) = match &self.plan {
            Plan::Load { timeline, process } => (timeline, process),
            Plan::Packets(packets) => {
                let destination = self.patterns[0].destination(node, draw)?;
                return (source.index < *packets).then_some((source.clock, destination));
            }
            Plan::Program(_) | Plan::Host(_) | Plan::Shared(_) => return None,
        };
        loop {
            let cycle = process.next(self.stream(node), timeline, source)?;
            let (phase, end) = timeline.locate(cycle)?;
            let pattern = timeline.phases()[phase].pattern;
            if let Some(destination) = self.patterns[pattern].destination(node, draw) {
                return Some((cycle, destination));
            }
            // Silent in this phase: nothing comes before the next.
            process.skip(self.stream(node), timeline, source, end);
        }
    }

    /// Whether `node` ever sends.
    fn sends(&self, node: u32) -> bool {
        let under = |pattern: usize| self.patterns[pattern].destination(node, 0).is_some();
        match &self.plan {
            Plan::Load { timeline, .. } => timeline.phases().iter().any(|p| p.load > 0.0 && under(p.pattern)),
            Plan::Packets(_) => under(0),
            Plan::Program(placed) => placed.behind(node).is_some(),
            Plan::Host(_) => true,
            Plan::Shared(shared) => {
                let (traffic, node) = shared.of(node);
                traffic.sends(node)
            }
        }
    }

    fn stream(&self, node: u32) -> Stream {
        Stream { seed: self.seed, node }
    }
}

#[cfg(test)]
mod tests;
