//! The strips below the curves: the loads at which each variant has its knee and saturates, with their intervals.

use super::Variant;
use super::draw::{letter, name_offered};
use super::sheet::{BESIDE, Sheet, Shows, Strip};
use crate::estimate::Estimate;
use crate::labels::{Rect, Taken};
use crate::look::{Fill, Look, RADIUS};
use crate::plate::{Numbers, Plate};
use crate::style::{PT, QUIET};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

/// Half the thickness of the bar of an interval.
const BAR: f64 = 1.9 * PT;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Knee,
    Saturation,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Knee => "knee",
            Kind::Saturation => "saturation",
        }
    }

    fn of(self, variant: &Variant) -> Option<&Estimate> {
        match self {
            Kind::Knee => variant.knee.as_ref(),
            Kind::Saturation => variant.saturation.as_ref(),
        }
    }
}

/// Draws one strip with its axis.
pub(super) fn draw(canvas: &mut Canvas, sheet: &Sheet<'_>, strip: &Strip) {
    let size = sheet.size;
    let plate = Plate { area: strip.area, x: sheet.x.span, y: sheet.x.span };
    let pitch = strip.area.height / sheet.variants.len().max(1) as f64;
    let kinds: &[(Kind, f64)] = match strip.shows {
        Shows::Saturation => &[(Kind::Saturation, 0.5)],
        Shows::Knee => &[(Kind::Knee, 0.5)],
        Shows::Both => &[(Kind::Knee, 0.26), (Kind::Saturation, 0.74)],
    };
    let mut taken = Taken::default();
    for (row, (variant, look)) in sheet.variants.iter().enumerate() {
        let top = strip.area.top + pitch * row as f64;
        for &(kind, share) in kinds {
            if let Some(found) = kind.of(variant) {
                mark(canvas, &plate, (found, kind), (top + share * (pitch - 0.3 * size), *look), &mut taken);
            }
        }
        let how = Type { colour: look.colour, ..Type::new(size, Anchor::Start) };
        let middle = top + 0.5 * (pitch - 0.3 * size) + 0.36 * size;
        canvas.text((strip.area.right() + BESIDE, middle), how, &sheet.label(variant));
    }
    names(canvas, sheet, (strip, &plate, pitch), kinds, &mut taken);
    letter(canvas, (strip.letter_x, strip.area.top + 0.6 * size), strip.letter, size);
    plate.bottom(canvas, &sheet.x.ticks, size, Numbers::Shown);
    name_offered(canvas, &plate, size);
}

fn mark(
    canvas: &mut Canvas,
    plate: &Plate,
    (found, kind): (&Estimate, Kind),
    (y, look): (f64, Look),
    taken: &mut Taken,
) {
    let area = plate.area;
    let within = |value: f64| area.x(plate.x, value).map(|x| x.clamp(area.left, area.right()));
    let Some(x) = area.x(plate.x, found.mean).filter(|x| (area.left..=area.right()).contains(x)) else { return };
    let ends = found.interval.and_then(|(low, high)| Some((within(low)?, within(high)?)));
    if let Some((low, high)) = ends {
        let fill = format!("fill=\"{}\" fill-opacity=\"0.35\"", look.colour);
        canvas.rect((low, y - BAR), (high - low, 2.0 * BAR), &fill);
        taken.rect(Rect { left: low, top: y - BAR, right: high, bottom: y + BAR });
    }
    match kind {
        Kind::Knee => canvas.raw(&format!(
            "<path d=\"M{} {}v{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            num(x),
            num(y - 1.6 * BAR),
            num(3.2 * BAR),
            look.colour,
            num(1.6 * PT)
        )),
        Kind::Saturation => canvas.raw(&look.mark((x, y), Fill::Full)),
    }
    taken.rect(Rect::around((x, y), RADIUS, 1.6 * BAR));
}

/// Names what the marks are: left of the first knee and right of the first saturation where a strip shows both, else at
/// the left.
fn names(
    canvas: &mut Canvas,
    sheet: &Sheet<'_>,
    (strip, plate, pitch): (&Strip, &Plate, f64),
    kinds: &[(Kind, f64)],
    taken: &mut Taken,
) {
    let (area, size) = (strip.area, sheet.size);
    for &(kind, share) in kinds {
        let width = text::width(kind.name(), size);
        let row = |row: usize| area.top + pitch * row as f64 + share * (pitch - 0.3 * size) + 0.36 * size;
        let middle = area.top + (area.height - 0.3 * size) / 2.0 + 0.36 * size;
        let ends = |found: &Estimate| {
            let (low, high) = found.interval.unwrap_or((found.mean, found.mean));
            Some((area.x(plate.x, low)? - RADIUS - 5.0 * PT - width, area.x(plate.x, high)? + RADIUS + 5.0 * PT))
        };
        let beside = sheet.variants.iter().enumerate().filter_map(|(at, (variant, _))| {
            let (left, right) = ends(kind.of(variant)?)?;
            let sides = if kind == Kind::Knee { [left, right] } else { [right, left] };
            Some(sides.map(|x| (x, row(at))))
        });
        let edge = [area.left + 3.0 * PT, area.right() - width - 3.0 * PT].map(|x| (x, middle));
        let places: Vec<(f64, f64)> = match strip.shows {
            Shows::Both => beside.flatten().collect(),
            _ => edge.into_iter().chain(beside.flatten()).collect(),
        };
        let inside = |at: &(f64, f64)| at.0 >= area.left && at.0 + width <= area.right();
        if let Some(at) = taken.place(places.into_iter().filter(inside), width, size) {
            let how = Type { colour: QUIET, ..Type::new(size, Anchor::Start) };
            canvas.text(at, how, kind.name());
        }
    }
}
