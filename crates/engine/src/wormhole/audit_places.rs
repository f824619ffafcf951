//! Every packet has one head, its flits are where they can be, and what an input holds or asks for follows from its packet.

use super::block::Block;
use super::fabric::Fabric;
use super::lanes::{LANES, Lanes, Mask, lane};
use super::mechanisms::Mechanisms;
use crate::books::{has_entered, sources_hold};
use crate::contract::recovery::Recovery;
use crate::contract::routing::{Candidates, Head, Routing, asked_for, starts_alike};
use crate::contract::sources::Sources;
use crate::mask::ones_below;
use crate::outcome::{AuditError, expect};
use crate::packet::{Packet, Slot};
use tailback_base::bits::ones;
use tailback_network::NONE;
use tailback_traffic::Generated;

/// What the head of an input may take, as the masks of a block have it.
struct Asked {
    preferred: u64,
    wanted: u64,
    /// Whether it asks for the channel of the recovery lane.
    lane: bool,
}

impl Asked {
    fn is_only(&self, channel: u64) -> bool {
        (self.preferred, self.wanted) == (channel, channel)
    }
}

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Heads, packets and flits, and what inputs ask for.
    pub(super) fn audit_places(&self) -> Result<(), AuditError> {
        let mut heads = vec![0u32; self.common.packets.all().len()];
        let mut taken_over = 0;
        self.common.deliveries.iter().for_each(|&packet| heads[packet as usize] += 1);
        for router in 0..self.common.grid.routers() as u32 {
            self.audit_inputs(router)?;
            taken_over += self.audit_links(router, &mut heads)?;
            let (block, at) = (self.block(router), lane(router));
            for input in ones(block.fronted[at].get()).filter(|&input| input >= self.common.layout.network) {
                heads[self.common.front(block, router, input).packet as usize] +=
                    u32::from(self.has_head(router, input));
            }
        }
        let common = &self.common;
        expect(common.parts.recovery.fits(common.cycle, taken_over), || {
            format!("{taken_over} packets are in the recovery lane, and recovery knows of another number")
        })?;
        let asked = self.waiting_to_enter();
        let waiting: u32 = asked.iter().map(|mask| mask.count_ones()).sum();
        sources_hold(waiting.into(), &common.counters)?;
        common.packets.live().try_for_each(|(id, packet)| self.audit_packet(heads[id as usize], packet))
    }

    fn block(&self, router: u32) -> &Block<W, NN, NI> {
        &self.blocks[router as usize / LANES]
    }

    /// Per router, the injection inputs whose packet has not entered.
    fn waiting_to_enter(&self) -> Vec<u64> {
        (0..self.common.grid.routers() as u32).map(|router| self.block(router).whole[lane(router)].get()).collect()
    }

    /// A packet has one head, and is what its source has made.
    fn audit_packet(&self, heads: u32, packet: &Packet) -> Result<(), AuditError> {
        let common = &self.common;
        let router = common.grid.router_of(packet.source);
        let again = starts_alike(&common.parts.routing, router, packet, common.config.seed);
        let made = common.sources.packets().makes(packet.source, &Generated::from(packet));
        let counted = again.choice == packet.choice && u64::from(packet.hops) <= common.cycle;
        expect(heads == 1 && made && counted, || format!("{packet:?} has {heads} heads"))
    }

    /// Whether the front packet of an input has its head there, or at its node.
    fn has_head(&self, router: u32, input: usize) -> bool {
        let (block, at) = (self.block(router), lane(router));
        let holds = block.holding[at].get() >> input & 1 == 1;
        !holds || block.held(input, at) >= self.common.layout.network
    }

    /// What inputs hold and ask for follows from their packets.
    fn audit_inputs(&self, router: u32) -> Result<(), AuditError> {
        let (block, at, l) = (self.block(router), lane(router), &self.common.layout);
        let check = |what: &str, holds: bool| expect(holds, || format!("router {router}: {what}"));
        let (fronted, holding) = (block.fronted[at].get(), block.holding[at].get());
        let (whole, in_lane) = (block.whole[at].get(), block.lane[at].get());
        check("a packet that is whole is at its source", whole & !(fronted & !l.links) == 0)?;
        check("who is in the lane is there", in_lane & !fronted == 0 && (in_lane == 0 || self.common.lane))?;
        check("there are no more channels", block.free[at].get() & !ones_below(l.outputs) == 0)?;
        let before = self.common.wires.moment(self.common.cycle.wrapping_sub(1));
        let (left, sent) = (self.common.wires.inputs_of(before, router), self.common.wires.channels_of(before, router));
        check("what was sent last has left", block.left[at].get() == left && block.sent[at].get() == sent)?;
        self.audit_users(router)?;
        let ripe = self.common.wires.ripe_once(router).unwrap_or(u64::MAX);
        let idle = fronted & !block.asking[at].get() & !(holding & block.able[at].get());
        check("a packet goes on at one time", ripe == idle)?;
        let (mut homing, none) = ([0u64; NI], 1u32 << block.planes.1);
        for input in 0..l.inputs {
            if fronted >> input & 1 == 0 {
                check("nothing is left of no packet", block.after(input, at) + 1 == none)?;
                continue;
            }
            let slot = self.common.front(block, router, input);
            let packet = &self.common.packets[slot.packet];
            let left = block.after(input, at) + 1;
            let untouched = left == packet.flits || holding >> input & 1 == 1 && whole >> input & 1 == 0;
            check("a packet has as many flits", left <= packet.flits && untouched)?;
            let enters = whole >> input & 1 == 1;
            let entered = if enters { packet.entered == 0 } else { has_entered(packet, self.common.cycle) };
            let own = input < l.network || self.common.grid.router_of(packet.source) == router;
            check("a packet has entered after its birth", entered && own)?;
            if holding >> input & 1 == 0 {
                let i = input & (NI - 1);
                let kept = Asked {
                    preferred: block.preferred[i][at].get(),
                    wanted: block.wanted[i][at].get(),
                    lane: in_lane >> input & 1 == 1,
                };
                check("a head asks for what leads it on", self.asks_for(router, input, slot, &kept))?;
                if kept.wanted == 0 && kept.preferred >> l.network != 0 {
                    homing[(kept.preferred.trailing_zeros() as usize - l.network) & (NI - 1)] |= 1 << input;
                }
            }
        }
        check("heads that are home ask there", block.homing.iter().zip(homing).all(|(of, mask)| of[at].get() == mask))
    }

    /// Those who hold a channel are known as its users.
    fn audit_users(&self, router: u32) -> Result<(), AuditError> {
        let (block, at, l) = (self.block(router), lane(router), &self.common.layout);
        let (mut users, mut ejecting, mut right) = ([0u64; NI], 0u64, true);
        for input in ones(block.holding[at].get()) {
            let channel = block.held(input, at);
            users[usize::from(l.port[channel & (super::MAX_PORTS - 1)]) & (NI - 1)] |= 1 << input;
            let (node, mask) = (channel >= l.network, block.channel[input & (NI - 1)][at].get());
            ejecting |= u64::from(node) << input;
            right &= channel < l.outputs && mask == if node { 0 } else { 1 << channel };
        }
        let known = block.users.iter().zip(users).all(|(of, mask)| of[at].get() == mask);
        expect(right && known && block.ejecting[at].get() == ejecting, || {
            format!("router {router}: channels and who holds them: {users:?}")
        })
    }

    /// Whether the head of an input is where it may be, and asks for what leads it on.
    fn asks_for(&self, router: u32, input: usize, slot: Slot, kept: &Asked) -> bool {
        let (common, l, packet) = (&self.common, &self.common.layout, &self.common.packets[slot.packet]);
        if kept.lane {
            let port = || common.parts.recovery.port(router, packet);
            return packet.router != router && kept.is_only(1 << l.lane_of(port()));
        }
        let asked = |word: &mut u32| {
            let candidates = match l.lane >> input & 1 == 0 {
                true => {
                    let head = Head { router, input: l.name(input) };
                    common.parts.routing.candidates(head, packet, common.config.channels, word)
                }
                false => Candidates::default(),
            };
            let preferred = l.numbered(candidates.preferred);
            if candidates.all() > 0 {
                return Some((preferred, preferred | l.numbered(candidates.fallback)));
            }
            let local = (packet.destination as usize).checked_sub(router as usize * l.nodes);
            Some((1 << l.ejection_channel(local.filter(|&local| local < l.nodes)?, input), 0))
        };
        let word = if l.lane >> input & 1 == 0 { slot.word } else { 0 };
        asked_for(word, asked, Some((kept.preferred, kept.wanted)))
    }

    /// Packets in the buffers behind the links of a router, and their flits; returns the heads that are in the lane.
    fn audit_links(&self, router: u32, heads: &mut [u32]) -> Result<usize, AuditError> {
        let (block, at, l) = (self.block(router), lane(router), &self.common.layout);
        let holder = |channel: usize| ones(block.holding[at].get()).find(|&input| block.held(input, at) == channel);
        let mut taken_over = (block.lane[at].get() & !block.holding[at].get()).count_ones() as usize;
        for channel in 0..l.network {
            let peer = self.common.grid.peer(router, usize::from(l.port[channel]));
            if peer == NONE {
                continue;
            }
            let (there, ring) = (self.block(peer), self.ring_behind(router, block, channel));
            let fronted = there.fronted[lane(peer)].get() >> channel & 1 == 1;
            for (n, slot) in ring.iter().enumerate() {
                let front = n == 0 && fronted;
                heads[slot.packet as usize] += u32::from(!front || self.has_head(peer, channel));
                let lane = l.lane >> channel & 1 == 1;
                taken_over += usize::from(lane && !front);
                let packet = &self.common.packets[slot.packet];
                let fits = lane || self.common.parts.routing.fits(peer, packet, slot.word);
                expect(fits && self.has_entered_or_waits(packet), || format!("{packet:?} is on no way"))?;
            }
            let flits = |id: u32| i64::from(self.common.packets[id].flits);
            let mut due: i64 = ring.iter().map(|slot| flits(slot.packet)).sum();
            if let Some(input) = holder(channel) {
                let sending = self.common.front(block, router, input).packet;
                expect(ring.last().is_some_and(|last| last.packet == sending), || {
                    format!("router {router}, channel {channel}: who holds it sends another packet")
                })?;
                due -= i64::from(block.after(input, at)) + 1;
            }
            if fronted {
                due -=
                    ring.first().map_or(0, |slot| flits(slot.packet)) - i64::from(there.after(channel, lane(peer))) - 1;
            }
            let coming = self.on_link(router).filter(|mask| mask >> channel & 1 == 1).count() as i64;
            let found = i64::from(there.level(channel, lane(peer))) + coming;
            expect(found == due, || {
                format!("router {router}, channel {channel}: {found} flits behind it, {due} are due")
            })?;
            let freed = self.freed(peer).filter(|mask| mask >> channel & 1 == 1).count();
            let free = block.free[at].get() >> channel & 1 == 1;
            let owned = l.owned >> channel & 1 == 1 && !free && holder(channel).is_none() && ring.is_empty();
            expect(l.owned >> channel & 1 == 0 || freed == usize::from(owned), || {
                format!("router {router}, channel {channel}: {freed} tails set it free")
            })?;
        }
        Ok(taken_over)
    }

    /// A packet that holds a channel has entered, unless its first flit has not been sent.
    fn has_entered_or_waits(&self, packet: &Packet) -> bool {
        packet.entered == 0 || has_entered(packet, self.common.cycle)
    }

    /// Nothing is in the lanes of a block that are no routers.
    pub(super) fn has_empty_lanes(&self) -> bool {
        let routers = self.common.grid.routers();
        let first = |number: usize| routers.saturating_sub(number * LANES).min(LANES);
        self.blocks.iter().enumerate().all(|(number, block)| {
            let inputs = [&block.filled, &block.able, &block.fronted, &block.holding, &block.asking, &block.look];
            let others = [&block.lane, &block.whole, &block.ejecting];
            let links = [&block.left, &block.sent];
            inputs.into_iter().chain(others).all(|masks| is_empty_from(masks, first(number)))
                && links.into_iter().all(|masks| is_empty_from(masks, first(number)))
        })
    }
}

fn is_empty_from<W: Mask>(masks: &Lanes<W>, first: usize) -> bool {
    masks[first..].iter().all(|&mask| mask == W::default())
}
