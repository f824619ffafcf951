//! What a checkpoint holds of a histogram.

use tailback_base::state::{Reader, Unfit, Writer};
use tailback_results::LatencyHistogram;

pub(crate) fn save(histogram: &LatencyHistogram, to: &mut Writer) {
    to.put(&histogram.counts());
}

pub(crate) fn restore(histogram: &mut LatencyHistogram, from: &mut Reader<'_>) -> Result<(), Unfit> {
    histogram.set(&from.take()?).map_err(|error| Unfit::new(error.to_string()))
}
