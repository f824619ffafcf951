//! An admission rule in Python.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tailback_cli::interrupt::Lent;
use tailback_sim::Prepared;
use tailback_sim::rule::{Decide, Seen};

/// What becomes of a rule while it is asked.
#[derive(Default)]
pub struct Fate {
    /// Calls, and the time that they took.
    pub cost: (u64, Duration),
    /// The exception that it raised.
    pub error: Option<PyErr>,
}

impl Fate {
    /// Notes a call that began at `start`; an exception is kept, and stops the run.
    pub fn note(fate: &Mutex<Fate>, start: Instant, asked: PyResult<()>, cancel: &AtomicBool) {
        let mut fate = fate.lock().unwrap_or_else(PoisonError::into_inner);
        fate.cost.0 += 1;
        fate.cost.1 += start.elapsed();
        if let Err(error) = asked {
            fate.error.get_or_insert(error);
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// What a mechanism in Python is made for: radices, network ports, channels, flits of a buffer, nodes of a router.
pub fn network(prepared: &Prepared) -> (Vec<u32>, usize, u32, u32, u32) {
    let network = prepared.network();
    let radix = network.grid().map_or_else(Vec::new, |grid| grid.radix().to_vec());
    (radix, network.most_ports(), prepared.channels(), prepared.buffer_flits(), network.most_nodes())
}

/// A rule at work: an object with the arrays `level`, `delivered` and `open`, and the method `ask`.
pub struct Rule {
    asked: Py<PyAny>,
    level: PyBuffer<u16>,
    delivered: PyBuffer<u64>,
    open: PyBuffer<u8>,
    answer: Vec<u8>,
    fate: Arc<Mutex<Fate>>,
    cancel: Arc<Lent>,
}

impl Rule {
    /// The rule `made` for a network; an exception that it raises is kept in `fate` and sets `cancel`.
    ///
    /// # Errors
    /// What the maker of the rule raises.
    pub fn new(made: &Py<PyAny>, prepared: &Prepared, fate: Arc<Mutex<Fate>>, cancel: Arc<Lent>) -> PyResult<Rule> {
        Python::attach(|py| {
            let asked = made.bind(py).call_method1("begin", network(prepared))?;
            Ok(Rule {
                level: PyBuffer::get(&asked.getattr("level")?)?,
                delivered: PyBuffer::get(&asked.getattr("delivered")?)?,
                open: PyBuffer::get(&asked.getattr("open")?)?,
                answer: vec![1; prepared.network().routers()],
                asked: asked.unbind(),
                fate,
                cancel,
            })
        })
    }

    fn ask(&mut self, seen: Seen<'_>, open: &mut [bool]) -> PyResult<()> {
        Python::attach(|py| {
            self.level.copy_from_slice(py, seen.levels)?;
            self.delivered.copy_from_slice(py, seen.delivered)?;
            self.asked.call_method1(py, "ask", (seen.cycle,))?;
            self.open.copy_to_slice(py, &mut self.answer)?;
            open.iter_mut().zip(&self.answer).for_each(|(open, &answer)| *open = answer != 0);
            Ok(())
        })
    }
}

impl Decide for Rule {
    fn decide(&mut self, seen: Seen<'_>, open: &mut [bool]) {
        if self.cancel.load(Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        let asked = self.ask(seen, open);
        Fate::note(&self.fate, start, asked, &self.cancel);
    }
}
