//! A rectangle in pixels on which two axes are laid.

use crate::scale::Span;

/// A point in pixels, y downwards.
pub(crate) type Pixel = (f64, f64);

/// The plot area in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(crate) fn contains(&self, p: Pixel) -> bool {
        let slack = 0.01;
        p.0 >= self.left - slack
            && p.0 <= self.right() + slack
            && p.1 >= self.top - slack
            && p.1 <= self.bottom() + slack
    }

    pub(crate) fn x(&self, span: Span, value: f64) -> Option<f64> {
        // Far points are pulled in so that coordinates stay sane; what is seen of their lines is all but vertical.
        span.fraction(value).map(|f| self.left + f.clamp(-20.0, 21.0) * self.width)
    }

    pub(crate) fn y(&self, span: Span, value: f64) -> Option<f64> {
        span.fraction(value).map(|f| self.bottom() - f.clamp(-20.0, 21.0) * self.height)
    }
}

/// Splits points in pixels where there is none.
pub(crate) fn runs<T: Copy>(points: impl IntoIterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    let mut open = false;
    for point in points {
        match (point, open) {
            (Some(p), true) => runs.last_mut().into_iter().for_each(|run| run.push(p)),
            (Some(p), false) => runs.push(vec![p]),
            (None, _) => {}
        }
        open = point.is_some();
    }
    runs
}
