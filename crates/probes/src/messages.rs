//! Latency of messages, where a message is cut into several packets.

use crate::histogram;
use crate::listed::{End, Listed, Site};
use tailback_engine::Probe;
use tailback_engine::contract::probe::Message;
use tailback_results::{LatencyHistogram, Record, Series};

/// Latencies above this many cycles share the top bucket, as those of packets do.
const LATENCY_LIMIT: u64 = 1 << 32;

/// Messages whose first packet was made in a span of cycles. A message's latency ends with the delivery of its last packet.
#[derive(Clone, Debug)]
pub struct Messages {
    from: u64,
    to: u64,
    /// Their latencies \[cycles\].
    pub latency: LatencyHistogram,
}

tailback_base::state!([] Messages { saved: ; by histogram: latency; rebuilt: from, to; });

impl Messages {
    /// Measures messages born in cycles `from..to`.
    pub fn new(from: u64, to: u64) -> Self {
        Messages { from, to, latency: LatencyHistogram::new(LATENCY_LIMIT) }
    }
}

/// Fills the columns on messages.
pub(crate) fn columns(latency: &LatencyHistogram, record: &mut Record) {
    let percentile = |percent| latency.percentile(percent).map(|cycles| cycles as f64);
    record.message_latency_mean = latency.mean();
    record.message_latency_p50 = percentile(50.0);
    record.message_latency_p95 = percentile(95.0);
    record.message_latency_p99 = percentile(99.0);
    record.message_latency_p999 = percentile(99.9);
    record.message_latency_max = latency.max().map(|cycles| cycles as f64);
}

impl Listed for Messages {
    const MERGE: Option<fn(&mut Self, &Self)> =
        Some(|one, other| one.latency.merge(&other.latency).expect("both have the same limit"));

    fn is_on(site: &Site<'_>) -> bool {
        site.path.cuts_messages
    }

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        Messages::new(from, to)
    }

    fn columns(&self, _end: &End<'_>, record: &mut Record) {
        columns(&self.latency, record);
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        vec![self.latency.series("message_latency_histogram")]
    }
}

impl Probe for Messages {
    #[inline]
    fn message_delivered(&mut self, message: Message) {
        if (self.from..self.to).contains(&message.birth) {
            self.latency.record(message.cycle - message.birth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_count_by_their_birth() {
        let mut messages = Messages::new(10, 20);
        for (birth, cycle) in [(9, 15), (10, 40), (19, 29), (20, 90)] {
            messages.message_delivered(Message { cycle, birth, source: 0, destination: 1, flits: 32 });
        }
        assert_eq!((messages.latency.count(), messages.latency.max()), (2, Some(30)));
        assert_eq!(messages.latency.mean(), Some(20.0));
    }
}
