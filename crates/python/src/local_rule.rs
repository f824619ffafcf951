//! An admission rule of one router in Python.

use crate::rule::{Fate, network};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tailback_cli::interrupt::Lent;
use tailback_sim::Prepared;
use tailback_sim::local_rule::{DecideLocally, LocalView};

/// A rule at work: an object with the arrays `free` and `open`, and the method `ask`.
pub struct LocalRule {
    asked: Py<PyAny>,
    /// By port and channel.
    free: PyBuffer<u8>,
    shown: Vec<u8>,
    channels: usize,
    /// By set of useful ports.
    open: PyBuffer<u8>,
    answer: Vec<u8>,
    fate: Arc<Mutex<Fate>>,
    cancel: Arc<Lent>,
}

impl LocalRule {
    /// Makes the rule of a point, as [`crate::rule::Rule::new`] does.
    ///
    /// # Errors
    /// What the maker of the rule raises.
    pub fn new(
        made: &Py<PyAny>,
        prepared: &Prepared,
        fate: Arc<Mutex<Fate>>,
        cancel: Arc<Lent>,
    ) -> PyResult<LocalRule> {
        Python::attach(|py| {
            let (ports, channels) = (prepared.network().most_ports(), prepared.channels() as usize);
            let asked = made.bind(py).call_method1("begin", network(prepared))?;
            Ok(LocalRule {
                free: PyBuffer::get(&asked.getattr("free")?)?,
                shown: vec![0; ports * channels],
                channels,
                open: PyBuffer::get(&asked.getattr("open")?)?,
                answer: vec![1; 1 << ports],
                asked: asked.unbind(),
                fate,
                cancel,
            })
        })
    }

    fn ask(&mut self, cycle: u64, view: LocalView<'_>, open: &mut [bool]) -> PyResult<()> {
        for (place, free) in self.shown.iter_mut().enumerate() {
            let room = view.room[place / self.channels] & view.all;
            *free = u8::from(room >> (place % self.channels) & 1 != 0);
        }
        Python::attach(|py| {
            self.free.copy_from_slice(py, &self.shown)?;
            self.asked.call_method1(py, "ask", (cycle, view.router))?;
            self.open.copy_to_slice(py, &mut self.answer)?;
            open.iter_mut().zip(&self.answer).for_each(|(open, &answer)| *open = answer != 0);
            Ok(())
        })
    }
}

impl DecideLocally for LocalRule {
    fn decide(&mut self, cycle: u64, view: LocalView<'_>, open: &mut [bool]) {
        if self.cancel.load(Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        let asked = self.ask(cycle, view, open);
        Fate::note(&self.fate, start, asked, &self.cancel);
    }
}
