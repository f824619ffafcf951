//! Which kinds of which contract go with which data path: the table in ARCHITECTURE.md says what `check` says.

use crate::common::{kinds, prepared};

/// The sections of a spec that are contracts of the engine.
const CONTRACTS: [&str; 8] =
    ["routing", "selection", "arbiter", "flow_control", "recovery", "interface", "queueing", "admission"];

/// What `check` says of a kind under a kind of router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It can run, and matters.
    Works,
    /// It is refused, or warned of, at its own section.
    Named,
    /// It is refused for something else, which says nothing.
    Silent,
}

/// On one network, under one routing.
fn verdict_on((network, routing): (&str, &str), router: &str, section: &str, kind: &str) -> Verdict {
    // Policies choose between a queue for each direction.
    let queues = if (section, router) == ("interface", "adaptive_cut_through") { ", queues = 4" } else { "" };
    let spec = format!(
        "topology = {{ kind = {network} }}\nrouter = {{ kind = '{router}'{} }}\n{section} = {{ kind = '{kind}'{queues} }}\n\
         traffic.load = 0.1\nrun.allow_deadlock = true\n{}",
        if router == "input_output_queued" { "" } else { ", virtual_channels = 4" },
        if section == "routing" { "" } else { routing },
    );
    match prepared(&spec) {
        Ok(prepared) => {
            let idle = format!("{section}.kind = {kind} has no effect");
            let warned = prepared.facts().warnings.iter().any(|warning| warning.contains(&idle));
            if warned { Verdict::Named } else { Verdict::Works }
        }
        Err(errors) => {
            let own = |path: &str| path == section || path.starts_with(&format!("{section}."));
            let named = errors.errors().iter().any(|error| own(&error.path));
            if named { Verdict::Named } else { Verdict::Silent }
        }
    }
}

/// On the network and under the routing that it goes best with.
fn verdict(router: &str, section: &str, kind: &str) -> Verdict {
    let networks = [
        "'torus', radix = [4, 4]",
        "'mesh', radix = [4, 4]",
        "'hyperx', sides = [4]",
        "'dragonfly', routers_per_group = 3, global_links = 1",
    ];
    let cases = networks.map(|network| ["", "routing = 'adaptive'\n"].map(|routing| (network, routing)));
    let verdicts = cases.concat().into_iter().map(|case| verdict_on(case, router, section, kind)).collect::<Vec<_>>();
    [Verdict::Works, Verdict::Named].into_iter().find(|verdict| verdicts.contains(verdict)).unwrap_or(Verdict::Silent)
}

/// The kinds of a section that go with a router, as the page says it.
fn cell(router: &str, section: &str) -> String {
    let kinds = kinds(section);
    let of = |kind: &&str| verdict(router, section, kind);
    kinds.iter().for_each(|kind| assert_ne!(of(kind), Verdict::Silent, "{section} = {kind} under {router}"));
    let (works, not): (Vec<&str>, Vec<&str>) = kinds.iter().partition(|kind| of(kind) == Verdict::Works);
    let list = |kinds: &[&str]| kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
    match (works.len(), not.len()) {
        (_, 0) => "all".to_owned(),
        (works, not_so) if not_so < works => format!("all but {}", list(&not)),
        _ => list(&works),
    }
}

#[test]
fn the_table_in_the_page_is_what_check_says() {
    let routers = kinds("router");
    let head = routers.iter().map(|router| format!(" `{router}` |")).collect::<String>();
    let mut table = format!("| section |{head}\n|---|{}\n", "---|".repeat(routers.len()));
    for section in CONTRACTS {
        let cells = routers.iter().map(|router| format!(" {} |", cell(router, section))).collect::<String>();
        table += &format!("| `{section}` |{cells}\n");
    }
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../ARCHITECTURE.md")).expect("a page");
    assert!(page.contains(&table), "ARCHITECTURE.md has another table than this one:\n\n{table}");
}
