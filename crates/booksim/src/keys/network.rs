//! Keys of the network.

use super::Fate::{Becomes, NoEffect, Refused};
use super::Kind::{Integer, IntegerOrText, Text};
use super::{Key, key};

pub(super) const KEYS: &[Key] = &[
    key("topology", Text, "torus", "How routers are wired.", Becomes("topology.kind")),
    key("k", Integer, "8", "Routers in each dimension.", Becomes("topology.radix")),
    key("n", Integer, "2", "Dimensions.", Becomes("topology.radix")),
    key("c", Integer, "1", "Nodes of a router, in cmesh and flatfly.", Becomes("topology.nodes_per_router")),
    key(
        "routing_function",
        Text,
        "none",
        "The routing; its full name is this one, `_` and the topology.",
        Becomes("routing"),
    ),
    key(
        "use_noc_latency",
        Integer,
        "1",
        "1: a link takes as long as a layout on a chip asks for (mesh 1 cycle, torus 2); 0: every link takes 1 cycle. Not of anynet and dragonflynew.",
        Becomes("topology.link_cycles"),
    ),
    key("x", Integer, "8", "Routers of a row of the layout of cmesh and flatfly.", Becomes("topology.row")),
    key("y", Integer, "8", "Rows of that layout.", Becomes("topology.row")),
    key("xr", Integer, "1", "Nodes of a router in a row of that layout.", Becomes("topology.node_order")),
    key("yr", Integer, "1", "Rows of nodes of a router in that layout.", Becomes("topology.node_order")),
    key("network_file", Text, "", "The file of an anynet.", Becomes("topology.path")),
    key("subnets", Integer, "1", "Networks side by side.", Becomes("router.planes")),
    key("channel_file", Text, "", "Nothing.", NoEffect("BookSim reads it nowhere")),
    key("in_ports", Integer, "5", "Nothing.", NoEffect("BookSim reads it nowhere")),
    key("out_ports", Integer, "5", "Nothing.", NoEffect("BookSim reads it nowhere")),
    key(
        "link_failures",
        Integer,
        "0",
        "Links that fail.",
        Refused("BookSim stops at failed links, or takes no notice of them; leave it at 0"),
    ),
    key("fail_seed", IntegerOrText, "0", "Which links fail.", NoEffect("no link fails")),
];
