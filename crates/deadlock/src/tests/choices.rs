//! Routings that decide by more than the destination: every way that a draw, a coin or a number can lead to is looked at.

use super::{Rule, argument, closer, lowest, mesh, ring, up, used};
use crate::{Argument, Heads, Network, Rules, Sharing, Verdict, check};
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;

/// What says in which order a packet takes the dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Nothing,
    Draw,
    Coin,
    Number,
    Queues,
}

/// Dimension order, the last dimension first for some packets.
struct Order {
    grid: Grid,
    by: By,
}

impl Order {
    /// Whether this packet takes the last dimension first.
    fn turned(&self, packet: &Packet) -> bool {
        match self.by {
            By::Nothing | By::Queues => false,
            By::Draw | By::Coin => packet.choice == 4,
            By::Number => packet.index == 2,
        }
    }
}

impl Routing for Order {
    fn start(&self, _router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        packet.choice = draw();
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn sight(&self) -> Sight {
        if self.by == By::Queues { Sight::Own } else { Sight::Nothing }
    }

    fn options(&self, _head: Head, _packet: &Packet, _word: u32) -> u32 {
        if self.by == By::Queues { 2 } else { 1 }
    }

    fn option(&self, head: Head, packet: &Packet, _word: &mut u32, option: u32) -> Request {
        let ports = closer(&self.grid, head.router, packet.router);
        let one =
            if self.turned(packet) || option == 1 { 1 << (63 - ports.max(1).leading_zeros()) } else { lowest(ports) };
        Request { port: (ports != 0).then(|| one.trailing_zeros() as u8), channels: 1 }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn variety(&self) -> Variety {
        let none = Variety::default();
        match self.by {
            By::Nothing | By::Queues => none,
            By::Draw => Variety { draws: vec![0, 4], ..none },
            By::Coin => Variety { coins: 4, ..none },
            By::Number => Variety { indices: 3, ..none },
        }
    }

    fn coins(&self, _router: u32, _packet: &Packet) -> u32 {
        self.variety().coins
    }

    fn memory(&self, _head: Head, packet: &Packet) -> u32 {
        self.turned(packet).into()
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

/// Both outcomes of a comparison of queues, wherever there is one.
#[test]
fn all_that_queues_may_bring_about_is_looked_at() {
    let grid = mesh(3);
    let routing = Order { grid: grid.clone(), by: By::Queues };
    for heads in [Heads::Request, Heads::Candidates] {
        let network = Network::new(&grid, &routing, 1, heads);
        let rules = Rules { sharing: Sharing::Whole, bubbles: false };
        let found = argument(check(&network, rules, 1 << 20).expect("small"));
        assert_eq!(found, None, "{heads:?}: turns of all kinds close circles");
    }
}

#[test]
fn all_that_may_be_drawn_is_looked_at() {
    let grid = mesh(3);
    for by in [By::Nothing, By::Draw, By::Coin, By::Number] {
        for heads in [Heads::Request, Heads::Candidates] {
            let routing = Order { grid: grid.clone(), by };
            let network = Network::new(&grid, &routing, 1, heads);
            let rules = Rules { sharing: Sharing::Whole, bubbles: false };
            let found = argument(check(&network, rules, 1 << 20).expect("small"));
            assert_eq!(found, (by == By::Nothing).then_some(Argument::Acyclic), "{by:?}: both orders close circles");
        }
    }
}

/// Up a ring, on one channel of two that is asked for by name.
pub struct Dateline {
    pub grid: Grid,
    pub cut: bool,
}

impl Routing for Dateline {
    fn start(&self, _router: u32, _packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        0
    }

    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        let channels = up(&self.grid, head.router, packet.router, self.cut);
        Request { port: (channels != 0).then_some(0), channels: channels as u16 }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

#[test]
fn the_channels_that_a_head_asks_for_are_those_that_count() {
    let grid = ring(4);
    for cut in [false, true] {
        let routing = Dateline { grid: grid.clone(), cut };
        let network = Network::new(&grid, &routing, 2, Heads::Request);
        let rules = Rules { sharing: Sharing::Whole, bubbles: false };
        let found = check(&network, rules, 1 << 20).expect("small");
        let buffers = used(&grid, |here, to| (0, up(&grid, here, to, cut).trailing_zeros()));
        match found {
            Verdict::Free { .. } => assert_eq!(found, Verdict::Free { argument: Argument::Acyclic, buffers }),
            Verdict::Circle(_) => assert!(!cut),
        }
    }
}

/// Several nodes a router make no other packets for the check, but those of one node have to be named right.
#[test]
fn several_nodes_share_a_router() {
    let grid = Grid::new(&[3, 3], &[false; 2], 2, 1);
    let ordered = Rule {
        grid: grid.clone(),
        adaptive: true,
        rule: |g: &Grid, here, to, _| super::preferred(lowest(closer(g, here, to))),
    };
    let buffers = used(&grid, |here, to| (closer(&grid, here, to).trailing_zeros() as usize, 0));
    let found = super::verdict(&grid, &ordered, 1, Sharing::Owned, super::NO_BUBBLES);
    assert_eq!(found, Verdict::Free { argument: Argument::Acyclic, buffers });
}
