//! Types of packets that have virtual channels of their own: requests to read and to write, and the replies to them. A type has the
//! same range of channels at every port; ranges may overlap. Within its range a packet is routed as if there were no other channels. Packets of no
//! type, where there are some beside, have a range, too.

use super::Any;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Candidates, Head, Lesser, Request, Routing, Sight, Variety};
use tailback_engine::packet::{Packet, Type};

/// A routing within the channels of each type.
#[derive(Clone, Debug)]
pub struct Ranged {
    /// The routing of a network, for each number of channels that a type has.
    inner: Vec<Any>,
    /// By type, and then of packets of no type; where there are none, the last is never asked for, or for what is the same for all.
    types: [Range; 5],
}

/// The channels of a type.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u8,
    channels: u8,
    /// Its routing, of those that there are.
    routing: u8,
}

impl Ranged {
    /// One routing of one network in the ranges of types, the first channel of each and how many, and in that of packets of no type, where there
    /// are some; `built` builds it for a number of channels.
    ///
    /// # Errors
    /// Why it cannot be built.
    pub fn new<E>(
        [of_read, of_write, to_read, to_write]: [(u8, u8); 4],
        untyped: Option<(u8, u8)>,
        mut built: impl FnMut(u32) -> Result<Any, E>,
    ) -> Result<Ranged, E> {
        let ranges = [of_read, of_write, to_read, to_write, untyped.unwrap_or(of_read)];
        let mut widths: Vec<u8> = ranges.iter().map(|range| range.1).collect();
        widths.sort_unstable();
        widths.dedup();
        let inner = widths.iter().map(|&width| built(width.into())).collect::<Result<Vec<Any>, E>>()?;
        let types = ranges.map(|(first, channels)| {
            let routing = widths.iter().position(|&width| width == channels).expect("it is among them") as u8;
            Range { first, channels, routing }
        });
        Ok(Ranged { inner, types })
    }

    /// The range of a packet.
    fn range(&self, packet: &Packet) -> Range {
        self.types[Type::of_mark(packet.mark).map_or(4, |of| of as usize)]
    }

    /// The routing of a packet.
    fn of(&self, packet: &Packet) -> &Any {
        &self.inner[usize::from(self.range(packet).routing)]
    }

    /// The routing of any packet, for what does not depend on the number of channels.
    fn any(&self) -> &Any {
        &self.inner[0]
    }

    /// A head as the routing of its type knows it.
    fn within(&self, head: Head, packet: &Packet) -> Head {
        let Range { first, channels, .. } = self.range(packet);
        let own = |channel: u8| channel.saturating_sub(first).min(channels - 1);
        Head { input: head.input.map(|(port, channel)| (port, own(channel))), ..head }
    }

    fn outside(&self, request: Request, packet: &Packet) -> Request {
        let Range { first, channels, .. } = self.range(packet);
        let all = ((1u32 << channels) - 1) as u16;
        let own = if request.port.is_none() && request.channels == 0 { all } else { request.channels };
        Request { channels: own << first, ..request }
    }
}

/// The queues of the channels of a type. An object: a routing in channels of types has routings that may be of types, too.
struct Own<'q> {
    queues: &'q dyn Queues,
    first: u8,
}

impl Queues for Own<'_> {
    fn owed(&self, port: u8, channel: u8) -> u32 {
        self.queues.owed(port, self.first + channel)
    }

    /// Packets of other types count, too.
    fn owed_by_port(&self, port: u8) -> u32 {
        self.queues.owed_by_port(port)
    }

    fn free(&self, port: u8, channel: u8) -> u32 {
        self.queues.free(port, self.first + channel)
    }

    fn waiting(&self, port: u8) -> u32 {
        self.queues.waiting(port)
    }

    fn owed_at(&self, router: u32, port: u8, channel: u8) -> u32 {
        self.queues.owed_at(router, port, self.first + channel)
    }

    fn signal(&self, router: u32, cycles: u32) -> u64 {
        self.queues.signal(router, cycles)
    }

    fn carried(&self, router: u32, port: u8) -> bool {
        self.queues.carried(router, port)
    }
}

impl Routing for Ranged {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.inner[usize::from(self.range(packet).routing)].start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.outside(self.of(packet).request(self.within(head, packet), packet, word), packet)
    }

    fn sight(&self) -> Sight {
        self.any().sight()
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let Range { first, routing, .. } = self.range(packet);
        let own = Own { queues, first };
        let request = self.inner[usize::from(routing)].decide(self.within(head, packet), packet, word, &own);
        self.outside(request, packet)
    }

    fn decided(&self) -> u32 {
        self.any().decided()
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        self.of(packet).options(self.within(head, packet), packet, word)
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        self.outside(self.of(packet).option(self.within(head, packet), packet, word, option), packet)
    }

    fn expect(&self, router: u32) {
        self.any().expect(router);
    }

    fn straight(&self, port: u8, word: u32) -> (u32, u32) {
        self.any().straight(port, word)
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        self.of(packet).offsets(router, packet)
    }

    fn variety(&self) -> Variety {
        self.any().variety()
    }

    fn even_draws(&self) -> Vec<u32> {
        self.any().even_draws()
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        self.of(packet).coins(router, packet)
    }

    /// Words say the same for any number of channels.
    fn advance(&self, port: u8, word: u32) -> u32 {
        self.any().advance(port, word)
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        self.of(packet).fits(router, packet, word)
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let request = self.request(head, packet, word);
        let preferred = request.port.map_or(0, |port| u64::from(request.channels) << (u32::from(port) * channels));
        Candidates { preferred, fallback: 0 }
    }

    fn has_lesser(&self) -> Lesser {
        self.any().has_lesser()
    }

    fn lesser(&self, head: Head, packet: &Packet) -> Request {
        self.outside(self.of(packet).lesser(self.within(head, packet), packet), packet)
    }

    fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16 {
        self.of(packet).useful(self.within(head, packet), packet, word)
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.of(packet).memory(self.within(head, packet), packet)
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
        let built = |channels| build(spec.view("routing"), &grid, channels);
        let routing = Ranged::new([(0, 2), (1, 2), (3, 4), (3, 2)], Some((0, 7)), built);
        let routing = routing.expect("two channels cut a ring");
        let marks = Type::ALL.map(Type::mark).into_iter().chain([0]);
        for (of, mask) in marks.zip([0b11u16, 0b110, 0b111_1000, 0b1_1000, 0b111_1111]) {
            let mut packet = Packet { destination: 2, router: 2, mark: of, ..Packet::default() };
            let mut word = routing.start(0, &mut packet, || 0);
            let request = routing.request(Head { router: 0, input: None }, &packet, &mut word);
            assert!(request.channels != 0 && request.channels & !mask == 0, "{request:?}");
            let arrived = routing.request(Head { router: 2, input: Some((1, 4)) }, &packet, &mut 0);
            assert_eq!((arrived.port, arrived.channels), (None, mask), "{of:?}");
        }
    }
}
