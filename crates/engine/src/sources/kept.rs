//! What a checkpoint holds of nodes, of which a network has as many as before.

use serde::{Serialize, de::DeserializeOwned};
use tailback_base::state::{Reader, Unfit, Writer};

pub(super) fn save<N: Serialize>(nodes: &[N], to: &mut Writer) {
    nodes.iter().for_each(|node| to.put(node));
}

pub(super) fn restore<N: DeserializeOwned>(nodes: &mut [N], from: &mut Reader<'_>) -> Result<(), Unfit> {
    nodes.iter_mut().try_for_each(|node| {
        *node = from.take()?;
        Ok(())
    })
}
