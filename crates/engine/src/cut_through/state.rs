//! The hot state of a router: request masks, credits and queue positions in a few adjacent cache lines.
//!
//! Sizes are powers of two known at compile time, so indices are masked instead of checked and everything is an offset
//! from one pointer. PERF: against one vector a quantity this halves the instructions per packet-hop
//! (`tailback bench spth-32`).

use super::compact::{Channels, Inputs, Level, Line};
use crate::mask::Mask;
use crate::packet::Slot;
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;

/// The front packet of an input and the ring behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// The front packet, if there is one: most are alone, and then the ring is never touched.
    pub slot: Slot,
    /// Ring position of the packet behind it.
    pub next: u16,
    /// Packets behind it, all in the ring.
    pub behind: u16,
    /// Channels the front packet asks for.
    pub channels: u16,
    /// Output it asks for.
    pub output: u8,
}

tailback_base::state!([] Input { saved: slot, next, behind, channels, output; });

/// A router with at most `NI` inputs, `NO` outputs, `NP` network ports and `NV` virtual channels, all powers of two.
///
/// PERF: whatever happens at the usual router touches its first cache line; a head that arrives and one that is granted an
/// output touch the line of their input as well, a tail does only where a packet stood behind it. The time of a packet-hop is
/// mostly that of these lines (`tailback bench million`).
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct RouterState<W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize> {
    /// Outputs no packet holds.
    idle: W::Outputs,
    /// Outputs that are idle and wanted by a head whose channel has room.
    ready: W::Outputs,
    /// Network inputs with a packet at the front, or whose tail is leaving.
    taken: W,
    /// Network inputs with packets behind that one.
    followed: W,
    /// Per output, the inputs whose head wants it.
    asking: [W; NO],
    /// Per channel, the inputs whose head wants it, of whatever output: a head asks for one.
    by_channel: [W; NV],
    /// Per output, the arbiter's byte.
    pub pointer: [u8; NO],
    /// Per output, its channels with room and those wanted.
    channels: [W::Channels; NO],
    /// Per network port, free flits downstream by channel (see `credit.rs`).
    credits: [[W::Level; NV]; NP],
    /// Network inputs, then injection inputs.
    inputs: Line<[Input; NI]>,
}

tailback_base::state!([W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize]
    RouterState<W, NI, NO, NP, NV> { saved: idle, ready, taken, followed, asking, by_channel, pointer, channels, credits, inputs; });

impl<W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize> RouterState<W, NI, NO, NP, NV> {
    /// An idle router: `outputs` outputs of which the first `ports` have `channels` channels of `buffer_flits`.
    pub fn new(outputs: usize, ports: usize, channels: usize, buffer_flits: i16) -> Self {
        let all = crate::mask::ones_below(channels);
        RouterState {
            idle: Mask::of(crate::mask::ones_below(outputs)),
            ready: Mask::of(0),
            taken: Mask::of(0),
            followed: Mask::of(0),
            asking: [Mask::of(0); NO],
            by_channel: [Mask::of(0); NV],
            pointer: [0; NO],
            channels: std::array::from_fn(|o| Channels::of(if o < ports { all } else { 1 }, 0)),
            credits: [[Level::of(buffer_flits); NV]; NP],
            inputs: Line([Input::default(); NI]),
        }
    }

    /// An input.
    #[inline(always)]
    pub fn input(&self, input: usize) -> &Input {
        &self.inputs.0[input & (NI - 1)]
    }

    /// An input.
    #[inline(always)]
    pub fn input_mut(&mut self, input: usize) -> &mut Input {
        &mut self.inputs.0[input & (NI - 1)]
    }

    /// Whether a packet is at the front of a network input, if only with its last flits.
    #[inline(always)]
    pub fn is_taken(&self, input: usize) -> bool {
        self.taken.has(input)
    }

    /// All such network inputs, as a mask.
    #[inline(always)]
    pub fn taken(&self) -> u64 {
        self.taken.get()
    }

    /// A packet comes to the front of a network input.
    #[inline(always)]
    pub fn take(&mut self, input: usize) {
        self.taken = self.taken.with(input, true);
    }

    /// No packet is at the front of a network input any more.
    #[inline(always)]
    pub fn leave(&mut self, input: usize) {
        self.taken = self.taken.with(input, false);
    }

    /// Whether packets are behind the front of a network input.
    #[inline(always)]
    pub fn is_followed(&self, input: usize) -> bool {
        self.followed.has(input)
    }

    /// So many packets are behind the front of a network input.
    #[inline(always)]
    pub fn set_followed(&mut self, input: usize, behind: u16) {
        self.followed = self.followed.with(input, behind > 0);
    }

    /// Outputs no packet holds, as a mask.
    #[inline(always)]
    pub fn idle(&self) -> u64 {
        self.idle.get()
    }

    /// A packet takes hold of an output.
    #[inline(always)]
    pub fn hold(&mut self, output: usize) {
        self.idle = self.idle.with(output, false);
    }

    /// The packet that held an output is through.
    #[inline(always)]
    pub fn release(&mut self, output: usize) {
        self.idle = self.idle.with(output, true);
    }

    /// Takes the ready outputs out.
    #[inline(always)]
    pub fn take_ready(&mut self) -> u64 {
        std::mem::replace(&mut self.ready, Mask::of(0)).get()
    }

    /// Makes an output ready.
    #[inline]
    pub fn make_ready(&mut self, output: usize) {
        self.ready = self.ready.with(output, true);
    }

    /// Makes an output wait.
    #[inline]
    pub fn unready(&mut self, output: usize) {
        self.ready = self.ready.with(output, false);
    }

    /// Whether an output is ready.
    pub fn is_ready(&self, output: usize) -> bool {
        self.ready.get() >> output & 1 == 1
    }

    /// Channels of an output with room for the shortest packet, as a mask.
    #[inline(always)]
    pub fn room(&self, output: usize) -> u16 {
        self.channels[output & (NO - 1)].room() as u16
    }

    /// A channel has room.
    #[inline(always)]
    pub fn add_room(&mut self, output: usize, channel: usize) {
        let channels = &mut self.channels[output & (NO - 1)];
        *channels = Channels::of(channels.room() | 1 << channel, channels.wanted());
    }

    /// A channel has no room if `full` is 1.
    #[inline(always)]
    pub fn remove_room_if(&mut self, output: usize, channel: usize, full: u64) {
        let channels = &mut self.channels[output & (NO - 1)];
        *channels = Channels::of(channels.room() & !(full << channel), channels.wanted());
    }

    /// Channels of an output with room that some head wants, as a mask.
    #[inline(always)]
    pub fn usable(&self, output: usize) -> u64 {
        let channels = self.channels[output & (NO - 1)];
        channels.room() & channels.wanted()
    }

    /// Free flits of a channel of a network port.
    #[inline(always)]
    pub fn credits(&self, port: usize, channel: usize) -> i16 {
        self.credits[port & (NP - 1)][channel & (NV - 1)].get()
    }

    /// Changes the free flits of a channel and returns how many they are then.
    #[inline(always)]
    pub fn add_credits(&mut self, port: usize, channel: usize, flits: i16) -> i16 {
        let credits = &mut self.credits[port & (NP - 1)][channel & (NV - 1)];
        let sum = credits.get() + flits;
        *credits = Level::of(sum);
        sum
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
            inputs |= self.by_channel[usable.trailing_zeros() as usize & (NV - 1)].get();
            usable &= usable - 1;
        }
        inputs & self.asking[o].get()
    }

    /// The inputs whose head wants `output`, as a mask.
    #[inline]
    pub fn asking(&self, output: usize) -> u64 {
        self.asking[output & (NO - 1)].get()
    }

    /// Enters the request of `input` for `channels` of `output`. 1 if the output is ready now, else 0.
    #[inline(always)]
    pub fn file(&mut self, input: usize, output: usize, channels: u16) -> u64 {
        let o = output & (NO - 1);
        let state = self.input_mut(input);
        state.output = o as u8;
        state.channels = channels;
        let mut left = channels;
        while left != 0 {
            let asking = &mut self.by_channel[left.trailing_zeros() as usize & (NV - 1)];
            *asking = W::of(asking.get() | 1 << input);
            left &= left - 1;
        }
        self.asking[o] = W::of(self.asking[o].get() | u64::from(channels != 0) << input);
        let before = self.channels[o];
        self.channels[o] = Channels::of(before.room(), before.wanted() | u64::from(channels));
        self.wake(o)
    }

    /// Takes the request of `input` back.
    #[inline(always)]
    pub fn withdraw(&mut self, input: usize) {
        let Input { output, channels, .. } = *self.input(input);
        let o = usize::from(output) & (NO - 1);
        let others = self.asking[o].get() & !(1 << input);
        self.asking[o] = W::of(others);
        let mut wanted = self.channels[o].wanted();
        let mut left = channels;
        while left != 0 {
            let channel = left.trailing_zeros() as usize & (NV - 1);
            let asking = self.by_channel[channel].get() & !(1 << input);
            self.by_channel[channel] = W::of(asking);
            wanted &= !(u64::from(asking & others == 0) << channel);
            left &= left - 1;
        }
        self.channels[o] = Channels::of(self.channels[o].room(), wanted);
    }

    /// Whether the front packet of `input` has a request in the masks.
    #[inline]
    pub fn asks(&self, input: usize) -> bool {
        self.asking[usize::from(self.input(input).output) & (NO - 1)].has(input)
    }

    /// Whether the masks are those of what the first `inputs` inputs ask of the first `outputs` outputs.
    pub fn masks_are_right(&self, inputs: usize, outputs: usize, channels: u64) -> bool {
        let (mut asking, mut by_channel, mut wanted) = ([0u64; NO], [0u64; NV], [0u64; NO]);
        for input in (0..inputs).filter(|&input| self.asks(input)) {
            let Input { output, channels: asked, .. } = *self.input(input);
            if usize::from(output) >= outputs || asked == 0 || u64::from(asked) & !channels != 0 {
                return false;
            }
            asking[usize::from(output)] |= 1 << input;
            wanted[usize::from(output)] |= u64::from(asked);
            ones(u64::from(asked)).for_each(|channel| by_channel[channel & (NV - 1)] |= 1 << input);
        }
        let ready = |o: usize| self.ready.get() >> o & 1 == 0 || self.idle.get() >> o & 1 == 1 && self.usable(o) != 0;
        let of_output =
            |o: usize| (self.asking[o].get(), self.channels[o].wanted()) == (asking[o], wanted[o]) && ready(o);
        (0..NO).all(of_output) && (0..NV).all(|v| self.by_channel[v].get() == by_channel[v])
    }

    /// Asks for what every event at `routers[router]` touches, of the usual router one line.
    #[inline(always)]
    pub fn prefetch(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
    }

    /// Asks for what it keeps of one input.
    #[inline(always)]
    pub fn prefetch_input(routers: &[Self], router: u32, input: usize) {
        let at = std::mem::offset_of!(Self, inputs) + (input & (NI - 1)) * size_of::<Input>();
        prefetch(routers, router as usize, at, 1);
    }

    /// Asks for what a grant touches, of the usual router all of it.
    #[inline(always)]
    pub fn prefetch_grants(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
        prefetch(routers, router as usize, std::mem::offset_of!(Self, inputs), 4);
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
    fn the_usual_router_is_five_cache_lines() {
        type Small = RouterState<u16, 16, 8, 4, 4>;
        assert_eq!((size_of::<Small>(), std::mem::offset_of!(Small, inputs)), (5 * 64, 64));
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
