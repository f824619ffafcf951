//! The operations of a run and its critical path as tables.

use super::chain::{Kind, Segment};
use super::{Critical, Crossed, SHARE_NAMES};
use tailback_engine::outcome::{NEVER, Told};
use tailback_probes::tables::{column, rows};
use tailback_program::{Program, Work};
use tailback_results::Series;
use tailback_results::series::SeriesColumn;
use tailback_traffic::Placed;

/// A cycle; NaN until it comes.
fn cycle(of: u64) -> f64 {
    if of == u64::MAX { f64::NAN } else { of as f64 }
}

/// Kind, peer and flits: 0 a send, 1 a receive, 2 a computation, whose flits are its cycles.
fn what(program: &dyn Program, (rank, number): (u32, u32), told: &Told) -> (f64, f64, f64) {
    match program.operation(rank, number).work {
        Work::Send { to, flits, .. } => (0.0, f64::from(to), f64::from(flits)),
        Work::Receive { from, flits, .. } => {
            let source = Some(told.message.0).filter(|&source| source != NEVER).or(from);
            (1.0, source.map_or(f64::NAN, f64::from), f64::from(flits))
        }
        Work::Compute { .. } => (2.0, f64::NAN, f64::NAN),
    }
}

/// The place of a rank's job among the jobs; 0 where there is one program.
fn job_of(placed: &Placed, rank: u32) -> f64 {
    placed.jobs().iter().position(|(_, ranks)| ranks.contains(&rank)).unwrap_or(0) as f64
}

/// One row for each rank. What it takes alone is filled in by whoever runs jobs alone.
pub(crate) fn ranks(placed: &Placed, told: &[Vec<Told>]) -> Series {
    let started = |told: &Told| Some(told.started).filter(|&at| at != u64::MAX);
    let finished = |told: &Told| Some(told.finished).filter(|&at| at != u64::MAX);
    let of = |name: &str, unit: &str, value: &dyn Fn(u32, &[Told]) -> f64| -> SeriesColumn {
        column(name, unit, (0_u32..).zip(told).map(|(rank, told)| value(rank, told)).collect())
    };
    let left = |told: &[Told]| told.iter().filter(|told| finished(told).is_none()).count();
    let last = |told: &[Told]| told.iter().filter_map(finished).max().unwrap_or(u64::MAX);
    let columns = vec![
        of("job", "", &|rank, _| job_of(placed, rank)),
        of("node", "", &|rank, _| f64::from(placed.node_of(rank))),
        of("operations", "", &|_, told| told.len() as f64),
        of("unfinished", "", &|_, told| left(told) as f64),
        of("first", "cycles", &|_, told| cycle(told.iter().filter_map(started).min().unwrap_or(u64::MAX))),
        of("last", "cycles", &|_, told| cycle(last(told))),
        of("completion", "cycles", &|_, told| if left(told) == 0 { cycle(last(told)) } else { f64::NAN }),
        of("alone", "cycles", &|_, _| f64::NAN),
        of("slowdown", "", &|_, _| f64::NAN),
    ];
    rows("ranks", "", "rank", columns)
}

/// One row for each operation, rank by rank.
pub(crate) fn operations(placed: &Placed, told: &[Vec<Told>]) -> Series {
    let program = placed.program();
    let all = || {
        let ranks = (0_u32..).zip(told);
        ranks.flat_map(|(rank, told)| (0_u32..).zip(told).map(move |(number, told)| ((rank, number), told)))
    };
    let of = |name: &str, unit: &str, value: &dyn Fn((u32, u32), &Told) -> f64| -> SeriesColumn {
        column(name, unit, all().map(|(at, told)| value(at, told)).collect())
    };
    let columns = vec![
        of("rank", "", &|at, _| f64::from(at.0)),
        of("job", "", &|at, _| job_of(placed, at.0)),
        of("number", "", &|at, _| f64::from(at.1)),
        of("kind", "", &|at, told| what(program, at, told).0),
        of("peer", "", &|at, told| what(program, at, told).1),
        of("flits", "flits", &|at, told| what(program, at, told).2),
        of("ready", "cycles", &|_, told| cycle(told.ready)),
        of("started", "cycles", &|_, told| cycle(told.started)),
        of("finished", "cycles", &|_, told| cycle(told.finished)),
    ];
    rows("operations", "", "operation", columns)
}

/// One row for each link of the critical path.
pub(crate) fn links(critical: &Critical) -> Series {
    let of = |name: &str, unit: &str, value: &dyn Fn(&Crossed) -> f64| {
        column(name, unit, critical.links.iter().map(value).collect())
    };
    let columns = vec![
        of("router", "", &|link| f64::from(link.router)),
        of("port", "", &|link| f64::from(link.port)),
        of("messages", "", &|link| f64::from(link.messages)),
        of("wait", "cycles", &|link| link.wait as f64),
    ];
    rows("critical_links", "", "link", columns)
}

/// One row for each segment of the critical path.
pub(crate) fn segments(critical: &Critical) -> Series {
    let of = |name: &str, unit: &str, value: &dyn Fn(&Segment) -> f64| {
        column(name, unit, critical.segments.iter().map(value).collect())
    };
    let kind = |segment: &Segment| match segment.kind {
        Kind::Message => 0.0,
        Kind::Send => 1.0,
        Kind::Start => 2.0,
        Kind::Compute => 3.0,
    };
    let mut columns = vec![
        of("from", "cycles", &|segment| segment.from as f64),
        of("to", "cycles", &|segment| segment.to as f64),
        of("kind", "", &kind),
        of("rank", "", &|segment| f64::from(segment.rank)),
        of("number", "", &|segment| f64::from(segment.operation)),
        of("peer", "", &|segment| segment.peer.map_or(f64::NAN, f64::from)),
        of("flits", "flits", &|segment| f64::from(segment.flits)),
    ];
    for (share, name) in SHARE_NAMES.into_iter().enumerate() {
        columns.push(of(name, "cycles", &|segment| segment.shares[share] as f64));
    }
    rows("critical_path", "cycles", "segment", columns)
}
