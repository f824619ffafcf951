//! Draws the figure: curves, what stands beside them, strips, legend.

use super::Point;
use super::alike::shared;
use super::sheet::{BESIDE, LEGEND_ROW, Panel, Sheet, legend_columns};
use crate::area::Pixel;
use crate::estimate::Estimate;
use crate::labels::{Rect, spread};
use crate::look::{Fill, Look, RADIUS};
use crate::plate::{Numbers, Plate};
use crate::style::{CURVE, INK, INTERVAL, PT, TICK};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

/// The unit of all loads.
pub(super) const UNIT: &str = "flits/node/cycle";

/// A point of a curve in a panel.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) at: Pixel,
    pub(super) fill: Fill,
    /// Ends of its interval, in pixels.
    pub(super) interval: Option<(f64, f64)>,
    /// Its seeds, in pixels, where they are drawn.
    pub(super) dots: Vec<f64>,
}

/// A curve in a panel.
pub(super) struct Curve {
    pub(super) look: Look,
    /// Its points; one that cannot be drawn breaks it.
    pub(super) spots: Vec<Option<Spot>>,
    /// How many points at its beginning belong to the curve that all variants share.
    pub(super) shared: usize,
    /// Width of its line in pixels.
    pub(super) width: f64,
}

/// The curve of one quantity of a variant.
pub(super) fn curve(
    plate: &Plate,
    (points, look): (&[Point], Look),
    shared: usize,
    pick: fn(&Point) -> Option<Estimate>,
) -> Curve {
    let spots = points.iter().map(|point| spot(plate, point.load, &pick(point)?, point.ended.fill()));
    Curve { look, spots: spots.collect(), shared, width: CURVE }
}

fn spot(plate: &Plate, load: f64, value: &Estimate, fill: Fill) -> Option<Spot> {
    let y = |value: f64| plate.area.y(plate.y, value);
    let interval = value.band().and_then(|(low, high)| Some((y(low)?, y(high)?)));
    let dots = value.dots().iter().filter_map(|&seed| y(seed)).collect();
    Some(Spot { at: plate.at(load, value.mean)?, fill, interval, dots })
}

/// The curve that all variants share at their first loads.
pub(super) fn common(sheet: &Sheet<'_>, plate: &Plate, pick: fn(&Point) -> Option<Estimate>) -> Curve {
    let spots = (0..sheet.alike).map(|at| {
        let values: Option<Vec<Estimate>> = sheet.variants.iter().map(|(v, _)| pick(&v.points[at])).collect();
        let load = sheet.variants[0].0.points[at].load;
        spot(plate, load, &shared(values?.into_iter()), Fill::Full)
    });
    Curve { look: Look::shared(), spots: spots.collect(), shared: 0, width: 1.6 * CURVE }
}

/// Draws the bands of curves, then their lines, then marks, and takes the places of lines and marks. What all variants share
/// lies on top.
pub(super) fn curves(canvas: &mut Canvas, panel: &mut Panel, curves: &[Curve], common: Option<&Curve>) {
    let area = panel.plate.area;
    canvas.open_window((area.left, area.top), (area.width + 0.5, area.height));
    curves.iter().for_each(|curve| band(canvas, curve));
    for curve in curves.iter().chain(common) {
        lines(canvas, panel, curve);
    }
    canvas.raw("</svg>");
    if let Some(common) = common {
        common.spots.iter().flatten().for_each(|spot| error_bar(canvas, panel, spot, common.look));
    }
    for curve in curves.iter().chain(common) {
        for spot in curve.spots.iter().skip(curve.shared).flatten() {
            for &dot in spot.dots.iter().filter(|&&y| area.contains((spot.at.0, y))) {
                let (x, y, r) = (num(spot.at.0), num(dot), num(0.8 * PT));
                canvas.raw(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{}\"/>", curve.look.colour));
                panel.taken.rect(Rect::around((spot.at.0, dot), PT, PT));
            }
            if area.contains(spot.at) {
                canvas.raw(&curve.look.mark(spot.at, spot.fill));
                panel.taken.rect(Rect::around(spot.at, RADIUS, RADIUS));
            }
        }
    }
}

fn band(canvas: &mut Canvas, curve: &Curve) {
    let from = curve.shared.saturating_sub(1);
    let ends = curve.spots.iter().skip(from).map(|spot| {
        let spot = spot.as_ref()?;
        spot.interval.map(|(low, high)| (spot.at.0, low, high))
    });
    for run in crate::area::runs(ends) {
        let upper = run.iter().map(|&(x, _, high)| (x, high));
        let lower = run.iter().rev().map(|&(x, low, _)| (x, low));
        let outline: Vec<String> = upper.chain(lower).map(|(x, y)| format!("{} {}", num(x), num(y))).collect();
        if run.len() > 1 {
            let fill = format!("fill=\"{}\" fill-opacity=\"0.16\"", curve.look.colour);
            canvas.raw(&format!("<path d=\"M{}Z\" {fill}/>", outline.join("L")));
        }
    }
}

/// Draws the pieces between points inside of the area as the curve's line, those that leave it dotted.
fn lines(canvas: &mut Canvas, panel: &mut Panel, curve: &Curve) {
    let area = panel.plate.area;
    let from = curve.shared.saturating_sub(1);
    let mut solid = String::new();
    let mut leaving = String::new();
    let mut joined = false;
    for pair in curve.spots[from.min(curve.spots.len())..].windows(2) {
        let (Some(a), Some(b)) = (&pair[0], &pair[1]) else {
            joined = false;
            continue;
        };
        let inside = (area.contains(a.at), area.contains(b.at));
        let (x1, y1, x2, y2) = (num(a.at.0), num(a.at.1), num(b.at.0), num(b.at.1));
        match inside {
            (true, true) if joined => solid.push_str(&format!("L{x2} {y2}")),
            (true, true) => solid.push_str(&format!("M{x1} {y1}L{x2} {y2}")),
            (false, false) => {}
            _ => leaving.push_str(&format!("M{x1} {y1}L{x2} {y2}")),
        }
        if inside.0 || inside.1 {
            panel.taken.line(&[a.at, b.at]);
        }
        joined = inside == (true, true);
    }
    if !solid.is_empty() {
        canvas.raw(&format!("<path d=\"{solid}\" {}/>", curve.look.stroke(curve.width)));
    }
    if !leaving.is_empty() {
        let dotted = Look { dash: "1.1 1.5", ..curve.look };
        canvas.raw(&format!("<path d=\"{leaving}\" {}/>", dotted.stroke(CURVE)));
    }
}

/// The interval of a point that stands for several variants.
fn error_bar(canvas: &mut Canvas, panel: &Panel, spot: &Spot, look: Look) {
    let Some((low, high)) = spot.interval.filter(|(low, high)| low - high > 2.0 * RADIUS) else { return };
    let area = panel.plate.area;
    let clip = |y: f64| y.clamp(area.top, area.bottom());
    canvas.line((spot.at.0, clip(low)), (spot.at.0, clip(high)), look.colour, INTERVAL);
}

/// Draws axes and letter of a panel; `numbers` says whether the bottom axis has its numbers.
pub(super) fn frame(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &Panel, name: (&str, &str), numbers: Numbers) {
    let (plate, size) = (&panel.plate, sheet.size);
    plate.left(canvas, &panel.axis.ticks, size, Numbers::Shown);
    plate.bottom(canvas, &sheet.x.ticks, size, numbers);
    let widest = text::widest(panel.axis.ticks.major.iter().map(|t| t.label.as_str()), size);
    let unit = if panel.axis.ticks.exponent == 0 {
        name.1.to_owned()
    } else {
        format!("{} {}", crate::scale::power(panel.axis.ticks.exponent), name.1)
    };
    plate.name_left(canvas, (name.0, &unit), size, TICK + 2.0 * PT + widest + 0.55 * size);
    letter(canvas, (panel.letter_x, plate.area.top + 0.75 * size), panel.letter, size);
    if numbers == Numbers::Shown {
        name_offered(canvas, plate, size);
    }
}

pub(super) fn name_offered(canvas: &mut Canvas, plate: &Plate, size: f64) {
    plate.name_bottom(canvas, ("Offered load", UNIT), size, TICK + 2.0 * PT + 2.1 * size);
}

pub(super) fn letter(canvas: &mut Canvas, at: Pixel, letter: &str, size: f64) {
    canvas.text(at, Type { bold: true, ..Type::new(size, Anchor::Start) }, letter);
}

/// Labels of the curves that end inside of the panel, at its right.
pub(super) fn end_labels(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &Panel, curves: &[Curve]) {
    if !sheet.has_labels() {
        return;
    }
    let area = panel.plate.area;
    let last = |curve: &Curve| curve.spots.last()?.as_ref().map(|spot| spot.at).filter(|&at| area.contains(at));
    let ended: Vec<(usize, Pixel)> =
        curves.iter().enumerate().filter_map(|(at, curve)| Some((at, last(curve)?))).collect();
    let wanted: Vec<f64> = ended.iter().map(|(_, at)| at.1).collect();
    let gap = sheet.size + 1.6 * PT;
    let heights = spread(&wanted, gap, (area.top + 0.4 * sheet.size, area.bottom() - 0.4 * sheet.size));
    for ((curve, _), height) in ended.iter().zip(heights) {
        let (variant, look) = sheet.variants[*curve];
        let how = Type { bold: true, colour: look.colour, ..Type::new(sheet.size, Anchor::Start) };
        canvas.text((area.right() + BESIDE, height + 0.36 * sheet.size), how, &sheet.label(variant));
    }
}

/// The legend of many curves.
pub(super) fn legend(canvas: &mut Canvas, sheet: &Sheet<'_>) {
    let Some(top) = sheet.legend else { return };
    let (columns, each) = legend_columns(sheet.comparison, sheet.size, sheet.width);
    for (at, (variant, look)) in sheet.variants.iter().enumerate() {
        let x = sheet.size + (at % columns) as f64 * each;
        let y = top + ((at / columns) as f64 + 0.6) * LEGEND_ROW * sheet.size;
        canvas.raw(&format!("<path d=\"M{} {}h{}\" {}/>", num(x), num(y), num(2.6 * sheet.size), look.stroke(CURVE)));
        canvas.raw(&look.mark((x + 1.3 * sheet.size, y), Fill::Full));
        let name = text::fit(&variant.label(), sheet.size, 0.4 * sheet.width);
        let how = Type { colour: INK, ..Type::new(sheet.size, Anchor::Start) };
        canvas.text((x + 3.2 * sheet.size, y + 0.36 * sheet.size), how, &name);
    }
}
