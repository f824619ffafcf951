//! The post between neighbouring parts. Within a process full boxes go there and empty ones come back: nothing is allocated but
//! what a box grows to, and nothing is locked, for both ways are queues of one writer and one reader. To another process post goes
//! as bytes.

use super::doorbell::Doorbell;
use super::primitives::{Arc, AtomicBool, Consumer, Ordering, PATIENCE, Producer, RingBuffer, spin_loop};
use super::ranks::{Ranks, post_tag, read};
use serde::{Serialize, de::DeserializeOwned};
use std::ops::Range;
use tailback_base::state::Writer;

/// Boxes between two parts, one way. Before a part sends its box of an exchange it has read its neighbour's of the one
/// before, and so that one's sender has given back the box of two exchanges ago.
const BOXES: usize = 2;

/// One end of the post between two parts.
pub(super) struct Neighbour<'a, T> {
    /// The other part.
    pub part: usize,
    way: Way<'a, T>,
}

enum Way<'a, T> {
    /// It is in this process.
    Here(Boxes<T>),
    /// It is in another one.
    Afar { ranks: &'a dyn Ranks, rank: usize, send: u32, receive: u32 },
}

/// Post within a process.
struct Boxes<T> {
    send: Producer<Vec<T>>,
    receive: Consumer<Vec<T>>,
    /// Own boxes, emptied by the neighbour.
    empty: Consumer<Vec<T>>,
    /// The neighbour's boxes, to be given back.
    read: Producer<Vec<T>>,
    /// Wakes this part.
    bell: Arc<Doorbell>,
    /// Wakes the neighbour.
    theirs: Arc<Doorbell>,
    /// How often it is looked for post before this part falls asleep.
    patience: u32,
}

/// PERF: `parallel-64`. Where each part has a core the neighbour is about to send; where it has not, the neighbour may be waiting for
/// this core.
fn patience(parts: usize) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if parts <= cores { PATIENCE } else { 1 }
}

/// Whether some part will never send again, because its thread has panicked.
#[derive(Debug)]
pub(super) struct Abandoned {
    is_so: AtomicBool,
    /// Those of all parts that may wait.
    bells: Vec<Arc<Doorbell>>,
}

/// Says so while a panic passes through.
pub(super) struct Alarm<'a>(&'a Abandoned);

impl Abandoned {
    /// So far nobody has panicked.
    pub fn new(bells: &[Arc<Doorbell>]) -> Self {
        Abandoned { is_so: AtomicBool::new(false), bells: bells.to_vec() }
    }

    /// To be held while others may wait.
    pub fn on_panic(&self) -> Alarm<'_> {
        Alarm(self)
    }

    fn is_set(&self) -> bool {
        self.is_so.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.is_so.store(true, Ordering::Relaxed);
        self.bells.iter().for_each(|bell| bell.ring());
    }
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set();
        }
    }
}

impl<T: Serialize + DeserializeOwned> Neighbour<'_, T> {
    /// Sends what is in `outbox` and leaves an empty box there.
    pub fn send(&mut self, outbox: &mut Vec<T>) {
        match &mut self.way {
            Way::Here(boxes) => boxes.send(outbox),
            Way::Afar { ranks, rank, send, .. } => {
                let mut to = Writer::default();
                to.put(outbox);
                ranks.send(*rank, *send, to.into_bytes());
                outbox.clear();
            }
        }
    }

    /// What the neighbour has sent at the end of the same cycles; `None` where it never will.
    pub fn wait(&mut self, abandoned: &Abandoned) -> Option<Vec<T>> {
        match &mut self.way {
            Way::Here(boxes) => boxes.wait(abandoned),
            Way::Afar { ranks, rank, receive, .. } => Some(read(&ranks.receive(*rank, *receive))),
        }
    }

    /// Gives a box that has been read back to the neighbour.
    pub fn give_back(&mut self, mail: Vec<T>) {
        if let Way::Here(boxes) = &mut self.way {
            boxes.give_back(mail);
        }
    }
}

impl<T> Boxes<T> {
    fn send(&mut self, outbox: &mut Vec<T>) {
        let empty = self.empty.pop().expect("a box has come back");
        let full = std::mem::replace(outbox, empty);
        assert!(self.send.push(full).is_ok(), "there is room for all boxes");
        self.theirs.ring();
    }

    fn wait(&mut self, abandoned: &Abandoned) -> Option<Vec<T>> {
        for _ in 0..self.patience {
            if let Ok(mail) = self.receive.pop() {
                return Some(mail);
            }
            spin_loop();
        }
        let Boxes { bell, receive, .. } = self;
        bell.sleep_until(|| match receive.pop() {
            Ok(mail) => Some(Some(mail)),
            Err(_) => abandoned.is_set().then_some(None),
        })
    }

    fn give_back(&mut self, mut mail: Vec<T>) {
        mail.clear();
        assert!(self.read.push(mail).is_ok(), "there is room for all boxes");
    }
}

/// The parts of this process, of so many in all: each has as many.
pub(super) fn own_parts(ranks: Option<&dyn Ranks>, parts: usize) -> Range<usize> {
    let Some(ranks) = ranks else { return 0..parts };
    let each = parts / ranks.count();
    ranks.rank() * each..(ranks.rank() + 1) * each
}

/// The post between parts that are each other's neighbours: for each part of this process its ends, and the bells of these parts.
pub(super) fn connect<'a, T>(
    neighbours: &[Vec<usize>],
    ranks: Option<&'a dyn Ranks>,
) -> (Ends<'a, T>, Vec<Arc<Doorbell>>) {
    let parts = neighbours.len();
    let own = own_parts(ranks, parts);
    let bells: Vec<Arc<Doorbell>> = own.clone().map(|_| Arc::new(Doorbell::default())).collect();
    let mut ends = connect_here(neighbours, &own, &bells);
    if let Some(ranks) = ranks {
        for part in own.clone() {
            let afar = neighbours[part].iter().copied().filter(|other| !own.contains(other));
            ends[part - own.start].extend(afar.map(|other| Neighbour {
                part: other,
                way: Way::Afar {
                    ranks,
                    rank: other / own.len(),
                    send: post_tag(part, other, parts),
                    receive: post_tag(other, part, parts),
                },
            }));
        }
    }
    (ends, bells)
}

/// By part of this process, its ends of the post.
type Ends<'a, T> = Vec<Vec<Neighbour<'a, T>>>;

/// Connects the parts of this process.
fn connect_here<'a, T>(neighbours: &[Vec<usize>], own: &Range<usize>, bells: &[Arc<Doorbell>]) -> Ends<'a, T> {
    let patience = patience(own.len());
    let bell = |part: usize| bells[part - own.start].clone();
    let mut ends: Ends<T> = own.clone().map(|_| Vec::new()).collect();
    for one in own.clone() {
        for &other in neighbours[one].iter().filter(|&&other| other > one && own.contains(&other)) {
            let [(there, arrives), (back, arrives_back)] = [(); 2].map(|()| RingBuffer::new(BOXES));
            let [(read, empty), (read_back, empty_back)] = [(); 2].map(|()| {
                let (mut read, empty) = RingBuffer::new(BOXES);
                (0..BOXES).for_each(|_| assert!(read.push(Vec::new()).is_ok(), "there is room for all boxes"));
                (read, empty)
            });
            // `read` returns the boxes that `one` has sent, `read_back` those of `other`.
            let here = Boxes {
                send: there,
                receive: arrives_back,
                empty,
                read: read_back,
                bell: bell(one),
                theirs: bell(other),
                patience,
            };
            ends[one - own.start].push(Neighbour { part: other, way: Way::Here(here) });
            let there = Boxes {
                send: back,
                receive: arrives,
                empty: empty_back,
                read,
                bell: bell(other),
                theirs: bell(one),
                patience,
            };
            ends[other - own.start].push(Neighbour { part: one, way: Way::Here(there) });
        }
    }
    ends
}

/// In every order in which two threads may run, with a bound: no box is missing, none finds its queue full, and post arrives in order.
#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::thread;

    const ROUNDS: u32 = 3;

    /// Threads are interrupted so often at most where they need not be: with more there are too many orders.
    const INTERRUPTIONS: usize = 5;

    fn in_every_order(work: impl Fn() + Send + Sync + 'static) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(INTERRUPTIONS);
        model.check(work);
    }

    fn work(me: u32, mut neighbour: Neighbour<'static, u32>, abandoned: &Abandoned) {
        for round in 0..ROUNDS {
            let mut mail = vec![me * 100 + round];
            neighbour.send(&mut mail);
            assert!(mail.is_empty());
            let mail = neighbour.wait(abandoned).expect("nobody panics");
            assert_eq!(mail, [neighbour.part as u32 * 100 + round]);
            neighbour.give_back(mail);
        }
    }

    #[test]
    fn two_parts_never_want_for_a_box() {
        in_every_order(|| {
            let (mut ends, bells) = connect::<u32>(&[vec![1], vec![0]], None);
            let (mut one, mut other) = (ends.remove(0), ends.remove(0));
            let abandoned = Arc::new(Abandoned::new(&bells));
            let theirs = abandoned.clone();
            let there = thread::spawn(move || work(1, other.remove(0), &theirs));
            work(0, one.remove(0), &abandoned);
            there.join().unwrap();
        });
    }

    #[test]
    fn whoever_waits_hears_that_the_other_one_never_sends() {
        in_every_order(|| {
            let (mut ends, bells) = connect::<u32>(&[vec![1], vec![0]], None);
            let (mut one, other) = (ends.remove(0), ends.remove(0));
            let abandoned = Arc::new(Abandoned::new(&bells));
            let theirs = abandoned.clone();
            let there = thread::spawn(move || {
                theirs.set();
                drop(other);
            });
            assert!(one[0].wait(&abandoned).is_none());
            there.join().unwrap();
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn everything_posted_arrives_once_and_in_order_however_threads_run() {
        let (mut ends, bells) = connect::<u32>(&[vec![1, 2], vec![0, 2], vec![0, 1]], None);
        let abandoned = Abandoned::new(&bells);
        let work = |me: u32, mut neighbours: Vec<Neighbour<'_, u32>>| {
            for round in 0..2000 {
                for neighbour in &mut neighbours {
                    let mut mail: Vec<u32> = (0..round % 5).map(|n| me * 1_000_000 + round * 10 + n).collect();
                    neighbour.send(&mut mail);
                    assert!(mail.is_empty());
                }
                for neighbour in &mut neighbours {
                    let mail = neighbour.wait(&abandoned).expect("nobody panics");
                    let from = neighbour.part as u32 * 1_000_000 + round * 10;
                    assert_eq!(mail, (from..from + round % 5).collect::<Vec<_>>());
                    neighbour.give_back(mail);
                }
            }
        };
        std::thread::scope(|scope| {
            for (me, neighbours) in ends.drain(..).enumerate() {
                let work = &work;
                scope.spawn(move || work(me as u32, neighbours));
            }
        });
    }

    #[test]
    fn nobody_waits_for_a_part_that_has_panicked() {
        let (mut ends, bells) = connect::<u32>(&[vec![1], vec![0]], None);
        let abandoned = Abandoned::new(&bells);
        let (mut waits, _gone) = (ends.remove(0), ends.remove(0));
        let panicked = std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _alarm = abandoned.on_panic();
                panic!("as planned");
            });
            let waited = waits[0].wait(&abandoned);
            assert!(waited.is_none());
            panics.join()
        });
        assert!(panicked.is_err());
    }
}
