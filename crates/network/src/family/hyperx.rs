//! HyperX: routers in a grid, each linked to all others of its row in every dimension. With one link per pair and as many nodes
//! at a router as a side has routers it is the flattened butterfly.
//!
//! Routers are numbered as in a grid, lowest dimension first. Ports go by dimension, then by coordinate without the own one.

use super::params::{delays, each_of, entry, nodes_per_router};
use super::{Built, Classes, Family, Rule, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Ahn et al., SC 2009",
    ..entry(
        "hyperx",
        "a grid whose routers are linked to all others of their row in every dimension",
        &[
            Param {
                name: "sides",
                kind: Kind::Integers { min: 2, max: 1 << 20, min_len: 1, max_len: 8 },
                unit: "routers",
                fallback: Fallback::Required,
                doc: "Routers per dimension, lowest dimension first.",
            },
            Param {
                name: "trunks",
                kind: Kind::Integers { min: 1, max: 64, min_len: 0, max_len: 8 },
                unit: "links",
                fallback: Fallback::Integers(&[]),
                doc: "Parallel links between two routers, one number per dimension; 1 each where the list is empty.",
            },
            delays(
                "dimension_cycles",
                "Time of a flit on a link, one number per dimension; `link_cycles` each where the list is empty.",
            ),
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// One dimension of the grid.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    side: u32,
    stride: u32,
    trunk: u32,
    first_port: u32,
    wire: Wire,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let sides = view.u32s("sides");
    let trunks = each_of(view, "trunks", sides.len(), 1)?;
    let cycles = each_of(view, "dimension_cycles", sides.len(), view.u32("link_cycles"))?;
    let nodes = nodes_per_router(view, 1);
    let routers = sides.iter().fold(1u64, |n, &side| n.saturating_mul(side.into()));
    let ports = sides.iter().zip(&trunks).map(|(side, trunk)| u64::from(side - 1) * u64::from(*trunk)).sum::<u64>();
    sized(routers, routers.saturating_mul(nodes.into()), routers.saturating_mul(ports))?;
    let mut dimensions: Vec<Dimension> = Vec::new();
    let (mut stride, mut first_port) = (1, 0);
    for (d, ((&side, &trunk), &cycles)) in sides.iter().zip(&trunks).zip(&cycles).enumerate() {
        let wire = Wire::new(cycles, LinkKind::Across(d as u8));
        dimensions.push(Dimension { side, stride, trunk, first_port, wire });
        stride *= side;
        first_port += (side - 1) * trunk;
    }
    let seats = Seats::even(routers as usize, nodes);
    let mut builder = Builder::new(&vec![ports as u32; routers as usize], seats).map_err(refused)?;
    builder.fill(|router, port| Some(far(&dimensions, router, port as u32)));
    let network = builder.finish().map_err(refused)?;
    Ok(Built::by(network, InOrder(dimensions)).with_classes(Classes::One))
}

/// One dimension after the other, each in one hop.
#[derive(Debug)]
struct InOrder(Vec<Dimension>);

impl Rule for InOrder {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        for &Dimension { side, stride, trunk, first_port, .. } in &self.0 {
            let (here, there) = (at / stride % side, to / stride % side);
            if here != there {
                let first = first_port + (there - u32::from(there > here)) * trunk;
                return ports.extend((first..first + trunk).map(|port| port as usize));
            }
        }
    }
}

fn far(dimensions: &[Dimension], router: u32, port: u32) -> (Port, Wire) {
    let dimension = dimensions.iter().rfind(|d| d.first_port <= port).expect("the first dimension begins at port 0");
    let Dimension { side, stride, trunk, first_port, wire } = *dimension;
    let here = router / stride % side;
    let (row, copy) = ((port - first_port) / trunk, (port - first_port) % trunk);
    let there = row + u32::from(row >= here);
    let back = here - u32::from(here > there);
    (Port { router: router - here * stride + there * stride, port: first_port + back * trunk + copy }, wire)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured, refused};

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("hyperx", sets, counts, (mean, bound, bound));
        row("sides=[4,4] nodes_per_router=4", (16, 64, 96, 2), 1.523810, 0.984375);
        row("sides=[8,8] nodes_per_router=8", (64, 512, 896, 2), 1.753425, 0.998047);
        row("sides=[4,4,4] nodes_per_router=4", (64, 256, 576, 3), 2.258824, 0.996094);
    }

    #[test]
    fn trunks_carry_as_many_times_more() {
        let (one, two) = (measured("hyperx", "sides=[4]"), measured("hyperx", "sides=[4] trunks=[2]"));
        assert_eq!((two.links, two.diameter), (2 * one.links, one.diameter));
        assert!((two.ecmp_bound.unwrap() - 2.0 * one.ecmp_bound.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn ports_go_by_dimension_and_coordinate() {
        let network = built("hyperx", "sides=[3,2] trunks=[2,1] dimension_cycles=[1,5]").network;
        let peers: Vec<u32> = network.links_of(4).map(|(_, link)| link.to.router).collect();
        assert_eq!(peers, [3, 3, 5, 5, 1]);
        let delays: Vec<u32> = network.links_of(4).map(|(_, link)| link.cycles).collect();
        assert_eq!(delays, [1, 1, 1, 1, 5]);
        assert!(refused("hyperx", "sides=[3,2] trunks=[2]").contains("this network needs 2"));
    }
}
