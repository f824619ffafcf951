//! What would be wrong with a spec even if its mistakes of writing were put right: told together with them.

use crate::spec_file::SpecArgs;
use std::collections::BTreeSet;
use tailback_sim::{catalogue, prepare};
use tailback_spec::{Document, Errors, SpecError};

/// The number of points that stand for all points of a sweep.
const POINTS: usize = 50;
/// With more mistakes than this nobody can say what was meant, and looking for it would take long.
const MISTAKES: usize = 100;

/// `errors` of a document, and the physical reasons against what it was probably meant to be.
pub fn beside(args: &SpecArgs, document: &Document, errors: Errors) -> Errors {
    let reasons = reasons(args, document, &errors).unwrap_or_default();
    errors.and(reasons)
}

/// The reasons that do not depend on a value that had to be left out.
fn reasons(args: &SpecArgs, document: &Document, errors: &Errors) -> Option<BTreeSet<SpecError>> {
    if errors.errors().len() > MISTAKES {
        return None;
    }
    let (mended, unknown) = document.mended(errors)?;
    let plan = mended.plan(catalogue()).ok()?;
    let mut reasons = BTreeSet::new();
    for point in plan.points().take(POINTS) {
        let mut point = point.ok()?;
        args.locate_files(&mut point).ok()?;
        if let Err(found) = prepare(&point) {
            reasons.extend(found.errors().iter().cloned());
        }
    }
    reasons.retain(|reason| {
        let near = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
        !unknown.iter().any(|path| premises(&reason.path).iter().any(|premise| near(path, premise)))
    });
    Some(reasons)
}

/// The beginnings of the paths of all parameters that a reason against `path` can rest on.
fn premises(path: &str) -> &'static [&'static str] {
    match path {
        _ if path.starts_with("traffic.pattern") => &["topology", "traffic.pattern", "workload"],
        _ if path.starts_with("traffic") || path.starts_with("workload") => &["topology", "traffic", "workload"],
        _ if path.starts_with("probes") => &["topology", "router.virtual_channels", "probes", "workload", "run"],
        "router.buffer_flits" => &["router.kind", "router.buffer_flits", "traffic.size"],
        "topology.radix" => &["topology", "router", "traffic.size", "admission", "recovery", "probes", "run"],
        _ if path.starts_with("admission") => &["topology", "router", "routing", "admission"],
        _ => &[
            "topology",
            "router.kind",
            "router.virtual_channels",
            "router.sharing",
            "router.vc_",
            "router.speculative",
            "router.ejection_channels",
            "router.injection_channels",
            "routing",
            "recovery",
            "run.allow_deadlock",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(spec: &str) -> Vec<String> {
        let document = Document::parse("s.toml", spec.as_bytes()).expect("readable");
        let args = SpecArgs { spec: "s.toml".into(), set: Vec::new() };
        let errors = document.plan(catalogue()).expect_err("a mistake");
        beside(&args, &document, errors).errors().iter().map(|e| e.message.clone()).collect()
    }

    fn tells(spec: &str, words: &[&str]) {
        let told = told(spec);
        assert_eq!(told.len(), words.len(), "{told:?}");
        for word in words {
            assert!(told.iter().any(|message| message.contains(word)), "{word}: {told:?}");
        }
    }

    #[test]
    fn physical_reasons_stand_beside_mistakes_of_writing() {
        tells(
            "topology = { kind = 'torus', radix = [8, 6] }\nrouter = { virtual_chanels = 1 }\n\
             traffic = { load = 90, pattern = 'bcmpp' }\n",
            &["unknown key", "between 0 and 64", "no kind \"bcmpp\"", "needs 2 virtual", "power of two"],
        );
        let small =
            "topology = { kind = 'torus', radix = [8, 6] }\nrouter = { virtual_chanels = 1, buffer_flits = 4 }\n";
        tells(small, &["unknown key", "needs 2 virtual", "never fits"]);
    }

    #[test]
    fn nothing_is_concluded_from_a_value_that_was_left_out() {
        let carried = "topology = { kind = 'torus', radix = [8, 8] }\nrouter.virtual_channels = 99\n\
                       routing.channel_numbering = 'carry'\n";
        tells(carried, &["between 1 and 16"]);
        tells("topology = { kind = 'torus', radix = [8, 1] }\nrouter.virtual_channels = 1\n", &["each value"]);
        tells("topology = { kind = 'torus', radix = [8, 6] }\ntraffic.pattern = 'x'\n", &["no kind \"x\""]);
    }
}
