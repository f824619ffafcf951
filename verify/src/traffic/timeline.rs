//! Which load at which time.

use super::{Config, Pattern, Workload};

/// Load units of a flit, in which periodic sources count.
const UNITS: f64 = 1e12;

/// A stretch of time.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The first cycle after it, from the begin of a pass; `None`: it does not end.
    end: Option<u64>,
    /// Load, at its end where it rises.
    load: f64,
    rises: bool,
}

/// Where in a timeline a cycle lies.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Which phase.
    pub phase: usize,
    /// The first cycle after that phase.
    pub end: u64,
    /// The load, at the end of the phase where it rises.
    pub load: f64,
    /// Where it rises: the share of that load in this cycle.
    pub rising: Option<f64>,
}

/// Phases one after the other.
#[derive(Clone, Debug)]
pub struct Timeline {
    stretches: Vec<Stretch>,
    repeat: bool,
}

impl Timeline {
    /// Of a workload; a collective has one without load.
    pub fn new(workload: &Workload) -> Timeline {
        let flat = |end, load| Stretch { end, load, rises: false };
        let (stretches, repeat) = match workload {
            Workload::Steady { load } | Workload::Periods { load } => (vec![flat(None, *load)], false),
            Workload::Ramp { end_load, cycles } => {
                (vec![Stretch { end: Some(*cycles), load: *end_load, rises: true }, flat(None, *end_load)], false)
            }
            Workload::Phases { phases, repeat } => {
                let ends = (1..=phases.len()).map(|n| phases[..n].iter().map(|phase| phase.cycles).sum());
                (ends.zip(phases).map(|(end, phase)| flat(Some(end), phase.load)).collect(), *repeat)
            }
            Workload::Collective { .. } => (vec![flat(None, 0.0)], false),
        };
        Timeline { stretches, repeat }
    }

    /// The pattern of every phase.
    pub fn patterns<'a>(&self, config: &'a Config) -> Vec<&'a Pattern> {
        match &config.workload {
            Workload::Phases { phases, .. } => phases.iter().map(|phase| &phase.pattern).collect(),
            _ => vec![&config.pattern; self.stretches.len()],
        }
    }

    /// The load of a phase, at its end where it rises.
    pub fn load(&self, phase: usize) -> f64 {
        self.stretches[phase].load
    }

    /// Where cycle `t` lies; `None` after the last phase.
    pub fn at(&self, t: u64) -> Option<Place> {
        let pass = self.stretches[self.stretches.len() - 1].end;
        let begin = if self.repeat { t - t % pass? } else { 0 };
        let phase = self.stretches.iter().position(|stretch| stretch.end.is_none_or(|end| t - begin < end))?;
        let stretch = self.stretches[phase];
        Some(Place {
            phase,
            end: stretch.end.map_or(u64::MAX, |end| begin + end),
            load: stretch.load,
            rising: stretch.end.filter(|_| stretch.rises).map(|end| t as f64 / end as f64),
        })
    }

    /// What a node is asked for in cycle `t`, in units of load. What a rising load asks for in all cycles before one is a
    /// whole number, rounded down.
    pub fn units(&self, t: u64) -> u64 {
        let Some(place) = self.at(t) else { return 0 };
        let units = (place.load * UNITS).round() as u128;
        if place.rising.is_none() {
            return units as u64;
        }
        let before = |t: u64| units * (0..t).map(u128::from).sum::<u128>() / u128::from(place.end);
        (before(t + 1) - before(t)) as u64
    }

    /// What a message of so many flits costs, in units of load.
    pub fn units_of(flits: f64) -> u64 {
        (flits * UNITS).round() as u64
    }
}
