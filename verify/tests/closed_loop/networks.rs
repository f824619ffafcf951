//! One small network under each data path, with sources that reply.

use super::replies::Replies;
use crate::common::tested::Tested;
use crate::common::tested::engines::{self, cut_through_parts};
use tailback_engine::Buffers;
use tailback_engine::partition::Cut;
use tailback_engine::{Adaptive, CutThrough, Ioq, Partitioned, Wormhole};
use tailback_network::{Grid, Network};
use tailback_verify::bridge;
use tailback_verify::wormhole::{Config, Sharing};

/// Routers of a ring or mesh, and the delays of links and heads.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'n> {
    pub radix: &'n [u32],
    pub wrap: bool,
    pub link: u32,
    pub header: u32,
}

impl Numbers<'_> {
    pub fn grid(&self) -> Grid {
        Grid::new(self.radix, &vec![self.wrap; self.radix.len()], 1, self.link)
    }

    fn config(&self) -> Config {
        let mut config = Config { sharing: Sharing::Shared, ..Config::plain(self.radix, self.wrap) };
        let base = &mut config.base;
        (base.link_cycles, base.header_cycles, base.buffer_flits) = (self.link, self.header, 64);
        config
    }

    pub fn cut_through<'a>(&self, grid: &'a Grid, sources: Replies) -> CutThrough<'a, Tested> {
        engines::cut_through(&self.config().base, grid, sources, Buffers::Unwatched)
    }

    /// The same network in parts.
    pub fn in_parts<'a>(
        self,
        grid: &'a Grid,
        sources: &'a Replies,
        parts: usize,
    ) -> Partitioned<'a, CutThrough<'a, Tested>>
    where
        Self: 'a,
    {
        let network = Network::from(grid);
        let cut = Cut::new(&network, parts);
        let (bounds, router) = (cut.clone(), bridge::router(&self.config().base));
        let mechanisms = move || cut_through_parts(bridge::parts(&self.config().base, grid));
        let part = move |n| CutThrough::part(grid, sources.clone(), router, mechanisms(), &bounds, n);
        Partitioned::new(&network, &cut, None, part, move || self.cut_through(grid, sources.clone()))
    }

    pub fn wormhole<'a>(&self, grid: &'a Grid, sources: Replies) -> Wormhole<'a, Tested> {
        let config = Config { routing_cycles: self.header, ..self.config() };
        engines::wormhole(&config, grid, sources, Buffers::Unwatched).expect("the routing is possible")
    }

    /// Messages are cut into packets of four flits.
    pub fn adaptive<'a>(&self, grid: &'a Grid, sources: Replies) -> Adaptive<'a, Tested> {
        let mut config = crate::common::plain_adaptive::plain(self.radix, self.wrap);
        let base = &mut config.shared.base;
        (base.link_cycles, base.header_cycles, base.buffer_flits) = (self.link, self.header, 64);
        engines::adaptive(&config, grid, sources, Buffers::Unwatched).expect("the routing is possible")
    }

    /// Messages are cut into packets of four flits, which cross a switch as fast as they come.
    pub fn queued<'a>(&self, grid: &'a Grid, sources: Replies) -> Ioq<'a, Tested> {
        let config = tailback_verify::ioq::Config {
            shared: self.config(),
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

    /// Latency of a packet of `flits` alone, over so many links.
    pub fn zero_load(&self, path: Path, hops: u64, flits: u64) -> u64 {
        let (link, header) = (u64::from(self.link), u64::from(self.header));
        match path {
            Path::CutThrough | Path::Adaptive => hops * link + (hops + 1) * header + flits,
            Path::Wormhole => hops * (header + link) + header + flits,
            Path::Queued => (hops + 2) * (link + 1) + (hops + 1) * header + flits,
        }
    }
}

/// The data paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    CutThrough,
    Wormhole,
    Adaptive,
    Queued,
}

impl Path {
    pub const ALL: [Path; 4] = [Path::CutThrough, Path::Wormhole, Path::Adaptive, Path::Queued];
}

/// Evaluates `$body` with `$network` bound to a network of numbers with these sources, whatever the data path.
macro_rules! on {
    ($path:expr, ($numbers:expr, $grid:expr, $sources:expr), $network:ident => $body:expr) => {
        match $path {
            $crate::closed_loop::networks::Path::CutThrough => {
                let mut $network = $numbers.cut_through($grid, $sources);
                $body
            }
            $crate::closed_loop::networks::Path::Wormhole => {
                let mut $network = $numbers.wormhole($grid, $sources);
                $body
            }
            $crate::closed_loop::networks::Path::Adaptive => {
                let mut $network = $numbers.adaptive($grid, $sources);
                $body
            }
            $crate::closed_loop::networks::Path::Queued => {
                let mut $network = $numbers.queued($grid, $sources);
                $body
            }
        }
    };
}
pub(crate) use on;
