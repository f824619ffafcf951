//! Two levels: round robin over ports, then the highest, the lowest or the next asking channel of that port.
//!
//! Paper:    none of the five says so. The usual separable way of hardware, whose second level is a priority encoder (Dally and
//!           Towles 2004, section 18); a reading of `spth-2015`, whose arbiter is not given.
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the output's requests.
//! State:    one number per output: the first input of the port after the last winner's, or the input after the last winner (`next`).
//! Differs from the paper: nothing known.

use super::{Inputs, Listed};
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Two levels.
pub static ENTRY: Entry = Entry {
    name: "two_level",
    summary: "round robin over the ports with an asking input, then one channel of that port; an injection queue is a port of its own",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "channel",
        kind: Kind::Choice(&[
            (
                "highest",
                "that with the highest number, which is nearest to the end of its way where classes are numbered upwards",
            ),
            ("lowest", "that with the lowest number"),
            ("next", "the first from the number after the last winner's on: channels take turns, too"),
        ]),
        unit: "",
        fallback: Fallback::Text("highest"),
        doc: "Which of the asking channels of a port wins.",
    }],
};

/// Round robin over ports, a fixed order within them.
#[derive(Clone, Copy, Debug)]
pub struct TwoLevel {
    /// Channels of a network port.
    channels: u32,
    /// Inputs of network ports.
    network: u32,
    channel: Channel,
}

/// Which channel of a port wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Highest,
    Lowest,
    Next,
}

tailback_base::stateless!(TwoLevel);

impl Listed for TwoLevel {
    const ASKS_PORTS: bool = true;

    fn build(view: View, _seed: u64, inputs: Inputs) -> Self {
        let channel = match view.text("channel") {
            "highest" => Channel::Highest,
            "lowest" => Channel::Lowest,
            _ => Channel::Next,
        };
        TwoLevel { channels: inputs.channels, network: inputs.network, channel }
    }
}

impl TwoLevel {
    /// The first input of the port of `input`, and how many it has.
    fn port(self, input: u32) -> (u32, u32) {
        if input < self.network { (input / self.channels * self.channels, self.channels) } else { (input, 1) }
    }

    /// `Channel::Next`. `pointer` is the input after the last winner, 0 before the first one.
    fn next(self, inputs: impl Askers, pointer: &mut impl Turn) -> u32 {
        let (mut from, mut channel) = (*pointer, 0);
        if let Some(last) = from.get().checked_sub(1) {
            let (first, width) = self.port(last as u32);
            from = Turn::of((first + width) as usize);
            channel = (last as u32 - first + 1) % width;
        }
        let lowest = inputs.next(from.get());
        let (first, width) = self.port(lowest);
        let wanted = inputs.next((first + channel.min(width - 1)) as usize);
        let winner = if (first..first + width).contains(&wanted) { wanted } else { lowest };
        *pointer = Turn::of(winner as usize + 1);
        winner
    }
}

impl Arbiter for TwoLevel {
    #[inline]
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        if self.channel == Channel::Next {
            return self.next(contest.inputs, pointer);
        }
        let lowest = contest.inputs.next(pointer.get());
        let (first, width) = self.port(lowest);
        let behind = (first + width) as usize;
        *pointer = Turn::of(behind);
        if self.channel == Channel::Highest { contest.inputs.last_below(behind) } else { lowest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who wins, one contest after the other, among the same askers: three ports of two channels, then two injection queues.
    fn winners(channel: Channel, inputs: u64, contests: usize) -> Vec<u32> {
        let arbiter = TwoLevel { channels: 2, network: 6, channel };
        let mut pointer = 0u8;
        let mut pick = || arbiter.pick(Contest { cycle: 0, output: 0, inputs }, &mut pointer, |_| (0, 0));
        (0..contests).map(|_| pick()).collect()
    }

    #[test]
    fn ports_take_turns_and_one_channel_speaks_for_them() {
        assert_eq!(winners(Channel::Highest, 0b1110_1111, 6), [1, 3, 5, 6, 7, 1]);
        assert_eq!(winners(Channel::Lowest, 0b1110_1111, 6), [0, 2, 5, 6, 7, 0]);
        assert_eq!(winners(Channel::Next, 0b1110_1111, 6), [0, 3, 5, 6, 7, 0]);
        assert_eq!(winners(Channel::Next, 0b0000_1111, 6), [0, 3, 0, 3, 0, 3]);
        assert_eq!(winners(Channel::Next, 0b0000_0011, 3), [0, 1, 0], "channels of one port take turns");
        assert_eq!(
            winners(Channel::Highest, 0b0000_0011, 3),
            [1, 1, 1],
            "the lower channel waits as long as the higher one asks"
        );
    }

    #[test]
    fn the_last_of_64_inputs_is_followed_by_the_first() {
        let arbiter = TwoLevel { channels: 4, network: 60, channel: Channel::Highest };
        let mut pointer = 60u8;
        let mut pick = |inputs: u64| arbiter.pick(Contest { cycle: 0, output: 0, inputs }, &mut pointer, |_| (0, 0));
        assert_eq!([pick(1 << 63 | 0b101), pick(1 << 63 | 0b101), pick(1 << 63)], [63, 2, 63]);
    }
}
