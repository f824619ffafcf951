//! Files of networks, a format each. Some are read, some are written, and the native one is both.
//!
//! Whoever names a file need not be whoever may read it: a message quotes one word of it at most.

mod anynet;
mod dot;
mod draft;
mod htsim;
mod ibnetdiscover;
mod json;
mod native;
mod ns3;
mod physical;
#[cfg(test)]
mod random;
mod words;

pub use words::Wrong;

use crate::graph::Network;

/// A format of files.
#[derive(Debug)]
pub struct Format {
    /// The word that selects it.
    pub name: &'static str,
    /// Which programs write or read such files.
    pub summary: &'static str,
    /// Whether a text begins like a file of the format.
    is_like: fn(&str) -> bool,
    read: Option<Reader>,
    write: Option<Writer>,
}

/// Reads a text.
type Reader = fn(&str, &Options) -> Result<Read, Wrong>;

/// Writes a network, or says in a sentence what of it the format has no words for.
type Writer = fn(&Network) -> Result<String, String>;

/// All formats. The first one that a text is like is that of the text.
pub const FORMATS: &[&Format] = &[
    &native::FORMAT,
    &anynet::FORMAT,
    &ns3::FORMAT,
    &ibnetdiscover::FORMAT,
    &htsim::FORMAT,
    &dot::FORMAT,
    &json::FORMAT,
];

/// The most bytes of a file that is read.
pub const MOST_BYTES: u64 = 128 << 20;

/// What a file does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Delay of links of which the file gives none \[cycles\].
    pub link_cycles: u32,
    /// Length of a cycle, where the file gives delays in time \[ns\]; 0: unknown.
    pub cycle_ns: f64,
}

/// A network that was read.
#[derive(Debug)]
pub struct Read {
    /// The network.
    pub network: Network,
    /// What the file leaves open, or what of it is not represented, a sentence each.
    pub notes: Vec<String>,
}

impl Format {
    /// The format of a name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().copied().find(|format| format.name == name)
    }

    /// The format that a text is written in, of those that are read.
    pub fn of(text: &str) -> Option<&'static Format> {
        FORMATS.iter().copied().find(|format| format.read.is_some() && (format.is_like)(text))
    }

    /// Whether files of it are read.
    pub fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// Whether files of it are written.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }

    /// Reads a text of the format, which [`Format::is_read`].
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn read(&self, text: &str, options: &Options) -> Result<Read, Wrong> {
        (self.read.expect("the format is read"))(text, options)
    }

    /// The text of a network in the format, which [`Format::is_written`].
    ///
    /// # Errors
    /// Where the format has no words for the network, in a sentence.
    pub fn write(&self, network: &Network) -> Result<String, String> {
        (self.write.expect("the format is written"))(network)
    }
}

/// The first word of a text, comments aside.
fn first_word(text: &str) -> Option<&str> {
    text.lines().map(|line| line.split('#').next().unwrap_or("")).find_map(|line| line.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::random::{any_networks, damage, plain_networks};
    use super::*;
    use proptest::prelude::*;

    const OPTIONS: Options = Options { link_cycles: 1, cycle_ns: 0.0 };

    #[test]
    fn names_are_unique_and_every_format_serves_for_something() {
        for (i, format) in FORMATS.iter().enumerate() {
            assert!(format.is_read() || format.is_written());
            assert!(FORMATS[..i].iter().all(|other| other.name != format.name));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_natively_is_read_back(network in any_networks()) {
            let text = native::FORMAT.write(&network).unwrap();
            prop_assert_eq!(Format::of(&text).unwrap().name, "native");
            let read = native::FORMAT.read(&text, &OPTIONS).unwrap();
            prop_assert!(read.network.is_same(&network), "{}", text);
            prop_assert!(read.notes.is_empty());
        }

        #[test]
        fn what_is_written_as_anynet_is_read_back(network in plain_networks()) {
            let Ok(text) = anynet::FORMAT.write(&network) else { return Ok(()) };
            let read = anynet::FORMAT.read(&text, &OPTIONS).unwrap().network;
            prop_assert_eq!((read.routers(), read.links(), read.nodes()), (network.routers(), network.links(), network.nodes()));
            for router in 0..network.routers() as u32 {
                let delays = |n: &Network| {
                    let mut links: Vec<_> = n.links_of(router).map(|(_, l)| (l.to.router, l.cycles)).collect();
                    links.sort_unstable();
                    links
                };
                prop_assert_eq!(delays(&read), delays(&network));
            }
        }

        /// Every format of a damaged file of any format: a network, or a place in the text.
        #[test]
        fn damaged_files_never_panic(network in any_networks(), which in 0..FORMATS.len() + SAMPLES.len(), cuts in damage()) {
            let text = match FORMATS.get(which) {
                Some(format) => format.write.unwrap_or(native::FORMAT.write.unwrap())(&network),
                None => Ok(SAMPLES[which - FORMATS.len()].to_owned()),
            };
            let Ok(text) = text else { return Ok(()) };
            let text = cuts.apply(&text);
            for format in FORMATS.iter().filter(|format| format.is_read()) {
                if let Err(wrong) = format.read(&text, &OPTIONS) {
                    prop_assert!(wrong.line <= text.lines().count() + 1, "{wrong}");
                }
            }
        }
    }

    /// Files that nothing here writes.
    const SAMPLES: [&str; 3] = [
        "5 2 4\n3 4\n0 3 100Gbps 1000ns 0\n1 4 100Gbps 1us 0\n2 4 50Gbps 1us 0\n3 4 400Gbps 0.001ms 0.000000\n",
        "Nodes 16\nTiers 3\nPodsize 8\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 2\nDownlink_Latency_ns 10\n\
         Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 4\nRadix_Up 2\nBundle 2\nDownlink_Latency_ns 10\n\
         Tier 2\nDownlink_speed_Gbps 400\nRadix_Down 2\nDownlink_Latency_ns 10\n",
        "switchguid=0xa(a)\nSwitch\t36 \"S-a\"\t# \"a\" lid 1\n[1]\t\"S-b\"[3]\n[2][ext 2]\t\"H-1\"[1](11) \t# lid 3\n\n\
         Switch\t36 \"S-b\"\n[3]\t\"S-a\"[1]\n[4]\t\"H-1\"[2](12)\n\nCa\t2 \"H-1\"\n[1](11) \t\"S-a\"[2]\n",
    ];

    #[test]
    fn formats_are_told_by_their_content() {
        for (text, name) in SAMPLES.iter().zip(["ns3", "htsim", "ibnetdiscover"]) {
            let format = Format::of(text).unwrap();
            assert_eq!(format.name, name);
            assert!(format.read(text, &OPTIONS).is_ok(), "{name}");
        }
        assert!(Format::of("graph network {").is_none() && Format::of("").is_none());
    }
}
