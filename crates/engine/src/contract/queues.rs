//! Queues: what a routing sees of the buffers behind its router's outputs, and of the heads that wait for these.
//!
//! Everything is as it was at the end of the cycle before. So the order in which heads ask within a cycle changes nothing.

/// The queues of a router, as it knows them itself.
pub trait Queues {
    /// Flits that the router has sent, or has granted room, to a channel of an output port and of which it has no credit back: the
    /// depth of the buffer downstream less the known credits \[flits\]. A granted packet counts whole from its grant on, and each of
    /// its flits until its credit is back.
    fn owed(&self, port: u8, channel: u8) -> u32;

    /// [`Queues::owed`] of all channels of a port.
    fn owed_by_port(&self, port: u8) -> u32;

    /// The depth of the buffer downstream less what is owed \[flits\]: room for so many is known.
    fn free(&self, port: u8, channel: u8) -> u32;

    /// Flits of the packets whose heads ask for an output port and have not been granted it \[flits\]. A packet behind another one
    /// does not count, for its head has not asked.
    fn waiting(&self, port: u8) -> u32;

    /// The same as [`Queues::owed`] at another router: an oracle, for routings that say so ([`Sight::Everywhere`]).
    ///
    /// [`Sight::Everywhere`]: super::routing::Sight::Everywhere
    fn owed_at(&self, router: u32, port: u8, channel: u8) -> u32;

    /// What another router signalled ([`Routing::signal`]), as it comes in now over a wire that takes `cycles`: so many cycles before
    /// the end of the cycle before. 0 before the first signal.
    ///
    /// [`Routing::signal`]: super::routing::Routing::signal
    fn signal(&self, router: u32, cycles: u32) -> u64;

    /// Whether the link of an output port of a router carried a flit in the cycle before: for [`Routing::signal`] of the router at its other
    /// end, which sees what comes in.
    ///
    /// [`Routing::signal`]: super::routing::Routing::signal
    fn carried(&self, router: u32, port: u8) -> bool;

    /// [`Queues::owed`] of all of some channels of a port, a mask.
    #[inline]
    fn owed_of(&self, port: u8, channels: u16) -> u32 {
        tailback_base::bits::ones(channels.into()).map(|channel| self.owed(port, channel as u8)).sum()
    }
}
