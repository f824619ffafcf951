//! Sources that execute a program, under every data path: each packet that they give is compared with what a naive twin works out
//! from the program and from what has happened, and the books are audited after every cycle.

pub mod checked;
pub mod listed;
mod networks;
mod own;
pub mod twin;

use checked::Checked;
use listed::{Draws, Listed, Step, random};
use networks::{Path, grid, on};
use std::sync::Arc;
use tailback_engine::outcome::{Cause, Standing, Told};
use tailback_engine::{DataPath, Delivery, Network, NoProbe, Probe};
use tailback_program::{Program, Upon, Work};
use tailback_traffic::{Cutting, Placed};
use tailback_verify::any_probe::AnyProbe;
use twin::Story;

const RING: &[u32] = &[6];
const PLANE: &[u32] = &[3, 3];

/// The ranks of a program on nodes drawn from all.
fn placed(draws: &mut Draws, program: &Listed, nodes: u32, cutting: Cutting) -> Placed {
    let mut free: Vec<u32> = (0..nodes).collect();
    let at = (0..program.ranks()).map(|_| free.remove(draws.below(free.len() as u64) as usize)).collect();
    Placed::new(Arc::new(program.clone()), at, nodes).expect("the places are right").cut(cutting).recorded()
}

/// Flits of a message on its way where packets of four are always full, or are not.
fn on_the_way(cutting: Cutting) -> fn(u32) -> u32 {
    match cutting {
        Cutting::Full(_) => |flits| flits.div_ceil(4) * 4,
        _ => |flits| flits,
    }
}

/// How a program ended: how far it came, in which cycle, and whether the twin knows of the same receives that wait.
#[derive(Debug, PartialEq)]
struct End {
    standing: Standing,
    cycle: u64,
}

/// Runs a network until its program has ended or nothing happens any more.
fn run<D: DataPath>(network: &mut D, probe: &mut (impl Probe + Send)) -> End {
    loop {
        network.step(&mut AnyProbe(probe));
        network.audit().unwrap_or_else(|error| panic!("cycle {}: {error}", network.cycle()));
        let totals = network.totals();
        assert!(totals.add_up(), "cycle {}: {totals:?}", network.cycle());
        if network.cycle() % 3 == 1 {
            network.catch_up();
            assert_eq!(network.totals(), totals, "cycle {}", network.cycle());
        }
        let standing = network.standing(100).expect("nodes execute a program");
        let dry = network.sources_are_dry();
        assert_eq!(dry, network.in_flight() == 0 && standing.completed.is_some(), "{standing:?}");
        if dry || network.in_flight() == 0 && network.sources_wait() {
            return End { standing, cycle: network.cycle() };
        }
        assert!(network.cycle() < 100_000, "{standing:?}");
    }
}

/// The end as the twin knows it.
fn compare(end: &End, sources: &Checked, program: &Listed) {
    let stories: Vec<_> = (0..program.ranks()).map(|rank| sources.twin.story(rank, end.cycle)).collect();
    let finished: usize = stories.iter().map(|story| story.finished.len()).sum();
    let all: usize = program.0.iter().map(Vec::len).sum();
    assert_eq!(end.standing.remaining, (all - finished) as u64);
    let last = |rank: usize| stories[rank].finished.values().copied().max().unwrap_or(0);
    assert_eq!(end.standing.finishes, (0..stories.len()).map(last).collect::<Vec<_>>());
    assert_eq!(end.standing.waiting, stories.iter().map(|story| story.posted.len() as u64).sum::<u64>());
    let waits: std::collections::BTreeSet<_> = end.standing.waits.iter().map(|of| (of.rank, of.number)).collect();
    let posted =
        (0u32..).zip(&stories).flat_map(|(rank, story)| story.posted.iter().map(move |&number| (rank, number)));
    assert_eq!(waits, posted.collect());
    if !end.standing.told.is_empty() {
        (0..).zip(&stories).for_each(|(rank, story)| compare_told(&end.standing.told[rank], story));
    }
}

/// What is written down of a rank, and what its twin knows.
fn compare_told(told: &[Told], story: &Story) {
    for (number, told) in (0_u32..).zip(told) {
        let happened = |cycle: u64| (cycle != u64::MAX).then_some(cycle);
        let known = |of: &std::collections::BTreeMap<u32, u64>| of.get(&number).copied();
        let found = [told.ready, told.started, told.finished].map(happened);
        assert_eq!(found, [known(&story.ready), known(&story.started), known(&story.finished)], "operation {number}");
    }
}

fn random_case(seed: u64, jokers: u64) -> bool {
    let mut draws = Draws(seed);
    let radix = if draws.below(2) == 0 { RING } else { PLANE };
    let (grid, nodes) = (grid(radix), radix.iter().product::<u32>());
    let ranks = draws.below(u64::from(nodes) - 1) as u32 + 2;
    let program = random(&mut draws, ranks.min(nodes), jokers);
    let mut completed = true;
    for path in Path::ALL {
        for &cutting in path.cuttings() {
            let placed = placed(&mut draws, &program, nodes, cutting);
            let sources = Checked::new(&placed, &program, on_the_way(cutting));
            let end = on!(path, (radix, &grid, sources), network => {
                let end = run(&mut network, &mut NoProbe);
                compare(&end, network.sources().checked(), &program);
                end
            });
            completed &= end.standing.completed.is_some();
            assert!(jokers > 0 || completed, "{path:?}, {cutting:?}, seed {seed}: {end:?}");
        }
    }
    completed
}

#[test]
fn random_programs_go_as_their_twin_says() {
    for seed in 0..60 {
        random_case(seed, 0);
    }
}

#[test]
fn random_programs_with_jokers_go_as_their_twin_says() {
    let completed = (1000..1060).filter(|&seed| random_case(seed, 3)).count();
    assert!((10..60).contains(&completed), "some come to their end and some get stuck: {completed}");
}

/// Source, number, mark, and the cycles of birth, entry and delivery of every packet.
#[derive(Default)]
struct Packets(Vec<(u32, u64, u64, u64, u64, u64)>);

impl Probe for Packets {
    fn delivered(&mut self, Delivery { cycle, packet }: Delivery<'_>) {
        self.0.push((packet.source, packet.index, packet.mark, packet.birth, packet.entered, cycle));
    }
}

#[test]
fn parts_run_a_program_as_the_whole_does() {
    for seed in 0..40 {
        let mut draws = Draws(seed);
        let grid = grid(PLANE);
        let program = random(&mut draws, 9, if seed % 2 == 0 { 0 } else { 4 });
        let placed = placed(&mut draws, &program, 9, Cutting::Packets(4));
        let fresh = || Checked::new(&placed, &program, on_the_way(Cutting::Whole));
        let mut whole = networks::cut_through(PLANE, &grid, fresh());
        let mut one = Packets::default();
        let end = run(&mut whole, &mut one);
        // A part has no twin of the sources of others.
        let plain = || tailback_engine::Supply::from(tailback_engine::Driven::new(&placed));
        for parts in [2, 3] {
            let mut network = networks::plain_parts(PLANE, &grid, plain, parts);
            let mut probes: Vec<Packets> = (0..parts).map(|_| Packets::default()).collect();
            let mut watchers: Vec<_> = probes.iter_mut().map(|probe| AnyProbe(probe)).collect();
            network.advance(&mut watchers, end.cycle);
            network.audit().unwrap();
            assert_eq!(network.standing(100), Some(end.standing.clone()));
            assert!(network.totals().add_up());
            let mut found: Vec<_> = probes.into_iter().flat_map(|probe| probe.0).collect();
            found.sort_unstable();
            let mut due = std::mem::take(&mut one.0);
            due.sort_unstable();
            assert_eq!(found, due, "seed {seed}, {parts} parts");
            one.0 = due;
        }
    }
}

fn step(work: Work, waits: &[u32]) -> Step {
    Step { work, waits: waits.iter().map(|&number| (number, Upon::Finish)).collect() }
}

fn send(to: u32, flits: u32) -> Work {
    Work::Send { to, flits, tag: 0 }
}

fn receive(from: u32) -> Work {
    Work::Receive { from: Some(from), tag: Some(0), flits: 1 }
}

/// The end of a program on a ring of cut-through routers, ranks at nodes in their order.
fn on_ring(program: &Listed, cutting: Cutting) -> End {
    let grid = grid(RING);
    let at = (0..program.ranks()).collect();
    let placed = Placed::new(Arc::new(program.clone()), at, 6).expect("the places are right").cut(cutting);
    let sources = Checked::new(&placed, program, on_the_way(cutting));
    let mut network = networks::cut_through(RING, &grid, sources);
    run(&mut network, &mut NoProbe)
}

#[test]
fn a_message_takes_its_length_and_the_way() {
    for cutting in [Cutting::Whole, Cutting::Packets(8)] {
        let program = Listed(vec![vec![step(send(1, 40), &[])], vec![step(receive(0), &[])]]);
        let End { standing, .. } = on_ring(&program, cutting);
        // H = 1: three cycles, and a flit a cycle. The sender is done when the last flit has left: a header later than it began.
        assert_eq!(standing.finishes, [41, 43], "{cutting:?}");
        assert_eq!(standing.completed, Some(43));
    }
}

#[test]
fn computations_of_a_processor_follow_each_other() {
    let compute = |cycles, on| step(Work::Compute { cycles, on }, &[]);
    let program = Listed(vec![vec![compute(10, 0), compute(5, 0), compute(12, 1)]]);
    assert_eq!(on_ring(&program, Cutting::Whole).standing.completed, Some(15));
    let program =
        Listed(vec![vec![compute(10, 0), step(Work::Compute { cycles: 0, on: 0 }, &[0]), step(send(0, 4), &[1])]]);
    assert_eq!(on_ring(&program, Cutting::Whole).standing.completed, Some(10), "a message to oneself takes no time");
}

#[test]
fn ranks_that_wait_for_each_other_are_named_in_their_circle() {
    let rank = |peer| vec![step(receive(peer), &[]), step(send(peer, 4), &[0])];
    let mut program = Listed(vec![rank(1), rank(0), vec![step(receive(0), &[])]]);
    let End { standing, .. } = on_ring(&program, Cutting::Whole);
    let found: Vec<_> = standing.waits.iter().map(|of| (of.rank, of.number, of.from, of.cause)).collect();
    let behind = Cause::Behind { send: 1, receive: 0 };
    assert_eq!(found, [(0, 0, Some(1), behind), (1, 0, Some(0), behind), (2, 0, Some(0), Cause::NeverSent)]);
    assert_eq!((standing.completed, standing.remaining, standing.waiting), (None, 5, 3));
    // Whoever sends first breaks it.
    program.0[0][0].waits = vec![(1, Upon::Start)];
    program.0[0][1].waits.clear();
    assert_eq!(on_ring(&program, Cutting::Whole).standing.remaining, 1);
}

#[test]
fn a_start_comes_a_cycle_after_the_first_flit() {
    let upon = |upon| Step { work: Work::Compute { cycles: 100, on: 0 }, waits: vec![(0, upon)] };
    let program = |what| Listed(vec![vec![step(send(1, 20), &[]), upon(what)], vec![step(receive(0), &[])]]);
    // The first flit leaves in cycle 1, the last one in cycle 20.
    assert_eq!(on_ring(&program(Upon::Start), Cutting::Packets(8)).standing.finishes[0], 102);
    assert_eq!(on_ring(&program(Upon::Finish), Cutting::Packets(8)).standing.finishes[0], 121);
}
