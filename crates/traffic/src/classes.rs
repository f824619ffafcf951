//! What a spec says of classes that share the wires of nodes: a list of them, each a section `traffic` in small.

use crate::shared::{MAX_CLASSES, Shared};
use crate::traffic::Traffic;
use crate::workload::changes::Stage;
use crate::workload::{self, Course};
use crate::{Limits, Problem, problem};
use std::borrow::Cow;
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Fallback, Idle, Kind, Param, Resolved, View, When};
use toml::{Table, Value};

/// The parameter that lists them.
pub(crate) const PARAM: Param = Param {
    name: "classes",
    kind: Kind::Tables(CLASS),
    unit: "",
    fallback: Fallback::Empty,
    doc: "Classes of packets that share the wire of a node (router kind `input_queued`), 16 at most; see `docs/input_queued.md`. Empty: the pattern, \
        the process and the lengths of this section are those of all packets.",
};

const CLASS: &[Param] = &[
    Param {
        name: "share",
        kind: Kind::Float { min: 0.0, max: 1e9 },
        unit: "",
        fallback: Fallback::Float(1.0),
        doc: "Its part of `traffic.load`, beside those of the other classes: shares are divided by their sum.",
    },
    component("pattern", "traffic.pattern", "uniform", "To whom nodes send in this class."),
    component("process", "traffic.process", "bernoulli", "When a node sends in this class, at its load."),
    component("size", "traffic.size", "fixed", "How long its packets are."),
    Param {
        name: "measured",
        kind: Kind::Bool,
        unit: "",
        fallback: Fallback::Bool(true),
        doc: "Whether its packets count under the workload `periods`: for its figures, its end and its verdict.",
    },
    Param {
        name: "limits",
        kind: Kind::Floats { min: -1.0, max: 1e12, min_len: 0, max_len: 5 },
        unit: "",
        fallback: Fallback::Floats(&[]),
        doc: "Under the workload `periods`, the limits of this class in the place of latency_limit_cycles, warmup_latency_change, warmup_accepted_change, \
            latency_change and accepted_change, in this order; -1: no limit. Empty: those of the workload.",
    },
];

const fn component(name: &'static str, section: &'static str, default: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Component(section), unit: "", fallback: Fallback::Text(default), doc }
}

/// Where classes have patterns, processes and lengths of their own.
pub(crate) const IDLE: Idle = Idle {
    keys: &[],
    when: &[When::Where("traffic.classes is a list", |spec, _| are_listed(spec))],
    because: "each class has its own",
};

fn are_listed(spec: &Resolved) -> bool {
    spec.get("traffic.classes").and_then(Value::as_array).is_some_and(|classes| !classes.is_empty())
}

/// The number of classes that a resolved section `traffic` lists; 0 where all packets are alike.
pub fn listed(traffic: View) -> usize {
    traffic.table().get("classes").and_then(Value::as_array).map_or(0, Vec::len)
}

/// The sections `traffic` of all classes, each with the path of its table in the spec; of packets that are alike, the section itself.
pub(crate) fn sections(traffic: View<'_>) -> Vec<(String, Cow<'_, Table>)> {
    if listed(traffic) == 0 {
        return vec![("traffic".to_owned(), Cow::Borrowed(traffic.table()))];
    }
    let classes = traffic.tables("classes");
    let all: f64 = classes.iter().map(|class| class.float("share")).sum();
    let part = |share: f64| if all > 0.0 { share / all } else { 0.0 };
    let section = |class: &View| {
        let mut table = traffic.table().clone();
        for key in ["pattern", "process", "size"] {
            table.insert(key.to_owned(), Value::Table(class.sub(key).table().clone()));
        }
        table.insert("load".to_owned(), Value::Float(traffic.float("load") * part(class.float("share"))));
        table.insert("classes".to_owned(), Value::Array(Vec::new()));
        table
    };
    let path = |number: usize| format!("traffic.classes[{number}]");
    classes.iter().enumerate().map(|(number, class)| (path(number), Cow::Owned(section(class)))).collect()
}

/// Problems of one class, where it stands in the spec.
fn of_class(path: &str, problems: Vec<Problem>) -> Vec<Problem> {
    const OWN: [&str; 3] = ["traffic.pattern", "traffic.process", "traffic.size"];
    let placed = |at: String| match OWN.iter().any(|own| at.starts_with(own)) {
        true => at.replacen("traffic", path, 1),
        false => at,
    };
    problems.into_iter().map(|(at, message, help)| (placed(at), message, help)).collect()
}

/// Builds the traffic of all classes with `build`, which is given a section `traffic`, the stages of it and a seed.
pub(crate) fn build(
    (traffic, workload): (View, View),
    seed: u64,
    stages: &[Stage],
    build: impl Fn(View, u64, &[Stage]) -> Result<Traffic, Vec<Problem>>,
) -> Result<Traffic, Vec<Problem>> {
    let sections = self::sections(traffic);
    if sections.len() > MAX_CLASSES {
        let message = format!("{} classes; {MAX_CLASSES} at most share a wire", sections.len());
        return problem("traffic.classes", message, None);
    }
    if matches!(workload::course(workload), Course::Ramp | Course::Phases) || workload::has_messages(workload) {
        let message = format!("the workload {} says by itself what nodes send, and knows no classes", workload.kind());
        let help = "take workload.kind = \"steady\", \"periods\" or \"collective\", or leave the list empty";
        return problem("traffic.classes", message, Some(help));
    }
    let later: Vec<_> = stages.iter().map(|stage| (stage.from, self::sections(stage.traffic))).collect();
    let (mut classes, mut problems) = (Vec::new(), Vec::new());
    for (number, (path, section)) in sections.iter().enumerate() {
        let stages = later.iter().map(|(from, own)| Stage { from: *from, traffic: View::new(&own[number].1) });
        let stages: Vec<Stage> = stages.collect();
        // Packets of the first class are those of a network without classes.
        let seed = if number == 0 { seed } else { rng::draw_u64(seed, Purpose::Class, number as u32, 0) };
        match build(View::new(section), seed, &stages) {
            Ok(class) => classes.push(class),
            Err(found) => problems.extend(of_class(path, found)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let measured: Vec<bool> = traffic.tables("classes").iter().map(|class| class.bool("measured")).collect();
    if !measured.contains(&true) {
        let message = "no class is measured".to_owned();
        return problem("traffic.classes", message, Some("leave measured = true with one class"));
    }
    Ok(Traffic::of_classes(seed, Shared::new(classes, measured, limits(traffic)?)))
}

/// By class, the limits that it has of its own.
fn limits(traffic: View) -> Result<Vec<Option<Limits>>, Vec<Problem>> {
    let of = |(number, class): (usize, View)| match &class.floats("limits")[..] {
        [] => Ok(None),
        &[latency, warm, warm_accepted, change, accepted] => {
            Ok(Some(Limits::new([latency, warm, warm_accepted, change, accepted])))
        }
        some => {
            let message = format!("{} limits; a class has five of its own, or none", some.len());
            problem(&format!("traffic.classes[{number}].limits"), message, None)
        }
    };
    traffic.tables("classes").into_iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{Purpose, rng};
    use crate::testing::{self, refusal, shape, traffic, try_traffic};
    use crate::{Generated, Traffic, Type};

    fn packets(traffic: &Traffic, node: u32) -> Vec<Generated> {
        let mut source = traffic.source(node);
        std::iter::from_fn(|| traffic.next(node, &mut source)).take(50).collect()
    }

    const TWO: &str = "traffic.load = 0.6\n[[traffic.classes]]\nshare = 1\nsize.flits = 3\n\
         [[traffic.classes]]\nshare = 2\nsize.flits = 1\npattern = 'tornado'\nprocess = 'periodic'";

    #[test]
    fn a_class_is_a_port_and_sends_to_its_like() {
        let (both, shape) = (traffic(TWO, &shape(&[8, 8]), 7), shape(&[8, 8]));
        assert_eq!((both.nodes(), both.shared().map(super::Shared::count)), (128, Some(2)));
        assert!((both.offered_load(0, 1000) - 0.6).abs() < 1e-12);
        assert_eq!((both.min_flits(), both.max_flits()), (1, 3));
        // Packets of 3 flits at 0.2 flits, and of one at 0.4.
        assert!((both.mean_flits() - 0.6 / (0.2 / 3.0 + 0.4)).abs() < 1e-12);
        let first = traffic("traffic.load = 0.2\ntraffic.size.flits = 3", &shape, 7);
        for node in [0, 5, 63] {
            let alone: Vec<Generated> = packets(&first, node);
            let in_class = packets(&both, 2 * node);
            let same = |(a, b): (&Generated, &Generated)| {
                b.destination == 2 * a.destination && (a.cycle, a.flits, a.index) == (b.cycle, b.flits, b.index)
            };
            assert!(alone.iter().zip(&in_class).all(same));
            assert!(packets(&both, 2 * node + 1).iter().all(|packet| packet.destination % 2 == 1 && packet.flits == 1));
            assert!(in_class.iter().all(|packet| both.makes(2 * node, packet) && !both.makes(2 * node + 1, packet)));
        }
        let mut to = Vec::new();
        both.flows(3, &mut |port, share| to.push((port, share)));
        assert_eq!(to.len(), 1);
        assert_eq!(to[0].0 % 2, 1);
    }

    #[test]
    fn classes_have_streams_of_their_own() {
        let alike = "traffic.load = 0.5\n[[traffic.classes]]\n[[traffic.classes]]\n[[traffic.classes]]";
        let traffic = traffic(alike, &shape(&[4, 4]), 1);
        let of = |port| packets(&traffic, port).iter().map(|packet| packet.cycle).collect::<Vec<u64>>();
        assert_ne!(of(0), of(1));
        assert_ne!(of(1), of(2));
        // A class is the traffic of another seed.
        let seed = rng::draw_u64(1, Purpose::Class, 2, 0);
        let alone = testing::traffic(&format!("traffic.load = {}", 0.5 / 3.0), &shape(&[4, 4]), seed);
        assert_eq!(of(2 * 3 + 2), packets(&alone, 2).iter().map(|packet| packet.cycle).collect::<Vec<u64>>());
    }

    #[test]
    fn a_class_may_be_answered() {
        let size = "size = { kind = 'read_write', read_reply_flits = 5, write_fraction = 0 }";
        let text = format!("traffic.load = 0.2\n[[traffic.classes]]\nsize.flits = 3\n[[traffic.classes]]\n{size}");
        let both = traffic(&text, &shape(&[4, 4]), 1);
        assert!(both.has_answers() && both.exchange(6).is_none() && both.exchange(7).is_some());
        assert_eq!((both.request_type(6, 0), both.request_type(7, 0)), (None, Some(Type::ReadRequest)));
        assert_eq!((both.min_flits(), both.max_flits()), (1, 5));
        assert!((both.offered_load(0, 1000) - (0.1 + 0.6)).abs() < 1e-12);
        assert!(!traffic(TWO, &shape(&[8, 8]), 7).has_answers());
    }

    #[test]
    fn one_class_is_what_nodes_send_without_classes() {
        let one = traffic("traffic.load = 0.5\n[[traffic.classes]]\nsize.flits = 2", &shape(&[4, 4]), 3);
        let none = traffic("traffic.load = 0.5\ntraffic.size.flits = 2", &shape(&[4, 4]), 3);
        assert_eq!(packets(&one, 5), packets(&none, 5));
    }

    #[test]
    fn what_classes_cannot_be_is_refused_where_it_stands() {
        let two = "[[traffic.classes]]\n[[traffic.classes]]\n";
        let said = |text: &str| refusal(text, &shape(&[4, 4]));
        assert!(said("[[traffic.classes]]\nmeasured = false").starts_with("traffic.classes: no class is measured"));
        assert!(said(&format!("{two}limits = [500, -1]")).starts_with("traffic.classes[1].limits: 2 limits"));
        assert!(said(&format!("{two}[workload]\nkind = 'ramp'")).contains("knows no classes"));
        assert!(said(&"[[traffic.classes]]\n".repeat(17)).contains("16 at most"));
        let shape = shape(&[6, 6]);
        let refused = try_traffic(&format!("{two}pattern = 'shfl'"), &shape, 1).err().expect("no power of two");
        assert!(refused[0].0.starts_with("traffic.classes[1].pattern"), "{refused:?}");
    }
}
