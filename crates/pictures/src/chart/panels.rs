//! One chart on a page, and panels of several with one legend.

use super::data::Area;
use super::frame::{Axes, Margins, Shown, axes, draw_axes, margins};
use super::legend::{Entry, column_size, draw_column, draw_rows, entries, rows_size, slots};
use super::range::spans;
use super::{Axis, Chart, draw};
use crate::numbers;
use crate::scale::{Ticks, axis_title};
use crate::style::TITLE;
use crate::svg::Canvas;

const WIDTH: f64 = 640.0;
const PLOT_HEIGHT: f64 = 310.0;
const EDGE: f64 = 10.0;
/// A wider legend goes below the plot.
const LEGEND_WIDTH: f64 = 190.0;
const PANEL_WIDTH: f64 = 205.0;
const PANEL_HEIGHT: f64 = 150.0;

/// The size of a picture in pixels, 96 to an inch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// The smallest panel of a page that is too small for its charts.
const SMALLEST: f64 = 60.0;

/// One chart: legend to the right where it is small, below otherwise.
pub(super) fn single(chart: &Chart) -> String {
    let charts = std::slice::from_ref(chart);
    let slots = slots(charts);
    let legend = entries(charts, &slots);
    let (legend_width, legend_height) = column_size(&legend);
    let beside = !legend.is_empty() && legend_width <= LEGEND_WIDTH && legend_height <= PLOT_HEIGHT;
    let margin = margins(chart, &axes(&spans(chart), WIDTH - 150.0, PLOT_HEIGHT));
    let taken = if beside { legend_width + 12.0 } else { 0.0 };
    let area = Area {
        left: margin.left,
        top: EDGE + margin.top,
        width: WIDTH - margin.left - margin.right - EDGE - taken,
        height: PLOT_HEIGHT,
    };
    let mut canvas = Canvas::new();
    draw_panel(&mut canvas, chart, &slots[0], &area, Shown { x: true, y: true });
    let mut height = area.bottom() + margin.bottom;
    if beside {
        let top = area.top + (area.height - legend_height) / 2.0;
        draw_column(&mut canvas, (area.right() + margin.right + 10.0, top), &legend);
    } else {
        height += draw_legend_below(&mut canvas, height, WIDTH, &legend);
    }
    give_numbers(&mut canvas, charts, &slots);
    canvas.finish((WIDTH, height), &chart.title)
}

/// Several charts as panels in `columns` columns (1 at least), one legend for all below; series of equal name share
/// their colour. Axis titles stand only at the left and the bottom where all panels have the same ones.
pub fn grid(charts: &[Chart], columns: usize) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    Sheet::new(charts, columns).draw((PANEL_WIDTH, PANEL_HEIGHT), "")
}

/// As [`grid`], on a page of this size with a title; an empty title takes no room. Panels of a page that is too small for them
/// make it larger.
pub fn page(charts: &[Chart], columns: usize, size: Page, title: &str) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    let sheet = Sheet::new(charts, columns);
    let rows = charts.len().div_ceil(columns).max(1) as f64;
    let legend =
        if sheet.legend.is_empty() { 0.0 } else { rows_size(&sheet.legend, size.width - 2.0 * EDGE).1 + 4.0 + EDGE };
    let margin = sheet.margin;
    let across = (size.width - EDGE) / columns as f64 - margin.left - margin.right;
    let down = (size.height - EDGE - legend - title_room(title)) / rows - margin.top - margin.bottom;
    sheet.draw((across.max(SMALLEST), down.max(SMALLEST)), title)
}

fn title_room(title: &str) -> f64 {
    if title.is_empty() { 0.0 } else { 20.0 }
}

/// Panels and what they share.
struct Sheet<'c> {
    charts: &'c [Chart],
    columns: usize,
    slots: Vec<Vec<usize>>,
    legend: Vec<Entry>,
    margin: Margins,
}

impl<'c> Sheet<'c> {
    fn new(charts: &'c [Chart], columns: usize) -> Self {
        let slots = slots(charts);
        let legend = entries(charts, &slots);
        let axes = charts.iter().map(|c| (c, axes(&spans(c), PANEL_WIDTH, PANEL_HEIGHT)));
        let margin = axes.map(|(c, a)| margins(c, &a)).fold(Margins::default(), Margins::max);
        Self { charts, columns, slots, legend, margin }
    }

    /// Draws panels of this size.
    fn draw(&self, (across, down): (f64, f64), title: &str) -> String {
        let Sheet { charts, columns, margin, .. } = *self;
        let all_axes: Vec<Axes> = charts.iter().map(|c| axes(&spans(c), across, down)).collect();
        let same_x = all_equal(charts.iter().zip(&all_axes).map(|(c, a)| words(&c.x, &a.x)));
        let same_y = all_equal(charts.iter().zip(&all_axes).map(|(c, a)| words(&c.y, &a.left)))
            && charts.iter().all(|c| c.y2.is_none());
        let (step_x, step_y) = (across + margin.left + margin.right, down + margin.top + margin.bottom);
        let above = title_room(title);
        let mut canvas = Canvas::new();
        for (i, (chart, slots)) in charts.iter().zip(&self.slots).enumerate() {
            let (row, column) = (i / columns, i % columns);
            let (left, top) = (column as f64 * step_x + margin.left, row as f64 * step_y + margin.top + EDGE + above);
            let area = Area { left, top, width: across, height: down };
            let shown = Shown { x: !same_x || i + columns >= charts.len(), y: !same_y || column == 0 };
            draw_panel(&mut canvas, chart, slots, &area, shown);
        }
        let width = (columns as f64 * step_x + EDGE).max(200.0);
        let mut height = charts.len().div_ceil(columns) as f64 * step_y + EDGE + above;
        height += draw_legend_below(&mut canvas, height, width, &self.legend);
        canvas.title((width / 2.0, EDGE + 10.0), TITLE, width - 2.0 * EDGE, title);
        give_numbers(&mut canvas, charts, &self.slots);
        canvas.finish((width, height.max(40.0)), title)
    }
}

fn give_numbers(canvas: &mut Canvas, charts: &[Chart], slots: &[Vec<usize>]) {
    if let Some(numbers) = numbers::of_charts(charts, slots) {
        canvas.numbers(&numbers);
    }
}

fn words(axis: &Axis, ticks: &Ticks) -> String {
    axis_title(&axis.label, &axis.unit, ticks.exponent)
}

fn all_equal(mut titles: impl Iterator<Item = String>) -> bool {
    titles.next().is_none_or(|first| titles.all(|t| t == first))
}

fn draw_legend_below(canvas: &mut Canvas, top: f64, width: f64, legend: &[Entry]) -> f64 {
    if legend.is_empty() {
        return 0.0;
    }
    let inner = width - 2.0 * EDGE;
    draw_rows(canvas, (EDGE, top + 4.0), inner, legend);
    rows_size(legend, inner).1 + 4.0 + EDGE
}

fn draw_panel(canvas: &mut Canvas, chart: &Chart, slots: &[usize], area: &Area, shown: Shown) {
    let spans = spans(chart);
    let axes = axes(&spans, area.width, area.height);
    draw::draw_series(canvas, chart, &spans, area, slots);
    draw::draw_reference(canvas, chart, &spans, area);
    draw_axes(canvas, chart, &spans, &axes, area, shown);
}
