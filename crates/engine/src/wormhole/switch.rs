//! Switch: which inputs send a flit in this cycle. Round robin is done for all routers of a block at once; where there is
//! more to it than two stages of round robin, routers go one by one (`contest.rs`).

use super::block::{Block, both, either};
use super::common::Common;
use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, lanes, occupied};
use super::links::meeting;
use super::mechanisms::Mechanisms;
use super::router::SwitchAllocator;
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The inputs that send a flit.
    #[inline(always)]
    pub(super) fn allocate_switch<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        ready: &Lanes<W>,
        number: usize,
        now: u64,
        kernels: impl Kernels,
    ) -> Lanes<W> {
        let alone = self.alone(block, ready);
        let together = if alone == 0 { *ready } else { lanes(|l| ready[l].when(alone >> l & 1 == 0)) };
        let mut grants = match self.turns {
            true => self.take_turns(block, &together, kernels),
            false => [W::default(); LANES],
        };
        for l in ones(alone) {
            grants[l] = W::of(self.contend(block, (number * LANES + l) as u32, ready[l].get(), now));
        }
        grants
    }

    /// Inputs that could send a flit.
    #[inline(always)]
    pub(super) fn ready<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        kernels: impl Kernels,
    ) -> Lanes<W> {
        let credited: Lanes<W> = meeting(&block.channel[..self.layout.inputs.min(NI)], &block.open, kernels);
        lanes(|l| block.able[l] & block.filled[l] & (credited[l] | block.ejecting[l]))
    }

    /// The lanes whose routers go one by one, as a mask.
    #[inline(always)]
    fn alone<const NN: usize, const NI: usize>(&self, block: &Block<W, NN, NI>, ready: &Lanes<W>) -> u64 {
        let mut alone = match (self.turns, self.lane) {
            (false, _) => occupied(ready),
            (true, true) => occupied(&both(ready, &block.lane)),
            (true, false) => 0,
        };
        if self.speculative {
            alone |= (0..LANES).filter(|&l| self.tried[l].heads != 0).fold(0, |m, l| m | 1 << l);
        }
        alone
    }

    /// Both stages by round robin. Mostly an ejection channel is an output port of its own, and one packet at a time holds it: there
    /// is nobody to take turns with, unless heads ask for it before it is theirs.
    #[inline(always)]
    fn take_turns<const NN: usize, const NI: usize>(
        &self,
        block: &mut Block<W, NN, NI>,
        ready: &Lanes<W>,
        kernels: impl Kernels,
    ) -> Lanes<W> {
        let Block { users, output_turn, input_turns, ejecting, .. } = block;
        let (layout, groups) = (&self.layout, &self.groups);
        let turns = self.speculative || layout.one_ejection;
        let ports = if turns { layout.output_ports } else { layout.ports }.min(NI);
        let ejecting = if layout.one_ejection { &[W::default(); LANES] } else { ejecting };
        let (users, output_turn) = (&users[..ports], &mut output_turn[..ports]);
        let (mut picked, mut grants) = ([W::default(); LANES], [W::default(); LANES]);
        match self.config.switch_allocator {
            _ if layout.single => {
                kernels.decide(users, ready, output_turn, &mut grants);
                either(&grants, &both(ready, ejecting))
            }
            SwitchAllocator::InputFirst => {
                kernels.choose_in_groups(groups, input_turns, ready, &mut picked);
                kernels.decide(users, &picked, output_turn, &mut grants);
                let grants = either(&grants, &both(&picked, ejecting));
                kernels.pass_in_groups(groups, &grants, input_turns);
                grants
            }
            SwitchAllocator::OutputFirst => {
                kernels.choose(users, output_turn, ready, &mut picked);
                let picked = either(&picked, &both(ready, ejecting));
                kernels.choose_in_groups(groups, input_turns, &picked, &mut grants);
                kernels.pass_in_groups(groups, &grants, input_turns);
                kernels.pass(users, &grants, output_turn);
                grants
            }
        }
    }
}
