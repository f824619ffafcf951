//! Where nodes are: how many at each router, and which.

use std::sync::Arc;

/// The routers of all nodes. The nodes of a router stand in the order of their numbers.
#[derive(Clone, Debug)]
pub enum Seats {
    /// As many at each router: node = router * per_router + local.
    Even {
        /// The number of routers.
        routers: u32,
        /// Nodes of each router.
        per_router: u32,
    },
    /// Listed by node.
    Listed {
        /// The router by node.
        router_of: Arc<[u32]>,
        /// The position of a router's first node in `order`, and one more.
        first: Arc<[u32]>,
        /// All nodes, router by router; empty where they are numbered so.
        order: Arc<[u32]>,
    },
}

impl Seats {
    /// `per_router` nodes at each of `routers` routers.
    pub fn even(routers: usize, per_router: u32) -> Seats {
        Seats::Even { routers: routers as u32, per_router }
    }

    /// Makes seats for these numbers of nodes at each router. Nodes are numbered router by router.
    pub fn counted(counts: impl Iterator<Item = u32>) -> Seats {
        let (mut router_of, mut first) = (Vec::new(), vec![0]);
        for (router, count) in counts.enumerate() {
            router_of.resize(router_of.len() + count as usize, router as u32);
            first.push(router_of.len() as u32);
        }
        Seats::Listed { router_of: router_of.into(), first: first.into(), order: Arc::default() }
    }

    /// Nodes at the routers of `router_of`, of `routers` in all.
    pub fn listed(routers: usize, router_of: Vec<u32>) -> Seats {
        let mut first = vec![0u32; routers + 1];
        router_of.iter().for_each(|&router| first[router as usize + 1] += 1);
        (0..routers).for_each(|router| first[router + 1] += first[router]);
        if router_of.is_sorted() {
            return Seats::Listed { router_of: router_of.into(), first: first.into(), order: Arc::default() };
        }
        let (mut next, mut order) = (first.clone(), vec![0; router_of.len()]);
        for (node, &router) in (0u32..).zip(&router_of) {
            order[next[router as usize] as usize] = node;
            next[router as usize] += 1;
        }
        Seats::Listed { router_of: router_of.into(), first: first.into(), order: order.into() }
    }

    /// With `times` nodes in the place of each: those of node `n` are `n * times` and the ones that follow.
    #[must_use]
    pub fn multiplied(&self, times: u32) -> Seats {
        match self {
            Seats::Even { routers, per_router } => Seats::Even { routers: *routers, per_router: per_router * times },
            Seats::Listed { router_of, .. } => {
                let all = router_of.iter().flat_map(|&router| (0..times).map(move |_| router));
                Seats::listed(self.routers(), all.collect())
            }
        }
    }

    /// The number of routers.
    pub fn routers(&self) -> usize {
        match self {
            Seats::Even { routers, .. } => *routers as usize,
            Seats::Listed { first, .. } => first.len() - 1,
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        match self {
            Seats::Even { routers, per_router } => *routers as usize * *per_router as usize,
            Seats::Listed { router_of, .. } => router_of.len(),
        }
    }

    /// Nodes of a router.
    #[inline]
    pub fn at(&self, router: u32) -> u32 {
        match self {
            Seats::Even { per_router, .. } => *per_router,
            Seats::Listed { first, .. } => first[router as usize + 1] - first[router as usize],
        }
    }

    /// The most nodes that a router has.
    pub fn most(&self) -> u32 {
        match self {
            Seats::Even { per_router, .. } => *per_router,
            Seats::Listed { first, .. } => first.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0),
        }
    }

    /// The nodes of a router, with their positions there.
    pub fn of(&self, router: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.at(router)).map(move |local| (local, self.node(router, local)))
    }

    /// The node at position `local` of a router, below [`Seats::at`].
    #[inline]
    pub fn node(&self, router: u32, local: u32) -> u32 {
        match self {
            Seats::Even { per_router, .. } => router * per_router + local,
            Seats::Listed { first, order, .. } => {
                let seat = first[router as usize] + local;
                if order.is_empty() { seat } else { order[seat as usize] }
            }
        }
    }

    /// The router of a node.
    #[inline]
    pub fn router_of(&self, node: u32) -> u32 {
        match self {
            Seats::Even { per_router: 1, .. } => node,
            Seats::Even { per_router, .. } => node / per_router,
            Seats::Listed { router_of, .. } => router_of[node as usize],
        }
    }

    /// The position of a node at its router.
    #[inline]
    pub fn seat(&self, node: u32) -> u32 {
        match self {
            Seats::Even { per_router: 1, .. } => 0,
            Seats::Even { per_router, .. } => node % per_router,
            Seats::Listed { router_of, first, order } => {
                let begin = first[router_of[node as usize] as usize];
                if order.is_empty() {
                    return node - begin;
                }
                let of_router = &order[begin as usize..first[router_of[node as usize] as usize + 1] as usize];
                of_router.binary_search(&node).expect("a node stands at its router") as u32
            }
        }
    }

    /// Whether every router has as many, numbered router by router, without a table.
    pub fn is_even(&self) -> bool {
        matches!(self, Seats::Even { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every node stands once where its router says.
    fn check(seats: &Seats) {
        let mut seen = 0;
        for router in 0..seats.routers() as u32 {
            let nodes: Vec<u32> = (0..seats.at(router)).map(|local| seats.node(router, local)).collect();
            assert!(nodes.is_sorted() && nodes.iter().all(|&node| seats.router_of(node) == router));
            assert!((0..).zip(&nodes).all(|(local, &node)| seats.seat(node) == local));
            seen += nodes.len();
        }
        assert_eq!(seen, seats.nodes());
    }

    #[test]
    fn nodes_and_seats_invert() {
        let seats = [
            Seats::even(3, 4),
            Seats::counted([2, 0, 3].into_iter()),
            Seats::listed(3, vec![2, 0, 0, 2]),
            Seats::listed(2, vec![]),
        ];
        seats.iter().for_each(check);
        assert_eq!((seats[1].nodes(), seats[1].at(1), seats[1].router_of(2)), (5, 0, 2));
        assert_eq!((seats[2].node(2, 0), seats[2].node(2, 1), seats[2].at(1)), (0, 3, 0));
        let twice = seats.map(|seats| seats.multiplied(2));
        twice.iter().for_each(check);
        assert_eq!([twice[0].nodes(), twice[2].nodes()], [24, 8]);
        assert_eq!((twice[2].router_of(0), twice[2].router_of(1), twice[2].router_of(2)), (2, 2, 0));
    }
}
