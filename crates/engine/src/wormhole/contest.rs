//! The switch of one router: any arbiter, the recovery lane, speculation.

use super::arbiter;
use super::block::{Block, pointer, turn};
use super::common::Common;
use super::lanes::{Mask, add, lane};
use super::mechanisms::Mechanisms;
use super::router::{MAX_PORTS, SwitchAllocator};
use crate::contract::arbiter::{Arbiter, Contest};
use tailback_base::bits::ones;

/// The requests of the inputs for output ports.
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

/// What has been granted in this cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    /// Inputs that send.
    grants: u64,
    /// Inputs whose crossbar input is used.
    inputs: u64,
    /// Output ports that are used.
    ports: u64,
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The inputs of one router that send a flit: the lane's first, then others, then heads on speculation.
    pub(super) fn contend<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        ready: u64,
        now: u64,
    ) -> u64 {
        let l = lane(router);
        let mut used = Used::default();
        let in_lane = block.lane[l].get();
        for input in ones(ready & in_lane) {
            let port = self.port_held(block, router, input);
            if self.unused(&used, input, port) {
                self.mark(&mut used, input, port);
            }
        }
        let mut requests = Requests { inputs: 0, port: [0; NI], users: [W::default(); NI] };
        for input in ones(ready & !in_lane) {
            let port = self.port_held(block, router, input);
            if self.unused(&used, input, port) {
                requests.add(input, port);
            }
        }
        for input in ones(self.match_up(block, router, &requests, now)) {
            self.mark(&mut used, input, requests.port[input & (NI - 1)]);
        }
        if self.speculative && self.tried[l].heads != 0 {
            used.grants |= self.speculate(block, router, &used, now);
        }
        used.grants
    }

    /// Heads that asked for a channel ask for the switch at once; returns those that get it and were given their channel.
    fn speculate<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        used: &Used,
        now: u64,
    ) -> u64 {
        let l = lane(router);
        let tried = self.tried[l];
        let mut requests = Requests { inputs: 0, port: [0; NI], users: [W::default(); NI] };
        for input in ones(tried.heads) {
            let channel = usize::from(tried.channel[input & (MAX_PORTS - 1)]);
            let port = self.layout.port[channel & (MAX_PORTS - 1)];
            let open = channel >= self.layout.network || block.open[l].get() >> channel & 1 == 1;
            if open && self.unused(used, input, port) {
                requests.add(input, port);
            }
        }
        let grants = self.match_up(block, router, &requests, now) & tried.given;
        for input in ones(tried.given) {
            let gone = grants >> input & 1 == 1 && block.after(input, l) == 0;
            if !gone {
                self.wires.ripe(self.times.able, router, input);
            }
        }
        grants
    }

    fn unused(&self, used: &Used, input: usize, port: u8) -> bool {
        used.inputs >> input & 1 == 0 && used.ports >> port & 1 == 0
    }

    fn mark(&self, used: &mut Used, input: usize, port: u8) {
        used.grants |= 1 << input;
        used.inputs |= match self.layout.single {
            true => 1 << input,
            false => self.layout.members[usize::from(self.layout.crossbar[input & (MAX_PORTS - 1)])],
        };
        used.ports |= 1 << port;
    }

    fn port_held<const NN: usize, const NI: usize>(&self, block: &Block<W, NN, NI>, router: u32, input: usize) -> u8 {
        self.layout.port[block.held(input, lane(router)) & (MAX_PORTS - 1)]
    }

    /// Both stages of the allocator; returns the inputs that are granted.
    fn match_up<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        requests: &Requests<W, NI>,
        now: u64,
    ) -> u64 {
        match self.config.switch_allocator {
            SwitchAllocator::OutputFirst if !self.layout.single => self.outputs_first(block, router, requests, now),
            _ => self.inputs_first(block, router, requests, now),
        }
    }

    fn inputs_first<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        requests: &Requests<W, NI>,
        now: u64,
    ) -> u64 {
        let picked = match self.layout.single {
            true => Picked { inputs: requests.inputs, pointers: [0; NI] },
            false => self.inputs_pick(block, router, requests.inputs, now),
        };
        let (mut left, mut grants) = (picked.inputs, 0);
        while left != 0 {
            let port = usize::from(requests.port[left.trailing_zeros() as usize & (NI - 1)]) & (NI - 1);
            let inputs = left & requests.users[port].get();
            left &= !inputs;
            let (input, byte) = self.output_picks(block, router, port, inputs, now);
            self.serve_output(block, router, port, input, byte);
            if !self.layout.single {
                self.serve_input(block, router, input, &picked.pointers);
            }
            grants |= 1 << input;
        }
        grants
    }

    fn outputs_first<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
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
            let (input, byte) = self.output_picks(block, router, port, inputs, now);
            picked.inputs |= 1 << input;
            picked.pointers[input & (NI - 1)] = byte;
        }
        let winners = self.inputs_pick(block, router, picked.inputs, now);
        for input in ones(winners.inputs) {
            self.serve_input(block, router, input, &winners.pointers);
            let i = input & (NI - 1);
            self.serve_output(block, router, usize::from(requests.port[i]), input, picked.pointers[i]);
        }
        winners.inputs
    }

    /// Every crossbar input picks one of its inputs.
    #[inline(always)]
    fn inputs_pick<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
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
            let mut byte = self.input_byte(block, router, crossbar);
            let contest = Contest { cycle, output: arbiter(router, self.layout.first_of(crossbar)), inputs };
            let winner = self.parts.input_arbiter.pick(contest, &mut byte, |input| self.age(block, router, input));
            picked.pointers[crossbar & (NI - 1)] = byte;
            picked.inputs |= 1 << winner;
        }
        picked
    }

    /// Which of `inputs` an output port picks, and its arbiter's byte if that comes to something.
    #[inline(always)]
    fn output_picks<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        port: usize,
        inputs: u64,
        cycle: u64,
    ) -> (usize, u8) {
        let mut byte = self.byte(block.output_turn[port & (NI - 1)][lane(router)]);
        let contest = Contest { cycle, output: arbiter(router, port), inputs };
        let input = self.parts.output_arbiter.pick(contest, &mut byte, |input| self.age(block, router, input));
        (input as usize, byte)
    }

    fn serve_output<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        port: usize,
        input: usize,
        byte: u8,
    ) {
        block.output_turn[port & (NI - 1)][lane(router)] = self.kept(byte);
        self.parts.output_arbiter.served(arbiter(router, port), input as u32);
    }

    /// The crossbar input of `input` has served it; `pointers` are by crossbar input.
    fn serve_input<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        pointers: &[u8; NI],
    ) {
        let crossbar = usize::from(self.layout.crossbar[input & (MAX_PORTS - 1)]);
        let (byte, l) = (pointers[crossbar & (NI - 1)], lane(router));
        if self.turns {
            let members = W::of(self.layout.members[crossbar & (MAX_PORTS - 1)]);
            block.input_turns[l] = block.input_turns[l] & !members | turn::<W>(byte) & members;
        } else {
            block.input_byte[crossbar & (NI - 1)][l] = byte;
        }
        self.parts.input_arbiter.served(arbiter(router, self.layout.first_of(crossbar)), input as u32);
    }

    /// The byte of a crossbar input's arbiter.
    fn input_byte<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        crossbar: usize,
    ) -> u8 {
        let l = lane(router);
        if self.turns {
            pointer(block.input_turns[l] & W::of(self.layout.members[crossbar & (MAX_PORTS - 1)]))
        } else {
            block.input_byte[crossbar & (NI - 1)][l]
        }
    }

    /// An arbiter's byte out of the block.
    fn byte(&self, kept: W) -> u8 {
        if self.turns { pointer(kept) } else { kept.get() as u8 }
    }

    /// An arbiter's byte as the block keeps it.
    fn kept(&self, byte: u8) -> W {
        if self.turns { turn(byte) } else { W::of(u64::from(byte)) }
    }

    fn age<const NN: usize, const NI: usize>(&self, block: &Block<W, NN, NI>, router: u32, input: u32) -> (u64, u32) {
        let packet = self.packet(block, router, input as usize);
        (packet.birth, packet.source)
    }
}

impl<W: Mask, const NI: usize> Requests<W, NI> {
    fn add(&mut self, input: usize, port: u8) {
        self.inputs |= 1 << input;
        self.port[input & (NI - 1)] = port;
        add(&mut self.users[usize::from(port) & (NI - 1)], 1 << input);
    }
}
