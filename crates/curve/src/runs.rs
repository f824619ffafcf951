//! Runs within a budget.

use crate::{Answer, Ask, Growth, Network, Options, Verdict};

/// Seeds that judge a load at first; with fewer, the 99 % intervals are too wide to decide anything.
pub(crate) const SEEDS: u64 = 5;

/// Answers, or the search is over: the budget is spent or the user wants no more.
pub(crate) type Asked<T, E> = Result<Option<T>, E>;

/// Asks a network, as often as the budget permits.
pub(crate) struct Runs<'a, N> {
    network: &'a mut N,
    pub(crate) options: &'a Options,
    /// Runs so far.
    pub(crate) made: u64,
    /// Nothing more is to be had.
    pub(crate) over: bool,
}

impl<'a, N: Network> Runs<'a, N> {
    pub(crate) fn new(network: &'a mut N, options: &'a Options) -> Self {
        Runs { network, options, made: 0, over: false }
    }

    /// Runs all that is asked, or nothing.
    pub(crate) fn ask(&mut self, asks: &[Ask]) -> Asked<Vec<Answer>, N::Error> {
        if self.over || self.made + asks.len() as u64 > self.options.runs_max {
            self.over = true;
            return Ok(None);
        }
        self.made += asks.len() as u64;
        let answers = self.network.measure(asks)?;
        self.over = answers.is_none();
        Ok(answers)
    }

    /// Judges a load by replicas from `from` on: first [`SEEDS`], then twice as many, then these in windows that are
    /// doubled while the question is open.
    pub(crate) fn judge(&mut self, load: f64, from: u64) -> Asked<Verdict, N::Error> {
        let mut answers = Vec::new();
        for round in 0..=self.options.doublings + 1 {
            let doublings = round.saturating_sub(1);
            if doublings > 0 {
                answers.clear();
            }
            let (have, all) = (answers.len() as u64, if round == 0 { SEEDS } else { 2 * SEEDS });
            let asks: Vec<Ask> = (have..all).map(|seed| Ask { load, replica: from + seed, doublings }).collect();
            let Some(new) = self.ask(&asks)? else { return Ok(None) };
            answers.extend(new);
            match Growth::of(&answers).map(|growth| growth.verdict()) {
                Some(Verdict::Undecided) | None => {}
                decided => return Ok(decided),
            }
        }
        Ok(Some(Verdict::Undecided))
    }
}
