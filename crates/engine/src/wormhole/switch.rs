//! Switch: which inputs send a flit in this cycle.

use super::fabric::Common;
use super::send::Burst;
use super::state::{Mask, RouterState, add};
use super::{MAX_PORTS, Mechanisms, SwitchAllocator, arbiter};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::Probe;
use tailback_base::bits::ones;

/// Who asks for which output port.
struct Requests<W, const NI: usize> {
    /// The inputs that ask.
    inputs: u64,
    /// Per input, its output port.
    port: [u8; NI],
    /// Per output port, the inputs that ask for it, and perhaps others.
    users: [W; NI],
}

/// The outcome of a stage, not yet final.
struct Picked<const NI: usize> {
    /// The inputs picked.
    inputs: u64,
    /// Per crossbar input (first stage at the inputs) or per input picked (at the outputs), the arbiter's byte if the pick
    /// comes to something.
    pointers: [u8; NI],
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Sends what the switch lets through: the lane first, then all others, then heads on speculation.
    #[inline(always)]
    pub(super) fn allocate_switch<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) {
        let mut burst = Burst::default();
        let mut ready = state.ready();
        if self.lane && ready & state.lane.get() != 0 {
            ready = self.send_lane(state, router, ready, &mut burst, now, probe);
        }
        if self.config.switch_allocator == SwitchAllocator::OutputFirst && !self.layout.single {
            let requests = Requests { inputs: ready, port: state.port, users: state.users };
            for input in ones(self.outputs_first(state, router, &requests, now)) {
                self.send(state, router, input, &mut burst, now, probe);
            }
        } else {
            self.send_inputs_first(state, router, ready, &mut burst, now, probe);
        }
        if self.tried.heads != 0 {
            self.speculate(state, router, &mut burst, now, probe);
        }
        self.settle(state, router, burst, now, probe);
    }

    /// Input-first allocation: crossbar inputs pick, then output ports, and that is final.
    #[inline(always)]
    fn send_inputs_first<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        ready: u64,
        burst: &mut Burst,
        now: u64,
        probe: &mut P,
    ) {
        let single = self.layout.single;
        let picked = match single {
            true => Picked { inputs: ready, pointers: [0; NI] },
            false => self.inputs_pick(state, router, ready, now),
        };
        let mut left = picked.inputs;
        while left != 0 {
            let port = usize::from(state.port[left.trailing_zeros() as usize & (NI - 1)]) & (NI - 1);
            let inputs = left & state.users[port].get();
            left &= !inputs;
            let (input, pointer) = self.output_picks(state, router, port, inputs, now);
            self.serve_output(state, router, port, input, pointer);
            if !single {
                self.serve_input(state, router, input, &picked.pointers);
            }
            self.send(state, router, input, burst, now, probe);
        }
    }

    /// Inputs of the lane go first, in ascending order. Returns the inputs that can still send.
    fn send_lane<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        ready: u64,
        burst: &mut Burst,
        now: u64,
        probe: &mut P,
    ) -> u64 {
        let lane = state.lane.get();
        for input in ones(ready & lane) {
            if self.unused(state, burst, input, state.port[input & (NI - 1)]) {
                self.send(state, router, input, burst, now, probe);
            }
        }
        let free = |&input: &usize| self.unused(state, burst, input, state.port[input & (NI - 1)]);
        ones(ready & !lane).filter(free).fold(0, |m, input| m | 1 << input)
    }

    /// Heads that asked for a channel ask for the switch at once; those that were given none send nothing.
    fn speculate<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        burst: &mut Burst,
        now: u64,
        probe: &mut P,
    ) {
        let mut requests = Requests { inputs: 0, port: [0; NI], users: [W::default(); NI] };
        for input in ones(self.tried.heads) {
            let channel = usize::from(self.tried.channel[input & (MAX_PORTS - 1)]);
            let port = self.layout.port[channel & (MAX_PORTS - 1)];
            if state.open.get() >> channel & 1 == 1 && self.unused(state, burst, input, port) {
                requests.inputs |= 1 << input;
                requests.port[input & (NI - 1)] = port;
                add(&mut requests.users[usize::from(port) & (NI - 1)], 1 << input);
            }
        }
        let grants = match self.config.switch_allocator {
            SwitchAllocator::OutputFirst if !self.layout.single => self.outputs_first(state, router, &requests, now),
            _ => self.inputs_first(state, router, &requests, now),
        };
        for input in ones(grants & self.tried.given) {
            self.send(state, router, input, burst, now, probe);
        }
        let gone = burst.tails;
        for input in ones(self.tried.given & !gone) {
            self.wires.ripe(self.times.able, router, input);
        }
    }

    /// Whether neither `port` nor the crossbar input of `input` is used in this cycle.
    fn unused<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        burst: &Burst,
        input: usize,
        port: u8,
    ) -> bool {
        let crossbar = usize::from(self.layout.crossbar[input & (MAX_PORTS - 1)]);
        let members = self.layout.members[crossbar & (MAX_PORTS - 1)];
        let users = state.users[usize::from(port) & (NI - 1)].get();
        burst.left & (members | users) == 0
    }

    /// Both stages of input-first allocation; returns the inputs that are granted.
    fn inputs_first<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        requests: &Requests<W, NI>,
        now: u64,
    ) -> u64 {
        let picked = match self.layout.single {
            true => Picked { inputs: requests.inputs, pointers: [0; NI] },
            false => self.inputs_pick(state, router, requests.inputs, now),
        };
        let (mut left, mut grants) = (picked.inputs, 0);
        while left != 0 {
            let port = usize::from(requests.port[left.trailing_zeros() as usize & (NI - 1)]) & (NI - 1);
            let inputs = left & requests.users[port].get();
            left &= !inputs;
            let (input, pointer) = self.output_picks(state, router, port, inputs, now);
            self.serve_output(state, router, port, input, pointer);
            if !self.layout.single {
                self.serve_input(state, router, input, &picked.pointers);
            }
            grants |= 1 << input;
        }
        grants
    }

    /// Output ports pick among all inputs, then crossbar inputs among those picked; returns the inputs that are granted.
    fn outputs_first<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        requests: &Requests<W, NI>,
        now: u64,
    ) -> u64 {
        let mut picked = Picked { inputs: 0, pointers: [0; NI] };
        let mut left = requests.inputs;
        while left != 0 {
            let port = usize::from(requests.port[left.trailing_zeros() as usize & (NI - 1)]) & (NI - 1);
            let inputs = left & requests.users[port].get();
            left &= !inputs;
            let (input, pointer) = self.output_picks(state, router, port, inputs, now);
            picked.inputs |= 1 << input;
            picked.pointers[input & (NI - 1)] = pointer;
        }
        let winners = self.inputs_pick(state, router, picked.inputs, now);
        for input in ones(winners.inputs) {
            self.serve_input(state, router, input, &winners.pointers);
            let i = input & (NI - 1);
            self.serve_output(state, router, usize::from(requests.port[i]), input, picked.pointers[i]);
        }
        winners.inputs
    }

    /// Every crossbar input picks one of its inputs.
    #[inline(always)]
    fn inputs_pick<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        requests: u64,
        cycle: u64,
    ) -> Picked<NI> {
        let mut picked = Picked { inputs: 0, pointers: [0; NI] };
        let mut left = requests;
        while left != 0 {
            let crossbar = usize::from(self.layout.crossbar[left.trailing_zeros() as usize & (MAX_PORTS - 1)]);
            let inputs = left & self.layout.members[crossbar & (MAX_PORTS - 1)];
            left &= !inputs;
            let mut pointer = state.input_pointer[crossbar & (NI - 1)];
            let contest = Contest { cycle, output: arbiter(router, crossbar), inputs };
            let winner = self.parts.input_arbiter.pick(contest, &mut pointer, |input| self.age(state, router, input));
            picked.pointers[crossbar & (NI - 1)] = pointer;
            picked.inputs |= 1 << winner;
        }
        picked
    }

    /// Which of `inputs` an output port picks, and its arbiter's byte if that comes to something.
    #[inline(always)]
    fn output_picks<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        port: usize,
        inputs: u64,
        cycle: u64,
    ) -> (usize, u8) {
        let mut pointer = state.output_pointer[port & (NI - 1)];
        let contest = Contest { cycle, output: arbiter(router, port), inputs };
        let input = self.parts.output_arbiter.pick(contest, &mut pointer, |input| self.age(state, router, input));
        (input as usize, pointer)
    }

    #[inline(always)]
    fn serve_output<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        port: usize,
        input: usize,
        pointer: u8,
    ) {
        state.output_pointer[port & (NI - 1)] = pointer;
        self.parts.output_arbiter.served(arbiter(router, port), input as u32);
    }

    /// The crossbar input of `input` has served it; `pointers` are by crossbar input.
    #[inline(always)]
    fn serve_input<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        pointers: &[u8; NI],
    ) {
        let crossbar = usize::from(self.layout.crossbar[input & (MAX_PORTS - 1)]);
        state.input_pointer[crossbar & (NI - 1)] = pointers[crossbar & (NI - 1)];
        self.parts.input_arbiter.served(arbiter(router, crossbar), input as u32);
    }

    #[inline(always)]
    fn age<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        input: u32,
    ) -> (u64, u32) {
        let packet = self.packet(state, router, input as usize);
        (packet.birth, packet.source)
    }
}
