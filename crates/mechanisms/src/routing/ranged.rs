//! Types of packets that have virtual channels of their own: requests to read and to write, and the replies to them. A type has the
//! same range of channels at every port, as long as those of the others; ranges may overlap. Within its range a packet is routed as if there
//! were no other channels.

use super::Any;
use crate::forward::by_inner;
use tailback_engine::contract::routing::{Candidates, Head, Request, Routing};
use tailback_engine::packet::{Packet, Type};

/// A routing within the channels of each type.
#[derive(Clone, Debug)]
pub struct Ranged {
    /// The routing of a type, on so many channels.
    inner: Box<Any>,
    channels: u32,
    /// By type, the first channel.
    first: [u8; 4],
}

impl Ranged {
    /// The same routing for each type, built for the `channels` channels of one.
    pub fn new(inner: Any, channels: u32, first: [u8; 4]) -> Ranged {
        Ranged { inner: Box::new(inner), channels, first }
    }

    /// The first channel of a packet.
    fn first(&self, packet: &Packet) -> u8 {
        self.first[Type::of_mark(packet.mark).map_or(0, |of| of as usize)]
    }

    /// A head as the routing of its type knows it.
    fn within(&self, head: Head, packet: &Packet) -> Head {
        let own = |channel: u8| channel.saturating_sub(self.first(packet)).min(self.channels as u8 - 1);
        Head { input: head.input.map(|(port, channel)| (port, own(channel))), ..head }
    }

    fn outside(&self, request: Request, packet: &Packet) -> Request {
        let all = ((1u32 << self.channels) - 1) as u16;
        let own = if request.port.is_none() && request.channels == 0 { all } else { request.channels };
        Request { channels: own << self.first(packet), ..request }
    }
}

impl Routing for Ranged {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.inner.start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.outside(self.inner.request(self.within(head, packet), packet, word), packet)
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        self.inner.options(self.within(head, packet), packet, word)
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        self.outside(self.inner.option(self.within(head, packet), packet, word, option), packet)
    }

    by_inner!();

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let request = self.request(head, packet, word);
        let preferred = request.port.map_or(0, |port| u64::from(request.channels) << (u32::from(port) * channels));
        Candidates { preferred, fallback: 0 }
    }

    fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16 {
        self.inner.useful(self.within(head, packet), packet, word)
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.inner.memory(self.within(head, packet), packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{build, section};
    use crate::testing::resolved;
    use tailback_network::Grid;

    #[test]
    fn a_type_asks_for_its_own_channels() {
        let grid = Grid::new(&[4], &[true], 1, 1);
        let spec = resolved(section(), &[]);
        let inner = build(spec.view("routing"), &grid, 2).expect("two channels cut a ring");
        let routing = Ranged::new(inner, 2, [0, 1, 3, 3]);
        for (of, mask) in Type::ALL.into_iter().zip([0b11u16, 0b110, 0b1_1000, 0b1_1000]) {
            let mut packet = Packet { destination: 2, router: 2, mark: of.mark(), ..Packet::default() };
            let mut word = routing.start(0, &mut packet, || 0);
            let request = routing.request(Head { router: 0, input: None }, &packet, &mut word);
            assert!(request.channels != 0 && request.channels & !mask == 0, "{request:?}");
            let arrived = routing.request(Head { router: 2, input: Some((1, 4)) }, &packet, &mut 0);
            assert_eq!((arrived.port, arrived.channels), (None, mask), "{of:?}");
        }
    }
}
