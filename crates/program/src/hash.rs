//! A 64-bit hash of numbers in an order, the same on every machine and in every version.

/// What has been hashed so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash(u64);

impl Hash {
    /// An empty hash of a domain: equal numbers of different domains differ.
    pub(crate) fn of(domain: &str) -> Hash {
        let mut hash = Hash(0x243f_6a88_85a3_08d3);
        hash.text(domain);
        hash
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, value: u64) {
        // The finaliser of a well-known generator: every bit of the sum moves every bit of the result.
        let mut x = self.0.rotate_left(5) ^ value;
        x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = x ^ x >> 31;
    }

    /// Adds a text with its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        text.bytes().for_each(|byte| self.number(u64::from(byte)));
    }

    /// The hash.
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
