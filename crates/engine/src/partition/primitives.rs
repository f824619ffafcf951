//! What the post between parts is made of: queues of one writer and one reader, a flag, and ways to wait. Under `--cfg loom` the same
//! for its model checker, which goes through the orders in which threads may run (`make loom`).

#[cfg(not(loom))]
pub(super) use self::real::*;

#[cfg(loom)]
pub(super) use self::modelled::*;

#[cfg(not(loom))]
mod real {
    pub(in super::super) use rtrb::{Consumer, Producer, RingBuffer};
    pub(in super::super) use std::hint::spin_loop;
    pub(in super::super) use std::sync::atomic::{AtomicBool, Ordering, fence};
    pub(in super::super) use std::sync::{Arc, Condvar, Mutex};

    /// Looks at an empty queue before a thread falls asleep, some microseconds: it takes as long to be woken.
    pub(in super::super) const PATIENCE: u32 = 1 << 9;
}

#[cfg(loom)]
mod modelled {
    pub(in super::super) use loom::hint::spin_loop;
    pub(in super::super) use loom::sync::atomic::{AtomicBool, Ordering, fence};
    pub(in super::super) use loom::sync::{Arc, Condvar, Mutex};
    use std::collections::VecDeque;

    pub(in super::super) const PATIENCE: u32 = 1;

    type Queue<T> = Arc<Mutex<VecDeque<T>>>;

    /// Makes the two ends of a queue.
    pub(in super::super) struct RingBuffer;

    /// The writer's end.
    pub(in super::super) struct Producer<T>(Queue<T>, usize);

    /// The reader's end.
    pub(in super::super) struct Consumer<T>(Queue<T>);

    impl RingBuffer {
        #[allow(clippy::new_ret_no_self, reason = "as the crate that it stands for")]
        pub fn new<T>(capacity: usize) -> (Producer<T>, Consumer<T>) {
            let queue = Queue::default();
            (Producer(queue.clone(), capacity), Consumer(queue))
        }
    }

    impl<T> Producer<T> {
        pub fn push(&mut self, item: T) -> Result<(), T> {
            let mut queue = self.0.lock().unwrap();
            if queue.len() == self.1 {
                return Err(item);
            }
            queue.push_back(item);
            Ok(())
        }
    }

    impl<T> Consumer<T> {
        pub fn pop(&mut self) -> Result<T, &'static str> {
            self.0.lock().unwrap().pop_front().ok_or("empty")
        }
    }
}
