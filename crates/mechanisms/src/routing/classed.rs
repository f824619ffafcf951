//! Message classes: each has virtual channels of its own at every link, as many as the others, and is routed within these as if it were
//! alone (`docs/protocol-deadlock.md`).
//!
//! Class `c` of `classes` has the channels from `c * channels` on. A node has a port for each class: port `node * classes + c`, so the
//! destination of a packet says its class.

use super::Any;
use crate::forward::by_inner;
use tailback_engine::contract::admission::LocalView;
use tailback_engine::contract::routing::{Candidates, Head, Lesser, Request, Routing};
use tailback_engine::packet::Packet;

/// The most ports of a router whose heads choose again while they wait.
const MOST_PORTS: usize = 64;

/// A routing within the channels of each class.
#[derive(Clone, Debug)]
pub struct Classed {
    /// The routing of a class, on so many channels.
    inner: Box<Any>,
    classes: u32,
    channels: u32,
}

impl Classed {
    /// The same routing for each of `classes` classes, built for the `channels` channels of a class.
    pub fn new(inner: Any, classes: u32, channels: u32) -> Classed {
        Classed { inner: Box::new(inner), classes, channels }
    }

    /// The first channel of a packet's class.
    fn first(&self, packet: &Packet) -> u32 {
        packet.destination % self.classes * self.channels
    }

    /// A head as the routing of its class knows it.
    fn within(&self, head: Head) -> Head {
        let input = head.input.map(|(port, channel)| (port, channel % self.channels as u8));
        Head { input, ..head }
    }

    fn outside(&self, request: Request, packet: &Packet) -> Request {
        Request { channels: request.channels << self.first(packet), ..request }
    }
}

impl Routing for Classed {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.inner.start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.outside(self.inner.request(self.within(head), packet, word), packet)
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        self.inner.options(self.within(head), packet, word)
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        self.outside(self.inner.option(self.within(head), packet, word, option), packet)
    }

    by_inner!();

    fn is_adaptive(&self) -> bool {
        self.inner.is_adaptive()
    }

    fn choose(&self, head: Head, packet: &Packet, view: LocalView<'_>, word: &mut u32) -> Request {
        let (first, all) = (self.first(packet), (1u32 << self.channels) - 1);
        let mut room = [0u16; MOST_PORTS];
        for (own, &of_all) in room.iter_mut().zip(view.room) {
            *own = (of_all >> first) & all as u16;
        }
        let ports = view.room.len().min(MOST_PORTS);
        let view = LocalView { room: &room[..ports], all: all as u16, ..view };
        self.outside(self.inner.choose(self.within(head), packet, view, word), packet)
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let Candidates { preferred, fallback } = self.inner.candidates(self.within(head), packet, self.channels, word);
        let first = self.first(packet);
        // From `self.channels` bits a port to `channels`.
        let spread = |mask: u64| {
            let (mut left, mut port, mut all) = (mask, 0, 0);
            while left != 0 {
                all |= (left & ((1 << self.channels) - 1)) << (port * channels + first);
                (left, port) = (left >> self.channels, port + 1);
            }
            all
        };
        Candidates { preferred: spread(preferred), fallback: spread(fallback) }
    }

    fn has_lesser(&self) -> Lesser {
        self.inner.has_lesser()
    }

    fn lesser(&self, head: Head, packet: &Packet) -> Request {
        self.outside(self.inner.lesser(self.within(head), packet), packet)
    }

    fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16 {
        self.inner.useful(self.within(head), packet, word)
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.inner.memory(self.within(head), packet)
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        let class = input.map_or(0, |(_, channel)| u32::from(channel) / self.channels);
        let inner = self.inner.input_class(input.map(|(port, channel)| (port, channel % self.channels as u8)));
        inner * self.classes + class
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{build, section};
    use crate::testing::resolved;
    use tailback_network::Grid;

    #[test]
    fn a_class_asks_for_its_own_channels() {
        let grid = Grid::new(&[4], &[true], 2, 1);
        let spec = resolved(section(), &[]);
        let inner = build(spec.view("routing"), &grid, 2).expect("two channels cut a ring");
        let routing = Classed::new(inner, 2, 2);
        for (destination, mask) in [(4, 0b0011u16), (5, 0b1100)] {
            let mut packet = Packet { destination, router: 2, ..Packet::default() };
            let mut word = routing.start(0, &mut packet, || 0);
            let head = Head { router: 0, input: None };
            let request = routing.request(head, &packet, &mut word);
            assert!(request.channels != 0 && request.channels & !mask == 0, "{request:?}");
            let port = u32::from(request.port.expect("it has not arrived"));
            let found = routing.candidates(head, &packet, 4, &mut word);
            assert_eq!(found.preferred, u64::from(request.channels) << (port * 4));
        }
    }
}
