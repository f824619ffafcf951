//! A rule of one router from outside: whoever uses the simulator as a library decides from the router's own free channels.
//!
//! Paper:    none; for trying out ideas, and for rules that are written in another language.
//! Acts:     `admit`: asks the rule once an epoch and router, when the first new packet waits there. Its answer holds for
//!           all packets of that router until the epoch ends.
//! Sees:     the channels of its own router's outputs, as every built-in local rule does; so it is not ideal.
//! State:    the answers of this epoch.
//! Differs from the paper: there is none.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::Admission;
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;

pub use tailback_engine::contract::admission::LocalView;

/// Decides which packets a router admits, until it is asked again.
pub trait DecideLocally: Send {
    /// Sets, for every set of useful ports (a mask), whether a packet that could leave by any of them may ask. `open` has
    /// a place for each; the empty set is never looked at.
    fn decide(&mut self, cycle: u64, view: LocalView<'_>, open: &mut [bool]);
}

/// Admission as a rule decides, router by router.
#[derive(Clone)]
pub struct LocalRule {
    asked: Arc<Mutex<Asked<dyn DecideLocally>>>,
    epoch_cycles: u64,
    cycle: u64,
    epoch: u64,
}

/// The rule and what it answered.
struct Asked<R: ?Sized> {
    /// Sets of useful ports.
    sets: usize,
    /// By router: in which epoch it was asked last, counted from 1.
    asked: Vec<u64>,
    /// By router and set of useful ports.
    open: Vec<bool>,
    rule: R,
}

impl LocalRule {
    /// For this grid. The rule is asked every `epoch_cycles`, at least 1.
    pub fn new(rule: impl DecideLocally + 'static, epoch_cycles: u64, grid: &Grid) -> LocalRule {
        let (routers, sets) = (grid.routers(), 1 << grid.ports());
        let asked = Asked { sets, asked: vec![0; routers], open: vec![true; routers * sets], rule };
        LocalRule { asked: Arc::new(Mutex::new(asked)), epoch_cycles: epoch_cycles.max(1), cycle: 0, epoch: 1 }
    }
}

impl fmt::Debug for LocalRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalRule").field("epoch_cycles", &self.epoch_cycles).finish_non_exhaustive()
    }
}

tailback_base::unsaved!(LocalRule, "a rule from outside keeps its own state");

impl Admission for LocalRule {
    fn observe(&mut self, cycle: u64, _occupancy: Option<&Occupancy>) {
        self.cycle = cycle + 1;
        self.epoch = 1 + self.cycle / self.epoch_cycles;
    }

    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        if useful == 0 {
            return true;
        }
        // A rule that panicked has stopped its run already.
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Asked { sets, asked, open, rule } = &mut *asked;
        let router = view.router as usize;
        let open = &mut open[router * *sets..(router + 1) * *sets];
        if std::mem::replace(&mut asked[router], self.epoch) != self.epoch {
            rule.decide(self.cycle, view, open);
        }
        open[usize::from(useful)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::side_band::tests::paper_grid;
    use super::super::tests::{asks, view_of};
    use super::*;

    /// Notes when it is asked, and admits by the port that has all its channels.
    struct Whole(Arc<Mutex<Vec<u64>>>);

    impl DecideLocally for Whole {
        fn decide(&mut self, cycle: u64, view: LocalView<'_>, open: &mut [bool]) {
            self.0.lock().unwrap().push(cycle);
            let whole = (0..4).filter(|&port| view.room[port] == view.all).fold(0, |m, port| m | 1 << port);
            open.iter_mut().enumerate().for_each(|(useful, open)| *open = useful & whole != 0);
        }
    }

    #[test]
    fn it_is_asked_once_an_epoch_where_a_packet_waits_and_its_answer_holds() {
        let asked = Arc::default();
        let mut rule = LocalRule::new(Whole(Arc::clone(&asked)), 4, &paper_grid());
        let (free, full) = ([0b111, 0, 0b001, 0], [0; 4]);
        for cycle in 0..10 {
            // What it saw in the first cycle of an epoch counts until the next; nobody waits in cycles 4 to 6.
            let room = if cycle % 4 == 0 { &free } else { &full };
            if !(4..7).contains(&cycle) {
                let expected = cycle != 7;
                assert_eq!(rule.admits(view_of(room), asks(0)), expected, "cycle {cycle}");
                assert_eq!(rule.admits_by_any(view_of(room), asks(2), 0b101), expected);
                assert!(!rule.admits(view_of(room), asks(2)));
                assert!(rule.admits(view_of(room), Request { port: None, channels: 1 }), "to a node here");
            }
            rule.observe(cycle, None);
        }
        assert_eq!(*asked.lock().unwrap(), [0, 7, 8]);
    }

    /// Closes every set of useful ports but those that name the router that it is asked for.
    struct ByRouter;

    impl DecideLocally for ByRouter {
        fn decide(&mut self, _cycle: u64, view: LocalView<'_>, open: &mut [bool]) {
            assert_eq!(open.len(), 16);
            open.iter_mut().enumerate().for_each(|(useful, open)| *open = useful == 1 + view.router as usize);
        }
    }

    #[test]
    fn every_router_has_an_answer_of_its_own() {
        let rule = LocalRule::new(ByRouter, 0, &paper_grid());
        for router in [0, 3, 7, 2, 3] {
            let view = LocalView { router, ..view_of(&[0; 4]) };
            let open: Vec<u16> = (1..16).filter(|&useful| rule.admits_by_any(view, asks(0), useful)).collect();
            assert_eq!(open, [1 + router as u16]);
        }
        assert!(rule.is_active() && !rule.needs_occupancy());
        assert_eq!(format!("{rule:?}"), "LocalRule { epoch_cycles: 1, .. }", "an epoch has a cycle at least");
    }
}
