//! Groups on a ring: networks with global links. Routers of a group stand on a small circle, or, where the group has levels, those with
//! nodes outside and the others inside. Global links are bundled between two groups.

use super::{Label, Plan, Position, Wire, arc, chord, round};
use crate::graph::{LinkKind, Network};
use std::f64::consts::PI;

const CENTRE: Position = (0.5, 0.5);

/// Between groups this part of the ring is empty.
const GAP: f64 = 0.16;

/// The groups of a network with global links: the routers that other links join. `None` where that makes one group, or no global link.
pub fn groups(network: &Network) -> Option<Vec<Vec<u32>>> {
    let routers = 0..network.routers() as u32;
    let is_global = |router: u32| network.links_of(router).any(|(_, link)| link.kind == LinkKind::Global);
    if !routers.clone().any(is_global) {
        return None;
    }
    let (mut seen, mut groups) = (vec![false; network.routers()], Vec::new());
    for first in routers {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let (mut group, mut next) = (vec![first], 0);
        while let Some(&router) = group.get(next) {
            next += 1;
            for (_, link) in network.links_of(router).filter(|(_, link)| link.kind != LinkKind::Global) {
                if !std::mem::replace(&mut seen[link.to.router as usize], true) {
                    group.push(link.to.router);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    (groups.len() > 1).then_some(groups)
}

/// A network with global links.
pub(super) fn plan(network: &Network) -> Option<Plan<'static>> {
    let groups = groups(network)?;
    let share = (1.0 - GAP) * (PI / groups.len() as f64).sin();
    let small = 0.46 * share / (1.0 + share);
    let large = 0.46 - small;
    let (mut places, mut group_of, mut labels) =
        (vec![CENTRE; network.routers()], vec![0; network.routers()], Vec::new());
    let mut radius: f64 = 0.1;
    for (number, group) in groups.iter().enumerate() {
        let angle = 2.0 * PI * number as f64 / groups.len() as f64;
        let middle = round(CENTRE, large, angle);
        radius = radius.min(stand(network, group, (middle, angle, small), &mut places));
        group.iter().for_each(|&router| group_of[router as usize] = number);
        let label = Label {
            at: round(CENTRE, large + small, angle),
            toward: round((0.0, 0.0), 1.0, angle),
            text: number.to_string(),
        };
        labels.push(label);
    }
    let middles: Vec<Position> =
        (0..groups.len()).map(|number| round(CENTRE, large, 2.0 * PI * number as f64 / groups.len() as f64)).collect();
    let at = places.clone();
    let hub = ((large - 1.15 * small) / large).max(0.1);
    let bends = move |wire: Wire| {
        let (a, b) = (at[wire.from as usize], at[wire.to as usize]);
        let copy = f64::from(wire.copy);
        if wire.kind != LinkKind::Global {
            let length = ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt();
            return arc(a, b, length * (0.07 + 0.07 * copy));
        }
        let (from, to) = (middles[group_of[wire.from as usize]], middles[group_of[wire.to as usize]]);
        let [one, two] = chord(from, to, (CENTRE, hub), 0.003 + 0.006 * copy);
        // A little of each router's own place keeps the links of a bundle apart.
        let own = |bend: Position, end: Position, middle: Position| {
            (bend.0 + 0.15 * (end.0 - middle.0), bend.1 + 0.15 * (end.1 - middle.1))
        };
        [own(one, a, from), own(two, b, to)]
    };
    Some(Plan { places, labels, aspect: 1.0, radius, bends: Box::new(bends) })
}

/// Places the routers of a group in a small circle round its middle; returns half the distance of the nearest ones, or less.
fn stand(
    network: &Network,
    group: &[u32],
    (middle, angle, small): (Position, f64, f64),
    places: &mut [Position],
) -> f64 {
    let has_levels = |&&router: &&u32| network.links_of(router).any(|(_, link)| link.kind == LinkKind::Up);
    let (lower, upper): (Vec<u32>, Vec<u32>) = group.iter().partition(|router| has_levels(router));
    if lower.is_empty() || upper.is_empty() {
        let many = group.len() as f64;
        for (number, &router) in group.iter().enumerate() {
            let turn = angle + PI + 2.0 * PI * (number as f64 + 0.5) / many;
            places[router as usize] = if group.len() == 1 { middle } else { round(middle, 0.8 * small, turn) };
        }
        return if group.len() == 1 { 0.5 * small } else { (0.8 * small * (PI / many).sin()).min(0.4 * small) };
    }
    let mut nearest = 0.3 * small;
    let ring = (middle.0 - CENTRE.0).hypot(middle.1 - CENTRE.1);
    for (row, out) in [(&lower, 0.55), (&upper, -0.55)] {
        let centre = round(middle, out * small, angle);
        // Inside the ring there is less room between groups.
        let half = 0.72 * small * (1.0 + (out * small / ring).min(0.0));
        for (number, &router) in row.iter().enumerate() {
            let across = if row.len() == 1 { 0.0 } else { 2.0 * number as f64 / (row.len() - 1) as f64 - 1.0 };
            places[router as usize] = round(centre, half * across, angle + PI / 2.0);
        }
        nearest = nearest.min(half / (row.len().max(2) - 1) as f64);
    }
    nearest
}
