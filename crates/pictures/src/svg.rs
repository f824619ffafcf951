//! A small writer of SVG: shapes with rounded coordinates, escaped text, nothing else.
//!
//! Invariants: no `id`s (several pictures may share one page), no scripts, no external references.

use crate::text;

/// Fonts of every picture: the compiled-in one first, then what browsers have.
const FONTS: &str = "'Noto Sans','Helvetica Neue',Helvetica,Arial,sans-serif";

pub(crate) use crate::style::INK;

/// A coordinate: two decimals at most, never an exponent, 0 for what is not a number.
pub(crate) fn num(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{:.2}", value.clamp(-1e7, 1e7));
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// `text` with the characters escaped that XML and HTML give a meaning, and those replaced that XML 1.0 forbids.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// Where a text sits relative to its point.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) bold: bool,
    /// Degrees by which it is turned clockwise around its point; -90 reads upwards.
    pub(crate) turn: f64,
    /// Its colour.
    pub(crate) colour: &'static str,
    /// With a white outline, readable on top of data.
    pub(crate) halo: bool,
}

impl Type {
    pub(crate) fn new(size: f64, anchor: Anchor) -> Self {
        Self { size, anchor, bold: false, turn: 0.0, colour: INK, halo: false }
    }
}

/// A picture in the making.
pub(crate) struct Canvas {
    body: String,
    /// The numbers behind it, escaped.
    metadata: String,
}

impl Canvas {
    pub(crate) fn new() -> Self {
        Self { body: String::new(), metadata: String::new() }
    }

    /// Gives the picture the numbers behind it.
    pub(crate) fn numbers(&mut self, numbers: &serde_json::Value) {
        self.metadata = format!("<metadata>{}</metadata>\n", escape(&numbers.to_string()));
    }

    /// Gives the picture the table behind it, which pages offer as a file.
    pub(crate) fn table(&mut self, csv: &str) {
        self.numbers(&serde_json::json!({ "csv": csv }));
    }

    /// Adds markup as it is: for paths, which are built by their callers.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }

    /// A dot with an edge.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let (x, y, r) = (num(x), num(y), num(radius));
        self.raw(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>"
        ));
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let (x1, y1, x2, y2) = (num(from.0), num(from.1), num(to.0), num(to.1));
        let w = num(width);
        self.raw(&format!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{stroke}\" stroke-width=\"{w}\"/>"));
    }

    pub(crate) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), attributes: &str) {
        let (x, y, w, h) = (num(corner.0), num(corner.1), num(size.0), num(size.1));
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {attributes}/>"));
    }

    pub(crate) fn text(&mut self, at: (f64, f64), how: Type, text: &str) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (num(at.0), num(at.1));
        let anchor = match how.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if how.bold { " font-weight=\"bold\"" } else { "" };
        let turn = match how.turn {
            0.0 => String::new(),
            degrees => format!(" transform=\"rotate({} {x} {y})\"", num(degrees)),
        };
        let halo = if how.halo {
            " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\""
        } else {
            ""
        };
        let size = num(how.size);
        let inner = superscripts(text, how.size);
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"{anchor}{bold}{turn}{halo}>{inner}</text>",
            how.colour
        ));
    }

    /// Opens a window that cuts off what is outside of it; coordinates stay as they are. Close with `raw("</svg>")`.
    pub(crate) fn open_window(&mut self, corner: (f64, f64), size: (f64, f64)) {
        let (x, y, w, h) = (num(corner.0), num(corner.1), num(size.0), num(size.1));
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\"");
        self.raw(&format!("<svg {place} overflow=\"hidden\">"));
    }

    /// The whole document. `title` is for screen readers and tool tips.
    pub(crate) fn finish(self, size: (f64, f64), title: &str) -> String {
        let (w, h) = (num(size.0.ceil()), num(size.1.ceil()));
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>\n", escape(title)) };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"{FONTS}\" fill=\"none\">\n{title}{}<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.metadata, self.body
        )
    }

    /// A centred bold title, cut to the width.
    pub(crate) fn title(&mut self, centre: (f64, f64), size: f64, max: f64, title: &str) {
        let how = Type { bold: true, ..Type::new(size, Anchor::Middle) };
        // Bold letters are about 7 percent wider than the estimate for regular ones.
        self.text(centre, how, &text::fit(title, size * 1.07, max));
    }
}

fn lowered(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from(b'4' + (c as u32 - '⁴' as u32) as u8),
        '⁺' => '+',
        '⁻' => '−',
        _ => return None,
    })
}

/// Escaped text in which runs of superscript characters are raised ordinary ones: fonts seldom have all of them.
fn superscripts(text: &str, size: f64) -> String {
    let lift = num(size * 0.36);
    let small = num(size * 0.74);
    let mut out = String::new();
    let (mut raised, mut spans) = (false, 0);
    for c in text.chars() {
        let low = lowered(c);
        if low.is_some() != raised {
            raised = low.is_some();
            if spans > 0 {
                out.push_str("</tspan>");
            }
            spans += 1;
            out.push_str(&match raised {
                true => format!("<tspan dy=\"-{lift}\" font-size=\"{small}\">"),
                false => format!("<tspan dy=\"{lift}\">"),
            });
        }
        out.push_str(&escape(low.unwrap_or(c).encode_utf8(&mut [0; 4])));
    }
    if spans > 0 {
        out.push_str("</tspan>");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_always_valid() {
        let given = [1.0, 1.005, -0.001, 0.5, 1e300, f64::NAN, f64::INFINITY, 100.0, 120.30];
        let shown: Vec<_> = given.into_iter().map(num).collect();
        assert_eq!(shown, ["1", "1", "0", "0.5", "10000000", "0", "0", "100", "120.3"]);
    }

    #[test]
    fn markup_and_control_characters_are_defused() {
        assert_eq!(escape("<b a='\"'>&\0\u{1b}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}\u{fffd}");
    }

    #[test]
    fn superscripts_are_raised_ordinary_characters() {
        assert_eq!(superscripts("a<", 10.0), "a&lt;");
        let raised = superscripts("10⁻³ s", 10.0);
        assert_eq!(raised, "10<tspan dy=\"-3.6\" font-size=\"7.4\">−3</tspan><tspan dy=\"3.6\"> s</tspan>");
    }
}
