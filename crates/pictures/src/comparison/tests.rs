//! The figure as a whole.

use super::*;
use proptest::prelude::*;

/// Load, accepted load and latency at which four mechanisms are alike: mean, low, high.
const ALIKE: [(f64, [f64; 3], [f64; 3]); 6] = [
    (0.05, [0.0501, 0.0494, 0.0508], [17.86, 17.77, 17.94]),
    (0.10, [0.1003, 0.0997, 0.1009], [20.56, 20.47, 20.65]),
    (0.15, [0.1502, 0.1492, 0.1512], [24.62, 24.45, 24.78]),
    (0.20, [0.2006, 0.1992, 0.2019], [31.42, 30.94, 31.91]),
    (0.25, [0.2513, 0.2493, 0.2533], [43.51, 42.46, 44.58]),
    (0.30, [0.3004, 0.2984, 0.3024], [68.31, 65.72, 71.00]),
];

/// Beyond: accepted loads by mechanism at loads 0.35, 0.40 ... 0.60, and half of their intervals.
const BEYOND: [(&str, [f64; 6], f64); 3] = [
    ("off", [0.310, 0.266, 0.247, 0.235, 0.229, 0.227], 0.006),
    ("spth", [0.310, 0.289, 0.294, 0.287, 0.282, 0.291], 0.015),
    ("self_tuned", [0.301, 0.299, 0.283, 0.300, 0.289, 0.299], 0.029),
];

fn estimate([mean, low, high]: [f64; 3]) -> Estimate {
    Estimate::with(mean, low, high)
}

fn variant(at: usize) -> Variant {
    let (name, beyond, half) = BEYOND[at];
    let steady = ALIKE.map(|(load, accepted, latency)| Point {
        load,
        accepted: estimate(accepted),
        latency: Some(estimate(latency)),
        status: "5 steady".to_owned(),
        ..Point::default()
    });
    let unsteady = beyond.iter().enumerate().map(|(step, &mean)| Point {
        load: 0.35 + 0.05 * step as f64,
        accepted: Estimate::with(mean, mean - half, mean + half),
        latency: Some(Estimate::of(633.0 + 600.0 * step as f64 + 86.0 * at as f64)),
        ended: Ended::Unsteady,
        status: "5 saturated".to_owned(),
    });
    let saturation = [[0.322, 0.309, 0.335], [0.324, 0.307, 0.341], [0.323, 0.303, 0.343]][at];
    Variant {
        name: name.to_owned(),
        place: [0, 1, 3][at],
        twins: if at == 0 { vec!["alo".to_owned()] } else { Vec::new() },
        points: steady.into_iter().chain(unsteady).collect(),
        zero_load: Some(16.0),
        knee: Some(Estimate::with(0.203, 0.202, 0.204)),
        saturation: Some(estimate(saturation)),
    }
}

/// Four admission mechanisms on a torus.
fn study() -> Comparison {
    Comparison {
        subject: "16 x 16 torus, uniform traffic".to_owned(),
        kind: "mechanisms".to_owned(),
        seeds: 5,
        variants: (0..3).map(variant).collect(),
        bound: Some(Bound { name: "channel-load bound".to_owned(), load: 0.443 }),
    }
}

#[test]
#[ignore]
fn look() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scratch/figures/look");
    std::fs::create_dir_all(&dir).unwrap();
    for (name, columns) in [("one", Columns::One), ("two", Columns::Two)] {
        let figure = study().figure(name, columns);
        std::fs::write(dir.join(format!("{name}.svg")), &figure.svg).unwrap();
        std::fs::write(dir.join(format!("{name}.png")), crate::raster::png_scaled(&figure.svg, 3.125).unwrap())
            .unwrap();
        println!("{}", figure.caption);
    }
}
