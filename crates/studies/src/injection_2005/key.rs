//! What distinguishes the runs of this paper.

use crate::lab::Run;

/// What a head asks for (FSIN's rules; the paper gives the order of `smart`, in words).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Same ring, then other dimensions, then the escape channel, one a try.
    Smart,
    /// Any adaptive channel, else the escape channel.
    Random,
    /// The adaptive channel with most room, else the escape channel.
    Shortest,
}

/// All three; the study's own first.
pub const RULES: [Rule; 3] = [Rule::Smart, Rule::Random, Rule::Shortest];

impl Rule {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        match run.point.resolved.view("router").text("requests") {
            "random" => Rule::Random,
            "shortest" => Rule::Shortest,
            _ => Rule::Smart,
        }
    }

    /// As in specs.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Smart => "smart",
            Rule::Random => "random",
            Rule::Shortest => "shortest",
        }
    }
}

/// An organisation of the injection interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// One queue.
    One,
    /// Two queues, the shortest.
    TwoSh,
    /// Four queues, the shortest.
    Sh,
    /// Four queues, the shortest of those of profitable directions.
    Shp,
    /// Four queues, that of the longest path.
    Lpath,
    /// Four queues, that of the first dimension to go.
    Dor,
}

/// The four of figures 4 and 7 in the order of the paper.
pub const POLICIES: [Policy; 4] = [Policy::One, Policy::Sh, Policy::Shp, Policy::Lpath];

/// The three of figures 9 and 11, right.
pub const RESTRICTED: [Policy; 3] = [Policy::One, Policy::Sh, Policy::Lpath];

impl Policy {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        let interface = run.point.resolved.view("interface");
        match (interface.kind(), interface.u32("queues")) {
            ("shp", _) => Policy::Shp,
            ("lpath", _) => Policy::Lpath,
            ("dor", _) => Policy::Dor,
            (_, 1) => Policy::One,
            (_, 2) => Policy::TwoSh,
            _ => Policy::Sh,
        }
    }

    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::One => "1_inj",
            Policy::TwoSh => "2_inj_sh",
            Policy::Sh => "4_inj_sh",
            Policy::Shp => "4_inj_shp",
            Policy::Lpath => "4_inj_lpath",
            Policy::Dor => "4_inj_dor",
        }
    }
}

/// What has to be free for packets to come in \[packets\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bubble {
    /// For entries into an escape channel from elsewhere.
    pub escape: u32,
    /// For new packets, in whatever channel they take.
    pub new: u32,
}

/// How "the same bubble size to all virtual channels" is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// For new packets alone; others enter escape channels with the bubble of 2.
    New,
    /// For new packets and for every entry into an escape channel.
    All,
}

/// Both; the study's own last.
pub const READINGS: [Reading; 2] = [Reading::New, Reading::All];

impl Reading {
    /// The letter that tables call it by.
    pub fn letter(self) -> char {
        match self {
            Reading::New => 'a',
            Reading::All => 'b',
        }
    }
}

impl Bubble {
    /// Standard: 2-Esc.
    pub const ESC: Bubble = Bubble { escape: 2, new: 0 };

    /// `n`-All in this reading.
    pub const fn all(n: u32, reading: Reading) -> Bubble {
        match reading {
            Reading::New => Bubble { escape: 2, new: n },
            Reading::All => Bubble { escape: n, new: n },
        }
    }

    /// Of a run.
    pub fn of(run: &Run) -> Self {
        let flow = run.point.resolved.view("flow_control");
        Bubble { escape: flow.u32("escape_packets"), new: flow.u32("new_packets") }
    }

    /// As the paper calls it, with the letter of the reading where the two differ.
    pub fn name(self) -> String {
        match (self.escape, self.new) {
            (escape, 0) => format!("{escape}-Esc"),
            (2, 2) => "2-All".to_owned(),
            (escape, new) => {
                format!("{new}-All ({})", if escape == new { Reading::All } else { Reading::New }.letter())
            }
        }
    }
}

/// The settings of figure 9 in one reading.
pub const fn settings(reading: Reading) -> [Bubble; 4] {
    [Bubble::ESC, Bubble::all(2, reading), Bubble::all(4, reading), Bubble::all(6, reading)]
}

/// Offered load \[phits/node/cycle\].
pub fn load(run: &Run) -> f64 {
    run.point.resolved.view("traffic").float("load")
}

/// The request rules that these runs have.
pub fn rules(runs: &[Run]) -> Vec<Rule> {
    RULES.into_iter().filter(|rule| runs.iter().any(|run| Rule::of(run) == *rule)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_called_as_in_the_paper() {
        assert_eq!(settings(Reading::All).map(Bubble::name), ["2-Esc", "2-All", "4-All (b)", "6-All (b)"]);
        assert_eq!(settings(Reading::New).map(Bubble::name), ["2-Esc", "2-All", "4-All (a)", "6-All (a)"]);
    }
}
