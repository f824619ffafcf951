//! The places of packets for many destinations, those in which all of them go the same way visited once.
//!
//! Where a head's word says where it goes, whatever the packet ([`Routing::is_told`]), the heads for all destinations that carry
//! this word share one place: in dimension order, those for a column until they are in it. The holds are those that
//! [`walk`](crate::walk::walk) finds. They come in another order and without examples of packets, so a circle is looked for there.

use crate::channels::{Collector, Detail};
use crate::effort;
use crate::places::{Hold, Places};
use crate::walk::{Asked, Budget, Classes, Network, TooLarge, in_parts};
use tailback_base::bits::ones;
use tailback_base::hash::Map;
use tailback_engine::contract::routing::{Head, Routing, Sight, Variety};
use tailback_engine::packet::Packet;

/// Destinations that are walked at once, a bit each.
const GOALS: usize = 64;

const NOWHERE: u32 = u32::MAX;

/// Heads that ask for the same.
struct Place {
    router: u32,
    class: u8,
    word: u32,
    /// The one of the goals that they are for, where their word does not tell all.
    goal: Option<u8>,
    /// An input that they come by, as a bit of the router before; none where packets start here.
    input: Option<(u8, u8)>,
    /// The goals that they are for, as a mask, and those of them that have not been followed yet.
    goals: u64,
    pending: u64,
    asked: Asked,
    /// Groups of the candidates; 0 until somebody looked.
    ways: u32,
    looked: bool,
}

/// By router, class, word and goal.
type Key = (u32, u32, u32);

struct Walker<'a, 'n, R> {
    network: &'a Network<'n, R>,
    classes: &'a Classes,
    /// Destination routers.
    goals: Vec<u32>,
    places: Vec<Place>,
    known: Map<Key, u32>,
    /// By router: the place at which a packet started last.
    last: Vec<u32>,
    /// From one place by a group of channels to another.
    ways: Vec<(u32, u64, u32)>,
    /// Places to follow.
    open: Vec<u32>,
}

/// All holds of a network, without examples: their packets are from router 0 to router 0. `None` where words do not tell.
///
/// # Errors
/// [`TooLarge`], where a [`walk`](crate::walk::walk) is that would visit all places one by one.
pub(crate) fn collect<R: Routing + Sync>(network: &Network<R>, budget: Budget) -> Result<Option<Places>, TooLarge> {
    let routers = network.wiring.routers() as u32;
    let alike = network.routing.variety() == Variety::default() && network.routing.sight() == Sight::Nothing;
    if network.wiring.grid().is_none() || !alike || !starts_are_told(network) {
        return Ok(None);
    }
    if u64::from(routers) * u64::from(routers) > budget.places {
        return Err(TooLarge);
    }
    // Those that differ in the last dimensions alone, one after the other.
    let mut goals: Vec<u32> = (0..routers).collect();
    goals.sort_by_key(|&goal| network.grid().coordinates(goal).to_vec());
    let classes = Classes::new(network);
    let found = in_parts(&goals, |goals| {
        let mut collector = Collector::new(network, classes.count(), Detail::Ends);
        collect_part(network, &classes, goals, budget, &mut collector).map(|visited| (collector, visited))
    });
    let found = found.into_iter().collect::<Result<Vec<_>, TooLarge>>()?;
    let mut visited = vec![0; routers as usize];
    let parts = found.iter().flat_map(|(_, visited)| visited);
    goals.iter().zip(parts).for_each(|(&goal, &of_goal)| visited[goal as usize] = of_goal);
    if !budget.allows(&visited) {
        return Err(TooLarge);
    }
    Ok(Some(Collector::merged(network, found.into_iter().map(|(collector, _)| collector).collect())))
}

/// Whether the first word of every packet from router 0 tells its way.
fn starts_are_told<R: Routing>(network: &Network<R>) -> bool {
    let starts = (1..network.wiring.routers() as u32).map(|goal| start(network, 0, goal).0);
    network.wiring.routers() > 1 && starts.into_iter().all(|word| network.routing.is_told(word))
}

/// The first word of a packet, and the packet.
fn start<R: Routing>(network: &Network<R>, source: u32, goal: u32) -> (u32, Packet) {
    let mut packet = network.packet(source, (goal, 0));
    (network.routing.start(source, &mut packet, || 0), packet)
}

/// The places and ways of each goal, as many as there are if each goal is walked by itself.
fn collect_part<R: Routing>(
    network: &Network<R>,
    classes: &Classes,
    goals: &[u32],
    budget: Budget,
    collector: &mut Collector,
) -> Result<Vec<u64>, TooLarge> {
    let routers = network.wiring.routers();
    let (places, known, ways, open) = Default::default();
    let last = vec![NOWHERE; routers];
    let mut walker = Walker { network, classes, goals: Vec::new(), places, known, last, ways, open };
    let mut visited = Vec::with_capacity(goals.len());
    for goals in goals.chunks(GOALS) {
        walker.visit(goals);
        walker.tell(collector);
        effort::add(routers * goals.len() + walker.places.len() + walker.ways.len());
        visited.extend(walker.visited());
        if budget.is_cancelled() {
            return Err(TooLarge);
        }
    }
    Ok(visited)
}

impl<R: Routing> Walker<'_, '_, R> {
    fn visit(&mut self, goals: &[u32]) {
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.places.clear();
        self.known.clear();
        self.ways.clear();
        self.last.fill(NOWHERE);
        for source in 0..self.network.wiring.routers() as u32 {
            (0..goals.len() as u8).for_each(|goal| self.start(source, goal));
        }
        while let Some(at) = self.open.pop() {
            self.follow(at);
        }
    }

    fn start(&mut self, source: u32, goal: u8) {
        let (word, _) = start(self.network, source, self.goals[usize::from(goal)]);
        // PERF: as a rule it is the word of the goal before (`tailback check` of 64 x 64 routers).
        let last = self.last[source as usize];
        let same = |place: &&mut Place| place.word == word && place.goal.is_none();
        if let Some(place) = self.places.get_mut(last as usize).filter(same) {
            // It is to be followed already.
            place.goals |= 1 << goal;
            place.pending |= 1 << goal;
            return;
        }
        self.last[source as usize] = self.reach((source, 0, word), None, 1 << goal);
    }

    /// Heads for some goals come to a place. Where the word does not tell all it is one goal.
    fn reach(&mut self, (router, class, word): (u32, u8, u32), input: Option<(u8, u8)>, goals: u64) -> u32 {
        let goal = (!self.network.routing.is_told(word)).then(|| goals.trailing_zeros() as u8);
        let new = self.places.len() as u32;
        let of_goal = goal.map_or(0, |goal| u32::from(goal) + 1);
        let at = *self.known.entry((router, u32::from(class) << 8 | of_goal, word)).or_insert(new);
        if at == new {
            let (asked, ways, looked) = (Asked::default(), 0, false);
            self.places.push(Place { router, class, word, goal, input, goals: 0, pending: 0, asked, ways, looked });
        }
        let place = &mut self.places[at as usize];
        let more = goals & !place.goals;
        if more != 0 && place.pending == 0 {
            self.open.push(at);
        }
        place.goals |= more;
        place.pending |= more;
        at
    }

    /// What the heads at a place may take, and where that leads those that have come there since the last time.
    fn follow(&mut self, at: u32) {
        let place = &mut self.places[at as usize];
        let (router, input, mut word, pending) = (place.router, place.input, place.word, place.pending);
        place.pending = 0;
        let goal = self.goals[pending.trailing_zeros() as usize];
        // Who sent it makes no difference.
        let packet = self.network.packet(0, (goal, 0));
        let found = self.network.candidates(Head { router, input }, &packet, &mut word, 0);
        let first = !std::mem::replace(&mut self.places[at as usize].looked, true);
        self.places[at as usize].asked = found;
        let mut groups = 0;
        for way in self.network.ways(self.classes, router, found) {
            groups += 1;
            let next = (way.router, way.class, self.network.routing.advance(way.port, word));
            if self.network.routing.is_told(next.2) {
                let to = self.reach(next, Some(way.input), pending);
                if first {
                    self.ways.push((at, way.bits, to));
                }
                continue;
            }
            for goal in ones(pending) {
                let to = self.reach(next, Some(way.input), 1 << goal);
                self.ways.push((at, way.bits, to));
            }
        }
        self.places[at as usize].ways = groups;
    }

    /// All holds that were found.
    fn tell(&self, collector: &mut Collector) {
        let mut situation = |place: &Place| collector.situation((place.router, place.class), place.asked, 0);
        let ids: Vec<u32> = self.places.iter().map(&mut situation).collect();
        for &(from, channels, to) in &self.ways {
            let Place { router, asked: Asked { first, .. }, .. } = self.places[from as usize];
            collector.hold(Hold { router, first, channels, situation: ids[to as usize], source: 0, destination: 0 });
        }
    }

    /// By goal: its places and ways.
    fn visited(&self) -> impl Iterator<Item = u64> + '_ {
        let mut visited = [0; GOALS];
        let mut of_all = 0;
        for place in &self.places {
            let count = 1 + u64::from(place.ways);
            match place.goals {
                u64::MAX => of_all += count,
                goals => ones(goals).for_each(|goal| visited[goal] += count),
            }
        }
        visited.into_iter().take(self.goals.len()).map(move |visited| visited + of_all)
    }
}
