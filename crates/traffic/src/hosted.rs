//! What is known before a run of the messages that a host sends: how long they may be, and what becomes of them.

use crate::cutting::Cutting;

/// The longest message where nothing else bounds it \[flits\].
const LONGEST_PACKET: u32 = 4096;

/// The longest message that is cut into packets \[flits\].
const LONGEST_CUT: u32 = 1 << 20;

/// Bounds of the messages that a host sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hosted {
    shortest: u32,
    longest: Option<u32>,
    cutting: Cutting,
    /// What a packet that moves as a whole has to fit \[flits\].
    buffer: u32,
    classes: u32,
    held: Held,
}

/// What a message that has come keeps of the ejection buffer of its node until the host has received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nothing: the buffer has no end.
    Nothing,
    /// A place for a packet.
    Packet,
    /// As many flits as the packet has that completed it.
    Flits,
}

impl Hosted {
    /// Messages of `shortest` to `longest` flits, each a packet; `None`: as long as the network takes.
    pub fn new(shortest: u32, longest: Option<u32>) -> Hosted {
        Hosted { shortest, longest, cutting: Cutting::Whole, buffer: LONGEST_PACKET, classes: 1, held: Held::Nothing }
    }

    /// The same with messages that are cut so.
    #[must_use]
    pub fn cut(self, cutting: Cutting) -> Hosted {
        Hosted { cutting, ..self }
    }

    /// The same in a network where a packet is no longer than so many flits.
    #[must_use]
    pub fn in_buffers_of(self, flits: u32) -> Hosted {
        Hosted { buffer: flits, ..self }
    }

    /// The same with message classes, for each of which a node has a port.
    #[must_use]
    pub fn in_classes(self, classes: u32) -> Hosted {
        Hosted { classes, ..self }
    }

    /// The same where a message that has come keeps this of the ejection buffer until the host has received it.
    #[must_use]
    pub fn held(self, held: Held) -> Hosted {
        Hosted { held, ..self }
    }

    /// Message classes.
    pub fn classes(&self) -> u32 {
        self.classes
    }

    /// Whether messages keep their places until they are received.
    #[inline]
    pub fn are_held(&self) -> bool {
        self.held != Held::Nothing
    }

    /// Places of an ejection buffer that a packet takes.
    #[inline]
    pub fn places(&self, flits: u32) -> u32 {
        match self.held {
            Held::Nothing => 0,
            Held::Packet => 1,
            Held::Flits => flits,
        }
    }

    /// The shortest and the longest message that the host may send \[flits\].
    pub fn messages(&self) -> (u32, u32) {
        let most = match self.cutting {
            Cutting::Whole => self.buffer,
            Cutting::Packets(_) | Cutting::Full(_) => LONGEST_CUT,
        };
        (self.shortest, self.longest.unwrap_or(most.max(self.shortest)))
    }

    /// The shortest and the longest packet that may occur \[flits\]; of messages, where the data path cuts them.
    pub fn lengths(&self) -> (u32, u32) {
        self.cutting.lengths(self.messages())
    }

    /// Flits that a message of `flits` takes on its way.
    #[inline]
    pub fn on_the_way(&self, flits: u32) -> u32 {
        self.cutting.on_the_way(flits)
    }

    /// Flits of the next packet of a message of which `left` flits have not been given. Where the data path cuts, it is all of them.
    #[inline]
    pub fn next_packet(&self, left: u32) -> u32 {
        self.cutting.next_packet(left)
    }

    /// Packets of a message of `flits`.
    #[inline]
    pub fn packets(&self, flits: u32) -> u32 {
        self.cutting.packets(flits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_as_long_as_the_network_takes() {
        let any = Hosted::new(1, None);
        assert_eq!(any.in_buffers_of(32).messages(), (1, 32));
        assert_eq!(any.messages(), (1, 4096));
        assert_eq!(
            (any.cut(Cutting::Packets(8)).messages().1, any.cut(Cutting::Packets(8)).lengths()),
            (1 << 20, (1, 8))
        );
        let fixed = Hosted::new(16, Some(16));
        assert_eq!((fixed.lengths(), fixed.cut(Cutting::Packets(8)).lengths()), ((16, 16), (8, 8)));
        assert_eq!(
            (fixed.cut(Cutting::Packets(5)).lengths(), fixed.cut(Cutting::Packets(20)).lengths()),
            ((1, 5), (16, 16))
        );
        assert_eq!(Hosted::new(3, Some(9)).cut(Cutting::Full(8)).lengths(), (8, 16));
    }

    #[test]
    fn a_message_is_cut_into_packets() {
        let of = |cutting| Hosted::new(1, None).cut(cutting);
        assert_eq!(
            (of(Cutting::Whole).packets(17), of(Cutting::Packets(8)).packets(17), of(Cutting::Full(8)).packets(17)),
            (1, 3, 3)
        );
        assert_eq!((of(Cutting::Full(8)).on_the_way(17), of(Cutting::Packets(8)).on_the_way(17)), (24, 17));
        assert_eq!((of(Cutting::Packets(8)).next_packet(1), of(Cutting::Full(8)).next_packet(24)), (1, 24));
    }
}
