//! The hot state of a router: what its inputs hold and ask for, as masks, and a few counters.
//!
//! Flits are anonymous: a buffer is the number of its flits, and how many of them belong to the packet at its front is
//! known from that packet's length. Sizes are powers of two known at compile time, so indices are masked and everything is
//! an offset from one pointer (`docs/decisions/0004-hot-state.md`).

/// A set of inputs, or of output channels, of a router.
pub(crate) trait Mask: Copy + Default + std::fmt::Debug + Send + Sync {
    /// The bits.
    fn get(self) -> u64;
    /// From bits that fit.
    fn of(bits: u64) -> Self;
}

macro_rules! mask {
    ($($t:ty),+) => {$(
        impl Mask for $t {
            #[inline(always)]
            fn get(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $t
            }
        }
    )+};
}
mask!(u32, u64);

/// A router with at most `NN` network inputs and link channels, and at most `NI` inputs and output channels.
///
/// Fields are in the order of how often they are used: what every flit touches is in the first cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct RouterState<W, const NN: usize, const NI: usize> {
    /// Inputs with a flit of their front packet.
    pub filled: W,
    /// Inputs whose packet may ask for the switch: it holds a channel and has been through its allocation.
    pub able: W,
    /// Of the inputs that hold a channel, those whose channel has a credit.
    pub credited: W,
    /// Inputs with a packet at the front whose tail has not been sent.
    pub fronted: W,
    /// Inputs whose packet holds an output channel.
    pub holding: W,
    /// Inputs whose head asks for a channel.
    pub asking: W,
    /// Of those, the heads that some channel may be free for.
    pub look: W,
    /// Inputs whose packet asks for or holds a channel of the recovery lane.
    pub lane: W,
    /// Injection inputs whose packet is there as a whole.
    pub whole: W,
    /// Output channels that no packet has.
    pub free: W,
    /// Output channels with a credit; ejection channels need none.
    pub open: W,
    /// The central channel arbiter's byte.
    pub central: u8,
    /// Flits in the buffer of every network input.
    pub count: [i16; NN],
    /// Credits of every link channel.
    pub credits: [i16; NN],
    /// Per input, flits of its packet after the one to be sent next.
    pub after: [u16; NI],
    /// Per input, the channel that its packet holds.
    pub held: [u8; NI],
    /// Per input, the output port of that channel.
    pub port: [u8; NI],
    /// Per output port, the switch arbiter's byte.
    pub output_pointer: [u8; NI],
    /// Per crossbar input, the switch arbiter's byte.
    pub input_pointer: [u8; NI],
    /// Per output port, the inputs whose packet holds one of its channels.
    pub users: [W; NI],
    /// Per output port, the router that it leads to; this one if it leads nowhere.
    pub peer: [u32; NI],
    /// Per output channel, the input that holds it or was the last to do so.
    pub owner: [u8; NI],
    /// Per output channel, the channel arbiter's byte.
    pub channel_pointer: [u8; NI],
    /// Per input, the channels that its head prefers.
    pub preferred: [W; NI],
    /// Per input, the channels that its head takes only while none of those is free.
    pub fallback: [W; NI],
    /// Per network input, the ring position of its front packet.
    pub front: [u16; NN],
    /// Per link channel, the ring position downstream after its last packet.
    pub back: [u16; NN],
}

impl<W: Mask, const NN: usize, const NI: usize> RouterState<W, NN, NI> {
    /// An idle router with these credits; `channels`: all its output channels; `peer` as in the field.
    pub fn new(credits: [i16; NN], channels: u64, peer: [u32; NI]) -> Self {
        let none = W::default();
        let closed = (0..NN).filter(|&c| credits[c] == 0).fold(0, |m, c| m | 1 << c);
        RouterState {
            filled: none,
            able: none,
            credited: none,
            fronted: none,
            holding: none,
            asking: none,
            look: none,
            lane: none,
            whole: none,
            free: W::of(channels),
            open: W::of(channels & !closed),
            central: 0,
            count: [0; NN],
            credits,
            after: [0; NI],
            held: [0; NI],
            port: [0; NI],
            output_pointer: [0; NI],
            input_pointer: [0; NI],
            users: [none; NI],
            peer,
            owner: [0; NI],
            channel_pointer: [0; NI],
            preferred: [none; NI],
            fallback: [none; NI],
            front: [0; NN],
            back: [0; NN],
        }
    }

    /// Inputs that could send a flit.
    #[inline(always)]
    pub fn ready(&self) -> u64 {
        self.able.get() & self.filled.get() & self.credited.get()
    }
}

/// Adds a bit to a mask.
#[inline(always)]
pub(crate) fn add<W: Mask>(mask: &mut W, bits: u64) {
    *mask = W::of(mask.get() | bits);
}

/// Takes bits out of a mask.
#[inline(always)]
pub(crate) fn clear<W: Mask>(mask: &mut W, bits: u64) {
    *mask = W::of(mask.get() & !bits);
}

/// The bits of 16 counters that [`count_up`] adds to at a time.
pub(crate) type Lanes = [u16; 16];

/// Bit `i` in lane `i`.
pub(crate) fn lanes() -> Lanes {
    std::array::from_fn(|i| 1 << i)
}

/// Adds one to the counters of the bits of `bits`.
///
/// PERF: all at once and without a branch; how many there are in a cycle is not predictable. `lanes` comes from memory, not
/// from a constant, because the compiler would else shift every bit into its place on its own (`tailback bench wormhole-16`).
#[inline(always)]
pub(crate) fn count_up<const NN: usize>(counters: &mut [i16; NN], bits: u64, lanes: Lanes) {
    for (n, group) in counters.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let bits = (bits >> (16 * n)) as u16;
        let counted: [i16; 16] = std::array::from_fn(|i| group[i].wrapping_add(i16::from(bits & lanes[i] == lanes[i])));
        *group = counted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_count() {
        let mut counters = [0; 32];
        for bits in [0b1, 0b1001, 1 << 31 | 1] {
            count_up(&mut counters, bits, lanes());
        }
        assert_eq!((counters[0], counters[3], counters[31]), (3, 1, 1));
        assert_eq!(counters.iter().sum::<i16>(), 5);
    }

    #[test]
    fn ready_takes_all_three() {
        let mut router = RouterState::<u32, 16, 32>::new([8; 16], 0x1ffff, [0; 32]);
        router.filled = 0b1110;
        router.able = 0b0111;
        router.credited = 0b1010;
        assert_eq!(router.ready(), 0b0010);
    }
}
