//! Whoever goes on from a checkpoint comes to the same bits; what is none is refused.

use crate::common;
use crate::common::random::{
    adaptive, adaptive_mechanisms, divisible, input_queued, mechanisms, queued, router, topology, traffic, wormhole,
    wormhole_mechanisms,
};
use crate::common::same::controlled;
use crate::common::timeless::timeless;
use proptest::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tailback_results::{Checkpoint, Record, Status};
use tailback_sim::{Control, Keep, Outcome, Prepared, Resumed, go_on, run, run_kept, run_parts_kept};

/// Runs with a checkpoint every so many cycles, and gives them as they come out of their files.
fn kept(prepared: &Prepared, every: u64, parts: usize) -> (Outcome, Vec<Checkpoint>) {
    let found = Mutex::new(Vec::new());
    let keeper =
        |checkpoint: Checkpoint| found.lock().unwrap().push(Checkpoint::parse(&checkpoint.to_bytes()).unwrap());
    let outcome = controlled(|control| match parts {
        1 => run_kept(prepared, control, Some(Keep { every, keeper: &keeper })).unwrap(),
        _ => run_parts_kept(prepared, control, Keep { every, keeper: &keeper }, parts),
    });
    (outcome, found.into_inner().unwrap())
}

fn resumed(checkpoint: Checkpoint, set: &[&str]) -> Result<Resumed, String> {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    Resumed::new(checkpoint, &set, "the checkpoint's spec", &mut |_| {}).map_err(|refused| refused.to_string())
}

/// Goes on in a network that has just been built.
fn gone_on(resumed: &Resumed) -> Result<Outcome, String> {
    let prepared = resumed.prepare().map_err(|errors| errors.render())?;
    controlled(|control| go_on(&prepared, control, resumed, None))
}

fn same(one: &Outcome, other: &Outcome, what: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(timeless(&one.record), timeless(&other.record), "{}", what);
    let tables = |outcome: &Outcome| -> Vec<String> {
        outcome.series.iter().map(|table| table.to_csv().expect("columns fit")).collect()
    };
    prop_assert_eq!(tables(one), tables(other), "{}", what);
    prop_assert_eq!(&one.diagnosis, &other.diagnosis, "{}", what);
    let panels = |outcome: &Outcome| outcome.space_time.as_ref().map(|chart| chart.panels.clone());
    prop_assert_eq!(panels(one), panels(other), "{}", what);
    prop_assert_eq!(&one.link_map, &other.link_map, "{}", what);
    prop_assert_eq!(&one.findings, &other.findings, "{}", what);
    prop_assert_eq!(&one.explanation, &other.explanation, "{}", what);
    Ok(())
}

/// As it was drawn, but as long as some looks at the outside world, and watched by these probes.
fn longer(spec: &str, probes: &str) -> String {
    let spec = spec
        .replace(
            "warmup_cycles = 100, measure_cycles = 400, drain_cycles = 500",
            "warmup_cycles = 700, measure_cycles = 1500, drain_cycles = 1000",
        )
        .replace("packets_per_node = 3,", "packets_per_node = 40,")
        .replace("cycles = 800, window_cycles = 50", "cycles = 3000, window_cycles = 50");
    let lines = spec.lines().filter(|line| !line.starts_with("probes"));
    lines.map(|line| format!("{line}\n")).collect::<String>() + &format!("probes = {{ {probes} }}\n")
}

/// An unbroken run, one that is interrupted everywhere, and one that goes on from each of the checkpoints are the same.
fn goes_on(spec: &str, every: u64, parts: usize) -> Result<(), TestCaseError> {
    let Ok(prepared) = common::prepared(spec) else { return Err(TestCaseError::reject("no such network")) };
    let whole = controlled(|control| run(&prepared, control));
    let (watched, checkpoints) = kept(&prepared, every, parts);
    prop_assert!(common::adds_up(&whole.record), "{:?}\n{}", whole.record, spec);
    same(&whole, &watched, &format!("checkpoints every {every} cycles of\n{spec}"))?;
    for checkpoint in checkpoints {
        let cycle = checkpoint.head.cycle;
        let other = resumed(checkpoint, &[]).and_then(|resumed| gone_on(&resumed));
        let other = other.map_err(|why| TestCaseError::fail(format!("{why} in cycle {cycle} of\n{spec}")))?;
        same(&whole, &other, &format!("from cycle {cycle} of\n{spec}"))?;
    }
    Ok(())
}

const FEW: &str = "node_load = true";

prop_compose! {
    fn probes()(all in any::<bool>()) -> String {
        if all { common::random::probes::all() } else { FEW.to_owned() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn a_cut_through_network_goes_on(parts in (topology(), router(), mechanisms(), traffic(), probes()), every in 1u64..2000) {
        goes_on(&longer(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), &parts.4), every, 1)?;
    }

    #[test]
    fn so_does_a_wormhole_network(
        parts in (topology(), wormhole(), wormhole_mechanisms(), traffic(), probes()),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), &parts.4), every, 1)?;
    }

    #[test]
    fn and_an_adaptive_cut_through_network(
        parts in (topology(), adaptive(), adaptive_mechanisms(), probes()),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}{}", parts.0, parts.1, parts.2), &parts.3), every, 1)?;
    }

    #[test]
    fn and_a_network_of_input_output_queued_switches(
        parts in (topology(), queued(), probes()),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}", parts.0, parts.1), &parts.2), every, 1)?;
    }

    #[test]
    fn and_a_network_of_input_queued_routers(parts in (topology(), input_queued(), traffic(), probes()), every in 1u64..2000) {
        goes_on(&longer(&format!("{}{}{}", parts.0, parts.1, parts.2), &parts.3), every, 1)?;
    }

    #[test]
    fn a_network_in_parts_goes_on_in_one_piece(spec in divisible(common::local_throttles()), every in 1u64..2000, parts in 2usize..5) {
        goes_on(&longer(&spec, &common::random::probes::of_parts()), every, parts)?;
    }
}

#[test]
fn nodes_that_answer_go_on_from_a_checkpoint() {
    let spec = "topology = { kind = 'mesh', radix = [3, 3] }\n\
        router = { kind = 'input_queued', virtual_channels = 4, planes = 2, type_planes = [0, 1, 1, 0], type_channels = [0, 1, 1, 2, 2, 3, 0, 1], \
         vc_allocator = 'separable_input_first', vc_allocator_arbiter = 'matrix', vc_allocator_groups = 2 }\n\
        traffic = { load = 0.4, size = { kind = 'read_write', read_reply_flits = 4 } }\n\
        workload = { warmup_cycles = 100, measure_cycles = 900, drain_cycles = 200 }\n";
    for every in [137, 400] {
        goes_on(spec, every, 1).expect("it goes on alike");
    }
}

#[test]
fn classes_that_answer_each_other_go_on_from_a_checkpoint() {
    let spec = "topology = { kind = 'mesh', radix = [3, 3] }\n\
        router = { kind = 'input_queued', virtual_channels = 4, planes = 2, type_planes = [0, 1, 1, 0], type_channels = [0, 1, 1, 2, 2, 3, 0, 1] }\n\
        traffic = { load = 0.3, classes = [{ size = { kind = 'fixed', flits = 3 } }, { size = { kind = 'read_write', write_fraction = 0 } }, \
        { size = { kind = 'read_write', read_reply_flits = 4 } }] }\n\
        workload = { warmup_cycles = 100, measure_cycles = 900, drain_cycles = 200 }\n";
    for every in [137, 400] {
        goes_on(spec, every, 1).expect("it goes on alike");
    }
}

#[test]
fn wide_adaptive_routers_go_on_from_a_checkpoint() {
    let spec = "topology = { kind = 'dragonfly', routers_per_group = 18, global_links = 1, groups = 3, nodes_per_router = 2 }\n\
        router = { kind = 'adaptive_cut_through', virtual_channels = 4, buffer_flits = 16, ejection_channels = 3 }\n\
        interface = { queues = 2 }\n\
        traffic = { load = 0.8, size = { kind = 'fixed', flits = 8 } }\n\
        workload = { warmup_cycles = 100, measure_cycles = 300, drain_cycles = 100 }\n";
    goes_on(spec, 137, 1).expect("it goes on alike");
}

/// A small network of each data path, under load.
const ROUTERS: [&str; 4] = [
    "router = { buffer_flits = 16, source_queue_packets = 3 }\n",
    "router = { kind = 'wormhole', buffer_flits = 6 }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 16 }\nflow_control = 'bubble'\n",
    "router = { kind = 'input_output_queued', packet_bytes = 32, ingress_memory_bytes = 512, egress_memory_bytes = 512 }\n\
     queueing = { kind = 'recn', detection_bytes = 64, notification_bytes = 64, xoff_bytes = 96, xon_bytes = 32 }\n",
];

fn small(router: &str, more: &str) -> String {
    let kind = if router.contains("queued") { "mesh" } else { "torus" };
    let packets = if router.contains("adaptive") { "packet_flits = 4, " } else { "" };
    format!(
        "topology = {{ kind = '{kind}', radix = [4, 4] }}\n{router}{more}\
         traffic = {{ load = 0.7, {packets}size = {{ kind = 'fixed', flits = 4 }} }}\n\
         workload = {{ kind = 'steady', warmup_cycles = 1024, measure_cycles = 1024, drain_cycles = 512 }}\n"
    )
}

/// The checkpoint of cycle 1024.
fn loaded(spec: &str) -> (Outcome, Checkpoint) {
    let prepared = common::prepared(spec).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let (whole, checkpoints) = kept(&prepared, 1024, 1);
    let checkpoint = checkpoints.into_iter().find(|checkpoint| checkpoint.head.cycle == 1024);
    (whole, checkpoint.expect("the first one is of this cycle"))
}

#[test]
fn every_throttle_can_be_tried_from_one_state() {
    for router in &ROUTERS {
        let (whole, checkpoint) = loaded(&small(router, ""));
        let fits = |throttle: &&str| common::prepared(&small(router, &format!("admission = '{throttle}'\n"))).is_ok();
        let throttles: Vec<_> = common::kinds("admission").into_iter().filter(fits).collect();
        assert!(throttles.len() > 5, "{router}: {throttles:?}");
        for throttle in throttles.into_iter().filter(|throttle| *throttle != "off") {
            let resumed = resumed(checkpoint.clone(), &[&format!("admission={throttle}")]).unwrap();
            let fork = gone_on(&resumed).unwrap();
            assert_eq!(timeless(&fork.record), timeless(&gone_on(&resumed).unwrap().record), "always the same");
            assert_ne!(fork.record.point_id, whole.record.point_id);
            let column =
                |name: &str| fork.record.parameters.iter().find(|(path, _)| path == name).unwrap().1.to_string();
            assert_eq!((column("fork.cycle"), column("fork.checkpoint")), ("1024".to_owned(), checkpoint.digest()));
            assert_eq!(column("admission"), throttle);
        }
    }
}

/// A throttle that never says no makes the same run, whether it comes or goes in the middle.
#[test]
fn a_fork_changes_nothing_but_what_it_says() {
    for router in &ROUTERS {
        let never = match router.contains("queued") {
            true => "{ kind = 'busy_channels', max_busy_channels = 4 }",
            false => "{ kind = 'u_channels', min_free_share = 0.0 }",
        };
        let with = format!("admission = {never}\n");
        for (spec, set) in
            [(small(router, ""), format!("admission={never}")), (small(router, &with), "admission=off".to_owned())]
        {
            let (whole, checkpoint) = loaded(&spec);
            let fork = gone_on(&resumed(checkpoint, &[&set]).unwrap()).unwrap();
            let Record { point_id, parameters, .. } = whole.record.clone();
            assert_ne!(point_id, fork.record.point_id);
            let same = Record { point_id, parameters, ..timeless(&fork.record) };
            assert_eq!(same, timeless(&whole.record), "{spec}");
        }
    }
}

/// From the end of one run another one begins: what was measured before does not count.
#[test]
fn a_fork_may_measure_anew() {
    let probes = format!("{}, window_cycles = 64", common::random::probes::all());
    for router in &ROUTERS {
        let spec = small(router, &format!("probes = {{ {probes} }}\n"));
        let prepared = common::prepared(&spec).unwrap();
        let last = kept(&prepared, 512, 1).1.pop().unwrap();
        let cycle = last.head.cycle;
        assert!(cycle >= 2048, "all is measured");
        let over = resumed(last.clone(), &["traffic.load=0.1"]).err().expect("refused");
        assert!(over.contains("when all was measured"), "{over}");
        let later = format!("workload.warmup_cycles={cycle}");
        let fork = gone_on(&resumed(last, &[&later]).unwrap()).unwrap();
        // The same, measured at the same time by a run that was never broken, whose packets are the same.
        let unbroken = common::outcome(&spec.replace("warmup_cycles = 1024", &format!("warmup_cycles = {cycle}")));
        let [one, other] = [&fork, &unbroken].map(|outcome| Record {
            point_id: String::new(),
            parameters: Vec::new(),
            ..timeless(&outcome.record)
        });
        assert_eq!(one, other, "{router}");
        assert!(common::adds_up(&one) && one.total_packets_delivered > 2 * one.packets_delivered, "{router}");
        for name in ["links", "nodes", "latency_split", "anatomy", "latency_histogram", "windows"] {
            let [one, other] = [&fork, &unbroken].map(|outcome| tailback_results::Series::named(&outcome.series, name));
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{name}, {router}");
        }
    }
}

#[test]
fn a_fork_of_a_fork_and_what_goes_on_from_it_have_their_own_names() {
    let (_, checkpoint) = loaded(&small(ROUTERS[0], ""));
    let fork = resumed(checkpoint.clone(), &["admission=alo"]).unwrap();
    let found = Mutex::new(Vec::new());
    let keeper = |checkpoint: Checkpoint| found.lock().unwrap().push(checkpoint);
    let prepared = fork.prepare().unwrap();
    let whole = controlled(|c| go_on(&prepared, c, &fork, Some(Keep { every: 512, keeper: &keeper }))).unwrap();
    let later = found.into_inner().unwrap().swap_remove(0);
    assert_eq!(later.head.forks, [(checkpoint.digest(), 1024)]);
    let same = gone_on(&resumed(later.clone(), &[]).unwrap()).unwrap();
    assert_eq!(timeless(&same.record), timeless(&whole.record));
    let third = resumed(later.clone(), &["admission=off"]).unwrap();
    assert_eq!(third.point.swept.len(), 3, "{:?}", third.point.swept);
    let ids = [&fork.point.id, &third.point.id, &checkpoint.head.point_id];
    assert!(ids.iter().all(|id| id.len() == 16) && ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
}

#[test]
fn a_fork_that_cannot_be_is_refused() {
    let (_, checkpoint) = loaded(&small(ROUTERS[0], ""));
    let said = |set: &[&str]| resumed(checkpoint.clone(), set).err().expect("refused");
    for (set, words) in [
        (&["router.buffer_flits=32"][..], "router.buffer_flits cannot change in a fork"),
        (&["topology.radix=[8, 8]"], "topology.radix cannot change"),
        (&["run.seed=9"], "run.seed cannot change"),
        (&["probes.link_load=true"], "probes.link_load cannot change"),
        (&["traffic.pattern=torn"], "traffic.pattern.kind cannot change"),
        (&["workload={kind=\"collective\", packets_per_node=1}"], "workload"),
        (&["admission=off"], "a fork changes something"),
        (&["traffic.load=nonsense"], "expected a number"),
        (&["admission=nonsense"], "nonsense"),
        (&["workload.warmup_cycles=512"], "the measured window would begin in cycle 512"),
        (&["workload.measure_cycles=4096"], "set probes.window_cycles to 10"),
    ] {
        assert!(said(set).contains(words), "{set:?}: {}", said(set));
    }
    let longer = ["workload.measure_cycles=2048", "workload.warmup_cycles=1536", "probes.window_cycles=10"];
    let longer = gone_on(&resumed(checkpoint.clone(), &longer).unwrap()).unwrap();
    assert_eq!(longer.record.measured_cycles, 2048);
    let lower = resumed(checkpoint, &["traffic.load=0.1"]).unwrap();
    assert!(gone_on(&lower).unwrap().record.accepted_load < Some(0.5));
}

/// A node that has sent its last packet is done, in the fork too.
#[test]
fn a_fork_of_a_collective_has_the_same_packets() {
    let spec = small(ROUTERS[0], "").replace(
        "kind = 'steady', warmup_cycles = 1024, measure_cycles = 1024, drain_cycles = 512",
        "kind = 'collective', packets_per_node = 400",
    );
    let (_, checkpoint) = loaded(&spec);
    let more = resumed(checkpoint.clone(), &["workload.packets_per_node=500"]).err().expect("refused");
    assert!(more.contains("workload.packets_per_node cannot change in a fork"), "{more}");
    let fork = gone_on(&resumed(checkpoint, &["admission=alo"]).unwrap()).unwrap().record;
    assert_eq!((fork.status, fork.total_packets_delivered), (Status::Completed, 16 * 400));
    assert!(common::adds_up(&fork));
}

/// A run that is cancelled between two of its looks at the outside world goes on from there to the bits of one that was not, and looks
/// in the same cycles.
#[test]
fn who_is_interrupted_at_any_time_goes_on_to_the_same_bits() {
    let steady = "workload = { warmup_cycles = 700, measure_cycles = 20_000, drain_cycles = 5_000 }\n";
    let collective = "workload = { kind = 'collective', packets_per_node = 900, limit_cycles = 1_000_000 }\n";
    let admission = "workload = { warmup_cycles = 700, measure_cycles = 20_000, drain_cycles = 300, changes = [{ cycle = 900, \
                     set = { admission = 'alo' } }, { cycle = 9_333, set = { 'traffic.load' = 0.1 } }] }\n";
    let routers =
        ["kind = 'cut_through'", "kind = 'wormhole'", "kind = 'adaptive_cut_through'", "kind = 'input_queued'"];
    for (router, workload) in
        routers.into_iter().flat_map(|router| [steady, collective, admission].map(|workload| (router, workload)))
    {
        // Samples cut a run into pieces that begin and end anywhere.
        let spec = format!(
            "topology = {{ kind = 'torus', radix = [4, 4] }}\nrouter = {{ {router} }}\nprobes = {{ anatomy_every_cycles = 97 }}\n\
             traffic = {{ load = 0.3, size = {{ kind = 'fixed', flits = 4 }} }}\n{workload}"
        );
        let Ok(prepared) = common::prepared(&spec) else { continue };
        let whole = controlled(|control| run(&prepared, control));
        let (cancel, cycles) = (AtomicBool::new(false), AtomicU64::new(0));
        let kept = Mutex::new(None);
        let keeper = |checkpoint: Checkpoint| *kept.lock().unwrap() = Some(checkpoint);
        let control = Control { cancel: &cancel, cycles_done: &cycles, threads: 1 };
        let broken = std::thread::scope(|scope| {
            scope.spawn(|| {
                while cycles.load(Ordering::Relaxed) < 1500 {
                    std::thread::yield_now();
                }
                cancel.store(true, Ordering::Relaxed);
            });
            run_kept(&prepared, &control, Some(Keep { every: u64::MAX, keeper: &keeper })).unwrap()
        });
        assert_eq!(broken.record.status, Status::Interrupted, "{spec}");
        let checkpoint = kept.into_inner().unwrap().expect("the last one comes when the run is cancelled");
        let what = format!("from cycle {}: {spec}", checkpoint.head.cycle);
        let end = resumed(checkpoint, &[]).and_then(|resumed| gone_on(&resumed)).unwrap();
        same(&whole, &end, &what).unwrap();
    }
}
