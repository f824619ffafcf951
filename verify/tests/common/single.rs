//! One packet alone in a network, and how far it has to go.

use std::path::PathBuf;
use tailback_traffic::Traffic;
use tailback_verify::bridge;
use tailback_verify::reference::Config;

/// Fewest links between two routers, by walking: breadth first over the wiring of the reference model.
pub fn distances(config: &Config, from: usize) -> Vec<u32> {
    let mut distance = vec![u32::MAX; config.routers()];
    distance[from] = 0;
    let mut queue = vec![from];
    let mut at = 0;
    while at < queue.len() {
        let router = queue[at];
        at += 1;
        for next in (0..config.ports()).filter_map(|port| config.neighbour(router, port)) {
            if distance[next] == u32::MAX {
                distance[next] = distance[router] + 1;
                queue.push(next);
            }
        }
    }
    distance
}

/// The traffic that is one packet from `source` to `destination`; it goes by a file, one a thread.
pub fn single_packet_traffic(config: &Config, flits: u32, source: usize, destination: usize) -> Traffic {
    let lines: String = (0..config.nodes())
        .map(|node| if node == source { format!("{node} {destination}\n") } else { format!("{node} -\n") })
        .collect();
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("single-packet-{process}-{thread:?}.txt"));
    std::fs::write(&file, lines).expect("the target folder is writable");
    let text = format!(
        "[traffic]\npattern = {{ kind = \"permutation\", file = {file:?} }}\nsize = {{ kind = \"fixed\", flits = {flits} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = 1"
    );
    let traffic = bridge::traffic(config, &text).expect("possible");
    std::fs::remove_file(&file).expect("it was written above");
    traffic
}
