//! Messages that arrive at a rank, and receives that wait for them.
//!
//! Messages of one source do not overtake one another: one whose packets are all here waits for those that were sent before it.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A message by its source, a rank, and the number of the operation that sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Name {
    pub source: u32,
    pub number: u32,
}

/// A message of which some packets are here, or which waits for an earlier one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Partial {
    pub name: Name,
    /// Its class: messages of different classes may overtake one another.
    pub class: u32,
    /// Its place among the messages of its source to this rank.
    pub sequence: u32,
    /// Flits that are not here.
    pub left: u32,
}

/// A message that no receive has asked for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Arrived {
    pub name: Name,
    pub tag: u32,
}

/// A receive that waits for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Posted {
    pub number: u32,
    pub from: Option<u32>,
    pub tag: Option<u32>,
}

impl Posted {
    fn takes(&self, source: u32, tag: u32) -> bool {
        self.from.is_none_or(|from| from == source) && self.tag.is_none_or(|asked| asked == tag)
    }
}

/// What is under way to a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Matching {
    /// In the order in which their first packets came.
    pub partial: Vec<Partial>,
    /// By source and class: how many of its messages have arrived here.
    pub heard: BTreeMap<(u32, u32), u32>,
    /// In the order in which they arrived.
    pub arrived: VecDeque<Arrived>,
    /// In the order in which they became ready.
    pub posted: Vec<Posted>,
}

impl Matching {
    /// `flits` of a message of `all` flits are here. Returns whether messages have become complete: call [`Matching::complete`].
    pub fn take(&mut self, (name, class): (Name, u32), sequence: u32, flits: u32, all: u32) -> bool {
        let at = self.partial.iter().position(|partial| partial.name == name && partial.sequence == sequence);
        let at = at.unwrap_or_else(|| {
            self.partial.push(Partial { name, class, sequence, left: all });
            self.partial.len() - 1
        });
        let partial = &mut self.partial[at];
        partial.left = partial.left.saturating_sub(flits);
        partial.left == 0
    }

    /// The next message of a source and a class that is complete and has none before it.
    pub fn complete(&mut self, (source, class): (u32, u32)) -> Option<Name> {
        let heard = self.heard.entry((source, class)).or_default();
        let same = |of: &Partial| (of.name.source, of.class) == (source, class);
        let next = |of: &Partial| same(of) && of.sequence == *heard && of.left == 0;
        let at = self.partial.iter().position(next)?;
        *heard = heard.wrapping_add(1);
        Some(self.partial.remove(at).name)
    }

    /// A message has arrived. Returns the receive that takes it.
    pub fn arrive(&mut self, name: Name, tag: u32) -> Option<u32> {
        match self.posted.iter().position(|posted| posted.takes(name.source, tag)) {
            Some(at) => Some(self.posted.remove(at).number),
            None => {
                self.arrived.push_back(Arrived { name, tag });
                None
            }
        }
    }

    /// A receive is ready. Returns the message that it takes, or lets it wait.
    pub fn post(&mut self, posted: Posted) -> Option<Name> {
        match self.arrived.iter().position(|message| posted.takes(message.name.source, message.tag)) {
            Some(at) => self.arrived.remove(at).map(|message| message.name),
            None => {
                self.posted.push(posted);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(source: u32, number: u32) -> Name {
        Name { source, number }
    }

    #[test]
    fn messages_of_a_source_do_not_overtake_one_another() {
        let mut matching = Matching::default();
        assert!(matching.take((name(3, 8), 0), 1, 5, 5));
        assert_eq!(matching.complete((3, 0)), None, "the first one is under way");
        assert!(!matching.take((name(3, 7), 0), 0, 2, 4));
        assert_eq!(matching.complete((3, 0)), None);
        assert!(matching.take((name(4, 1), 0), 0, 1, 1));
        assert_eq!(matching.complete((4, 0)), Some(name(4, 1)), "another source does not wait");
        assert!(matching.take((name(3, 7), 0), 0, 2, 4));
        assert!(matching.take((name(3, 9), 1), 0, 1, 1));
        assert_eq!(matching.complete((3, 1)), Some(name(3, 9)), "another class does not wait");
        assert_eq!(
            [matching.complete((3, 0)), matching.complete((3, 0)), matching.complete((3, 0))],
            [Some(name(3, 7)), Some(name(3, 8)), None]
        );
    }

    #[test]
    fn the_first_receive_that_fits_takes_a_message() {
        let mut matching = Matching::default();
        let post = |number, from, tag| Posted { number, from, tag };
        assert_eq!(matching.post(post(1, Some(2), Some(5))), None);
        assert_eq!(matching.post(post(2, None, Some(6))), None);
        assert_eq!(matching.post(post(3, None, None)), None);
        assert_eq!(matching.arrive(name(2, 0), 6), Some(2));
        assert_eq!(matching.arrive(name(2, 1), 6), Some(3));
        assert_eq!(matching.arrive(name(2, 2), 6), None);
        assert_eq!(matching.arrive(name(9, 0), 5), None);
        assert_eq!(matching.arrive(name(2, 3), 5), Some(1));
        assert_eq!(matching.post(post(4, Some(9), None)), Some(name(9, 0)));
        assert_eq!(matching.post(post(5, None, None)), Some(name(2, 2)), "the first that came");
    }
}
