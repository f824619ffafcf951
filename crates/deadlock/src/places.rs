//! Who stands where and may take what, each once however many packets do: what the checks go by.

use tailback_base::bits::ones;
use tailback_base::hash::{Map, Set};

/// A head at the end of a buffer: at which router, and what it may take from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The router.
    pub router: u32,
    /// The bit of the router from which on the masks count.
    pub first: u32,
    /// Preferred channels, as a mask; with `fallback`, none of either: it has arrived.
    pub preferred: u64,
    /// Escape channels, as a mask.
    pub fallback: u64,
    /// The destination, where packets for each are kept apart; 0 else.
    pub goal: u32,
}

impl Situation {
    /// Whether it waits for nobody.
    pub fn arrived(&self) -> bool {
        self.preferred | self.fallback == 0
    }
}

/// Packets that fill any one of some buffers with their heads in a situation, and an example of one.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// The router that sends into the buffers.
    pub router: u32,
    /// The bit of the router from which on the mask counts.
    pub first: u32,
    /// The channels that they are behind, as a mask of one port's.
    pub channels: u64,
    /// The situation.
    pub situation: u32,
    /// Source router of such a packet.
    pub source: u32,
    /// Its destination router.
    pub destination: u32,
}

impl Hold {
    /// The buffers, of `width` a router.
    pub fn buffers(&self, width: u32) -> impl Iterator<Item = u32> + use<> {
        let first = self.router * width + self.first;
        ones(self.channels).map(move |bit| first + bit as u32)
    }
}

/// From a situation a packet goes on to another, and holds what lies in between.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// The situation.
    pub from: u32,
    /// The other.
    pub to: u32,
    /// The channel that leads there, as a bit of the first one's router.
    pub channel: u32,
}

/// All holds.
#[derive(Debug, Default)]
pub struct Places {
    /// Situations.
    pub situations: Vec<Situation>,
    /// Holds: each pair of buffer and situation once.
    pub holds: Vec<Hold>,
    /// From situations by preferred channels to others: each pair once.
    pub next: Vec<Next>,
    // PERF: a table for every router and link, since walks look at all that is at one of them before they go on.
    situation_ids: Vec<Map<Situation, u32>>,
    held: Vec<Map<u32, u64>>,
    seen: Vec<Set<(u32, u32)>>,
}

impl Places {
    /// No places yet, for a network with these numbers of routers and links.
    pub fn new(routers: usize, links: usize) -> Self {
        Places {
            situation_ids: vec![Map::default(); routers],
            held: vec![Map::default(); links],
            seen: vec![Set::default(); links],
            ..Places::default()
        }
    }

    /// The number of a situation.
    pub fn situation(&mut self, situation: Situation) -> u32 {
        let new = self.situations.len() as u32;
        let id = *self.situation_ids[situation.router as usize].entry(situation).or_insert(new);
        if id == new {
            self.situations.push(situation);
        }
        id
    }

    /// Takes in a hold behind a link, and returns all channels of that link behind which packets come to that situation.
    pub fn hold(&mut self, link: usize, hold: Hold) -> u64 {
        let known = self.held[link].entry(hold.situation).or_insert(0);
        let new = hold.channels & !*known;
        *known |= new;
        if new != 0 {
            self.holds.push(Hold { channels: new, ..hold });
        }
        *known
    }

    /// A packet goes on from a situation to another over a link.
    pub fn goes_on(&mut self, link: usize, next: Next) {
        if self.seen[link].insert((next.from, next.to)) {
            self.next.push(next);
        }
    }

    /// Takes in all of another one, found in another part of the same network. `link`: the number of a router's link that
    /// has this bit.
    pub fn take(&mut self, other: Places, link: impl Fn(u32, u32) -> usize) {
        let ids: Vec<u32> = other.situations.iter().map(|&situation| self.situation(situation)).collect();
        for hold in other.holds {
            let situation = ids[hold.situation as usize];
            self.hold(link(hold.router, hold.first + hold.channels.trailing_zeros()), Hold { situation, ..hold });
        }
        for next in other.next {
            let router = other.situations[next.from as usize].router;
            let (from, to) = (ids[next.from as usize], ids[next.to as usize]);
            self.goes_on(link(router, next.channel), Next { from, to, ..next });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_buffer_and_situation_is_kept_once() {
        let mut places = Places::new(2, 2);
        let mut hold =
            |channels| places.hold(1, Hold { router: 1, first: 0, channels, situation: 0, source: 0, destination: 1 });
        assert_eq!([hold(0b01), hold(0b01), hold(0b110), hold(0b111)], [0b001, 0b001, 0b111, 0b111]);
        let kept: Vec<u64> = places.holds.iter().map(|hold| hold.channels).collect();
        assert_eq!(kept, [0b001, 0b110]);
        assert_eq!(places.holds[1].buffers(10).collect::<Vec<_>>(), [11, 12]);
        let next = Next { from: 0, to: 1, channel: 2 };
        (0..3).for_each(|_| places.goes_on(1, next));
        assert_eq!(places.next.len(), 1);
    }
}
