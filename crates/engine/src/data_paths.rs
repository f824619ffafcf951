//! The four data paths, each as the network that whoever runs it sees.

use crate::adaptive::{self, Adaptive};
use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::probe::Probe;
use crate::contract::queueing::Point;
use crate::cut_through::{self, CutThrough};
use crate::data_path::{DataPath, Network};
use crate::ioq::{self, Ioq};
use crate::outcome::{AuditError, Counters, Deadlock, Waiting};
use crate::packet::Packet;
use crate::totals::Totals;
use crate::wormhole::{self, Wormhole};
use tailback_base::state::{State, Writer};
use tailback_traffic::Generated;

/// Hands every method on to the type's own of the same name, and adds those that only one data path has.
macro_rules! data_path {
    ($name:ident, $mechanisms:path $(, $own:item)*) => {
        impl<M: $mechanisms> DataPath for $name<'_, M> {
            #[inline]
            fn step<P: Probe>(&mut self, probe: &mut P) {
                $name::step(self, probe);
            }

            fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
                $name::packets(self, tell);
            }
        }

        impl<M: $mechanisms> Network for $name<'_, M> {
            #[inline]
            fn advance<P: Probe + Send>(&mut self, probes: &mut [P], stop: u64) {
                while $name::cycle(self) < stop {
                    $name::step(self, &mut probes[0]);
                }
            }

            #[inline]
            fn cycle(&self) -> u64 {
                $name::cycle(self)
            }

            fn counters(&self) -> Counters {
                $name::counters(self)
            }

            fn in_flight(&self) -> u64 {
                $name::in_flight(self)
            }

            fn totals(&self) -> Totals {
                $name::totals(self)
            }

            fn sources_are_dry(&self) -> bool {
                $name::sources_are_dry(self)
            }

            fn sources_wait(&self) -> bool {
                $name::sources_wait(self)
            }

            fn backlog(&self, end: u64, made: impl FnMut(u32, Generated)) {
                $name::backlog(self, end, made);
            }

            fn audit(&self) -> Result<(), AuditError> {
                $name::audit(self)
            }

            fn deadlock(&self) -> Option<Deadlock> {
                $name::deadlock(self)
            }

            fn is_still(&self) -> bool {
                $name::is_still(self)
            }

            fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
                $name::waiting(self, each);
            }

            fn census(&self, scope: Scope, each: &mut dyn FnMut(Stand)) {
                $name::census(self, scope, each);
            }

            fn fronts(&self, scratch: &mut Scratch, each: impl FnMut(Front)) {
                $name::fronts(self, scratch, each);
            }

            fn name_of(&self, id: u32) -> Name {
                $name::name_of(self, id)
            }

            fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
                $name::arriving(self, tell);
            }

            fn checkpoint(&self, to: &mut Writer) {
                self.save(to);
            }

            $($own)*
        }
    };
}

data_path!(CutThrough, cut_through::Mechanisms);
data_path!(Wormhole, wormhole::Mechanisms);
data_path!(Adaptive, adaptive::Mechanisms);
data_path!(
    Ioq,
    ioq::Mechanisms,
    fn points(&self, each: &mut dyn FnMut(Point)) {
        Ioq::points(self, each);
    }
);
