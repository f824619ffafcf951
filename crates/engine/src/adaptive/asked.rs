//! What the heads of a router ask for.

/// What the heads of a router ask for.
#[derive(Clone, Debug)]
pub(super) struct Asked<const NI: usize, const NO: usize> {
    /// Outputs that are asked for and open.
    pub outputs: u64,
    /// Under refusals, the inputs whose head asks for something that fits, open or not.
    pub tried: u64,
    /// The inputs that ask for each of these outputs. Entries of other outputs mean nothing.
    pub by: [u64; NO],
    /// The channel that each head asks for.
    pub channel: [u8; NI],
}

impl<const NI: usize, const NO: usize> Default for Asked<NI, NO> {
    fn default() -> Self {
        Asked { outputs: 0, tried: 0, by: [0; NO], channel: [0; NI] }
    }
}

impl<const NI: usize, const NO: usize> Asked<NI, NO> {
    #[inline(always)]
    pub fn ask(&mut self, input: usize, output: usize) {
        let (bit, o) = (1u64 << output, output & (NO - 1));
        let others = if self.outputs & bit == 0 { 0 } else { self.by[o] };
        self.by[o] = others | 1 << input;
        self.outputs |= bit;
    }
}
