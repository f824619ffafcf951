//! Folded Clos networks of any number of levels: what leaf-spine networks, fat trees with oversubscription and files of tiers are
//! built with.
//!
//! A router of a level is named by one digit per other level: which child of its ancestor it is for the levels above, and which
//! parent of its descendants for the levels below. Two routers of neighbouring levels are joined where all other digits agree.
//! Leaves are numbered first, then the levels above. Ports down come first, then ports up.

use super::{refused, sized};
use crate::graph::{Builder, LinkKind, Network, Port, Seats, Wire};
use tailback_spec::SpecError;

/// One level of routers.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Routers of the level below that a router is joined to; the nodes of a leaf.
    pub down: u32,
    /// Routers of the level above that a router is joined to; 0 at the roots.
    pub up: u32,
    /// Parallel links to each router of the level above.
    pub trunk: u32,
    /// Time of a flit on the links to the level above \[cycles\].
    pub cycles: u32,
    /// Cycles from one flit to the next on these links.
    pub period: u32,
}

/// The levels, and where each of them begins.
struct Clos<'a> {
    levels: &'a [Level],
    /// The first router of each level, and the number of routers.
    first: Vec<u32>,
}

/// The network of these levels, from the leaves up.
///
/// # Errors
/// For levels that are too large.
pub fn build(levels: &[Level]) -> Result<Network, Box<SpecError>> {
    let width = |level: usize| {
        let below = levels[..level].iter().map(|l| l.up);
        let above = levels[level + 1..].iter().map(|l| l.down);
        below.chain(above).fold(1u64, |n, k| n.saturating_mul(k.into()))
    };
    let widths: Vec<u64> = (0..levels.len()).map(width).collect();
    let routers = widths.iter().fold(0u64, |n, &w| n.saturating_add(w));
    let up = |level: usize| u64::from(levels[level].up) * u64::from(levels[level].trunk);
    let ports = (0..levels.len()).fold(0u64, |n, l| n.saturating_add(widths[l].saturating_mul(2 * up(l))));
    sized(routers, widths[0].saturating_mul(levels[0].down.into()), ports)?;
    let mut first = vec![0];
    widths.iter().for_each(|&w| first.push(first[first.len() - 1] + w as u32));
    let clos = Clos { levels, first };
    let router_of: Vec<usize> = (0..routers as u32).map(|router| clos.level(router)).collect();
    let shape: Vec<u32> =
        router_of.iter().map(|&level| clos.ports_down(level) + levels[level].up * levels[level].trunk).collect();
    let seats = Seats::counted(router_of.iter().map(|&level| if level == 0 { levels[0].down } else { 0 }));
    let mut builder = Builder::new(&shape, seats).map_err(refused)?;
    builder.fill(|router, port| Some(clos.far(router, port as u32)));
    builder.finish().map_err(refused)
}

impl Clos<'_> {
    fn level(&self, router: u32) -> usize {
        self.first.partition_point(|&first| first <= router) - 1
    }

    /// Network ports of a router of the level that lead down.
    fn ports_down(&self, level: usize) -> u32 {
        level.checked_sub(1).map_or(0, |below| self.levels[level].down * self.levels[below].trunk)
    }

    /// How many values the digit for `other` has in the name of a router of `level`.
    fn radix(&self, level: usize, other: usize) -> u32 {
        match other.cmp(&level) {
            std::cmp::Ordering::Less => self.levels[other].up,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => self.levels[other].down,
        }
    }

    /// The digits of a router, one per level; its own is 0.
    fn digits(&self, router: u32) -> (usize, Vec<u32>) {
        let level = self.level(router);
        let mut rest = router - self.first[level];
        let digit = |other| {
            let radix = self.radix(level, other);
            let digit = rest % radix;
            rest /= radix;
            digit
        };
        (level, (0..self.levels.len()).map(digit).collect())
    }

    fn router(&self, level: usize, digits: &[u32]) -> u32 {
        let value = (0..digits.len()).rev().fold(0, |n, other| n * self.radix(level, other) + digits[other]);
        self.first[level] + value
    }

    fn far(&self, router: u32, port: u32) -> (Port, Wire) {
        let (level, mut digits) = self.digits(router);
        let down = self.ports_down(level);
        if let Some(up) = port.checked_sub(down) {
            let Level { trunk, .. } = self.levels[level];
            let child = std::mem::replace(&mut digits[level + 1], 0);
            digits[level] = up / trunk;
            let to = Port { router: self.router(level + 1, &digits), port: child * trunk + up % trunk };
            return (to, self.wire(level));
        }
        let trunk = self.levels[level - 1].trunk;
        let parent = std::mem::replace(&mut digits[level - 1], 0);
        digits[level] = port / trunk;
        let back = self.ports_down(level - 1) + parent * trunk + port % trunk;
        (Port { router: self.router(level - 1, &digits), port: back }, self.wire(level - 1).back())
    }

    /// The links from a level up.
    fn wire(&self, level: usize) -> Wire {
        Wire { period: self.levels[level].period, ..Wire::new(self.levels[level].cycles, LinkKind::Up) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_router_invert() {
        let level = |down, up, trunk| Level { down, up, trunk, cycles: 1, period: 1 };
        let levels = [level(4, 3, 1), level(2, 5, 2), level(6, 2, 1), level(3, 0, 1)];
        let network = build(&levels).unwrap();
        let mut first = vec![0];
        for width in [2 * 6 * 3, 3 * 6 * 3, 3 * 5 * 3, 3 * 5 * 2] {
            first.push(first[first.len() - 1] + width);
        }
        let clos = Clos { levels: &levels, first };
        assert_eq!(network.routers(), clos.first[4] as usize);
        for router in 0..clos.first[4] {
            let (level, digits) = clos.digits(router);
            assert_eq!(clos.router(level, &digits), router);
            for (port, link) in network.links_of(router) {
                let up = port as u32 >= clos.ports_down(level);
                assert_eq!(link.kind, if up { LinkKind::Up } else { LinkKind::Down });
                assert_eq!(clos.level(link.to.router), if up { level + 1 } else { level - 1 });
            }
        }
    }
}
