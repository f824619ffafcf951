//! Contract of a data path that can be cut into parts, a thread or process each.

use super::probe::Probe;
use crate::data_path::DataPath;
use crate::outcome::{Deadlock, Standing};
use serde::{Serialize, de::DeserializeOwned};
use tailback_base::state::{Reader, Unfit, Writer};

/// A data path that can be cut. [`Network::totals`](crate::Network::totals) of a part are its share of those of the whole.
pub trait Partition: DataPath + Send {
    /// What a part tells another.
    type Mail: Send + Serialize + DeserializeOwned;

    /// Cycles after which what a part does can be seen by another, at least 1.
    fn lookahead(&self) -> u64;

    /// Simulates what of a cycle may be of consequence to other parts; [`Partition::end`] the rest of it. In between nothing else
    /// may happen but that what is posted is sent, which then has the rest of the cycle to arrive.
    fn begin<P: Probe>(&mut self, probe: &mut P);

    /// See [`Partition::begin`].
    fn end<P: Probe>(&mut self, probe: &mut P);

    /// What has been posted for a part.
    fn outbox(&mut self, part: usize) -> &mut Vec<Self::Mail>;

    /// Takes in what another part has posted, before the first cycle in which any of it counts.
    fn receive(&mut self, mail: &[Self::Mail]);

    /// Whether something is going to happen in the part that does not come from others: a flit or a credit is on its way, or an output is
    /// ready.
    fn moves(&self) -> bool;

    /// Whether packets stand at the front of sources in the part, and ejection buffers, which may have no place, are what they wait for.
    fn waits_for_places(&self) -> bool;

    /// [`Network::deadlock`](crate::Network::deadlock) of the network that has these parts.
    fn deadlock_of(parts: &[&Self]) -> Option<Deadlock>;

    /// Whether nodes execute a program.
    fn has_program(&self) -> bool;

    /// [`Network::standing`](crate::Network::standing) of the network that has these parts. `owners`: by node, its part.
    fn standing_of(parts: &[&Self], owners: &[u16], most: usize) -> Option<Standing>;

    /// Writes the state of a part for another process, which joins it with others.
    fn pack(&self, to: &mut Writer);

    /// Takes over what [`Partition::pack`] wrote of the same part.
    ///
    /// # Errors
    /// What does not fit.
    fn unpack(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;

    /// Takes over the state of all parts of the same network; `self` is the whole of it, in which nothing has happened yet.
    fn join(&mut self, parts: &mut dyn Iterator<Item = &Self>);
}
