//! PiggyBack: as UGAL-L; and a packet whose minimal global link is flagged as congested takes its detour.
//!
//! Paper:    Jiang, Kim, Dally, ISCA 2009. FOGSim for the flags.
//! Acts:     once at the source, when the packet may ask for the first time.
//! Sees:     what its router owes to the first hops of both ways; the flags of the global links of its group.
//! State:    the flags on their wires. A router flags its global links at the end of every cycle, and its neighbours see the flags after the
//! delay of their local links.
//! Differs from the paper: flags have wires of their own, so none waits for a packet to ride on. A link is compared with the mean of the
//! other global links of its router, unless `flag_mean` says otherwise.

use super::classes::{PARAM as CLASSES, Turns};
use super::detour::{Detours, TO};
use super::threshold::{BIAS, DRAWS, THRESHOLD};
use super::ugal::{Ugal, as_ugal, without_grid};
use super::{Conditions, Listed, Routes, ways};
use crate::Refusal;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::graph::LinkKind;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

const MEAN: Param = Param {
    name: "flag_mean",
    kind: Kind::Choice(&[
        ("others", "of the other global links of its router"),
        (
            "all",
            "of all global links of its router (Jiang 2009; FOGSim): of two links none is ever owed more than twice that",
        ),
    ]),
    unit: "",
    fallback: Fallback::Text("others"),
    doc: "Which mean a global link is compared with.",
};

const PERCENT: Param = Param {
    name: "flag_percent",
    kind: Kind::Integer { min: 0, max: 100_000 },
    unit: "%",
    fallback: Fallback::Integer(200),
    doc: "A global link is flagged where its router owes it more than this share of a mean, and flag_flits more (Jiang 2009; FOGSim).",
};

const FLITS: Param = Param {
    name: "flag_flits",
    kind: Kind::Integer { min: 0, max: 1 << 20 },
    unit: "flits",
    fallback: Fallback::Integer(40),
    doc: "What a global link is owed beyond that share where it is flagged: 5 packets of 8 flits (FOGSim has 5 packets).",
};

/// As ugal_l, and by a detour where the minimal global link is flagged in its group (PiggyBack).
pub static ENTRY: Entry = Entry {
    name: "piggyback",
    summary: "as ugal_l, and by a detour where the minimal global link is flagged in its group (PiggyBack)",
    paper: "Jiang et al., ISCA 2009",
    ideal: false,
    params: &[TO, CLASSES, THRESHOLD, BIAS, DRAWS, MEAN, PERCENT, FLITS],
};

/// The routing.
#[derive(Clone, Debug)]
pub struct PiggyBack {
    ugal: Ugal,
    /// A global link is flagged with so many hundredths of the mean of its router, and so many flits more.
    percent: u64,
    flits: u64,
    /// Whether the mean is that of the other global links.
    others: bool,
    /// Cycles of the longest local link.
    cycles: u32,
    /// All channels of a link, as a mask.
    all: u16,
}

impl Listed for PiggyBack {
    without_grid!();

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let ugal = Ugal::new(view, built, channels, Turns::AtSource)?;
        if !ugal.detours.has_groups() {
            return Err(Refusal {
                path: "routing.kind",
                message: "piggyback routing flags the global links of a group, and this network has none".to_owned(),
                help: "take routing = \"ugal_l\"".to_owned(),
            });
        }
        let network = &built.network;
        let links = (0..network.routers() as u32).flat_map(|router| network.links_of(router));
        let local = links.filter(|(_, link)| link.kind != LinkKind::Global).map(|(_, link)| link.cycles);
        let (percent, flits) = (view.u32("flag_percent").into(), view.u32("flag_flits").into());
        let others = view.text("flag_mean") == "others";
        Ok(PiggyBack {
            ugal,
            percent,
            flits,
            others,
            cycles: local.max().unwrap_or(0),
            all: ways::all(built.channels.of(LinkKind::Global, channels)),
        })
    }
}

impl Routing for PiggyBack {
    as_ugal!();

    fn sight(&self) -> Sight {
        Sight::Signals(self.cycles)
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let at = head.router;
        self.ugal.decide(head, packet, word, |packet, word| {
            let detour = || self.ugal.best(at, packet, word, |way| queues.owed_of(way.port, way.channels));
            let flagged = self.is_flagged(at, packet, word, queues).then(detour).flatten();
            flagged.map_or_else(|| self.ugal.choose(at, packet, word, queues), |best| best.0)
        })
    }

    fn signal(&self, router: u32, queues: &impl Queues) -> u64 {
        let owed = || self.globals(router).map(|port| u64::from(queues.owed_of(port, self.all)));
        let (sum, many) = (owed().sum::<u64>(), owed().count() as u64);
        let is_flagged = |q: u64| {
            let (sum, many) = if self.others { (sum - q, many - 1) } else { (sum, many) };
            // Without a division: q > percent / 100 * sum / many + flits.
            100 * many.max(1) * q > self.percent * sum + 100 * many.max(1) * self.flits
        };
        (0..64).zip(owed()).filter(|&(_, q)| is_flagged(q)).fold(0, |flags, (link, _)| flags | 1 << link)
    }
}

impl PiggyBack {
    /// The ports of a router's global links.
    fn globals(&self, router: u32) -> impl Iterator<Item = u8> + '_ {
        let links = self.ugal.detours.network().links_of(router);
        links.filter(|(_, link)| link.kind == LinkKind::Global).map(|(port, _)| port as u8)
    }

    /// Whether the router of the first global link on the minimal way flags it, as far as `at` knows.
    fn is_flagged(&self, at: u32, packet: &Packet, word: u32, queues: &impl Queues) -> bool {
        let (detours, network) = (&self.ugal.detours, self.ugal.detours.network());
        let mut found = None;
        detours.each_hop(at, packet, detours.minimal(at, packet, word).word, |router, port, _| {
            let is_global = network.link(router, port.into()).is_some_and(|link| link.kind == LinkKind::Global);
            found = found.or(is_global.then_some((router, port)));
        });
        let Some((router, port)) = found else { return false };
        let flags = if router == at {
            self.signal(at, queues)
        } else {
            let back = network.links_of(router).find(|(_, link)| link.to.router == at);
            back.map_or(0, |(_, link)| queues.signal(router, link.cycles))
        };
        self.globals(router).position(|global| global == port).is_some_and(|link| link < 64 && flags >> link & 1 == 1)
    }
}
