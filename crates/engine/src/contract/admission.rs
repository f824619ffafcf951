//! Admission (throttling): whether the head of an injection queue may ask for the network in this cycle.

use super::routing::Request;
use crate::occupancy::Occupancy;
use tailback_base::state::State;

/// What one router's hardware sees of its own outputs.
#[derive(Clone, Copy, Debug)]
pub struct LocalView<'a> {
    /// The router.
    pub router: u32,
    /// Outputs that no packet holds, as a mask.
    pub idle: u64,
    /// Per network port, the virtual channels that a packet could take, as masks: under cut-through those with room for a
    /// packet downstream, under wormhole those that no packet owns. A port of an input-output-queued switch has one channel, which a
    /// packet could take while the egress side holds none.
    pub room: &'a [u16],
    /// All virtual channels of a port, as a mask.
    pub all: u16,
}

/// What the controller of a throttle knows at the end of a cycle, for probes. `None`: it has no such number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauges {
    /// What the estimate is compared with in the next cycle \[buffers\].
    pub threshold: Option<f64>,
    /// Its estimate of the network's full buffers in the next cycle \[buffers\].
    pub estimate: Option<f64>,
    /// Full buffers of the network as it last learned \[buffers\].
    pub full_buffers: Option<f64>,
}

/// Decides on admission. Whatever it learns of other routers it carries itself, with the delay of its wires, in
/// `observe`; no call shows it another router's present.
pub trait Admission: State {
    /// Whether it ever refuses. When not, the engine skips it.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }

    /// Whether what it decides at a router depends on nothing but the [`LocalView`] and the request, so that routers need not
    /// be simulated together.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether `observe` needs the flits in every buffer.
    fn needs_occupancy(&self) -> bool {
        false
    }

    /// End of cycle `cycle`: reads this cycle's buffers, moves its side-band by a cycle. What it learns here holds from
    /// the next cycle on.
    fn observe(&mut self, _cycle: u64, _occupancy: Option<&Occupancy>) {}

    /// The nodes of `router` have received `flits` flits: under wormhole each as it comes, under cut-through all of a packet
    /// with its tail. What a side-band that gathers delivered bandwidth adds up until the next `observe`.
    fn delivered(&mut self, _router: u32, _flits: u32) {}

    /// Whether [`Admission::sent`] is needed.
    fn watches_flits(&self) -> bool {
        false
    }

    /// `router` sends a flit by network port `port` in this cycle; `input` is the network input (port, channel) that it
    /// leaves, `None` a node.
    fn sent(&mut self, _router: u32, _port: u8, _input: Option<(u8, u8)>) {}

    /// Whether a new packet with this request may ask for its output now: as [`Admission::admits_by_any`], with the port that it asks for
    /// as the only useful one.
    #[inline]
    fn admits(&self, view: LocalView<'_>, request: Request) -> bool {
        self.admits_by_any(view, request, request.port.map_or(0, |port| 1 << port))
    }

    /// Whether a new packet that could leave by any of the `useful` ports (a mask) may ask now. A packet without a useful port is for a
    /// node of this router. Called where routing is adaptive.
    fn admits_by_any(&self, view: LocalView<'_>, request: Request, useful: u16) -> bool;

    /// What its controller knows now. Costs nothing unless a probe asks.
    fn gauges(&self) -> Gauges {
        Gauges::default()
    }
}
