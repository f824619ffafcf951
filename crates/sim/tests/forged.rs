//! Whoever goes on from a checkpoint that was tampered with, and whose sum is right, gets a refusal in a sentence or a run that
//! comes to its end: no hang, no flood of memory, and no panic, in the run or while the state is restored.
//!
//! `TAILBACK_FORGED_CASES` says how many are tried (2,000), `TAILBACK_FORGED_FROM` the first seed (0).

mod common;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tailback_results::Checkpoint;
use tailback_results::forge::forged;
use tailback_sim::{Control, Keep, Prepared, Resumed, attempt_from, go_on, run_kept};

const CASES: u64 = 2000;

/// Seconds that no case takes, on the slowest machine, unless it never ends; `TAILBACK_FORGED_SECONDS`.
const HANG: u64 = 60;

const STEADY: &str = "workload = { kind = 'steady', warmup_cycles = 400, measure_cycles = 400, drain_cycles = 300 }\n";
const TORUS: &str = "topology = { kind = 'torus', radix = [4, 4] }\n";

/// Specs without workload and probes, by data path.
const CUT_THROUGH: [&str; 10] = [
    "router = { buffer_flits = 16, source_queue_packets = 3 }\ntraffic = { load = 0.7, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { buffer_flits = 16, header_cycles = 2 }\nadmission = 'spth'\narbiter = 'matrix'\n\
     traffic = { load = 0.6, size = { kind = 'distribution', flits = [3, 7], weights = [2, 1] } }\n",
    "router = { buffer_flits = 16, credit_cycles = 3 }\nadmission = 'self_tuned'\narbiter = 'oldest_first'\n\
     traffic = { load = 0.6, size = { kind = 'fixed', flits = 5 } }\n",
    "admission = { kind = 'spth', margin_flits = 4, register_bits = 3 }\ntraffic = { load = 0.6, pattern = 'hot_region' }\n",
    "admission = { kind = 'global_threshold', threshold_buffers = 20 }\ntraffic = { load = 0.6, pattern = 'rpar' }\n",
    "admission = 'alo'\nrouting = 'o1turn'\nrouter = { virtual_channels = 4, ejection_channels = 1 }\ntraffic = { load = 0.6, pattern = 'shfl' }\n",
    "routing = { kind = 'cross_line', propagation = 'stealing' }\nrouter = { virtual_channels = 4 }\ntraffic = { load = 0.6, pattern = 'trns' }\n",
    "admission = 'u_channels'\narbiter = 'random'\ntraffic = { load = 0.6, process = { kind = 'on_off' } }\n",
    "admission = 'busy_channels'\ntraffic = { load = 0.6, process = { kind = 'periodic' } }\n",
    "routing = { tie = 'random' }\nrouter = { source_queue_packets = 1, ejection_channels = 2 }\n\
     traffic = { load = 0.6, pattern = 'rand' }\n",
];

const WORMHOLE: [&str; 7] = [
    "router = { kind = 'wormhole', buffer_flits = 6 }\ntraffic = { load = 0.7, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { kind = 'wormhole', buffer_flits = 4, speculative = true, source_queue_packets = 3 }\nadmission = 'entropy'\n\
     traffic = { load = 0.7, size = { kind = 'fixed', flits = 8 } }\n",
    "router = { kind = 'wormhole', virtual_channels = 3, crossbar_inputs = 'channel' }\nadmission = 'inc'\nrouting = 'adaptive'\n\
     traffic = { load = 0.7, size = { kind = 'distribution', flits = [3, 7], weights = [2, 1] } }\n",
    "router = { kind = 'wormhole', sharing = 'owned', injection_channels = 2 }\nadmission = 'self_tuned'\nrun = { allow_deadlock = true }\n\
     recovery = { kind = 'disha', lane_flits = 2 }\nrouting = { kind = 'adaptive', escape = 'none' }\ntraffic = { load = 0.9 }\n",
    "router = { kind = 'wormhole', sharing = 'shared_whole', ejection_channels = 1 }\nadmission = 'alo'\nrun = { allow_deadlock = true }\n\
     routing = { kind = 'adaptive', escape = 'none' }\ntraffic = { load = 0.9 }\n",
    "router = { kind = 'wormhole', credit_cycles = 3, vc_allocator = 'input_first' }\nadmission = { kind = 'global_threshold', threshold_buffers = 20 }\n\
     arbiter = 'oldest_first'\ntraffic = { load = 0.6, pattern = 'rpar' }\n",
    "router = { kind = 'wormhole', routing_cycles = 2, crossbar_cycles = 2, vc_allocator = 'output_first' }\nadmission = 'busy_channels'\narbiter = 'random'\n\
     routing = 'valiant'\ntraffic = { load = 0.5 }\n",
];

const ADAPTIVE: [&str; 6] = [
    "router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 16 }\nflow_control = 'bubble'\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 2, buffer_flits = 8, requests = 'random', source_queue_packets = 3 }\n\
     interface = { kind = 'round_robin', queues = 4 }\nadmission = 'self_tuned'\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'distribution', flits = [4, 16], weights = [2, 1] } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 2, buffer_flits = 8, requests = 'in_turn', header_cycles = 2 }\n\
     interface = { kind = 'dor', queues = 4, channels = 'virtual' }\narbiter = 'matrix'\nadmission = 'alo'\nflow_control = { kind = 'bubble', scope = 'ring' }\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 4, buffer_flits = 4, crossbar_outputs = 'channel', requests = 'smart' }\n\
     interface = { kind = 'shp', queues = 4 }\nselection = 'most_credits'\nadmission = 'u_channels'\nrun = { allow_deadlock = true }\n\
     traffic = { load = 0.9, packet_flits = 2, size = { kind = 'fixed', flits = 6 } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 8, requests = 'shortest', ejection_channels = 1 }\n\
     interface = { kind = 'lpath', queues = 4 }\nselection = 'random'\nadmission = 'busy_channels'\narbiter = 'random'\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 8, turn_cycles = 1, consumption_cycles = 2 }\n\
     interface = { kind = 'random', queues = 3 }\nadmission = { kind = 'global_threshold', threshold_buffers = 20 }\narbiter = 'oldest_first'\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'fixed', flits = 4 } }\n",
];

const INPUT_QUEUED: [&str; 8] = [
    "router = { kind = 'input_queued', virtual_channels = 4, planes = 2, type_planes = [0, 0, 1, 1], type_channels = [0, 1, 0, 1, 2, 3, 2, 3], \
     vc_allocator = 'separable_input_first', vc_allocator_groups = 2 }\ntraffic = { load = 0.5, size = { kind = 'read_write', read_reply_flits = 5 } }\n",
    "router = { kind = 'input_queued', virtual_channels = 4, planes = 2, buffer_flits = 6 }\ntraffic = { load = 0.7, classes = [{ size = { kind = 'fixed', flits = 4 } }, \
     { share = 0.5, size = { kind = 'fixed', flits = 1 }, process = 'periodic' }, { share = 0.2 }] }\n",
    "router = { kind = 'input_queued', buffer_flits = 6 }\ntraffic = { load = 0.7, size = { kind = 'fixed', flits = 4 } }\n",
    "router = { kind = 'input_queued', virtual_channels = 4, planes = 2, type_planes = [0, 1, 1, 0] }\n\
     traffic = { load = 0.4, classes = [{}, { size = { kind = 'read_write', read_reply_flits = 5 } }, { size = 'read_write' }] }\n",
    "router = { kind = 'input_queued', buffer_flits = 4, sharing = 'owned', routing_cycles = 2, crossbar_cycles = 2, source_queue_packets = 3 }\n\
     traffic = { load = 0.7, size = { kind = 'distribution', flits = [3, 7], weights = [2, 1] } }\n",
    "router = { kind = 'input_queued', virtual_channels = 4, input_speedup = 2, output_speedup = 2, internal_speedup = 1.5, output_queue_flits = 1, vc_allocator = 'wavefront', \
     switch_allocator = 'separable_input_first', switch_allocator_arbiter = 'matrix', speculation = 'shared', speculation_needs = 'nothing' }\nrouting = 'valiant'\ntraffic = { load = 0.5 }\n",
    "router = { kind = 'input_queued', hold_switch = true, routing_cycles = 0, vc_allocator = 'max_size', switch_allocator = 'pim' }\n\
     traffic = { load = 0.7, packet_flits = 4, size = { kind = 'fixed', flits = 12 } }\n",
    "router = { kind = 'input_queued', channel_needs_credit = true, credit_cycles = 3, vc_allocator = 'loa', switch_allocator = 'select', \
     speculation = 'separate', speculation_allocator = 'separable_output_first', speculation_allocator_arbiter = 'matrix' }\n\
     traffic = { load = 0.6, pattern = 'rpar' }\n",
];

const QUEUED: [&str; 7] = [
    "queueing = { kind = 'recn', detection_bytes = 64, notification_bytes = 64, xoff_bytes = 96, xon_bytes = 32 }\n",
    "queueing = { kind = 'recn', detection_bytes = 16, notification_bytes = 16, xoff_bytes = 24, xon_bytes = 8 }\nadmission = 'self_tuned'\n",
    "queueing = 'single'\nadmission = 'spth'\n",
    "queueing = 'voq_sw'\nadmission = 'alo'\narbiter = 'matrix'\n",
    "queueing = 'voq_net'\nadmission = 'busy_channels'\n",
    "queueing = { kind = 'dbbm', queues = 2 }\narbiter = 'random'\n",
    "queueing = 'damq'\nadmission = { kind = 'global_threshold', threshold_buffers = 20 }\narbiter = 'oldest_first'\n",
];

const WORKLOADS: [&str; 4] = [
    STEADY,
    "workload = { kind = 'collective', packets_per_node = 90, limit_cycles = 1500 }\n",
    "workload = { kind = 'ramp', end_load_flits_per_node_cycle = 0.9, cycles = 1000, window_cycles = 50 }\n",
    "workload = { kind = 'phases', cycles = 1000, warmup_cycles = 100, phases = [{ cycles = 300, load = 0.9, pattern = 'uniform' }, { cycles = 200, load = 0.1, pattern = 'trns' }] }\n",
];

/// Programs that are under way for long, by data path.
const PROGRAMS: [&str; 6] = [
    "router = { virtual_channels = 4, message_classes = 2, buffer_flits = 9, ejection_packets = 2 }\ntraffic.packet_flits = 3\n\
     workload = { kind = 'program', generate = { kind = 'request_reply', ranks = 16, servers = 5, window = 4, count = 60, request_flits = 2, reply_flits = 7, think_cycles = 3 } }\n",
    "router = { virtual_channels = 2, buffer_flits = 8, ejection_packets = 1 }\ntraffic.packet_flits = 4\nrun.allow_deadlock = true\n\
     workload = { kind = 'program', generate = { kind = 'request_reply', ranks = 16, servers = 5, window = 2, count = 60, request_flits = 2, reply_flits = 7, think_cycles = 30 } }\n",
    "router = { kind = 'wormhole', virtual_channels = 4, message_classes = 2, buffer_flits = 4 }\ntraffic.packet_flits = 6\n\
     workload = { kind = 'program', generate = { kind = 'request_reply', ranks = 16, servers = 5, window = 4, count = 60, request_flits = 2, reply_flits = 7 } }\n",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 4, message_classes = 2, buffer_flits = 8 }\ntraffic.packet_flits = 4\n\
     workload = { kind = 'program', placement = 'random', generate = { kind = 'request_reply', ranks = 16, servers = 5, window = 4, count = 60, request_flits = 2, reply_flits = 7 } }\n",
    "router = { kind = 'input_queued', virtual_channels = 4, message_classes = 2, buffer_flits = 4 }\ntraffic.packet_flits = 6\n\
     workload = { kind = 'program', generate = { kind = 'all_reduce', algorithm = 'double_binary_tree', ranks = 16, flits = 2000 } }\n",
    "router = { kind = 'input_output_queued' }\nqueueing = 'voq_net'\n\
     workload = { kind = 'program', generate = { kind = 'all_to_all', algorithm = 'spread', ranks = 16, flits = 3000, window = 3 } }\n",
];

/// Programs whose packets wait in ejection buffers for receives.
const UNMATCHED: [&str; 2] = [
    "router = { virtual_channels = 2, buffer_flits = 8, ejection_packets = 3 }\ntraffic.packet_flits = 4\n\
     workload = { kind = 'program', limit_cycles = 20_000, generate = { kind = 'halo', dimensions = [4, 4], flits = 8, iterations = 40, compute_cycles = 30 } }\n",
    "router = { virtual_channels = 4, message_classes = 2, buffer_flits = 9, ejection_packets = 40 }\ntraffic.packet_flits = 3\n\
     workload = { kind = 'program', limit_cycles = 20_000, class_tags = [3], generate = { kind = 'all_reduce', algorithm = 'halving_doubling', ranks = 16, flits = 900 } }\n",
];

fn queued(queueing: &str, n: usize) -> String {
    let messages = if n.is_multiple_of(2) { 4 } else { 8 };
    format!(
        "router = {{ kind = 'input_output_queued', packet_bytes = 32, ingress_memory_bytes = 512, egress_memory_bytes = 512, \
         credit_batch_packets = {} }}\n{queueing}\
         traffic = {{ load = 0.8, pattern = '{}', size = {{ kind = 'fixed', flits = {messages} }} }}\n",
        1 + n % 3,
        if n < 3 { "torn" } else { "uniform" }
    )
}

/// A network, and a checkpoint of it under load.
struct Subject {
    spec: String,
    prepared: Prepared,
    good: Checkpoint,
}

fn subject(spec: String) -> Subject {
    let prepared = common::prepared(&spec).unwrap_or_else(|errors| panic!("{}\n{spec}", errors.render()));
    let found = Mutex::new(None);
    let keeper = |checkpoint: Checkpoint| _ = found.lock().unwrap().get_or_insert(checkpoint);
    controlled(|control| run_kept(&prepared, control, Some(Keep { every: 512, keeper: &keeper })).unwrap());
    let good = found.into_inner().unwrap().unwrap_or_else(|| panic!("no checkpoint of\n{spec}"));
    let resumed = Resumed::new(good.clone(), &[], "spec", &mut |_| {}).unwrap_or_else(|why| panic!("{why}\n{spec}"));
    let gone_on = controlled(|control| go_on(&prepared, control, &resumed, None));
    assert!(gone_on.is_ok(), "what nobody has forged goes on: {:?}\n{spec}", gone_on.err());
    Subject { spec, prepared, good }
}

fn controlled<T>(work: impl FnOnce(&Control) -> T) -> T {
    work(&Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
}

/// Every spec of a data path with the workloads and probes in turn.
fn subjects(specs: &[String]) -> Vec<Subject> {
    let watched = format!("probes = {{ {} }}\n", common::random::probes::all().replace("= 1000", "= 500"));
    let of = |(n, spec): (usize, &String)| {
        let mesh = spec.contains("output_queued")
            || spec.contains("o1turn")
            || spec.contains("cross_line")
            || spec.contains("valiant");
        let topology = if mesh { TORUS.replace("torus", "mesh") } else { TORUS.to_owned() };
        let watch = if n % 2 == 0 { "" } else { &watched };
        let workload = if spec.contains("'program'") { "" } else { WORKLOADS[n * 3 / 2 % 4] };
        subject(format!("{topology}{spec}{workload}{watch}"))
    };
    specs.iter().enumerate().map(of).collect()
}

thread_local! {
    /// Where the last panic of this thread was.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Notes panics instead of printing them.
fn watch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line())).unwrap_or_default();
        let words = info.payload().downcast_ref::<String>().cloned();
        let words = words.or_else(|| info.payload().downcast_ref::<&str>().map(|&words| words.to_owned()));
        if std::thread::current().name().is_some_and(|name| name == "forged") {
            PANIC.set(Some(format!("{place}: {}", words.unwrap_or_default())));
        } else {
            eprintln!("{info}");
        }
    }));
}

#[derive(Default, Debug)]
struct Tally {
    refused: u64,
    ran: u64,
    panicked: Vec<String>,
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// A panic fails the test. Whoever goes on as the command does must have been told in a sentence even so.
fn is_told_in_a_sentence(bad: Checkpoint) {
    let resumed = Resumed::new(bad, &[], "spec", &mut |_| {}).map_err(|why| why.to_string());
    let told =
        controlled(|control| attempt_from(&resumed.unwrap(), control, None).map(drop)).map_err(|why| why.to_string());
    let why = told.expect_err("it has contradicted itself before");
    assert!(why.contains("the checkpoint does not fit") && !why.contains('\n'), "{why}");
    // It has panicked as before.
    PANIC.take();
}

/// A forged checkpoint of `subject`: refused in one sentence, or run to the end. `case` says which.
fn case(subject: &Subject, (case, bad): (&str, Checkpoint), tally: &mut Tally) {
    let told = catch_unwind(AssertUnwindSafe(|| {
        let resumed = Resumed::new(bad.clone(), &[], "spec", &mut |_| {}).map_err(|refused| refused.to_string())?;
        controlled(|control| go_on(&subject.prepared, control, &resumed, None))
    }));
    let panic = PANIC.take();
    match (told, panic) {
        (_, Some(panic)) => {
            let panic = format!("{panic} ({case} of\n{})", subject.spec);
            eprintln!("{panic}");
            is_told_in_a_sentence(bad);
            tally.panicked.push(panic);
        }
        (Ok(Ok(_)), None) => tally.ran += 1,
        (Ok(Err(why)), None) => {
            assert!(why.contains("the checkpoint does not fit") && !why.contains('\n'), "{why}");
            tally.refused += 1;
        }
        (Err(_), None) => unreachable!("the hook notes every panic"),
    }
}

/// Ends the process where a case of `began` takes too long: nothing else would.
fn watch_time(began: &Mutex<Option<(Instant, String)>>, done: &AtomicBool) {
    let hang = Duration::from_secs(number("TAILBACK_FORGED_SECONDS", HANG));
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
        if let Some((_, case)) = began.lock().unwrap().as_ref().filter(|(began, _)| began.elapsed() > hang) {
            eprintln!("it hangs: {case}");
            std::process::abort();
        }
    }
}

/// Says that all is done, however it ends.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The most memory that this process has had \[KiB\], where the system tells.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Tries every case of an iterator: a subject, what the case is called, and the forged checkpoint.
fn tried<'a>(cases: impl Iterator<Item = (&'a Subject, String, Checkpoint)> + Send) -> Tally {
    watch_panics();
    let (began, done, tally) = (Mutex::new(None), AtomicBool::new(false), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        scope.spawn(|| watch_time(&began, &done));
        let work = || {
            let _done = Done(&done);
            for (subject, name, bad) in cases {
                *began.lock().unwrap() = Some((Instant::now(), format!("{name} of\n{}", subject.spec)));
                case(subject, (&name, bad), &mut tally.lock().unwrap());
            }
        };
        std::thread::Builder::new().name("forged".to_owned()).spawn_scoped(scope, work).unwrap();
    });
    let tally = tally.into_inner().unwrap();
    println!("forged: {} refused, {} ran, {} panicked", tally.refused, tally.ran, tally.panicked.len());
    assert!(tally.panicked.is_empty(), "{}", tally.panicked.join("\n"));
    assert!(most_memory() < 2 << 20, "{} KiB", most_memory());
    tally
}

fn none_is_believed(subjects: &[Subject], share: u64) {
    let (cases, from) = (number("TAILBACK_FORGED_CASES", CASES) / share, number("TAILBACK_FORGED_FROM", 0));
    let of = |seed: u64| {
        let subject = &subjects[(seed % subjects.len() as u64) as usize];
        (subject, format!("seed {seed}"), forged(&subject.good, seed))
    };
    let tally = tried((from..from + cases).map(of));
    assert!(
        tally.refused > cases / 4 && tally.ran > cases / 20,
        "a forger who is always or never found out shows nothing"
    );
}

/// These specs, and one for each mechanism of the catalogue that no spec here has, where it goes with the router.
fn owned(specs: &[&str], router: &str) -> Vec<String> {
    let here = [&CUT_THROUGH[..], &WORMHOLE, &ADAPTIVE, &INPUT_QUEUED, &QUEUED].concat().concat();
    let sections =
        ["routing", "selection", "arbiter", "recovery", "interface", "flow_control", "admission", "queueing"];
    let of = |section: &'static str| common::kinds(section).into_iter().map(move |kind| (section, kind));
    let missing = sections.into_iter().flat_map(of).filter(|(_, kind)| !here.contains(&format!("'{kind}'")));
    let spec = |(section, kind)| {
        format!("router.kind = '{router}'\n{section} = '{kind}'\ntraffic = {{ load = 0.6, packet_flits = 4 }}\n")
    };
    let goes = |spec: &String| common::prepared(&format!("{TORUS}{spec}{STEADY}")).is_ok();
    specs.iter().map(|&spec| spec.to_owned()).chain(missing.map(spec).filter(goes)).collect()
}

#[test]
fn forged_cut_through_networks() {
    none_is_believed(&subjects(&owned(&CUT_THROUGH, "cut_through")), 5);
}

#[test]
fn forged_wormhole_networks() {
    none_is_believed(&subjects(&owned(&WORMHOLE, "wormhole")), 5);
}

#[test]
fn forged_adaptive_cut_through_networks() {
    none_is_believed(&subjects(&owned(&ADAPTIVE, "adaptive_cut_through")), 5);
}

#[test]
fn forged_networks_of_input_queued_routers() {
    none_is_believed(&subjects(&owned(&INPUT_QUEUED, "input_queued")), 5);
}

#[test]
fn forged_programs() {
    none_is_believed(&subjects(&PROGRAMS.map(str::to_owned)), 5);
}

#[test]
fn forged_programs_whose_packets_wait_for_receives() {
    none_is_believed(&subjects(&UNMATCHED.map(str::to_owned)), 5);
}

#[test]
fn forged_networks_of_input_output_queued_switches() {
    let specs: Vec<String> = QUEUED.iter().enumerate().map(|(n, queueing)| queued(queueing, n)).collect();
    none_is_believed(&subjects(&specs), 5);
}

/// Each number of the state of a small network is one too large once. Most of them are of what was seen, and change no packet.
#[test]
fn no_number_of_a_cut_through_network_is_one_too_large() {
    let subject = subject(
        "topology = { kind = 'mesh', radix = [2, 2] }\nrouter.buffer_flits = 6\n\
         traffic = { pattern = 'uniform', size = { kind = 'distribution', flits = [1, 3], weights = [2, 1] } }\n\
         workload = { kind = 'collective', packets_per_node = 300, limit_cycles = 1500 }\n"
            .to_owned(),
    );
    let grows = |at: &usize| subject.good.state[*at] & 127 != 127;
    let grown = |at: usize| {
        let mut bad = subject.good.clone();
        bad.state[at] += 1;
        (&subject, format!("byte {at}"), bad)
    };
    let tally = tried((0..subject.good.state.len()).filter(grows).map(grown));
    assert!(tally.refused > 500 && tally.ran > 500, "{tally:?}");
}
