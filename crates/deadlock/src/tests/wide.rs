//! Routers whose links have more channels than a mask has bits are judged as narrow ones are.

use super::*;
use tailback_network::Network as Wiring;
use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};

const ROUTERS: u32 = 4;
const CHANNELS: u32 = 3;

/// A ring that leads on by the last port of its routers and back by the last but one.
fn wired(ports: u32) -> Wiring {
    let seats = Seats::even(ROUTERS as usize, 1);
    let mut builder = Builder::new(&[ports; ROUTERS as usize], seats).expect("it is small");
    for router in 0..ROUTERS {
        let far = Port { router: (router + 1) % ROUTERS, port: ports - 2 };
        builder.join(Port { router, port: ports - 1 }, far, Wire::new(1, LinkKind::Any)).expect("free ports");
    }
    builder.finish().expect("it is connected")
}

/// Always on by one port; with a dateline, in a higher channel where the way does not lead past router 0 any more.
struct Onward {
    port: u8,
    dateline: bool,
}

impl Routing for Onward {
    fn start(&self, _router: u32, _packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        0
    }

    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        let past = self.dateline && packet.router > head.router;
        let channels = if past { 0b100 } else { 0b010 };
        Request { port: (head.router != packet.router).then_some(self.port), channels }
    }

    fn variety(&self) -> Variety {
        Variety::default()
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

fn judged(ports: u32, dateline: bool) -> Verdict {
    let routing = Onward { port: ports as u8 - 1, dateline };
    let network = Network::new(wired(ports), &routing, CHANNELS, Heads::Request);
    check(&network, Rules { sharing: Sharing::Whole, bubbles: NO_BUBBLES }, 1 << 20).expect("small")
}

#[test]
fn wide_routers_are_judged_as_narrow_ones() {
    for ports in [4, 21, 22, 64] {
        let Verdict::Free { argument, buffers } = judged(ports, true) else { panic!("a dateline cuts the ring") };
        assert_eq!((argument, buffers), (Argument::Acyclic, 6), "{ports} ports");
        let Verdict::Circle(circle) = judged(ports, false) else { panic!("a ring is a circle") };
        assert_eq!(circle.steps.len(), ROUTERS as usize, "{ports} ports");
        let held = |buffer: &Buffer| matches!(*buffer, Buffer::Link { port, channel: 1, .. } if port == ports - 1);
        assert!(circle.steps.iter().all(|step| step.holds.iter().chain(&step.waits).all(held)), "{circle:?}");
    }
}
