//! Layers of routes: each pair of routers in the first layer in which no links wait for each other in a circle.
//!
//! The pairs come in order of destination, then source, as in LASH (Lysne et al., 2006); its engine in OpenSM balances layers as well.

use super::{MOST_LAYERS, Routes, all_ends};
use crate::graph::Network;

/// What is known of a dependency in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing: it is not there.
    Absent,
    Present,
    /// It would close a circle. It will always: dependencies only come.
    Refused,
}

/// The dependencies of the links in a layer: packets that hold a link and wait for the next one.
struct Layer {
    /// By link, then port of the router behind it.
    known: Vec<Known>,
    /// The links that each link waits for.
    next: Vec<Vec<u32>>,
    /// A place of every link in an order in which each link comes before those that it waits for.
    order: Vec<u32>,
    /// By place, the link.
    at: Vec<u32>,
    seen: Vec<bool>,
}

/// One dependency: its place in `known`, and the links.
#[derive(Clone, Copy)]
struct Edge {
    key: usize,
    from: u32,
    to: u32,
}

impl Layer {
    fn new(links: usize, ports: usize) -> Layer {
        let order: Vec<u32> = (0..links as u32).collect();
        Layer {
            known: vec![Known::Absent; links * ports],
            next: vec![Vec::new(); links],
            at: order.clone(),
            order,
            seen: vec![false; links],
        }
    }

    /// Adds the dependencies of a route, or none of them where they would close a circle.
    fn takes(&mut self, edges: &[Edge]) -> bool {
        for edge in edges {
            let known = self.known[edge.key];
            if known == Known::Absent && self.reaches(edge.to, edge.from) {
                self.known[edge.key] = Known::Refused;
            }
            if self.known[edge.key] == Known::Refused {
                return false;
            }
        }
        let mut added: Vec<Edge> = Vec::new();
        for edge in edges {
            if self.known[edge.key] == Known::Present {
                continue;
            }
            if !self.add(*edge) {
                added.into_iter().for_each(|edge| self.remove(edge));
                return false;
            }
            added.push(*edge);
        }
        true
    }

    fn remove(&mut self, edge: Edge) {
        self.known[edge.key] = Known::Absent;
        self.next[edge.from as usize].retain(|&next| next != edge.to);
    }

    /// Whether `from` comes to wait for `to`.
    fn reaches(&mut self, from: u32, to: u32) -> bool {
        let (found, behind) = self.behind(from, to);
        behind.iter().for_each(|&link| self.seen[link as usize] = false);
        found
    }

    /// Whether `from` comes to wait for `to`, and the links that it waits for and that come before `to`; these stay marked as seen.
    fn behind(&mut self, from: u32, to: u32) -> (bool, Vec<u32>) {
        let last = self.order[to as usize];
        if self.order[from as usize] > last {
            return (false, Vec::new());
        }
        let mut behind = vec![from];
        self.seen[from as usize] = true;
        let mut look = 0;
        while let Some(&link) = behind.get(look) {
            look += 1;
            if link == to {
                return (true, behind);
            }
            for &next in &self.next[link as usize] {
                if !self.seen[next as usize] && self.order[next as usize] <= last {
                    self.seen[next as usize] = true;
                    behind.push(next);
                }
            }
        }
        (false, behind)
    }

    /// Adds a dependency unless it closes a circle, and puts the links in order again: those behind `to` move behind `from`.
    fn add(&mut self, edge: Edge) -> bool {
        let (first, last) = (self.order[edge.to as usize], self.order[edge.from as usize]);
        let (closes, behind) = self.behind(edge.to, edge.from);
        if !closes && first < last {
            let places = first as usize..=last as usize;
            let (moved, kept): (Vec<u32>, Vec<u32>) =
                self.at[places.clone()].iter().copied().partition(|&link| self.seen[link as usize]);
            for (place, link) in places.zip(kept.into_iter().chain(moved)) {
                self.at[place] = link;
                self.order[link as usize] = place as u32;
            }
        }
        behind.iter().for_each(|&link| self.seen[link as usize] = false);
        if !closes {
            self.known[edge.key] = Known::Present;
            self.next[edge.from as usize].push(edge.to);
        }
        !closes
    }
}

/// Gives every pair of routers its layer.
///
/// # Errors
/// Where [`MOST_LAYERS`] are too few.
pub fn assign(routes: &mut Routes, network: &Network) -> Result<(), String> {
    let (links, ports) = (network.slots(), network.most_ports());
    let mut layers: Vec<Layer> = Vec::new();
    let mut of_pair = vec![0; routes.next.len()];
    let ends = all_ends(network);
    for &destination in &ends {
        for &source in ends.iter().filter(|&&source| source != destination) {
            let edges = edges(routes, network, source, destination);
            let taken = layers.iter_mut().position(|layer| layer.takes(&edges));
            let number = match taken {
                Some(number) => number,
                None if layers.len() == MOST_LAYERS as usize => {
                    return Err(format!(
                        "{MOST_LAYERS} layers are the most, and the routes of this network need more of them"
                    ));
                }
                None => {
                    layers.push(Layer::new(links, ports));
                    let fits = layers.last_mut().expect("it was just added").takes(&edges);
                    assert!(fits, "a route passes no link twice");
                    layers.len() - 1
                }
            };
            of_pair[routes.at(source, destination)] = number as u8;
        }
    }
    routes.layers = layers.len().max(1) as u32;
    routes.layer = if layers.len() > 1 { of_pair } else { Vec::new() };
    Ok(())
}

/// The dependencies of a route, link by link.
fn edges(routes: &Routes, network: &Network, source: u32, destination: u32) -> Vec<Edge> {
    let (mut here, mut input, mut held) = (source, None, None);
    let mut edges = Vec::new();
    while here != destination {
        let hop = routes.hop(here, input, destination).expect("routes are whole");
        let port = usize::from(hop.port);
        let link = network.slot(here, port) as u32;
        if let Some(from) = held {
            edges.push(Edge { key: from as usize * network.most_ports() + port, from, to: link });
        }
        let far = network.ahead(here, port).expect("hops lead along links");
        (here, input, held) = (far.router, Some(far.port as u8), Some(link));
    }
    edges
}
