//! How soon a program can be over: bounds that no network and no placement beats.

mod pairs;

use crate::contract::{Program, Upon, Work};
use pairs::Pairs;

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

/// Bounds of a program whose messages need `across` cycles beside their length at least.
///
/// A message to the own rank needs no time. Messages follow each other as far as it is certain which receive gets which: a receive of any
/// source or tag makes it uncertain for all receives of its rank.
pub fn bounds(program: &dyn Program, across: u64) -> Bounds {
    let (ports, most_computed) = totals(program);
    let chains = Chains::new(program, across).run();
    Bounds { ports, latency: chains.latency, compute: chains.compute.max(most_computed), chain: chains.mixed }
}

/// The most flits at a port, and the most cycles on a processor.
fn totals(program: &dyn Program) -> (u64, u64) {
    let mut received = vec![0_u64; program.ranks() as usize];
    let (mut sent_most, mut computed_most) = (0, 0);
    for rank in 0..program.ranks() {
        let mut sent = 0;
        let mut computed = [0_u64; 256];
        for number in 0..program.operations(rank) {
            match program.operation(rank, number).work {
                Work::Send { to, flits, .. } if to != rank => {
                    sent += u64::from(flits);
                    received[to as usize] += u64::from(flits);
                }
                Work::Compute { cycles, on } => computed[usize::from(on)] += cycles,
                Work::Send { .. } | Work::Receive { .. } => {}
            }
        }
        sent_most = sent_most.max(sent);
        computed_most = computed.into_iter().fold(computed_most, u64::max);
    }
    (received.into_iter().fold(sent_most, u64::max), computed_most)
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
    across: u64,
    pairs: Pairs,
    /// When an operation is ready at the soonest.
    ready: Vec<Times>,
    /// What an operation still waits for.
    missing: Vec<u32>,
    free: Vec<(u32, u32)>,
    longest: Times,
}

impl Chains<'_> {
    fn new(program: &dyn Program, across: u64) -> Chains<'_> {
        let pairs = Pairs::of(program);
        let mut chains = Chains {
            program,
            across,
            ready: vec![Times::default(); pairs.operations()],
            missing: Vec::with_capacity(pairs.operations()),
            free: Vec::new(),
            longest: Times::default(),
            pairs,
        };
        for rank in 0..program.ranks() {
            for number in 0..program.operations(rank) {
                let operation = program.operation(rank, number);
                let paired =
                    matches!(operation.work, Work::Receive { .. }) && chains.pairs.partner(rank, number).is_some();
                let missing = operation.requirements.saturating_add(u32::from(paired));
                chains.missing.push(missing);
                if missing == 0 {
                    chains.free.push((rank, number));
                }
            }
        }
        chains
    }

    fn run(mut self) -> Times {
        while let Some((rank, number)) = self.free.pop() {
            let start = self.ready[self.pairs.index(rank, number)];
            let finish = self.finish(rank, number, start);
            self.longest = self.longest.max(finish);
            let program = self.program;
            program.dependants(rank, number, &mut |after, upon| {
                self.wake(rank, after, if upon == Upon::Start { start } else { finish });
            });
        }
        self.longest
    }

    fn wake(&mut self, rank: u32, number: u32, times: Times) {
        let index = self.pairs.index(rank, number);
        self.ready[index] = self.ready[index].max(times);
        self.missing[index] -= 1;
        if self.missing[index] == 0 {
            self.free.push((rank, number));
        }
    }

    /// When an operation that starts then is over; what it sends is on its way.
    fn finish(&mut self, rank: u32, number: u32, start: Times) -> Times {
        match self.program.operation(rank, number).work {
            Work::Receive { .. } => start,
            Work::Compute { cycles, .. } => {
                Times { compute: start.compute + cycles, mixed: start.mixed + cycles, ..start }
            }
            Work::Send { to, flits, .. } => {
                let own = to == rank;
                let (way, long) = if own { (0, 0) } else { (self.across, u64::from(flits)) };
                let there = Times { latency: start.latency + way, mixed: start.mixed + way + long, ..start };
                self.longest = self.longest.max(there);
                if let Some(receive) = self.pairs.partner(rank, number) {
                    self.wake(to, receive, there);
                }
                // The last flit leaves as many cycles behind the first one as there are flits behind it.
                Times { mixed: start.mixed + long.saturating_sub(1), ..start }
            }
        }
    }
}
