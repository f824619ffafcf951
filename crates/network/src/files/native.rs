//! The native edge list, which holds all of a network.
//!
//! ```text
//! routers 3                                      # first; routers are numbered from 0
//! 0 1                                            # a link of one cycle, at the next free ports
//! 1 2 cycles 10                                  # of ten cycles each way
//! 0 2 cycles 10 12 period 2 kind up trunk 2      # two links; 10 cycles there and 12 back, a flit each 2 cycles
//! node 0 0                                       # node 0 at router 0; nodes are numbered from 0
//! node 1 2
//! ```
//!
//! `ports 3 0` in a link names the port at its first and at its second router. Either all links name their ports, or none does.
//! `router 5 ports 7` gives router 5 seven ports, although some of them may lead nowhere.

use super::draft::{Draft, Edge};
use super::words::{Line, Word, Wrong, lines};
use super::{Format, Options, Read, first_word};
use crate::graph::{LinkKind, Network, Wire, limits};
use std::fmt::Write;

pub static FORMAT: Format = Format {
    name: "native",
    summary: "the edge list of this program, which holds all of a network",
    is_like: |text| first_word(text) == Some("routers"),
    read: Some(read),
    write: Some(|network| Ok(write(network))),
};

fn read(text: &str, options: &Options) -> Result<Read, Wrong> {
    let mut lines = lines(text);
    let head = "`routers` and the number of routers";
    let Some(mut first) = lines.next() else {
        return Err(Wrong::whole(format!("expected {head}, found an empty file")));
    };
    let word = first.expect(head)?;
    if word.text != "routers" {
        return Err(word.instead_of(head));
    }
    let routers = first.number("the number of routers", limits::ROUTERS)? as usize;
    first.end()?;
    let mut reader = Reader { draft: Draft::new(routers, Vec::new()), link_cycles: options.link_cycles };
    for line in lines {
        reader.line(line)?;
    }
    if let Some(node) = reader.draft.router_of.iter().position(|&router| router == u32::MAX) {
        return Err(Wrong::whole(format!("node {node} is missing; nodes are numbered from 0 without gaps")));
    }
    Ok(Read { network: reader.draft.network()?, notes: Vec::new() })
}

struct Reader {
    draft: Draft,
    link_cycles: u32,
}

impl Reader {
    fn line(&mut self, mut line: Line) -> Result<(), Wrong> {
        let word = line.expect("a link, `node` or `router`")?;
        match word.text {
            "node" => self.node(&mut line)?,
            "router" => self.router(&mut line)?,
            _ => self.link(&mut line, &word)?,
        }
        line.end()
    }

    /// A router by its number.
    fn known(&self, word: &Word) -> Result<u32, Wrong> {
        let router = word.number("a router", u32::MAX.into())?;
        let routers = self.draft.routers;
        if router as usize >= routers {
            return Err(word.wrong(format!("there is no router {router}; the file has {routers}, numbered from 0")));
        }
        Ok(router)
    }

    fn node(&mut self, line: &mut Line) -> Result<(), Wrong> {
        let word = line.expect("the number of a node")?;
        let node = word.number("the number of a node", limits::NODES - 1)? as usize;
        let router = self.known(&line.expect("the router of the node")?)?;
        let routers = &mut self.draft.router_of;
        if node >= routers.len() {
            routers.resize(node + 1, u32::MAX);
        }
        if routers[node] != u32::MAX {
            return Err(word.wrong(format!("node {node} is listed twice")));
        }
        routers[node] = router;
        Ok(())
    }

    fn router(&mut self, line: &mut Line) -> Result<(), Wrong> {
        let router = self.known(&line.expect("a router")?)?;
        let word = line.expect("`ports`")?;
        if word.text != "ports" {
            return Err(word.instead_of("`ports`"));
        }
        let ports = line.number("a number of ports", limits::PORTS_OF_ROUTER)?;
        self.draft.ports.resize(self.draft.routers, 0);
        self.draft.ports[router as usize] = ports;
        Ok(())
    }

    fn link(&mut self, line: &mut Line, first: &Word) -> Result<(), Wrong> {
        if !first.text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(first.instead_of("a router, `node` or `router`"));
        }
        let ends = [self.known(first)?, self.known(&line.expect("the second router of the link")?)?];
        let wire = Wire::new(self.link_cycles, LinkKind::Any);
        let mut edge = Edge { line: line.number as u32, ends, ports: None, trunk: 1, wire };
        while let Some(word) = line.next() {
            attribute(&mut edge, line, &word)?;
        }
        let ports = |edge: &Edge| edge.ports.is_some();
        if let Some(before) = self.draft.edges.first().filter(|before| ports(before) != ports(&edge)) {
            let (with, without) = if ports(&edge) { (edge.line, before.line) } else { (before.line, edge.line) };
            return Err(line.wrong(format!("the link of line {with} has ports, and that of line {without} has none")));
        }
        self.draft.link(edge)
    }
}

fn attribute(edge: &mut Edge, line: &mut Line, word: &Word) -> Result<(), Wrong> {
    let cycles = u64::from(limits::CYCLES);
    let positive = |line: &mut Line, what: &str, most| {
        let word = line.expect(what)?;
        match word.number(what, most)? {
            0 => Err(word.instead_of(&format!("{what}, at least 1"))),
            number => Ok(number),
        }
    };
    match word.text {
        "ports" => {
            let mut port = || line.number("a port", limits::PORTS_OF_ROUTER - 1);
            edge.ports = Some([port()? as u16, port()? as u16]);
        }
        "cycles" => {
            edge.wire.cycles = positive(line, "a number of cycles", cycles)?;
            edge.wire.cycles_back = edge.wire.cycles;
            let mut ahead = *line;
            if ahead.next().is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit())) {
                edge.wire.cycles_back = positive(line, "a number of cycles", cycles)?;
            }
        }
        "period" => edge.wire.period = positive(line, "a number of cycles", cycles)?,
        "trunk" => edge.trunk = positive(line, "a number of links", limits::PORTS_OF_ROUTER)? as u16,
        "kind" => {
            let what = "any, local, global, up, down, or higher, lower or across with a dimension";
            let word = line.expect(what)?;
            edge.wire.kind = LinkKind::parse(word.text).ok_or_else(|| word.instead_of(what))?;
        }
        _ => return Err(word.instead_of("`ports`, `cycles`, `period`, `kind` or `trunk`")),
    }
    Ok(())
}

fn write(network: &Network) -> String {
    let mut text = format!("routers {}\n", network.routers());
    let push = |text: &mut String, line: std::fmt::Arguments| text.write_fmt(line).expect("a string takes all text");
    for router in 0..network.routers() as u32 {
        let ports = network.ports(router);
        if ports > 0 && network.peer(router, ports - 1).is_none() {
            push(&mut text, format_args!("router {router} ports {ports}\n"));
        }
    }
    for router in 0..network.routers() as u32 {
        for (port, link) in network.links_of(router).filter(|(_, link)| router < link.to.router) {
            let back = network.link(link.to.router, link.to.port as usize).expect("links lead back");
            push(
                &mut text,
                format_args!("{router} {} ports {port} {} cycles {}", link.to.router, link.to.port, link.cycles),
            );
            if back.cycles != link.cycles {
                push(&mut text, format_args!(" {}", back.cycles));
            }
            if link.period != 1 {
                push(&mut text, format_args!(" period {}", link.period));
            }
            if link.kind != LinkKind::Any {
                push(&mut text, format_args!(" kind {}", link.kind));
            }
            text.push('\n');
        }
    }
    for node in 0..network.nodes() as u32 {
        push(&mut text, format_args!("node {node} {}\n", network.router_of(node)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        read(text, &Options { link_cycles: 1, cycle_ns: 0.0 }).unwrap_err().to_string()
    }

    #[test]
    fn the_example_is_read() {
        let text =
            "routers 3\n0 1\n1 2 cycles 10\n0 2 cycles 10 12 period 2 kind up trunk 2 # two\nnode 0 0\nnode 1 2\n";
        let network = read(text, &Options { link_cycles: 3, cycle_ns: 0.0 }).unwrap().network;
        assert_eq!((network.routers(), network.nodes(), network.links(), network.nodes_at(1)), (3, 2, 8, 0));
        let (there, back) = (network.link(0, 1).unwrap(), network.link(2, 1).unwrap());
        assert_eq!(
            (there.cycles, there.period, there.kind, back.cycles, back.kind),
            (10, 2, LinkKind::Up, 12, LinkKind::Down)
        );
        assert_eq!(network.link(0, 0).unwrap().cycles, 3);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, message) in [
            ("", "expected `routers` and the number of routers, found an empty file"),
            ("nodes 3", "line 1, column 1: expected `routers` and the number of routers, found `nodes`"),
            (
                "routers 99999999999",
                "line 1, column 9: expected the number of routers, at most 8388608, found `99999999999`",
            ),
            ("routers 2\n0 2", "line 2, column 3: there is no router 2; the file has 2, numbered from 0"),
            ("routers 2\n0", "line 2, column 2: expected the second router of the link, found the end of the line"),
            ("routers 2\nlink 0 1", "line 2, column 1: expected a router, `node` or `router`, found `link`"),
            (
                "routers 2\n0 1 speed 3",
                "line 2, column 5: expected `ports`, `cycles`, `period`, `kind` or `trunk`, found `speed`",
            ),
            ("routers 2\n0 1 cycles 0", "line 2, column 12: expected a number of cycles, at least 1, found `0`"),
            (
                "routers 2\n0 1 kind sideways",
                "line 2, column 10: expected any, local, global, up, down, or higher, lower or across with a dimension, found `sideways`",
            ),
            ("routers 2\n0 1 ports 0 0\n1 0 ports 1 0\nnode 0 0", "line 3: port 0 of router 0 is used by two links"),
            (
                "routers 2\n0 1 ports 0 0\n0 1\nnode 0 0",
                "line 3: the link of line 2 has ports, and that of line 3 has none",
            ),
            ("routers 2\n0 0\nnode 0 0", "line 2: a link leads from router 0 to itself"),
            ("routers 2\n0 1", "the network has no nodes"),
            ("routers 2\n0 1\nnode 1 0", "node 0 is missing; nodes are numbered from 0 without gaps"),
            ("routers 2\n0 1\nnode 0 0\nnode 0 1", "line 4, column 6: node 0 is listed twice"),
            ("routers 2\nnode 0 0", "the network is not connected: router 0 reaches 1 of 2 routers, and not router 1"),
            (
                "routers 2\n0 1 trunk 40000",
                "line 2, column 11: expected a number of links, at most 32768, found `40000`",
            ),
            ("routers 2\n0 1 trunk 32768\n0 1\nnode 0 0", "line 3: router 0 has 32769 ports; 32768 are the most"),
            ("routers 2\nrouter 0 7", "line 2, column 10: expected `ports`, found `7`"),
        ] {
            assert_eq!(wrong(text), message);
        }
    }

    /// A short file cannot ask for much memory, nor for much time.
    #[test]
    fn hostile_sizes_are_refused_at_once() {
        let many = format!("routers 8000000\n{}", "0 1 trunk 32768\n".repeat(1000));
        assert!(wrong(&many).contains("they are the most"));
        assert!(wrong("routers 1\nnode 16777216 0").contains("at most 16777215"));
    }

    /// A million nodes at 125,000 routers: the size that people have.
    #[test]
    fn a_large_file_is_read() {
        let routers = 125_000;
        let mut text = format!("routers {routers}\n");
        for router in 0..routers {
            for step in [1, 1000] {
                writeln!(text, "{router} {} cycles 10", (router + step) % routers).unwrap();
            }
        }
        (0..8 * routers).for_each(|node| writeln!(text, "node {node} {}", node / 8).unwrap());
        let network = read(&text, &Options { link_cycles: 1, cycle_ns: 0.0 }).unwrap().network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (routers, 8 * routers, 4 * routers));
    }
}
