//! Settings for every component of a kind that a spec names, in its sections and in the values of its sweep.

use toml::{Table, Value};

/// `--set` arguments that give `keys` to the components of `kind` in `section`, wherever the spec names that kind: as the section, or as
/// a value of the sweep over the section.
pub fn sets(spec: &Table, (section, kind): (&str, &str), keys: &Table) -> Vec<String> {
    let mut found = Vec::new();
    if spec.get(section).is_some_and(|own| is_of(own, kind)) {
        found.extend(keys.iter().map(|(key, value)| format!("{section}.{key}={value}")));
    }
    let swept = spec.get("sweep").and_then(|sweep| sweep.get(section)).and_then(Value::as_array);
    if let Some(values) = swept.filter(|values| values.iter().any(|value| is_of(value, kind))) {
        let changed = values.iter().map(|value| if is_of(value, kind) { with(value, keys) } else { value.clone() });
        found.push(format!("sweep.{section}={}", Value::Array(changed.collect())));
    }
    found
}

/// Whether a section, or its short form, is of this kind.
fn is_of(section: &Value, kind: &str) -> bool {
    section.as_str().or_else(|| section.get("kind")?.as_str()) == Some(kind)
}

fn with(section: &Value, keys: &Table) -> Value {
    let mut table = match section {
        Value::Table(table) => table.clone(),
        short => Table::from_iter([("kind".to_owned(), short.clone())]),
    };
    table.extend(keys.clone());
    Value::Table(table)
}

#[cfg(test)]
mod tests {
    use super::sets;

    #[test]
    fn the_section_and_the_values_of_the_sweep_get_the_keys() {
        let spec = "[admission]\nkind = \"spth\"\n[sweep]\nadmission = [\"off\", \"spth\", { kind = \"spth\", margin_flits = 8 }]\n";
        let keys = "level = \"edge\"".parse().expect("it is a table");
        let found = sets(&spec.parse().expect("it is a spec"), ("admission", "spth"), &keys);
        assert_eq!(found[0], "admission.level=\"edge\"");
        let list = found[1].strip_prefix("sweep.admission=").expect("the sweep is set");
        let list: toml::Table = format!("list = {list}").parse().expect("it is a list");
        assert_eq!(list["list"][0].as_str(), Some("off"), "another kind stays");
        assert_eq!(list["list"][1]["kind"].as_str(), Some("spth"));
        assert_eq!(
            (list["list"][2]["level"].as_str(), list["list"][2]["margin_flits"].as_integer()),
            (Some("edge"), Some(8))
        );
        let none = sets(&spec.parse().expect("it is a spec"), ("recovery", "disha"), &keys);
        assert!(none.is_empty(), "{none:?}");
    }
}
