//! JSON: routers with their nodes, and directed links with all that is known of them.

use super::Format;
use crate::graph::Network;
use std::fmt::Write;

pub static FORMAT: Format = Format {
    name: "json",
    summary: "JSON, for programs",
    is_like: |_| false,
    read: None,
    write: Some(|network| Ok(write(network))),
};

/// One element per line. All values are numbers and plain words, so that nothing needs to be escaped.
fn write(network: &Network) -> String {
    let mut text = String::from("{\"routers\": [\n");
    for router in 0..network.routers() as u32 {
        let nodes: Vec<String> =
            (0..network.nodes_at(router)).map(|local| network.seats().node(router, local).to_string()).collect();
        let (ports, nodes) = (network.ports(router), nodes.join(", "));
        separate(&mut text, router == 0);
        write!(text, "  {{\"router\": {router}, \"ports\": {ports}, \"nodes\": [{nodes}]}}")
            .expect("a string takes all text");
    }
    text += "\n], \"links\": [\n";
    let mut first = true;
    for router in 0..network.routers() as u32 {
        for (port, link) in network.links_of(router) {
            separate(&mut text, std::mem::take(&mut first));
            write!(
                text,
                "  {{\"from\": {router}, \"port\": {port}, \"to\": {}, \"input\": {}, \"cycles\": {}, \"period\": {}, \
                 \"kind\": \"{}\"}}",
                link.to.router, link.to.port, link.cycles, link.period, link.kind
            )
            .expect("a string takes all text");
        }
    }
    text + "\n]}\n"
}

fn separate(text: &mut String, first: bool) {
    if !first {
        text.push_str(",\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directed_link_is_there() {
        let network = Network::from(crate::Grid::new(&[3, 2], &[false, false], 2, 4));
        let json: serde_json::Value = serde_json::from_str(&write(&network)).unwrap();
        assert_eq!(json["links"].as_array().unwrap().len(), network.links());
        assert_eq!(json["routers"][5]["nodes"], serde_json::json!([10, 11]));
        let first = serde_json::json!({ "from": 0, "port": 0, "to": 1, "input": 1, "cycles": 4, "period": 1, "kind": "higher0" });
        assert_eq!(json["links"][0], first);
    }

    #[test]
    fn a_network_without_links_is_json_too() {
        let text = "routers 1\nnode 0 0\n";
        let options = super::super::Options { link_cycles: 1, cycle_ns: 0.0 };
        let network = super::super::native::FORMAT.read(text, &options).unwrap().network;
        assert!(serde_json::from_str::<serde_json::Value>(&write(&network)).is_ok());
    }
}
