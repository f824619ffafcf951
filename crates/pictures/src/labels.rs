//! Where labels stand: at the ends of curves without touching each other, and in places that nothing else takes.

use crate::area::Pixel;

/// Heights of labels that want to stand at `wanted` but `gap` apart at least, between `low` and `high` where all of them fit
/// there. Their order is kept, and the sum of the squares of what they are moved by is the least possible.
pub(crate) fn spread(wanted: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Less its share of the gaps, a label may stand anywhere above the one before: isotonic regression, in which neighbours
    // that violate the order are pooled into blocks that share their mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, &label) in order.iter().enumerate() {
        blocks.push((wanted[label] - place as f64 * gap, 1));
        while let [.., (above, m), (below, n)] = blocks[..] {
            if above <= below {
                break;
            }
            blocks.truncate(blocks.len() - 2);
            blocks.push(((above * m as f64 + below * n as f64) / (m + n) as f64, m + n));
        }
    }
    let last = (high - gap * wanted.len().saturating_sub(1) as f64).max(low);
    let heights = blocks.iter().flat_map(|&(height, count)| std::iter::repeat_n(height.clamp(low, last), count));
    let mut placed = vec![0.0; wanted.len()];
    for (place, (height, &label)) in heights.zip(&order).enumerate() {
        placed[label] = height + place as f64 * gap;
    }
    placed
}

/// A rectangle with level sides, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    /// Around a point, `across` and `down` to each side.
    pub(crate) fn around((x, y): Pixel, across: f64, down: f64) -> Self {
        Self { left: x - across, top: y - down, right: x + across, bottom: y + down }
    }

    /// Around a line of text of this width that begins at `x` and stands on `baseline`.
    pub(crate) fn text((x, baseline): Pixel, width: f64, size: f64) -> Self {
        Self { left: x, top: baseline - 0.8 * size, right: x + width, bottom: baseline + 0.25 * size }
    }

    pub(crate) fn meets(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// Whether a straight line from `a` to `b` touches it.
    pub(crate) fn crosses(&self, a: Pixel, b: Pixel) -> bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (step, room) in
            [(-dx, a.0 - self.left), (dx, self.right - a.0), (-dy, a.1 - self.top), (dy, self.bottom - a.1)]
        {
            if step.abs() < 1e-12 {
                if room < 0.0 {
                    return false;
                }
            } else if step < 0.0 {
                from = from.max(room / step);
            } else {
                to = to.min(room / step);
            }
        }
        from <= to
    }
}

/// What is drawn already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    rects: Vec<Rect>,
    lines: Vec<(Pixel, Pixel)>,
}

impl Taken {
    pub(crate) fn rect(&mut self, rect: Rect) {
        self.rects.push(rect);
    }

    /// A line through these points.
    pub(crate) fn line(&mut self, points: &[Pixel]) {
        self.lines.extend(points.windows(2).map(|pair| (pair[0], pair[1])));
    }

    pub(crate) fn is_free(&self, rect: &Rect) -> bool {
        self.is_free_of_rects(rect) && !self.lines.iter().any(|&(a, b)| rect.crosses(a, b))
    }

    /// Whether the place is free of other rectangles; lines are ignored, unlike in [`Taken::is_free`].
    pub(crate) fn is_free_of_rects(&self, rect: &Rect) -> bool {
        !self.rects.iter().any(|other| other.meets(rect))
    }

    /// Takes the first place where a text of this width is free: where it begins, and its baseline.
    pub(crate) fn place(&mut self, places: impl IntoIterator<Item = Pixel>, width: f64, size: f64) -> Option<Pixel> {
        let at = places.into_iter().find(|&at| self.is_free(&Rect::text(at, width, size)))?;
        self.rect(Rect::text(at, width, size));
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_with_room_stay_and_others_are_moved_alike() {
        assert_eq!(spread(&[10.0, 50.0, 90.0], 12.0, (0.0, 100.0)), [10.0, 50.0, 90.0]);
        assert_eq!(spread(&[50.0, 50.0], 12.0, (0.0, 100.0)), [44.0, 56.0]);
        assert_eq!(spread(&[90.0, 10.0, 12.0], 12.0, (0.0, 100.0)), [90.0, 5.0, 17.0]);
        assert_eq!(spread(&[99.0, 98.0], 12.0, (0.0, 100.0)), [100.0, 88.0]);
        assert!(spread(&[], 12.0, (0.0, 100.0)).is_empty());
    }

    #[test]
    fn lines_cross_rectangles_also_with_both_ends_outside() {
        let rect = Rect { left: 10.0, top: 10.0, right: 20.0, bottom: 20.0 };
        assert!(rect.crosses((0.0, 15.0), (30.0, 15.0)) && rect.crosses((0.0, 0.0), (30.0, 30.0)));
        assert!(rect.crosses((12.0, 12.0), (13.0, 13.0)));
        assert!(!rect.crosses((0.0, 25.0), (30.0, 25.0)) && !rect.crosses((0.0, 12.0), (12.0, 0.0)));
    }

    proptest! {
        #[test]
        fn labels_never_touch_keep_their_order_and_stay_inside(
            wanted in prop::collection::vec(-50.0..250.0f64, 0..9),
            gap in 1.0..20.0f64,
        ) {
            let placed = spread(&wanted, gap, (0.0, 200.0));
            let mut order: Vec<usize> = (0..wanted.len()).collect();
            order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
            for pair in order.windows(2) {
                prop_assert!(placed[pair[1]] - placed[pair[0]] >= gap - 1e-9);
            }
            prop_assert!(placed.iter().all(|&at| (-1e-9..=200.0 + 1e-9).contains(&at)));
        }

        #[test]
        fn what_was_placed_is_taken(
            places in prop::collection::vec((0.0..100.0f64, 0.0..100.0f64), 1..30),
        ) {
            let mut taken = Taken::default();
            let mut placed: Vec<Rect> = Vec::new();
            for at in places {
                if taken.place([at], 20.0, 10.0).is_some() {
                    let rect = Rect::text(at, 20.0, 10.0);
                    prop_assert!(!placed.iter().any(|other| other.meets(&rect)));
                    placed.push(rect);
                }
            }
        }
    }
}
