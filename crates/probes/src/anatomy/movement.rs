//! Which way busy areas move, and how fast: the slopes of space-time charts (`spth-2015` section 3.3) as numbers.
//!
//! All lines of routers are noted, and again some cycles (a *lag*) later. Where the two agree best when one is shifted, by
//! that the busy areas have moved in the meantime.

use crate::listed::{Grows, Listed, Site, Size, cycles, is_asked};
use crate::picture::{Draw, Picture};
use tailback_base::bits::ones;
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::{Grid, NONE};
use tailback_spec::Param;

/// The longest lag \[cycles\].
const LONGEST: u64 = 256;
/// The largest shift \[routers\].
const FARTHEST: usize = 16;
/// A peak is at least so high,
const LEAST: f64 = 0.05;
/// and so many times what chance gives.
const CHANCE: f64 = 8.0;
/// The peak at twice the lag is looked for so near to twice its shift \[routers\]: both may be off by half a router.
const NEAR: i64 = 2;

/// A speed of busy areas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// In the direction in which packets travel \[routers/cycle\]; negative: against it.
    pub speed: f64,
    /// The correlation that it was read from, at most 1.
    pub correlation: f64,
    /// Cycles between the two states that were compared.
    pub lag: u64,
}

impl Speed {
    /// Whether the peak went half a router or more; else the busy areas stand.
    pub fn moves(&self) -> bool {
        (self.speed * self.lag as f64).abs() >= 0.5
    }
}

/// The lines of one direction: states of their routers, those of a line one after the other as packets pass them.
#[derive(Clone, Debug)]
struct Direction {
    port: usize,
    /// Routers of a line, and whether the last one's packets come to the first.
    length: usize,
    wraps: bool,
    routers: Vec<u32>,
    /// By router: its bit in a state.
    bits: Vec<u32>,
    /// The state at the last note: busy routers as bits, each line in words of its own, channel by channel. Empty before the first.
    noted: Vec<u64>,
    /// Notes, and for each router those at which it was busy.
    notes: u64,
    busy: Vec<u32>,
    lags: Vec<Lag>,
}

/// What came of the notes a lag later.
#[derive(Clone, Debug)]
struct Lag {
    cycles: u64,
    /// Looks, and for each router those at which it was busy.
    looks: u64,
    busy: Vec<u32>,
    /// By shift, [`FARTHEST`] upstream first: pairs of routers both of which were busy.
    both: [u64; 2 * FARTHEST + 1],
}

/// Notes full input buffers over and over.
#[derive(Clone, Debug)]
pub struct Movement {
    every: u64,
    window: (u64, u64),
    channels: usize,
    capacity: u16,
    now: Vec<u64>,
    directions: Vec<Direction>,
}

tailback_base::state!([] Lag { saved: looks, busy, both; rebuilt: cycles; });
tailback_base::state!([] Direction {
    saved: notes, busy, lags; grown: noted; rebuilt: port, length, wraps, routers, bits;
} [fits]);
tailback_base::state!([] Movement { saved: directions; rebuilt: every, window, channels, capacity, now; });

impl Movement {
    /// Notes every `every` cycles of a window.
    pub fn new(grid: &Grid, channels: usize, capacity: u16, every: u64, window: (u64, u64)) -> Self {
        let lags: Vec<u64> = (0..).map(|n| 1 << n).take_while(|&lag| lag <= every.min(LONGEST)).collect();
        let directions = (0..grid.ports()).map(|port| Direction::new(grid, port, channels, &lags)).collect();
        Movement { every, window, channels, capacity, now: Vec::new(), directions }
    }

    /// Cycles since the last note, or 0 to note, in a cycle whose state is compared.
    #[inline]
    fn phase(&self, cycle: u64) -> Option<u64> {
        let (from, to) = self.window;
        let phase = (from..to).contains(&cycle).then(|| (cycle - from) % self.every)?;
        (phase == 0 || phase.is_power_of_two() && phase <= LONGEST).then_some(phase)
    }

    /// The speed of the busy areas of a direction, by output port; `None` where they show none.
    pub fn speed(&self, port: usize) -> Option<Speed> {
        self.directions[port].speed()
    }

    /// A state of the network: what calls a function with the busy routers of a port and channel.
    fn see(&mut self, phase: u64, busy: impl Fn(usize, usize, &mut dyn FnMut(usize))) {
        for direction in &mut self.directions {
            self.now.clear();
            self.now.resize(direction.words_of_state(self.channels), 0);
            for (channel, now) in self.now.chunks_mut(direction.words_of_state(1)).enumerate() {
                busy(direction.port, channel, &mut |router| {
                    let bit = direction.bits[router] as usize;
                    now[bit / 64] |= 1 << (bit % 64);
                });
            }
            direction.compare(if phase == 0 { self.every } else { phase }, &self.now);
            if phase == 0 {
                direction.note(&self.now);
            }
        }
    }
}

impl Listed for Movement {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[cycles(
        "anatomy_every_cycles",
        1 << 40,
        "Time between two looks at all packets in the measured window, to find congestion trees, head-of-line \
         blocking, culprits and victims, and the movement of busy areas; 0: never.",
    )];

    const READS_LEVELS: bool = true;

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "anatomy",
        caption: "Congestion trees. Left: the share of looks at which each link stood still because there was no room behind it (grey: \
             never), and as dots the roots, a link's or a router's nodes, of an area by the time in which others stood still for them. \
             Right, the moment at which most packets were blocked: every tree in a colour of its own, those beyond the six largest \
             grey; a number counts the links that stand still one behind the other up to the root, the dot.",
        table: "",
        draw: Draw::Trees,
    }];

    /// Busy areas move along lines of routers, which only a grid has. What else looks find needs none.
    fn is_on(site: &Site<'_>) -> bool {
        is_asked(&Self::PARAMS[0], site.probes) && site.network.grid().is_some()
    }

    fn new(site: &Site<'_>) -> Self {
        let every = site.probes.u64("anatomy_every_cycles");
        Movement::new(site.grid(), site.channels, site.capacity, every, site.measured)
    }

    fn grows(_size: Size) -> Grows {
        Grows::Sample(256)
    }
}

impl Probe for Movement {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        self.phase(cycle).is_some()
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        let (Some(phase), Some(occupancy)) = (self.phase(end.cycle), end.occupancy) else { return };
        let capacity = self.capacity;
        self.see(phase, |port, channel, tell| full(occupancy.levels(port, channel), capacity, tell));
    }
}

/// Calls `tell` with the routers whose buffer is full.
fn full(levels: &[u16], capacity: u16, tell: &mut dyn FnMut(usize)) {
    for (n, some) in levels.chunks(64).enumerate() {
        // PERF: most have none (`tailback bench --probes`).
        if some.iter().fold(false, |any, &level| any | (level >= capacity)) {
            (64 * n..).zip(some).filter(|&(_, &level)| level >= capacity).for_each(|(router, _)| tell(router));
        }
    }
}

impl Direction {
    fn new(grid: &Grid, port: usize, channels: usize, lags: &[u64]) -> Self {
        let (dimension, length) = (port / 2, grid.radix()[port / 2] as usize);
        // Where its packets come in first.
        let entry = if port.is_multiple_of(2) { 0 } else { length as u32 - 1 };
        let first = (0..grid.routers() as u32).filter(|&router| grid.coordinates(router)[dimension] == entry);
        let line = |router| std::iter::successors(Some(router), |&at| Some(grid.peer(at, port)).filter(|&p| p != NONE));
        let routers: Vec<u32> = first.flat_map(|router| line(router).take(length)).collect();
        let states = routers.len() * channels;
        let words = length.div_ceil(64);
        let mut bits = vec![0; routers.len()];
        for (place, &router) in routers.iter().enumerate() {
            bits[router as usize] = (place / length * words * 64 + place % length) as u32;
        }
        let none = |&cycles: &u64| Lag { cycles, looks: 0, busy: vec![0; states], both: [0; 2 * FARTHEST + 1] };
        Direction {
            port,
            length,
            wraps: grid.wrap()[dimension],
            noted: Vec::new(),
            notes: 0,
            busy: vec![0; states],
            lags: lags.iter().map(none).collect(),
            routers,
            bits,
        }
    }

    /// That the last note, if there is one, is of all routers.
    fn fits(&self) -> Result<(), Unfit> {
        let lags = || self.lags.iter();
        are_counts(lags().flat_map(|lag| lag.both.iter().copied().chain([lag.looks])).chain([self.notes]))?;
        let busy = self.busy.iter().chain(lags().flat_map(|lag| &lag.busy)).all(|&busy| busy <= 1 << 30);
        let words = self.words_of_state(self.busy.len() / self.routers.len());
        ensure(busy && (self.noted.is_empty() || self.noted.len() == words), "not all routers were noted")
    }

    /// Words of a line.
    fn words(&self) -> usize {
        self.length.div_ceil(64)
    }

    /// Words of a state of so many channels.
    fn words_of_state(&self, channels: usize) -> usize {
        channels * self.routers.len() / self.length * self.words()
    }

    fn note(&mut self, now: &[u64]) {
        self.noted.clear();
        self.noted.extend_from_slice(now);
        self.notes += 1;
        add(&mut self.busy, now, self.length);
    }

    /// Compares the last note with what is seen `cycles` later.
    fn compare(&mut self, cycles: u64, now: &[u64]) {
        let (noted, length, farthest, words) = (&self.noted, self.length, self.farthest(), self.words());
        let ring = self.wraps.then_some(length);
        let Some(lag) = self.lags.iter_mut().find(|lag| lag.cycles == cycles && !noted.is_empty()) else { return };
        lag.looks += 1;
        add(&mut lag.busy, now, length);
        for (before, after) in noted.chunks(words).zip(now.chunks(words)) {
            if before.iter().any(|&word| word != 0) && after.iter().any(|&word| word != 0) {
                for shift in 0..=farthest as usize {
                    lag.both[FARTHEST + shift] += in_both(before, after, shift, ring);
                    if shift > 0 {
                        lag.both[FARTHEST - shift] += in_both(after, before, shift, ring);
                    }
                }
            }
        }
    }

    /// The largest shift of a line: not twice the same on a ring, and a few routers left to compare in a row.
    fn farthest(&self) -> i64 {
        (if self.wraps { (self.length - 1) / 2 } else { self.length * 2 / 3 }).min(FARTHEST) as i64
    }

    /// How far the states a lag later agree with those noted and shifted, beyond what the means of the routers explain; and how far
    /// they do by chance.
    fn correlation(&self, lag: &Lag, shift: i64) -> (f64, f64) {
        let looks = lag.looks as f64;
        let (mut means, mut of_before, mut of_after, mut states) = (0.0, 0.0, 0.0, 0.0);
        // Notes beyond the last look have no partner; there is at most one.
        let mean = |busy: u32, of: u64| f64::from(busy) / of.max(1) as f64;
        for (before, after) in self.busy.chunks(self.length).zip(lag.busy.chunks(self.length)) {
            for (a, b) in pairs(self.length, self.wraps, shift) {
                let (a, b) = (mean(before[a], self.notes), mean(after[b], lag.looks));
                means += a * b;
                of_before += a * (1.0 - a);
                of_after += b * (1.0 - b);
                states += looks;
            }
        }
        let spread = (of_before * of_after).sqrt();
        if spread == 0.0 || looks == 0.0 {
            return (0.0, 1.0);
        }
        let both = lag.both[(shift + FARTHEST as i64) as usize] as f64 / looks;
        ((both - means) / spread, 1.0 / states.sqrt())
    }

    fn speed(&self) -> Option<Speed> {
        let (mut found, mut near) = (None, 0);
        for lag in &self.lags {
            let farthest = self.farthest();
            let shifts = (near - NEAR).max(-farthest)..=(near + NEAR).min(farthest);
            let at = |shift: i64| self.correlation(lag, shift).0;
            let Some(peak) = shifts.max_by(|&a, &b| at(a).total_cmp(&at(b))) else { break };
            let (height, chance) = self.correlation(lag, peak);
            if height < LEAST.max(CHANCE * chance) || peak.abs() == farthest {
                break;
            }
            let shift = peak as f64 + summit(at(peak - 1), height, at(peak + 1));
            found = Some(Speed { speed: shift / lag.cycles as f64, correlation: height, lag: lag.cycles });
            near = (2.0 * shift).round() as i64;
        }
        found
    }
}

/// Adds the busy routers of a state, whose lines have `length` routers.
fn add(sums: &mut [u32], state: &[u64], length: usize) {
    for (line, sums) in state.chunks(length.div_ceil(64)).zip(sums.chunks_mut(length)) {
        for (sums, &busy) in sums.chunks_mut(64).zip(line) {
            ones(busy).for_each(|at| sums[at] += 1);
        }
    }
}

/// Places of a line that are busy in `one` and, `shift` further on, in `other`; `ring`: the length of a line that closes.
fn in_both(one: &[u64], other: &[u64], shift: usize, ring: Option<usize>) -> u64 {
    let straight = one.iter().enumerate().map(|(n, &word)| (word & bits_from(other, 64 * n + shift)).count_ones());
    let around = ring.map_or(0, |length| (bits_from(one, length - shift) & other[0] & ((1 << shift) - 1)).count_ones());
    u64::from(straight.sum::<u32>() + around)
}

/// 64 places of a line from one on.
fn bits_from(line: &[u64], from: usize) -> u64 {
    let at = |n: usize| line.get(n).copied().unwrap_or(0);
    match from % 64 {
        0 => at(from / 64),
        bit => at(from / 64) >> bit | at(from / 64 + 1) << (64 - bit),
    }
}

/// Places of a line, each with the one that a shift leads to.
fn pairs(length: usize, wraps: bool, shift: i64) -> impl Iterator<Item = (usize, usize)> {
    let length = length as i64;
    (0..length).filter_map(move |a| {
        let b = a + shift;
        let b = if wraps { b.rem_euclid(length) } else { b };
        (0..length).contains(&b).then_some((a as usize, b as usize))
    })
}

/// Where the parabola through three values at -1, 0 and 1 is highest, the middle one being the largest.
fn summit(left: f64, middle: f64, right: f64) -> f64 {
    let bend = left - 2.0 * middle + right;
    if bend < 0.0 { (0.5 * (left - right) / bend).clamp(-0.5, 0.5) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::rng::{Purpose, draw_u64};

    impl Movement {
        fn see_each(&mut self, phase: u64, is_busy: impl Fn(u32) -> bool) {
            let routers = self.directions[0].routers.len();
            self.see(phase, |_, _, tell| (0..routers).filter(|&router| is_busy(router as u32)).for_each(tell));
        }
    }

    #[test]
    fn places_that_agree_are_counted_in_words_as_one_by_one() {
        for (length, wraps) in
            [(1, true), (5, true), (16, true), (63, false), (64, true), (65, true), (130, false), (130, true)]
        {
            let line = |salt: i64| (0..length as i64).map(|at| u64::from(noise(1, salt + at) < 40)).collect::<Vec<_>>();
            let words = |line: &[u64]| -> Vec<u64> {
                line.chunks(64).map(|some| some.iter().rev().fold(0, |word, bit| word << 1 | bit)).collect()
            };
            let (before, after) = (line(0), line(1000));
            let farthest = if wraps { (length - 1) / 2 } else { length * 2 / 3 }.min(FARTHEST) as i64;
            for shift in -farthest..=farthest {
                let one_by_one: u64 = pairs(length, wraps, shift).map(|(a, b)| before[a] & after[b]).sum();
                let (one, other) = if shift < 0 { (&after, &before) } else { (&before, &after) };
                let ring = wraps.then_some(length);
                let counted = in_both(&words(one), &words(other), shift.unsigned_abs() as usize, ring);
                assert_eq!(counted, one_by_one, "{length} {wraps} {shift}");
            }
            let mut sums = vec![0; length];
            add(&mut sums, &words(&before), length);
            assert!(sums.iter().zip(&before).all(|(&sum, &bit)| u64::from(sum) == bit));
        }
    }

    fn noise(cycle: u64, at: i64) -> u64 {
        draw_u64(7, Purpose::Arbiter, at as u32, cycle) % 100
    }

    /// Lets busy places of width 3, which are there at random, go by a line of `length` with a speed, in the direction of travel of
    /// port 0; a share of all states in percent is replaced by chance.
    fn moved(length: u32, wraps: bool, every: u64, speed: f64, noisy: u64) -> Movement {
        let grid = Grid::new(&[length], &[wraps], 1, 1);
        let mut movement = Movement::new(&grid, 1, 1, every, (0, u64::MAX));
        for cycle in 0..every * 400 {
            let phase = cycle % every;
            if phase != 0 && !phase.is_power_of_two() {
                continue;
            }
            movement.see_each(phase, |router| {
                let chance = noise(cycle, i64::from(router) + 1000);
                if chance < noisy {
                    return chance.is_multiple_of(2);
                }
                // On a ring the pattern runs round and changes slowly.
                let at = (f64::from(router) - speed * cycle as f64).floor() as i64;
                let pattern = if wraps { at.rem_euclid(i64::from(length)) } else { at };
                let epoch = if wraps { cycle / (4 * every) } else { 0 };
                (-1..=1).any(|near| noise(epoch, (pattern + near).rem_euclid(1 << 20)) < 12)
            });
        }
        movement
    }

    #[test]
    fn the_speed_of_a_moving_pattern_is_found_with_its_direction() {
        for speed in [-0.25, -0.1, 0.05, 0.125, 0.5] {
            let found = moved(32, false, 64, speed, 20);
            let along = found.speed(0).expect("a speed");
            assert!((along.speed - speed).abs() < 0.02, "{along:?} for {speed}");
            // The same seen by packets that come the other way.
            let against = found.speed(1).expect("a speed");
            assert!((against.speed + speed).abs() < 0.02, "{against:?} for {speed}");
        }
    }

    #[test]
    fn on_a_ring_as_well() {
        for speed in [-0.125, 0.25] {
            let found = moved(24, true, 32, speed, 20).speed(0).expect("a speed");
            assert!((found.speed - speed).abs() < 0.03, "{found:?} for {speed}");
        }
    }

    #[test]
    fn noise_and_places_that_are_always_busy_have_no_speed() {
        assert_eq!(moved(32, false, 64, 0.25, 100).speed(0), None);
        let stands = moved(32, false, 64, 0.0, 20).speed(0);
        assert!(stands.is_none_or(|speed| !speed.moves()), "{stands:?}");
        let grid = Grid::new(&[16], &[false], 1, 1);
        let mut still = Movement::new(&grid, 1, 1, 8, (0, 800));
        (0..800).for_each(|cycle| still.see_each(cycle % 8, |router| router > 9));
        assert_eq!(still.speed(0), None);
        assert_eq!(Movement::new(&grid, 1, 1, 8, (0, 0)).speed(0), None, "and what was never seen");
        assert_eq!(Movement::new(&grid, 1, 1, 1 << 40, (0, 9)).directions[0].lags.len(), 9);
    }

    #[test]
    fn lines_run_as_packets_do() {
        let grid = Grid::new(&[3, 2], &[true, false], 1, 1);
        let routers = |port| Direction::new(&grid, port, 1, &[]).routers;
        assert_eq!(routers(0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(routers(1), [2, 1, 0, 5, 4, 3]);
        assert_eq!(routers(3), [3, 0, 4, 1, 5, 2]);
    }
}
