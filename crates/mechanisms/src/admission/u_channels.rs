//! U-channels: a packet starts while enough of the channels that it could use are free.
//!
//! Paper:    Baydal, Lopez and Duato, ISHPC 2002 and TPDS 16(9), 2005.
//! Acts:     `admit`, once per waiting packet per cycle.
//! Sees:     the channels of its own router's outputs.
//! State:    none.
//! Differs from the paper: known from its abstract, so the default of the share is ours. Under cut-through a channel is
//! free when the buffer behind it has room for a packet. All channels of a useful port count.

use super::{Listed, Site, Switching};
use crate::{Refusal, routing};
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Useful channels.
pub static ENTRY: Entry = Entry {
    name: "u_channels",
    summary: "starts a packet only while enough of the channels of its useful ports are free",
    paper: "Baydal, Lopez and Duato 2002",
    ideal: false,
    params: &[Param {
        name: "min_free_share",
        kind: Kind::Float { min: 0.0, max: 1.0 },
        unit: "",
        fallback: Fallback::Float(0.25),
        doc: "Share of the channels of a packet's useful ports that must be free. The default is not from the paper.",
    }],
};

fn asks_for_one(spec: &Resolved, own: View<'_>) -> bool {
    let router = spec.view("router");
    let channels = if router.has("virtual_channels") { router.u32("virtual_channels") } else { 1 };
    routing::gives_one_port(spec, own) && own.float("min_free_share") * f64::from(channels) <= 1.0
}

/// The share.
#[derive(Clone, Copy, Debug)]
pub struct UChannels {
    min_free_share: f64,
}

tailback_base::stateless!(UChannels);

impl Listed for UChannels {
    const SMALL: &'static str = "min_free_share = 0.7";

    /// It asks for no more than a packet needs.
    const IDLE: &'static [Idle] = &[Idle {
        keys: &["kind"],
        when: &[
            When::Is(".kind", &["u_channels"]),
            When::Where("routing gives a packet one port, of whose channels one is enough", asks_for_one),
        ],
        because: "without a free channel no packet can start anyway",
    }];

    /// One channel, of which no share is less than all.
    fn objection(_view: View, _site: Site, switching: Switching) -> Option<Refusal> {
        (!switching.by_channels).then(|| Refusal {
            path: "admission",
            message: "u_channels asks for a share of the channels of a packet's ports, and here a packet has one port with one channel"
                .to_owned(),
            help: "take admission = \"alo\", which asks for that channel".to_owned(),
        })
    }

    fn build(view: View, _site: Site) -> Self {
        UChannels { min_free_share: view.float("min_free_share") }
    }
}

impl Admission for UChannels {
    fn is_local(&self) -> bool {
        true
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        let free: u32 = super::free_channels(view, useful).map(u16::count_ones).sum();
        let channels = useful.count_ones() * view.all.count_ones();
        f64::from(free) >= self.min_free_share * f64::from(channels)
    }
}

#[cfg(test)]
mod tests {
    use super::super::side_band::tests::paper_grid;
    use super::super::tests::{asks, built, view_of};
    use super::*;

    #[test]
    fn a_share_of_the_useful_channels() {
        let throttle = |share: &str| built::<UChannels>("u_channels", share, &paper_grid(), 3);
        let admits = |t: UChannels, room: &[u16], useful| t.admits_by_any(view_of(room), asks(0), useful);
        // A quarter of 6 channels is 1.5.
        assert!(!admits(throttle(""), &[0b001, 0b111, 0, 0b111], 0b0101));
        assert!(admits(throttle(""), &[0b001, 0, 0b100, 0], 0b0101));
        assert!(admits(throttle("min_free_share = 1"), &[0b111, 0, 0b111, 0], 0b0101));
        assert!(!admits(throttle("min_free_share = 1"), &[0b111, 0, 0b110, 0b111], 0b0101));
        assert!(admits(throttle("min_free_share = 0"), &[0; 4], 0b0101));
        assert!(admits(throttle("min_free_share = 1"), &[0; 4], 0), "to a node here");
        assert!(!throttle("").admits(view_of(&[0, 0b111, 0, 0]), asks(0)));
    }
}
