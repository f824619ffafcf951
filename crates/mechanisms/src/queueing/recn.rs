//! RECN, regional explicit congestion notification: packets that will pass a congested point are set aside, so that they
//! do not hold up the others.
//!
//! Paper:    `recn-mesh-2005` section 2; numbers from 3.1 to 3.3. `docs/input_output_queued.md`, "RECN", to the letter.
//! Acts:     when a packet joins or leaves a queue, when a notice comes.
//! Sees:     the packet's route; how full its own queues are; what its neighbours say, at the price of the link.
//! State:    a line for each set-aside queue: the way to a congested point, who told of it, who was told.
//! Differs from the paper: where it is silent (who counts as a leaf while notices are under way, what follows when no line is
//! free) the page decides. Its one threshold is three here, beside the one below which senders go on.

use super::cam::Cam;
use super::limits::{self, Thresholds};
use super::numbers::{Numbers, Owner};
use crate::Refusal;
use tailback_base::bits::ones;
use tailback_engine::contract::queueing::{
    Discipline, LINK, Notice, NoticeKind, Packing, Place, Queueing, Route, Side, Turns,
};
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Regional explicit congestion notification.
pub static ENTRY: Entry = Entry {
    name: "recn",
    summary: "packets that will pass a congested point wait in set-aside queues, which appear and vanish with congestion",
    paper: "recn-mesh-2005 section 2",
    ideal: false,
    params: &[
        Param {
            name: "set_aside_queues",
            kind: Kind::Integer { min: 1, max: 32 },
            unit: "queues",
            fallback: Fallback::Integer(8),
            doc: "Set-aside queues of each side of a port (recn-mesh-2005 section 3.3: 8).",
        },
        limits::DETECTION,
        limits::NOTIFICATION,
        limits::XOFF,
        limits::XON,
    ],
};

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub struct Recn {
    ports: u8,
    lines: u8,
    thresholds: Thresholds,
}

impl Recn {
    /// From a resolved `queueing` section, for packets of so many bytes.
    ///
    /// # Errors
    /// As [`limits::ports`] and [`Thresholds::new`].
    pub fn new(view: View, grid: &Grid, packet_bytes: u32) -> Result<Self, Refusal> {
        let lines = view.u32("set_aside_queues");
        let (ports, thresholds) = (limits::ports(grid, lines)?, Thresholds::new(view, packet_bytes)?);
        Ok(Recn { ports: ports as u8, lines: lines as u8, thresholds })
    }
}

impl Discipline for Recn {
    type Queues = Queues;

    fn queues(&self, place: Place) -> Queues {
        let ordinary = if place.side == Side::Ingress { self.ports } else { 1 };
        Queues {
            cam: Cam::new(self.lines),
            noted: 0,
            marked: 0,
            least: self.thresholds.least(),
            place,
            numbers: Numbers::new(ordinary, self.lines),
            lines: vec![Line::default(); usize::from(self.lines) + 1].into(),
            held: 0,
            answers: 0,
            thresholds: self.thresholds,
            packing: Packing::new(usize::from(self.ports)),
        }
    }

    fn shares_memory(&self) -> bool {
        true
    }

    #[inline]
    fn credit_counter(&self, _route: Route<'_>) -> usize {
        0
    }
}

/// The port whose queue is the standard queue of an egress or adapter side.
const STANDARD: u8 = 0;

/// A neighbour in a mask. An ingress side has only one upstream.
fn bit(from: u8) -> u64 {
    1 << (from % 64)
}

/// A line (section 2): a congested point whose packets are set aside. Its turns are in the CAM. The last line is the root,
/// which has none: of an egress side, the port itself.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Whether a neighbour downstream told of it.
    downstream: bool,
    /// Neighbours upstream that were told of it, as a mask of [`bit`].
    branches: u64,
    /// Those that had no queue for it.
    refused: u64,
    /// Has stopped its branches.
    off: bool,
    /// Is stopped by its downstream.
    stopped: bool,
    /// While marked: so many packets have to leave this queue before the line's may.
    marker: (u8, u32),
}

/// The queues of a side. PERF: what most packets need is in the first cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Queues {
    cam: Cam,
    /// Lines that are off or were refused by somebody: those to which it may matter that a packet leaves a filled queue.
    noted: u64,
    /// Lines with a marker.
    marked: u32,
    /// With no more packets than these nothing comes of an arrival.
    least: u32,
    place: Place,
    numbers: Numbers,
    lines: Box<[Line]>,
    /// Queues that may send nothing.
    held: u64,
    /// Times that a line came, went, became off or on.
    answers: u32,
    thresholds: Thresholds,
    packing: Packing,
}

impl Queueing for Queues {
    #[inline]
    fn count(&self) -> usize {
        self.numbers.count()
    }

    #[inline(always)]
    fn queue_for(&self, _from: u8, route: Route<'_>) -> usize {
        self.queue(self.cam.longest(route), route)
    }

    #[inline(always)]
    fn accepts(&self, route: Route<'_>) -> bool {
        self.cam.longest(route).is_none_or(|line| !self.lines[line].off)
    }

    #[inline(always)]
    fn answers(&self) -> u32 {
        self.answers
    }

    #[inline(always)]
    fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        let concerns = level > self.least;
        if concerns {
            self.fuller(queue, from, level, send);
        }
        concerns
    }

    #[inline(always)]
    fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        let marked = self.marked != 0;
        if marked {
            self.pass_markers(queue);
        }
        // PERF: no branch: who leaves last is as good as random.
        let concerns = (self.noted != 0) | (level == 0) & (self.numbers.aside() >> queue & 1 == 1);
        if concerns {
            self.emptier(queue, level, send);
        }
        marked | concerns
    }

    fn told(
        &mut self,
        from: u8,
        notice: &Notice,
        level: impl Fn(usize) -> u32,
        send: &mut impl FnMut(u8, Notice),
    ) -> bool {
        let line = self.cam.exact(&notice.turns);
        match (notice.kind, line) {
            (NoticeKind::Congested, None) => self.set_aside_for(notice.turns, level, send),
            (NoticeKind::Congested, Some(line)) => self.lines[line].downstream = true,
            (NoticeKind::Off | NoticeKind::On, Some(line)) if self.lines[line].downstream => {
                self.lines[line].stopped = notice.kind == NoticeKind::Off;
                self.hold(line);
            }
            (NoticeKind::Released | NoticeKind::Refused, Some(line)) => {
                self.lose(from, line, notice.kind);
                self.release_if_done(line, level(self.numbers.of_line(line)), send);
            }
            (NoticeKind::Released | NoticeKind::Refused, None) if notice.turns == Turns::default() => {
                self.lose(from, self.root(), notice.kind);
            }
            _ => {}
        }
        true
    }

    #[inline]
    fn held(&self) -> u64 {
        self.held
    }

    #[inline]
    fn deferred(&self) -> u64 {
        self.numbers.aside()
    }

    #[inline]
    fn set_aside(&self) -> u32 {
        self.cam.used().count_ones()
    }

    fn points(&self, each: &mut dyn FnMut(&Turns)) {
        if self.lines[self.root()].branches != 0 {
            each(&Turns::default());
        }
        ones(self.cam.used()).for_each(|line| each(self.cam.turns(line)));
    }
}

impl Queues {
    /// The queue that packets join which belong to this line, or to none.
    #[inline(always)]
    fn queue(&self, line: Option<usize>, way: Route<'_>) -> usize {
        match line {
            Some(line) => self.numbers.of_line(line),
            None if self.numbers.by_port() => self.numbers.of_port(way.next()),
            None => self.numbers.of_port(STANDARD),
        }
    }

    fn root(&self) -> usize {
        self.lines.len() - 1
    }

    /// A line has these turns from now on, and nothing else.
    fn begin(&mut self, line: usize, turns: Turns) {
        self.cam.insert(line, turns, self.packing);
        self.lines[line] = Line::default();
        self.noted &= !(1 << line);
        self.answers = self.answers.wrapping_add(1);
    }

    /// Section 2: a queue "receives a packet and fills over a given threshold". A standard queue is that of the root.
    #[inline(never)]
    fn fuller(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) {
        let line = match self.numbers.owner(queue) {
            Owner::Line(line) => Some(line),
            Owner::Port(_) if level <= self.thresholds.detection => None,
            Owner::Port(port) if self.place.side == Side::Ingress => self.detect(port),
            Owner::Port(_) => return self.grow(self.root(), from, send),
        };
        let Some(line) = line else { return };
        if level > self.thresholds.notification {
            self.grow(line, from, send);
        }
        if level > self.thresholds.xoff && !self.lines[line].off {
            self.lines[line].off = true;
            self.noted |= 1 << line;
            self.answers = self.answers.wrapping_add(1);
            self.tell_branches(line, NoticeKind::Off, send);
        }
    }

    /// Section 2, detection at the ingress side: the congested point is the detection queue's port, and that queue and a
    /// set-aside one are swapped.
    fn detect(&mut self, port: u8) -> Option<usize> {
        let line = self.cam.free()?;
        self.begin(line, Turns::new(&[port]));
        self.numbers.swap(port, line);
        Some(line)
    }

    /// Section 2: "growing sequences of turns" go to the neighbour that a packet came from.
    fn grow(&mut self, line: usize, from: u8, send: &mut impl FnMut(u8, Notice)) {
        let Line { branches, refused, off, .. } = &mut self.lines[line];
        if self.place.side == Side::Adapter || (*branches | *refused) & bit(from) != 0 {
            return;
        }
        *branches |= bit(from);
        let turns = self.place.upstream(*self.cam.turns(line));
        send(from, Notice { turns, kind: NoticeKind::Congested });
        if *off {
            send(from, Notice { turns, kind: NoticeKind::Off });
        }
    }

    /// After a leave. Section 2: Xon, and the leaf that empties.
    #[inline(never)]
    fn emptier(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        let line = match self.numbers.owner(queue) {
            Owner::Line(line) => line,
            Owner::Port(_) => self.root(),
        };
        if self.noted >> line & 1 == 1 {
            self.note(line, level, send);
        }
        self.release_if_done(line, level, send);
    }

    fn note(&mut self, line: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        if level < self.thresholds.xon && self.lines[line].off {
            self.lines[line].off = false;
            self.answers = self.answers.wrapping_add(1);
            self.tell_branches(line, NoticeKind::On, send);
        }
        let Thresholds { detection, notification, .. } = self.thresholds;
        let threshold = if line == self.root() { detection } else { notification };
        let Line { off, refused, .. } = &mut self.lines[line];
        if level <= threshold {
            *refused = 0;
        }
        self.noted &= !(u64::from(!*off && *refused == 0) << line);
    }

    fn tell_branches(&self, line: usize, kind: NoticeKind, send: &mut impl FnMut(u8, Notice)) {
        let turns = self.place.upstream(*self.cam.turns(line));
        for port in ones(self.lines[line].branches) {
            send(if self.place.side == Side::Ingress { LINK } else { port as u8 }, Notice { turns, kind });
        }
    }

    fn tell_downstream(&self, way: &Turns, kind: NoticeKind, send: &mut impl FnMut(u8, Notice)) {
        let (to, turns) = self.place.downstream(way);
        send(to, Notice { turns, kind });
    }

    /// Section 2: "upon reception of a notification, each port maps a new SAQ". Where there is none, one that nothing hangs
    /// on goes; else the notification is refused (the paper ignores it).
    fn set_aside_for(&mut self, turns: Turns, level: impl Fn(usize) -> u32, send: &mut impl FnMut(u8, Notice)) {
        let idle = || ones(self.cam.used()).find(|&line| self.is_done(line, level(self.numbers.of_line(line))));
        let Some(line) = self.cam.free().or_else(idle) else {
            return self.tell_downstream(&turns, NoticeKind::Refused, send);
        };
        self.release_if_done(line, level(self.numbers.of_line(line)), send);
        let marker = self.marker(&turns, level);
        self.begin(line, turns);
        (self.lines[line].downstream, self.lines[line].marker) = (true, marker.unwrap_or_default());
        self.marked |= u32::from(marker.is_some()) << line;
        self.hold(line);
    }

    /// Section 2, order of delivery: what has to leave before the packets of a new line may.
    fn marker(&self, turns: &Turns, level: impl Fn(usize) -> u32) -> Option<(u8, u32)> {
        let way = Route::new(self.packing, turns.as_slice(), 0);
        let line = self.cam.longest(way);
        let queue = self.queue(line, way);
        match level(queue) {
            0 => line.filter(|line| self.marked >> line & 1 == 1).map(|line| self.lines[line].marker),
            packets => Some((queue as u8, packets)),
        }
    }

    /// A packet has left `queue`.
    fn pass_markers(&mut self, queue: usize) {
        for line in ones(self.marked.into()) {
            let (of, packets) = &mut self.lines[line].marker;
            if usize::from(*of) == queue {
                *packets -= 1;
                self.marked &= !(u32::from(*packets == 0) << line);
                self.hold(line);
            }
        }
    }

    fn hold(&mut self, line: usize) {
        let (queue, marked) = (self.numbers.of_line(line), u64::from(self.marked >> line & 1));
        self.held = self.held & !(1 << queue) | (marked | u64::from(self.lines[line].stopped)) << queue;
    }

    /// A branch has given up its set-aside queue, or had none to give.
    fn lose(&mut self, from: u8, line: usize, kind: NoticeKind) {
        self.lines[line].branches &= !bit(from);
        if kind == NoticeKind::Refused {
            self.lines[line].refused |= bit(from);
            self.noted |= 1 << line;
        }
    }

    /// Whether a line is in use, a leaf, and empty for good.
    fn is_done(&self, line: usize, level: u32) -> bool {
        level == 0 && (self.cam.used() & !u64::from(self.marked)) >> line & 1 == 1 && self.lines[line].branches == 0
    }

    /// Section 2: a leaf that empties "is deallocated and a notification packet is sent downstream".
    fn release_if_done(&mut self, line: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        if !self.is_done(line, level) {
            return;
        }
        let (turns, downstream) = (self.cam.remove(line), self.lines[line].downstream);
        self.lines[line] = Line::default();
        self.answers = self.answers.wrapping_add(1);
        self.hold(line);
        if downstream {
            self.tell_downstream(&turns, NoticeKind::Released, send);
        }
    }
}
