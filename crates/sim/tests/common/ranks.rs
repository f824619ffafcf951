//! Processes that are threads: what the post between them has to do, without the processes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use tailback_engine::partition::ranks::Ranks;

/// By sender, receiver and tag, what has not been received.
type Sent = HashMap<(usize, usize, u32), VecDeque<Vec<u8>>>;

#[derive(Default)]
struct Hub {
    sent: Mutex<Sent>,
    arrived: Condvar,
}

struct Rank<'a> {
    hub: &'a Hub,
    rank: usize,
    count: usize,
}

impl Ranks for Rank<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn send(&self, to: usize, tag: u32, bytes: Vec<u8>) {
        assert!(to < self.count && to != self.rank, "{to} of {}", self.count);
        self.hub.sent.lock().expect("nobody panicked").entry((self.rank, to, tag)).or_default().push_back(bytes);
        self.hub.arrived.notify_all();
    }

    fn receive(&self, from: usize, tag: u32) -> Vec<u8> {
        let mut sent = self.hub.sent.lock().expect("nobody panicked");
        loop {
            if let Some(bytes) = sent.get_mut(&(from, self.rank, tag)).and_then(VecDeque::pop_front) {
                return bytes;
            }
            sent = self.hub.arrived.wait(sent).expect("nobody panicked");
        }
    }
}

/// What `count` processes make of the same work. Nothing is left on the way.
pub fn together<T: Send>(count: usize, work: impl Fn(&dyn Ranks) -> T + Sync) -> Vec<T> {
    let hub = Hub::default();
    let results = std::thread::scope(|scope| {
        let ranks: Vec<_> = (0..count)
            .map(|rank| {
                let (hub, work) = (&hub, &work);
                scope.spawn(move || work(&Rank { hub, rank, count }))
            })
            .collect();
        ranks.into_iter().map(|rank| rank.join().expect("no process panics")).collect()
    });
    assert!(hub.sent.lock().expect("nobody panicked").values().all(VecDeque::is_empty), "post was left on the way");
    results
}
