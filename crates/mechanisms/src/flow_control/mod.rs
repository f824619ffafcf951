//! Flow control: how much room a packet needs.

mod bubble;
mod virtual_cut_through;

use crate::Refusal;
use tailback_engine::contract::flow_control::{FlowControl, Scope, Step};
use tailback_network::Grid;
use tailback_spec::View;

crate::registry::registry! {
    /// A flow control that a spec can name.
    FlowControl: virtual_cut_through::VirtualCutThrough, bubble::Bubble;

    section {
        path: "flow_control",
        doc: "When a packet may enter a virtual channel, where packets move as wholes.",
        default: virtual_cut_through,
        params: &[],
        idle: &[]
    }

    /// Builds the flow control of a resolved `flow_control` section.
    pub fn build(view: View) -> Any;

    /// Whether a head may be refused for what waits in its router's own queues, and so has to ask anew in every cycle.
    const WATCHES_OWN_QUEUE as watches_own_queue: bool = false;

    /// Whether packets that enter a ring always leave a packet's room in it, with packets of `packet_flits` over links of
    /// `link_cycles`; then rings cannot deadlock. The error says why not. `None`: it does not even try.
    pub fn keeps_room(view: View, link_cycles: u32, packet_flits: u32) -> Option<Result<(), String>> { None }

    /// Why a resolved `flow_control` section does not go with a grid whose buffers hold so many packets.
    pub fn objections(view: View, grid: &Grid, buffer_packets: u32) -> Vec<Refusal> { Vec::new() }

    impl FlowControl {
        #[inline]
        fn room_flits(&self, step: Step) -> u32;
        #[inline]
        fn bubble_flits(&self, step: Step) -> u32;
        #[inline]
        fn own_queue_flits(&self, step: Step) -> u32;
        #[inline]
        fn scope(&self) -> Scope;
    }
}

/// Whether a resolved `flow_control` section uses information that no hardware could have: its kind does, or its scope.
pub fn is_ideal(view: View) -> bool {
    build(view).scope() == Scope::Ring
}
