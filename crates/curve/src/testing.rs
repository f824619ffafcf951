//! A network that answers by a script, and remembers what it was asked.

use crate::{Answer, Ask, Network, Networks, Options};
use std::convert::Infallible;

/// Answers as its script says.
pub struct Script<F> {
    script: F,
    /// All that was asked and answered, in order.
    pub asked: Vec<Ask>,
    /// How often it was called.
    pub calls: u64,
    enough: Option<usize>,
}

impl<F: FnMut(&Ask) -> Answer> Script<F> {
    /// Of this script.
    pub fn new(script: F) -> Self {
        Script { script, asked: Vec::new(), calls: 0, enough: None }
    }

    /// The same, that ends the search before it would answer more than `enough` runs.
    pub fn up_to(self, enough: usize) -> Self {
        Script { enough: Some(enough), ..self }
    }
}

impl<F: FnMut(&Ask) -> Answer> Network for Script<F> {
    type Error = Infallible;

    fn measure(&mut self, asks: &[Ask]) -> Result<Option<Vec<Answer>>, Infallible> {
        self.calls += 1;
        if self.enough.is_some_and(|enough| self.asked.len() + asks.len() > enough) {
            return Ok(None);
        }
        self.asked.extend_from_slice(asks);
        Ok(Some(asks.iter().map(&mut self.script).collect()))
    }
}

/// Loads from 0 to 1; the brackets close to a hundredth.
pub fn options() -> Options {
    Options::between(0.0, 1.0)
}

/// A run in which nothing grows and nothing is missing.
pub fn stable(latency: f64) -> Answer {
    let latency = Some(latency);
    let (backlog, digest) = (vec![100.0; 16], String::new());
    Answer { offered: 1.0, generated: 1.0, accepted: 1.0, latency, backlog, deadlocked: false, digest }
}

/// A run whose backlog grows with time.
pub fn growing(latency: f64) -> Answer {
    Answer { backlog: (0..16).map(|t| 1000.0 * f64::from(t)).collect(), ..stable(latency) }
}

/// Runs of which every second one grows.
pub fn undecided(ask: &Ask) -> Answer {
    if ask.replica.is_multiple_of(2) { stable(10.0) } else { growing(10.0) }
}

/// Stable below `capacity` and nowhere else.
pub fn below(capacity: f64) -> impl Fn(&Ask) -> Answer {
    move |ask| if ask.load < capacity { stable(10.0) } else { growing(10.0) }
}

/// Variants that answer by a script, and how many runs each batch had.
pub struct Scripts<F> {
    script: F,
    /// Runs asked for, batch by batch.
    pub batches: Vec<usize>,
    /// All that was asked and answered, in order.
    pub asked: Vec<(usize, Ask)>,
    enough: Option<usize>,
}

impl<F: FnMut(usize, &Ask) -> Answer> Scripts<F> {
    /// Of this script.
    pub fn new(script: F) -> Self {
        Scripts { script, batches: Vec::new(), asked: Vec::new(), enough: None }
    }

    /// The same, that answers no more than `enough` runs.
    pub fn up_to(self, enough: usize) -> Self {
        Scripts { enough: Some(enough), ..self }
    }
}

impl<F: FnMut(usize, &Ask) -> Answer> Networks for Scripts<F> {
    type Error = Infallible;

    fn measure(&mut self, asks: &[(usize, Ask)]) -> Result<Vec<Option<Answer>>, Infallible> {
        self.batches.push(asks.len());
        let room = self.enough.map_or(usize::MAX, |enough| enough - self.asked.len());
        let answered = &asks[..asks.len().min(room)];
        self.asked.extend_from_slice(answered);
        let mut answers: Vec<_> = answered.iter().map(|(variant, ask)| Some((self.script)(*variant, ask))).collect();
        answers.resize(asks.len(), None);
        Ok(answers)
    }
}
