//! One small network under each data path, with sources that execute a program and are compared with their twin.

use super::checked::Checked;
use tailback_engine::partition::Cut;
use tailback_engine::{Adaptive, Buffers, CutThrough, InputQueued, Ioq, Partitioned, Supply, Wormhole};
use tailback_engine::{adaptive, cut_through, input_queued, ioq, wormhole};
use tailback_mechanisms::{
    Bundle, admission, arbiter, flow_control, interface, queueing, recovery, routing, selection,
};
use tailback_network::{Grid, Network};
use tailback_traffic::Cutting;
use tailback_verify::wormhole::{Config, Sharing};
use tailback_verify::{adaptive_bridge, bridge, input_queued_bridge, ioq_bridge, wormhole_bridge};

/// The usual mechanisms, and sources that are compared.
pub struct Compared;

impl cut_through::Mechanisms for Compared {
    type Sources<'t> = Checked<'t>;
    type Routing = routing::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
}

impl wormhole::Mechanisms for Compared {
    type Sources<'t> = Checked<'t>;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
    type Recovery = recovery::Any;
}

impl adaptive::Mechanisms for Compared {
    type Sources<'t> = Checked<'t>;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
    type Injection = interface::Any;
}

impl ioq::Mechanisms for Compared {
    type Sources<'t> = Checked<'t>;
    type Routing = routing::Any;
    type Discipline = queueing::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
}

impl input_queued::Mechanisms for Compared {
    type Sources<'t> = Checked<'t>;
    type Routing = routing::Any;
}

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

fn cut_through_parts(radix: &[u32], grid: &Grid) -> cut_through::Parts<Compared> {
    let cut_through::Parts { routing, arbiter, flow_control, admission } = bridge::parts(&config(radix).base, grid);
    cut_through::Parts { routing, arbiter, flow_control, admission }
}

pub fn cut_through<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> CutThrough<'a, Compared> {
    let router = bridge::router(&config(radix).base);
    CutThrough::new(grid, sources, router, cut_through_parts(radix, grid), Buffers::Unwatched)
}

/// The same network in parts, whose sources nobody compares; `sources` makes those of each.
pub fn plain_parts<'a>(
    radix: &'a [u32],
    grid: &'a Grid,
    sources: impl Fn() -> Supply<'a> + Clone + Sync + Send + 'a,
    parts: usize,
) -> Partitioned<'a, CutThrough<'a, Bundle>> {
    let network = Network::from(grid);
    let cut = Cut::new(&network, parts);
    let router = bridge::router(&config(radix).base);
    let (bounds, of_part) = (cut.clone(), sources.clone());
    let mechanisms = move || bridge::parts(&config(radix).base, grid);
    let part = move |n| CutThrough::part(grid, of_part(), router, mechanisms(), &bounds, n);
    let whole = move || CutThrough::new(grid, sources(), router, mechanisms(), Buffers::Unwatched);
    Partitioned::new(&network, &cut, None, part, whole)
}

pub fn wormhole<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Wormhole<'a, Compared> {
    let config = Config { routing_cycles: 1, ..config(radix) };
    let wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery } =
        wormhole_bridge::parts(&config, grid).expect("the routing is possible");
    let parts =
        wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery };
    Wormhole::new(grid, sources, wormhole_bridge::router(&config), parts, Buffers::Unwatched)
}

pub fn adaptive<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Adaptive<'a, Compared> {
    let mut config = crate::common::plain_adaptive::plain(radix, true);
    let base = &mut config.shared.base;
    (base.link_cycles, base.header_cycles, base.buffer_flits) = (1, 1, 64);
    let adaptive::Parts { routing, selection, arbiter, flow_control, admission, injection } =
        adaptive_bridge::parts(&config, grid).expect("the routing is possible");
    let parts = adaptive::Parts { routing, selection, arbiter, flow_control, admission, injection };
    Adaptive::new(grid, sources, adaptive_bridge::router(&config), parts, Buffers::Unwatched)
}

pub fn queued<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> Ioq<'a, Compared> {
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
    let parts = ioq_bridge::parts(&config, grid).expect("the routing is possible");
    let ioq::Parts { routing, discipline, arbiter, admission } = parts;
    let parts = ioq::Parts { routing, discipline, arbiter, admission };
    Ioq::new(grid, sources, ioq_bridge::router(&config), parts, Buffers::Unwatched)
}

pub fn input_queued<'a>(radix: &[u32], grid: &'a Grid, sources: Checked<'a>) -> InputQueued<'a, Compared> {
    let config = tailback_verify::input_queued::Config::plain(radix, true);
    let routing = input_queued_bridge::routing(&config, grid).expect("the routing is possible");
    let router = input_queued_bridge::router(&config);
    InputQueued::new(grid, sources, router, input_queued::Parts { routing }, Buffers::Unwatched)
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
