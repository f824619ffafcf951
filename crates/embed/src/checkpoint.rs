//! Checkpoints of networks that a host steps: that of the run, and the messages that the host has not received.

use crate::error::{Error, Refusal};
use crate::files::{output, refused};
use crate::messages::Messages;
use crate::network::{LAST_CYCLE, NEVER, Network};
use crate::open::{is_plain, threads_of, wrong};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tailback_base::state::{Reader, Writer, ensure};
use tailback_results::{Checkpoint, Kind};
use tailback_sim::{Resumed, quietly};

impl Network {
    /// Writes a checkpoint, whole or not at all, in the place of a checkpoint of that name.
    ///
    /// # Errors
    /// Where it cannot be written, where something else stands there, or the network is broken.
    pub fn checkpoint(&self, path: &Path) -> Result<(), Error> {
        let to = output(path, Kind::Checkpoint, &self.inputs)?;
        let kept = self.kept().map_err(|refusal| Error::Bug(refusal.to_string()))?;
        to.write(&kept.to_bytes()).map_err(|error| refused(&error))
    }

    pub(crate) fn kept(&self) -> Result<Checkpoint, Refusal> {
        let Checkpoint { head, state } = self.engine_checkpoint()?;
        let mut to = Writer::default();
        to.put(&state);
        to.put(&self.messages);
        Ok(Checkpoint { head, state: to.into_bytes() })
    }

    /// Goes on from a checkpoint, at the same cycle, with the same messages under way and deliveries waiting. No call log goes with it.
    ///
    /// # Errors
    /// Where the file cannot be read, is damaged, of another version, or of no network that a host stepped.
    pub fn restore(path: &Path) -> Result<Network, Error> {
        is_plain(path)?;
        let checkpoint = Checkpoint::read(path).map_err(|error| Error::Damaged(error.to_string()))?;
        Network::restored(checkpoint, &NEVER)
    }

    /// The same of a checkpoint that has been read.
    pub(crate) fn restored(checkpoint: Checkpoint, cancel: &'static AtomicBool) -> Result<Network, Error> {
        // What was restored was checked, but a checkpoint that was made to deceive may have got past.
        let restored = quietly(|| restored(checkpoint, cancel));
        restored.unwrap_or_else(|said| Err(Error::Damaged(format!("the checkpoint contradicts itself: {said}"))))
    }
}

fn restored(checkpoint: Checkpoint, cancel: &'static AtomicBool) -> Result<Network, Error> {
    let Checkpoint { head, state } = checkpoint;
    let damaged = |why: &dyn std::fmt::Display| Error::Damaged(format!("the checkpoint does not fit: {why}"));
    let mut from = Reader::new(&state, &[]);
    let (state, messages): (Vec<u8>, Messages) = from
        .take()
        .and_then(|state| Ok((state, from.take()?)))
        .and_then(|taken| from.end().map(|()| taken))
        .map_err(|_| Error::Damaged("no checkpoint of a network that a host stepped".to_owned()))?;
    let cycle = head.cycle;
    let resumed = Resumed::new(Checkpoint { head, state }, &[], "the checkpoint's spec", &mut |_| {});
    let resumed = resumed.map_err(|refused| damaged(&refused))?;
    let prepared = resumed.prepare().map_err(wrong)?;
    let threads = threads_of(&prepared);
    let mut network = Network::new(prepared, (threads, cancel), Some(&resumed))?;
    messages.fits((network.nodes(), network.classes()), cycle).map_err(|unfit| damaged(&unfit))?;
    ensure(cycle <= LAST_CYCLE, "the clock stands beyond its last cycle").map_err(|unfit| damaged(&unfit))?;
    network.messages = messages;
    network.messages.find_filled();
    Ok(network)
}
