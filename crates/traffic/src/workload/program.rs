//! A program: operations of ranks that wait for each other, generated or from a file. The run ends when all have finished.

mod jobs;
mod kept;

use super::{Ask, MAX_CYCLES, Plan, Workload};
use crate::pattern::random_permutation::shuffled;
use crate::placed::Placed;
use crate::{Problem, problem};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tailback_base::lines::{self, Faults};
use tailback_base::text;
use tailback_program::generate::{Form, KINDS, Parameter, table::Default as Value};
use tailback_program::goal::Units;
use tailback_program::{Generate, Generated, Program};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, Section, View, When};

/// The longest message that a program may have \[flits\].
const MAX_MESSAGE: u32 = 1 << 30;

/// The kind of `generate` that generates nothing.
const NONE: &str = "none";

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "program",
    summary: "ranks send, receive and compute, and operations wait for each other; the run ends when all have finished. It is generated, or \
        read from a file (docs/programs.md)",
    paper: "",
    ideal: false,
    params: &[
        FILE,
        Param {
            name: "bytes_per_flit",
            kind: Kind::IntegerOrAuto { min: 1, max: 1 << 20 },
            unit: "bytes",
            fallback: Fallback::Text("auto"),
            doc: "Bytes of a flit, for the lengths in a file, which needs it; \"auto\": not given.",
        },
        GENERATE,
        PLACEMENT,
        PLACEMENT_FILE,
        Param {
            name: "jobs",
            kind: Kind::Tables(JOB),
            unit: "",
            fallback: Fallback::Empty,
            doc: "Several programs side by side, instead of one: each has a name, nodes of its own, and a duration of its own.",
        },
        Param {
            name: "only",
            kind: Kind::Text,
            unit: "",
            fallback: Fallback::Text(""),
            doc: "The name of the only job that runs, at the nodes that it has among the others; empty: all run.",
        },
        Param {
            name: "class_tags",
            kind: Kind::Integers { min: 0, max: u32::MAX as i64, min_len: 0, max_len: 15 },
            unit: "",
            fallback: Fallback::Integers(&[]),
            doc: "Under router.message_classes: the first tag of each class but the first, in rising order. Messages with lower tags are of the \
                first class. Without it, replies of a generated request_reply are of the second class, and all other messages of the first.",
        },
        Param {
            name: "window_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(100),
            doc: "Length of the windows in which throughput, latency and packets in flight are recorded.",
        },
        Param {
            name: "limit_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(1_000_000_000),
            doc: "The run is given up after this time.",
        },
    ],
};

const FILE: Param = Param {
    name: "file",
    kind: Kind::Path,
    unit: "",
    fallback: Fallback::Text(""),
    doc: "A program in GOAL, as text or in its binary form, instead of a generated one; with bytes_per_flit, and with clock.cycle_ns where \
        it computes.",
};

const GENERATE: Param = Param {
    name: "generate",
    kind: Kind::Component("workload.generate"),
    unit: "",
    fallback: Fallback::Text(NONE),
    doc: "What to generate: a collective or another pattern. It is never held whole.",
};

const PLACEMENT: Param = Param {
    name: "placement",
    kind: Kind::Choice(PLACEMENTS),
    unit: "",
    fallback: Fallback::Text("packed"),
    doc: "At which nodes the ranks are.",
};

const PLACEMENT_FILE: Param = Param {
    name: "placement_file",
    kind: Kind::Path,
    unit: "",
    fallback: Fallback::Text(""),
    doc: "Under placement \"file\": a text file with the node of rank 0 on its first line, that of rank 1 on the next, and so on; `#` \
        begins a comment.",
};

/// A job.
const JOB: &[Param] = &[
    Param {
        name: "name",
        kind: Kind::Text,
        unit: "",
        fallback: Fallback::Required,
        doc: "Its name: letters, digits, dashes and underscores.",
    },
    FILE,
    GENERATE,
    PLACEMENT,
    PLACEMENT_FILE,
];

const PLACEMENTS: &[(&str, &str)] = &[
    (
        "packed",
        "at the first nodes that no job before has, rank by rank: rank 0 of the only program at node 0, rank 1 at node 1, and so on",
    ),
    ("random", "at nodes drawn with the seed, of those that no job before has"),
    ("file", "as placement_file says"),
];

/// Where parameters have no effect.
pub(super) const IDLE: &[Idle] = &[
    Idle {
        keys: &["placement_file"],
        when: &[When::IsNot(".placement", &["file"])],
        because: "only the placement \"file\" reads it",
    },
    Idle {
        keys: &["bytes_per_flit"],
        when: &[When::Where("no program comes from a file", reads_no_file)],
        because: "what is generated has flits, not bytes",
    },
    Idle {
        keys: &["only"],
        when: &[When::Where("there are no jobs", |spec, own| !has_jobs(spec, own))],
        because: "it names one of the jobs",
    },
];

fn reads_no_file(_spec: &Resolved, own: View<'_>) -> bool {
    own.text("file").is_empty() && own.tables("jobs").iter().all(|job| job.text("file").is_empty())
}

fn has_jobs(_spec: &Resolved, own: View<'_>) -> bool {
    own.has("jobs") && !own.tables("jobs").is_empty()
}

/// What `generate` chooses from.
pub(crate) fn generate_section() -> Section {
    Section {
        path: "workload.generate",
        doc: "What program is generated, under the workload `program`.",
        params: &[],
        entries: ENTRIES.iter().copied().collect(),
        default_entry: Some(NONE),
        idle: GENERATED_IDLE.iter().collect(),
    }
}

/// Where parameters of what is generated have no effect.
const GENERATED_IDLE: &[Idle] = &[
    Idle {
        keys: &["chunks"],
        when: &[When::IsNot(".algorithm", &["double_binary_tree"])],
        because: "only the algorithm \"double_binary_tree\" sends chunks one behind the other",
    },
    Idle {
        keys: &["groups"],
        when: &[When::IsNot(".algorithm", &["hierarchical"])],
        because: "only the algorithm \"hierarchical\" has groups",
    },
    // Of request_reply, which has no algorithm, the window counts requests.
    Idle {
        keys: &["window"],
        when: &[When::IsNot(".algorithm", &["spread"])],
        because: "only the algorithm \"spread\" has several steps open at once",
    },
];

/// The kinds of the library, as components of a spec. They live as long as the program.
static ENTRIES: LazyLock<Vec<&'static Entry>> = LazyLock::new(|| {
    let none =
        Entry { name: NONE, summary: "nothing: the program comes from a file", paper: "", ideal: false, params: &[] };
    let kinds = KINDS.iter().map(|kind| {
        let words: Vec<_> = kind.algorithms.iter().map(|algorithm| (algorithm.name, algorithm.summary)).collect();
        let algorithm = kind.algorithms.first().map(|first| Param {
            name: "algorithm",
            kind: Kind::Choice(Vec::leak(words)),
            unit: "",
            fallback: Fallback::Text(first.name),
            doc: "Who sends what to whom, step by step.",
        });
        let params: Vec<Param> = algorithm.into_iter().chain(kind.parameters.iter().map(param)).collect();
        Entry { name: kind.name, summary: kind.summary, paper: "", ideal: false, params: Vec::leak(params) }
    });
    std::iter::once(none).chain(kinds).map(|entry| &*Box::leak(Box::new(entry))).collect()
});

/// A parameter of the library as one of a spec.
fn param(of: &Parameter) -> Param {
    let (min, max) = (of.least as i64, i64::try_from(of.most).unwrap_or(i64::MAX));
    let (kind, fallback) = match (of.form, of.default) {
        (Form::List, _) => (Kind::Integers { min, max, min_len: 1, max_len: 16 }, Fallback::Required),
        (_, Value::Derived(_)) => (Kind::IntegerOrAuto { min, max }, Fallback::Text("auto")),
        (Form::Number, Value::Number(value)) => (Kind::Integer { min, max }, Fallback::Integer(value as i64)),
        (Form::Number, _) => (Kind::Integer { min, max }, Fallback::Required),
    };
    let doc = match of.default {
        Value::Derived(words) => String::leak(format!("{} \"auto\": {words}.", of.doc)),
        _ => of.doc,
    };
    Param { name: of.name, kind, unit: of.unit, fallback, doc }
}

/// Builds it; refused without a program, with one that cannot be, or with more ranks than nodes.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    if has_jobs_in(ask) {
        return jobs::build(ask);
    }
    let one = Told { ask, view: ask.workload, path: "workload" };
    let program = one.program()?;
    let mut free = Free::new(ask);
    fits(&*program, ask.shape.nodes())?;
    let at = one.places(program.ranks(), &mut free)?;
    placed(program, at, ask)
}

fn has_jobs_in(ask: &Ask) -> bool {
    !ask.workload.tables("jobs").is_empty()
}

/// Refuses a program with messages that are too long, or with too many ranks.
fn fits(program: &dyn Program, nodes: u32) -> Result<(), Vec<Problem>> {
    let (longest, _) = program.lengths();
    if longest > MAX_MESSAGE {
        let message = format!("the longest message has {longest} flits, and {MAX_MESSAGE} are the most");
        return problem("workload", message, Some("make messages shorter, or flits longer"));
    }
    let ranks = program.ranks();
    if ranks > nodes {
        let message = format!(
            "the program has {ranks} ranks, and the network has {nodes} nodes: each rank has a node of its own"
        );
        return problem("workload", message, Some("take a larger network, or fewer ranks"));
    }
    Ok(())
}

fn placed(program: Arc<dyn Program>, at: Vec<u32>, ask: &Ask) -> Result<Workload, Vec<Problem>> {
    match Placed::new(program, at, ask.shape.nodes()) {
        Ok(placed) => Ok(Workload { patterns: Vec::new(), plan: Plan::Program(Box::new(placed)) }),
        Err(message) => problem("workload.placement_file", message, None),
    }
}

/// Whether a resolved `workload` section has requests and answers to them.
pub fn is_answered(workload: View) -> bool {
    workload.kind() == ENTRY.name && workload.sub("generate").kind() == "request_reply"
}

/// Whether the ranks of a resolved `workload` section are at nodes that are drawn with the seed.
pub fn is_anywhere(workload: View) -> bool {
    let drawn = |view: View| view.text("placement") == "random";
    drawn(workload) || workload.tables("jobs").into_iter().any(drawn)
}

/// What a user ought to know of the programs that a resolved `workload` section generates, a sentence each: that ranks fold, for example.
pub fn notes(workload: View) -> Vec<String> {
    if workload.kind() != ENTRY.name {
        return Vec::new();
    }
    let of = |view: View| match Generated::new(&asked(view)) {
        Ok(program) => program.notes().to_vec(),
        // It is refused where the program is built.
        Err(_) => Vec::new(),
    };
    let own = [workload.sub("generate")].into_iter().filter(|view| view.kind() != NONE).flat_map(of);
    let named = |job: View| {
        let name = job.text("name").to_owned();
        let found = Some(job.sub("generate")).filter(|view| view.kind() != NONE).map_or_else(Vec::new, of);
        found.into_iter().map(move |note| format!("job {name}: {note}"))
    };
    own.chain(workload.tables("jobs").into_iter().flat_map(named)).collect()
}

/// Nodes that no job has so far.
struct Free {
    taken: Vec<bool>,
}

impl Free {
    fn new(ask: &Ask) -> Free {
        Free { taken: vec![false; ask.shape.nodes() as usize] }
    }

    /// Of these the first `ranks` that are free, which are taken then.
    fn take(&mut self, nodes: impl Iterator<Item = u32>, ranks: u32) -> Vec<u32> {
        let free = nodes.filter(|&node| !self.taken[node as usize]);
        let found: Vec<u32> = free.take(ranks as usize).collect();
        found.iter().for_each(|&node| self.taken[node as usize] = true);
        found
    }
}

/// A program as a table of the spec tells it: the workload, or one of its jobs.
#[derive(Clone, Copy)]
struct Told<'a> {
    ask: &'a Ask<'a>,
    view: View<'a>,
    path: &'a str,
}

impl Told<'_> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn problem<T>(&self, key: &str, message: String, help: Option<&str>) -> Result<T, Vec<Problem>> {
        problem(&self.at(key), message, help)
    }

    fn program(&self) -> Result<Arc<dyn Program>, Vec<Problem>> {
        let (generate, path) = (self.view.sub("generate"), self.view.text("file"));
        match (generate.kind() == NONE, path.is_empty()) {
            (true, true) => {
                let help = "name a file, or say what to generate: generate = { kind = \"all_reduce\", ranks = 8, flits = 1024 }";
                return self.problem("generate", "there is no program".to_owned(), Some(help));
            }
            (true, false) => return self.read(path),
            (false, false) => {
                let message = "a program is read from a file or generated, not both".to_owned();
                return self.problem("generate", message, Some("leave out the file or what to generate"));
            }
            (false, true) => {}
        }
        match Generated::new(&asked(generate)) {
            Ok(program) => Ok(Arc::new(program)),
            Err(refused) => self.problem("generate", refused.to_string(), None),
        }
    }

    /// A program from a file.
    fn read(&self, path: &str) -> Result<Arc<dyn Program>, Vec<Problem>> {
        let Some(bytes_per_flit) = self.ask.workload.finite("bytes_per_flit") else {
            let message =
                "a file says how many bytes messages have, and nothing says how many bytes a flit has".to_owned();
            return problem("workload.bytes_per_flit", message, Some("set workload.bytes_per_flit, such as 16"));
        };
        let units = Units { bytes_per_flit: bytes_per_flit as u32, cycle_ns: self.ask.cycle_ns };
        match kept::read(Path::new(path), &units) {
            Ok(program) => Ok(program),
            Err(fault) => {
                self.problem("file", format!("{}: {}", text::shown(path), text::shown(&fault.to_string())), None)
            }
        }
    }

    /// The node of every rank, `free` before.
    fn places(&self, ranks: u32, free: &mut Free) -> Result<Vec<u32>, Vec<Problem>> {
        let nodes = self.ask.shape.nodes();
        match self.view.text("placement") {
            "random" => Ok(free.take(shuffled(nodes, self.ask.seed).into_iter(), ranks)),
            "file" => self.listed(ranks),
            _ => Ok(free.take(0..nodes, ranks)),
        }
    }

    /// The nodes that a file lists.
    fn listed(&self, ranks: u32) -> Result<Vec<u32>, Vec<Problem>> {
        let path = self.view.text("placement_file");
        let read = match path {
            "" => Err("placement \"file\" needs a file".to_owned()),
            path => lines::read(path, 64 * u64::from(ranks) + (1 << 20), &format!("placement of {ranks} ranks")),
        };
        let nodes = self.ask.shape.nodes();
        let found =
            read.and_then(|text| listed(&text, ranks, nodes).map_err(|why| format!("{}: {why}", text::shown(path))));
        found.or_else(|message| self.problem("placement_file", message, None))
    }
}

/// What a resolved table asks the library for. What only another algorithm takes is left out.
fn asked(view: View) -> Generate {
    let mut asked = Generate::new(view.kind());
    asked.algorithm = view.has("algorithm").then(|| view.text("algorithm").to_owned());
    let kind = KINDS.iter().find(|kind| kind.name == view.kind());
    for parameter in kind.map_or(&[][..], |kind| kind.parameters) {
        let other = asked.algorithm.as_deref().is_some_and(|own| !parameter.algorithms.contains(&own));
        if !parameter.algorithms.is_empty() && other {
            continue;
        }
        if parameter.form == Form::List {
            asked.dimensions = Some(view.integers(parameter.name).into_iter().map(|value| value as u64).collect());
        } else if let Some(value) = view.finite(parameter.name) {
            asked.set(parameter.name, value).expect("the table of the library names what it takes");
        }
    }
    asked
}

/// The nodes of so many ranks, one a line, each once. Every fault has its line and column.
fn listed(text: &str, ranks: u32, nodes: u32) -> Result<Vec<u32>, String> {
    let (mut found, mut faults, mut named) = (Vec::new(), Faults::default(), BTreeMap::new());
    let mut last = 0;
    for (line, words) in lines::words(text) {
        last = line;
        match node(&words, found.len(), nodes, &named) {
            Ok(node) => {
                named.insert(node, line);
                found.push(node);
            }
            Err((word, message)) => faults.add_at(line, column(text, word), &message),
        }
    }
    faults.result()?;
    match found.len() == ranks as usize {
        true => Ok(found),
        false => {
            let (line, many) = (last + 1, found.len());
            Err(format!("line {line}, column 1: the program has {ranks} ranks, and {many} nodes are named"))
        }
    }
}

/// The node of a rank, which its line names; or the word of the line that is wrong, and why.
fn node<'w>(words: &[&'w str], rank: usize, nodes: u32, named: &BTreeMap<u32, u64>) -> Result<u32, (&'w str, String)> {
    let first = words[0];
    if let Some(&more) = words.get(1) {
        return Err((more, format!("`{}` stands behind a node, and a line names one", text::word(more))));
    }
    let Ok(node) = first.parse() else {
        return Err((first, format!("`{}` is not the number of a node", text::word(first))));
    };
    if node >= nodes {
        return Err((first, format!("rank {rank} is at node {node}, and the network has {nodes} nodes")));
    }
    match named.get(&node) {
        Some(line) => Err((first, format!("line {line} names node {node} too, and a node has one rank at most"))),
        None => Ok(node),
    }
}

/// The column of a word of a text, in characters from 1 on.
fn column(text: &str, word: &str) -> usize {
    let before = &text[..word.as_ptr() as usize - text.as_ptr() as usize];
    before.chars().rev().take_while(|&letter| letter != '\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TextFile, refusal, shape, traffic};

    fn spec(more: &str) -> String {
        format!(
            "workload = {{ kind = \"program\", generate = {{ kind = \"all_reduce\", ranks = 4, flits = 64 }}{more} }}"
        )
    }

    #[test]
    fn ranks_are_where_they_are_placed() {
        let four = shape(&[3, 2]);
        let at = |more: &str| {
            let traffic = traffic(&spec(more), &four, 1);
            let placed = traffic.program().expect("it is a program").clone();
            (0..4).map(|rank| placed.node_of(rank)).collect::<Vec<_>>()
        };
        assert_eq!(at(""), [0, 1, 2, 3]);
        let drawn = at(", placement = \"random\"");
        assert!(drawn != [0, 1, 2, 3] && drawn.iter().all(|&node| node < 6), "{drawn:?}");
        let file = TextFile::new("5 # the last one\n0\n\n3\n1\n");
        let path = file.path();
        assert_eq!(at(&format!(", placement = \"file\", placement_file = '{path}'")), [5, 0, 3, 1]);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        let six = shape(&[3, 2]);
        let of_file = |text: &str| {
            let file = TextFile::new(text);
            refusal(&spec(&format!(", placement = \"file\", placement_file = '{}'", file.path())), &six)
        };
        for (text, words) in [
            ("0\n1\n2\n", "line 4, column 1: the program has 4 ranks, and 3 nodes are named"),
            ("0\n1\n2\n6\n", "line 4, column 1: rank 3 is at node 6, and the network has 6 nodes"),
            ("0\n1\n2\n \t1\n", "line 4, column 3: line 2 names node 1 too, and a node has one rank at most"),
            ("0\nx\n2\n1\n", "line 2, column 1: `x` is not the number of a node"),
            ("0 1 2 3\n", "line 1, column 3: `1` stands behind a node, and a line names one"),
            ("-1\n", "line 1, column 1: `-1` is not the number of a node"),
        ] {
            let message = of_file(text);
            assert!(message.starts_with("workload.placement_file: ") && message.contains(words), "{message}");
        }
        let message = refusal(&spec(", placement = \"file\""), &six);
        assert!(message.contains("needs a file"), "{message}");
        let message = refusal(&spec(""), &shape(&[3]));
        assert!(message.contains("4 ranks") && message.contains("3 nodes"), "{message}");
        let message = refusal("workload = { kind = \"program\" }", &six);
        assert!(message.starts_with("workload.generate: there is no program"), "{message}");
        let tree = "workload = { kind = \"program\", generate = { kind = \"all_reduce\", algorithm = \"hierarchical\", ranks = 4, flits = 9, groups = 3 } }";
        let message = refusal(tree, &six);
        assert!(message.contains("groups"), "{message}");
    }

    #[test]
    fn files_are_read_with_their_units() {
        let four = shape(&[4]);
        let text = "num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 3\n}\nrank 1 {\nl1: recv 100b from 0 tag 3\n}\n";
        let file = TextFile::new(text);
        let spec = |more: &str| format!("workload = {{ kind = \"program\", file = '{}'{more} }}", file.path());
        let traffic = traffic(&spec(", bytes_per_flit = 16"), &four, 1);
        assert_eq!((traffic.max_flits(), traffic.active_nodes()), (7, 2));
        let message = refusal(&spec(""), &four);
        assert!(message.starts_with("workload.bytes_per_flit: "), "{message}");
        let message = refusal(&spec(", bytes_per_flit = 16, generate = { kind = \"barrier\", ranks = 4 }"), &four);
        assert!(message.contains("not both"), "{message}");
        let broken = TextFile::new("num_ranks 2\nrank 0 {\nsend 8b to 7\n}\nrank 1 {\n}\n");
        let spec = format!("workload = {{ kind = \"program\", file = '{}', bytes_per_flit = 8 }}", broken.path());
        let message = refusal(&spec, &four);
        assert!(message.starts_with("workload.file: ") && message.contains("line 3"), "{message}");
    }

    #[test]
    fn every_kind_of_the_library_has_a_component() {
        let section = generate_section();
        assert_eq!(section.entries.len(), KINDS.len() + 1);
        for kind in &KINDS {
            let entry = section.entry(kind.name).expect("it is there");
            let all = kind.parameters.len() + usize::from(!kind.algorithms.is_empty());
            assert_eq!(entry.params.len(), all, "{}", kind.name);
        }
    }
}
