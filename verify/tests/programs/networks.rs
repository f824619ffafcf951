//! One small network under each data path, with sources that execute a program and are compared with their twin.

use super::checked::Checked;
use crate::common::tested::Tested;
use crate::common::tested::engines::{self, cut_through_parts};
use tailback_engine::partition::Cut;
use tailback_engine::{Adaptive, Buffers, CutThrough, InputQueued, Ioq, Partitioned, Supply, Wormhole};
use tailback_network::{Grid, Network};
use tailback_traffic::Cutting;
use tailback_verify::wormhole::{Config, Sharing};
use tailback_verify::{bridge, input_queued_bridge};

/// The data paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    CutThrough,
    Wormhole,
    Adaptive,
    Queued,
    InputQueued,
}

impl Path {
    pub const ALL: [Path; 5] = [Path::CutThrough, Path::Wormhole, Path::Adaptive, Path::Queued, Path::InputQueued];

    /// How messages may be cut.
    pub fn cuttings(self) -> &'static [Cutting] {
        match self {
            Path::Adaptive | Path::Queued => &[Cutting::Full(4)],
            _ => &[Cutting::Whole, Cutting::Packets(4), Cutting::Packets(7)],
        }
    }
}

pub fn grid(radix: &[u32]) -> Grid {
    Grid::new(radix, &vec![true; radix.len()], 1, 1)
}

fn config(radix: &[u32]) -> Config {
    let mut config = Config { sharing: Sharing::Shared, ..Config::plain(radix, true) };
    let base = &mut config.base;
    (base.link_cycles, base.header_cycles, base.buffer_flits) = (1, 1, 64);
    config
}

pub fn cut_through<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> CutThrough<'a, Tested> {
    engines::cut_through(&config(radix).base, grid, sources, Buffers::Unwatched)
}

/// The same network in parts, whose sources nobody compares; `sources` makes those of each.
pub fn plain_parts<'a>(
    radix: &'a [u32],
    grid: &'a Grid,
    sources: impl Fn() -> Supply<'a> + Clone + Sync + Send + 'a,
    parts: usize,
) -> Partitioned<'a, CutThrough<'a, Tested>> {
    let network = Network::from(grid);
    let cut = Cut::new(&network, parts);
    let router = bridge::router(&config(radix).base);
    let (bounds, of_part) = (cut.clone(), sources.clone());
    let mechanisms = move || cut_through_parts(bridge::parts(&config(radix).base, grid));
    let part = move |n| CutThrough::part(grid, of_part(), router, mechanisms(), &bounds, n);
    let whole = move || CutThrough::new(grid, sources(), router, mechanisms(), Buffers::Unwatched);
    Partitioned::new(&network, &cut, None, part, whole)
}

pub fn wormhole<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Wormhole<'a, Tested> {
    let config = Config { routing_cycles: 1, ..config(radix) };
    engines::wormhole(&config, grid, sources, Buffers::Unwatched).expect("the routing is possible")
}

pub fn adaptive<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Adaptive<'a, Tested> {
    let mut config = crate::common::plain_adaptive::plain(radix, true);
    let base = &mut config.shared.base;
    (base.link_cycles, base.header_cycles, base.buffer_flits) = (1, 1, 64);
    engines::adaptive(&config, grid, sources, Buffers::Unwatched).expect("the routing is possible")
}

pub fn queued<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Ioq<'a, Tested> {
    let config = tailback_verify::ioq::Config {
        shared: config(radix),
        packet_flits: 4,
        packet_bytes: 64,
        ingress_packets: 16,
        egress_packets: 16,
        transfer_cycles: 4,
        control_flits: 1,
        credit_batch_packets: 1,
        classes: 1,
        discipline: tailback_verify::ioq::Discipline::Single,
    };
    engines::ioq(&config, grid, sources, Buffers::Unwatched).expect("the routing is possible")
}

pub fn input_queued<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> InputQueued<'a, Tested> {
    let config = tailback_verify::input_queued::Config::plain(radix, true);
    let routing = input_queued_bridge::routing(&config, grid).expect("the routing is possible");
    engines::input_queued(&config, grid, sources, routing, Buffers::Unwatched)
}

/// Evaluates `$body` with `$network` bound to a network with these sources, whatever the data path.
macro_rules! on {
    ($path:expr, ($radix:expr, $grid:expr, $sources:expr), $network:ident => $body:expr) => {
        match $path {
            $crate::programs::networks::Path::CutThrough => {
                let mut $network = $crate::programs::networks::cut_through($radix, $grid, $sources);
                $body
            }
            $crate::programs::networks::Path::Wormhole => {
                let mut $network = $crate::programs::networks::wormhole($radix, $grid, $sources);
                $body
            }
            $crate::programs::networks::Path::Adaptive => {
                let mut $network = $crate::programs::networks::adaptive($radix, $grid, $sources);
                $body
            }
            $crate::programs::networks::Path::Queued => {
                let mut $network = $crate::programs::networks::queued($radix, $grid, $sources);
                $body
            }
            $crate::programs::networks::Path::InputQueued => {
                let mut $network = $crate::programs::networks::input_queued($radix, $grid, $sources);
                $body
            }
        }
    };
}
pub(crate) use on;
