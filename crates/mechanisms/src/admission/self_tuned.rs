//! Self-tuned throttling: a global threshold on full buffers, moved by what it does to the delivered bandwidth.
//!
//! Paper:    `self-tuned-2001` sections 3 to 5.
//! Acts:     `observe`: a comparison a cycle; the threshold moves once a tuning period.
//! Sees:     full buffers and delivered flits of the whole network, by the side-band.
//! State:    the side-band; the threshold; bandwidth of the last period and of the best, with its conditions.
//! Differs from the paper: where it is silent parameters choose (`max_fraction`, `throttling_sampled`); N_max is the last
//! snapshot of the best period; the threshold stays between an increment, at least 1, and all buffers; packets for a node
//! at their own router are never held; under cut-through flits count as delivered with the tail of their packet.

use super::side_band::{self, Estimate, SideBand, Wires};
use super::{Listed, Site, Switching};
use crate::Refusal;
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, Gauges, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, View, When};

/// Self-tuned throttling.
pub static ENTRY: Entry = Entry {
    name: "self_tuned",
    summary: "holds every packet while the network is estimated to have too many full buffers; tunes how many are \
        too many",
    paper: "self-tuned-2001 sections 3 and 4",
    ideal: false,
    params: &[
        Param {
            name: "tuning_period_cycles",
            kind: Kind::IntegerOrAuto { min: 1, max: 1 << 40 },
            unit: "cycles",
            fallback: Fallback::Text("auto"),
            doc: "Time from one tuning decision to the next, a multiple of g; \"auto\": 3 g (self-tuned-2001: 96).",
        },
        percent(
            "increment_percent",
            1.0,
            "Step by which the threshold rises, in percent of all buffers, rounded down.",
        ),
        percent(
            "decrement_percent",
            4.0,
            "Step by which the threshold falls, in percent of all buffers, rounded down.",
        ),
        percent("initial_percent", 1.0, "The threshold at cycle 0, in percent of all buffers, rounded down."),
        fraction(
            "drop_fraction",
            0.25,
            "Bandwidth drops when a period delivers less than 1 - drop_fraction of the period before.",
        ),
        switch("hill_climbing", "Whether the threshold follows the tuning table (self-tuned-2001 section 4.1)."),
        Param {
            name: "throttling_sampled",
            kind: Kind::Choice(&[
                ("at_decision", "packets were held in the last cycle of the period"),
                ("any", "packets were held in any cycle of the period"),
            ]),
            unit: "",
            fallback: Fallback::Text("at_decision"),
            doc: "What \"currently throttling\" means in the tuning table.",
        },
        switch(
            "avoid_local_maxima",
            "Whether the threshold goes back to the conditions of the best period (self-tuned-2001 section 4.2).",
        ),
        fraction(
            "max_fraction",
            0.75,
            "The threshold goes back when a period delivers less than this share of the best period.",
        ),
        Param {
            name: "refresh_periods",
            kind: Kind::IntegerOrInfinite { min: 1, max: 1 << 30 },
            unit: "tuning periods",
            fallback: Fallback::Integer(5),
            doc: "After this number of consecutive periods in which it goes back, it forgets the best period (r in \
                the paper).",
        },
        side_band::ESTIMATE,
        side_band::HOP_CYCLES,
        side_band::BITS,
        side_band::NARROW,
    ],
};

/// What the threshold does not go by.
const IDLE: &[Idle] = &[
    Idle {
        keys: &["decrement_percent", "drop_fraction", "throttling_sampled"],
        when: &[When::Is(".hill_climbing", &["false"])],
        because: "the threshold does not follow the tuning table",
    },
    Idle {
        keys: &["max_fraction", "refresh_periods"],
        when: &[When::Is(".avoid_local_maxima", &["false"])],
        because: "the threshold never goes back to the best period",
    },
    Idle {
        keys: &["tuning_period_cycles"],
        when: &[When::Is(".hill_climbing", &["false"]), When::Is(".avoid_local_maxima", &["false"])],
        because: "the threshold never changes",
    },
];

const fn percent(name: &'static str, default: f64, doc: &'static str) -> Param {
    let kind = Kind::Float { min: 0.0, max: 100.0 };
    Param { name, kind, unit: "percent", fallback: Fallback::Float(default), doc }
}

const fn fraction(name: &'static str, default: f64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Float { min: 0.0, max: 1.0 }, unit: "", fallback: Fallback::Float(default), doc }
}

const fn switch(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Bool, unit: "", fallback: Fallback::Bool(true), doc }
}

/// What a tuning period has shown.
#[derive(Clone, Copy, Debug)]
struct Period {
    /// Delivered in it.
    flits: u64,
    /// Full buffers in its last snapshot.
    full: u64,
    throttling: bool,
}

/// The conditions of the best period.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Best {
    flits: u64,
    full: u64,
    threshold: u64,
    /// Consecutive periods in which the threshold went back to it.
    returns: u64,
}

/// Moves the threshold.
#[derive(Clone, Debug)]
struct Tuner {
    threshold: u64,
    /// Least and largest threshold.
    bounds: (u64, u64),
    increment: u64,
    decrement: u64,
    climbs: bool,
    /// Share of the last period's flits below which bandwidth has dropped.
    drop_below: f64,
    avoids: bool,
    /// Share of the best period's flits below which it goes back.
    max_fraction: f64,
    refresh: Option<u64>,
    previous: u64,
    best: Best,
}

tailback_base::plain!(Best);
tailback_base::state!([] Tuner {
    saved: threshold, previous, best;
    rebuilt: bounds, increment, decrement, climbs, drop_below, avoids, max_fraction, refresh;
} [fits]);
tailback_base::state!([] SelfTuned {
    saved: band, tuner, flits, held, any, cycle, holds;
    rebuilt: estimate, period_cycles;
} [fits]);

impl Tuner {
    fn new(view: View, total: u64) -> Self {
        let share = |name| (total as f64 * view.float(name) / 100.0) as u64;
        let increment = share("increment_percent").max(1);
        let bounds = (increment.min(total), total);
        Tuner {
            threshold: share("initial_percent").clamp(bounds.0, bounds.1),
            bounds,
            increment,
            decrement: share("decrement_percent").max(1),
            climbs: view.bool("hill_climbing"),
            drop_below: 1.0 - view.float("drop_fraction"),
            avoids: view.bool("avoid_local_maxima"),
            max_fraction: view.float("max_fraction"),
            refresh: view.finite("refresh_periods"),
            previous: 0,
            best: Best::default(),
        }
    }

    /// That thresholds are some that it may have, or in the best period none.
    fn fits(&self) -> Result<(), Unfit> {
        let Best { flits, full, threshold, returns } = self.best;
        are_counts([self.previous, flits, returns])?;
        let most = self.bounds.1;
        let bounded = (self.bounds.0..=most).contains(&self.threshold) && threshold <= most && full <= most;
        ensure(bounded, "a threshold is higher than there are buffers, or lower than it may be")
    }

    fn tune(&mut self, period: Period) {
        let threshold = if self.avoids && self.goes_back(period) {
            self.best.threshold.min(self.best.full)
        } else if self.climbs {
            self.climb(period)
        } else {
            self.threshold
        };
        if self.best.returns > 0 && Some(self.best.returns) == self.refresh {
            self.best = Best::default();
        }
        self.threshold = threshold.clamp(self.bounds.0, self.bounds.1);
        self.previous = period.flits;
    }

    /// Whether bandwidth is well below the best; remembers a better period.
    fn goes_back(&mut self, period: Period) -> bool {
        let below = (period.flits as f64) < self.max_fraction * self.best.flits as f64;
        self.best.returns = if below { self.best.returns + 1 } else { 0 };
        if period.flits > self.best.flits {
            self.best = Best { flits: period.flits, full: period.full, threshold: self.threshold, returns: 0 };
        }
        below
    }

    /// The tuning decision table.
    fn climb(&self, period: Period) -> u64 {
        let drop = (period.flits as f64) < self.drop_below * self.previous as f64;
        match (drop, period.throttling) {
            (true, _) => self.threshold.saturating_sub(self.decrement),
            (false, true) => self.threshold + self.increment,
            (false, false) => self.threshold,
        }
    }
}

/// A side-band and a tuner. All nodes hear and do the same, so one stands for all.
#[derive(Clone, Debug)]
pub struct SelfTuned {
    band: SideBand,
    estimate: Estimate,
    tuner: Tuner,
    period_cycles: u64,
    /// Flits delivered in the snapshots of this period.
    flits: u64,
    /// Whether packets were held in this period.
    held: bool,
    any: bool,
    /// The next cycle.
    cycle: u64,
    /// Whether new packets are held in it.
    holds: bool,
}

impl SelfTuned {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.flits, self.cycle])?;
        let holds = self.estimate.exceeds(&self.band, self.cycle, self.tuner.threshold);
        ensure(self.holds == holds, "packets are held for no reason")
    }

    /// After the side-band has moved to the end of the cycle before `cycle`.
    fn decide(&mut self, cycle: u64, arrived: bool) {
        self.cycle = cycle;
        self.held |= self.holds;
        if arrived {
            self.flits += self.band.last().flits;
            if cycle.is_multiple_of(self.period_cycles) {
                let throttling = if self.any { self.held } else { self.holds };
                self.tuner.tune(Period { flits: self.flits, full: self.band.last().buffers, throttling });
                self.flits = 0;
                self.held = false;
            }
        }
        self.holds = self.estimate.exceeds(&self.band, cycle, self.tuner.threshold);
    }
}

impl Listed for SelfTuned {
    const MINDS_RADICES: bool = true;
    const IDLE: &'static [Idle] = IDLE;

    fn build(view: View, Site { grid, channels, buffer_flits }: Site) -> Self {
        let band = SideBand::new(Wires::of(view), grid, channels, buffer_flits);
        SelfTuned {
            estimate: Estimate::of(view),
            tuner: Tuner::new(view, band.total()),
            period_cycles: view.finite("tuning_period_cycles").unwrap_or(3 * band.gather_cycles()),
            flits: 0,
            held: false,
            any: view.text("throttling_sampled") == "any",
            cycle: 0,
            holds: false,
            band,
        }
    }

    /// A tuning period in which no whole number of gathers fits, and buffers that are never full.
    fn objection(view: View, site: Site, switching: Switching) -> Option<Refusal> {
        if let Some(refusal) = super::asks_for_full_buffers(&ENTRY, switching) {
            return Some(refusal);
        }
        let gather_cycles = Wires::of(view).gather_cycles(site.grid, side_band::buffers(site.grid, site.channels));
        let period = view.finite("tuning_period_cycles").filter(|period| !period.is_multiple_of(gather_cycles))?;
        let near = period.div_ceil(gather_cycles) * gather_cycles;
        Some(Refusal {
            path: "admission",
            message: format!(
                "a tuning period of {period} cycles is not a multiple of the {gather_cycles} cycles after which the \
                 side-band brings new numbers"
            ),
            help: format!("set admission.tuning_period_cycles to {near}, or to \"auto\""),
        })
    }
}

impl Admission for SelfTuned {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        let arrived = self.band.observe(cycle, occupancy);
        self.decide(cycle + 1, arrived);
    }

    #[inline]
    fn delivered(&mut self, _router: u32, flits: u32) {
        self.band.add(flits);
    }

    #[inline]
    fn admits_by_any(&self, _view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        !self.holds || useful == 0
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            threshold: Some(self.tuner.threshold as f64),
            estimate: Some(self.estimate.buffers(&self.band, self.cycle)),
            full_buffers: Some(self.band.last().buffers as f64),
        }
    }
}

#[cfg(test)]
mod tests;
