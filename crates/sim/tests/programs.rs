//! Programs as a spec names them: completion times to the cycle, every data path, parts, checkpoints, and programs that never end.

use crate::common;
use crate::common::same::controlled;
use crate::common::{adds_up, outcome, prepared, refusal};
use std::sync::Mutex;
use tailback_results::{Checkpoint, Status};
use tailback_sim::{Diagnosis, Keep, Resumed, go_on, run_in_parts, run_kept};

/// How messages travel in the tests of formulas: cut, and whole in buffers that hold them.
fn ways(longest: u32) -> [(String, String); 2] {
    let cut_through =
        |buffer: u32| format!("router = {{ kind = \"cut_through\", buffer_flits = {buffer}, header_cycles = 1 }}\n");
    [
        (cut_through(32), "traffic = { packet_flits = 8 }\n".to_owned()),
        (cut_through(longest.max(16)), "traffic = { packet_flits = 0 }\n".to_owned()),
    ]
}

fn generated(program: &str) -> String {
    format!("workload = {{ kind = \"program\", generate = {{ {program} }} }}\n")
}

/// The completion time of a program on a network, both ways.
fn takes(topology: &str, program: &str, longest: u32, cycles: u64) {
    for (router, traffic) in ways(longest) {
        let spec = format!("topology = {{ {topology} }}\n{router}{traffic}{}", generated(program));
        let record = outcome(&spec).record;
        assert_eq!((record.status, record.duration), (Status::Completed, Some(cycles as f64)), "{spec}");
        assert_eq!(record.cycles, cycles);
        assert!(adds_up(&record) && record.packets_in_flight_end == 0, "{spec}");
    }
}

const RING_8: &str = "kind = \"torus\", radix = [8], link_cycles = 1";
const RING_16: &str = "kind = \"torus\", radix = [16], link_cycles = 1";
const ALL_8: &str = "kind = \"hyperx\", sides = [8], nodes_per_router = 1, link_cycles = 1";
const ALL_16: &str = "kind = \"hyperx\", sides = [16], nodes_per_router = 1, link_cycles = 1";
const CROSSBAR: &str = "kind = \"crossbar\", nodes_per_router = 8";

#[test]
fn a_ring_all_reduce_on_a_ring_takes_what_the_formula_says() {
    // 2 (P - 1) (N / P + a), with a = 3 for a link and two headers.
    takes(RING_8, "kind = \"all_reduce\", algorithm = \"ring\", ranks = 8, flits = 1024", 128, 1834);
    takes(RING_16, "kind = \"all_reduce\", algorithm = \"ring\", ranks = 16, flits = 4096", 256, 7770);
}

#[test]
fn collectives_without_contention_take_what_their_formulas_say() {
    for (kind, algorithm, of_8, of_16) in [
        ("all_reduce", "ring", 1834, 7770),
        ("all_reduce", "halving_doubling", 1810, 7704),
        ("all_reduce", "recursive_doubling", 3081, 16_396),
        ("reduce_scatter", "ring", 917, 3885),
        ("all_gather", "ring", 917, 3885),
        ("all_to_all", "pairwise", 917, 3885),
        ("broadcast", "binomial", 3081, 16_396),
    ] {
        let program = |ranks: u32, flits: u32| {
            format!("kind = \"{kind}\", algorithm = \"{algorithm}\", ranks = {ranks}, flits = {flits}")
        };
        takes(ALL_8, &program(8, 1024), 1024, of_8);
        takes(ALL_16, &program(16, 4096), 4096, of_16);
    }
    takes(ALL_8, "kind = \"barrier\", ranks = 8", 1, 12);
    takes(ALL_16, "kind = \"barrier\", ranks = 16", 1, 16);
}

#[test]
fn within_one_router_there_is_one_header_and_no_link() {
    for (program, cycles) in [
        ("kind = \"all_reduce\", algorithm = \"ring\", ranks = 8, flits = 1024", 1806),
        ("kind = \"all_reduce\", algorithm = \"halving_doubling\", ranks = 8, flits = 1024", 1798),
        ("kind = \"all_reduce\", algorithm = \"recursive_doubling\", ranks = 8, flits = 1024", 3075),
        ("kind = \"barrier\", ranks = 8", 6),
    ] {
        takes(CROSSBAR, program, 1024, cycles);
    }
}

#[test]
fn the_faces_of_a_halo_leave_one_after_another() {
    // K (c + the sum of the faces + a).
    let program = "kind = \"halo\", dimensions = [4, 4], flits = 16, iterations = 3, compute_cycles = 50";
    takes("kind = \"torus\", radix = [4, 4], link_cycles = 1", program, 16, 3 * (50 + 4 * 16 + 3));
}

/// Every kind, small.
const PROGRAMS: &[&str] = &[
    "kind = \"all_reduce\", algorithm = \"ring\", ranks = 9, flits = 100",
    "kind = \"all_reduce\", algorithm = \"halving_doubling\", ranks = 9, flits = 100",
    "kind = \"all_reduce\", algorithm = \"recursive_doubling\", ranks = 9, flits = 50",
    "kind = \"all_reduce\", algorithm = \"double_binary_tree\", ranks = 9, flits = 100",
    "kind = \"all_reduce\", algorithm = \"hierarchical\", ranks = 9, flits = 100, groups = 3",
    "kind = \"reduce_scatter\", algorithm = \"halving_doubling\", ranks = 8, flits = 100",
    "kind = \"all_gather\", ranks = 9, flits = 100",
    "kind = \"broadcast\", ranks = 9, flits = 30",
    "kind = \"reduce\", ranks = 9, flits = 30, root = 2",
    "kind = \"all_to_all\", algorithm = \"pairwise\", ranks = 9, flits = 90",
    "kind = \"all_to_all\", algorithm = \"spread\", ranks = 9, flits = 90, window = 3",
    "kind = \"barrier\", ranks = 9",
    "kind = \"halo\", dimensions = [3, 3], flits = 10, iterations = 2, compute_cycles = 20",
    "kind = \"request_reply\", ranks = 9, window = 2, request_flits = 2, reply_flits = 20, servers = 2, think_cycles = 5, count = 4",
    "kind = \"incast\", ranks = 9, flits = 20",
    "kind = \"pipeline\", ranks = 4, flits = 20, microbatches = 3, compute_cycles = 10",
];

const PATHS: &[&str] = &[
    "router = { kind = \"cut_through\", buffer_flits = 32 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"wormhole\", buffer_flits = 16 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"wormhole\", buffer_flits = 16 }\n",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 32 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"input_queued\", buffer_flits = 16 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"input_output_queued\" }\nqueueing = \"voq_net\"\n",
];

const NETWORKS: &[&str] = &[
    "topology = { kind = \"mesh\", radix = [3, 3] }\n",
    "topology = { kind = \"hyperx\", sides = [3, 3], nodes_per_router = 1 }\n",
    "topology = { kind = \"fat_tree\", arity = 3, levels = 2 }\n",
    "topology = { kind = \"torus\", radix = [3, 3] }\n",
    "topology = { kind = \"dragonfly\", global_links = 1, routers_per_group = 3, nodes_per_router = 1 }\n",
];

#[test]
fn every_program_comes_to_its_end_under_every_data_path() {
    let (mut run, mut refused) = (0, 0);
    for (n, network) in NETWORKS.iter().enumerate() {
        for path in PATHS {
            for program in PROGRAMS {
                let spec = format!("{network}{path}{}", generated(program));
                let prepared = match prepared(&spec) {
                    Ok(prepared) => prepared,
                    // Without virtual channels nothing cuts their rings.
                    Err(errors) if n > 2 && path.contains("input_output_queued") => {
                        assert!(errors.render().contains("deadlock"), "{spec}\n{}", errors.render());
                        refused += 1;
                        continue;
                    }
                    Err(errors) => panic!("{spec}\n{}", errors.render()),
                };
                let one = controlled(|control| run_in_parts(&prepared, control, 1));
                assert_eq!(one.record.status, Status::Completed, "{spec}\n{}", one.explanation);
                assert!(adds_up(&one.record) && one.record.packets_in_flight_end == 0, "{spec}");
                run += 1;
                if n == 0 || (run + n) % 4 == 0 {
                    alike(&spec, &one.record.digest);
                    common::same::gone_on(&prepared, &one.record, &spec);
                }
            }
        }
    }
    assert_eq!(run + refused, NETWORKS.len() * PATHS.len() * PROGRAMS.len());
}

/// The same digest in two parts, with probes, and for whoever goes on from a checkpoint.
fn alike(spec: &str, digest: &str) {
    let probes = format!("{spec}probes = {{ link_load = true, latency_split = true }}\n");
    let prepared_with = prepared(&probes).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let watched = controlled(|control| run_in_parts(&prepared_with, control, 1));
    assert_eq!(watched.record.digest, digest, "{probes}");
    let prepared = prepared(spec).unwrap();
    if prepared.indivisible().is_none() {
        let parts = controlled(|control| run_in_parts(&prepared, control, 2));
        assert_eq!(parts.record.digest, digest, "{spec}");
    }
}

#[test]
fn whoever_goes_on_from_a_checkpoint_comes_to_the_same_end() {
    for path in PATHS {
        let program = "kind = \"all_reduce\", algorithm = \"halving_doubling\", ranks = 9, flits = 5000";
        let spec = format!("{}{path}{}", NETWORKS[0], generated(program));
        let prepared = prepared(&spec).unwrap_or_else(|errors| panic!("{}", errors.render()));
        let found = Mutex::new(Vec::new());
        let keeper = |kept: Checkpoint| found.lock().unwrap().push(Checkpoint::parse(&kept.to_bytes()).unwrap());
        let keep = Keep { every: 512, keeper: &keeper };
        let whole = controlled(|control| run_kept(&prepared, control, Some(keep)).unwrap());
        assert_eq!(whole.record.status, Status::Completed);
        let checkpoints = found.into_inner().unwrap();
        assert!(checkpoints.len() > 3, "{spec}");
        for checkpoint in checkpoints.into_iter().step_by(4) {
            let resumed = Resumed::new(checkpoint, &[], "the checkpoint's spec", &mut |_| {}).unwrap();
            let prepared = resumed.prepare().unwrap_or_else(|errors| panic!("{}", errors.render()));
            let rest = controlled(|control| go_on(&prepared, control, &resumed, None)).unwrap();
            assert_eq!(
                (rest.record.digest, rest.record.duration),
                (whole.record.digest.clone(), whole.record.duration)
            );
        }
    }
}

/// A victim alone from a checkpoint on, beside the run that goes on with both jobs.
#[test]
fn a_fork_stops_the_other_jobs_and_changes_nothing_else_of_a_program() {
    let job = |name: &str, generate: &str| {
        format!("{{ name = \"{name}\", generate = {{ {generate} }}, placement = \"random\" }}")
    };
    let victim = job("victim", "kind = \"all_reduce\", ranks = 4, flits = 4000");
    let storm = job("storm", "kind = \"all_to_all\", algorithm = \"spread\", window = 4, ranks = 5, flits = 9000");
    for path in PATHS {
        let spec = format!("{}{path}workload = {{ kind = \"program\", jobs = [{victim}, {storm}] }}\n", NETWORKS[0]);
        let prepared = prepared(&spec).unwrap_or_else(|errors| panic!("{}", errors.render()));
        let found = Mutex::new(Vec::new());
        let keeper = |kept: Checkpoint| found.lock().unwrap().push(kept.to_bytes());
        let both =
            controlled(|control| run_kept(&prepared, control, Some(Keep { every: 512, keeper: &keeper })).unwrap());
        let checkpoint = found.into_inner().unwrap().swap_remove(0);
        let fork = |set: &str| {
            let checkpoint = Checkpoint::parse(&checkpoint).unwrap();
            Resumed::new(checkpoint, &[set.to_owned()], "the checkpoint's spec", &mut |_| {})
        };
        let resumed = fork("workload.only=victim").unwrap_or_else(|refused| panic!("{refused}\n{spec}"));
        let prepared = resumed.prepare().unwrap_or_else(|errors| panic!("{}", errors.render()));
        let alone = controlled(|control| go_on(&prepared, control, &resumed, None))
            .unwrap_or_else(|unfit| panic!("{unfit}\n{spec}"));
        assert_eq!(alone.record.status, Status::Completed, "{spec}\n{}", alone.explanation);
        let of_victim =
            |outcome: &tailback_sim::Outcome| outcome.jobs.iter().find(|job| job.name == "victim").unwrap().duration;
        assert_eq!(alone.jobs.len(), 1);
        assert!(of_victim(&alone) > 512 && of_victim(&alone) <= of_victim(&both), "{spec}");
        // Some data paths keep the two apart, this one does not.
        assert!(path != &PATHS[0] || of_victim(&alone) < of_victim(&both), "{spec}");
        let Err(refused) = fork("workload.jobs=[]") else { panic!("{spec}") };
        assert!(refused.to_string().contains("whose operations are under way"), "{refused}");
    }
}

/// A file for as long as a test needs it.
struct Written(std::path::PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Written {
        let path = std::env::temp_dir().join(format!("tailback-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Written(path)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn ranks_that_wait_for_each_other_are_stuck_and_named() {
    let rank = |n: u32, peer: u32| {
        format!("rank {n} {{\nr: recv 8b from {peer} tag 7\ns: send 8b to {peer} tag 7\ns requires r\n}}\n")
    };
    let file = Written::new("stuck.goal", &format!("num_ranks 2\n{}{}", rank(0, 1), rank(1, 0)));
    let spec = format!(
        "topology = {{ kind = \"torus\", radix = [4] }}\n\
         workload = {{ kind = \"program\", file = '{}', bytes_per_flit = 8 }}\n",
        file.0.display()
    );
    let found = outcome(&spec);
    assert_eq!((found.record.status, found.record.duration), (Status::Stuck, None));
    let Diagnosis::Stuck(stuck) = &found.diagnosis else { panic!("{:?}", found.diagnosis) };
    assert_eq!((stuck.remaining, stuck.waiting, stuck.waits.len()), (4, 2, 2));
    let first = &stuck.waits[0];
    for words in [
        "rank 0 (line 3)",
        "waits for a message from rank 1 with tag 7",
        "which rank 1 (",
        "that send waits for the receive of rank 1 (",
    ] {
        assert!(first.contains(words), "{first}");
    }
    assert!(found.explanation.contains("4 operations have not finished"), "{}", found.explanation);
}

#[test]
fn messages_that_wait_for_messages_need_classes() {
    let spec = |router: &str, more: &str| {
        format!(
            "topology = {{ kind = 'torus', radix = [8] }}\n\
             router = {{ kind = 'cut_through', buffer_flits = 8, header_cycles = 1, ejection_packets = 1, {router} }}\n\
             traffic = {{ packet_flits = 8 }}\n{more}\
             workload = {{ kind = 'program', generate = {{ kind = 'request_reply', ranks = 8, servers = 4, window = 8, count = 100, \
             request_flits = 8, reply_flits = 8 }} }}\n"
        )
    };
    let refused = refusal(&spec("virtual_channels = 2", ""));
    for words in ["messages can wait for each other", "keep every place of the ejection buffer", "message_classes = 2"]
    {
        assert!(refused.contains(words), "{refused}");
    }
    let locked = outcome(&spec("virtual_channels = 2", "run = { allow_deadlock = true }\n"));
    assert_eq!(locked.record.status, Status::Deadlocked);
    assert!(locked.explanation.contains("Protocol deadlock"), "{}", locked.explanation);
    assert!(locked.explanation.contains("Requests keep every place"), "{}", locked.explanation);
    let free = spec("virtual_channels = 4, message_classes = 2", "");
    let found = outcome(&free);
    assert_eq!(found.record.status, Status::Completed, "{}", found.explanation);
    alike(&free, &found.record.digest);
    // A server's requests come one way and its replies go another.
    let one = spec("virtual_channels = 2", "").replace("servers = 4", "servers = 1").replace("torus", "mesh");
    assert_eq!(outcome(&one).record.status, Status::Completed);
}

/// Ranks 2 to 6 of a line send to rank 0 with tag 0, all at once, while ranks 7 and 1 exchange short messages with tag 1 across them.
fn crossed() -> String {
    let mut exchange = [String::new(), String::new()];
    for round in 0..20 {
        for (which, peer) in [(0, 7), (1, 1)] {
            let text = &mut exchange[which];
            // Rank 7 begins.
            let (first, second) =
                if which == 1 { ("send 64b to", "recv 64b from") } else { ("recv 64b from", "send 64b to") };
            for (half, what) in [(0, first), (1, second)] {
                let number = 2 * round + half;
                *text += &format!("x{number}: {what} {peer} tag 1\n");
                if number > 0 {
                    *text += &format!("x{number} requires x{}\n", number - 1);
                }
            }
        }
    }
    let mut program = format!(
        "num_ranks 8\nrank 0 {{\n{}}}\n",
        (2..7).map(|rank| format!("recv 8192b from {rank}\n")).collect::<String>()
    );
    program += &format!("rank 1 {{\n{}}}\n", exchange[0]);
    (2..7).for_each(|rank| program += &format!("rank {rank} {{\nsend 8192b to 0\n}}\n"));
    program + &format!("rank 7 {{\n{}}}\n", exchange[1])
}

/// Where there are no virtual channels, a class has queues of its own.
#[test]
fn messages_of_a_class_have_queues_of_their_own() {
    let file = Written::new("crossed.goal", &crossed());
    for queueing in ["'single'", "'voq_sw'", "'voq_net'", "{ kind = 'dbbm', queues = 2 }"] {
        let spec = |classes: u32, tags: &str| {
            format!(
                "topology = {{ kind = 'mesh', radix = [8] }}\nqueueing = {queueing}\n\
                 router = {{ kind = 'input_output_queued', message_classes = {classes}, ingress_memory_bytes = 8192, egress_memory_bytes = 8192 }}\n\
                 workload = {{ kind = 'program', file = '{}', bytes_per_flit = 8{tags} }}\n",
                file.0.display()
            )
        };
        let (one, two) = (outcome(&spec(1, "")), outcome(&spec(2, ", class_tags = [1]")));
        assert_eq!([one.record.status, two.record.status], [Status::Completed; 2], "{queueing}: {}", two.explanation);
        alike(&spec(2, ", class_tags = [1]"), &two.record.digest);
        // One queue for both, or one for both of a port, keeps the short messages behind those to rank 0.
        if ["'single'", "'voq_sw'"].contains(&queueing) {
            assert!(two.record.duration < one.record.duration, "{queueing}: {:?}", two.record.duration);
        }
    }
}

#[test]
fn classes_that_cannot_be_are_refused_by_name() {
    let spec = |router: &str, workload: &str| {
        format!(
            "topology = {{ kind = 'torus', radix = [8] }}\nrouter = {{ {router} }}\ntraffic.packet_flits = 8\nworkload = {{ {workload} }}\n"
        )
    };
    let asks = "kind = 'program', generate = { kind = 'request_reply', ranks = 8, count = 2, window = 1, request_flits = 1, reply_flits = 1, servers = 2 }";
    let ring = "kind = 'program', generate = { kind = 'all_reduce', ranks = 8, flits = 64 }";
    for (router, workload, words) in [
        ("message_classes = 2, virtual_channels = 3", asks, "cannot share 3 virtual channels evenly"),
        ("message_classes = 2, virtual_channels = 4", "kind = 'steady'", "under a program or a host only"),
        ("message_classes = 2, virtual_channels = 2", asks, "virtual"),
        ("ejection_packets = 2", "kind = 'steady'", "only messages of a program or a host wait in an ejection buffer"),
        ("ejection_packets = 2, ejection_channels = 2", ring, "filled by one ejection channel"),
        ("ejection_packets = 2, ejection_channels = 2", asks, "filled by one ejection channel"),
        ("kind = 'wormhole', ejection_packets = 2", asks, "ejection_packets"),
    ] {
        let refused = refusal(&spec(router, workload));
        assert!(refused.contains(words), "{refused}");
    }
    for shared in ["damq", "recn"] {
        let router = format!("kind = 'input_output_queued', message_classes = 2 }}\nqueueing = {{ kind = '{shared}'");
        let refused = refusal(&spec(&router, asks).replace("traffic.packet_flits = 8\n", ""));
        assert!(refused.contains("one message class could fill it"), "{refused}");
    }
    let tags = |tags: &str| spec("message_classes = 2, virtual_channels = 4", &format!("{asks}, class_tags = {tags}"));
    assert!(refusal(&tags("[1, 2]")).contains("2 first tags are named for 2 message classes"));
    let three = tags("[2, 1]")
        .replace("message_classes = 2, virtual_channels = 4", "message_classes = 3, virtual_channels = 6");
    assert!(refusal(&three).contains("do not rise"));
    assert_eq!(outcome(&tags("[1]")).record.status, Status::Completed);
}

#[test]
fn computations_of_a_file_need_the_length_of_a_cycle() {
    let file = Written::new("calc.goal", "num_ranks 1\nrank 0 {\nc: calc 700\n}\n");
    let spec = |more: &str| {
        format!(
            "topology = {{ kind = \"torus\", radix = [4] }}\n{more}\
             workload = {{ kind = \"program\", file = '{}', bytes_per_flit = 8 }}\n",
            file.0.display()
        )
    };
    assert!(refusal(&spec("")).contains("clock.cycle_ns"));
    assert_eq!(outcome(&spec("clock = { cycle_ns = 2.0 }\n")).record.duration, Some(350.0));
}

#[test]
fn what_a_data_path_cannot_carry_is_refused() {
    let program = generated("kind = \"all_reduce\", ranks = 8, flits = 1024");
    let torus = "topology = { kind = \"torus\", radix = [8] }\n";
    let whole = refusal(&format!("{torus}router = {{ buffer_flits = 32 }}\n{program}"));
    assert!(whole.contains("a packet of 128 flits never fits a buffer of 32"), "{whole}");
    let adaptive = refusal(&format!("{torus}router = {{ kind = \"adaptive_cut_through\" }}\n{program}"));
    assert!(adaptive.contains("set traffic.packet_flits"), "{adaptive}");
    let few = refusal(&format!(
        "topology = {{ kind = \"torus\", radix = [4] }}\ntraffic = {{ packet_flits = 8 }}\n{program}"
    ));
    assert!(few.contains("8 ranks") && few.contains("4 nodes"), "{few}");
}

/// Under adaptive cut-through a node makes all packets of a message at once: one that fills the memory is refused before it does.
#[test]
fn a_message_that_fills_the_memory_is_refused() {
    let spec = |router: &str, more: &str| {
        format!(
            "topology = {{ kind = 'torus', radix = [4] }}\nrouter = {{ kind = '{router}'{more} }}\nrun.memory_limit_mib = 64\n\
             traffic.packet_flits = 8\nworkload = {{ kind = 'program', generate = {{ kind = 'broadcast', ranks = 4, flits = 1_000_000_000 }} }}\n"
        )
    };
    for router in ["adaptive_cut_through", "input_output_queued"] {
        let spec = spec(router, "");
        let spec = if router == "adaptive_cut_through" { spec } else { spec.replace("traffic.packet_flits = 8\n", "") };
        let said = common::prepared(&spec).map(drop).expect_err("it is too long").render();
        assert!(said.contains("makes all of them at once") && said.contains("1000000000 flits"), "{said}");
    }
    assert!(common::prepared(&spec("adaptive_cut_through", ", source_queue_packets = 4")).is_ok());
    assert!(common::prepared(&spec("wormhole", "")).is_ok());
}
