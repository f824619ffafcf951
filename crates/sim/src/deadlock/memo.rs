//! One check for all points that differ in nothing it looks at, as those of a sweep over loads, patterns or seeds do.

use super::{Freedom, bubbles};
use crate::memo::Memo;
use crate::router::Router;
use std::sync::atomic::AtomicBool;
use tailback_network::Grid;
use tailback_spec::Resolved;

/// Answers kept at a time; one takes a few hundred bytes.
static ANSWERS: Memo<Freedom> = Memo::new(256);

/// The answer to `key`, which `check` gives where nobody asked before. Once `cancel` is set the answer of `check` means nothing, and is
/// not remembered.
pub(super) fn of(key: String, cancel: &AtomicBool, check: impl FnOnce() -> Freedom) -> Freedom {
    ANSWERS.of(key, cancel, check)
}

/// All that the check looks at, as text.
pub(super) fn key(spec: &Resolved, grid: &Grid, router: &Router) -> String {
    // A model of a network that is too large has other radices than its spec.
    let network = format!("{:?} {}", grid.radix(), own(spec, router));
    match router {
        Router::Queued(_) => network,
        _ => format!("{network} {:?}", bubbles(spec, grid, router)),
    }
}

/// The same of a network without a grid.
pub(super) fn key_of_any(spec: &Resolved, router: &Router) -> String {
    format!("{} {}", spec.view("router").kind(), own(spec, router))
}

/// What the check looks at beside a grid.
fn own(spec: &Resolved, router: &Router) -> String {
    let section = |name: &str| spec.get(name).map(toml::Value::to_string).unwrap_or_default();
    let network = format!("{} {}", section("topology"), section("routing"));
    let sharing = match router {
        Router::Queued(_) => return format!("{network} {} {}", section("router"), section("queueing")),
        Router::Wormhole(router) => format!("{:?}", router.sharing),
        Router::InputQueued(router) => format!("{:?}", router.sharing),
        Router::CutThrough(_) | Router::Adaptive(_) => String::new(),
    };
    format!("{network} {} {} {sharing}", router.channels(), router.chooses())
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
