//! Requests that keep their places in finite ejection buffers until the answers to them have left
//! (`docs/decisions/0037-message-classes.md`).

use super::matching::Name;
use super::rank::Site;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tailback_program::{Upon, Work};

/// The places that requests hold at a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Held {
    /// Requests that have come and that no receive has taken, by source and number, with their classes.
    pub untaken: BTreeMap<(u32, u32), u32>,
    /// By receive: the class of its request, and how many answers have not left.
    pub waiting: BTreeMap<u32, (u32, u32)>,
    /// Each answer with the receive that it waits for.
    pub answers: BTreeSet<(u32, u32)>,
    /// Places that are free from a cycle on, by class: whoever keeps the buffers takes them from here.
    pub freed: Vec<(u64, u32)>,
}

impl Held {
    /// A request has come and keeps its place.
    pub fn holds(&mut self, name: Name, class: u32) {
        self.untaken.insert((name.source, name.number), class);
    }

    /// `receive` takes a message. A request's place waits for the sends that wait for the receive.
    pub fn taken(&mut self, site: Site, name: Name, receive: u32) {
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
        (untaken + waiting + self.freed.iter().filter(|of| of.1 == class).count()) as u32
    }

    /// The class of a place that is free in cycle `now` and that nobody has been told of.
    pub fn frees(&mut self, now: u64) -> Option<u32> {
        let at = self.freed.iter().position(|&(at, _)| at <= now)?;
        Some(self.freed.swap_remove(at).1)
    }
}
