//! What stands beside the curves: the bound, the diagonal, the knee, the field without a steady state, and their words.

use super::draw::{Curve, UNIT};
use super::sheet::{Panel, Sheet};
use super::words::{count, number, thousands};
use super::{Comparison, Ended};
use crate::area::Pixel;
use crate::labels::Rect;
use crate::look::RADIUS;
use crate::style::{FIELD, FRAME, PT, QUIET, RULE};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

const DOTTED: &str = "0.9 1.3";
const DASHED: &str = "3.4 1.8";

fn rule(canvas: &mut Canvas, from: Pixel, to: Pixel, dash: &str) {
    let (x1, y1, x2, y2) = (num(from.0), num(from.1), num(to.0), num(to.1));
    let paint = format!("stroke=\"{RULE}\" stroke-width=\"{}\" stroke-dasharray=\"{dash}\"", num(FRAME));
    canvas.raw(&format!("<path d=\"M{x1} {y1}L{x2} {y2}\" {paint}/>"));
}

fn quiet(size: f64, anchor: Anchor) -> Type {
    Type { colour: QUIET, ..Type::new(size, anchor) }
}

/// Draws the lines of the accepted load that hold whatever is measured.
pub(super) fn references(canvas: &mut Canvas, panel: &Panel, bound: Option<f64>) {
    let (plate, area) = (&panel.plate, panel.plate.area);
    let most = plate.x.hi.min(plate.y.hi);
    if let (Some(from), Some(to)) = (plate.at(0.0, 0.0), plate.at(most, most)) {
        rule(canvas, from, to, DASHED);
    }
    if let Some(y) = bound.and_then(|bound| area.y(plate.y, bound)) {
        rule(canvas, (area.left, y), (area.right(), y), DOTTED);
    }
}

/// Names the lines of [`references`], where there is room.
pub(super) fn reference_names(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &mut Panel, bound: Option<f64>) {
    let (area, size) = (panel.plate.area, sheet.size);
    if let (Some(load), Some(of)) = (bound, &sheet.comparison.bound)
        && let Some(y) = area.y(panel.plate.y, load)
    {
        let words = format!("{} {}", of.name, number(load));
        let width = text::width(&words, size);
        let places = [area.left + 3.0 * PT, area.right() - width - 2.0 * PT].map(|x| (x, y - 2.4 * PT));
        if let Some(at) = panel.taken.place(places, width, size) {
            canvas.text(at, quiet(size, Anchor::Start), &words);
        }
    }
    diagonal_name(canvas, panel, size);
}

/// Writes along the diagonal, above it and in its lower part, if that is long enough.
fn diagonal_name(canvas: &mut Canvas, panel: &mut Panel, size: f64) {
    const WORDS: &str = "accepted = offered";
    let plate = &panel.plate;
    let most = plate.x.hi.min(plate.y.hi);
    let (Some(from), Some(to)) = (plate.at(0.0, 0.0), plate.at(most, most)) else { return };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    let width = text::width(WORDS, size);
    let away = RADIUS + 2.2 * PT;
    // Corners of the words, from their beginning `start` pixels up the diagonal.
    let corner = |along: f64, above: f64| (from.0 + ux * along + uy * above, from.1 + uy * along - ux * above);
    let free = |start: f64| {
        (0..=24).all(|step| {
            let along = start + width * f64::from(step) / 24.0;
            let (x, y) = corner(along, away + 0.4 * size);
            panel.taken.is_free_of_rects(&Rect::around((x, y), 0.45 * size, 0.45 * size))
                && panel.plate.area.contains((x, y))
        })
    };
    let starts = (2..12).map(|step| 0.06 * f64::from(step) * length);
    let Some(start) = starts.filter(|start| start + width < length).find(|&start| free(start)) else { return };
    let middle = corner(start + width / 2.0, away);
    let how = Type { turn: uy.atan2(ux).to_degrees(), ..quiet(size, Anchor::Middle) };
    canvas.text(middle, how, WORDS);
    for step in 0..=8 {
        let (x, y) = corner(start + width * f64::from(step) / 8.0, away + 0.4 * size);
        panel.taken.rect(Rect::around((x, y), 0.5 * size, 0.5 * size));
    }
}

/// Draws the line of twice the latency at zero load, and the knee under it, where all variants have the same ones.
pub(super) fn knee(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &mut Panel) {
    let (plate, area, size) = (panel.plate, panel.plate.area, sheet.size);
    let Some(zero) = same(sheet.variants.iter().map(|(v, _)| v.zero_load)) else { return };
    let Some(y) = area.y(plate.y, 2.0 * zero).filter(|&y| y > area.top && y < area.bottom()) else { return };
    let knee = same(sheet.variants.iter().map(|(v, _)| v.knee.as_ref().map(|k| k.mean)));
    let knee = knee.and_then(|load| area.x(plate.x, load)).filter(|&x| x > area.left && x < area.right());
    rule(canvas, (area.left, y), (knee.unwrap_or(area.right()), y), DOTTED);
    let words = "2 × zero load";
    let width = text::width(words, size);
    let places = [area.left + 3.0 * PT, area.right() - width - 2.0 * PT].map(|x| (x, y - 2.4 * PT));
    let places = places.into_iter().filter(|at| at.0 + width < knee.unwrap_or(area.right()));
    if let Some(at) = panel.taken.place(places, width, size) {
        canvas.text(at, quiet(size, Anchor::Start), words);
    }
    panel.taken.line(&[(area.left, y), (knee.unwrap_or(area.right()), y)]);
    let Some(x) = knee else { return };
    rule(canvas, (x, y), (x, area.bottom()), DOTTED);
    panel.taken.line(&[(x, y), (x, area.bottom())]);
    let width = text::width("knee", size);
    let baseline = area.bottom() - 2.6 * PT;
    let places = [x + 2.4 * PT, x - 2.4 * PT - width].map(|x| (x, baseline));
    if let Some(at) = panel.taken.place(places, width, size) {
        canvas.text(at, quiet(size, Anchor::Start), "knee");
    }
}

/// A number that all variants have, if they do: no two are farther apart than 2 percent.
fn same(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Option<Vec<f64>> = values.collect();
    let values = values.filter(|values| !values.is_empty())?;
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    (high - low <= 0.02 * high).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Says at the shared curve that it stands for all.
pub(super) fn shared_name(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &mut Panel, common: &Curve) {
    let (area, size) = (panel.plate.area, sheet.size);
    let words = format!("{} {} alike", if sheet.variants.len() == 2 { "both" } else { "all" }, sheet.comparison.kind());
    let width = text::width(&words, size);
    let spots: Vec<Pixel> = common.spots.iter().flatten().map(|spot| spot.at).collect();
    let beside = spots.iter().rev().map(|at| (at.0 - RADIUS - 3.0 * PT - width, at.1 + 0.36 * size));
    let between =
        spots.windows(2).rev().map(|w| ((w[0].0 + w[1].0) / 2.0 - RADIUS - 3.0 * PT - width, (w[0].1 + w[1].1) / 2.0));
    let above = spots.iter().map(|at| (at.0 - width / 2.0, at.1 - RADIUS - 4.0 * PT));
    let inside = |at: &Pixel| at.0 > area.left + 2.0 * PT && at.0 + width < area.right() && at.1 - size > area.top;
    let places: Vec<Pixel> = between.chain(beside).chain(above).filter(inside).collect();
    if let Some(at) = panel.taken.place(places, width, size) {
        canvas.text(at, quiet(size, Anchor::Start), &words);
    }
}

/// The field in which nothing is steady.
pub(super) struct Field {
    /// The offered load at which it begins.
    pub(super) from: f64,
    /// Points above the frame in all of the panel, and in the field.
    pub(super) left_out: usize,
    pub(super) in_field: usize,
    /// Smallest and largest latency of those in the field.
    pub(super) ends: (f64, f64),
}

/// The field of `comparison`, where latency is shown up to `top`; none where the largest load is steady in some variant.
pub(super) fn field(comparison: &Comparison, top: f64) -> Option<Field> {
    let points = || comparison.variants.iter().flat_map(|v| &v.points);
    let steady = points().filter(|p| p.ended == Ended::Steady).map(|p| p.load).fold(f64::NEG_INFINITY, f64::max);
    let first = points().map(|p| p.load).filter(|&load| load > steady).fold(f64::INFINITY, f64::min);
    if !first.is_finite() {
        return None;
    }
    let from = if steady.is_finite() { (steady + first) / 2.0 } else { 0.0 };
    let high = |above: f64| {
        let of = points().filter(move |p| p.load > above);
        of.filter_map(|p| p.latency.as_ref()).map(|l| l.mean).filter(|&mean| mean > top).collect::<Vec<f64>>()
    };
    let inside = high(from);
    let ends = inside.iter().fold((f64::INFINITY, 0.0f64), |(low, most), &v| (low.min(v), most.max(v)));
    Some(Field { from, left_out: high(f64::NEG_INFINITY).len(), in_field: inside.len(), ends })
}

/// Draws the field behind everything.
pub(super) fn draw_field(canvas: &mut Canvas, panel: &Panel, field: &Field) {
    let area = panel.plate.area;
    let Some(left) = area.x(panel.plate.x, field.from) else { return };
    canvas.rect((left, area.top), (area.right() - left, area.height), &format!("fill=\"{FIELD}\""));
}

/// Says in the field what is not shown there, where there is room for it.
pub(super) fn field_words(canvas: &mut Canvas, sheet: &Sheet<'_>, panel: &mut Panel, field: &Field) {
    let (area, size) = (panel.plate.area, sheet.size);
    let Some(left) = area.x(panel.plate.x, field.from) else { return };
    let lines = if field.in_field == 0 {
        vec!["no steady".to_owned(), "state".to_owned()]
    } else {
        let (low, high) = (thousands(field.ends.0), thousands(field.ends.1));
        let range = if low == high { format!("{high} cycles,") } else { format!("{low} to {high} cycles,") };
        let grow = if field.in_field == 1 { "which grows with" } else { "which grow with" };
        let of = count(field.in_field, "point");
        ["no steady state:", &format!("{of} at"), &range, grow, "the length of the run"].map(str::to_owned).to_vec()
    };
    let room = area.right() - left - 2.0 * PT;
    let short = vec!["no steady".to_owned(), "state".to_owned()];
    for lines in [lines, short] {
        let width = text::widest(lines.iter().map(String::as_str), size);
        let (step, middle) = (1.3 * size, (left + area.right()) / 2.0);
        let height = step * lines.len() as f64;
        let block = |centre: f64| Rect::around((middle, centre), width / 2.0, height / 2.0);
        let centres = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map(|share| area.top + share * area.height);
        let fits = |centre: &f64| {
            let block = block(*centre);
            block.top > area.top && block.bottom < area.bottom() && panel.taken.is_free(&block)
        };
        let Some(centre) = centres.into_iter().find(fits).filter(|_| width <= room) else { continue };
        for (line, words) in lines.iter().enumerate() {
            let y = centre - height / 2.0 + step * line as f64 + 0.95 * size;
            canvas.text((middle, y), quiet(size, Anchor::Middle), words);
        }
        panel.taken.rect(block(centre));
        return;
    }
}

/// The words of [`field`] for the caption.
pub(super) fn left_out(field: Option<&Field>, top: f64) -> Option<String> {
    let field = field.filter(|field| field.left_out > 0)?;
    let verb = if field.left_out == 1 { "is" } else { "are" };
    Some(format!("In (b) {} above {} cycles {verb} left out.", count(field.left_out, "point"), thousands(top)))
}

/// The bound in words, where it is not drawn.
pub(super) fn far_bound(comparison: &Comparison, drawn: Option<f64>) -> Option<String> {
    let bound = comparison.bound.as_ref().filter(|_| drawn.is_none())?;
    Some(format!("The {}, {} {UNIT}, lies above the figure.", bound.name, number(bound.load)))
}
