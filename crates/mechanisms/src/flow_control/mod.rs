//! Flow control: how much room a packet needs.

mod bubble;
mod virtual_cut_through;

use tailback_engine::contract::flow_control::{FlowControl, Scope, Step};
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Virtual cut-through.
    VirtualCutThrough(virtual_cut_through::VirtualCutThrough, virtual_cut_through::ENTRY),
    /// Bubble flow control.
    Bubble(bubble::Bubble, bubble::ENTRY),
}

/// The `flow_control` section.
pub fn section() -> Section {
    Section {
        path: "flow_control",
        doc: "When a packet may enter a virtual channel, where packets move as wholes.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(virtual_cut_through::ENTRY.name),
        idle: bubble::IDLE.iter().collect(),
    }
}

/// Builds the flow control of a resolved `flow_control` section.
pub fn build(view: View) -> Any {
    match view.kind() {
        "bubble" => Any::Bubble(bubble::Bubble::new(view)),
        _ => Any::VirtualCutThrough(virtual_cut_through::VirtualCutThrough),
    }
}

/// Whether a resolved `flow_control` section uses information that no hardware could have: its kind does, or its scope.
pub fn is_ideal(view: View) -> bool {
    build(view).scope() == Scope::Ring
}

impl Any {
    /// Whether packets that enter a ring always leave a packet's room in it, with packets of `packet_flits` over links of
    /// `link_cycles`; then rings cannot deadlock.
    ///
    /// # Errors
    /// Why not.
    pub fn keeps_room(&self, link_cycles: u32, packet_flits: u32) -> Result<(), String> {
        match self {
            Any::VirtualCutThrough(_) => Err("packets may fill a ring".to_owned()),
            Any::Bubble(f) => f.keeps_room(link_cycles, packet_flits),
        }
    }
}

impl FlowControl for Any {
    #[inline]
    fn room_flits(&self, step: Step) -> u32 {
        match self {
            Any::VirtualCutThrough(f) => f.room_flits(step),
            Any::Bubble(f) => f.room_flits(step),
        }
    }

    #[inline]
    fn bubble_flits(&self, step: Step) -> u32 {
        match self {
            Any::VirtualCutThrough(f) => f.bubble_flits(step),
            Any::Bubble(f) => f.bubble_flits(step),
        }
    }

    #[inline]
    fn own_queue_flits(&self, step: Step) -> u32 {
        match self {
            Any::VirtualCutThrough(f) => f.own_queue_flits(step),
            Any::Bubble(f) => f.own_queue_flits(step),
        }
    }

    #[inline]
    fn scope(&self) -> Scope {
        match self {
            Any::VirtualCutThrough(f) => f.scope(),
            Any::Bubble(f) => f.scope(),
        }
    }
}
