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
    pub fn round(&self, start: u32) -> Option<Vec<u32>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::rng::{Purpose, below, draw_u64};

    #[test]
    fn a_node_that_leads_to_itself_is_a_circle() {
        let graph = Graph::new(4, &[(0, 1), (1, 2), (2, 2), (2, 3)]);
        assert_eq!((graph.next(1), graph.next(3)), (&[2][..], &[][..]));
        assert_eq!(graph.circle(4), Some(vec![2]));
        assert_eq!(graph.circle(2), None, "it passes no node below 2");
        assert_eq!(Graph::new(2, &[(0, 1)]).circle(2), None);
        assert_eq!(Graph::new(0, &[]).circle(0), None);
    }

    #[test]
    fn the_way_back_is_a_short_one() {
        // Round all six, or by the short cut from 4.
        let ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (4, 2)];
        let mut circle = Graph::new(6, &ring).circle(6).expect("a circle");
        circle.sort_unstable();
        assert_eq!(circle, [2, 3, 4]);
    }

    /// Whether a way of one edge or more leads from a node to itself, by trying all of them.
    fn comes_back(edges: &[(u32, u32)], start: u32) -> bool {
        let (mut open, mut seen) = (vec![start], Vec::new());
        while let Some(node) = open.pop() {
            for &(_, to) in edges.iter().filter(|&&(from, _)| from == node) {
                if to == start {
                    return true;
                }
                if !seen.contains(&to) {
                    seen.push(to);
                    open.push(to);
                }
            }
        }
        false
    }

    #[test]
    fn circles_are_found_where_there_are_any() {
        let mut with = 0;
        for seed in 0..4000 {
            let draw = |n: u32, of: u64| below(draw_u64(seed, Purpose::Request, n, 0), of) as u32;
            let (nodes, count, limit) = (2 + draw(0, 9), draw(1, 14), 1 + draw(2, 10));
            let edges: Vec<(u32, u32)> =
                (0..count).map(|n| (draw(3 + 2 * n, u64::from(nodes)), draw(4 + 2 * n, u64::from(nodes)))).collect();
            let graph = Graph::new(nodes as usize, &edges);
            let expected = (0..nodes.min(limit)).any(|node| comes_back(&edges, node));
            let found = graph.circle(limit);
            assert_eq!(found.is_some(), expected, "{edges:?} below {limit}");
            let Some(circle) = found else { continue };
            with += 1;
            assert!(circle.iter().any(|&node| node < limit), "{circle:?} of {edges:?} below {limit}");
            let ends = circle.iter().zip(circle.iter().cycle().skip(1));
            assert!(ends.clone().all(|(&from, &to)| edges.contains(&(from, to))), "{circle:?} of {edges:?}");
            assert!((1..circle.len()).all(|n| !circle[..n].contains(&circle[n])), "{circle:?} passes each once");
        }
        assert!((1000..3500).contains(&with), "{with} of 4000 have circles");
    }
}
