//! Switches with memories on both sides of a crossbar, by following every packet.

use super::choices::Dateline;
use super::{argument, closer, lowest, preferred, ring, rule, up};
use crate::{Argument, Verdict, queues};
use tailback_engine::contract::queueing::{Discipline, Place, Queueing, Route};
use tailback_network::Grid;

/// What sorts packets into queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Queues {
    One,
    ByDestination,
    ByTurn,
}

tailback_base::stateless!(Queues);

impl Queues {
    fn of(self, turn: u8, destination: u32) -> usize {
        match self {
            Queues::One => 0,
            Queues::ByDestination => destination as usize,
            Queues::ByTurn => usize::from(turn),
        }
    }
}

impl Queueing for Queues {
    fn count(&self) -> usize {
        1
    }

    fn queue_for(&self, _from: u8, route: Route<'_>) -> usize {
        self.of(route.next(), route.destination)
    }
}

impl Discipline for Queues {
    type Queues = Queues;

    fn queues(&self, _place: Place) -> Queues {
        *self
    }

    fn shares_memory(&self) -> bool {
        *self == Queues::One
    }

    fn credit_counter(&self, route: Route<'_>) -> usize {
        self.of(route.next(), route.destination)
    }
}

#[test]
fn rings_close_unless_every_destination_has_its_own() {
    let found = |grid: &Grid, queues| {
        let routing = rule(grid, |g: &Grid, here, to, _| preferred(u64::from(up(g, here, to, false) != 0)));
        queues::check(grid, &routing, &queues, 1 << 20).expect("small")
    };
    for (queues, behind) in [(Queues::One, "the memory behind"), (Queues::ByTurn, "queue 0 behind")] {
        let Verdict::Circle(circle) = found(&ring(4), queues) else { panic!("free") };
        assert_eq!(circle.steps.len(), 8, "four switches, both sides of each: {circle:?}");
        let words = circle.words().concat();
        assert!(words.contains(&format!("{behind} the crossbar of (0) towards x+")), "{words}");
    }
    assert_eq!(argument(found(&ring(4), Queues::ByDestination)), Some(Argument::Acyclic));
    assert_eq!(argument(found(&Grid::new(&[2], &[true], 2, 1), Queues::One)), Some(Argument::Acyclic));
}

/// There is one channel a port, whatever channels a routing would ask for elsewhere.
#[test]
fn channels_do_not_matter_to_switches() {
    let (grid, cut) = (ring(4), true);
    let found = queues::check(&grid, &Dateline { grid: grid.clone(), cut }, &Queues::One, 1 << 20).expect("small");
    let Verdict::Circle(circle) = found else { panic!("free") };
    assert_eq!(circle.steps.len(), 8, "{circle:?}");
}

/// The packet of each step is on its way by what it holds.
#[test]
fn packets_of_a_circle_pass_what_they_hold() {
    let grid = ring(5);
    let routing = rule(&grid, |g: &Grid, here, to, _| preferred(u64::from(up(g, here, to, false) != 0)));
    let Verdict::Circle(circle) = queues::check(&grid, &routing, &Queues::One, 1 << 20).expect("small") else {
        panic!("free")
    };
    for (step, next) in circle.steps.iter().zip(circle.steps.iter().cycle().skip(1)) {
        let ([crate::Buffer::Ingress { router, .. } | crate::Buffer::Egress { router, .. }], true) =
            (&step.holds[..], step.waits == next.holds)
        else {
            panic!("{step:?} {next:?}")
        };
        let (from, to) = (step.source[0], step.destination[0]);
        assert!((router[0] + 5 - from) % 5 < (to + 5 - from) % 5, "{step:?}");
    }
}

/// The memories that packets use, by following each from node to node.
fn used(grid: &Grid, queues: Queues, next: impl Fn(u32, u32) -> usize) -> usize {
    let (nodes, mut used) = (grid.routers() as u32 * grid.nodes_per_router(), Vec::new());
    for (source, destination) in (0..nodes).flat_map(|source| (0..nodes).map(move |to| (source, to))) {
        let (mut here, to) = (grid.router_of(source), grid.router_of(destination));
        let to_node = grid.ports() as u32 + destination % grid.nodes_per_router();
        while here != to {
            let port = next(here, to);
            let peer = grid.peer(here, port);
            let turn = if peer == to { to_node as u8 } else { next(peer, to) as u8 };
            let queue = queues.of(turn, destination);
            used.extend([(here, port, true, queue), (peer, port, false, queue)]);
            here = peer;
        }
    }
    used.sort_unstable();
    used.dedup();
    used.len()
}

#[test]
fn every_memory_is_found_once() {
    for nodes_per_router in [1, 2, 3] {
        let grid = Grid::new(&[3, 4], &[false; 2], nodes_per_router, 1);
        let routing = rule(&grid, |g: &Grid, here, to, _| preferred(lowest(closer(g, here, to))));
        for queues in [Queues::One, Queues::ByDestination, Queues::ByTurn] {
            let buffers = used(&grid, queues, |here, to| closer(&grid, here, to).trailing_zeros() as usize);
            let found = queues::check(&grid, &routing, &queues, 1 << 20).expect("small");
            assert_eq!(found, Verdict::Free { argument: Argument::Acyclic, buffers }, "{queues:?}");
        }
    }
}
