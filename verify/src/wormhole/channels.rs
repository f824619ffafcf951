//! Who gets an output channel.

use super::arbiter::Rival;
use super::config::{ChannelAllocator, Config, Sharing, Way};
use super::network::Network;
use super::packet::Packet;
use super::router::{Front, Router};
use super::routing::Link;
use super::selection::Choice;

/// A head that asks for an output channel and could have one.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its input and age.
    pub rival: Rival,
    /// The output channels that it could have, in ascending order.
    pub free: Vec<usize>,
    /// The one that it chose, where heads choose first.
    pub chosen: Option<usize>,
}

impl Network<'_> {
    /// Packets in the recovery lane get its next channel where that is free.
    pub(super) fn allocate_lane(&mut self, router: usize) {
        let Some(lane) = self.config.lane() else { return };
        for input in 0..self.config.network_channels() {
            let Some(front) = self.asking(router, input).filter(|front| front.in_lane) else { continue };
            let Some(port) = self.config.lane_port(router, &self.packets[front.packet]) else { continue };
            let output = port * self.config.width() + lane;
            if !self.routers[router].outputs[output].held {
                self.give(router, input, output);
            }
        }
    }

    /// Heads get output channels. Answers which heads asked and could have had one.
    pub(super) fn allocate_channels(&mut self, router: usize) -> Vec<Head> {
        let mut heads: Vec<Head> = (0..self.config.inputs()).filter_map(|input| self.head(router, input)).collect();
        match self.config.channel_allocator {
            ChannelAllocator::Central => self.allocate_centrally(router, &heads),
            ChannelAllocator::InputFirst => {
                for head in &mut heads {
                    head.chosen = Some(self.choose(router, head.rival.input, &head.free));
                }
                self.allocate_chosen(router, &heads);
            }
            ChannelAllocator::OutputFirst => self.allocate_offered(router, &heads),
        }
        heads
    }

    /// One head chooses a channel.
    fn allocate_centrally(&mut self, router: usize, heads: &[Head]) {
        let rivals: Vec<Rival> = heads.iter().map(|head| head.rival).collect();
        if rivals.is_empty() {
            return;
        }
        let winner = self.routers[router].channel_arbiters.pick(router, self.now, &rivals);
        let head = heads.iter().find(|head| head.rival.input == winner).expect("the winner took part");
        let output = self.choose(router, winner, &head.free);
        self.routers[router].channel_arbiters.serve(router, winner);
        self.give(router, winner, output);
    }

    /// Each channel picks one of the heads that chose it.
    fn allocate_chosen(&mut self, router: usize, heads: &[Head]) {
        for output in 0..self.config.outputs() {
            let rivals: Vec<Rival> = heads.iter().filter(|h| h.chosen == Some(output)).map(|h| h.rival).collect();
            if !rivals.is_empty() {
                let arbiter = router * 64 + output;
                let winner = self.routers[router].channel_arbiters.pick(arbiter, self.now, &rivals);
                self.routers[router].channel_arbiters.serve(arbiter, winner);
                self.give(router, winner, output);
            }
        }
    }

    /// Each channel that some head could have picks one; a head picked by several takes one of them.
    fn allocate_offered(&mut self, router: usize, heads: &[Head]) {
        let mut offers = Vec::new();
        for output in 0..self.config.outputs() {
            let rivals: Vec<Rival> = heads.iter().filter(|h| h.free.contains(&output)).map(|h| h.rival).collect();
            if !rivals.is_empty() {
                let picked = self.routers[router].channel_arbiters.pick(router * 64 + output, self.now, &rivals);
                offers.push((picked, output));
            }
        }
        for head in heads {
            let input = head.rival.input;
            let offered: Vec<usize> = offers.iter().filter(|&&(picked, _)| picked == input).map(|&(_, o)| o).collect();
            if !offered.is_empty() {
                let output = self.choose(router, input, &offered);
                self.routers[router].channel_arbiters.serve(router * 64 + output, input);
                self.give(router, input, output);
            }
        }
    }

    /// The head at an input if it asks for an output channel in this cycle.
    pub(super) fn asking(&self, router: usize, input: usize) -> Option<Front> {
        let front = self.routers[router].inputs[input].front?;
        (front.holds.is_none() && front.asks_from <= self.now && front.admitted).then_some(front)
    }

    /// The head at an input if it asks and could have a channel. One in the lane does so only to be consumed.
    fn head(&self, router: usize, input: usize) -> Option<Head> {
        let front = self.asking(router, input)?;
        let packet = &self.packets[front.packet];
        let at = &self.routers[router];
        let to_node = self.config.ejection_output(input, packet.made.destination);
        let candidates = match front.in_lane {
            false => self.config.candidates(router, self.config.from_link(input), packet),
            true if self.config.lane_port(router, packet).is_some() => return None,
            true => None,
        };
        let free = match candidates {
            None => free_only(at, vec![to_node]),
            Some(candidates) => {
                let outputs = |links: &[Link]| links.iter().map(|&(p, c)| p * self.config.width() + c).collect();
                let mut preferred: Vec<usize> = free_only(at, outputs(&candidates.preferred));
                if self.config.sharing == Sharing::SharedWhole && !candidates.fallback.is_empty() {
                    preferred.retain(|&output| fits(self.config, at, output, packet));
                }
                if preferred.is_empty() { free_only(at, outputs(&candidates.fallback)) } else { preferred }
            }
        };
        let rival = Rival { input, age: packet.age() };
        (!free.is_empty()).then_some(Head { rival, free, chosen: None })
    }

    /// The channel that the head at an input takes, out of at least one.
    fn choose(&self, router: usize, input: usize, free: &[usize]) -> usize {
        if free.len() == 1 {
            return free[0];
        }
        let link = |&output: &usize| match self.config.way(output) {
            Way::Network { port, channel } => ((port, channel), self.routers[router].outputs[output].credits),
            Way::Ejection(_) => unreachable!("there is one ejection channel to ask for"),
        };
        let links: Vec<(Link, u32)> = free.iter().map(link).collect();
        let place = (router * 64 + input) as u32;
        let choice = Choice { place, now: self.now, from: self.config.from_link(input), free: &links };
        let (port, channel) = self.config.select(&choice);
        port * self.config.width() + channel
    }

    fn give(&mut self, router: usize, input: usize, output: usize) {
        let at = &mut self.routers[router];
        assert!(!at.outputs[output].held, "a channel is given to one packet at a time");
        at.outputs[output].held = true;
        at.inputs[input].front.as_mut().expect("a head asked").holds = Some((output, self.now));
    }
}

/// Those that are free, in ascending order.
fn free_only(router: &Router, mut outputs: Vec<usize>) -> Vec<usize> {
    outputs.retain(|&output| !router.outputs[output].held);
    outputs.sort_unstable();
    outputs
}

/// Whether the packet, or as much of it as a buffer holds, has room behind an output channel.
fn fits(config: &Config, router: &Router, output: usize, packet: &Packet) -> bool {
    let Way::Network { channel, .. } = config.way(output) else { return true };
    router.outputs[output].credits >= packet.made.flits.min(config.buffer_of(channel))
}
