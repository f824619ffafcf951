//! What packets that move as wholes cannot do, and what only the adaptive cut-through data path can.

use super::{Own, queued, refused};
use crate::router::{Router, buffers, packet_flits, ports};
use tailback_engine::adaptive;
use tailback_mechanisms::{Refusal, admission, flow_control, interface};
use tailback_network::Grid;
use tailback_spec::{Resolved, SpecError};
use tailback_traffic::has_messages;

/// What does not go with the lengths of packets, and what belongs to another kind of router.
pub(crate) fn whole_packets(
    spec: &Resolved,
    grid: &Grid,
    router: &Router,
    own: &Result<Own, Refusal>,
) -> Vec<SpecError> {
    let split = split_escape(spec);
    if !matches!(router, Router::InputQueued(_)) && split.is_some() {
        return split.into_iter().collect();
    }
    match router {
        Router::Adaptive(router) => {
            let mut errors = of_adaptive(spec, router);
            if errors.is_empty() {
                errors.extend(ports::objections(spec.view("router"), router.packet_flits));
            }
            if errors.is_empty() {
                let view = spec.view("flow_control");
                errors.extend(flow_control::objections(view, grid, router.buffer_packets).into_iter().map(refused));
            }
            errors.extend(own.as_ref().err().cloned().map(refused));
            errors.extend(queued::unasked(spec));
            errors
        }
        Router::Queued(router) => queued::objections(spec, grid, router, own),
        Router::CutThrough(_) => beside_cut_through(spec),
        Router::Wormhole(_) => beside_wormhole(spec),
        Router::InputQueued(_) => super::input_queued::others(spec),
    }
}

/// What does not go with adaptive cut-through in a network of any shape.
pub(crate) fn adaptive_on_any(
    spec: &Resolved,
    router: &adaptive::Router,
    own: &Result<Own, Refusal>,
) -> Vec<SpecError> {
    let mut errors = of_adaptive(spec, router);
    if errors.is_empty() {
        errors.extend(ports::objections(spec.view("router"), router.packet_flits));
    }
    errors.extend(own.as_ref().err().cloned().map(refused));
    errors.extend(queued::unasked(spec));
    errors
}

/// What belongs to another kind of router, and not to cut-through.
pub(crate) fn beside_cut_through(spec: &Resolved) -> Vec<SpecError> {
    let mut errors: Vec<SpecError> = uncut(spec).into_iter().collect();
    errors.extend(beside_wormhole(spec));
    errors
}

/// What belongs to another kind of router, and not to wormhole.
pub(crate) fn beside_wormhole(spec: &Resolved) -> Vec<SpecError> {
    let mut errors = only_adaptive(spec);
    errors.extend(queued::unasked(spec));
    let router = spec.view("router");
    errors.extend(buffers::objection(router));
    if !admission::is_off(spec.view("admission")) {
        errors.extend(buffers::throttled(router));
    }
    errors
}

/// Escape channels that lead another way than the others.
fn split_escape(spec: &Resolved) -> Option<SpecError> {
    let routing = spec.view("routing");
    let message =
        "a head asks for the channels of one port here, and those of two under router.kind = \"input_queued\" alone";
    let splits = routing.has("escape_tie") && routing.text("escape_tie") != "same";
    splits.then(|| {
        SpecError::at("routing.escape_tie", message).help("take routing.escape_tie = \"same\", or that router")
    })
}

/// Messages that this data path does not cut.
fn uncut(spec: &Resolved) -> Option<SpecError> {
    let message = "the cut-through data path sends each message as one packet, whatever its length";
    let help = "take router.kind = \"wormhole\" or \"adaptive_cut_through\", or packet_flits = 0";
    let cut = spec.view("traffic").u32("packet_flits") > 0 && !has_messages(spec.view("workload"));
    cut.then(|| SpecError::at("traffic.packet_flits", message).help(help))
}

/// One length for all packets, and buffers for a whole number of them.
fn of_adaptive(spec: &Resolved, router: &adaptive::Router) -> Vec<SpecError> {
    if has_messages(spec.view("workload")) && spec.view("traffic").u32("packet_flits") == 0 {
        let message = "under adaptive cut-through all packets have one length, and the messages of a program or of a host are of any length";
        let help = "set traffic.packet_flits to cut messages into packets of that length, or take router.kind = \"cut_through\"";
        return vec![SpecError::at("traffic.packet_flits", message).help(help)];
    }
    let Some(length) = packet_flits(spec.view("traffic")) else {
        let message = "under adaptive cut-through all packets have one length, since buffers and bubbles are counted in \
                       packets, and the lengths of traffic.size vary";
        let help = "set traffic.packet_flits to cut messages into packets, or take size = \"fixed\" or \
                    router.kind = \"cut_through\"";
        return vec![SpecError::at("traffic.size", message).help(help)];
    };
    let buffer = spec.view("router").u32("buffer_flits");
    if router.buffer_packets == 0 {
        let message = format!(
            "a packet of {length} flits never fits a buffer of {buffer}: under cut-through a packet moves on only when the \
             next buffer has room for all of it"
        );
        let help = format!("set router.buffer_flits to {length} or a multiple of it, or shorten the packets");
        return vec![SpecError::at("router.buffer_flits", message).help(help)];
    }
    if !buffer.is_multiple_of(length) {
        let below = router.buffer_packets * length;
        let message = format!(
            "a buffer of {buffer} flits holds {} packets of {length}, and room for {} flits that nothing ever uses: \
             adaptive cut-through counts buffers in packets",
            router.buffer_packets,
            buffer - below
        );
        let help = format!("set router.buffer_flits to {below} or {}", below + length);
        return vec![SpecError::at("router.buffer_flits", message).help(help)];
    }
    Vec::new()
}

/// What no other data path does.
fn only_adaptive(spec: &Resolved) -> Vec<SpecError> {
    const HELP: &str = "take router.kind = \"adaptive_cut_through\"";
    let mut errors = Vec::new();
    if flow_control::watches_own_queue(spec.view("flow_control")) {
        let message = "bubble flow control needs a router whose heads may ask anew in every cycle, and that watches its own \
                       queues: only the adaptive cut-through data path does";
        let help = format!("{HELP}, for deterministic routing too, or flow_control = \"virtual_cut_through\"");
        errors.push(SpecError::at("flow_control.kind", message).help(help));
    }
    if !interface::is_plain(spec.view("interface")) {
        let message = "a node has one source queue with a channel of its own here: only the adaptive cut-through data path \
                       has an injection interface";
        errors.push(SpecError::at("interface", message).help(format!("{HELP}, or leave the section out")));
    }
    errors
}
