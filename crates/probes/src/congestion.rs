//! Congestion over time: full buffers, what a throttle makes of them, escapes, and deadlocks recovered from.

use crate::listed::{End, Grows, Listed, Site, Size, switch};
use crate::picture::{Axis, Draw, Line, Picture};
use crate::tables::{column, windows};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts};
use tailback_engine::contract::probe::{EndOfCycle, Taken, TakenBy};
use tailback_engine::{Delivery, Occupancy, Probe};
use tailback_network::Network;
use tailback_results::Series;
use tailback_spec::Param;

/// One window: levels at its end, counts within it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Row {
    full_buffers: Option<u64>,
    threshold: Option<f64>,
    estimate: Option<f64>,
    recovered: u64,
    escapes: u64,
    delivered_flits: u64,
}

/// Congestion in windows of a fixed length from cycle 0.
#[derive(Clone, Debug)]
pub struct Congestion {
    cycles: u64,
    /// The end of the window that cycles are in now.
    next_end: u64,
    nodes: f64,
    ports: usize,
    channels: usize,
    capacity: u16,
    now: Row,
    rows: Vec<Row>,
}

tailback_base::plain!(Row);
tailback_base::state!([] Congestion {
    saved: next_end, now; grown: rows; rebuilt: cycles, nodes, ports, channels, capacity;
} [fits]);

impl Congestion {
    fn fits(&self) -> Result<(), Unfit> {
        let rows = self.rows.iter().chain([&self.now]);
        let counts = |row: &Row| [row.recovered, row.escapes, row.delivered_flits, row.full_buffers.unwrap_or(0)];
        are_counts(rows.flat_map(counts).chain([self.next_end]))
    }
}

impl Congestion {
    /// The whole windows so far as a table over their first cycle.
    fn series(&self) -> Series {
        let of = |name: &str, unit: &str, value: &dyn Fn(&Row) -> Option<f64>| {
            column(name, unit, self.rows.iter().map(|row| value(row).unwrap_or(f64::NAN)).collect())
        };
        let per_node_cycle = 1.0 / (self.nodes * self.cycles as f64);
        let columns = vec![
            of("full_buffers", "buffers", &|row| row.full_buffers.map(|n| n as f64)),
            of("threshold", "buffers", &|row| row.threshold),
            of("estimate", "buffers", &|row| row.estimate),
            of("recovered", "packets", &|row| Some(row.recovered as f64)),
            of("escapes", "channels", &|row| Some(row.escapes as f64)),
            of("throughput", "flits/node/cycle", &|row| Some(row.delivered_flits as f64 * per_node_cycle)),
        ];
        windows("congestion", "", self.cycles, columns)
    }

    /// Windows of `cycles` over a run of about `expected` cycles; a buffer with `capacity` flits is full.
    pub fn new(network: &Network, channels: usize, capacity: u16, cycles: u64, expected: u64) -> Self {
        let reserve = (expected / cycles + 2).min(1 << 20) as usize;
        Congestion {
            cycles,
            next_end: cycles,
            nodes: network.nodes() as f64,
            ports: network.most_ports(),
            channels,
            capacity,
            now: Row::default(),
            rows: Vec::with_capacity(reserve),
        }
    }

    fn full(&self, occupancy: &Occupancy) -> u64 {
        let full = |at: usize| {
            let levels = occupancy.levels(at / self.channels, at % self.channels);
            levels.iter().filter(|&&level| level >= self.capacity).count() as u64
        };
        (0..self.ports * self.channels).map(full).sum()
    }
}

impl Listed for Congestion {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[switch(
        "congestion",
        "Record full buffers, the throttle's threshold and estimate, escapes and recoveries, window by window.",
    )];

    const READS_LEVELS: bool = true;

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "congestion",
        caption: "Full input buffers of the whole network at the end of every window, the throttle's estimate of them and the \
             threshold that it compares it with, where it has these, and the load that arrived.",
        table: "congestion",
        draw: Draw::Lines(|column| match column {
            "full_buffers" => Some(Line::new("Buffers", "full")),
            "threshold" | "estimate" => Some(Line::new("Buffers", column)),
            "throughput" => Some(Line { axis: Axis::Right, ..Line::new("Throughput", column) }),
            _ => None,
        }),
    }];

    fn new(site: &Site<'_>) -> Self {
        let of_network = Congestion::new(site.network, site.channels, site.capacity, site.window, site.expected);
        Congestion { nodes: site.nodes() as f64, ..of_network }
    }

    fn measure_anew(&mut self, _new: Self) {}

    fn grows(_size: Size) -> Grows {
        Grows::Window(128)
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        vec![self.series()]
    }
}

impl Probe for Congestion {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        cycle + 1 == self.next_end
    }

    #[inline]
    fn taken(&mut self, taken: Taken) {
        self.now.escapes += u64::from(taken.by == TakenBy::Escape);
    }

    fn recovers(&mut self, _cycle: u64, _router: u32) {
        self.now.recovered += 1;
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        // What is delivered in the first cycle of a window arrived in the one before, as for `Windows`.
        let early = delivery.cycle + self.cycles == self.next_end;
        let row = self.rows.last_mut().filter(|_| early).unwrap_or(&mut self.now);
        row.delivered_flits += u64::from(delivery.packet.flits);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        if !self.reads_levels(end.cycle) {
            return;
        }
        self.next_end += self.cycles;
        let row = Row {
            full_buffers: end.occupancy.map(|occupancy| self.full(occupancy)),
            threshold: end.gauges.threshold,
            estimate: end.gauges.estimate,
            ..std::mem::take(&mut self.now)
        };
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;
    use tailback_engine::packet::Packet;
    use tailback_network::Grid;

    fn take(cycle: u64, by: TakenBy) -> Taken {
        Taken { cycle, router: 0, port: 0, by }
    }

    #[test]
    fn a_row_a_window() {
        let network = Grid::new(&[2], &[false], 1, 1).into();
        let mut congestion = Congestion::new(&network, 1, 4, 10, 30);
        let gauges = Gauges { threshold: Some(30.0), estimate: None, full_buffers: None };
        let packet = Packet { flits: 8, ..Packet::default() };
        congestion.taken(take(3, TakenBy::Escape));
        congestion.recovers(4, 0);
        for cycle in 0..25 {
            if [12, 20].contains(&cycle) {
                congestion.delivered(Delivery { cycle, packet: &packet });
            }
            congestion.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, gauges, injection: &[] });
        }
        let series = congestion.series();
        let column = |name: &str| series.column(name).expect(name).to_vec();
        assert_eq!(series.x, [0.0, 10.0]);
        assert_eq!((column("escapes"), column("recovered")), (vec![1.0, 0.0], vec![1.0, 0.0]));
        assert_eq!((column("throughput"), column("threshold")), (vec![0.0, 0.8], vec![30.0, 30.0]));
        assert!(column("estimate").iter().chain(&column("full_buffers")).all(|v| v.is_nan()));
        assert_eq!(series.check().map_err(|e| e.to_string()), Ok(()));
    }

    #[test]
    fn full_buffers_are_counted() {
        let network = Network::from(Grid::new(&[2, 2], &[true, true], 1, 1));
        let congestion = Congestion::new(&network, 2, 4, 10, 30);
        let empty = Occupancy::new(network.routers(), network.most_ports(), 2, 64, 1, 1);
        assert_eq!(congestion.full(&empty), 0);
        assert_eq!(Congestion { capacity: 0, ..congestion }.full(&empty), 32);
    }
}
