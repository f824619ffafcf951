//! The traffic against its twin: random small networks under every kind of the catalogue, and every message of every node
//! must be the same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of cases. What once failed is kept in `regressions/` and tried first.

mod case;
#[path = "../common/twins.rs"]
#[allow(dead_code, reason = "traffic has no buffers and no deadlock")]
mod twins;

use case::{Case, Kinds, any_case};
use tailback_traffic::Traffic;
use tailback_verify::traffic::pattern::Rule;
use tailback_verify::traffic::{Config, Pattern, Workload};
use tailback_verify::{traffic as twin, traffic_bridge as bridge};
use twins::{Trial, same};

/// Of the cases asked for, each trial draws so many hundredths.
const SHARE: u32 = 2;

/// Nothing is drawn for these. Their twins are elsewhere: `verify/tests/programs`, `crates/embed/tests/same.rs` and
/// `verify/tests/input_queued/answers.rs`.
const OF_OTHERS: [&str; 3] = ["program", "host", "read_write"];

/// The kinds of a section, as the catalogue lists them.
fn kinds(path: &str) -> Vec<&'static str> {
    let sections = tailback_traffic::sections();
    let section = sections.iter().find(|section| section.path == path).expect("a section of the catalogue");
    section.entries.iter().map(|entry| entry.name).filter(|name| !OF_OTHERS.contains(name)).collect()
}

/// The traffic of a case; what is refused must be refused because nobody would send.
fn traffic(case: &Case) -> Result<Traffic, String> {
    bridge::traffic(&case.config).inspect_err(|refusal| {
        let nobody = ["none sends", "less than one node", "is none of the"];
        assert!(nobody.iter().any(|words| refusal.contains(words)), "{:?}: {refusal}", case.config);
    })
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let Case { config, cycles, stalls, from } = case;
    for node in 0..config.nodes() {
        let found = bridge::messages(traffic, node, *cycles, stalls);
        let expected = twin::messages(config, node, *cycles, stalls);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            same(&format!("node {node}, message {number}"), found, expected)?;
        }
        same(&format!("node {node}: messages"), found.len(), expected.len())?;
    }
    same("nodes that send", traffic.active_nodes(), twin::active_nodes(config))?;
    let (found, expected) = (traffic.offered_load(*from, *cycles), twin::offered_load(config, *from, *cycles));
    if (found - expected).abs() > 1e-9 * (1.0 + expected) {
        return Err(format!("offered load: traffic {found}, twin {expected}"));
    }
    compare_flows(config, traffic)
}

/// To whom every node sends under the first pattern, and how often.
fn compare_flows(config: &Config, traffic: &Traffic) -> Result<(), String> {
    let first: &Pattern = match &config.workload {
        Workload::Phases { phases, .. } => &phases[0].pattern,
        _ => &config.pattern,
    };
    let rule = Rule::new(first, config);
    for source in 0..config.nodes() {
        let mut shares = vec![0.0; config.nodes() as usize];
        traffic.flows(source, &mut |destination, share| shares[destination as usize] += share);
        for (destination, found) in (0..).zip(shares) {
            let expected = rule.share(source, destination);
            if (found - expected).abs() > 1e-9 {
                return Err(format!("share from {source} to {destination}: traffic {found}, twin {expected}"));
            }
        }
    }
    Ok(())
}

fn agree(kinds: Kinds) {
    let regressions = "regressions/traffic.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: SHARE, regressions };
    trial.run(any_case(kinds), traffic, compare);
}

#[test]
fn every_pattern_sends_where_its_twin_does() {
    for pattern in kinds("traffic.pattern") {
        agree(Kinds { pattern: Some(pattern), ..Kinds::default() });
    }
}

#[test]
fn every_process_under_every_workload_sends_when_its_twin_does() {
    for workload in kinds("workload") {
        for process in kinds("traffic.process") {
            for size in kinds("traffic.size") {
                agree(Kinds { workload: Some(workload), process: Some(process), size: Some(size), ..Kinds::default() });
            }
        }
    }
}
