//! What a checkpoint holds of an input-output-queued network. Its queues are those of the sides; a discipline has no state
//! beside them.

use super::events::{Control, Crossed, Ripe};
use super::fabric::Fabric;
use super::mechanisms::{Mechanisms, Parts};
use super::queues::{NONE, Queue};
use super::shape::Shape;
use super::throttle::Words;
use super::{Ioq, Shaped};
use crate::contract::sources::Sources;
use crate::data_paths::checkpoint;
use crate::occupancy::levels;
use crate::packet::{Packet, are_known};
use tailback_base::state::{MOST, Reader, State, Unfit, Writer, ensure};

/// The section of all that goes with one admission only.
const ADMISSION: &str = "admission";

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, discipline: _, arbiter, admission } = self;
        arbiter.save(to);
        to.section(ADMISSION, |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.arbiter.restore(from)?;
        from.section(ADMISSION, |from| self.admission.restore(from)).map(drop)
    }
}

/// What another admission has decided is not on its way.
mod decided {
    use super::{ADMISSION, Reader, State, Unfit, Words, Writer};

    pub fn save(words: &Words, to: &mut Writer) {
        to.section(ADMISSION, |to| words.save(to));
    }

    pub fn restore(words: &mut Words, from: &mut Reader<'_>) -> Result<(), Unfit> {
        from.section(ADMISSION, |from| words.restore(from)).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, S: Shape] Fabric<'a, M, S> {
    saved: cycle, pool, events, notices, ingress, memory, outs, credits, crossbars, owing, due, credit_turns, room, credit,
        adapter, makers, admittance, counters, pointers, parts;
    by levels: occupancy;
    by decided: words;
    rebuilt: grid, route, follows_packets, takes_turns, throttled, config, layout, bit_instructions, turns, in_stride, in_words, out_stride,
        counter_words;
} [settle]);

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Calls `tell` with every packet that is on its way to its node, and with the cycle in which its tail arrives.
    pub(super) fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
        self.events.deliveries.iter_from(self.cycle).for_each(|(at, &id)| tell(self.pool.packet(id), at));
    }

    /// Adapters look again at what another admission has refused, perhaps.
    fn settle(&mut self) -> Result<(), Unfit> {
        self.fits()?;
        for node in 0..self.layout.all_nodes {
            self.admittance.forget(node);
            if self.admittance.is_idle(node) && self.could_admit(node) {
                self.admittance.look.insert(node);
            }
        }
        Ok(())
    }

    /// What the books take for granted: that everything is somewhere that is there.
    fn fits(&self) -> Result<(), Unfit> {
        are_known(self.pool.live(), (&self.grid.seats(), self.makers.sources.max_flits()), self.cycle)?;
        self.bounds_fit()?;
        self.events_fit()?;
        let (l, most) = (&self.layout, self.pool.len() as u32 + 1);
        for side in 0..l.sides {
            let few = [self.memory[side].used, self.memory[side].owed];
            ensure(few.iter().all(|&n| n <= FEW), "a memory holds more than it can")?;
            let turns = [self.ingress[side].turn, self.credit_turns.get(side).copied().unwrap_or(0)];
            let count = self.ingress[side].count + u32::from(S::SHARED);
            ensure(turns.iter().all(|&turn| turn < count), "it is the turn of nobody")?;
            self.in_lists_of(side).iter().try_for_each(|list| self.list_fits(list, most, side / l.ports, None))?;
        }
        for out in 0..l.outs {
            let state = &self.outs[out];
            let few = [state.used, state.wanted, state.unpaid, state.set_aside];
            let asking = if out < l.sides { l.ports } else { l.all_nodes };
            let turns = state.turn < state.count + u32::from(S::SHARED) && state.granted as usize <= asking;
            let turns = turns && (out < l.sides || (state.granted as usize) < asking);
            ensure(turns, "it is the turn of nobody")?;
            let there = (state.sends as usize) < self.out_stride && few.iter().all(|&n| n <= FEW);
            ensure(there, "a link sends from a queue that is not there")?;
            let (switch, port) = self.end_of(out);
            self.out_lists_of(out).iter().try_for_each(|list| self.list_fits(list, most, switch, port))?;
            if self.notices.work.is_sending(out) {
                self.pool.know([state.packet].into_iter())?;
            }
        }
        self.admittance_fits()
    }

    /// The switch that a packet in an out side is at next, and the port of the node that it has come to instead.
    fn end_of(&self, out: usize) -> (usize, Option<usize>) {
        let l = &self.layout;
        match (out.checked_sub(l.sides), out % l.ports) {
            (Some(node), _) => (node / l.nodes, None),
            (None, port) if port >= l.network => (out / l.ports, Some(port)),
            (None, port) => (self.grid.peer((out / l.ports) as u32, port) as usize, None),
        }
    }

    /// The packets of a list are known and go on from `switch`, or to the node at its `port`; there are no more than `most`.
    fn list_fits(&self, list: &Queue, most: u32, switch: usize, port: Option<usize>) -> Result<(), Unfit> {
        ensure(list.level < most && list.credits <= FEW, "a queue is longer than all packets together")?;
        let mut at = list.first;
        for _ in 0..list.level {
            self.pool.know([at].into_iter())?;
            match port {
                Some(port) => self.has_come_to(at, self.layout.node_at(switch, port))?,
                None => self.goes_on_from(at, switch)?,
            }
            at = self.pool.next(at);
        }
        Ok(())
    }

    fn has_come_to(&self, id: u32, node: usize) -> Result<(), Unfit> {
        ensure(self.pool.packet(id).destination as usize == node, "a packet has come to the wrong node")
    }

    /// The route of a packet leads from a switch to its destination.
    fn goes_on_from(&self, id: u32, switch: usize) -> Result<(), Unfit> {
        let (l, packet) = (&self.layout, self.pool.packet(id));
        let mut switch = switch as u32;
        let mut ports = self.pool.ports(id);
        while (switch as usize) < self.grid.routers() {
            match ports.next().map(usize::from) {
                Some(port) if port < l.network => switch = self.grid.peer(switch, port),
                Some(port) if port < l.ports => {
                    let home = l.node_at(switch as usize, port) == packet.destination as usize;
                    return ensure(home && ports.next().is_none(), "a packet goes to the wrong node");
                }
                _ => break,
            }
        }
        Err(Unfit::new("a packet is on no way to its destination"))
    }

    /// What is known to happen happens at sides and links that are there.
    fn events_fit(&self) -> Result<(), Unfit> {
        let (l, events) = (&self.layout, &self.events);
        ensure(events.are_at(self.cycle), "events are due at another time")?;
        for arrival in events.arrivals.iter() {
            let side = arrival.side as usize;
            ensure(side < l.sides && (self.memory[side].upstream as usize) < l.outs, "a packet comes by no link")?;
            self.pool.know([arrival.packet].into_iter())?;
            self.goes_on_from(arrival.packet, side / l.ports)?;
        }
        self.pool.know(events.deliveries.iter().copied())?;
        let (ins, outs) = (self.in_stride, self.out_stride);
        let control = |c: &Control| {
            let there = (c.at as usize) < l.outs && (c.counter as usize) < outs && c.credits <= FEW;
            there && (c.credits == 0 || self.takes_credits(c.at as usize, c.counter as usize))
        };
        let crossed = |c: &Crossed| {
            let there =
                (c.side as usize) < l.sides && (c.counter as usize) < ins.min(self.counters_of(c.side as usize));
            let same = there && c.switch as usize == c.side as usize / l.ports;
            same && usize::from(c.input) == c.side as usize % l.ports && usize::from(c.port) < l.ports
        };
        let ripe = |ripe: &Ripe| (ripe.side as usize) < l.sides && (ripe.queue as usize) < ins;
        let taken = |&node: &u32| (node as usize) < l.all_nodes;
        let there = events.control.iter().all(control)
            && events.crossed.iter().all(crossed)
            && events.ripe.iter().all(ripe)
            && events.taken.iter().all(taken);
        ensure(there, "something happens where nothing is")
    }

    /// Whether a counter of an out side is for an ingress side.
    fn takes_credits(&self, out: usize, counter: usize) -> bool {
        let to = self.outs[out].to as usize;
        to < self.layout.sides && counter < self.counters_of(to)
    }

    /// Packets that wait at nodes are those of the nodes, and messages are as long as their packets.
    fn admittance_fits(&self) -> Result<(), Unfit> {
        let nodes = self.layout.all_nodes;
        let lines = || (0..nodes * nodes).map(|n| (n, self.admittance.line(n / nodes, n % nodes)));
        for (n, line) in lines().filter(|(_, line)| line.front != NONE) {
            self.pool.know([line.front].into_iter())?;
            self.goes_on_from(line.front, n / nodes / self.layout.nodes)?;
            let (packet, due) = (self.pool.packet(line.front), (n / nodes, n % nodes));
            ensure((packet.source as usize, packet.destination as usize) == due, "a packet waits for another node")?;
        }
        let mut waiting = Vec::new();
        self.admittance.each_waiting(|_, _, made| waiting.push(*made));
        let past = waiting.iter().all(|made| made.birth <= self.cycle && made.index <= MOST);
        ensure(past && lines().all(|(_, line)| line.count <= MANY), "a packet waits that was not made")?;
        let others = waiting.iter().map(|made| (made.message, self.config.packet_flits));
        let live = self.pool.live_ids().map(|(id, packet)| (id, packet.flits));
        self.makers.messages.cover(self.cycle, live, others.chain(self.makers.begun()))
    }
}

/// More than any queue, memory or counter of credits has.
const FEW: u32 = 1 << 28;

/// More packets than wait at any node.
const MANY: u32 = 1 << 30;

checkpoint!(Ioq, each);
