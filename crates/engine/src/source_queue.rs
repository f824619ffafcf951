//! Source queues as cursors, with one or more injection channels a node.
//!
//! Packets are a pure function of (node, index), so a source queue is a cursor: the packet at its head and the generator
//! behind it. A packet that never gets to the head is never made (`docs/decisions/0003-lazy-traffic.md`).

use crate::calendar::Calendar;
use crate::totals::{Amount, first};
use tailback_base::bits::{BitSet, ones};
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_traffic::{Generated, Source, Traffic};

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
pub(crate) struct SourceQueues<'a> {
    traffic: &'a Traffic,
    shape: QueueShape,
    sources: Vec<Source>,
    /// Per node: the first packet without a channel, where it is known.
    upcoming: Vec<Generated>,
    /// Nodes whose upcoming packet is known.
    known: BitSet,
    /// Nodes with a wake-up in the calendar.
    asleep: BitSet,
    /// Per node: injection channels that no packet has, as a mask.
    free: Vec<u64>,
    /// Per injection channel: its packet, while that may not ask yet.
    held: Vec<Generated>,
    /// Injection channels whose packet may not ask yet.
    early: BitSet,
    /// Wake-ups of nodes, then of injection channels.
    calendar: Calendar,
    /// Finite queues: per node, the packets that have left.
    gone: Vec<u64>,
    /// Finite queues: cycle in which each of the last `limit` packets left, a ring a node.
    left: Vec<u64>,
}

tailback_base::state!(['a] SourceQueues<'a> {
    saved: sources, upcoming, known, asleep, free, held, early, calendar, gone, left;
    rebuilt: traffic, shape;
} [fits]);

impl<'a> SourceQueues<'a> {
    /// The queues before cycle 0.
    pub fn new(traffic: &'a Traffic, shape: QueueShape) -> Self {
        let QueueShape { nodes, channels, delay, limit } = shape;
        let nothing = Generated { cycle: 0, destination: 0, flits: 0, index: 0 };
        let held = if delay > 0 { nodes * channels } else { 0 };
        let limit = limit.unwrap_or(0) as usize;
        let mut queues = SourceQueues {
            traffic,
            shape,
            sources: (0..nodes as u32).map(|node| traffic.source(node)).collect(),
            upcoming: vec![nothing; nodes],
            known: BitSet::new(nodes),
            asleep: BitSet::new(nodes),
            free: vec![u64::MAX >> (64 - channels); nodes],
            held: vec![nothing; held],
            early: BitSet::new(held),
            calendar: Calendar::new(nodes + held),
            gone: vec![0; if limit > 0 { nodes } else { 0 }],
            left: vec![0; limit * nodes],
        };
        for node in 0..nodes as u32 {
            if queues.pull(node) {
                queues.sleep(node, queues.upcoming[node as usize].cycle);
            }
        }
        queues
    }

    /// That channels, and packets in them, are those of these nodes.
    fn fits(&self) -> Result<(), Unfit> {
        let channels = u64::MAX >> (64 - self.shape.channels);
        ensure(self.free.iter().all(|free| free & !channels == 0), "a node has injection channels that are not there")?;
        are_counts(self.gone.iter().copied())?;
        let (nodes, longest) = (self.shape.nodes as u32, self.traffic.max_flits());
        let made = |packet: &Generated| {
            let counted = packet.index <= MOST && packet.cycle <= MOST;
            packet.destination < nodes && packet.flits <= longest && counted
        };
        ensure(self.upcoming.iter().chain(&self.held).all(made), "a packet is for no node here")
    }

    /// Re-derives where every source and every injection channel stands before cycle `now`. `busy`: of a node, its channels whose packet
    /// may ask, as a mask, and how many of these packets are its own. Returns the number of packets that have asked.
    ///
    /// # Errors
    /// The first node that is not right.
    pub fn audit(&self, now: u64, busy: impl Fn(usize) -> (u64, usize)) -> Result<u64, String> {
        let mut awaited = BitSet::new(self.shape.nodes + self.held.len());
        self.calendar.asleep().into_iter().for_each(|number| awaited.insert(number as usize));
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
                let right = self.calendar.due(number as u32) == due && due >= now && packet.cycle < now;
                awaited.contains(number) && right && self.traffic.makes(node as u32, packet)
            });
            let taken = self.sources[node].taken() - u64::from(self.known.contains(node));
            let many = u64::from((asking | early).count_ones());
            let gone = self.gone.get(node).is_none_or(|&gone| gone + many == taken) && many <= taken;
            let right = apart && all && wakes && own == asking.count_ones() as usize && gone;
            if !(right && self.stands(node) && self.wakes(node, now, awaited.contains(node))) {
                return Err(format!("node {node} does not stand behind {:?}", self.upcoming[node]));
            }
            started += taken - u64::from(early.count_ones());
        }
        let held = |number: usize| number < self.shape.nodes || self.early.contains(number - self.shape.nodes);
        match awaited.iter().all(held) && self.left.iter().all(|&left| left <= now) {
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

    /// Whether a source stands behind the packet that it has made last.
    fn stands(&self, node: usize) -> bool {
        let (source, last) = (&self.sources[node], &self.upcoming[node]);
        match source.taken() {
            0 => !self.known.contains(node),
            _ => self.traffic.makes(node as u32, last) && self.traffic.stands_behind(source, last, last.cycle + 1),
        }
    }

    /// Whether a node wakes when it has to, and only if.
    fn wakes(&self, node: usize, now: u64, awaited: bool) -> bool {
        let (known, next) = (self.known.contains(node), &self.upcoming[node]);
        if awaited != self.asleep.contains(node) {
            return false;
        }
        if awaited {
            let due = self.calendar.due(node as u32);
            return due == now || known && due == next.cycle && due > now;
        }
        self.free[node] == 0 || !known && self.next_made(node as u32, &mut self.sources[node].clone()).is_none()
    }

    /// What sources make.
    pub fn traffic(&self) -> &'a Traffic {
        self.traffic
    }

    /// Starts on cycle `now`; call [`SourceQueues::take`] until it returns `None`.
    #[inline]
    pub fn open(&mut self, now: u64) -> Cursor {
        Cursor { calendar: self.calendar.open(now), node: None }
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
            let woken = self.calendar.take(&mut cursor.calendar, now)?;
            match (woken as usize).checked_sub(self.shape.nodes) {
                None => {
                    self.asleep.remove(woken as usize);
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
        if let Some(limit) = self.shape.limit {
            self.left[(u64::from(node) * limit + self.gone[n] % limit) as usize] = at;
            self.gone[n] += 1;
        }
        if !self.asleep.contains(n) {
            self.sleep(node, at);
        }
    }

    /// Packets that the sources made before cycle `end` and that have not asked yet.
    pub fn backlog(&self, end: u64, mut made: impl FnMut(u32, Generated)) {
        for held in self.early.iter() {
            made((held / self.shape.channels) as u32, self.held[held]);
        }
        for node in 0..self.shape.nodes as u32 {
            self.backlog_of(node, end, |packet| made(node, packet));
        }
    }

    /// The packets of one node that were made before cycle `end` and have no channel; returns the number of all that it made before.
    fn backlog_of(&self, node: u32, end: u64, mut made: impl FnMut(Generated)) -> u64 {
        let mut source = self.sources[node as usize];
        let mut next = self.known.contains(node as usize).then(|| self.upcoming[node as usize]);
        let mut all = next.map_or(source.taken(), |packet| packet.index);
        while let Some(packet) = next.take().or_else(|| self.next_made(node, &mut source)) {
            if packet.cycle >= end {
                break;
            }
            made(packet);
            all = packet.index + 1;
        }
        all
    }

    /// What the sources made before cycle `end`, and what of it has not asked yet.
    pub fn totals(&self, end: u64) -> (Amount, Amount) {
        let mut behind: Amount = self.early.iter().map(|held| Amount::one(self.held[held].flits)).sum();
        let mut generated = Amount::default();
        for node in 0..self.shape.nodes as u32 {
            let packets = self.backlog_of(node, end, |packet| behind += Amount::one(packet.flits));
            generated += first(self.traffic, node, packets, end);
        }
        (generated, behind)
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn are_dry(&self) -> bool {
        let all = u64::MAX >> (64 - self.shape.channels);
        let is_dry = |node: usize| {
            let mut source = self.sources[node];
            let idle = self.free[node] == all && !self.known.contains(node);
            idle && self.traffic.next(node as u32, &mut source).is_none()
        };
        (0..self.shape.nodes).all(is_dry)
    }

    /// Wakes `node` in cycle `until`.
    fn sleep(&mut self, node: u32, until: u64) {
        self.asleep.insert(node as usize);
        self.calendar.schedule(node, until);
    }

    /// Gives free channels of `node` to packets that are due. Returns the first of them that asks at once; call again.
    #[inline]
    fn next_of(&mut self, node: u32, now: u64) -> Option<Started> {
        let n = node as usize;
        loop {
            if self.free[n] == 0 || !(self.known.contains(n) || self.pull(node)) {
                return None;
            }
            let packet = self.upcoming[n];
            if packet.cycle > now {
                self.sleep(node, packet.cycle);
                return None;
            }
            self.known.remove(n);
            let channel = ones(self.free[n]).next().expect("it was looked at above");
            self.free[n] &= self.free[n] - 1;
            let asks = packet.cycle + self.shape.delay;
            if asks <= now {
                return Some(Started { node, channel, packet });
            }
            let held = n * self.shape.channels + channel;
            self.held[held] = packet;
            self.early.insert(held);
            self.calendar.schedule((self.shape.nodes + held) as u32, asks);
        }
    }

    /// Makes the next packet of `node` known; `false` where there is none, or none yet.
    fn pull(&mut self, node: u32) -> bool {
        let mut source = self.sources[node as usize];
        let Some(next) = self.next_made(node, &mut source) else { return false };
        self.sources[node as usize] = source;
        self.upcoming[node as usize] = next;
        self.known.insert(node as usize);
        true
    }

    /// The next packet of `node` after `source`. In a finite queue of `n` packets, packet `k` is made when `k - n + 1`
    /// packets have left; before that it is not made at all.
    fn next_made(&self, node: u32, source: &mut Source) -> Option<Generated> {
        let mut next = self.traffic.next(node, source)?;
        let Some(limit) = self.shape.limit else { return Some(next) };
        if next.index < limit {
            return Some(next);
        }
        if next.index - limit >= self.gone[node as usize] {
            return None;
        }
        let left = self.left[(u64::from(node) * limit + next.index % limit) as usize];
        if left > next.cycle {
            next.cycle = left;
            // It is made in cycle `left`: the next gap begins after it.
            self.traffic.stall(source, left + 1);
        }
        Some(next)
    }
}
