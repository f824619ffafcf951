//! What BookSim reads in a network file otherwise than its comments say.

use std::collections::BTreeSet;

/// What is in the way of a network file, if anything is: where BookSim builds another network than the file seems to say.
///
/// A latency behind a node of a router counts there as that of a link to the router with the node's number. Where that is the same
/// router, the link leads to itself, and no packet takes it.
///
/// # Errors
/// What BookSim makes of it, with the line.
pub fn check(text: &str) -> Result<(), String> {
    text.lines()
        .enumerate()
        .try_for_each(|(at, line)| line_is_plain(line).map_err(|why| format!("line {}: {why}", at + 1)))
}

/// The nodes of a network file.
pub fn nodes(text: &str) -> u32 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = words.windows(2).filter(|two| two[0] == "node").map(|two| two[1]);
    named.collect::<BTreeSet<_>>().len() as u32
}

fn line_is_plain(line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(&[head, number]) = words.get(..2) else { return Ok(()) };
    if head == "node" {
        return Err("BookSim makes a router of a node that begins a line; begin the line with its router".to_owned());
    }
    for behind in words.windows(3).skip(2).filter(|behind| behind[0] == "node") {
        let is_latency = behind[2].starts_with(|c: char| c.is_ascii_digit());
        if is_latency && behind[1] != number {
            return Err(format!(
                "BookSim takes the latency of node {node} for that of a link from router {number} to router {node}; leave it out",
                node = behind[1]
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, nodes};

    #[test]
    fn latencies_of_nodes_are_links_there() {
        assert_eq!(check("router 0 node 0 node 1 router 1 5\nrouter 1 node 2\n\n"), Ok(()));
        assert_eq!(check("router 0 node 0 3 router 1 5\n"), Ok(()), "a link to itself");
        let wrong = check("router 0 node 0\nrouter 1 node 2 4 router 0\n").unwrap_err();
        assert!(wrong.starts_with("line 2: BookSim takes the latency of node 2 for that of a link from router 1"));
        assert!(check("node 0 router 0").unwrap_err().contains("begins a line"));
    }

    #[test]
    fn a_node_counts_once() {
        assert_eq!(nodes("router 0 node 0 node 1 3 router 1 5\nrouter 1 node 2 router 0\nrouter 0 node 1\n"), 3);
        assert_eq!(nodes(""), 0);
    }
}
