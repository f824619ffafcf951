//! What a host may do with a network: misuse, checkpoints, call logs, many networks at a time.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use tailback_embed::{LAST_CYCLE, Message, Network, Refusal, replay};

static NEVER: AtomicBool = AtomicBool::new(false);

/// A network of nine nodes under every data path, with source queues of any length or short ones.
const SPECS: &[&str] = &[
    "router = { kind = \"cut_through\", buffer_flits = 16 }",
    "router = { kind = \"cut_through\", buffer_flits = 16, source_queue_packets = 2 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"wormhole\", buffer_flits = 8 }",
    "router = { kind = \"wormhole\", buffer_flits = 8, source_queue_packets = 3 }\ntraffic = { packet_flits = 4 }",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 16 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 16, source_queue_packets = 2 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"input_queued\", buffer_flits = 8 }\ntraffic = { packet_flits = 4 }",
    "router = { kind = \"input_output_queued\" }\nqueueing = \"voq_net\"",
    "router = { kind = \"cut_through\", buffer_flits = 16, virtual_channels = 2, message_classes = 2, ejection_channels = 1, \
     ejection_packets = 2 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"wormhole\", buffer_flits = 8, virtual_channels = 3, message_classes = 3 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 16, message_classes = 2 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"input_queued\", buffer_flits = 8, virtual_channels = 4, message_classes = 2 }",
    "router = { kind = \"input_queued\", buffer_flits = 8, ejection_flits = 6 }\ntraffic = { packet_flits = 4 }",
];

fn opened(spec: &str) -> Network {
    let spec = format!("topology = {{ kind = \"mesh\", radix = [3, 3] }}\n{spec}\n");
    Network::from_text(&spec, &[]).unwrap_or_else(|error| panic!("{spec}\n{error}"))
}

/// Sends what it can in a cycle, by the number of the cycle, and steps.
fn play(network: &mut Network, cycles: u64) -> Vec<(u64, u64)> {
    let mut got = Vec::new();
    for _ in 0..cycles {
        let now = network.clock();
        if now < 300 {
            for node in 0..9 {
                let flits = 1 + (now * 5 + u64::from(node)) as u32 % 12;
                let destination = (node + 1 + now as u32) % 9;
                let class = (now as u32 / 7 + node) % network.classes();
                if now % 7 == u64::from(node % 7) && network.can_send(node, class, flits) {
                    let tag = now * 9 + u64::from(node);
                    network.send(Message { source: node, destination, class, flits, tag }).unwrap();
                }
            }
        }
        network.advance(now + 1).unwrap();
        // A host that receives in the cycles in which it likes to.
        while let Some(delivery) = (now % 2 == 1).then(|| network.receive_any()).flatten() {
            assert_eq!(network.peek(delivery.message.destination, network.classes()), Err(Refusal::NoClass));
            got.push((delivery.message.tag, delivery.cycle));
        }
    }
    got
}

#[test]
fn a_checkpoint_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    for spec in SPECS {
        let mut whole = opened(spec);
        let before = play(&mut whole, 123);
        whole.checkpoint(&file).unwrap();
        let mut again = Network::restore(&file).unwrap_or_else(|error| panic!("{spec}\n{error}"));
        assert_eq!(again.clock(), 123);
        let (one, other) = (play(&mut whole, 700), play(&mut again, 700));
        assert!(one.len() + before.len() > 100 && one == other, "{spec}");
        let digest = |network: &Network| network.outcome().unwrap().record.digest;
        assert_eq!(digest(&whole), digest(&again), "{spec}");
        assert!(whole.is_idle() && again.is_idle(), "{spec}");
    }
}

#[test]
fn what_is_no_checkpoint_of_a_host_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    assert!(Network::restore(&file).is_err());
    std::fs::write(&file, b"no checkpoint").unwrap();
    assert!(Network::restore(&file).is_err());
    let mut network = opened(SPECS[0]);
    play(&mut network, 50);
    assert!(network.checkpoint(&file).is_err(), "a file of another kind stays");
    std::fs::remove_file(&file).unwrap();
    network.checkpoint(&file).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&file, damaged).unwrap();
        assert!(Network::restore(&file).is_err(), "byte {at}");
    }
}

#[test]
fn a_log_is_replayed_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    for spec in SPECS {
        let mut network = opened(spec);
        network.log(&file).unwrap();
        let wrong = Message { source: 77, destination: 0, class: 0, flits: 1, tag: 0 };
        assert_eq!(network.send(wrong), Err(Refusal::NoNode));
        play(&mut network, 400);
        assert_eq!(network.advance(3), Err(Refusal::Time));
        let digest = network.outcome().unwrap().record.digest;
        network.end_log().unwrap();
        let replayed = replay(&file, None, &NEVER).unwrap_or_else(|error| panic!("{spec}\n{error}"));
        assert_eq!((replayed.differs.clone(), replayed.end.clone()), (None, Some((400, digest.clone()))), "{spec}");
        assert!(replayed.is_same() && replayed.calls > 500 && replayed.outcome.record.digest == digest, "{spec}");
    }
}

#[test]
fn a_log_may_begin_at_any_time_and_after_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let (file, kept) = (folder.path().join("calls"), folder.path().join("kept"));
    for spec in SPECS {
        let mut network = opened(spec);
        play(&mut network, 150);
        network.log(&file).unwrap();
        network.checkpoint(&kept).unwrap();
        let mut restored = Network::restore(&kept).unwrap();
        for network in [&mut network, &mut restored] {
            network.log(&file).unwrap();
            play(network, 400);
            let digest = network.outcome().unwrap().record.digest;
            network.end_log().unwrap();
            let replayed = replay(&file, None, &NEVER).unwrap_or_else(|error| panic!("{spec}\n{error}"));
            assert!(replayed.is_same() && replayed.outcome.record.digest == digest, "{spec}: {:?}", replayed.differs);
        }
    }
    // A checkpoint that was changed, or is cut off.
    let log = std::fs::read(&file).unwrap();
    let at = log.windows(12).position(|bytes| bytes == b"\ncheckpoint ").unwrap() + 40;
    let mut changed = log.clone();
    changed[at] ^= 1;
    for damaged in [&changed[..], &log[..at]] {
        std::fs::write(&file, damaged).unwrap();
        assert!(replay(&file, None, &NEVER).is_err());
    }
}

#[test]
fn a_message_is_followed_by_its_tag() {
    for spec in SPECS {
        let mut network = opened(spec);
        play(&mut network, 100);
        network.follow(77);
        assert!(network.story().is_none());
        let message = Message { source: 0, destination: 8, class: 0, flits: 4, tag: 77 };
        while !network.can_send(0, 0, 4) {
            network.advance(network.clock() + 1).unwrap();
        }
        network.send(message).unwrap();
        let sent = network.clock();
        let delivered = loop {
            network.advance(network.clock() + 1).unwrap();
            let all: Vec<_> = std::iter::from_fn(|| network.receive_any()).collect();
            if let Some(found) = all.into_iter().find(|of| of.message.tag == 77 && of.sent == sent) {
                break found;
            }
        };
        let story = network.story().unwrap();
        let first = format!("Message with tag 77: 4 flits from node 0 to node 8, class 0, sent in cycle {sent}\n");
        assert!(story.starts_with(&first), "{spec}\n{story}");
        let end = format!("{:>8}  delivered, {} cycles after it was made\n", delivered.cycle, delivered.cycle - sent);
        assert!(story.ends_with(&end), "{spec}\n{story}");
        let routers = story.lines().filter(|line| line.contains("  router [")).count();
        assert!(routers as u32 > delivered.hops, "{spec}\n{story}");
    }
}

#[test]
fn a_log_that_was_changed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let mut network = opened(SPECS[2]);
    network.log(&file).unwrap();
    play(&mut network, 400);
    network.end_log().unwrap();
    let log = std::fs::read_to_string(&file).unwrap();
    let with = |text: &str| {
        std::fs::write(&file, text).unwrap();
        replay(&file, None, &NEVER)
    };
    let (first, _) = log.split_once("\nsend ").unwrap();
    let sent = log.lines().find(|line| line.starts_with("send ")).unwrap();
    let other = sent.replace(" ok", " full");
    assert!(with(&log.replacen(sent, &other, 1)).unwrap().differs.unwrap().contains("ended with: ok"));
    assert!(!with(&log.replacen(&format!("{sent}\n"), "", 1)).unwrap().is_same());
    // A host that was killed leaves a log without an end.
    let cut = with(&log[..log.len() * 3 / 4]).unwrap();
    assert!(cut.end.is_none() && cut.is_same());
    for damaged in [
        "",
        "tailback calls 2\n",
        &log[..first.len() / 2],
        &format!("{log}advance 900 ok\n"),
        &log.replace("end ", "bend "),
    ] {
        assert!(with(damaged).is_err(), "{damaged:?}");
    }
    assert!(replay(folder.path(), None, &NEVER).is_err() && replay(Path::new("no such log"), None, &NEVER).is_err());
}

#[test]
fn whatever_is_wrong_is_refused_by_name() {
    let mut network = opened(SPECS[1]);
    let message = Message { source: 0, destination: 4, class: 0, flits: 8, tag: 0 };
    assert_eq!(network.send(Message { destination: 9, ..message }), Err(Refusal::NoNode));
    assert_eq!(network.send(Message { class: 1, ..message }), Err(Refusal::NoClass));
    assert_eq!(network.send(Message { flits: 0, ..message }), Err(Refusal::Length));
    // Three packets never fit a queue of two.
    assert_eq!(network.send(Message { flits: 17, ..message }), Err(Refusal::Length));
    assert_eq!(network.send(Message { flits: 16, ..message }), Ok(()));
    assert_eq!(network.send(message), Err(Refusal::Full));
    assert_eq!(network.send(Message { source: 4, flits: 16, ..message }), Ok(()), "it never enters the network");
    assert_eq!(
        (network.advance(LAST_CYCLE + 1), network.advance_until_delivery(u64::MAX)),
        (Err(Refusal::Time), Err(Refusal::Time))
    );
    assert_eq!((network.advance(100), network.advance(99)), (Ok(()), Err(Refusal::Time)));
    let tags: Vec<_> = std::iter::from_fn(|| network.receive(4, 0)).map(|delivery| delivery.message.source).collect();
    assert_eq!(tags, [4, 0]);
    assert!(network.peek(9, 0).is_err() && network.receive(9, 0).is_none() && network.is_idle());
    let sweep =
        Network::from_text("topology = { kind = \"mesh\", radix = [3, 3] }\nsweep = { \"run.seed\" = [1, 2] }", &[]);
    assert!(sweep.is_err_and(|error| error.to_string().contains("several runs")));
    // A node has a port at each plane, and its ejection buffer is filled by one.
    let planes = |places: &str| {
        let router = format!("router = {{ kind = \"input_queued\", buffer_flits = 8, planes = 2{places} }}");
        Network::from_text(&format!("topology = {{ kind = \"mesh\", radix = [3, 3] }}\n{router}"), &[])
    };
    assert!(planes(", ejection_flits = 6").is_err_and(|error| error.to_string().contains("a port at each plane")));
    assert!(planes("").is_ok());
}

/// Sends messages that meet, waits until all have come, and leaves out cycles at once; or takes all of them one by one.
fn bursts(spec: &str, leaves_out: impl Fn(&mut Network, u64)) -> (u64, String) {
    let (mut network, mut got) = (opened(spec), 0);
    for burst in 0..40u64 {
        for node in 0..9u32 {
            let destination = (node + 1 + burst as u32 % 8) % 9;
            let message = Message { source: node, destination, class: 0, flits: 8, tag: burst };
            network.send(message).unwrap();
        }
        while network.under_way() > 0 {
            network.advance(network.clock() + 1).unwrap();
        }
        got += std::iter::from_fn(|| network.receive_any()).count() as u64;
        // The clock stands at the same cycle in both, however it gets there.
        let then = network.clock() + 100 + burst;
        leaves_out(&mut network, then);
    }
    (got, network.outcome().unwrap().record.digest)
}

#[test]
fn a_network_that_has_just_come_to_rest_is_skipped_to_the_same_bits() {
    for spec in SPECS {
        let stepped = bursts(spec, |network, then| {
            (network.clock() + 1..=then).for_each(|cycle| network.advance(cycle).unwrap());
        });
        let skipped = bursts(spec, |network, then| network.advance(then).unwrap());
        assert_eq!((stepped.0, &stepped), (360, &skipped), "{spec}");
    }
}

#[test]
fn an_empty_network_goes_a_thousand_million_cycles_at_once() {
    let mut network = Network::from_text("topology = { kind = \"torus\", radix = [32, 32] }", &[]).unwrap();
    network.send(Message { source: 0, destination: 500, class: 0, flits: 8, tag: 0 }).unwrap();
    let start = std::time::Instant::now();
    network.advance(1_000_000_000).unwrap();
    // Of a debug build; a tenth of that in a release build.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    assert_eq!((network.clock(), network.receive_any().unwrap().message.tag), (1_000_000_000, 0));
    network.send(Message { source: 7, destination: 8, class: 0, flits: 8, tag: 1 }).unwrap();
    network.advance_until_delivery(1_000_000_500).unwrap();
    assert!(network.receive(8, 0).unwrap().cycle < 1_000_000_100);
}

#[test]
fn two_hundred_networks_on_eight_threads_are_apart() {
    let expected: Vec<_> = SPECS.iter().map(|spec| play(&mut opened(spec), 200)).collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut networks: Vec<_> = (0..25).map(|n| (n, opened(SPECS[n % SPECS.len()]))).collect();
                for (n, network) in &mut networks {
                    assert_eq!(play(network, 200), expected[*n % SPECS.len()]);
                }
            });
        }
    });
    // One that was opened here goes on elsewhere.
    let mut moved = opened(SPECS[0]);
    let first = play(&mut moved, 100);
    let rest = std::thread::spawn(move || play(&mut moved, 100)).join().unwrap();
    assert_eq!([first, rest].concat(), expected[0]);
}

#[test]
fn a_host_that_does_not_receive_stops_its_node_and_no_other_class() {
    let spec = "router = { kind = \"cut_through\", buffer_flits = 16, virtual_channels = 2, message_classes = 2, ejection_channels = 1, \
                ejection_packets = 2 }\ntraffic = { packet_flits = 8 }";
    let mut network = opened(spec);
    assert_eq!(network.classes(), 2);
    let message = Message { source: 0, destination: 4, class: 0, flits: 16, tag: 0 };
    (0..50).for_each(|tag| network.send(Message { tag, source: (tag % 4) as u32, ..message }).unwrap());
    network.advance(50_000).unwrap();
    assert_eq!(network.under_way(), 48, "two messages of two packets each have places, and wait");
    let why = network.outcome().unwrap().explanation;
    assert!(why.starts_with("The host holds the network up: 1 ejection buffer is full"), "{why}");
    // The other class has channels, queues and buffers of its own. A message to the own node takes no place.
    network.send(Message { class: 1, tag: 77, ..message }).unwrap();
    network.send(Message { source: 4, tag: 78, ..message }).unwrap();
    network.advance(51_000).unwrap();
    assert_eq!(network.receive(4, 1).unwrap().message.tag, 77);
    let mut got = 0;
    while !network.is_idle() {
        got += std::iter::from_fn(|| network.receive(4, 0)).count();
        network.advance(network.clock() + 10).unwrap();
        assert!(network.clock() < 60_000);
    }
    assert_eq!(got, 51);
    let why = network.outcome().unwrap().explanation;
    assert!(!why.contains("holds the network up"), "{why}");
}

#[test]
fn a_host_that_does_not_receive_stops_input_queued_routers() {
    let spec = "router = { kind = \"input_queued\", buffer_flits = 8, virtual_channels = 2, message_classes = 2, ejection_flits = 6 }";
    let mut network = opened(spec);
    let message = Message { source: 0, destination: 4, class: 0, flits: 4, tag: 0 };
    (0..50).for_each(|tag| network.send(Message { tag, source: (tag % 4) as u32, ..message }).unwrap());
    network.advance(50_000).unwrap();
    assert_eq!(network.under_way(), 48, "a message comes while fewer than six flits wait");
    let why = network.outcome().unwrap().explanation;
    assert!(why.starts_with("The host holds the network up: 1 ejection buffer is full"), "{why}");
    // The other class has channels, queues and buffers of its own. A message to the own node takes no place.
    network.send(Message { class: 1, tag: 77, ..message }).unwrap();
    network.send(Message { source: 4, tag: 78, ..message }).unwrap();
    network.advance(51_000).unwrap();
    assert_eq!(network.receive(4, 1).unwrap().message.tag, 77);
    let mut got = 0;
    while !network.is_idle() {
        got += u64::from(network.receive(4, 0).is_some());
        network.advance(network.clock() + 10).unwrap();
        assert!(network.clock() < 60_000);
    }
    assert_eq!(got, 51);
}

#[test]
fn queued_flits_count_until_their_tail_has_left() {
    let mut network = opened(SPECS[3]);
    let message = Message { source: 0, destination: 8, class: 0, flits: 12, tag: 0 };
    network.send(message).unwrap();
    assert_eq!((network.queued_flits(0, 0), network.queued_flits(9, 0), network.queued_flits(0, 1)), (12, 0, 0));
    let mut left = 12;
    while network.under_way() > 0 {
        network.advance(network.clock() + 1).unwrap();
        let now = network.queued_flits(0, 0);
        assert!(now <= left && now.is_multiple_of(4), "packets of four flits leave as a whole");
        left = now;
    }
    assert_eq!(left, 0);
}

#[test]
fn a_configuration_of_booksim_opens_as_it_is() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/booksim/mesh.cfg");
    let mut network = Network::from_booksim(&file, &["k=4".to_owned()]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(network.nodes(), 16);
    network.send(Message { source: 0, destination: 15, class: 0, flits: 5, tag: 3 }).unwrap();
    network.advance(200).unwrap();
    assert_eq!(network.receive(15, 0).unwrap().message.tag, 3);
    let refused = |text: &str| Network::from_booksim(&file, &[text.to_owned()]).err().unwrap().to_string();
    assert!(refused("num_vc=4").contains("num_vcs") && refused("k=x").contains("argument 1:1:1"));
    // What belongs to a simulator around it goes by another function.
    assert!(refused("flit_size=32").contains("tb_open_inside"));
    let with = |text: &[&str], devices| {
        let texts: Vec<String> = text.iter().map(|&text| text.to_owned()).collect();
        Network::from_inside(&file, &texts, devices)
    };
    let (network, interior) = with(&["k=4", "flit_size=40", "memory_node_map={5,6}"], (14, 2)).unwrap();
    assert_eq!((network.nodes(), interior.inside.flit_size, &interior.places[14..]), (16, 40, &[5, 6][..]));
    assert_eq!((interior.places[5], interior.channels > 0), (7, true));
    let wrong = with(&["k=4", "use_map=0"], (14, 3)).err().unwrap().to_string();
    assert!(wrong.contains("14 cores and 3 memories do not fit on 16 nodes"), "{wrong}");
}

/// What a host asks to be written replaces a file of its own kind alone.
#[test]
fn no_log_and_no_checkpoint_replaces_what_is_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let spec = "topology = { kind = \"mesh\", radix = [3, 3] }\ntraffic.pattern = { kind = \"permutation\", file = \"map\" }\n";
    std::fs::write(at("spec.toml"), spec).unwrap();
    std::fs::write(at("map"), "1\n0\n2\n3\n4\n5\n6\n7\n8\n").unwrap();
    std::fs::write(at("mine"), "mine").unwrap();
    let open = || Network::from_file(&at("spec.toml"), &[]).unwrap();
    let refused = |name: &str, words: &str| {
        let before = std::fs::read(at(name)).ok();
        for said in [open().log(&at(name)), open().checkpoint(&at(name))] {
            let said = said.unwrap_err().to_string();
            assert!(said.contains(words) && !said.contains("--force") && said.lines().count() == 1, "{name}: {said}");
        }
        assert_eq!(std::fs::read(at(name)).ok(), before, "{name}");
    };
    refused("spec.toml", "it is the spec, which this command reads");
    refused("map", "it is a file that the spec names");
    refused("mine", "something other than");
    refused("none/file", "there is no folder");
    refused("", "it is a folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/null", at("null")).unwrap();
        std::os::unix::fs::symlink("spec.toml", at("link")).unwrap();
        refused("null", "it is a device");
        refused("link", "it is the spec");
    }
    for _ in 0..2 {
        open().log(&at("calls")).unwrap();
        open().checkpoint(&at("kept")).unwrap();
    }
    assert!(open().log(&at("kept")).unwrap_err().to_string().contains("something other than a call log"));
    assert!(open().checkpoint(&at("calls")).unwrap_err().to_string().contains("something other than a checkpoint"));
}
