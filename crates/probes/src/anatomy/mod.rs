//! The anatomy of congestion: trees, head-of-line blocking, culprits and victims, from looks at all packets of a network. The
//! definitions are in `docs/anatomy.md`.

pub mod blocked;
pub mod census;
pub mod flows;
pub mod forest;
pub mod fronts;
pub mod lives;
pub mod look;
pub mod movement;
#[cfg(test)]
mod testing;

pub use blocked::Blocked;
pub use census::{Census, Heads, Queues};
pub use flows::{Flows, Roles};
pub use forest::Tree;
pub use fronts::Fronts;
pub use lives::{Life, Lives};
pub use look::{Full, Links, Look, MOST_PORTS, Place, Ports, Queue, Standing, State, Ways};
pub use movement::{Movement, Speed};

use blocked::{Victim, crosses, part};
use flows::Role;
use forest::{Forest, NO_LINK};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};

/// What was found in one look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Its cycle.
    pub cycle: u64,
    /// Congestion trees.
    pub trees: u32,
    /// Links that stand still one behind the other, at most.
    pub depth: u32,
    /// Links that stand still.
    pub still: u32,
    /// Links that stand still because they wait for each other, without a root.
    pub rootless: u32,
    /// Links that are demanded, the ones that stand still included.
    pub demanded: u32,
    /// Packets that are blocked in queues of links.
    pub blocked: Blocked,
    /// Packets at the front of a queue, by what they wait for.
    pub fronts: Fronts,
}

/// What became of a link in all looks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfLink {
    /// Fronts blocked for it.
    pub demand: f64,
    /// Looks in which it was demanded.
    pub demanded: u64,
    /// Looks in which it stood still.
    pub still: u64,
    /// Looks in which it was the root of a tree.
    pub root: u64,
    /// Looks in which it was a branch, and its depths in these together.
    pub branch: (u64, u64),
    /// Packets blocked in the tree of which it was the root.
    pub packets: u64,
}

/// The trees of one look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Its cycle.
    pub cycle: u64,
    /// Packets blocked in all trees.
    pub packets: u64,
    /// The links that stand still for a root: the link, the root, the links from it to the root.
    pub branches: Vec<(u32, u32, u32)>,
}

/// All looks of a run.
#[derive(Clone, Debug)]
pub struct Anatomy {
    /// Cycles from look to look.
    pub every: u64,
    /// What was found, look by look.
    pub found: Vec<Found>,
    /// All blocked packets.
    pub blocked: Blocked,
    /// The look with most packets blocked in trees, the first of them.
    pub fullest: Moment,
    /// By link.
    pub of_links: Vec<OfLink>,
    /// The lives of trees.
    pub lives: Lives,
    /// Culprits and victims.
    pub flows: Flows,
    /// Whether it is known where packets behind a front go.
    pub knows_ways: bool,
}

tailback_base::plain!(Found, OfLink, Moment, Blocked, Fronts);
tailback_base::state!([] Anatomy {
    saved: blocked, fullest, of_links, lives, flows; grown: found; rebuilt: every, knows_ways;
} [fits]);

impl Anatomy {
    fn fits(&self) -> Result<(), Unfit> {
        let blocked = |b: &Blocked| [b.front, b.same, b.other, b.head_of_line, b.unknown];
        are_counts(self.found.iter().map(|found| &found.blocked).chain([&self.blocked]).flat_map(blocked))?;
        let of = |of: &OfLink| [of.demanded, of.still, of.root, of.branch.0, of.branch.1, of.packets];
        are_counts(self.of_links.iter().flat_map(of))?;
        let links = self.of_links.len();
        let there = |&(link, root, _): &(u32, u32, u32)| (link as usize) < links && (root as usize) < links;
        let trees = self.fullest.branches.iter().all(there) && self.lives.are_of(links);
        ensure(trees, "a tree has links that are not there")
    }
}

impl Anatomy {
    /// No looks at a network of so many links and nodes, where `ways` are known of packets behind others, if they are known.
    pub fn new<W>(every: u64, (links, nodes): (usize, u32), ways: Option<&W>) -> Self {
        let (blocked, fullest, lives) = Default::default();
        let flows = Flows::of(nodes);
        let of_links = vec![OfLink::default(); links];
        Anatomy { every, found: Vec::new(), blocked, fullest, of_links, lives, flows, knows_ways: ways.is_some() }
    }

    /// Adds a look; brings its packets in the order of queues.
    pub fn look(&mut self, (cycle, fronts): (u64, Fronts), links: Links<'_>, look: &mut Look, ways: &impl Ways) {
        // PERF: it is nearly in order, which a stable sort makes use of (`tailback bench --probes`).
        look.standing.sort_by_key(|packet| (packet.queue, packet.position));
        let forest = Forest::new(links, &look.standing);
        let (parts, packets) = self.blocked_in(&forest, links, look, ways);
        let trees: Vec<(Tree, u64)> =
            forest.trees().into_iter().map(|tree| (tree, packets[tree.root as usize])).collect();
        self.add_links(&forest, &trees);
        self.keep_fullest(cycle, &forest, trees.iter().map(|(_, packets)| packets).sum());
        self.lives.look(cycle, &trees);
        self.blocked.add(&parts);
        let count = |of: fn(&forest::Stand) -> bool| forest.stands().iter().filter(|stand| of(stand)).count() as u32;
        self.found.push(Found {
            cycle,
            trees: trees.len() as u32,
            depth: trees.iter().map(|(tree, _)| tree.depth).max().unwrap_or(0),
            still: count(|stand| stand.still),
            rootless: forest.rootless() as u32,
            demanded: count(|stand| stand.demand > 0.0),
            blocked: parts,
            fronts,
        });
    }

    /// The links that were roots, those of the longest time first, with more blocked packets at a draw.
    pub fn longest_roots(&self) -> Vec<usize> {
        let mut roots: Vec<usize> = (0..self.of_links.len()).filter(|&link| self.of_links[link].root > 0).collect();
        roots.sort_by_key(|&link| std::cmp::Reverse((self.of_links[link].root, self.of_links[link].packets)));
        roots
    }

    /// The mean over all looks; `None` where nobody looked.
    pub fn mean(&self, of: impl Fn(&Found) -> u32) -> Option<f64> {
        let sum: u64 = self.found.iter().map(|found| u64::from(of(found))).sum();
        (!self.found.is_empty()).then(|| sum as f64 / self.found.len() as f64)
    }

    /// Links that stand still one behind the other, at most; `None` where nobody looked.
    pub fn deepest(&self) -> Option<u32> {
        self.found.iter().map(|found| found.depth).max()
    }

    /// The parts of blocked time in a look, and the packets blocked in the tree of every root.
    fn blocked_in(
        &mut self,
        forest: &Forest<'_>,
        links: Links<'_>,
        look: &Look,
        ways: &impl Ways,
    ) -> (Blocked, Vec<u64>) {
        let (mut parts, mut packets) = (Blocked::default(), vec![0; links.count()]);
        for (front, queue) in blocked::queues(&look.standing) {
            let root = forest.root_of(front);
            root.into_iter().for_each(|root| packets[root] += Look::packets(queue));
            if !self.knows_ways {
                let of_front = queue.iter().filter(|packet| !packet.state.is_behind()).count() as u64;
                parts.front += of_front;
                parts.unknown += Look::packets(queue) - of_front;
                continue;
            }
            let place = root.map(|root| links.place(root));
            // PERF: those behind a front mostly go where it goes (`tailback bench --probes recn-1`).
            let alike = |one: &Standing, other: &Standing| {
                let both = one.destination == other.destination && one.state.is_behind() == other.state.is_behind();
                both && ways.are_by_destination()
            };
            for packets in queue.chunk_by(alike) {
                let packet = &packets[0];
                let victim = Victim { packet, front };
                *part(&mut parts, victim, forest, links, ways.wants(packet)) += Look::packets(packets);
                if let Some(root) = place {
                    let role = if crosses(links, ways, packet, root) { Role::Culprit } else { Role::Victim };
                    let sources = packets.iter().flat_map(|packet| look.sources(packet));
                    self.flows.add(sources, packet.destination, role);
                }
            }
        }
        self.flows.settle();
        (parts, packets)
    }

    fn keep_fullest(&mut self, cycle: u64, forest: &Forest<'_>, packets: u64) {
        if packets > self.fullest.packets {
            let stands = (0u32..).zip(forest.stands());
            let branches = stands.filter(|(_, stand)| stand.root != NO_LINK && stand.depth > 0);
            let branches = branches.map(|(link, stand)| (link, stand.root, stand.depth)).collect();
            self.fullest = Moment { cycle, packets, branches };
        }
    }

    fn add_links(&mut self, forest: &Forest<'_>, trees: &[(Tree, u64)]) {
        for (of, stand) in self.of_links.iter_mut().zip(forest.stands()) {
            of.demand += stand.demand;
            of.demanded += u64::from(stand.demand > 0.0);
            of.still += u64::from(stand.still);
            if stand.root != NO_LINK && stand.depth > 0 {
                of.branch = (of.branch.0 + 1, of.branch.1 + u64::from(stand.depth));
            }
        }
        for (tree, packets) in trees {
            let root = &mut self.of_links[tree.root as usize];
            (root.root, root.packets) = (root.root + 1, root.packets + packets);
        }
    }
}
