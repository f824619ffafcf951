//! Kinds, algorithms and parameters of generated programs as data: a spec, a command line and a manual draw theirs from here.

/// A kind of generated program.
#[derive(Debug)]
pub struct Kind {
    /// Its word, with underscores.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its algorithms, the default first. Empty where there is only one way.
    pub algorithms: &'static [Algorithm],
    /// What it takes.
    pub parameters: &'static [Parameter],
}

/// An algorithm of a kind.
#[derive(Debug)]
pub struct Algorithm {
    /// Its word.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
}

/// A parameter of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its word.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub doc: &'static str,
    /// Its unit; empty for counts and for ranks.
    pub unit: &'static str,
    /// The least value; for a list, of each of its numbers.
    pub least: u64,
    /// The largest value; for a list, of each of its numbers.
    pub most: u64,
    /// One number, or several.
    pub form: Form,
    /// What it is where nobody gives it.
    pub default: Default,
    /// The algorithms that take it; empty means all of the kind.
    pub algorithms: &'static [&'static str],
}

/// One number or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole number.
    Number,
    /// A list of whole numbers.
    List,
}

/// What a parameter is where nobody gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// It must be given.
    Required,
    /// This number.
    Number(u64),
    /// What follows from other parameters, in words.
    Derived(&'static str),
}

impl Kind {
    /// The kind of a name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// Ranks at most.
pub const MOST_RANKS: u64 = 1 << 20;
/// Flits of a message at most.
const MOST_FLITS: u64 = u32::MAX as u64;
/// Cycles of a computation at most.
const MOST_CYCLES: u64 = 1 << 40;

const fn number(name: &'static str, least: u64, most: u64, default: Default, doc: &'static str) -> Parameter {
    Parameter { name, doc, unit: "", least, most, form: Form::Number, default, algorithms: &[] }
}

const RANKS: Parameter = number("ranks", 2, MOST_RANKS, Default::Required, "How many ranks take part.");
const ROOT: Parameter =
    number("root", 0, MOST_RANKS - 1, Default::Number(0), "The rank from which all comes, or to which all goes.");

const fn flits(doc: &'static str) -> Parameter {
    Parameter { unit: "flits", ..number("flits", 1, MOST_FLITS, Default::Required, doc) }
}

const fn cycles(name: &'static str, doc: &'static str) -> Parameter {
    Parameter { unit: "cycles", ..number(name, 0, MOST_CYCLES, Default::Number(0), doc) }
}

const RING: &str = "Every rank sends to the next one, chunk after chunk.";
const HALVING: &str = "Pairs of ranks exchange halves, then quarters, and so on. Ranks that are no power of two fold.";

/// Groups and their members are about as many.
const NEAR_ROOT: Default = Default::Derived("the largest divisor of `ranks` that is no larger than its square root");

/// Every kind.
pub static KINDS: [Kind; 11] = [
    Kind {
        name: "all_reduce",
        summary: "Every rank ends with the sum of what all ranks have.",
        algorithms: &[
            Algorithm { name: "ring", summary: "A ring reduce-scatter, then a ring all-gather." },
            Algorithm { name: "halving_doubling", summary: HALVING },
            Algorithm {
                name: "recursive_doubling",
                summary: "Pairs of ranks exchange all they have, log P times. Ranks that are no power of two fold.",
            },
            Algorithm {
                name: "double_binary_tree",
                summary: "Two trees carry one half each, up and down, in chunks that follow each other.",
            },
            Algorithm {
                name: "hierarchical",
                summary: "Rings inside groups scatter, rings across groups reduce, rings inside groups gather.",
            },
        ],
        parameters: &[
            RANKS,
            flits("What every rank has to be summed up."),
            Parameter {
                algorithms: &["double_binary_tree"],
                ..number("chunks", 1, 1 << 20, Default::Number(8), "Chunks that follow each other on each tree.")
            },
            Parameter {
                algorithms: &["hierarchical"],
                ..number("groups", 1, MOST_RANKS, NEAR_ROOT, "Groups of ranks; it divides the number of ranks.")
            },
        ],
    },
    Kind {
        name: "reduce_scatter",
        summary: "Every rank ends with its chunk of the sum of what all ranks have.",
        algorithms: &[
            Algorithm { name: "ring", summary: RING },
            Algorithm { name: "halving_doubling", summary: HALVING },
        ],
        parameters: &[RANKS, flits("What every rank has to be summed up.")],
    },
    Kind {
        name: "all_gather",
        summary: "Every rank ends with the chunks of all ranks.",
        algorithms: &[
            Algorithm { name: "ring", summary: RING },
            Algorithm { name: "halving_doubling", summary: HALVING },
        ],
        parameters: &[RANKS, flits("What every rank has in the end; it begins with its chunk of it.")],
    },
    Kind {
        name: "broadcast",
        summary: "The root sends the same to all ranks.",
        algorithms: &[Algorithm {
            name: "binomial",
            summary: "In each round the ranks that know tell as many others.",
        }],
        parameters: &[RANKS, flits("What the root sends."), ROOT],
    },
    Kind {
        name: "reduce",
        summary: "The root ends with the sum of what all ranks have.",
        algorithms: &[Algorithm {
            name: "binomial",
            summary: "In each round half of the ranks hand over to the others.",
        }],
        parameters: &[RANKS, flits("What every rank has to be summed up."), ROOT],
    },
    Kind {
        name: "all_to_all",
        summary: "Every rank sends another chunk to every rank.",
        algorithms: &[
            Algorithm { name: "pairwise", summary: "One rank after the other: a step waits for the step before." },
            Algorithm { name: "spread", summary: "As pairwise, with several steps open at once." },
        ],
        parameters: &[
            RANKS,
            flits("What every rank has: a chunk for each rank. Its own chunk stays."),
            Parameter {
                algorithms: &["spread"],
                ..number("window", 1, MOST_RANKS, Default::Number(4), "Steps that are open at once.")
            },
        ],
    },
    Kind {
        name: "barrier",
        summary: "No rank is done before all ranks have begun.",
        algorithms: &[Algorithm { name: "dissemination", summary: "In round s a rank tells the one 2^s further on." }],
        parameters: &[RANKS],
    },
    Kind {
        name: "halo",
        summary: "Ranks on a torus compute, send a face to every neighbour, and begin again.",
        algorithms: &[],
        parameters: &[
            number(
                "ranks",
                2,
                MOST_RANKS,
                Default::Derived("the product of `dimensions`"),
                "How many ranks take part.",
            ),
            flits("Length of a face."),
            Parameter {
                form: Form::List,
                ..number("dimensions", 1, MOST_RANKS, Default::Required, "Ranks of each dimension, the fastest first.")
            },
            number("iterations", 1, 1 << 30, Default::Number(1), "How often ranks compute and exchange."),
            cycles("compute_cycles", "How long a rank computes in each iteration."),
        ],
    },
    Kind {
        name: "request_reply",
        summary: "Clients send requests to servers, which reply.",
        algorithms: &[],
        parameters: &[
            RANKS,
            number("window", 1, 256, Default::Number(1), "Requests that a client has open at once."),
            Parameter {
                unit: "flits",
                ..number("request_flits", 1, MOST_FLITS, Default::Required, "Length of a request.")
            },
            Parameter {
                unit: "flits",
                ..number("reply_flits", 1, MOST_FLITS, Default::Required, "Length of a reply.")
            },
            number(
                "servers",
                1,
                MOST_RANKS - 1,
                Default::Number(1),
                "How many ranks are servers; the others are clients.",
            ),
            cycles("think_cycles", "How long a client waits between a reply and the request that it allows."),
            number("count", 1, 1 << 30, Default::Required, "Requests of every client."),
        ],
    },
    Kind {
        name: "incast",
        summary: "Every rank sends a message to the root, all at once.",
        algorithms: &[],
        parameters: &[RANKS, flits("Length of every message."), ROOT],
    },
    Kind {
        name: "pipeline",
        summary: "Microbatches pass stages of ranks, each of which computes and sends the result on.",
        algorithms: &[],
        parameters: &[
            number("ranks", 2, MOST_RANKS, Default::Derived("`stages`"), "How many ranks; a multiple of `stages`."),
            flits("Length of what a stage sends to the next one for a microbatch."),
            number("stages", 2, MOST_RANKS, Default::Derived("`ranks`"), "Stages, each a run of ranks."),
            number("microbatches", 1, 1 << 30, Default::Required, "How many microbatches pass."),
            cycles("compute_cycles", "How long a stage computes for a microbatch."),
        ],
    },
];
