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

/// What a lesson plays.
pub struct Lesson {
    /// Its name.
    pub name: String,
    /// Cycles a second to begin with, so that what it shows comes within seconds.
    pub speed: f64,
    /// A script for each point of its spec.
    pub scripts: Vec<Script>,
}

/// What a lesson plays.
///
/// # Errors
/// Where there is no such lesson.
pub fn lesson(number: u64) -> Result<Lesson, Problem> {
    let found = usize::try_from(number).unwrap_or(usize::MAX);
    let (name, text) =
        SPECS.get(found).ok_or_else(|| Problem { code: "lesson", text: format!("there is no lesson {number}") })?;
    let name = format!("{name}.toml");
    let document = Document::parse(&name, text.as_bytes()).map_err(|errors| errors.to_string())?;
    let points = document.expand(catalogue()).map_err(|errors| errors.to_string())?;
    let scripts = points.iter().map(Script::new).collect::<Result<_, _>>().map_err(|errors| errors.to_string())?;
    let speed = told()[found]["speed"].as_f64().expect("it is tested");
    Ok(Lesson { name, speed, scripts })
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
            let Lesson { speed, scripts, .. } = super::lesson(at as u64).unwrap();
            assert!((1.0..=1e5).contains(&speed), "{name}");
            Variant::new(scripts[0].clone()).unwrap();
        }
        assert!(super::lesson(12).is_err() && super::lesson(u64::MAX).is_err());
    }
}
