//! Circles in a graph.

/// A directed graph in one table.
#[derive(Debug)]
pub struct Graph {
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Graph {
    /// Of these edges among nodes `0..nodes`.
    pub fn new(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut first = vec![0u32; nodes + 1];
        edges.iter().for_each(|&(from, _)| first[from as usize + 1] += 1);
        (0..nodes).for_each(|n| first[n + 1] += first[n]);
        let mut at = first.clone();
        let mut to = vec![0; edges.len()];
        for &(from, end) in edges {
            to[at[from as usize] as usize] = end;
            at[from as usize] += 1;
        }
        Graph { first, to }
    }

    /// Where the edges of a node lead.
    pub fn next(&self, node: u32) -> &[u32] {
        &self.to[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// A circle through some node below `limit`, if there is one; short, if not the shortest.
    pub fn circle(&self, limit: u32) -> Option<Vec<u32>> {
        let knot = self.knot(limit)?;
        let shorter = knot.iter().take(16).filter_map(|&node| self.round(node));
        shorter.min_by_key(Vec::len)
    }

    /// Nodes below `limit` that lie on circles with each other: those of a strongly connected component (Tarjan 1972).
    fn knot(&self, limit: u32) -> Option<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        const DONE: u32 = u32::MAX - 1;
        let nodes = self.first.len() - 1;
        // When a node was first seen, and the earliest seen node that it leads back to.
        let (mut seen, mut low, mut count) = (vec![NEW; nodes], vec![0u32; nodes], 0);
        let (mut path, mut open): (Vec<(u32, usize)>, Vec<u32>) = (Vec::new(), Vec::new());
        for root in 0..nodes as u32 {
            if seen[root as usize] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some(top) = path.last_mut() {
                let (node, edge) = *top;
                if edge == 0 {
                    (seen[node as usize], low[node as usize]) = (count, count);
                    count += 1;
                    open.push(node);
                }
                top.1 += 1;
                if let Some(&next) = self.next(node).get(edge) {
                    match seen[next as usize] {
                        NEW => path.push((next, 0)),
                        DONE => {}
                        early => low[node as usize] = low[node as usize].min(early),
                    }
                    continue;
                }
                path.pop();
                if let Some(&(from, _)) = path.last() {
                    low[from as usize] = low[from as usize].min(low[node as usize]);
                }
                if low[node as usize] != seen[node as usize] {
                    continue;
                }
                let first = open.iter().rposition(|&other| other == node).expect("it was opened");
                let component = open.split_off(first);
                component.iter().for_each(|&member| seen[member as usize] = DONE);
                let closed = component.len() > 1 || self.next(node).contains(&node);
                let members: Vec<u32> = component.into_iter().filter(|&member| member < limit).collect();
                if closed && !members.is_empty() {
                    return Some(members);
                }
            }
        }
        None
    }

    /// A shortest way from `start` back to itself.
    fn round(&self, start: u32) -> Option<Vec<u32>> {
        const NOBODY: u32 = u32::MAX;
        let mut from = vec![NOBODY; self.first.len() - 1];
        let mut open = vec![start];
        let mut at = 0;
        while at < open.len() {
            let node = open[at];
            at += 1;
            for &next in self.next(node) {
                if next == start {
                    let mut way = vec![node];
                    while way[way.len() - 1] != start {
                        way.push(from[way[way.len() - 1] as usize]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if from[next as usize] == NOBODY {
                    from[next as usize] = node;
                    open.push(next);
                }
            }
        }
        None
    }
}
