//! A global side-band: every so many cycles every node learns two sums over the whole network, as they were then.
//!
//! Paper:    `self-tuned-2001` sections 3.1 and 5.1.
//! Acts:     `observe`: counts all buffers once a gather, g cycles; otherwise waits.
//! Sees:     the whole network as it was g to 2 g - 1 cycles ago; its wires take that long.
//! State:    the sums under way, the last two that have arrived, what happened since.
//! Differs from the paper: a mesh, whose dimensions take (k - 1) * h cycles each; how a narrow band carries its numbers.

use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Occupancy;
use tailback_network::Grid;
use tailback_spec::{Fallback, Idle, Kind, Param, View, When};

/// Delay of the side-band from a router to the next.
pub(super) const HOP_CYCLES: Param = Param {
    name: "hop_cycles",
    kind: Kind::Integer { min: 1, max: 4096 },
    unit: "cycles",
    fallback: Fallback::Integer(2),
    doc: "Side-band delay to the next router, h. All nodes know the sums after g = floor(k/2) * h cycles per ring \
        ((k - 1) * h per line), dimension by dimension (self-tuned-2001 section 3.1).",
};

/// Width of the side-band.
pub(super) const BITS: Param = Param {
    name: "side_band_bits",
    kind: Kind::IntegerOrInfinite { min: 2, max: 64 },
    unit: "bits",
    fallback: Fallback::Text("infinite"),
    doc: "Width of the side-band; both numbers need log2(buffers) + log2(g * nodes) bits, each rounded up: 12 + 13 in \
          self-tuned-2001 section 5.1.",
};

/// What a narrow side-band does.
pub(super) const NARROW: Param = Param {
    name: "narrow_side_band",
    kind: Kind::Choice(&[
        ("truncated", "the bits are shared in proportion, and the lowest bits of both sums are not sent"),
        ("serial", "the numbers are sent word after word: a hop takes one more cycle for each word after the first"),
    ]),
    unit: "",
    fallback: Fallback::Text("truncated"),
    doc: "How a side-band with fewer bits than needed carries the two numbers.",
};

/// Where there is nothing to carry otherwise.
pub(super) const IDLE: &[Idle] = &[Idle {
    keys: &["narrow_side_band"],
    when: &[When::Is(".side_band_bits", &["infinite"])],
    because: "a side-band as wide as needed is not narrow",
}];

/// How congestion is estimated from the last snapshots.
pub(super) const ESTIMATE: Param = Param {
    name: "estimate",
    kind: Kind::Choice(&[
        (
            "extrapolate",
            "on the line through the last two snapshots, within 0 and all buffers; its age counts from when it was taken",
        ),
        ("arrival", "on that line, where a snapshot's age counts from its arrival, g cycles after it was taken"),
        ("last", "as in the last snapshot"),
    ]),
    unit: "",
    fallback: Fallback::Text("extrapolate"),
    doc: "The full buffers of a cycle, from the snapshots known (self-tuned-2001 section 3.1).",
};

/// The wires of a side-band.
#[derive(Clone, Copy, Debug)]
pub struct Wires {
    /// Delay to the next router \[cycles\].
    pub hop_cycles: u64,
    /// Width; `None`: as wide as needed.
    pub bits: Option<u64>,
    /// Whether a narrow one sends words one after the other, or else drops the lowest bits.
    pub serial: bool,
}

impl Wires {
    /// Of an entry that has the parameters of this file.
    pub fn of(view: View) -> Self {
        Wires {
            hop_cycles: view.u64("hop_cycles"),
            bits: view.finite("side_band_bits"),
            serial: view.text("narrow_side_band") == "serial",
        }
    }

    /// Cycles from a sample until all nodes know it, g.
    pub fn gather_cycles(self, grid: &Grid, buffers: u64) -> u64 {
        let mut words = 1;
        loop {
            let gather = hops(grid) * (self.hop_cycles + words - 1);
            // A longer gather counts more flits, which may need one more bit and so one more word.
            let needs = bits(buffers) + bits(gather * grid.nodes() as u64);
            match self.bits.filter(|_| self.serial).map(|width| needs.div_ceil(width)) {
                Some(more) if more > words => words = more,
                _ => return gather,
            }
        }
    }
}

/// Hops of the sums, one dimension after the other, both ways at once.
fn hops(grid: &Grid) -> u64 {
    let of = |(&k, &wrap): (&u32, &bool)| u64::from(if wrap { k / 2 } else { k - 1 });
    grid.radix().iter().zip(grid.wrap()).map(of).sum()
}

/// Bits for a number up to about `most`, as the paper counts them: 12 for 3072, 13 for 8192 (8191 is then the most).
fn bits(most: u64) -> u64 {
    u64::from(64 - most.max(2).saturating_sub(1).leading_zeros())
}

/// Buffers of the network's virtual channels.
pub fn buffers(grid: &Grid, channels: u32) -> u64 {
    grid.links() as u64 * u64::from(channels)
}

/// What the side-band keeps of a number.
#[derive(Clone, Copy, Debug)]
struct Precision {
    most: u64,
    dropped_bits: u32,
}

impl Precision {
    const EXACT: Precision = Precision { most: u64::MAX, dropped_bits: 0 };

    fn new(need: u64, share: u64) -> Self {
        Precision { most: (1 << need) - 1, dropped_bits: need.saturating_sub(share) as u32 }
    }

    fn of(self, value: u64) -> u64 {
        value.min(self.most) >> self.dropped_bits << self.dropped_bits
    }
}

/// Two sums over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Buffers that held at least the level counted.
    pub buffers: u64,
    /// Flits counted in the gather before.
    pub flits: u64,
}

/// The side-band.
#[derive(Clone, Debug)]
pub struct SideBand {
    gather: u64,
    total: u64,
    ports: usize,
    channels: usize,
    level: u16,
    precision: [Precision; 2],
    /// Counted since the last sample.
    flits: u64,
    under_way: Snapshot,
    /// The last that arrived, and the one before. The empty network of cycle 0 counts as known.
    known: [Snapshot; 2],
}

tailback_base::plain!(Snapshot);
tailback_base::state!([] SideBand {
    saved: flits, under_way, known;
    rebuilt: gather, total, ports, channels, level, precision;
} [fits]);

impl SideBand {
    /// That no more buffers were counted than there are.
    fn fits(&self) -> Result<(), Unfit> {
        let snapshots = [self.under_way, self.known[0], self.known[1]];
        are_counts(snapshots.iter().map(|snapshot| snapshot.flits).chain([self.flits]))?;
        let there = snapshots.iter().all(|snapshot| snapshot.buffers <= self.total);
        ensure(there, "more buffers are full than there are")
    }

    /// One that counts the buffers which hold `level` flits or more.
    pub fn new(wires: Wires, grid: &Grid, channels: u32, level: u32) -> Self {
        let total = buffers(grid, channels);
        let gather = wires.gather_cycles(grid, total);
        let need = [bits(total), bits(gather * grid.nodes() as u64)];
        let all = need[0] + need[1];
        let precision = match wires.bits {
            None => [Precision::EXACT; 2],
            Some(width) if wires.serial || width >= all => need.map(|n| Precision::new(n, n)),
            Some(width) => {
                let share = (width * need[0] / all).max(1);
                [Precision::new(need[0], share), Precision::new(need[1], width - share)]
            }
        };
        SideBand {
            gather,
            total,
            ports: grid.ports(),
            channels: channels as usize,
            level: u16::try_from(level).unwrap_or(u16::MAX),
            precision,
            flits: 0,
            under_way: Snapshot::default(),
            known: [Snapshot::default(); 2],
        }
    }

    /// Cycles from one snapshot to the next, and from sample to knowledge.
    pub fn gather_cycles(&self) -> u64 {
        self.gather
    }

    /// Buffers in the network.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The last snapshot that arrived.
    pub fn last(&self) -> Snapshot {
        self.known[0]
    }

    /// Flits to be summed up.
    #[inline]
    pub fn add(&mut self, flits: u32) {
        self.flits += u64::from(flits);
    }

    /// Moves to the end of `cycle`; says whether a snapshot arrived, known from cycle `cycle + 1` on. It was taken g cycles
    /// ago, when the next one is taken now.
    pub fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) -> bool {
        let due = self.is_due(cycle);
        if due {
            let occupancy = occupancy.expect("the engine keeps occupancy for who needs it");
            let (ports, channels) = (self.ports, self.channels);
            let levels = (0..ports * channels).map(|i| occupancy.levels(i / channels, i % channels));
            let full = count(levels, self.level);
            self.sample(full);
        }
        due
    }

    fn is_due(&self, cycle: u64) -> bool {
        (cycle + 1).is_multiple_of(self.gather)
    }

    fn sample(&mut self, buffers: u64) {
        self.known = [self.under_way, self.known[0]];
        let [of_buffers, of_flits] = self.precision;
        self.under_way = Snapshot { buffers: of_buffers.of(buffers), flits: of_flits.of(self.flits) };
        self.flits = 0;
    }

    /// The buffers counted at the begin of `cycle`, by extrapolation, times g; the last snapshot counts as `delay` cycles old on arrival.
    fn extrapolated(&self, cycle: u64, delay: u64) -> u64 {
        let [last, before] = self.known.map(|s| i128::from(s.buffers));
        let gather = i128::from(self.gather);
        let age = i128::from(delay + cycle % self.gather);
        (last * gather + (last - before) * age).clamp(0, i128::from(self.total) * gather) as u64
    }
}

/// How many of the levels are `level` or more.
fn count<'a>(levels: impl Iterator<Item = &'a [u16]>, level: u16) -> u64 {
    levels.map(|levels| levels.iter().filter(|&&l| l >= level).count() as u64).sum()
}

/// Compares the estimate of full buffers with a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// On the line through the last two snapshots.
    Extrapolate,
    /// The same, as if a snapshot were of the cycle of its arrival.
    Arrival,
    /// The last snapshot.
    Last,
}

impl Estimate {
    /// Of an entry that has [`ESTIMATE`].
    pub fn of(view: View) -> Self {
        match view.text("estimate") {
            "last" => Estimate::Last,
            "arrival" => Estimate::Arrival,
            _ => Estimate::Extrapolate,
        }
    }

    /// Full buffers in `cycle`, by what is known at its begin.
    pub fn buffers(self, band: &SideBand, cycle: u64) -> f64 {
        self.scaled(band, cycle) as f64 / band.gather as f64
    }

    /// Whether the estimate for `cycle` is above `threshold` buffers; exact.
    pub fn exceeds(self, band: &SideBand, cycle: u64, threshold: u64) -> bool {
        self.scaled(band, cycle) > threshold.saturating_mul(band.gather)
    }

    fn scaled(self, band: &SideBand, cycle: u64) -> u64 {
        match self {
            Estimate::Extrapolate => band.extrapolated(cycle, band.gather),
            Estimate::Arrival => band.extrapolated(cycle, 0),
            Estimate::Last => band.known[0].buffers * band.gather,
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
