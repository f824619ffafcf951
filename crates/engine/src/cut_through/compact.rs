//! What the state of a router is made of: the smallest types that hold its quantities, so that of the usual router all but the
//! packets fit a cache line.

use crate::mask::Mask;
use tailback_base::state::{Reader, State, Unfit, Writer};

/// Free flits of a channel; fewer than none while packets were granted against credits on their way back.
pub(crate) trait Level: Copy + std::fmt::Debug + Send + Sync + State {
    /// The longest packet \[flits\]: so many fewer than none there may be.
    const LONGEST: u32;
    /// The largest buffer \[flits\].
    const MOST: u32;
    /// The flits.
    fn get(self) -> i16;
    /// Makes a level from a number of flits that fits into it.
    fn of(flits: i16) -> Self;
}

impl Level for u8 {
    const LONGEST: u32 = 64;
    const MOST: u32 = u8::MAX as u32 - Self::LONGEST;

    #[inline(always)]
    fn get(self) -> i16 {
        i16::from(self) - Self::LONGEST as i16
    }

    #[inline(always)]
    fn of(flits: i16) -> Self {
        debug_assert!((-(Self::LONGEST as i16)..=Self::MOST as i16).contains(&flits), "{flits} flits");
        (flits + Self::LONGEST as i16) as u8
    }
}

impl Level for i16 {
    const LONGEST: u32 = i16::MAX as u32;
    const MOST: u32 = i16::MAX as u32;

    #[inline(always)]
    fn get(self) -> i16 {
        self
    }

    #[inline(always)]
    fn of(flits: i16) -> Self {
        flits
    }
}

/// The channels of an output: those with room for the shortest packet, and those that some head wants.
pub(crate) trait Channels: Copy + std::fmt::Debug + Send + Sync + State {
    /// With room.
    fn room(self) -> u64;
    /// Wanted.
    fn wanted(self) -> u64;
    /// Makes the pair from both masks.
    fn of(room: u64, wanted: u64) -> Self;
}

/// Up to four channels: room in the lower half of a byte, wanted in the upper.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Four {
    both: u8,
}

/// As many channels as a mask has bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Many<T> {
    room: T,
    wanted: T,
}

tailback_base::state!([] Four { saved: both; });
tailback_base::state!([T: Mask] Many<T> { saved: room, wanted; });

impl Channels for Four {
    #[inline(always)]
    fn room(self) -> u64 {
        u64::from(self.both & 15)
    }

    #[inline(always)]
    fn wanted(self) -> u64 {
        u64::from(self.both >> 4)
    }

    #[inline(always)]
    fn of(room: u64, wanted: u64) -> Self {
        Four { both: (room | wanted << 4) as u8 }
    }
}

impl<T: Mask> Channels for Many<T> {
    #[inline(always)]
    fn room(self) -> u64 {
        self.room.get()
    }

    #[inline(always)]
    fn wanted(self) -> u64 {
        self.wanted.get()
    }

    #[inline(always)]
    fn of(room: u64, wanted: u64) -> Self {
        Many { room: T::of(room), wanted: T::of(wanted) }
    }
}

/// A set of inputs of a router; the smallest types that hold it go with those for the router's other quantities.
pub(crate) trait Inputs: Mask {
    /// A set of outputs.
    type Outputs: Mask;
    /// The channels of an output.
    type Channels: Channels;
    /// Free flits of a channel.
    type Level: Level;
}

impl Inputs for u16 {
    type Outputs = u8;
    type Channels = Four;
    type Level = u8;
}

impl Inputs for u32 {
    type Outputs = u16;
    type Channels = Many<u8>;
    type Level = i16;
}

impl Inputs for u64 {
    type Outputs = u64;
    type Channels = Many<u16>;
    type Level = i16;
}

/// What begins a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Line<T>(pub T);

impl<T: State> State for Line<T> {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.0.restore(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_types_hold_what_they_are_for() {
        for flits in -64..=191 {
            assert_eq!(Level::get(<u8 as Level>::of(flits)), flits);
        }
        assert_eq!((<u8 as Level>::LONGEST, <u8 as Level>::MOST), (64, 191));
        for (room, wanted) in (0..16).flat_map(|room| (0..16).map(move |wanted| (room, wanted))) {
            let four = Four::of(room, wanted);
            assert_eq!((four.room(), four.wanted()), (room, wanted));
            let many = Many::<u16>::of(room << 12, wanted);
            assert_eq!((many.room(), many.wanted()), (room << 12, wanted));
        }
    }
}
