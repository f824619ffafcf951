//! Flits come in the order of their packets: what is on the way to a buffer goes on where the buffer ends, up to what its sender has left.

use super::fabric::Fabric;
use super::layout::{End, NONE};
use super::mechanisms::Mechanisms;
use super::state::Doing;
use crate::outcome::{AuditError, expect};

/// A packet, and how many of its flits are to come.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    packet: u32,
    flits: u32,
}

impl<M: Mechanisms> Fabric<'_, M> {
    pub(super) fn audit_flow(&self) -> Result<(), AuditError> {
        // By input channel, what comes, in the order in which it comes: the packet of a head, else nothing.
        let mut coming: Vec<Vec<(u64, u32)>> = vec![Vec::new(); self.channels()];
        let wires = self.flits.iter_from(self.cycle).map(|(at, flit)| (at, flit.to, flit.packet));
        wires.for_each(|(at, to, packet)| coming[to as usize].push((at, packet)));
        coming.iter_mut().for_each(|list| list.sort_by_key(|&(at, _)| at));
        let channels = self.layout.channels;
        let mut tails = self.tails_beside_wires();
        for flit in self.crossing.iter().chain(&self.waiting).flatten() {
            let (port, channel) = (flit.channel as usize / channels, flit.channel as usize % channels);
            if let End::Port(far) = self.layout.ahead[port].end {
                coming[far as usize * channels + channel].push((u64::MAX, flit.packet));
            }
        }
        for (at, list) in coming.iter().enumerate() {
            let unfinished = self.unfinished(at);
            let whole = usize::from(self.inputs[at].packets) - usize::from(unfinished.is_some());
            (0..whole).for_each(|position| tails[self.in_ring(at, position as u16) as usize] += 1);
            let found = list.iter().try_fold(unfinished, |rest, &(_, packet)| {
                let (of, rest) = self.comes(rest, packet)?;
                tails[of as usize] += u32::from(rest.is_none());
                Some(rest)
            });
            let sent = self.sent_in_part(at);
            expect(found == Some(sent), || {
                format!("input channel {at}: {found:?} is to come, and its sender has {sent:?}")
            })?;
        }
        let once = self.packets.live().all(|(id, _)| tails[id as usize] == 1);
        expect(once, || "a packet has no tail, or several".to_owned())
    }

    /// By packet, tails that are not in a buffer of a router or on the way to one.
    fn tails_beside_wires(&self) -> Vec<u32> {
        let mut tails = vec![0; self.packets.all().len()];
        let channels = self.layout.channels;
        let home = |channel: u32| matches!(self.layout.ahead[channel as usize / channels].end, End::Node(_));
        let crossing = self.crossing.iter().chain(&self.waiting).flatten().filter(|flit| home(flit.channel));
        let nodes = self.nodes.iter().map(|node| node.packet);
        let all = nodes.chain(crossing.map(|flit| flit.tail)).chain(self.deliveries.iter().copied());
        all.filter(|&id| id != NONE).for_each(|id| tails[id as usize] += 1);
        tails
    }

    /// The packet at a position of a buffer.
    fn in_ring(&self, at: usize, position: u16) -> u32 {
        let place = usize::from(self.inputs[at].front.wrapping_add(position) & self.layout.ring_mask);
        self.rings[at * self.layout.ring + place].packet
    }

    /// What is to come of the last packet in a buffer.
    fn unfinished(&self, at: usize) -> Option<Rest> {
        let input = &self.inputs[at];
        let last = input.packets.checked_sub(1)?;
        let id = |position: u16| self.in_ring(at, position);
        let behind = (1..input.packets).map(|position| u64::from(self.packets[id(position)].flits));
        let all = u64::from(input.left) + behind.sum::<u64>();
        let flits = all.saturating_sub(input.level.into()) as u32;
        (flits > 0).then(|| Rest { packet: id(last), flits })
    }

    /// The packet of one more flit, and what is to come of it; `None` where that cannot be.
    fn comes(&self, rest: Option<Rest>, packet: u32) -> Option<(u32, Option<Rest>)> {
        let rest = match (rest, packet) {
            (Some(rest), NONE) => Rest { flits: rest.flits - 1, ..rest },
            (None, packet) if packet != NONE => Rest { packet, flits: self.packets[packet].flits - 1 },
            _ => return None,
        };
        Some((rest.packet, (rest.flits > 0).then_some(rest)))
    }

    /// The packet that the sender into an input channel has sent a part of.
    fn sent_in_part(&self, at: usize) -> Option<Rest> {
        let channels = self.layout.channels;
        let (port, channel) = (at / channels, at % channels);
        match self.layout.behind[port].end {
            End::Node(wire) => {
                let number = self.layout.node(wire as usize);
                let mut ports = self.layout.ports_of(number);
                let sender = ports.find(|&port| self.sends_into(port, wire as usize, channel))?;
                let node = &self.nodes[sender];
                Some(Rest { packet: node.packet, flits: node.left })
            }
            End::Port(from) => {
                let first = self.first(self.layout.router[from as usize] as usize) * channels;
                let user = self.outputs[from as usize * channels + channel].user;
                let n = first + usize::from(user);
                let input = self.inputs.get(n).filter(|input| input.doing == Doing::Going && !input.whole)?;
                let packet = self.rings[n * self.layout.ring + usize::from(input.front)].packet;
                Some(Rest { packet, flits: input.left })
            }
            End::Nowhere => None,
        }
    }
}
