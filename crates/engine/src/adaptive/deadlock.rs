//! Deadlock, found and not guessed: the heads that can never move again, whatever the rest of the network does.
//!
//! A buffer drains one day if its front packet is consumed, holds an output, or waits for a channel that may fit one day: the
//! buffer behind it has room or drains, and so has the channel's own queue or the ring where bubbles are asked for. (Outputs
//! are held by packets that have room, so each is open again.) What is left when nothing more can be added waits for itself.
//! A head that others always overtake is starved; that is not deadlock.
//!
//! Injection queues are left out, since nobody in the network waits for one: they are part of no circle, and stand behind one
//! only by waiting for a buffer of it. Where no buffer is stuck, every own queue and every ring has the room some day that a new
//! packet needs; one that asks for more than buffers hold is refused before the run. What new packets hold, an output, they have
//! room for, so it is open again; what they might take before a head in the network does would starve it.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::rules::{BEHIND, ELSEWHERE};
use super::state::Mask;
use crate::outcome::{Blocked, Deadlock, Waiting};
use tailback_base::bits::ones;

/// What is known of the buffers, by input number over the network.
struct Search {
    /// Buffers not known to drain one day.
    stuck: Vec<bool>,
    /// Packets that are coming.
    coming: Vec<u32>,
    /// Flits that credits on their way will bring to a channel.
    returning: Vec<u32>,
}

/// What keeps a head from a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    /// Nothing, some day.
    None,
    /// A buffer that does not drain.
    Buffer(usize),
    /// More is asked for than buffers hold.
    Size,
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    pub(super) fn deadlock(&self) -> Option<Deadlock> {
        let search = self.search();
        let start = search.stuck.iter().position(|&s| s)?;
        let blocked = search.stuck.iter().filter(|&&s| s).count();
        Some(Deadlock { blocked, cycle: self.cycle_from(start, &search) })
    }

    fn search(&self) -> Search {
        let all = self.layout.network;
        let mut returning = vec![0; self.routers.len() * all];
        for credit in self.credits.iter() {
            returning[credit.router as usize * all + usize::from(credit.number)] += self.config.packet_flits;
        }
        let waits = |n: usize| {
            let state = &self.routers[n / all];
            (state.waiting.get() & !state.ejecting.get()) >> (n % all) & 1 == 1
        };
        let stuck = (0..self.routers.len() * all).map(waits).collect();
        let mut search = Search { stuck, coming: self.coming(), returning };
        loop {
            let mut changed = false;
            for n in 0..search.stuck.len() {
                if search.stuck[n] && self.candidates(n).any(|c| self.obstacle(n, c, &search) == Obstacle::None) {
                    search.stuck[n] = false;
                    changed = true;
                }
            }
            if !changed {
                return search;
            }
        }
    }

    /// The channels that the head of buffer `n` asks for.
    fn candidates(&self, n: usize) -> impl Iterator<Item = usize> + use<M, W, NI, NO> {
        let all = self.layout.network;
        ones(self.reach(&self.routers[n / all], n % all))
    }

    /// What keeps the head of buffer `n` from channel `c` for ever.
    fn obstacle(&self, n: usize, c: usize, search: &Search) -> Obstacle {
        let all = self.layout.network;
        let (router, input) = (n / all, n % all);
        let state = &self.routers[router];
        let escape = if state.fallback[input].get() >> c & 1 == 1 { 1 } else { self.escape };
        let kind = if input == c { BEHIND } else { ELSEWHERE } + escape;
        let buffer = self.config.buffer_packets;
        let (room, own) = (self.rules.room[kind], self.rules.own[kind]);
        let behind = self.behind(router as u32, c);
        if room > buffer * self.config.packet_flits || own > buffer {
            return Obstacle::Size;
        }
        if (state.credits[c] as u32 + search.returning[router * all + c]) < room && search.stuck[behind] {
            return Obstacle::Buffer(behind);
        }
        if buffer - u32::from(state.inputs[c].count) < own && search.stuck[router * all + c] {
            return Obstacle::Buffer(router * all + c);
        }
        self.obstacle_around(router, c, kind, search)
    }

    /// What keeps the ring of channel `c` from having the bubble for a step of this kind.
    fn obstacle_around(&self, router: usize, c: usize, kind: usize, search: &Search) -> Obstacle {
        let needed = self.rules.ring[kind];
        if needed == 0 || self.rings.free[self.rings.ring(router as u32, c)] >= needed {
            return Obstacle::None;
        }
        let all = self.layout.network;
        let ring = self.rings.ring(router as u32, c);
        let members = (0..self.routers.len()).map(|r| r * all + c).filter(|n| self.rings.of[*n] as usize == ring);
        let mut stuck = None;
        for n in members {
            let holds = self.routers[n / all].inputs[c].count > 0;
            if search.coming[n] > 0 || holds && !search.stuck[n] {
                return Obstacle::None;
            }
            stuck = stuck.or(holds.then_some(n));
        }
        stuck.map_or(Obstacle::Size, Obstacle::Buffer)
    }

    /// Follows what stands in the way until it comes back.
    fn cycle_from(&self, start: usize, search: &Search) -> Vec<Blocked> {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = start;
        loop {
            if let Some(first) = path.iter().position(|&(n, _)| n == at) {
                return path[first..].iter().map(|&(n, c)| self.blocked(n, c)).collect();
            }
            let next = self.candidates(at).find_map(|c| match self.obstacle(at, c, search) {
                Obstacle::Buffer(next) => Some((c, next)),
                _ => None,
            });
            match next {
                Some((c, next)) => {
                    path.push((at, c));
                    at = next;
                }
                // It asks for what no buffer has: a circle of one.
                None => {
                    let c = self.candidates(at).next().expect("a head that is not consumed has candidates");
                    return vec![self.blocked(at, c)];
                }
            }
        }
    }

    /// The front packet of buffer `n`, which waits for channel `c` and the others of its port that it could take.
    fn blocked(&self, n: usize, c: usize) -> Blocked {
        let l = &self.layout;
        let (router, input) = (n / l.network, n % l.network);
        let state = &self.routers[router];
        let packet = self.front(state, input);
        let port = l.port_of(c);
        let reach = self.reach(state, input) & l.link[port];
        let channels = reach >> (port * l.channels);
        let room = ones(reach).map(|channel| i64::from(state.credits[channel])).max().unwrap_or(0);
        Blocked {
            router: router as u32,
            input: l.name(input).expect("a buffer belongs to a link"),
            port: port as u8,
            channels: channels as u16,
            source: packet.source,
            destination: packet.destination,
            index: packet.index,
            room: Some(room.max(0) as u32),
        }
    }

    /// Calls `each` with all heads in network buffers that ask for something.
    pub(super) fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        for (router, state) in (0..).zip(&self.routers) {
            let waiting = state.waiting.get();
            for input in ones(waiting).take_while(|&input| input < self.layout.network) {
                let port = self.layout.name(input).expect("a buffer belongs to a link").0;
                let ports = match state.ejecting.get() >> input & 1 {
                    1 => 1 << Waiting::NODE,
                    _ => ones(self.reach(state, input)).fold(0, |mask, c| mask | 1 << self.layout.port_of(c)),
                };
                each(Waiting { router, input: port, ports });
            }
        }
    }
}
