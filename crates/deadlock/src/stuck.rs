//! The largest set of buffers that can all be full of packets that wait for each other. With packets that hold one buffer
//! each it is empty exactly where no deadlock can form (Verbeek and Schmaltz 2011, of packet switching).

use crate::places::{Places, Situation};
use tailback_base::bits::ones;

/// For which of its candidates a head waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Any of them will do: it is stuck while all are full.
    Any,
    /// It has been given one already, whichever: it is stuck while that one is full.
    Given,
    /// As given, of the escape channels where it has some.
    GivenEscape,
}

impl Waits {
    /// The candidates that count, as a mask.
    fn mask(self, situation: &Situation) -> u64 {
        match self {
            Waits::GivenEscape if situation.fallback != 0 => situation.fallback,
            _ => situation.preferred | situation.fallback,
        }
    }
}

/// Buffers, numbered as `vertex` says of them, and heads that can be stuck for ever.
#[derive(Debug)]
pub struct Stuck {
    /// By vertex.
    pub vertices: Vec<bool>,
    /// By situation.
    pub situations: Vec<bool>,
}

impl Stuck {
    /// How many buffers.
    pub fn count(&self) -> usize {
        self.vertices.iter().filter(|&&stuck| stuck).count()
    }
}

/// The vertices that a head in a situation waits for.
pub fn targets<'a>(
    situation: &Situation,
    waits: Waits,
    width: u32,
    vertex: &'a [u32],
) -> impl Iterator<Item = u32> + use<'a> {
    let first = situation.router * width + situation.first;
    ones(waits.mask(situation)).map(move |bit| vertex[(first + bit as u32) as usize])
}

/// Whether a packet in a buffer of this vertex may go on within it. A vertex of one buffer is never its own candidate.
pub fn stays(situation: &Situation, vertex_held: u32, width: u32, vertex: &[u32]) -> bool {
    targets(situation, Waits::Any, width, vertex).any(|target| target == vertex_held)
}

/// Takes away what can move until nothing more can.
pub fn stuck(places: &Places, waits: Waits, width: u32, vertex: &[u32]) -> Stuck {
    let all = places.situations.len();
    let mut waiters: Vec<Vec<u32>> = vec![Vec::new(); vertex.len()];
    // Candidates that are full, and how many of them must be.
    let (mut full, mut needed) = (vec![0u32; all], vec![0u32; all]);
    for (id, situation) in places.situations.iter().enumerate() {
        for target in targets(situation, waits, width, vertex) {
            waiters[target as usize].push(id as u32);
            full[id] += 1;
        }
        needed[id] = if waits == Waits::Any { full[id].max(1) } else { 1 };
    }
    let mut heads: Vec<Vec<u32>> = vec![Vec::new(); all];
    let mut holders = vec![0u32; vertex.len()];
    let holds =
        places.holds.iter().flat_map(|hold| hold.buffers(width).map(|buffer| (buffer, hold.situation as usize)));
    for (buffer, situation) in holds {
        let held = vertex[buffer as usize];
        if full[situation] > 0 && !stays(&places.situations[situation], held, width, vertex) {
            heads[situation].push(held);
            holders[held as usize] += 1;
        }
    }
    let mut vertices: Vec<bool> = holders.iter().map(|&count| count > 0).collect();
    let mut free: Vec<u32> = (0..vertex.len() as u32).filter(|&v| !vertices[v as usize]).collect();
    while let Some(moves) = free.pop() {
        for &id in &waiters[moves as usize] {
            let id = id as usize;
            full[id] -= 1;
            if full[id] + 1 != needed[id] {
                continue;
            }
            for &held in &heads[id] {
                holders[held as usize] -= 1;
                if holders[held as usize] == 0 {
                    vertices[held as usize] = false;
                    free.push(held);
                }
            }
        }
    }
    Stuck { vertices, situations: (0..all).map(|id| full[id] >= needed[id]).collect() }
}
