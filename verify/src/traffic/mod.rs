//! The traffic of a network, walked through cycle by cycle: the slow twin of `tailback_traffic`, written to be read.
//!
//! It follows `docs/traffic.md` and shares nothing with the traffic that it is held against but the random numbers. Where
//! that one draws the gap to the next packet and works out the cycle, this one looks at every cycle; where that one shifts
//! bits and adds strides, this one has lists of bits and coordinates.
//!
//! Read it in this order: [`config`] (what there is), [`pattern`] (to whom), [`size`] (how long), [`timeline`] (which load
//! at which time), [`process`] (when).

pub mod config;
pub mod pattern;
pub mod process;
pub mod size;
#[cfg(test)]
mod tests;
pub mod timeline;

pub use config::{Config, Matter, Pattern, Phase, Placement, Process, Region, Sizes, Workload};

use process::Walker;
use timeline::Timeline;

/// A message that a node makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The cycle in which it is made.
    pub cycle: u64,
    /// The node it goes to.
    pub destination: u32,
    /// Its length \[flits\].
    pub flits: u32,
}

/// The messages of `node` in the cycles `0..cycles`, in order. `stalls` says, of its first messages, for how many cycles the
/// source is suspended after each, from the cycle of that message on.
pub fn messages(config: &Config, node: u32, cycles: u64, stalls: &[Option<u64>]) -> Vec<Message> {
    let timeline = Timeline::new(&config.workload);
    let patterns: Vec<pattern::Rule> =
        timeline.patterns(config).iter().map(|p| pattern::Rule::new(p, config)).collect();
    let until = |made: &[Message]| Some(made.last()?.cycle + (*stalls.get(made.len() - 1)?)?);
    let mut made: Vec<Message> = Vec::new();
    if let Workload::Collective { messages } = config.workload {
        let mut cycle = 0;
        while (made.len() as u64) < messages && cycle < cycles {
            let Some(destination) = patterns[0].destination(node, made.len() as u64) else { break };
            made.push(Message { cycle, destination, flits: size::flits(config, node, made.len() as u64) });
            cycle = until(&made).unwrap_or(cycle);
        }
        return made;
    }
    let mut walker = Walker::new(config, &timeline, node);
    while let Some(cycle) = walker.next(cycles) {
        let place = timeline.at(cycle).expect("a message is made within a phase");
        let Some(destination) = patterns[place.phase].destination(node, made.len() as u64) else {
            // Silent in this phase.
            walker.skip(place.end.min(cycles));
            continue;
        };
        made.push(Message { cycle, destination, flits: size::flits(config, node, made.len() as u64) });
        if let Some(until) = until(&made) {
            walker.stall(until);
        }
    }
    made
}

/// The number of nodes that ever send.
pub fn active_nodes(config: &Config) -> u32 {
    let timeline = Timeline::new(&config.workload);
    let patterns: Vec<pattern::Rule> =
        timeline.patterns(config).iter().map(|p| pattern::Rule::new(p, config)).collect();
    let asked = |phase: usize| matches!(config.workload, Workload::Collective { .. }) || timeline.load(phase) > 0.0;
    let sends =
        |node: u32| (0..patterns.len()).any(|phase| asked(phase) && patterns[phase].destination(node, 0).is_some());
    (0..config.nodes()).filter(|&node| sends(node)).count() as u32
}

/// Mean load over the cycles `from..to` and over all nodes, silent ones among them \[flits/node/cycle\].
pub fn offered_load(config: &Config, from: u64, to: u64) -> f64 {
    let timeline = Timeline::new(&config.workload);
    let patterns: Vec<pattern::Rule> =
        timeline.patterns(config).iter().map(|p| pattern::Rule::new(p, config)).collect();
    let senders = |phase: usize| {
        let sends = |&node: &u32| patterns[phase].destination(node, 0).is_some();
        (0..config.nodes()).filter(sends).count() as f64 / f64::from(config.nodes())
    };
    if let Workload::Collective { messages } = config.workload {
        let all = if from == 0 { messages as f64 * config.sizes.mean() * senders(0) } else { 0.0 };
        return all / to as f64;
    }
    let shares: Vec<f64> = (0..patterns.len()).map(senders).collect();
    let in_cycle = |t: u64| timeline.at(t).map_or(0.0, |p| p.load * p.rising.unwrap_or(1.0) * shares[p.phase]);
    (from..to).map(in_cycle).sum::<f64>() / (to - from) as f64
}
