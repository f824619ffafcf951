//! Levels from the leaves at the bottom to the roots at the top: networks with links up and down.

use super::{Label, Plan, Position, Wire, aside};
use crate::graph::{LinkKind, Network};

/// The level of each router, from the leaves up. `None` where links do not lead up and down alone, or make no levels.
pub fn levels(network: &Network) -> Option<Vec<u32>> {
    let routers = network.routers();
    let (mut left, mut level) = (vec![0u32; routers], vec![0u32; routers]);
    for router in 0..routers as u32 {
        for (_, link) in network.links_of(router) {
            match link.kind {
                LinkKind::Up => left[link.to.router as usize] += 1,
                LinkKind::Down => {}
                _ => return None,
            }
        }
    }
    let mut order: Vec<u32> = (0..routers as u32).filter(|&router| left[router as usize] == 0).collect();
    let mut next = 0;
    while let Some(&router) = order.get(next) {
        next += 1;
        for (_, link) in network.links_of(router).filter(|(_, link)| link.kind == LinkKind::Up) {
            let above = link.to.router as usize;
            level[above] = level[above].max(level[router as usize] + 1);
            left[above] -= 1;
            if left[above] == 0 {
                order.push(link.to.router);
            }
        }
    }
    (order.len() == routers && level.iter().any(|&level| level > 0)).then_some(level)
}

/// How far to the right those stand on average that a router leads down to, of a million. So routers stand above the ones they lead to.
fn below(network: &Network, router: u32, places: &[Position]) -> u64 {
    let down = network.links_of(router).filter(|(_, link)| link.kind == LinkKind::Down);
    let (sum, count) =
        down.fold((0.0, 0u32), |(sum, count), (_, link)| (sum + places[link.to.router as usize].0, count + 1));
    (1e6 * sum / f64::from(count.max(1))).round() as u64
}

/// A network with levels.
pub(super) fn plan(network: &Network) -> Option<Plan<'static>> {
    let level = levels(network)?;
    let top = level.iter().copied().max().unwrap_or(0) as usize;
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); top + 1];
    (0u32..).zip(&level).for_each(|(router, &level)| rows[level as usize].push(router));
    let (mut places, mut labels) = (vec![(0.0, 0.0); network.routers()], Vec::new());
    let height = |level: usize| 0.06 + 0.88 * level as f64 / top as f64;
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1);
    for (number, row) in rows.iter_mut().enumerate() {
        row.sort_by_key(|&router| below(network, router, &places));
        for (position, &router) in row.iter().enumerate() {
            places[router as usize] = ((position as f64 + 0.5) / row.len() as f64, height(number));
        }
        let name = if number == 0 { "leaves".to_owned() } else { format!("level {number}") };
        labels.push(Label { at: (0.0, height(number)), toward: (-1.0, 0.0), text: name });
    }
    let (aspect, apart) = (1.7, 1.0 / widest as f64);
    let at = places.clone();
    let bends = move |wire: Wire| {
        let (a, b): (Position, Position) = (at[wire.from as usize], at[wire.to as usize]);
        // The two directions, and links side by side, are a little apart.
        let by = (0.12 * apart).min(0.012) * (1.0 + 2.0 * f64::from(wire.copy));
        let steep = 0.35 * (b.1 - a.1);
        aside((a.0, a.1 + steep), (b.0, b.1 - steep), (a, b), by)
    };
    Some(Plan { places, labels, aspect, radius: (0.5 * apart * aspect).min(0.06), bends: Box::new(bends) })
}
