//! Round robin among the inputs of every crossbar input. These groups are fixed and no input is in two of them, so a block
//! does all of them at once: a mask holds a turn for every group.

use super::lanes::{Lanes, Mask, lanes};

/// Groups of neighbouring numbers.
#[derive(Clone, Debug)]
pub(crate) struct Groups<W> {
    /// Per step `k`, the numbers whose group also has the number that is smaller by `2^k`.
    up: Vec<W>,
    /// Per step `k`, the numbers whose group also has the number that is larger by `2^k`.
    down: Vec<W>,
}

impl<W: Mask> Groups<W> {
    /// The groups with these members, each without a gap.
    pub fn new(groups: &[u64]) -> Self {
        let most = groups.iter().map(|group| group.count_ones()).max().unwrap_or(1);
        let steps = 0..most.next_power_of_two().trailing_zeros();
        let all = |of: &dyn Fn(u64) -> u64| W::of(groups.iter().fold(0, |all, &group| all | group & of(group)));
        Groups {
            up: steps.clone().map(|k| all(&|group| group << (1 << k))).collect(),
            down: steps.map(|k| all(&|group| group >> (1 << k))).collect(),
        }
    }

    /// The members of `of`, and those above one of them in its group.
    #[inline(always)]
    fn from(&self, of: &Lanes<W>) -> Lanes<W> {
        let mut all = *of;
        for (k, &keep) in self.up.iter().enumerate() {
            let some = all;
            all = lanes(|l| some[l] | some[l].up(1 << k) & keep);
        }
        all
    }

    /// The members of `of`, and those below one of them in its group.
    #[inline(always)]
    fn up_to(&self, of: &Lanes<W>) -> Lanes<W> {
        let mut all = *of;
        for (k, &keep) in self.down.iter().enumerate() {
            let some = all;
            all = lanes(|l| some[l] | some[l].down(1 << k) & keep);
        }
        all
    }

    /// Those that are not the lowest of `from`, which goes on to the end of each group.
    #[inline(always)]
    fn but_first(&self, from: &Lanes<W>) -> Lanes<W> {
        let keep = self.up.first().copied().unwrap_or_default();
        lanes(|l| from[l].next() & keep)
    }
}

/// In every group, the first of its members among `requests` from its turn on.
#[inline(always)]
pub(super) fn choose_in_groups<W: Mask>(
    groups: &Groups<W>,
    turns: &Lanes<W>,
    requests: &Lanes<W>,
    picked: &mut Lanes<W>,
) {
    let later = lanes(|l| requests[l] & turns[l]);
    let decided = groups.up_to(&groups.from(&later));
    let asking = lanes(|l| later[l] | requests[l] & !decided[l]);
    let others = groups.but_first(&groups.from(&asking));
    *picked = lanes(|l| asking[l] & !others[l]);
}

/// After a stage: for the one of `grants` in each group the turn is at the numbers above it; without one it stays.
#[inline(always)]
pub(super) fn pass_in_groups<W: Mask>(groups: &Groups<W>, grants: &Lanes<W>, turns: &mut Lanes<W>) {
    let from = groups.from(grants);
    let (old, served, above) = (*turns, groups.up_to(&from), groups.but_first(&from));
    *turns = lanes(|l| above[l] | old[l] & !served[l]);
}

#[cfg(test)]
mod tests {
    use super::super::kernels::{AnyProcessor, Kernels};
    use super::super::lanes::LANES;
    use super::*;

    #[test]
    fn groups_are_as_sets_one_by_one() {
        let members = [0b1111u64, 0b111_0000, 1 << 7, 0b11111 << 8, 1 << 13];
        let sets: Vec<Lanes<u32>> = members.iter().map(|&m| [m as u32; LANES]).collect();
        let (groups, mut turns, mut old) = (Groups::new(&members), [0; LANES], vec![[0; LANES]; 5]);
        for turn in 0..500u32 {
            let requests = lanes(|l| (turn * 7919 + l as u32).wrapping_mul(0x9e37_79b9) >> 18);
            let (mut picked, mut expected) = ([0; LANES], [0; LANES]);
            AnyProcessor.choose_in_groups(&groups, &turns, &requests, &mut picked);
            AnyProcessor.choose(&sets, &old, &requests, &mut expected);
            assert_eq!(picked, expected, "turn {turn}");
            // Some picks come to nothing.
            let grants = lanes(|l| picked[l] & (turn.wrapping_mul(0x85eb_ca6b) >> 17 | 1));
            AnyProcessor.pass_in_groups(&groups, &grants, &mut turns);
            AnyProcessor.pass(&sets, &grants, &mut old);
        }
    }
}
