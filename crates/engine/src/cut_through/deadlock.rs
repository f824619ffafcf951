//! Deadlock, found and not guessed: the heads that can never move again, whatever the rest of the network does.
//!
//! A head can move one day if some channel it asks for has room, will get credits that are on their way, or leads to a
//! buffer with a packet that can move one day. What is left when nothing more can be added to that set waits for itself.

use super::compact::Inputs;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use crate::outcome::{Blocked, Deadlock, Waiting};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    pub(super) fn deadlock(&self) -> Option<Deadlock> {
        let stuck = self.stuck_inputs();
        let start = stuck.iter().position(|&s| s)?;
        Some(Deadlock { blocked: stuck.iter().filter(|&&s| s).count(), cycle: self.cycle_from(start, &stuck) })
    }

    /// Per network input, whether its front packet waits for ever.
    fn stuck_inputs(&self) -> Vec<bool> {
        let all = self.layout.network_inputs;
        let mut returning = vec![false; self.routers.len() * all];
        for (router, port, channel, flits) in self.returns.outstanding() {
            returning[router as usize * all + port * self.layout.channels + channel] |= flits > 0;
        }
        let waits = |router: usize, input: usize| {
            let state = &self.routers.all()[router];
            let network = usize::from(state.input(input).output) < self.layout.ports;
            state.is_taken(input) && network && state.asks(input)
        };
        let mut stuck: Vec<bool> = (0..self.routers.len() * all).map(|n| waits(n / all, n % all)).collect();
        loop {
            let mut changed = false;
            for n in 0..stuck.len() {
                if stuck[n] && self.may_move((n / all) as u32, n % all, &stuck, &returning) {
                    stuck[n] = false;
                    changed = true;
                }
            }
            if !changed {
                return stuck;
            }
        }
    }

    /// The buffers downstream that the front packet of an input waits for, as input numbers over the network.
    fn waits_for(&self, router: u32, input: usize) -> impl Iterator<Item = usize> + '_ {
        let l = &self.layout;
        let state = *self.routers.all()[router as usize].input(input);
        let port = usize::from(state.output);
        let (peer, into) = self.peers.ahead::<false>(self.routers.id(router), port);
        let first = peer.get() as usize * l.network_inputs + into * l.channels;
        ones(u64::from(state.channels)).map(move |c| first + c)
    }

    fn may_move(&self, router: u32, input: usize, stuck: &[bool], returning: &[bool]) -> bool {
        let l = &self.layout;
        let port = usize::from(self.routers.all()[router as usize].input(input).output);
        let flits = i64::from(self.length(self.front(self.routers.id(router), input).packet));
        self.waits_for(router, input).any(|n| {
            let channel = n % l.channels;
            let downstream = &self.routers.all()[n / l.network_inputs];
            let in_motion = !downstream.is_taken(n % l.network_inputs) || !stuck[n];
            let returns = returning[router as usize * l.network_inputs + port * l.channels + channel];
            in_motion || returns || self.settled(self.routers.id(router), port, channel) >= flits
        })
    }

    fn cycle_from(&self, start: usize, stuck: &[bool]) -> Vec<Blocked> {
        let all = self.layout.network_inputs;
        let mut path = vec![start];
        loop {
            let last = path[path.len() - 1];
            let next = self
                .waits_for((last / all) as u32, last % all)
                .find(|&n| stuck[n])
                .expect("a stuck head waits for stuck heads only");
            if let Some(first) = path.iter().position(|&n| n == next) {
                return path[first..].iter().map(|&n| self.blocked((n / all) as u32, n % all)).collect();
            }
            path.push(next);
        }
    }

    fn blocked(&self, router: u32, input: usize) -> Blocked {
        let l = &self.layout;
        let state = *self.routers.all()[router as usize].input(input);
        let packet = &self.packets[self.front(self.routers.id(router), input).packet];
        let of_channel = |c| self.settled(self.routers.id(router), usize::from(state.output), c);
        let room = ones(u64::from(state.channels)).map(of_channel).max().unwrap_or(0);
        Blocked {
            router,
            input: ((input / l.channels) as u8, (input % l.channels) as u8),
            port: state.output,
            channels: state.channels,
            source: packet.source,
            destination: packet.destination,
            index: packet.index,
            room: Some(room.max(0) as u32),
        }
    }

    /// Calls `each` with all heads in network buffers that ask for something.
    pub(super) fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        for (router, state) in (0..).zip(self.routers.all()) {
            for input in (0..self.layout.network_inputs).filter(|&input| state.is_taken(input)) {
                if state.asks(input) {
                    let output = u32::from(state.input(input).output);
                    let bit = if (output as usize) < self.layout.ports { output } else { Waiting::NODE };
                    each(Waiting { router, input: (input / self.layout.channels) as u8, ports: 1 << bit });
                }
            }
        }
    }

    /// Whether nothing in the network can ever happen again although packets are in it: no flit moves, no credit is on its
    /// way, no output is ready. Costs a few loads, so it may be asked every cycle.
    #[inline]
    pub(super) fn is_still(&self) -> bool {
        self.in_flight() > 0
            && self.tails.pending() == 0
            && self.arrivals.pending() == 0
            && !self.returns.any_outstanding()
            && self.active.is_empty()
    }
}
