//! Throttles that see nothing but the channels of their own router's outputs: the naive twin of each, and a line in the list.

use toml::Value;

/// The twins.
pub static THROTTLES: &[Twin] = &[ALO, U_CHANNELS, BUSY_CHANNELS];

/// A throttle. Tests draw a number from 0 to 100, which stands for its parameters.
#[derive(Debug)]
pub struct Twin {
    /// What a spec calls it.
    pub name: &'static str,
    /// What a spec says of its parameters, for the number that was drawn.
    pub parameters: fn(u32) -> Vec<(&'static str, Value)>,
    /// Whether a new packet that needs the network may ask, for the number that was drawn.
    pub admits: fn(&Outputs<'_>, u32) -> bool,
}

/// The outputs of a router, as a new packet finds them.
pub struct Outputs<'a> {
    /// The ports by which the packet could leave, one at least.
    pub useful: &'a [usize],
    /// The ports that lead to other routers.
    pub ports: &'a [usize],
    /// Channels of a port.
    pub channels: usize,
    /// The channels of a port that the packet could take.
    pub free: &'a dyn Fn(usize) -> usize,
}

impl Outputs<'_> {
    /// The channels of these ports that the packet could take.
    fn free_of(&self, ports: &[usize]) -> usize {
        ports.iter().map(|&port| (self.free)(port)).sum()
    }
}

/// If every useful port has a free channel, or one has nothing but free ones.
const ALO: Twin = Twin {
    name: "alo",
    parameters: |_| Vec::new(),
    admits: |at, _| {
        at.useful.iter().all(|&port| (at.free)(port) > 0)
            || at.useful.iter().any(|&port| (at.free)(port) == at.channels)
    },
};

/// If this share of the channels of the useful ports is free, in percent.
const U_CHANNELS: Twin = Twin {
    name: "u_channels",
    parameters: |percent| vec![("min_free_share", (f64::from(percent) / 100.0).into())],
    admits: |at, percent| at.free_of(at.useful) * 100 >= percent as usize * at.useful.len() * at.channels,
};

/// If so many channels to links are busy at most; `"auto"`: half of those that there are.
const BUSY_CHANNELS: Twin = Twin {
    name: "busy_channels",
    parameters: |drawn| vec![("max_busy_channels", limit(drawn).map_or("auto".into(), Value::from))],
    admits: |at, drawn| {
        let all = at.ports.len() * at.channels;
        all - at.free_of(at.ports) <= limit(drawn).map_or(all / 2, |limit| limit as usize)
    },
};

/// Half of all limits are `"auto"`.
fn limit(drawn: u32) -> Option<u32> {
    (drawn % 2 == 1).then_some(drawn / 2 % 12)
}
