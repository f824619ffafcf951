//! Load of every router over time: flits that leave it for its neighbours, in windows.

use crate::listed::{End, Grows, Listed, Site, Size, cycles};
use crate::picture::{Draw, Picture, Shade};
use crate::tables::column;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::Grant;
use tailback_network::Network;
use tailback_results::Series;
use tailback_spec::Param;

/// Flits that leave each router over its links, in windows of `every` cycles from cycle 0.
#[derive(Clone, Debug)]
pub struct LoadMap {
    every: u64,
    routers: usize,
    /// Links that leave each router.
    links: Vec<u32>,
    /// By window, then router.
    flits: Vec<u32>,
}

tailback_base::state!([] LoadMap { saved: ; grown: flits; rebuilt: every, routers, links; } [fits]);

impl LoadMap {
    fn fits(&self) -> Result<(), Unfit> {
        let few = self.flits.iter().all(|&flits| flits <= 1 << 30);
        ensure(few && self.flits.len().is_multiple_of(self.routers), "a map of the load has holes")
    }
}

impl LoadMap {
    /// Windows of `every` cycles.
    pub fn new(network: &Network, every: u64) -> Self {
        let routers = network.routers();
        let links = (0..routers as u32).map(|router| network.links_of(router).count() as u32).collect();
        LoadMap { every, routers, links, flits: Vec::new() }
    }

    /// The whole windows before cycle `end`: a row for each router of each, its load \[flits/link/cycle\].
    pub fn series(&self, end: u64) -> Series {
        let windows = ((end / self.every) as usize).min(self.flits.len() / self.routers.max(1));
        let rows = || (0..windows).flat_map(|window| (0..self.routers).map(move |router| (window, router)));
        let load = |(window, router): (usize, usize)| {
            let cycles = u64::from(self.links[router]) * self.every;
            f64::from(self.flits[window * self.routers + router]) / cycles.max(1) as f64
        };
        Series {
            name: "load_map".into(),
            unit: String::new(),
            x_name: "cycle".into(),
            x_unit: "cycles".into(),
            x: rows().map(|(window, _)| (window as u64 * self.every) as f64).collect(),
            columns: vec![
                column("router", "", rows().map(|(_, router)| router as f64).collect()),
                column("load", "flits/link/cycle", rows().map(load).collect()),
            ],
        }
    }
}

impl Listed for LoadMap {
    const PARAMS: &'static [Param] = &[cycles(
        "load_map_every_cycles",
        1 << 40,
        "Length of the windows in which the flits that leave each router over its links are counted: the \
         network's map over time; 0: no map.",
    )];

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "load-map",
        caption: "Load of the network over time: the flits that leave each router over its links, the mean over all windows; in the \
             report, the map of every window.",
        table: "load_map",
        draw: Draw::Film {
            shade: Shade { column: "load", title: "Load over time", label: "Load", unit: "flits/link/cycle" },
            every: "load_map_every_cycles",
        },
    }];

    const WATCHES_FLITS: bool = true;

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|one, other| {
        if one.flits.len() < other.flits.len() {
            one.flits.resize(other.flits.len(), 0);
        }
        one.flits.iter_mut().zip(&other.flits).for_each(|(flits, more)| *flits += more);
    });

    fn new(site: &Site<'_>) -> Self {
        LoadMap::new(site.network, site.probes.u64("load_map_every_cycles"))
    }

    fn measure_anew(&mut self, _new: Self) {}

    fn grows(size: Size) -> Grows {
        Grows::Sample(28 * size.routers)
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        vec![self.series(end.cycle)]
    }
}

impl Probe for LoadMap {
    #[inline]
    fn granted(&mut self, grant: Grant) {
        if grant.channel.is_none() {
            return;
        }
        let window = (grant.cycle / self.every) as usize;
        let at = window * self.routers + grant.router as usize;
        if at >= self.flits.len() {
            self.flits.resize((window + 1) * self.routers, 0);
        }
        self.flits[at] += grant.flits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::Grid;

    #[test]
    fn flits_are_counted_by_window_and_router_over_its_links() {
        let network = Grid::new(&[3], &[false], 1, 1).into();
        let mut map = LoadMap::new(&network, 10);
        let mut grant = |cycle, router, channel| {
            map.granted(Grant { cycle, router, channel, flits: 4, injected: false });
        };
        grant(3, 0, Some((0, 0)));
        grant(19, 1, Some((1, 1)));
        grant(19, 1, Some((0, 0)));
        grant(19, 2, None);
        grant(20, 2, Some((1, 0)));
        let series = map.series(25);
        assert_eq!(series.x, [0.0, 0.0, 0.0, 10.0, 10.0, 10.0]);
        assert_eq!(series.column("router").unwrap(), [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
        assert_eq!(series.column("load").unwrap(), [0.4, 0.0, 0.0, 0.0, 0.4, 0.0], "two links in the middle");
        assert!(series.check().is_ok());
    }
}
