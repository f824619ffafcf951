//! What a sender knows of a channel at the far end of its wire.

use super::config::Sharing;

/// A channel at the far end of a wire, as the sender sees it.
#[derive(Clone, Copy, Debug)]
pub struct OutputChannel {
    /// Whether it was given to a packet and is not free again.
    in_use: bool,
    /// Whether the tail of the packet that it was given to last has been sent.
    tail_sent: bool,
    /// Flits sent whose credits are not back.
    outstanding: usize,
    /// The buffer \[flits\].
    capacity: usize,
    sharing: Sharing,
}

impl OutputChannel {
    /// A free channel with an empty buffer of so many flits.
    pub fn new(capacity: usize, sharing: Sharing) -> Self {
        OutputChannel { in_use: false, tail_sent: false, outstanding: 0, capacity, sharing }
    }

    /// Whether it can be given to a packet.
    pub fn is_free(&self) -> bool {
        !self.in_use
    }

    /// Whether a flit can be sent.
    pub fn has_credit(&self) -> bool {
        self.outstanding < self.capacity
    }

    /// Flits sent whose credits are not back.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// It is given to a packet.
    pub fn take(&mut self) {
        assert!(!self.in_use, "a channel is given to one packet at a time");
        (self.in_use, self.tail_sent) = (true, false);
    }

    /// A flit is sent.
    pub fn send(&mut self, is_tail: IsTail) {
        assert!(self.in_use && self.has_credit(), "a flit is sent by a packet that has the channel, with a credit");
        self.outstanding += 1;
        if is_tail == IsTail::Yes {
            self.tail_sent = true;
            self.in_use = self.sharing == Sharing::Owned;
        }
    }

    /// A credit is back.
    pub fn credit(&mut self) {
        self.outstanding = self.outstanding.checked_sub(1).expect("a credit comes back for a flit that was sent");
        if self.sharing == Sharing::Owned && self.tail_sent && self.outstanding == 0 {
            self.in_use = false;
        }
    }
}

/// Whether a flit is the last of its packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsTail {
    /// It is.
    Yes,
    /// More flits follow.
    No,
}

impl From<bool> for IsTail {
    fn from(tail: bool) -> Self {
        if tail { IsTail::Yes } else { IsTail::No }
    }
}
