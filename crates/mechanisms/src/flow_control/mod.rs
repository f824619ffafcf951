//! Flow control: how much room a packet needs.

mod virtual_cut_through;

use tailback_engine::contract::flow_control::{FlowControl, Step};
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Virtual cut-through.
    VirtualCutThrough(virtual_cut_through::VirtualCutThrough, virtual_cut_through::ENTRY),
}

/// The `flow_control` section.
pub fn section() -> Section {
    Section {
        path: "flow_control",
        doc: "When a packet may enter a virtual channel, under cut-through.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(virtual_cut_through::ENTRY.name),
    }
}

/// Builds the flow control of a resolved `flow_control` section.
pub fn build(_view: View) -> Any {
    Any::VirtualCutThrough(virtual_cut_through::VirtualCutThrough)
}

impl FlowControl for Any {
    #[inline]
    fn room_flits(&self, step: Step) -> u32 {
        let Any::VirtualCutThrough(f) = self;
        f.room_flits(step)
    }

    #[inline]
    fn bubble_flits(&self, step: Step) -> u32 {
        let Any::VirtualCutThrough(f) = self;
        f.bubble_flits(step)
    }
}
