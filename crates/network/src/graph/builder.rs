//! Builds a network in tables, and checks it.

use super::{Fault, Flat, Half, LinkKind, Network, Port, Seats, Wiring};
use crate::NONE;

/// How large a network in tables may be. Everything is checked against these numbers before it is allocated.
pub mod limits {
    use super::Fault;

    /// Routers.
    pub const ROUTERS: u64 = 1 << 23;
    /// Nodes.
    pub const NODES: u64 = 1 << 24;
    /// Network ports of all routers.
    pub const PORTS: u64 = 1 << 24;
    /// Network ports of one router.
    pub const PORTS_OF_ROUTER: u64 = 1 << 15;
    /// Delay or period of a link \[cycles\].
    pub const CYCLES: u32 = 4096;

    /// Refuses sizes beyond the limits, and networks without routers or nodes.
    ///
    /// # Errors
    /// What there is too much or nothing of.
    pub fn check(routers: u64, nodes: u64, ports: u64) -> Result<(), Fault> {
        for (what, count, most) in [("routers", routers, ROUTERS), ("nodes", nodes, NODES), ("ports", ports, PORTS)] {
            if count > most {
                return Err(Fault::TooLarge { what, count, most });
            }
        }
        match (routers, nodes) {
            (0, _) => Err(Fault::Empty("routers")),
            (_, 0) => Err(Fault::Empty("nodes")),
            _ => Ok(()),
        }
    }
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Time of a flit \[cycles\].
    pub cycles: u32,
    /// Time of a flit in the other direction \[cycles\].
    pub cycles_back: u32,
    /// Cycles from one flit to the next, in both directions.
    pub period: u32,
    /// Its kind. The other direction has [`LinkKind::back`] of it.
    pub kind: LinkKind,
}

impl Wire {
    /// A link of full width that takes as long in both directions.
    pub fn new(cycles: u32, kind: LinkKind) -> Wire {
        Wire { cycles, cycles_back: cycles, period: 1, kind }
    }

    /// The same link, seen from its other end.
    #[must_use]
    pub fn back(self) -> Wire {
        Wire { cycles: self.cycles_back, cycles_back: self.cycles, period: self.period, kind: self.kind.back() }
    }

    fn half(self, to: Port) -> Half {
        let Wire { cycles, period, kind, .. } = self;
        Half::of(super::Link { to, cycles, period, kind })
    }
}

/// A network in the making: ports that are joined one pair after another.
#[derive(Clone, Debug)]
pub struct Builder {
    flat: Flat,
    seats: Seats,
    /// Whether a link may lead from a router to itself.
    loops: bool,
}

impl Builder {
    /// Routers with so many network ports each, and the nodes of `seats`.
    ///
    /// # Errors
    /// For more than [`limits`] allow; nothing is allocated then.
    pub fn new(ports: &[u32], seats: Seats) -> Result<Builder, Fault> {
        assert_eq!(ports.len(), seats.routers(), "one number of ports per router");
        let total = ports.iter().map(|&n| u64::from(n)).sum();
        limits::check(ports.len() as u64, seats.nodes() as u64, total)?;
        if let Some(&count) = ports.iter().find(|&&n| u64::from(n) > limits::PORTS_OF_ROUTER) {
            return Err(Fault::TooLarge {
                what: "ports at a router",
                count: count.into(),
                most: limits::PORTS_OF_ROUTER,
            });
        }
        let mut first = Vec::with_capacity(ports.len() + 1);
        first.push(0);
        first.extend(ports.iter().scan(0, |sum, &n| {
            *sum += n;
            Some(*sum)
        }));
        let most = ports.iter().copied().max().unwrap_or(0) as usize;
        let flat = Flat { first, half: vec![Half::NOWHERE; total as usize], most, one_way: None };
        Ok(Builder { flat, seats, loops: false })
    }

    /// The same, where links may lead from a router to itself.
    #[must_use]
    pub fn with_loops(self) -> Builder {
        Builder { loops: true, ..self }
    }

    /// The same, folded: so many ports of each router lead out ([`Network::one_way`]).
    #[must_use]
    pub fn folded(mut self, out: u32) -> Builder {
        self.flat.one_way = Some(out);
        self
    }

    /// Joins two ports, in both directions.
    ///
    /// # Errors
    /// For ports that are not there or used, and timing out of range.
    pub fn join(&mut self, a: Port, b: Port, wire: Wire) -> Result<(), Fault> {
        if a.router == b.router && !self.loops {
            return Err(Fault::Loop(a.router));
        }
        let (from, to) = (self.free(a)?, self.free(b)?);
        let range = 1..=limits::CYCLES;
        for (port, cycles) in [(a, wire.cycles), (b, wire.cycles_back)] {
            if !range.contains(&cycles) || !range.contains(&wire.period) {
                return Err(Fault::Timing { port, cycles, period: wire.period });
            }
        }
        self.flat.half[from] = wire.half(b);
        self.flat.half[to] = wire.back().half(a);
        Ok(())
    }

    /// Asks for the far end of every port, and what leads there. Both ends of a link are asked, and [`Builder::finish`] compares
    /// what they say.
    pub fn fill(&mut self, far: impl Fn(u32, usize) -> Option<(Port, Wire)>) {
        for router in 0..self.seats.routers() as u32 {
            let first = self.flat.first[router as usize] as usize;
            for port in 0..self.flat.first[router as usize + 1] as usize - first {
                if let Some((to, wire)) = far(router, port) {
                    self.flat.half[first + port] = wire.half(to);
                }
            }
        }
    }

    /// The network.
    ///
    /// # Errors
    /// Where a link does not lead back, and where not every router can be reached.
    pub fn finish(self) -> Result<Network, Fault> {
        let loops = self.loops;
        let network = Network { wiring: Wiring::Flat(self.flat.into(), None), seats: self.seats };
        let routers = 0..network.routers() as u32;
        if !loops && let Some(fault) = routers.clone().find_map(|router| loops_at(&network, router)) {
            return Err(fault);
        }
        { routers }.try_for_each(|router| leads_back(&network, router))?;
        is_connected(&network)?;
        Ok(network)
    }

    /// The position of a port that leads nowhere yet.
    fn free(&self, port: Port) -> Result<usize, Fault> {
        let routers = self.seats.routers();
        if port.router as usize >= routers {
            return Err(Fault::NoRouter { router: port.router.into(), routers });
        }
        let (first, end) = (self.flat.first[port.router as usize], self.flat.first[port.router as usize + 1]);
        if port.port >= end - first {
            return Err(Fault::NoPort { port, ports: (end - first) as usize });
        }
        let position = (first + port.port) as usize;
        if self.flat.half[position].router != NONE { Err(Fault::Twice(port)) } else { Ok(position) }
    }
}

/// A link of a router to itself.
fn loops_at(network: &Network, router: u32) -> Option<Fault> {
    let (port, link) = network.links_of(router).find(|(_, link)| link.to.router == router)?;
    Some(Fault::OneWay { from: Port { router, port: port as u32 }, to: link.to })
}

fn leads_back(network: &Network, router: u32) -> Result<(), Fault> {
    for (port, link) in network.links_of(router) {
        let (from, to) = (Port { router, port: port as u32 }, link.to);
        let there = (to.router as usize) < network.routers() && (to.port as usize) < network.ports(to.router);
        let back = if there { network.link(to.router, to.port as usize) } else { None };
        let same = |back: super::Link| back.to == from && back.kind == link.kind.back() && back.period == link.period;
        if !back.is_some_and(same) {
            return Err(Fault::OneWay { from, to });
        }
    }
    Ok(())
}

fn is_connected(network: &Network) -> Result<(), Fault> {
    let routers = network.routers();
    let mut reached = vec![false; routers];
    let mut queue = vec![0];
    reached[0] = true;
    let mut count = 1;
    while let Some(router) = queue.pop() {
        for port in 0..network.ports(router) {
            let Some(far) = network.peer(router, port) else { continue };
            if !std::mem::replace(&mut reached[far.router as usize], true) {
                count += 1;
                queue.push(far.router);
            }
        }
    }
    match reached.iter().position(|&reached| !reached) {
        Some(router) => Err(Fault::Unconnected { router: router as u32, reached: count, routers }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn port(router: u32, port: u32) -> Port {
        Port { router, port }
    }

    fn builder(ports: &[u32]) -> Builder {
        Builder::new(ports, Seats::even(ports.len(), 1)).unwrap()
    }

    #[test]
    fn links_have_a_delay_in_each_direction() {
        let mut builder = builder(&[1, 2]);
        let wire = Wire { cycles: 3, cycles_back: 5, period: 2, kind: LinkKind::Up };
        builder.join(port(0, 0), port(1, 1), wire).unwrap();
        let network = builder.finish().unwrap();
        let (there, back) = (network.link(0, 0).unwrap(), network.link(1, 1).unwrap());
        assert_eq!((there.to, there.cycles, there.period, there.kind), (port(1, 1), 3, 2, LinkKind::Up));
        assert_eq!((back.to, back.cycles, back.period, back.kind), (port(0, 0), 5, 2, LinkKind::Down));
        assert_eq!((network.link(1, 0), network.links(), network.slots()), (None, 2, 3));
    }

    #[test]
    fn one_router_without_links_is_a_network() {
        let network = Builder::new(&[0], Seats::even(1, 8)).unwrap().finish().unwrap();
        assert_eq!((network.routers(), network.nodes(), network.links(), network.most_ports()), (1, 8, 0, 0));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let wire = Wire::new(1, LinkKind::Any);
        let mut two = builder(&[2, 2]);
        assert_eq!(two.join(port(0, 0), port(2, 0), wire), Err(Fault::NoRouter { router: 2, routers: 2 }));
        assert_eq!(two.join(port(0, 2), port(1, 0), wire), Err(Fault::NoPort { port: port(0, 2), ports: 2 }));
        assert_eq!(two.join(port(0, 0), port(0, 1), wire), Err(Fault::Loop(0)));
        let slow = Wire::new(5000, LinkKind::Any);
        assert!(matches!(two.join(port(0, 0), port(1, 0), slow), Err(Fault::Timing { cycles: 5000, .. })));
        two.join(port(0, 0), port(1, 0), wire).unwrap();
        assert_eq!(two.join(port(0, 1), port(1, 0), wire), Err(Fault::Twice(port(1, 0))));
        let apart = builder(&[0, 0]).finish().unwrap_err();
        assert_eq!(apart, Fault::Unconnected { router: 1, reached: 1, routers: 2 });
        let mut one_way = builder(&[1, 1]);
        one_way.fill(|router, _| (router == 0).then_some((port(1, 0), wire)));
        assert_eq!(one_way.finish().unwrap_err(), Fault::OneWay { from: port(0, 0), to: port(1, 0) });
    }

    #[test]
    fn sizes_are_checked_first() {
        assert!(matches!(limits::check(1 << 40, 1, 1), Err(Fault::TooLarge { what: "routers", .. })));
        assert!(matches!(limits::check(1, 1 << 40, 1), Err(Fault::TooLarge { what: "nodes", .. })));
        assert!(matches!(limits::check(1, 1, 1 << 40), Err(Fault::TooLarge { what: "ports", .. })));
        assert_eq!(limits::check(1, 0, 0), Err(Fault::Empty("nodes")));
        let wide = Builder::new(&[1 << 16, 0], Seats::even(2, 1));
        assert!(matches!(wide, Err(Fault::TooLarge { what: "ports at a router", .. })));
        let huge = Builder::new(&[u32::MAX; 8], Seats::even(8, 1));
        assert!(matches!(huge, Err(Fault::TooLarge { what: "ports", .. })));
    }
}
