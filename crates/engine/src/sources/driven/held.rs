//! What keeps places of finite ejection buffers (`docs/decisions/0037-message-classes.md`): requests, until the answers to them have left, or
//! all packets of a message, until a receive asks for it.

use super::matching::{Matching, Name};
use super::rank::Site;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tailback_program::{Upon, Work};

/// The places that packets hold at a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Held {
    /// Requests that have come and that no receive has taken, by source and number, with their classes.
    pub untaken: BTreeMap<(u32, u32), u32>,
    /// By receive: the class of its request, and how many answers have not left.
    pub waiting: BTreeMap<u32, (u32, u32)>,
    /// Each answer with the receive that it waits for.
    pub answers: BTreeSet<(u32, u32)>,
    /// Messages that no receive has asked for, by source and number: their class, and how many of their packets keep a place.
    pub unmatched: BTreeMap<(u32, u32), (u32, u32)>,
    /// Places that are free from a cycle on, by class: whoever keeps the buffers takes them from here.
    pub freed: Vec<(u64, u32)>,
    /// Whether a packet has come, or a receive has asked, since somebody looked for those that are asked for. Between two cycles it is not
    /// so, but where the rank has just stopped.
    #[serde(skip)]
    pub news: bool,
}

impl Held {
    /// A request has come and keeps its place.
    pub fn holds(&mut self, name: Name, class: u32) {
        self.untaken.insert((name.source, name.number), class);
    }

    /// A packet of a message has come and keeps its place.
    pub fn keeps(&mut self, name: Name, class: u32) {
        self.unmatched.entry((name.source, name.number)).or_insert((class, 0)).1 += 1;
        self.news = true;
    }

    /// The packets of messages that receives ask for give their places back in cycle `now`, at the end of what happens at the rank in it.
    pub fn consumes(&mut self, site: Site, matching: &Matching, now: u64) {
        if !std::mem::take(&mut self.news) {
            return;
        }
        let freed = &mut self.freed;
        self.unmatched.retain(|&(source, number), &mut (class, packets)| {
            let Work::Send { tag, .. } = site.program().work(source, number) else { return false };
            let asked = matching.is_asked_for(Name { source, number }, tag);
            freed.extend((0..if asked { packets } else { 0 }).map(|_| (now, class)));
            !asked
        });
    }

    /// Nobody takes anything any more: what has come gives its place back.
    pub fn stop(&mut self) {
        for (class, packets) in std::mem::take(&mut self.unmatched).into_values() {
            self.freed.extend((0..packets).map(|_| (0, class)));
        }
    }

    /// `receive` takes a message in cycle `now`. A request's place waits for the sends that wait for the receive.
    pub fn taken(&mut self, site: Site, (name, receive): (Name, u32), now: u64) {
        // PERF: where buffers have no end, nothing of this is looked at.
        if !site.placed.keeps_places() {
            return;
        }
        if let Some((class, packets)) = self.unmatched.remove(&(name.source, name.number)) {
            self.freed.extend((0..packets).map(|_| (now, class)));
        }
        let Some(class) = self.untaken.remove(&(name.source, name.number)) else { return };
        let answers = &mut self.answers;
        let mut left = 0;
        site.program().dependants(site.rank, receive, &mut |send, upon| {
            let leaves = matches!(site.work(send), Work::Send { to, .. } if to != site.rank);
            left += u32::from(leaves && upon == Upon::Finish && answers.insert((send, receive)));
        });
        self.waiting.insert(receive, (class, left));
    }

    /// The last flit of the message of operation `send` leaves before cycle `at`.
    pub fn answered(&mut self, send: u32, at: u64) {
        while let Some(&(_, receive)) = self.answers.range((send, 0)..=(send, u32::MAX)).next() {
            self.answers.remove(&(send, receive));
            let Some((class, left)) = self.waiting.get_mut(&receive) else { continue };
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.freed.push((at, *class));
                self.waiting.remove(&receive);
            }
        }
    }

    /// Places of a class that are held, or that nobody has been told of.
    pub fn of_class(&self, class: u32) -> u32 {
        let untaken = self.untaken.values().filter(|&&of| of == class).count();
        let waiting = self.waiting.values().filter(|of| of.0 == class).count();
        let unmatched: u32 = self.unmatched.values().filter(|of| of.0 == class).map(|of| of.1).sum();
        unmatched + (untaken + waiting + self.freed.iter().filter(|of| of.1 == class).count()) as u32
    }

    /// The class of a place that is free in cycle `now` and that nobody has been told of.
    pub fn frees(&mut self, now: u64) -> Option<u32> {
        let at = self.freed.iter().position(|&(at, _)| at <= now)?;
        Some(self.freed.swap_remove(at).1)
    }
}
