//! What a program is to whoever runs it: ranks, operations, and which operation waits for which.
//!
//! An operation is ready when all its requirements are met. Operations of different ranks wait for each other through messages alone.

use std::fmt::Debug;

/// What one operation does.
///
/// Lengths are in flits and times in cycles: units were converted when the program was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Sends one message. It has started when its first flit leaves the source, and finished when its last flit has left.
    Send {
        /// The rank that receives.
        to: u32,
        /// Length of the message \[flits\], at least 1.
        flits: u32,
        /// What a receive may ask for beside the source.
        tag: u32,
    },
    /// Receives one message. It has finished when the tail of the matched message is delivered, or at once where that was before.
    Receive {
        /// The rank that sends; `None` is any rank.
        from: Option<u32>,
        /// The tag of the message; `None` is any tag.
        tag: Option<u32>,
        /// Length that the program expects \[flits\]. It takes no part in the match.
        flits: u32,
    },
    /// Computes. A processor does one computation at a time, in the order in which they become ready.
    Compute {
        /// How long the computation takes \[cycles\].
        cycles: u64,
        /// The processor of the rank.
        on: u8,
    },
}

/// One operation of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What it does.
    pub work: Work,
    /// How many dependencies it waits for: each counts, also where two lead to one operation.
    pub requirements: u32,
}

/// What has to happen to an operation before another one may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Upon {
    /// The operation has started.
    Start,
    /// The operation has finished.
    Finish,
}

/// A program: operations of ranks, each of which waits for others of its rank.
///
/// All methods are pure: asked twice, they say the same. `rank` lies below [`Program::ranks`] and `number` below
/// [`Program::known`] of that rank; anything else is a fault of the caller, and an implementation may panic.
pub trait Program: Send + Sync + Debug {
    /// How many ranks take part.
    fn ranks(&self) -> u32;

    /// How many operations a rank has. They are numbered from 0.
    fn operations(&self, rank: u32) -> u32;

    /// How many operations of a rank may be asked for: those of a rank that does nothing now, too, because its messages may be under way.
    fn known(&self, rank: u32) -> u32 {
        self.operations(rank)
    }

    /// One operation.
    fn operation(&self, rank: u32, number: u32) -> Operation;

    /// What one operation does, without counting what it waits for.
    fn work(&self, rank: u32, number: u32) -> Work {
        self.operation(rank, number).work
    }

    /// Calls `each` with the operations of `rank` that wait for nothing, in rising order.
    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32));

    /// Calls `each` with the operations of `rank` that wait for `number`, in rising order of their number, start and finish alike.
    ///
    /// An operation that waits twice is named twice. Of two calls with the same number [`Upon::Start`] comes first.
    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon));

    /// Whether some operation waits for the start of another one.
    fn has_starts(&self) -> bool;

    /// Whether it is known that no rank sends more than one message to another one, so that nobody has to number them.
    fn meets_once(&self) -> bool {
        false
    }

    /// Where an operation stands, for people: "line 17" of a file, "step 4 of the all-gather" of a generated program.
    fn place(&self, rank: u32, number: u32) -> String;

    /// Messages that `rank` sends in all, and their flits, for sizes and totals. It may take as long as the rank is long.
    fn sends(&self, rank: u32) -> (u64, u64);

    /// The longest and the shortest message of all \[flits\]; both are 0 where nothing is sent.
    fn lengths(&self) -> (u32, u32);

    /// A 64-bit hash of what the program does. It differs where programs differ, so it may stand for the program in identities.
    fn identity(&self) -> u64;
}
