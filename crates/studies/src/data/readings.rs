//! Readings of a study: which candidate each of them chooses, and what can be wrong with that.

use super::form::Form;
use super::questions::Named;
use super::study::Fault;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// More combinations of candidates than this are not listed in the order of their promise.
pub const MOST_COMBINATIONS: usize = 100_000;

/// Makes a fault at these bytes of the file.
type At<'f> = &'f dyn Fn(&Range<usize>, &str) -> Fault;

/// The number of the candidate of each question, by reading.
///
/// # Errors
/// A question, candidate or reading that there is not, a reading that leaves a question open, or readings that take their choices
/// from each other in a circle.
pub fn resolved(form: &Form, fault: At) -> Result<BTreeMap<String, Vec<usize>>, Fault> {
    questions(form, fault)?;
    let mut found = BTreeMap::new();
    for name in form.reading.keys() {
        found.insert(name.get_ref().clone(), choices(form, name, fault)?);
    }
    for name in form.declared.iter().chain(form.search.iter().map(|search| &search.from)) {
        known_reading(form, name, fault)?;
    }
    if form.declared.is_none() && !form.question.is_empty() {
        let first = form.question[0].name.span();
        return Err(fault(
            &first,
            "expected `declared` at the top, the reading under which a study with questions runs",
        ));
    }
    Ok(found)
}

fn questions(form: &Form, fault: At) -> Result<(), Fault> {
    let names: Vec<&Spanned<String>> = form.question.iter().map(|question| &question.name).collect();
    different(&names, "questions", fault)?;
    let mut combinations = 1_usize;
    for question in &form.question {
        let names: Vec<&Spanned<String>> = question.candidate.iter().map(|candidate| &candidate.name).collect();
        if names.is_empty() {
            return Err(fault(&question.name.span(), "expected a candidate for this question"));
        }
        different(&names, "candidates of a question", fault)?;
        combinations = combinations.saturating_mul(if question.searched { names.len() } else { 1 });
        if combinations > MOST_COMBINATIONS {
            let told = format!("expected at most {MOST_COMBINATIONS} combinations of candidates up to this question");
            return Err(fault(&question.name.span(), &told));
        }
    }
    Ok(())
}

fn different(names: &[&Spanned<String>], what: &str, fault: At) -> Result<(), Fault> {
    let again = |at: &usize| names[..*at].iter().any(|other| other.get_ref() == names[*at].get_ref());
    match (0..names.len()).find(again) {
        Some(at) => {
            Err(fault(&names[at].span(), &format!("expected different {what}, found `{}` twice", names[at].get_ref())))
        }
        None => Ok(()),
    }
}

/// Number of a question and of its candidate.
///
/// # Errors
/// One of them there is not.
pub fn known_choice(
    form: &Form,
    question: &Spanned<String>,
    candidate: &Spanned<String>,
    fault: At,
) -> Result<(usize, usize), Fault> {
    let Some(at) = form.question.iter().position(|other| other.name.get_ref() == question.get_ref()) else {
        let all = form.question.iter().map(|question| question.name.get_ref());
        return Err(fault(&question.span(), &expected("questions", all, question)));
    };
    let candidates = &form.question[at].candidate;
    let Some(choice) = candidates.iter().position(|other| other.name.get_ref() == candidate.get_ref()) else {
        let what = format!("candidates of `{}`", question.get_ref());
        let all = candidates.iter().map(|candidate| candidate.name.get_ref());
        return Err(fault(&candidate.span(), &expected(&what, all, candidate)));
    };
    Ok((at, choice))
}

fn known_reading<'f>(
    form: &'f Form,
    name: &Spanned<String>,
    fault: At,
) -> Result<(&'f Spanned<String>, &'f Named), Fault> {
    let found = form.reading.iter().find(|(other, _)| other.get_ref() == name.get_ref());
    found.ok_or_else(|| fault(&name.span(), &expected("readings", form.reading.keys().map(Spanned::get_ref), name)))
}

fn expected<'n>(what: &str, all: impl Iterator<Item = &'n String>, found: &Spanned<String>) -> String {
    let all: Vec<&str> = all.map(String::as_str).collect();
    let all = if all.is_empty() { "of which there are none".to_owned() } else { all.join(", ") };
    format!("expected one of the {what} {all}, found `{}`", found.get_ref())
}

/// The choices of a reading, its own first and then those of the readings that it is from.
fn choices(form: &Form, name: &Spanned<String>, fault: At) -> Result<Vec<usize>, Fault> {
    let mut chosen: Vec<Option<usize>> = vec![None; form.question.len()];
    let mut seen: Vec<&str> = Vec::new();
    let mut next = Some(name);
    while let Some(name) = next {
        let (key, reading) = known_reading(form, name, fault)?;
        if seen.contains(&key.get_ref().as_str()) {
            let circle = format!(
                "expected a reading that is not from itself, found {} from {}",
                seen.join(" from "),
                name.get_ref()
            );
            return Err(fault(&name.span(), &circle));
        }
        seen.push(key.get_ref());
        for (question, candidate) in &reading.choice {
            let (at, choice) = known_choice(form, question, candidate, fault)?;
            chosen[at] = chosen[at].or(Some(choice));
        }
        next = reading.from.as_ref();
    }
    let open = chosen.iter().position(Option::is_none);
    match open {
        Some(at) => {
            let told = format!("expected a choice for the question `{}`, found none", form.question[at].name.get_ref());
            Err(fault(&name.span(), &told))
        }
        None => Ok(chosen.into_iter().flatten().collect()),
    }
}
