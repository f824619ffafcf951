//! Files that mean harm: each is refused without a panic and without many words.

use tailback_spec::{Document, MAX_BYTES};

use crate::sample::catalogue;

/// The rendered refusal.
fn refused(bytes: &[u8]) -> String {
    let outcome = Document::parse("evil.toml", bytes).and_then(|d| d.plan(&catalogue()).map(|p| p.len()));
    let text = outcome.expect_err("a refusal").render();
    assert!(text.len() < 100_000, "{} bytes of messages", text.len());
    text
}

fn fill(piece: &str) -> String {
    piece.repeat((MAX_BYTES - 100) / piece.len())
}

#[test]
fn not_a_text() {
    assert!(refused(b"\x7fELF\x02\x01\x00\x00").contains("byte 6 is NUL"));
    assert!(refused(b"traffic.load = 0.1\nx = \"\xff\"\n").contains("byte 24 (0xff) is not UTF-8"));
    assert!(
        refused("traffic.load = 1".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice())
            .contains("NUL")
    );
}

#[test]
fn too_large() {
    let text = refused(&vec![b'#'; 100_000_000]);
    assert!(text.contains("a spec is at most 1 MiB; this file has 100000000 bytes"), "{text}");
}

#[test]
fn too_deep() {
    for text in [
        format!("x = {}", "[".repeat(100_000)),
        format!("x = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("x = {}", "{a=".repeat(100_000)),
        format!("[{}a]\n", "a.".repeat(100_000)),
        format!("{}a = 1\n", "a.".repeat(100_000)),
        format!("x = {}", "{a.a.a.a.a.a.a.a=".repeat(20)),
    ] {
        assert!(refused(text.as_bytes()).contains("nest deeper than 32"));
    }
    let fine = format!("x = {}1{}", "[".repeat(31), "]".repeat(31));
    assert!(!refused(fine.as_bytes()).contains("nest deeper"));
}

#[test]
fn absurd_values() {
    let traffic = |line: &str| refused(format!("[traffic]\nload = 0.1\n[network]\n{line}\n").as_bytes());
    assert!(traffic(&format!("vcs = {}", "9".repeat(1000))).contains("does not fit in 64 bits"));
    assert!(traffic("vcs = 0xFFFFFFFFFFFFFFFFFF").contains("does not fit in 64 bits"));
    assert!(traffic("vcs = 1e999").contains("does not fit in 64 bits"));
    // It hides nothing else.
    let several = traffic("vcs = 99999999999999999999\nvc = 3");
    assert!(several.contains("does not fit") && several.contains("between 1 and 16"), "{several}");
    assert!(several.contains("unknown key `vc`"), "{several}");
    assert!(traffic("vcs = -9223372036854775808").contains("between 1 and 16"));
    assert!(traffic("vcs = 1979-05-27").contains("found the date"));
    assert!(traffic("vcs = 1\nvcs = 2").contains("duplicate key"));
    assert!(traffic("vcs = { kind = 1 }").contains("found a table"));
    assert!(refused(b"traffic = { load = nan }").contains("found nan"));
    assert!(refused(b"traffic = { load = -inf }").contains("found -inf"));
    assert!(refused(b"[[traffic]]\nload = 1").contains("found a list of 1 value"));
}

#[test]
fn a_million_of_something() {
    for text in [
        format!("x = [{}]", fill("1,")),
        format!("topology.radix = [{}]", fill("1,")),
        format!("topology.weights = [{}]", fill("1,")),
        format!("workload = {{ kind = \"phases\", phases = [{}] }}", fill("{},")),
        format!("sweep.\"network.vcs\" = [{}]", fill("99,")),
        fill("]"),
        fill("=\n"),
        fill("\""),
        fill("[a]\n"),
        fill("[["),
        fill("a=1\n"),
        format!("{} = 1", fill("k")),
        format!("\"{}\" = 1", fill("é")),
        format!("sweep.\"{}\" = [1]", fill("k")),
        format!("name = {}", fill("-")),
        format!("x = \"{}\u{1b}[31m\"", fill("x")),
        (0..60_000).map(|i| format!("key{i} = 1\n")).collect(),
        (0..30_000).map(|i| format!("sweep.\"key{i}\" = [1]\n")).collect(),
        format!("sweep.zip = [{}]", fill("[\"a\",\"b\"],")),
    ] {
        let message = refused(text.as_bytes());
        assert!(!message.contains('\u{1b}'));
        assert!(message.lines().all(|line| line.chars().count() < 400), "a line is too long");
    }
}

#[test]
fn strange_keys_and_line_ends() {
    for text in [
        "ключ = 1",
        "\"\" = 1",
        "\"\\u0000\" = 1",
        "\r",
        "a = 1\r",
        "\u{feff}\u{feff}a = 1",
        "= 1",
        "[]",
        "[[]]",
        "traffic.load.x = 1",
        "\"a\\nb\" = 1",
    ] {
        refused(text.as_bytes());
    }
}
