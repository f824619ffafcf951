//! Bandwidth and distance bounds that hold for any router: bisection and zero-load distance.

use crate::Grid;

/// Directed links that cross the narrowest balanced cut of the grid through the middle of one dimension, one way.
pub fn bisection_links(grid: &Grid) -> u64 {
    let routers = grid.routers() as u64;
    (0..grid.dimensions())
        .map(|d| {
            let k = u64::from(grid.radix()[d]);
            routers / k * if grid.wrap()[d] { 2 } else { 1 }
        })
        .min()
        .expect("at least one dimension")
}

/// Load at which uniform traffic (without self) fills a middle cut of some dimension, in flits/node/cycle.
///
/// A packet crosses the cut one way with probability `left * right / (n (n - 1))`; for an even torus this is the
/// familiar 8/k for large k.
pub fn uniform_bisection_load(grid: &Grid) -> f64 {
    let c = f64::from(grid.nodes_per_router());
    let n = grid.nodes() as f64;
    (0..grid.dimensions())
        .map(|d| {
            let k = f64::from(grid.radix()[d]);
            let (left, right) = ((k / 2.0).floor(), (k / 2.0).ceil());
            let lanes = grid.routers() as f64 / k;
            let links = lanes * if grid.wrap()[d] { 2.0 } else { 1.0 };
            let crossing = (left * lanes * c) * (right * lanes * c) / (n - 1.0);
            links / crossing
        })
        .fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torus_16_is_8_over_k() {
        let g = Grid::new(&[16, 16], &[true, true], 1, 1);
        assert_eq!(bisection_links(&g), 32);
        assert!((uniform_bisection_load(&g) - 0.5 * 255.0 / 256.0).abs() < 1e-12);
        let m = Grid::new(&[16, 16], &[false, false], 1, 1);
        assert_eq!(bisection_links(&m), 16);
    }
}
