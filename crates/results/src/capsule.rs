//! The capsule: all it takes to run a point again and to see whether the same came out.

use crate::atomic::write_atomic;
use crate::error::{Error, Result};
use crate::schema::Record;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tailback_base::text::{brief, word};

/// The format this program writes and reads.
pub const FORMAT: u64 = 2;

/// Largest file taken for a capsule; a resolved spec is a few kilobytes.
const BYTES_MAX: u64 = 16 << 20;

/// A point with its resolved spec and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// Format number, [`FORMAT`].
    pub format: u64,
    /// Version of the program that made it.
    pub version: String,
    /// The resolved spec of this one point, as TOML.
    pub spec_toml: String,
    /// Seed of the point.
    pub seed: u64,
    /// Identity of the point.
    pub point_id: String,
    /// Digest of the simulated results.
    pub digest: String,
    /// The row that came out.
    pub record: Record,
}

impl Capsule {
    /// The capsule of a finished point; version, seed, identity and digest are those of its record.
    pub fn new(spec_toml: impl Into<String>, record: Record) -> Self {
        Self {
            format: FORMAT,
            version: record.version.clone(),
            spec_toml: spec_toml.into(),
            seed: record.seed,
            point_id: record.point_id.clone(),
            digest: record.digest.clone(),
            record,
        }
    }

    /// Writes the capsule as a JSON file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`] naming path and cause; [`Error::Record`] for clashing column names.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomic(path, &self.to_json(path)?)
    }

    /// The content of the file, which messages call `path`.
    pub(crate) fn to_json(&self, path: &Path) -> Result<Vec<u8>> {
        self.record.row()?;
        let mut text = serde_json::to_string_pretty(self).map_err(|e| Error::capsule(path, e.to_string()))?;
        text.push('\n');
        // Pretty-printed numbers and texts take more room than they did in memory; what is written must be readable.
        if text.len() as u64 > BYTES_MAX {
            return Err(Error::capsule(path, too_large()));
        }
        Ok(text.into_bytes())
    }

    /// Reads a capsule.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read; [`Error::Capsule`] for a file that is too large, no JSON, no
    /// capsule, of another format, or in contradiction with its own record.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let mut bytes = Vec::new();
        file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        Self::parse(&bytes).map_err(|cause| Error::capsule(path, cause))
    }

    fn parse(bytes: &[u8]) -> std::result::Result<Self, String> {
        if bytes.len() as u64 > BYTES_MAX {
            return Err(too_large());
        }
        let value: Value = serde_json::from_slice(bytes)
            .map_err(|e| format!("damaged, or no capsule: no JSON ({})", brief(&e.to_string())))?;
        check_format(&value)?;
        // Parsed again from the text, for there a repeated key is an error and has a position.
        let capsule: Self =
            serde_json::from_slice(bytes).map_err(|e| format!("damaged capsule: {}", brief(&e.to_string())))?;
        capsule.check()?;
        Ok(capsule)
    }

    fn check(&self) -> std::result::Result<(), String> {
        let record = &self.record;
        for (name, same) in [
            ("version", self.version == record.version),
            ("seed", self.seed == record.seed),
            ("point_id", self.point_id == record.point_id),
            ("digest", self.digest == record.digest),
        ] {
            if !same {
                return Err(format!("damaged capsule: `{name}` differs from that of its record"));
            }
        }
        Ok(())
    }
}

fn check_format(value: &Value) -> std::result::Result<(), String> {
    let Some(object) = value.as_object() else {
        return Err("no capsule: JSON, but no object".into());
    };
    match object.get("format") {
        None => Err("no capsule: it has no `format`".into()),
        Some(number) if number.as_u64() == Some(FORMAT) => Ok(()),
        Some(other) => {
            Err(format!("a capsule of format {}; this version reads format {FORMAT}", word(&other.to_string())))
        }
    }
}

fn too_large() -> String {
    format!("too large for a capsule (over {} MiB)", BYTES_MAX >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_record, filled};
    use proptest::prelude::*;
    use std::fs;

    fn message(bytes: &[u8]) -> String {
        Capsule::parse(bytes).unwrap_err()
    }

    #[test]
    fn survives_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a1b2.json");
        let capsule = Capsule::new("[network]\nkind = \"torus\"\n", filled());
        capsule.write(&path).unwrap();
        assert_eq!(Capsule::read(&path).unwrap(), capsule);
        assert_eq!(capsule.seed, u64::MAX, "beyond what a float holds");
    }

    #[test]
    fn foreign_files_are_told_apart() {
        assert!(message(b"").contains("no JSON"));
        assert!(message(b"\x7fELF\0\0").contains("no JSON"));
        assert!(message(b"[]").contains("no object"));
        assert!(message(b"{\"a\":1}").contains("no `format`"));
        assert_eq!(message(b"{\"format\":1}"), "a capsule of format 1; this version reads format 2");
        assert_eq!(message(b"{\"format\":\"x\"}"), "a capsule of format \"x\"; this version reads format 2");
        assert!(message(b"{\"format\":2}").contains("missing field `version`"));
        assert!(message("[".repeat(1_000_000).as_bytes()).contains("no JSON"), "deep nesting is no stack overflow");
    }

    #[test]
    fn damage_is_told() {
        let good = serde_json::to_string(&Capsule::new("", filled())).unwrap();
        assert!(Capsule::parse(good.as_bytes()).is_ok());
        for cut in [1, good.len() / 2, good.len() - 1] {
            assert!(message(&good.as_bytes()[..cut]).contains("no JSON"));
        }
        for (from, to, expected) in [
            ("\"point_id\":\"a1b2\"", "\"point_id\":\"a1b3\"", "`point_id` differs"),
            ("\"digest\":\"00ff\"", "\"digest\":\"00fe\"", "`digest` differs"),
            ("\"cycles\":30000", "\"cycles\":3.5", "damaged capsule"),
            ("\"format\":2", "\"format\":2,\"extra\":0", "unknown field `extra`"),
            ("\"format\":2", "\"format\":2,\"format\":2", "duplicate field `format`"),
        ] {
            let bad = good.replacen(from, to, 1);
            assert!(bad != good && message(bad.as_bytes()).contains(expected), "{}", message(bad.as_bytes()));
        }
    }

    #[test]
    fn a_hundred_megabytes_are_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("big.json");
        File::create(&path).unwrap().set_len(100 << 20).unwrap();
        let message = Capsule::read(&path).unwrap_err().to_string();
        assert!(message.contains("big.json: too large for a capsule (over 16 MiB)"), "{message}");
        let capsule = Capsule::new("x".repeat(17 << 20), filled());
        assert!(capsule.write(&path.with_extension("new")).is_err());
        assert!(!path.with_extension("new").exists());
    }

    #[test]
    fn a_folder_or_nothing_is_no_capsule() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Capsule::read(folder.path()).unwrap_err().to_string().contains("cannot read"));
        assert!(Capsule::read(&folder.path().join("no")).unwrap_err().to_string().contains("cannot open"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #[test]
        fn any_capsule_survives(record in any_record(), spec in any::<String>()) {
            let capsule = Capsule::new(spec, record);
            let text = serde_json::to_string_pretty(&capsule).unwrap();
            prop_assert_eq!(Capsule::parse(text.as_bytes()), Ok(capsule));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Capsule::parse(&bytes).is_err());
        }
    }
}
