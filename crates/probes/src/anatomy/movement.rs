//! Which way busy areas move, and how fast: the slopes of space-time charts (`spth-2015` section 3.3) as numbers.
//!
//! All lines of routers are noted, and again some cycles (a *lag*) later. Where the two agree best when one is shifted, by
//! that the busy areas have moved in the meantime.

use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::{Grid, NONE};

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
    /// Busy routers at the last note, channel by channel.
    noted: Vec<u8>,
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
    now: Vec<u8>,
    directions: Vec<Direction>,
}

tailback_base::state!([] Lag { saved: looks, busy, both; rebuilt: cycles; });
tailback_base::state!([] Direction {
    saved: notes, busy, lags; grown: noted; rebuilt: port, length, wraps, routers;
} [fits]);
tailback_base::state!([] Movement { saved: directions; rebuilt: every, window, channels, capacity, now; });

impl Movement {
    /// Notes every `every` cycles of a window.
    pub fn new(grid: &Grid, channels: usize, capacity: u16, every: u64, window: (u64, u64)) -> Self {
        let lags: Vec<u64> = (0..).map(|n| 1 << n).take_while(|&lag| lag <= every.min(LONGEST)).collect();
        let directions = (0..grid.ports()).map(|port| Direction::new(grid, port, channels, &lags)).collect();
        Movement { every, window, channels, capacity, now: Vec::new(), directions }
    }

    /// The speed of the busy areas of a direction, by output port; `None` where they show none.
    pub fn speed(&self, port: usize) -> Option<Speed> {
        self.directions[port].speed()
    }

    /// A state of the network, as a function of router, port and channel.
    fn see(&mut self, phase: u64, is_busy: impl Fn(u32, usize, usize) -> bool) {
        for direction in &mut self.directions {
            self.now.clear();
            for channel in 0..self.channels {
                let busy = |&router: &u32| u8::from(is_busy(router, direction.port, channel));
                self.now.extend(direction.routers.iter().map(busy));
            }
            direction.compare(if phase == 0 { self.every } else { phase }, &self.now);
            if phase == 0 {
                direction.note(&self.now);
            }
        }
    }
}

impl Probe for Movement {
    #[inline]
    fn watches_flits(&self) -> bool {
        false
    }

    fn needs_occupancy(&self) -> bool {
        true
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        let (from, to) = self.window;
        let Some(occupancy) = end.occupancy.filter(|_| (from..to).contains(&end.cycle)) else { return };
        let phase = (end.cycle - from) % self.every;
        if phase == 0 || phase.is_power_of_two() && phase <= LONGEST {
            let capacity = self.capacity;
            self.see(phase, |router, port, channel| occupancy.level(router, port, channel) >= capacity);
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
        }
    }

    /// That the last note, if there is one, is of all routers.
    fn fits(&self) -> Result<(), Unfit> {
        let lags = || self.lags.iter();
        are_counts(lags().flat_map(|lag| lag.both.iter().copied().chain([lag.looks])).chain([self.notes]))?;
        let busy = self.busy.iter().chain(lags().flat_map(|lag| &lag.busy)).all(|&busy| busy <= 1 << 30);
        ensure(busy && (self.noted.is_empty() || self.noted.len() == self.busy.len()), "not all routers were noted")
    }

    fn note(&mut self, now: &[u8]) {
        self.noted.clear();
        self.noted.extend_from_slice(now);
        self.notes += 1;
        self.busy.iter_mut().zip(now).for_each(|(sum, &busy)| *sum += u32::from(busy));
    }

    /// Compares the last note with what is seen `cycles` later.
    fn compare(&mut self, cycles: u64, now: &[u8]) {
        let (noted, length, farthest) = (&self.noted, self.length, self.farthest());
        let Some(lag) = self.lags.iter_mut().find(|lag| lag.cycles == cycles && !noted.is_empty()) else { return };
        lag.looks += 1;
        lag.busy.iter_mut().zip(now).for_each(|(sum, &busy)| *sum += u32::from(busy));
        for (before, after) in noted.chunks(length).zip(now.chunks(length)) {
            if before.contains(&1) && after.contains(&1) {
                for shift in -farthest..=farthest {
                    let both = pairs(length, self.wraps, shift).map(|(a, b)| u64::from(before[a] & after[b]));
                    lag.both[(shift + FARTHEST as i64) as usize] += both.sum::<u64>();
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
            movement.see(phase, |router, _, _| {
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
        (0..800).for_each(|cycle| still.see(cycle % 8, |router, _, _| router > 9));
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
