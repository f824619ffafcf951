//! Routers on a circle by their numbers, and links as chords: networks of which nothing more is known.

use super::{Label, Plan, Position, Wire, chord, round};
use crate::graph::Network;
use std::f64::consts::PI;

const CENTRE: Position = (0.5, 0.5);
const RADIUS: f64 = 0.46;

/// Any network.
pub(super) fn plan(network: &Network) -> Plan<'static> {
    let routers = network.routers();
    if routers == 1 {
        let label = Label { at: CENTRE, toward: (0.0, 1.0), text: "0".to_owned() };
        return Plan {
            places: vec![CENTRE],
            labels: vec![label],
            aspect: 1.0,
            radius: 0.1,
            bends: Box::new(|_| [CENTRE; 2]),
        };
    }
    let angle = |router: usize| 2.0 * PI * router as f64 / routers as f64;
    let places: Vec<Position> = (0..routers).map(|router| round(CENTRE, RADIUS, angle(router))).collect();
    let label = |router: usize| Label {
        at: places[router],
        toward: round((0.0, 0.0), 1.0, angle(router)),
        text: router.to_string(),
    };
    let labels = (0..routers).map(label).collect();
    let radius = (RADIUS * (PI / routers as f64).sin()).min(0.1);
    let at = places.clone();
    let bends = move |wire: Wire| {
        let by = 0.004 + 0.012 * f64::from(wire.copy);
        chord(at[wire.from as usize], at[wire.to as usize], (CENTRE, 1.0), by)
    };
    Plan { places, labels, aspect: 1.0, radius, bends: Box::new(bends) }
}
