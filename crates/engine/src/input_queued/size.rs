//! What a router needs, before it is built.

use super::layout::ring_places;
use super::router::{Router, Stages};
use super::state::{Input, Output};
use crate::packet::{Packet, Slot};

/// Bytes of state of a router with so many ports, those of nodes among them, for estimates; the shortest packet has so many flits.
pub fn router_bytes(ports: usize, shortest: u32, config: &Router) -> usize {
    let inputs = ports * config.channels as usize;
    let ring = ring_places(config.buffer_flits, shortest);
    let packets = ring.min(config.buffer_flits as usize + 1) * 2 * size_of::<Packet>();
    let channel = size_of::<Input>() + size_of::<Output>() + ring * size_of::<Slot>() + packets;
    let matrix = |allocator: &super::router::Allocator, (ins, outs): (usize, usize)| {
        let words = |n: usize| n * n.div_ceil(64) * size_of::<u64>();
        let ranks = |n: usize| (n + allocator.groups as usize) * size_of::<u16>();
        match (allocator.has_arbiters(), allocator.groups, allocator.stages) {
            (true, 2.., _) => ins * ranks(outs) + outs * ranks(ins),
            (true, _, Stages::Matrix) => ins * words(outs) + outs * words(ins),
            _ => 0,
        }
    };
    let crossbar = (ports * config.input_speedup as usize, ports * config.output_speedup as usize);
    let matrices = matrix(&config.channel_allocator, (inputs, inputs)) + matrix(&config.switch_allocator, crossbar);
    let hopes = config.speculation.allocator().map_or(0, |allocator| matrix(&allocator, crossbar));
    (inputs * channel + matrices + hopes + ports * 64) * config.planes as usize
}
