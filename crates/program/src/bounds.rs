//! How soon a program can be over: bounds that no network and no placement beats.

mod pairs;

use crate::contract::{Operation, Program, Upon, Work};
use pairs::Pairs;
use std::collections::VecDeque;
use tailback_base::hash::Map;

/// Lower bounds of the completion of a program \[cycles\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The most flits that a rank sends, or that one receives: a port carries one flit a cycle.
    pub ports: u64,
    /// The most messages that follow each other, each with the time of its way.
    pub latency: u64,
    /// The most that a processor computes, or that follows each other.
    pub compute: u64,
    /// The longest chain of messages with their ways and lengths, and of computations.
    pub chain: u64,
}

impl Bounds {
    /// Every bound with its name.
    pub fn named(&self) -> [(&'static str, u64); 4] {
        [("ports", self.ports), ("latency", self.latency), ("compute", self.compute), ("chain", self.chain)]
    }

    /// The largest bound with its name: that which binds. Of equal ones the first of [`Bounds::named`].
    pub fn binding(&self) -> (&'static str, u64) {
        let first = self.named()[0];
        self.named().into_iter().fold(first, |most, next| if next.1 > most.1 { next } else { most })
    }
}

/// What a network does with messages at best.
#[derive(Clone, Copy)]
pub struct Carrier<'c> {
    /// The cycles that a message from one rank to another takes beside its length, at least.
    pub across: &'c dyn Fn(u32, u32) -> u64,
    /// The flits that a rank sends in a cycle at most, at least 1.
    pub sends: u64,
    /// The flits that a rank receives in a cycle at most, at least 1.
    pub receives: u64,
    /// The flits that a message of so many becomes on its way.
    pub padded: &'c dyn Fn(u32) -> u32,
}

/// Bounds of a program whose messages need `across` cycles beside their length at least.
///
/// A message to the own rank needs no time. Messages follow each other as far as it is certain which receive gets which: a receive of any
/// source or tag makes it uncertain for all receives of its rank.
pub fn bounds(program: &dyn Program, across: u64) -> Bounds {
    bounds_on(program, Carrier { across: &|_, _| across, sends: 1, receives: 1, padded: &|flits| flits })
}

/// Bounds of a program on a network of which so much is known.
///
/// It takes about 60 bytes for each operation. Beyond [`MOST_OPERATIONS`] nobody follows chains: the bounds of `latency` and `chain` are 0,
/// and that of `compute` is of processors alone.
pub fn bounds_on(program: &dyn Program, carrier: Carrier<'_>) -> Bounds {
    let (ports, most_computed) = totals(program, carrier);
    let operations = (0..program.ranks()).map(|rank| u64::from(program.operations(rank))).sum::<u64>();
    if operations > MOST_OPERATIONS {
        return Bounds { ports, compute: most_computed, ..Bounds::default() };
    }
    let chains = Chains::new(program, carrier).run();
    Bounds { ports, latency: chains.latency, compute: chains.compute.max(most_computed), chain: chains.mixed }
}

/// The most operations whose chains are followed.
pub const MOST_OPERATIONS: u64 = 1 << 23;

/// The most cycles that a port needs, and the most cycles on a processor.
fn totals(program: &dyn Program, carrier: Carrier<'_>) -> (u64, u64) {
    let mut received = vec![0_u64; program.ranks() as usize];
    let (mut sent_most, mut computed_most) = (0, 0);
    for rank in 0..program.ranks() {
        let mut sent = 0;
        let mut computed = [0_u64; 256];
        for number in 0..program.operations(rank) {
            match program.work(rank, number) {
                Work::Send { to, flits, .. } if to != rank => {
                    let flits = u64::from((carrier.padded)(flits));
                    sent += flits;
                    received[to as usize] += flits;
                }
                Work::Compute { cycles, on } => computed[usize::from(on)] += cycles,
                Work::Send { .. } | Work::Receive { .. } => {}
            }
        }
        sent_most = sent_most.max(sent.div_ceil(carrier.sends));
        computed_most = computed.into_iter().fold(computed_most, u64::max);
    }
    let received = received.into_iter().map(|flits| flits.div_ceil(carrier.receives));
    (received.fold(sent_most, u64::max), computed_most)
}

/// Times of three kinds at once.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// Ways of messages alone.
    latency: u64,
    /// Computations alone.
    compute: u64,
    /// All.
    mixed: u64,
}

impl Times {
    fn max(self, other: Times) -> Times {
        Times {
            latency: self.latency.max(other.latency),
            compute: self.compute.max(other.compute),
            mixed: self.mixed.max(other.mixed),
        }
    }
}

/// The longest chains, operation by operation.
struct Chains<'p> {
    program: &'p dyn Program,
    carrier: Carrier<'p>,
    pairs: Pairs,
    /// Whether some operation waits for the start of another one.
    has_starts: bool,
    /// When an operation is ready at the soonest.
    ready: Vec<Times>,
    /// What an operation still waits for, the message of a receive included where nobody waits for starts; [`WAITS`] for a receive that has
    /// started and waits for its message.
    missing: Vec<u32>,
    /// Where somebody waits for starts: messages that came before their receives were ready, by the place of these.
    early: Map<usize, Times>,
    /// PERF: those of all ranks take turns, so what they touch stays in the caches.
    free: VecDeque<(u32, u32)>,
    longest: Times,
}

/// A receive waits for nothing but its message.
const WAITS: u32 = u32::MAX;

impl<'p> Chains<'p> {
    fn new(program: &'p dyn Program, carrier: Carrier<'p>) -> Chains<'p> {
        let pairs = Pairs::of(program);
        let mut chains = Chains {
            program,
            carrier,
            has_starts: program.has_starts(),
            ready: vec![Times::default(); pairs.operations()],
            missing: Vec::with_capacity(pairs.operations()),
            early: Map::default(),
            free: VecDeque::new(),
            longest: Times::default(),
            pairs,
        };
        for rank in 0..program.ranks() {
            for number in 0..program.operations(rank) {
                let missing = chains.missing_at_first(rank, number);
                chains.missing.push(missing);
                if missing == 0 {
                    chains.free.push_back((rank, number));
                }
            }
        }
        chains
    }

    fn missing_at_first(&self, rank: u32, number: u32) -> u32 {
        let Operation { work, requirements } = self.program.operation(rank, number);
        let waits = !self.has_starts && self.waits_for_message(rank, number, work);
        requirements + u32::from(waits)
    }

    /// Whether an operation is a receive of which it is certain which message it gets.
    fn waits_for_message(&self, rank: u32, number: u32, work: Work) -> bool {
        matches!(work, Work::Receive { .. }) && self.pairs.partner(rank, number).is_some()
    }

    fn run(mut self) -> Times {
        while let Some((rank, number)) = self.free.pop_front() {
            self.begin(rank, number);
        }
        self.longest
    }

    /// An operation is ready, and starts at the soonest. Where somebody waits for starts, a receive does so before its message is there.
    fn begin(&mut self, rank: u32, number: u32) {
        let index = self.pairs.index(rank, number);
        let start = self.ready[index];
        let work = self.program.work(rank, number);
        if self.has_starts {
            self.tell(rank, number, (Upon::Start, start));
            if self.waits_for_message(rank, number, work) {
                return match self.early.remove(&index) {
                    Some(there) => self.end(rank, number, start.max(there)),
                    None => self.missing[index] = WAITS,
                };
            }
        }
        let finish = self.finish((rank, number), work, start);
        self.end(rank, number, finish);
    }

    /// The message of a receive is there.
    fn arrives(&mut self, rank: u32, number: u32, there: Times) {
        if !self.has_starts {
            return self.wake(rank, number, there);
        }
        let index = self.pairs.index(rank, number);
        if self.missing[index] != WAITS {
            self.early.insert(index, there);
            return;
        }
        self.missing[index] = 0;
        self.end(rank, number, self.ready[index].max(there));
    }

    fn end(&mut self, rank: u32, number: u32, finish: Times) {
        self.longest = self.longest.max(finish);
        self.tell(rank, number, (Upon::Finish, finish));
    }

    /// What others wait for has happened.
    fn tell(&mut self, rank: u32, number: u32, (what, times): (Upon, Times)) {
        let program = self.program;
        program.dependants(rank, number, &mut |after, upon| {
            if upon == what {
                self.wake(rank, after, times);
            }
        });
    }

    fn wake(&mut self, rank: u32, number: u32, times: Times) {
        let index = self.pairs.index(rank, number);
        self.ready[index] = self.ready[index].max(times);
        self.missing[index] -= 1;
        if self.missing[index] == 0 {
            self.free.push_back((rank, number));
        }
    }

    /// When an operation that starts then is over; what it sends is on its way.
    fn finish(&mut self, (rank, number): (u32, u32), work: Work, start: Times) -> Times {
        match work {
            Work::Receive { .. } => start,
            Work::Compute { cycles, .. } => {
                Times { compute: start.compute + cycles, mixed: start.mixed + cycles, ..start }
            }
            Work::Send { to, flits, .. } => {
                let own = to == rank;
                let Carrier { across, sends, receives, padded } = self.carrier;
                let flits = u64::from(padded(flits));
                let (way, long) = if own { (0, 0) } else { (across(rank, to), flits.div_ceil(sends.min(receives))) };
                let there = Times { latency: start.latency + way, mixed: start.mixed + way + long, ..start };
                self.longest = self.longest.max(there);
                if let Some(receive) = self.pairs.partner(rank, number) {
                    self.arrives(to, receive, there);
                }
                // The last flit leaves as many cycles behind the first one as there are flits behind it.
                let leaves = if own { 0 } else { flits.div_ceil(sends).saturating_sub(1) };
                Times { mixed: start.mixed + leaves, ..start }
            }
        }
    }
}
