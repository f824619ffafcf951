//! Links and nodes as a file lists them, on their way to a network.

use super::words::Wrong;
use crate::graph::{Builder, Fault, Network, Port, Seats, Wire, limits};

/// A link between two routers, or several parallel ones.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The line that says so.
    pub line: u32,
    /// The routers.
    pub ends: [u32; 2],
    /// The ports at them, or the first of them; without, the next free ones.
    pub ports: Option<[u16; 2]>,
    /// Parallel links.
    pub trunk: u16,
    /// What they are made of.
    pub wire: Wire,
}

/// What a file says so far.
#[derive(Debug)]
pub struct Draft {
    /// The number of routers.
    pub routers: usize,
    /// Links.
    pub edges: Vec<Edge>,
    /// The router of each node.
    pub router_of: Vec<u32>,
    /// Ports that a router has at least, by router; none where the list is empty.
    pub ports: Vec<u32>,
    links: u64,
}

impl Draft {
    /// Routers without links, and the router of each node.
    pub fn new(routers: usize, router_of: Vec<u32>) -> Draft {
        Draft { routers, router_of, edges: Vec::new(), ports: Vec::new(), links: 0 }
    }

    /// Adds a link.
    ///
    /// # Errors
    /// For more links than a network may have.
    pub fn link(&mut self, edge: Edge) -> Result<(), Wrong> {
        self.links += u64::from(edge.trunk);
        if 2 * self.links > limits::PORTS {
            let message = format!("the network has more than {} links; they are the most", limits::PORTS / 2);
            return Err(Wrong { line: edge.line as usize, column: 0, message });
        }
        self.edges.push(edge);
        Ok(())
    }

    /// The network.
    ///
    /// # Errors
    /// For links that make none, with the line of the first such.
    pub fn network(self) -> Result<Network, Wrong> {
        let whole = |fault: Fault| Wrong::whole(fault.to_string());
        limits::check(self.routers as u64, self.router_of.len() as u64, 0).map_err(whole)?;
        let mut ports = vec![0; self.routers];
        self.edges.iter().try_for_each(|edge| reserve(&mut ports, edge))?;
        ports.iter_mut().zip(&self.ports).for_each(|(ports, &least)| *ports = least.max(*ports));
        let mut builder = Builder::new(&ports, Seats::listed(self.routers, self.router_of)).map_err(whole)?;
        let mut next =
            if self.edges.iter().all(|edge| edge.ports.is_some()) { Vec::new() } else { vec![0; self.routers] };
        for edge in &self.edges {
            let at_line = |fault: Fault| Wrong { line: edge.line as usize, column: 0, message: fault.to_string() };
            for copy in 0..u32::from(edge.trunk) {
                let [a, b] = [0, 1].map(|end| {
                    let router = edge.ends[end];
                    let port = edge.ports.map_or_else(|| take(&mut next, router), |ports| u32::from(ports[end]) + copy);
                    Port { router, port }
                });
                builder.join(a, b, edge.wire).map_err(at_line)?;
            }
        }
        builder.finish().map_err(whole)
    }
}

/// Makes room for the ports of a link.
fn reserve(ports: &mut [u32], edge: &Edge) -> Result<(), Wrong> {
    for end in [0, 1] {
        let router = edge.ends[end] as usize;
        let ports = &mut ports[router];
        *ports = match edge.ports {
            Some(first) => (*ports).max(u32::from(first[end]) + u32::from(edge.trunk)),
            None => *ports + u32::from(edge.trunk),
        };
        if u64::from(*ports) > limits::PORTS_OF_ROUTER {
            let message = format!("router {router} has {ports} ports; {} are the most", limits::PORTS_OF_ROUTER);
            return Err(Wrong { line: edge.line as usize, column: 0, message });
        }
    }
    Ok(())
}

fn take(next: &mut [u32], router: u32) -> u32 {
    let port = &mut next[router as usize];
    *port += 1;
    *port - 1
}
