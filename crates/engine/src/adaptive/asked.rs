//! What the heads of a router ask for.

use super::members::Members;

/// What the heads of a router ask for.
#[derive(Clone, Debug)]
pub(super) struct Asked<S, const NI: usize, const NO: usize> {
    /// Outputs that are asked for and open.
    pub outputs: S,
    /// Under refusals, the inputs whose head asks for something that fits, open or not.
    pub tried: S,
    /// The inputs that ask for each of these outputs. Entries of other outputs mean nothing.
    pub by: Box<[S; NO]>,
    /// The channel that each head asks for.
    pub channel: [u16; NI],
}

impl<S: Members, const NI: usize, const NO: usize> Default for Asked<S, NI, NO> {
    fn default() -> Self {
        // Not on the stack: it is half a megabyte for a wide router.
        let by = vec![S::default(); NO].try_into().expect("they are as many");
        Asked { outputs: S::default(), tried: S::default(), by, channel: [0; NI] }
    }
}

impl<S: Members, const NI: usize, const NO: usize> Asked<S, NI, NO> {
    #[inline(always)]
    pub fn ask(&mut self, input: usize, output: usize) {
        let o = output & (NO - 1);
        let others = if self.outputs.has(output) { self.by[o] } else { S::default() };
        self.by[o] = others | S::one(input);
        self.outputs = self.outputs | S::one(output);
    }
}
