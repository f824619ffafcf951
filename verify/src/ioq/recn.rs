//! RECN on one side: its lines, and what they say to the neighbours. The sections of the page are named in italics.

use super::config::{self, Config};
use super::side::{Neighbour, Place, Sort, Waiting};
use std::collections::{BTreeSet, VecDeque};

/// The queues of a side, by number.
pub type Queues = [VecDeque<Waiting>];

/// What a side says to a neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The way from the receiver to the congested point.
    pub turns: Vec<usize>,
    /// What it says.
    pub kind: Kind,
}

/// What a notice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Downstream is a congested point.
    Congested,
    /// Send nothing to it.
    Off,
    /// Send again.
    On,
    /// The line upstream is gone.
    Released,
    /// No line was free upstream.
    Refused,
}

/// Who has been told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Those that have a line (or will have).
    pub branches: BTreeSet<Neighbour>,
    /// Those that have refused.
    pub refused: BTreeSet<Neighbour>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The way to the congested point.
    pub turns: Vec<usize>,
    /// Whether a downstream neighbour told of it.
    pub downstream: bool,
    /// Whether that has stopped it.
    pub stopped: bool,
    /// The upstream neighbours.
    pub told: Told,
    /// Whether it has stopped them.
    pub off: bool,
    /// The packet that must leave before.
    pub marker: Option<usize>,
}

/// A set-aside queue.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The number of its queue.
    pub queue: usize,
    /// Its line, while it is in use.
    pub line: Option<Line>,
}

/// RECN on one side.
#[derive(Clone, Debug)]
pub struct Recn {
    numbers: config::Recn,
    packet_bytes: usize,
    place: Place,
    /// The numbers of the detection queues by output port, or of the standard queue.
    pub plain: Vec<usize>,
    /// The set-aside queues.
    pub slots: Vec<Slot>,
    /// Of the standard queue of an egress side.
    pub root: Told,
    /// What is to be sent.
    outbox: Vec<(Neighbour, Notice)>,
}

impl Recn {
    /// Without lines.
    pub fn new(numbers: config::Recn, config: &Config, place: Place) -> Self {
        let plain = if place.sort == Sort::Ingress { config.ports() } else { 1 };
        let slot = |l| Slot { queue: plain + l, line: None };
        Recn {
            numbers,
            packet_bytes: config.packet_bytes as usize,
            place,
            plain: (0..plain).collect(),
            slots: (0..numbers.set_aside_queues as usize).map(slot).collect(),
            root: Told::default(),
            outbox: Vec::new(),
        }
    }

    /// *Join.*
    pub fn queue_for(&self, way: &[usize]) -> usize {
        let line = self.lines().filter(|(_, line)| way.starts_with(&line.turns));
        match line.max_by_key(|(_, line)| line.turns.len()) {
            Some((slot, _)) => self.slots[slot].queue,
            None if self.place.sort == Sort::Ingress => self.plain[way[0]],
            None => self.plain[0],
        }
    }

    /// *Marker.* A set-aside queue is held until its marker has left, and while it is stopped.
    pub fn is_held(&self, queue: usize) -> bool {
        self.line_of(queue).is_some_and(|slot| {
            let line = self.line(slot);
            line.marker.is_some() || line.stopped
        })
    }

    /// *Classes.* Whether a queue comes after all others.
    pub fn is_deferred(&self, queue: usize) -> bool {
        self.line_of(queue).is_some()
    }

    /// Whether an adapter side takes a packet with this way from admittance.
    pub fn accepts(&self, way: &[usize]) -> bool {
        self.line_of(self.queue_for(way)).is_none_or(|slot| !self.line(slot).off)
    }

    /// Lines in use, with the numbers of their slots.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        self.slots.iter().enumerate().filter_map(|(slot, s)| Some((slot, s.line.as_ref()?)))
    }

    /// The slot whose queue has this number, if it is in use.
    pub fn line_of(&self, queue: usize) -> Option<usize> {
        self.lines().map(|(slot, _)| slot).find(|&slot| self.slots[slot].queue == queue)
    }

    /// A packet from `from` has joined a queue.
    pub fn joined(&mut self, queues: &Queues, queue: usize, from: Neighbour) -> Vec<(Neighbour, Notice)> {
        let slot = self.line_of(queue).or_else(|| self.detect(queues, queue, from));
        if let Some(slot) = slot {
            self.grow(queues, slot, from);
            self.stop(queues, slot);
        }
        std::mem::take(&mut self.outbox)
    }

    /// *Detect.* Returns the slot of a new line, if there is one.
    fn detect(&mut self, queues: &Queues, queue: usize, from: Neighbour) -> Option<usize> {
        if !self.exceeds(queues, queue, self.numbers.detection_bytes) {
            return None;
        }
        match self.place.sort {
            Sort::Ingress => {
                let slot = self.free_slot()?;
                let port = self.plain.iter().position(|&plain| plain == queue).expect("it is a detection queue");
                (self.plain[port], self.slots[slot].queue) = (self.slots[slot].queue, queue);
                self.slots[slot].line = Some(Line { turns: vec![port], ..Line::default() });
                Some(slot)
            }
            Sort::Egress => {
                if !self.root.refused.contains(&from) && self.root.branches.insert(from) {
                    self.send(from, vec![self.place.port], Kind::Congested);
                }
                None
            }
            Sort::Adapter => None,
        }
    }

    /// *Grow.*
    fn grow(&mut self, queues: &Queues, slot: usize, from: Neighbour) {
        let exceeds = self.exceeds(queues, self.slots[slot].queue, self.numbers.notification_bytes);
        if !exceeds || self.place.sort == Sort::Adapter {
            return;
        }
        let line = self.line_mut(slot);
        if line.told.refused.contains(&from) || !line.told.branches.insert(from) {
            return;
        }
        let off = line.off;
        self.tell(slot, from, Kind::Congested);
        if off {
            self.tell(slot, from, Kind::Off);
        }
    }

    /// *Stop.*
    fn stop(&mut self, queues: &Queues, slot: usize) {
        if !self.line(slot).off && self.exceeds(queues, self.slots[slot].queue, self.numbers.xoff_bytes) {
            self.line_mut(slot).off = true;
            self.tell_all(slot, Kind::Off);
        }
    }

    /// A packet has left a queue.
    pub fn left(&mut self, queues: &Queues, queue: usize, packet: usize) -> Vec<(Neighbour, Notice)> {
        for line in self.slots.iter_mut().filter_map(|slot| slot.line.as_mut()) {
            line.marker = line.marker.filter(|&marker| marker != packet);
        }
        if let Some(slot) = self.line_of(queue) {
            let bytes = queues[queue].len() * self.packet_bytes;
            if self.line(slot).off && bytes < self.numbers.xon_bytes as usize {
                self.line_mut(slot).off = false;
                self.tell_all(slot, Kind::On);
            }
            if !self.exceeds(queues, queue, self.numbers.notification_bytes) {
                self.line_mut(slot).told.refused.clear();
            }
            if self.is_idle(queues, slot) {
                self.release(slot);
            }
        } else if !self.exceeds(queues, queue, self.numbers.detection_bytes) {
            self.root.refused.clear();
        }
        std::mem::take(&mut self.outbox)
    }

    /// A notice has come from `from`.
    pub fn told(&mut self, queues: &Queues, from: Neighbour, notice: &Notice) -> Vec<(Neighbour, Notice)> {
        let slot = self.lines().find(|(_, line)| line.turns == notice.turns).map(|(slot, _)| slot);
        match notice.kind {
            Kind::Congested => self.told_congested(queues, slot, from, &notice.turns),
            Kind::Off | Kind::On => {
                if let Some(slot) = slot.filter(|&slot| self.line(slot).downstream) {
                    self.line_mut(slot).stopped = notice.kind == Kind::Off;
                }
            }
            Kind::Released | Kind::Refused => {
                let told = match slot {
                    Some(slot) => &mut self.line_mut(slot).told,
                    None => {
                        assert!(notice.turns.is_empty(), "a line with branches is not released");
                        &mut self.root
                    }
                };
                assert!(told.branches.remove(&from), "only branches send such notices");
                if notice.kind == Kind::Refused {
                    told.refused.insert(from);
                }
                if let Some(slot) = slot.filter(|&slot| self.is_idle(queues, slot)) {
                    self.release(slot);
                }
            }
        }
        std::mem::take(&mut self.outbox)
    }

    /// *Told `Congested`*, with the slot of the line that has these turns.
    fn told_congested(&mut self, queues: &Queues, slot: Option<usize>, from: Neighbour, turns: &[usize]) {
        if let Some(slot) = slot {
            assert!(!self.line_mut(slot).downstream, "a branch is not told again");
            self.line_mut(slot).downstream = true;
            return;
        }
        if self.free_slot().is_none()
            && let Some(idle) = (0..self.slots.len()).find(|&slot| self.is_idle(queues, slot))
        {
            self.release(idle);
        }
        let Some(slot) = self.free_slot() else {
            let turns = self.as_downstream_knows(turns);
            return self.send(from, turns, Kind::Refused);
        };
        let before = self.queue_for(turns);
        let last = queues[before].back().map(|waiting| waiting.packet);
        let marker = last.or_else(|| self.line(self.line_of(before)?).marker);
        self.slots[slot].line = Some(Line { turns: turns.to_vec(), downstream: true, marker, ..Line::default() });
    }

    /// *Release.*
    fn release(&mut self, slot: usize) {
        let line = self.slots[slot].line.take().expect("it is in use");
        if line.downstream {
            let to = match self.place.sort {
                Sort::Ingress => Neighbour::Port(line.turns[0]),
                Sort::Egress | Sort::Adapter => Neighbour::Link,
            };
            let turns = self.as_downstream_knows(&line.turns);
            self.send(to, turns, Kind::Released);
        }
    }

    /// Whether a line has no branches, no marker and no packets.
    fn is_idle(&self, queues: &Queues, slot: usize) -> bool {
        let Slot { queue, line } = &self.slots[slot];
        line.as_ref()
            .is_some_and(|line| line.told.branches.is_empty() && line.marker.is_none() && queues[*queue].is_empty())
    }

    /// The turns of a line as its downstream neighbour knows them.
    pub fn as_downstream_knows(&self, turns: &[usize]) -> Vec<usize> {
        turns[usize::from(self.place.sort == Sort::Ingress)..].to_vec()
    }

    /// The turns of a line as its upstream neighbours know them.
    pub fn as_upstream_knows(&self, turns: &[usize]) -> Vec<usize> {
        let own = (self.place.sort == Sort::Egress).then_some(self.place.port);
        own.into_iter().chain(turns.iter().copied()).collect()
    }

    fn tell_all(&mut self, slot: usize, kind: Kind) {
        for to in self.line(slot).told.branches.clone() {
            self.tell(slot, to, kind);
        }
    }

    fn tell(&mut self, slot: usize, to: Neighbour, kind: Kind) {
        let turns = self.as_upstream_knows(&self.line(slot).turns);
        self.send(to, turns, kind);
    }

    fn send(&mut self, to: Neighbour, turns: Vec<usize>, kind: Kind) {
        self.outbox.push((to, Notice { turns, kind }));
    }

    fn exceeds(&self, queues: &Queues, queue: usize, bytes: u32) -> bool {
        queues[queue].len() * self.packet_bytes > bytes as usize
    }

    fn free_slot(&self) -> Option<usize> {
        self.slots.iter().position(|slot| slot.line.is_none())
    }

    fn line(&self, slot: usize) -> &Line {
        self.slots[slot].line.as_ref().expect("it is in use")
    }

    fn line_mut(&mut self, slot: usize) -> &mut Line {
        self.slots[slot].line.as_mut().expect("it is in use")
    }
}
