//! The engine of a configuration, before cycle 0, under each data path.

use super::{AnyRouting, AnySources, Tested};
use tailback_engine::{Adaptive, Buffers, CutThrough, InputQueued, Ioq, Wormhole};
use tailback_engine::{adaptive, cut_through, input_queued, ioq, wormhole};
use tailback_mechanisms::Bundle;
use tailback_network::{Grid, Network};
use tailback_verify::{adaptive_bridge, bridge, input_queued_bridge, ioq_bridge, wormhole_bridge};

/// A cut-through network.
pub fn cut_through<'a>(
    config: &tailback_verify::reference::Config,
    grid: &'a Grid,
    sources: impl Into<AnySources<'a>>,
    buffers: Buffers,
) -> CutThrough<'a, Tested> {
    CutThrough::new(grid, sources, bridge::router(config), cut_through_parts(bridge::parts(config, grid)), buffers)
}

/// The mechanisms of the catalogue for it.
pub fn cut_through_parts(of: cut_through::Parts<Bundle>) -> cut_through::Parts<Tested> {
    let cut_through::Parts { routing, arbiter, flow_control, admission } = of;
    cut_through::Parts { routing: routing.into(), arbiter, flow_control, admission }
}

/// A wormhole network. The error says why its routing is impossible there.
pub fn wormhole<'a>(
    config: &tailback_verify::wormhole::Config,
    grid: &'a Grid,
    sources: impl Into<AnySources<'a>>,
    buffers: Buffers,
) -> Result<Wormhole<'a, Tested>, String> {
    let wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery } =
        wormhole_bridge::parts(config, grid)?;
    let routing = routing.into();
    let parts =
        wormhole::Parts { routing, selection, channel_arbiter, input_arbiter, output_arbiter, admission, recovery };
    Ok(Wormhole::new(grid, sources, wormhole_bridge::router(config), parts, buffers))
}

/// A network of adaptive cut-through routers. The error says why its routing or its interface is impossible there.
pub fn adaptive<'a>(
    config: &tailback_verify::adaptive::Config,
    grid: &'a Grid,
    sources: impl Into<AnySources<'a>>,
    buffers: Buffers,
) -> Result<Adaptive<'a, Tested>, String> {
    let adaptive::Parts { routing, selection, arbiter, flow_control, admission, injection } =
        adaptive_bridge::parts(config, grid)?;
    let parts = adaptive::Parts { routing: routing.into(), selection, arbiter, flow_control, admission, injection };
    Ok(Adaptive::new(grid, sources, adaptive_bridge::router(config), parts, buffers))
}

/// A network of input-output-queued switches. The error says why its routing or its discipline is impossible there.
pub fn ioq<'a>(
    config: &tailback_verify::ioq::Config,
    grid: &'a Grid,
    sources: impl Into<AnySources<'a>>,
    buffers: Buffers,
) -> Result<Ioq<'a, Tested>, String> {
    let ioq::Parts { routing, discipline, arbiter, admission } = ioq_bridge::parts(config, grid)?;
    let parts = ioq::Parts { routing: routing.into(), discipline, arbiter, admission };
    Ok(Ioq::new(grid, sources, ioq_bridge::router(config), parts, buffers))
}

/// A network of input-queued routers with any routing.
pub fn input_queued<'a>(
    config: &tailback_verify::input_queued::Config,
    network: impl Into<Network>,
    sources: impl Into<AnySources<'a>>,
    routing: impl Into<AnyRouting>,
    buffers: Buffers,
) -> InputQueued<'a, Tested> {
    let parts = input_queued::Parts { routing: routing.into() };
    let engine = InputQueued::new(network, sources, input_queued_bridge::router(config), parts, buffers);
    // Half of the networks without the processor's bit instructions.
    if config.shared.base.seed.is_multiple_of(2) { engine.portable() } else { engine }
}
