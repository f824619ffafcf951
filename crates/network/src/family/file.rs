//! A network from a file.

use super::params::{entry, nodes_per_router, refusal};
use super::{Built, Family};
use crate::files::{FORMATS, Format, MOST_BYTES, Options};
use tailback_base::lines;
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = entry(
    "file",
    "any network, read from a file",
    &[
        Param {
            name: "path",
            kind: Kind::Path,
            unit: "",
            fallback: Fallback::Required,
            doc: "The file of the network.",
        },
        Param {
            name: "format",
            kind: Kind::Choice(&[
                ("auto", "by the content of the file"),
                ("native", "the edge list of this program"),
                ("anynet", "BookSim 2"),
                ("ns3", "topology.txt of HPCC, SimAI and other work with ns-3"),
                ("ibnetdiscover", "InfiniBand"),
                ("htsim", ".topo files of htsim"),
            ]),
            unit: "",
            fallback: Fallback::Text("auto"),
            doc: "The format of the file.",
        },
        Param {
            name: "cycle_ns",
            kind: Kind::Float { min: 0.0, max: 1e6 },
            unit: "ns",
            fallback: Fallback::Float(0.0),
            doc: "Length of a cycle, for files that give delays in time; 0: unknown, and every link takes `link_cycles`.",
        },
    ],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    if view.finite("nodes_per_router").is_some() {
        let message = format!(
            "`nodes_per_router` is {}, but the file says where nodes are; leave it out",
            nodes_per_router(view, 1)
        );
        return Err(refusal("topology.nodes_per_router", message));
    }
    let path = view.text("path");
    let wrong = |message: String| refusal("topology.path", message);
    let text = lines::read(path, MOST_BYTES, "network").map_err(wrong)?;
    let shown = tailback_base::text::shown(path);
    let format = match view.text("format") {
        "auto" => Format::of(&text).ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().filter(|format| format.is_read()).map(|format| format.name).collect();
            wrong(format!("{shown} is in no known format; known formats are {}", names.join(", ")))
        })?,
        name => Format::named(name).expect("the catalogue lists formats"),
    };
    let options = Options { link_cycles: view.u32("link_cycles"), cycle_ns: view.float("cycle_ns") };
    let mut read =
        format.read(&text, &options).map_err(|error| wrong(format!("{shown} ({}): {error}", format.name)))?;
    for (key, other) in others(&options) {
        // The native format holds all of a network.
        let other = format.read(&text, &other).map(|other| FORMATS[0].write(&other.network));
        if other.is_ok_and(|other| other == FORMATS[0].write(&read.network)) {
            let because = format!("because {shown} ({}) says how many cycles its links take", format.name);
            read.notes.push(format!("topology.{key} has no effect, {because}"));
        }
    }
    Ok(Built { notes: read.notes, ..Built::shortest(read.network) })
}

/// Other values of the options that are not the default, each with the name of its parameter.
fn others(options: &Options) -> impl Iterator<Item = (&'static str, Options)> + use<> {
    let other_link = Options { link_cycles: if options.link_cycles == 2 { 3 } else { 2 }, ..*options };
    let link = (options.link_cycles != 1).then_some(("link_cycles", other_link));
    let cycle = (options.cycle_ns > 0.0).then_some(("cycle_ns", Options { cycle_ns: 0.0, ..*options }));
    link.into_iter().chain(cycle)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, refused};
    use super::{ENTRY, FORMATS, Kind};

    #[test]
    fn every_format_that_is_read_can_be_chosen() {
        let Kind::Choice(choices) = ENTRY.params[1].kind else { panic!("a choice") };
        let read: Vec<&str> = FORMATS.iter().filter(|format| format.is_read()).map(|format| format.name).collect();
        assert_eq!(choices[1..].iter().map(|(name, _)| *name).collect::<Vec<_>>(), read);
    }

    #[test]
    fn files_are_found_and_named_in_messages() {
        let path = std::env::temp_dir().join(format!("tailback-network-{}", std::process::id()));
        let sets = format!("path={:?}", path.display().to_string());
        std::fs::write(&path, "routers 2\n0 1\nnode 0 0\nnode 1 1\n").unwrap();
        assert_eq!(built("file", &sets).network.nodes(), 2);
        assert!(refused("file", &format!("{sets} format=\"anynet\"")).contains("(anynet): line 1, column 1: expected"));
        assert!(refused("file", &format!("{sets} nodes_per_router=2")).contains("the file says where nodes are"));
        let notes = |text: &str, more: &str| {
            std::fs::write(&path, text).unwrap();
            built("file", &format!("{sets} {more}")).notes
        };
        assert!(notes("routers 2\n0 1\nnode 0 0\nnode 1 1\n", "link_cycles=3").is_empty());
        let all = "routers 2\n0 1 cycles 4\nnode 0 0\nnode 1 1\n";
        assert!(notes(all, "link_cycles=1").is_empty(), "it is the default");
        assert!(notes(all, "link_cycles=4")[0].starts_with("topology.link_cycles has no effect, because"));
        assert!(notes(all, "cycle_ns=2.5")[0].starts_with("topology.cycle_ns has no effect, because"));
        std::fs::write(&path, "what is this?").unwrap();
        assert!(refused("file", &sets).contains("in no known format"));
        std::fs::remove_file(&path).unwrap();
        assert!(refused("file", &sets).contains("cannot open"));
    }
}
