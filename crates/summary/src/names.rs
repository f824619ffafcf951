//! Values, points and variants as people read them.

use tailback_base::text::shown;
use tailback_results::Record;
use tailback_results::Scalar;
use tailback_results::table::parameter_names;

/// A value of a swept parameter: floats without the noise of their last bits, texts that no terminal obeys.
pub fn value(value: &Scalar) -> String {
    match value {
        Scalar::Float(value) => {
            let rounded = format!("{value:.9}");
            let trimmed = rounded.trim_end_matches('0').trim_end_matches('.');
            if value.abs() < 1e-6 || value.abs() >= 1e9 { value.to_string() } else { trimmed.to_owned() }
        }
        Scalar::Text(text) => shown(text).into_owned(),
        other => other.to_string(),
    }
}

/// `uniform, spth, margin_flits 8`: words as they are, numbers with their key. Only the parameters that are `varying`.
pub fn of_parameters(parameters: &[(String, Scalar)], varying: &[String]) -> String {
    let one = |name: &String| {
        let (_, scalar) = parameters.iter().find(|(other, _)| other == name)?;
        let key = name.rsplit('.').next().unwrap_or(name);
        Some(match scalar {
            Scalar::Text(_) if key == "kind" || !name.contains('.') || key == "pattern" => value(scalar),
            _ => format!("{key} {}", value(scalar)),
        })
    };
    varying.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// The last word of a path: `admission` of `admission.kind`, `buffer_flits` of `router.buffer_flits`.
pub fn last_word(path: &str) -> &str {
    let path = path.strip_suffix(".kind").unwrap_or(path);
    path.rsplit('.').next().unwrap_or(path)
}

/// The parameters that differ between records, in their order.
pub fn varying(records: &[&Record]) -> Vec<String> {
    fn of<'a>(record: &'a Record, name: &str) -> Option<&'a Scalar> {
        record.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
    let differs = |name: &&str| records.windows(2).any(|pair| of(pair[0], name) != of(pair[1], name));
    parameter_names(records.iter().copied()).into_iter().filter(differs).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{record, text};

    #[test]
    fn swept_values_lose_the_noise_of_their_last_bits() {
        let shown = [Scalar::Float(0.1 + 0.2), Scalar::Float(2.0), Scalar::Float(1e-9), text("a\x1bb")];
        assert_eq!(shown.map(|scalar| value(&scalar)), ["0.3", "2", "0.000000001", "a\\u001bb"]);
    }

    #[test]
    fn words_stand_alone_and_numbers_with_their_key() {
        let one = record(&[("admission", text("spth")), ("router.buffer_flits", Scalar::Integer(8)), ("c", text("x"))]);
        let two = record(&[("admission", text("off")), ("router.buffer_flits", Scalar::Integer(16)), ("c", text("x"))]);
        let varying = varying(&[&one, &two]);
        assert_eq!(varying, ["admission", "router.buffer_flits"]);
        assert_eq!(of_parameters(&one.parameters, &varying), "spth, buffer_flits 8");
        assert_eq!(of_parameters(&one.parameters, &[]), "");
    }
}
