//! What the data paths have in common as networks: each is a fabric of one of some shapes, which says of itself what is asked.

use crate::contract::sources::Sources;
use crate::packet::Packet;
use tailback_base::state::Unfit;

/// Makes a network of `$name`, of which `$each` runs an expression on the fabric, whatever its shape; `$own` are methods that only one
/// data path has.
macro_rules! data_path {
    ($name:ident, $each:ident $(, $own:item)*) => {
        impl<'a, M: Mechanisms> $name<'a, M> {
            /// What nodes send.
            pub fn sources(&self) -> &M::Sources<'a> {
                $each!(&self.0, fabric => fabric.sources())
            }
        }

        impl<M: Mechanisms> $crate::DataPath for $name<'_, M> {
            #[inline]
            fn step<P: $crate::Probe>(&mut self, probe: &mut P) {
                $each!(&mut self.0, fabric => fabric.step(probe));
            }

            fn packets(&self, tell: &mut dyn FnMut(&$crate::packet::Packet)) {
                $each!(&self.0, fabric => fabric.packets(tell));
            }
        }

        impl<M: Mechanisms> $crate::Network for $name<'_, M> {
            #[inline]
            fn advance<P: $crate::Probe + Send>(&mut self, probes: &mut [P], stop: u64) {
                while $crate::Network::cycle(self) < stop {
                    $crate::DataPath::step(self, &mut probes[0]);
                }
            }

            #[inline]
            fn cycle(&self) -> u64 {
                $each!(&self.0, fabric => fabric.cycle())
            }

            fn counters(&self) -> $crate::outcome::Counters {
                $each!(&self.0, fabric => fabric.counters())
            }

            fn in_flight(&self) -> u64 {
                $crate::Network::counters(self).in_flight()
            }

            fn totals(&self) -> $crate::Totals {
                $each!(&self.0, fabric => fabric.totals())
            }

            fn sources_are_dry(&self) -> bool {
                $each!(&self.0, fabric => fabric.sources_are_dry())
            }

            fn sources_wait(&self) -> bool {
                $each!(&self.0, fabric => fabric.sources_wait())
            }

            fn standing(&self, most: usize) -> Option<$crate::outcome::Standing> {
                $each!(&self.0, fabric => $crate::contract::sources::Sources::standing(fabric.sources(), most))
            }

            fn catch_up(&mut self) {
                $each!(&mut self.0, fabric => fabric.catch_up());
            }

            fn backlog(&self, end: u64, made: impl FnMut(u32, $crate::Lot)) {
                $each!(&self.0, fabric => fabric.backlog(end, made));
            }

            fn audit(&self) -> Result<(), $crate::outcome::AuditError> {
                $each!(&self.0, fabric => fabric.audit())
            }

            fn deadlock(&self) -> Option<$crate::outcome::Deadlock> {
                $each!(&self.0, fabric => fabric.snapshot()).deadlock()
            }

            fn is_still(&self) -> bool {
                $each!(&self.0, fabric => fabric.is_still())
            }

            fn waiting(&self, each: &mut dyn FnMut($crate::outcome::Waiting)) {
                $each!(&self.0, fabric => fabric.snapshot()).waiting(each);
            }

            fn census(&self, scope: $crate::contract::census::Scope, each: &mut dyn FnMut($crate::contract::census::Stand)) {
                $each!(&self.0, fabric => fabric.census(scope, each));
            }

            fn fronts(
                &self,
                scratch: &mut $crate::contract::census::Scratch,
                each: impl FnMut($crate::contract::census::Front),
            ) {
                $each!(&self.0, fabric => fabric.fronts(scratch, each));
            }

            fn name_of(&self, id: u32) -> $crate::contract::census::Name {
                $each!(&self.0, fabric => fabric.name(id))
            }

            fn arriving(&self, tell: &mut dyn FnMut(&$crate::packet::Packet, u64)) {
                $each!(&self.0, fabric => fabric.arriving(tell));
            }

            fn offer(&mut self, offer: $crate::Offer) {
                $each!(&mut self.0, fabric => fabric.take_offer(offer));
            }

            fn queued(&mut self, node: u32) -> $crate::totals::Amount {
                $each!(&mut self.0, fabric => fabric.host_queued(node))
            }

            fn consumed(&mut self, node: u32, places: u32) {
                $each!(&mut self.0, fabric => fabric.host_consumed(node, places));
            }

            #[inline]
            fn arrivals(&mut self, each: &mut dyn FnMut($crate::Arrived)) {
                let arrived = $each!(&mut self.0, fabric => fabric.host_arrivals());
                arrived.into_iter().for_each(|arrived| arrived.drain(..).for_each(&mut *each));
            }

            fn is_at_rest(&self) -> bool {
                $each!(&self.0, fabric => fabric.is_at_rest())
            }

            fn skip(&mut self, to: u64) {
                $each!(&mut self.0, fabric => fabric.skip(to));
            }

            fn checkpoint(&self, to: &mut tailback_base::state::Writer) {
                tailback_base::state::State::save(self, to);
            }

            $($own)*
        }
    };
}
pub(crate) use data_path;

/// The state of a network of `$name` in a checkpoint: that of its fabric, whose books are audited once it is restored.
macro_rules! checkpoint {
    ($name:ident, $each:ident) => {
        impl<M: Mechanisms> State for $name<'_, M> {
            fn save(&self, to: &mut Writer) {
                $each!(&self.0, fabric => fabric.save(to));
            }

            fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
                $each!(&mut self.0, fabric => {
                    fabric.restore(from)?;
                    $crate::data_paths::know((fabric.sources(), fabric.cycle()), |tell| fabric.packets(tell))?;
                    Ok(fabric.audit()?)
                })
            }
        }
    };
}
pub(crate) use checkpoint;

/// That the packets of a network may be of its sources before cycle `now`. `each` tells of all.
pub(crate) fn know(
    (sources, now): (&impl Sources, u64),
    each: impl FnOnce(&mut dyn FnMut(&Packet)),
) -> Result<(), Unfit> {
    let mut packets = Vec::new();
    if sources.follows_packets() {
        each(&mut |packet| packets.push(*packet));
    }
    sources.know(now, &packets)
}
