//! One network in several processes: each simulates some of its parts, and the first one has what comes of it.

use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::run::{Control, Keep, Runner, run_network};
use tailback_base::state::{Reader, State, Writer};
use tailback_engine::partition::ranks::gather;
pub use tailback_engine::partition::ranks::{Ranks, told};
use tailback_probes::{Heads, Watch};

impl Prepared {
    /// Whether the network can be cut into so many parts for each of so many processes.
    ///
    /// # Errors
    /// Why not.
    pub fn fits_ranks(&self, parts: usize, count: usize) -> Result<(), String> {
        if let Some(why) = self.indivisible() {
            return Err(format!("this network is simulated in one process only: {why}"));
        }
        let (all, routers) = (parts.saturating_mul(count), self.network.routers());
        match all <= routers {
            true => Ok(()),
            false => {
                Err(format!("{count} processes with {parts} threads each, and this network has {routers} routers"))
            }
        }
    }
}

/// Runs a point in several processes, each with `parts` parts of the network, of a thread each. All call it alike, and the first
/// gets the outcome, the others `None`. Checkpoints are handed over at the first.
///
/// # Errors
/// The errors of [`Prepared::fits_ranks`], at every process.
pub fn run_in_ranks(
    prepared: &Prepared,
    control: &Control,
    keep: Option<Keep>,
    parts: usize,
    ranks: &dyn Ranks,
) -> Result<Option<Outcome>, String> {
    prepared.fits_ranks(parts, ranks.count())?;
    let watch = prepared.watch();
    let network =
        prepared.cut(parts * ranks.count(), &watch, Some(ranks)).ok_or("a single process and part needs no others")?;
    let finished = run_network(Runner::new(prepared, control, watch, keep, network));
    Ok(finished.map(|finished| finished.sum_up(prepared)))
}

/// What all processes have seen, at the first one.
pub(crate) fn gathered(
    prepared: &Prepared,
    ranks: &dyn Ranks,
    mut watch: Watch,
    mut heads: Heads,
) -> Option<(Watch, Heads)> {
    let mut to = Writer::default();
    watch.save(&mut to);
    heads.save(&mut to);
    for bytes in gather(ranks, to.into_bytes())?.iter().skip(1) {
        let (mut from, mut other) = (Reader::new(bytes, &[]), prepared.watch());
        let mut others_heads = Heads::new(prepared.network());
        let read = other.restore(&mut from).and_then(|()| others_heads.restore(&mut from));
        read.expect("all processes watch alike");
        watch.merge(&other);
        heads.merge(&others_heads);
    }
    Some((watch, heads))
}
