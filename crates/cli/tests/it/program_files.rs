//! Files of programs, of placements and of nothing good: what is wrong has its place, and what no reader can know ends `stuck`.

use crate::{Done, folder, tailback, text};
use std::path::{Path, PathBuf};

/// A network of 16 nodes that executes `x.goal`.
const SPEC: &str = r#"
topology = { kind = "torus", radix = [4, 4] }
router = { kind = "cut_through", buffer_flits = 32, header_cycles = 1 }
traffic = { packet_flits = 8 }
clock = { cycle_ns = 1.0 }
workload = { kind = "program", file = "x.goal", bytes_per_flit = 16 }
"#;

/// Runs [`SPEC`] with this program and with other files beside it. Where these are at fault, the program alone is fine.
fn run(program: &[u8], files: &[(&str, &str)], arguments: &[&str]) -> Done {
    let (folder, spec) = folder(SPEC);
    let beside = |name: &str| -> PathBuf { Path::new(&spec).with_file_name(name) };
    std::fs::write(beside("x.goal"), program).unwrap();
    files.iter().for_each(|(name, content)| std::fs::write(beside(name), content).unwrap());
    let checked = tailback(&["workload", "--check", &text(&beside("x.goal")), "--bytes-per-flit", "16"]);
    let done = tailback(&[&["run", &spec][..], arguments].concat());
    drop(folder);
    if done.code == 2 && files.is_empty() {
        assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{}", done.err);
    }
    done
}

#[track_caller]
fn refused(program: &[u8], words: &str) {
    let done = run(program, &[], &[]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("x.goal: ") && done.err.contains(words), "{}", done.err);
}

/// A program of two ranks.
fn two(first: &str, second: &str) -> String {
    format!("num_ranks 2\nrank 0 {{\n{first}\n}}\nrank 1 {{\n{second}\n}}\n")
}

#[test]
fn texts_are_refused_with_line_and_column() {
    for (first, second, words) in [
        ("a: calc 1\na requires b", "", "line 4, column 12: the label `b` is not defined"),
        (
            "a: calc 1\nb: calc 1\na requires b\nb requires a",
            "",
            "line 3, column 1: 2 operations of rank 0 wait for each",
        ),
        ("recv 8b from 1 tag 3", "calc 1", "line 3, column 1: rank 0 receives what is never sent"),
        ("send 8b to 1 tag 3", "calc 1", "line 3, column 1: rank 0 sends rank 1 a message with tag 3"),
        ("  send 8b to 2", "calc 1", "line 3, column 14: there is no rank 2; `num_ranks` is 2"),
        ("calc 1", "recv 8b from 1000000000", "line 6, column 14: there is no rank 1000000000"),
    ] {
        refused(two(first, second).as_bytes(), words);
    }
    refused(b"num_ranks 1000000000\n", "line 1, column 11: ");
    refused(b"num_ranks 2\nrank 0 {\ncalc 1\n}\n", "rank 1 of 2 is missing");
    refused(b"num_ranks 1\nrank 0 {\ncalc 1\n", "line 2, column 6: rank 0 does not end");
}

/// A binary file of one rank with these counts of operations and of those that wait for nothing, and nothing behind them.
fn claimed(operations: u32, roots: u32) -> Vec<u8> {
    let mut bytes = [&4223_u64.to_le_bytes()[..], &1_u32.to_le_bytes(), &[0, 0]].concat();
    bytes.extend([22_u64, 30].iter().flat_map(|place| place.to_le_bytes()));
    bytes.extend([operations, roots].iter().flat_map(|count| count.to_le_bytes()));
    bytes
}

#[test]
fn binary_files_are_refused_with_their_byte() {
    refused(&claimed(1_000_000_000, 1), "byte 30: rank 0 is said to have 1000000000 operations and 1 that");
    refused(&claimed(1, 1_000_000_000), "byte 30: rank 0 is said to have 1 operations and 1000000000 that");
    refused(&claimed(u32::MAX, u32::MAX), "byte 30: rank 0 is said to have 4294967295 operations");
    let mut many = claimed(0, 0);
    many[8..12].copy_from_slice(&1_000_000_000_u32.to_le_bytes());
    refused(&many, "byte 8: there are 1000000000 ranks, and a program has between 1 and 1048576");
    refused(&claimed(0, 0)[..25], "byte 14: the file ends at byte 25, and 16 bytes are due from here on");
}

/// What [`tailback`] writes is refused when it is cut off anywhere.
#[test]
fn truncated_files_are_refused() {
    let (_folder, spec) = folder("");
    let file = text(&Path::new(&spec).with_file_name("whole.goal"));
    let asked = ["workload", "barrier", "--ranks", "3", "--format", "binary", "-o", &file, "--bytes-per-flit", "16"];
    assert_eq!(tailback(&asked).code, 0);
    let whole = std::fs::read(&file).unwrap();
    assert_eq!(run(&whole, &[], &[]).code, 0);
    for end in [1, 9, 13, 40, 70, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..end], if end < 8 { ": " } else { "byte " });
    }
}

#[test]
fn placements_are_refused_with_their_line() {
    let program = two("send 8b to 1", "recv 8b from 0");
    let by_file = ["--set", "workload.placement=file", "--set"];
    for (nodes, words) in [
        ("3\n# twice\n3\n", "where.txt: line 3, column 1: line 1 names node 3 too, and a node has one rank at most"),
        ("3\nx\n", "where.txt: line 2, column 1: `x` is not the number of a node"),
        ("3\n", "where.txt: line 2, column 1: the program has 2 ranks, and 1 nodes are named"),
        ("3\n16\n", "where.txt: line 2, column 1: rank 1 is at node 16, and the network has 16 nodes"),
        ("3\n99999999999\n", "where.txt: line 2, column 1: `99999999999` is not the number of a node"),
    ] {
        let (folder, _) = folder("");
        let file = folder.path().join("where.txt");
        std::fs::write(&file, nodes).unwrap();
        let named = format!("workload.placement_file={}", text(&file));
        let done = run(program.as_bytes(), &[("unused", "")], &[&by_file[..], &[named.as_str()]].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        assert!(done.err.contains(words), "{}", done.err);
    }
}

/// Every receive of these programs has a send of its own, so no reader can refuse them.
#[test]
fn receives_that_wait_for_ever_are_named() {
    // Whoever comes first takes the message that the other one waits for.
    let taken = "num_ranks 3\n\
        rank 0 {\na: recv 8b from -1 tag -1\nb: recv 8b from 1 tag 7\nb requires a\n}\n\
        rank 1 {\nsend 8b to 0 tag 7\n}\n\
        rank 2 {\nw: calc 1000\ns: send 8b to 0 tag 3\ns requires w\n}\n";
    let circle = two(
        "r: recv 8b from 1 tag 7\ns: send 8b to 1 tag 7\ns requires r",
        "r: recv 8b from 0 tag 7\ns: send 8b to 0 tag 7\ns requires r",
    );
    for (program, words) in [
        (taken, &["1 operation has not finished", "Rank 0 (line 4) waits for a message from rank 1 with tag 7"][..]),
        (
            circle.as_str(),
            &["Rank 0 (line 3) waits for a message from rank 1", "Rank 1 (line 8) waits for a message"][..],
        ),
    ] {
        let done = run(program.as_bytes(), &[], &[]);
        assert_eq!(done.code, 3, "{}", done.err);
        assert!(done.err.contains("stuck: ") && words.iter().all(|word| done.err.contains(word)), "{}", done.err);
    }
}
