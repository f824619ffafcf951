//! A pattern from outside: a table that whoever uses the simulator as a library made before the run.

use super::Pattern;

/// A table of the destinations of every node and their shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// By source: destinations, with the bits below which a draw falls on them or on one before them. The last bound is all
    /// ones.
    rows: Vec<Vec<(u32, u64)>>,
}

impl Table {
    /// From one destination a node; a node that sends to itself is silent.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn of_destinations(destinations: &[u32]) -> Result<Table, String> {
        let nodes = destinations.len();
        let row = |(source, &destination): (usize, &u32)| match destination as usize {
            beyond if beyond >= nodes => Err(format!("node {source} sends to {beyond}, and there are {nodes} nodes")),
            own if own == source => Ok(Vec::new()),
            _ => Ok(vec![(destination, u64::MAX)]),
        };
        destinations.iter().enumerate().map(row).collect::<Result<_, _>>().map(|rows| Table { rows })
    }

    /// From weights by source and destination, `weights[source * nodes + destination]`. Each row is scaled to shares that add
    /// up to 1; what a node would send to itself counts as nothing, and one without weights is silent.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn of_weights(weights: &[f64], nodes: usize) -> Result<Table, String> {
        if weights.len() != nodes * nodes {
            return Err(format!("{nodes} nodes have {} weights, not {}", nodes * nodes, weights.len()));
        }
        let rows = weights.chunks_exact(nodes.max(1)).enumerate().map(|(source, row)| shares(source, row));
        rows.collect::<Result<_, _>>().map(|rows| Table { rows })
    }

    /// Nodes.
    pub fn nodes(&self) -> usize {
        self.rows.len()
    }
}

/// The destinations of `source` with their bounds.
fn shares(source: usize, weights: &[f64]) -> Result<Vec<(u32, u64)>, String> {
    if let Some(at) = weights.iter().position(|weight| !(0.0..f64::INFINITY).contains(weight)) {
        return Err(format!("the weight from node {source} to node {at} is {}, and must be at least 0", weights[at]));
    }
    let sent = || weights.iter().enumerate().filter(|&(to, &weight)| to != source && weight > 0.0);
    let sum: f64 = sent().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let mut row: Vec<(u32, u64)> = sent()
        .map(|(to, weight)| {
            below += weight;
            // 2^64; the cast saturates.
            (to as u32, (below / sum * 18_446_744_073_709_551_616.0) as u64)
        })
        .collect();
    if let Some(last) = row.last_mut() {
        last.1 = u64::MAX;
    }
    Ok(row)
}

impl Pattern for Table {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        let row = &self.rows[source as usize];
        let at = row.partition_point(|&(_, bound)| bound <= draw);
        row.get(at).or(row.last()).map(|&(destination, _)| destination)
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        let mut below = 0.0;
        for &(destination, bound) in &self.rows[source as usize] {
            let up_to = bound as f64 / u64::MAX as f64;
            emit(destination, up_to - below);
            below = up_to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flows(table: &Table, source: u32) -> Vec<(u32, f64)> {
        let mut found = Vec::new();
        table.flows(source, &mut |to, share| found.push((to, share)));
        found
    }

    #[test]
    fn one_destination_a_node() {
        let table = Table::of_destinations(&[2, 1, 0]).unwrap();
        for draw in [0, 1 << 63, u64::MAX] {
            assert_eq!([0, 1, 2].map(|node| table.destination(node, draw)), [Some(2), None, Some(0)]);
        }
        assert_eq!((flows(&table, 0), flows(&table, 1)), (vec![(2, 1.0)], vec![]));
        let message = Table::of_destinations(&[1, 5]).unwrap_err();
        assert_eq!(message, "node 1 sends to 5, and there are 2 nodes");
    }

    #[test]
    fn draws_fall_as_the_weights_say() {
        let table = Table::of_weights(&[9.0, 1.0, 3.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0], 3).unwrap();
        let quarter = 1u64 << 62;
        for (draw, to) in [(0, 1), (quarter - 1, 1), (quarter, 2), (u64::MAX, 2)] {
            assert_eq!(table.destination(0, draw), Some(to), "what a node would send to itself counts as nothing");
        }
        assert_eq!(table.destination(1, 0), None);
        assert_eq!(flows(&table, 0), [(1, 0.25), (2, 0.75)]);
        assert_eq!(flows(&table, 2), [(0, 0.5), (1, 0.5)]);
        for (weights, words) in
            [(vec![0.0; 3], "4 weights"), (vec![0.0, -1.0, 0.0, 0.0], "from node 0 to node 1 is -1")]
        {
            assert!(Table::of_weights(&weights, 2).unwrap_err().contains(words), "{words}");
        }
        assert!(Table::of_weights(&[0.0, f64::NAN, 0.0, 0.0], 2).is_err());
    }
}
