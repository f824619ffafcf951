//! What was seen of a variant since cycle 0: rows of numbers, and how full the buffers behind each link were. So a page that comes late,
//! or comes again, sees all of the curves. The older half is thinned where it becomes too much.

use serde_json::Value;

/// Rows of a variant at most.
const MOST_ROWS: usize = 4096;

/// Bytes of levels of a variant at most.
const MOST_BYTES: usize = 16 << 20;

/// The numbers of a look, over the cycles since the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The next cycle to be simulated.
    pub cycle: u64,
    /// Cycles since the row before.
    pub covers: u64,
    /// Flits delivered per node and cycle, mean latency, mean time in the network, and the head-of-line share at the end.
    pub means: [Option<f64>; 4],
    /// Links that stand still, trees, packets in the network, packets delivered, full buffers, packets that admission holds.
    pub counts: [u64; 6],
}

impl Row {
    /// As the page gets it.
    pub fn told(&self) -> Value {
        let ([accepted, latency, in_network, head_of_line], counts) = (self.means, self.counts);
        let [still, trees, in_flight, packets, full, held] = counts;
        let means = [accepted, latency, in_network].map(Value::from);
        let counts = [still, trees, in_flight, packets, full, held].map(Value::from);
        let times = [self.cycle, self.covers].map(Value::from);
        times.into_iter().chain(means).chain(counts).chain([head_of_line.into()]).collect()
    }

    /// This row and the one after it as one.
    fn with(&self, next: &Row) -> Row {
        let covers = self.covers + next.covers;
        let mean = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some((a * self.covers as f64 + b * next.covers as f64) / covers.max(1) as f64),
            (one, other) => one.or(other),
        };
        let means = std::array::from_fn(|at| mean(self.means[at], next.means[at]));
        Row { cycle: next.cycle, covers, means, counts: next.counts }
    }
}

/// Rows and levels.
#[derive(Clone, Debug, Default)]
pub struct History {
    rows: Vec<Row>,
    levels: Vec<u8>,
    links: usize,
}

impl History {
    /// Adds what is later than all that is known.
    pub fn add(&mut self, row: Row, levels: impl ExactSizeIterator<Item = u8>) {
        if row.covers == 0 || self.rows.last().is_some_and(|last| last.cycle >= row.cycle) {
            return;
        }
        if self.rows.is_empty() {
            self.links = levels.len();
        }
        self.rows.push(row);
        self.levels.extend(levels);
        if self.rows.len() > MOST_ROWS || self.levels.len() > MOST_BYTES && self.rows.len() > 64 {
            self.thin();
        }
    }

    /// Two rows of the older half become one.
    fn thin(&mut self) {
        let half = self.rows.len() / 4 * 2;
        let mut rows: Vec<Row> = self.rows[..half].chunks(2).map(|pair| pair[0].with(&pair[1])).collect();
        let mut levels = Vec::with_capacity(self.levels.len());
        for pair in self.levels[..half * self.links].chunks(2 * self.links.max(1)) {
            let (one, other) = pair.split_at(self.links);
            levels.extend(one.iter().zip(other).map(|(one, other)| *one.max(other)));
        }
        rows.extend_from_slice(&self.rows[half..]);
        levels.extend_from_slice(&self.levels[half * self.links..]);
        (self.rows, self.levels) = (rows, levels);
    }

    /// Forgets what is later than a cycle.
    pub fn cut(&mut self, cycle: u64) {
        let stay = self.rows.partition_point(|row| row.cycle <= cycle);
        self.rows.truncate(stay);
        self.levels.truncate(stay * self.links);
    }

    /// All rows, as the page gets them.
    pub fn told(&self) -> Vec<Value> {
        self.rows.iter().map(Row::told).collect()
    }

    /// Of each row its cycle, and the cycles that it covers.
    pub fn spans(&self) -> Vec<[u64; 2]> {
        self.rows.iter().map(|row| [row.cycle, row.covers]).collect()
    }

    /// Of each dimension, how much has stood in the queues behind its links: levels by cycles. `dimensions` has that of each link.
    pub fn waited(&self, dimensions: &[usize]) -> Vec<f64> {
        let mut waited = vec![0.0; dimensions.iter().max().map_or(0, |last| last + 1)];
        for (row, levels) in self.rows.iter().zip(self.levels.chunks(self.links.max(1))) {
            for (&level, &dimension) in levels.iter().zip(dimensions) {
                waited[dimension] += f64::from(level) * row.covers as f64;
            }
        }
        waited
    }

    /// Of some links the level in each row, of 15, as hexadecimal digits: row by row.
    pub fn strip(&self, links: &[usize]) -> String {
        let digit = |level: u8| char::from_digit(u32::from(level >> 4), 16).expect("it is less than 16");
        let rows = self.levels.chunks(self.links.max(1));
        rows.flat_map(|row| links.iter().map(move |&link| row.get(link).copied().unwrap_or(0))).map(digit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cycle: u64, accepted: f64) -> Row {
        Row { cycle, covers: 10, means: [Some(accepted), None, None, None], counts: [0; 6] }
    }

    #[test]
    fn rows_come_in_order_and_once() {
        let mut history = History::default();
        history.add(row(10, 0.1), [16, 255].into_iter());
        history.add(row(20, 0.2), [0, 160].into_iter());
        history.add(row(15, 0.9), [255, 255].into_iter());
        assert_eq!(history.strip(&[1, 0]), "f1a0");
        assert_eq!(history.told().len(), 2);
        history.cut(10);
        assert_eq!((history.strip(&[0, 7]).as_str(), history.told().len()), ("10", 1));
    }

    #[test]
    fn what_has_stood_is_summed_by_dimension() {
        let mut history = History::default();
        history.add(row(10, 0.1), [16, 255, 0].into_iter());
        history.add(row(20, 0.2), [0, 10, 1].into_iter());
        assert_eq!(history.waited(&[0, 2, 0]), [170.0, 0.0, 2650.0]);
    }

    #[test]
    fn what_is_old_is_thinned_and_keeps_its_sum() {
        let mut history = History::default();
        (1..=MOST_ROWS as u64 + 1).for_each(|n| history.add(row(10 * n, n as f64), [(n % 256) as u8].into_iter()));
        assert!(history.rows.len() < MOST_ROWS && history.levels.len() == history.rows.len());
        let sum: f64 = history.rows.iter().map(|row| row.means[0].unwrap() * row.covers as f64).sum();
        let all = (MOST_ROWS + 1) as f64;
        assert!((sum - 10.0 * all * (all + 1.0) / 2.0).abs() < 1e-3);
        assert_eq!(history.rows.iter().map(|row| row.covers).sum::<u64>(), 10 * (MOST_ROWS as u64 + 1));
    }
}
