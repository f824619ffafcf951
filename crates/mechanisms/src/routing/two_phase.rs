//! Two phases in a HyperX: to a router drawn at random and on to the destination, in dimension order, with channels for each phase. Every
//! packet goes so, or those for which the queues of their source router make it worth it.
//!
//! Paper:    Valiant 1982; Singh 2005 (UGAL). Kim, Dally and Abts, ISCA 2007 (the flattened butterfly). With BookSim 2's numbers: its
//!           `valiant`, `ugal` and `ugal_xyyx` of `flatfly`.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's two destinations; its own coordinates; by queues what the source router owes to its ports.
//! State:    none.
//! Differs from the papers: UGAL draws its router out of the box that source and destination are corners of, and a detour has to be worth
//! two flits more, as in BookSim 2.

use super::{Conditions, Listed, Routes};
use crate::Refusal;
use std::sync::Arc;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::rows::Rows;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Two phases.
pub static ENTRY: Entry = Entry {
    name: "two_phase",
    summary: "in a HyperX by way of a random router, always or where queues say so, with a half of the channels for each phase",
    paper: "Kim, Dally and Abts, ISCA 2007",
    ideal: false,
    params: &[
        Param {
            name: "detour",
            kind: Kind::Choice(&[
                ("always", "by any router (Valiant)"),
                (
                    "queues",
                    "by a router between source and destination, where q_min H_min > q_det H_det + 2 with the flits q that the source router owes \
                     to the first port of each way, and its hops H (UGAL). Input-queued routers and cut-through alone",
                ),
            ]),
            unit: "",
            fallback: Fallback::Text("always"),
            doc: "Which packets take a detour.",
        },
        Param {
            name: "order",
            kind: Kind::Choice(&[
                ("first", "the first dimension first"),
                ("either", "by a coin for each packet the first or the last one first, on a half of the channels each"),
            ]),
            unit: "",
            fallback: Fallback::Text("first"),
            doc: "In what order a packet takes the dimensions of each phase.",
        },
    ],
};

/// The flits by which a detour has to be better.
const BIAS: u64 = 2;

/// The word: the router of the detour, and where the packet is.
const MIDDLE: u32 = (1 << 20) - 1;
const TO_MIDDLE: u32 = 1 << 20;
const ONWARD: u32 = 2 << 20;

/// The routing.
#[derive(Clone, Debug)]
pub struct TwoPhase(Arc<Tables>);

#[derive(Debug)]
struct Tables {
    rows: Rows,
    routers: u32,
    channels: u32,
    by_queues: bool,
    either: bool,
}

/// The lower and the upper half of a range of channels; they share one where their number is odd.
fn half((begin, end): (u32, u32), apart: u32, upper: bool) -> (u32, u32) {
    if upper { (begin + apart, end) } else { (begin, end - apart) }
}

impl Tables {
    /// The channels of a phase, as a mask.
    fn channels_of(&self, onward: bool, last_first: bool) -> u16 {
        let (all, halves) = ((0, self.channels - 1), self.channels / 2);
        let (begin, end) = match self.either {
            true => half(half(all, halves, last_first), halves / 2, onward),
            false => half(all, halves, onward),
        };
        (begin..=end).fold(0, |mask, channel| mask | 1 << channel)
    }

    fn differs(&self, from: u32, to: u32, dimension: usize) -> bool {
        self.rows.coordinate(from, dimension) != self.rows.coordinate(to, dimension)
    }

    fn hops(&self, from: u32, to: u32) -> u32 {
        (0..self.rows.dimensions()).filter(|&d| self.differs(from, to, d)).count() as u32
    }

    /// The first port on the way to another router.
    fn port(&self, at: u32, to: u32, packet: &Packet) -> u8 {
        let mut dimensions = 0..self.rows.dimensions();
        let open = |d: &usize| self.differs(at, to, *d);
        let d = if self.last_first(packet) { dimensions.rfind(open) } else { dimensions.find(open) };
        let d = d.expect("it is another router");
        self.rows.ports(at, d, self.rows.coordinate(to, d)).start as u8
    }

    fn last_first(&self, packet: &Packet) -> bool {
        self.either && packet.choice & 1 == 1
    }

    /// The router of a packet's detour.
    fn middle(&self, source: u32, packet: &Packet) -> u32 {
        let drawn = if self.either { packet.choice / 2 } else { packet.choice };
        if !self.by_queues {
            return drawn;
        }
        let (mut middle, mut stride) = (0, 1);
        for d in 0..self.rows.dimensions() {
            let of = if self.differs(source, packet.router, d) { drawn } else { source };
            middle += self.rows.coordinate(of, d) * stride;
            stride *= self.rows.side(d);
        }
        middle
    }

    /// Draws that are told apart.
    fn draws(&self) -> u32 {
        self.routers * if self.either { 2 } else { 1 }
    }

    /// The word of a head that asks at `at`.
    fn arrived(&self, at: u32, packet: &Packet, word: u32) -> u32 {
        let there = at == word & MIDDLE || !self.by_queues && at == packet.router;
        if word & TO_MIDDLE != 0 && there { ONWARD } else { word }
    }

    fn request(&self, at: u32, packet: &Packet, word: &mut u32) -> Request {
        *word = self.arrived(at, packet, *word);
        let to = if *word & TO_MIDDLE != 0 { *word & MIDDLE } else { packet.router };
        if at == to {
            return Request { port: None, channels: 0 };
        }
        let channels = self.channels_of(*word & TO_MIDDLE == 0, self.last_first(packet));
        Request { port: Some(self.port(at, to, packet)), channels }
    }

    /// The links on the way of a packet that leaves `at` with a word.
    fn length(&self, at: u32, packet: &Packet, word: u32) -> u32 {
        let word = self.arrived(at, packet, word);
        if word & TO_MIDDLE == 0 {
            return self.hops(at, packet.router);
        }
        let (mut at, middle, mut links) = (at, word & MIDDLE, 0);
        while at != middle && (self.by_queues || at != packet.router) {
            at = self.step(at, middle, packet);
            links += 1;
        }
        links + self.hops(at, packet.router)
    }

    /// The router behind the first hop to another one.
    fn step(&self, at: u32, to: u32, packet: &Packet) -> u32 {
        let mut dimensions = 0..self.rows.dimensions();
        let open = |d: &usize| self.differs(at, to, *d);
        let d = if self.last_first(packet) { dimensions.rfind(open) } else { dimensions.find(open) };
        let d = d.expect("it is another router");
        let stride: u32 = (0..d).map(|lower| self.rows.side(lower)).product();
        let (here, there) = (self.rows.coordinate(at, d), self.rows.coordinate(to, d));
        at - here * stride + there * stride
    }

    /// Whether a head chooses between its ways.
    fn decides(&self, at: u32, packet: &Packet, word: u32) -> bool {
        self.by_queues && word == 0 && at != packet.router
    }

    /// The word of a packet's detour; `None` where it has none.
    fn detour(&self, at: u32, packet: &Packet) -> Option<u32> {
        let middle = self.middle(at, packet);
        (middle != at).then_some(TO_MIDDLE | middle)
    }
}

impl Listed for TwoPhase {
    const ROUTES: Routes = Routes::Detours;
    const CROSSES_TWICE: bool = true;
    const DECIDES_AT_SOURCE: bool = true;

    fn build(_view: View, _grid: &Grid, _channels: u32) -> Result<Self, Refusal> {
        Err(super::only_without_grid(&ENTRY))
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let routers = built.network.routers() as u32;
        let rows = Rows::of(&built.network).filter(|rows| rows.dimensions() > 0 && routers <= MIDDLE);
        let Some(rows) = rows else {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("{} routing goes by dimensions, and this network has none", ENTRY.name),
                help: "take topology.kind = \"hyperx\", or routing = \"minimal\"".to_owned(),
            });
        };
        let either = view.text("order") == "either";
        let needed = if either { 4 } else { 2 };
        if channels < needed {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!(
                    "{} routing needs {needed} virtual channels here, not {channels}: each phase has some of its own",
                    ENTRY.name
                ),
                help: format!("set router.virtual_channels to {needed} or more"),
            });
        }
        let by_queues = view.text("detour") == "queues";
        Ok(TwoPhase(Arc::new(Tables { rows, routers, channels, by_queues, either })))
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Err("where the number of channels is odd, both phases use the middle one, and packets can wait there for each other".to_owned())
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("packets go by way of a router that is drawn")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Err(super::WITHOUT_GRID_ONLY.to_owned())
    }
}

impl Routing for TwoPhase {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        let tables = &*self.0;
        packet.choice = draw() % tables.draws();
        let word = if tables.by_queues { 0 } else { TO_MIDDLE | tables.middle(router, packet) };
        packet.hops = tables.length(router, packet, word);
        word
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn sight(&self) -> Sight {
        if self.0.by_queues { Sight::Own } else { Sight::Nothing }
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let (tables, at) = (&*self.0, head.router);
        if tables.decides(at, packet, *word) {
            let cost =
                |to: u32, hops: u32| u64::from(queues.owed_by_port(tables.port(at, to, packet))) * u64::from(hops);
            let detour = tables.detour(at, packet).filter(|word| {
                let middle = word & MIDDLE;
                let hops = tables.hops(at, middle) + tables.hops(middle, packet.router);
                cost(packet.router, tables.hops(at, packet.router)) > cost(middle, hops) + BIAS
            });
            *word = detour.unwrap_or(ONWARD);
            packet.hops = tables.length(at, packet, *word);
        }
        tables.request(at, packet, word)
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let decides = self.0.decides(head.router, packet, word);
        1 + u32::from(decides && self.0.detour(head.router, packet).is_some())
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        let tables = &*self.0;
        if tables.decides(head.router, packet, *word) {
            let detour = (option == 1).then(|| tables.detour(head.router, packet)).flatten();
            *word = detour.unwrap_or(ONWARD);
        }
        tables.request(head.router, packet, word)
    }

    fn variety(&self) -> Variety {
        Variety { draws: (0..self.0.draws()).collect(), ..Variety::default() }
    }

    /// None by queues: how often packets take a detour depends on the traffic.
    fn even_draws(&self) -> Vec<u32> {
        if self.0.by_queues { Vec::new() } else { self.variety().draws }
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        match head.input {
            None => packet.choice,
            Some(_) if self.0.either => packet.choice & 1,
            Some(_) => 0,
        }
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        u32::from(input.is_some())
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        let tables = &*self.0;
        let source = || tables.by_queues && word == 0;
        let drawn = |middle: u32| {
            let number = if tables.either { packet.choice / 2 } else { packet.choice };
            if tables.by_queues { middle < tables.routers } else { middle == number }
        };
        let to_middle = word & !MIDDLE == TO_MIDDLE && drawn(word & MIDDLE);
        router < tables.routers && packet.choice < tables.draws() && (source() || word == ONWARD || to_middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::routing::section;
    use crate::testing::resolved_text;
    use tailback_network::family;

    fn built(sides: &str) -> Built {
        let spec = resolved_text(family::section(), &format!("topology = {{ kind = 'hyperx', sides = {sides} }}"));
        family::build(spec.view("topology")).unwrap_or_else(|error| panic!("{}", error.message))
    }

    fn routing(sides: &str, words: &str, channels: u32) -> Result<TwoPhase, Refusal> {
        let spec = resolved_text(section(), &format!("routing = {{ kind = 'two_phase', {words} }}"));
        TwoPhase::build_any(spec.view("routing"), &built(sides), channels)
    }

    /// The routers that a packet visits by its first option, or by its detour.
    fn visits(routing: &TwoPhase, built: &Built, packet: &Packet, option: u32) -> Vec<u32> {
        let (mut packet, source, choice) = (*packet, packet.source, packet.choice);
        let mut word = routing.start(source, &mut packet, || choice);
        let (mut at, mut visited) = (source, vec![source]);
        loop {
            let head = Head { router: at, input: (at != source).then_some((0, 0)) };
            let taken = option.min(routing.options(head, &packet, word) - 1);
            let request = routing.option(head, &packet, &mut word, taken);
            assert!(routing.fits(at, &packet, word), "{word:#x} at {at}");
            let Some(port) = request.port else { return visited };
            at = built.network.peer(at, port.into()).expect("a link").router;
            visited.push(at);
        }
    }

    #[test]
    fn packets_go_by_the_router_that_was_drawn() {
        let built = built("[3,3]");
        let always = routing("[3,3]", "detour = 'always'", 2).expect("it has halves");
        let packet = |choice| Packet { source: 0, destination: 4, router: 4, choice, ..Packet::default() };
        assert_eq!(visits(&always, &built, &packet(8), 0), [0, 2, 8, 7, 4]);
        assert_eq!(visits(&always, &built, &packet(0), 0), [0, 1, 4]);
        // It leads over the destination, and ends there.
        assert_eq!(visits(&always, &built, &Packet { router: 1, ..packet(7) }, 0), [0, 1]);
        let queues = routing("[3,3]", "detour = 'queues'", 2).expect("it has halves");
        assert_eq!(visits(&queues, &built, &packet(8), 0), [0, 1, 4]);
        assert_eq!(visits(&queues, &built, &packet(8), 1), [0, 2, 8, 7, 4]);
        // Only between the ends: in the row of both.
        let row = Packet { router: 2, ..packet(7) };
        assert_eq!(visits(&queues, &built, &row, 1), [0, 1, 2]);
        let either = routing("[3,3]", "detour = 'queues', order = 'either'", 4).expect("it has quarters");
        assert_eq!(visits(&either, &built, &packet(8 * 2 + 1), 1), [0, 6, 8, 5, 4]);
        assert!(routing("[3,3]", "order = 'either'", 3).is_err());
    }

    #[test]
    fn halves_share_a_channel_where_their_number_is_odd() {
        let of = |channels, either| {
            let order = if either { "either" } else { "first" };
            let routing = routing("[3,3]", &format!("order = '{order}'"), channels).expect("it has channels");
            [false, true].map(|onward| routing.0.channels_of(onward, false))
        };
        assert_eq!(of(4, false), [0b0011, 0b1100]);
        assert_eq!(of(5, false), [0b0_0111, 0b1_1100]);
        assert_eq!(of(8, true), [0b0011, 0b1100]);
    }
}
