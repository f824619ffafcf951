//! The verdict on a claim.

use super::form::Judged;
use super::measure::{given, loops, told, truth};
use super::scope::Scope;
use crate::reproduce::StudyError;

/// Claim id, verdict, evidence.
pub type Verdict = (&'static str, Option<bool>, String);

/// Judges a claim.
///
/// # Errors
/// A formula that has no value.
pub fn verdict(scope: &Scope, claim: &'static Judged) -> Result<Verdict, StudyError> {
    let scope = &given(scope, &claim.given)?;
    let (holds, evidence) = match (&claim.holds, &claim.told) {
        (Some(holds), Some(evidence)) => (truth(scope, holds)?, told(scope, evidence)?),
        _ => parts(scope, claim)?,
    };
    Ok(match claim.short_form.as_ref().filter(|_| scope.lab.quick()) {
        Some(why) => (claim.id.get_ref().as_str(), None, format!("{why}; {evidence}")),
        None => (claim.id.get_ref().as_str(), Some(holds), evidence),
    })
}

/// Whether all parts hold, and each with its own verdict in words.
fn parts(scope: &Scope, claim: &Judged) -> Result<(bool, String), StudyError> {
    let mut all = true;
    let mut evidence = Vec::new();
    for part in &claim.part {
        for scope in loops(&given(scope, &part.given)?, &part.loops)? {
            let holds = truth(&scope, &part.holds)?;
            all &= holds;
            let verdict = if holds { "holds" } else { "does not hold" };
            evidence.push(format!("{verdict}: {}", told(&scope, &part.told)?));
        }
    }
    Ok((all, evidence.join("; ")))
}
