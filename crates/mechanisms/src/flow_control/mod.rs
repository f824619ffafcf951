//! Flow control: how much room a packet needs.

mod bubble;
mod virtual_cut_through;

use crate::Refusal;
use tailback_engine::contract::flow_control::{FlowControl, Scope, Step};
use tailback_network::Grid;
use tailback_spec::{Idle, Section, View};

/// A flow control that a spec can name.
pub trait Listed: FlowControl + Sized {
    /// Where parameters of it have no effect.
    const IDLE: &'static [Idle] = &[];

    /// Builds it from a resolved `flow_control` section.
    fn build(view: View) -> Self;

    /// Whether a head may be refused for what waits in its router's own queues, and so has to ask anew in every cycle.
    fn watches_own_queue(_view: View) -> bool {
        false
    }

    /// Whether packets that enter a ring always leave a packet's room in it, with packets of `packet_flits` over links of
    /// `link_cycles`; then rings cannot deadlock. The error says why not. `None`: it does not even try.
    fn keeps_room(_view: View, _link_cycles: u32, _packet_flits: u32) -> Option<Result<(), String>> {
        None
    }

    /// Why it does not go with a grid whose buffers hold so many packets.
    fn objections(_view: View, _grid: &Grid, _buffer_packets: u32) -> Vec<Refusal> {
        Vec::new()
    }
}

crate::registry::registry! {
    virtual_cut_through::VirtualCutThrough, bubble::Bubble;

    /// Builds the flow control of a resolved `flow_control` section.
    pub fn build(view: View) -> Any;

    /// Whether a head may be refused for what waits in its router's own queues, and so has to ask anew in every cycle.
    pub fn watches_own_queue(view: View) -> bool;

    /// Whether packets that enter a ring always leave a packet's room in it, with packets of `packet_flits` over links of
    /// `link_cycles`; then rings cannot deadlock. The error says why not. `None`: it does not even try.
    pub fn keeps_room(view: View, link_cycles: u32, packet_flits: u32) -> Option<Result<(), String>>;

    /// Why a resolved `flow_control` section does not go with a grid whose buffers hold so many packets.
    pub fn objections(view: View, grid: &Grid, buffer_packets: u32) -> Vec<Refusal>;

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

/// The `flow_control` section.
pub fn section() -> Section {
    Section {
        path: "flow_control",
        doc: "When a packet may enter a virtual channel, where packets move as wholes.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(virtual_cut_through::ENTRY.name),
        idle: idle().collect(),
    }
}

/// Whether a resolved `flow_control` section uses information that no hardware could have: its kind does, or its scope.
pub fn is_ideal(view: View) -> bool {
    build(view).scope() == Scope::Ring
}
