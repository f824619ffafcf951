//! The disciplines with fixed queues: how many queues a side has, and which of them a packet joins.

use super::config::{Config, Discipline, EgressIndex};
use super::side::{Neighbour, Place, Sort};

impl Config {
    /// Queues of the side at `place`; under RECN the largest number there may be.
    pub fn queues(&self, place: &Place) -> usize {
        // Each node's port is of one class, so queues of nodes are queues of classes.
        let classes = if self.discipline == Discipline::VoqNet { 1 } else { self.classes as usize };
        self.queues_of_class(place) * classes
    }

    fn queues_of_class(&self, place: &Place) -> usize {
        let to_node = place.sort == Sort::Egress && place.to_node;
        let ports = self.ports();
        match (self.discipline, place.sort) {
            (Discipline::Single, _) => 1,
            (Discipline::VoqNet, _) => self.shared.base.nodes(),
            (Discipline::Dbbm(queues), _) => queues as usize,
            (Discipline::VoqSw(_) | Discipline::Damq, Sort::Ingress) => ports,
            (Discipline::VoqSw(_) | Discipline::Damq, Sort::Egress) if to_node => 1,
            (Discipline::VoqSw(EgressIndex::NextTurn) | Discipline::Damq, _) => ports,
            (Discipline::VoqSw(EgressIndex::InputPort), Sort::Egress) => ports,
            (Discipline::VoqSw(_), _) => 1,
            (Discipline::Recn(recn), Sort::Ingress) => ports + recn.set_aside_queues as usize,
            (Discipline::Recn(recn), _) => 1 + recn.set_aside_queues as usize,
        }
    }

    /// Packets that each of `queues` queues of a memory holds, or all of them together where they share it.
    pub fn part(&self, memory: u32, queues: usize) -> u32 {
        match self.discipline {
            _ if self.shares_memory() || queues == 1 => memory,
            _ => memory / queues as u32,
        }
    }

    /// The queue that a packet from `from` joins whose way on is `way`, at the side at `place`, unless RECN knows.
    pub fn queue(&self, place: &Place, from: Neighbour, way: &[usize], destination: u32) -> usize {
        if self.discipline == Discipline::VoqNet {
            return destination as usize;
        }
        let (class, node) = (destination % self.classes, destination / self.classes);
        class as usize * self.queues_of_class(place) + self.queue_of_class(place, from, way, node)
    }

    fn queue_of_class(&self, place: &Place, from: Neighbour, way: &[usize], destination: u32) -> usize {
        match (self.discipline, from) {
            _ if self.queues_of_class(place) == 1 => 0,
            (Discipline::Single, _) => 0,
            (Discipline::VoqNet, _) => unreachable!("it has a queue for each node"),
            (Discipline::Dbbm(queues), _) => (destination % queues) as usize,
            (Discipline::VoqSw(EgressIndex::InputPort), Neighbour::Port(port)) => port,
            (Discipline::VoqSw(_) | Discipline::Damq, _) => way[0],
            (Discipline::Recn(_), _) => unreachable!("its lines know"),
        }
    }
}
