//! The digest of a result: SHA-256 over a canonical byte form of what was simulated.
//!
//! Each field is a kind byte, the length of its tag (u32), the tag, then the value; every number little-endian,
//! every text and list preceded by its length (u64). So no two sequences of fields share a byte form, and the
//! digest is the same on every machine. Wall-clock numbers must not be fed.

use sha2::{Digest as _, Sha256};

/// First bytes of every digest; to change the form is to change this.
const DOMAIN: &[u8] = b"tailback-digest-1\n";

const KIND_U64: u8 = 1;
const KIND_F64: u8 = 2;
const KIND_TEXT: u8 = 3;
const KIND_U64_LIST: u8 = 4;
const KIND_ABSENT: u8 = 5;

/// A digest in the making.
#[derive(Clone, Debug)]
pub struct Digest {
    hash: Sha256,
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// The digest of nothing yet.
    pub fn new() -> Self {
        Self { hash: Sha256::new_with_prefix(DOMAIN) }
    }

    /// Feeds a whole number.
    pub fn u64(&mut self, tag: &str, value: u64) -> &mut Self {
        self.field(KIND_U64, tag);
        self.hash.update(value.to_le_bytes());
        self
    }

    /// Feeds a number by its bits; all NaNs count as one, for their payload differs between machines.
    pub fn f64(&mut self, tag: &str, value: f64) -> &mut Self {
        let value = if value.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { value };
        self.field(KIND_F64, tag);
        self.hash.update(value.to_bits().to_le_bytes());
        self
    }

    /// Feeds a number that may be unknown; unknown differs from every number.
    pub fn optional_f64(&mut self, tag: &str, value: Option<f64>) -> &mut Self {
        match value {
            Some(value) => self.f64(tag, value),
            None => {
                self.field(KIND_ABSENT, tag);
                self
            }
        }
    }

    /// Feeds a text.
    pub fn text(&mut self, tag: &str, value: &str) -> &mut Self {
        self.field(KIND_TEXT, tag);
        self.hash.update((value.len() as u64).to_le_bytes());
        self.hash.update(value);
        self
    }

    /// Feeds a list of whole numbers, such as a histogram's counts.
    pub fn u64_list(&mut self, tag: &str, values: &[u64]) -> &mut Self {
        self.field(KIND_U64_LIST, tag);
        self.hash.update((values.len() as u64).to_le_bytes());
        for value in values {
            self.hash.update(value.to_le_bytes());
        }
        self
    }

    /// The digest of all that was fed, as 64 lower-case hexadecimal digits.
    pub fn finish(&self) -> String {
        let bytes = self.hash.clone().finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn field(&mut self, kind: u8, tag: &str) {
        self.hash.update([kind]);
        // A tag is a word of our own; a longer one than u32 cannot be written in a source file.
        self.hash.update((tag.len() as u32).to_le_bytes());
        self.hash.update(tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_form_is_pinned() {
        // Computed apart from this code, from the byte form in the module comment.
        let mut digest = Digest::new();
        digest.u64("cycles", 30_000).f64("load", 0.25).text("status", "steady").u64_list("counts", &[1, 2]);
        digest.optional_f64("duration", None);
        assert_eq!(digest.finish(), "457753bc050ce11b9999569a49b3a8403c8674b2b57d8c6371f3e9f5a2730b2d");
        assert_eq!(Digest::new().finish(), "daa83c1d46e68f626d8b06f247cd19ab22f1305ca98c8c2cd44fd203d9690e3d");
    }

    #[test]
    fn every_difference_shows() {
        let forms = [
            Digest::new().finish(),
            Digest::new().u64("a", 1).finish(),
            Digest::new().u64("a", 2).finish(),
            Digest::new().u64("b", 1).finish(),
            Digest::new().f64("a", f64::from_bits(1)).finish(),
            Digest::new().f64("a", 0.0).finish(),
            Digest::new().f64("a", -0.0).finish(),
            Digest::new().f64("a", f64::NAN).finish(),
            Digest::new().optional_f64("a", None).finish(),
            Digest::new().text("a", "").finish(),
            Digest::new().text("a", "b").finish(),
            Digest::new().text("ab", "").finish(),
            Digest::new().u64_list("a", &[]).finish(),
            Digest::new().u64_list("a", &[1]).finish(),
            Digest::new().u64_list("a", &[1]).u64_list("a", &[]).finish(),
        ];
        let distinct: std::collections::BTreeSet<_> = forms.iter().collect();
        assert_eq!(distinct.len(), forms.len());
    }

    #[test]
    fn finishing_does_not_end_the_digest_and_nans_are_one() {
        let mut digest = Digest::new();
        digest.u64("a", 1);
        let first = digest.finish();
        assert_eq!(first, digest.finish());
        assert_ne!(first, digest.u64("a", 1).finish());
        assert_eq!(Digest::new().f64("a", f64::NAN).finish(), Digest::new().f64("a", -f64::NAN).finish());
    }
}
