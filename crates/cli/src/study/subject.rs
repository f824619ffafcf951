//! A network and its traffic in a few words.

use tailback_spec::Resolved;
use toml::Value;

/// `16 x 16 torus, uniform traffic`; what is swept is left out.
pub fn subject(resolved: &Resolved, swept: &[String]) -> String {
    let is_swept = |path: &str| swept.iter().any(|other| other == path || other.starts_with(&format!("{path}.")));
    let mut said = Vec::new();
    if !is_swept("topology") {
        let radix = resolved.value("topology.radix").and_then(Value::as_array);
        let radix: Vec<String> = radix.into_iter().flatten().map(Value::to_string).collect();
        said.push(format!("{} {}", radix.join(" x "), resolved.view("topology").kind()).trim_start().to_owned());
    }
    if !is_swept("traffic.pattern") {
        said.push(format!("{} traffic", resolved.view("traffic.pattern").kind()));
    }
    said.join(", ")
}
