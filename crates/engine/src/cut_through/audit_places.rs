//! Every packet has one head, from which its tail has not come further than it can have; and sources have made what they must.

use super::events::Tail;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::books::{has_entered, sources_hold};
use crate::contract::routing::starts_alike;
use crate::contract::sources::Sources;
use crate::outcome::{AuditError, expect};
use crate::packet::Packet;
use std::collections::BTreeMap;
use tailback_traffic::Generated;

/// By router and input, when a tail leaves and by which output.
pub(super) type Leaving = BTreeMap<(u32, usize), (u64, usize)>;

/// Where the head of a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// At the front of its source queue.
    Source,
    /// It arrives at a network input in a later cycle.
    Arriving { router: u32, input: usize, at: u64 },
    /// At a network input, behind others or asking.
    Queued { router: u32, input: usize },
    /// Its node consumes it.
    Consumed,
}

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Every packet has one head, and whatever leaves an input leaves it once, towards its head.
    pub(super) fn audit_places(&self) -> Result<(), AuditError> {
        let (heads, leaving) = (self.heads()?, self.leaving()?);
        let asleep = |packet: u32| matches!(heads.get(&packet), Some(Stands::Source));
        for (id, packet) in self.packets.live() {
            let router = self.network.router_of(packet.source);
            let again = starts_alike(&self.parts.routing, router, packet, self.config.seed);
            // What queues decided shows in the word alone, which `Routing::fits` holds against the hops.
            let again = if self.kept.is_on() { Packet { hops: packet.hops, ..again } } else { again };
            let made = self.heads.sources.makes(packet.source, &Generated::from(packet));
            let entered = if asleep(id) { packet.entered == 0 } else { has_entered(packet, self.cycle) };
            expect(heads.contains_key(&id) && made && entered && again == *packet, || {
                format!("{packet:?} is nowhere")
            })?;
        }
        let waiting = heads.values().filter(|&&head| head == Stands::Source).count() as u64;
        sources_hold(waiting, &self.counters)?;
        self.audit_returns(&leaving)?;
        self.audit_levels()?;
        leaving.iter().try_for_each(|(&(router, input), &(tail, output))| {
            let packet = self.front(self.routers.id(router), input).packet;
            let granted = tail.checked_sub(u64::from(self.length(packet))).filter(|&granted| granted < self.cycle);
            let followed = granted.is_some_and(|granted| {
                let goes_on = || {
                    let due = granted + self.head_delay_of(self.routers.id(router), output);
                    self.goes_on(packet, (router, output), due, &heads, &leaving)
                };
                output >= self.layout.ports || goes_on()
            });
            expect(followed, || format!("router {router}, input {input}: a tail leaves without its head"))
        })
    }

    /// Whether a packet that leaves a router by `output` is at the next one, or will be, since cycle `due`.
    fn goes_on(
        &self,
        packet: u32,
        (router, output): (u32, usize),
        due: u64,
        heads: &BTreeMap<u32, Stands>,
        leaving: &Leaving,
    ) -> bool {
        let Some(ahead) = self.network.ahead(router, output) else { return false };
        let (peer, first) = (ahead.router, ahead.port as usize * self.layout.channels);
        let inputs = first..first + self.layout.channels;
        match heads.get(&packet) {
            Some(&Stands::Arriving { router, input, at }) if (router, inputs.contains(&input)) == (peer, true) => {
                at == due
            }
            Some(&Stands::Queued { router, input }) if (router, inputs.contains(&input)) == (peer, true) => {
                due < self.cycle
            }
            _ => leaving.range((peer, inputs.start)..(peer, inputs.end)).any(|(&(router, input), &(tail, _))| {
                let same = self.front(self.routers.id(router), input).packet == packet;
                same && tail >= due + u64::from(self.length(packet))
            }),
        }
    }

    /// The head of every packet, each found once.
    fn heads(&self) -> Result<BTreeMap<u32, Stands>, AuditError> {
        let (mut heads, mut twice) = (BTreeMap::new(), None);
        let mut found = |packet: u32, place: Stands| {
            if heads.insert(packet, place).is_some() {
                twice = Some(packet);
            }
        };
        for (at, arrival) in self.arrivals.iter_from(self.cycle) {
            let (router, input) = (arrival.router.get(), arrival.input as usize);
            found(arrival.slot.packet, Stands::Arriving { router, input, at });
        }
        for router in self.routers.ids() {
            for input in 0..self.layout.network_inputs {
                let leaves = usize::from(!self.routers.at(router).asks(input));
                let place = Stands::Queued { router: router.get(), input };
                self.queued(router, input).into_iter().skip(leaves).for_each(|packet| found(packet, place));
            }
        }
        for node in self.at_head.iter().filter(|&node| self.waits_to_enter(node as u32)) {
            found(self.head_of(node), Stands::Source);
        }
        for &Tail { router, input, output } in self.tails.iter() {
            if usize::from(output) >= self.layout.ports {
                found(self.front(router, input.into()).packet, Stands::Consumed);
            }
        }
        match twice {
            Some(packet) => Err(AuditError(format!("{:?} has two heads", self.packets[packet]))),
            None => Ok(heads),
        }
    }

    /// The tails that leave: those of all inputs that were granted an output.
    fn leaving(&self) -> Result<Leaving, AuditError> {
        let mut leaving = BTreeMap::new();
        for (at, &Tail { router, input, output }) in self.tails.iter_from(self.cycle) {
            let output = usize::from(output);
            let wired = output >= self.layout.ports || self.network.ahead(router.get(), output).is_some();
            let once = leaving.insert((router.get(), usize::from(input)), (at, output)).is_none();
            expect(wired && once, || format!("router {}, input {input}: a tail leaves twice", router.get()))?;
        }
        for router in self.routers.ids() {
            for input in 0..self.layout.inputs(router) {
                let granted = self.is_granted(router, input);
                expect(granted == leaving.contains_key(&(router.get(), input)), || {
                    format!("router {}, input {input}: its packet stands still for ever", router.get())
                })?;
            }
        }
        Ok(leaving)
    }

    /// Whether the front packet of an input has an output.
    fn is_granted(&self, router: Id, input: usize) -> bool {
        let state = self.routers.at(router);
        if input < self.layout.network_inputs {
            return state.is_taken(input) && !state.asks(input);
        }
        let node = self.layout.node_at(router, input);
        self.at_head.contains(node as usize) && !self.waits_to_enter(node)
    }

    /// The packet at the head of a source queue.
    fn head_of(&self, node: usize) -> u32 {
        let router = self.routers.id(self.network.router_of(node as u32));
        self.front(router, self.layout.injection_input(node as u32)).packet
    }

    /// Every source stands behind the packet that it has made last, and wakes when that is due.
    pub(super) fn audit_sources(&self) -> Result<(), AuditError> {
        let heads = &self.heads;
        let past = heads.left.iter().all(|&left| left < self.cycle.max(1));
        expect(past, || "a packet has left that is to come".to_owned())?;
        let mut started = 0;
        for node in 0..self.network.nodes() {
            let (next, known, taken) =
                (&heads.upcoming[node], heads.known.contains(node), heads.sources.taken(node as u32));
            let sleeps = known || heads.asleep.contains(node);
            let due = sleeps.then(|| heads.calendar.due(node as u32));
            let ready = self.ready_at(next.cycle);
            let right = if self.at_head.contains(node) {
                let front = &self.packets[self.head_of(node)];
                let same = Generated::from(front) == *next && front.source as usize == node;
                same && !known && due.is_none() && taken > 0 && ready < self.cycle
            } else if known {
                due == Some(ready) && ready >= self.cycle
            } else {
                heads.waits(node as u32, due) && due.is_none_or(|due| due >= self.cycle)
            };
            let sent = taken - u64::from(known && taken > 0);
            let gone = sent - u64::from(self.at_head.contains(node) && sent > 0);
            let counted = heads.gone.get(node).is_none_or(|&left| left == gone);
            expect(right && counted && heads.stands(node as u32), || {
                format!("node {node} does not stand behind {next:?}")
            })?;
            started += sent;
        }
        let counted = self.counters.started;
        expect(counted == started, || format!("{started} packets have come to the front, the counters say {counted}"))
    }
}
