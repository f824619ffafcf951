//! Busy channels: a packet starts while not too many channels of its router's outputs are in use, wherever they lead.
//!
//! Paper:    Lopez, Martinez, Duato and Petrini, PCRCW 1997; `self-tuned-2001` section 2.1 tells what it counts.
//! Acts:     `admit`, once per waiting packet per cycle.
//! Sees:     the channels of its own router's outputs.
//! State:    none.
//! Differs from the paper: the default of the limit is ours, half of the channels. Under cut-through a channel is busy
//! when the buffer behind it has no room for a packet.

use super::{Listed, Site};
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::NONE;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Busy channels.
pub static ENTRY: Entry = Entry {
    name: "busy_channels",
    summary: "starts a packet only while few enough channels of its router's network outputs are busy",
    paper: "Lopez, Martinez, Duato and Petrini 1997",
    ideal: false,
    params: &[Param {
        name: "max_busy_channels",
        kind: Kind::IntegerOrAuto { min: 0, max: 4096 },
        unit: "channels",
        fallback: Fallback::Text("auto"),
        doc: "A packet may start while at most this number of channels of its router's network outputs is busy; \
            \"auto\": half of the router's channels, rounded down.",
    }],
};

/// The limit.
#[derive(Clone, Debug)]
pub struct BusyChannels {
    limit: Option<u32>,
    /// Per router, the network ports that lead somewhere, as a mask.
    ports: Vec<u16>,
}

tailback_base::stateless!(BusyChannels);

impl Listed for BusyChannels {
    const SMALL: &'static str = "max_busy_channels = 2";

    fn build(view: View, Site { grid, .. }: Site) -> Self {
        let exists = |router: u32| {
            let leads = |&port: &usize| grid.peer(router, port) != NONE;
            (0..grid.ports()).filter(leads).fold(0, |mask, port| mask | 1 << port)
        };
        BusyChannels {
            limit: view.finite("max_busy_channels").map(|limit| limit as u32),
            ports: (0..grid.routers() as u32).map(exists).collect(),
        }
    }
}

impl Admission for BusyChannels {
    fn is_local(&self) -> bool {
        true
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        let ports = self.ports[view.router as usize];
        let channels = ports.count_ones() * view.all.count_ones();
        let free: u32 = super::free_channels(view, ports).map(u16::count_ones).sum();
        useful == 0 || channels - free <= self.limit.unwrap_or(channels / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{asks, built, view_of};
    use super::*;
    use tailback_network::Grid;

    fn throttle(parameters: &str, wrap: bool) -> BusyChannels {
        built::<BusyChannels>("busy_channels", parameters, &Grid::new(&[4, 4], &[wrap, wrap], 1, 1), 3)
    }

    #[test]
    fn counts_all_ports_of_the_router() {
        let admits = |limit: u32, room: &[u16]| {
            throttle(&format!("max_busy_channels = {limit}"), true).admits(view_of(room), asks(0))
        };
        // 3 + 2 + 0 + 2 busy of 12.
        let room = [0, 0b001, 0b111, 0b100];
        assert!(admits(7, &room) && !admits(6, &room));
        assert!(admits(0, &[0b111; 4]));
        assert!(throttle("", true).admits(view_of(&[0, 0, 0b111, 0b111]), asks(0)), "6 of 12");
        assert!(!throttle("", true).admits(view_of(&[0, 0, 0b111, 0b110]), asks(0)), "7 of 12");
        assert!(throttle("", true).admits(view_of(&[0; 4]), Request { port: None, channels: 1 }));
    }

    #[test]
    fn edges_of_a_mesh_have_fewer() {
        // Router 0 has ports 0 and 2 alone: half of 6 channels.
        let mesh = throttle("", false);
        assert!(mesh.admits(view_of(&[0, 0, 0b111, 0]), asks(0)));
        assert!(!mesh.admits(view_of(&[0, 0b111, 0b110, 0b111]), asks(0)));
    }
}
