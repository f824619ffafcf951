//! No message comes before the cycle that `next_delivery` names, under any data path and on any network, and one alone comes then.

use tailback_embed::{Message, Network};

const ROUTERS: &[&str] = &[
    "router = { kind = \"cut_through\", buffer_flits = 32, header_cycles = 2 }",
    "router = { kind = \"cut_through\", buffer_flits = 32, ejection_channels = \"infinite\" }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"wormhole\", buffer_flits = 16 }",
    "router = { kind = \"wormhole\", buffer_flits = 16 }\ntraffic = { packet_flits = 4 }",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 32 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"input_queued\", buffer_flits = 16 }",
    "router = { kind = \"input_queued\", buffer_flits = 16, speculation = \"shared\" }\ntraffic = { packet_flits = 8 }",
    "router = { kind = \"input_output_queued\" }\nqueueing = \"voq_net\"",
];

const NETWORKS: &[&str] = &[
    "topology = { kind = \"mesh\", radix = [4, 3] }",
    "topology = { kind = \"torus\", radix = [5, 4], link_cycles = 3 }",
    "topology = { kind = \"hyperx\", sides = [3, 3], nodes_per_router = 2 }",
    "topology = { kind = \"dragonfly\", routers_per_group = 4, global_links = 2, nodes_per_router = 2 }",
    "topology = { kind = \"fat_tree\", arity = 4, levels = 2 }",
];

/// A network, or `None` where the router does not fit it.
fn open(topology: &str, router: &str) -> Option<Network> {
    let spec = format!("{topology}\n{router}\nworkload = {{ kind = \"host\" }}\n");
    Network::from_text(&spec, &[]).ok()
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % end
    }
}

/// Steps cycle by cycle, sending one in so many cycles, and holds each delivery against what was foretold.
fn foretold(network: &mut Network, dice: &mut Dice, one_in: u32) -> (u32, u32) {
    let (mut received, mut useful) = (0, 0);
    for tag in 0..600 {
        if dice.below(one_in) == 0 {
            let nodes = network.nodes();
            let (source, destination) = (dice.below(nodes), dice.below(nodes));
            let message = Message { source, destination, class: 0, flits: 1 + dice.below(24), tag };
            network.send(message).unwrap();
        }
        let next = network.next_delivery();
        network.advance(network.clock() + 1).unwrap();
        useful += u32::from(next.is_some_and(|next| next > network.clock()));
        while let Some(delivery) = network.receive_any() {
            assert!(next.is_some_and(|next| next <= network.clock()), "{next:?} was too late for {delivery:?}");
            received += 1;
        }
        assert_eq!(network.next_delivery().is_none(), network.is_idle());
    }
    (received, useful)
}

#[test]
fn nothing_comes_before_what_is_foretold() {
    let (mut dice, mut tried) = (Dice(88_172_645_463_325_252), 0);
    for topology in NETWORKS {
        for router in ROUTERS {
            for one_in in [1, 4, 40] {
                let Some(mut network) = open(topology, router) else { continue };
                let (received, useful) = foretold(&mut network, &mut dice, one_in);
                assert!(received > 3 && (useful > 20 || one_in < 40), "{topology}\n{router}: {received} {useful}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 60, "{tried}");
}

#[test]
fn a_message_alone_comes_in_the_very_cycle() {
    for topology in NETWORKS {
        for router in ROUTERS.iter().filter(|router| !router.contains("packet_flits") && !router.contains("voq")) {
            let Some(mut network) = open(topology, router) else { continue };
            for (source, destination) in [(0, 1), (0, network.nodes() - 1), (3, 7)] {
                network.send(Message { source, destination, class: 0, flits: 8, tag: 0 }).unwrap();
                let next = network.next_delivery().unwrap();
                network.advance_until_delivery(next + 1000).unwrap();
                assert_eq!(network.clock(), next, "{topology}\n{router}: {source} to {destination}");
                network.receive_any().unwrap();
                network.advance(network.clock() + 100).unwrap();
            }
        }
    }
}

#[test]
fn a_checkpoint_knows_what_is_foretold() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let mut network = open(NETWORKS[0], ROUTERS[0]).unwrap();
    network.send(Message { source: 0, destination: 11, class: 0, flits: 8, tag: 0 }).unwrap();
    network.advance(2).unwrap();
    network.checkpoint(&file).unwrap();
    assert_eq!(Network::restore(&file).unwrap().next_delivery(), network.next_delivery());
    assert!(network.next_delivery() > Some(3));
}
