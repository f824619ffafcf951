//! The `.topo` files of htsim: a fat tree of two or three tiers.
//!
//! Routers are numbered from the top-of-rack switches up, as in the kind `folded_clos`. The fastest link between switches carries a
//! flit each cycle. Queues and the latencies of switches are not represented.

use super::physical::{cycles, note, period};
use super::words::{Line, Wrong, lines};
use super::{Format, Options, Read, first_word};
use crate::family::clos::{self, Level};
use crate::graph::limits;

pub static FORMAT: Format = Format {
    name: "htsim",
    summary: ".topo files of htsim (UET): fat trees of two or three tiers",
    is_like: |text| first_word(text).is_some_and(|word| word.eq_ignore_ascii_case("nodes")),
    read: Some(read),
    write: None,
};

/// Keys of a tier that are read, in the order of [`Tier`].
const KEYS: [&str; 6] =
    ["downlink_speed_gbps", "radix_down", "radix_up", "downlink_latency_ns", "bundle", "oversubscribed"];

/// Keys of a tier that are not represented.
const OTHERS: [&str; 3] = ["switch_latency_ns", "queue_up", "queue_down"];

/// Values by the positions of [`KEYS`].
type Tier = [Option<u32>; KEYS.len()];

/// What a file says.
#[derive(Default)]
struct Reader {
    nodes: Option<u32>,
    tiers: Option<u32>,
    podsize: Option<u32>,
    tier: Vec<Tier>,
    current: Option<usize>,
    left_out: Vec<&'static str>,
}

fn read(text: &str, options: &Options) -> Result<Read, Wrong> {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.line(line)?;
    }
    reader.network(options)
}

impl Reader {
    fn line(&mut self, mut line: Line) -> Result<(), Wrong> {
        let what = "Nodes, Tiers, Podsize, Tier, or a key of a tier";
        let word = line.expect(what)?;
        let key = word.text.to_ascii_lowercase();
        let head = match key.as_str() {
            "nodes" => Some((&mut self.nodes, limits::NODES)),
            "tiers" => Some((&mut self.tiers, 3)),
            "podsize" => Some((&mut self.podsize, limits::NODES)),
            _ => None,
        };
        if let Some((value, most)) = head {
            if value.replace(line.number("a number", most)?).is_some() {
                return Err(word.wrong(format!("`{}` is given twice", word.text)));
            }
        } else if key == "tier" {
            let tier = line.number("the number of a tier", 2)? as usize;
            self.tier.resize(self.tier.len().max(tier + 1), [None; KEYS.len()]);
            self.current = Some(tier);
        } else if let Some(at) = KEYS.iter().position(|known| *known == key) {
            let Some(tier) = self.current else {
                return Err(word.wrong(format!("`{}` must follow a Tier", word.text)));
            };
            let number = line.expect("a number")?;
            match number.number("a number", 1 << 20)? {
                0 => return Err(number.instead_of("a number of at least 1")),
                value if self.tier[tier][at].replace(value).is_none() => {}
                _ => return Err(word.wrong(format!("`{}` is given twice", word.text))),
            }
        } else if let Some(other) = OTHERS.iter().find(|known| **known == key) {
            let value = line.number("a number", u32::MAX.into())?;
            if value > 0 && !self.left_out.contains(other) {
                self.left_out.push(other);
            }
        } else {
            return Err(word.instead_of(what));
        }
        line.end()
    }

    /// A value of a tier, which must be there.
    fn value(&self, tier: usize, key: &str) -> Result<u32, Wrong> {
        let at = KEYS.iter().position(|known| *known == key).expect("a known key");
        let missing = || Wrong::whole(format!("tier {tier} has no `{key}`"));
        self.tier.get(tier).and_then(|tier| tier[at]).ok_or_else(missing)
    }

    /// Parallel links from a tier to the tier below.
    fn bundle(&self, tier: usize) -> u32 {
        self.value(tier, "bundle").unwrap_or(1)
    }

    fn network(self, options: &Options) -> Result<Read, Wrong> {
        let head = |value: Option<u32>, key: &str| match value {
            Some(value) if value > 0 => Ok(value),
            _ => Err(Wrong::whole(format!("the file gives no `{key}` of at least 1"))),
        };
        let (nodes, tiers) = (head(self.nodes, "Nodes")?, head(self.tiers, "Tiers")? as usize);
        let podsize = self.podsize.filter(|&size| size > 0).unwrap_or(nodes);
        if tiers < 2 {
            return Err(Wrong::whole("a network of one tier is a single switch; there must be two or three"));
        }
        if self.bundle(0) != 1 {
            return Err(Wrong::whole(
                "hosts with several links to a switch are not represented; tier 0 has a `Bundle`",
            ));
        }
        let down = self.value(0, "radix_down")?;
        // Switches and pods that a router of the tier above a level is joined to.
        let groups = if tiers == 3 { [podsize, nodes] } else { [nodes, nodes] };
        let mut levels = vec![self.level(0, down, options)?];
        let mut below = down;
        for tier in 1..tiers {
            let group = groups[tier - 1];
            if group % below != 0 {
                return Err(Wrong::whole(format!(
                    "{group} nodes above tier {tier} are no multiple of {below} below it"
                )));
            }
            let joined = group / below;
            let (radix, bundle) = (self.value(tier, "radix_down")?, self.bundle(tier));
            if u64::from(radix) != u64::from(joined) * u64::from(bundle) {
                return Err(Wrong::whole(format!(
                    "a switch of tier {tier} has {radix} links down (`Radix_Down`), and needs {} for {joined} switches \
                     with {bundle} links each (`Bundle`)",
                    u64::from(joined) * u64::from(bundle)
                )));
            }
            levels.push(if tier + 1 < tiers { self.level(tier, joined, options)? } else { root(joined) });
            below = group;
        }
        let mut notes: Vec<String> = note(options).into_iter().collect();
        notes.extend(self.periods(&mut levels)?);
        if !self.left_out.is_empty() {
            notes.push(format!("{} of the file are not represented", self.left_out.join(", ")));
        }
        let network = clos::build(&levels).map_err(|error| Wrong::whole(error.message))?;
        Ok(Read { network, notes })
    }

    /// A tier that is not the last: routers or nodes joined below, and its links up.
    fn level(&self, tier: usize, down: u32, options: &Options) -> Result<Level, Wrong> {
        let (links, trunk) = (self.value(tier, "radix_up")?, self.bundle(tier + 1));
        if links % trunk != 0 {
            return Err(Wrong::whole(format!(
                "{links} links up of tier {tier} are no multiple of the `Bundle` of {trunk} of tier {}",
                tier + 1
            )));
        }
        let ns = self.value(tier + 1, "downlink_latency_ns")?;
        let cycles = cycles(ns.into(), options).map_err(Wrong::whole)?;
        Ok(Level { down, up: links / trunk, trunk, cycles, period: 1 })
    }

    /// Sets the periods of all links; what is to be said of them.
    fn periods(&self, levels: &mut [Level]) -> Result<Vec<String>, Wrong> {
        let speeds: Vec<u32> =
            (0..levels.len()).map(|tier| self.value(tier, "downlink_speed_gbps")).collect::<Result<_, _>>()?;
        let fastest = speeds[1..].iter().copied().max().unwrap_or(1);
        let mut notes = Vec::new();
        for (tier, &speed) in speeds.iter().enumerate().skip(1) {
            let (period, exact) = period(speed.into(), fastest.into()).map_err(Wrong::whole)?;
            levels[tier - 1].period = period;
            if !exact {
                notes.push(format!("the speed of tier {tier} is rounded to one in {period} of the fastest link's"));
            }
        }
        for tier in 0..levels.len() - 1 {
            let (Ok(ratio), level) = (self.value(tier, "oversubscribed"), &levels[tier]) else { continue };
            let down = self.tier_ports(tier, levels)? * u64::from(speeds[tier]);
            let up = u64::from(level.up) * u64::from(level.trunk) * u64::from(speeds[tier + 1]);
            if down != up * u64::from(ratio) {
                notes.push(format!(
                    "`Oversubscribed` of tier {tier} is {ratio}, but its links give {:.4}",
                    down as f64 / up as f64
                ));
            }
        }
        if speeds[0] != fastest {
            let speed = speeds[0];
            notes.push(format!(
                "links of nodes run at {speed} Gb/s in the file; here they carry a flit each cycle, as {fastest} Gb/s"
            ));
        }
        Ok(notes)
    }

    /// Links of a switch down.
    fn tier_ports(&self, tier: usize, levels: &[Level]) -> Result<u64, Wrong> {
        let trunk = if tier == 0 { 1 } else { levels[tier - 1].trunk };
        Ok(u64::from(levels[tier].down) * u64::from(trunk))
    }
}

/// The last tier.
fn root(down: u32) -> Level {
    Level { down, up: 0, trunk: 1, cycles: 1, period: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { link_cycles: 1, cycle_ns: 10.0 };

    fn tiers(nodes: u32, pod: u32, tiers: &[&str]) -> String {
        let head = format!("# made by hand\nNodes {nodes}\nTiers {}\nPodsize {pod}\n", tiers.len());
        let tier = |(n, text): (usize, &&str)| {
            format!("\nTier {n}\nDownlink_speed_Gbps 100\n{text}\nDownlink_Latency_ns 1000\n")
        };
        head + &tiers.iter().enumerate().map(tier).collect::<String>()
    }

    #[test]
    fn three_tiers_are_a_fat_tree() {
        let text =
            tiers(64, 16, &["Radix_Down 4\nRadix_Up 4", "Radix_Down 4\nRadix_Up 4\nOversubscribed 1", "Radix_Down 4"]);
        let read = read(&text, &OPTIONS).unwrap();
        let network = read.network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (48, 64, 256));
        assert_eq!((network.link(0, 0).unwrap().cycles, read.notes.len()), (100, 0));
    }

    #[test]
    fn bundles_are_trunks_and_slower_tiers_are_narrower() {
        let text = tiers(
            64,
            64,
            &["Radix_Down 8\nRadix_Up 4\nOversubscribed 2\nSwitch_Latency_ns 5", "Radix_Down 16\nBundle 2"],
        );
        let read = read(&text, &OPTIONS).unwrap();
        assert_eq!((read.network.routers(), read.network.links()), (10, 64));
        assert_eq!(read.notes, ["switch_latency_ns of the file are not represented"]);
        let slow = text.replacen("Gbps 100", "Gbps 400", 1);
        let notes = super::read(&slow, &OPTIONS).unwrap().notes;
        assert!(notes[0].contains("its links give 8.0000") && notes[1].contains("run at 400 Gb/s"), "{notes:?}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let good = tiers(64, 64, &["Radix_Down 8\nRadix_Up 4", "Radix_Down 8"]);
        assert!(read(&good, &OPTIONS).is_ok());
        let with = |from: &str, to: &str| read(&good.replacen(from, to, 1), &OPTIONS).unwrap_err().to_string();
        for (from, to, message) in [
            ("Nodes 64", "Nodes many", "line 2, column 7: expected a number, found `many`"),
            ("Nodes 64", "Nodes 64 65", "line 2, column 10: expected the end of the line, found `65`"),
            (
                "Nodes 64",
                "Hosts 64",
                "line 2, column 1: expected Nodes, Tiers, Podsize, Tier, or a key of a tier, found `Hosts`",
            ),
            ("Tiers 2", "Tiers 4", "line 3, column 7: expected a number, at most 3, found `4`"),
            ("Podsize 64", "Nodes 64", "line 4, column 1: `Nodes` is given twice"),
            ("Radix_Down 8", "Radix_Down 0", "line 8, column 12: expected a number of at least 1, found `0`"),
            ("\nRadix_Up 4", "", "tier 0 has no `radix_up`"),
            ("Radix_Down 8", "Radix_Down 7", "64 nodes above tier 1 are no multiple of 7 below it"),
            (
                "Radix_Down 8",
                "Radix_Down 16",
                "a switch of tier 1 has 8 links down (`Radix_Down`), and needs 4 for 4 switches with 1 links each (`Bundle`)",
            ),
            ("Podsize 64\n", "Radix_Up 4\n", "line 4, column 1: `Radix_Up` must follow a Tier"),
        ] {
            assert_eq!(with(from, to), message);
        }
    }
}
