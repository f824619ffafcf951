//! Classes of traffic that share the wire of a node, as those of BookSim 2: each has a pattern, a process and lengths of its own, and a share of the load.
//!
//! A class is a port of every node, as a message class is: port `c` of node `n` is number `n k + c` of `k` classes, and counts as a node. Its packets go
//! to ports of the same class.

use crate::Limits;
use crate::source::{Generated, Source};
use crate::traffic::Traffic;

/// The most classes that share the wires of a node.
pub const MAX_CLASSES: usize = 16;

/// What nodes send in each class.
pub struct Shared {
    classes: Vec<Traffic>,
    /// Whether packets of a class are measured.
    measured: Vec<bool>,
    /// Its limits under the rule of periods, where it has limits of its own.
    limits: Vec<Option<Limits>>,
}

impl Shared {
    /// Of the traffic of each class on the nodes of the network.
    pub(crate) fn new(classes: Vec<Traffic>, measured: Vec<bool>, limits: Vec<Option<Limits>>) -> Shared {
        Shared { classes, measured, limits }
    }

    /// The number of classes.
    pub fn count(&self) -> u32 {
        self.classes.len() as u32
    }

    /// By class, whether its packets are measured under the rule of periods.
    pub fn measured(&self) -> &[bool] {
        &self.measured
    }

    /// By class, its limits under the rule of periods, where it has limits of its own.
    pub fn limits(&self) -> &[Option<Limits>] {
        &self.limits
    }

    /// The traffic of each class, on the nodes of the network.
    pub fn classes(&self) -> &[Traffic] {
        &self.classes
    }

    pub(crate) fn classes_mut(&mut self) -> &mut [Traffic] {
        &mut self.classes
    }

    /// The class of a port.
    pub(crate) fn class(&self, port: u32) -> u32 {
        port % self.count()
    }

    /// The traffic of a port, and its node there.
    pub(crate) fn of(&self, port: u32) -> (&Traffic, u32) {
        (&self.classes[self.class(port) as usize], port / self.count())
    }

    /// The port to which a packet of a port goes whose destination is a node.
    pub(crate) fn to(&self, port: u32, node: u32) -> u32 {
        node * self.count() + self.class(port)
    }

    /// As [`Traffic::next`], of a port.
    pub(crate) fn next(&self, port: u32, source: &mut Source) -> Option<Generated> {
        let (traffic, node) = self.of(port);
        let packet = traffic.next(node, source)?;
        Some(Generated { destination: self.to(port, packet.destination), ..packet })
    }

    /// As [`Traffic::makes`], of a port.
    pub(crate) fn makes(&self, port: u32, packet: &Generated) -> bool {
        let (traffic, node) = self.of(port);
        let own = self.class(packet.destination) == self.class(port);
        own && traffic.makes(node, &Generated { destination: packet.destination / self.count(), ..*packet })
    }

    /// Mean length of a packet over all classes \[flits\]; of classes that send no load, of all of them alike.
    pub(crate) fn mean_flits(&self) -> f64 {
        let loads = || self.classes.iter().map(|class| class.offered_load(0, 1));
        let all: f64 = loads().sum();
        let weights = || loads().map(|load| if all > 0.0 { load } else { 1.0 });
        let packets: f64 = weights().zip(&self.classes).map(|(load, class)| load / class.mean_flits()).sum();
        weights().sum::<f64>() / packets
    }

    /// The sum of something over all classes.
    pub(crate) fn sum<T: std::iter::Sum>(&self, of: impl Fn(&Traffic) -> T) -> T {
        self.classes.iter().map(of).sum()
    }
}
