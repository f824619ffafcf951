//! Requests that their receivers answer: what a packet is, and how long.

use crate::shares::Shares;

/// What a packet is, where nodes answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A request to read.
    ReadRequest,
    /// A request to write.
    WriteRequest,
    /// The answer to a request to read.
    ReadReply,
    /// The answer to a request to write.
    WriteReply,
}

impl Type {
    /// All of them, in the order of their numbers.
    pub const ALL: [Type; 4] = [Type::ReadRequest, Type::WriteRequest, Type::ReadReply, Type::WriteReply];

    /// What a packet carries of its type: 1 for the first one, 0 where nodes do not answer.
    pub fn mark(self) -> u64 {
        self as u64 + 1
    }

    /// The type of such a mark.
    pub fn of_mark(mark: u64) -> Option<Type> {
        Type::ALL.get(usize::try_from(mark).ok()?.checked_sub(1)?).copied()
    }

    /// The answer to it.
    pub fn answer(self) -> Option<Type> {
        match self {
            Type::ReadRequest => Some(Type::ReadReply),
            Type::WriteRequest => Some(Type::WriteReply),
            Type::ReadReply | Type::WriteReply => None,
        }
    }
}

/// How requests and answers mix.
pub struct Exchange {
    requests: Shares<Type>,
    /// Length of an answer to a read, and of one to a write \[flits\].
    answers: [u32; 2],
    /// Mean length of an answer \[flits\].
    mean: f64,
}

impl Exchange {
    /// Of requests that are writes so often, with answers of these lengths.
    pub(crate) fn new(write_fraction: f64, answers: [u32; 2]) -> Self {
        let requests = Shares::new(&[(Type::ReadRequest, 1.0 - write_fraction), (Type::WriteRequest, write_fraction)]);
        let mean = f64::from(answers[0]) * (1.0 - write_fraction) + f64::from(answers[1]) * write_fraction;
        Exchange { requests, answers, mean }
    }

    /// What the request is whose random bits are these, those of its length.
    pub(crate) fn request(&self, draw: u64) -> Type {
        self.requests.pick(draw)
    }

    /// Length of a packet of a type that is an answer \[flits\].
    pub fn flits(&self, answer: Type) -> u32 {
        self.answers[usize::from(answer == Type::WriteReply)]
    }

    /// Mean length of an answer \[flits\].
    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    /// The answers that its requests have.
    fn answers(&self) -> impl Iterator<Item = Type> + '_ {
        self.requests.values().filter_map(Type::answer)
    }

    /// The shortest and the longest answer that occurs \[flits\], among classes of requests, each of which may answer those of the others.
    pub(crate) fn lengths<'a>(classes: impl Iterator<Item = &'a Exchange> + Clone) -> Option<(u32, u32)> {
        let of = |by: &'a Exchange| classes.clone().flat_map(Exchange::answers).map(|answer| by.flits(answer));
        let occur = || classes.clone().flat_map(of);
        occur().min().zip(occur().max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_are_answered() {
        let exchange = Exchange::new(0.25, [5, 2]);
        assert_eq!((exchange.request(0), exchange.request(u64::MAX)), (Type::ReadRequest, Type::WriteRequest));
        assert_eq!((exchange.flits(Type::ReadReply), exchange.flits(Type::WriteReply)), (5, 2));
        let lengths = |classes: &[Exchange]| Exchange::lengths(classes.iter());
        assert_eq!((lengths(&[exchange]), lengths(&[Exchange::new(0.0, [5, 2])])), (Some((2, 5)), Some((5, 5))));
        // A write of the second class may be answered by the first.
        assert_eq!(lengths(&[Exchange::new(0.0, [5, 9]), Exchange::new(1.0, [1, 3])]), Some((1, 9)));
        assert_eq!(lengths(&[]), None);
        assert!(Type::ALL.into_iter().all(|of| Type::of_mark(of.mark()) == Some(of)));
        assert_eq!((Type::of_mark(0), Type::of_mark(5), Type::of_mark(u64::MAX)), (None, None, None));
    }
}
