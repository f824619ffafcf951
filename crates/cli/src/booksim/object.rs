//! BookSim's own figures, as an object beside the columns of a record.

use serde_json::{Value, json};
use tailback_sim::{Block, Extent, Settled};

/// Rounds nothing; what is not a number is null.
fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// The figures of a block.
fn figures(all: &Block) -> Value {
    let mean = |extent: Option<Extent>| extent.map(|extent| number(extent.mean));
    json!({
        "plat": number(all.latency.mean),
        "nlat": number(all.network_latency.mean),
        "flat": mean(all.flit_latency),
        "frag": mean(all.fragmentation),
        "hops": number(all.routers),
        "acc": number(all.flits[1].extent.mean),
        "acc_min": number(all.flits[1].extent.min),
    })
}

/// The object. Of several classes it has those that are measured together, and each by itself; null is one that is not measured.
pub fn object(settled: &Settled) -> Value {
    let mut all = figures(&settled.overall);
    all["stable"] = json!(settled.stable);
    all["warm_at"] = json!(settled.measured.map(|(from, _)| from));
    all["cycles"] = json!(settled.overall.cycle);
    if !settled.classes.is_empty() {
        let classes = settled.classes.iter().map(|class| class.as_ref().map(|class| figures(&class.overall)));
        all["classes"] = json!(classes.collect::<Vec<Option<Value>>>());
    }
    all
}

/// The line of a record, an object in JSON, with BookSim's figures at its end, and with the circle in which packets can wait for each other.
pub fn with_figures(line: &str, settled: &Settled, circle: &[String]) -> String {
    match serde_json::from_str::<serde_json::Map<String, Value>>(line) {
        Ok(mut record) => {
            let mut figures = object(settled);
            if !circle.is_empty() {
                figures["circle"] = json!(circle);
            }
            record.insert("booksim".to_owned(), figures);
            format!("{}\n", Value::Object(record))
        }
        Err(_) => line.to_owned(),
    }
}
