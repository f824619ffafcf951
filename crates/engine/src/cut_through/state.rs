//! The hot state of a router: request masks, credits and queue positions in a few adjacent cache lines.
//!
//! Sizes are powers of two known at compile time, so indices are masked instead of checked and everything is an offset
//! from one pointer. PERF: against one vector a quantity this halves the instructions per packet-hop
//! (`tailback bench spth-32`).

use crate::packet::Slot;
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Reader, State, Unfit, Writer};

/// A small set as the bits of an integer.
pub(crate) trait Mask: Copy + Default + std::fmt::Debug + Send + Sync + State {
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
mask!(u8, u16, u32, u64);

/// A set of inputs of a router; the smallest integers that hold it go with those for the router's other sets.
pub(crate) trait Inputs: Mask {
    /// A set of outputs.
    type Outputs: Mask;
    /// A set of virtual channels.
    type Channels: Mask;
}

impl Inputs for u16 {
    type Outputs = u8;
    type Channels = u8;
}

impl Inputs for u32 {
    type Outputs = u16;
    type Channels = u8;
}

impl Inputs for u64 {
    type Outputs = u64;
    type Channels = u16;
}

/// The front packet of an input and the ring behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// The front packet: most are alone, and then the ring is never touched.
    pub slot: Slot,
    /// Ring position of the front packet.
    pub front: u16,
    /// Packets in the ring.
    pub count: u16,
    /// Channels the front packet asks for.
    pub channels: u16,
    /// Output it asks for.
    pub output: u8,
}

tailback_base::state!([] Input { saved: slot, front, count, channels, output; });

/// What begins a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Line<T>(T);

impl<T: State> State for Line<T> {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.0.restore(from)
    }
}

/// A router with at most `NI` inputs, `NO` outputs, `NP` network ports and `NV` virtual channels, all powers of two.
///
/// PERF: a returning credit touches one cache line of the usual router, a tail two, a head or a grant three; the time of a
/// packet-hop is mostly theirs.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct RouterState<W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize> {
    /// Outputs no packet holds.
    idle: W::Outputs,
    /// Outputs that are idle and wanted by a head whose channel has room.
    ready: W::Outputs,
    /// Per output, the arbiter's byte.
    pub pointer: [u8; NO],
    /// Per output, channels with room for the shortest packet.
    room: [W::Channels; NO],
    /// Per output, channels some head wants.
    wanted: [W::Channels; NO],
    /// Per network port, free flits downstream by channel (see `credit.rs`).
    credits: [[i16; NV]; NP],
    /// Per output and channel, the inputs whose head wants it.
    want: Line<[[W; NV]; NO]>,
    /// Network inputs, then injection inputs.
    pub inputs: [Input; NI],
}

tailback_base::state!([W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize]
    RouterState<W, NI, NO, NP, NV> { saved: idle, ready, pointer, room, wanted, credits, want, inputs; });

impl<W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize> RouterState<W, NI, NO, NP, NV> {
    /// An idle router: `outputs` outputs of which the first `ports` have `channels` channels of `buffer_flits`.
    pub fn new(outputs: usize, ports: usize, channels: usize, buffer_flits: i16) -> Self {
        let all = super::ones_below(channels);
        RouterState {
            idle: Mask::of(super::ones_below(outputs)),
            ready: Mask::of(0),
            pointer: [0; NO],
            room: std::array::from_fn(|o| Mask::of(if o < ports { all } else { 1 })),
            wanted: [Mask::of(0); NO],
            credits: [[buffer_flits; NV]; NP],
            want: Line([[Mask::of(0); NV]; NO]),
            inputs: [Input::default(); NI],
        }
    }

    /// Outputs no packet holds, as a mask.
    #[inline(always)]
    pub fn idle(&self) -> u64 {
        self.idle.get()
    }

    /// A packet takes hold of an output.
    #[inline(always)]
    pub fn hold(&mut self, output: usize) {
        self.idle = Mask::of(self.idle.get() & !(1 << output));
    }

    /// The packet that held an output is through.
    #[inline(always)]
    pub fn release(&mut self, output: usize) {
        self.idle = Mask::of(self.idle.get() | 1 << output);
    }

    /// Takes the ready outputs out.
    #[inline(always)]
    pub fn take_ready(&mut self) -> u64 {
        std::mem::replace(&mut self.ready, Mask::of(0)).get()
    }

    /// Makes an output ready, or not.
    #[inline]
    pub fn set_ready(&mut self, output: usize, ready: bool) {
        let others = self.ready.get() & !(1 << output);
        self.ready = Mask::of(others | u64::from(ready) << output);
    }

    /// Channels of an output with room for the shortest packet, as a mask.
    #[inline(always)]
    pub fn room(&self, output: usize) -> u16 {
        self.room[output & (NO - 1)].get() as u16
    }

    /// A channel has room.
    #[inline(always)]
    pub fn add_room(&mut self, output: usize, channel: usize) {
        let room = &mut self.room[output & (NO - 1)];
        *room = Mask::of(room.get() | 1 << channel);
    }

    /// A channel has no room if `full` is 1.
    #[inline(always)]
    pub fn remove_room_if(&mut self, output: usize, channel: usize, full: u64) {
        let room = &mut self.room[output & (NO - 1)];
        *room = Mask::of(room.get() & !(full << channel));
    }

    /// Channels of an output with room that some head wants, as a mask.
    #[inline(always)]
    pub fn usable(&self, output: usize) -> u64 {
        let o = output & (NO - 1);
        self.room[o].get() & self.wanted[o].get()
    }

    /// Free flits of a channel of a network port.
    #[inline(always)]
    pub fn credits(&self, port: usize, channel: usize) -> i16 {
        self.credits[port & (NP - 1)][channel & (NV - 1)]
    }

    /// Changes the free flits of a channel and returns how many they are then.
    #[inline(always)]
    pub fn add_credits(&mut self, port: usize, channel: usize, flits: i16) -> i16 {
        let credits = &mut self.credits[port & (NP - 1)][channel & (NV - 1)];
        *credits += flits;
        *credits
    }

    /// Marks `output` ready if it is idle and somebody can go there; 1 if so, else 0. Without a branch, since either is
    /// as likely.
    #[inline(always)]
    pub fn wake(&mut self, output: usize) -> u64 {
        let ready = u64::from(self.usable(output) != 0) & (self.idle.get() >> output & 1);
        self.ready = Mask::of(self.ready.get() | ready << output);
        ready
    }

    /// The inputs that want `output` on a channel with room.
    #[inline(always)]
    pub fn contenders(&self, output: usize) -> u64 {
        let o = output & (NO - 1);
        let mut usable = self.usable(o);
        let mut inputs = 0;
        while usable != 0 {
            inputs |= self.want.0[o][usable.trailing_zeros() as usize & (NV - 1)].get();
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
            let want = &mut self.want.0[o][left.trailing_zeros() as usize & (NV - 1)];
            *want = W::of(want.get() | 1 << input);
            left &= left - 1;
        }
        self.wanted[o] = Mask::of(self.wanted[o].get() | u64::from(channels));
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
            let want = self.want.0[o][channel].get() & !(1 << input);
            self.want.0[o][channel] = W::of(want);
            self.wanted[o] = Mask::of(self.wanted[o].get() & !(u64::from(want == 0) << channel));
            left &= left - 1;
        }
    }

    /// Whether the front packet of `input` has a request in the masks.
    #[inline]
    pub fn asks(&self, input: usize) -> bool {
        let Input { output, channels, .. } = self.inputs[input & (NI - 1)];
        let first = channels.trailing_zeros() as usize & (NV - 1);
        channels != 0 && self.want.0[usize::from(output) & (NO - 1)][first].get() >> input & 1 == 1
    }

    /// Asks for the masks of `routers[router]` and for what it keeps of one input: what every event there touches.
    #[inline(always)]
    pub fn prefetch_input(routers: &[Self], router: u32, input: usize) {
        prefetch(routers, router as usize, 0, 1);
        let at = std::mem::offset_of!(Self, inputs) + (input & (NI - 1)) * size_of::<Input>();
        prefetch(routers, router as usize, at, 1);
    }

    /// Asks for the requests for the first outputs, where that of an arriving head is likely to be filed.
    #[inline(always)]
    pub fn prefetch_requests(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, std::mem::offset_of!(Self, want), 1);
    }

    /// Asks for what a grant touches, of the usual router all of it.
    #[inline(always)]
    pub fn prefetch_grants(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
        prefetch(routers, router as usize, std::mem::offset_of!(Self, want), 1);
        prefetch(routers, router as usize, std::mem::offset_of!(Self, inputs), 4);
    }

    /// Asks for the masks and the first credits, all that a returning credit touches.
    #[inline(always)]
    pub fn prefetch_credits(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
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
        let mut router = RouterState::<u16, 16, 8, 4, 4>::new(5, 4, 3, 16);
        assert_eq!(router.file(7, 2, 0b011), 1);
        assert!(router.asks(7) && !router.asks(6));
        router.remove_room_if(2, 0, 1);
        router.remove_room_if(2, 1, 1);
        router.remove_room_if(2, 2, 0);
        assert_eq!((router.contenders(2), router.room(2)), (0, 0b100));
        router.add_room(2, 1);
        assert_eq!(router.contenders(2), 1 << 7);
        assert_eq!(router.file(3, 2, 0b010), 1);
        assert_eq!(router.contenders(2), 1 << 7 | 1 << 3);
        router.withdraw(7);
        assert_eq!((router.contenders(2), router.usable(2)), (1 << 3, 0b010));
        router.hold(2);
        assert_eq!(router.wake(2), 0);
        router.release(2);
        assert_eq!((router.wake(2), router.take_ready(), router.take_ready()), (1, 1 << 2, 0));
    }

    #[test]
    fn the_usual_router_is_six_cache_lines() {
        type Small = RouterState<u16, 16, 8, 4, 4>;
        assert_eq!(size_of::<Small>(), 6 * 64);
        assert_eq!((std::mem::offset_of!(Small, want), std::mem::offset_of!(Small, inputs)), (64, 128));
    }

    #[test]
    fn every_output_of_the_widest_router_can_be_ready() {
        let mut router = RouterState::<u64, 64, 64, 16, 16>::new(64, 12, 16, 16);
        for output in 0..64 {
            assert_eq!(router.file(63, output, 1), 1);
            router.withdraw(63);
        }
        assert_eq!((router.idle(), router.take_ready()), (u64::MAX, u64::MAX));
    }
}
