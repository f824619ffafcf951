//! Selection: which of the free channels a head takes, where routing leaves it several.

mod first;
mod most_credits;
mod random;
mod straight;
mod turn;

use crate::routing;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Idle, View, When};

crate::registry::registry! {
    /// A selection that a spec can name.
    Selection: first::First, random::Random, most_credits::MostCredits, straight::Straight, turn::Turn;

    section {
        path: "selection",
        doc: "Which of several free channels a head takes, under wormhole and adaptive cut-through.",
        default: first,
        params: &[],
        idle: IDLE
    }

    /// Builds the selection of a resolved `selection` section.
    pub fn build(view: View, seed: u64) -> Any;

    /// Whether it looks at the dimensions of channels.
    const GOES_BY_DIMENSION as goes_by_dimension: bool = false;

    impl Selection {
        #[inline]
        fn pick(&self, choice: Choice<'_>) -> u32;
        #[inline]
        fn pick_by_free(&self, free: u64, channels: u32) -> Option<u32>;
        #[inline]
        fn sees_credits(&self) -> bool;
    }
}

/// Where nobody asks any of them, or it has nothing to choose.
const IDLE: &[Idle] = &[
    Idle {
        keys: &["kind"],
        when: &[When::Is("router.kind", &["cut_through"])],
        because: "a packet takes the lowest channel with room there",
    },
    Idle {
        keys: &["kind"],
        when: &[When::Is("router.kind", &["input_queued"])],
        because: "a head asks for all channels that it may have there",
    },
    Idle {
        keys: &["kind"],
        when: &[When::Is("router.kind", &["input_output_queued"])],
        because: "a packet's route is drawn there when it comes to the front of its queue",
    },
    Idle {
        keys: &["kind"],
        when: &[When::Is("router.requests", &["smart", "random", "shortest", "shortest_flits", "stay"])],
        because: "router.requests says by itself which channel a head asks for",
    },
    Idle {
        keys: &["kind"],
        when: &[When::Where("routing gives a head one channel", routing::gives_one_channel)],
        because: "there is nothing to choose",
    },
    Idle {
        keys: &["kind"],
        when: &[
            When::Is(".kind", &["straight", "turn"]),
            When::Where("routing gives a packet one port", routing::gives_one_port),
        ],
        because: "it chooses between ports, and the channels of one port it takes in the order of `first`",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::packet::Packet;

    /// Free channels by (port, channel), three channels a port.
    fn pick(selection: &Any, from: Option<u8>, free: &[(u32, u32)], credits: &[i16], cycle: u64) -> (u32, u32) {
        let packet = Packet::default();
        let mask = free.iter().fold(0, |mask, (port, channel)| mask | 1 << (port * 3 + channel));
        let mut by_bit = [-1; 64];
        for (&(port, channel), &flits) in free.iter().zip(credits) {
            by_bit[(port * 3 + channel) as usize] = flits;
        }
        let choice = Choice { cycle, input: 70, from, packet: &packet, free: mask, channels: 3, credits: &by_bit };
        let bit = selection.pick(choice);
        (bit / 3, bit % 3)
    }

    #[test]
    fn first_takes_the_lowest_channel_then_the_highest_dimension_then_plus() {
        let first = Any::First(first::First);
        assert_eq!(pick(&first, None, &[(0, 1), (2, 1), (3, 1), (3, 2), (5, 2)], &[8; 5], 0), (2, 1));
        assert_eq!(pick(&first, Some(0), &[(0, 1), (3, 1), (5, 2)], &[8; 3], 0), (3, 1));
        assert_eq!(pick(&first, None, &[(1, 0), (5, 1)], &[8; 2], 0), (1, 0));
    }

    #[test]
    fn most_credits_takes_the_emptiest_buffer_and_then_the_first() {
        let most = Any::MostCredits(most_credits::MostCredits);
        assert_eq!(pick(&most, None, &[(0, 0), (2, 1), (5, 2)], &[3, 7, 7], 0), (2, 1));
        assert_eq!(pick(&most, None, &[(0, 0), (3, 0), (5, 2)], &[0, 0, 0], 0), (3, 0));
    }

    #[test]
    fn straight_goes_on_where_it_can() {
        let straight = Any::Straight(straight::Straight);
        let free = [(0, 2), (0, 1), (2, 0)];
        assert_eq!(pick(&straight, Some(0), &free, &[8; 3], 0), (0, 1));
        assert_eq!(pick(&straight, Some(1), &free, &[8; 3], 0), (2, 0));
        assert_eq!(pick(&straight, None, &free, &[8; 3], 0), (2, 0));
    }

    #[test]
    fn turn_leaves_the_dimension_where_it_can() {
        let turn = Any::Turn(turn::Turn);
        let free = [(0, 2), (1, 0), (2, 1), (5, 2)];
        assert_eq!(pick(&turn, Some(0), &free, &[8; 4], 0), (2, 1));
        assert_eq!(pick(&turn, Some(1), &free, &[8; 4], 0), (2, 1));
        assert_eq!(pick(&turn, Some(3), &free, &[8; 4], 0), (1, 0));
        assert_eq!(pick(&turn, Some(4), &[(4, 2), (5, 1)], &[8; 2], 0), (5, 1), "no other dimension");
        assert_eq!(pick(&turn, None, &free, &[8; 4], 0), (1, 0), "a new packet");
    }

    #[test]
    fn random_is_fair_and_takes_only_what_is_free() {
        let random = Any::Random(random::Random::build(View::new(&Default::default()), 1));
        let free = [(0, 1), (2, 2), (5, 0)];
        let mut taken = [0; 3];
        for cycle in 0..3000 {
            let bit = pick(&random, None, &free, &[8; 3], cycle);
            taken[free.iter().position(|&f| f == bit).expect("it is free")] += 1;
        }
        assert!(taken.iter().all(|t| (900..1100).contains(t)), "{taken:?}");
    }
}
