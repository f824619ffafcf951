//! What can be wrong in a study before anything runs: names that there are not.

use super::figures::{Curve, Panel};
use super::form::{Cells, Item, Judged, Label, Measured, Part};
use super::functions::is_function;
use super::lines::Line;
use super::scope::CONSTANTS;
use super::study::{DataStudy, Fault};
use crate::formula::{Expr, Formula, Piece, Text, is_common};
use crate::targets::Targets;
use std::collections::BTreeMap;
use std::ops::Range;
use tailback_results::schema::column;
use toml::Spanned;

pub(super) type Checked = Result<(), Fault>;

/// Finds the first name that there is not.
pub fn check(study: &DataStudy, targets: &Targets) -> Checked {
    let none = BTreeMap::new();
    let names = Names { study, own: &none, over: Vec::new() };
    study.form.along.iter().try_for_each(|along| names.label(along))?;
    for (arguments, key) in study.definitions.values() {
        let over = arguments.iter().map(String::as_str).collect();
        if let Some(formula) = study.form.define.get(key) {
            Names { over, ..names }.formula(formula)?;
        }
    }
    names.labels(&study.form.label)?;
    for fact in &study.form.fact {
        names.specs(&fact.specs)?;
        fact.rule.iter().chain(&fact.together).try_for_each(|rule| names.formula(rule))?;
    }
    names.questions()?;
    study.form.item.iter().try_for_each(|item| names.item(item, targets))
}

pub(super) struct Names<'s> {
    pub(super) study: &'s DataStudy,
    /// Labels of the table alone.
    pub(super) own: &'s BTreeMap<String, Label>,
    /// Names of the lists that the table goes through.
    pub(super) over: Vec<&'s str>,
}

impl<'s> Names<'s> {
    pub(super) fn fault<T>(&self, span: &Range<usize>, message: &str) -> Result<T, Fault> {
        Err(self.study.fault(span, message))
    }

    fn labels(&self, labels: &BTreeMap<String, Label>) -> Checked {
        labels.values().filter_map(|label| label.of.as_ref()).try_for_each(|formula| self.formula(formula))
    }

    fn item(&self, item: &Item, targets: &Targets) -> Checked {
        self.specs(&item.specs)?;
        item.quick_specs.iter().try_for_each(|specs| self.specs(specs))?;
        for table in &item.table {
            let over = table.over.keys().map(String::as_str).collect();
            Names { study: self.study, own: &table.label, over }.table(table)?;
        }
        for figure in &item.figure {
            figure.name.iter().chain([&figure.caption]).try_for_each(|text| self.text(text))?;
            figure.across.iter().try_for_each(|formula| self.formula(formula))?;
            figure.loops.iter().chain(&figure.panels_for).try_for_each(|label| self.label(label))?;
            figure.panel.iter().try_for_each(|panel| self.panel(panel))?;
        }
        for charts in &item.space_time {
            charts.loops.iter().try_for_each(|label| self.label(label))?;
            [&charts.name, &charts.title, &charts.caption].into_iter().try_for_each(|text| self.text(text))?;
        }
        item.claim.iter().try_for_each(|claim| self.claim(claim, targets))?;
        item.notes.iter().try_for_each(|note| self.text(note))
    }

    fn table(&self, table: &Cells) -> Checked {
        self.specs(&table.specs)?;
        self.labels(&table.label)?;
        table
            .loops
            .iter()
            .chain(&table.combinations)
            .chain(table.given.keys())
            .try_for_each(|label| self.label(label))?;
        if let (Some(_), Some(second)) = (table.loops.first(), table.combinations.first()) {
            return self.fault(&second.span(), "expected either `for` or `combinations`, found both");
        }
        table.only.iter().try_for_each(|formula| self.formula(formula))?;
        self.text(&table.row)?;
        table.cell.iter().try_for_each(|cell| self.cell(cell))
    }

    fn cell(&self, cell: &Measured) -> Checked {
        // What has to be reached, and remarks, may name what was measured and what is printed.
        let over = self.over.iter().copied().chain(["measured", "paper"]).collect();
        Names { over, ..*self }.cell_with(cell)
    }

    fn cell_with(&self, cell: &Measured) -> Checked {
        cell.loops.iter().try_for_each(|label| self.label(label))?;
        cell.row.iter().chain([&cell.column]).chain(&cell.note).try_for_each(|text| self.text(text))?;
        [&cell.value]
            .into_iter()
            .chain(&cell.printed)
            .chain(&cell.peer)
            .chain(&cell.only)
            .try_for_each(|formula| self.formula(formula))?;
        cell.choose.iter().try_for_each(|choose| self.choose(choose))?;
        cell.require.iter().try_for_each(|required| {
            self.text(&required.what)?;
            [&required.rule].into_iter().chain(&required.only).try_for_each(|formula| self.formula(formula))
        })
    }

    fn panel(&self, panel: &Panel) -> Checked {
        panel.loops.iter().chain(panel.given.keys()).try_for_each(|label| self.label(label))?;
        self.text(&panel.title)?;
        panel.only.iter().chain(panel.level.iter().map(|level| &level.at)).try_for_each(|f| self.formula(f))?;
        [&panel.x, &panel.y].into_iter().filter_map(|axis| axis.to.as_ref()).try_for_each(|to| self.formula(to))?;
        panel.line.iter().try_for_each(|line| self.line(line))?;
        panel.upright.iter().flat_map(|upright| [&upright.at, &upright.label]).try_for_each(|f| self.formula(f))?;
        panel.bars.iter().try_for_each(|bars| {
            [&bars.groups, &bars.series].into_iter().try_for_each(|formula| self.formula(formula))?;
            Names { over: vec!["group", "series"], ..*self }.formula(&bars.value)
        })?;
        panel.curve.iter().try_for_each(|curve| self.curve(curve))
    }

    fn line(&self, line: &Line) -> Checked {
        let over = line.over.keys().map(String::as_str).collect();
        let names = Names { over, ..*self };
        line.loops.iter().chain(line.given.keys()).try_for_each(|label| self.label(label))?;
        names.text(&line.name)?;
        [&line.x, &line.y].into_iter().chain(&line.dashed).try_for_each(|formula| names.formula(formula))
    }

    fn curve(&self, curve: &Curve) -> Checked {
        curve.loops.iter().chain(curve.given.keys()).try_for_each(|label| self.label(label))?;
        self.text(&curve.name)?;
        if curve.mean.is_some() == curve.value.is_some() {
            return self.fault(&curve.name.span, "expected either `mean` or `value` beside the name of a curve");
        }
        let formulas = curve.mean.iter().chain(&curve.value).chain(&curve.x).chain(&curve.until);
        formulas.into_iter().try_for_each(|formula| self.formula(formula))
    }

    fn claim(&self, claim: &Judged, targets: &Targets) -> Checked {
        self.specs(&claim.specs)?;
        let span = claim.id.span();
        let id = claim.id.get_ref();
        if targets.claim(id).is_none() {
            return self.fault(&span, &format!("expected a claim of targets.toml, found `{id}`"));
        }
        if claim.holds.is_some() != claim.told.is_some() || claim.holds.is_some() != claim.part.is_empty() {
            return self.fault(&span, "expected `holds` and `told`, or parts with them");
        }
        claim
            .given
            .keys()
            .chain(claim.under.iter().map(|under| &under.label))
            .try_for_each(|label| self.label(label))?;
        claim.holds.iter().chain(&claim.only).try_for_each(|formula| self.formula(formula))?;
        claim.told.iter().try_for_each(|text| self.text(text))?;
        self.parts(&claim.part)?;
        claim.otherwise.iter().try_for_each(|other| self.otherwise(other, &span))
    }

    pub(super) fn parts(&self, parts: &[Part]) -> Checked {
        parts.iter().try_for_each(|part| {
            part.loops.iter().chain(part.given.keys()).try_for_each(|label| self.label(label))?;
            self.formula(&part.holds)?;
            self.text(&part.told)
        })
    }

    pub(super) fn specs(&self, specs: &[Spanned<String>]) -> Checked {
        let known = |spec: &Spanned<String>| self.study.form.spec.contains_key(spec.get_ref());
        match specs.iter().find(|spec| !known(spec)) {
            Some(spec) => {
                let all: Vec<&str> = self.study.form.spec.keys().map(String::as_str).collect();
                self.fault(
                    &spec.span(),
                    &format!("expected one of the specs {}, found `{}`", all.join(", "), spec.get_ref()),
                )
            }
            None => Ok(()),
        }
    }

    fn is_label(&self, name: &str) -> bool {
        name == "spec" || self.study.form.label.contains_key(name) || self.own.contains_key(name)
    }

    pub(super) fn label(&self, label: &Spanned<String>) -> Checked {
        if self.is_label(label.get_ref()) {
            return Ok(());
        }
        self.fault(&label.span(), &self.no_label(label.get_ref()))
    }

    fn no_label(&self, name: &str) -> String {
        let all: Vec<&str> = self.study.form.label.keys().chain(self.own.keys()).map(String::as_str).collect();
        format!("expected one of the labels {}, found `{name}`", all.join(", "))
    }

    pub(super) fn formula(&self, formula: &Formula) -> Checked {
        self.expr(&formula.is, &mut Vec::new()).or_else(|message| self.fault(&formula.span, &message))
    }

    pub(super) fn text(&self, text: &Text) -> Checked {
        self.pieces(&text.is, &mut Vec::new()).or_else(|message| self.fault(&text.span, &message))
    }

    fn pieces<'e>(&self, pieces: &'e [Piece], bound: &mut Vec<&'e str>) -> Result<(), String> {
        pieces.iter().try_for_each(|piece| match piece {
            Piece::Plain(_) => Ok(()),
            Piece::Value(value, _) => self.expr(value, bound),
        })
    }

    /// Finds the first name of a formula that there is not.
    fn expr<'e>(&self, expr: &'e Expr, bound: &mut Vec<&'e str>) -> Result<(), String> {
        let mut all = |all: &[&'e Expr]| all.iter().try_for_each(|expr| self.expr(expr, bound));
        match expr {
            Expr::Number(_) => Ok(()),
            Expr::Text(pieces) => self.pieces(pieces, bound),
            Expr::Name(name) => self.name(name, bound),
            Expr::List(list) => all(&list.iter().collect::<Vec<_>>()),
            Expr::Element(a, b) | Expr::Binary(_, a, b) => all(&[a, b]),
            Expr::Minus(a) | Expr::Not(a) => all(&[a]),
            Expr::If(a, b, c) => all(&[a, b, c]),
            Expr::Chain(first, rest) => {
                all(&[first.as_ref()].into_iter().chain(rest.iter().map(|(_, e)| e)).collect::<Vec<_>>())
            }
            Expr::Call(name, arguments, given) => {
                self.function(name, arguments.len())?;
                if let Some((label, _)) = given.iter().find(|(label, _)| !self.is_label(label)) {
                    return Err(self.no_label(label));
                }
                all(&arguments.iter().chain(given.iter().map(|(_, value)| value)).collect::<Vec<_>>())
            }
            Expr::For { body, name, list, only } => {
                match list {
                    Some(list) => self.expr(list, bound)?,
                    None if self.is_label(name) => {}
                    None => return Err(self.no_label(name)),
                }
                bound.push(name);
                let inner = [Some(body), only.as_ref()].into_iter().flatten().try_for_each(|e| self.expr(e, bound));
                bound.pop();
                inner
            }
        }
    }

    fn name(&self, name: &str, bound: &[&str]) -> Result<(), String> {
        let known = bound.contains(&name)
            || self.over.contains(&name)
            || CONSTANTS.contains(&name)
            || self.is_label(name)
            || self.study.defined(name).is_some_and(|(arguments, _)| arguments.is_empty())
            || column(name).is_some()
            || name == "preset"
            || name.contains('.');
        if known {
            return Ok(());
        }
        Err(format!("expected a label, a definition, a column of the record or the path of a setting, found `{name}`"))
    }

    fn function(&self, name: &str, arguments: usize) -> Result<(), String> {
        let known = is_function(name)
            || is_common(name)
            || self.study.defined(name).is_some_and(|(names, _)| names.len() == arguments);
        if known { Ok(()) } else { Err(format!("expected a function, found `{name}`")) }
    }
}
