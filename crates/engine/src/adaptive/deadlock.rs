//! Who waits for whom.
//!
//! A head goes into a channel one day if each of three needs is met: room in the buffer behind it, room in the channel's own queue, and
//! the bubble around its ring, where bubbles are asked for there. (Outputs are held by packets that have room, so each is open again.)
//!
//! Injection queues are left out, since nobody in the network waits for one: they are part of no circle, and stand behind one
//! only by waiting for a buffer of it. Where no buffer is stuck, every own queue and every ring has the room some day that a new
//! packet needs; one that asks for more than buffers hold is refused before the run. What new packets hold, an output, they have
//! room for, so it is open again; what they might take before a head in the network does would starve it.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::MAX_LINKS;
use super::rules::{BEHIND, ELSEWHERE};
use super::state::Mask;
use crate::snapshot::{Group, Need, Side, Snapshot};
use tailback_base::bits::ones;

/// What is on its way, by input number over the network.
struct Coming {
    /// Flits that credits will bring to a channel.
    flits: Vec<u32>,
    /// By ring, the buffers around it that hold a packet; `None` where one is coming into one of them.
    rings: Vec<Option<Group>>,
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Who waits for whom.
    pub(super) fn snapshot(&self) -> Snapshot {
        let l = &self.layout;
        let mut snapshot = Snapshot::new(MAX_LINKS);
        let coming = self.on_the_way(&mut snapshot);
        for (router, state) in self.routers.iter().enumerate() {
            let waiting = state.waiting.get();
            for input in 0..l.network {
                if !waiting.has(input) {
                    snapshot.nobody();
                    continue;
                }
                if state.ejects(input) {
                    snapshot.way_home();
                } else {
                    for c in ones(self.reach(state, input)).map(|c| state.first(input) + c) {
                        let (port, room) = (l.port_of(c), state.credits[c].max(0) as u32);
                        snapshot.way(port, c - port * l.channels, Some(room), self.needs(router, input, c, &coming));
                    }
                }
                let place = l.name(input).expect("a buffer belongs to a link");
                snapshot.head(Side::Link, router as u32, place, *self.front(state, input));
            }
        }
        snapshot
    }

    fn on_the_way(&self, snapshot: &mut Snapshot) -> Coming {
        let all = self.layout.network;
        let mut flits = vec![0; self.routers.len() * all];
        for credit in self.credits.iter() {
            flits[credit.router as usize * all + usize::from(credit.number)] += self.config.packet_flits;
        }
        let packets = self.coming();
        let mut rings = vec![(Vec::new(), false); self.rings.free.len()];
        for (n, &ring) in self.rings.of.iter().enumerate() {
            let (holders, comes) = &mut rings[ring as usize];
            *comes |= packets[n] > 0;
            holders.extend((self.routers[n / all].inputs[n % all].count > 0).then_some(n));
        }
        let group = |(holders, comes): (Vec<usize>, bool)| (!comes).then(|| snapshot.group(holders.into_iter()));
        Coming { flits, rings: rings.into_iter().map(group).collect() }
    }

    /// What the head of an input needs to go into channel `c` one day.
    fn needs(
        &self,
        router: usize,
        input: usize,
        c: usize,
        coming: &Coming,
    ) -> impl Iterator<Item = Need> + use<M, W, NI, NO> {
        let (state, number) = (&self.routers[router], router * self.layout.network + c);
        let escape = if state.fallback(input).has(c - state.first(input)) { 1 } else { self.escape };
        let kind = if input == c { BEHIND } else { ELSEWHERE } + escape;
        let buffer = self.config.buffer_packets;
        let (room, own, ring) = (self.rules.room[kind], self.rules.own[kind], self.rules.ring[kind]);
        if room > buffer * self.config.packet_flits || own > buffer {
            return [Some(Need::default()), None, None].into_iter().flatten();
        }
        let has_room = state.credits[c] as u32 + coming.flits[number] >= room;
        let has_own = buffer - u32::from(state.inputs[c].count) >= own;
        let around = || {
            coming.rings[self.rings.of[number] as usize]
                .filter(|_| self.rings.free[self.rings.ring(router as u32, c)] < ring)
        };
        let needs = [
            (!has_room).then(|| Need::of(self.behind(router as u32, c))),
            (!has_own).then(|| Need::of(number)),
            if ring == 0 { None } else { around().map(|group| Need { queue: None, group: Some(group) }) },
        ];
        needs.into_iter().flatten()
    }
}
