//! What cannot be: physical reasons against a point, each placed at a line of the spec.

pub(crate) mod input_queued;
mod packets;
pub(crate) mod queued;
mod size;

pub(crate) use packets::{adaptive_on_any, beside_cut_through, beside_wormhole, whole_packets};
pub(crate) use size::{few_nodes, memory_limit, shortest_packet, size};

use crate::memory;
use crate::router::Router;
use crate::watch::series_bytes;
use tailback_engine::contract::routing::Sight;
use tailback_engine::packet::Packet;
use tailback_engine::wormhole::{ChannelAllocator, Sharing};
use tailback_engine::{adaptive, cut_through, ioq, wormhole};
use tailback_mechanisms::admission::{Site, Switching};
use tailback_mechanisms::{Refusal, admission, arbiter, interface, queueing, routing};
use tailback_network::{Grid, Network};
use tailback_probes::Size;
use tailback_spec::{Point, Resolved, SpecError, View};
use tailback_traffic::{Course, Traffic, course, has_messages, message_flits, periods};

/// Time series that would fill the memory long before the run is over.
pub(crate) fn series(point: &Point, traffic: &Traffic, grid: &Grid, router: &Router) -> Option<SpecError> {
    let view = |section| point.resolved.view(section);
    let buffers = grid.ports() as u64 * u64::from(router.channels());
    let size = Size { routers: grid.routers() as u64, buffers };
    let (bytes, path) = series_bytes(view("workload"), view("probes"), traffic, size);
    let limit = memory_limit(view("run"));
    (bytes > limit).then(|| {
        let (needs, limit) = (memory::readable(bytes), memory::readable(limit));
        let message =
            format!("the time series of a run of this length would need {needs} of memory, and the limit is {limit}");
        let help = "take longer windows, sample less often, or run fewer cycles";
        SpecError::at(path, message).help(help)
    })
}

/// A message that would fill the memory: under some data paths a node makes all its packets in the cycle in which it may be sent.
pub(crate) fn made_at_once(longest: u32, router: &Router, run: View) -> Option<SpecError> {
    let (packet, limit, each) = match router {
        Router::Adaptive(router) => (router.packet_flits, router.source_queue_packets, adaptive::WAITING_BYTES),
        Router::Queued(router) => (router.packet_flits, router.source_queue_packets, size_of::<Packet>()),
        Router::CutThrough(_) | Router::Wormhole(_) | Router::InputQueued(_) => return None,
    };
    let packets = u64::from(longest.div_ceil(packet.max(1)));
    let bytes = packets.min(limit.map_or(u64::MAX, u64::from)) * each as u64;
    let allowed = memory_limit(run);
    (bytes > allowed).then(|| {
        let (needs, allowed) = (memory::readable(bytes), memory::readable(allowed));
        let message = format!(
            "the longest message has {longest} flits, which are {packets} packets; its node makes all of them at once and needs {needs} of \
             memory, and the limit is {allowed}"
        );
        SpecError::at("workload", message)
            .help("send shorter messages, set router.source_queue_packets, or raise run.memory_limit_mib")
    })
}

/// What a spec has chosen, as far as it matters to whether it fits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chosen {
    /// Routing chooses among outputs.
    pub adaptive: bool,
    /// Recovery has a lane.
    pub lane: bool,
}

/// Dimensions of the largest grid.
const MOST_DIMENSIONS: usize = 6;

/// What only one data path has, built once, as it is at cycle 0.
pub(crate) enum Own {
    /// Nothing.
    Nothing,
    /// The injection interface of adaptive cut-through.
    Injection(interface::Any),
    /// The queueing discipline of an input-output-queued switch.
    Discipline(queueing::Any),
}

impl Own {
    /// Of a resolved spec.
    ///
    /// # Errors
    /// Why it cannot work on this network.
    pub fn build(spec: &Resolved, network: &Network, router: &Router) -> Result<Self, Refusal> {
        match router {
            Router::CutThrough(_) | Router::Wormhole(_) | Router::InputQueued(_) => Ok(Own::Nothing),
            Router::Adaptive(_) => {
                // Where there is no grid, queues have nothing to do with dimensions.
                let dimensions = network.grid().map_or(MOST_DIMENSIONS, Grid::dimensions);
                interface::build(spec.view("interface"), dimensions, network.nodes()).map(Own::Injection)
            }
            Router::Queued(router) => queued::discipline(spec, network, router).map(Own::Discipline),
        }
    }
}

/// Inputs and outputs are bits of masks.
pub(crate) fn ports(grid: &Grid, router: &Router, chosen: Chosen) -> Vec<SpecError> {
    let (counts, limit) = match router {
        Router::CutThrough(router) => {
            (cut_through::port_counts(grid.ports(), grid.nodes_per_router(), router), cut_through::MAX_PORTS)
        }
        Router::Wormhole(router) => {
            let link_channels = router.channels as usize + usize::from(chosen.lane);
            (wormhole::port_counts((grid.ports(), grid.nodes_per_router()), router, link_channels), wormhole::MAX_PORTS)
        }
        Router::Adaptive(router) => {
            (adaptive::port_counts((grid.ports(), grid.nodes_per_router()), router), adaptive::MAX_PORTS)
        }
        Router::Queued(_) => return switch_ports(grid.ports(), grid.nodes_per_router()).into_iter().collect(),
        Router::InputQueued(router) => {
            let (links, nodes) = (grid.ports(), grid.nodes_per_router() / router.classes);
            let groups = input_queued::groups(links + nodes as usize, router);
            return input_queued::width(links, nodes).into_iter().chain(groups).collect();
        }
    };
    let lane = if chosen.lane { " and one of the recovery lane" } else { "" };
    let inputs = format!(
        "{} ports x {} virtual channels{lane} + {} nodes x {}",
        grid.ports(),
        router.channels(),
        grid.nodes_per_router(),
        router.injection_inputs()
    );
    let noun = if router.is_wormhole() { "output channels" } else { "outputs" };
    let help = ["take fewer channels, dimensions, nodes or injection queues", "take fewer ejection channels"];
    masks(counts, (limit, limit), (&inputs, noun), help)
}

/// More inputs or outputs than so many. The inputs are explained, the outputs have a noun, and there is help for each.
pub(crate) fn masks(
    (inputs, outputs): (usize, usize),
    (most_inputs, most_outputs): (usize, usize),
    (explained, noun): (&str, &str),
    help: [&str; 2],
) -> Vec<SpecError> {
    let refuse = |path: &str, what: String, most: usize, help: &str| {
        SpecError::at(path, format!("a router would have {what}, and at most {most} are supported")).help(help)
    };
    let inputs = (inputs > most_inputs)
        .then(|| refuse("router.virtual_channels", format!("{inputs} inputs ({explained})"), most_inputs, help[0]));
    let outputs = (outputs > most_outputs)
        .then(|| refuse("router.ejection_channels", format!("{outputs} {noun}"), most_outputs, help[1]));
    inputs.into_iter().chain(outputs).collect()
}

/// An error for a switch with too many ports; each port of it is an input and an output.
pub(crate) fn switch_ports(links: usize, nodes: u32) -> Option<SpecError> {
    let (ports, limit) = (links + nodes as usize, ioq::MAX_PORTS);
    (ports > limit).then(|| {
        let message = format!(
            "a switch would have {ports} ports ({links} to its neighbours and {nodes} to nodes), and at most {limit} are \
             supported"
        );
        match limit.checked_sub(links) {
            Some(most @ 1..) => {
                let help = format!("set topology.nodes_per_router to {most} or less");
                SpecError::at("topology.nodes_per_router", message).help(help)
            }
            _ => SpecError::at("topology", message).help("take a network of narrower switches"),
        }
    })
}

/// Under cut-through a packet moves as a whole. Nothing is said of sizes that are wrong themselves, nor of those of a program
/// or of a host, which are not there yet.
pub(crate) fn packets(spec: &Resolved, router: &Router) -> Option<SpecError> {
    let longest = *message_flits(spec.view("traffic")).ok()?.end();
    if has_messages(spec.view("workload")) { None } else { longer_than_buffers(longest, router) }
}

/// Packets of `longest` flits that do not fit the buffers of a cut-through network.
pub(crate) fn longer_than_buffers(longest: u32, router: &Router) -> Option<SpecError> {
    (matches!(router, Router::CutThrough(_)) && longest > router.buffer_flits()).then(|| {
        let message = format!(
            "a packet of {longest} flits never fits a buffer of {}: under cut-through a packet moves on only when the \
             next buffer has room for all of it",
            router.buffer_flits()
        );
        let help = format!(
            "set router.buffer_flits to {longest} or more, shorten the packets, or take router.kind = \"wormhole\""
        );
        SpecError::at("router.buffer_flits", message).help(help)
    })
}

/// Arbiters that have to know which inputs are of one port, where a router's stages choose among others, or a port has one input.
pub(crate) fn arbiter(view: View, router: &Router) -> Option<SpecError> {
    if !arbiter::asks_ports(view) {
        return None;
    }
    if router.is_wormhole() {
        let message = "the arbiters of a wormhole router choose in stages, among channels and ports that are no inputs of one list";
        let help = "take arbiter = \"round_robin\" or \"matrix\", or a cut-through router";
        return Some(SpecError::at("arbiter.kind", message).help(help));
    }
    let message = format!("a port has one channel here, and `{}` is round robin among such ports", view.kind());
    (router.channels() == 1).then(|| {
        SpecError::at("arbiter.kind", message).help("take arbiter = \"round_robin\", or more virtual channels")
    })
}

/// Nodes that cease to send at the end, which only one of the data paths has.
pub(crate) fn emptied(spec: &Resolved, router: &Router) -> Option<SpecError> {
    let workload = spec.view("workload");
    let ceases = course(workload) == Course::Periods && periods(workload).empties;
    (ceases && !matches!(router, Router::InputQueued(_))).then(|| {
        let message = "nodes cease to send at the end under router.kind = \"input_queued\" alone";
        SpecError::at("workload.empties_network", message).help("take that router, or leave it at false")
    })
}

/// What only one of the data paths has.
pub(crate) fn data_path(router: &Router, Chosen { adaptive, lane }: Chosen) -> Vec<SpecError> {
    let mut errors = Vec::new();
    match router {
        Router::CutThrough(_) => {
            if lane {
                let message = "deadlock recovery needs router.kind = \"wormhole\": the cut-through data path has no \
                               recovery lane";
                errors.push(
                    SpecError::at("recovery.kind", message).help("take the wormhole router, or recovery = \"off\""),
                );
            }
            if adaptive {
                let message = "the cut-through data path does not run adaptive routing: its heads ask for one output until \
                               they get it";
                errors.push(SpecError::at("routing.kind", message).help(
                    "take router.kind = \"adaptive_cut_through\" or \"wormhole\", or routing = \"dimension_order\"",
                ));
            }
        }
        Router::Adaptive(_) => {
            if lane {
                let message = "deadlock recovery needs router.kind = \"wormhole\": the adaptive cut-through data path has \
                               no recovery lane";
                let help = "set recovery = \"off\": escape channels, or bubbles, keep its networks free of deadlock";
                errors.push(SpecError::at("recovery.kind", message).help(help));
            }
        }
        Router::Queued(_) => {
            if lane {
                let message = "deadlock recovery needs router.kind = \"wormhole\": the input-output-queued data path has no \
                               recovery lane";
                let help = "set recovery = \"off\": dimension order and turn models on a mesh cannot deadlock";
                errors.push(SpecError::at("recovery.kind", message).help(help));
            }
        }
        Router::InputQueued(_) => errors.extend(input_queued::beside(Chosen { adaptive, lane })),
        Router::Wormhole(router) => errors.extend(speculation(router)),
    }
    errors
}

/// Routings that look at queues, which on grids only one kind of router shows, and those that read signals, for which only one has wires.
pub(crate) fn sight(routing: View, sight: Sight, router: &Router) -> Option<SpecError> {
    if let Sight::Signals(_) = sight {
        return (!matches!(router, Router::CutThrough(_))).then(|| {
            let message = format!(
                "{} routing reads the signals of routers ahead, and only router.kind = \"cut_through\" carries them",
                routing.kind()
            );
            SpecError::at("routing.kind", message).help("take router.kind = \"cut_through\", or routing = \"o1turn\"")
        });
    }
    if routing::goes_by_links(routing) {
        return sight_of_any(routing, sight, router);
    }
    if sight == Sight::Nothing || matches!(router, Router::InputQueued(_)) {
        return None;
    }
    let message = format!(
        "{} routing by queues looks at those of a router, and on a grid only router.kind = \"input_queued\" shows them",
        routing.kind()
    );
    Some(
        SpecError::at("routing.by", message).help("set routing.by to \"coin\", or take router.kind = \"input_queued\""),
    )
}

/// Routings that look at queues in networks of any shape, under a kind of router that does not show them.
pub(crate) fn sight_of_any(view: View, sight: Sight, router: &Router) -> Option<SpecError> {
    let own = match router {
        Router::CutThrough(_) => return None,
        Router::InputQueued(router) => {
            sight == Sight::Own && (router.routing_cycles > 0 || routing::decides_at_source(view))
        }
        _ => false,
    };
    if own || sight == Sight::Nothing {
        return None;
    }
    if let (Router::InputQueued(_), Sight::Own) = (router, sight) {
        let message = format!(
            "{} routing looks at the queues of every router, and without routing cycles a router would have to know those of the next",
            view.kind()
        );
        let help = "set router.routing_cycles to 1 or more, or take router.kind = \"cut_through\"";
        return Some(SpecError::at("router.routing_cycles", message).help(help));
    }
    let message = format!(
        "{} routing looks at the queues of routers, and only router.kind = \"cut_through\" shows them; \"input_queued\" those of its own router",
        view.kind()
    );
    let help =
        "take router.kind = \"cut_through\", or a routing that looks at no queues, such as valiant, layered or a table";
    Some(SpecError::at("routing.kind", message).help(help))
}

/// Routings whose packets pass their destination on the way to somewhere else: there the lane has no way on.
pub(crate) fn lane(routing: View, chosen: Chosen) -> Option<SpecError> {
    (chosen.lane && routing::routes(routing) == routing::Routes::Detours).then(|| {
        let kind = routing.kind();
        let message = format!(
            "{kind} routing cannot be combined with recovery: the lane leads to the destination, and a packet on its way to the \
             intermediate router may be at its destination already"
        );
        SpecError::at("recovery.kind", message).help(format!(
            "set recovery = \"off\": {kind} routing with its channels by phase is free of deadlock by itself"
        ))
    })
}

fn speculation(router: &wormhole::Router) -> Option<SpecError> {
    if !router.speculative {
        return None;
    }
    if router.channel_allocator != ChannelAllocator::InputFirst {
        let message = "a speculative request names the channel that the head selected, and only vc_allocator = \
                       \"input_first\" lets every head select one before channels pick";
        return Some(SpecError::at("router.speculative", message).help("set router.vc_allocator = \"input_first\""));
    }
    (router.vc_allocation_cycles == 0).then(|| {
        let message = "with vc_allocation_cycles = 0 a head asks the switch in the cycle in which it is given its \
                       channel anyway: there is nothing to speculate on";
        SpecError::at("router.speculative", message)
            .help("set router.vc_allocation_cycles to 1 or more, or speculative = false")
    })
}

/// Why the sharing of buffers brings deadlock back to a routing that is free of it.
///
/// Duato's condition wants a head that waits to have its escape. In a shared channel a head can be given an adaptive channel
/// whose buffer is full, and heads that wait so for each other's buffers close a circle, escapes or not. An `owned` channel
/// is given with its buffer empty, and with `shared_whole` the packet, or its head at the front, finds room.
pub(crate) fn sharing(routing: View, router: &wormhole::Router) -> Result<(), String> {
    if routing::safe_sharing(routing).contains(&sharing_word(router.sharing)) {
        return Ok(());
    }
    Err("with sharing = \"shared\" a head is given an adaptive channel whose buffer is full of other packets, and cannot \
         take its escape any more"
        .to_owned())
}

/// Whether a recovery lane finds every deadlock: it counts the cycles in which a head fails to get a channel, and only an
/// owned channel is never given with a full buffer behind it, where the head waits on without failing.
pub(crate) fn finds_deadlocks(router: &Router) -> bool {
    matches!(router, Router::Wormhole(router) if router.sharing == Sharing::Owned)
}

fn sharing_word(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Owned => "owned",
        Sharing::Shared => "shared",
        Sharing::SharedWhole => "shared_whole",
    }
}

/// Places that are not in the network, charts that are too large.
pub(crate) fn probes(view: View, radix: &[u32]) -> Vec<SpecError> {
    let mut errors = Vec::new();
    let places = [("space_time_row", 1), ("space_time_column", 0)];
    for (name, dimension) in places {
        let (Some(place), Some(&k)) = (view.finite(name), radix.get(dimension)) else { continue };
        if place >= u64::from(k) {
            let message =
                format!("there are {k} routers in that dimension, numbered from 0; {place} is not one of them");
            errors.push(SpecError::at(format!("probes.{name}"), message).help(format!("take 0 to {}", k - 1)));
        }
    }
    let cells = radix.iter().take(2).map(|&k| 2 * u64::from(k)).sum::<u64>();
    let cells = cells.saturating_mul(view.u64("space_time_cycles"));
    if cells > 1 << 28 {
        let message = format!("the space-time charts would have {cells} cells, and at most {} are kept", 1 << 28);
        errors.push(SpecError::at("probes.space_time_cycles", message).help("record fewer cycles"));
    }
    errors
}

/// Throttles that do not go with the network, or would never admit anything, where there are any.
pub(crate) fn admission(
    spec: &Resolved,
    grid: &Grid,
    router: &Router,
    chosen: Chosen,
    own: &Result<Own, Refusal>,
) -> Option<SpecError> {
    let site = Site { grid, channels: router.channels(), buffer_flits: router.buffer_flits() };
    let by_flits = router.is_wormhole();
    let switching = match router {
        // The route of a packet is fixed when it is made.
        Router::Queued(_) => {
            let divides = |discipline| queued::divides_memory(&grid.into(), discipline);
            let shared_buffers = !matches!(own, Ok(Own::Discipline(discipline)) if divides(discipline));
            Switching { by_flits, adaptive: false, by_channels: false, shared_buffers }
        }
        _ => Switching { by_flits, adaptive: chosen.adaptive, by_channels: true, shared_buffers: true },
    };
    admission::objection(spec.view("admission"), site, switching).map(refused)
}

/// The error of a mechanism's refusal.
pub(crate) fn refused(refusal: Refusal) -> SpecError {
    SpecError::at(refusal.path, refusal.message).help(refusal.help)
}
