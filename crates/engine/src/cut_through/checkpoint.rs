//! What a checkpoint holds of a cut-through network.

use super::deliver::outcome;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::{Mechanisms, Parts};
use super::tables::Id;
use super::{CutThrough, Shaped};
use crate::contract::routing::{Head, Routing, asked_for};
use crate::contract::sources::Sources;
use crate::data_paths::know;
use crate::mask::{Set, ones_below};
use crate::occupancy::levels;
use crate::packet::{Slot, are_known};
use crate::sources::heads::Heads;
use std::collections::BTreeSet;
use tailback_base::bits::BitSet;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, arbiter, flow_control: _, admission } = self;
        arbiter.save(to);
        to.section("admission", |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.arbiter.restore(from)?;
        from.section("admission", |from| self.admission.restore(from)).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, R: Hot]
    Fabric<'a, M, R> {
        saved: cycle, routers, active, queues, returns, packets, arrivals, tails, heads, at_head, waiting, ejection,
            counters, parts, kept;
        by levels: occupancy;
        rebuilt: network, config, layout, flits, shortest, head_delay, throttled, follows_packets, asked, consumers, bit_instructions, plain,
            spread, blocks, share, peers;
    } [fits]
);

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// What the books do not show.
    fn fits(&self) -> Result<(), Unfit> {
        let longest = self.heads.sources.max_flits();
        are_known(self.packets.all(), (self.network.seats(), longest), self.cycle)?;
        self.heads.fit()?;
        self.returns.fit(self.layout.ports, longest, self.cycle)?;
        self.events_fit()?;
        self.sources_fit()?;
        self.routers.ids().try_for_each(|router| {
            self.queues_fit(router)?;
            self.requests_fit(router)
        })
    }

    /// What is known to happen happens at inputs and outputs that are there.
    fn events_fit(&self) -> Result<(), Unfit> {
        let l = &self.layout;
        for arrival in self.arrivals.iter() {
            let (router, input) = (arrival.router.get(), arrival.input as usize);
            let wired = input < l.network_inputs && self.network.behind(router, input / l.channels).is_some();
            ensure(wired, "a head comes by a link that is not there")?;
            self.packets.know([arrival.slot.packet].into_iter())?;
            self.word_fits(router, arrival.slot)?;
        }
        let mut held = BTreeSet::new();
        for tail in self.tails.iter() {
            let (input, output) = (usize::from(tail.input), usize::from(tail.output));
            let there = input < l.inputs(tail.router) && output < l.outputs as usize;
            ensure(there, "a tail leaves a router that has no such input")?;
            let state = self.routers.at(tail.router);
            let stands = input >= l.network_inputs || state.is_taken(input);
            let sent = input < l.network_inputs || self.at_head.contains(l.node_at(tail.router, input) as usize);
            let alone = held.insert((tail.router.get(), output)) && !state.asks(input);
            ensure(stands && sent && alone, "a tail leaves that is not there")?;
        }
        let known = |router: Id| {
            self.routers.at(router).idle_are(l.outputs as usize, |output| !held.contains(&(router.get(), output)))
        };
        ensure(self.routers.ids().all(known), "an output is held by nobody")
    }

    /// A source has a packet at its head, or sleeps until it has one, or has none; and it sleeps if it has one that is not due.
    fn sources_fit(&self) -> Result<(), Unfit> {
        let mut asleep = BitSet::new(self.network.nodes());
        self.heads.calendar.asleep().into_iter().for_each(|node| asleep.insert(node as usize));
        let Heads { known, asleep: noted, .. } = &self.heads;
        let one = |node| {
            let [sleeps, noted, known] = [&asleep, noted, known].map(|set| set.contains(node));
            sleeps == (noted || known) && !(noted && known) && !(sleeps && self.at_head.contains(node))
        };
        let held = self.waiting.iter().all(|node| self.at_head.contains(node));
        ensure(held && (0..self.network.nodes()).all(one), "a source waits for nothing, or for two things")
    }

    /// Packets in the queues of a router are known, and on their way.
    fn queues_fit(&self, router: Id) -> Result<(), Unfit> {
        let state = self.routers.at(router);
        let stands = |input: usize| state.is_taken(input) && input < self.layout.network_inputs;
        let (taken, followed) = (state.taken(), state.followed());
        ensure(taken.members().chain(followed.members()).all(stands), "a packet is at an input that is not there")?;
        let inside = (0..self.layout.network_inputs).all(|input| state.input(input).next <= self.layout.depth_mask);
        ensure(inside, "a queue goes on where it cannot")?;
        // Also where no packet is at the front, for the next one would find it.
        let alone = (0..self.layout.inputs(router)).all(|input| state.input(input).behind == 0 || stands(input));
        ensure(alone, "a packet stands behind none")?;
        for input in (0..self.layout.network_inputs).filter(|&input| state.is_taken(input)) {
            let queue = *state.input(input);
            let followed = state.is_followed(input) == (queue.behind > 0) && queue.behind <= self.layout.depth_mask;
            ensure(followed, "a queue is longer than its buffer")?;
            let behind = (0..queue.behind)
                .map(|n| self.queues.at(router, input, queue.next.wrapping_add(n) & self.layout.depth_mask));
            for slot in [queue.slot].into_iter().chain(behind) {
                self.packets.know([slot.packet].into_iter())?;
                self.word_fits(router.get(), slot)?;
            }
        }
        let l = &self.layout;
        for (local, _) in l.nodes_of(router).filter(|&(_, node)| self.at_head.contains(node)) {
            let input = state.input(l.network_inputs + local);
            self.packets.know([input.slot.packet].into_iter())?;
            self.word_fits(router.get(), input.slot)?;
            let there = u32::from(input.output) < l.outputs && u64::from(input.channels) & !ones_below(l.channels) == 0;
            let packet = &self.packets[input.slot.packet];
            let head = Head { router: router.get(), input: None };
            let routing = &self.parts.routing;
            let due = (0..routing.options(head, packet, input.slot.word)).any(|option| {
                let mut word = input.slot.word;
                let request = routing.option(head, packet, &mut word, option);
                let output = outcome(l, packet.destination, l.network_inputs + local, request).0;
                output == usize::from(input.output) && word == input.slot.word
            });
            ensure(there && due, "a source asks for what leads it nowhere")?;
        }
        Ok(())
    }

    fn word_fits(&self, router: u32, slot: Slot) -> Result<(), Unfit> {
        let fits = self.parts.routing.fits(router, &self.packets[slot.packet], slot.word);
        ensure(fits, "a packet is on no way to its destination")
    }

    /// The masks of a router say what its inputs ask for, and nothing else.
    fn requests_fit(&self, router: Id) -> Result<(), Unfit> {
        let (state, l) = (self.routers.at(router), &self.layout);
        let right = state.requests_are_right(l.inputs(router), l.outputs as usize, ones_below(l.channels));
        ensure(right, "a router was asked for something by nobody")?;
        for input in (0..l.network_inputs).filter(|&input| state.asks(input)) {
            let asked = *state.input(input);
            let (routing, packet) = (&self.parts.routing, &self.packets[asked.slot.packet]);
            let head = Head { router: router.get(), input: Some(l.lane::<R>(input)) };
            let ask = |option: u32| {
                move |word: &mut u32| outcome(l, packet.destination, input, routing.option(head, packet, word, option))
            };
            let kept = (usize::from(asked.output), asked.channels);
            let mut options = 0..routing.options(head, packet, asked.slot.word);
            let due = state.is_taken(input) && options.any(|option| asked_for(asked.slot.word, ask(option), kept));
            ensure(due, "a head asks for what leads it nowhere")?;
        }
        Ok(())
    }

    /// Heads at sources ask, or wait for admission, whether there was one before or not.
    fn settle(&mut self, was_throttled: bool) {
        if was_throttled == self.throttled {
            return;
        }
        for node in (0..self.network.nodes()).filter(|&node| self.at_head.contains(node)) {
            let router = self.routers.id(self.network.router_of(node as u32));
            let input = self.layout.injection_input(node as u32);
            let state = self.routers.at_mut(router);
            let asked = *state.input(input);
            let asks = state.asks(input);
            if self.throttled && asks {
                self.waiting.insert(node);
            } else if !self.throttled && self.waiting.contains(node) && !asks {
                let ready = state.file(input, usize::from(asked.output), asked.channels);
                self.active.insert_if(router, ready);
            }
        }
        if !self.throttled {
            (0..self.waiting.word_count()).for_each(|word| _ = self.waiting.take_word(word));
        }
    }
}

impl<M: Mechanisms> State for CutThrough<'_, M> {
    fn save(&self, to: &mut Writer) {
        each!(&self.0, fabric => {
            to.put(&fabric.throttled);
            fabric.save(to);
        });
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        each!(&mut self.0, fabric => {
            let was_throttled = from.take()?;
            fabric.restore(from)?;
            fabric.settle(was_throttled);
            fabric.note_consumers();
            know((fabric.sources(), fabric.cycle()), |tell| fabric.packets(tell))?;
            Ok(fabric.audit()?)
        })
    }
}
