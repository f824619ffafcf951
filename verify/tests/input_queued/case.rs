//! Random small networks of input-queued routers, and specs of their traffic.

use super::networks::{base, fit_routing, valiant};
use super::shapeless;
use super::traffic::{finite, process, sizes, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::input_queued::exchange::Lengths;
use tailback_verify::input_queued::{
    Allocator, Arbiter, Config, Entry, InputPorts, Kinds, Needs, NodePorts, Order, Priority, RequestOrder, Sharing,
    Speculation, Yields,
};
use tailback_verify::reference::graph::{Beyond, Taste};
use tailback_verify::reference::{self, Datelines};
use tailback_verify::wormhole::{self, Asks, Routing, Tied};

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// The network.
    pub config: Config,
    /// The tables `traffic` and `workload` of the spec.
    pub traffic: String,
    /// Simulated time.
    pub cycles: u64,
    /// The engine's books are audited every so many cycles.
    pub audit_every: u64,
}

/// Any case on a grid.
pub fn any_case() -> impl Strategy<Value = Case> {
    (on_a_grid(), messages(), traffic()).prop_map(|(config, messages, (mut cycles, audit_every, text))| {
        if config.ports(0) * config.channels() > 64 {
            cycles = cycles.min(200);
        } else if config.shared.base.routers() <= 9 {
            cycles *= 2;
        }
        messages.case(Case { config, traffic: text, cycles, audit_every })
    })
}

/// A finite amount of traffic, so that in the end either nothing is left or nothing moves; many of these networks lock.
pub fn any_collective() -> impl Strategy<Value = Case> {
    let amount = (1u32..=20, any::<bool>());
    (on_a_grid(), messages(), amount, any::<bool>()).prop_map(|(mut config, messages, (packets, tornado), risky)| {
        if risky {
            take_risks(&mut config);
        }
        let pattern = if tornado { "tornado" } else { "uniform" };
        let traffic = format!(
            "[traffic]\npattern = \"{pattern}\"\nsize = SIZES\n[workload]\nkind = \"collective\"\npackets_per_node = {packets}"
        );
        messages.case(Case { config, traffic, cycles: 100_000, audit_every: 500 })
    })
}

/// The same networks, and phases after which all is silent; or a collective.
pub fn any_phases() -> impl Strategy<Value = Case> {
    let phases = (process(), prop_oneof!["\"tornado\"", "\"uniform\""], finite(20));
    (any_collective(), messages(), phases).prop_map(|(case, messages, (process, pattern, workload))| {
        let workload = workload.replace("PATTERN", &pattern);
        let traffic =
            format!("[traffic]\npattern = {pattern}\nprocess = {process}\nsize = SIZES\n[workload]\n{workload}");
        messages.case(Case { traffic, ..case })
    })
}

/// Classes of packets that share the wires of nodes: a while of them, or a finite amount of each.
pub fn any_classes(ends: bool) -> impl Strategy<Value = Case> {
    let pattern = prop_oneof![2 => Just("uniform"), 1 => Just("tornado")];
    let class = (0.05f64..3.0, pattern, process(), sizes(), 1u32..=3);
    let classes = (prop::collection::vec(class, 2..=4), option::of(1u32..=6), 1u32..=10);
    let time = (0.02f64..1.5, 100u64..350, 1u64..40, any::<bool>());
    let priorities = prop::array::uniform4(0u32..3);
    (on_a_grid(), classes, time, priorities).prop_map(move |(mut config, (classes, cut, packets), (load, cycles, audit, risky), priorities)| {
        if ends && risky {
            take_risks(&mut config);
        }
        config.classes = classes.len();
        config.class_priorities = priorities[..classes.len()].to_vec();
        config.shared.base.nodes_per_router *= classes.len() as u32;
        config.shared.packet_flits = cut;
        let cut_line = cut.map_or(String::new(), |flits| format!("packet_flits = {flits}\n"));
        let mut traffic = format!("[traffic]\nload = {load:?}\n{cut_line}");
        for (share, pattern, process, sizes, times) in classes {
            let size = cut.map_or(sizes.text, |flits| format!("{{ kind = \"fixed\", flits = {} }}", flits * times));
            traffic += &format!(
                "[[traffic.classes]]\nshare = {share:?}\npattern = \"{pattern}\"\nprocess = {process}\nsize = {size}\n"
            );
        }
        if ends {
            traffic += &format!("[workload]\nkind = \"collective\"\npackets_per_node = {packets}\n");
        }
        let (cycles, audit_every) = if ends { (100_000, 500) } else { (cycles, audit) };
        Case { config, traffic, cycles, audit_every }
    })
}

/// Any case on a network of any shape, with random routes.
pub fn any_graph() -> impl Strategy<Value = Case> {
    let width = (1u32..=4, 1u32..=10, option::of(1u32..=4));
    let lengths = (1u32..=8, prop_oneof![3 => Just(1u32), 1 => 2u32..=3]);
    let time = (0.02f64..1.2, 100u64..300, 1u64..40);
    (shapeless::drawn(), choices(), width, lengths, time, any::<u64>()).prop_map(
        |(drawn, choices, (channels, buffer_flits, source_queue_packets), (flits, times), time, seed)| {
            let (load, cycles, audit_every) = time;
            let config = if seed % 3 == 0 { shapeless::folded_config } else { shapeless::config };
            let (mut base, mut dice) = config(drawn, channels);
            let own = |taste| Taste { beyond: Beyond::Nothing, ..taste };
            let graph = base.graph.as_mut().expect("it has one");
            graph.taste = shapeless::taste(&mut dice).map(own);
            shapeless::with_exits(&mut dice, graph, channels as usize);
            let base = reference::Config { buffer_flits, source_queue_packets, seed, ..base };
            let size = match times {
                1 => format!("{{ kind = \"fixed\", flits = {flits} }}"),
                _ => format!(
                    "{{ kind = \"bimodal\", short_flits = {flits}, long_flits = {}, long_percent = 40 }}",
                    flits * times
                ),
            };
            let traffic = format!("[traffic]\nload = {:?}\nsize = {size}\n", load.min(f64::from(flits)));
            let shared = wormhole::Config { base, ..wormhole::Config::plain(&[2], false) };
            Case { config: Config { shared, ..choices }, traffic, cycles, audit_every }
        },
    )
}

/// Lengths of messages, and how they are cut.
#[derive(Clone, Debug)]
struct Messages {
    sizes: String,
    packet_flits: Option<u32>,
}

impl Messages {
    /// A case with these messages, whose traffic has the word SIZES for the lengths.
    fn case(&self, mut case: Case) -> Case {
        let cut = self.packet_flits.map_or(String::new(), |flits| format!("packet_flits = {flits}\n"));
        let traffic = case.traffic.replace("SIZES", &self.sizes).replace("[traffic]\n", &format!("[traffic]\n{cut}"));
        case.config.shared.packet_flits = self.packet_flits;
        Case { traffic, ..case }
    }
}

/// Messages that are packets, or that are cut into one to three.
fn messages() -> impl Strategy<Value = Messages> {
    let whole = sizes().prop_map(|sizes| Messages { sizes: sizes.text, packet_flits: None });
    let cut = (1u32..=6, 1u32..=3).prop_map(|(flits, packets)| Messages {
        sizes: format!("{{ kind = \"fixed\", flits = {} }}", flits * packets),
        packet_flits: Some(flits),
    });
    prop_oneof![3 => whole, 1 => cut]
}

/// Packets of four kinds with planes and channels of their own, and their lengths; the traffic of requests.
pub fn any_exchange() -> impl Strategy<Value = (Case, Vec<Option<Lengths>>)> {
    let time = (0.01f64..0.5, 100u64..350, 1u64..40);
    (on_a_grid(), lengths(), own(), process(), time).prop_map(
        |(mut config, lengths, own, process, (rate, cycles, audit_every))| {
            give(&mut config, own);
            let traffic = format!(
                "[traffic]\nload = {:?}\nprocess = {process}\nsize = {}\n",
                rate * mean(&lengths),
                size(&lengths)
            );
            (Case { config, traffic, cycles, audit_every }, vec![Some(lengths)])
        },
    )
}

/// The same in several classes, some of which send no requests.
pub fn any_exchange_in_classes() -> impl Strategy<Value = (Case, Vec<Option<Lengths>>)> {
    let pattern = prop_oneof![2 => Just("uniform"), 1 => Just("tornado")];
    let answered = prop_oneof![2 => lengths().prop_map(Ok), 1 => sizes().prop_map(Err)];
    let class = (0.01f64..0.4, pattern, process(), answered);
    let classes = (lengths(), prop::collection::vec(class, 2..=4), prop::array::uniform4(0u32..3));
    (on_a_grid(), classes, own(), 100u64..350, 1u64..40).prop_map(
        |(mut config, (other, mut classes, priorities), own, cycles, audit_every)| {
            give(&mut config, own);
            config.classes = classes.len();
            config.class_priorities = priorities[..classes.len()].to_vec();
            config.shared.base.nodes_per_router *= classes.len() as u32;
            if classes.iter().all(|class| class.3.is_err()) {
                classes[1].3 = Ok(other);
            }
            let (mut load, mut tables) = (0.0, String::new());
            for (rate, pattern, process, lengths) in &classes {
                let (flits, size) = match lengths {
                    Ok(lengths) => (mean(lengths), size(lengths)),
                    Err(sizes) => (1.0, sizes.text.clone()),
                };
                load += rate * flits;
                tables += &format!(
                    "[[traffic.classes]]\nshare = {:?}\npattern = \"{pattern}\"\nprocess = {process}\nsize = {size}\n",
                    rate * flits
                );
            }
            let traffic = format!("[traffic]\nload = {load:?}\n{tables}");
            let lengths = classes.into_iter().map(|class| class.3.ok()).collect();
            (Case { config, traffic, cycles, audit_every }, lengths)
        },
    )
}

/// Lengths of requests and of the answers to them.
fn lengths() -> impl Strategy<Value = Lengths> {
    let lengths = (prop::array::uniform4(1u32..=6), prop_oneof![Just(0.0), Just(0.3), Just(0.5), Just(1.0)]);
    lengths.prop_map(|(flits, writes)| Lengths { flits, writes })
}

/// Mean length of a request.
fn mean(Lengths { flits, writes }: &Lengths) -> f64 {
    f64::from(flits[0]) * (1.0 - writes) + f64::from(flits[1]) * writes
}

/// What a spec says of the lengths.
fn size(Lengths { flits, writes }: &Lengths) -> String {
    format!(
        "{{ kind = \"read_write\", write_fraction = {writes:?}, read_request_flits = {}, write_request_flits = {}, \
         read_reply_flits = {}, write_reply_flits = {} }}",
        flits[0], flits[1], flits[2], flits[3]
    )
}

/// What kinds have for themselves: how many channels more, and by kind, where they begin, and their planes.
type Own = ((usize, [usize; 4]), [usize; 4], Option<[usize; 4]>);

fn own() -> impl Strategy<Value = Own> {
    let wider = prop_oneof![Just([0; 4]), prop::array::uniform4(0usize..=3)];
    ((0usize..=6, wider), prop::array::uniform4(0usize..16), option::of(prop::array::uniform4(0usize..3)))
}

/// Gives kinds channels and planes of their own.
fn give(config: &mut Config, ((more, wider), first, planes): Own) {
    let width = config.channels();
    let all = (width + more).min(16);
    config.shared.base.virtual_channels = all as u32;
    config.shared.base.source_queue_packets = None;
    config.entry = Entry::Next;
    let widths = wider.map(|wider| (width + wider).min(all));
    let first = [0, 1, 2, 3].map(|kind| first[kind] % (all - widths[kind] + 1));
    let planes = planes.map(|planes| planes.map(|plane| plane % config.planes));
    config.kinds = Some(Kinds { planes, first, widths });
}

/// A torus or mesh, sometimes with so many channels or nodes that a router has more than 64 or 128 of them.
fn on_a_grid() -> impl Strategy<Value = Config> {
    let routing = prop_oneof![3 => Just(Routing::DimensionOrder), 1 => valiant(), 2 => Just(Routing::O1Turn), 2 => escape_order()];
    let channels = prop_oneof![2 => Just(None), 1 => (9u32..=16).prop_map(Some)];
    let nodes = prop_oneof![3 => Just(None), 1 => (3u32..=8).prop_map(Some)];
    let order = prop_oneof![Just(Order::Coin), Just(Order::Queues)];
    let chosen = (routing, order);
    (base(), chosen, choices(), channels, nodes).prop_map(|(base, (routing, order), choices, channels, nodes)| {
        let mut shared = wormhole::Config { base, routing, ..wormhole::Config::plain(&[2], false) };
        shared.base.virtual_channels = channels.unwrap_or(shared.base.virtual_channels);
        shared.base.nodes_per_router = nodes.unwrap_or(shared.base.nodes_per_router);
        fit_routing(&mut shared);
        Config { shared, order, ..choices }
    })
}

/// Dimension order with escape channels.
fn escape_order() -> impl Strategy<Value = Routing> {
    let asks = prop_oneof![
        2 => Just(Asks::Escape(Tied::Same)),
        3 => Just(Asks::Escape(Tied::Coin)),
        1 => Just(Asks::Thirds),
    ];
    asks.prop_map(Routing::EscapeOrder)
}

/// Few channels in long rings without datelines.
fn take_risks(config: &mut Config) {
    let base = &mut config.shared.base;
    base.virtual_channels = base.virtual_channels.min(2);
    base.datelines = Datelines::None;
    base.wrap.fill(true);
    base.radix[0] = base.radix[0].max(4);
    config.shared.routing = Routing::DimensionOrder;
}

/// All that has to do with routers alone, on any network. Two of five have a router as most are, for which the engine has a step of its own.
fn choices() -> impl Strategy<Value = Config> {
    (any_choices(), prop::bool::weighted(0.4)).prop_map(|(choices, plain)| match plain {
        true => Config {
            routing_cycles: choices.routing_cycles.min(1),
            crossbar_cycles: 1,
            input_speedup: 1,
            output_speedup: 1,
            internal_speedup: 1.0,
            output_queue_flits: None,
            hold_switch: false,
            speculation: Speculation::Off,
            request_order: RequestOrder::ByPort,
            priority: Priority::None,
            ..choices
        },
        false => choices,
    })
}

/// Whether the engine has a step of its own for such routers, as far as they are not too wide for it.
pub fn is_plain(config: &Config) -> bool {
    config.routing_cycles <= 1
        && config.crossbar_cycles == 1
        && (config.input_speedup, config.output_speedup, config.internal_speedup) == (1, 1, 1.0)
        && config.output_queue_flits.is_none()
        && !config.hold_switch
        && config.speculation == Speculation::Off
        && config.request_order == RequestOrder::ByPort
        && config.priority == Priority::None
}

fn any_choices() -> impl Strategy<Value = Config> {
    let cycles = (0u32..=4, prop_oneof![2 => Just(1u32), 1 => 2u32..=4], 0u32..=5);
    let sharing = prop_oneof![Just(Sharing::Owned), Just(Sharing::Shared)];
    let ports = prop_oneof![2 => Just((1usize, 1usize)), 3 => (1usize..=3, 1usize..=3)];
    let steps =
        prop_oneof![3 => Just(8u32), 2 => 9u32..=20, 1 => 21u32..=40].prop_map(|eighths| f64::from(eighths) / 8.0);
    let planes = prop_oneof![4 => Just(1usize), 1 => 2usize..=3];
    let queue = prop_oneof![1 => Just(None), 1 => (1usize..=4).prop_map(Some)];
    let entry = prop_oneof![2 => Just(Entry::Next), 1 => Just(Entry::Drawn)];
    let order = prop_oneof![3 => Just(RequestOrder::ByPort), 1 => Just(RequestOrder::ByChannel)];
    let node_ports = prop_oneof![2 => Just(NodePorts::Last), 1 => Just(NodePorts::First)];
    let input_ports = prop_oneof![2 => Just(InputPorts::AsOutputs), 1 => Just(InputPorts::ByRouter)];
    let node_ports = (node_ports, input_ports);
    let held = (any::<bool>(), speculation(), planes, entry, order, node_ports);
    let priority = prop_oneof![
        4 => Just(Priority::None),
        2 => Just(Priority::Age),
        1 => Just(Priority::Sequence),
        2 => Just(Priority::Queue),
        2 => Just(Priority::Class),
    ];
    let priorities = (priority, prop::bool::weighted(0.3), prop::bool::weighted(0.3));
    (cycles, sharing, any::<bool>(), (ports, steps, queue), (allocator(), allocator()), (held, priorities)).prop_map(
        |(
            cycles,
            sharing,
            channel_needs_credit,
            (ports, internal_speedup, output_queue_flits),
            allocators,
            (held, priorities),
        )| {
            Config {
                routing_cycles: cycles.0,
                crossbar_cycles: cycles.1,
                credit_cycles: cycles.2,
                sharing,
                channel_needs_credit,
                input_speedup: ports.0,
                output_speedup: ports.1,
                internal_speedup,
                output_queue_flits,
                vc_allocator: allocators.0,
                switch_allocator: allocators.1,
                hold_switch: held.0,
                speculation: held.1,
                planes: held.2,
                entry: held.3,
                request_order: held.4,
                node_ports: held.5.0,
                input_ports: held.5.1,
                priority: priorities.0,
                donation: priorities.1,
                prefers_empty: priorities.2,
                class_priorities: vec![1],
                ..Config::plain(&[2], false)
            }
        },
    )
}

/// Half of all heads wait for a channel before they ask for the switch.
fn speculation() -> impl Strategy<Value = Speculation> {
    let needs = || prop_oneof![Just(Needs::Nothing), Just(Needs::Channel), Just(Needs::Credit)];
    let yields = prop_oneof![Just(Yields::Grants), Just(Yields::Requests)];
    let separate = (needs(), yields, allocator());
    prop_oneof![
        2 => Just(Speculation::Off),
        1 => needs().prop_map(Speculation::Shared),
        1 => separate.prop_map(|(needs, yields, allocator)| Speculation::Separate { needs, yields, allocator }),
    ]
}

/// Any allocator.
pub fn allocator() -> impl Strategy<Value = Allocator> {
    let arbiter = || {
        prop_oneof![
            Just(Arbiter::RoundRobin),
            Just(Arbiter::Matrix),
            Just(Arbiter::TreeOfRoundRobins(2)),
            Just(Arbiter::TreeOfMatrices(3)),
        ]
    };
    prop_oneof![
        2 => (1u32..=3).prop_map(|iterations| Allocator::Islip { iterations }),
        1 => arbiter().prop_map(Allocator::SeparableInputFirst),
        1 => arbiter().prop_map(Allocator::SeparableOutputFirst),
        1 => Just(Allocator::Wavefront),
        1 => Just(Allocator::RoundRobinWavefront),
        1 => Just(Allocator::MaxSize),
        1 => (1u32..=3).prop_map(|iterations| Allocator::Pim { iterations }),
        1 => Just(Allocator::Loa),
        1 => (1u32..=3).prop_map(|iterations| Allocator::Select { iterations }),
    ]
}
