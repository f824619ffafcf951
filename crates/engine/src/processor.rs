//! What the processor can do.

/// Whether it counts and shifts bits in one instruction: `bmi1`, `bmi2`, `lzcnt`, `popcnt`.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_bit_instructions() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
}

/// Only of one kind of processor is it known.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_bit_instructions() -> bool {
    false
}

/// Defines in a fabric `step`, which simulates a cycle as its `cycle_of` does, with the bit instructions of the processor where it has them.
/// What is given are its visibility, and why the cycle is worth a second compilation. The fabric has a field `bit_instructions`, of
/// [`has_bit_instructions`].
macro_rules! step {
    ($of:vis, $(#[$why:meta])+) => {
        /// Simulates one cycle, with the bit instructions of the processor where it has them.
        $of fn step<P: Probe>(&mut self, probe: &mut P) {
            #[cfg(target_arch = "x86_64")]
            if self.bit_instructions {
                // SAFETY: `bit_instructions` is set only where all the features that the function is compiled for were
                // detected (`has_bit_instructions`), and nothing sets it later. Tests run both ways and compare.
                #[allow(unsafe_code)]
                return unsafe { self.step_with_bit_instructions(probe) };
            }
            self.cycle_of(probe);
        }

        /// The cycle, compiled for processors that count and shift bits in one instruction.
        ///
        $(#[$why])+
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn step_with_bit_instructions<P: Probe>(&mut self, probe: &mut P) {
            self.cycle_of(probe);
        }
    };
}

pub(crate) use step;
