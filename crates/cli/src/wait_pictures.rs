//! Packets that wait for each other, drawn on the network's map: a witness found before a run, or a deadlock found in one.

use tailback_pictures::wait_circle::{Packet, WaitCircle};
use tailback_sim::{Lock, Prepared, Witness};

/// The circle that a check found.
///
/// # Errors
/// Why it cannot be drawn.
pub fn witness(witness: &Witness) -> Result<String, String> {
    let packet = |(words, links): (String, Vec<(u32, u32)>)| Packet { links: ends(&links), words };
    let words = witness.circle.steps.iter().map(|step| step.words());
    let packets = words.zip(witness.links()).map(packet).collect();
    let title = format!("Packets that can wait for each other, radices {:?}", witness.radix);
    svg(title, &witness.radix, packets)
}

/// The circle of a deadlock in a run.
///
/// # Errors
/// Why it cannot be drawn.
pub fn deadlock(prepared: &Prepared, cycle: u64, lock: &Lock) -> Result<String, String> {
    let packets = lock.circle.iter().map(|stuck| Packet { links: ends(&[stuck.link]), words: stuck.words.clone() });
    let title = format!("Packets that wait for each other in cycle {cycle}");
    let radix = prepared.network().grid().map_or(&[][..], |grid| grid.radix());
    svg(title, radix, packets.collect())
}

fn ends(links: &[(u32, u32)]) -> Vec<(usize, usize)> {
    // What waits at a node stands behind no link.
    let there = links.iter().filter(|(from, _)| *from != tailback_network::NONE);
    there.map(|&(from, to)| (from as usize, to as usize)).collect()
}

fn svg(title: String, radix: &[u32], packets: Vec<Packet>) -> Result<String, String> {
    if radix.is_empty() {
        return Err("a map goes by the coordinates of a grid, and this network has none".to_owned());
    }
    if radix.len() > 2 {
        return Err(format!("a map has two dimensions, this network has {}", radix.len()));
    }
    let rows = radix.get(1).map_or(1, |&rows| rows as usize);
    WaitCircle { title, columns: radix[0] as usize, rows, packets }.svg().map_err(|error| error.to_string())
}
