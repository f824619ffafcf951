//! Looks at the packets of a run for the anatomy of its congestion (`docs/anatomy.md`).

mod tables;
mod ways;

pub(crate) use tables::tables;

use crate::prepare::Prepared;
use crate::router::Router;
use tailback_engine::Network;
use tailback_engine::contract::census::{Scope, Stand, What};
use tailback_engine::contract::queueing::Discipline;
use tailback_probes::anatomy::{Anatomy, Census, Fronts, Heads, Links, Look, Movement, Queues, Speed, Ways};
use ways::Routed;

/// What the looks at a run found.
#[derive(Clone, Debug)]
pub struct Dissected {
    /// Trees, blocked time, flows.
    pub anatomy: Anatomy,
    /// By direction: the speed of its busy areas, where they show one.
    pub speeds: Vec<Option<Speed>>,
}

/// Takes a look whenever it is time.
pub(crate) struct Dissector<'a> {
    prepared: &'a Prepared,
    /// Where looks are asked for.
    ways: Option<Routed<'a>>,
    /// The cycle before which the next look is taken; for ever away where there are no more.
    next: u64,
    last: u64,
    anatomy: Anatomy,
    /// The stands of the current look.
    stands: Vec<Stand>,
    look: Look,
    queues: Queues,
}

tailback_base::state!(['a] Dissector<'a> { saved: next, anatomy; rebuilt: prepared, ways, last, stands, look, queues; });

/// Nobody looks without them.
const LOOKS: &str = "it looks only where looks are asked for";

impl<'a> Dissector<'a> {
    /// With the looks that the spec asks for.
    pub fn new(prepared: &'a Prepared) -> Self {
        let every = prepared.anatomy_every();
        let (from, last) = prepared.measured_window();
        let ways = (every > 0).then(|| Routed::new(prepared));
        let links = || Links::new(&prepared.network);
        let size = if every > 0 { (links().count(), prepared.network.nodes() as u32) } else { (0, 0) };
        let anatomy = Anatomy::new(every, size, ways.as_ref().filter(|ways| ways.are_known()));
        let (stands, look, queues) = Default::default();
        let mut dissector = Dissector { prepared, ways, next: u64::MAX, last, anatomy, stands, look, queues };
        dissector.next = if every > 0 { dissector.after(from) } else { u64::MAX };
        dissector
    }

    /// Looks whenever it is asked.
    pub fn at_will(prepared: &'a Prepared) -> Self {
        Dissector { ways: Some(Routed::new(prepared)), next: u64::MAX, ..Dissector::new(prepared) }
    }

    /// What stands in the network now, in the order of queues, with the ways of the packets.
    pub fn now(&mut self, engine: &impl Network) -> (Fronts, &mut Look, &Routed<'a>) {
        self.now_beside(engine, |_| ())
    }

    /// The same; `beside` sees each stand on the way.
    pub fn now_beside(
        &mut self,
        engine: &impl Network,
        beside: impl FnMut(&Stand),
    ) -> (Fronts, &mut Look, &Routed<'a>) {
        let fronts = self.take(engine, beside);
        self.look.standing.sort_by_key(|packet| (packet.queue, packet.position));
        (fronts, &mut self.look, self.ways.as_ref().expect(LOOKS))
    }

    /// The cycle before which to come back.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether it has taken all looks before `cycle`, and takes any.
    pub fn is_of(&self, cycle: u64) -> bool {
        self.next == u64::MAX || self.anatomy.every > 0 && self.next > cycle
    }

    /// Takes a look, if it is time.
    pub fn look(&mut self, engine: &impl Network) {
        let cycle = engine.cycle();
        if cycle != self.next {
            return;
        }
        self.next = self.after(cycle);
        let fronts = self.take(engine, |_| ());
        let links = Links::new(&self.prepared.network);
        self.anatomy.look((cycle, fronts), links, &mut self.look, self.ways.as_ref().expect(LOOKS));
    }

    /// Fills the look.
    fn take(&mut self, engine: &impl Network, beside: impl FnMut(&Stand)) -> Fronts {
        let links = Links::new(&self.prepared.network);
        let census = Census { links, heads: self.prepared.heads(), buffer: self.prepared.router.buffer_flits() };
        if census.is_told_one_by_one() {
            self.one_by_one(census, engine, beside)
        } else {
            self.all(census, engine, beside)
        }
    }

    /// Fills the look with all packets of the engine.
    fn all(&mut self, census: Census<'_>, engine: &impl Network, mut beside: impl FnMut(&Stand)) -> Fronts {
        let Dissector { ways, stands, look, queues, .. } = self;
        let ways = ways.as_ref().expect(LOOKS);
        stands.clear();
        engine.census(Scope::Routers, &mut |stand| {
            beside(&stand);
            stands.push(stand);
        });
        look.clear();
        census.look(stands, ways, queues, &mut look.standing);
        Fronts::of(stands)
    }

    /// Fills the look with the packets of the engine that count: who stands behind a front that goes waits for nothing else.
    fn one_by_one(&mut self, census: Census<'_>, engine: &impl Network, mut beside: impl FnMut(&Stand)) -> Fronts {
        let Dissector { ways, look, .. } = self;
        let ways = ways.as_ref().expect(LOOKS);
        // Whether the front is blocked; the destination of the packet behind it that was told of last.
        let (mut fronts, mut blocked, mut last) = (Fronts::default(), false, None);
        let by_destination = ways.are_by_destination();
        look.clear();
        engine.census(Scope::Routers, &mut |stand| {
            beside(&stand);
            if let What::Behind(_) = stand.what {
                // PERF: packets are not written down twice, and only one of several that go alike
                // (`tailback bench --probes recn-1`).
                if blocked {
                    if by_destination && last == Some(stand.destination) {
                        look.join(stand.packet.source);
                    } else {
                        look.standing.push(census.behind(&stand));
                        last = Some(stand.destination);
                    }
                }
                return;
            }
            fronts.add(&stand);
            let front = census.standing(&stand, ways);
            (blocked, last) = (front.is_some_and(|front| front.state.blocked() != 0), None);
            look.standing.extend(front);
        });
        fronts
    }

    /// The time of the look after one at `cycle`.
    fn after(&self, cycle: u64) -> u64 {
        let next = cycle.saturating_add(self.anatomy.every);
        if next <= self.last { next } else { u64::MAX }
    }

    /// What was found, where looks were asked for.
    pub fn found(self, movement: Option<&Movement>) -> Option<Dissected> {
        let speed = |port| movement.and_then(|m| m.speed(port));
        (self.anatomy.every > 0).then(|| {
            // Only in a grid do busy areas move along lines.
            let ports = self.prepared.network.grid().map_or(0, |grid| grid.ports());
            Dissected { anatomy: self.anatomy, speeds: (0..ports).map(speed).collect() }
        })
    }
}

impl Prepared {
    fn anatomy_every(&self) -> u64 {
        self.view("probes").u64("anatomy_every_cycles")
    }

    fn heads(&self) -> Heads {
        match self.router {
            Router::CutThrough(_) => Heads::Fixed,
            Router::Adaptive(_) => Heads::Choosing,
            Router::Wormhole(_) | Router::InputQueued(_) => Heads::Flits,
            Router::Queued(_) => Heads::Switched { parted: !self.discipline().shares_memory() },
        }
    }
}
