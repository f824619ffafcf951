//! The verdict on a claim.

use super::form::{Judged, Otherwise, Part, Under};
use super::runs::plain;
use super::scope::Scope;
use super::values::{allowed, given, loops, placed, told, truth};
use crate::formula::{Formula, Names as _, Text, Value};
use crate::reproduce::StudyError;
use crate::study::{Beside, Verdict};

/// A rule with its evidence, or parts of a rule.
type Rule<'f> = (Option<&'f Formula>, Option<&'f Text>, &'f [Part]);

/// Judges a claim: in the words that the reading chose, with the other ones beside it.
///
/// # Errors
/// A formula that has no value.
pub fn verdict(scope: &Scope, claim: &'static Judged) -> Result<Verdict, StudyError> {
    let scope = &given(scope, &claim.given)?;
    let judged = allowed(scope, claim.only.as_ref())?;
    let own = (claim.holds.as_ref(), claim.told.as_ref(), claim.part.as_slice());
    let chosen = claim.otherwise.iter().find(|other| other.is_chosen(scope));
    let mut ways = Vec::new();
    for other in std::iter::once(None).chain(claim.otherwise.iter().map(Some)) {
        let rule = other.map_or(own, Otherwise::rule);
        let (holds, evidence) = match &claim.under {
            Some(under) => under_each(scope, rule, under)?,
            None => one(scope, rule).map(|(holds, evidence)| (Some(holds), evidence))?,
        };
        let holds = holds.filter(|_| judged && !(scope.lab.quick() && claim.short_form.is_some()));
        let under = other.map_or_else(|| "otherwise".to_owned(), |other| format!("under {}", other.told()));
        let text = other.and_then(|other| other.text.clone());
        let is_own = other.map(std::ptr::from_ref) == chosen.map(std::ptr::from_ref);
        ways.push((is_own, Beside { under, text, holds, evidence }));
    }
    let (own, beside): (Vec<_>, Vec<_>) = ways.into_iter().partition(|(is_own, _)| *is_own);
    let own = own.into_iter().next().expect("one of the ways is chosen").1;
    let evidence = match claim.short_form.as_ref().filter(|_| scope.lab.quick()) {
        Some(why) => format!("{why}; {}", own.evidence),
        None => own.evidence,
    };
    let beside = beside.into_iter().map(|(_, beside)| beside).collect();
    let (id, held_back) = (claim.id.get_ref().as_str(), claim.held_back);
    Ok(Verdict { id, text: own.text, holds: own.holds, evidence, beside, held_back })
}

impl Judged {
    /// The verdict of a form of the study that leaves its item out.
    pub fn absent(&'static self, why: &str) -> Verdict {
        let evidence = format!("not judged: {why}");
        let (id, held_back) = (self.id.get_ref().as_str(), self.held_back);
        Verdict { id, text: None, holds: None, evidence, beside: Vec::new(), held_back }
    }
}

impl Otherwise {
    fn rule(&self) -> Rule<'_> {
        (self.holds.as_ref(), self.told.as_ref(), &self.part)
    }

    /// Whether the reading asks for these words.
    fn is_chosen(&self, scope: &Scope) -> bool {
        self.under
            .iter()
            .all(|(question, candidate)| scope.lab.reading().chose(question.get_ref(), candidate.get_ref()))
    }

    fn told(&self) -> String {
        let choices =
            self.under.iter().map(|(question, choice)| format!("{} = {}", question.get_ref(), choice.get_ref()));
        choices.collect::<Vec<_>>().join(", ")
    }
}

fn one(scope: &Scope, (holds, evidence, all): Rule) -> Result<(bool, String), StudyError> {
    match (holds, evidence) {
        (Some(holds), Some(evidence)) => Ok((truth(scope, holds)?, told(scope, evidence)?)),
        _ => parts(scope, all),
    }
}

/// The verdict under the value that counts, none where it was not run, and the evidence under each.
fn under_each(scope: &Scope, rule: Rule, under: &Under) -> Result<(Option<bool>, String), StudyError> {
    let (mut own, mut evidence) = (None, Vec::new());
    let label = under.label.get_ref();
    let counts = plain(scope.lab.reading().counts(label).unwrap_or(&under.counts));
    for scope in loops(scope, std::slice::from_ref(&under.label))? {
        let (holds, told) = one(&scope, rule)?;
        let value = placed(&scope, &under.label.span(), scope.value(label))?;
        own = if Some(&value) == counts.as_ref() { Some(holds) } else { own };
        evidence.push(format!("{value} {}: {told}", Value::Truth(holds)));
    }
    Ok((own, evidence.join("; ")))
}

/// Whether all parts hold, and each with its own verdict in words.
fn parts(scope: &Scope, parts: &[Part]) -> Result<(bool, String), StudyError> {
    let mut all = true;
    let mut evidence = Vec::new();
    for part in parts {
        for scope in loops(&given(scope, &part.given)?, &part.loops)? {
            let holds = truth(&scope, &part.holds)?;
            all &= holds;
            evidence.push(format!("{}: {}", Value::Truth(holds), told(&scope, &part.told)?));
        }
    }
    Ok((all, evidence.join("; ")))
}
