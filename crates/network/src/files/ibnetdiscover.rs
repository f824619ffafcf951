//! The output of `ibnetdiscover`, of an InfiniBand fabric: a block for every switch, with a line for every port in use.
//!
//! Routers are the switches in the order of their blocks. Every port of a channel adapter that is linked to a switch is a node, and
//! nodes go by switch and port. Ports of switches are numbered anew in the order of the file's numbers, without those of nodes.

use super::draft::{Draft, Edge};
use super::words::Wrong;
use super::{Format, Options, Read};
use crate::graph::{LinkKind, Wire, limits};
use std::collections::HashMap;
use tailback_base::text::word;

pub static FORMAT: Format = Format {
    name: "ibnetdiscover",
    summary: "what ibnetdiscover prints of an InfiniBand fabric",
    is_like: |text| {
        text.lines().any(|line| head(line).is_some_and(|(kind, rest)| kind == "Switch" && rest.contains('"')))
    },
    read: Some(read),
    write: None,
};

/// A switch and its ports in use.
struct Switch<'t> {
    /// Ports by their number in the file.
    ports: Vec<Cable<'t>>,
}

/// What a line says of a port.
#[derive(Clone, Copy)]
struct Cable<'t> {
    port: u32,
    far: &'t str,
    far_port: u32,
    line: usize,
    /// Links to switches before it: the new number of its port.
    rank: u32,
}

/// The kind of a block that a line begins, and the rest of the line.
fn head(line: &str) -> Option<(&str, &str)> {
    let (kind, rest) = line.split_once(char::is_whitespace)?;
    matches!(kind, "Switch" | "Ca" | "Rt").then_some((kind, rest))
}

fn read(text: &str, options: &Options) -> Result<Read, Wrong> {
    let mut switches: Vec<Switch> = Vec::new();
    // Looked up, never iterated.
    let mut number: HashMap<&str, u32> = HashMap::new();
    let mut in_switch = false;
    for (n, line) in (1..).zip(text.lines()) {
        let code = line.split('#').next().unwrap_or("");
        let mut cursor = Cursor { text: code, at: 0, line: n };
        if let Some((kind, _)) = head(code) {
            in_switch = kind == "Switch";
            cursor.at = kind.len();
            cursor.blanks();
            cursor.number("a number of ports")?;
            cursor.blanks();
            let begin = cursor.at;
            let name = cursor.name()?;
            if in_switch && number.insert(name, switches.len() as u32).is_some() {
                return Err(cursor.wrong(begin, format!("switch \"{}\" has two blocks", word(name))));
            }
            if in_switch {
                switches.push(Switch { ports: Vec::new() });
            }
        } else if code.starts_with('[') {
            let cable = cursor.cable()?;
            if let (true, Some(switch)) = (in_switch, switches.last_mut()) {
                switch.ports.push(cable);
            }
        } else if !is_other(code) {
            return Err(cursor.instead_of("a block (`Switch`, `Ca`, `Rt`), a port (`[1]`), or `key=value`"));
        }
    }
    limits::check(switches.len() as u64, 1, 0).map_err(|fault| Wrong::whole(fault.to_string()))?;
    switches.iter_mut().try_for_each(|switch| sort(switch, &number))?;
    network(&switches, &number, options)
}

/// Lines that say nothing of links.
fn is_other(code: &str) -> bool {
    let code = code.trim();
    code.is_empty()
        || code.split_whitespace().next().is_some_and(|word| word.contains('='))
        || code.starts_with("Chassis ")
}

/// Puts ports in order, and numbers them anew.
fn sort(switch: &mut Switch, number: &HashMap<&str, u32>) -> Result<(), Wrong> {
    switch.ports.sort_by_key(|cable| (cable.port, cable.line));
    let mut links = 0;
    for cable in &mut switch.ports {
        cable.rank = links;
        links += u32::from(number.contains_key(cable.far));
    }
    if let (true, Some(last)) = (u64::from(links) > limits::PORTS_OF_ROUTER, switch.ports.last()) {
        let most = limits::PORTS_OF_ROUTER;
        return Err(at_line(last.line, format!("the switch has {links} links to switches; {most} are the most")));
    }
    match switch.ports.windows(2).find(|pair| pair[0].port == pair[1].port) {
        Some(pair) => Err(at_line(pair[1].line, format!("port {} is listed twice", pair[1].port))),
        None => Ok(()),
    }
}

fn at_line(line: usize, message: String) -> Wrong {
    Wrong { line, column: 0, message }
}

fn network(switches: &[Switch], number: &HashMap<&str, u32>, options: &Options) -> Result<Read, Wrong> {
    let at = |switch: u32, port: u32| {
        let ports = &switches[switch as usize].ports;
        ports.binary_search_by_key(&port, |cable| cable.port).ok().map(|position| ports[position])
    };
    let mut draft = Draft::new(switches.len(), Vec::new());
    for (switch, ports) in (0u32..).zip(switches.iter().map(|switch| &switch.ports)) {
        for cable in ports {
            let Some(&far) = number.get(cable.far) else {
                if cable.far.starts_with('S') {
                    return Err(at_line(cable.line, format!("switch \"{}\" has no block of its own", word(cable.far))));
                }
                draft.router_of.push(switch);
                continue;
            };
            let leads = |back: &Cable| number.get(back.far) == Some(&switch) && back.far_port == cable.port;
            let Some(back) = at(far, cable.far_port).filter(leads) else {
                let (name, port) = (word(cable.far), cable.far_port);
                return Err(at_line(
                    cable.line,
                    format!("port {port} of switch \"{name}\" does not lead back to this port"),
                ));
            };
            if (switch, cable.port) < (far, cable.far_port) {
                let ports = [cable.rank as u16, back.rank as u16];
                let wire = Wire::new(options.link_cycles, LinkKind::Any);
                draft.link(Edge {
                    line: cable.line as u32,
                    ends: [switch, far],
                    ports: Some(ports),
                    trunk: 1,
                    wire,
                })?;
            }
        }
    }
    let cycles = options.link_cycles;
    let notes =
        vec![format!("the file gives no delays and widths, so all links have `link_cycles` = {cycles} and full width")];
    Ok(Read { network: draft.network()?, notes })
}

/// A place in a line.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn wrong(&self, at: usize, message: String) -> Wrong {
        Wrong { line: self.line, column: self.text[..at].chars().count() + 1, message }
    }

    fn instead_of(&self, what: &str) -> Wrong {
        let found = match self.rest().split_whitespace().next() {
            Some(found) => format!("`{}`", word(found)),
            None => "the end of the line".to_owned(),
        };
        self.wrong(self.at, format!("expected {what}, found {found}"))
    }

    fn mark(&mut self, mark: char, what: &str) -> Result<(), Wrong> {
        if !self.rest().starts_with(mark) {
            return Err(self.instead_of(what));
        }
        self.at += mark.len_utf8();
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<u32, Wrong> {
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let number = self.rest()[..digits].parse().map_err(|_| self.instead_of(what))?;
        self.at += digits;
        Ok(number)
    }

    /// A name in quotation marks.
    fn name(&mut self) -> Result<&'t str, Wrong> {
        let what = "a name in quotation marks";
        self.mark('"', what)?;
        let Some(length) = self.rest().find('"') else { return Err(self.instead_of("a closing quotation mark")) };
        let name = &self.rest()[..length];
        self.at += length + 1;
        Ok(name)
    }

    fn port(&mut self) -> Result<u32, Wrong> {
        self.mark('[', "a port in brackets")?;
        let port = self.number("the number of a port")?;
        self.mark(']', "a closing bracket")?;
        Ok(port)
    }

    /// A port, perhaps its number outside (`[ext 3]`) or its identifier (`(...)`), the name of what it leads to, and the port there.
    fn cable(&mut self) -> Result<Cable<'t>, Wrong> {
        let port = self.port()?;
        for (open, close) in [("[ext", ']'), ("(", ')')] {
            if self.rest().starts_with(open) {
                let Some(end) = self.rest().find(close) else { return Err(self.instead_of("a closing bracket")) };
                self.at += end + 1;
            }
        }
        self.blanks();
        let far = self.name()?;
        Ok(Cable { port, far, far_port: self.port()?, line: self.line, rank: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { link_cycles: 4, cycle_ns: 0.0 };

    /// Two switches with two links between them; one adapter has a port at each, another one port at the second.
    const FILE: &str = "#\n# Topology file: generated on Tue Oct  5 14:15:10 2021\n#\n\
        vendid=0x2c9\ndevid=0xbd36\nsysimgguid=0xb\nswitchguid=0xa(a)\n\
        Switch\t36 \"S-000a\"\t\t# \"MF0;sw-a;\" enhanced port 0 lid 1 lmc 0\n\
        [2]\t\"H-0001\"[1](11) \t\t# \"host-1 HCA-1\" lid 3 4xQDR\n\
        [1]\t\"S-000b\"[36]\t\t# \"sw-b\" lid 2 4xQDR\n\
        [20][ext 2]\t\"S-000b\"[35]\t\t# \"sw-b\" lid 2 4xQDR\n\n\
        Switch\t36 \"S-000b\"\t\t# \"sw-b\"\n\
        [36]\t\"S-000a\"[1]\n[35]\t\"S-000a\"[20][ext 2]\n[5]\t\"H-0001\"[2](12)\n[7]\t\"H-0002\"[1](21)\n\n\
        caguid=0x1\nCa\t2 \"H-0001\"\t\t# \"host-1 HCA-1\"\n[1](11) \t\"S-000a\"[2]\t\t# lid 3\n[2](12) \t\"S-000b\"[5]\n\n\
        Ca\t1 \"H-0002\"\n[1](21) \t\"S-000b\"[7]\n";

    #[test]
    fn switches_are_routers_and_ports_of_adapters_are_nodes() {
        assert!((FORMAT.is_like)(FILE) && !(FORMAT.is_like)("router 0 node 0"));
        let network = read(FILE, &OPTIONS).unwrap().network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (2, 3, 4));
        assert_eq!((0..3).map(|node| network.router_of(node)).collect::<Vec<_>>(), [0, 1, 1]);
        // Port 1 of the first switch leads to port 36 of the second, which is the second of its two.
        assert_eq!((network.peer(0, 0).unwrap().port, network.peer(0, 1).unwrap().port), (1, 0));
        assert_eq!(network.link(0, 0).unwrap().cycles, 4);
    }

    #[test]
    fn wrong_lines_are_named() {
        let with = |from: &str, to: &str| read(&FILE.replacen(from, to, 1), &OPTIONS).unwrap_err().to_string();
        for (from, to, message) in [
            ("[2]\t", "[x]\t", "line 9, column 2: expected the number of a port, found `x]`"),
            ("[2]\t\"H", "[2]\tH", "line 9, column 5: expected a name in quotation marks, found `H-0001\"[1](11)`"),
            ("\"S-000a\"\t", "\"S-000a\t", "line 8, column 12: expected a closing quotation mark, found `S-000a`"),
            ("[2]\t", "[1]\t", "line 10: port 1 is listed twice"),
            ("\"S-000b\"[36]", "\"S-000c\"[36]", "line 10: switch \"S-000c\" has no block of its own"),
            (
                "\"S-000b\"[36]",
                "\"S-000b\"[34]",
                "line 10: port 34 of switch \"S-000b\" does not lead back to this port",
            ),
            ("Switch\t36 \"S-000b\"", "Switch\t36 \"S-000a\"", "line 13, column 11: switch \"S-000a\" has two blocks"),
            ("Switch\t36", "Switch\tmany", "line 8, column 8: expected a number of ports, found `many`"),
            (
                "vendid=0x2c9",
                "hello",
                "line 4, column 1: expected a block (`Switch`, `Ca`, `Rt`), a port (`[1]`), or `key=value`, found `hello`",
            ),
        ] {
            assert_eq!(with(from, to), message);
        }
        assert_eq!(read("", &OPTIONS).unwrap_err().to_string(), "the network has no routers");
    }
}
