//! Errors as a compiler shows them. Only the lines concerned are handed to the renderer, cut to a window around the
//! fault, so that a hostile file of one endless line costs nothing.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::error::{Errors, SpecError, Text};
use crate::node::Place;

/// Errors shown in full.
const SHOWN: usize = 50;
/// Bytes of a line shown before the fault and behind its beginning.
const WINDOW: usize = 100;

/// All errors, at most 50 in full.
pub(crate) fn render(errors: &Errors, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut lines = Lines::default();
    let mut parts: Vec<String> =
        errors.errors.iter().take(SHOWN).map(|e| one(&renderer, &errors.texts, e, &mut lines)).collect();
    if errors.errors.len() > SHOWN {
        parts.push(format!("... and {} more errors", errors.errors.len() - SHOWN));
    }
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

fn one(renderer: &Renderer, texts: &[Text], error: &SpecError, lines: &mut Lines) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(error.message.as_str()));
    let placed = error.place.as_ref().and_then(|p| texts.get(p.text).map(|t| (p, t)));
    match placed {
        Some((place, text)) => {
            let window = lines.window(place, &text.text);
            let kind = AnnotationKind::Primary.span(window.start..window.end).label(error.label.as_deref());
            let mut snippet = Snippet::source(window.source).line_start(window.line).annotation(kind);
            if window.cut {
                // The renderer counts columns in what it sees, which here begins in the middle of the line.
                let origin = Origin::path(text.name.as_str()).line(window.line).char_column(window.column);
                group = group.element(origin);
            } else {
                snippet = snippet.path(text.name.as_str());
            }
            group = group.element(snippet);
        }
        None => {
            if let Some(text) = texts.first() {
                group = group.element(Origin::path(text.name.as_str()));
            }
            if let Some(label) = &error.label {
                group = group.element(Level::NOTE.message(label.as_str()));
            }
        }
    }
    if let Some(help) = &error.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// Remembers the line of the last fault: errors come sorted, so each text is scanned once.
#[derive(Default)]
struct Lines {
    text: usize,
    line: usize,
    start: usize,
}

/// The piece of a text to show, and where in it the fault is.
struct Window {
    source: String,
    start: usize,
    end: usize,
    /// 1-based line of the fault.
    line: usize,
    /// 1-based column of the fault, in characters.
    column: usize,
    /// Whether the beginning of the line is cut off.
    cut: bool,
}

impl Lines {
    fn window(&mut self, place: &Place, text: &str) -> Window {
        let fault = floor(text, place.start);
        let (line, line_start) = self.locate(place.text, fault, text);
        let line_end = text[line_start..].find('\n').map_or(text.len(), |n| line_start + n);
        let fault_end = floor(text, place.end).clamp(fault, line_end.max(fault));
        let from = floor(text, fault.saturating_sub(WINDOW).max(line_start));
        let to = floor(text, line_end.min(fault + WINDOW));
        let mut source = String::new();
        if from > line_start {
            source.push('…');
        }
        let shift = source.len();
        source.push_str(text[from..to].trim_end_matches('\r'));
        let start = (fault - from + shift).min(source.len());
        let end = (fault_end.min(to) - from + shift).min(source.len()).max(start);
        if to < line_end {
            source.push('…');
        }
        let column = text[line_start..fault].chars().count() + 1;
        Window { source, start, end, line, column, cut: from > line_start }
    }

    fn locate(&mut self, index: usize, fault: usize, text: &str) -> (usize, usize) {
        if self.text != index || self.start > fault || self.line == 0 {
            *self = Lines { text: index, line: 1, start: 0 };
        }
        while let Some(n) = text[self.start..fault].find('\n') {
            self.start += n + 1;
            self.line += 1;
        }
        (self.line, self.start)
    }
}

/// The character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
