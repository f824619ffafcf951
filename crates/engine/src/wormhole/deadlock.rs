//! Deadlock, found and not guessed: the packets that can never move again, whatever the rest of the network does.
//!
//! A buffer may drain one day if it is empty or if its front packet may move: if it holds, or may yet be given, an ejection
//! channel, a channel whose buffer may drain, or one that still has room for a flit of it. For as long as there is room
//! a packet moves on, perhaps wholly, and the next one in the buffer may have another way. What is left when nothing more can be
//! added waits for itself. Those that wait for ever fill the buffers that they wait for, so that each is found in time.

use super::fabric::Fabric;
use super::lanes::{LANES, Mask};
use super::mechanisms::Mechanisms;
use super::router::Sharing;
use crate::outcome::{Blocked, Deadlock, Waiting};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Looks for packets that can never move. Cost: proportional to the buffers of the network.
    pub(super) fn deadlock(&self) -> Option<Deadlock> {
        if self.common.lane {
            return None;
        }
        let stuck = self.stuck_inputs();
        let start = stuck.iter().position(|&s| s)?;
        Some(Deadlock { blocked: stuck.iter().filter(|&&s| s).count(), cycle: self.cycle_from(start, &stuck) })
    }

    /// Per network input, whether its buffer never drains.
    fn stuck_inputs(&self) -> Vec<bool> {
        let all = self.common.layout.network;
        let holds = |n: usize| self.blocks[n / all / LANES].level(n % all, n / all % LANES) > 0;
        let mut stuck: Vec<bool> = (0..self.common.grid.routers() * all).map(holds).collect();
        loop {
            let mut changed = false;
            for n in 0..stuck.len() {
                if stuck[n] && self.drains(n, &stuck) {
                    stuck[n] = false;
                    changed = true;
                }
            }
            if !changed {
                return stuck;
            }
        }
    }

    /// The output channels that the front packet of a buffer waits for: the one it holds, or all its candidates.
    fn waits_for(&self, n: usize) -> u64 {
        let (router, input) = (n / self.common.layout.network, n % self.common.layout.network);
        let (block, l) = (&self.blocks[router / LANES], router % LANES);
        match block.holding[l].get() >> input & 1 {
            1 => 1u64 << block.held(input, l),
            _ => block.preferred[input][l].get() | block.wanted[input][l].get(),
        }
    }

    /// The buffer behind a link channel.
    fn behind(&self, n: usize, channel: usize) -> usize {
        let l = &self.common.layout;
        let peer = self.common.grid.peer((n / l.network) as u32, usize::from(l.port[channel]));
        peer as usize * l.network + channel
    }

    fn drains(&self, n: usize, stuck: &[bool]) -> bool {
        let network = self.common.layout.network;
        ones(self.waits_for(n)).any(|channel| {
            channel >= network || {
                let behind = self.behind(n, channel);
                !stuck[behind] || self.room(behind) >= self.least_room(n, channel)
            }
        })
    }

    /// Room in a buffer \[flits\]; flits on their way are not there yet.
    fn room(&self, n: usize) -> u32 {
        let all = self.common.layout.network;
        self.common.config.buffer_flits - self.blocks[n / all / LANES].level(n % all, n / all % LANES)
    }

    /// With so much room behind `channel` the front packet of `n` may send a flit there, now or once the channel is free; see
    /// `Common::choice` and [`Sharing`].
    fn least_room(&self, n: usize, channel: usize) -> u32 {
        let (router, input) = (n / self.common.layout.network, n % self.common.layout.network);
        let (block, l) = (&self.blocks[router / LANES], router % LANES);
        if block.holding[l].get() >> input & 1 == 1 {
            return 1;
        }
        let (preferred, all) = (block.preferred[input][l].get(), self.waits_for(n));
        let buffer = self.common.config.buffer_flits;
        match self.common.config.sharing {
            Sharing::Owned => buffer,
            Sharing::SharedWhole if all != preferred && preferred >> channel & 1 == 1 => {
                (block.after(input, l) + 1).min(buffer)
            }
            Sharing::Shared | Sharing::SharedWhole => 1,
        }
    }

    fn cycle_from(&self, start: usize, stuck: &[bool]) -> Vec<Blocked> {
        let mut path = vec![start];
        loop {
            let last = path[path.len() - 1];
            let next = ones(self.waits_for(last)).map(|channel| self.behind(last, channel)).find(|&n| stuck[n]);
            let next = next.expect("a stuck packet waits for stuck packets only");
            if let Some(first) = path.iter().position(|&n| n == next) {
                let ahead = path[first..].iter().skip(1).chain([&next]);
                return path[first..].iter().zip(ahead).map(|(&n, &next)| self.blocked(n, next)).collect();
            }
            path.push(next);
        }
    }

    /// The front packet of buffer `n` waits for buffer `next`, by a port and all its channels that the packet could take.
    fn blocked(&self, n: usize, next: usize) -> Blocked {
        let l = &self.common.layout;
        let (router, input) = ((n / l.network) as u32, n % l.network);
        let port = l.port[next % l.network];
        let (block, lane) = (&self.blocks[n / l.network / LANES], n / l.network % LANES);
        let packet = self.common.packet(block, router, input);
        let asked = self.waits_for(n) & l.link(usize::from(port));
        let room = ones(asked).map(|channel| block.credit(channel, lane)).max().unwrap_or(0);
        Blocked {
            router,
            input: l.name(input).expect("a buffer belongs to a link"),
            port,
            channels: (self.waits_for(n) >> (usize::from(port) * l.link_channels)) as u16 & l.all_channels(),
            source: packet.source,
            destination: packet.destination,
            index: packet.index,
            room: Some(room),
        }
    }

    /// Calls `each` with all heads in network buffers that have no channel, or one without room.
    pub(super) fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        let l = &self.common.layout;
        for n in 0..self.common.grid.routers() * l.network {
            let (router, input) = (n / l.network, n % l.network);
            let (block, lane) = (&self.blocks[router / LANES], router % LANES);
            if block.level(input, lane) == 0 {
                continue;
            }
            let (asked, holds) = (self.waits_for(n), block.holding[lane].get() >> input & 1 == 1);
            let moves = |channel: usize| channel >= l.network || block.credit(channel, lane) > 0;
            if asked == 0 || holds && ones(asked).all(moves) {
                continue;
            }
            let bit = |channel: usize| if channel < l.network { u32::from(l.port[channel]) } else { Waiting::NODE };
            let ports = ones(asked).fold(0, |mask, channel| mask | 1 << bit(channel));
            let input = l.name(input).expect("a buffer belongs to a link").0;
            each(Waiting { router: router as u32, input, ports });
        }
    }

    /// Whether nothing in the network can ever happen again although packets are in it.
    pub(super) fn is_still(&self) -> bool {
        let common = &self.common;
        common.in_flight() > 0
            && !common.lane
            && common.deliveries.pending() == 0
            && common.received.pending() == 0
            && common.wires.is_empty()
    }
}
