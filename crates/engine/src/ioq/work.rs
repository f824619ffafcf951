//! What links have to send, and what they do.

use super::layout::words;
use crate::mask::are_below;
use serde::{Deserialize, Serialize};

/// What a link has to send: a notice.
pub(super) const NOTICE: usize = 0;
/// Credits that are due.
pub(super) const DUE: usize = 1;
/// A packet in a queue that is not held.
pub(super) const PACKET: usize = 2;
/// Credits that are owed, due or not.
pub(super) const OWED: usize = 3;
/// Number of these kinds.
pub(super) const KINDS: usize = 4;

/// 64 links, a bit each. PERF: they are kept together, so that what needs no look at a side is done for all of them at once
/// (`tailback bench recn-1`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(align(64))]
struct Word {
    /// Have something to send, by kind.
    kinds: [u64; KINDS],
    /// May be able to send something if they have it.
    look: u64,
    /// Send nothing.
    idle: u64,
    /// Send a packet.
    sending: u64,
    /// Lead to a node, or have credits where there is one counter a side.
    paid: u64,
    /// Somebody waits for the place of a packet that they send.
    wanted: u64,
}

/// All links, each with the number of the out side that it leads from.
#[derive(Clone, Debug)]
pub(super) struct Work {
    words: Vec<Word>,
}

tailback_base::plain!(Word);
tailback_base::state!([] Work { saved: words; });

impl Work {
    /// The state of `links` links, all idle and with credits.
    pub fn new(links: usize) -> Self {
        let of = |word: usize| {
            let idle = crate::mask::ones_below((links - word * 64).min(64));
            Word { idle, paid: idle, ..Word::default() }
        };
        Work { words: (0..words(links)).map(of).collect() }
    }

    /// Whether nothing is said of links from `links` on.
    pub fn is_bounded(&self, links: usize) -> bool {
        let said = |word: &Word| {
            word.kinds.iter().fold(word.look | word.sending | word.wanted | word.idle, |all, of| all | of)
        };
        are_below(self.words.iter().map(said), links)
    }

    /// Words of 64 links.
    #[inline]
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// A link has something of this kind to send.
    #[inline]
    pub fn add(&mut self, link: usize, kind: usize) {
        let word = &mut self.words[link / 64];
        word.kinds[kind] |= 1 << (link % 64);
        word.look |= 1 << (link % 64);
    }

    /// A link has a packet to send, if `may` is 1.
    #[inline(always)]
    pub fn add_packet(&mut self, link: usize, may: u64) {
        let word = &mut self.words[link / 64];
        word.kinds[PACKET] |= may << (link % 64);
        word.look |= may << (link % 64);
    }

    /// A link has credits to send, so many; a whole `batch` of them is due.
    #[inline]
    pub fn add_owed(&mut self, link: usize, owed: u32, batch: u32) {
        let word = &mut self.words[link / 64];
        word.kinds[OWED] |= 1 << (link % 64);
        word.kinds[DUE] |= u64::from(owed >= batch) << (link % 64);
        word.look |= 1 << (link % 64);
    }

    /// A link has nothing of this kind.
    #[inline]
    pub fn remove(&mut self, link: usize, kind: usize) {
        self.words[link / 64].kinds[kind] &= !(1 << (link % 64));
    }

    /// Links of a word have nothing of this kind.
    #[inline]
    pub fn remove_all(&mut self, word: usize, links: u64, kind: usize) {
        self.words[word].kinds[kind] &= !links;
    }

    /// The only counter of a link has credits.
    #[inline]
    pub fn pay(&mut self, link: usize) {
        let word = &mut self.words[link / 64];
        word.paid |= 1 << (link % 64);
        word.look |= 1 << (link % 64);
    }

    /// It has none left.
    #[inline]
    pub fn spend(&mut self, link: usize) {
        self.words[link / 64].paid &= !(1 << (link % 64));
    }

    /// Idle links of a word that may be able to send something, by what comes first. They are not looked at any more.
    #[inline]
    pub fn take(&mut self, word: usize) -> [u64; KINDS] {
        let word = &mut self.words[word];
        let links = std::mem::take(&mut word.look) & word.idle;
        let [notice, due, packet, owed] = word.kinds;
        let packet = packet & word.paid;
        let [due, packet, owed] = [due & !notice, packet & !(notice | due), owed & !(notice | due | packet)];
        [notice & links, due & links, packet & links, owed & links]
    }

    /// Links of a word begin to send packets.
    #[inline]
    pub fn begin_packets(&mut self, word: usize, links: u64) {
        self.begin_control(word, links);
        self.words[word].sending |= links;
    }

    /// Links of a word begin to send something else than packets.
    #[inline]
    pub fn begin_control(&mut self, word: usize, links: u64) {
        self.words[word].idle &= !links;
    }

    /// Links of a word fall idle; those of them that have sent a packet the place of which somebody waits for, and waits no
    /// more.
    #[inline]
    pub fn end(&mut self, word: usize, links: u64) -> u64 {
        let word = &mut self.words[word];
        word.idle |= links;
        word.look |= links;
        let wanted = word.wanted & word.sending & links;
        word.sending &= !links;
        word.wanted &= !wanted;
        wanted
    }

    /// Somebody waits for the place of a packet that a link sends, now or next.
    #[inline]
    pub fn want(&mut self, link: usize) {
        self.words[link / 64].wanted |= 1 << (link % 64);
    }

    /// Whether somebody waits.
    pub fn is_wanted(&self, link: usize) -> bool {
        self.words[link / 64].wanted >> (link % 64) & 1 == 1
    }

    /// Whether a link sends a packet.
    #[inline]
    pub fn is_sending(&self, link: usize) -> bool {
        self.words[link / 64].sending >> (link % 64) & 1 == 1
    }

    /// Whether a link sends nothing.
    pub fn is_idle(&self, link: usize) -> bool {
        self.words[link / 64].idle >> (link % 64) & 1 == 1
    }

    /// Whether a link has credits where there is one counter a side.
    pub fn is_paid(&self, link: usize) -> bool {
        self.words[link / 64].paid >> (link % 64) & 1 == 1
    }

    /// Which kinds of things a link has to send.
    pub fn of(&self, link: usize) -> [bool; KINDS] {
        self.words[link / 64].kinds.map(|links| links >> (link % 64) & 1 == 1)
    }

    /// Whether a link may be able to send something.
    pub fn is_looked_at(&self, link: usize) -> bool {
        self.words[link / 64].look >> (link % 64) & 1 == 1
    }

    /// Whether no link may be able to send something.
    pub fn is_done(&self) -> bool {
        self.words.iter().all(|word| word.look & word.kinds.iter().fold(0, |any, links| any | links) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_sends_what_comes_first() {
        let mut work = Work::new(70);
        for link in 0..16 {
            (0..KINDS).filter(|kind| link >> kind & 1 == 1).for_each(|kind| work.add(link, kind));
        }
        // Who owes what is due owes it.
        work.add_owed(66, 1, 1);
        let first = [0b1010_1010_1010_1010, 0b0100_0100_0100_0100, 0b0001_0000_0001_0000, 0b0000_0001_0000_0000];
        assert_eq!((work.take(0), work.take(1)), (first, [0, 0b100, 0, 0]));
        assert_eq!((work.take(0), work.is_done()), ([0; KINDS], true));
        work.spend(4);
        assert_eq!([4, 12].map(|link| work.end(0, 1 << link)), [0, 0]);
        work.begin_control(0, 1 << 12);
        assert_eq!(work.take(0), [0; KINDS]);
        work.pay(4);
        work.end(0, 1 << 12);
        assert_eq!(work.take(0), [0, 0, 1 << 4 | 1 << 12, 0]);
    }

    #[test]
    fn who_waits_for_a_place_hears_of_it_once() {
        let mut work = Work::new(3);
        work.begin_control(0, 0b001);
        work.begin_packets(0, 0b110);
        (0..2).for_each(|link| work.want(link));
        assert_eq!((work.is_sending(0), work.is_sending(1)), (false, true));
        assert_eq!(work.end(0, 0b111), 0b010);
        assert_eq!((0..3).map(|link| work.is_wanted(link)).collect::<Vec<_>>(), [true, false, false]);
        assert!((0..3).all(|link| work.is_idle(link) && !work.is_sending(link)));
    }
}
