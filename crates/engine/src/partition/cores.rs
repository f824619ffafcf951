//! A core for every part.
//!
//! A new thread may begin on the core of the one that started it, and threads that wait for each other all the time are slow to be
//! moved apart: for tens of milliseconds two of them may share a core while another is idle (`tailback bench parallel-64`).

use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the threads of a network run, as far as they have told.
#[derive(Debug)]
pub(super) struct Cores(Vec<AtomicUsize>);

const UNKNOWN: usize = usize::MAX;

impl Cores {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        Cores((0..threads).map(|_| AtomicUsize::new(UNKNOWN)).collect())
    }

    /// Thread `number`, which is this one, begins: it moves if another one is on its core and there is a core that none of them is
    /// on. It is not kept there: what else runs on the machine is the system's business.
    pub fn begin(&self, number: usize) {
        let here = system::core().unwrap_or(UNKNOWN);
        let others: Vec<usize> = self.others(number).collect();
        if here != UNKNOWN && others.contains(&here) {
            system::move_away_from(&others);
        }
        self.0[number].store(system::core().unwrap_or(UNKNOWN), Ordering::Relaxed);
    }

    fn others(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let known = self.0.iter().map(|core| core.load(Ordering::Relaxed)).enumerate();
        known.filter(move |&(other, core)| other != number && core != UNKNOWN).map(|(_, core)| core)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The core that this thread is on.
    pub fn core() -> Option<usize> {
        Some(sched_getcpu())
    }

    /// Leaves the cores of `others` if another one is allowed; then all are allowed again that were before.
    pub fn move_away_from(others: &[usize]) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let mut free = allowed;
        others.iter().filter(|&&core| core < CpuSet::MAX_CPU).for_each(|&core| free.unset(core));
        if free.count() > 0 && sched_setaffinity(None, &free).is_ok() {
            // It was allowed a moment ago. If it no longer is, somebody has decided so.
            _ = sched_setaffinity(None, &allowed);
        }
    }
}

/// Other systems do as they please.
#[cfg(not(target_os = "linux"))]
mod system {
    pub fn core() -> Option<usize> {
        None
    }

    pub fn move_away_from(_others: &[usize]) {}
}

#[cfg(all(test, target_os = "linux", not(loom)))]
mod tests {
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    #[test]
    fn threads_part_and_may_run_anywhere_afterwards() {
        let allowed = sched_getaffinity(None).unwrap();
        let cores = Cores::new(3);
        let one_core = |core: usize| {
            let mut set = CpuSet::new();
            set.set(core);
            set
        };
        let first = (0..CpuSet::MAX_CPU).find(|&core| allowed.is_set(core)).unwrap();
        cores.0[0].store(first, Ordering::Relaxed);
        // A thread that may be on one core only stays there.
        let stays = || {
            sched_setaffinity(None, &one_core(first)).unwrap();
            cores.begin(1);
            assert_eq!(sched_getaffinity(None).unwrap(), one_core(first));
            cores.0[1].load(Ordering::Relaxed)
        };
        assert_eq!(std::thread::scope(|scope| scope.spawn(stays).join().unwrap()), first);
        // One that may be elsewhere goes.
        let goes = || {
            sched_setaffinity(None, &one_core(first)).unwrap();
            sched_setaffinity(None, &allowed).unwrap();
            cores.begin(2);
            assert_eq!(sched_getaffinity(None).unwrap(), allowed);
            cores.0[2].load(Ordering::Relaxed)
        };
        let there = std::thread::scope(|scope| scope.spawn(goes).join().unwrap());
        assert!(allowed.is_set(there) && (allowed.count() == 1 || there != first));
    }
}
