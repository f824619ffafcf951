//! Size and shape of the network as the traffic sees it.

/// A grid of routers with the same number of nodes at each.
///
/// Node ids: `router * nodes_per_router + local`. Router ids: `x + radix[0] * (y + radix[1] * (z ...))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Routers in each dimension.
    pub radix: Vec<u32>,
    /// Nodes at each router.
    pub nodes_per_router: u32,
}

impl Shape {
    /// The number of routers.
    pub fn routers(&self) -> u32 {
        let product: u64 = self.radix.iter().map(|&k| u64::from(k)).product();
        u32::try_from(product).expect("a network is refused long before it has 2^32 routers")
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.routers().checked_mul(self.nodes_per_router).expect("a network is refused long before it has 2^32 nodes")
    }

    /// Coordinate of `router` in `dimension`.
    pub fn coordinate(&self, router: u32, dimension: usize) -> u32 {
        let below: u32 = self.radix[..dimension].iter().product();
        router / below % self.radix[dimension]
    }

    /// The node that `node` becomes when each coordinate of its router is replaced by `f(dimension, coordinate)`; its
    /// place among the nodes of a router is kept.
    pub fn map_coordinates(&self, node: u32, f: impl Fn(usize, u32) -> u32) -> u32 {
        let (mut rest, local) = (node / self.nodes_per_router, node % self.nodes_per_router);
        let (mut router, mut weight) = (0, 1);
        for (dimension, &k) in self.radix.iter().enumerate() {
            router += weight * f(dimension, rest % k);
            rest /= k;
            weight *= k;
        }
        router * self.nodes_per_router + local
    }

    /// The number of bits of a node id, where the nodes are a power of two.
    pub fn address_bits(&self) -> Option<u32> {
        let nodes = self.nodes();
        nodes.is_power_of_two().then(|| nodes.trailing_zeros())
    }
}

/// As `6x6`, or `6x6 with 2 nodes a router`.
impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let radix: Vec<String> = self.radix.iter().map(u32::to_string).collect();
        f.write_str(&radix.join("x"))?;
        if self.nodes_per_router > 1 { write!(f, " with {} nodes a router", self.nodes_per_router) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_count_the_first_dimension_fastest() {
        let shape = Shape { radix: vec![3, 4, 5], nodes_per_router: 2 };
        assert_eq!((shape.routers(), shape.nodes()), (60, 120));
        let router = 2 + 3 * (1 + 4 * 3);
        assert_eq!([0, 1, 2].map(|d| shape.coordinate(router, d)), [2, 1, 3]);
        let moved = shape.map_coordinates(router * 2 + 1, |d, c| if d == 1 { 3 } else { c });
        assert_eq!(moved, (2 + 3 * (3 + 4 * 3)) * 2 + 1);
        assert_eq!(shape.to_string(), "3x4x5 with 2 nodes a router");
    }
}
