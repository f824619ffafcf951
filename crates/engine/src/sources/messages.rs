//! Messages that are cut into packets, until the last packet of each has been delivered.

use crate::packet::{Packet, are_free};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, ensure};

/// A message that is not delivered.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Open {
    /// Cycle in which its first packet was made.
    birth: u64,
    /// All its flits.
    flits: u32,
    /// Flits that have not been delivered.
    left: u32,
    /// Its number among the messages of its source.
    index: u64,
}

/// A message of which the last packet has been delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// Cycle in which its first packet was made.
    pub birth: u64,
    /// All its flits.
    pub flits: u32,
    /// Its number among the messages of its source.
    pub index: u64,
}

tailback_base::plain!(Open);

/// All messages with a packet made and a packet not delivered. Nothing is kept where a message is a packet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    /// Whether there are messages of more than a packet.
    cut: bool,
    open: Vec<Open>,
    free: Vec<u32>,
    /// Message of every packet in the network or at the front of an injection queue, by its id.
    of: Vec<u32>,
}

tailback_base::state!([] Messages { saved: ; grown: open, free, of; rebuilt: cut; } [fits]);

impl Messages {
    /// No messages, of which none is longer than a packet.
    pub fn whole() -> Self {
        Messages { cut: false, ..Messages::cut(0, 0) }
    }

    /// No messages, of which some are longer than a packet. At most `packets` are in the network; memory is reserved for `messages`.
    pub fn cut(packets: usize, messages: usize) -> Self {
        Messages {
            cut: true,
            open: Vec::with_capacity(messages),
            free: Vec::with_capacity(messages),
            of: Vec::with_capacity(packets),
        }
    }

    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.of.iter().all(|&message| (message as usize) < self.open.len()), "a packet is of no message")?;
        are_free(&self.free, self.open.len())
    }

    /// That the packets of every message are as long as what is left of it: `packets` of the network, by their ids, and `others`
    /// that are not in it, by their messages, each with their flits. All were made before cycle `now`.
    pub fn cover(
        &self,
        now: u64,
        packets: impl Iterator<Item = (u32, u32)>,
        others: impl Iterator<Item = (u32, u32)>,
    ) -> Result<(), Unfit> {
        if !self.cut {
            return Ok(());
        }
        let of = packets.map(|(id, flits)| (self.of.get(id as usize).copied(), flits));
        let mut left = vec![0u64; self.open.len()];
        for (message, flits) in of.chain(others.map(|(message, flits)| (Some(message), flits))) {
            let left = message.and_then(|message| left.get_mut(message as usize));
            *left.ok_or_else(|| Unfit::new("a packet is of no message"))? += u64::from(flits);
        }
        let mut free = vec![false; self.open.len()];
        self.free.iter().for_each(|&message| free[message as usize] = true);
        let right = left.iter().zip(&self.open).zip(&free).all(|((&left, open), &free)| {
            let past = free || open.birth < now && open.left <= open.flits;
            left == u64::from(open.left) && free == (left == 0) && past
        });
        ensure(right, "a message is longer or shorter than its packets")
    }

    /// The first packet of a message of `flits` is made; `index` is its number among those of its source.
    #[inline]
    pub fn begin(&mut self, birth: u64, flits: u32, index: impl FnOnce() -> u64) -> u32 {
        if !self.cut {
            return 0;
        }
        let message = Open { birth, flits, left: flits, index: index() };
        if let Some(id) = self.free.pop() {
            self.open[id as usize] = message;
            return id;
        }
        self.open.push(message);
        (self.open.len() - 1) as u32
    }

    /// Packet `id` belongs to `message`.
    #[inline]
    pub fn carries(&mut self, id: u32, message: u32) {
        if !self.cut {
            return;
        }
        let id = id as usize;
        if id >= self.of.len() {
            self.of.resize(id + 1, 0);
        }
        self.of[id] = message;
    }

    /// The number of a message among those of its source; of packet `index`, where a message is a packet.
    pub fn number(&self, message: u32, index: u64) -> u64 {
        if self.cut { self.open[message as usize].index } else { index }
    }

    /// A packet is delivered. Its message, if this was the last of it.
    #[inline]
    pub fn delivered(&mut self, id: u32, packet: &Packet) -> Option<Done> {
        if !self.cut {
            return Some(Done { birth: packet.birth, flits: packet.flits, index: packet.index });
        }
        let message = self.of[id as usize];
        let open = &mut self.open[message as usize];
        open.left -= packet.flits;
        if open.left > 0 {
            return None;
        }
        self.free.push(message);
        Some(Done { birth: open.birth, flits: open.flits, index: open.index })
    }

    /// Messages of which the first packet has been made and the last has not been delivered.
    pub fn count(&self) -> usize {
        self.open.len() - self.free.len()
    }
}
