//! How long, what is measured, and what is printed.

use super::{Draft, is_measured};
use crate::config::Config;
use crate::gaps::alike;
use toml::Value;

/// The keys of limits, and what they become.
const LIMITS: [(&str, &str); 5] = [
    ("latency_thres", "latency_limit_cycles"),
    ("warmup_thres", "warmup_latency_change"),
    ("acc_warmup_thres", "warmup_accepted_change"),
    ("stopping_thres", "latency_change"),
    ("acc_stopping_thres", "accepted_change"),
];

/// A negative threshold is none.
fn limit(value: f64) -> Value {
    Value::Float(if value < 0.0 { -1.0 } else { value })
}

/// The limits of a class, where those of classes differ.
pub(super) fn limits_of(config: &Config, class: usize) -> Option<Value> {
    let of = |(key, _): (&str, &str)| {
        let values = config.floats(key);
        limit(*values.get(class).or(values.last()).expect("a list of numbers has one"))
    };
    let differ = LIMITS.iter().any(|(key, _)| !alike(config, key));
    differ.then(|| Value::Array(LIMITS.map(of).to_vec()))
}

pub(super) fn map(draft: &mut Draft) {
    let config = draft.config;
    draft.put("workload.kind", "periods", &["sim_type"]);
    let measures = if config.text("sim_type") == "throughput" { "throughput" } else { "latency" };
    draft.put("workload.measures", measures, &["sim_type"]);
    draft.put("workload.period_cycles", config.int("sample_period"), &["sample_period"]);
    draft.put("workload.warmup_periods", config.int("warmup_periods"), &["warmup_periods"]);
    draft.put("workload.max_periods", config.int("max_samples"), &["max_samples"]);
    for (key, parameter) in LIMITS {
        draft.put(&format!("workload.{parameter}"), limit(config.float(key)), &[key]);
    }
    // "Draining remaining packets": BookSim empties its network, and counts what arrives.
    draft.put("workload.empties_network", true, &[]);
    draft.put("workload.pairs", config.flag("pair_stats"), &["pair_stats"]);
    let classes = config.int("classes").clamp(1, 64) as usize;
    let left_out: Vec<String> =
        (0..classes).filter(|&class| !is_measured(config, class)).map(|class| format!("class {class}")).collect();
    let words = if left_out.is_empty() {
        "every packet is measured".to_owned()
    } else {
        format!("not measured: {}", left_out.join(", "))
    };
    draft.say(&["measure_stats"], &words);
    let from = if config.int("include_queuing") == 1 { "birth" } else { "front" };
    draft.put("workload.latency_from", from, &["include_queuing"]);
    if config.is_text("seed") {
        draft.notes.push(format!("{}: seed 0 is taken, so that the run can be repeated", config.words(&["seed"])));
    }
    draft.put("run.seed", config.int("seed"), &["seed"]);
    draft.put("run.replicas", config.int("sim_count"), &["sim_count"]);
    draft.say(
        &["print_csv_results"],
        if config.flag("print_csv_results") { "printed by --classic" } else { "not printed" },
    );
    let file = config.text("stats_out");
    if !file.is_empty() {
        draft.notes.push(format!(
            "{}: the file is not written; --out DIR writes records, histograms and series",
            config.words(&["stats_out"])
        ));
    }
    draft.say(&["stats_out"], if file.is_empty() { "no file" } else { "no file: --out DIR holds the figures" });
}
