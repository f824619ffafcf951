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
