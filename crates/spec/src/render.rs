//! Errors as a compiler shows them. Only the lines concerned are handed to the renderer, cut to a window around the
//! fault, so that a hostile file of one endless line costs nothing.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::error::{Errors, SpecError, Text};
use crate::node::Place;
use tailback_base::text::{lines, shown};

/// Errors shown in full.
const SHOWN: usize = 50;
/// Bytes of a line shown before the fault and behind its beginning.
const WINDOW: usize = 100;

/// All errors, at most 50 in full.
pub(crate) fn render(errors: &Errors, renderer: &Renderer) -> String {
    let mut lines = Lines::default();
    let mut parts: Vec<String> =
        errors.errors.iter().take(SHOWN).map(|e| one(renderer, &errors.texts, e, &mut lines)).collect();
    if errors.errors.len() > SHOWN {
        parts.push(format!("... and {} more errors", errors.errors.len() - SHOWN));
    }
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

fn one(renderer: &Renderer, texts: &[Text], error: &SpecError, seen: &mut Lines) -> String {
    // What others wrote is in all of these.
    let (message, label) = (lines(&error.message), error.label.as_deref().map(lines));
    let (help, name) = (error.help.as_deref().map(lines), |text: &Text| shown(&text.name).into_owned());
    let mut group = Group::with_title(Level::ERROR.primary_title(&*message));
    let placed = error.place.as_ref().and_then(|p| texts.get(p.text).map(|t| (p, t)));
    match placed {
        Some((place, text)) => {
            let window = seen.window(place, &text.text);
            let kind = AnnotationKind::Primary.span(window.start..window.end).label(label.as_deref());
            let mut snippet = Snippet::source(window.source).line_start(window.line).annotation(kind);
            if window.moved {
                // The renderer counts columns in what it sees, which here is not the whole beginning of the line.
                let origin = Origin::path(name(text)).line(window.line).char_column(window.column);
                group = group.element(origin);
            } else {
                snippet = snippet.path(name(text));
            }
            group = group.element(snippet);
        }
        None => {
            if let Some(text) = texts.first() {
                group = group.element(Origin::path(name(text)));
            }
            if let Some(label) = &label {
                group = group.element(Level::NOTE.message(&**label));
            }
        }
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(&**help));
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
    /// Whether what stands before the fault is shorter or longer here than in its line: cut off, or shown as escapes.
    moved: bool,
}

impl Lines {
    fn window(&mut self, place: &Place, text: &str) -> Window {
        let fault = floor(text, place.start);
        let (line, line_start) = self.locate(place.text, fault, text);
        let line_end = text[line_start..].find('\n').map_or(text.len(), |n| line_start + n);
        let line_end = (line_start + text[line_start..line_end].trim_end_matches('\r').len()).max(fault);
        let fault_end = floor(text, place.end).clamp(fault, line_end);
        let from = floor(text, fault.saturating_sub(WINDOW).max(line_start));
        let to = floor(text, line_end.min(fault + WINDOW));
        let start_of_window = if from > line_start { "…" } else { "" };
        let before = lines(&text[from..fault]);
        let inside = lines(&text[fault..fault_end.min(to)]);
        let after = lines(&text[fault_end.min(to)..to]);
        let end_of_window = if to < line_end { "…" } else { "" };
        let start = start_of_window.len() + before.len();
        let end = start + inside.len();
        let column = text[line_start..fault].chars().count() + 1;
        let moved = from > line_start || *before != text[from..fault];
        let source = [start_of_window, &before, &inside, &after, end_of_window].concat();
        Window { source, start, end, line, column, moved }
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
