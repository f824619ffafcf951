//! Bernoulli: in every cycle a packet starts with the same probability, whatever happened before.

use super::hazard::Hazards;
use super::{Built, Process};
use crate::source::{Source, Stream};
use crate::workload::timeline::Timeline;
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "bernoulli",
    summary: "a packet starts with probability load / mean packet length in every cycle; in every cycle where that exceeds 1",
    paper: "spth-2015 section 5.2",
    ideal: false,
    params: &[],
};

/// Builds it.
pub(super) fn build(_view: View, timeline: &Timeline, mean_flits: f64) -> Built {
    Ok(Box::new(Bernoulli(Hazards::new(timeline, 1.0 / mean_flits))))
}

struct Bernoulli(Hazards);

impl Process for Bernoulli {
    fn start(&self, _stream: Stream, source: &mut Source, at: u64) {
        source.clock = at;
    }

    fn skip(&self, _stream: Stream, _timeline: &Timeline, source: &mut Source, to: u64) {
        source.clock = to;
    }

    fn resume(&self, _timeline: &Timeline, source: &mut Source, until: u64) {
        source.clock = until;
    }

    #[inline]
    fn next(&self, stream: Stream, timeline: &Timeline, source: &mut Source) -> Option<u64> {
        loop {
            let bits = rng::draw(stream.seed, Purpose::Gap, stream.node, source.draws);
            source.draws += 1;
            let cycle = self.0.next(timeline, source.clock, rng::low_u64(bits))?;
            source.clock = cycle.saturating_add(1);
            if self.0.accepts(timeline, cycle, rng::high_u64(bits)) {
                return Some(cycle);
            }
        }
    }
}
