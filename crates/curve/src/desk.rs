//! Where jobs that need runs wait for each other, so that all that is wanted at one time runs side by side.
//!
//! Every job is a search or a curve in plain sequential code, on a thread of its own. The desk waits until each job has
//! asked or has ended, and runs all that was asked as one batch. So which runs are made depends on the jobs and on the
//! budget, and never on the number of threads. A run that was made once is not made again.

use crate::{Answer, Ask, Network, Networks};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What makes a run the same as another one: variant, bits of the load, replica, doublings.
type Key = (usize, u64, u64, u32);

fn key(variant: usize, ask: &Ask) -> Key {
    (variant, ask.load.to_bits(), ask.replica, ask.doublings)
}

/// Runs within a budget that all jobs share.
pub(crate) struct Desk<'a, N: Networks> {
    networks: &'a mut N,
    known: HashMap<Key, Answer>,
    /// Runs so far.
    pub(crate) made: u64,
    /// No more runs than these, all phases so far together.
    pub(crate) limit: u64,
    /// Whether some job was refused a run because the budget was spent.
    pub(crate) short: bool,
    /// The network wants no more.
    pub(crate) stopped: bool,
}

/// A job about a variant: sequential code that asks a network.
pub(crate) type Job<'j, T> = (usize, Box<dyn FnOnce(&mut Seat) -> T + Send + 'j>);

/// The network as a job sees it.
pub(crate) struct Seat {
    job: usize,
    asks: Sender<Message>,
    answers: Receiver<Option<Vec<Answer>>>,
}

enum Message {
    Asks(usize, Vec<Ask>),
    Ended,
}

impl Network for Seat {
    type Error = Infallible;

    fn measure(&mut self, asks: &[Ask]) -> Result<Option<Vec<Answer>>, Infallible> {
        let sent = self.asks.send(Message::Asks(self.job, asks.to_vec()));
        Ok(sent.ok().and_then(|()| self.answers.recv().ok()).flatten())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // Where nobody listens any more, nobody waits for it.
        let _ = self.asks.send(Message::Ended);
    }
}

impl<'a, N: Networks> Desk<'a, N> {
    pub(crate) fn new(networks: &'a mut N, limit: u64) -> Self {
        Desk { networks, known: HashMap::new(), made: 0, limit, short: false, stopped: false }
    }

    /// What a run gave, if it was made.
    pub(crate) fn known(&self, variant: usize, ask: &Ask) -> Option<&Answer> {
        self.known.get(&key(variant, ask))
    }

    /// Runs of two variants that were asked for the same: how many there are, and whether all have equal digests.
    pub(crate) fn compared(&self, one: usize, other: usize) -> (u64, bool) {
        let shared = self.known.iter().filter(|(key, _)| key.0 == one);
        let shared = shared.filter_map(|(key, mine)| Some((mine, self.known.get(&(other, key.1, key.2, key.3))?)));
        shared.fold((0, true), |(count, equal), (mine, its)| {
            (count + 1, equal && !mine.digest.is_empty() && mine.digest == its.digest)
        })
    }

    /// Runs what is wanted, request by request; a request is answered whole or not at all. Requests for which the budget
    /// does not suffice are refused in their order.
    pub(crate) fn serve(&mut self, requests: &[(usize, Vec<Ask>)]) -> Result<Vec<Option<Vec<Answer>>>, N::Error> {
        let (mut fresh, mut planned) = (Vec::new(), HashSet::new());
        for (variant, asks) in requests {
            let new: Vec<(usize, Ask)> = asks
                .iter()
                .filter(|ask| !self.known.contains_key(&key(*variant, ask)) && !planned.contains(&key(*variant, ask)))
                .map(|ask| (*variant, *ask))
                .collect();
            let fits = self.made + (fresh.len() + new.len()) as u64 <= self.limit;
            self.short |= !fits && !self.stopped;
            if fits && !self.stopped {
                planned.extend(new.iter().map(|(variant, ask)| key(*variant, ask)));
                fresh.extend(new);
            }
        }
        if !fresh.is_empty() {
            self.made += fresh.len() as u64;
            for ((variant, ask), answer) in fresh.iter().zip(self.networks.measure(&fresh)?) {
                match answer {
                    Some(answer) => drop(self.known.insert(key(*variant, ask), answer)),
                    None => self.stopped = true,
                }
            }
        }
        let answer = |(variant, asks): &(usize, Vec<Ask>)| {
            asks.iter().map(|ask| self.known.get(&key(*variant, ask)).cloned()).collect()
        };
        Ok(requests.iter().map(answer).collect())
    }

    /// Does jobs side by side and returns what each gave, in their order.
    pub(crate) fn work<T: Send>(&mut self, jobs: Vec<Job<'_, T>>) -> Result<Vec<T>, N::Error> {
        let variants: Vec<usize> = jobs.iter().map(|job| job.0).collect();
        let (asks, inbox) = channel();
        std::thread::scope(|scope| {
            let (mut replies, mut threads) = (Vec::new(), Vec::new());
            for (number, (_, job)) in jobs.into_iter().enumerate() {
                let (reply, answers) = channel();
                let mut seat = Seat { job: number, asks: asks.clone(), answers };
                replies.push(reply);
                threads.push(scope.spawn(move || job(&mut seat)));
            }
            let failed = self.listen(&inbox, &variants, &replies);
            drop(replies);
            let done = threads.into_iter().map(|thread| thread.join().expect("a job that panics is a bug of ours"));
            let done: Vec<T> = done.collect();
            failed.map(|()| done)
        })
    }

    /// Serves jobs until all have ended, or one run failed.
    fn listen(
        &mut self,
        inbox: &Receiver<Message>,
        variants: &[usize],
        replies: &[Sender<Option<Vec<Answer>>>],
    ) -> Result<(), N::Error> {
        let mut waiting: Vec<Option<Vec<Ask>>> = variants.iter().map(|_| None).collect();
        let mut active = variants.len();
        while active > 0 {
            match inbox.recv() {
                Ok(Message::Asks(job, asks)) => waiting[job] = Some(asks),
                Ok(Message::Ended) => active -= 1,
                Err(_) => break,
            }
            if active == 0 || waiting.iter().flatten().count() < active {
                continue;
            }
            let jobs: Vec<usize> = (0..waiting.len()).filter(|job| waiting[*job].is_some()).collect();
            let requests: Vec<(usize, Vec<Ask>)> =
                jobs.iter().filter_map(|&job| Some((variants[job], waiting[job].take()?))).collect();
            for (job, answers) in jobs.into_iter().zip(self.serve(&requests)?) {
                // A job that has gone needs no answer.
                let _ = replies[job].send(answers);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scripts, stable};

    fn ask(load: f64, replica: u64) -> Ask {
        Ask { load, replica, doublings: 0 }
    }

    #[test]
    fn jobs_are_served_together_and_a_run_is_made_once() {
        let mut networks = Scripts::new(|_, _| stable(10.0));
        let mut desk = Desk::new(&mut networks, 100);
        let job = |variant: usize, rounds: u64| -> Job<'_, u64> {
            let work = move |seat: &mut Seat| {
                let asked = (0..rounds).map(|round| seat.measure(&[ask(0.1, round)]).unwrap());
                asked.flatten().map(|answers| answers.len() as u64).sum()
            };
            (variant, Box::new(work))
        };
        assert_eq!(desk.work(vec![job(0, 3), job(1, 1), job(0, 2)]).unwrap(), [3, 1, 2]);
        assert_eq!((desk.made, desk.short, desk.stopped), (4, false, false));
        assert_eq!(networks.batches, [2, 1, 1], "what two jobs want of one variant runs once");
    }

    #[test]
    fn the_budget_is_shared_and_refuses_whole_requests() {
        let mut networks = Scripts::new(|_, _| stable(10.0));
        let mut desk = Desk::new(&mut networks, 3);
        let requests =
            [(0, vec![ask(0.1, 0), ask(0.1, 1)]), (1, vec![ask(0.1, 0), ask(0.1, 1)]), (2, vec![ask(0.1, 0)])];
        let served: Vec<bool> = desk.serve(&requests).unwrap().iter().map(Option::is_some).collect();
        assert_eq!((served, desk.made, desk.short), (vec![true, false, true], 3, true));
        assert!(desk.serve(&requests[..1]).unwrap()[0].is_some(), "what is known costs nothing");
    }

    #[test]
    fn who_is_stopped_keeps_what_was_answered() {
        let mut networks = Scripts::new(|_, _| stable(10.0)).up_to(1);
        let mut desk = Desk::new(&mut networks, 100);
        assert_eq!(desk.serve(&[(0, vec![ask(0.1, 0), ask(0.1, 1)])]).unwrap(), [None]);
        assert!(desk.stopped && !desk.short && desk.known(0, &ask(0.1, 0)).is_some());
        assert_eq!(desk.serve(&[(0, vec![ask(0.2, 0)])]).unwrap(), [None]);
        assert_eq!(networks.batches, [2], "nobody is asked again");
    }

    #[test]
    fn variants_are_compared_where_both_ran() {
        let mut networks = Scripts::new(|variant, ask| {
            let digest = if variant == 2 && ask.replica == 1 { "other".to_owned() } else { format!("{}", ask.replica) };
            Answer { digest, ..stable(10.0) }
        });
        let mut desk = Desk::new(&mut networks, 100);
        let two = || vec![ask(0.1, 0), ask(0.1, 1)];
        desk.serve(&[(0, two()), (1, two()), (2, two()), (3, vec![ask(0.2, 0)])]).unwrap();
        assert_eq!([1, 2, 3].map(|other| desk.compared(0, other)), [(2, true), (2, false), (0, true)]);
    }
}
