//! How many cycles a run simulates before it looks whether somebody cancels it: few where a cycle takes long.
//!
//! Only the time of a look depends on the clock, and a look changes nothing.

use super::CHUNK;
use std::time::Duration;

/// How long a run simulates without a look.
const HEARD: Duration = Duration::from_millis(40);

/// Router-cycles before the first look, when nobody knows yet how long a cycle takes: at most about as long.
const FIRST: u64 = 1 << 14;

/// Router-cycles without a look where several processes have to agree on the cycles: about a tenth of a second.
const AGREED: u64 = 1 << 23;

/// Cycles between looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breath {
    cycles: u64,
    /// Whether it goes by the clock.
    adapts: bool,
}

impl Breath {
    /// Of a network of so many routers in one process.
    pub fn by_the_clock(routers: usize) -> Breath {
        Breath { cycles: cycles_of(FIRST, routers), adapts: true }
    }

    /// Of a network of so many routers in several processes, which look in the same cycles.
    pub fn agreed(routers: usize) -> Breath {
        Breath { cycles: cycles_of(AGREED, routers), adapts: false }
    }

    /// The cycles to simulate before the next look.
    pub fn cycles(self) -> u64 {
        self.cycles
    }

    /// So many cycles took so long.
    pub fn took(&mut self, cycles: u64, time: Duration) {
        if !self.adapts || cycles == 0 {
            return;
        }
        let fitting = cycles as f64 * HEARD.as_secs_f64() / time.as_secs_f64().max(1e-9);
        // A single stretch that was quick says little.
        self.cycles = (fitting as u64).min(2 * self.cycles).clamp(1, CHUNK);
    }
}

/// As many cycles as make so many router-cycles.
fn cycles_of(router_cycles: u64, routers: usize) -> u64 {
    (router_cycles / routers as u64).clamp(1, CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_cycles_are_looked_after_often_and_quick_ones_seldom() {
        let mut breath = Breath::by_the_clock(1 << 20);
        assert_eq!(breath.cycles(), 1);
        for _ in 0..20 {
            breath.took(breath.cycles(), Duration::from_micros(breath.cycles()));
        }
        assert_eq!(breath.cycles(), CHUNK);
        breath.took(CHUNK, Duration::from_secs(4));
        assert_eq!(breath.cycles(), 5);
        breath.took(5, Duration::from_secs(400));
        assert_eq!(breath.cycles(), 1);
        breath.took(1, Duration::ZERO);
        assert_eq!(breath.cycles(), 2);
        breath.took(0, Duration::from_secs(1));
        assert_eq!(breath.cycles(), 2);
    }

    #[test]
    fn processes_look_in_the_same_cycles_whatever_the_clock_says() {
        let mut breath = Breath::agreed(1 << 20);
        assert_eq!(breath.cycles(), 8);
        breath.took(8, Duration::from_secs(4));
        assert_eq!(breath.cycles(), 8);
        assert_eq!(Breath::agreed(16).cycles(), CHUNK);
    }
}
