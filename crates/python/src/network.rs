//! A network that a host in Python steps.

use crate::failure::{error, usage};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tailback_embed::{Delivery, Error, Message, Network, Refusal};

/// A network, until it is closed. Whoever uses it from several threads at once waits for the others.
#[pyclass(frozen, module = "tailback._native")]
pub struct Stepped(Mutex<Option<Network>>);

/// A delivery: tag, sent, entered, cycle, source, destination, message class, flits, hops.
type Row = (u64, u64, u64, u64, u32, u32, u32, u32, u32);

fn row(of: &Delivery) -> Row {
    let Delivery { message, sent, entered, cycle, hops } = *of;
    let Message { source, destination, class, flits, tag } = message;
    (tag, sent, entered, cycle, source, destination, class, flits, hops)
}

/// The same as 56 bytes in this machine's order, as `python/tailback/embed.py` reads them.
fn packed(of: &Delivery, into: &mut Vec<u8>) {
    let (tag, sent, entered, cycle, source, destination, class, flits, hops) = row(of);
    [tag, sent, entered, cycle].into_iter().for_each(|word| into.extend(word.to_ne_bytes()));
    [source, destination, class, flits, hops, 0].into_iter().for_each(|word| into.extend(word.to_ne_bytes()));
}

fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::NoNode | Refusal::NoClass | Refusal::Length | Refusal::Full | Refusal::Time => usage(py, refusal),
        Refusal::Deadlocked | Refusal::Livelocked | Refusal::Broken => error(py, refusal),
    }
}

fn failed(py: Python<'_>, why: &Error) -> PyErr {
    match why {
        Error::Spec(_) | Error::File(_) | Error::Damaged(_) => usage(py, why),
        Error::Bug(_) => error(py, why),
    }
}

impl Stepped {
    fn opened(py: Python<'_>, open: impl FnOnce() -> Result<Network, Error> + Send) -> PyResult<Stepped> {
        let network = py.detach(open).map_err(|why| failed(py, &why))?;
        Ok(Stepped(Mutex::new(Some(network))))
    }

    /// Does `work` without the interpreter's lock.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Network) -> T + Send) -> PyResult<T> {
        let done = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(work));
        done.ok_or_else(|| usage(py, "the network is closed"))
    }
}

#[pymethods]
impl Stepped {
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf, overrides: Vec<String>) -> PyResult<Stepped> {
        Stepped::opened(py, || Network::from_file(&path, &overrides))
    }

    #[staticmethod]
    fn from_text(py: Python<'_>, text: String, overrides: Vec<String>) -> PyResult<Stepped> {
        Stepped::opened(py, || Network::from_text(&text, &overrides))
    }

    #[staticmethod]
    fn from_booksim(py: Python<'_>, path: PathBuf, overrides: Vec<String>) -> PyResult<Stepped> {
        Stepped::opened(py, || Network::from_booksim(&path, &overrides))
    }

    #[staticmethod]
    fn restore(py: Python<'_>, path: PathBuf) -> PyResult<Stepped> {
        Stepped::opened(py, || Network::restore(&path))
    }

    /// Nodes, classes, the shortest and the longest message.
    fn shape(&self, py: Python<'_>) -> PyResult<(u32, u32, u32, u32)> {
        self.with(py, |network| {
            let (shortest, longest) = network.message_flits();
            (network.nodes(), network.classes(), shortest, longest)
        })
    }

    fn cycle(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |network| network.clock())
    }

    fn idle(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |network| network.is_idle())
    }

    fn under_way(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |network| network.under_way())
    }

    fn next_delivery(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.with(py, |network| network.next_delivery())
    }

    fn can_send(&self, py: Python<'_>, node: u32, class: u32, flits: u32) -> PyResult<bool> {
        self.with(py, |network| network.can_send(node, class, flits))
    }

    fn queued_flits(&self, py: Python<'_>, node: u32, class: u32) -> PyResult<u64> {
        self.with(py, |network| network.queued_flits(node, class))
    }

    /// Whether it was sent; not where the source queue is full.
    fn send(&self, py: Python<'_>, source: u32, destination: u32, class: u32, flits: u32, tag: u64) -> PyResult<bool> {
        match self.with(py, |network| network.send(Message { source, destination, class, flits, tag }))? {
            Ok(()) => Ok(true),
            Err(Refusal::Full) => Ok(false),
            Err(refusal) => Err(refused(py, refusal)),
        }
    }

    fn advance(&self, py: Python<'_>, to: u64) -> PyResult<()> {
        self.with(py, |network| network.advance(to))?.map_err(|refusal| refused(py, refusal))
    }

    fn advance_until_delivery(&self, py: Python<'_>, to: u64) -> PyResult<()> {
        self.with(py, |network| network.advance_until_delivery(to))?.map_err(|refusal| refused(py, refusal))
    }

    /// All deliveries of a node and class, or of all of them.
    #[pyo3(signature = (node, class))]
    fn receive(&self, py: Python<'_>, node: Option<u32>, class: Option<u32>) -> PyResult<Vec<Row>> {
        Ok(self.taken(py, node, class)?.iter().map(row).collect())
    }

    /// The same as bytes.
    #[pyo3(signature = (node, class))]
    fn receive_packed<'py>(
        &self,
        py: Python<'py>,
        node: Option<u32>,
        class: Option<u32>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        self.taken(py, node, class)?.iter().for_each(|delivery| packed(delivery, &mut bytes));
        Ok(PyBytes::new(py, &bytes))
    }

    /// The record as JSON, and why the network was the bottleneck.
    fn record(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let outcome = self.with(py, |network| network.outcome())?.map_err(|refusal| refused(py, refusal))?;
        let row = outcome.record.row().map_err(|why| error(py, why))?;
        Ok((serde_json::Value::Object(row).to_string(), outcome.explanation))
    }

    fn follow(&self, py: Python<'_>, tag: u64) -> PyResult<()> {
        self.with(py, |network| network.follow(tag))
    }

    fn story(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |network| network.story())
    }

    fn checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |network| network.checkpoint(&path))?.map_err(|why| failed(py, &why))
    }

    fn log(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |network| network.log(&path))?.map_err(|why| failed(py, &why))
    }

    fn end_log(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |network| network.end_log())?.map_err(|why| failed(py, &why))
    }

    /// Ends the log and frees the network; again, it does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }
}

impl Stepped {
    fn taken(&self, py: Python<'_>, node: Option<u32>, class: Option<u32>) -> PyResult<Vec<Delivery>> {
        let taken = self.with(py, |network| {
            if (node, class) == (None, None) {
                return Ok(std::iter::from_fn(|| network.receive_any()).collect());
            }
            let nodes = node.map_or(0..network.nodes(), |node| node..node.saturating_add(1));
            let classes = class.map_or(0..network.classes(), |class| class..class.saturating_add(1));
            let mut taken = Vec::new();
            for (node, class) in nodes.flat_map(|node| classes.clone().map(move |class| (node, class))) {
                network.peek(node, class)?;
                taken.extend(std::iter::from_fn(|| network.receive(node, class)));
            }
            Ok(taken)
        })?;
        taken.map_err(|refusal| refused(py, refusal))
    }
}
