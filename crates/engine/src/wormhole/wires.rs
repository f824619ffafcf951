//! Everything on its way: flits on links, credits, and what routers set themselves for later.
//!
//! A channel sends at most one flit a cycle and an input returns at most one credit, so what a router sends in a cycle is a
//! few masks. They stay where they were written, a slot a cycle, and are read by the routers at the other end when they are
//! due there. A bit a block says whether there is anything.

use super::feed::{Feed, MARGIN};
use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, add};

/// Where what happens in one cycle is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The first block's place.
    block: usize,
    /// The first word of bits, one a block.
    word: usize,
}

/// Blocks of one word of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Some64 {
    word: usize,
    bits: u64,
}

/// The blocks with these numbers.
pub(super) fn blocks(numbers: impl IntoIterator<Item = usize>) -> Vec<Some64> {
    let mut all: Vec<Some64> = Vec::new();
    for number in numbers {
        let one = Some64 { word: number / 64, bits: 1 << (number % 64) };
        match all.iter_mut().find(|some| some.word == one.word) {
            Some(some) => some.bits |= one.bits,
            None => all.push(one),
        }
    }
    all
}

/// What routers have sent in a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent<N> {
    /// Channels that a flit went into.
    pub channels: Lanes<N>,
    /// Inputs that a flit left.
    pub inputs: Lanes<N>,
    /// Inputs that a tail left.
    pub tails: Lanes<N>,
}

/// What routers receive in a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due<W: Mask> {
    /// Inputs that receive a flit.
    pub flits: Lanes<W::Links>,
    /// Output channels that get a credit.
    pub credits: Lanes<W::Links>,
    /// Output channels that are free from now on: the credit is that of an owner's tail.
    pub freed: Lanes<W::Links>,
    /// Inputs without a channel: the head asks for one from now on. With one: its flits may ask for the switch.
    pub ripe: Lanes<W>,
}

/// Everything on its way.
#[derive(Clone, Debug)]
pub(crate) struct Wires<W: Mask> {
    mask: u64,
    blocks: usize,
    /// Words of bits, one a block, of a slot.
    words: usize,
    /// What was sent, by slot, then router, with margins.
    channels: Vec<W::Links>,
    inputs: Vec<W::Links>,
    tails: Vec<W::Links>,
    /// What is due, by slot, then router.
    ripe: Vec<W>,
    /// By slot, a bit a block: whether the block has something to do.
    awake: Vec<u64>,
    /// By slot, then block: whether the block has sent anything then.
    written: Vec<bool>,
}

tailback_base::state!([W: Mask] Wires<W> {
    saved: channels, inputs, tails, ripe, awake, written;
    rebuilt: mask, blocks, words;
});

impl<W: Mask> Wires<W> {
    /// Nothing on its way; nothing will be further ahead than `horizon` cycles.
    pub fn new(blocks: usize, horizon: u64) -> Self {
        let slots = slots(horizon);
        let masks = vec![W::Links::default(); slots * blocks * LANES + 2 * MARGIN];
        Wires {
            mask: slots as u64 - 1,
            blocks,
            words: blocks.div_ceil(64),
            channels: masks.clone(),
            inputs: masks.clone(),
            tails: masks,
            ripe: vec![W::default(); slots * blocks * LANES],
            awake: vec![0; slots * blocks.div_ceil(64)],
            written: vec![false; slots * blocks],
        }
    }

    /// The slot of a cycle within the horizon, before or ahead.
    #[inline(always)]
    pub fn moment(&self, cycle: u64) -> Moment {
        let slot = (cycle & self.mask) as usize;
        Moment { block: slot * self.blocks, word: slot * self.words }
    }

    /// Visits the block of `router` then.
    #[inline(always)]
    pub fn wake(&mut self, at: Moment, router: u32) {
        self.wake_block(at, router as usize / LANES);
    }

    /// Visits a block then.
    #[inline(always)]
    pub fn wake_block(&mut self, at: Moment, block: usize) {
        self.awake[at.word + block / 64] |= 1 << (block % 64);
    }

    /// Visits blocks then.
    #[inline(always)]
    pub fn wake_blocks(&mut self, at: Moment, blocks: Some64) {
        self.awake[at.word + blocks.word] |= blocks.bits;
    }

    /// The packet at the front of `input` has been through a stage of the router.
    #[inline(always)]
    pub fn ripe(&mut self, at: Moment, router: u32, input: usize) {
        add(&mut self.ripe[at.block * LANES + router as usize], 1 << input);
        self.wake(at, router);
    }

    /// Whether a block has something to do now. If not, it sends nothing.
    #[inline(always)]
    pub fn begin(&mut self, now: Moment, block: usize) -> bool {
        let (word, bit) = (&mut self.awake[now.word + block / 64], 1 << (block % 64));
        let awake = *word & bit != 0;
        *word &= !bit;
        if !awake {
            self.send_nothing(now, block);
        }
        awake
    }

    /// Forgets what a block sent when the slot was used before.
    #[inline(always)]
    pub fn send_nothing(&mut self, now: Moment, block: usize) {
        if self.written[now.block + block] {
            let none = [W::Links::default(); LANES];
            self.send(now, block, &Sent { channels: none, inputs: none, tails: none });
            self.written[now.block + block] = false;
        }
    }

    /// Forgets all that blocks sent, where all of it has arrived.
    pub fn forget(&mut self) {
        for slot in 0..=self.mask {
            let then = self.moment(slot);
            (0..self.blocks).for_each(|block| self.send_nothing(then, block));
        }
    }

    /// Keeps what a block sends now.
    #[inline(always)]
    pub fn send(&mut self, now: Moment, block: usize, sent: &Sent<W::Links>) {
        self.written[now.block + block] = true;
        let at = (now.block + block) * LANES + MARGIN;
        self.channels[at..][..LANES].copy_from_slice(&sent.channels);
        self.inputs[at..][..LANES].copy_from_slice(&sent.inputs);
        self.tails[at..][..LANES].copy_from_slice(&sent.tails);
    }

    /// Flits that were sent to a block `then`.
    #[inline(always)]
    pub fn flits(&self, then: Moment, block: usize, feed: &Feed<W::Links>, kernels: impl Kernels) -> Lanes<W::Links> {
        feed.gather(block, &self.channels[then.block * LANES..], kernels)
    }

    /// Credits that were sent to a block `then`.
    #[inline(always)]
    pub fn credits(&self, then: Moment, block: usize, feed: &Feed<W::Links>, kernels: impl Kernels) -> Lanes<W::Links> {
        feed.gather(block, &self.inputs[then.block * LANES..], kernels)
    }

    /// Channels of a block that were set free `then`.
    #[inline(always)]
    pub fn freed(&self, then: Moment, block: usize, feed: &Feed<W::Links>, kernels: impl Kernels) -> Lanes<W::Links> {
        feed.gather(block, &self.tails[then.block * LANES..], kernels)
    }

    /// What a block has set itself for now.
    #[inline(always)]
    pub fn take_ripe(&mut self, now: Moment, block: usize) -> Lanes<W> {
        let ripe = &mut self.ripe[(now.block + block) * LANES..][..LANES];
        let due = (&*ripe).try_into().expect("as many as asked for");
        ripe.fill(W::default());
        due
    }

    /// Channels that `router` sent a flit into `then`.
    pub fn channels_of(&self, then: Moment, router: u32) -> u64 {
        self.channels[then.block * LANES + MARGIN + router as usize].get()
    }

    /// Inputs that a flit left at `router` `then`.
    pub fn inputs_of(&self, then: Moment, router: u32) -> u64 {
        self.inputs[then.block * LANES + MARGIN + router as usize].get()
    }

    /// Of those, the inputs that a tail left.
    pub fn tails_of(&self, then: Moment, router: u32) -> u64 {
        self.tails[then.block * LANES + MARGIN + router as usize].get()
    }

    /// Inputs of `router` whose packet goes on in some cycle; `None` where one does twice.
    pub fn ripe_once(&self, router: u32) -> Option<u64> {
        let slots = (0..=self.mask).map(|slot| self.ripe[self.moment(slot).block * LANES + router as usize].get());
        slots.into_iter().try_fold(0, |all, ripe| (all & ripe == 0).then_some(all | ripe))
    }

    /// Whether anything is set for a block then that it is not visited for.
    pub fn sleeps_through(&self, then: Moment, block: usize) -> bool {
        let ripe = &self.ripe[(then.block + block) * LANES..][..LANES];
        ripe.iter().any(|&ripe| ripe != W::default()) && !self.is_awake(then, (block * LANES) as u32)
    }

    /// Whether a block has sent anything then, as far as it is known to it.
    pub fn has_written(&self, then: Moment, block: usize) -> bool {
        self.written[then.block + block]
    }

    /// Whether what a block has sent then can be: it is known to it, channels and inputs are those of `links`, and tails are
    /// among them.
    pub fn is_sent(&self, then: Moment, block: usize, links: u64) -> bool {
        let at = (then.block + block) * LANES + MARGIN;
        let mut all = 0;
        let lanes = at..at + LANES;
        let whole = lanes.into_iter().all(|n| {
            let (channels, inputs) = (self.channels[n].get(), self.inputs[n].get());
            // Those of injection inputs set no channel free.
            let tails = self.tails[n].get() & links;
            all |= channels | inputs | tails;
            tails & !inputs == 0
        });
        whole && all & !links == 0 && (all == 0 || self.has_written(then, block))
    }

    /// Whether the block of `router` is visited then.
    pub fn is_awake(&self, at: Moment, router: u32) -> bool {
        self.awake[at.word + router as usize / LANES / 64] >> (router as usize / LANES % 64) & 1 == 1
    }

    /// Whether blocks are visited then.
    pub fn are_awake(&self, at: Moment, blocks: Some64) -> bool {
        self.awake[at.word + blocks.word] & blocks.bits == blocks.bits
    }

    /// Whether nobody has anything to do.
    pub fn is_empty(&self) -> bool {
        self.awake.iter().all(|&word| word == 0)
    }
}

/// Cycles that are kept apart.
pub(super) fn slots(horizon: u64) -> usize {
    (horizon + 1).next_power_of_two() as usize
}
