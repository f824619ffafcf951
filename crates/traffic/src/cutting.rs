//! Into what messages are cut.

/// What becomes of a message on its way into the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutting {
    /// It is one packet.
    Whole,
    /// It is cut into packets of this length \[flits\]; the last one is as long as what is left.
    Packets(u32),
    /// The data path cuts it into packets of this length \[flits\], which are always full: a message is as long as its packets.
    Full(u32),
}

impl Cutting {
    /// Flits that a message of `flits` takes on its way.
    #[inline]
    pub fn on_the_way(self, flits: u32) -> u32 {
        match self {
            Cutting::Full(packet) => flits.div_ceil(packet) * packet,
            Cutting::Whole | Cutting::Packets(_) => flits,
        }
    }

    /// Flits of the next packet of a message of which `left` flits have not been given. Where the data path cuts, it is all of them.
    #[inline]
    pub fn next_packet(self, left: u32) -> u32 {
        match self {
            Cutting::Packets(packet) => left.min(packet),
            Cutting::Whole | Cutting::Full(_) => left,
        }
    }

    /// Packets of a message of `flits`.
    #[inline]
    pub fn packets(self, flits: u32) -> u32 {
        match self {
            Cutting::Whole => 1,
            Cutting::Packets(packet) | Cutting::Full(packet) => flits.div_ceil(packet),
        }
    }

    /// The shortest and the longest packet of messages that have `shortest` to `longest` flits; of messages, where the data path cuts them.
    pub fn lengths(self, (shortest, longest): (u32, u32)) -> (u32, u32) {
        match self {
            Cutting::Whole => (shortest, longest),
            Cutting::Full(_) => (self.on_the_way(shortest), self.on_the_way(longest)),
            Cutting::Packets(packet) if longest <= packet => (shortest, longest),
            // All have one length where all messages have, and packets fill them.
            Cutting::Packets(packet) if longest == shortest && longest.is_multiple_of(packet) => (packet, packet),
            Cutting::Packets(packet) => (1, packet),
        }
    }
}
