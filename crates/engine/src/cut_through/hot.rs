//! What the loop asks of the state of a router, whatever its shape: [`RouterState`](super::state::RouterState) keeps masks of a width
//! known at compile time, [`Crowd`](super::crowd::Crowd) lists of any length.

use super::router::Links;
use super::state::Input;
use crate::contract::arbiter::{Askers, Turn};
use crate::mask::Set;
use std::fmt::Debug;
use tailback_base::state::State;

/// The numbers of a router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Network inputs, and all.
    pub network_inputs: usize,
    pub inputs: usize,
    /// Network ports, and all outputs.
    pub ports: usize,
    pub outputs: usize,
    /// Virtual channels of a network port.
    pub channels: usize,
    /// Buffer of a channel \[flits\].
    pub buffer_flits: i16,
}

/// What is known of the links in a compilation of the cycle.
#[inline(always)]
pub(super) fn known<R: Hot, const PLAIN: bool>() -> Option<Links> {
    PLAIN.then_some(R::LINKS)
}

/// The state of a router.
pub(crate) trait Hot: Clone + Debug + Send + Sync + State {
    /// A set of inputs.
    type Inputs: Set;
    /// How arbiters see it.
    type Askers<'a>: Askers;
    /// A position among the ready outputs.
    type Cursor: Copy;
    /// Where the turn of an output begins.
    type Turn: Turn;
    /// Something for each network port.
    type Rooms: AsRef<[u16]>;
    /// Whether it is small enough for compilations of the cycle of its own, and for asking for it before it is needed.
    const SMALL: bool;
    /// Where the links are told of routers of this shape that take the plain cycle.
    const LINKS: Links = Links::OfGrid;
    /// The rings of a router, a power of two; 0 where it has as many as it needs.
    const RINGS: usize;
    /// The lowest power of two above the number of any input.
    const MOST_INPUTS: usize;

    /// An idle router.
    fn new(size: Size) -> Self;

    /// Bytes of a router of that size, without its rings.
    fn bytes(size: &Size) -> usize;

    fn input(&self, input: usize) -> &Input;

    fn input_mut(&mut self, input: usize) -> &mut Input;

    /// Whether a packet is at the front of a network input, if only with its last flits.
    fn is_taken(&self, input: usize) -> bool;

    /// All such network inputs.
    fn taken(&self) -> Self::Inputs;

    /// A packet comes to the front of a network input.
    fn take(&mut self, input: usize);

    /// No packet is at the front of a network input any more.
    fn leave(&mut self, input: usize);

    /// Whether packets are behind the front of a network input.
    fn is_followed(&self, input: usize) -> bool;

    /// All such network inputs.
    fn followed(&self) -> Self::Inputs;

    /// So many packets are behind the front of a network input.
    fn set_followed(&mut self, input: usize, behind: u16);

    /// Whether no packet holds an output.
    fn is_idle(&self, output: usize) -> bool;

    /// The network ports, 64 at most, that no packet holds, as a mask. (More outputs may be in it.)
    fn idle_ports(&self) -> u64;

    /// Whether the idle outputs are those, of so many.
    fn idle_are(&self, outputs: usize, is_idle: impl Fn(usize) -> bool) -> bool;

    /// A packet takes hold of an output.
    fn hold(&mut self, output: usize);

    /// The packet that held an output is through.
    fn release(&mut self, output: usize);

    /// Before the first ready output.
    fn ready(&mut self) -> Self::Cursor;

    /// Takes the next ready output out. One that is made ready after the cursor has passed it stays for another cycle.
    fn next_ready(&mut self, cursor: &mut Self::Cursor) -> Option<usize>;

    /// Makes an output ready.
    fn make_ready(&mut self, output: usize);

    /// Makes an output wait.
    fn unready(&mut self, output: usize);

    /// Whether an output is ready.
    fn is_ready(&self, output: usize) -> bool;

    /// Channels of an output with room for the shortest packet, as a mask.
    fn room(&self, output: usize) -> u16;

    /// The same of all network ports, and maybe of more.
    fn rooms(&self) -> Self::Rooms;

    /// A channel has room.
    fn add_room(&mut self, output: usize, channel: usize);

    /// A channel has no room if `full` is 1.
    fn remove_room_if(&mut self, output: usize, channel: usize, full: u64);

    /// Channels of an output with room that some head wants, as a mask.
    fn usable(&self, output: usize) -> u64;

    /// Free flits of a channel of a network port.
    fn credits(&self, port: usize, channel: usize) -> i16;

    /// Changes the free flits of a channel and returns how many they are then.
    fn add_credits(&mut self, port: usize, channel: usize, flits: i16) -> i16;

    /// Marks `output` ready if it is idle and somebody can go there; 1 if so, else 0.
    fn wake(&mut self, output: usize) -> u64;

    /// The inputs that want `output` on a channel with room.
    fn contenders(&self, output: usize) -> Self::Inputs;

    /// A set of inputs as arbiters see it.
    fn askers(inputs: &Self::Inputs) -> Self::Askers<'_>;

    /// The inputs whose head wants `output`.
    fn asking(&self, output: usize) -> Self::Inputs;

    /// Enters the request of `input` for `channels` of `output`. 1 if the output is ready now, else 0.
    fn file(&mut self, input: usize, output: usize, channels: u16) -> u64;

    /// Takes the request of `input` back.
    fn withdraw(&mut self, input: usize);

    /// Whether the front packet of `input` has a request.
    fn asks(&self, input: usize) -> bool;

    /// Whether the requests are those of what the first `inputs` inputs ask of the first `outputs` outputs, and turns begin at inputs.
    fn requests_are_right(&self, inputs: usize, outputs: usize, channels: u64) -> bool;

    fn turn(&self, output: usize) -> Self::Turn;

    fn set_turn(&mut self, output: usize, turn: Self::Turn);

    /// Asks for what every event at `routers[router]` touches, of the usual router one line.
    fn prefetch(_routers: &[Self], _router: u32) {}

    /// Asks for what it keeps of one input.
    fn prefetch_input(_routers: &[Self], _router: u32, _input: usize) {}

    /// Asks for what a grant touches, of the usual router all of it.
    fn prefetch_grants(_routers: &[Self], _router: u32) {}
}
