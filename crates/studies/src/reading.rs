//! Readings: which candidate answers each question on which a paper is silent.

use crate::data::DataStudy;
use crate::data::questions::{Candidate, Question};
use crate::formula::Formula;
use std::fmt;

/// What a study without questions calls its one reading.
const AS_WRITTEN: &str = "as written";

/// A choice for each question of a study.
#[derive(Clone)]
pub struct Reading {
    study: &'static DataStudy,
    name: String,
    /// Number of the candidate of each question.
    chosen: Vec<usize>,
}

impl Reading {
    /// The reading of this name; none where the study has none of this name.
    pub(crate) fn named(study: &'static DataStudy, name: &str) -> Option<Self> {
        let chosen = study.readings.get(name)?.clone();
        Some(Reading { study, name: name.to_owned(), chosen })
    }

    /// The reading that a search calls so: the name of a reading, or `NAME with QUESTION = CANDIDATE, QUESTION = CANDIDATE`.
    pub(crate) fn called(study: &'static DataStudy, text: &str) -> Option<Self> {
        let Some((name, changes)) = text.split_once(" with ") else { return Reading::named(study, text) };
        let from = Reading::named(study, name)?;
        let mut chosen = from.chosen.clone();
        for (question, candidate) in changes_in(changes)? {
            let at = study.form.question.iter().position(|other| other.name.get_ref() == question)?;
            let candidates = &study.form.question[at].candidate;
            chosen[at] = candidates.iter().position(|other| other.name.get_ref() == &candidate)?;
        }
        Some(Reading::of(study, chosen, &from))
    }

    /// The reading under which the study runs unless another one is asked for.
    pub(crate) fn declared(study: &'static DataStudy) -> Self {
        let declared = study.form.declared.as_ref().and_then(|name| Reading::named(study, name.get_ref()));
        declared.unwrap_or(Reading { study, name: AS_WRITTEN.to_owned(), chosen: Vec::new() })
    }

    /// These candidates, called by their differences from another reading unless the study has a name for them.
    pub(crate) fn of(study: &'static DataStudy, chosen: Vec<usize>, from: &Reading) -> Self {
        if let Some((name, _)) = study.readings.iter().find(|(_, other)| **other == chosen) {
            return Reading { study, name: name.clone(), chosen };
        }
        let mut reading = Reading { study, name: String::new(), chosen };
        let changes =
            reading.changes(from).into_iter().map(|(question, candidate)| format!("{question} = {candidate}"));
        reading.name = format!("{} with {}", from.name, changes.collect::<Vec<_>>().join(", "));
        reading
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name and what it stands for, as far as the study says.
    pub(crate) fn heading(&self) -> String {
        let own = self.study.form.reading.iter().find(|(name, _)| name.get_ref() == &self.name);
        own.map_or_else(|| self.name.clone(), |(name, reading)| format!("{}, {}", name.get_ref(), reading.why))
    }

    /// Number of the candidate of each question.
    pub(crate) fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// Name of each question and of the candidate that answers it.
    pub fn choices(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.pairs().map(|(question, candidate)| (question.name.get_ref().as_str(), candidate.name.get_ref().as_str()))
    }

    /// The question in words, the candidate, and why somebody might have built it so.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + '_ {
        self.pairs().map(|(question, candidate)| {
            (question.asks.as_str(), candidate.name.get_ref().as_str(), candidate.why.as_str())
        })
    }

    /// The choices in one line, `tie = sign, margin = at most`; empty where nothing is asked.
    pub fn told(&self) -> String {
        self.choices().map(|(question, candidate)| format!("{question} = {candidate}")).collect::<Vec<_>>().join(", ")
    }

    /// Whether this candidate answers this question.
    pub(crate) fn chose(&self, question: &str, candidate: &str) -> bool {
        self.choices().any(|choice| choice == (question, candidate))
    }

    /// The choices that differ from those of another reading.
    pub(crate) fn changes(&self, from: &Reading) -> Vec<(&'static str, &'static str)> {
        self.choices().zip(from.choices()).filter(|(own, other)| own != other).map(|(own, _)| own).collect()
    }

    /// `--set` arguments for a spec.
    pub(crate) fn sets(&self, spec: &str) -> Vec<&'static str> {
        self.pairs().flat_map(|(_, candidate)| candidate.sets(spec)).collect()
    }

    /// Keys of the components of a kind in a spec, by section and kind.
    pub(crate) fn of_kinds(&self, spec: &str) -> Vec<((&'static str, &'static str), &'static toml::Table)> {
        let kinds =
            self.pairs().filter(|(_, candidate)| candidate.is_for(spec)).flat_map(|(_, candidate)| &candidate.of_kind);
        kinds.map(|(name, keys)| (name.get_ref().split_once('.').unwrap_or((name.get_ref(), "")), keys)).collect()
    }

    /// Keys of the runs with a preset in a spec, by preset.
    pub(crate) fn of_presets(&self, spec: &str) -> Vec<(&'static str, &'static toml::Table)> {
        let own = self.pairs().filter(|(_, candidate)| candidate.is_for(spec));
        own.flat_map(|(_, candidate)| &candidate.of_preset)
            .map(|(name, keys)| (name.get_ref().as_str(), keys))
            .collect()
    }

    /// The value of a label under which claims are judged; none where the claim's own stands.
    pub(crate) fn counts(&self, label: &str) -> Option<&'static toml::Value> {
        let of = |candidate: &'static Candidate| candidate.counts.iter().find(|(name, _)| name.get_ref() == label);
        self.pairs().find_map(|(_, candidate)| of(candidate)).map(|(_, value)| value)
    }

    /// The formula that a candidate gives a definition; none where the study's own stands.
    pub(crate) fn defined(&self, key: &str) -> Option<&'static Formula> {
        let of = |candidate: &'static Candidate| {
            candidate.define.iter().find(|(name, _)| name.get_ref() == key).map(|(_, formula)| formula)
        };
        self.pairs().find_map(|(_, candidate)| of(candidate))
    }

    fn pairs(&self) -> impl Iterator<Item = (&'static Question, &'static Candidate)> + '_ {
        let study = self.study;
        study.form.question.iter().zip(&self.chosen).map(|(question, at)| (question, &question.candidate[*at]))
    }
}

impl Candidate {
    /// `--set` arguments for a spec.
    fn sets<'c>(&'c self, spec: &str) -> impl Iterator<Item = &'c str> + use<'c> {
        let own = self.is_for(spec);
        let own = self.set.iter().filter(move |_| own);
        let within = self.within.iter().filter(|within| has(&within.specs, spec)).map(|within| &within.set);
        own.chain(within.collect::<Vec<_>>().into_iter().flatten()).map(String::as_str)
    }

    /// Whether what it sets everywhere is for this spec.
    fn is_for(&self, spec: &str) -> bool {
        (self.specs.is_empty() || has(&self.specs, spec)) && !has(&self.except, spec)
    }
}

/// The pairs of `a = b, c = d, with a comma`: what has no question belongs to the candidate before it.
fn changes_in(text: &str) -> Option<Vec<(&str, String)>> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for part in text.split(", ") {
        match part.split_once(" = ") {
            Some((question, candidate)) => found.push((question, candidate.to_owned())),
            None => found.last_mut()?.1.extend([", ", part]),
        }
    }
    Some(found)
}

fn has(specs: &[toml::Spanned<String>], spec: &str) -> bool {
    specs.iter().any(|other| other.get_ref() == spec)
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("name", &self.name).field("chosen", &self.chosen).finish_non_exhaustive()
    }
}
