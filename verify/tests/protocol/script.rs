//! A program as the nodes of the reference model execute it: by the naive twin alone.

use super::twin::Twin;
use std::collections::BTreeMap;
use tailback_program::Work;
use tailback_traffic::{Cutting, Generated, Placed};
use tailback_verify::reference::script::{Name, Script};

pub struct Played<'p> {
    placed: &'p Placed,
    pub twin: Twin,
    /// By packet: the rank that sends it, the operation, and its flits.
    packets: BTreeMap<Name, (u32, u32, u32)>,
    /// By rank and operation: flits that have been given.
    given: BTreeMap<(u32, u32), u32>,
    /// By port: packets given.
    taken: Vec<u64>,
}

impl<'p> Played<'p> {
    pub fn new(placed: &'p Placed, twin: Twin, ports: u32) -> Self {
        let taken = vec![0; ports as usize];
        Played { placed, twin, packets: BTreeMap::new(), given: BTreeMap::new(), taken }
    }
}

impl Script for Played<'_> {
    fn hears(&mut self, now: u64, delivered: &[Name], left: &[Name]) {
        for name in left {
            let (rank, number, flits) = self.packets[name];
            self.twin.left(rank, number, flits, now);
        }
        for name in delivered {
            let (rank, number, flits) = self.packets[name];
            self.twin.delivered(rank, number, flits, now);
        }
    }

    fn entered(&mut self, now: u64, packets: &[Name]) {
        for name in packets {
            let (rank, number, _) = self.packets[name];
            self.twin.entered(rank, number, now);
        }
    }

    fn next(&mut self, port: u32, now: u64) -> Option<Generated> {
        let (rank, class) = self.placed.behind(port)?;
        let (cycle, number) = self.twin.next(rank, class, now)?;
        let Work::Send { to, flits: all, .. } = self.placed.program().operation(rank, number).work else {
            panic!("only sends are given")
        };
        let given = self.given.entry((rank, number)).or_default();
        let flits = match self.placed.cutting() {
            Cutting::Packets(most) => (all - *given).min(most),
            _ => all,
        };
        *given += flits;
        let index = self.taken[port as usize];
        self.taken[port as usize] += 1;
        self.twin.give(rank, number, flits);
        self.packets.insert((port, index), (rank, number, flits));
        Some(Generated { cycle, destination: self.placed.port_of(to, class), flits, index })
    }

    fn holds(&mut self, port: u32, now: u64) -> u32 {
        let Some((rank, class)) = self.placed.behind(port) else { return 0 };
        self.twin.holds(rank, class, now)
    }
}
