//! Random throttles.

use proptest::option;
use proptest::prelude::*;
use tailback_verify::wormhole::own_outputs::THROTTLES;
use tailback_verify::wormhole::{Admission, Band, Estimate, Inc, Tuning};

/// Throttles. Side-bands narrower than their numbers are not in the reference model.
pub fn admission() -> impl Strategy<Value = Admission> {
    let estimate = || prop_oneof![Just(Estimate::Extrapolate), Just(Estimate::Arrival), Just(Estimate::Last)];
    let band = || (1u64..=3, estimate()).prop_map(|(hop_cycles, estimate)| Band { hop_cycles, estimate });
    let threshold = (option::of(0u64..20), band());
    let tuned = (tuning(), band());
    prop_oneof![
        3 => Just(Admission::Off),
        1 => Just(Admission::Spth),
        3 => (0..THROTTLES.len(), 0u32..=100).prop_map(|(twin, drawn)| Admission::OwnOutputs { twin, drawn }),
        1 => threshold.prop_map(|(threshold, band)| Admission::GlobalThreshold { threshold, band }),
        2 => tuned.prop_map(|(tuning, band)| Admission::SelfTuned { tuning, band }),
        1 => (0u32..=100, 1u64..=3)
            .prop_map(|(min_mobility_percent, hop_cycles)| Admission::Entropy { min_mobility_percent, hop_cycles }),
        1 => inc().prop_map(Admission::Inc),
    ]
}

fn inc() -> impl Strategy<Value = Inc> {
    (1u64..60, 0u32..=100, 1u64..60, 1u64..200).prop_map(|(interval_cycles, fall, hold_cycles, max_hold_cycles)| Inc {
        interval_cycles,
        fall_fraction: f64::from(fall) / 100.0,
        hold_cycles,
        max_hold_cycles,
    })
}

fn tuning() -> impl Strategy<Value = Tuning> {
    let percents = (1u32..=200, 1u32..=300, 0u32..=400);
    let fractions = (0u32..=100, 0u32..=100);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    (1u64..=4, percents, fractions, switches, option::of(1u64..=4)).prop_map(
        |(period_gathers, percents, fractions, (climbs, any_cycle, avoids_maxima), refresh_periods)| {
            let [increment_percent, decrement_percent, initial_percent] =
                [percents.0, percents.1, percents.2].map(|tenths| f64::from(tenths) / 10.0);
            let [drop_fraction, max_fraction] = [fractions.0, fractions.1].map(|percent| f64::from(percent) / 100.0);
            Tuning {
                period_gathers,
                increment_percent,
                decrement_percent,
                initial_percent,
                drop_fraction,
                climbs,
                any_cycle,
                avoids_maxima,
                max_fraction,
                refresh_periods,
            }
        },
    )
}
