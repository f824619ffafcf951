//! RECN, regional explicit congestion notification: packets that will pass a congested point are set aside, so that they
//! do not hold up the others.
//!
//! Paper:    `recn-mesh-2005` section 2; numbers from 3.1 to 3.3. `docs/input_output_queued.md`, "RECN", to the letter.
//! Acts:     when a packet joins or leaves a queue, when a notice comes.
//! Sees:     the packet's route; how full its own queues are; what its neighbours say, at the price of the link.
//! State:    a line for each set-aside queue (`lines`): the way to a congested point, who told of it, who was told.
//! Differs from the paper: where it is silent (who counts as a leaf while notices are under way, what follows when no line is
//! free) the page decides. Its one threshold is three here, beside the one below which senders go on.

use super::Listed;
use super::limits::{self, Thresholds};
use super::lines::{Line, Lines, bit};
use super::numbers::Owner;
use crate::Refusal;
use tailback_base::bits::ones;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::contract::queueing::{Discipline, Notice, NoticeKind, Place, Queueing, Route, Side, Turns};
use tailback_network::Network;
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

impl Listed for Recn {
    const SMALL: &'static str =
        "set_aside_queues = 2, detection_bytes = 64, notification_bytes = 64, xoff_bytes = 128, xon_bytes = 64";

    const SETS_ASIDE: bool = true;

    fn build(view: View, network: &Network, packet_bytes: u32) -> Result<Self, Refusal> {
        let lines = view.u32("set_aside_queues");
        let (ports, thresholds) = (limits::ports(network, lines)?, Thresholds::new(view, packet_bytes)?);
        Ok(Recn { ports: ports as u8, lines: lines as u8, thresholds })
    }
}

impl Discipline for Recn {
    type Queues = Queues;

    fn queues(&self, place: Place) -> Queues {
        let Recn { ports, lines, thresholds } = *self;
        Queues { lines: Lines::new(place, lines, ports, thresholds.least()), thresholds }
    }

    fn shares_memory(&self) -> bool {
        true
    }
}

/// The queues of a side.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Queues {
    lines: Lines,
    thresholds: Thresholds,
}

tailback_base::state!([] Queues { saved: lines; rebuilt: thresholds; } [fits]);

impl Queueing for Queues {
    #[inline]
    fn count(&self) -> usize {
        self.lines.numbers().count()
    }

    #[inline(always)]
    fn queue_for(&self, _from: u8, route: Route<'_>) -> usize {
        self.lines.queue(self.lines.cam.longest(route), route)
    }

    #[inline(always)]
    fn accepts(&self, route: Route<'_>) -> bool {
        self.lines.cam.longest(route).is_none_or(|line| !self.lines[line].off)
    }

    #[inline(always)]
    fn answers(&self) -> u32 {
        self.lines.answers()
    }

    #[inline(always)]
    fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        let concerns = level > self.lines.least;
        if concerns {
            self.fuller(queue, from, level, send);
        }
        concerns
    }

    #[inline(always)]
    fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        let marked = self.lines.has_markers();
        if marked {
            self.lines.pass_markers(queue);
        }
        let concerns = self.lines.care(queue, level);
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
        let line = self.lines.cam.exact(&notice.turns);
        match (notice.kind, line) {
            (NoticeKind::Congested, None) => self.set_aside_for(notice.turns, level, send),
            (NoticeKind::Congested, Some(line)) => self.lines[line].downstream = true,
            (NoticeKind::Off | NoticeKind::On, Some(line)) if self.lines[line].downstream => {
                self.lines[line].stopped = notice.kind == NoticeKind::Off;
                self.lines.hold(line);
            }
            (NoticeKind::Released | NoticeKind::Refused, Some(line)) => {
                self.lose(from, line, notice.kind);
                self.release_if_done(line, level(self.lines.numbers().of_line(line)), send);
            }
            (NoticeKind::Released | NoticeKind::Refused, None) if notice.turns == Turns::default() => {
                self.lose(from, self.lines.root(), notice.kind);
            }
            _ => {}
        }
        true
    }

    #[inline]
    fn held(&self) -> u64 {
        self.lines.held()
    }

    #[inline]
    fn deferred(&self) -> u64 {
        self.lines.numbers().aside()
    }

    #[inline]
    fn set_aside(&self) -> u32 {
        self.lines.cam.used().count_ones()
    }

    #[inline]
    fn is_aside(&self, queue: usize) -> bool {
        self.lines.numbers().aside() >> (queue % 64) & 1 == 1
    }

    fn points(&self, each: &mut dyn FnMut(&Turns)) {
        if self.lines[self.lines.root()].branches != 0 {
            each(&Turns::default());
        }
        ones(self.lines.cam.used()).for_each(|line| each(self.lines.cam.turns(line)));
    }
}

impl Queues {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.lines.least == self.thresholds.least(), "a queue is congested at another level than its own")
    }

    /// Section 2: a queue "receives a packet and fills over a given threshold". A standard queue is that of the root.
    #[inline(never)]
    fn fuller(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) {
        let line = match self.lines.numbers().owner(queue) {
            Owner::Line(line) => Some(line),
            Owner::Port(_) if level <= self.thresholds.detection => None,
            Owner::Port(port) if self.lines.place.side == Side::Ingress => self.detect(port),
            Owner::Port(_) => return self.grow(self.lines.root(), from, send),
        };
        let Some(line) = line else { return };
        if level > self.thresholds.notification {
            self.grow(line, from, send);
        }
        if level > self.thresholds.xoff && !self.lines[line].off {
            self.lines.turn_off(line);
            self.lines.tell_branches(line, NoticeKind::Off, send);
        }
    }

    /// Section 2, detection at the ingress side: the congested point is the detection queue's port, and that queue and a
    /// set-aside one are swapped.
    fn detect(&mut self, port: u8) -> Option<usize> {
        let line = self.lines.cam.free()?;
        self.lines.begin(line, Turns::new(&[port]));
        self.lines.swap(port, line);
        Some(line)
    }

    /// Section 2: "growing sequences of turns" go to the neighbour that a packet came from.
    fn grow(&mut self, line: usize, from: u8, send: &mut impl FnMut(u8, Notice)) {
        let (place, Line { branches, refused, off, .. }) = (self.lines.place, &mut self.lines[line]);
        if place.side == Side::Adapter || (*branches | *refused) & bit(from) != 0 {
            return;
        }
        *branches |= bit(from);
        let (off, turns) = (*off, self.lines.cam.turns(line));
        place.tell_upstream(from, turns, NoticeKind::Congested, send);
        if off {
            place.tell_upstream(from, turns, NoticeKind::Off, send);
        }
    }

    /// Section 2: "upon reception of a notification, each port maps a new SAQ". Where there is none, one that nothing hangs
    /// on goes; else the notification is refused (the paper ignores it). What has to leave before its packets may, for the
    /// order of delivery, becomes its marker.
    fn set_aside_for(&mut self, turns: Turns, level: impl Fn(usize) -> u32, send: &mut impl FnMut(u8, Notice)) {
        let level_of = |lines: &Lines, line: usize| level(lines.numbers().of_line(line));
        let idle = || ones(self.lines.cam.used()).find(|&line| self.lines.is_done(line, level_of(&self.lines, line)));
        let Some(line) = self.lines.cam.free().or_else(idle) else {
            return self.lines.place.tell_downstream(&turns, NoticeKind::Refused, send);
        };
        self.release_if_done(line, level_of(&self.lines, line), send);
        let marker = self.lines.before(&turns, level);
        self.lines.begin(line, turns);
        self.lines[line].downstream = true;
        self.lines.mark(line, marker);
    }

    /// After a leave. Section 2: Xon, and the leaf that empties.
    #[inline(never)]
    fn emptier(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        let line = self.lines.line_of(queue);
        if self.lines.is_noted(line) {
            self.relax(line, level, send);
        }
        self.release_if_done(line, level, send);
    }

    /// Xon, and who has refused may be told again.
    fn relax(&mut self, line: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        if level < self.thresholds.xon && self.lines[line].off {
            self.lines.turn_on(line);
            self.lines.tell_branches(line, NoticeKind::On, send);
        }
        let Thresholds { detection, notification, .. } = self.thresholds;
        let threshold = if line == self.lines.root() { detection } else { notification };
        if level <= threshold && self.lines[line].refused != 0 {
            self.lines[line].refused = 0;
            self.lines.note(line);
        }
    }

    /// A branch has given up its set-aside queue, or had none to give.
    fn lose(&mut self, from: u8, line: usize, kind: NoticeKind) {
        self.lines[line].branches &= !bit(from);
        if kind == NoticeKind::Refused {
            self.lines[line].refused |= bit(from);
            self.lines.note(line);
        }
    }

    /// Section 2: a leaf that empties "is deallocated and a notification packet is sent downstream".
    fn release_if_done(&mut self, line: usize, level: u32, send: &mut impl FnMut(u8, Notice)) {
        if !self.lines.is_done(line, level) {
            return;
        }
        let (turns, downstream) = self.lines.end(line);
        if downstream {
            self.lines.place.tell_downstream(&turns, NoticeKind::Released, send);
        }
    }
}
