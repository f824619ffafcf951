//! What waits to be sent to a page. It is bounded: a page that does not take its pictures misses some, and one that takes nothing is let go.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Texts that wait at most.
const MOST_TEXTS: usize = 512;

/// Pictures on their way to a page at most.
const MOST_PICTURES: u32 = 2;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// JSON.
    Text(String),
    /// A picture.
    Binary(Vec<u8>),
}

/// What waits for one page.
#[derive(Debug, Default)]
pub struct Outbox {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    waiting: VecDeque<Message>,
    texts: usize,
    /// Numbers of the last picture that was sent, and of the last one that the page has drawn.
    sent: u32,
    drawn: u32,
    dropped: u32,
    closed: bool,
}

impl Outbox {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        // What another thread left is whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a text in. Beyond the bound the page is let go.
    pub fn text(&self, text: String) {
        let mut inner = self.inner();
        if inner.texts >= MOST_TEXTS {
            inner.closed = true;
            return;
        }
        inner.texts += 1;
        inner.waiting.push_back(Message::Text(text));
    }

    /// Whether the page takes another picture.
    pub fn takes_picture(&self) -> bool {
        let inner = self.inner();
        inner.sent.wrapping_sub(inner.drawn) < MOST_PICTURES && !inner.closed
    }

    /// A picture was left out.
    pub fn leave_out(&self) {
        self.inner().dropped += 1;
    }

    /// The number of the next picture, and how many were left out before it.
    pub fn next_picture(&self) -> (u32, u32) {
        let mut inner = self.inner();
        inner.sent = inner.sent.wrapping_add(1);
        (inner.sent, std::mem::take(&mut inner.dropped))
    }

    /// Puts the messages of a picture in.
    pub fn picture(&self, messages: Vec<Vec<u8>>) {
        self.inner().waiting.extend(messages.into_iter().map(Message::Binary));
    }

    /// The page has drawn a picture.
    pub fn drawn(&self, number: u32) {
        let mut inner = self.inner();
        if number.wrapping_sub(inner.drawn) <= inner.sent.wrapping_sub(inner.drawn) {
            inner.drawn = number;
        }
    }

    /// Takes the next message out.
    pub fn take(&self) -> Option<Message> {
        let mut inner = self.inner();
        let message = inner.waiting.pop_front();
        inner.texts -= usize::from(matches!(message, Some(Message::Text(_))));
        message
    }

    /// Lets the page go.
    pub fn close(&self) {
        self.inner().closed = true;
    }

    /// Whether the page is to be let go.
    pub fn is_closed(&self) -> bool {
        self.inner().closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_draws_nothing_misses_pictures_and_no_text() {
        let outbox = Outbox::default();
        for number in 1..=2 {
            assert!(outbox.takes_picture());
            assert_eq!(outbox.next_picture(), (number, 0));
        }
        assert!(!outbox.takes_picture());
        (0..3).for_each(|_| outbox.leave_out());
        outbox.drawn(9);
        assert!(!outbox.takes_picture(), "nobody draws what was not sent");
        outbox.drawn(1);
        assert!(outbox.takes_picture());
        assert_eq!(outbox.next_picture(), (3, 3), "and it is told how many");
    }

    #[test]
    fn a_page_that_takes_nothing_is_let_go() {
        let outbox = Outbox::default();
        (0..MOST_TEXTS).for_each(|_| outbox.text("x".to_owned()));
        assert!(!outbox.is_closed());
        outbox.text("x".to_owned());
        assert!(outbox.is_closed());
    }
}
