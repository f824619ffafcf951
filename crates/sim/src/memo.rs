//! Answers that are the same for all points that differ in nothing an answer goes by, as those of a sweep over loads or seeds do.
//!
//! An answer is a pure function of its key, so who asks first, from whichever thread, changes none.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers by what was asked, as text.
pub(crate) struct Memo<T> {
    /// Answers kept at a time.
    most: usize,
    answers: Mutex<BTreeMap<String, T>>,
}

impl<T: Clone> Memo<T> {
    /// Keeps so many answers at a time.
    pub const fn new(most: usize) -> Self {
        Memo { most, answers: Mutex::new(BTreeMap::new()) }
    }

    fn answers(&self) -> MutexGuard<'_, BTreeMap<String, T>> {
        // What another thread left is whole: it inserts, and cannot stop in between.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to `key`, which `find` gives where nobody asked before. Two threads that ask at once may both look for it. Once
    /// `cancel` is set the answer of `find` means nothing, and is not remembered.
    pub fn of(&self, key: String, cancel: &AtomicBool, find: impl FnOnce() -> T) -> T {
        if let Some(answer) = self.answers().get(&key) {
            return answer.clone();
        }
        let answer = find();
        if cancel.load(Ordering::Relaxed) {
            return answer;
        }
        let mut answers = self.answers();
        if answers.len() >= self.most {
            answers.clear();
        }
        answers.insert(key, answer.clone());
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_second_question_is_answered_without_a_look() {
        let (memo, looks, cancel) = (Memo::new(2), Cell::new(0), AtomicBool::new(false));
        let ask = |key: &str| {
            memo.of(key.to_owned(), &cancel, || {
                looks.set(looks.get() + 1);
                key.len()
            })
        };
        assert_eq!((ask("one"), ask("one"), ask("three")), (3, 3, 5));
        assert_eq!(looks.get(), 2);
        assert_eq!((ask("four"), ask("one")), (4, 3));
        assert_eq!(looks.get(), 4, "no more than two are kept");
        cancel.store(true, Ordering::Relaxed);
        assert_eq!((ask("seven"), ask("one")), (5, 3));
        cancel.store(false, Ordering::Relaxed);
        assert_eq!((ask("seven"), looks.get()), (5, 6), "what was cancelled is looked for again");
    }
}
