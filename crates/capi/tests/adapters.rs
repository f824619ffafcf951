//! The adapters for simulators with BookSim inside, under small hosts that are written to their interfaces.

use crate::compile::{compiled, said};
use std::path::{Path, PathBuf};

/// A crossbar for 6 cores and 4 memories, with two subnets, as GPGPU-Sim has it.
const CROSSBAR: &str = "use_map = 0;\nflit_size = 40;\nnetwork_count = 2;\ntopology = fly;\nk = 10;\nn = 1;\n\
    routing_function = dest_tag;\nnum_vcs = 1;\nvc_buf_size = 64;\ninput_buffer_size = 16;\nejection_buffer_size = 64;\n\
    boundary_buffer_size = 64;\nwait_for_tail_credit = 0;\nvc_allocator = islip;\nsw_allocator = islip;\nalloc_iters = 1;\n\
    credit_delay = 0;\nrouting_delay = 0;\nvc_alloc_delay = 1;\nsw_alloc_delay = 1;\ninput_speedup = 1;\noutput_speedup = 1;\n\
    internal_speedup = 2.0;\ntraffic = uniform;\npacket_size ={{1,2,3,4},{10,20}};\npacket_size_rate={{1,1,1,1},{2,1}};\n\
    sim_type = gpgpusim;\ninjection_rate = 0.1;\nsubnets = 2;\nread_reply_subnet = 1;\nwrite_reply_subnet = 1;\n";

/// Eight cores and eight memories on a mesh, where a preset says which node has which.
const MESH: &str = "topology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\nflit_size = 32;\nsim_type = gpgpusim;\n";

/// As ONNXim has them: in sections.
const SECTIONS: &str = "[config]\nuse_map = 0\nflit_size = 64\ntopology = fly\nk = 20\nn = 1\nrouting_function = dest_tag\nsubnets = 1\n\n\
    vc_buf_size = 64\ninput_buffer_size = 256\nejection_buffer_size = 64\nboundary_buffer_size = 64\nwait_for_tail_credit = 0\n\
    vc_allocator = islip\nsw_allocator = islip\nalloc_iters = 1\ndeadlock_warn_timeout = 10000";

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters").join(name)
}

/// What a host says of a configuration.
fn of(host: &str, configuration: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (program, file) = (folder.path().join("host"), folder.path().join("network.icnt"));
    let flags = ["-std=c++11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"];
    compiled("g++", &source(host), &program, &flags);
    std::fs::write(&file, configuration).unwrap();
    let mut all = vec![file.as_path()];
    all.extend(arguments.iter().map(Path::new));
    said(&program, &all)
}

#[test]
fn a_host_of_gpgpu_sims_interface_gets_all_replies() {
    for (configuration, cores, memories, bytes) in [
        (CROSSBAR, "6", "4", "40"),
        (MESH, "8", "8", "32"),
        (&CROSSBAR.replace("subnets = 2", "subnets = 1"), "6", "4", "40"),
    ] {
        let words = of("gpu.cpp", configuration, &[cores, memories, "50", "0"]);
        let replies = cores.parse::<u32>().unwrap() * 50;
        assert!(
            words.starts_with(&format!("{replies} replies")) && words.contains(&format!("of {bytes} bytes")),
            "{words}"
        );
    }
}

#[test]
fn a_memory_that_does_not_pop_stops_the_network() {
    // Memories answer from cycle 5000 on. Until then they hold 64 flits behind, and 64 before, the clock boundary each.
    let words = of("gpu.cpp", CROSSBAR, &["6", "4", "400", "5000"]);
    assert!(words.starts_with("2400 replies") && words.contains("refused: yes"), "{words}");
    let most: u32 = words.rsplit(' ').next().unwrap().parse().unwrap();
    let held = 4 * (64 + 64);
    // Others are in the buffers of ten ports.
    assert!((held..held + 10 * (64 + 16)).contains(&most), "{words}");
}

#[test]
fn a_host_of_onnxims_class_gets_all_packets() {
    for nodes in ["20", "7"] {
        let words = of("npu.cpp", SECTIONS, &[nodes]);
        assert!(words.starts_with("all came, cycle 5000"), "{words}");
    }
}
