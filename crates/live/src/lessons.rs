//! The lessons: a text and things to try, each for a spec of `examples/lessons`.

use crate::control::Problem;
use serde_json::Value;
use tailback_sim::catalogue;
use tailback_sim::live::Script;
use tailback_spec::Document;

/// What all of them say.
const TEXT: &str = include_str!("../lessons.toml");

macro_rules! specs {
    ($($name:literal)+) => {
        /// Their specs, in the same order.
        const SPECS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../examples/lessons/", $name, ".toml"))),)+];
    };
}

specs! {
    "01-deadlock" "02-datelines" "03-bubbles" "04-head-of-line" "05-voq-and-recn" "06-collapse" "07-throttles" "08-tornado"
    "09-dragonfly" "10-incast" "11-all-reduce" "12-starvation"
}

/// What the page shows of them: titles, texts, and what to try.
pub fn told() -> Value {
    let table: toml::Table = TEXT.parse().expect("it is tested");
    let mut lessons = serde_json::to_value(&table["lesson"]).expect("it is plain data");
    // What the specs are held to is for tests.
    for lesson in lessons.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        lesson.remove("shows");
    }
    lessons
}

/// What a lesson plays: its name, and a script for each point of its spec.
///
/// # Errors
/// Where there is no such lesson.
pub fn scripts(number: u64) -> Result<(String, Vec<Script>), Problem> {
    let found = usize::try_from(number).ok().and_then(|at| SPECS.get(at));
    let (name, text) = found.ok_or_else(|| Problem { code: "lesson", text: format!("there is no lesson {number}") })?;
    let name = format!("{name}.toml");
    let document = Document::parse(&name, text.as_bytes()).map_err(|errors| errors.to_string())?;
    let points = document.expand(catalogue()).map_err(|errors| errors.to_string())?;
    let scripts = points.iter().map(Script::new).collect::<Result<_, _>>().map_err(|errors| errors.to_string())?;
    Ok((name, scripts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    #[test]
    fn every_lesson_has_a_text_and_a_spec_that_is_played() {
        let told = told();
        let told = told.as_array().unwrap();
        assert_eq!((told.len(), SPECS.len()), (12, 12));
        for (at, (lesson, (name, _))) in told.iter().zip(SPECS).enumerate() {
            assert_eq!(lesson["spec"], *name);
            assert!(
                lesson["text"].as_array().unwrap().len() >= 2 && lesson["try"].as_array().unwrap().len() >= 2,
                "{name}"
            );
            let (_, scripts) = scripts(at as u64).unwrap();
            Variant::new(scripts[0].clone()).unwrap();
        }
        assert!(scripts(12).is_err() && scripts(u64::MAX).is_err());
    }
}
