//! A simple network of adaptive cut-through routers.

use tailback_verify::adaptive::{Config, CrossbarOutputs, FlowControl, InterfaceChannels, Pace, Policy, Requests};
use tailback_verify::wormhole::{self, Escape, Routing};

/// A torus or mesh with adaptive routing, an escape around every ring and one channel beside it, two packets of four flits a
/// buffer, every choice the simplest.
pub fn plain(radix: &[u32], wrap: bool) -> Config {
    let mut shared =
        wormhole::Config { routing: Routing::Adaptive(Escape::Ring), ..wormhole::Config::plain(radix, wrap) };
    // Under dimension order.
    shared.base.datelines = tailback_verify::reference::Datelines::None;
    Config {
        shared,
        packet_flits: 4,
        turn_cycles: 0,
        consumption_cycles: 0,
        crossbar_outputs: CrossbarOutputs::Link,
        requests: Requests::Parallel,
        escape_first: false,
        transit_first: false,
        flow_control: FlowControl::VirtualCutThrough,
        queues: 1,
        policy: Policy::Sh,
        interface_channels: InterfaceChannels::Physical,
        ejection_port: None,
        choose_again: false,
        pace: Pace::default(),
    }
}
