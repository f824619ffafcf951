//! Hot region: a share of all packets goes to a contiguous part of the machine.

use super::{Built, hot::Hot};
use crate::{Problem, Shape, problem};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, View, When};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "hot_region",
    summary: "hot region: a share of every node's packets to a contiguous part of the machine, the rest uniform without self",
    paper: "injection-2005 section 3",
    ideal: false,
    params: &[
        Param {
            name: "share_percent",
            kind: Kind::Float { min: 0.0, max: 100.0 },
            unit: "% of packets",
            fallback: Fallback::Float(25.0),
            doc: "Share of a node's packets that go to the region; the rest goes to any other node, the region's among them.",
        },
        Param {
            name: "shape",
            kind: Kind::Choice(&[
                ("band", "the first nodes by id: a band of full rows"),
                ("block", "a block of routers that begins at router 0"),
            ]),
            unit: "",
            fallback: Fallback::Text("band"),
            doc: "How the region lies in the machine; the paper says only that it is contiguous, its simulator uses the band.",
        },
        Param {
            name: "region_percent",
            kind: Kind::Float { min: 0.0, max: 100.0 },
            unit: "% of nodes",
            fallback: Fallback::Float(12.5),
            doc: "Size of a band, rounded down to whole nodes.",
        },
        Param {
            name: "block_routers",
            kind: Kind::Integers { min: 1, max: u32::MAX as i64, min_len: 0, max_len: 6 },
            unit: "routers",
            fallback: Fallback::Integers(&[]),
            doc: "Size of a block in each dimension, as [16, 8].",
        },
    ],
};

/// Where its size is told otherwise.
pub(super) const IDLE: Idle = Idle {
    keys: &["region_percent"],
    when: &[When::Is(".shape", &["block"])],
    because: "block_routers is the size of a block",
};

/// Builds it; refused when the region is empty or does not fit into the machine.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let hot = if view.text("shape") == "band" { band(view, shape)? } else { block(view, shape)? };
    Ok(Box::new(Hot::new(shape.nodes(), hot, view.float("share_percent"))))
}

fn band(view: View, shape: &Shape) -> Result<Vec<u32>, Vec<Problem>> {
    let (nodes, percent) = (shape.nodes(), view.float("region_percent"));
    let size = (f64::from(nodes) * percent / 100.0) as u32;
    if !view.integers("block_routers").is_empty() {
        let help = "write shape = \"block\", or leave block_routers out";
        return problem("block_routers", "the sizes of a block mean nothing to a band".into(), Some(help));
    }
    if size == 0 {
        let message = format!("{percent} % of the {nodes} nodes of {shape} is less than one node");
        return problem("region_percent", message, Some("choose a larger region or a larger network"));
    }
    Ok((0..size).collect())
}

fn block(view: View, shape: &Shape) -> Result<Vec<u32>, Vec<Problem>> {
    let block = view.u32s("block_routers");
    if block.len() != shape.radix.len() {
        let message = format!("{} sizes for the {} dimensions of {shape}", block.len(), shape.radix.len());
        return problem("block_routers", message, Some("give one size for each dimension"));
    }
    if let Some(d) = (0..block.len()).find(|&d| block[d] > shape.radix[d]) {
        let message =
            format!("a block of {} routers does not fit into the {} of dimension {d}", block[d], shape.radix[d]);
        return problem("block_routers", message, None);
    }
    let inside = |node: u32| {
        let router = node / shape.nodes_per_router;
        (0..block.len()).all(|d| shape.coordinate(router, d) < block[d])
    };
    Ok((0..shape.nodes()).filter(|&node| inside(node)).collect())
}
