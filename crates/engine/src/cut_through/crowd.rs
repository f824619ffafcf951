//! The state of a wide router, of any number of inputs and outputs: what asks for an output is a list through its inputs, so that memory
//! grows with inputs and outputs and not with their product. (A node that takes in a packet from every input has an output for each.)

use super::hot::{Hot, Size};
use super::router::{MAX_INPUTS, MAX_LINKS};
use super::state::Input;
use crate::mask::Set;
use crate::words::Words;
use tailback_base::bits::BitSet;
use tailback_base::state::{Unfit, ensure};

const _: () = assert!(MAX_INPUTS <= crate::words::MOST, "a set of words has all inputs");

/// No input.
const NONE: u16 = u16::MAX;

/// An output.
#[derive(Clone, Copy, Debug)]
struct Output {
    /// The first input whose head wants it.
    first: u16,
    /// Channels that such heads want.
    wanted: u16,
    /// Channels with room.
    room: u16,
    turn: u16,
}

tailback_base::state!([] Output { saved: room, turn; rebuilt: first, wanted; });

/// An input among those that want an output.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    before: u16,
    behind: u16,
}

/// The state of a wide router.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    idle: BitSet,
    ready: BitSet,
    taken: BitSet,
    followed: BitSet,
    /// Inputs whose head asks.
    filed: BitSet,
    outputs: Box<[Output]>,
    neighbours: Box<[Neighbours]>,
    /// By port, then channel.
    credits: Box<[i16]>,
    inputs: Box<[Input]>,
    channels: usize,
}

tailback_base::state!([] Crowd {
    saved: idle, ready, taken, followed, filed, outputs, credits, inputs;
    rebuilt: neighbours, channels;
} [relink]);

/// Ready outputs that were taken out together, and the word that they are of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    bits: u64,
    word: usize,
}

impl Crowd {
    /// The inputs whose head wants an output.
    fn askers_of(&self, output: usize) -> impl Iterator<Item = usize> + '_ {
        let there = |input: u16| (input != NONE).then_some(usize::from(input));
        std::iter::successors(there(self.outputs[output].first), move |&input| there(self.neighbours[input].behind))
    }

    /// Puts an input first among those that want its output.
    fn link(&mut self, input: usize) {
        let Input { output, channels, .. } = self.inputs[input];
        let of = &mut self.outputs[usize::from(output)];
        let behind = std::mem::replace(&mut of.first, input as u16);
        of.wanted |= channels;
        self.neighbours[input] = Neighbours { before: NONE, behind };
        if behind != NONE {
            self.neighbours[usize::from(behind)].before = input as u16;
        }
    }

    /// Links what asks, after it was restored.
    fn relink(&mut self) -> Result<(), Unfit> {
        self.outputs.iter_mut().for_each(|output| (output.first, output.wanted) = (NONE, 0));
        for input in self.filed.clone().iter() {
            let Input { output, channels, .. } = self.inputs[input];
            let there = usize::from(output) < self.outputs.len() && channels != 0;
            ensure(there, "a router was asked for something by nobody")?;
            self.link(input);
        }
        Ok(())
    }
}

fn members(of: &BitSet) -> Words {
    let mut words = Words::default();
    of.iter().for_each(|n| words.insert(n));
    words
}

impl Hot for Crowd {
    type Inputs = Words;
    type Askers<'a> = &'a Words;
    type Cursor = Taken;
    type Turn = u16;
    type Rooms = [u16; MAX_LINKS];
    const SMALL: bool = false;
    const RINGS: usize = 0;
    const MOST_INPUTS: usize = MAX_INPUTS;

    fn new(size: Size) -> Self {
        let Size { inputs, ports, outputs, channels, .. } = size;
        let all = crate::mask::ones_below(channels) as u16;
        let mut idle = BitSet::new(outputs);
        (0..outputs).for_each(|output| idle.insert(output));
        let output = |o: usize| Output { first: NONE, wanted: 0, room: if o < ports { all } else { 1 }, turn: 0 };
        Crowd {
            idle,
            ready: BitSet::new(outputs),
            taken: BitSet::new(inputs),
            followed: BitSet::new(inputs),
            filed: BitSet::new(inputs),
            outputs: (0..outputs).map(output).collect(),
            neighbours: vec![Neighbours { before: NONE, behind: NONE }; inputs].into(),
            credits: vec![size.buffer_flits; ports * channels].into(),
            inputs: vec![Input::default(); inputs].into(),
            channels,
        }
    }

    fn bytes(size: &Size) -> usize {
        let input = size_of::<Input>() + size_of::<Neighbours>() + 1;
        let output = size_of::<Output>() + 1;
        size_of::<Self>() + size.inputs * input + size.outputs * output + size.network_inputs * 2 + 16 * 9
    }

    #[inline]
    fn input(&self, input: usize) -> &Input {
        &self.inputs[input]
    }

    #[inline]
    fn input_mut(&mut self, input: usize) -> &mut Input {
        &mut self.inputs[input]
    }

    #[inline]
    fn is_taken(&self, input: usize) -> bool {
        self.taken.contains(input)
    }

    fn taken(&self) -> Words {
        members(&self.taken)
    }

    #[inline]
    fn take(&mut self, input: usize) {
        self.taken.insert(input);
    }

    #[inline]
    fn leave(&mut self, input: usize) {
        self.taken.remove(input);
    }

    #[inline]
    fn is_followed(&self, input: usize) -> bool {
        self.followed.contains(input)
    }

    fn followed(&self) -> Words {
        members(&self.followed)
    }

    #[inline]
    fn set_followed(&mut self, input: usize, behind: u16) {
        if behind > 0 { self.followed.insert(input) } else { self.followed.remove(input) }
    }

    #[inline]
    fn is_idle(&self, output: usize) -> bool {
        self.idle.contains(output)
    }

    fn idle_ports(&self) -> u64 {
        self.idle.word(0)
    }

    fn idle_are(&self, outputs: usize, is_idle: impl Fn(usize) -> bool) -> bool {
        self.idle.iter().eq((0..outputs).filter(|&output| is_idle(output)))
    }

    #[inline]
    fn hold(&mut self, output: usize) {
        self.idle.remove(output);
    }

    #[inline]
    fn release(&mut self, output: usize) {
        self.idle.insert(output);
    }

    #[inline]
    fn ready(&mut self) -> Taken {
        Taken { bits: self.ready.take_word(0), word: 0 }
    }

    #[inline]
    fn next_ready(&mut self, cursor: &mut Taken) -> Option<usize> {
        while cursor.bits == 0 {
            cursor.word += 1;
            if cursor.word == self.ready.word_count() {
                cursor.word -= 1;
                return None;
            }
            cursor.bits = self.ready.take_word(cursor.word);
        }
        let output = cursor.word * 64 + cursor.bits.trailing_zeros() as usize;
        cursor.bits &= cursor.bits - 1;
        Some(output)
    }

    fn make_ready(&mut self, output: usize) {
        self.ready.insert(output);
    }

    fn unready(&mut self, output: usize) {
        self.ready.remove(output);
    }

    fn is_ready(&self, output: usize) -> bool {
        self.ready.contains(output)
    }

    #[inline]
    fn room(&self, output: usize) -> u16 {
        self.outputs[output].room
    }

    fn rooms(&self) -> [u16; MAX_LINKS] {
        std::array::from_fn(|port| self.outputs.get(port).map_or(0, |output| output.room))
    }

    #[inline]
    fn add_room(&mut self, output: usize, channel: usize) {
        self.outputs[output].room |= 1 << channel;
    }

    #[inline]
    fn remove_room_if(&mut self, output: usize, channel: usize, full: u64) {
        self.outputs[output].room &= !((full as u16) << channel);
    }

    #[inline]
    fn usable(&self, output: usize) -> u64 {
        let Output { room, wanted, .. } = self.outputs[output];
        u64::from(room & wanted)
    }

    #[inline]
    fn credits(&self, port: usize, channel: usize) -> i16 {
        self.credits[port * self.channels + channel]
    }

    #[inline]
    fn add_credits(&mut self, port: usize, channel: usize, flits: i16) -> i16 {
        let credits = &mut self.credits[port * self.channels + channel];
        *credits += flits;
        *credits
    }

    #[inline]
    fn wake(&mut self, output: usize) -> u64 {
        let ready = u64::from(self.usable(output) != 0 && self.is_idle(output));
        self.ready.insert_if(output, ready);
        ready
    }

    #[inline]
    fn contenders(&self, output: usize) -> Words {
        let (mut found, room) = (Words::default(), self.room(output));
        self.askers_of(output)
            .filter(|&input| self.inputs[input].channels & room != 0)
            .for_each(|input| found.insert(input));
        found
    }

    #[inline]
    fn askers(inputs: &Words) -> &Words {
        inputs
    }

    fn asking(&self, output: usize) -> Words {
        let mut found = Words::default();
        self.askers_of(output).for_each(|input| found.insert(input));
        found
    }

    #[inline]
    fn file(&mut self, input: usize, output: usize, channels: u16) -> u64 {
        debug_assert!(!self.asks(input), "a head asks once");
        (self.inputs[input].output, self.inputs[input].channels) = (output as u16, channels);
        if channels != 0 {
            self.filed.insert(input);
            self.link(input);
        }
        self.wake(output)
    }

    #[inline]
    fn withdraw(&mut self, input: usize) {
        debug_assert!(self.asks(input), "what is taken back was asked");
        self.filed.remove(input);
        let (output, Neighbours { before, behind }) = (usize::from(self.inputs[input].output), self.neighbours[input]);
        match before {
            NONE => self.outputs[output].first = behind,
            before => self.neighbours[usize::from(before)].behind = behind,
        }
        if behind != NONE {
            self.neighbours[usize::from(behind)].before = before;
        }
        let wanted = self.askers_of(output).fold(0, |wanted, other| wanted | self.inputs[other].channels);
        self.outputs[output].wanted = wanted;
    }

    #[inline]
    fn asks(&self, input: usize) -> bool {
        self.filed.contains(input)
    }

    fn requests_are_right(&self, inputs: usize, outputs: usize, channels: u64) -> bool {
        let right = |input: usize| {
            let Input { output, channels: asked, .. } = *self.input(input);
            let there = input < inputs && usize::from(output) < outputs;
            there
                && asked != 0
                && u64::from(asked) & !channels == 0
                && self.askers_of(output.into()).any(|i| i == input)
        };
        let ready = |output: usize| self.is_idle(output) && self.usable(output) != 0;
        let turns = self.outputs.iter().all(|output| usize::from(output.turn) <= self.inputs.len());
        turns && self.filed.iter().all(right) && self.ready.iter().all(ready)
    }

    #[inline]
    fn turn(&self, output: usize) -> u16 {
        self.outputs[output].turn
    }

    #[inline]
    fn set_turn(&mut self, output: usize, turn: u16) {
        self.outputs[output].turn = turn;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::state::{Reader, State, Writer};

    fn crowd() -> Crowd {
        let (ports, channels, nodes) = (64, 8, 100);
        let network_inputs = ports * channels;
        let inputs = network_inputs + nodes;
        Crowd::new(Size { network_inputs, inputs, ports, outputs: ports + nodes, channels, buffer_flits: 16 })
    }

    fn ready(router: &mut Crowd) -> Vec<usize> {
        let mut cursor = router.ready();
        std::iter::from_fn(|| router.next_ready(&mut cursor)).collect()
    }

    #[test]
    fn requests_come_and_go() {
        let mut router = crowd();
        assert_eq!((router.file(511, 63, 0b1000_0001), router.file(3, 63, 0b10), router.file(600, 163, 1)), (1, 1, 1));
        assert!(router.asks(511) && !router.asks(510));
        let contenders = |router: &Crowd, output| router.contenders(output).members().collect::<Vec<_>>();
        assert_eq!(contenders(&router, 63), [3, 511]);
        router.remove_room_if(63, 1, 1);
        router.remove_room_if(63, 0, 0);
        assert_eq!(contenders(&router, 63), [511]);
        router.withdraw(511);
        assert_eq!((router.usable(63), router.asking(63).members().collect::<Vec<_>>()), (0, vec![3]));
        router.add_room(63, 1);
        assert_eq!((router.wake(63), router.usable(63)), (1, 0b10));
        assert_eq!((ready(&mut router), ready(&mut router)), (vec![63, 163], vec![]));
        router.hold(63);
        assert_eq!((router.wake(63), router.is_idle(63), router.is_idle(64)), (0, false, true));
    }

    #[test]
    fn what_comes_while_ready_outputs_are_visited_waits_for_the_next_visit() {
        let mut router = crowd();
        [1, 2, 130].iter().for_each(|&output| router.make_ready(output));
        let mut cursor = router.ready();
        assert_eq!(router.next_ready(&mut cursor), Some(1));
        router.make_ready(1);
        let rest: Vec<usize> = std::iter::from_fn(|| router.next_ready(&mut cursor)).collect();
        assert_eq!((rest, ready(&mut router)), (vec![2, 130], vec![1]));
    }

    #[test]
    fn a_saved_router_is_linked_again() {
        let mut router = crowd();
        for (input, output, channels) in [(511, 63, 3), (5, 63, 4), (600, 100, 1)] {
            router.file(input, output, channels);
        }
        let mut to = Writer::default();
        router.save(&mut to);
        let bytes = to.into_bytes();
        let mut again = crowd();
        again.restore(&mut Reader::new(&bytes, &[])).expect("it fits");
        assert!(again.requests_are_right(612, 164, 255) && !again.requests_are_right(612, 164, 3));
        assert_eq!((again.usable(63), again.contenders(63)), (7, router.contenders(63)));
        router.inputs[5].output = 164;
        let mut to = Writer::default();
        router.save(&mut to);
        assert!(crowd().restore(&mut Reader::new(&to.into_bytes(), &[])).is_err());
    }
}
