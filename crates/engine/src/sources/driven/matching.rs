//! Messages that arrive at a rank, and receives that wait for them.
//!
//! Messages of one source do not overtake one another: one whose packets are all here waits for those that were sent before it.

use super::counts::Counts;
use super::line::{Key, Line, Waits};
use serde::{Deserialize, Serialize};

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

impl Partial {
    /// What no other one has at the same time.
    pub fn key(&self) -> (u32, u32, u32) {
        (self.name.source, self.class, self.sequence)
    }
}

/// What a packet brings of its message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Came {
    /// The place of the message among those of its source to this rank.
    pub sequence: u32,
    pub flits: u32,
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

/// How it is known which message of a source to a rank is the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// They are counted.
    Counted,
    /// There is one at most.
    Once,
}

/// What a packet makes of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Some of it is not here.
    Part,
    /// All of it is here: call [`Matching::complete`].
    Whole,
    /// All of it came with this packet, and no message is before it: it is not kept.
    Alone,
}

impl Waits for Posted {
    fn key(&self) -> Key {
        (self.from, self.tag)
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        [self.key()].into_iter()
    }
}

impl Waits for Arrived {
    fn key(&self) -> Key {
        (Some(self.name.source), Some(self.tag))
    }

    /// What a receive may ask for to get it.
    fn keys(&self) -> impl Iterator<Item = Key> {
        let (source, tag) = self.key();
        [(source, tag), (source, None), (None, tag), (None, None)].into_iter()
    }
}

/// What is under way to a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Matching {
    /// In the order of source, class and sequence.
    pub partial: Vec<Partial>,
    /// By class, and then by source: how many of its messages have arrived here. Empty where each source has one message at most.
    pub heard: Vec<Counts>,
    /// In the order in which they arrived.
    pub arrived: Line<Arrived>,
    /// In the order in which they became ready.
    pub posted: Line<Posted>,
}

impl Matching {
    /// `flits` of a message are here, and it has `all` flits.
    #[inline]
    pub fn take(&mut self, (name, class): (Name, u32), came: Came, order: Order, all: impl FnOnce() -> u32) -> Taken {
        let Came { sequence, flits } = came;
        let at = self.partial.binary_search_by_key(&(name.source, class, sequence), Partial::key);
        let left = match at {
            Ok(at) => self.partial[at].left.saturating_sub(flits),
            Err(_) => all().saturating_sub(flits),
        };
        match at {
            Ok(at) => self.partial[at].left = left,
            // PERF: most messages of one packet are never put in.
            Err(_) if left == 0 && self.is_next((name.source, class), sequence, order) => return Taken::Alone,
            Err(at) => self.partial.insert(at, Partial { name, class, sequence, left }),
        }
        if left == 0 { Taken::Whole } else { Taken::Part }
    }

    /// Whether no message is before this one, which is then one that has arrived.
    #[inline]
    fn is_next(&mut self, of: (u32, u32), sequence: u32, order: Order) -> bool {
        if order == Order::Once {
            return true;
        }
        let heard = self.heard(of);
        let is_next = *heard == sequence;
        *heard = heard.wrapping_add(is_next.into());
        is_next
    }

    /// How many messages of a source and a class have arrived.
    fn heard(&mut self, (source, class): (u32, u32)) -> &mut u32 {
        if self.heard.len() <= class as usize {
            self.heard.resize_with(class as usize + 1, Counts::default);
        }
        self.heard[class as usize].of(source)
    }

    /// The next message of a source and a class that is complete and has none before it.
    pub fn complete(&mut self, of: (u32, u32), order: Order) -> Option<Name> {
        // PERF: nothing is counted where there is nothing.
        if self.partial.is_empty() {
            return None;
        }
        let next = if order == Order::Once { 0 } else { *self.heard(of) };
        let at = self.partial.binary_search_by_key(&(of.0, of.1, next), Partial::key).ok()?;
        if self.partial[at].left > 0 {
            return None;
        }
        if order == Order::Counted {
            *self.heard(of) = next.wrapping_add(1);
        }
        Some(self.partial.remove(at).name)
    }

    /// A message has arrived. Returns the receive that takes it.
    pub fn arrive(&mut self, name: Name, tag: u32) -> Option<u32> {
        let arrived = Arrived { name, tag };
        let receive = self.posted.take(&arrived);
        if receive.is_none() {
            self.arrived.push(arrived);
        }
        receive.map(|posted| posted.number)
    }

    /// Whether a receive waits that would take this message.
    pub fn is_asked_for(&self, name: Name, tag: u32) -> bool {
        self.posted.has(&Arrived { name, tag })
    }

    /// A receive is ready. Returns the message that it takes, or lets it wait.
    pub fn post(&mut self, posted: Posted) -> Option<Name> {
        let message = self.arrived.take(&posted);
        if message.is_none() {
            self.posted.push(posted);
        }
        message.map(|message| message.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::rng::{self, Purpose};

    fn name(source: u32, number: u32) -> Name {
        Name { source, number }
    }

    /// `flits` of message `sequence` of so many come.
    fn take(matching: &mut Matching, of: (Name, u32), (sequence, flits): (u32, u32), all: u32) -> Taken {
        matching.take(of, Came { sequence, flits }, Order::Counted, || all)
    }

    #[test]
    fn messages_of_a_source_do_not_overtake_one_another() {
        let mut matching = Matching::default();
        assert_eq!(take(&mut matching, (name(3, 8), 0), (1, 5), 5), Taken::Whole);
        assert_eq!(matching.complete((3, 0), Order::Counted), None, "the first one is under way");
        assert_eq!(take(&mut matching, (name(3, 7), 0), (0, 2), 4), Taken::Part);
        assert_eq!(matching.complete((3, 0), Order::Counted), None);
        assert_eq!(take(&mut matching, (name(4, 1), 0), (0, 1), 1), Taken::Alone, "another source does not wait");
        assert_eq!(matching.complete((4, 0), Order::Counted), None);
        assert_eq!(take(&mut matching, (name(3, 7), 0), (0, 2), 4), Taken::Whole);
        assert_eq!(take(&mut matching, (name(3, 9), 1), (0, 1), 1), Taken::Alone, "another class does not wait");
        let mut next = || matching.complete((3, 0), Order::Counted);
        assert_eq!([next(), next(), next()], [Some(name(3, 7)), Some(name(3, 8)), None]);
        assert_eq!(take(&mut matching, (name(3, 11), 0), (3, 1), 1), Taken::Whole);
        assert_eq!(take(&mut matching, (name(3, 10), 0), (2, 1), 1), Taken::Alone);
        assert_eq!(
            matching.complete((3, 0), Order::Counted),
            Some(name(3, 11)),
            "it waited for the one that came alone"
        );
    }

    #[test]
    fn a_message_that_is_the_only_one_of_its_source_is_not_counted() {
        let mut matching = Matching::default();
        let mut come = |of, flits| matching.take((of, 0), Came { sequence: 0, flits }, Order::Once, || 2);
        let taken = [come(name(3, 7), 2), come(name(4, 7), 1), come(name(4, 7), 1)];
        assert_eq!(taken, [Taken::Alone, Taken::Part, Taken::Whole]);
        assert_eq!([(), ()].map(|()| matching.complete((4, 0), Order::Once)), [Some(name(4, 7)), None]);
        assert!(matching.heard.is_empty());
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

    /// The first of those that fit, one after the other.
    #[test]
    fn a_long_line_is_a_line() {
        let mut draws = (0_u64..).map(|index| rng::draw(3, Purpose::Tie, 0, index)[0]);
        let mut some = |most: u32| draws.next().unwrap() % most;
        let (mut matching, mut posted, mut arrived) = (Matching::default(), Vec::new(), Vec::new());
        for number in 0..20_000 {
            let any = |value: u32, at: u32| (value > 0).then_some(at);
            let asked = Posted { number, from: any(some(4), some(5)), tag: any(some(4), some(5)) };
            let fits = |posted: &Posted, (name, tag): (Name, u32)| {
                posted.from.is_none_or(|from| from == name.source) && posted.tag.is_none_or(|asked| asked == tag)
            };
            // Long lines of receives come and go, then long ones of messages.
            if some(100) < 20 + 60 * (number / 150 % 2) {
                let found = arrived.iter().position(|&message| fits(&asked, message)).map(|at| arrived.remove(at).0);
                assert_eq!(matching.post(asked), found);
                posted.extend(found.is_none().then_some(asked));
            } else {
                let message = (name(some(5), number), some(5));
                assert_eq!(matching.is_asked_for(message.0, message.1), posted.iter().any(|of| fits(of, message)));
                let found = posted.iter().position(|of| fits(of, message)).map(|at| posted.remove(at).number);
                assert_eq!(matching.arrive(message.0, message.1), found);
                arrived.extend(found.is_none().then_some(message));
            }
            assert!(matching.posted.iter().eq(&posted));
            assert!(matching.arrived.iter().map(|of| (of.name, of.tag)).eq(arrived.iter().copied()));
            assert_eq!((matching.posted.len(), matching.arrived.len()), (posted.len(), arrived.len()));
        }
    }
}
