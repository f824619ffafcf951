//! Utilisation of links and of their virtual channels.

use tailback_base::state::{Unfit, are_counts};
use tailback_engine::Probe;
use tailback_engine::contract::probe::Grant;
use tailback_network::Network;

/// Flits granted per link and virtual channel within a window.
#[derive(Clone, Debug)]
pub struct LinkLoad {
    from: u64,
    to: u64,
    ports: usize,
    channels: usize,
    flits: Vec<u64>,
}

tailback_base::state!([] LinkLoad { saved: flits; rebuilt: from, to, ports, channels; } [fits]);

impl LinkLoad {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts(self.flits.iter().copied())
    }
}

impl LinkLoad {
    /// Counts grants in cycles `from..to`.
    pub fn new(network: &Network, channels: usize, from: u64, to: u64) -> Self {
        let ports = network.most_ports();
        LinkLoad { from, to, ports, channels, flits: vec![0; network.routers() * ports * channels] }
    }

    /// Adds what was seen at other routers of the same network.
    pub fn merge(&mut self, other: &LinkLoad) {
        self.flits.iter_mut().zip(&other.flits).for_each(|(flits, more)| *flits += more);
    }

    /// Flits granted on one virtual channel of an output.
    pub fn flits(&self, router: u32, port: usize, channel: usize) -> u64 {
        self.flits[(router as usize * self.ports + port) * self.channels + channel]
    }

    /// Share of the window's `cycles` in which the link carries a flit.
    pub fn utilisation(&self, router: u32, port: usize, cycles: u64) -> f64 {
        let flits: u64 = (0..self.channels).map(|c| self.flits(router, port, c)).sum();
        flits as f64 / cycles as f64
    }
}

impl Probe for LinkLoad {
    #[inline]
    fn granted(&mut self, grant: Grant) {
        if let (Some((port, channel)), true) = (grant.channel, (self.from..self.to).contains(&grant.cycle)) {
            let at = (grant.router as usize * self.ports + usize::from(port)) * self.channels + usize::from(channel);
            self.flits[at] += u64::from(grant.flits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::Grid;

    #[test]
    fn counts_within_the_window() {
        let grid = Grid::new(&[4], &[true], 1, 1);
        let mut load = LinkLoad::new(&grid.into(), 2, 10, 20);
        for cycle in [9, 10, 19, 20] {
            load.granted(Grant { cycle, router: 2, channel: Some((1, 1)), flits: 4, injected: false });
        }
        load.granted(Grant { cycle: 15, router: 2, channel: None, flits: 4, injected: false });
        assert_eq!(load.flits(2, 1, 1), 8);
        assert!((load.utilisation(2, 1, 10) - 0.8).abs() < 1e-12);
    }
}
