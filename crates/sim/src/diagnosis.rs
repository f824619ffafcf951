//! How a run ended and why: what stands behind the status of its record.

use crate::prepare::Prepared;
use crate::run::Finished;
use crate::starvation::{Doubt, LongWaits, Starving};
use crate::why::places;
use tailback_engine::outcome::{Blocked, Cause, Deadlock, Kept, Standing, Waits};
use tailback_network::NONE;
use tailback_probes::levels::direction_name;
use tailback_probes::{Binding, Livelock};
use tailback_results::Status;
use tailback_traffic::Placed;

/// How a run ended and why.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagnosis {
    /// The network carries what it is offered.
    Steady,
    /// The workload came to its end.
    Completed,
    /// It was stopped from outside.
    Interrupted,
    /// Sources fall behind.
    Saturated(Saturation),
    /// The workload's limit came before its end.
    Slow(Slow),
    /// Nodes get nothing in while others are served, those first that have waited longest.
    Starved(Vec<Starving>),
    /// Packets go on and on, and none arrives.
    Livelocked(Livelock),
    /// Packets wait for each other for ever.
    Deadlocked(Lock),
    /// The operations of a program wait for messages that are never sent.
    Stuck(Stuck),
}

impl Diagnosis {
    /// The status of the record.
    pub fn status(&self) -> Status {
        match self {
            Diagnosis::Steady => Status::Steady,
            Diagnosis::Completed => Status::Completed,
            Diagnosis::Interrupted => Status::Interrupted,
            Diagnosis::Saturated(_) => Status::Saturated,
            Diagnosis::Slow(_) => Status::Slow,
            Diagnosis::Starved(_) => Status::Starved,
            Diagnosis::Livelocked(_) => Status::Livelocked,
            Diagnosis::Deadlocked(_) => Status::Deadlocked,
            Diagnosis::Stuck(_) => Status::Stuck,
        }
    }

    /// The packets that wait for each other for ever, where there are any.
    pub fn lock(&self) -> Option<&Lock> {
        match self {
            Diagnosis::Deadlocked(lock) => Some(lock),
            _ => None,
        }
    }
}

/// What binds a saturated network.
#[derive(Clone, Debug, PartialEq)]
pub struct Saturation {
    /// Links, and nodes of routers, that many heads wait for while those behind go on; the busiest first.
    pub binding: Vec<Binding>,
    /// Heads that wait in the buffers of all links, on average over the measured window; `None` where nobody looked.
    pub heads: Option<f64>,
    /// Nodes that are proved to get nothing in, while the others get too little, those first that have waited longest.
    pub starving: Vec<Starving>,
}

/// How far a workload came that did not end before its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slow {
    /// Packets delivered.
    pub delivered: u64,
    /// Packets of the workload.
    pub packets: u64,
    /// The cycle of the last delivery.
    pub last_delivery: u64,
    /// Cycles that the others would take at the mean pace so far; `None` where none was delivered.
    pub cycles_left: Option<u64>,
}

/// How far a program came that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The cycle in which its last operation finished.
    pub since: u64,
    /// Operations that have not finished.
    pub remaining: u64,
    /// Receives that wait for a message.
    pub waiting: u64,
    /// Some of them, those of a circle first: what each waits for, in words.
    pub waits: Vec<String>,
}

/// Packets that wait for each other for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// All heads that can never move.
    pub blocked: usize,
    /// Heads that wait in a circle, each for the buffer of the next head.
    pub circle: Vec<Held>,
    /// Where nodes execute a program and it locks together with the network: messages that keep places of ejection buffers, and receives
    /// that wait, in words.
    pub waits: Vec<String>,
}

/// A packet of the circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Where it is and what it asks for.
    pub head: Blocked,
    /// The link behind which it waits: the routers at both ends.
    pub link: (u32, u32),
    /// The link in words.
    pub words: String,
}

impl Finished {
    /// How the run ended and why: the worst that is true of it; and long waits that are not called starvation.
    pub(crate) fn diagnosis(&self, prepared: &Prepared) -> (Diagnosis, Option<LongWaits>) {
        if let Some(deadlock) = &self.deadlock {
            return (Diagnosis::Deadlocked(lock(prepared, deadlock, self.standing.as_ref())), None);
        }
        if let Some(livelock) = self.livelock {
            return (Diagnosis::Livelocked(livelock), None);
        }
        if self.interrupted {
            return (Diagnosis::Interrupted, None);
        }
        let hosted = prepared.traffic.hosted().is_some();
        let collective = prepared.traffic.ends() && !hosted;
        if let Some(standing) = self.standing.as_ref().filter(|of| of.completed.is_none() && !self.gave_up) {
            return (Diagnosis::Stuck(stuck(prepared, standing)), None);
        }
        // A host has given up that asks while messages are under way.
        if (collective || hosted) && !self.gave_up {
            return (Diagnosis::Completed, None);
        }
        let (starving, in_doubt) = self.starving(prepared);
        if !starving.is_empty() && self.others_are_served(prepared, &starving) {
            return (Diagnosis::Starved(starving), None);
        }
        let unserved = LongWaits { nodes: starving, doubt: Doubt::Unserved };
        match self.gave_up {
            true if collective => (Diagnosis::Slow(self.slow(prepared)), in_doubt.or(unserved.any())),
            gave_up if gave_up && !hosted || self.falls_behind() => {
                (Diagnosis::Saturated(self.saturation(prepared, unserved.nodes)), in_doubt)
            }
            _ => (Diagnosis::Steady, in_doubt.or(unserved.any())),
        }
    }

    /// Whether the sources fell behind in the measured window: more than a hundredth of what they made did not arrive, or
    /// packets made in its last third waited half as long again as those of its first.
    fn falls_behind(&self) -> bool {
        let meter = &self.watch.meter;
        let short = meter.made_flits.saturating_sub(meter.delivered_flits);
        let third = meter.batches().len() / 3;
        let mean = |batches: &[tailback_probes::meter::Batch]| {
            let packets: u64 = batches.iter().map(|b| b.packets).sum();
            batches.iter().map(|b| b.latency).sum::<u64>() as f64 / packets.max(1) as f64
        };
        let (first, last) = (mean(&meter.batches()[..third]), mean(&meter.batches()[2 * third..]));
        // A handful of packets proves nothing either way.
        meter.made_packets > 1000 && (short * 100 > meter.made_flits || last > 1.5 * first)
    }

    fn saturation(&self, prepared: &Prepared, starving: Vec<Starving>) -> Saturation {
        let heads = (self.heads.looks() > 0).then(|| self.heads.mean());
        Saturation { binding: self.heads.binding(prepared.network()), heads, starving }
    }

    fn slow(&self, prepared: &Prepared) -> Slow {
        let packets = prepared.traffic.packets(prepared.router.packet_flits()).unwrap_or(0);
        let delivered = self.counters.delivered;
        let left = u128::from(packets.saturating_sub(delivered)) * u128::from(self.cycle);
        let cycles_left = (delivered > 0).then(|| (left / u128::from(delivered)) as u64);
        Slow { delivered, packets, last_delivery: self.watch.meter.last_delivery, cycles_left }
    }
}

fn stuck(prepared: &Prepared, standing: &Standing) -> Stuck {
    let waits = standing.waits.iter().map(|waits| waits_for(prepared, waits)).collect();
    let since = standing.finishes.iter().copied().max().unwrap_or(0);
    Stuck { since, remaining: standing.remaining, waiting: standing.waiting, waits }
}

/// `rank 1 (line 4) waits for a message from rank 0 with tag 2, which ...`.
fn waits_for(prepared: &Prepared, waits: &Waits) -> String {
    let place = |rank: u32, number: u32| {
        let program = prepared.traffic.program().expect("only programs wait").program();
        format!("rank {rank} ({})", program.place(rank, number))
    };
    let from = waits.from.map_or("any rank".to_owned(), |from| format!("rank {from}"));
    let tag = waits.tag.map_or(String::new(), |tag| format!(" with tag {tag}"));
    let cause = match (waits.cause, waits.from) {
        (Cause::Behind { send, receive }, Some(from)) => {
            format!(
                ", which {} would send; that send waits for the receive of {}",
                place(from, send),
                place(from, receive)
            )
        }
        (Cause::Leaving { send }, Some(from)) => {
            format!(", which {} sends; not all of it has left rank {from}", place(from, send))
        }
        (Cause::NeverSent, _) => ", and no operation is left that sends it".to_owned(),
        _ => String::new(),
    };
    format!("{} waits for a message from {from}{tag}{cause}", place(waits.rank, waits.number))
}

/// `1 packet of rank 0 (line 3) keeps a place of the ejection buffer of rank 1, which no receive of that rank asks for`.
fn keeps(prepared: &Prepared, kept: &Kept) -> String {
    let program = prepared.traffic.program().expect("only programs keep places").program();
    let Kept { rank, message: (source, number), packets } = *kept;
    let keep =
        if packets == 1 { "1 packet keeps a place".to_owned() } else { format!("{packets} packets keep places") };
    let place = program.place(source, number);
    format!(
        "{keep} of the ejection buffer of rank {rank}, for a message of rank {source} ({place}) that no receive asks for yet"
    )
}

fn lock(prepared: &Prepared, deadlock: &Deadlock, standing: Option<&Standing>) -> Lock {
    let network = prepared.network();
    let upstream = |head: &Blocked| match head.input.0 {
        Blocked::SOURCE | Blocked::CONSUMER => NONE,
        port => network.behind(head.router, usize::from(port)).map_or(NONE, |from| from.router),
    };
    let held = |head: &Blocked| Held { head: *head, link: (upstream(head), head.router), words: words(prepared, head) };
    let standing = standing.filter(|_| deadlock.is_of_protocol());
    let waits = standing.map_or_else(Vec::new, |standing| {
        let kept = standing.kept.iter().map(|kept| keeps(prepared, kept));
        kept.chain(standing.waits.iter().map(|waits| waits_for(prepared, waits))).collect()
    });
    Lock { blocked: deadlock.blocked, circle: deadlock.cycle.iter().map(held).collect(), waits }
}

/// `the packet from node 0 to node 2 is the first in ...`.
fn words(prepared: &Prepared, head: &Blocked) -> String {
    let network = prepared.network();
    let place = |router: u32| places::at(network, router);
    let node = |port: u32| node_name(prepared, port);
    if head.is_consumer() && prepared.traffic.program().is_some_and(Placed::keeps_unmatched) {
        return format!(
            "packets of messages that no receive asks for yet keep every place of the ejection buffer of {}",
            node(head.destination)
        );
    }
    if head.is_consumer() {
        return format!(
            "requests keep every place of the ejection buffer of {} until replies have left {}, which wait there",
            node(head.destination),
            node(head.source)
        );
    }
    let far = |port: u8| network.ahead(head.router, usize::from(port)).map_or(NONE, |to| to.router);
    let channels: Vec<String> = tailback_base::bits::ones(u64::from(head.channels)).map(|c| c.to_string()).collect();
    let room = match head.room {
        None => String::new(),
        Some(0) => ", which is full".to_owned(),
        Some(flits) => format!(", which has room for {flits} flits"),
    };
    let is_home = usize::from(head.port) >= network.ports(head.router);
    let waits = match is_home {
        true => format!("a place in the ejection buffer of {}, which is full", node(head.destination)),
        false => format!(
            "room in channel {} of {} at {}{room}",
            channels.join(" or "),
            direction_name(usize::from(head.port)),
            place(far(head.port))
        ),
    };
    let stands = match head.input.0 {
        Blocked::SOURCE => format!("the source queue of {}", node(head.source)),
        port => format!("channel {} of {} at {}", head.input.1, direction_name(usize::from(port)), place(head.router)),
    };
    format!(
        "the packet from {} to {} is the first in {stands}, and waits for {waits}",
        node(head.source),
        node(head.destination),
    )
}

/// `node 3`, with the class of its port where messages have classes.
fn node_name(prepared: &Prepared, port: u32) -> String {
    match prepared.traffic.classes() {
        1 => format!("node {port}"),
        classes => format!("node {} (class {})", port / classes, port % classes),
    }
}
