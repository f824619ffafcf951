//! Anynet files of BookSim: `router R [node N [cycles]]* [router S [cycles]]*`, and lines that begin with a node.
//!
//! The latency behind a router is that of the link from the first router of the line to it. The other direction takes one cycle
//! unless another line says otherwise. BookSim numbers routers and nodes from 0 without gaps. Latencies of nodes are not
//! represented. Ports go by the number of the router that they lead to.

use super::draft::{Draft, Edge};
use super::words::{Line, Word, Wrong, lines};
use super::{Format, Options, Read, first_word};
use crate::graph::{LinkKind, Network, Wire, limits};
use std::collections::BTreeMap;
use std::fmt::Write;

pub static FORMAT: Format = Format {
    name: "anynet",
    summary: "the network files of BookSim 2",
    is_like: |text| matches!(first_word(text), Some("router" | "node")),
    read: Some(read),
    write: Some(write),
};

/// What a file says so far.
#[derive(Default)]
struct Reader {
    /// The largest router, where there is one.
    last: Option<u32>,
    /// Routers that begin a line or stand in one.
    seen: Vec<bool>,
    router_of: Vec<u32>,
    /// Latencies of directed links as they are written, and the first line that says so.
    latency: BTreeMap<(u32, u32), (Option<u32>, u32)>,
    node_latency: bool,
}

fn read(text: &str, _: &Options) -> Result<Read, Wrong> {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.line(line)?;
    }
    let routers = reader.last.map_or(0, |last| last as usize + 1);
    if let Some(missing) = reader.seen.iter().position(|&seen| !seen) {
        return Err(Wrong::whole(format!("router {missing} is missing; routers are numbered from 0 without gaps")));
    }
    if let Some(node) = reader.router_of.iter().position(|&router| router == u32::MAX) {
        return Err(Wrong::whole(format!("node {node} is missing; nodes are numbered from 0 without gaps")));
    }
    reader.network(routers)
}

impl Reader {
    fn line(&mut self, mut line: Line) -> Result<(), Wrong> {
        let (is_node, head, _) = self.item(&mut line)?;
        let mut ahead = line;
        if ahead.next().is_none() {
            line.expect("`router` or `node`")?;
        }
        while ahead.next().is_some() {
            let (node, number, word) = self.item(&mut line)?;
            ahead = line;
            let latency = ahead.next().filter(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
            let latency = latency.map(|word| word.number("a latency in cycles", limits::CYCLES.into())).transpose()?;
            if latency.is_some() {
                line.next();
            }
            ahead = line;
            match (is_node, node) {
                (true, true) => {
                    return Err(word.wrong("a node is linked to a router, and this line links it to a node"));
                }
                (true, false) => self.seat(head, number, latency, &word)?,
                (false, true) => self.seat(number, head, latency, &word)?,
                (false, false) => self.link(head, number, latency, &line, &word)?,
            }
        }
        Ok(())
    }

    /// `router` or `node`, and its number: whether it is a node.
    fn item<'t>(&mut self, line: &mut Line<'t>) -> Result<(bool, u32, Word<'t>), Wrong> {
        let what = "`router` or `node`";
        let word = line.expect(what)?;
        let is_node = match word.text {
            "node" => true,
            "router" => false,
            _ => return Err(word.instead_of(what)),
        };
        let (what, most) = if is_node { ("a node", limits::NODES) } else { ("a router", limits::ROUTERS) };
        let word = line.expect(what)?;
        let number = word.number(what, most - 1)?;
        if !is_node {
            self.last = self.last.max(Some(number));
            if self.seen.len() <= number as usize {
                self.seen.resize(number as usize + 1, false);
            }
            self.seen[number as usize] = true;
        }
        Ok((is_node, number, word))
    }

    fn seat(&mut self, node: u32, router: u32, latency: Option<u32>, word: &Word) -> Result<(), Wrong> {
        self.node_latency |= latency.is_some_and(|cycles| cycles > 1);
        let at = node as usize;
        if self.router_of.len() <= at {
            self.router_of.resize(at + 1, u32::MAX);
        }
        match self.router_of[at] {
            u32::MAX => self.router_of[at] = router,
            same if same == router => {}
            other => return Err(word.wrong(format!("node {node} is at router {other} already"))),
        }
        Ok(())
    }

    fn link(&mut self, from: u32, to: u32, latency: Option<u32>, line: &Line, word: &Word) -> Result<(), Wrong> {
        if from == to {
            return Err(word.wrong(format!("a link leads from router {from} to itself")));
        }
        if latency == Some(0) {
            return Err(word.wrong("the link takes 0 cycles; a link takes at least 1"));
        }
        if self.latency.insert((from, to), (latency, line.number as u32)).is_some() {
            return Err(word.wrong(format!("the link from router {from} to router {to} is listed twice")));
        }
        if self.latency.len() as u64 > limits::PORTS {
            return Err(line.wrong(format!("the network has more than {} links; they are the most", limits::PORTS)));
        }
        Ok(())
    }

    fn network(self, routers: usize) -> Result<Read, Wrong> {
        let mut draft = Draft::new(routers, self.router_of);
        let mut one_way = 0;
        for (&(a, b), &(there, line)) in &self.latency {
            let back = self.latency.get(&(b, a));
            if back.is_some() && a > b {
                continue;
            }
            one_way += usize::from(back.is_none() && there.is_some_and(|cycles| cycles > 1));
            let cycles_back = back.and_then(|(cycles, _)| *cycles).unwrap_or(1);
            let wire = Wire { cycles: there.unwrap_or(1), cycles_back, period: 1, kind: LinkKind::Any };
            draft.link(Edge { line, ends: [a, b], ports: None, trunk: 1, wire })?;
        }
        // Ports go by router: with both ends in order, each router meets its links by the number of the far one.
        draft.edges.iter_mut().filter(|edge| edge.ends[0] > edge.ends[1]).for_each(|edge| {
            edge.ends.swap(0, 1);
            edge.wire = edge.wire.back();
        });
        draft.edges.sort_unstable_by_key(|edge| edge.ends);
        let mut notes = Vec::new();
        if one_way > 0 {
            notes.push(format!(
                "{one_way} links have a latency in one direction only; they take 1 cycle in the other direction, as in BookSim"
            ));
        }
        if self.node_latency {
            notes.push("latencies of links to nodes are not represented".to_owned());
        }
        Ok(Read { network: draft.network()?, notes })
    }
}

fn write(network: &Network) -> Result<String, String> {
    let mut text = String::new();
    for router in 0..network.routers() as u32 {
        write!(text, "router {router}").expect("a string takes all text");
        for local in 0..network.nodes_at(router) {
            write!(text, " node {}", network.seats().node(router, local)).expect("a string takes all text");
        }
        let mut links: Vec<_> = network.links_of(router).map(|(_, link)| link).collect();
        links.sort_by_key(|link| link.to.router);
        if let Some(pair) = links.windows(2).find(|pair| pair[0].to.router == pair[1].to.router) {
            let far = pair[0].to.router;
            return Err(format!(
                "anynet has no parallel links, and there are several from router {router} to router {far}"
            ));
        }
        if links.iter().any(|link| link.period != 1) {
            return Err(format!("anynet has no narrow links, and router {router} has one"));
        }
        for link in links {
            write!(text, " router {} {}", link.to.router, link.cycles).expect("a string takes all text");
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Read, Wrong> {
        read(text, &Options { link_cycles: 1, cycle_ns: 0.0 })
    }

    #[test]
    fn a_latency_is_that_of_one_direction() {
        let read = read_text("router 0 node 0 node 1 router 1 15\nrouter 1 node 2 5 router 2 4\nrouter 2 router 1 6\n")
            .unwrap();
        let network = read.network;
        assert_eq!((network.routers(), network.nodes(), network.links(), network.nodes_at(2)), (3, 3, 4, 0));
        assert_eq!((network.link(0, 0).unwrap().cycles, network.link(1, 0).unwrap().cycles), (15, 1));
        assert_eq!((network.link(1, 1).unwrap().cycles, network.link(2, 0).unwrap().cycles), (4, 6));
        assert!(read.notes[0].starts_with("1 links have a latency in one direction only"), "{:?}", read.notes);
        assert!(read.notes[1].contains("nodes are not represented"));
    }

    #[test]
    fn a_line_may_begin_with_a_node() {
        let network = read_text("node 1 router 0\nnode 0 router 1 1\nrouter 1 router 0").unwrap().network;
        assert_eq!((network.router_of(0), network.router_of(1), network.links()), (1, 0, 2));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, message) in [
            ("router", "line 1, column 7: expected a router, found the end of the line"),
            ("router 0", "line 1, column 9: expected `router` or `node`, found the end of the line"),
            ("router 0 switch 1", "line 1, column 10: expected `router` or `node`, found `switch`"),
            ("router 0 router 0", "line 1, column 17: a link leads from router 0 to itself"),
            ("router 0 router 1 0", "line 1, column 17: the link takes 0 cycles; a link takes at least 1"),
            ("router 0 node 0 router 2", "router 1 is missing; routers are numbered from 0 without gaps"),
            ("router 0 node 1 router 1", "node 0 is missing; nodes are numbered from 0 without gaps"),
            ("router 0 node 0 router 1\nrouter 1 node 0", "line 2, column 15: node 0 is at router 0 already"),
            (
                "router 0 node 0 router 1 router 1",
                "line 1, column 33: the link from router 0 to router 1 is listed twice",
            ),
            ("node 0 node 1", "line 1, column 13: a node is linked to a router, and this line links it to a node"),
            ("router 4000000000 node 0", "line 1, column 8: expected a router, at most 8388607, found `4000000000`"),
            ("router 0 router 1", "the network has no nodes"),
        ] {
            assert_eq!(read_text(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn what_anynet_has_no_words_for_is_refused() {
        let read =
            |text: &str| super::super::native::FORMAT.read(text, &Options { link_cycles: 1, cycle_ns: 0.0 }).unwrap();
        let trunk = read("routers 2\n0 1 trunk 2\nnode 0 0\n").network;
        assert!(write(&trunk).unwrap_err().contains("no parallel links"));
        let narrow = read("routers 2\n0 1 period 2\nnode 0 0\n").network;
        assert!(write(&narrow).unwrap_err().contains("no narrow links"));
    }
}
