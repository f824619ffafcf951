//! Keys of older versions of BookSim, which BookSim 2 does not know any more.

/// A key of an older version.
#[derive(Clone, Copy, Debug)]
pub struct Older {
    /// Its name.
    pub name: &'static str,
    /// What it meant.
    pub meaning: &'static str,
}

/// All of them.
pub const OLDER: &[Older] = &[
    Older { name: "limit", meaning: "the last node that sends and receives" },
    Older { name: "physical_subnetworks", meaning: "networks side by side, `subnets` today" },
    Older { name: "const_flits_per_packet", meaning: "the length of packets, `packet_size` today" },
    Older { name: "vc_alloc_arb_type", meaning: "the arbiters of vc_allocator, in brackets behind its name today" },
    Older { name: "sw_alloc_arb_type", meaning: "the arbiters of sw_allocator, in brackets behind its name today" },
    Older { name: "flit_timing", meaning: "nothing" },
    Older { name: "reorder", meaning: "packets in order" },
    Older { name: "split_packets", meaning: "packets in parts" },
];

/// The older key of a name.
pub fn older(name: &str) -> Option<&'static Older> {
    OLDER.iter().find(|older| older.name == name)
}
