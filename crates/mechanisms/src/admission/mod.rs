//! Admission: whether a new packet may ask for the network.

mod alo;
mod busy_channels;
mod entropy;
mod global_threshold;
mod inc;
pub mod local_rule;
mod off;
pub mod rule;
mod self_tuned;
mod side_band;
pub mod spth;
mod u_channels;

use tailback_base::bits::ones;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, Gauges, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;
use tailback_spec::{Section, View};

crate::catalogue! {
    /// No throttling.
    Off(off::Off, off::ENTRY),
    /// State-propagation throttling.
    Spth(spth::Spth, spth::ENTRY),
    /// Self-tuned throttling.
    SelfTuned(self_tuned::SelfTuned, self_tuned::ENTRY),
    /// Global threshold.
    GlobalThreshold(global_threshold::GlobalThreshold, global_threshold::ENTRY),
    /// At least one.
    Alo(alo::Alo, alo::ENTRY),
    /// Useful channels.
    UChannels(u_channels::UChannels, u_channels::ENTRY),
    /// Busy channels.
    BusyChannels(busy_channels::BusyChannels, busy_channels::ENTRY),
    /// Entropy throttling.
    Entropy(entropy::Entropy, entropy::ENTRY),
    /// Injection and network congestion.
    Inc(inc::Inc, inc::ENTRY);
    /// A rule from outside.
    Rule(rule::Rule),
    /// A rule of one router from outside.
    LocalRule(local_rule::LocalRule),
}

/// The `admission` section.
pub fn section() -> Section {
    Section {
        path: "admission",
        doc: "Throttling: when a new packet may ask for the network.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(off::ENTRY.name),
        idle: [spth::IDLE, self_tuned::IDLE, side_band::IDLE, alo::IDLE, u_channels::IDLE]
            .into_iter()
            .flatten()
            .collect(),
    }
}

/// Builds the admission of a resolved `admission` section.
pub fn build(view: View, grid: &Grid, channels: u32, buffer_flits: u32) -> Any {
    match view.kind() {
        "spth" => Any::Spth(spth::Spth::new(view, grid, channels, buffer_flits)),
        "self_tuned" => Any::SelfTuned(self_tuned::SelfTuned::new(view, grid, channels, buffer_flits)),
        "global_threshold" => {
            Any::GlobalThreshold(global_threshold::GlobalThreshold::new(view, grid, channels, buffer_flits))
        }
        "alo" => Any::Alo(alo::Alo),
        "u_channels" => Any::UChannels(u_channels::UChannels::new(view)),
        "busy_channels" => Any::BusyChannels(busy_channels::BusyChannels::new(view, grid)),
        "entropy" => Any::Entropy(entropy::Entropy::new(view, grid, channels)),
        "inc" => Any::Inc(inc::Inc::new(view, grid, channels, buffer_flits)),
        _ => Any::Off(off::Off),
    }
}

/// Why a resolved `admission` section does not go with this network of `channels` virtual channels, with the cut-through
/// data path (or else wormhole), or with adaptive routing: a message and a help. All others go with all.
pub fn objection(
    view: View,
    grid: &Grid,
    channels: u32,
    cut_through: bool,
    adaptive: bool,
) -> Option<(String, String)> {
    match view.kind() {
        "self_tuned" => {
            let gather = side_band::Wires::of(view).gather_cycles(grid, side_band::buffers(grid, channels));
            self_tuned::objection(view, gather)
        }
        "spth" if adaptive => spth::objection(view),
        kind @ ("entropy" | "inc") if cut_through => {
            let message = format!(
                "{kind} measures the flow of single flits, and under cut-through packets move as wholes: nothing counts \
                 their flits"
            );
            Some((message, "set router.kind to \"wormhole\", or choose another throttle".to_owned()))
        }
        _ => None,
    }
}

/// The ports that bring a packet with a fixed route closer: one, or none when it is for a node here.
#[inline]
fn only(request: Request) -> u16 {
    request.port.map_or(0, |port| 1 << port)
}

/// Per port of a mask, the channels that a packet could take, as masks.
#[inline]
fn free_channels(view: LocalView<'_>, ports: u16) -> impl Iterator<Item = u16> {
    ones(u64::from(ports)).map(move |port| view.room[port] & view.all)
}

/// Does the same with the mechanism of whatever variant.
macro_rules! of_any {
    ($any:expr, $a:ident => $result:expr) => {
        match $any {
            Any::Off($a) => $result,
            Any::Spth($a) => $result,
            Any::SelfTuned($a) => $result,
            Any::GlobalThreshold($a) => $result,
            Any::Alo($a) => $result,
            Any::UChannels($a) => $result,
            Any::BusyChannels($a) => $result,
            Any::Entropy($a) => $result,
            Any::Inc($a) => $result,
            Any::Rule($a) => $result,
            Any::LocalRule($a) => $result,
        }
    };
}

impl State for Any {
    fn save(&self, to: &mut Writer) {
        of_any!(self, a => a.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        of_any!(self, a => a.restore(from))
    }
}

impl Admission for Any {
    #[inline]
    fn is_active(&self) -> bool {
        of_any!(self, a => a.is_active())
    }

    fn is_local(&self) -> bool {
        of_any!(self, a => a.is_local())
    }

    fn needs_occupancy(&self) -> bool {
        of_any!(self, a => a.needs_occupancy())
    }

    #[inline]
    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        of_any!(self, a => a.observe(cycle, occupancy))
    }

    #[inline]
    fn delivered(&mut self, router: u32, flits: u32) {
        of_any!(self, a => a.delivered(router, flits))
    }

    fn watches_flits(&self) -> bool {
        of_any!(self, a => a.watches_flits())
    }

    #[inline]
    fn sent(&mut self, router: u32, port: u8, input: Option<(u8, u8)>) {
        of_any!(self, a => a.sent(router, port, input))
    }

    #[inline]
    fn admits(&self, view: LocalView<'_>, request: Request) -> bool {
        of_any!(self, a => a.admits(view, request))
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, request: Request, useful: u16) -> bool {
        of_any!(self, a => a.admits_by_any(view, request, useful))
    }

    #[inline]
    fn gauges(&self) -> Gauges {
        of_any!(self, a => a.gauges())
    }
}

#[cfg(test)]
mod tests;
