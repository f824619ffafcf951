//! Asking for a cache line before it is needed.

/// Bytes of a cache line.
const LINE: usize = 64;

/// Asks the processor to fetch the `lines` cache lines of `slice[index]` from byte `from` on. Does nothing out of bounds
/// and on processors without such an instruction; never changes a result.
///
/// PERF: a network larger than the second-level cache waits for memory at nearly every event otherwise
/// (`tailback bench big`, `tailback bench spth-32`).
#[inline]
pub fn prefetch<T>(slice: &[T], index: usize, from: usize, lines: usize) {
    prefetch_parts(slice, index, [(from, lines)]);
}

/// Prefetches several parts, as [`prefetch`] does. A part is its first byte and its number of lines.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch_parts<T, const N: usize>(slice: &[T], index: usize, parts: [(usize, usize); N]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = slice.get(index) {
        for (from, lines) in parts {
            for line in 0..lines {
                let address = std::ptr::from_ref(item).cast::<i8>().wrapping_add(from.wrapping_add(line * LINE));
                // SAFETY: the instruction reads no memory that the program can observe and never faults, whatever the
                // address; `wrapping_add` makes no claim about it. The test below gives it addresses past the end.
                unsafe {
                    std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address);
                }
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index, parts, LINE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_address_will_do() {
        let data = vec![1u64; 100];
        for index in [0, 99, 100, usize::MAX] {
            for from in [0, 64, 1 << 20, usize::MAX] {
                prefetch(&data, index, from, 9);
            }
        }
        prefetch::<u64>(&[], 0, 0, 1);
        assert!(data.iter().all(|&v| v == 1));
    }
}
