//! Bad files are refused with the place of what is wrong.

use crate::round_trips::{UNITS, binary, some};
use tailback_program::goal::{At, read_binary, read_text};
use tailback_program::{Generated, Program, check};

fn fault(text: &str) -> String {
    read_text(text.as_bytes(), &UNITS).expect_err(text).to_string()
}

/// A rank 0 of these lines, which are 3 and more, and a rank 1 that does nothing.
fn rank(lines: &str) -> String {
    fault(&format!("num_ranks 2\nrank 0 {{\n{lines}\n}}\nrank 1 {{ }}\n"))
}

#[test]
fn labels() {
    assert_eq!(
        rank("a: calc 0\na requires b"),
        "line 4, column 12: the label `b` is not defined before this line in this rank"
    );
    assert_eq!(rank("a irequires a"), "line 3, column 1: the label `a` is not defined before this line in this rank");
    assert_eq!(rank("a: calc 0\n  a: calc 1"), "line 4, column 3: the label `a` is there twice, first in line 3");
    assert!(
        rank("a: calc 0\na requires").starts_with("line 4, column 11: the end of the line stands where a label is due")
    );
}

#[test]
fn ranks() {
    assert_eq!(fault("num_ranks 2\nrank 0 { }\nrank 0 { }"), "line 3, column 6: rank 0 is there twice");
    assert!(fault("num_ranks 2\nrank 1 { }\n").starts_with("line 3, column 1: rank 0 of 2 is missing"));
    assert_eq!(fault("num_ranks 2\nrank 2 { }"), "line 2, column 6: there is no rank 2; `num_ranks` is 2");
    assert_eq!(rank("send 8b to 2"), "line 3, column 12: there is no rank 2; `num_ranks` is 2");
    assert!(rank("send 8b to -1").starts_with("line 3, column 12: `-1` stands where a rank is due"));
    assert!(fault("num_ranks 1000000000\n").contains("between 1 and 1048576"));
    assert!(fault("num_ranks 0").contains("between 1 and 1048576"));
    assert_eq!(fault("num_ranks 2\nnum_ranks 2"), "line 2, column 1: the number of ranks is said twice");
    assert_eq!(fault("rank 0 {"), "line 1, column 1: `num_ranks` stands before the first rank");
    assert!(fault("num_ranks 2\nrank 0 {\nrank 1 {").starts_with("line 3, column 1: rank 0 of line 2"));
    assert_eq!(fault("num_ranks 1\nrank 0 {\n"), "line 2, column 6: rank 0 does not end; close it with a brace");
    assert_eq!(fault("}"), "line 1, column 1: this brace closes no rank");
    assert!(fault("").contains("there is no `num_ranks`"));
    assert!(fault("calc 5").contains("`calc` stands outside of a rank"));
}

#[test]
fn circles() {
    let circle = rank("a: calc 0\nb: calc 0\nc: calc 0\nb requires a\nc irequires b\na requires c");
    assert_eq!(
        circle,
        "line 3, column 1: 3 operations of rank 0 wait for each other in a circle: line 3, line 4, line 5"
    );
    assert_eq!(rank("a: calc 0\na requires a"), "line 3, column 1: this operation of rank 0 waits for itself");
    // Those behind a circle are not in it.
    let tail = rank("z: calc 0\na: calc 0\nb: calc 0\na requires b\nb requires a\nz requires b");
    assert!(tail.starts_with("line 4, column 1: 2 operations"), "{tail}");
}

/// A receive from the own rank waits for a send to it.
#[test]
fn circles_through_messages_to_the_own_rank() {
    let told = rank("r: recv 8b from 0 tag 3\n  s: send 8b to 0 tag 3\ns requires r");
    let words = "line 3, column 1: 2 operations of rank 0 wait for each other in a circle, in which a receive from rank 0 itself waits for a send";
    assert!(told.starts_with(words) && told.contains(": line 3, line 4; let the send start"), "{told}");
    let begins = |lines: &str, words: &str| {
        let told = rank(lines);
        assert!(told.starts_with(words) && told.contains("itself waits for a send"), "{told}");
    };
    // Through two tags, and of any tag.
    let two = "a: recv 8b from 0 tag 1\nb: send 8b to 0 tag 2\nc: recv 8b from 0 tag 2\nd: send 8b to 0 tag 1";
    begins(&format!("{two}\nb requires a\nd requires c"), "line 3, column 1: 4 operations");
    begins("a: recv 8b from 0 tag -1\nb: send 8b to 0 tag 2\nb requires a", "line 3, column 1: 2 operations");
    // The second receive needs the second send: behind the first one, or ready with it and below it.
    let chain = "s: send 8b to 0\na: recv 8b from 0\nb: recv 8b from 0\nt: send 8b to 0\nt requires b";
    begins(&format!("{chain}\nb requires a"), "line 5, column 1: 2 operations");
    begins(chain, "line 5, column 1: 2 operations");
    begins(&format!("z: calc 0\n{chain}\na requires z\nb requires z\nt requires z"), "line 6, column 1: 2 operations");
    // Messages of others may come when they like.
    let late = format!(
        "num_ranks 2\nrank 0 {{\nm: recv 8b from 1\n{chain}\na requires m\nb requires a\n}}\nrank 1 {{\nsend 8b to 0\n}}\n"
    );
    assert!(fault(&late).starts_with("line 6, column 1: 2 operations"), "{}", fault(&late));
    // A receive that nothing is sent for has no partner.
    assert!(rank("recv 8b from 0 tag 3").starts_with("line 3, column 1: rank 0 receives what is never sent"));
    let one = |lines: &str| read_text(format!("num_ranks 1\nrank 0 {{\n{lines}\n}}\n").as_bytes(), &UNITS).map(|_| ());
    // A send may wait for the start of the receive, and a receive that may be first needs one send.
    assert_eq!(one("r: recv 8b from 0\ns: send 8b to 0\ns irequires r"), Ok(()));
    assert_eq!(one(&format!("{chain}\ny: calc 5\na requires y")), Ok(()));
    assert_eq!(one("s: send 8b to 0\na: recv 8b from 0\nt: send 8b to 0\nb: recv 8b from 0\nt requires a"), Ok(()));
}

#[test]
fn messages_without_a_partner() {
    assert!(
        rank("calc 0\n  send 8b to 1 tag 3")
            .starts_with("line 4, column 3: rank 0 sends rank 1 a message with tag 3 that rank 1 never receives")
    );
    assert!(rank("recv 8b from 1").starts_with("line 3, column 1: rank 0 receives what is never sent"));
    let two = |one: &str, other: &str| {
        let text = format!("num_ranks 2\nrank 0 {{\n{one}\n}}\nrank 1 {{\n{other}\n}}\n");
        read_text(text.as_bytes(), &UNITS).map_err(|fault| fault.to_string()).map(|_| ())
    };
    assert_eq!(two("send 8b to 1 tag 7", "recv 8b from -1 tag 7"), Ok(()));
    assert_eq!(two("send 8b to 1 tag 7\nsend 8b to 1", "recv 8b from 0 tag -1\nrecv 8b from -1 tag -1"), Ok(()));
    assert!(two("send 8b to 1 tag 7", "recv 8b from 0 tag 8").expect_err("tags").starts_with("line 6"));
    assert!(two("send 8b to 1 tag 7", "recv 8b from -1 tag 8").expect_err("tags").starts_with("line 6"));
    assert!(two("send 8b to 1", "recv 8b from 0\nrecv 8b from 0 tag -1").expect_err("one more").starts_with("line 7"));
    assert!(two("send 8b to 1", "recv 8b from 0\nrecv 8b from -1 tag -1").expect_err("one more").starts_with("line 7"));
    assert!(two("send 8b to 1\nsend 8b to 1", "recv 8b from -1 tag -1").expect_err("one less").starts_with("line 4"));
}

#[test]
fn words_and_numbers() {
    assert_eq!(rank("send 8 to 1"), "line 3, column 8: `to` stands where `b` is due");
    assert_eq!(rank("send 8b from 1"), "line 3, column 9: `from` stands where `to` is due");
    assert_eq!(rank("recv 8b to 1"), "line 3, column 9: `to` stands where `from` is due");
    assert!(rank("calc 18446744073709551616").starts_with("line 3, column 6: the number is larger than"));
    assert!(rank("calc 18446744073709551615").contains("cycles, and"));
    assert!(rank("send 18446744073709551615b to 1").contains("flits long"));
    assert!(rank("send 8b to 1 tag 4294967296").contains("the tag is 4294967296"));
    assert!(rank("send 8b to 1 cpu 0 tag 1").contains("`tag` stands where `nic` is due"));
    assert!(rank("calc 8 cpu 256").contains("a number up to 255 is due"));
    assert!(rank("calc 8 nic 1").contains("`nic` stands where `cpu` is due"));
    assert!(rank("calc 8 calc 8").contains("`calc` stands where `cpu` is due"));
    assert!(rank("calc 8 }").contains("`}` stands where the end of the line is due"));
    assert!(rank("a: b: calc 8").contains("`b` stands where `send`, `recv` or `calc` is due"));
    assert!(rank("a calc 8").contains("`calc` stands where `:`, `requires` or `irequires` is due"));
    assert!(rank("\u{1b}[31m").contains("no statement has `\\u001b"), "{}", rank("\u{1b}[31m"));
    assert_eq!(rank("/* no\nend"), "line 3, column 1: this comment does not end; close it with `*/`");
    assert!(rank(&"x".repeat(70_000)).contains("longer than 65536 bytes"));
}

fn sample() -> (Generated, Vec<u8>) {
    let program = Generated::new(&some()[0]).expect("it is well asked");
    let bytes = binary(&program);
    (program, bytes)
}

fn broken(change: impl Fn(&mut Vec<u8>)) -> (At, String) {
    let (_, mut bytes) = sample();
    change(&mut bytes);
    let fault = read_binary(&bytes, &UNITS).expect_err("it is broken");
    (fault.at, fault.message)
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[test]
fn binary_files() {
    // Five ranks: the first one begins behind 14 + 5 x 16 bytes, with 16 operations of which 2 wait for nothing.
    let (begin, records) = (94, 94 + 8 + 8);
    assert_eq!(broken(|b| b.truncate(10)).0, At::Byte(0));
    assert_eq!(broken(|b| b[0] = 1).0, At::Byte(0));
    assert!(broken(|b| b[..8].copy_from_slice(&2342_u64.to_le_bytes())).1.contains("used it up"));
    assert_eq!(broken(|b| put(b, 8, 1_000_000_000)).0, At::Byte(8));
    assert_eq!(broken(|b| put(b, 8, 1 << 20)).0, At::Byte(14));
    assert_eq!(broken(|b| put(b, 14, 0)).0, At::Byte(14));
    assert_eq!(broken(|b| put(b, 22, u32::MAX)).0, At::Byte(14));
    assert_eq!(broken(|b| put(b, begin, 1_000_000_000)).0, At::Byte(begin as u64));
    assert_eq!(broken(|b| put(b, begin + 4, u32::MAX)).0, At::Byte(begin as u64));
    assert_eq!(broken(|b| b[records + 4] = 9).0, At::Byte(records as u64 + 4));
    assert_eq!(broken(|b| put(b, records + 5, 5)).0, At::Byte(records as u64 + 5));
    assert_eq!(broken(|b| put(b, records + 9 + 4, 1 << 20)).0, At::Byte(records as u64 + 9));
    assert_eq!(broken(|b| put(b, records, 1)).0, At::Byte(records as u64));
    assert_eq!(broken(|b| put(b, records + 23, 1_000_000_000)).0, At::Byte(records as u64 + 23));
    assert_eq!(broken(|b| put(b, records + 39 + 27, u32::MAX)).0, At::Byte(records as u64 + 39 + 23));
    assert_eq!(broken(|b| put(b, records + 16 * 39, 16)).0, At::Byte(records as u64 + 16 * 39));
    assert_eq!(broken(|b| put(b, begin + 8, 1)).0, At::Byte(begin as u64 + 8));
    // The whole program is looked at as well: a tag that nobody sends.
    let (at, message) = broken(|b| put(b, records + 17, 99));
    assert!(message.contains("receive"), "{at} {message}");
}

#[test]
fn well_made_programs_have_no_problems() {
    for asked in some() {
        let program = Generated::new(&asked).expect("it is well asked");
        assert_eq!(check(&program), [], "{asked:?}");
    }
    assert_eq!(sample().0.ranks(), 5);
}
