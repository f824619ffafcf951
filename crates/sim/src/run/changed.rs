//! Runs whose admission changes on the way: up to each change under what there was, from there on from the same state under what
//! comes, as whoever forks a checkpoint would do. (Traffic that changes needs no such care: its packets are known from the beginning.)

use super::{Began, CHUNK, Control, Finished, Keep, Runner, finished, run_network};
use crate::attempt::guarded;
use crate::changes::Guard;
use crate::checkpoint::Resumed;
use crate::drive::Drive;
use crate::prepare::Prepared;
use tailback_base::state::Unfit;
use tailback_cycle::Simulated;
use tailback_engine::{Buffers, DataPath};

/// What stands in the state of the network that a new admission does not take over.
const ADMISSION: &str = "admission";

/// Runs a point whose admission changes, from cycle 0 or from a checkpoint on.
pub(super) fn run(
    prepared: &Prepared,
    control: &Control,
    keep: Option<Keep>,
    from: Option<&Resumed>,
) -> Result<Option<Finished>, Unfit> {
    let first = from.map_or(0, |from| prepared.guards.partition_point(|guard| guard.from < from.cycle()));
    let (mut number, mut state) = (first, None);
    loop {
        let guard: Option<&Guard> = number.checked_sub(1).map(|before| &prepared.guards[before]);
        let under = guard.map(|guard| prepared.under(guard));
        let until = prepared.guards.get(number).map(|guard| guard.from);
        let part =
            Part { prepared: under.as_ref().unwrap_or(prepared), control, keep, from: state.as_ref().or(from), until };
        match drive(part)? {
            Ended::Finished(finished) => return Ok(*finished),
            Ended::Goes(next) => (state, number) = (Some(*next), number + 1),
        }
    }
}

fn drive(part: Part<'_>) -> Result<Ended, Unfit> {
    // Whatever comes later may look at the levels of buffers.
    part.prepared.drive(Buffers::Watched, part)
}

/// A part of a run under one admission.
#[derive(Clone, Copy)]
struct Part<'a> {
    prepared: &'a Prepared,
    control: &'a Control<'a>,
    keep: Option<Keep<'a>>,
    from: Option<&'a Resumed>,
    /// The cycle of the next change.
    until: Option<u64>,
}

enum Ended {
    /// The run is over.
    Finished(Box<Option<Finished>>),
    /// The state from which it goes on.
    Goes(Box<Resumed>),
}

impl<'a> Drive<'a> for Part<'_> {
    type Out = Result<Ended, Unfit>;

    fn drive<D: DataPath + Simulated + Send + 'a>(self, engine: D) -> Self::Out {
        let Part { prepared, control, keep, from, until } = self;
        let mut runner = Runner::new(prepared, control, prepared.watch(), keep, engine);
        if let Some(from) = from {
            guarded(|| runner.restore(from)).unwrap_or_else(|_| Err(Unfit::new("its state contradicts itself")))?;
        }
        let Some(until) = until else { return Ok(Ended::Finished(Box::new(run_network(runner)))) };
        let began = Began::now(&runner);
        while runner.engine.cycle() < until {
            // Looks at the outside world are in the cycles in which they would be without the change.
            let next = (runner.engine.cycle() / CHUNK + 1) * CHUNK;
            if !runner.until(until.min(next)) {
                return Ok(Ended::Finished(Box::new(finished(runner, began, false))));
            }
        }
        let state = runner.state().expect("it runs in one process");
        let (point, forks, spec_id) = (prepared.point.clone(), prepared.forks.clone(), prepared.spec_id.clone());
        let next = Resumed::under_way(point, (forks, spec_id), until, state, vec![ADMISSION]);
        Ok(Ended::Goes(Box::new(next)))
    }
}
