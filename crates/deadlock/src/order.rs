//! Whether the packets between two routers stay in their order: each goes one way, by one channel of every link of it.

use crate::walk::{Budget, Network, TooLarge, port_and_channel};
use tailback_engine::contract::routing::{Head, Routing};

/// Whether packets from router `from` to router `to` cannot overtake one another.
///
/// # Errors
/// [`TooLarge`] where the way is longer than the budget has places; after the budget was cancelled.
pub fn keeps_order<'a, R: Routing>(
    network: &Network<R>,
    (from, to): (u32, u32),
    budget: impl Into<Budget<'a>>,
) -> Result<bool, TooLarge> {
    let budget = budget.into();
    let (routing, variety) = (network.routing, network.routing.variety());
    let [draw] = variety.draws[..] else { return Ok(false) };
    let mut packet = network.packet(from, (to, draw));
    if variety.indices > 1 || routing.coins(from, &packet) != 0 {
        return Ok(false);
    }
    let (mut router, mut input) = (from, None);
    let mut word = routing.start(from, &mut packet, || draw);
    for _ in 0..budget.places {
        if budget.is_cancelled() {
            return Err(TooLarge);
        }
        let head = Head { router, input };
        if network.options(head, &packet, word) != 1 {
            return Ok(false);
        }
        let asked = network.candidates(head, &packet, &mut word, 0);
        let mask = asked.candidates.all();
        if mask == 0 || !mask.is_power_of_two() {
            // It has arrived, or chooses among channels.
            return Ok(mask == 0);
        }
        let (port, channel) = port_and_channel(asked.first, mask, network.channels);
        let there =
            network.wiring.ahead(router, port.into()).expect("routing does not lead over the edge of the network");
        word = routing.advance(port, word);
        (router, input) = (there.router, Some((there.port as u8, channel)));
    }
    Err(TooLarge)
}
