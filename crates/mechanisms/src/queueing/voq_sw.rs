//! VOQsw: a queue for each port of the switch.
//!
//! Paper:    `recn-mesh-2005` section 3.1.
//! Acts:     when a packet joins a side.
//! Sees:     the packet's next output port.
//! State:    none.
//! Differs from the paper: it leaves open what sorts packets into the queues behind the crossbar. Credits a queue mean that
//! the sender knows the next queue, so the output port at the next switch is the default.

use super::Listed;
use super::fixed::{By, Fixed, in_class};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place, Route, Side};
use tailback_network::Network;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Virtual output queues of the switch.
pub static ENTRY: Entry = Entry {
    name: "voq_sw",
    summary: "a queue for each port of the switch, with an equal part of the memory",
    paper: "recn-mesh-2005 section 3.1",
    ideal: false,
    params: &[Param {
        name: "egress_index",
        kind: Kind::Choice(&[
            ("next_turn", "the output port at the next switch"),
            ("input_port", "the port by which the packet came into this switch"),
            ("single", "nothing: one queue with all of the memory"),
        ]),
        unit: "",
        fallback: Fallback::Text("next_turn"),
        doc: "What sorts packets into the queues behind the crossbar; at ports to nodes there is one queue.",
    }],
};

/// A queue a port.
#[derive(Clone, Copy, Debug)]
pub struct VoqSw {
    ports: u32,
    egress: By,
    classes: u32,
}

impl VoqSw {
    /// The same for each of `classes` message classes.
    pub(super) fn in_classes(self, classes: u32) -> Self {
        VoqSw { classes, ..self }
    }
}

impl Listed for VoqSw {
    fn build(view: View, network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        let egress = match view.text("egress_index") {
            "input_port" => By::Sender,
            "single" => By::Nothing,
            _ => By::Turn,
        };
        Ok(VoqSw { ports: super::ports(network), egress, classes: 1 })
    }
}

impl Discipline for VoqSw {
    type Queues = Fixed;

    fn queues(&self, place: Place) -> Fixed {
        let by = match place.side {
            Side::Ingress => By::Turn,
            Side::Egress if place.node => By::Nothing,
            // Nothing crosses a crossbar into an adapter.
            Side::Adapter if self.egress == By::Sender => By::Nothing,
            Side::Egress | Side::Adapter => self.egress,
        };
        Fixed::new(by, self.ports).in_classes(self.classes)
    }

    fn shares_memory(&self) -> bool {
        false
    }

    #[inline]
    fn credit_counter(&self, route: Route<'_>) -> usize {
        in_class(route.next().into(), route.destination, self.ports, self.classes)
    }
}
