//! Where links end in a network that is no grid, and how long they are.

use super::state::Layout;
use tailback_network::Network;

/// The far end of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The router; where there is no link, the one that has the port.
    pub router: u32,
    /// The first of the link's inputs there.
    pub first: u16,
    /// Time of a flit on the link \[cycles\].
    pub cycles: u16,
}

/// By `router * ports + port`; none in a grid.
pub(super) fn ends(network: &Network, layout: &Layout) -> Box<[End]> {
    if network.has_computed_links() {
        return Box::default();
    }
    let end = |router: u32, port: usize| {
        let first = |port: usize| (port * layout.channels) as u16;
        let link = (port < network.ports(router)).then(|| network.link(router, port)).flatten();
        let nowhere = End { router, first: first(port), cycles: 1 };
        link.map_or(nowhere, |link| End {
            router: link.to.router,
            first: first(link.to.port as usize),
            cycles: link.cycles as u16,
        })
    };
    let routers = 0..network.routers() as u32;
    routers.flat_map(|router| (0..layout.ports).map(move |port| end(router, port))).collect()
}
