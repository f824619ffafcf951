//! What a page begins with: the answer, how it was made, the table and pictures that show it.

use super::page::{Count, block};
use super::{Block, Report};
use crate::svg::escape;

/// What a page begins with. All of it may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What came out, in a sentence or a few.
    pub headline: String,
    /// How it was made: the date, the version, the machine, how much was run; set side by side.
    pub made: Vec<String>,
    /// The command that made it.
    pub command: String,
    /// The table and the pictures that show it.
    pub blocks: Vec<Block>,
}

/// The head of the page and its answer.
pub(super) fn html(report: &Report, count: &mut Count) -> String {
    let Answer { headline, made, command, blocks } = &report.answer;
    let (title, subtitle) = (escape(&report.title), escape(&report.subtitle));
    let heading = match (headline.is_empty(), subtitle.is_empty()) {
        (true, true) => format!("<h1>{title}</h1>\n"),
        (true, false) => format!("<h1>{title}</h1>\n<p class=\"subtitle\">{subtitle}</p>\n"),
        // The answer is what is set large; the title names what it is about.
        (false, true) => format!("<h1 class=\"small\">{title}</h1>\n<p class=\"headline\">{}</p>\n", escape(headline)),
        (false, false) => {
            format!("<h1 class=\"small\">{title} · {subtitle}</h1>\n<p class=\"headline\">{}</p>\n", escape(headline))
        }
    };
    let facts: String = made.iter().map(|fact| format!("<span>{}</span>\n", escape(fact))).collect();
    let command = match escape(command) {
        command if command.is_empty() => command,
        command => format!("<code>{command}</code>\n"),
    };
    let made = match facts.is_empty() && command.is_empty() {
        true => String::new(),
        false => format!("<p class=\"made\">\n{facts}{command}</p>\n"),
    };
    let blocks: String = blocks.iter().map(|b| block(b, count)).collect();
    let blocks = if blocks.is_empty() { blocks } else { format!("<div class=\"answer\">\n{blocks}</div>\n") };
    format!("<header>\n{heading}{made}</header>\n{blocks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(headline: &str, subtitle: &str) -> String {
        let made = vec!["1 January 2026".to_owned()];
        let answer =
            Answer { headline: headline.to_owned(), made, command: "tailback run a.toml".to_owned(), blocks: vec![] };
        Report { title: "mechanisms".to_owned(), subtitle: subtitle.to_owned(), answer, sections: vec![] }.html()
    }

    #[test]
    fn the_answer_is_large_and_the_title_small() {
        let html = page("Saturation does not differ.", "four mechanisms");
        assert!(html.contains("<h1 class=\"small\">mechanisms · four mechanisms</h1>"), "{html}");
        assert!(html.contains("<p class=\"headline\">Saturation does not differ.</p>"), "{html}");
        assert!(html.contains("<span>1 January 2026</span>\n<code>tailback run a.toml</code>"), "{html}");
    }

    #[test]
    fn without_an_answer_the_title_is_large() {
        let html = page("", "four mechanisms");
        assert!(html.contains("<h1>mechanisms</h1>") && !html.contains("class=\"headline\""), "{html}");
        assert!(!Report::default().html().contains("<p class=\"made\">"));
    }
}
