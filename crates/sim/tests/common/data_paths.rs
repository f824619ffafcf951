//! A small network of each data path.

pub const REST: &str = "
topology = { kind = 'torus', radix = [6, 6], link_cycles = 3 }
traffic = { load = 0.01, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 20000 }
";
pub const LINK: u64 = 3;
pub const FLITS: u64 = 4;

/// A data path and its times.
pub struct Path {
    pub router: &'static str,
    /// Cycles in the pipeline of a router where nothing is in the way.
    pub routing: u64,
    /// Cycles from a head's leaving a queue until it is in the next one, beside those on a link.
    pub crossing: u64,
}

/// By data path; the times are those of its page of the documentation.
pub const PATHS: [Path; 4] = [
    Path {
        router: "virtual_channels = 2, buffer_flits = 12, header_cycles = 2, credit_cycles = 2",
        routing: 2,
        crossing: 0,
    },
    Path {
        router: "kind = 'wormhole', virtual_channels = 2, buffer_flits = 12, routing_cycles = 2, vc_allocation_cycles = 1, \
                 switch_allocation_cycles = 1, crossbar_cycles = 1, sharing = 'shared'",
        routing: 3,
        crossing: 2,
    },
    Path {
        router: "kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 12, header_cycles = 2",
        routing: 2,
        crossing: 0,
    },
    // Flits of 8 bytes; a packet crosses a switch in two cycles, and so waits for the rest of itself in two.
    Path {
        router: "kind = 'input_output_queued', link_gbps = 8.0, flit_bytes = 8, packet_bytes = 32, crossbar_speedup = 2.0, \
                 ingress_memory_bytes = 1024, egress_memory_bytes = 1024",
        routing: 2,
        crossing: 0,
    },
];

impl Path {
    /// A spec with packets of [`FLITS`] flits and next to no load.
    pub fn spec(&self) -> String {
        let router = self.router;
        match self.queued() {
            true => {
                format!("router = {{ {router} }}\nqueueing = {{ kind = 'voq_sw' }}\n{}", REST.replace("torus", "mesh"))
            }
            false if router.contains("adaptive") => {
                format!("router = {{ {router} }}\n{}", REST.replace("traffic = {", "traffic = { packet_flits = 4,"))
            }
            false => format!("router = {{ {router} }}\n{REST}"),
        }
    }

    pub fn queued(&self) -> bool {
        self.router.contains("input_output")
    }
}
