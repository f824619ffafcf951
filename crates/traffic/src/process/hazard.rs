//! Trials with a probability of success a cycle, drawn by their gaps instead of cycle by cycle.

use crate::workload::timeline::Timeline;
use tailback_base::rng;

/// A success probability per cycle, as the rate at which the chance of no success yet falls: `-ln(1 - probability)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hazard {
    rate: f64,
    inverse: f64,
}

impl Hazard {
    /// The hazard of success with `probability` in every cycle; from 1 on success is certain.
    pub fn new(probability: f64) -> Self {
        let rate = if probability < 1.0 { -ln_one_minus(probability) } else { f64::INFINITY };
        Hazard { rate, inverse: 1.0 / rate }
    }

    /// Cycles without success before the first with one, drawn by `bits`; saturates.
    pub fn gap(&self, bits: u64) -> u64 {
        (exponential(bits) * self.inverse) as u64
    }

    /// The gap, where it can be told without the exact logarithm.
    ///
    /// The products of [`Hazard::gap`] are monotonic, so what lies between two logarithms that give the same whole number of
    /// cycles gives it too.
    #[inline]
    fn gap_if_clear(&self, bits: u64) -> Option<u64> {
        let about = -rng::ln_about(rng::unit(bits));
        let least = (about - rng::LN_ABOUT_ERROR).max(0.0) * self.inverse;
        let most = (about + rng::LN_ABOUT_ERROR) * self.inverse;
        (least as u64 == most as u64 && most < 1e15).then_some(least as u64)
    }
}

/// An exponential variate with mean 1, never 0.
fn exponential(bits: u64) -> f64 {
    -rng::ln(rng::unit(bits))
}

/// `ln(1 - p)` for `p` in [0, 1), without losing the digits of a small `p`.
fn ln_one_minus(p: f64) -> f64 {
    if p > 0.25 {
        return rng::ln(1.0 - p);
    }
    // ln(1 - p) = -2 artanh(z) with z below 1/7: the series to z^19 is exact to double precision.
    let z = p / (2.0 - p);
    let sum = (0..10).rev().fold(0.0, |sum, i| sum * (z * z) + 1.0 / f64::from(2 * i + 1));
    -2.0 * z * sum
}

/// The hazards of a timeline: a packet starts with probability `load / mean_flits` in a cycle.
pub(super) struct Hazards {
    phases: Vec<Hazard>,
    /// Packets per flit of load: what turns a load into a probability.
    scale: f64,
    rate_of_period: f64,
}

impl Hazards {
    /// The hazards of `timeline`, with its loads multiplied by `scale`.
    pub fn new(timeline: &Timeline, scale: f64) -> Self {
        let phases: Vec<Hazard> = timeline.phases().iter().map(|p| Hazard::new(p.load * scale)).collect();
        let mut begin = 0;
        let mut rate_of_period = 0.0;
        for (phase, hazard) in timeline.phases().iter().zip(&phases) {
            rate_of_period += hazard.rate * (phase.end - begin) as f64;
            begin = phase.end;
        }
        Hazards { phases, scale, rate_of_period }
    }

    /// The first success from `clock` on, drawn by `bits`. Within a rising phase it is drawn at the phase's peak, and
    /// [`Hazards::accepts`] must thin it.
    #[inline]
    pub fn next(&self, timeline: &Timeline, mut clock: u64, bits: u64) -> Option<u64> {
        if timeline.is_endless()
            && let Some(gap) = self.phases[0].gap_if_clear(bits)
            && let Some(cycle) = clock.checked_add(gap).filter(|&cycle| cycle < u64::MAX / 2)
        {
            return Some(cycle);
        }
        let mut left = exponential(bits);
        if let Some(period) = timeline.period() {
            // Short phases with little load would be walked through for ever.
            let periods = (left / self.rate_of_period).floor();
            if periods >= 1.0 {
                left = (left - periods * self.rate_of_period).max(0.0);
                clock = clock.saturating_add((periods as u64).saturating_mul(period));
            }
        }
        loop {
            let (phase, end) = timeline.locate(clock)?;
            let (hazard, cycles) = (self.phases[phase], (end - clock) as f64);
            if hazard.rate > 0.0 {
                let gap = left * hazard.inverse;
                if gap < cycles {
                    return Some(clock.saturating_add(gap as u64));
                }
                left = (left - hazard.rate * cycles).max(0.0);
            }
            clock = end;
        }
    }

    /// Whether a success at `cycle` is one at the load of that cycle, decided by `bits`.
    #[inline]
    pub fn accepts(&self, timeline: &Timeline, cycle: u64, bits: u64) -> bool {
        let Some((phase, end)) = timeline.locate(cycle) else { return false };
        let phase = &timeline.phases()[phase];
        if !phase.rises {
            return true;
        }
        let peak = phase.load * self.scale;
        let now = peak * (cycle as f64 / end as f64);
        rng::unit(bits) * peak.min(1.0) < now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_keeps_small_probabilities() {
        for p in [1e-300f64, 1e-15, 1e-9, 1e-3, 0.1, 0.25, 0.2500001, 0.5, 0.999] {
            let expected = (-p).ln_1p();
            assert!((ln_one_minus(p) - expected).abs() <= 2e-14 * expected.abs(), "{p}");
        }
    }

    #[test]
    fn the_short_cut_never_says_anything_else() {
        for probability in [1.0, 0.999, 0.5, 0.1, 0.016, 1e-3, 1e-6, 1e-9, 1e-14] {
            let hazard = Hazard::new(probability);
            let mut clear = 0;
            for n in 0..100_000u64 {
                let bits = rng::draw_u64(3, rng::Purpose::Gap, 0, n);
                if let Some(gap) = hazard.gap_if_clear(bits) {
                    assert_eq!(gap, hazard.gap(bits), "{probability} {bits:x}");
                    clear += 1;
                }
            }
            assert!(clear > 99_900 || probability < 1e-3, "{probability} {clear}");
        }
        for n in 0..4096u64 {
            // Gaps at the very edge of a cycle: the first and the last bits of every gap.
            let hazard = Hazard::new(0.25);
            let edge = ((0.75f64.powi(n as i32 % 100)) * 18_446_744_073_709_551_616.0) as u64;
            for bits in [edge, edge.wrapping_sub(n << 12), edge.wrapping_add(n << 12), n << 12, !(n << 12)] {
                assert!(hazard.gap_if_clear(bits).is_none_or(|gap| gap == hazard.gap(bits)));
            }
        }
    }

    #[test]
    fn extremes_neither_hang_nor_overflow() {
        assert_eq!(Hazard::new(1.0).gap(0), 0);
        assert_eq!(Hazard::new(7.0).gap(u64::MAX), 0);
        assert_eq!(Hazard::new(0.0).gap(u64::MAX), u64::MAX);
        assert!(Hazard::new(1e-12).gap(u64::MAX / 2) > 1 << 38);
    }
}
