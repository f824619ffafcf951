//! Routing: which output and which virtual channels a head asks for.

pub mod dimension_order;

use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Dimension order.
    DimensionOrder(dimension_order::DimensionOrder, dimension_order::ENTRY),
}

/// The `routing` section.
pub fn section() -> Section {
    Section {
        path: "routing",
        doc: "Which way packets go, and on which virtual channels.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(dimension_order::ENTRY.name),
    }
}

/// Builds the routing of a resolved `routing` section for `channels` virtual channels. The error is a message and a help.
pub fn build(view: View, grid: &Grid, channels: u32) -> Result<Any, dimension_order::Refusal> {
    Ok(Any::DimensionOrder(dimension_order::DimensionOrder::new(view, grid, channels)?))
}

impl Routing for Any {
    #[inline]
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        let Any::DimensionOrder(r) = self;
        r.start(router, packet, draw)
    }

    #[inline]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let Any::DimensionOrder(r) = self;
        r.request(head, packet, word)
    }

    #[inline]
    fn advance(&self, port: u8, word: u32) -> u32 {
        let Any::DimensionOrder(r) = self;
        r.advance(port, word)
    }
}
