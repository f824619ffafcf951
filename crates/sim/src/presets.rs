//! Presets: routers and networks of papers, as defaults of a spec.

use tailback_spec::Preset;

/// All of them.
pub(crate) fn presets() -> Vec<Preset> {
    let routers = tailback_cost::PRESETS.iter().map(|p| Preset {
        name: p.name,
        summary: p.summary,
        paper: p.paper,
        toml: p.toml,
    });
    routers.chain(NETWORKS).collect()
}

/// A network of `recn-mesh-2005` (table 1): so many switches each way, nodes a switch, and the hot node of its traffic.
macro_rules! networks {
    ($($number:literal: $radix:literal, $nodes:literal, $hot:literal;)*) => {
        [$(
            networks!($number, $radix, $nodes, "1", "uniform traffic",
                "\n[traffic.pattern]\nkind = \"uniform\"\n"),
            networks!($number, $radix, $nodes, "2", "one node in eight sends all its packets to one node",
                concat!("\n[traffic.pattern]\nkind = \"hot_sources\"\none_in = 8\ndestination = ", $hot, "\n")),
            networks!($number, $radix, $nodes, "3", "one node in four sends all its packets to one node",
                concat!("\n[traffic.pattern]\nkind = \"hot_sources\"\none_in = 4\ndestination = ", $hot, "\n")),
        )*]
    };
    ($number:literal, $radix:literal, $nodes:literal, $case:literal, $traffic:literal, $pattern:expr) => {
        Preset {
            name: concat!("mesh_", $number, "_traffic_", $case),
            summary: concat!($radix, " x ", $radix, " mesh, nodes per switch: ", $nodes, ", 8 Gb/s, 128 KiB per side \
                of a port; ", $traffic),
            paper: "recn-mesh-2005 table 1",
            toml: concat!(
                "[topology]\nkind = \"mesh\"\nradix = [", $radix, ", ", $radix, "]\nnodes_per_router = ", $nodes,
                "\nlink_cycles = 5\n\n[router]\nkind = \"input_output_queued\"\nlink_gbps = 8.0\nflit_bytes = 4\n\
                 packet_bytes = 64\ningress_memory_bytes = 131072\negress_memory_bytes = 131072\n\n\
                 [routing]\nkind = \"dimension_order\"\n\n[traffic.process]\nkind = \"periodic\"\nphase = \"random\"\n\n\
                 [traffic.size]\nkind = \"fixed\"\nflits = 16\n",
                $pattern
            ),
        }
    };
}

/// The five networks of the paper under its three kinds of traffic. The queueing discipline and the load are the spec's own.
static NETWORKS: [Preset; 15] = networks! {
    "1": "16", "1", "32";
    "2": "8", "4", "32";
    "3": "4", "16", "32";
    "4": "8", "1", "32";
    "5": "4", "1", "10";
};

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_spec::Document;

    fn point(text: &str) -> tailback_spec::Point {
        let document = Document::parse("test", text.as_bytes()).unwrap();
        document.expand(crate::catalogue()).unwrap_or_else(|errors| panic!("{errors}")).remove(0)
    }

    #[test]
    fn networks_run_with_a_discipline_and_a_load() {
        const REST: &str = "[traffic]\nload = 0.2\n[workload]\nkind = \"steady\"\nwarmup_cycles = 100\n\
                            measure_cycles = 100\ndrain_cycles = 0\n";
        for preset in &NETWORKS {
            let text = format!("preset = \"{}\"\nqueueing = \"recn\"\n{REST}", preset.name);
            let prepared = crate::prepare(&point(&text)).unwrap_or_else(|errors| panic!("{}\n{errors}", preset.name));
            let nodes = match &preset.name[..6] {
                "mesh_4" => 64,
                "mesh_5" => 16,
                _ => 256,
            };
            assert_eq!(prepared.facts().nodes, nodes, "{}", preset.name);
            let pattern = prepared.point().resolved.view("traffic.pattern");
            let hot = (pattern.kind() == "hot_sources").then(|| (pattern.u32("destination"), pattern.u32("one_in")));
            let to = if nodes == 16 { 10 } else { 32 };
            let expected = [None, Some((to, 8)), Some((to, 4))];
            assert_eq!(Some(&hot), expected.get(usize::from(preset.name.as_bytes()[15] - b'1')), "{}", preset.name);
        }
    }
}
