//! The `topology.txt` of HPCC and other work with ns-3: the numbers of nodes, switches and links, the switches, and then
//! `source destination rate delay error_rate` for each link.
//!
//! Hosts with one link are nodes. A host with several links, or linked to another host, becomes a router with one node. Routers and
//! nodes go by the file's numbers. The fastest link carries a flit each cycle. Error rates are not represented.

use super::draft::{Draft, Edge};
use super::physical::{cycles, note, period, quantity};
use super::words::{Word, Wrong, lines};
use super::{Format, Options, Read};
use crate::graph::{LinkKind, Wire, limits};

pub static FORMAT: Format = Format {
    name: "ns3",
    summary: "topology.txt of HPCC, SimAI and other work with ns-3",
    is_like,
    read: Some(read),
    write: None,
};

const RATES: [(&str, f64); 5] = [("bps", 1.0), ("Kbps", 1e3), ("Mbps", 1e6), ("Gbps", 1e9), ("Tbps", 1e12)];
const DELAYS: [(&str, f64); 4] = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];

fn is_like(text: &str) -> bool {
    let head = lines(text).next().map(|line| line.rest().split_whitespace().map(str::parse::<u32>).collect::<Vec<_>>());
    head.is_some_and(|words| words.len() == 3 && words.iter().all(Result::is_ok))
}

/// A link of the file.
struct Cable {
    line: u32,
    ends: [u32; 2],
    rate: f64,
    cycles: u32,
}

fn read(text: &str, options: &Options) -> Result<Read, Wrong> {
    let mut words = lines(text).flat_map(|mut line| std::iter::from_fn(move || line.next()));
    let mut next = |what: &str| words.next().ok_or_else(|| Wrong::at_end(text, what));
    let things = next("the number of nodes")?.number("the number of nodes", limits::NODES)?;
    let switches = next("the number of switches")?.number("the number of switches", things.into())?;
    let links = next("the number of links")?.number("the number of links", limits::PORTS / 2)?;
    let mut is_switch = vec![false; things as usize];
    for _ in 0..switches {
        let word = next("the number of a switch")?;
        let switch = known(&word, things)?;
        if std::mem::replace(&mut is_switch[switch as usize], true) {
            return Err(word.wrong(format!("switch {switch} is listed twice")));
        }
    }
    let mut cables = Vec::new();
    for _ in 0..links {
        cables.push(cable(&mut next, things, options)?);
    }
    if let Some(word) = words.next() {
        return Err(word.instead_of(&format!("the end of the file after {links} links")));
    }
    let is_router = routers(&cables, &is_switch);
    let router_of = seats(&cables, &is_switch, &is_router)?;
    network(&cables, &is_router, router_of, options)
}

/// The number of a host or a switch.
fn known(word: &Word, things: u32) -> Result<u32, Wrong> {
    let number = word.number("the number of a node", u32::MAX.into())?;
    if number >= things {
        return Err(word.wrong(format!("there is no node {number}; the file has {things}, numbered from 0")));
    }
    Ok(number)
}

fn cable<'t>(
    next: &mut impl FnMut(&str) -> Result<Word<'t>, Wrong>,
    things: u32,
    options: &Options,
) -> Result<Cable, Wrong> {
    let first = next("a link")?;
    let ends = [known(&first, things)?, known(&next("the other end of the link")?, things)?];
    let (rates, delays) = ("a rate such as 100Gbps", "a delay such as 1000ns");
    let word = next(rates)?;
    let rate = quantity(word.text, &RATES).ok_or_else(|| word.instead_of(rates))?;
    let word = next(delays)?;
    let delay = quantity(word.text, &DELAYS).ok_or_else(|| word.instead_of(delays))?;
    let cycles = cycles(delay, options).map_err(|message| word.wrong(message))?;
    let errors = "an error rate such as 0";
    let word = next(errors)?;
    if !word.text.parse::<f64>().is_ok_and(|rate| (0.0..=1.0).contains(&rate)) {
        return Err(word.instead_of(errors));
    }
    Ok(Cable { line: first.line() as u32, ends, rate, cycles })
}

/// Switches, and hosts that are linked to each other or to several switches.
fn routers(cables: &[Cable], is_switch: &[bool]) -> Vec<bool> {
    let mut links = vec![0u32; is_switch.len()];
    cables.iter().flat_map(|cable| cable.ends).for_each(|end| links[end as usize] += 1);
    let mut is_router = is_switch.to_vec();
    for cable in cables {
        let two_hosts = cable.ends.iter().all(|&end| !is_switch[end as usize]);
        for end in cable.ends {
            is_router[end as usize] |= two_hosts || links[end as usize] > 1;
        }
    }
    is_router
}

/// The numbers of the routers among all nodes of the file.
fn numbers(is_router: &[bool]) -> Vec<u32> {
    let count = |routers: &mut u32, &is: &bool| Some(std::mem::replace(routers, *routers + u32::from(is)));
    is_router.iter().scan(0, count).collect()
}

/// The router of every host, in the order of their numbers.
fn seats(cables: &[Cable], is_switch: &[bool], is_router: &[bool]) -> Result<Vec<u32>, Wrong> {
    let number = numbers(is_router);
    let mut at: Vec<Option<u32>> = (0..).zip(is_router).map(|(i, &is): (usize, _)| is.then_some(number[i])).collect();
    for &Cable { ends: [a, b], .. } in cables {
        for (host, far) in [(a, b), (b, a)] {
            if !is_router[host as usize] {
                at[host as usize] = Some(number[far as usize]);
            }
        }
    }
    let hosts = (0..at.len()).filter(|&thing| !is_switch[thing]);
    hosts.map(|host| at[host].ok_or_else(|| Wrong::whole(format!("host {host} has no link")))).collect()
}

fn network(cables: &[Cable], is_router: &[bool], router_of: Vec<u32>, options: &Options) -> Result<Read, Wrong> {
    let number = numbers(is_router);
    let between = |cable: &&Cable| cable.ends.iter().all(|&end| is_router[end as usize]);
    let fastest = cables.iter().filter(between).map(|cable| cable.rate).fold(0.0, f64::max);
    let mut draft = Draft::new(is_router.iter().filter(|&&is| is).count(), router_of);
    let mut rounded = 0;
    for cable in cables.iter().filter(between) {
        let wrong = |message| Wrong { line: cable.line as usize, column: 0, message };
        let (period, exact) = period(cable.rate, fastest).map_err(wrong)?;
        rounded += usize::from(!exact);
        let wire = Wire { period, ..Wire::new(cable.cycles, LinkKind::Any) };
        let ends = cable.ends.map(|end| number[end as usize]);
        draft.link(Edge { line: cable.line, ends, ports: None, trunk: 1, wire })?;
    }
    let mut notes: Vec<String> = note(options).into_iter().collect();
    if rounded > 0 {
        notes.push(format!("the rates of {rounded} links are rounded to a whole fraction of the fastest link's"));
    }
    Ok(Read { network: draft.network()?, notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { link_cycles: 3, cycle_ns: 2.0 };

    /// Two switches with two hosts each; the link between the switches is four times faster than those of the hosts.
    const FILE: &str = "6 2 5\n4 5\n0 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 5 100Gbps 0.001ms 0\n3 5 100Gbps 1us 0\n\
                        4 5 400Gbps 1000ns 0.000000\n";

    #[test]
    fn hosts_are_nodes_and_switches_routers() {
        let read = read(FILE, &OPTIONS).unwrap();
        let network = read.network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (2, 4, 2));
        assert_eq!((0..4).map(|node| network.router_of(node)).collect::<Vec<_>>(), [0, 0, 1, 1]);
        assert_eq!((network.link(0, 0).unwrap().cycles, network.link(0, 0).unwrap().period), (500, 1));
        assert!(read.notes.is_empty());
        assert!(is_like(FILE) && !is_like("4 5\n"));
        let without = super::read(FILE, &Options { link_cycles: 3, cycle_ns: 0.0 }).unwrap();
        assert_eq!((without.network.link(0, 0).unwrap().cycles, without.notes.len()), (3, 1));
    }

    #[test]
    fn a_host_with_several_links_is_a_router() {
        let text = "4 2 4\n2 3\n0 2 200Gbps 1us 0\n0 3 400Gbps 1us 0\n1 3 400Gbps 1us 0\n2 3 300Gbps 1us 0\n";
        let read = read(text, &OPTIONS).unwrap();
        let network = read.network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (3, 2, 6));
        assert_eq!((network.router_of(0), network.router_of(1)), (0, 2));
        let periods: Vec<u32> = network.links_of(0).map(|(_, link)| link.period).collect();
        assert_eq!(periods, [2, 1]);
        assert!(read.notes[0].contains("rates of 1 links are rounded"));
    }

    #[test]
    fn two_hosts_with_a_link_are_a_network() {
        let network = read("2 0 1\n0 1 1Gbps 1ns 0", &OPTIONS).unwrap().network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (2, 2, 2));
    }

    #[test]
    fn wrong_words_are_named() {
        let with = |from: &str, to: &str| read(&FILE.replacen(from, to, 1), &OPTIONS).unwrap_err().to_string();
        for (from, to, message) in [
            ("6 2 5", "6 7 5", "line 1, column 3: expected the number of switches, at most 6, found `7`"),
            ("4 5\n", "4 6\n", "line 2, column 3: there is no node 6; the file has 6, numbered from 0"),
            ("4 5\n", "4 4\n", "line 2, column 3: switch 4 is listed twice"),
            ("100Gbps", "fast", "line 3, column 5: expected a rate such as 100Gbps, found `fast`"),
            ("1000ns", "1000", "line 3, column 13: expected a delay such as 1000ns, found `1000`"),
            (
                "1000ns",
                "1s",
                "line 3, column 13: a delay of 1000000000 ns is 500000000 cycles of 2 ns; 4096 cycles are the most",
            ),
            ("1000ns 0", "1000ns 2", "line 3, column 20: expected an error rate such as 0, found `2`"),
            ("6 2 5", "6 2 6", "line 7: expected a link, found the end of the file"),
            ("6 2 5", "6 2 4", "line 7, column 1: expected the end of the file after 4 links, found `4`"),
            ("6 2 5", "7 2 5", "host 6 has no link"),
            (
                "6 2 5",
                "99999999999 2 5",
                "line 1, column 1: expected the number of nodes, at most 16777216, found `99999999999`",
            ),
        ] {
            assert_eq!(with(from, to), message);
        }
    }
}
