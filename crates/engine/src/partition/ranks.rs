//! Processes that simulate one network together: each has some of its parts.

use std::fmt;
use tailback_base::state::{Reader, Writer};

/// The processes, and the way from this one to the others. All of them run the same program on the same spec and call the same
/// functions in the same order.
pub trait Ranks: Sync {
    /// The number of this process. The first one, 0, is the one that has the results.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends a message. Messages from one process to another under the same tag arrive in order. Never waits for the receiver.
    fn send(&self, to: usize, tag: u32, bytes: Vec<u8>);

    /// Waits for a message. Where it will never come the process ends, with a word on why.
    fn receive(&self, from: usize, tag: u32) -> Vec<u8>;
}

impl fmt::Debug for dyn Ranks + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.rank(), self.count())
    }
}

/// Tag of what all processes do together; those from here on are for post between parts.
const TOGETHER: u32 = 0;
const POST: u32 = 1;

/// The tag of post from one part to another.
pub(super) fn post_tag(from: usize, to: usize, parts: usize) -> u32 {
    POST + (from * parts + to) as u32
}

/// What each process has sent, at the first one; nothing at the others. In order of their numbers.
pub fn gather(ranks: &dyn Ranks, bytes: Vec<u8>) -> Option<Vec<Vec<u8>>> {
    if ranks.rank() > 0 {
        ranks.send(0, TOGETHER, bytes);
        return None;
    }
    let others = (1..ranks.count()).map(|other| ranks.receive(other, TOGETHER));
    Some(std::iter::once(bytes).chain(others).collect())
}

/// What the first process says, at each.
pub fn told<T: serde::Serialize + serde::de::DeserializeOwned>(ranks: &dyn Ranks, say: Option<T>) -> T {
    match say {
        Some(value) => {
            let mut to = Writer::default();
            to.put(&value);
            let bytes = to.into_bytes();
            (1..ranks.count()).for_each(|other| ranks.send(other, TOGETHER, bytes.clone()));
            value
        }
        None => read(&ranks.receive(0, TOGETHER)),
    }
}

/// The sums over all processes, modulo 2^64.
pub fn sum<const N: usize>(ranks: Option<&dyn Ranks>, values: [u64; N]) -> [u64; N] {
    let Some(ranks) = ranks else { return values };
    let mut to = Writer::default();
    to.put(&values.as_slice());
    let all = gather(ranks, to.into_bytes()).map(|all| {
        let mut sums = vec![0u64; N];
        for bytes in all {
            let values: Vec<u64> = read(&bytes);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.wrapping_add(value));
        }
        sums
    });
    told(ranks, all).try_into().expect("every process adds as many numbers")
}

/// What another process of the same program has written.
pub(super) fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    Reader::new(bytes, &[]).take().expect("all processes are of one program")
}
