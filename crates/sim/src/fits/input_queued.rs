//! What does not go with input-queued routers.

use super::Chosen;
use crate::router::input_queued::refused_priorities;
use tailback_engine::input_queued::{Allocator, MAX_LINKS, MAX_PORTS, Router, Speculation};
use tailback_mechanisms::admission;
use tailback_spec::{Resolved, SpecError};

/// Routers that are too wide.
pub(crate) fn width(links: usize, nodes: u32) -> Option<SpecError> {
    if links > MAX_LINKS {
        let message = format!("a router would have {links} links to others, and at most {MAX_LINKS} are supported");
        return Some(SpecError::at("topology", message).help("take a network of narrower routers"));
    }
    let ports = links + nodes as usize;
    (ports > MAX_PORTS).then(|| {
        let message = format!(
            "a router would have {ports} ports ({links} to its neighbours and {nodes} to nodes), and at most {MAX_PORTS} are supported"
        );
        SpecError::at("topology.nodes_per_router", message).help("take fewer nodes per router")
    })
}

/// Arbiters with groups that are not alike, of a router with so many ports.
pub(crate) fn groups(ports: usize, router: &Router) -> Vec<SpecError> {
    let channels = [ports * router.channels as usize; 2];
    let crossbar = [router.input_speedup, router.output_speedup].map(|times| ports * times as usize);
    let hopes = match router.speculation {
        Speculation::Separate { allocator, .. } => Some(("router.speculation_allocator_groups", allocator, crossbar)),
        _ => None,
    };
    let all = [
        Some(("router.vc_allocator_groups", router.channel_allocator, channels)),
        Some(("router.switch_allocator_groups", router.switch_allocator, crossbar)),
        hopes,
    ];
    let refused = |(path, Allocator { groups, .. }, rivals): (&str, Allocator, [usize; 2])| {
        let uneven = rivals.into_iter().find(|rivals| !rivals.is_multiple_of(groups as usize))?;
        let message = format!("{uneven} inputs or outputs of a router are not {groups} groups of one size");
        Some(SpecError::at(path, message).help("take a divisor"))
    };
    all.into_iter().flatten().filter(|(_, allocator, _)| allocator.has_arbiters()).filter_map(refused).collect()
}

/// Routing and recovery that need another kind of router.
pub(super) fn beside(Chosen { adaptive, lane }: Chosen) -> Vec<SpecError> {
    let mut errors = Vec::new();
    if lane {
        let message = "deadlock recovery needs router.kind = \"wormhole\": input-queued routers have no recovery lane";
        errors.push(SpecError::at("recovery.kind", message).help("take the wormhole router, or recovery = \"off\""));
    }
    if adaptive {
        let message =
            "a head of an input-queued router asks for channels of one port, and adaptive routing gives it several";
        let help = "take router.kind = \"wormhole\" or \"adaptive_cut_through\", or a routing that gives one port";
        errors.push(SpecError::at("routing.kind", message).help(help));
    }
    errors
}

/// What belongs to other kinds of router.
pub(crate) fn others(spec: &Resolved) -> Vec<SpecError> {
    let mut errors = super::beside_wormhole(spec);
    errors.extend(refused_priorities(spec, spec.view("router")).map(|message| {
        SpecError::at("router.class_priorities", message).help("name as many numbers as there are traffic.classes")
    }));
    if !admission::is_off(spec.view("admission")) {
        let message = "nodes of input-queued routers send as soon as they can: no admission mechanism is asked";
        let help = "set admission to \"off\", or take another kind of router";
        errors.push(SpecError::at("admission", message).help(help));
    }
    errors
}
