//! Coordinates of networks whose routers are linked to all others of their row in every dimension (HyperX).

use crate::graph::{LinkKind, Network};
use std::ops::Range;

/// The dimensions of a HyperX. The network may come from a file: what is read off its links is checked.
#[derive(Clone, Debug)]
pub struct Rows(Vec<Dimension>);

#[derive(Clone, Copy, Debug)]
struct Dimension {
    side: u32,
    stride: u32,
    trunk: u32,
    first_port: u32,
}

impl Dimension {
    fn coordinate(self, router: u32) -> u32 {
        router / self.stride % self.side
    }

    /// The ports of the links to another coordinate.
    fn ports(self, here: u32, there: u32) -> Range<u32> {
        let first = self.first_port + (there - u32::from(there > here)) * self.trunk;
        first..first + self.trunk
    }
}

impl Rows {
    /// The rows of a network whose links say which dimension they are of; none where it is no HyperX.
    pub fn of(network: &Network) -> Option<Rows> {
        let dimension = |kind| if let LinkKind::Across(d) = kind { Some(usize::from(d)) } else { None };
        let mut counts: Vec<(u32, u32)> = Vec::new();
        for (_, link) in network.links_of(0) {
            let d = dimension(link.kind)?;
            counts.resize(counts.len().max(d + 1), (0, network.routers() as u32));
            let (links, nearest) = &mut counts[d];
            (*links, *nearest) = (*links + 1, (*nearest).min(link.to.router));
        }
        let (mut dimensions, mut stride, mut first_port) = (Vec::new(), 1u32, 0);
        for (links, nearest) in counts {
            let trunk = network.links_of(0).filter(|(_, link)| link.to.router == nearest).count() as u32;
            let side = 1 + links.checked_div(trunk)?;
            dimensions.push(Dimension { side, stride, trunk, first_port });
            stride = stride.checked_mul(side)?;
            first_port += links;
        }
        let rows = Rows(dimensions);
        (stride as usize == network.routers() && rows.are_those_of(network, first_port as usize)).then_some(rows)
    }

    fn are_those_of(&self, network: &Network, ports: usize) -> bool {
        let leads = |router: u32, d: usize, there: u32| {
            let Dimension { stride, .. } = self.0[d];
            let here = self.coordinate(router, d);
            let far = router - here * stride + there * stride;
            let to = |port: u32| network.link(router, port as usize).map(|link| (link.to.router, link.kind));
            self.ports(router, d, there).all(|port| to(port) == Some((far, LinkKind::Across(d as u8))))
        };
        (0..network.routers() as u32).all(|router| {
            let others = |d: usize| (0..self.0[d].side).filter(move |&there| there != self.coordinate(router, d));
            network.ports(router) == ports && (0..self.0.len()).all(|d| others(d).all(|there| leads(router, d, there)))
        })
    }

    /// How many dimensions there are.
    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// Routers of a row.
    pub fn side(&self, dimension: usize) -> u32 {
        self.0[dimension].side
    }

    /// The coordinate of a router.
    #[inline]
    pub fn coordinate(&self, router: u32, dimension: usize) -> u32 {
        self.0[dimension].coordinate(router)
    }

    /// The ports that lead from a router to another coordinate of a dimension.
    #[inline]
    pub fn ports(&self, router: u32, dimension: usize, there: u32) -> Range<u32> {
        let dimension = self.0[dimension];
        dimension.ports(dimension.coordinate(router), there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::testing::built;

    #[test]
    fn rows_are_read_off_the_links() {
        let rows = Rows::of(&built("hyperx", "sides=[4,3,2] trunks=[2,1,3]").network).unwrap();
        assert_eq!((0..rows.dimensions()).map(|d| rows.side(d)).collect::<Vec<_>>(), [4, 3, 2]);
        assert_eq!((0..3).map(|d| rows.coordinate(23, d)).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!((rows.ports(23, 0, 1), rows.ports(23, 1, 0), rows.ports(23, 2, 0)), (2..4, 6..7, 8..11));
        for (kind, sets) in
            [("torus", "radix=[4,4]"), ("dragonfly", "routers_per_group=4 global_links=2"), ("crossbar", "")]
        {
            assert!(Rows::of(&built(kind, sets).network).is_none_or(|rows| rows.dimensions() == 0), "{kind}");
        }
    }
}
