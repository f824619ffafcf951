//! The hot state of a router: request masks, credits and queue positions in a few adjacent cache lines.
//!
//! Sizes are powers of two known at compile time, so indices are masked instead of checked and everything is an offset
//! from one pointer. PERF: against one vector a quantity this halves the instructions per packet-hop
//! (`tailback bench spth-32`).

use super::compact::{Channels, Inputs, Level, Line};
use super::hot::{Hot, Size};
use super::router::Links;
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
    pub output: u16,
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
    pointer: [u8; NO],
    /// Per output, its channels with room and those wanted.
    channels: [W::Channels; NO],
    /// Per network port, free flits downstream by channel (see `credit.rs`).
    credits: [[W::Level; NV]; NP],
    /// Network inputs, then injection inputs.
    inputs: Line<[Input; NI]>,
}

tailback_base::state!([W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize]
    RouterState<W, NI, NO, NP, NV> { saved: idle, ready, taken, followed, asking, by_channel, pointer, channels, credits, inputs; });

impl<W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize> Hot
    for RouterState<W, NI, NO, NP, NV>
{
    type Inputs = u64;
    type Askers<'a> = u64;
    type Cursor = u64;
    type Turn = u8;
    type Rooms = [u16; NP];
    const SMALL: bool = true;
    // Thirty-two outputs has the shape of networks without a grid alone (`Broad`).
    const LINKS: Links = if NO == 32 { Links::Listed } else { Links::OfGrid };
    const RINGS: usize = NI;
    const MOST_INPUTS: usize = NI;

    fn new(size: Size) -> Self {
        let Size { ports, outputs, channels, buffer_flits, .. } = size;
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

    fn bytes(_: &Size) -> usize {
        size_of::<Self>()
    }

    #[inline(always)]
    fn input(&self, input: usize) -> &Input {
        &self.inputs.0[input & (NI - 1)]
    }

    #[inline(always)]
    fn input_mut(&mut self, input: usize) -> &mut Input {
        &mut self.inputs.0[input & (NI - 1)]
    }

    #[inline(always)]
    fn is_taken(&self, input: usize) -> bool {
        self.taken.has(input)
    }

    #[inline(always)]
    fn taken(&self) -> u64 {
        self.taken.get()
    }

    fn followed(&self) -> u64 {
        self.followed.get()
    }

    #[inline(always)]
    fn take(&mut self, input: usize) {
        self.taken = self.taken.with(input, true);
    }

    #[inline(always)]
    fn leave(&mut self, input: usize) {
        self.taken = self.taken.with(input, false);
    }

    #[inline(always)]
    fn is_followed(&self, input: usize) -> bool {
        self.followed.has(input)
    }

    #[inline(always)]
    fn set_followed(&mut self, input: usize, behind: u16) {
        self.followed = self.followed.with(input, behind > 0);
    }

    #[inline(always)]
    fn is_idle(&self, output: usize) -> bool {
        self.idle.has(output)
    }

    #[inline(always)]
    fn idle_ports(&self) -> u64 {
        self.idle.get()
    }

    fn idle_are(&self, outputs: usize, is_idle: impl Fn(usize) -> bool) -> bool {
        self.idle.get() == ones(crate::mask::ones_below(outputs)).filter(|&o| is_idle(o)).fold(0, |all, o| all | 1 << o)
    }

    #[inline(always)]
    fn hold(&mut self, output: usize) {
        self.idle = self.idle.with(output, false);
    }

    #[inline(always)]
    fn release(&mut self, output: usize) {
        self.idle = self.idle.with(output, true);
    }

    #[inline(always)]
    fn ready(&mut self) -> u64 {
        std::mem::replace(&mut self.ready, Mask::of(0)).get()
    }

    #[inline(always)]
    fn next_ready(&mut self, cursor: &mut u64) -> Option<usize> {
        if *cursor == 0 {
            return None;
        }
        let output = cursor.trailing_zeros() as usize;
        *cursor &= *cursor - 1;
        Some(output)
    }

    #[inline]
    fn make_ready(&mut self, output: usize) {
        self.ready = self.ready.with(output, true);
    }

    #[inline]
    fn unready(&mut self, output: usize) {
        self.ready = self.ready.with(output, false);
    }

    fn is_ready(&self, output: usize) -> bool {
        self.ready.get() >> output & 1 == 1
    }

    #[inline(always)]
    fn room(&self, output: usize) -> u16 {
        self.channels[output & (NO - 1)].room() as u16
    }

    #[inline]
    fn rooms(&self) -> [u16; NP] {
        std::array::from_fn(|port| self.room(port))
    }

    #[inline(always)]
    fn add_room(&mut self, output: usize, channel: usize) {
        let channels = &mut self.channels[output & (NO - 1)];
        *channels = Channels::of(channels.room() | 1 << channel, channels.wanted());
    }

    #[inline(always)]
    fn remove_room_if(&mut self, output: usize, channel: usize, full: u64) {
        let channels = &mut self.channels[output & (NO - 1)];
        *channels = Channels::of(channels.room() & !(full << channel), channels.wanted());
    }

    #[inline(always)]
    fn usable(&self, output: usize) -> u64 {
        let channels = self.channels[output & (NO - 1)];
        channels.room() & channels.wanted()
    }

    #[inline(always)]
    fn credits(&self, port: usize, channel: usize) -> i16 {
        self.credits[port & (NP - 1)][channel & (NV - 1)].get()
    }

    #[inline(always)]
    fn add_credits(&mut self, port: usize, channel: usize, flits: i16) -> i16 {
        let credits = &mut self.credits[port & (NP - 1)][channel & (NV - 1)];
        let sum = credits.get() + flits;
        *credits = Level::of(sum);
        sum
    }

    // Without a branch, since either is as likely.
    #[inline(always)]
    fn wake(&mut self, output: usize) -> u64 {
        let ready = u64::from(self.usable(output) != 0) & (self.idle.get() >> output & 1);
        self.ready = Mask::of(self.ready.get() | ready << output);
        ready
    }

    #[inline(always)]
    fn contenders(&self, output: usize) -> u64 {
        let o = output & (NO - 1);
        let mut usable = self.usable(o);
        let mut inputs = 0;
        while usable != 0 {
            inputs |= self.by_channel[usable.trailing_zeros() as usize & (NV - 1)].get();
            usable &= usable - 1;
        }
        inputs & self.asking[o].get()
    }

    #[inline(always)]
    fn askers(inputs: &u64) -> u64 {
        *inputs
    }

    #[inline]
    fn asking(&self, output: usize) -> u64 {
        self.asking[output & (NO - 1)].get()
    }

    #[inline(always)]
    fn file(&mut self, input: usize, output: usize, channels: u16) -> u64 {
        let o = output & (NO - 1);
        let state = self.input_mut(input);
        state.output = o as u16;
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

    #[inline(always)]
    fn withdraw(&mut self, input: usize) {
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

    #[inline]
    fn asks(&self, input: usize) -> bool {
        self.asking[usize::from(self.input(input).output) & (NO - 1)].has(input)
    }

    fn requests_are_right(&self, inputs: usize, outputs: usize, channels: u64) -> bool {
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
        let turns = self.pointer.iter().all(|&input| input < 64);
        turns && (0..NO).all(of_output) && (0..NV).all(|v| self.by_channel[v].get() == by_channel[v])
    }

    #[inline(always)]
    fn turn(&self, output: usize) -> u8 {
        self.pointer[output & (NO - 1)]
    }

    #[inline(always)]
    fn set_turn(&mut self, output: usize, turn: u8) {
        self.pointer[output & (NO - 1)] = turn;
    }

    #[inline(always)]
    fn prefetch(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
    }

    #[inline(always)]
    fn prefetch_input(routers: &[Self], router: u32, input: usize) {
        let at = std::mem::offset_of!(Self, inputs) + (input & (NI - 1)) * size_of::<Input>();
        prefetch(routers, router as usize, at, 1);
    }

    #[inline(always)]
    fn prefetch_grants(routers: &[Self], router: u32) {
        prefetch(routers, router as usize, 0, 1);
        prefetch(routers, router as usize, std::mem::offset_of!(Self, inputs), 4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(ports: usize, outputs: usize, channels: usize) -> Size {
        let network_inputs = ports * channels;
        Size { network_inputs, inputs: network_inputs + 1, ports, outputs, channels, buffer_flits: 16 }
    }

    /// The ready outputs, which are none afterwards.
    fn ready(router: &mut impl Hot) -> u64 {
        let mut cursor = router.ready();
        std::iter::from_fn(|| router.next_ready(&mut cursor)).fold(0, |all, output| all | 1 << output)
    }

    #[test]
    fn requests_come_and_go() {
        let mut router = RouterState::<u16, 16, 8, 4, 4>::new(size(4, 5, 3));
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
        assert_eq!((router.wake(2), ready(&mut router), ready(&mut router)), (1, 1 << 2, 0));
    }

    #[test]
    fn the_usual_router_is_five_cache_lines() {
        type Small = RouterState<u16, 16, 8, 4, 4>;
        assert_eq!((size_of::<Small>(), std::mem::offset_of!(Small, inputs)), (5 * 64, 64));
    }

    #[test]
    fn every_output_of_the_widest_router_can_be_ready() {
        let mut router = RouterState::<u64, 64, 64, 16, 16>::new(size(12, 64, 16));
        for output in 0..64 {
            assert_eq!(router.file(63, output, 1), 1);
            router.withdraw(63);
        }
        assert_eq!((router.idle_ports(), ready(&mut router)), (u64::MAX, u64::MAX));
    }
}
