//! Notices on their way: to the sides across the crossbar, and over links.

use super::layout::Layout;
use super::queues::{NONE, follow};
use super::work::{NOTICE, Work};
use crate::contract::queueing::{LINK, Notice};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, ensure};

/// Who made a notice that goes over a link, and so who gets it: an ingress side tells the out side at the other end, an out
/// side the ingress side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum By {
    #[default]
    Ingress,
    Out,
}

/// A notice in a list.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    notice: Notice,
    by: By,
    next: u32,
}

/// The notices of a link, oldest first: those that have been sent, then those that wait.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct List {
    first: u32,
    last: u32,
    /// The oldest that waits.
    waiting: u32,
}

/// A notice within a switch, as the two sides of it: `switch, is egress, port` of the receiver, port of the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// The receiver's side.
    pub side: usize,
    /// Whether that is an egress side.
    pub egress: bool,
    /// The sender's port.
    pub from: u8,
    /// What it says.
    pub notice: Notice,
}

/// All notices that have not counted, and what links have to send.
#[derive(Clone, Debug)]
pub(super) struct Notices {
    ports: usize,
    sides: usize,
    listed: Vec<Listed>,
    free: u32,
    lists: Vec<List>,
    /// Within switches, made in this cycle.
    made: Vec<Told>,
    /// Within switches, made in the cycle before.
    told: Vec<Told>,
    /// The order of `told`: by receiver, then by sender.
    order: Vec<u128>,
    /// What links have to send.
    pub work: Work,
    /// Notices that wait for links or fly on them.
    pending: usize,
}

/// Notices for which memory is reserved, a link.
const RESERVED: usize = 8;

tailback_base::plain!(By, List);
tailback_base::state!([] Listed { saved: notice, by, next; });
tailback_base::state!([] Told { saved: side, egress, from, notice; });
tailback_base::state!([] Notices {
    saved: free, lists, work, pending; grown: listed, made, told, order; rebuilt: ports, sides;
} [fits]);

impl Notices {
    pub fn new(layout: &Layout) -> Self {
        let reserved = RESERVED * layout.outs;
        Notices {
            ports: layout.ports,
            sides: layout.sides,
            listed: Vec::with_capacity(reserved),
            free: NONE,
            lists: vec![List { first: NONE, last: NONE, waiting: NONE }; layout.outs],
            made: Vec::with_capacity(reserved),
            told: Vec::with_capacity(reserved),
            order: Vec::with_capacity(reserved),
            work: Work::new(layout.outs),
            pending: 0,
        }
    }

    /// What an ingress side says to a neighbour.
    pub fn by_ingress(&mut self, side: usize, to: u8, notice: Notice) {
        if to == LINK {
            return self.over_link(side, By::Ingress, notice);
        }
        let (first, from) = (side / self.ports * self.ports, (side % self.ports) as u8);
        self.made.push(Told { side: first + usize::from(to), egress: true, from, notice });
    }

    /// What an out side says to a neighbour. Upstream of an adapter there is nobody.
    pub fn by_out(&mut self, out: usize, to: u8, notice: Notice) {
        if to == LINK {
            return self.over_link(out, By::Out, notice);
        }
        debug_assert!(out < self.sides, "an adapter side has no neighbour but at its link");
        if out < self.sides {
            let (first, from) = (out / self.ports * self.ports, (out % self.ports) as u8);
            self.made.push(Told { side: first + usize::from(to), egress: false, from, notice });
        }
    }

    fn over_link(&mut self, link: usize, by: By, notice: Notice) {
        let listed = Listed { notice, by, next: NONE };
        let id = if self.free == NONE {
            self.listed.push(listed);
            (self.listed.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.listed[id as usize].next;
            self.listed[id as usize] = listed;
            id
        };
        let list = &mut self.lists[link];
        if list.first == NONE {
            list.first = id;
        } else {
            self.listed[list.last as usize].next = id;
        }
        list.last = id;
        if list.waiting == NONE {
            list.waiting = id;
        }
        self.pending += 1;
        self.work.add(link, NOTICE);
    }

    /// That no list goes round, and that all notices are between sides that are there.
    fn fits(&self) -> Result<(), Unfit> {
        let next: Vec<u32> = self.listed.iter().map(|listed| listed.next).collect();
        let heads: Vec<u32> = self.lists.iter().map(|list| list.first).chain([self.free]).collect();
        follow(&heads, &next)?;
        let of_all = self.listed.iter().map(|listed| &listed.notice);
        let all = of_all.chain(self.made.iter().chain(&self.told).map(|told| &told.notice));
        all.into_iter().try_for_each(|notice| notice.turns.lead_through(self.ports as u8))?;
        let there = |told: &Told| told.side < self.sides && usize::from(told.from) < self.ports;
        let order = self.order.iter().all(|&key| (key as u32 as usize) < self.told.len());
        let right = self.made.iter().all(there) && order && self.order.len() == self.told.len();
        ensure(right, "a notice is for a side that is not there")?;
        let listed: usize = (0..self.lists.len()).map(|link| self.of(link).count()).sum();
        let ends = (0..self.lists.len()).all(|link| self.is_whole(link));
        ensure(ends && listed == self.pending, "notices wait that are in no list")
    }

    /// The notices of a link, as numbers, oldest first.
    fn of(&self, link: usize) -> impl Iterator<Item = u32> + '_ {
        let some = |&id: &u32| id != NONE;
        let first = Some(self.lists[link].first).filter(some);
        std::iter::successors(first, move |&id| Some(self.listed[id as usize].next).filter(some))
    }

    /// Whether the list of a link ends where it says, and who waits is in it.
    fn is_whole(&self, link: usize) -> bool {
        let List { last, waiting, .. } = self.lists[link];
        let end = self.of(link).last();
        (end.is_none() || end == Some(last)) && (waiting == NONE || self.of(link).any(|id| id == waiting))
    }

    /// Who made the notices that fly on a link.
    pub fn flying(&self, link: usize) -> impl Iterator<Item = By> + '_ {
        let waiting = self.lists[link].waiting;
        self.of(link).take_while(move |&id| id != waiting).map(|id| self.listed[id as usize].by)
    }

    /// Who made the notices of a link.
    pub fn makers(&self, link: usize) -> impl Iterator<Item = By> + '_ {
        self.of(link).map(|id| self.listed[id as usize].by)
    }

    /// Whether a notice waits for a link.
    pub fn waits(&self, link: usize) -> bool {
        self.lists[link].waiting != NONE
    }

    /// The oldest notice that waits for a link is sent.
    pub fn send(&mut self, link: usize) {
        let list = &mut self.lists[link];
        list.waiting = self.listed[list.waiting as usize].next;
        if list.waiting == NONE {
            self.work.remove(link, NOTICE);
        }
    }

    /// The notice that was sent first over a link arrives.
    pub fn arrive(&mut self, link: usize) -> (By, Notice) {
        let list = &mut self.lists[link];
        let id = list.first;
        let Listed { notice, by, next } = self.listed[id as usize];
        list.first = next;
        self.listed[id as usize].next = self.free;
        self.free = id;
        self.pending -= 1;
        (by, notice)
    }

    /// Notices within switches made so far are those of the cycle before.
    pub fn turn(&mut self) {
        if self.made.is_empty() && self.told.is_empty() {
            return;
        }
        std::mem::swap(&mut self.made, &mut self.told);
        self.made.clear();
        self.order.clear();
        let ports = self.ports as u128;
        let key = |(n, told): (usize, &Told)| {
            let (switch, port) = (told.side as u128 / ports, told.side as u128 % ports);
            let to = (switch * 2 + u128::from(told.egress)) << 8 | port;
            (to << 8 | u128::from(told.from)) << 32 | n as u128
        };
        self.order.extend(self.told.iter().enumerate().map(key));
        self.order.sort_unstable();
    }

    /// Notice number `n` of the cycle before, in the order of receivers, senders and making.
    pub fn told(&self, n: usize) -> Option<Told> {
        self.order.get(n).map(|&key| self.told[key as u32 as usize])
    }

    /// Whether none is on its way or waits.
    pub fn is_empty(&self) -> bool {
        self.pending == 0 && self.made.is_empty()
    }
}
