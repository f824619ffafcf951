//! The k-ary n-tree. Level 0 has the roots, level n - 1 the leaves; each level has k^(n-1) routers.
//!
//! Router = level * k^(n-1) + w, where w has n - 1 digits to base k, most significant first. Routers (l, w) and (l + 1, w') are
//! joined where w and w' agree in all digits but digit l. Ports down come first, by the digit of the child; then ports up, by the
//! digit of the parent. Node = w * k + i at leaf w.

use super::params::{delays, each_of, entry, nodes_per_router, number, refusal};
use super::{Built, Classes, Family, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Petrini and Vanneschi, IPPS 1997",
    ..entry(
        "fat_tree",
        "a k-ary n-tree: n levels of routers with k links down and k links up",
        &[
            number("arity", "links", (2, 1024), "Links of a router down, and as many up; also the nodes of a leaf."),
            number("levels", "levels", (1, 16), "Levels of routers."),
            delays(
                "level_cycles",
                "Time of a flit on the links between two levels, from the leaves up; `link_cycles` each where the list is \
                 empty.",
            ),
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The numbers that make a tree.
#[derive(Clone, Debug)]
struct Tree {
    k: u32,
    n: u32,
    /// Routers of a level.
    width: u32,
    /// Delays between levels, from the leaves up.
    cycles: Vec<u32>,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (k, n) = (view.u32("arity"), view.u32("levels"));
    let nodes = nodes_per_router(view, k);
    if nodes != k {
        let message =
            format!("`nodes_per_router` is {nodes}, but a leaf of a {k}-ary tree has {k} nodes; leave it out");
        return Err(refusal("topology.nodes_per_router", message));
    }
    let width = u64::from(k).saturating_pow(n - 1);
    let ports = width.saturating_mul(u64::from(2 * k * (n - 1)));
    sized(width.saturating_mul(n.into()), width.saturating_mul(k.into()), ports)?;
    let cycles = each_of(view, "level_cycles", n as usize - 1, view.u32("link_cycles"))?;
    let tree = Tree { k, n, width: width as u32, cycles };
    let shape: Vec<u32> = (0..n * tree.width).map(|router| tree.ports(router / tree.width)).collect();
    let seats = Seats::counted((0..n * tree.width).map(|router| if router / tree.width == n - 1 { k } else { 0 }));
    let mut builder = Builder::new(&shape, seats).map_err(refused)?;
    builder.fill(|router, port| Some(tree.far(router, port as u32)));
    Ok(Built::shortest(builder.finish().map_err(refused)?).with_classes(Classes::One))
}

impl Tree {
    /// Network ports of a router that lead down.
    fn down(&self, level: u32) -> u32 {
        if level + 1 < self.n { self.k } else { 0 }
    }

    /// Network ports of a router.
    fn ports(&self, level: u32) -> u32 {
        self.down(level) + if level > 0 { self.k } else { 0 }
    }

    fn far(&self, router: u32, port: u32) -> (Port, Wire) {
        let (level, w) = (router / self.width, router % self.width);
        let up = port.checked_sub(self.down(level));
        // The link joins this level and the next one up or down, and changes the digit of the upper one.
        let (upper, to, value) = up.map_or((level, level + 1, port), |up| (level - 1, level - 1, up));
        let stride = self.k.pow(self.n - 2 - upper);
        let digit = w / stride % self.k;
        let far = Port {
            router: to * self.width + w - digit * stride + value * stride,
            port: if up.is_some() { digit } else { self.down(to) + digit },
        };
        let wire = Wire::new(self.cycles[(self.n - 2 - upper) as usize], LinkKind::Up);
        (far, if up.is_some() { wire } else { wire.back() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, refused};
    use crate::graph::LinkKind;

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("fat_tree", sets, counts, (mean, bound, bound));
        row("arity=4 levels=2", (8, 16, 32, 2), 1.6, 1.25);
        row("arity=4 levels=3", (48, 64, 256, 4), 3.428571, 1.05);
        row("arity=8 levels=3", (192, 512, 2048, 4), 3.726027, 1.013889);
    }

    #[test]
    fn a_tree_of_one_level_is_a_router() {
        let network = built("fat_tree", "arity=4 levels=1").network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (1, 4, 0));
    }

    #[test]
    fn levels_have_delays_from_the_leaves_up() {
        let network = built("fat_tree", "arity=2 levels=3 level_cycles=[3,5]").network;
        let of = |router| network.links_of(router).map(|(_, l)| (l.kind, l.cycles)).collect::<Vec<_>>();
        assert_eq!(of(0), [(LinkKind::Down, 5); 2]);
        assert_eq!(of(4), [(LinkKind::Down, 3), (LinkKind::Down, 3), (LinkKind::Up, 5), (LinkKind::Up, 5)]);
        assert_eq!(of(8), [(LinkKind::Up, 3); 2]);
        assert!(refused("fat_tree", "arity=2 levels=3 nodes_per_router=3").contains("has 2 nodes"));
    }
}
