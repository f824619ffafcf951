//! The lines of a side: the congested points that it knows of, who else knows of them, and the queues that they have. What
//! follows from that, and when, is the algorithm's business (`recn`).

use super::cam::Cam;
use super::numbers::{Numbers, Owner};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};
use tailback_base::bits::ones;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::contract::queueing::{LINK, Notice, NoticeKind, Packing, Place, Route, Side, Turns};

/// The port whose queue is the standard queue of an egress or adapter side.
const STANDARD: u8 = 0;

/// A neighbour in a mask. An ingress side has only one upstream.
pub fn bit(from: u8) -> u64 {
    1 << (from % 64)
}

/// A line (`recn-mesh-2005` section 2): a congested point whose packets are set aside.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// Whether a neighbour downstream told of it.
    pub downstream: bool,
    /// Neighbours upstream that were told of it, as a mask of [`bit`].
    pub branches: u64,
    /// Neighbours upstream that had no queue for it.
    pub refused: u64,
    /// Has stopped its branches.
    pub off: bool,
    /// Is stopped by its downstream.
    pub stopped: bool,
    /// While marked: so many packets have to leave this queue before the line's may.
    pub marker: (u8, u32),
}

/// All lines of a side. The last one is the root, which has no turns: of an egress side, the port itself. PERF: what most
/// packets need is in the first cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Lines {
    /// Their turns.
    pub cam: Cam,
    /// Lines that are off or were refused by somebody: those to which it may matter that a packet leaves a filled queue.
    noted: u64,
    /// Lines with a marker.
    marked: u32,
    /// With no more packets than these nothing comes of an arrival.
    pub least: u32,
    /// Where the side is.
    pub place: Place,
    numbers: Numbers,
    lines: Box<[Line]>,
    held: u64,
    answers: u32,
    packing: Packing,
    /// Of its switch.
    ports: u8,
}

tailback_base::plain!(Line);
tailback_base::state!([] Lines { saved: cam, noted, marked, least, numbers, lines, held, answers; rebuilt: place, packing, ports; } [fits]);

impl Lines {
    /// Makes `lines` lines, all free, at a side of a switch with `ports` ports.
    pub fn new(place: Place, lines: u8, ports: u8, least: u32) -> Self {
        let ordinary = if place.side == Side::Ingress { ports } else { 1 };
        Lines {
            cam: Cam::new(lines),
            noted: 0,
            marked: 0,
            least,
            place,
            numbers: Numbers::new(ordinary, lines),
            lines: vec![Line::default(); usize::from(lines) + 1].into(),
            held: 0,
            answers: 0,
            packing: Packing::new(usize::from(ports)),
            ports,
        }
    }

    /// That what is kept of all lines is what each says, that those not in use say nothing, and that branches are neighbours.
    fn fits(&self) -> Result<(), Unfit> {
        self.cam.fits(self.ports, self.packing)?;
        let (count, root) = (self.numbers.count(), self.root());
        let neighbours = match self.place.side {
            Side::Ingress => bit(LINK),
            Side::Egress => u64::MAX >> (64 - u32::from(self.ports.max(1))),
            Side::Adapter => 0,
        };
        let (mut noted, mut held) = (0, 0);
        for (line, of) in self.lines.iter().enumerate() {
            let (used, marked) =
                (self.cam.used() >> line & 1 == 1, u64::from(self.marked).unbounded_shr(line as u32) & 1);
            let quiet = !of.downstream && of.branches == 0 && of.refused == 0 && !of.off && !of.stopped && marked == 0;
            let marker = marked == 0 || usize::from(of.marker.0) < count && (1..=1 << 28).contains(&of.marker.1);
            let known = (of.branches | of.refused) & !neighbours == 0 && marker;
            ensure(known && (used || line == root || quiet), "a line that is not in use says something")?;
            noted |= u64::from(of.off || of.refused != 0) << line;
            if line < root {
                held |= (marked | u64::from(of.stopped)) << self.numbers.of_line(line);
            }
        }
        let lost = u64::from(self.marked).unbounded_shr(root as u32) != 0;
        ensure(
            !lost && (noted, held) == (self.noted, self.held),
            "a line is held that is not stopped, or is not that is",
        )
    }

    /// Queues that may send nothing.
    #[inline]
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Times that a line came, went, became off or on.
    #[inline]
    pub fn answers(&self) -> u32 {
        self.answers
    }

    /// All queues.
    #[inline]
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The root.
    pub fn root(&self) -> usize {
        self.lines.len() - 1
    }

    /// The queue that packets join which belong to this line, or to none.
    #[inline(always)]
    pub fn queue(&self, line: Option<usize>, way: Route<'_>) -> usize {
        match line {
            Some(line) => self.numbers.of_line(line),
            None if self.numbers.by_port() => self.numbers.of_port(way.next()),
            None => self.numbers.of_port(STANDARD),
        }
    }

    /// The line of a queue; an ordinary queue is taken for that of the root.
    pub fn line_of(&self, queue: usize) -> usize {
        match self.numbers.owner(queue) {
            Owner::Line(line) => line,
            Owner::Port(_) => self.root(),
        }
    }

    /// A line has these turns from now on, and nothing else.
    pub fn begin(&mut self, line: usize, turns: Turns) {
        self.cam.insert(line, turns, self.packing);
        self.reset(line);
    }

    /// A line is not in use any more: its turns, and whether it had a downstream.
    pub fn end(&mut self, line: usize) -> (Turns, bool) {
        let had = (self.cam.remove(line), self.lines[line].downstream);
        self.reset(line);
        self.hold(line);
        had
    }

    fn reset(&mut self, line: usize) {
        self.lines[line] = Line::default();
        self.noted &= !(1 << line);
        self.answers = self.answers.wrapping_add(1);
    }

    /// A port and a line exchange their queues.
    pub fn swap(&mut self, port: u8, line: usize) {
        self.numbers.swap(port, line);
    }

    /// A line becomes off.
    pub fn turn_off(&mut self, line: usize) {
        self.turn(line, true);
    }

    /// A line becomes on.
    pub fn turn_on(&mut self, line: usize) {
        self.turn(line, false);
    }

    fn turn(&mut self, line: usize, off: bool) {
        self.lines[line].off = off;
        self.note(line);
        self.answers = self.answers.wrapping_add(1);
    }

    /// Whether it may matter to a line that a packet leaves its filled queue.
    pub fn is_noted(&self, line: usize) -> bool {
        self.noted >> line & 1 == 1
    }

    /// Notes that this line may have changed.
    pub fn note(&mut self, line: usize) {
        let Line { off, refused, .. } = self.lines[line];
        self.noted = self.noted & !(1 << line) | u64::from(off || refused != 0) << line;
    }

    /// Whether it matters to any of them that a packet has left a queue, which now has `level`.
    #[inline(always)]
    pub fn care(&self, queue: usize, level: u32) -> bool {
        // PERF: no branch: who leaves last is as good as random.
        (self.noted != 0) | (level == 0) & (self.numbers.aside() >> queue & 1 == 1)
    }

    /// What has to leave before packets on a way may that get a line of their own now: where they wait, and how many.
    pub fn before(&self, turns: &Turns, level: impl Fn(usize) -> u32) -> Option<(u8, u32)> {
        let way = Route::new(self.packing, turns.as_slice(), 0);
        let line = self.cam.longest(way);
        let queue = self.queue(line, way);
        match level(queue) {
            0 => line.filter(|line| self.marked >> line & 1 == 1).map(|line| self.lines[line].marker),
            packets => Some((queue as u8, packets)),
        }
    }

    /// A line gets this marker, or none.
    pub fn mark(&mut self, line: usize, marker: Option<(u8, u32)>) {
        self.lines[line].marker = marker.unwrap_or_default();
        self.marked |= u32::from(marker.is_some()) << line;
        self.hold(line);
    }

    /// Whether some line has a marker.
    #[inline(always)]
    pub fn has_markers(&self) -> bool {
        self.marked != 0
    }

    /// A packet has left `queue`.
    pub fn pass_markers(&mut self, queue: usize) {
        for line in ones(self.marked.into()) {
            let (of, packets) = &mut self.lines[line].marker;
            if usize::from(*of) == queue {
                *packets -= 1;
                self.marked &= !(u32::from(*packets == 0) << line);
                self.hold(line);
            }
        }
    }

    /// Whether a line is held has changed.
    pub fn hold(&mut self, line: usize) {
        let (queue, marked) = (self.numbers.of_line(line), u64::from(self.marked >> line & 1));
        self.held = self.held & !(1 << queue) | (marked | u64::from(self.lines[line].stopped)) << queue;
    }

    /// Whether a line is in use, a leaf, and empty for good.
    pub fn is_done(&self, line: usize, level: u32) -> bool {
        level == 0 && (self.cam.used() & !u64::from(self.marked)) >> line & 1 == 1 && self.lines[line].branches == 0
    }

    /// Says something of a line to its branches.
    pub fn tell_branches(&self, line: usize, kind: NoticeKind, send: &mut impl FnMut(u8, Notice)) {
        for port in ones(self.lines[line].branches) {
            let to = if self.place.side == Side::Ingress { LINK } else { port as u8 };
            self.place.tell_upstream(to, self.cam.turns(line), kind, send);
        }
    }
}

impl Index<usize> for Lines {
    type Output = Line;

    #[inline]
    fn index(&self, line: usize) -> &Line {
        &self.lines[line]
    }
}

impl IndexMut<usize> for Lines {
    #[inline]
    fn index_mut(&mut self, line: usize) -> &mut Line {
        &mut self.lines[line]
    }
}

#[cfg(test)]
mod tests;
