//! Processes that follow each other: each sends in a time of its own, and begins as if it had been running for ever.

use super::{Process, build};
use crate::Problem;
use crate::source::{NEVER, Source, Stream};
use crate::workload::timeline::Timeline;
use tailback_spec::View;

/// Builds processes that follow each other, each from a cycle on; the first one from 0 on. Packets have `mean_flits`. What is wrong
/// with one comes with its number.
pub(crate) fn switched(
    processes: &[(u64, View)],
    timeline: &Timeline,
    mean_flits: f64,
) -> Result<Box<dyn Process>, (usize, Vec<Problem>)> {
    if let [(_, only)] = processes {
        return build(*only, timeline, mean_flits).map_err(|problems| (0, problems));
    }
    let part = |(number, &(from, view)): (usize, &(u64, View))| {
        let end = processes.get(number + 1).map_or(NEVER, |next| next.0);
        let timeline = timeline.within(from, end);
        let process = build(view, &timeline, mean_flits).map_err(|problems| (number, problems))?;
        Ok(Part { from, end, timeline, process })
    };
    let parts = processes.iter().enumerate().map(part).collect::<Result<_, _>>()?;
    Ok(Box::new(Switched { parts }))
}

/// A process and its time.
struct Part {
    from: u64,
    end: u64,
    /// The timeline, without a load outside of its time.
    timeline: Timeline,
    process: Box<dyn Process>,
}

struct Switched {
    parts: Vec<Part>,
}

impl Switched {
    /// The part that a source is in whose clock says `clock`. A part has not begun before its process made a packet, so one whose clock
    /// stands at a part's first cycle is still in the part before.
    fn part(&self, clock: u64) -> usize {
        self.parts[1..].partition_point(|part| part.from < clock)
    }
}

impl Process for Switched {
    fn start(&self, stream: Stream, source: &mut Source, at: u64) {
        self.parts[self.part(at)].process.start(stream, source, at);
    }

    fn skip(&self, stream: Stream, _timeline: &Timeline, source: &mut Source, to: u64) {
        let part = &self.parts[self.part(source.clock)];
        if part.end <= source.clock {
            return self.parts[self.part(to)].process.start(stream, source, to);
        }
        part.process.skip(stream, &part.timeline, source, to);
    }

    fn resume(&self, _timeline: &Timeline, source: &mut Source, until: u64) {
        let (part, until_part) = (self.part(source.clock), self.part(until));
        if part == until_part {
            let part = &self.parts[part];
            return part.process.resume(&part.timeline, source, until);
        }
        // Its process has begun while the source stood still.
        let part = &self.parts[until_part];
        source.clock = until;
        source.state = 0;
        part.process.resume(&part.timeline, source, until);
    }

    fn next(&self, stream: Stream, _timeline: &Timeline, source: &mut Source) -> Option<u64> {
        let mut number = self.part(source.clock);
        loop {
            let part = &self.parts[number];
            let before = *source;
            match part.process.next(stream, &part.timeline, source) {
                Some(cycle) if cycle < part.end => return Some(cycle),
                _ => *source = before,
            }
            number += 1;
            let next = self.parts.get(number)?;
            next.process.start(stream, source, next.from);
        }
    }
}
