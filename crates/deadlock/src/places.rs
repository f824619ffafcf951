//! Who stands where and may take what, each once however many packets do: what the checks go by.

use crate::hash::{Map, Set};

/// A head at the end of a buffer: at which router, and what it may take from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The router.
    pub router: u32,
    /// Preferred channels, as a mask; with `fallback`, none of either: it has arrived.
    pub preferred: u64,
    /// Escape channels, as a mask.
    pub fallback: u64,
    /// The class of packets, where each is kept apart; 0 else.
    pub class: u32,
}

impl Situation {
    /// Whether it waits for nobody.
    pub fn arrived(&self) -> bool {
        self.preferred | self.fallback == 0
    }
}

/// A packet that fills a buffer with its head in a situation, and an example of one.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// The buffer.
    pub buffer: u32,
    /// The situation.
    pub situation: u32,
    /// Source router of such a packet.
    pub source: u32,
    /// Its destination router.
    pub destination: u32,
}

/// All holds.
#[derive(Debug, Default)]
pub struct Places {
    /// Situations.
    pub situations: Vec<Situation>,
    /// Holds, each pair of buffer and situation once.
    pub holds: Vec<Hold>,
    /// From a situation by a preferred channel to a hold that the same packet comes to.
    pub next: Vec<(u32, u32)>,
    situation_ids: Map<Situation, u32>,
    hold_ids: Map<(u32, u32), u32>,
    seen: Set<(u32, u32)>,
}

impl Places {
    /// The number of a situation.
    pub fn situation(&mut self, situation: Situation) -> u32 {
        let new = self.situations.len() as u32;
        let id = *self.situation_ids.entry(situation).or_insert(new);
        if id == new {
            self.situations.push(situation);
        }
        id
    }

    /// The number of a hold.
    pub fn hold(&mut self, hold: Hold) -> u32 {
        let new = self.holds.len() as u32;
        let id = *self.hold_ids.entry((hold.buffer, hold.situation)).or_insert(new);
        if id == new {
            self.holds.push(hold);
        }
        id
    }

    /// A packet goes on from a situation to a hold.
    pub fn goes_on(&mut self, situation: u32, hold: u32) {
        if self.seen.insert((situation, hold)) {
            self.next.push((situation, hold));
        }
    }
}
