//! The corpus: networks whose answer is known from theory, by hand or from a paper.

use super::Expected::{self, Free, Locks};

/// A network: what is known of it, topology, router, routing, and what else its spec has, such as a workload that drives it into a
/// deadlock where plain overload does not: little room, few packets behind each other, many that turn.
pub type Row = (Expected, &'static str, &'static str, &'static str, &'static str);

const TORUS: &str = "kind = 'torus', radix = [4, 4]";
const WIDE: &str = "kind = 'torus', radix = [6, 6]";
const ODD: &str = "kind = 'torus', radix = [5, 3]";
const SMALL: &str = "kind = 'torus', radix = [3, 3]";
const MESH: &str = "kind = 'mesh', radix = [4, 4]";
const CUBE: &str = "kind = 'mesh', radix = [3, 3, 3]";
const RING: &str = "kind = 'torus', radix = [8]";
const LONG: &str = "kind = 'torus', radix = [4, 4], link_cycles = 6";

const ONE: &str = "virtual_channels = 1, buffer_flits = 8, ejection_channels = 'infinite'";
const TWO: &str = "virtual_channels = 2, buffer_flits = 8, ejection_channels = 'infinite'";
const THREE: &str = "virtual_channels = 3, buffer_flits = 8, ejection_channels = 'infinite'";
const FOUR: &str = "virtual_channels = 4, buffer_flits = 8, ejection_channels = 'infinite'";

const DOR: &str = "kind = 'dimension_order'";
const COINS: &str = "kind = 'dimension_order', tie = 'random'";
const CARRY: &str = "kind = 'dimension_order', datelines = 'two', channel_numbering = 'carry'";
const OPEN: &str = "kind = 'dimension_order', datelines = 'none'";
const VALIANT: &str = "kind = 'valiant'";
const O1TURN: &str = "kind = 'o1turn'";
const DATELINE: &str = "kind = 'adaptive'";
const MESH_ESCAPE: &str = "kind = 'adaptive', escape = 'mesh'";
const RING_ESCAPE: &str = "kind = 'adaptive', escape = 'ring'";
const NO_ESCAPE: &str = "kind = 'adaptive', escape = 'none'";

/// Under virtual cut-through.
pub const CUT_THROUGH: &[Row] = &[
    (Free("acyclic"), TORUS, TWO, DOR, ""),
    (Free("acyclic"), TORUS, TWO, COINS, ""),
    (Free("acyclic"), TORUS, THREE, CARRY, ""),
    (Free("acyclic"), ODD, FOUR, DOR, ""),
    (Free("acyclic"), "kind = 'torus', radix = [4, 3, 2]", TWO, DOR, ""),
    (Free("acyclic"), SMALL, ONE, OPEN, ""),
    (Free("acyclic"), MESH, ONE, DOR, ""),
    (Free("acyclic"), TORUS, FOUR, VALIANT, ""),
    (Free("acyclic"), MESH, TWO, VALIANT, ""),
    (Free("acyclic"), ODD, FOUR, O1TURN, ""),
    (Free("acyclic"), MESH, TWO, O1TURN, ""),
    (Free("acyclic"), SMALL, ONE, DOR, ""),
    (Locks, RING, ONE, OPEN, ""),
    (Locks, WIDE, ONE, OPEN, ""),
    (Locks, RING, ONE, DOR, ""),
    (Locks, WIDE, ONE, DOR, ""),
    (
        Locks,
        TORUS,
        "virtual_channels = 2, buffer_flits = 4, ejection_channels = 'infinite'",
        OPEN,
        "arbiter = 'random'",
    ),
];

const BUBBLE: &str = "flow_control = 'bubble'";
const AROUND: &str = "flow_control = { kind = 'bubble', scope = 'ring' }";
const WEAK_AROUND: &str = "flow_control = { kind = 'bubble', escape_packets = 1, scope = 'ring' }";
const WEAK_AT_ONCE: &str = "flow_control = { kind = 'bubble', escape_packets = 1 }\n\
                            workload = { kind = 'collective', packets_per_node = 5 }";
const SHALLOW: &str = "virtual_channels = 1, buffer_flits = 4, ejection_channels = 'infinite'";
const MORE: &str = "flow_control = { kind = 'bubble', escape_packets = 3 }";
const BRIEF: &str = "virtual_channels = 2, buffer_flits = 4, requests = 'in_turn', crossbar_outputs = 'channel'";
const TIGHT: &str = "virtual_channels = 2, buffer_flits = 4, ejection_channels = 'infinite'";
const UNSEEN: &str = "flow_control = 'bubble'\nselection = 'straight'\narbiter = 'oldest_first'\nrun.seed = 85\n\
                      traffic = { load = 1.0, pattern = { kind = 'torn', offset = 8 }, size = { kind = 'fixed', flits = 2 } }";
const HALF_WAY: &str = "arbiter = 'random'\n\
                        traffic = { load = 2.0, pattern = { kind = 'torn', offset = 2 }, size = { kind = 'fixed', flits = 4 } }";
const DEEP: &str = "virtual_channels = 2, buffer_flits = 16, ejection_channels = 'infinite'";

/// Under adaptive cut-through.
pub const ADAPTIVE: &[Row] = &[
    (Free("escape"), TORUS, THREE, DATELINE, ""),
    (Free("escape"), MESH, TWO, DATELINE, ""),
    (Free("escape"), TORUS, TWO, MESH_ESCAPE, ""),
    (Free("escape"), ODD, THREE, DATELINE, BUBBLE),
    (Free("acyclic"), TORUS, TWO, DOR, ""),
    (Free("acyclic"), MESH, ONE, DOR, BUBBLE),
    (Free("bubble"), TORUS, TWO, RING_ESCAPE, BUBBLE),
    (Free("bubble"), WIDE, TWO, RING_ESCAPE, AROUND),
    (Free("bubble"), WIDE, ONE, OPEN, BUBBLE),
    (Free("bubble"), RING, ONE, OPEN, BUBBLE),
    (Free("bubble"), LONG, DEEP, RING_ESCAPE, MORE),
    (Free("acyclic"), MESH, ONE, "kind = 'turn_model', rule = 'west_first'", ""),
    (Free("acyclic"), MESH, ONE, "kind = 'turn_model', rule = 'north_last'", ""),
    (Free("acyclic"), MESH, ONE, "kind = 'turn_model', rule = 'negative_first'", ""),
    (Free("acyclic"), MESH, ONE, "kind = 'turn_model', rule = 'odd_even'", ""),
    (Free("acyclic"), CUBE, ONE, "kind = 'turn_model', rule = 'negative_first'", ""),
    (Locks, MESH, ONE, NO_ESCAPE, ""),
    (Locks, TORUS, ONE, NO_ESCAPE, BUBBLE),
    (Locks, RING, ONE, OPEN, ""),
    (Locks, RING, ONE, OPEN, WEAK_AROUND),
    // All nodes enter at once, each where it sees the last free packet.
    (Locks, RING, SHALLOW, OPEN, WEAK_AT_ONCE),
    // Packets shorter than links: two are on their way to a queue that its router sees empty.
    (Locks, LONG, BRIEF, RING_ESCAPE, UNSEEN),
    (Locks, TORUS, TIGHT, RING_ESCAPE, HALF_WAY),
];

const OWNED: &str = "virtual_channels = 3, buffer_flits = 4, sharing = 'owned'";
const SHARED: &str = "virtual_channels = 4, buffer_flits = 4, sharing = 'shared'";
const WHOLE: &str = "virtual_channels = 3, buffer_flits = 4, sharing = 'shared_whole'";
const ALONE: &str = "virtual_channels = 1, buffer_flits = 4, sharing = 'owned'";
const BESIDE_OTHERS: &str = "virtual_channels = 4, buffer_flits = 2, sharing = 'shared', injection_channels = 2, \
                             ejection_channels = 'infinite'";
const BY_ITSELF: &str = "virtual_channels = 3, buffer_flits = 2, sharing = 'owned', injection_channels = 2, \
                         ejection_channels = 'infinite'";
const CROWDED: &str = "selection = 'straight'\narbiter = 'random'\nrun.seed = 78\ntraffic = { load = 3.0, \
                       pattern = { kind = 'hot_spot', nodes = [5], share_percent = 30.0 }, size = { kind = 'fixed', flits = 2 } }";
const DISHA: &str = "recovery = 'disha'";

/// Under wormhole.
pub const WORMHOLE: &[Row] = &[
    (Free("acyclic"), TORUS, OWNED, DOR, ""),
    (Free("acyclic"), TORUS, SHARED, DOR, ""),
    (Free("acyclic"), ODD, SHARED, VALIANT, ""),
    (Free("acyclic"), TORUS, SHARED, O1TURN, ""),
    (Free("acyclic"), MESH, SHARED, "kind = 'turn_model'", ""),
    (Free("escape"), TORUS, OWNED, DATELINE, ""),
    (Free("escape"), TORUS, WHOLE, DATELINE, ""),
    (Free("escape"), ODD, OWNED, MESH_ESCAPE, ""),
    (Free("escape"), MESH, WHOLE, DATELINE, ""),
    (Free("recovery"), TORUS, ALONE, NO_ESCAPE, DISHA),
    (Free("recovery"), TORUS, OWNED, RING_ESCAPE, DISHA),
    (Locks, TORUS, ALONE, NO_ESCAPE, ""),
    (Locks, MESH, ALONE, NO_ESCAPE, ""),
    (Locks, RING, ALONE, OPEN, ""),
    (Locks, TORUS, BESIDE_OTHERS, DATELINE, CROWDED),
    (Locks, TORUS, BY_ITSELF, RING_ESCAPE, CROWDED),
];

const MEMORY: &str = "ingress_memory_bytes = 2048, egress_memory_bytes = 2048";
const LITTLE: &str = "ingress_memory_bytes = 128, egress_memory_bytes = 128";
const THREE_QUEUES: &str = "ingress_memory_bytes = 192, egress_memory_bytes = 192";
const FIVE: &str = "ingress_memory_bytes = 320, egress_memory_bytes = 320";
const SIXTEEN: &str = "ingress_memory_bytes = 1024, egress_memory_bytes = 1024";

/// Under input-output queueing.
pub const QUEUED: &[Row] = &[
    (Free("acyclic"), MESH, MEMORY, DOR, "queueing = 'single'"),
    (Free("acyclic"), MESH, MEMORY, DOR, "queueing = 'voq_sw'"),
    (Free("acyclic"), MESH, MEMORY, DOR, "queueing = 'voq_net'"),
    (Free("acyclic"), MESH, MEMORY, DOR, "queueing = 'dbbm'"),
    (Free("acyclic"), MESH, MEMORY, DOR, "queueing = 'damq'"),
    (Free("acyclic"), MESH, "link_gbps = 8.0", DOR, "queueing = 'recn'"),
    (Free("acyclic"), MESH, MEMORY, "kind = 'turn_model'", "queueing = 'single'"),
    (Free("acyclic"), SMALL, MEMORY, DOR, "queueing = 'damq'"),
    (Free("acyclic"), "kind = 'torus', radix = [5, 5]", MEMORY, DOR, "queueing = 'voq_sw'"),
    (Free("acyclic"), TORUS, MEMORY, NO_ESCAPE, "queueing = 'voq_net'"),
    (Free("acyclic"), MESH, MEMORY, NO_ESCAPE, "queueing = 'voq_net'"),
    (Locks, RING, LITTLE, DOR, "queueing = 'single'"),
    (Locks, MESH, LITTLE, NO_ESCAPE, "queueing = 'single'"),
    // One packet in each queue, or two in the memory that they share.
    (Locks, WIDE, FIVE, DOR, "queueing = 'voq_sw'"),
    (Locks, TORUS, LITTLE, DOR, "queueing = 'damq'"),
    (Locks, MESH, FIVE, O1TURN, "queueing = 'voq_sw'"),
    (Locks, MESH, SIXTEEN, VALIANT, "queueing = 'voq_net'"),
    // Destinations in one column share queues, and those lead into no circle; with three they are mixed.
    (Free("acyclic"), MESH, MEMORY, NO_ESCAPE, "queueing = { kind = 'dbbm', queues = 4 }"),
    (Locks, MESH, THREE_QUEUES, NO_ESCAPE, "queueing = { kind = 'dbbm', queues = 3 }"),
];
