//! The state of sixty-four routers side by side: what their inputs hold and ask for, as masks, and a few counters.
//!
//! Flits are anonymous: a buffer is the number of its flits, and how many of them belong to the packet at its front is
//! known from that packet's length.

use super::lanes::{LANES, Lanes, Mask, add, clear, lanes};

/// Planes of upright counters: they count buffers up to 32767 flits, and packets up to 65536.
pub(crate) const PLANES: usize = 16;

/// Routers with at most `NN` network inputs and link channels, and at most `NI` inputs and output channels. A field with an
/// index is by input, channel or port first and by router last.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Block<W: Mask, const NN: usize, const NI: usize> {
    /// Planes in use: of `count` and `credits`, and of `after`.
    pub planes: (usize, usize),
    /// Inputs with a flit, as known in the last switch allocation: without what was sent then, see `left`.
    pub filled: Lanes<W>,
    /// Inputs whose packet may ask for the switch: it holds a channel and has been through its allocation.
    pub able: Lanes<W>,
    /// Inputs with a packet at the front whose tail has not been sent.
    pub fronted: Lanes<W>,
    /// Inputs whose packet holds an output channel.
    pub holding: Lanes<W>,
    /// Inputs whose head asks for a channel.
    pub asking: Lanes<W>,
    /// Of those, the heads that a channel was free for when channels were last allocated, and that did not get it.
    pub look: Lanes<W>,
    /// Inputs whose packet asks for or holds a channel of the recovery lane.
    pub lane: Lanes<W>,
    /// Injection inputs whose packet is there as a whole.
    pub whole: Lanes<W>,
    /// Output channels that no packet has.
    pub free: Lanes<W>,
    /// Inputs whose packet holds an ejection channel, which needs no credit.
    pub ejecting: Lanes<W>,
    /// Channels of links with a credit, as known in the last switch allocation.
    pub open: Lanes<W::Links>,
    /// Inputs that sent a flit in the cycle before, which `count` still has.
    pub left: Lanes<W::Links>,
    /// Channels that a flit went into in the cycle before, whose credit `credits` still has.
    pub sent: Lanes<W::Links>,
    /// Flits in the buffer of every network input, as upright counters: bit `n` of plane `k` is worth `2^k` of counter `n`.
    pub count: [Lanes<W::Links>; PLANES],
    /// Credits of every link channel, upright.
    pub credits: [Lanes<W::Links>; PLANES],
    /// Flits of every input's packet after the one to be sent next, upright. Without a packet all planes are set: that is
    /// how a tail leaves them.
    pub after: [Lanes<W>; PLANES],
    /// Per input, the channel that its packet holds or was the last to hold.
    pub held: [Lanes<u8>; NI],
    /// The same channel as a mask; the mask is empty for an ejection channel.
    pub channel: [Lanes<W::Links>; NI],
    /// Per output port, the inputs whose packet holds one of its channels.
    pub users: [Lanes<W>; NI],
    /// Crossbar inputs' round robin: of every one's inputs, those from its turn on.
    pub input_turns: Lanes<W>,
    /// Per crossbar input, the switch arbiter's byte if it is not round robin.
    pub input_byte: [Lanes<u8>; NI],
    /// Per output port, the switch arbiter's byte, or the inputs from it on as a mask.
    pub output_turn: [Lanes<W>; NI],
    /// Per input, the channels that its head prefers.
    pub preferred: [Lanes<W>; NI],
    /// Per input, of links, those and the channels that its head takes only while none of them is free.
    pub wanted: [Lanes<W::Links>; NI],
    /// Per ejection channel of the router, the inputs whose head asks for it.
    pub homing: [Lanes<W>; NI],
    /// Per output channel, the channel arbiter's byte.
    pub channel_pointer: [Lanes<u8>; NI],
    /// The central channel arbiter's byte.
    pub central: Lanes<u8>,
    /// Per network input, the ring position of its front packet.
    pub front: [Lanes<u16>; NN],
    /// Per link channel, the ring position downstream after its last packet.
    pub back: [Lanes<u16>; NN],
}

tailback_base::state!([W: Mask, const NN: usize, const NI: usize] Block<W, NN, NI> {
    saved: filled, able, fronted, holding, asking, look, lane, whole, free, ejecting, open, left, sent, count, credits, after,
        held, channel, users, input_turns, input_byte, output_turn, preferred, wanted, homing, channel_pointer, central, front,
        back;
    rebuilt: planes;
});

impl<W: Mask, const NN: usize, const NI: usize> Block<W, NN, NI> {
    /// Idle routers with these output channels and these credits, and as many planes as the field says.
    pub fn new(planes: (usize, usize), channels: u64, credits: impl Fn(usize) -> u32) -> Self {
        let planes = (planes.0.min(PLANES), planes.1.min(PLANES));
        let plane = |k: usize| (0..NN).fold(0, |m, c| m | u64::from(credits(c) >> k & 1) << c);
        let (none, no_links) = ([W::default(); LANES], [W::Links::default(); LANES]);
        Block {
            planes,
            filled: none,
            able: none,
            fronted: none,
            holding: none,
            asking: none,
            look: none,
            lane: none,
            whole: none,
            free: [W::of(channels); LANES],
            ejecting: none,
            open: no_links,
            left: no_links,
            sent: no_links,
            count: [no_links; PLANES],
            credits: std::array::from_fn(|k| [W::Links::of(plane(k)); LANES]),
            after: [[W::of(u64::MAX); LANES]; PLANES],
            held: [[0; LANES]; NI],
            channel: [no_links; NI],
            users: [none; NI],
            input_turns: none,
            input_byte: [[0; LANES]; NI],
            output_turn: [none; NI],
            preferred: [none; NI],
            wanted: [no_links; NI],
            homing: [none; NI],
            channel_pointer: [[0; LANES]; NI],
            central: [0; LANES],
            front: [[0; LANES]; NN],
            back: [[0; LANES]; NN],
        }
    }

    /// The channel that the packet at the front of `input` holds.
    #[inline(always)]
    pub fn held(&self, input: usize, l: usize) -> usize {
        usize::from(self.held[input & (NI - 1)][l])
    }

    /// Flits in the buffer of a network input at the end of the last cycle.
    pub fn level(&self, input: usize, l: usize) -> u32 {
        let counted = number(&self.count[..self.planes.0.min(PLANES)], input, l);
        counted.wrapping_sub((self.left[l].get() >> input & 1) as u32)
    }

    /// Credits of a link channel at the end of the last cycle.
    pub fn credit(&self, channel: usize, l: usize) -> u32 {
        let counted = number(&self.credits[..self.planes.0.min(PLANES)], channel, l);
        counted.wrapping_sub((self.sent[l].get() >> channel & 1) as u32)
    }

    /// Whether there are flits in the buffer of a network input that sent one in the last cycle.
    #[inline(always)]
    pub fn has_more(&self, input: usize, l: usize) -> bool {
        // That flit is still counted: there were two.
        let twos = self.count[1..self.planes.0.clamp(1, PLANES)].iter();
        twos.fold(0, |all, plane| all | plane[l].get()) >> input & 1 == 1
    }

    /// Flits of the packet at the front of `input` after the one to be sent next.
    pub fn after(&self, input: usize, l: usize) -> u32 {
        number(&self.after[..self.planes.1.min(PLANES)], input, l)
    }

    /// A packet with `after + 1` flits comes to the front of `input`.
    #[inline(always)]
    pub fn set_after(&mut self, input: usize, l: usize, after: u32) {
        let planes = &mut self.after[..self.planes.1.min(PLANES)];
        debug_assert_eq!(number(planes, input, l) + 1, 1 << planes.len(), "no packet is at the front");
        if (after + 1) >> planes.len() == 1 {
            return;
        }
        let mut left = after;
        for plane in planes {
            clear(&mut plane[l], 1 << input);
            add(&mut plane[l], u64::from(left & 1) << input);
            left >>= 1;
        }
    }
}

/// Counter `n` of a router.
fn number<W: Mask>(planes: &[Lanes<W>], n: usize, l: usize) -> u32 {
    planes.iter().enumerate().fold(0, |number, (k, plane)| number | ((plane[l].get() >> n & 1) as u32) << k)
}

/// An arbiter's byte as the numbers from it on, which is what round robin needs of it.
pub(crate) fn turn<W: Mask>(pointer: u8) -> W {
    W::of(u64::MAX.checked_shl(u32::from(pointer)).unwrap_or(0))
}

/// The byte again.
pub(crate) fn pointer<W: Mask>(turn: W) -> u8 {
    turn.get().trailing_zeros() as u8 & 63
}

/// All sets of a block, by lane: `a` without `b`.
#[inline(always)]
pub(crate) fn without<W: Mask>(a: &Lanes<W>, b: &Lanes<W>) -> Lanes<W> {
    lanes(|l| a[l] & !b[l])
}

/// Members of both.
#[inline(always)]
pub(crate) fn both<W: Mask>(a: &Lanes<W>, b: &Lanes<W>) -> Lanes<W> {
    lanes(|l| a[l] & b[l])
}

/// Members of either.
#[inline(always)]
pub(crate) fn either<W: Mask>(a: &Lanes<W>, b: &Lanes<W>) -> Lanes<W> {
    lanes(|l| a[l] | b[l])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_and_its_turn() {
        for byte in [0, 1, 31, 63] {
            assert_eq!(pointer(turn::<u64>(byte)), byte);
        }
        // Nobody is behind the last input: the turn is everybody's again.
        assert_eq!((turn::<u32>(32), pointer(0u64)), (0, 0));
    }
}
