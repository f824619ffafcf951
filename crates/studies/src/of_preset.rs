//! Settings for the runs with a preset, in a spec that names the preset or sweeps over several.

use tailback_spec::{Document, Errors, Point};
use toml::{Table, Value};

/// The points of a spec, with the keys of each preset in the runs that have it.
///
/// # Errors
/// A refused spec.
pub fn expand(document: &Document, keys: &[(&str, &Table)]) -> Result<Vec<Point>, Errors> {
    let spec: Table = document.to_toml().parse().expect("it was parsed as a spec");
    let swept = spec.get("sweep").and_then(|sweep| sweep.get("preset")).and_then(Value::as_array);
    let names = |value: &Value| value.as_str().is_some_and(|name| keys.iter().any(|(preset, _)| *preset == name));
    match (swept, spec.get("preset").and_then(Value::as_str)) {
        // Each preset of the sweep is a spec of its own, so that only those that are named differ.
        (Some(presets), _) if presets.iter().any(names) => {
            let mut points = Vec::new();
            for preset in presets.iter().filter_map(Value::as_str) {
                let mut own = document.clone();
                own.set(&format!("sweep.preset=[\"{preset}\"]"))?;
                points.extend(with(own, preset, keys)?);
            }
            Ok(points)
        }
        (None, Some(preset)) => with(document.clone(), preset, keys),
        _ => document.expand(tailback_sim::catalogue()),
    }
}

fn with(mut document: Document, preset: &str, keys: &[(&str, &Table)]) -> Result<Vec<Point>, Errors> {
    for (key, value) in keys.iter().filter(|(name, _)| *name == preset).flat_map(|(_, keys)| *keys) {
        document.set(&format!("{key}={value}"))?;
    }
    document.expand(tailback_sim::catalogue())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWEPT: &str = "topology = { kind = \"torus\", radix = [4, 4] }\ntraffic = { load = 0.1, size = { kind = \"fixed\", flits = 16 } }\n\
        sweep = { preset = [\"bubble_dor_2d\", \"vc_dor_2d\"], \"traffic.load\" = [0.1, 0.2] }\n";

    fn gaps(text: &str) -> Vec<Option<i64>> {
        let document = Document::parse("mine", text.as_bytes()).expect("it is a spec");
        let keys: Table = "\"router.output_gap_cycles\" = 3".parse().expect("it is a table");
        let points = expand(&document, &[("bubble_dor_2d", &keys)]).unwrap_or_else(|errors| panic!("{errors}"));
        let gap = |point: &Point| {
            let view = point.resolved.view("router");
            view.has("output_gap_cycles").then(|| i64::from(view.u32("output_gap_cycles")))
        };
        points.iter().map(gap).collect()
    }

    #[test]
    fn the_runs_with_a_preset_get_its_keys_and_no_others() {
        assert_eq!(gaps(SWEPT), [Some(3), Some(3), None, None], "wormhole routers have no such key");
        let one = SWEPT.replace("preset = [\"bubble_dor_2d\", \"vc_dor_2d\"], ", "");
        assert_eq!(gaps(&format!("preset = \"bubble_dor_2d\"\n{one}")), [Some(3), Some(3)]);
        assert_eq!(
            gaps(&format!("preset = \"bubble_dor_3d\"\n{one}").replace("[4, 4]", "[4, 4, 4]")),
            [Some(0), Some(0)]
        );
    }
}
