//! One check for all points that differ in nothing it looks at, as those of a sweep over loads, patterns or seeds do.
//!
//! The check is a pure function of its key, so who asks first, from whichever thread, changes no answer.

use super::{Freedom, bubbles};
use crate::router::Router;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tailback_network::Grid;
use tailback_spec::Resolved;

/// Answers kept at a time; one takes a few hundred bytes.
const MOST: usize = 256;

static ANSWERS: Mutex<BTreeMap<String, Freedom>> = Mutex::new(BTreeMap::new());

fn answers() -> MutexGuard<'static, BTreeMap<String, Freedom>> {
    // What another thread left is whole: it inserts, and cannot stop in between.
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answer to `key`, which `check` gives where nobody asked before. Two threads that ask at once may both check. Once `cancel`
/// is set the answer of `check` means nothing, and is not remembered.
pub(super) fn of(key: String, cancel: &AtomicBool, check: impl FnOnce() -> Freedom) -> Freedom {
    if let Some(answer) = answers().get(&key) {
        return answer.clone();
    }
    let answer = check();
    if cancel.load(Ordering::Relaxed) {
        return answer;
    }
    let mut answers = answers();
    if answers.len() >= MOST {
        answers.clear();
    }
    answers.insert(key, answer.clone());
    answer
}

/// All that the check looks at, as text.
pub(super) fn key(spec: &Resolved, grid: &Grid, router: &Router) -> String {
    let section = |name: &str| spec.get(name).map(toml::Value::to_string).unwrap_or_default();
    // A model of a network that is too large has other radices than its spec.
    let network = format!("{:?} {} {}", grid.radix(), section("topology"), section("routing"));
    match router {
        Router::Queued(_) => format!("{network} {} {}", section("router"), section("queueing")),
        _ => {
            let sharing = match router {
                Router::Wormhole(router) => Some(router.sharing),
                _ => None,
            };
            let (channels, chooses) = (router.channels(), router.chooses());
            let bubbles = bubbles(spec, grid, router);
            format!("{network} {channels} {chooses} {sharing:?} {bubbles:?}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::Free;
    use std::cell::Cell;
    use tailback_spec::Document;

    fn key_of(spec: &str) -> String {
        let document = Document::parse("s.toml", spec.as_bytes()).expect("readable");
        let point = document.expand(crate::catalogue()).expect("no mistakes").swap_remove(0);
        let grid = tailback_network::topology::build(point.resolved.view("topology"));
        key(&point.resolved, &grid, &Router::new(&point.resolved, point.seed))
    }

    #[test]
    fn only_what_the_check_looks_at_asks_for_another() {
        let with = |more: &str| key_of(&format!("topology = {{ kind = 'torus', radix = [8, 8] }}\n{more}"));
        let plain = with("");
        for same in ["traffic.load = 0.3", "traffic.pattern = 'bcmp'", "run.seed = 9", "router.buffer_flits = 64"] {
            assert_eq!(with(same), plain, "{same}");
        }
        for other in
            ["routing.datelines = 'two'", "router.virtual_channels = 4", "router.kind = 'adaptive_cut_through'"]
        {
            assert_ne!(with(other), plain, "{other}");
        }
        assert_ne!(key_of("topology = { kind = 'torus', radix = [8, 9] }"), plain);
        let adaptive = |more: &str| {
            with(&format!(
                "router.kind = 'adaptive_cut_through'\nrouting = {{ kind = 'adaptive', escape = 'ring' }}\n{more}"
            ))
        };
        assert_ne!(adaptive("flow_control = 'bubble'"), adaptive(""));
    }

    #[test]
    fn a_second_question_is_answered_without_a_check() {
        let checks = Cell::new(0);
        let cancel = AtomicBool::new(false);
        let ask = |key: &str| {
            of(key.to_owned(), &cancel, || {
                checks.set(checks.get() + 1);
                Ok(Free { why: key.to_owned(), proof: None, argument: None })
            })
            .expect("free")
            .why
        };
        assert_eq!((ask("one"), ask("one"), ask("two")), ("one".to_owned(), "one".to_owned(), "two".to_owned()));
        assert_eq!(checks.get(), 2);
        cancel.store(true, Ordering::Relaxed);
        assert_eq!((ask("three"), ask("one")), ("three".to_owned(), "one".to_owned()));
        cancel.store(false, Ordering::Relaxed);
        assert_eq!((ask("three"), checks.get()), ("three".to_owned(), 4), "what was cancelled is asked again");
    }
}
