//! The verdict on a claim.

use super::form::{Judged, Under};
use super::runs::plain;
use super::scope::Scope;
use super::values::{allowed, given, loops, placed, told, truth};
use crate::formula::{Names as _, Value};
use crate::reproduce::StudyError;

/// Claim id, verdict, evidence.
pub type Verdict = (&'static str, Option<bool>, String);

/// Judges a claim.
///
/// # Errors
/// A formula that has no value.
pub fn verdict(scope: &Scope, claim: &'static Judged) -> Result<Verdict, StudyError> {
    let scope = &given(scope, &claim.given)?;
    let judged = allowed(scope, claim.only.as_ref())?;
    let (holds, evidence) = match &claim.under {
        Some(under) => under_each(scope, claim, under)?,
        None => rule(scope, claim).map(|(holds, evidence)| (Some(holds), evidence))?,
    };
    let holds = holds.filter(|_| judged);
    Ok(match claim.short_form.as_ref().filter(|_| scope.lab.quick()) {
        Some(why) => (claim.id.get_ref().as_str(), None, format!("{why}; {evidence}")),
        None => (claim.id.get_ref().as_str(), holds, evidence),
    })
}

fn rule(scope: &Scope, claim: &Judged) -> Result<(bool, String), StudyError> {
    match (&claim.holds, &claim.told) {
        (Some(holds), Some(evidence)) => Ok((truth(scope, holds)?, told(scope, evidence)?)),
        _ => parts(scope, claim),
    }
}

/// The verdict under the value that counts, none where it was not run, and the evidence under each.
fn under_each(scope: &Scope, claim: &Judged, under: &Under) -> Result<(Option<bool>, String), StudyError> {
    let (mut own, mut evidence) = (None, Vec::new());
    let (label, counts) = (under.label.get_ref(), plain(&under.counts));
    for scope in loops(scope, std::slice::from_ref(&under.label))? {
        let (holds, told) = rule(&scope, claim)?;
        let value = placed(&scope, &under.label.span(), scope.value(label))?;
        own = if Some(&value) == counts.as_ref() { Some(holds) } else { own };
        evidence.push(format!("{value} {}: {told}", Value::Truth(holds)));
    }
    Ok((own, evidence.join("; ")))
}

/// Whether all parts hold, and each with its own verdict in words.
fn parts(scope: &Scope, claim: &Judged) -> Result<(bool, String), StudyError> {
    let mut all = true;
    let mut evidence = Vec::new();
    for part in &claim.part {
        for scope in loops(&given(scope, &part.given)?, &part.loops)? {
            let holds = truth(&scope, &part.holds)?;
            all &= holds;
            evidence.push(format!("{}: {}", Value::Truth(holds), told(&scope, &part.told)?));
        }
    }
    Ok((all, evidence.join("; ")))
}
