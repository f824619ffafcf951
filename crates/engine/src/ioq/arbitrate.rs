//! Arbiters other than round robin: every ingress port offers a packet to an egress side, and the arbiter picks one.

use super::crossbar::Crossing;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::first_in;
use super::router::MAX_PORTS;
use super::shape::{Row, Shape};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::queueing::Queueing;
use crate::mask::Mask;
use tailback_base::bits::ones;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// The packet that an egress side, which has room where memory is shared, takes of a class.
    #[inline(never)]
    pub(super) fn arbitrate(&mut self, switch: usize, port: usize, class: usize, now: u64) -> Option<Crossing> {
        let state = &self.crossbars.switches[switch];
        let asking = state.askers.at(port)[class].get() & state.idle_inputs.get();
        let (mut inputs, mut offers) = (0u64, [(0u32, 0u32); MAX_PORTS]);
        for input in ones(asking) {
            if let Some((queue, joins)) = self.offer(switch, input, port, class) {
                inputs |= 1 << input;
                offers[input] = (queue as u32, joins as u32);
            }
        }
        if inputs == 0 {
            return None;
        }
        let (first, pool) = (switch * self.layout.ports, &self.pool);
        let age = |input: u32| {
            let side = &self.ingress[first + input as usize];
            let packet = pool.packet(side.lists.at(offers[input as usize].0 as usize).first);
            (packet.birth, packet.source)
        };
        let output = (switch * MAX_PORTS + port) as u32;
        let pointer = &mut self.pointers[first + port];
        let winner = self.parts.arbiter.pick(Contest { cycle: now, output, inputs }, pointer, age);
        self.parts.arbiter.served(output, winner);
        let (queue, joins) = offers[winner as usize];
        Some(Crossing { input: winner as usize, queue: queue as usize, port, joins: joins as usize })
    }

    /// The queue of an ingress port that would send a packet to an egress side, and the queue there. Queues whose packet finds no room
    /// are parked, so that the arbiter sees only packets that can go.
    #[inline]
    fn offer(&mut self, switch: usize, input: usize, port: usize, class: usize) -> Option<(usize, usize)> {
        let first = switch * self.layout.ports;
        let (words, egress) = (self.in_words(), first + port);
        loop {
            let (side, out) = (&self.ingress[first + input], &self.outs[egress]);
            let queue = first_in(words, |word| side.ready(port, words, word)[class], side.turn)?;
            let route = self.pool.route_behind(side.lists.at(queue).first);
            let joins = out.queues.queue_for(input as u8, route);
            if S::SHARED || self.used(egress, joins) < out.part {
                return Some((queue, joins));
            }
            self.park_asking((first + input, queue), port, (egress, joins));
        }
    }
}
