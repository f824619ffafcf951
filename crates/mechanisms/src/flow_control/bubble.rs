//! Bubble flow control: a packet enters a ring only where it leaves room behind, so rings need no datelines.
//!
//! Paper:    `bubble-1999` section 3.1 (entry where two packets are free in the own queue); `injection-2005` section 2
//!           (restrictive injection: so many packets free in the own queue for new packets, on all channels).
//! Acts:     whenever room is judged.
//! Sees:     the credits of the channel, and the own queue of the router in the channel's ring. With `scope = "ring"` all
//!           buffers of the channel around the ring at once, which no hardware could see.
//! State:    none.
//! Differs from the papers: nothing known. `injection-2005` leaves open whether its n-All holds for packets in transit that
//! enter an escape channel too: `escape_packets` says it for all that enter, `new_packets` for new packets alone.
//!
//! Why rings stay free of deadlock: see [`keeps_room`].

use super::Listed;
use crate::{Refusal, routing};
use tailback_engine::contract::flow_control::{FlowControl, Origin, Scope, Step};
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, View, When};

/// Bubble flow control.
pub static ENTRY: Entry = Entry {
    name: "bubble",
    summary: "as virtual_cut_through; and who enters a ring's escape channel must leave room in it for another packet",
    paper: "bubble-1999 section 3.1; injection-2005 section 2",
    ideal: false,
    params: &[
        Param {
            name: "escape_packets",
            kind: Kind::Integer { min: 1, max: 1024 },
            unit: "packets",
            fallback: Fallback::Integer(2),
            doc: "Packets that must be free where one enters an escape channel; with fewer than 2 rings can fill up.",
        },
        Param {
            name: "new_packets",
            kind: Kind::Integer { min: 0, max: 1024 },
            unit: "packets",
            fallback: Fallback::Integer(0),
            doc: "Packets that must be free in the own queue of any channel that a new packet takes; 0: none need be.",
        },
        Param {
            name: "scope",
            kind: Kind::Choice(&[
                ("local", "in the router's own queue of the channel"),
                ("ring", "in all buffers of the channel around the ring, an ideal"),
            ]),
            unit: "",
            fallback: Fallback::Text("local"),
            doc: "Where `escape_packets` are counted.",
        },
    ],
};

const NO_ESCAPE: When = When::Where("the routing has no escape channels", routing::is_adaptive_without_escape);

/// Where there is nothing to keep free.
const IDLE: &[Idle] = &[
    Idle {
        keys: &["kind"],
        when: &[When::Is(".kind", &["bubble"]), When::Is(".new_packets", &["0"]), NO_ESCAPE],
        because: "bubbles are kept in escape channels, and new packets need no room beside their own",
    },
    Idle {
        keys: &["escape_packets", "scope"],
        when: &[NO_ESCAPE],
        because: "they are counted where a packet enters an escape channel",
    },
];

/// Bubble flow control.
#[derive(Clone, Copy, Debug)]
pub struct Bubble {
    escape_packets: u32,
    new_packets: u32,
    scope: Scope,
}

impl Bubble {
    /// Why no ring ever fills up with packets of `packet_flits` over links of `link_cycles`, or why one can.
    ///
    /// Counted around the ring, who enters where two are free leaves one. In the own queue a router does not see a packet
    /// that has been given room there and has not arrived. A channel belongs to one packet until its tail is sent, so these
    /// are no more than ceil(link_cycles / packet_flits), and where one more than that is free the queue keeps room for a
    /// packet whatever happens upstream: the packet that enters goes into the next buffer.
    fn keeps_room(&self, link_cycles: u32, packet_flits: u32) -> Result<(), String> {
        let unseen = match self.scope {
            Scope::Ring => 1,
            Scope::Local => link_cycles.div_ceil(packet_flits.max(1)).max(1),
        };
        if self.escape_packets > unseen {
            return Ok(());
        }
        Err(match unseen {
            1 => "with a bubble of one packet those that enter a ring can fill it".to_owned(),
            _ => format!(
                "on links of {link_cycles} cycles a router knows its own queue too late: {unseen} packets of {packet_flits} \
                 flits can be on their way to it, so a bubble of {} is none",
                self.escape_packets
            ),
        })
    }
}

impl Listed for Bubble {
    const WATCHES_OWN_QUEUE: bool = true;

    /// There is nothing to keep free.
    const IDLE: &'static [Idle] = IDLE;

    fn build(view: View) -> Self {
        Bubble {
            escape_packets: view.u32("escape_packets"),
            new_packets: view.u32("new_packets"),
            scope: if view.text("scope") == "ring" { Scope::Ring } else { Scope::Local },
        }
    }

    fn keeps_room(view: View, link_cycles: u32, packet_flits: u32) -> Option<Result<(), String>> {
        Some(Self::build(view).keeps_room(link_cycles, packet_flits))
    }

    /// Bubbles larger than what they are looked for in: nothing would ever enter.
    fn objections(view: View, grid: &Grid, queue: u32) -> Vec<Refusal> {
        // A line of k routers has k - 1 buffers a direction, a ring k.
        let links = grid.radix().iter().zip(grid.wrap()).map(|(&k, &wrap)| k - u32::from(!wrap)).min().unwrap_or(1);
        let (entry, around) = match Self::build(view).scope {
            Scope::Ring => {
                (queue.saturating_mul(links), format!("the {links} buffers around the shortest ring together hold"))
            }
            Scope::Local => (queue, "the queue it is looked for in holds".to_owned()),
        };
        let check = |path: &'static str, asked: u32, holds: u32, where_: &str, who: &str| {
            (asked > holds).then(|| Refusal {
                path,
                message: format!("a bubble of {asked} packets is never there: {where_} {holds}, so {who}"),
                help: format!("set {path} to {holds} or less, or enlarge router.buffer_flits"),
            })
        };
        let Bubble { escape_packets, new_packets, .. } = Self::build(view);
        let no_entry = "no packet could ever enter an escape channel";
        let no_start = "no new packet could ever leave its node";
        let errors = [
            check("flow_control.escape_packets", escape_packets, entry, &around, no_entry),
            check("flow_control.new_packets", new_packets, queue, "the own queue of a channel holds", no_start),
        ];
        errors.into_iter().flatten().collect()
    }
}

impl FlowControl for Bubble {
    #[inline]
    fn bubble_flits(&self, step: Step) -> u32 {
        if step.escape && step.origin != Origin::Behind { self.escape_packets * step.flits } else { 0 }
    }

    #[inline]
    fn own_queue_flits(&self, step: Step) -> u32 {
        if step.origin == Origin::Node { self.new_packets * step.flits } else { 0 }
    }

    #[inline]
    fn scope(&self) -> Scope {
        self.scope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUBBLE: Bubble = Bubble { escape_packets: 2, new_packets: 4, scope: Scope::Local };

    #[test]
    fn who_enters_leaves_room_and_who_goes_on_needs_none() {
        let step = |origin, escape| Step { flits: 16, origin, escape };
        let of = |origin, escape| {
            let step = step(origin, escape);
            (BUBBLE.room_flits(step), BUBBLE.bubble_flits(step), BUBBLE.own_queue_flits(step))
        };
        assert_eq!([of(Origin::Node, true), of(Origin::Node, false)], [(16, 32, 64), (16, 0, 64)]);
        assert_eq!([of(Origin::Elsewhere, true), of(Origin::Elsewhere, false)], [(16, 32, 0), (16, 0, 0)]);
        assert_eq!([of(Origin::Behind, true), of(Origin::Behind, false)], [(16, 0, 0); 2]);
    }

    #[test]
    fn room_is_kept_where_what_is_under_way_fits_too() {
        let keeps = |escape_packets, scope, link, packet| {
            Bubble { escape_packets, scope, ..BUBBLE }.keeps_room(link, packet).is_ok()
        };
        assert!(keeps(2, Scope::Local, 1, 16) && keeps(2, Scope::Local, 16, 16) && !keeps(2, Scope::Local, 17, 16));
        assert!(keeps(3, Scope::Local, 17, 16) && keeps(3, Scope::Local, 32, 16) && !keeps(3, Scope::Local, 33, 16));
        assert!(!keeps(1, Scope::Local, 1, 16) && !keeps(1, Scope::Ring, 1, 16) && keeps(2, Scope::Ring, 99, 1));
    }
}
