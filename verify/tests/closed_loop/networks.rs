//! One small network under each data path, with sources that reply.

use super::replies::Replies;
use tailback_engine::Buffers;
use tailback_engine::partition::Cut;
use tailback_engine::{Adaptive, CutThrough, Ioq, Partitioned, Wormhole};
use tailback_engine::{adaptive, cut_through, ioq, wormhole};
use tailback_mechanisms::{admission, arbiter, flow_control, interface, queueing, recovery, routing, selection};
use tailback_network::{Grid, Network};
use tailback_verify::wormhole::{Config, Sharing};
use tailback_verify::{adaptive_bridge, bridge, ioq_bridge, wormhole_bridge};

/// The usual mechanisms, and sources that reply.
pub struct Replying;

impl cut_through::Mechanisms for Replying {
    type Sources<'t> = Replies;
    type Routing = routing::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
}

impl wormhole::Mechanisms for Replying {
    type Sources<'t> = Replies;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
    type Recovery = recovery::Any;
}

impl adaptive::Mechanisms for Replying {
    type Sources<'t> = Replies;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
    type Injection = interface::Any;
}

impl ioq::Mechanisms for Replying {
    type Sources<'t> = Replies;
    type Routing = routing::Any;
    type Discipline = queueing::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
}

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

    pub fn cut_through<'a>(&self, grid: &'a Grid, sources: Replies) -> CutThrough<'a, Replying> {
        let base = self.config().base;
        CutThrough::new(grid, sources, bridge::router(&base), self.cut_through_parts(grid), Buffers::Unwatched)
    }

    fn cut_through_parts(&self, grid: &Grid) -> cut_through::Parts<Replying> {
        let cut_through::Parts { routing, arbiter, flow_control, admission } = bridge::parts(&self.config().base, grid);
        cut_through::Parts { routing, arbiter, flow_control, admission }
    }

    /// The same network in parts.
    pub fn in_parts<'a>(
        self,
        grid: &'a Grid,
        sources: &'a Replies,
        parts: usize,
    ) -> Partitioned<'a, CutThrough<'a, Replying>>
    where
        Self: 'a,
    {
        let network = Network::from(grid);
        let cut = Cut::new(&network, parts);
        let (bounds, router) = (cut.clone(), bridge::router(&self.config().base));
        let part = move |n| CutThrough::part(grid, sources.clone(), router, self.cut_through_parts(grid), &bounds, n);
        Partitioned::new(&network, &cut, None, part, move || self.cut_through(grid, sources.clone()))
    }

    pub fn wormhole<'a>(&self, grid: &'a Grid, sources: Replies) -> Wormhole<'a, Replying> {
        let config = Config { routing_cycles: self.header, ..self.config() };
        let wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery } =
            wormhole_bridge::parts(&config, grid).expect("the routing is possible");
        let parts =
            wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery };
        Wormhole::new(grid, sources, wormhole_bridge::router(&config), parts, Buffers::Unwatched)
    }

    /// Messages are cut into packets of four flits.
    pub fn adaptive<'a>(&self, grid: &'a Grid, sources: Replies) -> Adaptive<'a, Replying> {
        let mut config = crate::common::plain_adaptive::plain(self.radix, self.wrap);
        let base = &mut config.shared.base;
        (base.link_cycles, base.header_cycles, base.buffer_flits) = (self.link, self.header, 64);
        let adaptive::Parts { routing, selection, arbiter, flow_control, admission, injection } =
            adaptive_bridge::parts(&config, grid).expect("the routing is possible");
        let parts = adaptive::Parts { routing, selection, arbiter, flow_control, admission, injection };
        Adaptive::new(grid, sources, adaptive_bridge::router(&config), parts, Buffers::Unwatched)
    }

    /// Messages are cut into packets of four flits, which cross a switch as fast as they come.
    pub fn queued<'a>(&self, grid: &'a Grid, sources: Replies) -> Ioq<'a, Replying> {
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
        let parts = ioq_bridge::parts(&config, grid).expect("the routing is possible");
        let ioq::Parts { routing, discipline, arbiter, admission } = parts;
        let parts = ioq::Parts { routing, discipline, arbiter, admission };
        Ioq::new(grid, sources, ioq_bridge::router(&config), parts, Buffers::Unwatched)
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
