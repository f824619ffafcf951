//! Eight clients ask eight servers across a network. Each server thinks before it replies, and each client before it asks again.

use std::error::Error;
use std::path::PathBuf;
use tailback_embed::{Message, Network};

const NODES: u32 = 16;
const ROUNDS: u32 = 20;
const THINK: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let spec = std::env::args().nth(1).unwrap_or("mesh.toml".to_owned());
    let mut network = Network::from_file(&PathBuf::from(spec), &[])?;
    // When each node sends next.
    let mut due: Vec<Option<u64>> = (0..NODES).map(|node| (node < NODES / 2).then_some(0)).collect();
    let (mut rounds, mut last) = (vec![0; NODES as usize], 0);
    while due.iter().any(Option::is_some) || !network.is_idle() {
        for (source, due) in (0..).zip(&mut due) {
            if *due == Some(network.clock()) {
                let flits = if source < NODES / 2 { 2 } else { 8 };
                network.send(Message {
                    source,
                    destination: NODES - 1 - source,
                    class: 0,
                    flits,
                    tag: source.into(),
                })?;
                *due = None;
            }
        }
        let next = due.iter().flatten().min().copied();
        network.advance_until_delivery(next.unwrap_or(network.clock() + 1000))?;
        while let Some(delivery) = network.receive_any() {
            let node = delivery.message.destination as usize;
            last = delivery.cycle;
            rounds[node] += 1;
            if node as u32 >= NODES / 2 || rounds[node] < ROUNDS {
                due[node] = Some(delivery.cycle + THINK);
            }
        }
    }
    println!("completed in cycle {last}");
    Ok(())
}
