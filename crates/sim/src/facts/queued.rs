//! What `tailback check` says of an input-output-queued switch: its links, its queues, the order of packets.

use crate::fits::queued::places;
use crate::memory::readable;
use crate::prepare::Prepared;
use crate::router::{Router, cycle_ns};
use tailback_engine::contract::queueing::{Discipline, Queueing, Side};
use tailback_engine::ioq;
use tailback_mechanisms::{queueing, routing};

impl Prepared {
    /// What the router has to say beside what all have.
    pub(super) fn details(&self) -> Vec<(&'static str, String)> {
        let Router::Queued(router) = &self.router else { return Vec::new() };
        let view = self.view("router");
        let (flit, gbps) = (view.u32("flit_bytes"), view.float("link_gbps"));
        let cycle = cycle_ns(&self.point.resolved).unwrap_or_default();
        let mut details = vec![
            ("cycle", format!("{cycle} ns")),
            ("links", format!("{gbps} Gb/s each way: one flit of {flit} bytes per cycle")),
            ("packets", self.packets(router)),
        ];
        let discipline = self.discipline();
        details.extend(places(self.grid()).map(|(name, place)| {
            let packets = if place.side == Side::Ingress { router.ingress_packets } else { router.egress_packets };
            (name, queues(discipline, discipline.queues(place).count() as u32, packets, router.packet_bytes))
        }));
        details.push(("order", self.order()));
        details
    }

    fn packets(&self, router: &ioq::Router) -> String {
        let (bytes, flits, crossbar) = (router.packet_bytes, router.packet_flits, router.transfer_cycles);
        let messages = match self.traffic.max_flits() / flits {
            1 => String::new(),
            most => format!("; a message is cut into up to {most}"),
        };
        format!("{bytes} bytes: {flits} cycles on a link, {crossbar} through the crossbar{messages}")
    }

    /// Whether packets from one node to another arrive in the order in which they left.
    fn order(&self) -> String {
        let queue = match queueing::sets_aside(self.view("queueing")) {
            true => "every queue is in order of arrival, and markers hold new queues back",
            false => "every queue is in order of arrival",
        };
        match routing::one_route(self.view("routing"), self.grid()) {
            Ok(why) => format!("kept: {why}, {queue}"),
            Err(why) => format!("not kept: {why}, and on different routes they overtake each other"),
        }
    }
}

/// The queues of a side whose memory holds so many packets.
fn queues(discipline: &queueing::Any, count: u32, packets: u32, packet_bytes: u32) -> String {
    let held = |packets: u32| {
        let bytes = u64::from(packets) * u64::from(packet_bytes);
        format!("{} ({packets} packet{})", readable(bytes), if packets == 1 { "" } else { "s" })
    };
    match (count, discipline.shares_memory()) {
        (1, _) => format!("a queue of {}", held(packets)),
        (_, true) => format!("up to {count} queues in one memory of {}", held(packets)),
        (_, false) => format!("{count} queues of {} each", held(packets / count)),
    }
}
