//! `trace`: one packet's story, in lines and as a file for viewers.

use crate::{SMALL, folder, tailback, text};

#[test]
fn a_story_has_its_hops_and_its_file() {
    let (folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[0.5]"));
    let out = text(&folder.path().join("packet.json"));
    let done = tailback(&["trace", &path, "--source", "5", "--packet", "12", "--out", &out]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("Packet 12 of node 5: 4 flits to node "), "{}", done.out);
    assert!(done.out.contains("router [1, 1], source queue") && done.out.contains("  delivered, "), "{}", done.out);
    let file: serde_json::Value = serde_json::from_slice(&std::fs::read(&out).expect("a file")).expect("JSON");
    let events = file["traceEvents"].as_array().expect("a list");
    let sends = events.iter().filter(|event| event["cat"] == "send").count();
    assert_eq!(sends, done.out.matches(" leaves by ").count());
    assert!(sends >= 2 && events.iter().all(|event| event["ph"] == "M" || event["dur"].as_u64() > Some(0)));
}

/// The story of a packet in the thick of traffic, under a data path.
fn story(router: &str) -> String {
    let spec = SMALL.replace("[0.05, 0.1, 0.2]", "[0.5]").replace("[traffic]", &format!("{router}\n[traffic]"));
    let (_folder, path) = folder(&spec);
    let done = tailback(&["trace", &path, "--packet", "100"]);
    assert_eq!(done.code, 0, "{}", done.err);
    done.out
}

#[test]
fn a_packet_of_every_data_path_has_its_story() {
    insta::assert_snapshot!("cut_through", story("[router]\nheader_cycles = 1"));
    insta::assert_snapshot!("wormhole", story("[router]\nkind = \"wormhole\"\nrouting_cycles = 1\nbuffer_flits = 4"));
    insta::assert_snapshot!(
        "adaptive_cut_through",
        story("[router]\nkind = \"adaptive_cut_through\"\nheader_cycles = 1")
    );
    let queued = "[router]\nkind = \"input_output_queued\"\npacket_bytes = 32\n[queueing]\nkind = \"voq_net\"";
    insta::assert_snapshot!("input_output_queued", story(queued));
    insta::assert_snapshot!("input_queued", story("[router]\nkind = \"input_queued\""));
}

#[test]
fn what_cannot_be_followed_is_bad_usage() {
    let (_folder, path) = folder(SMALL);
    let sweep = tailback(&["trace", &path, "--source", "0"]);
    assert!(sweep.code == 2 && sweep.err.contains("3 points"), "{}", sweep.err);
    let set = ["--set", "traffic.load=0.1"];
    let nobody = tailback(&[&["trace", &path, "--source", "99"][..], &set].concat());
    assert!(nobody.code == 2 && nobody.err.contains("no node 99"), "{}", nobody.err);
    let unnamed = tailback(&[&["trace", &path, "--destination", "3"][..], &set].concat());
    assert!(unnamed.code == 2 && unnamed.err.contains("--source"), "{}", unnamed.err);
}
