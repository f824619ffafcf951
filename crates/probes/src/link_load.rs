//! Utilisation of links and of their virtual channels.

use crate::channels;
use crate::kinds::Kinds;
use crate::levels::direction_name;
use crate::listed::{End, Listed, Site, switch};
use crate::picture::{Bars, Draw, Picture, Shade, Stand};
use crate::tables::{column, rows};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts};
use tailback_engine::Probe;
use tailback_engine::contract::probe::Grant;
use tailback_network::Network;
use tailback_results::Series;
use tailback_spec::Param;

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

    /// Flits granted on one virtual channel of an output.
    pub fn flits(&self, router: u32, port: usize, channel: usize) -> u64 {
        self.flits[(router as usize * self.ports + port) * self.channels + channel]
    }

    /// Share of the window's `cycles` in which the link carries a flit.
    pub fn utilisation(&self, router: u32, port: usize, cycles: u64) -> f64 {
        let flits: u64 = (0..self.channels).map(|c| self.flits(router, port, c)).sum();
        flits as f64 / cycles as f64
    }

    /// The mean over the links of a kind \[flits/link/cycle\].
    pub(crate) fn mean(&self, end: &End<'_>, kinds: &Kinds, kind: usize, channel: usize) -> f64 {
        let of_kind = || links(end.site.network).filter(|&(router, port)| kinds.leaving(router, port) == Some(kind));
        let sum = of_kind().map(|(router, port)| end.per_cycle(self.flits(router, port, channel))).sum::<f64>();
        sum / of_kind().count() as f64
    }

    /// Use of every link that exists.
    pub fn uses(&self, end: &End<'_>) -> Vec<LinkUse> {
        let of = |(router, port)| LinkUse {
            router,
            port,
            name: name(end.site.network, router, port),
            utilisation: self.utilisation(router, port, end.measured_cycles.max(1)),
            channels: (0..self.channels).map(|channel| end.per_cycle(self.flits(router, port, channel))).collect(),
        };
        links(end.site.network).map(of).collect()
    }

    fn table(&self, end: &End<'_>) -> Series {
        let of = |name: &str, unit: &str, value: &dyn Fn(u32, usize) -> f64| {
            column(name, unit, links(end.site.network).map(|(router, port)| value(router, port)).collect())
        };
        let cycles = end.measured_cycles.max(1);
        let mut columns = vec![
            of("router", "", &|router, _| f64::from(router)),
            of("port", "", &|_, port| port as f64),
            of("utilisation", "share", &|router, port| self.utilisation(router, port, cycles)),
        ];
        let channels = 0..self.channels;
        columns.extend(channels.map(|channel| {
            of(&format!("vc{channel}"), "share", &|router, port| end.per_cycle(self.flits(router, port, channel)))
        }));
        rows("links", "share", "link", columns)
    }
}

/// One link's use in the measured window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkUse {
    /// The router that sends.
    pub router: u32,
    /// Its output port.
    pub port: usize,
    /// The port's direction: `x+`; in a network without a grid where it leads: `to 17`.
    pub name: String,
    /// Share of cycles in which the link carried a flit, 0 to 1.
    pub utilisation: f64,
    /// Utilisation of each virtual channel, 0 to 1.
    pub channels: Vec<f64>,
}

/// The name of a link at its router.
fn name(network: &Network, router: u32, port: usize) -> String {
    match (network.grid(), network.peer(router, port)) {
        (None, Some(to)) => format!("to {}", to.router),
        _ => direction_name(port),
    }
}

/// Router and port of all links that exist.
fn links(network: &Network) -> impl Iterator<Item = (u32, usize)> + '_ {
    let of_router = |router| network.links_of(router).map(move |(port, _)| (router, port));
    (0..network.routers() as u32).flat_map(of_router)
}

/// A group for each direction, a bar for each virtual channel; `None` where links were not watched.
fn bars(table: &Series) -> Option<Bars> {
    let utilisation = table.column("utilisation")?;
    let ports = table.column("port")?.iter().fold(0.0, |most: f64, &port| most.max(port)) as usize + 1;
    let channels = utilisation.len() / ports;
    let of_channel = |channel| (0..ports).map(|port| utilisation[port * channels + channel]).collect::<Vec<f64>>();
    Some(Bars {
        groups: (0..ports).map(direction_name).collect(),
        bars: (0..channels).map(|channel| (format!("channel {channel}"), of_channel(channel))).collect(),
    })
}

/// The same in a network without directions: a group for each kind of link.
fn bars_by_kind(table: &Series) -> Option<Bars> {
    let kinds: Vec<(&str, &[f64])> = table
        .columns
        .iter()
        .filter_map(|column| Some((column.name.strip_suffix("_utilisation")?, column.values.as_slice())))
        .collect();
    let of_channel = |channel: usize| kinds.iter().map(|(_, values)| values[channel]).collect::<Vec<f64>>();
    let bars = || (0..table.x.len()).map(|channel| (format!("channel {channel}"), of_channel(channel))).collect();
    let groups = kinds.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    (!kinds.is_empty()).then(|| Bars { groups, bars: bars() })
}

impl Listed for LinkLoad {
    const PARAMS: &'static [Param] =
        &[switch("link_load", "Count the flits of every link and virtual channel in the measured window.")];

    const PICTURES: &'static [Picture] = &[
        Picture {
            kind: "links",
            caption: "Use of every link in the measured window: the share of cycles in which it carried a flit.",
            table: "links",
            draw: Draw::Links(Shade {
                column: "utilisation",
                title: "Link utilisation",
                label: "Utilisation",
                unit: "share of cycles",
            }),
        },
        Picture {
            kind: "channel-use",
            caption: "Use of the virtual channels in the measured window: flits per cycle and link, the mean over all links of a direction.",
            table: "channels",
            draw: Draw::Bars {
                title: "Use of virtual channels",
                label: "Utilisation",
                unit: "flits/link/cycle",
                stand: Stand::Beside,
                bars,
            },
        },
        Picture {
            kind: "channel-use-by-kind",
            caption: "Use of the virtual channels in the measured window: flits per cycle and link, the mean over all links of a kind.",
            table: "channels_by_kind",
            draw: Draw::Bars {
                title: "Use of virtual channels",
                label: "Utilisation",
                unit: "flits/link/cycle",
                stand: Stand::Beside,
                bars: bars_by_kind,
            },
        },
    ];

    const WATCHES_FLITS: bool = true;

    const MERGE: Option<fn(&mut Self, &Self)> =
        Some(|one, other| one.flits.iter_mut().zip(&other.flits).for_each(|(flits, more)| *flits += more));

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        LinkLoad::new(site.network, site.channels, from, to)
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        [self.table(end)].into_iter().chain(channels::table(end)).collect()
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
    #[test]
    fn every_direction_is_a_group_and_every_channel_a_bar() {
        let columns =
            vec![column("port", "", vec![0.0, 0.0, 1.0, 1.0]), column("utilisation", "", vec![0.1, 0.2, 0.3, 0.4])];
        let mut table = rows("channels", "", "row", columns);
        let bars_of_all = bars(&table).expect("links were watched");
        assert_eq!(bars_of_all.groups, ["x+", "x-"]);
        assert_eq!(
            bars_of_all.bars,
            [("channel 0".to_owned(), vec![0.1, 0.3]), ("channel 1".to_owned(), vec![0.2, 0.4])]
        );
        table.columns.pop();
        assert!(bars(&table).is_none(), "links were not watched");
    }
}
