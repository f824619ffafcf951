//! Hostile specs: each is refused with exit code 2 and with words.

use crate::{SMALL, fed, folder, tailback};

/// Checks that a spec is refused by `run`, not by chance: the message holds `expected`.
fn refused(name: &str, spec: &[u8], expected: &str) {
    let done = fed(&["run", "-"], spec);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{name}: {}", done.err);
    assert!(done.err.contains(expected), "{name}: {}", done.err);
    assert!(!done.err.contains("thread '"), "{name}: {}", done.err);
    assert!(done.err.len() < 40_000, "{name}: {} bytes of message", done.err.len());
}

#[test]
fn values() {
    let with = |from: &str, to: &str| SMALL.replace(from, to).into_bytes();
    for (name, spec, expected) in [
        ("empty", Vec::new(), "topology"),
        ("unknown key", with("kind = \"torus\"", "kind = \"torus\"\nradixx = 3"), "radix"),
        ("unknown section", format!("{SMALL}\n[topologi]\nkind = \"torus\"").into_bytes(), "topology"),
        ("wrong type", with("radix = [4, 4]", "radix = \"big\""), "radix"),
        ("NaN", with("[0.05, 0.1, 0.2]", "[0.05, nan]"), "traffic.load"),
        ("infinity", with("[0.05, 0.1, 0.2]", "[inf]"), "traffic.load"),
        ("negative", with("[0.05, 0.1, 0.2]", "[-0.1]"), "traffic.load"),
        ("overflow", with("measure_cycles = 1000", "measure_cycles = 99999999999999999999"), "measure_cycles"),
        ("negative cycles", with("measure_cycles = 1000", "measure_cycles = -1"), "measure_cycles"),
        ("no sweep", with("[0.05, 0.1, 0.2]", "[]"), "traffic.load"),
        ("too many points", with("[0.05, 0.1, 0.2]", "{ from = 0.0, to = 1.0, step = 1e-9 }"), "runs"),
        (
            "a million nodes a router",
            with("radix = [4, 4]", "radix = [4, 4]\nnodes_per_router = 1000000"),
            "nodes_per_router",
        ),
        ("10^9 nodes", with("radix = [4, 4]", "radix = [1000, 1000, 1000]"), "radix"),
        ("overflowing nodes", with("radix = [4, 4]", "radix = [65535, 65535, 65535, 65535, 65535, 65535]"), "radix"),
        ("much memory", with("radix = [4, 4]", "radix = [1000, 1000]\n[run]\nmemory_limit_mib = 10"), "memory"),
        ("packet beyond its buffer", with("flits = 4 }", "flits = 4000 }"), "flits"),
        ("control characters", format!("{SMALL}\n\"\\u001b[31m\" = 1").into_bytes(), "error"),
    ] {
        refused(name, &spec, expected);
    }
}

#[test]
fn shapes() {
    refused("binary", &[0x7f, b'E', b'L', b'F', 0, 1, 2], "NUL");
    refused("not UTF-8", b"a = \"\xff\xfe\"", "UTF-8");
    refused("deep lists", format!("a = {}", "[".repeat(200_000)).as_bytes(), "error");
    refused("deep tables", format!("{} = 1", "a.".repeat(200_000) + "a").as_bytes(), "error");
    refused("deep headers", format!("[{}a]", "a.".repeat(100_000)).as_bytes(), "error");
    refused("many unknown keys", (0..50_000).map(|i| format!("k{i} = 1\n")).collect::<String>().as_bytes(), "error");
    refused("unclosed", b"[topology", "error");
    refused("a megabyte of one line", &vec![b'x'; 1 << 20], "error");
    refused("two megabytes", &vec![b'\n'; 2 << 20], "1 MiB");
}

#[test]
fn a_hundred_megabytes_are_not_read() {
    let (folder, _) = folder(SMALL);
    let path = folder.path().join("big.toml");
    std::fs::File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let done = tailback(&["check", path.to_str().unwrap()]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("longer than a spec may be (1 MiB)"), "{}", done.err);
}

#[test]
fn arguments() {
    let (_folder, path) = folder(SMALL);
    for argument in
        ["", "=", "x", "traffic.load", "traffic.load=", "traffic.load=nan", "a=b=c", "[sweep]=1", "\u{1b}=1"]
    {
        let done = tailback(&["run", &path, "--set", argument]);
        assert_eq!(done.code, 2, "{argument:?}: {}", done.err);
        assert!(done.err.contains("error"), "{argument:?}: {}", done.err);
    }
}
