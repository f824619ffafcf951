//! Packets that choose between their minimal way and a detour: what such routings have in common.

use super::classes::Turns;
use super::detour::{Detours, Way};
use super::threshold::Threshold;
use crate::Refusal;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request};
use tailback_engine::packet::Packet;
use tailback_network::family::Built;
use tailback_spec::View;

/// Minimal ways, detours, and a comparison of both.
#[derive(Clone, Debug)]
pub struct Ugal {
    pub detours: Detours,
    pub threshold: Threshold,
    /// Detours that a packet draws.
    pub draws: u32,
    turns: Turns,
}

impl Ugal {
    /// Of a resolved `routing` section.
    ///
    /// # Errors
    /// Where the network has no detours, or too few channels for them.
    pub fn new(view: View, built: &Built, channels: u32, turns: Turns) -> Result<Self, Refusal> {
        let detours = Detours::new(view, built, channels, turns)?;
        let draws = if view.has("draws") { view.u32("draws") } else { 1 };
        Ok(Ugal { detours, threshold: Threshold::new(view), draws, turns })
    }

    /// Whether the packet decides at this router.
    pub fn decides(&self, at: u32, packet: &Packet, word: u32) -> bool {
        let late = || self.turns == Turns::BehindLocal && self.detours.may_turn(at, packet, word);
        self.detours.is_open(at, packet, word) || late()
    }

    /// The detour for which `flits` are fewest, each counted as the comparison does: of several the one with the lowest port.
    pub fn best(&self, at: u32, packet: &Packet, word: u32, flits: impl Fn(Way) -> u32) -> Option<(Way, u32)> {
        let detours = (0..self.draws).filter_map(|number| self.detours.detour(at, packet, word, number));
        let with_flits = detours.map(|way| (way, flits(way)));
        with_flits.min_by_key(|&(way, flits)| (self.threshold.cost(way, flits), way.port))
    }

    /// The way that a packet takes by the queues of its router, at the first hops of its ways.
    pub fn choose(&self, at: u32, packet: &Packet, word: u32, queues: &impl Queues) -> Way {
        let flits = |way: Way| match self.threshold.by_port {
            true => queues.owed_by_port(way.port),
            false => queues.owed_of(way.port, way.channels),
        };
        let minimal = self.detours.minimal(at, packet, word);
        let far = if self.detours.goes_far(at, packet) { packet.flits } else { 0 };
        match self.best(at, packet, word, flits) {
            Some(best) if self.threshold.prefers(best, (minimal, flits(minimal)), far) => best.0,
            _ => minimal,
        }
    }

    /// What a head asks for, which takes the way that `choose` returns where it may decide.
    pub fn decide(
        &self,
        head: Head,
        packet: &mut Packet,
        word: &mut u32,
        choose: impl FnOnce(&Packet, u32) -> Way,
    ) -> Request {
        if self.decides(head.router, packet, *word) {
            let way = choose(packet, *word);
            packet.hops = Detours::made(*word) + way.hops;
            *word = way.word;
        }
        self.detours.request(head, packet, word)
    }

    /// Whether a word may be that of a packet here. What turns behind its first hop has the hops of its detour from then on, while its tail
    /// may still leave its source with the word of the minimal way.
    pub fn fits(&self, at: u32, packet: &Packet, word: u32) -> bool {
        let fits = |whole| self.detours.fits(at, packet, word, self.draws, whole);
        let turned = || {
            let (ahead, word) = self.detours.behind_first(at, packet, word)?;
            let turns = self.turns == Turns::BehindLocal && self.detours.may_turn(ahead, packet, word);
            let mut ways = (0..self.draws).filter_map(|number| self.detours.detour(ahead, packet, word, number));
            turns.then(|| ways.any(|way| Detours::made(word) + way.hops == packet.hops))
        };
        fits(packet.hops) || turned() == Some(true) && fits(self.detours.whole(at, packet, word))
    }

    /// How many ways a head may decide on.
    pub fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let decides = self.decides(head.router, packet, word);
        1 + u32::from(decides && self.detours.detour(head.router, packet, word, 0).is_some())
    }

    /// What a head asks for that decides on its minimal way (0) or on its first detour (1).
    pub fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        if self.decides(head.router, packet, *word) {
            let minimal = || self.detours.minimal(head.router, packet, *word);
            let detour = (option == 1).then(|| self.detours.detour(head.router, packet, *word, 0)).flatten();
            *word = detour.unwrap_or_else(minimal).word;
        }
        self.detours.request(head, packet, word)
    }
}

/// The methods of `Routing` that are those of a field `ugal`.
macro_rules! as_ugal {
    () => {
        fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
            self.ugal.detours.start(router, packet, draw);
            0
        }

        fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
            self.ugal.option(head, packet, word, 0)
        }

        fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
            self.ugal.options(head, packet, word)
        }

        fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
            self.ugal.option(head, packet, word, option)
        }

        fn variety(&self) -> Variety {
            self.ugal.detours.variety()
        }

        /// None: how often packets take a detour depends on the traffic.
        fn even_draws(&self) -> Vec<u32> {
            Vec::new()
        }

        fn memory(&self, _head: Head, packet: &Packet) -> u32 {
            packet.choice
        }

        fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
            0
        }

        fn advance(&self, _port: u8, word: u32) -> u32 {
            Detours::advance(word)
        }

        fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
            self.ugal.fits(router, packet, word)
        }
    };
}
pub(super) use as_ugal;

/// The methods of `Listed` that a routing has which knows no grid.
macro_rules! without_grid {
    () => {
        const ROUTES: Routes = Routes::Detours;

        fn build(view: View, _grid: &Grid, _channels: u32) -> Result<Self, Refusal> {
            Err(Refusal {
                path: "routing.kind",
                message: format!("{} routing is for networks without a grid", view.kind()),
                help: "take routing = \"valiant\" or \"adaptive\" on a grid".to_owned(),
            })
        }

        fn freedom_of_any(view: View, _built: &Built) -> Result<String, String> {
            super::classes::freedom(view)
        }

        fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
            Err("packets choose between a minimal way and a detour")
        }

        fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
            Err("it is for networks without a grid".to_owned())
        }
    };
}
pub(super) use without_grid;
