//! The congestion trees of one look: which links stand still, and for which link's sake.

use super::look::{Links, Place, Queue, Standing, State};

/// No link.
pub const NO_LINK: u32 = u32::MAX;

/// What there is to say of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Fronts that are blocked for it; one that could take several links counts for each in part.
    pub demand: f64,
    /// Whether some of them find no room behind it.
    pub still: bool,
    /// Whether packets leave by it.
    pub goes: bool,
    /// The root for whose sake it stands still, or itself if it is one; [`NO_LINK`] where it does not wait, or for nothing but
    /// itself.
    pub root: u32,
    /// Links that stand still from it to the root, itself included.
    pub depth: u32,
}

const IDLE: Stand = Stand { demand: 0.0, still: false, goes: false, root: NO_LINK, depth: 0 };

/// A congestion tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Its root.
    pub root: u32,
    /// Links that stand still one behind the other.
    pub depth: u32,
    /// Links that stand still.
    pub branches: u32,
}

/// The links in one look.
#[derive(Clone, Debug)]
pub struct Forest<'a> {
    links: Links<'a>,
    stands: Vec<Stand>,
}

impl<'a> Forest<'a> {
    /// Builds the forest from packets in the order of their queues.
    pub fn new(links: Links<'a>, look: &[Standing]) -> Self {
        let fronts: Vec<Standing> = look.iter().filter(|packet| packet.position == 0).copied().collect();
        let mut forest = Forest { links, stands: vec![IDLE; links.count()] };
        fronts.iter().for_each(|front| forest.add(front));
        let waits = forest.waits(&fronts);
        forest.find_roots(&waits);
        forest
    }

    /// A link.
    pub fn at(&self, link: usize) -> &Stand {
        &self.stands[link]
    }

    /// All links.
    pub fn stands(&self) -> &[Stand] {
        &self.stands
    }

    /// Whether a packet that is given the link could go at once: nothing leaves by it, and nobody is blocked for it.
    pub fn is_free(&self, link: usize) -> bool {
        !self.stands[link].goes && self.stands[link].demand == 0.0
    }

    /// The root for whose sake a blocked front waits: the nearest, at a draw that of the lower number.
    pub fn root_of(&self, front: &Standing) -> Option<usize> {
        let links = self.links.of(front.queue.router, front.state.blocked());
        let nearest =
            links.map(|link| (self.stands[link].depth, self.stands[link].root)).filter(|&(_, r)| r != NO_LINK);
        nearest.min().map(|(_, root)| root as usize)
    }

    /// The trees, by root.
    pub fn trees(&self) -> Vec<Tree> {
        let mut trees = vec![Tree::default(); self.stands.len()];
        for stand in self.stands.iter().filter(|stand| stand.root != NO_LINK && stand.depth > 0) {
            let tree = &mut trees[stand.root as usize];
            *tree = Tree { root: stand.root, depth: tree.depth.max(stand.depth), branches: tree.branches + 1 };
        }
        trees.retain(|tree| tree.branches > 0);
        trees
    }

    /// Links that stand still for each other and for no root.
    pub fn rootless(&self) -> usize {
        self.stands.iter().filter(|stand| stand.still && stand.root == NO_LINK).count()
    }

    fn add(&mut self, front: &Standing) {
        let ports = front.state.blocked();
        let share = 1.0 / f64::from(ports.count_ones().max(1));
        for link in self.links.of(front.queue.router, ports) {
            self.stands[link].demand += share;
            self.stands[link].still |= matches!(front.state, State::NoRoom(..));
        }
        if let State::Goes(port) = front.state {
            self.stands[self.links.at(front.queue.router, usize::from(port))].goes = true;
        }
    }

    /// Pairs of links, the second of which stands still until the first drains the queues between them; in order. One by which such
    /// a queue drains already counts if it is contended.
    fn waits(&self, fronts: &[Standing]) -> Vec<(u32, u32)> {
        let mut waits = Vec::new();
        for front in fronts {
            let State::NoRoom(ports, full) = front.state else { continue };
            for link in self.links.of(front.queue.router, ports) {
                for behind in self.behind(fronts, link).filter(|behind| full.holds(behind)) {
                    let drains = self.links.of(behind.queue.router, behind.state.drains());
                    let drains = drains.filter(|&drain| self.stands[drain].demand > 0.0);
                    waits.extend(drains.map(|drain| (drain as u32, link as u32)));
                }
            }
        }
        waits.sort_unstable();
        waits.dedup();
        waits
    }

    /// The fronts of the queues that a link feeds.
    fn behind<'f>(&self, fronts: &'f [Standing], link: usize) -> impl Iterator<Item = &'f Standing> + use<'f> {
        let (router, port) = self.links.place(link);
        let ahead = self.links.ahead(router, port);
        let at = |number| ahead.map(|to| Queue { router: to.router, place: Place::Input(to.port as u8), number });
        let first = at(0).map_or(fronts.len(), |first| fronts.partition_point(|front| front.queue < first));
        let end = at(u32::MAX);
        fronts[first..].iter().take_while(move |front| Some(front.queue) <= end)
    }

    /// Roots wait for nothing; from them on, links that stand still are reached link by link.
    fn find_roots(&mut self, waits: &[(u32, u32)]) {
        let mut waits_for_some = vec![false; self.stands.len()];
        waits.iter().for_each(|&(_, link)| waits_for_some[link as usize] = true);
        let of = |drain: u32| {
            let first = waits.partition_point(|&(from, _)| from < drain);
            waits[first..].iter().take_while(move |&&(from, _)| from == drain).map(|&(_, link)| link)
        };
        let is_root = |link: &u32| {
            let stand = &self.stands[*link as usize];
            !waits_for_some[*link as usize] && stand.demand > 0.0
        };
        let mut reached: Vec<u32> = (0..self.stands.len() as u32).filter(is_root).collect();
        reached.iter().for_each(|&link| self.stands[link as usize].root = link);
        let mut depth = 0;
        while !reached.is_empty() {
            depth += 1;
            let mut next: Vec<(u32, u32)> = Vec::new();
            for &link in &reached {
                let root = self.stands[link as usize].root;
                next.extend(of(link).filter(|&l| self.stands[l as usize].root == NO_LINK).map(|l| (l, root)));
            }
            // Of several roots the lowest.
            next.sort_unstable();
            next.dedup_by_key(|(link, _)| *link);
            for &(link, root) in &next {
                let stand = &mut self.stands[link as usize];
                (stand.root, stand.depth) = (root, depth);
            }
            reached = next.into_iter().map(|(link, _)| link).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::look::Full;
    use super::super::testing::*;
    use super::*;
    use tailback_network::{Grid, Network};

    #[test]
    fn a_hot_node_is_the_root_and_links_stand_still_behind_it() {
        // All go up to node 3, for which two contend at 3; behind one of these links 2, 1 and 0 find no room.
        let grid = Network::from(Grid::new(&[5], &[false], 1, 1));
        let links = Links::new(&grid);
        let look = [
            front(0, None, 3, State::NoRoom(1, Full::Channels(1))),
            front(1, Some(0), 3, State::NoRoom(1, Full::Channels(1))),
            front(2, Some(0), 3, State::NoRoom(1, Full::Channels(1))),
            front(3, Some(0), 3, State::Goes(2)),
            front(3, Some(1), 3, State::Contends(0b100)),
        ];
        let forest = Forest::new(links, &look);
        let root = links.at(3, 2) as u32;
        assert_eq!(forest.trees(), [Tree { root, depth: 3, branches: 3 }]);
        assert_eq!(forest.at(links.at(0, 0)).depth, 3);
        assert_eq!(forest.root_of(&look[0]), Some(root as usize));
        assert_eq!(forest.rootless(), 0);
        assert!(!forest.is_free(links.at(2, 0)) && forest.is_free(links.at(1, 1)));
    }

    #[test]
    fn contention_alone_is_no_tree() {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let links = Links::new(&grid);
        let look = [front(4, Some(0), 5, State::Goes(0)), front(4, Some(2), 5, State::Contends(1))];
        let forest = Forest::new(links, &look);
        assert!(forest.trees().is_empty());
        assert_eq!(forest.root_of(&look[1]), Some(links.at(4, 0)), "but one waits for that link");
        assert_eq!(forest.at(links.at(4, 0)).demand, 1.0);
    }

    #[test]
    fn a_queue_that_drains_with_nobody_in_its_way_is_no_reason() {
        let grid = Network::from(Grid::new(&[3], &[false], 1, 1));
        let links = Links::new(&grid);
        let waits = front(0, None, 2, State::NoRoom(1, Full::Channels(1)));
        let forest = Forest::new(links, &[waits, front(1, Some(0), 2, State::Goes(0))]);
        assert!(forest.trees().is_empty());
        assert_eq!(forest.root_of(&waits), Some(links.at(0, 0)), "the buffer is too short for the link");
    }

    #[test]
    fn only_the_channel_that_is_full_leads_on() {
        // Channel 1 of 0 -> 1 is full, and its front waits for 1 -> 2; channel 0 goes to the node.
        let grid = Network::from(Grid::new(&[3], &[false], 1, 1));
        let links = Links::new(&grid);
        let mut of_channel_1 = front(1, Some(0), 2, State::Contends(1));
        of_channel_1.queue.number = 1;
        let look = [
            front(0, None, 2, State::NoRoom(1, Full::Channels(0b10))),
            front(1, Some(0), 1, State::Goes(2)),
            of_channel_1,
        ];
        let trees = Forest::new(links, &look).trees();
        assert_eq!(trees, [Tree { root: links.at(1, 0) as u32, depth: 1, branches: 1 }]);
    }

    #[test]
    fn a_link_between_two_roots_belongs_to_the_nearer_one() {
        // 1 -> 2 stands still for 2 -> 3, and 0 -> 1 for 1 -> 2 and for the node of 1.
        let grid = Network::from(Grid::new(&[4], &[false], 1, 1));
        let links = Links::new(&grid);
        let mut other = front(1, Some(0), 1, State::Contends(0b100));
        other.queue.number = 1;
        let look = [
            front(0, None, 3, State::NoRoom(1, Full::All)),
            front(1, Some(0), 3, State::NoRoom(1, Full::Channels(1))),
            other,
            front(2, Some(0), 3, State::Contends(1)),
        ];
        let forest = Forest::new(links, &look);
        let (node, up) = (links.at(1, 2) as u32, links.at(2, 0) as u32);
        assert_eq!(
            forest.trees(),
            [Tree { root: node, depth: 1, branches: 1 }, Tree { root: up, depth: 1, branches: 1 }]
        );
    }

    #[test]
    fn a_circle_has_no_root() {
        let grid = Network::from(Grid::new(&[4], &[true], 1, 1));
        let links = Links::new(&grid);
        let look =
            [0, 1, 2, 3].map(|router| front(router, Some(0), (router + 2) % 4, State::NoRoom(1, Full::Channels(1))));
        let forest = Forest::new(links, &look);
        assert_eq!((forest.rootless(), forest.trees().len()), (4, 0));
        assert_eq!(forest.root_of(&look[0]), None);
    }

    #[test]
    fn nothing_in_the_network_is_no_tree() {
        let grid = Network::from(Grid::new(&[2], &[false], 1, 1));
        let forest = Forest::new(Links::new(&grid), &[]);
        assert!(forest.trees().is_empty() && forest.rootless() == 0);
    }
}
