//! Time series: what arrived, how old it was and how much is under way, window by window (`spth-2015` 5.2, 5.3).

use crate::listed::{End, Grows, Listed, Site, Size, auto};
use crate::ruler::Ruler;
use crate::tables::{column, windows};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Lot, Probe};
use tailback_results::Series;
use tailback_spec::{Fallback, Kind, Param};

/// Sums of one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Flits made.
    pub made_flits: u64,
    /// Flits delivered.
    pub delivered_flits: u64,
    /// Packets delivered.
    pub delivered_packets: u64,
    /// Their latency, summed \[cycles\].
    pub latency: u64,
    /// Their latency from the head's entering the network on, summed \[cycles\].
    pub network_latency: u64,
    /// Packets in flight at the end of the window.
    pub in_flight: u64,
}

/// Windows of a fixed length from cycle 0.
#[derive(Clone, Debug)]
pub struct Windows {
    ruler: Ruler,
    /// The end of the window that cycles are in now.
    next_end: u64,
    nodes: f64,
    windows: Vec<Window>,
}

tailback_base::plain!(Window);
tailback_base::state!([] Windows { saved: next_end; grown: windows; rebuilt: ruler, nodes; } [fits]);

impl Windows {
    fn fits(&self) -> Result<(), Unfit> {
        // Packets in flight of a part may be fewer than none: they cross from one part to another.
        let sums = |w: &Window| [w.made_flits, w.delivered_flits, w.delivered_packets, w.latency, w.network_latency];
        are_counts(self.windows.iter().flat_map(sums).chain([self.next_end]))
    }
}

impl Windows {
    /// Windows of `cycles` over a run of about `expected` cycles in a network of `nodes`.
    pub fn new(cycles: u64, expected: u64, nodes: usize) -> Self {
        let reserve = (expected / cycles + 2).min(1 << 22) as usize;
        Windows {
            ruler: Ruler::new(cycles),
            next_end: cycles,
            nodes: nodes as f64,
            windows: Vec::with_capacity(reserve),
        }
    }

    #[inline]
    fn at(&mut self, cycle: u64) -> &mut Window {
        let index = self.ruler.index(cycle);
        if index >= self.windows.len() {
            self.windows.resize(index + 1, Window::default());
        }
        &mut self.windows[index]
    }

    /// Counts packets that were made but never headed their queue.
    pub fn backlogged(&mut self, made: Lot) {
        self.at(made.cycle).made_flits += made.amount.flits;
    }

    /// The windows so far.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Cycles of a window.
    pub fn cycles(&self) -> u64 {
        self.ruler.length()
    }

    /// The windows that end by cycle `end`, as a table over their first cycle.
    pub fn series(&self, end: u64) -> Series {
        let whole = &self.windows[..self.windows.len().min((end / self.cycles()) as usize)];
        let per_node_cycle = |flits: u64| flits as f64 / (self.nodes * self.cycles() as f64);
        let mean = |sum: u64, w: &Window| {
            if w.delivered_packets == 0 { f64::NAN } else { sum as f64 / w.delivered_packets as f64 }
        };
        let of = |name: &str, unit: &str, f: &dyn Fn(&Window) -> f64| column(name, unit, whole.iter().map(f).collect());
        let columns = vec![
            of("generated_load", "flits/node/cycle", &|w| per_node_cycle(w.made_flits)),
            of("accepted_load", "flits/node/cycle", &|w| per_node_cycle(w.delivered_flits)),
            of("latency_mean", "cycles", &|w| mean(w.latency, w)),
            of("network_latency_mean", "cycles", &|w| mean(w.network_latency, w)),
            of("packets_in_flight", "packets", &|w| w.in_flight as f64),
        ];
        windows("windows", "", self.cycles(), columns)
    }
}

impl Listed for Windows {
    const PARAMS: &'static [Param] = &[
        auto(
            "window_cycles",
            "cycles",
            (1, 1 << 40),
            "Length of the windows of the time series; \"auto\" is the workload's own, or a 200th of a steady run.",
        ),
        Param {
            name: "moving_average_windows",
            kind: Kind::Integer { min: 1, max: 1 << 20 },
            unit: "windows",
            fallback: Fallback::Integer(1),
            doc: "Pictures of time series show the moving average over this number of windows (spth-2015 section 5.2: 200).",
        },
    ];

    fn idle(&mut self, until: u64) {
        while self.next_end <= until {
            self.at(self.next_end - 1).in_flight = 0;
            self.next_end += self.cycles();
        }
    }

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|one, other| {
        one.next_end = one.next_end.max(other.next_end);
        if one.windows.len() < other.windows.len() {
            one.windows.resize(other.windows.len(), Window::default());
        }
        for (window, other) in one.windows.iter_mut().zip(&other.windows) {
            window.made_flits += other.made_flits;
            window.delivered_flits += other.delivered_flits;
            window.delivered_packets += other.delivered_packets;
            window.latency += other.latency;
            window.network_latency += other.network_latency;
            // More may have come to some routers than entered there.
            window.in_flight = window.in_flight.wrapping_add(other.in_flight);
        }
    });

    fn new(site: &Site<'_>) -> Self {
        Windows::new(site.window, site.expected, site.nodes())
    }

    fn measure_anew(&mut self, _new: Self) {}

    fn grows(_size: Size) -> Grows {
        Grows::Window(128)
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        vec![self.series(end.cycle)]
    }
}

impl Probe for Windows {
    #[inline]
    fn started(&mut self, packet: &Packet) {
        self.at(packet.birth).made_flits += u64::from(packet.flits);
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        // The tail's last cycle is the one before: a packet delivered in cycle 100 arrived in window 0..100.
        let window = self.at(delivery.cycle - 1);
        window.delivered_flits += u64::from(packet.flits);
        window.delivered_packets += 1;
        window.latency += delivery.cycle - packet.birth;
        window.network_latency += delivery.cycle - packet.entered;
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        // A comparison a cycle, not a division.
        if end.cycle + 1 == self.next_end {
            self.at(end.cycle).in_flight = end.in_flight;
            self.next_end += self.cycles();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;

    #[test]
    fn sums_by_window() {
        let mut windows = Windows::new(10, 30, 2);
        let packet = Packet { birth: 3, entered: 4, flits: 8, ..Packet::default() };
        windows.started(&packet);
        windows.delivered(Delivery { cycle: 20, packet: &packet });
        let end = |cycle, in_flight| EndOfCycle {
            cycle,
            in_flight,
            occupancy: None,
            gauges: Gauges::default(),
            injection: &[],
        };
        windows.end_of_cycle(end(9, 1));
        windows.end_of_cycle(end(19, 0));
        let series = windows.series(25);
        assert_eq!(series.x, [0.0, 10.0]);
        assert_eq!(series.columns[0].values, [0.4, 0.0]);
        assert_eq!(series.columns[1].values, [0.0, 0.4]);
        assert_eq!(series.columns[2].values[1], 17.0);
        assert_eq!(series.columns[4].values, [1.0, 0.0]);
    }
}
