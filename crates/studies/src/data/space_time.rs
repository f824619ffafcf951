//! Space-time charts as pictures.

use super::busy::{panels, rows};
use super::scope::Scope;
use super::values::{loops, told};
use crate::formula::Text;
use crate::lab::Run;
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Figure;
use serde::Deserialize;
use tailback_pictures::space_time::{Panel as DrawnPanel, SpaceTime as Drawn};
use tailback_probes::space_time::Panel;
use toml::Spanned;

/// The space-time chart of the first run, or one for each value of some labels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpaceTime {
    /// The labels whose values it goes through, the last one fastest.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// File name.
    pub name: Text,
    /// Above it.
    pub title: Text,
    /// What it shows.
    pub caption: Text,
}

/// A picture for each combination of the labels.
///
/// # Errors
/// A formula that has no value, or a picture that cannot be drawn.
pub fn pictures(scope: &Scope, form: &SpaceTime) -> Result<Vec<Figure>, StudyError> {
    let mut found = Vec::new();
    for scope in &loops(scope, &form.loops)? {
        let Some(first) = scope.here().first().copied() else { continue };
        let chart = drawn(scope.runs.run(first), told(scope, &form.title)?);
        found.push(picture::space_time(&told(scope, &form.name)?, told(scope, &form.caption)?, &chart)?);
    }
    Ok(found)
}

fn drawn(run: &Run, title: String) -> Drawn {
    let panels = panels(run);
    let cycles = panels.first().map_or(0, |panel| rows(run, panel));
    let row = |cycle: usize| {
        let part = |panel: &Panel| -> Vec<u32> {
            let from = cycle * panel.width();
            panel.cells[from..from + panel.width()].iter().map(|cell| u32::from(*cell)).collect()
        };
        panels.iter().flat_map(part).collect()
    };
    let drawn = |panel: &Panel| DrawnPanel { name: panel.name.to_owned(), width: panel.width() };
    Drawn {
        title,
        virtual_channels: run.point.resolved.view("router").u32("virtual_channels"),
        first_cycle: run.outcome.space_time.as_ref().map_or(0, |chart| chart.first_cycle()),
        panels: panels.iter().map(drawn).collect(),
        rows: (0..cycles).map(row).collect(),
    }
}
