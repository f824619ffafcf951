//! Routing: which output and which virtual channels a head asks for.

use super::admission::LocalView;
use super::queues::Queues;
use crate::packet::Packet;
use tailback_base::rng::{self, Purpose};

/// Where a head asks to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Network port, or `None` to be consumed here.
    pub port: Option<u8>,
    /// Virtual channels of that port it may take, as a mask. Any one will do; the lowest with room is taken. Where it is consumed: those of
    /// the wire to its node, 0 for any, for data paths whose nodes have such wires.
    pub channels: u16,
}

/// The output channels a head may take, for data paths that allocate channels to heads. Channel `c` of network port `p`
/// is bit `p * channels + c`. Both masks 0: the packet is consumed here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Taken if one of them is free.
    pub preferred: u64,
    /// Taken only while none of the preferred is, and none of them: the escape channels of an adaptive routing.
    pub fallback: u64,
}

impl Candidates {
    /// All of them.
    pub fn all(self) -> u64 {
        self.preferred | self.fallback
    }
}

/// Whether a head that has this word now asks for `kept`: the word is that which `ask` left, whether the head had begun a new leg then,
/// with nothing left of the word before, or not.
pub(crate) fn asked_for<R: PartialEq>(word: u32, ask: impl Fn(&mut u32) -> R, kept: R) -> bool {
    [word, 0].into_iter().any(|before| {
        let mut after = before;
        ask(&mut after) == kept && after == word
    })
}

/// A head at the front of its queue.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The router it is at.
    pub router: u32,
    /// The network input (port, virtual channel) it waits in, or `None` in an injection queue.
    pub input: Option<(u8, u8)>,
}

/// What decides, beside its destination, where a packet's heads may go: what one has to try to see every way there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variety {
    /// Draws for [`Routing::start`] that give between them, with the coins, every way that any draw gives.
    pub draws: Vec<u32>,
    /// Bits of a draw that are coins: each of them may come to nothing, see [`Routing::coins`]. None of `draws` has them set.
    pub coins: u32,
    /// Packet numbers, from 0 on, that do.
    pub indices: u64,
}

impl Default for Variety {
    /// Of a routing that draws nothing, and looks at nothing but the destination and the input.
    fn default() -> Self {
        Variety { draws: vec![0], coins: 0, indices: 1 }
    }
}

impl Variety {
    /// All draws, with all coins.
    pub fn all_draws(&self) -> impl Iterator<Item = u32> + '_ {
        self.draws.iter().flat_map(|&draw| submasks(self.coins).map(move |coins| draw | coins))
    }
}

/// All masks out of the bits of one, 0 first.
pub fn submasks(mask: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(0u32), move |&last| {
        let next = last.wrapping_sub(mask) & mask;
        (next != 0).then_some(next)
    })
}

/// What a routing sees of queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// Nothing: the engine keeps nothing for it.
    #[default]
    Nothing,
    /// Those of the router that a head is at.
    Own,
    /// And what other routers signalled, over wires of their own that take as many cycles at most.
    Signals(u32),
    /// Those of all routers: an ideal.
    Everywhere,
}

/// Whether heads ask for some channels with less priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lesser {
    /// For none.
    #[default]
    None,
    /// For some of those of their request.
    Requested,
    /// The same, or for some of another port.
    Elsewhere,
}

/// Chooses routes. `word` is 32 bits that travel with the head; what they mean is the routing's own business.
/// A routing that can serve a head from the word alone spares the engine a look at the packet.
pub trait Routing {
    /// A packet comes to the head of its source queue at `router`. Sets `packet.hops` and, where it needs them,
    /// `packet.choice` from 32 fresh random bits; returns the first word.
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32;

    /// A head comes to the front of a queue.
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request;

    /// Whether it looks at queues. Then [`Routing::decide`] is called where [`Routing::request`] is otherwise, under cut-through.
    #[inline]
    fn sight(&self) -> Sight {
        Sight::Nothing
    }

    /// A head comes to the front of a queue, and its router's queues are as `queues` shows them. Called once per router, in the first
    /// cycle in which the head may ask; what is decided stands. It is one of the [`Routing::options`]. May change `packet.hops`.
    #[inline]
    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, _queues: &impl Queues) -> Request {
        self.request(head, packet, word)
    }

    /// The bits of a packet's choice that queues decide, so that they are not those that were drawn.
    fn decided(&self) -> u32 {
        0
    }

    /// How many different requests queues may bring about at a head with this word: for checks, to which every comparison of queues is
    /// a coin.
    fn options(&self, _head: Head, _packet: &Packet, _word: u32) -> u32 {
        1
    }

    /// One of these requests. [`Routing::request`] is option 0. With a word that an option left, some option asks for the same and leaves
    /// that word.
    fn option(&self, head: Head, packet: &Packet, word: &mut u32, _option: u32) -> Request {
        self.request(head, packet, word)
    }

    /// What a router signals to others at the end of a cycle, from its own queues as they are then.
    fn signal(&self, _router: u32, _queues: &impl Queues) -> u64 {
        0
    }

    /// A head will soon ask at `router`: time to ask for memory that [`Routing::request`] will read. Changes nothing.
    #[inline]
    fn expect(&self, _router: u32) {}

    /// What a head does that asks for `port`, with the word that [`Routing::request`] left: so many hops through ports of that
    /// number, whatever happens, and the word that it carries behind the last of them. An engine that has to know a whole
    /// route may spare itself the other requests.
    #[inline]
    fn straight(&self, port: u8, word: u32) -> (u32, u32) {
        (1, self.advance(port, word))
    }

    /// Whether a head that waits may come to ask for another output. Then it is [`Routing::choose`] that is asked, in
    /// every cycle in which the head waits.
    fn is_adaptive(&self) -> bool {
        false
    }

    /// The request of a waiting head for this cycle, with what its router sees of its own outputs. `word` may count the
    /// attempts.
    fn choose(&self, head: Head, packet: &Packet, _view: LocalView<'_>, word: &mut u32) -> Request {
        self.request(head, packet, word)
    }

    /// All output channels that a head may take which comes to the front of a queue, out of `channels` a port. They hold
    /// until it has one of them.
    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let request = self.request(head, packet, word);
        let preferred = request.port.map_or(0, |port| u64::from(request.channels) << (u32::from(port) * channels));
        Candidates { preferred, fallback: 0 }
    }

    /// Whether heads ask for some channels with less priority, which [`Routing::lesser`] then tells.
    #[inline]
    fn has_lesser(&self) -> Lesser {
        Lesser::None
    }

    /// The channels that a head asks for with less priority, for data paths whose allocators look at priorities: some of those of its
    /// request, or some of another port beside them. No port where there are none, and where the packet is consumed.
    fn lesser(&self, _head: Head, _packet: &Packet) -> Request {
        Request { port: None, channels: 0 }
    }

    /// The network ports that bring the packet closer to its destination, as a mask.
    fn useful(&self, head: Head, packet: &Packet, mut word: u32) -> u16 {
        self.request(head, packet, &mut word).port.map_or(0, |port| 1 << port)
    }

    /// Hops that are left in each dimension for a packet at `router`, negative towards lower coordinates: what an injection
    /// interface may go by. 0 beyond the dimensions of the network, and throughout where a routing has no such numbers.
    fn offsets(&self, _router: u32, _packet: &Packet) -> [i32; 6] {
        [0; 6]
    }

    /// What one has to try to see every way that packets take. Asked before a run, by checks, as the three below.
    fn variety(&self) -> Variety {
        Variety::default()
    }

    /// Draws among which every way is as often as chance has it, for means; none where they are too many, or where chance is not all that
    /// decides.
    fn even_draws(&self) -> Vec<u32> {
        self.variety().draws
    }

    /// The coins of a draw that make a difference for a packet from `router`, as bits.
    fn coins(&self, _router: u32, _packet: &Packet) -> u32 {
        0
    }

    /// What of its source, number and choice still decides where a packet goes from this head on: packets for one destination
    /// that agree in this, in their word and in the class of their input may take the same ways from here to the end.
    fn memory(&self, _head: Head, _packet: &Packet) -> u32 {
        0
    }

    /// The class of an input; those of a class serve heads alike. `None` is an injection queue.
    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        input.map_or(0, |(port, channel)| 1 + (u32::from(port) << 8 | u32::from(channel)))
    }

    /// Whether a head that carries this word asks for the same whatever packet it is of: then [`Routing::request`] and
    /// [`Routing::candidates`] look at the router, the input and the word alone, and leave the word as it is. Checks visit the heads of
    /// such packets together.
    fn is_told(&self, _word: u32) -> bool {
        false
    }

    /// The head was granted `port`: the word it carries over the link.
    fn advance(&self, port: u8, word: u32) -> u32;

    /// Whether a word may be that of a packet whose head is in a queue of `router`, for words that come from a checkpoint.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool;
}

/// The packet as routing would let it start again at `router`: with its choice, and its hops as far as they are known there.
pub(crate) fn starts_alike<R: Routing>(routing: &R, router: u32, packet: &Packet, seed: u64) -> Packet {
    let mut again = Packet { hops: 0, choice: 0, ..*packet };
    routing.start(router, &mut again, || rng::draw(seed, Purpose::Tie, packet.source, packet.index)[0]);
    let decided = routing.decided();
    again.choice = again.choice & !decided | packet.choice & decided;
    again
}
