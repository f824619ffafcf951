//! A permutation from a file.

use super::{Built, mapping::mapping};
use crate::{Shape, problem};
use tailback_base::lines::{self, Faults, and_more};
use tailback_base::text;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "permutation",
    summary: "permutation from a file: one destination per line, or pairs `source destination`",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "file",
        kind: Kind::Path,
        unit: "",
        fallback: Fallback::Required,
        doc: "A text file: line i holds the destination of node i, or every line holds a source and its destination; \
            `-` or the node itself: silent; `#` begins a comment.",
    }],
};

/// Builds it; refused when the file cannot be read, a node is missing or beyond the network, or a destination is used
/// twice.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let (path, nodes) = (view.text("file"), shape.nodes());
    let limit = 64 * u64::from(nodes) + (1 << 20);
    let text = match lines::read(path, limit, &format!("permutation of {nodes} nodes")) {
        Ok(text) => text,
        Err(message) => return problem("file", message, None),
    };
    match parse(&text, nodes) {
        Ok(map) => Ok(mapping(move |node| map[node as usize])),
        Err(message) => problem("file", format!("{}: {message}", text::shown(path)), None),
    }
}

/// The destination of every node, itself where it is silent; or all that is wrong with the file.
fn parse(text: &str, nodes: u32) -> Result<Vec<u32>, String> {
    let mut found = Found { map: vec![None; nodes as usize], used: vec![false; nodes as usize] };
    let mut faults = Faults::default();
    let mut words_per_line = 0;
    let mut next = 0;
    for (number, words) in lines::words(text) {
        if words_per_line == 0 {
            words_per_line = words.len();
        }
        let flow = flow(&words, words_per_line, next, nodes);
        if let Err(message) = flow.and_then(|(source, destination)| found.take(source, destination)) {
            faults.add(number, &message);
        }
        next = next.saturating_add(1);
    }
    faults.result()?;
    // Behind wrong lines nobody can say which nodes are missing.
    let missing = found.map.iter().filter(|destination| destination.is_none()).count();
    let first = found.map.iter().position(Option::is_none);
    first.map_or_else(
        || Ok(found.map.into_iter().flatten().collect()),
        |node| Err(format!("node {node} of {nodes} is missing{}", and_more(missing - 1))),
    )
}

/// What the lines so far said.
struct Found {
    /// The destination of every node.
    map: Vec<Option<u32>>,
    /// Which nodes are destinations of others.
    used: Vec<bool>,
}

impl Found {
    fn take(&mut self, source: u32, destination: u32) -> Result<(), String> {
        if self.map[source as usize].replace(destination).is_some() {
            return Err(format!("node {source} has a destination already"));
        }
        if destination != source && std::mem::replace(&mut self.used[destination as usize], true) {
            return Err(format!("node {destination} is a destination already: not a permutation"));
        }
        Ok(())
    }
}

/// What one line says: a source, `next` where the line leaves it out, and its destination.
fn flow(words: &[&str], words_per_line: usize, next: u32, nodes: u32) -> Result<(u32, u32), String> {
    let (source, destination) = match *words {
        [_] if words_per_line == 1 && next >= nodes => {
            return Err(format!("a destination for node {next}, but the last node is {}", nodes - 1));
        }
        [destination] if words_per_line == 1 => (next, destination),
        [source, destination] if words_per_line == 2 => (node(source, nodes)?, destination),
        _ => return Err("every line must hold one destination, or every line a source and a destination".into()),
    };
    Ok((source, if destination == "-" { source } else { node(destination, nodes)? }))
}

/// A node id of a network of `nodes` nodes.
fn node(word: &str, nodes: u32) -> Result<u32, String> {
    match word.parse::<u32>() {
        Ok(node) if node < nodes => Ok(node),
        Ok(node) => Err(format!("node {node} does not exist: the last node is {}", nodes - 1)),
        Err(_) => Err(format!("`{}` is not a node id", text::word(word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TextFile, refusal, shape, traffic};

    #[test]
    fn both_forms_are_read() {
        assert_eq!(parse("# a list\n1\n0 # swapped\n\n-\n3\n", 4), Ok(vec![1, 0, 2, 3]));
        assert_eq!(parse("3 0\n0 1\n1 3\r\n2 -\n", 4), Ok(vec![1, 3, 2, 0]));
    }

    #[test]
    fn wrong_lines_are_named() {
        let refusals = [
            ("1\n4\n", "line 2: node 4 does not exist: the last node is 3"),
            ("1\n2\n3\n", "node 3 of 4 is missing"),
            ("1\n2\n3\n0\n0\n", "line 5: a destination for node 4"),
            ("1\nx\n", "line 2: `x` is not a node id"),
            ("1\n-1\n", "line 2: `-1` is not a node id"),
            ("1\n99999999999\n", "line 2: `99999999999` is not a node id"),
            ("2\n# c\n2\n", "line 3: node 2 is a destination already"),
            ("0 1\n0 2\n", "line 2: node 0 has a destination already"),
            ("0 1\n7 2\n", "line 2: node 7 does not exist"),
            ("0 1\n2\n", "line 2: every line must hold"),
            ("0 1 2\n", "line 1: every line must hold"),
            ("", "node 0 of 4 is missing, and 3 more"),
            ("1\n\u{1b}[31m\n", "line 2: `\\u001b[31m` is not a node id"),
        ];
        for (text, expected) in refusals {
            let message = parse(text, 4).expect_err(text);
            assert!(message.contains(expected), "{text:?}: {message}");
        }
    }

    #[test]
    fn wrong_lines_are_counted_and_one_is_quoted() {
        // The lines behind a wrong one keep their nodes: 3 goes to 0.
        let message = parse("1\nx\n9\n0\n", 4).expect_err("two wrong lines");
        assert_eq!(message, "line 2: `x` is not a node id; line 3 is wrong, too");
        let secret = "root:$6$salt$secretsecretsecretsecret:1::\n";
        let message = parse(&secret.repeat(25), 4).expect_err("all are wrong");
        assert!(message.starts_with("line 1: `root:$6$salt$secrets…` is not a node id; lines 2, 3, "), "{message}");
        assert!(
            message.ends_with("21, and 4 more are wrong, too") && message.matches("root").count() == 1,
            "{message}"
        );
    }

    #[test]
    fn files_are_opened_read_and_bounded() {
        let spec = |path: &str| format!("traffic.pattern = {{ kind = 'permutation', file = '{path}' }}");
        let four = shape(&[2, 2]);
        let good = TextFile::new("1\n-\n3\n2\n");
        assert_eq!(traffic(&spec(good.path()), &four, 1).active_nodes(), 3);
        let absent = refusal(&spec("/nowhere/at/all"), &four);
        assert!(absent.starts_with("traffic.pattern.file: cannot open /nowhere/at/all"), "{absent}");
        let long = TextFile::new(&"# \n".repeat(500_000));
        assert!(refusal(&spec(long.path()), &four).contains("longer than any permutation of 4 nodes"));
        let wrong = TextFile::new("7");
        let message = refusal(&spec(wrong.path()), &four);
        assert!(message.contains(wrong.path()) && message.contains("line 1: "), "{message}");
        assert!(refusal(&spec(std::env::temp_dir().to_str().expect("a plain path")), &four).contains("is a folder"));
    }
}
