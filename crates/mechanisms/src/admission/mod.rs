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

use crate::Refusal;
use tailback_base::bits::ones;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, Gauges, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;
use tailback_spec::{Entry, View};

/// The network that a throttle is for.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Its tables.
    pub grid: &'a Grid,
    /// Virtual channels of a link.
    pub channels: u32,
    /// Depth of an input buffer \[flits\].
    pub buffer_flits: u32,
}

/// How packets move in it.
#[derive(Clone, Copy, Debug)]
pub struct Switching {
    /// Whether flits are sent one by one, so that they can be counted.
    pub by_flits: bool,
    /// Whether routing leaves a packet a choice of ports.
    pub adaptive: bool,
    /// Whether links have virtual channels. A port of an input-output-queued switch has one channel, which is free while its egress
    /// side holds no packet.
    pub by_channels: bool,
    /// Whether the packets in a buffer share its room. Else it is divided among queues, and where no packets go to one it is never full.
    pub shared_buffers: bool,
}

crate::registry::registry! {
    /// A throttle that a spec can name.
    Admission: off::Off, spth::Spth, self_tuned::SelfTuned, global_threshold::GlobalThreshold, alo::Alo, u_channels::UChannels,
        busy_channels::BusyChannels, entropy::Entropy, inc::Inc;
    beside rule::Rule, local_rule::LocalRule;

    section {
        path: "admission",
        doc: "Throttling: when a new packet may ask for the network.",
        default: off,
        params: &[],
        idle: side_band::IDLE
    }

    /// Builds the throttle of a resolved `admission` section, with nothing known of the network.
    pub fn build(view: View, site: Site) -> Any;

    /// Why a resolved `admission` section does not go with this network.
    pub fn objection(view: View, site: Site, switching: Switching) -> Option<Refusal> { None }

    /// Whether [`objection`] goes by the radices of the network.
    const MINDS_RADICES as minds_radices: bool = false;

    impl State {
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }

    impl Admission {
        #[inline]
        fn is_active(&self) -> bool;
        fn is_local(&self) -> bool;
        fn needs_occupancy(&self) -> bool;
        #[inline]
        fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>);
        #[inline]
        fn delivered(&mut self, router: u32, flits: u32);
        fn watches_flits(&self) -> bool;
        #[inline]
        fn sent(&mut self, router: u32, port: u8, input: Option<(u8, u8)>);
        #[inline]
        fn admits(&self, view: LocalView<'_>, request: Request) -> bool;
        #[inline]
        fn admits_by_any(&self, view: LocalView<'_>, request: Request, useful: u16) -> bool;
        #[inline]
        fn gauges(&self) -> Gauges;
    }
}

/// None: every new packet may ask at once.
pub fn off() -> Any {
    Any::Off(off::Off)
}

/// Whether a resolved `admission` section asks for no throttle.
pub fn is_off(view: View) -> bool {
    view.kind() == off::ENTRY.name
}

/// The objection of a throttle that counts flits where nothing else does.
fn counts_flits(entry: &Entry, switching: Switching) -> Option<Refusal> {
    (!switching.by_flits).then(|| Refusal {
        path: "admission",
        message: format!(
            "{} measures the flow of single flits, and under this kind of router packets move as wholes: nothing counts their flits",
            entry.name
        ),
        help: "set router.kind to \"wormhole\", or choose another throttle".to_owned(),
    })
}

/// The objection of a throttle that asks whether buffers are full where they hardly ever are.
fn asks_for_full_buffers(entry: &Entry, switching: Switching) -> Option<Refusal> {
    (!switching.shared_buffers).then(|| Refusal {
        path: "admission",
        message: format!(
            "{} asks which memories are full, and a memory that is divided among queues is not full before all of its queues are: \
             those for ports or nodes that no packet goes to from there stay empty",
            entry.name
        ),
        help: "take a discipline whose queues share the memory (single, damq, recn), or admission = \"alo\"".to_owned(),
    })
}

/// Per port of a mask, the channels that a packet could take, as masks.
#[inline]
fn free_channels(view: LocalView<'_>, ports: u16) -> impl Iterator<Item = u16> {
    ones(u64::from(ports)).map(move |port| view.room[port] & view.all)
}

#[cfg(test)]
mod tests;
