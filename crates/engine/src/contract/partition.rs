//! Contract of a data path that can be cut into parts, a thread or process each.

use super::probe::Probe;
use crate::data_path::DataPath;
use serde::{Serialize, de::DeserializeOwned};
use tailback_base::state::{Reader, Unfit, Writer};

/// A data path that can be cut.
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
