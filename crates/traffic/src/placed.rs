//! A program on the nodes of a network: where its ranks are, and into what its messages are cut.

use crate::cutting::Cutting;
use std::ops::Range;
use std::sync::Arc;
use tailback_program::{Program, Work};

/// No rank.
const NONE: u32 = u32::MAX;

/// A program whose ranks have nodes.
#[derive(Clone, Debug)]
pub struct Placed {
    program: Arc<dyn Program>,
    /// By rank.
    nodes: Vec<u32>,
    /// By node.
    ranks: Vec<u32>,
    cutting: Cutting,
    recorded: bool,
    meets_once: bool,
    jobs: Vec<(String, Range<u32>)>,
    classes: Classes,
}

/// The message classes of a program. A node has a port of its own for each class: port `node * count + class`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// How many there are, at least 1.
    pub count: u32,
    /// The first tag of each class but the first, in rising order.
    pub tags: Vec<u32>,
    /// What keeps places of ejection buffers.
    pub keeps: Keeps,
}

/// What keeps its place in an ejection buffer that has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing: ejection buffers have no end.
    Nothing,
    /// Messages with tags below this one are requests: the place that a request takes is free again when the answers to it have left.
    Requests(u32),
    /// Every packet of a message that no receive asks for: its place is free again when one does.
    Unmatched,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { count: 1, tags: Vec::new(), keeps: Keeps::Nothing }
    }
}

impl Placed {
    /// `program` in a network of `nodes` nodes, with its ranks at the nodes `at`.
    ///
    /// # Errors
    /// Where there are fewer or more places than ranks, a node is not there, or a node has two ranks; in words.
    pub fn new(program: Arc<dyn Program>, at: Vec<u32>, nodes: u32) -> Result<Placed, String> {
        if at.len() != program.ranks() as usize {
            return Err(format!("the program has {} ranks, and {} nodes are named", program.ranks(), at.len()));
        }
        let mut ranks = vec![NONE; nodes as usize];
        for (rank, &node) in (0..).zip(&at) {
            match ranks.get_mut(node as usize) {
                None => return Err(format!("rank {rank} is at node {node}, and the network has {nodes} nodes")),
                Some(&mut NONE) => ranks[node as usize] = rank,
                Some(other) => return Err(format!("ranks {other} and {rank} are both at node {node}")),
            }
        }
        let (recorded, meets_once) = (false, program.meets_once());
        let (jobs, classes) = (Vec::new(), Classes::default());
        Ok(Placed { program, nodes: at, ranks, cutting: Cutting::Whole, recorded, meets_once, jobs, classes })
    }

    /// The same with messages that are cut so.
    #[must_use]
    pub fn cut(self, cutting: Cutting) -> Placed {
        Placed { cutting, ..self }
    }

    /// The same, of which a run writes down what happened to every operation, and when.
    #[must_use]
    pub fn recorded(self) -> Placed {
        Placed { recorded: true, ..self }
    }

    /// The same, which is made of these jobs: their names and their ranks.
    #[must_use]
    pub fn with_jobs(self, jobs: Vec<(String, Range<u32>)>) -> Placed {
        Placed { jobs, ..self }
    }

    /// The jobs that run, with their ranks; empty where the program is one.
    pub fn jobs(&self) -> &[(String, Range<u32>)] {
        &self.jobs
    }

    /// Whether a run writes that down.
    pub fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// The same with these classes.
    #[must_use]
    pub fn classed(self, classes: Classes) -> Placed {
        Placed { classes, ..self }
    }

    /// How many classes there are.
    #[inline]
    pub fn classes(&self) -> u32 {
        self.classes.count
    }

    /// The class of a message.
    #[inline]
    pub fn class_of(&self, tag: u32) -> u32 {
        (self.classes.tags.partition_point(|&first| first <= tag) as u32).min(self.classes.count - 1)
    }

    /// Whether a message holds its place in an ejection buffer until it is answered.
    #[inline]
    pub fn is_request(&self, tag: u32) -> bool {
        matches!(self.classes.keeps, Keeps::Requests(below) if tag < below)
    }

    /// Whether some messages do.
    #[inline]
    pub fn has_requests(&self) -> bool {
        matches!(self.classes.keeps, Keeps::Requests(below) if below > 0)
    }

    /// Whether packets keep their places in ejection buffers until a receive asks for their message.
    #[inline]
    pub fn keeps_unmatched(&self) -> bool {
        self.classes.keeps == Keeps::Unmatched
    }

    /// Whether some packets keep their places in ejection buffers when they have come.
    #[inline]
    pub fn keeps_places(&self) -> bool {
        self.classes.keeps != Keeps::Nothing
    }

    /// Whether no rank sends more than one message to another one.
    #[inline]
    pub fn meets_once(&self) -> bool {
        self.meets_once
    }

    /// The port of a rank's node for messages of a class.
    #[inline]
    pub fn port_of(&self, rank: u32, class: u32) -> u32 {
        self.node_of(rank) * self.classes.count + class
    }

    /// The rank behind a port, and the class of that.
    #[inline]
    pub fn behind(&self, port: u32) -> Option<(u32, u32)> {
        // PERF: most programs have one class, and a division costs as much as all else here.
        if self.classes.count == 1 {
            return Some((self.rank_at(port)?, 0));
        }
        Some((self.rank_at(port / self.classes.count)?, port % self.classes.count))
    }

    /// The program.
    pub fn program(&self) -> &dyn Program {
        &*self.program
    }

    /// What becomes of messages.
    pub fn cutting(&self) -> Cutting {
        self.cutting
    }

    /// The node of a rank.
    #[inline]
    pub fn node_of(&self, rank: u32) -> u32 {
        self.nodes[rank as usize]
    }

    /// The rank at a node.
    #[inline]
    pub fn rank_at(&self, node: u32) -> Option<u32> {
        self.ranks.get(node as usize).copied().filter(|&rank| rank != NONE)
    }

    /// Flits that a message of `flits` takes on its way.
    #[inline]
    pub fn on_the_way(&self, flits: u32) -> u32 {
        self.cutting.on_the_way(flits)
    }

    /// Flits of the next packet of a message of which `left` flits have not been sent. Where the data path cuts, it is all of them.
    #[inline]
    pub fn next_packet(&self, left: u32) -> u32 {
        self.cutting.next_packet(left)
    }

    /// The shortest and the longest packet that may occur \[flits\]; of messages, where the data path cuts them.
    pub fn lengths(&self) -> (u32, u32) {
        let (longest, shortest) = self.program.lengths();
        self.cutting.lengths((shortest.max(1), longest.max(1)))
    }

    /// Calls `each` with every message that `rank` sends into the network: its operation, destination and flits on the way.
    pub fn messages(&self, rank: u32, each: &mut dyn FnMut(u32, u32, u32)) {
        self.tagged(rank, &mut |number, (to, _), flits| each(number, to, flits));
    }

    /// The same with the tag of each message beside its destination.
    fn tagged(&self, rank: u32, each: &mut dyn FnMut(u32, (u32, u32), u32)) {
        for number in 0..self.program.operations(rank) {
            if let Work::Send { to, flits, tag } = self.program.work(rank, number)
                && to != rank
            {
                each(number, (to, tag), self.on_the_way(flits));
            }
        }
    }

    /// Calls `each` with the ports between which every message goes, and with whether it is a request.
    pub fn ways(&self, each: &mut dyn FnMut(u32, u32, bool)) {
        for rank in 0..self.program.ranks() {
            self.tagged(rank, &mut |_, (to, tag), _| {
                let class = self.class_of(tag);
                each(self.port_of(rank, class), self.port_of(to, class), self.is_request(tag));
            });
        }
    }

    /// Calls `emit` with each port to which the rank behind `port` sends from there, and with the share of its flits that go there.
    pub fn flows(&self, port: u32, emit: &mut dyn FnMut(u32, f64)) {
        let Some((rank, class)) = self.behind(port) else { return };
        let (mut sent, mut all) = (Vec::new(), 0);
        self.tagged(rank, &mut |_, (to, tag), flits| {
            if self.class_of(tag) == class {
                sent.push((to, flits));
                all += u64::from(flits);
            }
        });
        // PERF: mostly these are a few runs, which are merged.
        sent.sort_by_key(|message| message.0);
        for messages in sent.chunk_by(|one, next| one.0 == next.0) {
            let flits: u64 = messages.iter().map(|message| u64::from(message.1)).sum();
            emit(self.port_of(messages[0].0, class), flits as f64 / all as f64);
        }
    }

    /// Packets of a message of `flits` on its way.
    pub fn packets(&self, flits: u32) -> u64 {
        match self.cutting {
            Cutting::Whole => 1,
            Cutting::Packets(packet) | Cutting::Full(packet) => u64::from(flits.div_ceil(packet)),
        }
    }

    /// Packets that all ranks send into the network. It takes as long as the program has operations.
    pub fn all_packets(&self) -> u64 {
        let mut all = 0;
        for rank in 0..self.program.ranks() {
            self.messages(rank, &mut |_, _, flits| all += self.packets(flits));
        }
        all
    }
}
