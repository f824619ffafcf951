//! The laws of packet sizes.

use super::{REGISTRY, Sizes, build};
use crate::Problem;
use crate::testing::resolved;
use tailback_base::rng::{Purpose, draw_u64};
use tailback_spec::View;

fn sizes(text: &str) -> Result<Sizes, Vec<Problem>> {
    build(View::new(&resolved("traffic.size", &text.parse().expect("TOML"))))
}

#[test]
fn sizes_occur_as_often_as_asked() {
    let law = sizes("kind = 'distribution'\nflits = [4, 20, 9, 1]\nweights = [1, 2, 0, 5]").expect("a law");
    assert_eq!((law.min(), law.max(), law.mean()), (1, 20, (4.0 + 40.0 + 5.0) / 8.0));
    let mut counts = [0u32; 21];
    for i in 0..80_000 {
        counts[law.flits(draw_u64(1, Purpose::Size, 0, i)) as usize] += 1;
    }
    for (flits, expected) in [(4, 10_000.0), (20, 20_000.0), (1, 50_000.0), (9, 0.0)] {
        assert!((f64::from(counts[flits]) - expected).abs() < 500.0, "{flits}: {}", counts[flits]);
    }
    assert_eq!((law.flits(0), law.flits(u64::MAX)), (4, 1));
}

#[test]
fn bimodal_mixes_two() {
    let law = sizes("kind = 'bimodal'").expect("a law");
    assert_eq!((law.min(), law.max()), (16, 160));
    assert!((law.mean() - 30.4).abs() < 1e-12);
    assert!(sizes("kind = 'bimodal'\nlong_percent = 0").is_ok_and(|law| law.is_fixed() && law.max() == 16));
    assert!(sizes("kind = 'bimodal'\nlong_percent = 100").is_ok_and(|law| law.is_fixed() && law.min() == 160));
}

#[test]
fn only_sizes_that_occur_can_be_uneven() {
    let law = sizes("kind = 'distribution'\nflits = [16, 25, 160]\nweights = [1, 0, 2]").expect("a law");
    assert_eq!((law.uneven(16), law.uneven(32), law.uneven(160)), (None, Some(16), Some(16)));
}

#[test]
fn impossible_laws_are_refused() {
    let path = |text| sizes(text).err().expect("refused").remove(0).0;
    assert_eq!(path("kind = 'bimodal'\nlong_flits = 16"), "long_flits");
    assert_eq!(path("kind = 'distribution'\nflits = [1, 2]\nweights = [1]"), "weights");
    assert_eq!(path("kind = 'distribution'\nflits = [1]\nweights = [0]"), "weights");
}

#[test]
fn the_mean_lies_between_the_extremes() {
    for part in REGISTRY {
        let extra = if part.0.name == "distribution" { "flits = [3, 5]\nweights = [0.3, 0.1]" } else { "" };
        let law = sizes(&format!("kind = '{}'\n{extra}", part.0.name)).expect("a law");
        assert!(f64::from(law.min()) <= law.mean() && law.mean() <= f64::from(law.max()));
        assert_eq!(law.is_fixed(), law.min() == law.max());
    }
}
