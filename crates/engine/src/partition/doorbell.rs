//! Where the thread of a part sleeps until there is post for it.
//!
//! A thread that asks again and again, and offers its core in between, loses that core for milliseconds wherever something else is
//! busy, at every exchange. One that sleeps is woken in microseconds.

use super::primitives::{AtomicBool, Condvar, Mutex, Ordering, fence};

/// The bell of a part. Whoever leaves something for it rings afterwards.
#[derive(Debug, Default)]
pub(super) struct Doorbell {
    /// Whether its part sleeps, or is about to.
    asleep: AtomicBool,
    /// Held by the part from when it says that it is asleep until it sleeps.
    bed: Mutex<()>,
    rung: Condvar,
}

impl Doorbell {
    /// Wakes the part if it sleeps. What was left for it before, it will find.
    pub fn ring(&self) {
        // With the other fence: either the part is seen to fall asleep here, or it sees there what was left for it.
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) {
            drop(self.bed.lock().expect(NOBODY));
            self.rung.notify_one();
        }
    }

    /// Sleeps until `find` finds something, which it tries whenever the bell rings.
    pub fn sleep_until<T>(&self, mut find: impl FnMut() -> Option<T>) -> T {
        let mut bed = self.bed.lock().expect(NOBODY);
        self.asleep.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        loop {
            if let Some(found) = find() {
                self.asleep.store(false, Ordering::Relaxed);
                return found;
            }
            bed = self.rung.wait(bed).expect(NOBODY);
        }
    }
}

const NOBODY: &str = "nobody panics with it";
