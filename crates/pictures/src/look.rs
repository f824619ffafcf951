//! Colour, shape and dash of a curve: six of each, so that six curves differ in all three, also in grey print. Thirty-six
//! curves differ in colour or shape.

use crate::area::Pixel;
use crate::style::PT;
use crate::svg::num;

/// Colours of curves, those of Okabe and Ito which stand out on white. All are told apart with any colour vision.
const COLOURS: [&str; 6] = ["#1a1a1a", "#0072b2", "#009e73", "#d55e00", "#b0568c", "#c48a00"];

/// Dashes of lines, in pixels.
const DASHES: [&str; 6] = ["", "", "1.4 2.2", "5 2.2", "6 2 1.4 2", "9 2.6"];

/// How much of a mark is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    Full,
    Hollow,
    Crossed,
    Half,
}

/// The look of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) colour: &'static str,
    pub(crate) shape: usize,
    pub(crate) dash: &'static str,
}

impl Look {
    /// The look of the curve with this number.
    pub(crate) fn of(place: usize) -> Self {
        let round = place / COLOURS.len();
        Self {
            colour: COLOURS[place % COLOURS.len()],
            shape: (place + round) % COLOURS.len(),
            dash: DASHES[(place + round) % DASHES.len()],
        }
    }

    /// The look of the curve that stands for several curves.
    pub(crate) fn shared() -> Self {
        Self { colour: crate::style::SHARED, shape: 0, dash: "" }
    }

    /// Attributes of a line of this width.
    pub(crate) fn stroke(&self, width: f64) -> String {
        let dash = if self.dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", self.dash) };
        format!("stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}", self.colour, num(width))
    }

    /// The outline of the mark at a point, as path data.
    pub(crate) fn mark_path(&self, at: Pixel) -> String {
        closed(&outline(self.shape), at)
    }

    /// The mark at a point, as markup.
    pub(crate) fn mark(&self, at: Pixel, fill: Fill) -> String {
        let outline = outline(self.shape);
        let (inside, stroke) = match fill {
            Fill::Full => (self.colour, 0.0),
            _ => ("#ffffff", 0.85 * PT),
        };
        let stroke = match stroke {
            0.0 => String::new(),
            width => format!(" stroke=\"{}\" stroke-width=\"{}\"", self.colour, num(width)),
        };
        let mut markup = format!("<path d=\"{}\" fill=\"{inside}\"{stroke}/>", closed(&outline, at));
        match fill {
            Fill::Full | Fill::Hollow => {}
            Fill::Half => {
                markup.push_str(&format!(
                    "<path d=\"{}\" fill=\"{}\"/>",
                    closed(&left_half(&outline), at),
                    self.colour
                ));
            }
            Fill::Crossed => {
                let (x, y, r) = (at.0, at.1, 0.62 * RADIUS);
                let (left, right, top, bottom) = (num(x - r), num(x + r), num(y - r), num(y + r));
                markup.push_str(&format!(
                    "<path d=\"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                    self.colour,
                    num(0.7 * PT)
                ));
            }
        }
        markup
    }
}

/// A mark reaches no farther than this from its point.
pub(crate) const RADIUS: f64 = 2.3 * PT;

/// Corners of a mark around the origin.
fn outline(shape: usize) -> Vec<Pixel> {
    let r = RADIUS;
    let regular = |corners: u32, turn: f64, radius: f64| -> Vec<Pixel> {
        let angle = |k: u32| (f64::from(k) / f64::from(corners) + turn) * std::f64::consts::TAU;
        (0..corners).map(|k| (radius * angle(k).sin(), -radius * angle(k).cos())).collect()
    };
    match shape {
        0 => regular(24, 0.0, 0.9 * r),
        1 => regular(4, 0.125, 1.13 * r),
        2 => regular(4, 0.0, 1.12 * r),
        3 => regular(3, 0.0, 1.12 * r).into_iter().map(|(x, y)| (x, y + 0.14 * r)).collect(),
        4 => regular(3, 0.5, 1.12 * r).into_iter().map(|(x, y)| (x, y - 0.14 * r)).collect(),
        _ => regular(5, 0.0, 1.05 * r),
    }
}

/// What of a convex outline lies left of the origin.
fn left_half(outline: &[Pixel]) -> Vec<Pixel> {
    let mut kept = Vec::new();
    for (at, &point) in outline.iter().enumerate() {
        let next = outline[(at + 1) % outline.len()];
        if point.0 <= 0.0 {
            kept.push(point);
        }
        if (point.0 < 0.0) != (next.0 < 0.0) && point.0 != next.0 {
            kept.push((0.0, point.1 - point.0 * (next.1 - point.1) / (next.0 - point.0)));
        }
    }
    kept
}

fn closed(points: &[Pixel], at: Pixel) -> String {
    let corners: Vec<String> = points.iter().map(|p| format!("{} {}", num(at.0 + p.0), num(at.1 + p.1))).collect();
    format!("M{}Z", corners.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn six_looks_differ_in_colour_and_shape_and_thirty_six_in_one_of_them() {
        let of = |count: usize| (0..count).map(Look::of).collect::<Vec<_>>();
        assert_eq!(of(6).iter().map(|l| l.colour).collect::<BTreeSet<_>>().len(), 6);
        assert_eq!(of(6).iter().map(|l| l.shape).collect::<BTreeSet<_>>().len(), 6);
        assert_eq!(of(36).iter().map(|l| (l.colour, l.shape)).collect::<BTreeSet<_>>().len(), 36);
    }

    #[test]
    fn marks_stay_near_their_point_and_half_of_one_is_its_left() {
        for shape in 0..6 {
            let outline = outline(shape);
            assert!(outline.iter().all(|(x, y)| x.hypot(*y) <= 1.3 * RADIUS), "{shape}");
            let half = left_half(&outline);
            assert!(half.len() >= 3 && half.iter().all(|p| p.0 <= 1e-9), "{shape}: {half:?}");
        }
    }

    #[test]
    fn how_a_point_ended_is_told_by_its_mark() {
        let marks =
            [Fill::Full, Fill::Hollow, Fill::Crossed, Fill::Half].map(|fill| Look::of(1).mark((0.0, 0.0), fill));
        assert_eq!(marks.iter().collect::<BTreeSet<_>>().len(), 4);
        assert!(marks[1].contains("#ffffff") && !marks[0].contains("#ffffff"));
    }
}
