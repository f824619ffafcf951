//! From a report to HTML.

use super::{Block, Cell, Report, Table, answer, variants};
use crate::svg::escape;
use base64::Engine as _;

/// How pictures look that can be read, zoomed and played.
pub const LIVE_STYLE: &str = include_str!("live.css");
const STYLE: &str = concat!(include_str!("live.css"), include_str!("page.css"));
const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("live.js"), include_str!("figures.js"));
/// What makes them so, as a module: other pages than reports have them, too.
pub const LIVE_SCRIPT: &str = concat!(include_str!("live.js"), "\nexport { liveCharts, liveFilm };\n");
/// Nothing is ever loaded from elsewhere, even if a text should find a way to ask for it.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Numbers given out so far.
#[derive(Default)]
pub(super) struct Count {
    figures: usize,
    tables: usize,
}

pub(super) fn html(report: &Report) -> String {
    let title = escape(&report.title);
    let mut count = Count::default();
    let header = answer::html(report, &mut count);
    let sections: String =
        report.sections.iter().enumerate().map(|(i, s)| section(i + 1, &s.heading, &s.blocks, &mut count)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<div class=\"page\">\n{header}<div class=\"columns\">\n{}<main>\n\
         {sections}</main>\n</div>\n</div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        contents(report)
    )
}

fn contents(report: &Report) -> String {
    if report.sections.len() < 2 {
        return String::new();
    }
    let entry = |(i, heading): (usize, &String)| format!("<li><a href=\"#s{}\">{}</a></li>\n", i + 1, escape(heading));
    let entries: String = report.sections.iter().map(|s| &s.heading).enumerate().map(entry).collect();
    format!("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n{entries}</ol>\n</nav>\n")
}

fn section(number: usize, heading: &str, blocks: &[Block], count: &mut Count) -> String {
    let body: String = blocks.iter().map(|b| block(b, count)).collect();
    let heading = escape(heading);
    format!("<section id=\"s{number}\">\n<h2><span class=\"number\">{number}</span>{heading}</h2>\n{body}</section>\n")
}

pub(super) fn block(block: &Block, count: &mut Count) -> String {
    match block {
        Block::Paragraph(text) => paragraphs(text),
        Block::List(items) => list(items),
        Block::Lines(rows) => lines(rows, count),
        Block::Svg { svg, caption } => figure("svg+xml", svg.as_bytes(), None, caption, count),
        Block::Png { bytes, caption } => figure("png", bytes, png_width(bytes), caption, count),
        Block::Table(table) => table_html(table, count),
        Block::Variants(table) => variants::html(table),
        Block::Note(text) => format!("<p class=\"note\">{}</p>\n", escape(text)),
        Block::Code { text, language } => {
            let text = escape(text);
            let language = match escape(language) {
                l if l.is_empty() => l,
                l => format!("<span class=\"language\">{l}</span>"),
            };
            format!("<div class=\"code\">{language}<pre tabindex=\"0\"><code>{text}</code></pre></div>\n")
        }
    }
}

fn paragraphs(text: &str) -> String {
    let parts = text.split("\n\n").map(str::trim).filter(|p| !p.is_empty());
    parts.map(|p| format!("<p>{}</p>\n", escape(p))).collect()
}

fn list(items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
    format!("<ul>\n{items}</ul>\n")
}

fn lines(rows: &[(String, Vec<Block>)], count: &mut Count) -> String {
    let mut text = "<dl class=\"lines\">\n".to_owned();
    for (label, blocks) in rows {
        let body: String = blocks.iter().map(|one| block(one, count)).collect();
        text += &format!("<dt>{}</dt>\n<dd>\n{body}</dd>\n", escape(label));
    }
    text + "</dl>\n"
}

fn figure(kind: &str, bytes: &[u8], width: Option<u32>, caption: &str, count: &mut Count) -> String {
    count.figures += 1;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let (number, caption) = (count.figures, escape(caption));
    let width = width.map_or(String::new(), |w| format!(" width=\"{w}\""));
    format!(
        "<figure id=\"f{number}\">\n<div class=\"sheet\"><img alt=\"{caption}\"{width} src=\"data:image/{kind};base64,{data}\"></div>\n\
         <figcaption><b>Figure {number}.</b> {caption}</figcaption>\n</figure>\n"
    )
}

/// Half of the width that the header of a PNG declares.
fn png_width(bytes: &[u8]) -> Option<u32> {
    let field: [u8; 4] = bytes.get(16..20)?.try_into().ok()?;
    let width = u32::from_be_bytes(field);
    (width > 1 && width < 1 << 20).then_some((width as f32 / crate::raster::SCALE) as u32)
}

fn table_html(table: &Table, count: &mut Count) -> String {
    let numeric: Vec<bool> = (0..table.columns.len()).map(|c| is_numeric(table, c)).collect();
    let head = |(column, numeric): (&super::Column, &bool)| {
        let unit = match escape(&column.unit) {
            u if u.is_empty() => u,
            u => format!("<span class=\"unit\">[{u}]</span>"),
        };
        let name = escape(&column.name);
        format!("<th scope=\"col\"{}><button type=\"button\">{name}{unit}</button></th>", class(*numeric))
    };
    let heads: String = table.columns.iter().zip(&numeric).map(head).collect();
    let row = |cells: &Vec<Cell>| {
        let cells = numeric.iter().enumerate().map(|(i, numeric)| cell(cells.get(i), *numeric));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(row).collect();
    let caption = match escape(&table.caption) {
        c if c.is_empty() => c,
        c => {
            count.tables += 1;
            format!("<caption><b>Table {}.</b> {c}</caption>\n", count.tables)
        }
    };
    format!(
        "<div class=\"wide\" tabindex=\"0\">\n<table>\n{caption}<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

/// Whether a column holds numbers, at least one, and otherwise only empty cells.
fn is_numeric(table: &Table, column: usize) -> bool {
    let cells = || table.rows.iter().filter_map(|row| row.get(column));
    cells().any(|c| !matches!(c, Cell::Text(_)))
        && cells().all(|c| match c {
            Cell::Number { .. } | Cell::Shown { .. } => true,
            Cell::Text(text) => text.is_empty() || text == "-",
        })
}

fn class(numeric: bool) -> &'static str {
    if numeric { " class=\"n\"" } else { "" }
}

fn cell(cell: Option<&Cell>, numeric: bool) -> String {
    let class = class(numeric);
    match cell {
        None => format!("<td{class}></td>"),
        Some(Cell::Text(text)) => format!("<td{class}>{}</td>", escape(text)),
        Some(Cell::Number { value, decimals }) => {
            format!("<td{class}{}>{}</td>", key(*value), number(*value, (*decimals).min(17)))
        }
        Some(Cell::Shown { value, text, behind }) => {
            let (key, text) = (key(*value), escape(text));
            let behind = match escape(behind) {
                behind if behind.is_empty() => behind,
                behind => format!("<span class=\"behind\"> {behind}</span>"),
            };
            format!("<td{class}{key}>{text}{behind}</td>")
        }
    }
}

/// What rows are sorted by.
fn key(value: f64) -> String {
    if value.is_finite() { format!(" data-v=\"{value:e}\"") } else { String::new() }
}

fn number(value: f64, decimals: usize) -> String {
    match value {
        v if v.is_nan() => "–".to_owned(),
        v if v.is_infinite() => if v > 0.0 { "∞" } else { "−∞" }.to_owned(),
        v if v.abs() >= 1e15 => format!("{v:.3e}").replace('-', "−"),
        v => format!("{v:.decimals$}").replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Answer, Column, Section};

    const HOSTILE: &str = "</title></style></script><script>alert(1)</script><img src=x onerror='alert(1)'>\"'&\0";

    fn hostile() -> Report {
        let text = || HOSTILE.to_owned();
        let table = Table {
            caption: text(),
            columns: vec![Column::new(HOSTILE, HOSTILE), Column::new("load", "")],
            rows: vec![
                vec![Cell::text(HOSTILE), Cell::number(0.125, 2)],
                vec![],
                vec![Cell::text(""), Cell::number(f64::NAN, 2)],
                vec![Cell::text(""), Cell::Shown { value: 1.0, text: text(), behind: text() }],
            ],
        };
        let blocks = vec![
            Block::Paragraph(text()),
            Block::Svg { svg: text(), caption: text() },
            Block::Png { bytes: vec![1, 2], caption: text() },
            Block::Table(table),
            Block::Note(text()),
            Block::Lines(vec![(text(), vec![Block::List(vec![text(), text()])]), (text(), Vec::new())]),
            Block::Variants(variants::tests::sample(HOSTILE)),
            Block::Code { text: text(), language: text() },
        ];
        let answer = Answer { headline: text(), made: vec![text()], command: text(), blocks: blocks.clone() };
        let section = Section { heading: text(), blocks };
        Report { title: text(), subtitle: text(), answer, sections: vec![section.clone(), section] }
    }

    #[test]
    fn hostile_text_stays_text() {
        let html = hostile().html();
        assert_eq!(html.matches("<script").count(), 1, "only the page's own");
        assert_eq!(html.matches("<img").count(), 6, "only the figures");
        assert_eq!((html.matches("</style>").count(), html.matches("</title>").count()), (1, 1));
        assert!(!html.contains("onerror='") && !html.contains('\0'));
    }

    #[test]
    fn body_is_well_formed_and_nothing_is_loaded() {
        let html = hostile().html();
        let start = html.find("<div class=\"page\">").expect("body");
        let end = html.find("<script>").expect("script");
        let body = &html[start..end];
        let voids_closed = body.split("<img").enumerate().map(|(i, part)| match i {
            0 => part.to_owned(),
            _ => format!("<img{}", part.replacen('>', "/>", 1)),
        });
        let document = voids_closed.collect::<String>();
        let document = roxmltree::Document::parse(&document).expect("balanced tags");
        let linked = document.descendants().filter_map(|n| n.attribute("src").or(n.attribute("href")));
        assert!(linked.clone().count() >= 6);
        assert!(linked.into_iter().all(|l| l.starts_with("data:image/") || l.starts_with('#')));
    }

    #[test]
    fn columns_of_numbers_are_set_right_and_sorted_by_value() {
        let html = hostile().html();
        assert!(html.contains("<td class=\"n\" data-v=\"1.25e-1\">0.12</td>"), "numeric cell");
        assert!(html.contains("<td class=\"n\">–</td>"), "no number: a dash, without a key");
        assert_eq!(number(-1.5, 1), "−1.5");
        assert_eq!(number(f64::NEG_INFINITY, 1), "−∞");
        assert_eq!(cell(Some(&Cell::number(1.0, usize::MAX)), true).matches('0').count(), 18, "decimals are bounded");
    }

    #[test]
    fn labelled_lines_are_a_list_of_terms() {
        let lines = vec![
            ("saturated".to_owned(), vec![Block::Paragraph("Less arrives.".to_owned())]),
            ("The circle".to_owned(), vec![Block::List(vec!["first".to_owned(), "second".to_owned()])]),
        ];
        let html = block(&Block::Lines(lines), &mut Count::default());
        assert_eq!(
            html.replace('\n', ""),
            "<dl class=\"lines\"><dt>saturated</dt><dd><p>Less arrives.</p></dd>\
             <dt>The circle</dt><dd><ul><li>first</li><li>second</li></ul></dd></dl>"
        );
    }

    #[test]
    fn an_empty_report_is_a_page_without_contents() {
        let html = Report::default().html();
        assert!(html.starts_with("<!DOCTYPE html>") && !html.contains("<nav"));
    }

    #[test]
    fn figures_and_tables_are_numbered_through() {
        let html = hostile().html();
        assert!(html.contains("Figure 6.") && html.contains("Table 3.") && !html.contains("Figure 7."));
    }
}
