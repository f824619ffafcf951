//! What all comparisons of an engine with its reference model have in common.

use proptest::strategy::Strategy;
use proptest::test_runner::{self, FileFailurePersistence, TestCaseError, TestRunner};
use std::fmt::Debug;
use tailback_engine::outcome::Deadlock;
use tailback_engine::{Amount, Totals};
use tailback_traffic::Traffic;
use tailback_verify::reference::{Config, Delivered};

/// Random cases.
pub struct Trial {
    /// The environment variable that says how many are tried in all.
    pub variable: &'static str,
    /// As many where it does not say so.
    pub usual: u32,
    /// The part of them that these are \[percent\].
    pub share: u32,
    /// Where those that once failed are kept; they are tried first.
    pub regressions: &'static str,
}

impl Trial {
    /// Runs `test` on cases with their traffic, which is refused where it is impossible on the network.
    pub fn run<C: Debug>(
        &self,
        strategy: impl Strategy<Value = C>,
        traffic: impl Fn(&C) -> Result<Traffic, String>,
        test: impl Fn(&C, &Traffic) -> Result<(), String>,
    ) {
        let all: u32 = std::env::var(self.variable).ok().and_then(|text| text.parse().ok()).unwrap_or(self.usual);
        let cases = (all * self.share).div_ceil(100);
        let persistence = FileFailurePersistence::Direct(self.regressions);
        let config = test_runner::Config {
            cases,
            max_global_rejects: cases * 10,
            failure_persistence: Some(Box::new(persistence)),
            source_file: Some(file!()),
            ..test_runner::Config::default()
        };
        let result = TestRunner::new(config).run(&strategy, |case| {
            let traffic = traffic(&case).map_err(TestCaseError::reject)?;
            test(&case, &traffic).map_err(TestCaseError::fail)
        });
        if let Err(error) = result {
            panic!("{error}");
        }
    }
}

/// An error unless engine and reference agree.
pub fn same<T: PartialEq + Debug>(what: &str, engine: T, reference: T) -> Result<(), String> {
    if engine == reference {
        return Ok(());
    }
    Err(format!("{what}: engine {engine:?}, reference {reference:?}"))
}

/// An error unless what became of all packets is the same in both, and adds up.
pub fn same_totals(cycle: u64, engine: Totals, reference: Totals) -> Result<(), String> {
    same(&format!("cycle {cycle}: what became of all packets"), engine, reference)?;
    if engine.add_up() { Ok(()) } else { Err(format!("cycle {cycle}: packets are nowhere: {engine:?}")) }
}

/// An error unless all packets that `traffic` has, which ends, were delivered: messages cut into packets of `cut` flits. Whoever makes
/// packets in this network has no part in the count, but where full queues hold up what has its time, of which some is never made.
pub fn all_delivered(traffic: &Traffic, base: &Config, cut: Option<u32>, totals: Totals) -> Result<(), String> {
    if !traffic.ends() && base.source_queue_packets.is_some() {
        return same("all that was made and what was delivered", totals.generated, totals.delivered);
    }
    let (mut packets, mut flits) = (0, 0);
    for node in 0..base.nodes() as u32 {
        let mut source = traffic.source(node);
        while let Some(message) = traffic.next(node, &mut source) {
            packets += u64::from(message.flits / cut.unwrap_or(message.flits));
            flits += u64::from(message.flits);
        }
    }
    same("all that was due and what was delivered", totals.delivered, Amount { packets, flits })
}

/// All buffers of a network of so many routers, ports and virtual channels.
pub fn buffers((routers, ports, channels): (usize, usize, usize)) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..routers).flat_map(move |r| (0..ports).flat_map(move |p| (0..channels).map(move |c| (r, p, c))))
}

/// An error if a packet that the engine said waits for ever is among those `delivered` later.
pub fn never_delivered(deadlock: &Deadlock, delivered: &[Delivered]) -> Result<(), String> {
    let is_delivered = |source, index| delivered.iter().any(|d| (d.source, d.index) == (source, index));
    let moved = deadlock.cycle.iter().find(|blocked| is_delivered(blocked.source, blocked.index));
    moved.map_or(Ok(()), |blocked| Err(format!("{blocked:?} was said to wait for ever")))
}
