//! Keys that only forks of BookSim have.

/// A fork, or a family of them, with keys of its own.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    /// What it is.
    pub name: &'static str,
    /// What its keys are about.
    pub about: &'static str,
    /// What to do instead.
    pub instead: &'static str,
    /// The keys that public files of it set.
    pub keys: &'static [&'static str],
}

/// What to do with a key that nothing here takes.
const LEAVE: &str = "leave the key out if the rest of the file means the same without it";

/// What to do with a key that says how a simulator hands packets to its network.
const INSIDE: &str = "it belongs to a network inside that simulator, which `tb_open_inside` opens (`docs/embedding.md`); leave it out here";

const FORKS: &[Fork] = &[
    Fork {
        name: "GPGPU-Sim, Accel-Sim, ONNXim and PyTorchSim",
        about: "their traffic comes from a simulated processor",
        instead: INSIDE,
        keys: &[
            "flit_size",
            "network_count",
            "use_map",
            "memory_node_map",
            "header_size",
            "perfect_icnt",
            "fixed_lat_per_hop",
            "output_extra_latency",
            "input_buffer_size",
            "ejection_buffer_size",
            "boundary_buffer_size",
            "enable_link_stats",
            "MATLAB_OUTPUT",
            "DISPLAY_LAT_DIST",
            "DISPLAY_HOP_DIST",
            "DISPLAY_PAIR_LATENCY",
        ],
    },
    Fork {
        name: "MEEPproject/booksim",
        about: "it has routers with bypasses, and other sources",
        instead: LEAVE,
        keys: &[
            "start_vc",
            "end_vc",
            "start_VC",
            "end_VC",
            "bypass_empty_vc",
            "disable_bypass",
            "smart_type",
            "smart_dimensions",
            "smart_max_hops",
            "smart_priority",
            "injection_queue_size",
            "injection_queues",
            "ejection_queue_size",
            "synfull",
            "workload",
        ],
    },
    Fork {
        name: "IntelLabs/PolarFly",
        about: "it has PolarFly networks and tables of routes",
        instead: LEAVE,
        keys: &["adaptive_threshold", "load_routing_file", "routing_table_file", "rr_permute", "use_size_power_of_two"],
    },
    Fork {
        name: "GyeongjaeLee/Booksim_HBMfabric",
        about: "it simulates the memory fabric of a GPU",
        instead: LEAVE,
        keys: &[
            "baseline_ratio",
            "eject_latency",
            "flit_width_bytes",
            "gpu_traffic_type",
            "hbm_hbm_bandwidth",
            "hbm_hbm_latency",
            "hbm_internal_speedup",
            "hbm_per_side",
            "hybrid_routing",
            "inject_latency",
            "is_fabric",
            "l2_interleave",
            "l2_per_hbm",
            "mc_hbm_bandwidth",
            "mc_hbm_latency",
            "mc_mc_bandwidth",
            "mc_mc_latency",
            "moe_total_mb",
            "near_min_k",
            "near_min_penalty",
            "near_min_remote_only",
            "near_min_strict",
            "num_hbm_stacks",
            "num_l2_slices",
            "num_sms",
            "num_xbars",
            "sm_per_xbar",
            "traffic_matrix_file",
            "ugal_intm_select",
            "ugal_threshold",
            "xbar_hbm_bandwidth",
            "xbar_hbm_latency",
            "xbar_mc_bandwidth",
            "xbar_mc_latency",
            "xbar_xbar_bandwidth",
            "xbar_xbar_latency",
        ],
    },
    Fork {
        name: "allbrightdsouza/BookSimWireless and TJSLSAVITRI/booksim2_synthetic",
        about: "they have multicast over wireless links",
        instead: LEAVE,
        keys: &["m", "mcast_percent", "mcast_switch", "num_mcast_dests", "received_queue_size"],
    },
    Fork {
        name: "yitingwu31/booksim",
        about: "it has other networks and routes from a file",
        instead: LEAVE,
        keys: &["GA_path_file", "t"],
    },
    Fork {
        name: "mingdasu-intc/booksim_test",
        about: "it has classes with networks and sources of their own",
        instead: LEAVE,
        keys: &["anynet_cols", "class_source", "class_subnet"],
    },
    Fork {
        name: "bishalthingom/booksim2-layered",
        about: "it has layers of different sizes",
        instead: LEAVE,
        keys: &["k0", "k1", "k2"],
    },
    Fork { name: "invisibleboy/mysim", about: "it has layers", instead: LEAVE, keys: &["num_l"] },
    Fork { name: "pras710/booksim3d", about: "it has layers", instead: LEAVE, keys: &["layer", "hotspot_percent"] },
    Fork {
        name: "Anmol-S314/veritx-research",
        about: "it has hot spots with a share",
        instead: LEAVE,
        keys: &["hotspot_ratio"],
    },
    Fork {
        name: "taijusti/booksim2",
        about: "it maps nodes to places",
        instead: LEAVE,
        keys: &["node_map", "set_map"],
    },
    Fork {
        name: "andrewboutros/rad-flow",
        about: "it has packets of data",
        instead: LEAVE,
        keys: &["write_data_begin_vc", "write_data_end_vc"],
    },
];

/// The fork that is known to have a key.
pub fn forks_of(key: &str) -> Option<&'static Fork> {
    FORKS.iter().find(|fork| fork.keys.contains(&key))
}
