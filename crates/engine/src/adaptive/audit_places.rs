//! Every packet has one head, from which its tail has not come further than it can have; and nodes have made what they must.

use super::fabric::Fabric;
use super::interface::NEVER;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::state::Mask;
use super::window::First;
use crate::books::{has_entered, sources_hold, waits_to_enter};
use crate::contract::routing::{Candidates, Head, asked_for};
use crate::outcome::{AuditError, expect};
use crate::packet::Packet;
use std::collections::{BTreeMap, BTreeSet};
use tailback_base::bits::BitSet;

/// By router and input, when the tail of the packet leaves that is sent.
type Tails = BTreeMap<(u32, usize), u64>;

/// By packet, when its head arrives, at which router and input.
type Coming = BTreeMap<u32, (u64, u32, usize)>;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Every packet has one head and is what its source has made; whatever is sent goes towards its head.
    pub(super) fn audit_places(&self) -> Result<(), AuditError> {
        let (tails, coming) = (self.sent()?, self.coming_at());
        let (mut heads, mut waiting) = (vec![0u32; self.packets.all().len()], BitSet::new(self.packets.all().len()));
        self.arrivals.iter().for_each(|arrival| heads[arrival.slot.packet as usize] += 1);
        self.home.landing.iter().for_each(|&packet| heads[packet as usize] += 1);
        for (router, state) in (0u32..).zip(&self.routers) {
            for input in state.fronted.get().each() {
                let id = state.at(input).slot.packet;
                let sent = tails.get(&(router, input));
                if sent.is_none() || state.ejects(input) {
                    self.audit_front(router, input)?;
                }
                heads[id as usize] += u32::from(sent.is_none() || state.ejects(input));
                if sent.is_none() && input >= self.layout.network {
                    waiting.insert(id as usize);
                }
                if let Some(&tail) = sent {
                    let right = tail >= self.flits()
                        && self.goes_on(id, (router, input), tail - self.flits(), (&tails, &coming));
                    expect(right, || format!("router {router}, input {input}: a tail leaves without its head"))?;
                }
            }
            for input in 0..self.layout.network {
                for n in 1..state.at(input).count {
                    heads[self.queued_at(router, input, n) as usize] += 1;
                }
            }
        }
        sources_hold(waiting.iter().count() as u64, &self.counters)?;
        self.packets.live().try_for_each(|(id, packet)| {
            let since = match waiting.contains(id as usize) {
                true => waits_to_enter(packet, self.cycle),
                false => has_entered(packet, self.cycle),
            };
            let right = heads[id as usize] == 1 && since && u64::from(packet.hops) <= self.cycle;
            expect(right && self.has_made(packet), || format!("{packet:?} has {} heads", heads[id as usize]))
        })
    }

    /// Flits in every buffer are those of the packets there, once those that move have moved.
    pub(super) fn audit_levels(&self) -> Result<(), AuditError> {
        let Some(occupancy) = &self.occupancy else { return Ok(()) };
        let (settled, tails) = (occupancy.settled(self.cycle), self.sent()?);
        let index = |router: u32, input: usize| {
            let (port, channel) = self.layout.name(input).unwrap_or_default();
            occupancy.index(router, port.into(), channel.into())
        };
        let mut due = vec![0i64; settled.len()];
        for arrival in self.arrivals.iter() {
            due[index(arrival.router, arrival.input as usize)] += self.flits() as i64;
        }
        for (router, state) in (0u32..).zip(&self.routers) {
            for input in 0..self.layout.network {
                let sent = u16::from(tails.contains_key(&(router, input)));
                due[index(router, input)] +=
                    i64::from(state.at(input).count.saturating_sub(sent)) * self.flits() as i64;
            }
        }
        expect(settled == due, || "buffers are not as full as they are said to be".to_owned())
    }

    fn flits(&self) -> u64 {
        self.config.packet_flits.into()
    }

    /// Number `n` of the packets in a network input.
    fn queued_at(&self, router: u32, input: usize, n: u16) -> u32 {
        let front = self.routers[router as usize].at(input).front;
        self.queues[self.place(router, input, front.wrapping_add(n))].slot.packet
    }

    /// Whether the source of a packet makes such packets.
    fn has_made(&self, packet: &Packet) -> bool {
        let router = self.network.router_of(packet.source);
        self.interface.makers.has_made(&self.parts.routing, router, packet, self.config.seed)
    }

    /// By router and input, when the tails leave of the packets that are sent.
    fn sent(&self) -> Result<Tails, AuditError> {
        let mut sent = Tails::new();
        for (at, tail) in self.tails.iter_from(self.cycle) {
            let once = sent.insert((tail.router, usize::from(tail.number)), at).is_none();
            expect(once && at < self.cycle + self.flits(), || format!("router {}: a tail leaves twice", tail.router))?;
        }
        let mut ripe: Vec<_> = self.ripe.iter().map(|head| (head.router, head.number)).collect();
        ripe.sort_unstable();
        expect(ripe.windows(2).all(|pair| pair[0] < pair[1]), || "a head asks for the first time twice".to_owned())?;
        Ok(sent)
    }

    /// By packet, where and when its head arrives.
    fn coming_at(&self) -> Coming {
        let arrivals = self.arrivals.iter_from(self.cycle);
        arrivals.map(|(at, arrival)| (arrival.slot.packet, (at, arrival.router, arrival.input as usize))).collect()
    }

    /// Whether a packet that has been sent from an input since cycle `since` is behind the channel that it was sent by.
    fn goes_on(&self, id: u32, (router, input): (u32, usize), since: u64, (tails, coming): (&Tails, &Coming)) -> bool {
        let state = &self.routers[router as usize];
        if state.ejects(input) {
            return true;
        }
        let channel = usize::from(state.at(input).channel);
        let (peer, entry) = self.ahead::<false>(state, router, channel);
        let due = since + self.cycles(router, self.layout.port_of(channel));
        if coming.get(&id) == Some(&(due, peer, entry)) {
            return true;
        }
        let there = self.routers[peer as usize].at(entry);
        let front = there.count > 0 && there.slot.packet == id;
        let later = tails.get(&(peer, entry)).is_none_or(|&tail| tail >= due + self.flits());
        due < self.cycle && (front && later || (1..there.count).any(|n| self.queued_at(peer, entry, n) == id))
    }

    /// What a head asks for follows from its packet.
    fn audit_front(&self, router: u32, input: usize) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.layout);
        let (slot, channel) = (state.at(input).slot, usize::from(state.at(input).channel));
        let packet = &self.packets[slot.packet];
        let head = Head { router, input: l.name(input) };
        let kept = Candidates { preferred: state.preferred(input), fallback: state.fallback(input) };
        let first = state.first(input);
        let holds = self.by_channel && state.held.get().has(channel) && usize::from(state.at(channel).holder) == input;
        let right = match kept.all() == 0 {
            true => {
                let here = self.network.router_of(packet.destination) == router;
                let lane = || l.ejection_channel(self.seat(router, packet.destination), input);
                state.ejects(input) && here && channel == lane()
            }
            false => {
                !state.ejects(input)
                    && (!holds || (first..first + 64).contains(&channel) && kept.all().has(channel - first))
            }
        };
        let ask = |word: &mut u32| {
            let (first, asked) = W::First::candidates(&self.parts.routing, head, packet, self.config.channels, word);
            (first.get(), asked)
        };
        let asks = asked_for(slot.word, ask, (first, kept));
        expect(right && asks, || {
            format!("router {router}, input {input}: a head asks for {kept:x?}, which does not lead it on: {packet:?}")
        })
    }

    /// Every node stands behind the message that it makes, and wakes when that is due.
    pub(super) fn audit_nodes(&self) -> Result<(), AuditError> {
        let makers = &self.interface.makers;
        makers.astray(self.cycle).map_or(Ok(()), |node| {
            Err(AuditError(format!("node {node} does not stand behind {:?}", makers.nodes[node])))
        })?;
        let (made, waiting) =
            (makers.made(), self.interface.queues.iter().map(|queue| queue.waiting.len()).sum::<usize>());
        expect(self.counters.started.checked_add(waiting as u64) == Some(made), || {
            format!("{made} packets were made, {waiting} wait, {:?}", self.counters)
        })?;
        self.audit_waiting()?;
        self.audit_channels()
    }

    /// Packets that wait at nodes are those of the nodes.
    fn audit_waiting(&self) -> Result<(), AuditError> {
        let tails = self.sent()?;
        let mut names: BTreeSet<_> = self.packets.live().map(|(_, packet)| (packet.source, packet.index)).collect();
        let once = names.len() == self.packets.len()
            && self
                .interface
                .queues
                .iter()
                .flat_map(|queue| &queue.waiting)
                .all(|made| names.insert((made.packet.source, made.packet.index)));
        expect(once, || "two packets have one number".to_owned())?;
        for (n, queue) in self.interface.queues.iter().enumerate() {
            let node = n / self.layout.queues;
            let right = queue.waiting.iter().all(|made| {
                let Packet { source, entered, hops, birth, .. } = made.packet;
                let new = source as usize == node && entered == 0 && hops == 0 && birth < self.cycle;
                new && made.since >= birth && self.has_made(&made.packet)
            });
            let (router, input) = self.input_of(n);
            let front = self.routers[router as usize].at(input).slot.packet;
            let own = !queue.fronted || self.packets[front].source as usize == node;
            let sent = queue.sent == tails.get(&(router, input)).map_or(NEVER, |tail| tail.wrapping_sub(self.flits()));
            expect(right && own && sent, || format!("node {node}: {queue:?} is none of its queues"))?;
        }
        Ok(())
    }

    /// Router and input of an injection queue.
    pub(super) fn input_of(&self, queue: usize) -> (u32, usize) {
        let (node, queue) = ((queue / self.layout.queues) as u32, queue % self.layout.queues);
        let router = self.network.router_of(node);
        (router, self.layout.network + self.seat(router, node) * self.layout.queues + queue)
    }

    /// Shared channels of nodes fall free when they are through, and find what there is to bring to the router.
    fn audit_channels(&self) -> Result<(), AuditError> {
        let Some(shared) = self.interface.shared else { return Ok(()) };
        let mut freed = vec![None; self.network.nodes()];
        for (at, &node) in self.interface.freed.iter_from(self.cycle) {
            let before = freed[node as usize].replace(at);
            expect(before.is_none(), || format!("node {node}: its channel falls free twice"))?;
        }
        for (node, of) in self.interface.channels.iter().enumerate() {
            let first = node * self.layout.queues;
            let ready = (first..first + self.layout.queues).any(|n| {
                let queue = &self.interface.queues[n];
                self.interface.counts[n] > queue.at_router && queue.at_router + queue.owed < shared.router_packets
            });
            let right = match freed[node] {
                Some(at) => of.free_at == at,
                None => of.free_at < self.cycle.max(1) && (!ready || self.interface.transfers.contains(node)),
            };
            expect(right, || format!("node {node}: its channel does not fall free"))?;
        }
        Ok(())
    }
}
