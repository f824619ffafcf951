//! Results that pages ask for, part by part.

/// The most that is asked for in one address.
const MOST_PAIRS: usize = 256;

/// A part of the results.
#[derive(Clone, Debug)]
pub struct Data {
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// The name under which a browser keeps it, of letters, digits, `.`, `_` and `-`; none for what a page reads.
    pub name: Option<String>,
}

impl Data {
    /// What a page reads.
    pub fn json(value: &serde_json::Value) -> Data {
        Data { kind: "application/json", bytes: value.to_string().into_bytes(), name: None }
    }
}

/// Results on disk. Several pages may ask at the same time.
pub trait Library: Send + Sync {
    /// The part of this name; `asked` says which, by keys and values as they were sent. `None` where there is no such part.
    fn part(&self, name: &str, asked: &[(String, String)]) -> Option<Data>;
}

/// The keys and values of a query, decoded, without the key of the door. `None` for what is no query.
pub fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("key=")) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        found.push((decoded(name)?, decoded(value)?));
        if found.len() > MOST_PAIRS {
            return None;
        }
    }
    Some(found)
}

/// Text in which `%41` is `A` and `+` a blank. `None` for other escapes, and for what is no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                (digit(rest.next())? * 16 + digit(rest.next())?) as u8
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded_once() {
        let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let found = pairs("key=0&where=admission%3Dspth&x=&a=%252e+b").unwrap();
        assert_eq!(found, [of("where", "admission=spth"), of("x", ""), of("a", "%2e b")]);
        assert_eq!(pairs("").unwrap(), []);
    }

    #[test]
    fn what_is_no_query_is_refused() {
        assert!(["a=%", "a=%2", "a=%zz", "a=%ff", "a=%+1"].iter().all(|query| pairs(query).is_none()));
        assert!(pairs(&"a&".repeat(MOST_PAIRS + 1)).is_none());
    }
}
