//! What the files hold that a spec names: a part of what is simulated, and so of a point's identity.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use tailback_sim::catalogue;
use tailback_spec::{Point, contents_digest};
use toml::Value;

/// Larger files are refused by whoever uses them.
const MOST_BYTES: u64 = 1 << 30;

/// Digests of files; each is read once.
#[derive(Default)]
pub struct Contents {
    /// By the file's path; nothing for what cannot be read.
    digests: BTreeMap<String, Option<String>>,
}

impl Contents {
    /// Makes the identity of a point, whose files have been found, depend on what they hold.
    pub fn identify(&mut self, point: &mut Point) {
        let mut contents = Vec::new();
        for path in point.resolved.files(catalogue()) {
            let Some(Value::String(file)) = point.resolved.value_mut(&path) else { continue };
            let digest = self.digests.entry(file.clone()).or_insert_with(|| digest(file));
            contents.extend(digest.clone().map(|digest| (path, digest)));
        }
        if !contents.is_empty() {
            point.identify(&contents);
        }
    }
}

fn digest(path: &str) -> Option<String> {
    // Anything else may never end, and a pipe would be waited for when it is opened.
    let plain = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
    plain.then(|| contents_digest(File::open(path).ok()?.take(MOST_BYTES)).ok()).flatten()
}
