//! The hot state of a router: request masks, credits and queue positions in a few adjacent cache lines.
//!
//! Sizes are powers of two known at compile time, so indices are masked instead of checked and everything is an offset
//! from one pointer. PERF: against one vector a quantity this halves the instructions per packet-hop
//! (`tailback bench spth-32`).

use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;

/// A set of inputs of a router.
pub(crate) trait Mask: Copy + Default + std::fmt::Debug + Send + Sync {
    /// The bits.
    fn get(self) -> u64;
    /// From bits that fit.
    fn of(bits: u64) -> Self;
}

macro_rules! mask {
    ($($t:ty),+) => {$(
        impl Mask for $t {
            #[inline]
            fn get(self) -> u64 {
                u64::from(self)
            }
            #[inline]
            fn of(bits: u64) -> Self {
                bits as $t
            }
        }
    )+};
}
mask!(u16, u32, u64);

/// The front packet of an input and the ring behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// Ring position of the front packet.
    pub front: u16,
    /// Packets in the ring.
    pub count: u16,
    /// Channels the front packet asks for.
    pub channels: u16,
    /// Output it asks for.
    pub output: u8,
}

/// The virtual channels of an output: one grant reads and writes both halves, so they share a cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels<W, const NV: usize> {
    /// The inputs whose head wants the channel.
    want: [W; NV],
    /// Free flits downstream (see `credit.rs`); of network outputs only.
    pub credits: [i16; NV],
}

/// A router with at most `NI` inputs, `NO` outputs and `NV` virtual channels, all powers of two.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct RouterState<W, const NI: usize, const NO: usize, const NV: usize> {
    /// Outputs no packet holds.
    pub idle: u64,
    /// Outputs that are idle and wanted by a head whose channel has room.
    pub ready: u64,
    /// Per output, channels with room for the shortest packet.
    pub room: [u16; NO],
    /// Per output, channels some head wants.
    pub wanted: [u16; NO],
    /// Per output, the arbiter's byte.
    pub pointer: [u8; NO],
    /// Per output, what is kept by channel.
    pub channels: [Channels<W, NV>; NO],
    /// Network inputs, then injection inputs.
    pub inputs: [Input; NI],
}

impl<W: Mask, const NI: usize, const NO: usize, const NV: usize> RouterState<W, NI, NO, NV> {
    /// An idle router: `outputs` outputs of which the first `ports` have `channels` channels of `buffer_flits`.
    pub fn new(outputs: usize, ports: usize, channels: usize, buffer_flits: i16) -> Self {
        let all = super::ones_below(channels) as u16;
        RouterState {
            idle: super::ones_below(outputs),
            ready: 0,
            room: std::array::from_fn(|o| if o < ports { all } else { 1 }),
            wanted: [0; NO],
            pointer: [0; NO],
            channels: [Channels { want: [W::default(); NV], credits: [buffer_flits; NV] }; NO],
            inputs: [Input::default(); NI],
        }
    }

    /// Marks `output` ready if it is idle and somebody can go there; 1 if so, else 0. Without a branch, since either is
    /// as likely.
    #[inline(always)]
    pub fn wake(&mut self, output: usize) -> u64 {
        let o = output & (NO - 1);
        let ready = u64::from(self.room[o] & self.wanted[o] != 0) & (self.idle >> o & 1);
        self.ready |= ready << o;
        ready
    }

    /// The inputs that want `output` on a channel with room.
    #[inline(always)]
    pub fn contenders(&self, output: usize) -> u64 {
        let o = output & (NO - 1);
        let mut usable = self.room[o] & self.wanted[o];
        let mut inputs = 0;
        while usable != 0 {
            inputs |= self.channels[o].want[usable.trailing_zeros() as usize & (NV - 1)].get();
            usable &= usable - 1;
        }
        inputs
    }

    /// Enters the request of `input` for `channels` of `output`. 1 if the output is ready now, else 0.
    #[inline(always)]
    pub fn file(&mut self, input: usize, output: usize, channels: u16) -> u64 {
        let o = output & (NO - 1);
        let state = &mut self.inputs[input & (NI - 1)];
        state.output = o as u8;
        state.channels = channels;
        let mut left = channels;
        while left != 0 {
            let want = &mut self.channels[o].want[left.trailing_zeros() as usize & (NV - 1)];
            *want = W::of(want.get() | 1 << input);
            left &= left - 1;
        }
        self.wanted[o] |= channels;
        self.wake(o)
    }

    /// Takes the request of `input` back.
    #[inline(always)]
    pub fn withdraw(&mut self, input: usize) {
        let Input { output, channels, .. } = self.inputs[input & (NI - 1)];
        let o = usize::from(output) & (NO - 1);
        let mut left = channels;
        while left != 0 {
            let channel = left.trailing_zeros() as usize & (NV - 1);
            let want = self.channels[o].want[channel].get() & !(1 << input);
            self.channels[o].want[channel] = W::of(want);
            self.wanted[o] &= !(u16::from(want == 0) << channel);
            left &= left - 1;
        }
    }

    /// Whether the front packet of `input` has a request in the masks.
    #[inline]
    pub fn asks(&self, input: usize) -> bool {
        let Input { output, channels, .. } = self.inputs[input & (NI - 1)];
        let first = channels.trailing_zeros() as usize & (NV - 1);
        channels != 0 && self.channels[usize::from(output) & (NO - 1)].want[first].get() >> input & 1 == 1
    }

    /// Asks for the cache lines of `routers[router]` that events touch.
    #[inline]
    pub fn prefetch(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, size_of::<Self>().div_ceil(64).min(6));
    }

    /// The same for the credits of one output and the masks, all that a returning credit touches.
    #[inline]
    pub fn prefetch_output(routers: &[Self], router: u32, output: usize) {
        prefetch(routers, router as usize, 0, 1);
        let at = std::mem::offset_of!(Self, channels) + output * size_of::<Channels<W, NV>>();
        prefetch(routers, router as usize, at, 1);
    }

    /// The inputs of `mask` for which `keep` holds.
    pub fn filter(mask: u64, keep: impl Fn(usize) -> bool) -> u64 {
        ones(mask).filter(|&i| keep(i)).fold(0, |m, i| m | 1 << i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_and_go() {
        let mut router = RouterState::<u16, 16, 8, 4>::new(5, 4, 3, 16);
        assert_eq!(router.file(7, 2, 0b011), 1);
        assert!(router.asks(7) && !router.asks(6));
        router.room[2] = 0b100;
        assert_eq!(router.contenders(2), 0);
        router.room[2] = 0b110;
        assert_eq!(router.contenders(2), 1 << 7);
        assert_eq!(router.file(3, 2, 0b010), 1);
        assert_eq!(router.contenders(2), 1 << 7 | 1 << 3);
        router.withdraw(7);
        assert_eq!((router.contenders(2), router.wanted[2]), (1 << 3, 0b010));
        router.idle &= !(1 << 2);
        assert_eq!(router.wake(2), 0);
    }

    #[test]
    fn the_usual_router_is_five_cache_lines() {
        assert_eq!(size_of::<RouterState<u16, 16, 8, 4>>(), 5 * 64);
    }
}
