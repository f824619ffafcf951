//! What a spec may say about traffic.

use crate::{classes, pattern, process, size, workload};
use tailback_spec::{Fallback, Idle, Kind, Param, Section, When};

const TRAFFIC: &[Param] = &[
    Param {
        name: "load",
        kind: Kind::Float { min: 0.0, max: workload::MAX_LOAD },
        unit: "flits/node/cycle",
        fallback: Fallback::Float(0.1),
        doc: "Load that the spec asks of each sending node, under the workload `steady`. Nodes that a permutation maps \
            to themselves stay silent, and no other node sends their share.",
    },
    Param {
        name: "packet_flits",
        kind: Kind::Integer { min: 0, max: size::MAX_FLITS },
        unit: "flits",
        fallback: Fallback::Integer(0),
        doc: "Messages are cut into packets of this length (router kinds `wormhole` and `adaptive_cut_through`; of a program or a host under \
            every kind, where the last packet of a message may be shorter); `size` gives the length of messages. 0: every message is one packet.",
    },
    classes::PARAM,
];

const LOAD: Idle = Idle {
    keys: &["load"],
    when: &[When::Is("workload.kind", &["ramp", "phases", "collective", "program", "host"])],
    because: "the workload says by itself what nodes are asked for",
};

const PROCESS: Idle = Idle {
    keys: &[],
    when: &[When::Is("workload.kind", &["collective"])],
    because: "every node has its packets at cycle 0",
};

/// Of the pattern, the process and the lengths.
const PROGRAM: Idle = Idle {
    keys: &[],
    when: &[When::Is("workload.kind", &["program", "host"])],
    because: "the program or the host says who sends what to whom, and when",
};

/// Components that only parameters name.
pub fn nested() -> Vec<Section> {
    vec![workload::generate_section()]
}

/// The sections of this crate: `traffic`, `traffic.pattern`, `traffic.process`, `traffic.size` and `workload`.
pub fn sections() -> Vec<Section> {
    let choice =
        |path, doc, entries, default_entry, idle| Section { path, doc, params: &[], entries, default_entry, idle };
    vec![
        Section {
            path: "traffic",
            doc: "Who sends what, when, how long.",
            params: TRAFFIC,
            entries: Vec::new(),
            default_entry: None,
            idle: vec![&LOAD],
        },
        choice(
            "traffic.pattern",
            "To whom nodes send.",
            pattern::entries(),
            Some("uniform"),
            with_program(pattern::idle()),
        ),
        choice(
            "traffic.process",
            "When a node sends, at a given load.",
            process::entries(),
            Some("bernoulli"),
            vec![&PROCESS, &PROGRAM, &classes::IDLE],
        ),
        choice("traffic.size", "How long packets are.", size::entries(), Some("fixed"), vec![&PROGRAM, &classes::IDLE]),
        choice(
            "workload",
            "Which load at which time, and when the run ends.",
            workload::entries(),
            Some("steady"),
            workload::idle(),
        ),
    ]
}

fn with_program(mut idle: Vec<&'static Idle>) -> Vec<&'static Idle> {
    idle.extend([&PROGRAM, &classes::IDLE]);
    idle
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_defaults_exist() {
        for section in sections() {
            let names: BTreeSet<&str> = section.entries.iter().map(|entry| entry.name).collect();
            assert_eq!(names.len(), section.entries.len(), "{}", section.path);
            assert!(section.default_entry.is_none_or(|name| section.entry(name).is_some()), "{}", section.path);
        }
    }

    #[test]
    fn everything_says_what_it_is() {
        for section in sections() {
            let params = section.entries.iter().flat_map(|entry| entry.params).chain(section.params);
            assert!(params.into_iter().all(|param| param.doc.ends_with('.')), "{}", section.path);
            assert!(section.entries.iter().all(|entry| !entry.summary.is_empty() && !entry.ideal));
        }
    }
}
