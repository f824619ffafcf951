//! Source queues with one or more injection channels a node.
//!
//! A packet takes a channel as soon as it is made and one is free, and asks for the network some cycles later. What has no channel is
//! with the sources, but for the first packet of it.

use super::cut::Cut;
use super::heads::Heads;
use super::messages::{Done, Messages};
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::Sources;
use crate::packet::{Packet, are_made};
use crate::totals::{Amount, Lot};
use tailback_base::bits::{BitSet, ones};
use tailback_base::state::{Unfit, ensure};
use tailback_traffic::Generated;

/// What the queues of all nodes are like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueShape {
    /// Nodes of the network.
    pub nodes: usize,
    /// Injection channels of a node, 1 to 64.
    pub channels: usize,
    /// Cycles from a packet's generation until it may ask.
    pub delay: u64,
    /// Packets a queue holds, those being sent included; `None`: any number.
    pub limit: Option<u64>,
    /// Length of the packets that messages are cut into \[flits\]; `None`: a message is a packet.
    pub packet_flits: Option<u32>,
    /// Packets that the network holds at most.
    pub packets: usize,
}

/// A packet that has an injection channel and asks for the network from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    /// The node.
    pub node: u32,
    /// Its injection channel.
    pub channel: usize,
    /// The packet.
    pub packet: Generated,
}

/// A position among the packets that start in one cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    calendar: u32,
    /// The node whose queue is being looked at.
    node: Option<u32>,
}

/// The source queues of all nodes.
pub(crate) struct SourceQueues<S> {
    shape: QueueShape,
    /// The first packet of every node without a channel. Its calendar has wake-ups of nodes, then of injection channels.
    heads: Heads<Cut<S>>,
    /// Per node: injection channels that no packet has, as a mask.
    free: Vec<u64>,
    /// Per injection channel: its packet, while that may not ask yet.
    held: Vec<Generated>,
    /// Injection channels whose packet may not ask yet.
    early: BitSet,
    /// Messages with a packet that has a channel or is in the network.
    messages: Messages,
    /// Per node: the message to which the last packet that was given a channel belongs; kept only where messages are long.
    latest: Vec<u32>,
    /// Per injection channel: the same of its packet.
    carried: Vec<u32>,
    /// Whether sources want to know when packets enter and leave.
    pub follows_packets: bool,
    /// As [`Sources::kin_take_turns`].
    takes_turns: bool,
    /// Whether packets that have no channel get none any more. No checkpoint is made of such queues.
    closed: bool,
}

tailback_base::state!([S: Sources] SourceQueues<S> {
    saved: heads, free, held, early, messages, latest, carried;
    rebuilt: shape, follows_packets, takes_turns, closed;
} [fits]);

impl<S: Sources> SourceQueues<S> {
    /// The queues before cycle 0.
    pub fn new(sources: S, shape: QueueShape) -> Self {
        let QueueShape { nodes, channels, delay, limit, packet_flits, packets } = shape;
        let held = if delay > 0 { nodes * channels } else { 0 };
        let (follows_packets, takes_turns) = (sources.follows_packets(), sources.kin_take_turns());
        let sources = Cut::new(sources, nodes, packet_flits);
        let (messages, long) = match sources.has_long_messages() {
            true => (Messages::cut(packets, packets + nodes * channels), nodes),
            false => (Messages::whole(), 0),
        };
        let mut queues = SourceQueues {
            shape,
            follows_packets,
            takes_turns,
            closed: false,
            heads: Heads::new(sources, nodes, held, limit),
            free: vec![u64::MAX >> (64 - channels); nodes],
            held: vec![Generated { cycle: 0, destination: 0, flits: 0, index: 0 }; held],
            early: BitSet::new(held),
            messages,
            latest: vec![0; long],
            carried: vec![0; long * channels],
        };
        for node in 0..nodes as u32 {
            if queues.heads.pull(node, 0) {
                queues.heads.sleep(node, queues.heads.upcoming[node as usize].cycle);
            }
        }
        queues
    }

    /// That channels, and packets in them, are those of these nodes.
    fn fits(&self) -> Result<(), Unfit> {
        let channels = u64::MAX >> (64 - self.shape.channels);
        ensure(self.free.iter().all(|free| free & !channels == 0), "a node has injection channels that are not there")?;
        self.heads.fit()?;
        are_made(&self.held, (self.shape.nodes as u32, self.heads.sources.max_flits()))
    }

    /// Re-derives where every source and every injection channel stands before cycle `now`. `busy`: of a node, its channels whose packet
    /// may ask, as a mask, and how many of these packets are its own. Returns the number of packets that have asked.
    ///
    /// # Errors
    /// The first node that is not right.
    pub fn audit(&self, now: u64, busy: impl Fn(usize) -> (u64, usize)) -> Result<u64, String> {
        let mut awaited = BitSet::new(self.shape.nodes + self.held.len());
        self.heads.calendar.asleep().into_iter().for_each(|number| awaited.insert(number as usize));
        let mut started = 0;
        for node in 0..self.shape.nodes {
            let (asking, own) = busy(node);
            let early = self.early_of(node);
            let apart = asking & early == 0 && (asking | early) & self.free[node] == 0;
            let all = asking | early | self.free[node] == u64::MAX >> (64 - self.shape.channels);
            let wakes = ones(early).all(|channel| {
                let held = node * self.shape.channels + channel;
                let (packet, number) = (&self.held[held], self.shape.nodes + held);
                let due = packet.cycle + self.shape.delay;
                let right = self.heads.calendar.due(number as u32) == due && due >= now && packet.cycle < now;
                awaited.contains(number) && right && self.heads.sources.makes(node as u32, packet)
            });
            let taken = self.heads.sources.taken(node as u32);
            let taken = taken.saturating_sub(u64::from(self.heads.known.contains(node)));
            let many = u64::from((asking | early).count_ones());
            let gone = self.heads.gone.get(node).is_none_or(|&gone| gone + many == taken) && many <= taken;
            let right = apart && all && wakes && own == asking.count_ones() as usize && gone;
            if !(right && self.heads.stands(node as u32) && self.wakes(node, now, awaited.contains(node))) {
                return Err(format!("node {node} does not stand behind {:?}", self.heads.upcoming[node]));
            }
            started += taken - u64::from(early.count_ones());
        }
        let held = |number: usize| number < self.shape.nodes || self.early.contains(number - self.shape.nodes);
        match awaited.iter().all(held) && self.heads.left.iter().all(|&left| left <= now) {
            true => Ok(started),
            false => Err("a channel waits for no packet".to_owned()),
        }
    }

    /// Injection channels of a node whose packet may not ask yet.
    fn early_of(&self, node: usize) -> u64 {
        let first = node * self.shape.channels;
        let early = |channel: &usize| !self.held.is_empty() && self.early.contains(first + channel);
        (0..self.shape.channels).filter(early).fold(0, |mask, channel| mask | 1 << channel)
    }

    /// Whether a node wakes when it has to, and only if. Of closed queues it does not matter.
    fn wakes(&self, node: usize, now: u64, awaited: bool) -> bool {
        if self.closed {
            return true;
        }
        let (known, next) = (self.heads.known.contains(node), &self.heads.upcoming[node]);
        if awaited != self.heads.asleep.contains(node) {
            return false;
        }
        if awaited {
            let due = self.heads.calendar.due(node as u32);
            let right = if known { due == next.cycle } else { self.heads.waits(node as u32, Some(due)) };
            return due == now || due > now && right;
        }
        self.free[node] == 0 || !known && self.heads.waits(node as u32, None)
    }

    /// What sends the messages.
    pub fn sources(&self) -> &S {
        self.heads.sources.messages()
    }

    /// What gives the packets.
    pub fn packets(&self) -> &impl Sources {
        &self.heads.sources
    }

    /// Takes a message of a host for cycle `now`, the next one.
    pub fn offer(&mut self, now: u64, offer: Offer) {
        self.heads.sources.offer(now, offer);
        self.wake(offer.source, now);
    }

    /// As [`Sources::queued`].
    pub fn queued(&mut self, node: u32, now: u64) -> Amount {
        self.heads.sources.queued(node, now)
    }

    /// The host has received a message at a node, which gives back so many places of its ejection buffer.
    pub fn consumed(&mut self, node: u32, places: u32) {
        self.heads.sources.consumed(node, places);
    }

    /// As [`Sources::frees`].
    pub fn frees(&mut self, node: u32, now: u64) -> Option<u32> {
        self.heads.sources.frees(node, now)
    }

    /// As [`Sources::arrivals`].
    pub fn arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.heads.sources.arrivals()
    }

    /// Starts on cycle `now`; call [`SourceQueues::take`] until it returns `None`.
    #[inline]
    pub fn open(&mut self, now: u64) -> Cursor {
        let calendar = &mut self.heads.calendar;
        let first = if self.takes_turns { calendar.open_in_order(now) } else { calendar.open(now) };
        Cursor { calendar: first, node: None }
    }

    /// The next packet that asks for the first time in cycle `now`.
    #[inline]
    pub fn take(&mut self, cursor: &mut Cursor, now: u64) -> Option<Started> {
        loop {
            if let Some(node) = cursor.node {
                if let Some(started) = self.next_of(node, now) {
                    return Some(started);
                }
                cursor.node = None;
            }
            let woken = self.heads.calendar.take(&mut cursor.calendar, now)?;
            match (woken as usize).checked_sub(self.shape.nodes) {
                None => {
                    self.heads.asleep.remove(woken as usize);
                    cursor.node = Some(woken);
                }
                Some(held) => {
                    self.early.remove(held);
                    let (node, channel) = ((held / self.shape.channels) as u32, held % self.shape.channels);
                    return Some(Started { node, channel, packet: self.held[held] });
                }
            }
        }
    }

    /// Injection `channel` of `node` is free from cycle `at` on, the next one: the tail of its packet has been sent.
    pub fn freed(&mut self, node: u32, channel: usize, at: u64) {
        let n = node as usize;
        self.free[n] |= 1 << channel;
        self.heads.leaves(node, at);
        if !self.heads.asleep.contains(n) {
            self.heads.sleep(node, at);
        }
    }

    /// Packet `id` is the one of an injection channel of `node`.
    #[inline]
    pub fn carries(&mut self, id: u32, node: u32, channel: usize) {
        if !self.carried.is_empty() {
            self.messages.carries(id, self.carried[node as usize * self.shape.channels + channel]);
        }
    }

    /// The tail of packet `id` has reached its node in cycle `now`, before packets are taken. Returns its message, if that is complete.
    #[inline]
    pub fn delivered(&mut self, now: u64, id: u32, packet: &Packet) -> Option<Done> {
        let done = self.messages.delivered(id, packet);
        if let Some(at) = self.heads.sources.delivered(now, packet, done.map(|done| done.index)) {
            self.wake(packet.destination, at.max(now));
        }
        done
    }

    /// That the messages that are open are as long as their packets: `packets` of the network, by their ids, with their flits, and those
    /// that are at their nodes.
    pub fn cover(&self, now: u64, packets: impl Iterator<Item = (u32, u32)>) -> Result<(), Unfit> {
        let early = self.early.iter().filter_map(|held| Some((*self.carried.get(held)?, self.held[held].flits)));
        let begun = (0u32..).zip(&self.latest).filter_map(|(node, &message)| {
            let (all, unmade, _) = self.heads.sources.last_message(node);
            let next = match self.heads.known.contains(node as usize) {
                true => self.heads.upcoming[node as usize].flits,
                false => 0,
            };
            let left = unmade + next;
            (left > 0 && left < all).then_some((message, left))
        });
        self.messages.cover(now, packets, early.chain(begun))
    }

    /// The head of a packet has left its injection channel in cycle `now`.
    #[cold]
    pub fn entered(&mut self, now: u64, packet: &Packet) {
        if let Some(at) = self.heads.sources.entered(now, packet) {
            self.wake(packet.source, at.max(now + 1));
        }
    }

    /// The tail of a packet leaves its injection channel in cycle `at`, the next one.
    #[cold]
    pub fn left(&mut self, at: u64, packet: &Packet) {
        if let Some(then) = self.heads.sources.left(at, packet) {
            self.wake(packet.source, then.max(at));
        }
    }

    /// The sources of a node and its kin have something new in cycle `at`. One that waits for a channel is asked when it has one.
    fn wake(&mut self, node: u32, at: u64) {
        for node in self.heads.sources.kin(node) {
            if self.free[node as usize] != 0 && !self.heads.known.contains(node as usize) {
                self.heads.wake(node, at);
            }
        }
    }

    /// Lets everything happen at the sources that is due before cycle `now`.
    pub fn catch_up(&mut self, now: u64) {
        self.heads.sources.catch_up(now);
    }

    /// Packets that the sources made before cycle `end` and that have not asked yet.
    pub fn backlog(&self, end: u64, mut made: impl FnMut(u32, Lot)) {
        for held in self.early.iter() {
            made((held / self.shape.channels) as u32, self.held[held].into());
        }
        for node in 0..self.shape.nodes as u32 {
            self.heads.backlog(node, end, |lot| made(node, lot));
        }
    }

    /// What the sources made before cycle `end`, and what of it has not asked yet.
    pub fn totals(&self, end: u64) -> (Amount, Amount) {
        let mut behind: Amount = self.early.iter().map(|held| Amount::one(self.held[held].flits)).sum();
        let generated = (0..self.shape.nodes as u32).map(|node| self.heads.generated(node, end, &mut behind)).sum();
        (generated, behind)
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn are_dry(&self) -> bool {
        self.are_idle() && (0..self.shape.nodes as u32).all(|node| self.heads.is_dry(node))
    }

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub fn wait(&self) -> bool {
        self.are_idle() && self.heads.asleep.is_empty()
    }

    /// Whether no packet has an injection channel.
    fn are_idle(&self) -> bool {
        self.free.iter().all(|&free| free == u64::MAX >> (64 - self.shape.channels))
    }

    /// From the next cycle on no packet is given a channel.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Gives free channels of `node` to packets that are due. Returns the first of them that asks at once; call again.
    #[inline]
    fn next_of(&mut self, node: u32, now: u64) -> Option<Started> {
        let n = node as usize;
        loop {
            if self.closed || self.free[n] == 0 || !(self.heads.known.contains(n) || self.heads.pull(node, now)) {
                return None;
            }
            let packet = self.heads.upcoming[n];
            if packet.cycle > now {
                self.heads.sleep(node, packet.cycle);
                return None;
            }
            self.heads.known.remove(n);
            let channel = ones(self.free[n]).next().expect("it was looked at above");
            self.free[n] &= self.free[n] - 1;
            self.carry(node, channel, &packet);
            let asks = packet.cycle + self.shape.delay;
            if asks <= now {
                return Some(Started { node, channel, packet });
            }
            let held = n * self.shape.channels + channel;
            self.held[held] = packet;
            self.early.insert(held);
            self.heads.calendar.schedule((self.shape.nodes + held) as u32, asks);
        }
    }

    /// A packet of `node` is given an injection channel: its message is that of the packet before, or begins with it.
    #[inline]
    fn carry(&mut self, node: u32, channel: usize, packet: &Generated) {
        let Some(latest) = self.latest.get_mut(node as usize) else { return };
        let (all, left, number) = self.heads.sources.last_message(node);
        if left + packet.flits == all {
            *latest = self.messages.begin(packet.cycle, all, || number);
        }
        self.carried[node as usize * self.shape.channels + channel] = *latest;
    }
}
