//! A rule from outside: whoever uses the simulator as a library decides, once an epoch, which routers admit.
//!
//! Paper:    none; for trying out ideas, and for rules that are written in another language.
//! Acts:     `observe`: asks the rule once an epoch.
//! Sees:     every buffer of the network and what was delivered since it was last asked, without delay: it is ideal. What
//!           it wants to know later, as over wires, it has to keep itself.
//! State:    the decision that holds.
//! Differs from the paper: there is none.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;

/// What a rule is shown at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The cycle that ends; what is decided holds from the next one on.
    pub cycle: u64,
    /// Flits in every input buffer, by `(port * channels + channel) * routers + router`.
    pub levels: &'a [u16],
    /// Flits that the nodes of each router received since the rule was last asked.
    pub delivered: &'a [u64],
}

/// Decides which routers admit new packets until it is asked again.
pub trait Decide: Send {
    /// Sets, for each router, whether it admits; `open` holds the decision before.
    fn decide(&mut self, seen: Seen<'_>, open: &mut [bool]);
}

/// Admission as a rule decides.
#[derive(Clone)]
pub struct Rule {
    rule: Arc<Mutex<dyn Decide>>,
    epoch_cycles: u64,
    channels: usize,
    open: Vec<bool>,
    delivered: Vec<u64>,
    levels: Vec<u16>,
}

impl Rule {
    /// For this grid, with every router open. The rule is asked every `epoch_cycles`, at least 1.
    pub fn new(rule: impl Decide + 'static, epoch_cycles: u64, grid: &Grid, channels: u32) -> Rule {
        let (routers, ports, channels) = (grid.routers(), grid.ports(), channels as usize);
        Rule {
            rule: Arc::new(Mutex::new(rule)),
            epoch_cycles: epoch_cycles.max(1),
            channels,
            open: vec![true; routers],
            delivered: vec![0; routers],
            levels: vec![0; ports * channels * routers],
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("epoch_cycles", &self.epoch_cycles).finish_non_exhaustive()
    }
}

tailback_base::unsaved!(Rule, "a rule from outside keeps its own state");

impl Admission for Rule {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        if !(cycle + 1).is_multiple_of(self.epoch_cycles) {
            return;
        }
        let occupancy = occupancy.expect("the engine keeps occupancy for who needs it");
        for (buffer, levels) in self.levels.chunks_exact_mut(self.open.len()).enumerate() {
            levels.copy_from_slice(occupancy.levels(buffer / self.channels, buffer % self.channels));
        }
        let seen = Seen { cycle, levels: &self.levels, delivered: &self.delivered };
        // A rule that panicked has stopped its run already.
        self.rule.lock().unwrap_or_else(PoisonError::into_inner).decide(seen, &mut self.open);
        self.delivered.fill(0);
    }

    fn delivered(&mut self, router: u32, flits: u32) {
        self.delivered[router as usize] += u64::from(flits);
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        useful == 0 || self.open[view.router as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::side_band::tests::paper_grid;
    use super::super::tests::{asks, occupancy, view_of};
    use super::*;

    /// Notes when it is asked and what router 0 received; closes router 0, then opens it, in turns.
    struct Turns(Arc<Mutex<Vec<(u64, u64)>>>);

    impl Decide for Turns {
        fn decide(&mut self, seen: Seen<'_>, open: &mut [bool]) {
            assert_eq!((seen.levels.len(), seen.delivered.len(), open.len()), (4 * 3 * 256, 256, 256));
            self.0.lock().unwrap().push((seen.cycle, seen.delivered[0]));
            open[0] = !open[0];
        }
    }

    /// Notes what it is shown.
    struct Shown(Arc<Mutex<(Vec<u16>, Vec<u64>)>>);

    impl Decide for Shown {
        fn decide(&mut self, seen: Seen<'_>, _open: &mut [bool]) {
            *self.0.lock().unwrap() = (seen.levels.to_vec(), seen.delivered.to_vec());
        }
    }

    #[test]
    fn it_is_shown_every_buffer_and_what_every_router_received() {
        let (shown, grid) = (Arc::default(), Grid::new(&[3, 2], &[true, false], 1, 1));
        let mut rule = Rule::new(Shown(Arc::clone(&shown)), 1, &grid, 3);
        let flits: Vec<u16> = (0..6 * 4 * 3).collect();
        (0..6).for_each(|router| rule.delivered(router, 10 + router));
        rule.delivered(4, 1);
        rule.observe(0, Some(&occupancy(&grid, 3, &flits)));
        assert_eq!(*shown.lock().unwrap(), (flits.clone(), vec![10, 11, 12, 13, 15, 15]));
        rule.observe(1, Some(&occupancy(&grid, 3, &flits)));
        assert_eq!(shown.lock().unwrap().1, [0; 6], "since it was last asked");
        assert!(rule.is_active() && rule.needs_occupancy() && !rule.is_local());
        let never = Rule::new(Shown(shown), 0, &grid, 3);
        assert_eq!(format!("{never:?}"), "Rule { epoch_cycles: 1, .. }", "an epoch has a cycle at least");
    }

    #[test]
    fn it_is_asked_once_an_epoch_and_its_answer_holds_until_the_next() {
        let (asked, grid) = (Arc::default(), paper_grid());
        let mut rule = Rule::new(Turns(Arc::clone(&asked)), 4, &grid, 3);
        let occupancy = Occupancy::new(256, 4, 3, 32, 4, 1);
        let view = view_of(&[0b111; 4]);
        let mut admitted = Vec::new();
        for cycle in 0..10 {
            admitted.push(rule.admits(view, asks(1)));
            assert_eq!(rule.admits_by_any(view, asks(1), 0b10), admitted[cycle as usize]);
            assert!(rule.admits(view, Request { port: None, channels: 1 }), "to a node here");
            rule.delivered(0, 3);
            rule.observe(cycle, Some(&occupancy));
        }
        assert_eq!(*asked.lock().unwrap(), [(3, 12), (7, 12)]);
        assert_eq!(admitted, [true, true, true, true, false, false, false, false, true, true]);
    }
}
