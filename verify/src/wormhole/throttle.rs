//! Throttling: when a new packet may ask for a channel.

use super::config::Config;
use super::inc::{Flow, Inc};
use super::network::Network;
use super::own_outputs::{Outputs, THROTTLES};
use super::packet::Packet;
use super::tuner::{Tuner, Tuning};
use crate::reference;

/// When a new packet may ask for a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admission {
    /// Always.
    Off,
    /// By state-propagation throttling as `base.admission` says.
    Spth,
    /// As the twin of this number among [`THROTTLES`] says, which goes by the router's own outputs.
    OwnOutputs {
        /// The number of the twin.
        twin: usize,
        /// The number that stands for its parameters.
        drawn: u32,
    },
    /// While the estimate of full buffers is not above a constant; `None`: 8 % of all buffers.
    GlobalThreshold {
        /// The constant.
        threshold: Option<u64>,
        /// How the numbers travel and what is made of them.
        band: Band,
    },
    /// While the estimate of full buffers is not above a threshold that tunes itself.
    SelfTuned {
        /// How the threshold is tuned.
        tuning: Tuning,
        /// How the numbers travel and what is made of them.
        band: Band,
    },
    /// While enough flits have moved for each buffer that was not empty.
    Entropy {
        /// Flits a cycle and buffer, in percent.
        min_mobility_percent: u32,
        /// Delay of the side-band from a router to the next \[cycles\], at least 1.
        hop_cycles: u64,
    },
    /// While the flow through the router has not fallen.
    Inc(Inc),
}

impl Admission {
    /// The twin of this name among [`THROTTLES`], with the number that stands for its parameters.
    pub fn own_outputs(name: &str, drawn: u32) -> Self {
        let twin = THROTTLES.iter().position(|twin| twin.name == name).expect("a twin of this name");
        Admission::OwnOutputs { twin, drawn }
    }
}

/// What is made of the last two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// They are extrapolated from the time of the last one on.
    Extrapolate,
    /// They are extrapolated from the arrival of the last one on.
    Arrival,
    /// The last one is taken as it is.
    Last,
}

/// A side-band that is as wide as needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Delay from a router to the next \[cycles\], at least 1.
    pub hop_cycles: u64,
    /// What is made of the last two snapshots.
    pub estimate: Estimate,
}

/// Full buffers, or for `entropy` those that are not empty, and flits counted since the snapshot before.
#[derive(Clone, Copy, Debug, Default)]
struct Snapshot {
    full: u64,
    flits: u64,
}

/// What throttles keep.
pub struct Throttle {
    spth: reference::throttle::Throttle,
    /// Snapshots taken, first to last. The network before cycle 0 counts as three of them.
    snapshots: Vec<Snapshot>,
    /// Flits received since the last one; for `entropy` also those sent from link to link.
    flits: u64,
    /// Whether the estimate is above the threshold in this cycle.
    holds: bool,
    tuner: Option<Tuner>,
    /// By router, for `inc`.
    flows: Vec<Flow>,
}

impl Throttle {
    /// Nothing has happened.
    pub fn new(config: &Config) -> Self {
        let tuner = match config.admission {
            Admission::SelfTuned { tuning, .. } => Some(Tuner::new(tuning, buffers(config))),
            _ => None,
        };
        let spth = reference::throttle::Throttle::new(&config.base);
        Throttle {
            spth,
            snapshots: vec![Snapshot::default(); 3],
            flits: 0,
            holds: false,
            tuner,
            flows: vec![Flow::default(); config.base.routers()],
        }
    }

    /// A node has received a flit.
    pub fn received_flit(&mut self) {
        self.flits += 1;
    }

    /// A router sends a flit from link to link. Those that go to the recovery lane are not seen.
    pub fn sent(&mut self, config: &Config, router: usize) {
        self.flows[router].pass();
        if matches!(config.admission, Admission::Entropy { .. }) {
            self.flits += 1;
        }
    }

    /// Whether a new packet may ask for a channel in cycle `now`; `free(port)` are the channels of a port that could be taken.
    pub fn admits(
        &self,
        config: &Config,
        now: u64,
        router: usize,
        packet: &Packet,
        free: impl Fn(usize) -> usize,
    ) -> bool {
        let used = packet.plan.get(packet.hops as usize).map_or(&[][..], |(_, channels)| channels);
        self.admits_by(config, now, (router, &config.useful_ports(router, None, packet), used), free)
    }

    /// The same of a packet at a router that could leave by these ports, on these channels if its plan says so.
    pub fn admits_by(
        &self,
        config: &Config,
        now: u64,
        (router, useful, used): (usize, &[usize], &[usize]),
        free: impl Fn(usize) -> usize,
    ) -> bool {
        if useful.is_empty() {
            // It does not enter the network.
            return true;
        }
        match config.admission {
            Admission::Off => true,
            // One clear direction is enough where routing is adaptive; else there is one only.
            Admission::Spth => useful.iter().any(|&port| self.spth.admits(&config.base, router, port, used)),
            Admission::OwnOutputs { twin, drawn } => {
                let leads = |&port: &usize| config.base.neighbour(router, port).is_some();
                let ports: Vec<usize> = (0..config.base.ports()).filter(leads).collect();
                let channels = config.base.virtual_channels as usize;
                (THROTTLES[twin].admits)(&Outputs { useful, ports: &ports, channels, free: &free }, drawn)
            }
            Admission::GlobalThreshold { .. } | Admission::SelfTuned { .. } | Admission::Entropy { .. } => !self.holds,
            Admission::Inc(_) => !self.flows[router].holds(now),
        }
    }

    /// The end of cycle `now`; `level(router, port, channel)` are the flits in a buffer.
    pub fn observe(&mut self, config: &Config, now: u64, level: impl Fn(usize, usize, usize) -> usize) {
        self.spth.observe(&config.base, &level);
        let full =
            |buffer: &(usize, usize, usize)| level(buffer.0, buffer.1, buffer.2) >= config.base.buffer_flits as usize;
        match config.admission {
            Admission::GlobalThreshold { band, .. } | Admission::SelfTuned { band, .. } => {
                let gather = gather_cycles(config, band.hop_cycles);
                let arrives = (now + 1).is_multiple_of(gather);
                if arrives {
                    self.take_snapshot(all_buffers(config).filter(full).count());
                }
                self.tune(now + 1, gather, arrives);
                self.holds = self.is_above(config, band, now + 1);
            }
            Admission::Entropy { min_mobility_percent, hop_cycles } => {
                let gather = gather_cycles(config, hop_cycles);
                if (now + 1).is_multiple_of(gather) {
                    self.take_snapshot(all_buffers(config).filter(|&(r, p, c)| level(r, p, c) > 0).count());
                    let [_, last] = known(&self.snapshots);
                    let share = f64::from(min_mobility_percent) / 100.0;
                    self.holds = (last.flits as f64) < share * (last.full * gather) as f64;
                }
            }
            Admission::Inc(inc) => {
                for (router, flow) in self.flows.iter_mut().enumerate() {
                    flow.begin(&inc, now + 1, all_buffers(config).filter(|b| b.0 == router).any(|b| full(&b)));
                }
            }
            _ => {}
        }
    }

    /// Cycle `next` begins; a snapshot has just arrived, or not.
    fn tune(&mut self, next: u64, gather: u64, arrived: bool) {
        let Some(tuner) = &mut self.tuner else { return };
        tuner.cycle(self.holds);
        if arrived {
            let [_, last] = known(&self.snapshots);
            tuner.snapshot(last.full, last.flits);
        }
        if next.is_multiple_of(tuner.gathers() * gather) {
            tuner.decide(self.holds);
        }
    }

    fn take_snapshot(&mut self, full: usize) {
        self.snapshots.push(Snapshot { full: full as u64, flits: std::mem::take(&mut self.flits) });
    }

    /// Whether the estimate of full buffers for a cycle is above the threshold. The line through the snapshots `before` and
    /// `last` is followed from the time of the latter on, `gather` cycles before the last one was taken.
    fn is_above(&self, config: &Config, band: Band, cycle: u64) -> bool {
        let threshold = match (config.admission, &self.tuner) {
            (_, Some(tuner)) => tuner.threshold(),
            (Admission::GlobalThreshold { threshold: Some(threshold), .. }, _) => threshold,
            _ => buffers(config) * 8 / 100,
        };
        let [before, last] = known(&self.snapshots).map(|snapshot| i128::from(snapshot.full));
        let gather = i128::from(gather_cycles(config, band.hop_cycles));
        let since_arrival = i128::from(cycle) % gather;
        let age = if band.estimate == Estimate::Extrapolate { gather + since_arrival } else { since_arrival };
        let rise = if band.estimate == Estimate::Last { 0 } else { last - before };
        let estimate = (last * gather + rise * age).clamp(0, i128::from(buffers(config)) * gather);
        estimate > i128::from(threshold) * gather
    }
}

/// The last two snapshots that every node knows; the latest of all is still on its way.
fn known(snapshots: &[Snapshot]) -> [Snapshot; 2] {
    let n = snapshots.len();
    [snapshots[n - 3], snapshots[n - 2]]
}

/// All buffers, those that no link feeds at the edge of a mesh included: router, port and channel.
fn all_buffers(config: &Config) -> impl Iterator<Item = (usize, usize, usize)> {
    let (ports, channels) = (config.base.ports(), config.base.virtual_channels as usize);
    (0..config.base.routers()).flat_map(move |r| (0..ports).flat_map(move |p| (0..channels).map(move |c| (r, p, c))))
}

/// Buffers of all links' channels, without those of the recovery lane.
fn buffers(config: &Config) -> u64 {
    let links = |router| (0..config.base.ports()).filter(|&port| config.base.neighbour(router, port).is_some()).count();
    let links: usize = (0..config.base.routers()).map(links).sum();
    links as u64 * u64::from(config.base.virtual_channels)
}

/// Cycles from a snapshot until all nodes know it, and to the next.
pub fn gather_cycles(config: &Config, hop_cycles: u64) -> u64 {
    let hops = |d: usize| {
        let k = u64::from(config.base.radix[d]);
        if config.base.wrap[d] { k / 2 } else { k - 1 }
    };
    (0..config.base.dimensions()).map(hops).sum::<u64>() * hop_cycles
}

impl Network<'_> {
    /// New packets that ask for a channel: may they, in this cycle?
    pub(super) fn admit(&mut self) {
        for router in 0..self.routers.len() {
            for input in self.config.network_channels()..self.config.inputs() {
                let at = &self.routers[router];
                let Some(packet) = at.inputs[input].front.map(|front| &self.packets[front.packet]) else { continue };
                let channels = self.config.base.virtual_channels as usize;
                let width = self.config.width();
                let free = |port: usize| (0..channels).filter(|c| !at.outputs[port * width + c].held).count();
                let admitted = self.throttle.admits(self.config, self.now, router, packet, free);
                if let Some(front) = &mut self.routers[router].inputs[input].front {
                    front.admitted = admitted;
                }
            }
        }
    }

    /// The end of a cycle: throttles read the buffers.
    pub(super) fn observe(&mut self) {
        let (routers, width) = (&self.routers, self.config.width());
        let level = |router: usize, port: usize, channel: usize| -> usize {
            routers[router].inputs[port * width + channel].flits.len()
        };
        self.throttle.observe(self.config, self.now, level);
    }
}
