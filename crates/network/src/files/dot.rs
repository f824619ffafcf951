//! The language of Graphviz: an edge per two-way link, with the number of nodes in the label of a router.

use super::Format;
use crate::graph::Network;
use std::fmt::Write;

pub static FORMAT: Format = Format {
    name: "dot",
    summary: "Graphviz, to draw a network",
    is_like: |_| false,
    read: None,
    write: Some(|network| Ok(write(network))),
};

fn write(network: &Network) -> String {
    let mut text = String::from("graph network {\n");
    for router in 0..network.routers() as u32 {
        let (nodes, shape) = (network.nodes_at(router), if network.nodes_at(router) == 0 { "box" } else { "ellipse" });
        writeln!(text, "  {router} [label=\"{router} ({nodes})\", shape={shape}];").expect("a string takes all text");
    }
    for router in 0..network.routers() as u32 {
        for (port, link) in network.links_of(router).filter(|(_, link)| router < link.to.router) {
            let (to, cycles, kind) = (link.to, link.cycles, link.kind);
            let ports = format!("taillabel=\"{port}\", headlabel=\"{}\"", to.port);
            writeln!(text, "  {router} -- {} [{ports}, label=\"{cycles}\", class=\"{kind}\"];", to.router)
                .expect("a string takes all text");
        }
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_is_drawn_once() {
        let network = Network::from(crate::Grid::new(&[3, 2], &[false, false], 2, 4));
        let text = write(&network);
        assert_eq!(text.matches(" -- ").count(), network.links() / 2);
        assert!(
            text.contains("  0 -- 1 [taillabel=\"0\", headlabel=\"1\", label=\"4\", class=\"higher0\"];"),
            "{text}"
        );
        assert!(text.contains("  5 [label=\"5 (2)\", shape=ellipse];"));
    }
}
