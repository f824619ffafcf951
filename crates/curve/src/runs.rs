//! Runs as long as there are any to be had.

use crate::{Answer, Ask, Growth, Network, Options, Verdict};

/// Seeds that judge a load at first; with fewer, the 99 % intervals are too wide to decide anything.
pub(crate) const SEEDS: u64 = 5;

/// Answers, or it is over: the budget is spent or the user wants no more.
pub(crate) type Asked<T, E> = Result<Option<T>, E>;

/// Asks a network until it gives no answers.
pub(crate) struct Runs<'a, N> {
    network: &'a mut N,
    pub(crate) options: &'a Options,
    /// Whether no more runs can be made.
    over: bool,
}

impl<'a, N: Network> Runs<'a, N> {
    pub(crate) fn new(network: &'a mut N, options: &'a Options) -> Self {
        Runs { network, options, over: false }
    }

    /// Runs all that is asked, or nothing.
    pub(crate) fn ask(&mut self, asks: &[Ask]) -> Asked<Vec<Answer>, N::Error> {
        if self.over {
            return Ok(None);
        }
        let answers = self.network.measure(asks)?;
        self.over = answers.is_none();
        Ok(answers)
    }

    /// Judges a load by replicas from `from` on: first [`SEEDS`], then twice as many; where that leaves the question open, as
    /// many again in the longest windows. Windows between would cost as much and settle less.
    pub(crate) fn judge(&mut self, load: f64, from: u64) -> Asked<Verdict, N::Error> {
        let longest = self.options.doublings;
        let lengths = if longest == 0 { vec![0] } else { vec![0, longest] };
        for doublings in lengths {
            let mut answers = Vec::new();
            for all in [SEEDS, 2 * SEEDS] {
                let have = answers.len() as u64;
                let asks: Vec<Ask> = (have..all).map(|seed| Ask { load, replica: from + seed, doublings }).collect();
                let Some(new) = self.ask(&asks)? else { return Ok(None) };
                answers.extend(new);
                match Growth::of(&answers).map(|growth| growth.verdict()) {
                    Some(Verdict::Undecided) | None => {}
                    decided => return Ok(decided),
                }
            }
        }
        Ok(Some(Verdict::Undecided))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Script, options, stable, undecided};

    fn some(count: u64) -> Vec<Ask> {
        (0..count).map(|replica| Ask { load: 0.5, replica, doublings: 0 }).collect()
    }

    #[test]
    fn who_wants_no_more_is_not_asked_again() {
        let options = options();
        let mut network = Script::new(|_| stable(10.0)).up_to(5);
        let mut runs = Runs::new(&mut network, &options);
        assert!(runs.ask(&some(5)).unwrap().is_some() && runs.ask(&some(1)).unwrap().is_none() && runs.over);
        assert_eq!(runs.ask(&some(1)).unwrap(), None);
        assert_eq!(network.calls, 2);
    }

    #[test]
    fn an_open_question_gets_more_seeds_then_longer_windows() {
        let options = Options { doublings: 2, ..options() };
        let mut network = Script::new(undecided);
        let verdict = Runs::new(&mut network, &options).judge(0.5, 100).unwrap();
        assert_eq!(verdict, Some(Verdict::Undecided));
        let ask = |doublings: u32, replicas: std::ops::Range<u64>| {
            replicas.map(move |replica| Ask { load: 0.5, replica, doublings }).collect::<Vec<Ask>>()
        };
        let expected = [ask(0, 100..105), ask(0, 105..110), ask(2, 100..105), ask(2, 105..110)].concat();
        assert_eq!(network.asked, expected);
    }

    #[test]
    fn a_decided_question_is_asked_once() {
        let options = options();
        let mut network = Script::new(|_| stable(10.0));
        let verdict = Runs::new(&mut network, &options).judge(0.5, 0).unwrap();
        assert_eq!((verdict, network.asked.len()), (Some(Verdict::Stable), 5));
    }

    #[test]
    fn longer_windows_are_judged_by_themselves() {
        // What runs in windows of the first length say must not weigh against what longer ones show.
        let options = options();
        let mut network = Script::new(|ask| if ask.doublings == 0 { undecided(ask) } else { stable(10.0) });
        let verdict = Runs::new(&mut network, &options).judge(0.5, 0).unwrap();
        assert_eq!((verdict, network.asked.len()), (Some(Verdict::Stable), 15));
    }
}
