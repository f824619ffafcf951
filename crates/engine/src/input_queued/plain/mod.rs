//! A step of a router as most are: with at most 64 channels, without speed-ups, and with stages that take one cycle at most.
//!
//! PERF: its sets are words, its crossbar is its ports, and it allocates only where two want the same
//! (`tailback bench booksim-mesh8`).

mod alone;
mod arrive;
mod found;
mod heads;
mod send;
mod switch;

use self::found::{Flits, Heads};
use super::fabric::Fabric;
use super::layout::Layout;
use super::mechanisms::Mechanisms;
use super::router::{Priority, RequestOrder, Router, STEP, Speculation};
use super::state::Doing;
use super::table::Place;
use crate::contract::probe::Probe;
use crate::contract::routing::Sight;
use tailback_base::bits::ones;

/// Whether all routers are of this kind, with a routing that sees so much.
pub(super) fn are_plain(config: &Router, layout: &Layout, sight: Sight) -> bool {
    let one_cycle = config.routing_cycles <= 1 && config.crossbar_cycles == 1 && config.steps == STEP;
    let no_queues = config.output_queue_flits.is_none() && config.ejection_flits.is_none();
    layout.words == 1
        && layout.speedup == (1, 1)
        && one_cycle
        && no_queues
        && sight == Sight::Nothing
        && !config.holds_switch
        && config.speculation == Speculation::Off
        && config.priority == Priority::None
        && config.request_order == RequestOrder::ByPort
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// As [`Fabric::visit`].
    #[inline(always)]
    pub(super) fn visit_plain<P: Probe>(&mut self, router: usize, now: u64, probe: &mut P) {
        let place = self.layout.place_of(router);
        let (ready, asking) = (self.ready.first_word(router), self.asking.first_word(router));
        // Where turns go on though nobody can ask, it matters who waits.
        let waits = self.counts_steps && (asking | self.going.first_word(router)) != 0;
        let flits = match ready {
            0 if waits => self.pass_by(router),
            0 => Flits::default(),
            _ => self.find_flits(place, router, ready),
        };
        let found = if asking == 0 { Some(Heads::default()) } else { self.find_heads(place, router, asking) };
        if found.is_none() {
            self.match_channels(router);
        }
        let routes = self.config.routing_cycles > 0 && self.route_at_once(place, router);
        let gives = match found {
            Some(Heads { heads: 0, .. }) => false,
            Some(found) => {
                self.give_all(place, router, &found, now, probe);
                true
            }
            None => self.give_channels(router, now, probe),
        };
        if flits.go != 0 {
            self.send_all(place, router, flits, now, probe);
        }
        if flits.go == 0 && !gives && !routes && !waits {
            self.awake.remove(router);
        }
    }

    /// Heads that came ask from the next step on. Returns whether there are any.
    #[inline(always)]
    fn route_at_once(&mut self, place: Place, router: usize) -> bool {
        let bits = std::mem::take(self.unrouted.first_word_mut(router));
        if bits == 0 {
            return false;
        }
        *self.asking.first_word_mut(router) |= bits;
        let inputs = self.inputs.at_mut(place);
        ones(bits).for_each(|n| inputs[n].doing = Doing::Asking);
        true
    }
}
