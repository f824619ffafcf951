//! ALO, at least one: a packet starts if every useful port has a free channel, or one of them has nothing but free ones.
//!
//! Paper:    Baydal, Lopez and Duato, IPDPS 2000; as told by `self-tuned-2001` section 5.1.
//! Acts:     `admit`, once per waiting packet per cycle.
//! Sees:     the channels of its own router's outputs.
//! State:    none.
//! Differs from the paper: under cut-through a channel is free when the buffer behind it has room for a packet. All
//! channels of a port count, those that the packet may not take among them. A port of an input-output-queued switch has one channel,
//! which is free while its egress side holds no packet.

use super::{Listed, Site};
use crate::routing;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Idle, View, When};

/// At least one.
pub static ENTRY: Entry = Entry {
    name: "alo",
    summary: "starts a packet only if all useful ports have a free channel, or one useful port has all its channels free",
    paper: "Baydal, Lopez and Duato 2000; self-tuned-2001 section 5.1",
    ideal: false,
    params: &[],
};

/// At least one.
#[derive(Clone, Copy, Debug)]
pub struct Alo;

tailback_base::stateless!(Alo);

impl Listed for Alo {
    /// A packet could not start anyway.
    const IDLE: &'static [Idle] = &[Idle {
        keys: &["kind"],
        when: &[
            When::Is(".kind", &["alo"]),
            When::Where("a packet needs a free channel of its one port", routing::needs_a_channel_of_one_port),
        ],
        because: "a packet that is held could not start anyway",
    }];

    fn build(_view: View, _site: Site) -> Self {
        Alo
    }
}

impl Admission for Alo {
    fn is_local(&self) -> bool {
        true
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        let (mut every, mut whole) = (true, false);
        for free in super::free_channels(view, useful) {
            every &= free != 0;
            whole |= free == view.all;
        }
        every || whole
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{asks, view_of};
    use super::*;

    #[test]
    fn one_everywhere_or_all_somewhere() {
        let admits = |room: &[u16], useful| Alo.admits_by_any(view_of(room), asks(0), useful);
        assert!(admits(&[0b001, 0, 0b100, 0], 0b0101), "one on each useful port");
        assert!(!admits(&[0b001, 0, 0b100, 0], 0b0111), "port 1 is useful and has none");
        assert!(admits(&[0b111, 0, 0, 0], 0b0111), "all of port 0");
        assert!(!admits(&[0b110, 0, 0, 0b111], 0b0111), "port 3 is of no use");
        assert!(admits(&[0; 4], 0), "to a node here");
    }

    #[test]
    fn a_single_port_needs_a_free_channel() {
        let view = view_of(&[0, 0b010, 0, 0]);
        assert!(Alo.admits(view, asks(1)) && !Alo.admits(view, asks(0)));
        assert!(Alo.admits(view, Request { port: None, channels: 1 }));
    }
}
