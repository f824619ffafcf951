//! What does not go with input-queued routers.

use super::Chosen;
use tailback_engine::input_queued::{MAX_LINKS, MAX_PORTS};
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
    if !admission::is_off(spec.view("admission")) {
        let message = "nodes of input-queued routers send as soon as they can: no admission mechanism is asked";
        let help = "set admission to \"off\", or take another kind of router";
        errors.push(SpecError::at("admission", message).help(help));
    }
    errors
}
