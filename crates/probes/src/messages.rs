//! Latency of messages, where a message is cut into several packets.

use crate::histogram;
use tailback_engine::Probe;
use tailback_engine::contract::probe::Message;
use tailback_results::LatencyHistogram;

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

    /// Adds what was seen at other routers of the same network.
    pub fn merge(&mut self, other: &Messages) {
        self.latency.merge(&other.latency).expect("both have the same limit");
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
