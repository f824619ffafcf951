//! Packets on their way, and what their cycles have been charged to.

use super::{COUNT, QUEUE_WAIT, WIRES, part_of};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tailback_base::hash::Map;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::census::{Doing, Front, Name};

/// A packet on its way, as a checkpoint holds it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Open {
    pub started: u64,
    /// The cycle after the last one that has been charged.
    pub seen: u64,
    pub parts: [u64; COUNT],
    /// Its head has left for its node: what follows is charged when it is delivered.
    pub arriving: bool,
    /// Whether it was made in the span; of the others it is only known that they are there.
    pub measured: bool,
    /// The part that its cycles are charged to until it is heard of again, by the number behind it; 0: it stands behind another packet.
    pub goes_on: u8,
}

tailback_base::plain!(Open);

/// What a packet's head does at present.
///
/// PERF: a head mostly does what it did in the cycle before. Then nothing is touched but this (`tailback bench --probes recn-1`).
#[derive(Clone, Copy, Debug)]
struct Present {
    /// The cycle after the last one in which it was heard of.
    seen: u64,
    /// The cycles from this one on have not been added to their part yet.
    since: u64,
    part: u8,
    /// Whether it goes on doing so while nothing is heard of it.
    goes_on: bool,
    /// Whether it is measured and has not left for its node.
    counts: bool,
    /// The packet's place, or [`NOWHERE`].
    place: u32,
}

const NOBODY: Present = Present { seen: 0, since: 0, part: 0, goes_on: false, counts: false, place: NOWHERE };

/// What else is known of a packet.
#[derive(Clone, Copy, Debug)]
struct Past {
    started: u64,
    parts: [u64; COUNT],
    measured: bool,
    /// The engine's number, or [`NOWHERE`] until it tells of the packet.
    id: u32,
    /// What its head does, until then.
    present: Present,
}

/// Packets on their way.
///
/// PERF: the engine tells of heads by numbers of its own, so that in every cycle one is found without a search. Names are looked for
/// when a packet comes and when it goes (`tailback bench --probes`).
#[derive(Clone, Debug, Default)]
pub(super) struct Under {
    /// Only looked up, never walked in an order that means something.
    places: Map<Name, u32>,
    past: Vec<Past>,
    free: Vec<u32>,
    /// By the engine's number; [`NOBODY`] where that is of no packet.
    present: Vec<Present>,
    /// Number of these packets that were made in the span.
    pub measured: u32,
}

const NOWHERE: u32 = u32::MAX;

impl Under {
    pub fn insert(&mut self, name: Name, open: Open) -> u32 {
        self.measured += u32::from(open.measured);
        let place = self.free.pop().unwrap_or(self.past.len() as u32);
        let present = Present {
            seen: open.seen,
            since: open.seen,
            part: open.goes_on.saturating_sub(1),
            goes_on: open.goes_on > 0,
            counts: open.measured && !open.arriving,
            place,
        };
        let past = Past { started: open.started, parts: open.parts, measured: open.measured, id: NOWHERE, present };
        match self.past.get_mut(place as usize) {
            Some(free) => *free = past,
            None => self.past.push(past),
        }
        self.places.insert(name, place);
        place
    }

    /// The packet at a place.
    fn open(&self, place: u32) -> Open {
        let past = &self.past[place as usize];
        let present = if past.id == NOWHERE { &past.present } else { &self.present[past.id as usize] };
        let mut open = Open {
            started: past.started,
            seen: present.seen,
            parts: past.parts,
            arriving: past.measured && !present.counts,
            measured: past.measured,
            goes_on: if present.goes_on { present.part + 1 } else { 0 },
        };
        // More parts than there are only a forged checkpoint knows.
        if let Some(part) = open.parts.get_mut(usize::from(present.part)) {
            *part += present.seen - present.since;
        }
        open
    }

    pub fn named(&self, name: Name) -> Option<Open> {
        self.places.get(&name).map(|&place| self.open(place))
    }

    pub fn all(&self) -> impl Iterator<Item = Open> + '_ {
        self.places.values().map(|&place| self.open(place))
    }

    pub fn remove(&mut self, name: Name) -> Option<Open> {
        let place = self.places.remove(&name)?;
        let open = self.open(place);
        self.measured -= u32::from(open.measured);
        let id = self.past[place as usize].id;
        if id != NOWHERE {
            self.present[id as usize] = NOBODY;
        }
        self.free.push(place);
        Some(open)
    }

    /// The packet leaves its source queue in `cycle`: what it did at the front of that has come to its end.
    pub fn enters(&mut self, name: Name, cycle: u64) {
        let Some(&place) = self.places.get(&name) else { return };
        let past = &mut self.past[place as usize];
        let present = if past.id == NOWHERE { &mut past.present } else { &mut self.present[past.id as usize] };
        if present.goes_on {
            past.parts[usize::from(present.part)] += cycle - present.since;
            (present.seen, present.since, present.goes_on) = (cycle, cycle, false);
        }
    }

    /// The engine tells of a head at the end of the cycle before `now`. `name`: the packet's.
    #[inline]
    pub fn hear(&mut self, front: Front, now: u64, name: impl FnOnce() -> Name) {
        let id = front.id as usize;
        if self.present.get(id).is_none_or(|present| present.place == NOWHERE) {
            self.meet(id, name());
        }
        let present = &mut self.present[id];
        // Of some it tells twice in a cycle, and the same.
        if !present.counts || present.seen >= now {
            return;
        }
        let goes_on = present.goes_on || present.seen + 1 == now;
        if goes_on && usize::from(present.part) == part_of(front.doing) && present.goes_on == front.lasts {
            present.seen = now;
            return;
        }
        self.change(front, now);
    }

    /// A head does something else, or was not heard of for a while.
    fn change(&mut self, front: Front, now: u64) {
        let present = &mut self.present[front.id as usize];
        let past = &mut self.past[present.place as usize];
        let unheard = now - 1 - present.seen;
        let charged = if present.goes_on { now - 1 } else { present.seen } - present.since;
        past.parts[usize::from(present.part)] += charged;
        if !present.goes_on {
            let flight = unheard.min(u64::from(front.flight));
            past.parts[WIRES] += flight;
            past.parts[QUEUE_WAIT] += unheard - flight;
        }
        let (seen, counts) = if front.doing == Doing::Arriving { (now - 1, false) } else { (now, true) };
        let part = part_of(front.doing) as u8;
        *present = Present { seen, since: now - 1, part, goes_on: counts && front.lasts, counts, ..*present };
    }

    /// The engine tells of a packet for the first time.
    #[cold]
    fn meet(&mut self, id: usize, name: Name) {
        let place = match self.places.get(&name) {
            Some(&place) => place,
            None => self.insert(name, Open::default()),
        };
        if self.present.len() <= id {
            self.present.resize(id + 1, NOBODY);
        }
        let past = &mut self.past[place as usize];
        let before = std::mem::replace(&mut past.id, id as u32);
        self.present[id] = match before {
            NOWHERE => past.present,
            // It has another number from now on.
            before => std::mem::replace(&mut self.present[before as usize], NOBODY),
        };
    }
}

/// A checkpoint holds packets by their names; the engine's numbers are told anew.
impl State for Under {
    fn save(&self, to: &mut Writer) {
        let open = |(&name, &place): (&Name, &u32)| (name, self.open(place));
        self.places.iter().map(open).collect::<HashMap<Name, Open>>().save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let mut open = HashMap::<Name, Open>::new();
        open.restore(from)?;
        *self = Under::default();
        for (name, open) in open {
            self.insert(name, open);
        }
        Ok(())
    }
}
