//! Programs survive text and binary: what is written and read again does the same.

use crate::listed::{Lists, listed, meet_once};
use proptest::prelude::*;
use tailback_program::goal::{Stored, Units, read, read_binary, read_text, write_binary, write_text};
use tailback_program::{Generate, Generated, Program};

pub const UNITS: Units = Units { bytes_per_flit: 16, cycle_ns: Some(2.5) };

pub fn text(program: &dyn Program) -> Vec<u8> {
    let mut out = Vec::new();
    write_text(program, &UNITS, &mut out).expect("memory takes it");
    out
}

pub fn binary(program: &dyn Program) -> Vec<u8> {
    let mut out = Vec::new();
    write_binary(program, &UNITS, &mut out).expect("memory takes it");
    out
}

/// Through text and through binary, and through both.
fn survives(program: &dyn Program) -> Lists {
    let due = listed(program);
    let from_text = read_text(&text(program), &UNITS).expect("it is text");
    let from_binary = read_binary(&binary(program), &UNITS).expect("it is binary");
    assert_eq!(listed(&from_text), due);
    assert_eq!(listed(&from_binary), due);
    assert_eq!([&from_text, &from_binary].map(Program::meets_once), [meet_once(&due); 2]);
    assert_eq!(from_text.identity(), from_binary.identity());
    assert_eq!(text(&from_binary), text(program));
    assert_eq!(binary(&from_text), binary(program));
    due
}

/// Programs of every kind, small.
pub fn some() -> Vec<Generate> {
    let of = |kind: &str, algorithm: &str, ranks, flits| Generate {
        algorithm: (!algorithm.is_empty()).then(|| algorithm.to_owned()),
        ranks: Some(ranks),
        flits: Some(flits),
        ..Generate::new(kind)
    };
    vec![
        of("all_reduce", "ring", 5, 23),
        of("all_reduce", "halving_doubling", 11, 64),
        of("all_reduce", "recursive_doubling", 6, 8),
        of("all_reduce", "double_binary_tree", 9, 100),
        Generate { groups: Some(3), ..of("all_reduce", "hierarchical", 12, 100) },
        of("broadcast", "", 7, 4),
        of("all_to_all", "spread", 7, 70),
        Generate { ranks: Some(6), ..Generate::new("barrier") },
        Generate { dimensions: Some(vec![3, 2]), compute_cycles: Some(4), iterations: Some(3), ..of("halo", "", 6, 5) },
        Generate {
            request_flits: Some(1),
            reply_flits: Some(4),
            count: Some(7),
            window: Some(2),
            servers: Some(2),
            think_cycles: Some(9),
            flits: None,
            ..of("request_reply", "", 6, 1)
        },
        of("incast", "", 5, 9),
        Generate { microbatches: Some(3), compute_cycles: Some(6), ..of("pipeline", "", 4, 8) },
    ]
}

#[test]
fn generated_programs_survive() {
    for asked in some() {
        survives(&Generated::new(&asked).unwrap_or_else(|error| panic!("{asked:?}: {error}")));
    }
}

/// An operation of a random rank: which kind, length, a joker, dependencies to earlier ones.
pub type Seed = (u8, u64, bool, Vec<(prop::sample::Index, bool)>);

/// A text in which each send of rank 0 is received by rank 1, with dependencies of all sorts.
pub fn random(seeds: &[Seed]) -> String {
    let mut ranks = ["rank 0 {\n".to_owned(), "rank 1 {\n".to_owned()];
    for (number, (kind, length, joker, waits)) in seeds.iter().enumerate() {
        let source = if *joker { "-1" } else { "0" };
        let (one, other) = match kind {
            0 => (format!("calc {} cpu {number}", length * 5 / 2 * 2), format!("calc {}", 0)),
            _ => {
                let tag = if *kind == 1 { format!(" tag {}", length % 3) } else { String::new() };
                (format!("send {length}b to 1{tag}"), format!("recv {length}b from {source}{tag} cpu 1 nic 2"))
            }
        };
        ranks[0] += &format!("a{number}: {one}\n");
        ranks[1] += &format!("/* {number} */ b{number} : {other} // done\n");
        for (other, start) in waits.iter().filter(|_| number > 0) {
            let verb = if *start { "irequires" } else { "requires" };
            let other = other.index(number);
            ranks[0] += &format!("a{number} {verb} a{other}\n");
            ranks[1] += &format!("\tb{other} {verb} b{number}\n");
        }
    }
    format!("num_ranks 2\n{}}}\n\n{}}}\n", ranks[1], ranks[0])
}

pub fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let waits = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..4);
    prop::collection::vec((0..3_u8, 0..1000_u64, any::<bool>(), waits), 0..30)
}

proptest! {
    #[test]
    fn random_programs_survive(seeds in seeds()) {
        let text = random(&seeds);
        let program = read_text(text.as_bytes(), &UNITS).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        // A dependency that is there twice counts twice, and lists hold it once: those are held to less.
        let binary = binary(&program);
        let again = read_binary(&binary, &UNITS).expect("it is binary");
        prop_assert_eq!(again.identity(), program.identity());
        let text = self::text(&again);
        prop_assert_eq!(read_text(&text, &UNITS).expect("it is text").identity(), program.identity());
    }

    #[test]
    fn mutated_files_are_read_or_refused(
        which in 0..12_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        truncate in any::<bool>(),
    ) {
        let program = Generated::new(&some()[which]).expect("it is well asked");
        for (mut bytes, reader) in [
            (text(&program), read_text as fn(&[u8], &Units) -> Result<Stored, _>),
            (binary(&program), read_binary),
        ] {
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            if truncate {
                bytes.truncate(cut.index(bytes.len()));
            }
            if let Ok(program) = reader(&bytes, &UNITS) {
                listed_loosely(&program);
            }
        }
    }

    #[test]
    fn words_in_any_order_are_read_or_refused(words in prop::collection::vec(0..20_usize, 0..60)) {
        let all = [
            "num_ranks", "2", "rank", "0", "{", "}", "\n", "1", "send", "recv", "calc", "b", "to", "from", "tag", "-1",
            "a", ":",
            "requires", "99999999999999999999",
        ];
        let text = words.iter().map(|&word| all[word]).collect::<Vec<_>>().join(" ");
        let _ = read_text(text.as_bytes(), &UNITS);
        let mut head = b"num_ranks 2\nrank 0 {\n".to_vec();
        head.extend(text.as_bytes());
        let _ = read_text(&head, &UNITS);
    }
}

/// Asks a program for everything; duplicates may be there.
fn listed_loosely(program: &dyn Program) {
    for rank in 0..program.ranks() {
        let mut edges = 0;
        let mut due = 0;
        for number in 0..program.operations(rank) {
            due += program.operation(rank, number).requirements;
            program.dependants(rank, number, &mut |after, _| {
                assert!(after < program.operations(rank));
                edges += 1;
            });
        }
        assert_eq!(edges, due);
    }
}

#[test]
fn files_are_told_apart_by_their_content() {
    let folder = std::env::temp_dir().join(format!("tailback-program-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let program = Generated::new(&some()[0]).expect("it is well asked");
    let path = folder.join("x.goal");
    let mut identities = Vec::new();
    for bytes in [text(&program), binary(&program)] {
        std::fs::write(&path, bytes).expect("a file can be written");
        identities.push(read(&path, &UNITS).expect("it is a program").identity());
    }
    assert_eq!(identities[0], identities[1]);
    assert!(read(&folder, &UNITS).is_err());
    assert!(read(&folder.join("none"), &UNITS).is_err());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn units_are_those_that_are_given() {
    let text = b"num_ranks 2\nrank 0 {\nsend 17b to 1\ncalc 100\n}\nrank 1 {\nrecv 0b from 0\n}\n";
    let program = read_text(text, &UNITS).expect("it is text");
    let due = [
        tailback_program::Work::Send { to: 1, flits: 2, tag: 0 },
        tailback_program::Work::Compute { cycles: 40, on: 0 },
    ];
    assert_eq!([program.operation(0, 0).work, program.operation(0, 1).work], due);
    assert_eq!(program.lengths(), (2, 2));
    let no_clock = Units { cycle_ns: None, ..UNITS };
    let fault = read_text(text, &no_clock).expect_err("it computes");
    assert!(fault.to_string().starts_with("line 4, column 6: it computes for 100 ns"), "{fault}");
    let kind = write_text(&program, &no_clock, &mut Vec::new()).expect_err("it computes").kind();
    assert_eq!(kind, std::io::ErrorKind::InvalidInput);
    for units in [Units { bytes_per_flit: 0, ..UNITS }, Units { cycle_ns: Some(0.0), ..UNITS }] {
        assert!(read_text(text, &units).is_err() && write_text(&program, &units, &mut Vec::new()).is_err());
    }
}

/// Ten million operations: `cargo test --release -p tailback-program -- --ignored --nocapture ten_million`.
#[test]
#[ignore = "it writes and reads half a gigabyte"]
fn ten_million_operations_load_soon_and_small() {
    let asked = Generate { ranks: Some(1582), flits: Some(1 << 20), ..Generate::new("all_reduce") };
    let program = Generated::new(&asked).expect("it is well asked");
    let path = std::env::temp_dir().join(format!("tailback-ten-million-{}", std::process::id()));
    for form in [write_text, write_binary] {
        let mut file = std::io::BufWriter::new(std::fs::File::create(&path).expect("a file can be made"));
        form(&program, &UNITS, &mut file).expect("it can be written");
        drop(file);
        let begun = std::time::Instant::now();
        let read = read(&path, &UNITS).expect("it is a program");
        let took = begun.elapsed();
        let operations: u64 = (0..read.ranks()).map(|rank| u64::from(read.operations(rank))).sum();
        let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = memory.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned();
        println!("{operations} operations in {took:?}, {peak}");
        assert!(operations >= 10_000_000 && took.as_secs() < 20);
    }
    std::fs::remove_file(&path).expect("the file is ours");
}
