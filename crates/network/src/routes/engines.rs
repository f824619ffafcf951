//! Engines: what computes routes for a network.

use super::{Hop, MOST_ROUTERS, Routes, layers, least_delay};
use crate::family::{Built, Classes};
use crate::graph::{LinkKind, Network};
use crate::up_down::UpDown;
use crate::ways::{MOST_PAIRS, Ways, ends, pairs};

/// What computes routes.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    run: fn(&Built) -> Result<Routes, String>,
}

/// All engines.
pub const ENGINES: [Engine; 4] = [
    Engine {
        name: "layered",
        summary: "shortest ways; each pair of routers in the first layer in which no links wait for each other in a circle",
        run: layered,
    },
    Engine {
        name: "up_down",
        summary: "up*/down*: the shortest of the ways that go up, then down; one layer",
        run: up_down,
    },
    Engine {
        name: "minimal",
        summary: "one minimal way of the network's own family, where its classes of channels are known from the input port",
        run: minimal,
    },
    Engine {
        name: "least_delay",
        summary: "one way of the least delay for each pair, as BookSim 2 has them for networks from files; one layer, which may close circles",
        run: of_least_delay,
    },
];

impl Engine {
    /// The engine of a name.
    pub fn named(name: &str) -> Option<&'static Engine> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// The routes of a network.
    ///
    /// # Errors
    /// In words, where the network is too large or has no such routes.
    pub fn routes(&self, built: &Built) -> Result<Routes, String> {
        let network = &built.network;
        if network.routers() > MOST_ROUTERS || pairs(network) > MOST_PAIRS {
            return Err(format!(
                "routes are kept in a table for {MOST_ROUTERS} routers at most, and this network has {}",
                network.routers()
            ));
        }
        if network.most_ports() >= usize::from(u8::MAX) {
            return Err(format!(
                "routes are for routers of {} ports at most, and this network has one of {}",
                u8::MAX - 1,
                network.most_ports()
            ));
        }
        (self.run)(built)
    }
}

/// The first port of those to the lowest router.
fn lowest(network: &Network, router: u32, ports: &[u8]) -> Option<u8> {
    let far = |port: &&u8| network.peer(router, usize::from(**port)).map(|peer| peer.router);
    ports.iter().min_by_key(far).copied()
}

/// The lowest of some ways.
fn of_ways(network: &Network, ways: &Ways) -> Result<Routes, String> {
    let mut routes = Routes::new(network.routers());
    for to in ends(network) {
        for at in 0..network.routers() as u32 {
            if let Some(port) = lowest(network, at, ways.ports(at, to)) {
                routes.take(at, to, Hop::new(port, 0))?;
            }
        }
    }
    Ok(routes)
}

fn of_least_delay(built: &Built) -> Result<Routes, String> {
    let network = &built.network;
    let mut routes = Routes::new(network.routers());
    for at in 0..network.routers() as u32 {
        let ports = least_delay::first_ports(network, at);
        for to in ends(network) {
            if let Some(port) = ports[to as usize] {
                routes.take(at, to, Hop::new(port, 0))?;
            }
        }
    }
    routes.follow(network)?;
    Ok(routes)
}

fn layered(built: &Built) -> Result<Routes, String> {
    let network = &built.network;
    let mut routes = of_ways(network, &Ways::shortest(network))?;
    routes.follow(network)?;
    layers::assign(&mut routes, network)?;
    Ok(routes)
}

/// A packet that came down has gone down. Where its way differs from that of others, the input says so.
fn up_down(built: &Built) -> Result<Routes, String> {
    let network = &built.network;
    let ways = UpDown::new(network, None);
    let mut routes = of_ways(network, &ways.free)?;
    for to in ends(network) {
        for at in (0..network.routers() as u32).filter(|&at| at != to) {
            let free = lowest(network, at, ways.free.ports(at, to));
            let Some(down) = lowest(network, at, ways.down.ports(at, to)).filter(|&port| Some(port) != free) else {
                continue;
            };
            let came_down = |from: u32| !ways.directions.is_up(from, at);
            for input in (0..network.ports(at))
                .filter(|&input| network.behind(at, input).is_some_and(|from| came_down(from.router)))
            {
                routes.take_input((to, at, input as u8), Hop::new(down, 0));
            }
        }
    }
    routes.sort()?;
    routes.follow(network)?;
    Ok(routes)
}

fn minimal(built: &Built) -> Result<Routes, String> {
    let network = &built.network;
    let mut routes = of_ways(network, &Ways::new(built))?;
    match built.classes {
        Classes::One => {}
        Classes::ByGlobal => by_global(&mut routes, network)?,
        Classes::ByHop => {
            return Err(
                "minimal ways of this network need a class of channels for each link behind a packet, which no table \
                        says; take the engine layered"
                    .to_owned(),
            );
        }
    }
    routes.follow(network)?;
    Ok(routes)
}

/// Local links have channel 0 before the global link and channel 1 behind it. A packet that comes by a global link has one behind it,
/// and has one more link to go at most.
fn by_global(routes: &mut Routes, network: &Network) -> Result<(), String> {
    let is_global =
        |router: u32, port: usize| network.link(router, port).is_some_and(|link| link.kind == LinkKind::Global);
    for to in ends(network) {
        for at in (0..network.routers() as u32).filter(|&at| at != to) {
            let hop = routes.next[routes.at(at, to)];
            if hop.is_missing() || is_global(at, usize::from(hop.port)) {
                continue;
            }
            let index = routes.at(at, to);
            routes.next[index].channels = 0b01;
            let comes_globally = |input: &usize| {
                network.behind(at, *input).is_some_and(|from| is_global(from.router, from.port as usize))
            };
            for input in (0..network.ports(at)).filter(comes_globally) {
                routes.take_input((to, at, input as u8), Hop::new(hop.port, 0b10));
            }
        }
    }
    routes.sort()
}
