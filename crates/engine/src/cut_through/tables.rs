//! The tables by router, indexed without a check each time.
//!
//! A router's number is checked once, where an [`Id`] is made of it; from then on only the `Id` is passed around. All the
//! tables of a fabric have an entry for each of its routers and never change their length.
//!
//! PERF: the checks were a seventh of all instructions of a packet-hop (`tailback bench spth-32`).

use super::hot::Hot;
use crate::packet::Slot;
use bytemuck::allocation::zeroed_slice_box;
use std::marker::PhantomData;
use tailback_base::pages::large_vec;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};
use tailback_network::Grid;

/// The number of a router of this fabric's network: below the number of routers. Private to the fabric; the only ways to
/// one are [`Routers::id`], which checks, 0, which every network has, and a checkpoint, whose reader checks it against the
/// number that [`Routers`] tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Id(u32);

impl State for Id {
    fn save(&self, to: &mut Writer) {
        to.put(&self.0);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.0 = from.router()?;
        Ok(())
    }
}

impl Id {
    #[inline(always)]
    pub fn get(self) -> u32 {
        self.0
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The hot states.
#[derive(Clone, Debug)]
pub(super) struct Routers<R: Hot> {
    states: Box<[R]>,
}

impl<R: Hot> Routers<R> {
    /// `count` routers in this state, at least one.
    pub fn new(state: R, count: usize) -> Self {
        assert!(count > 0 && u32::try_from(count).is_ok(), "a network has routers, and 32 bits count them");
        Routers { states: large_vec(state, count).into() }
    }

    /// The `Id` of a router.
    #[inline(always)]
    pub fn id(&self, router: u32) -> Id {
        assert!((router as usize) < self.states.len(), "a router of this network");
        Id(router)
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<R> {
        (0..self.states.len() as u32).map(Id)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// All states, by number.
    pub fn all(&self) -> &[R] {
        &self.states
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn at(&self, router: Id) -> &R {
        debug_assert!(router.index() < self.states.len());
        // SAFETY: an `Id` is below the length of `states` when it is made (`id` checks it; 0 is below, since `new` refuses
        // an empty table), and the length of a boxed slice never changes. `Id`s do not leave the fabric they belong to:
        // the type is private to this module's parent, whose structures hold one fabric each.
        unsafe { self.states.get_unchecked(router.index()) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn at_mut(&mut self, router: Id) -> &mut R {
        debug_assert!(router.index() < self.states.len());
        // SAFETY: as in `at`.
        unsafe { self.states.get_unchecked_mut(router.index()) }
    }
}

/// From here on the reader knows how many routers there are.
impl<R: Hot> State for Routers<R> {
    fn save(&self, to: &mut Writer) {
        let Self { states } = self;
        states.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        from.set_routers(self.states.len() as u32);
        self.states.restore(from)
    }
}

/// Routers with something to do, one bit each.
#[derive(Clone, Debug)]
pub(super) struct Active {
    words: Box<[u64]>,
}

tailback_base::state!([] Active { saved: words; });

impl Active {
    /// An empty set for `routers` routers.
    pub fn new(routers: usize) -> Self {
        Active { words: vec![0; routers.div_ceil(64)].into() }
    }

    /// Adds a router if `bit` is 1, and does nothing if it is 0.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn insert_if(&mut self, router: Id, bit: u64) {
        let word = router.index() >> 6;
        debug_assert!(word < self.words.len());
        // SAFETY: there is a word for every 64 routers that an `Id` can name.
        unsafe { *self.words.get_unchecked_mut(word) |= bit << (router.index() & 63) };
    }

    /// Whether a router is there.
    pub fn has(&self, router: Id) -> bool {
        self.words[router.index() >> 6] >> (router.index() & 63) & 1 == 1
    }

    /// The words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Empties one word and returns what it held.
    #[inline]
    pub fn take_word(&mut self, word: usize) -> u64 {
        std::mem::take(&mut self.words[word])
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

/// The packets in every input: a ring of a power of two of places each.
#[derive(Clone, Debug)]
pub(super) struct Queues<R> {
    slots: Box<[Slot]>,
    /// Rings of a router less one, a power of two; those of a small router are known at compile time.
    mask: usize,
    /// Places of a ring, as a power of two.
    bits: u32,
    of: PhantomData<R>,
}

/// Rings of a router with so many network inputs.
pub(super) fn rings<R: Hot>(network_inputs: usize) -> usize {
    if R::RINGS == 0 { network_inputs.next_power_of_two() } else { R::RINGS }
}

impl<R: Hot> Queues<R> {
    /// Rings of `1 << bits` places for the network inputs, so many each, of `routers` routers.
    pub fn new(routers: usize, network_inputs: usize, bits: u32) -> Self {
        let rings = rings::<R>(network_inputs);
        assert!(rings.is_power_of_two() && bits < 16, "rings are small");
        // Memory is zero until it is written to, and takes no room: few packets stand behind another.
        Queues { slots: zeroed_slice_box((routers * rings) << bits), mask: rings - 1, bits, of: PhantomData }
    }

    /// Where a packet is kept. Always below `(router + 1) * rings << bits`, whatever `input` and `position`.
    #[inline(always)]
    fn index(&self, router: Id, input: usize, position: u16) -> usize {
        let place = usize::from(position) & ((1 << self.bits) - 1);
        let mask = if R::RINGS == 0 { self.mask } else { R::RINGS - 1 };
        ((router.index() * (mask + 1) + (input & mask)) << self.bits) | place
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn at(&self, router: Id, input: usize, position: u16) -> Slot {
        let index = self.index(router, input, position);
        debug_assert!(index < self.slots.len());
        // SAFETY: `slots` holds `rings << bits` places for every router that an `Id` can name, and `index` masks the rest.
        unsafe { *self.slots.get_unchecked(index) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn at_mut(&mut self, router: Id, input: usize, position: u16) -> &mut Slot {
        let index = self.index(router, input, position);
        debug_assert!(index < self.slots.len());
        // SAFETY: as in `at`.
        unsafe { self.slots.get_unchecked_mut(index) }
    }
}

/// Saved as the places that were ever written to, for the memory of the others is not even there.
impl<R> State for Queues<R> {
    fn save(&self, to: &mut Writer) {
        let Self { slots, mask: _, bits: _, of: _ } = self;
        let written = || slots.iter().enumerate().filter(|(_, slot)| **slot != Slot::default());
        to.put(&written().count());
        written().for_each(|(place, slot)| to.put(&(place, slot)));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        for _ in 0..from.length()? {
            let (place, slot): (usize, Slot) = from.take()?;
            ensure(place < self.slots.len(), "a packet is in no buffer")?;
            self.slots[place] = slot;
        }
        Ok(())
    }
}

/// The largest number of ports of a router of a grid, of at most eight dimensions.
const MAX_LINKS: usize = 16;

/// The router behind every port of a grid; where a mesh ends there is none, and nobody asks.
///
/// PERF: two bytes a router, since a link leads either a step on or round the ring. A table of the neighbours themselves is eight
/// times as long, and a large network waited for it more than for anything else (`tailback bench million`).
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// Per router, the ports whose links lead round a ring.
    round: Box<[u16]>,
    /// Per port, what a link that leads a step on adds to the number of a router, and one that leads round the ring.
    steps: [[u32; 2]; MAX_LINKS],
}

impl Steps {
    /// Links that lead nowhere, for so many routers: every port leads to its own router.
    pub fn none(routers: usize) -> Self {
        Steps { round: vec![0; routers].into(), steps: [[0; 2]; MAX_LINKS] }
    }

    /// The wiring of `grid`, each number checked by `id`.
    pub fn new(grid: &Grid, id: impl Fn(u32) -> Id) -> Self {
        assert!(grid.ports() <= MAX_LINKS, "the spec was checked for at most 8 dimensions");
        let mut peers = Steps::none(grid.routers());
        let mut stride = 1u32;
        for (d, &k) in grid.radix().iter().enumerate() {
            let (on, round) = (stride, (k - 1) * stride);
            peers.steps[2 * d] = [on, round.wrapping_neg()];
            peers.steps[2 * d + 1] = [on.wrapping_neg(), round];
            stride *= k;
        }
        for router in 0..grid.routers() as u32 {
            for (d, &k) in grid.radix().iter().enumerate() {
                let at = grid.coordinates(router)[d];
                peers.round[router as usize] |= u16::from(at == k - 1) << (2 * d) | u16::from(at == 0) << (2 * d + 1);
            }
            for port in 0..MAX_LINKS {
                let peer = id(peers.at(id(router), port).get()).get();
                assert!(port >= grid.ports() || [peer, tailback_network::NONE].contains(&grid.peer(router, port)));
            }
        }
        peers
    }

    /// The router that `port` of `router` leads to.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn at(&self, router: Id, port: usize) -> Id {
        debug_assert!(router.index() < self.round.len());
        let port = port & (MAX_LINKS - 1);
        // SAFETY: `round` has an entry for every router that an `Id` can name.
        let round = unsafe { *self.round.get_unchecked(router.index()) };
        // An `Id` without another check: `new` checked the sum for every router and port, and nothing changes them later.
        Id(router.get().wrapping_add(self.steps[port][usize::from(round >> port & 1)]))
    }

    /// The router whose output `port` feeds the input of the same number at `router`.
    #[inline(always)]
    pub fn upstream(&self, router: Id, port: usize) -> Id {
        self.at(router, port ^ 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hot::Size;
    use super::super::state::RouterState;
    use super::*;

    type Small = RouterState<u16, 16, 8, 4, 4>;

    fn routers(count: usize) -> Routers<Small> {
        let size = Size { network_inputs: 8, inputs: 9, ports: 4, outputs: 5, channels: 2, buffer_flits: 8 };
        Routers::new(Small::new(size), count)
    }

    #[test]
    fn only_numbers_of_routers_become_ids() {
        let table = routers(3);
        assert_eq!(table.ids().map(Id::get).collect::<Vec<_>>(), [0, 1, 2]);
        for bad in [3, 4, u32::MAX] {
            assert!(std::panic::catch_unwind(|| table.id(bad)).is_err());
        }
        assert!(std::panic::catch_unwind(|| routers(0)).is_err());
    }

    #[test]
    fn active_routers_are_those_put_in() {
        for count in [1, 63, 64, 65, 200] {
            let table = routers(count);
            let mut active = Active::new(count);
            assert!(active.is_empty());
            for router in table.ids() {
                active.insert_if(router, u64::from(router.get() % 3 == 0));
            }
            let members: Vec<u32> = (0..active.len())
                .flat_map(|word| {
                    let bits = active.take_word(word);
                    tailback_base::bits::ones(bits).map(move |bit| (word * 64 + bit) as u32)
                })
                .collect();
            assert_eq!(members, (0..count as u32).step_by(3).collect::<Vec<_>>());
            assert!(active.is_empty());
        }
    }

    #[test]
    fn every_index_stays_inside_whatever_it_is_asked_for() {
        for (count, bits) in [(1, 0), (1, 3), (7, 1), (64, 2)] {
            let table = routers(count);
            let mut queues = Queues::<Small>::new(count, 8, bits);
            for router in table.ids() {
                for input in [0, 1, 15, 16, 17, usize::MAX] {
                    for position in [0, 1, 7, 8, u16::MAX] {
                        assert!(queues.index(router, input, position) < queues.slots.len());
                        queues.at_mut(router, input, position).word = 1;
                        assert_eq!(queues.at(router, input, position).word, 1);
                    }
                }
                assert_eq!(table.at(router).idle_ports(), 0b11111);
            }
        }
    }

    #[test]
    fn peers_are_those_of_the_grid() {
        for (radix, wrap) in [([3, 2, 5], [true; 3]), ([3, 2, 5], [false; 3]), ([2, 4, 2], [true, false, true])] {
            let grid = Grid::new(&radix, &wrap, 1, 1);
            let table = routers(grid.routers());
            let peers = Steps::new(&grid, |router| table.id(router));
            for router in table.ids() {
                for port in 0..grid.ports() {
                    let there = grid.peer(router.get(), port);
                    assert!(there == tailback_network::NONE || peers.at(router, port).get() == there);
                }
                for port in [6, 7, 8, 1000, usize::MAX] {
                    assert!((peers.at(router, port).get() as usize) < grid.routers());
                }
            }
        }
    }
}
