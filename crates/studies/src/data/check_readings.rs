//! What can be wrong in questions, candidates and the search of a study before anything runs.

use super::check::{Checked, Names};
use super::form::Otherwise;
use super::questions::{Candidate, Choose, Search};
use super::readings::known_choice;
use super::study::signature;
use crate::search::SCORED;
use std::ops::Range;

impl Names<'_> {
    /// Finds the first name that there is not.
    pub(super) fn questions(&self) -> Checked {
        let candidates = self.study.form.question.iter().flat_map(|question| &question.candidate);
        candidates.into_iter().try_for_each(|candidate| self.candidate(candidate))?;
        self.study.form.search.iter().try_for_each(|search| self.search(search))
    }

    fn candidate(&self, candidate: &Candidate) -> Checked {
        self.specs(&candidate.specs)?;
        self.specs(&candidate.except)?;
        candidate.within.iter().try_for_each(|within| self.specs(&within.specs))?;
        if let Some(name) = candidate.of_kind.keys().find(|name| !name.get_ref().contains('.')) {
            let told = format!("expected a section and a kind, such as `admission.spth`, found `{}`", name.get_ref());
            return self.fault(&name.span(), &told);
        }
        let presets = &tailback_sim::catalogue().presets;
        if let Some(name) = candidate.of_preset.keys().find(|name| !presets.iter().any(|p| p.name == name.get_ref())) {
            let told = format!("expected a preset, such as `{}`, found `{}`", presets[0].name, name.get_ref());
            return self.fault(&name.span(), &told);
        }
        candidate.counts.keys().try_for_each(|label| self.label(label))?;
        for (key, formula) in &candidate.define {
            if !self.study.form.define.contains_key(key.get_ref()) {
                let told =
                    format!("expected a definition of `[define]`, with its arguments, found `{}`", key.get_ref());
                return self.fault(&key.span(), &told);
            }
            let (_, arguments) = signature(key.get_ref());
            Names { over: arguments.iter().map(String::as_str).collect(), ..*self }.formula(formula)?;
        }
        Ok(())
    }

    fn search(&self, search: &Search) -> Checked {
        let items = &self.study.form.item;
        let unknown = |name: &&toml::Spanned<String>| !items.iter().any(|item| &item.name == name.get_ref());
        if let Some(name) = search.items.iter().find(unknown) {
            let all: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
            return self.fault(
                &name.span(),
                &format!("expected one of the items {}, found `{}`", all.join(", "), name.get_ref()),
            );
        }
        Names { over: vec!["measured", "paper"], ..*self }.formula(&search.met)?;
        crate::search::check_score(&search.score.is).or_else(|fault| {
            self.fault(&search.score.span, &format!("{fault} (a score has the names {})", SCORED.join(", ")))
        })
    }

    /// How a search takes a cell.
    pub(super) fn choose(&self, choose: &Choose) -> Checked {
        let formulas = [&choose.only, &choose.met, &choose.held_back];
        formulas.into_iter().flatten().try_for_each(|formula| self.formula(formula))
    }

    /// Another wording of the claim whose name stands at `claim`.
    pub(super) fn otherwise(&self, other: &Otherwise, claim: &Range<usize>) -> Checked {
        let fault = |span: &Range<usize>, message: &str| self.study.fault(span, message);
        for (question, candidate) in &other.under {
            known_choice(&self.study.form, question, candidate, &fault)?;
        }
        if other.under.is_empty() {
            return self.fault(claim, "expected a question and its candidate in `if` of another wording of this claim");
        }
        if other.holds.is_some() != other.told.is_some() || other.holds.is_some() != other.part.is_empty() {
            return self
                .fault(claim, "expected `holds` and `told`, or parts with them, in another wording of this claim");
        }
        other.holds.iter().try_for_each(|formula| self.formula(formula))?;
        other.told.iter().try_for_each(|text| self.text(text))?;
        self.parts(&other.part)
    }
}
