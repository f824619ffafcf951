//! The input-output-queued reference against cycles counted by hand, and RECN against cases made by hand.

mod recn;

use super::*;
use crate::bridge;
use crate::reference::{Datelines, Delivered};
use crate::wormhole;
use tailback_traffic::Traffic;

/// The numbers of RECN that the tests begin with: every threshold one packet, of which a second exceeds it.
pub(super) const RECN: Recn =
    Recn { set_aside_queues: 4, detection_bytes: 64, notification_bytes: 64, xoff_bytes: 64, xon_bytes: 64 };

/// A mesh, packets of 4 flits and 64 bytes, 8 of them in a memory, no speed-up, links of a cycle.
pub(super) fn config(radix: &[u32], discipline: Discipline) -> Config {
    let mut shared = wormhole::Config::plain(radix, false);
    shared.base.datelines = Datelines::None;
    Config {
        shared,
        packet_flits: 4,
        packet_bytes: 64,
        ingress_packets: 8,
        egress_packets: 8,
        transfer_cycles: 4,
        control_flits: 1,
        credit_batch_packets: 4,
        classes: 1,
        discipline,
    }
}

/// A finite amount of traffic: so many packets from every node by this pattern, all at cycle 0.
fn collective(config: &Config, pattern: &str, packets: u32) -> Traffic {
    let flits = config.packet_flits;
    let text = format!(
        "[traffic]\npacket_flits = {flits}\npattern = {pattern}\nsize = {{ kind = \"fixed\", flits = {flits} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = {packets}"
    );
    bridge::traffic(&config.shared.base, &text).expect("possible")
}

/// Runs with all checks until nothing is left.
fn drain<'a>(config: &'a Config, traffic: &'a Traffic, most: u64) -> Network<'a> {
    let mut network = Network::new(config, traffic);
    while network.now == 0 || !network.is_drained() {
        assert!(network.now < most, "it drains");
        network.step();
        network.check().and_then(|()| network.check_branches()).expect("all holds");
    }
    network.check_order().expect("order is kept");
    network
}

/// Entry and delivery of the packets of a node.
fn times(network: &Network, node: u32) -> Vec<(u64, u64)> {
    let of_node = network.delivered().into_iter().filter(|packet| packet.source == node);
    of_node.map(|packet| (packet.entered, packet.delivered)).collect()
}

fn disciplines() -> [Discipline; 9] {
    [
        Discipline::Single,
        Discipline::VoqSw(EgressIndex::NextTurn),
        Discipline::VoqSw(EgressIndex::InputPort),
        Discipline::VoqSw(EgressIndex::Single),
        Discipline::VoqNet,
        Discipline::Dbbm(3),
        Discipline::Damq,
        Discipline::Recn(RECN),
        Discipline::Recn(Recn { set_aside_queues: 1, xoff_bytes: 0, xon_bytes: 1, detection_bytes: 0, ..RECN }),
    ]
}

#[test]
fn zero_load_latency_is_the_formula_under_every_discipline() {
    for discipline in disciplines() {
        for (transfer_cycles, header_cycles, link_cycles) in [(4, 0, 1), (2, 0, 3), (2, 5, 2), (1, 1, 1)] {
            let mut config =
                Config { transfer_cycles, ingress_packets: 40, egress_packets: 40, ..config(&[3, 3], discipline) };
            (config.shared.base.header_cycles, config.shared.base.link_cycles) = (header_cycles, link_cycles);
            let text = "[traffic]\nload = 0.01\nsize = { kind = \"fixed\", flits = 4 }";
            let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
            let mut network = Network::new(&config, &traffic);
            (0..3_000).for_each(|_| network.step());
            let delivered = network.delivered();
            let late = |p: &&Delivered| p.delivered - p.birth > config.zero_load(p.hops);
            assert!(delivered.iter().all(|p| p.delivered - p.birth >= config.zero_load(p.hops)));
            assert!(delivered.len() > 20 && delivered.iter().filter(late).count() * 4 < delivered.len());
        }
    }
}

#[test]
fn one_hop_is_the_times_of_the_page() {
    let mut config = config(&[2], Discipline::Single);
    (config.transfer_cycles, config.shared.base.link_cycles) = (2, 3);
    let traffic = collective(&config, "\"neighbour\"", 2);
    // In the adapter side at 0, sent at 1, in the ingress side at 4, granted at 4 + 4 - 2 = 6, sent at 7, there at 10,
    // granted at 12, sent at 13, delivered at 13 + 3 + 4. The link takes four cycles for a packet, the adapter two.
    assert_eq!(times(&drain(&config, &traffic, 100), 0), [(0, 20), (2, 24)]);
    assert_eq!(config.zero_load(1), 20);
}

#[test]
fn a_memory_of_one_packet_waits_for_its_credit() {
    let mut config = config(&[2], Discipline::Single);
    (config.ingress_packets, config.control_flits) = (1, 2);
    let traffic = collective(&config, "\"neighbour\"", 2);
    // Sent at 1, in the ingress side at 2, granted at 2; the credit is owed at 6. The link back brings node 0 a packet from
    // 5 to 9; the credit, sent then, counts at 9 + 1 + 2, and the second is sent eleven cycles after the first.
    let network = drain(&config, &traffic, 100);
    let first = config.zero_load(1);
    assert_eq!(times(&network, 0), [(0, first), (4, first + 11)]);
}

#[test]
fn what_a_node_takes_is_a_flit_a_cycle_and_everything_comes() {
    for discipline in disciplines() {
        let mut config = Config { ingress_packets: 20, egress_packets: 20, ..config(&[3, 3], discipline) };
        config.shared.base.nodes_per_router = 2;
        let traffic = collective(&config, "{ kind = \"hot_spot\", nodes = [0], share_percent = 60 }", 12);
        let network = drain(&config, &traffic, 10_000);
        assert_eq!(network.delivered().len(), 18 * 12);
        let mut at_node: Vec<u64> =
            network.delivered().iter().filter(|p| p.destination == 0).map(|p| p.delivered).collect();
        at_node.sort_unstable();
        assert!(at_node.windows(2).all(|pair| pair[1] - pair[0] >= 4), "a packet takes its length");
    }
}

#[test]
fn a_full_admittance_queue_stalls_its_node() {
    let mut config = config(&[2], Discipline::Single);
    config.shared.base.source_queue_packets = Some(1);
    let network_of = |packets| {
        let traffic = collective(&config, "\"neighbour\"", packets);
        drain(&config, &traffic, 200)
            .delivered()
            .iter()
            .filter(|p| p.source == 0)
            .map(|p| (p.birth, p.entered))
            .collect::<Vec<_>>()
    };
    // The queue is empty at the end of cycle 0; the second packet waits there for the adapter, the third for its place.
    assert_eq!(network_of(3), [(0, 0), (1, 4), (5, 8)]);
}

#[test]
fn what_recn_holds_for_a_congested_node_lets_others_pass() {
    // Node 3 of a line is congested by all; what node 0 sends to node 2 is not.
    let passed = |discipline| {
        let mut config = Config { ingress_packets: 16, egress_packets: 16, ..config(&[6], discipline) };
        config.shared.base.nodes_per_router = 3;
        let text = "[traffic]\nload = 1.0\npacket_flits = 4\npattern = { kind = \"hot_spot\", nodes = [10], share_percent = 50 }\n\
                    size = { kind = \"fixed\", flits = 4 }";
        let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
        let mut network = Network::new(&config, &traffic);
        for _ in 0..3_000 {
            network.step();
            network.check().and_then(|()| network.check_branches()).expect("all holds");
        }
        network.check_order().expect("order is kept");
        network.delivered().iter().filter(|p| p.destination != 10).count()
    };
    let recn =
        Recn { set_aside_queues: 8, detection_bytes: 192, notification_bytes: 192, xoff_bytes: 192, xon_bytes: 128 };
    let (single, recn, free) = (passed(Discipline::Single), passed(Discipline::Recn(recn)), passed(Discipline::VoqNet));
    assert!(recn * 10 > single * 13 && recn * 10 > free * 8, "single {single}, recn {recn}, voq_net {free}");
}
