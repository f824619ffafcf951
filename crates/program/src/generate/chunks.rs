//! Flits cut into chunks.
//!
//! Chunks differ by one flit at most, and the longer ones come first. A message has one flit at least: a chunk without flits travels as one flit.

/// A number of flits in a number of chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    /// All flits together.
    pub(crate) flits: u32,
    /// The number of chunks, at least 1.
    pub(crate) parts: u32,
}

impl Chunks {
    /// Length of a message that carries one chunk \[flits\].
    pub(crate) fn one(self, chunk: u32) -> u32 {
        self.several(chunk, chunk + 1)
    }

    /// Length of a message that carries the chunks from `first` up to `end`, which is not one of them \[flits\].
    pub(crate) fn several(self, first: u32, end: u32) -> u32 {
        let (each, longer) = (self.flits / self.parts, self.flits % self.parts);
        ((end - first) * each + end.min(longer) - first.min(longer)).max(1)
    }

    /// The longest and the shortest message of one chunk \[flits\].
    pub(crate) fn lengths(self) -> (u32, u32) {
        (self.one(0), self.one(self.parts - 1))
    }
}
