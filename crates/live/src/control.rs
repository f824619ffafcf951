//! What pages may say, and values between JSON and TOML.

use serde_json::Value;

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence.
    pub text: String,
}

/// A refusal.
pub fn problem<T>(code: &'static str, text: impl Into<String>) -> Result<T, Problem> {
    Err(Problem { code, text: text.into() })
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { code: "failed", text }
    }
}

/// Links of a strip at most.
const MOST_STRIP: usize = 256;

/// Routers that are seen closely at most.
const MOST_CLOSE: usize = 400;

/// What a page wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// All there is to know, to begin with.
    Hello,
    /// Run at so many cycles a second, or as fast as it goes, up to a cycle or for ever.
    Run { speed: Option<f64>, until: Option<u64> },
    /// Run at so many cycles a second, or as fast as it goes, if it runs or whenever it does.
    Speed(Option<f64>),
    /// Stop.
    Pause,
    /// Go on by so many cycles, or back.
    Step(i64),
    /// Go to a cycle.
    Seek(u64),
    /// Change a setting of a variant, or of all.
    Set { variant: Option<u8>, path: String, value: toml::Value },
    /// Make a variant.
    Fork { of: u8, set: Vec<(String, toml::Value)> },
    /// Make a variant with other settings from cycle 0 on, and go there.
    Beside { of: u8, set: Vec<(String, toml::Value)> },
    /// Take the last change back.
    Undo,
    /// Run until something happens.
    Event,
    /// The levels of these links in the past.
    Strip(Vec<usize>),
    /// The story of a packet of a variant, by source and number; known to have been made in a cycle or later.
    Story { variant: u8, source: u32, number: u64, since: Option<u64> },
    /// Follow a flow, by its ends, or none.
    Follow(Option<(u32, u32)>),
    /// Take a variant away.
    Drop(u8),
    /// Look at a link or a router, or at nothing.
    Select { link: Option<u32>, router: Option<u32> },
    /// Show the packets at these routers with every picture.
    Close(Vec<u32>),
    /// Draw two dimensions inside the tiles: these, or those in whose queues most has stood.
    Turn(Option<[usize; 2]>),
    /// A picture has been drawn.
    Drawn(u32),
    /// The play as a spec.
    Save(u8),
    /// Steer.
    Take,
    /// Play a lesson instead, from a point of its spec on.
    Lesson { number: u64, point: usize },
}

/// Reads a message: its number, which the answer bears, and what is wanted.
pub fn order(text: &str) -> (Value, Result<Order, Problem>) {
    let Ok(message) = serde_json::from_str::<Value>(text) else {
        return (Value::Null, problem("syntax", "this is no JSON"));
    };
    let id = message.get("id").filter(|id| id.is_number()).cloned().unwrap_or(Value::Null);
    (id, read(&message))
}

fn read(message: &Value) -> Result<Order, Problem> {
    let number = |key: &str| message.get(key).and_then(Value::as_u64);
    let needs = |key: &str| {
        number(key)
            .ok_or_else(|| Problem { code: "syntax", text: format!("`{key}` has to be a whole number from 0 on") })
    };
    let letter = |key: &str| {
        needs(key).and_then(|n| u8::try_from(n).or_else(|_| problem("syntax", format!("there is no variant {n}"))))
    };
    let part = |key: &str| number(key).and_then(|n| u32::try_from(n).ok());
    Ok(match message.get("op").and_then(Value::as_str) {
        Some("hello") => {
            let versions = message.get("versions").and_then(Value::as_array);
            if versions.is_some_and(|versions| !versions.contains(&Value::from(1))) {
                return problem("version", "this server speaks version 1: reload the page");
            }
            Order::Hello
        }
        Some("run") => Order::Run { speed: speed(message), until: number("until") },
        Some("speed") => Order::Speed(speed(message)),
        Some("pause") => Order::Pause,
        Some("step") => {
            Order::Step(message.get("cycles").and_then(Value::as_i64).unwrap_or(1).clamp(-1_000_000_000, 1_000_000_000))
        }
        Some("seek") => Order::Seek(needs("cycle")?),
        Some("set") => {
            let path = message.get("path").and_then(Value::as_str).filter(|path| path.len() <= 200);
            let (Some(path), Some(value)) = (path, message.get("value").and_then(value)) else {
                return problem("syntax", "`set` needs a path and a value");
            };
            let variant =
                message.get("variant").filter(|variant| !variant.is_null()).map(|_| letter("variant")).transpose()?;
            Order::Set { variant, path: path.to_owned(), value }
        }
        Some("fork") => Order::Fork { of: letter("of")?, set: settings(message)? },
        Some("beside") => Order::Beside { of: letter("of")?, set: settings(message)? },
        Some("undo") => Order::Undo,
        Some("event") => Order::Event,
        Some("strip") => {
            let links = message.get("links").and_then(Value::as_array).filter(|links| links.len() <= MOST_STRIP);
            let links = links.and_then(|links| links.iter().map(|link| link.as_u64().map(|n| n as usize)).collect());
            let Some(links) = links else {
                return problem("syntax", format!("`links` has to be a list of {MOST_STRIP} numbers at most"));
            };
            Order::Strip(links)
        }
        Some("story") => {
            let source =
                part("source").ok_or(Problem { code: "syntax", text: "`source` has to be a node".to_owned() })?;
            Order::Story { variant: letter("variant")?, source, number: needs("number")?, since: number("since") }
        }
        Some("follow") => Order::Follow(part("source").zip(part("destination"))),
        Some("drop") => Order::Drop(letter("variant")?),
        Some("select") => Order::Select { link: part("link"), router: part("router") },
        Some("close") => {
            let routers =
                message.get("routers").and_then(Value::as_array).filter(|routers| routers.len() <= MOST_CLOSE);
            let number = |router: &Value| router.as_u64().and_then(|router| u32::try_from(router).ok());
            let Some(routers) = routers.and_then(|routers| routers.iter().map(number).collect()) else {
                return problem("syntax", format!("`routers` has to be a list of {MOST_CLOSE} numbers at most"));
            };
            Order::Close(routers)
        }
        Some("turn") => {
            let inside = message.get("inside").filter(|inside| !inside.is_null()).map(|inside| {
                let number = |at: usize| inside.get(at).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
                number(0).zip(number(1)).filter(|_| inside.as_array().is_some_and(|list| list.len() == 2))
            });
            if inside == Some(None) {
                return problem("syntax", "`inside` has to be two dimensions");
            }
            Order::Turn(inside.flatten().map(|(one, other)| [one, other]))
        }
        Some("ack") => Order::Drawn(part("n").unwrap_or(0)),
        Some("save") => Order::Save(letter("variant")?),
        Some("take") => Order::Take,
        Some("lesson") => {
            let point = number("point").and_then(|point| usize::try_from(point).ok()).unwrap_or(0);
            Order::Lesson { number: needs("number")?, point }
        }
        _ => return problem("unknown", "there is no such order"),
    })
}

/// Cycles a second; as fast as it goes where there is none.
fn speed(message: &Value) -> Option<f64> {
    message.get("speed").and_then(Value::as_f64).filter(|speed| *speed > 0.0 && speed.is_finite())
}

/// Paths and values.
fn settings(message: &Value) -> Result<Vec<(String, toml::Value)>, Problem> {
    let set = message.get("set").and_then(Value::as_object).into_iter().flatten();
    let set = set.map(|(path, given)| value(given).map(|value| (path.clone(), value))).collect::<Option<Vec<_>>>();
    match set.filter(|set| set.len() <= 32 && set.iter().all(|(path, _)| path.len() <= 200)) {
        Some(set) => Ok(set),
        None => problem("syntax", "`set` has values that are none"),
    }
}

/// A value of JSON in TOML; `None` for null, and for what is nested deeply.
fn value(json: &Value) -> Option<toml::Value> {
    fn at(json: &Value, depth: usize) -> Option<toml::Value> {
        Some(match json {
            Value::Null => return None,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => whole.into(),
                None => number.as_f64()?.into(),
            },
            Value::String(text) => text.clone().into(),
            Value::Array(_) | Value::Object(_) if depth > 4 => return None,
            Value::Array(list) => list.iter().map(|value| at(value, depth + 1)).collect::<Option<Vec<_>>>()?.into(),
            Value::Object(table) => {
                let pairs = table.iter().map(|(key, value)| at(value, depth + 1).map(|value| (key.clone(), value)));
                pairs.collect::<Option<toml::Table>>()?.into()
            }
        })
    }
    at(json, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let one = |text: &str| order(text).1.unwrap();
        assert_eq!(one(r#"{"op":"run","speed":320}"#), Order::Run { speed: Some(320.0), until: None });
        assert_eq!(one(r#"{"op":"run","speed":"max","until":9}"#), Order::Run { speed: None, until: Some(9) });
        assert_eq!(one(r#"{"op":"speed","speed":40}"#), Order::Speed(Some(40.0)));
        assert_eq!(one(r#"{"op":"step","cycles":-1}"#), Order::Step(-1));
        let set = Order::Set { variant: None, path: "traffic.load".to_owned(), value: 0.45.into() };
        assert_eq!(one(r#"{"op":"set","path":"traffic.load","value":0.45}"#), set);
        assert_eq!(order(r#"{"id":7,"op":"pause"}"#), (7.into(), Ok(Order::Pause)));
    }

    /// What pages and programs are told of the messages: `live.schema.json`.
    #[test]
    fn what_the_schema_has_as_examples_is_understood_and_nothing_is_left_out() {
        let schema: Value = serde_json::from_str(include_str!("../live.schema.json")).unwrap();
        let orders = schema["$defs"]["order"]["oneOf"].as_array().unwrap();
        let known = |op: &str| orders.iter().any(|order| order["properties"]["op"]["const"] == op);
        for order in orders {
            for example in order["examples"].as_array().unwrap() {
                assert!(read(example).is_ok(), "{example}");
            }
        }
        // All words of this file that are orders.
        let source = include_str!("control.rs");
        let told: Vec<&str> =
            source.split("        Some(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(told.len(), orders.len());
        assert!(told.iter().all(|op| known(op)), "{told:?}");
    }

    #[test]
    fn damaged_messages_are_answered_and_break_nothing() {
        let schema: Value = serde_json::from_str(include_str!("../live.schema.json")).unwrap();
        let orders = schema["$defs"]["order"]["oneOf"].as_array().unwrap();
        let whole: Vec<Vec<u8>> = orders
            .iter()
            .flat_map(|order| order["examples"].as_array().unwrap())
            .map(|example| example.to_string().into_bytes())
            .collect();
        let (mut state, mut understood) = (1u64, 0);
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        // As many as somebody wants; a few in each run of the tests.
        let cases = std::env::var("TAILBACK_LIVE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(50_000);
        for _ in 0..cases {
            let mut bytes = whole[draw(whole.len())].clone();
            for _ in 0..=draw(3) {
                let at = draw(bytes.len());
                match draw(5) {
                    0 => bytes[at] = draw(256) as u8,
                    1 => bytes.truncate(at + 1),
                    2 => bytes.extend_from_within(at..),
                    3 => bytes.splice(at..at, *b"-1e999").for_each(drop),
                    _ => bytes[at] = b"{}[]\",:.9-"[draw(10)],
                }
            }
            understood += usize::from(order(&String::from_utf8_lossy(&bytes)).1.is_ok());
        }
        assert!((100..cases).contains(&understood), "{understood}: some stay whole, most do not");
        let deep = "[".repeat(60_000);
        assert!(order(&deep).1.is_err() && order(&format!("{{\"op\":{deep}")).1.is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "[]",
            "7",
            r#"{"op":"format"}"#,
            r#"{"op":"seek","cycle":-1}"#,
            r#"{"op":"seek","cycle":"x"}"#,
            r#"{"op":"drop","variant":999}"#,
            r#"{"op":"set","path":"traffic.load"}"#,
            r#"{"op":"set","path":"traffic.load","value":null}"#,
            r#"{"op":"set","path":"a","value":[[[[[[[[1]]]]]]]]}"#,
            r#"{"op":"fork","of":0,"set":{"a":null}}"#,
            r#"{"op":"hello","versions":[2]}"#,
            r#"{"op":"beside","of":0,"set":{"a":null}}"#,
            r#"{"op":"story","variant":0,"source":-1,"number":0}"#,
            r#"{"op":"story","variant":0,"source":1}"#,
            r#"{"op":"strip","links":["x"]}"#,
            r#"{"op":"strip"}"#,
            r#"{"op":"close","routers":[-1]}"#,
            r#"{"op":"close"}"#,
            r#"{"op":"turn","inside":[0]}"#,
            r#"{"op":"turn","inside":"x"}"#,
            r#"{"op":"turn","inside":[0,1,2]}"#,
        ] {
            assert!(order(text).1.is_err(), "{text}");
        }
    }
}
