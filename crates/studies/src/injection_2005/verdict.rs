//! Verdicts under three request rules.
//!
//! The paper does not say how a head comes to ask for one output rather than another; its simulator has three ways, and they
//! decide some claims. **A claim's own verdict is the one under `smart`**, whose order is that of section 3 of the paper
//! (same ring, another profitable dimension, escape last); the evidence tells the verdict under each.

use super::key::Rule;
use crate::lab::Lab;

/// Claim id, verdict, evidence.
pub type Verdict = (&'static str, Option<bool>, String);

/// Judges a claim under each of the rules that were run.
pub fn by_rule(id: &'static str, rules: &[Rule], judge: impl Fn(Rule) -> (bool, String)) -> Verdict {
    let mut own = None;
    let mut evidence = Vec::new();
    for rule in rules {
        let (holds, told) = judge(*rule);
        if *rule == Rule::Smart {
            own = Some(holds);
        }
        evidence.push(format!("{} {}: {told}", rule.name(), if holds { "holds" } else { "does not hold" }));
    }
    (id, own, evidence.join("; "))
}

/// The same, without a verdict in the short form.
pub fn full_form(lab: &Lab, (id, holds, evidence): Verdict, why: &str) -> Verdict {
    if lab.quick() { (id, None, format!("not judged: {why}; {evidence}")) } else { (id, holds, evidence) }
}

#[cfg(test)]
mod tests {
    use super::super::key::RULES;
    use super::*;

    #[test]
    fn the_verdict_is_that_under_smart() {
        let (id, holds, evidence) = by_rule("c2", &RULES, |rule| (rule == Rule::Smart, "0.47".to_owned()));
        assert_eq!((id, holds), ("c2", Some(true)));
        assert_eq!(evidence, "smart holds: 0.47; random does not hold: 0.47; shortest does not hold: 0.47");
        assert_eq!(by_rule("c2", &[Rule::Random], |_| (true, String::new())).1, None, "without smart there is none");
    }
}
