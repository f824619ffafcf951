//! Buffers that differ from one virtual channel of a link to the next.

use tailback_spec::{Fallback, Kind, Param, SpecError, View};

/// The buffer of each channel.
pub const CHANNEL_BUFFER_FLITS: Param = Param {
    name: "channel_buffer_flits",
    kind: Kind::Integers { min: 1, max: 32767, min_len: 0, max_len: 16 },
    unit: "flits",
    fallback: Fallback::Integers(&[]),
    doc: "Sizes of the input buffers of the virtual channels of a link, one for each channel in their order; [] gives every channel \
        buffer_flits.",
};

fn listed(view: View) -> Vec<u32> {
    if view.has(CHANNEL_BUFFER_FLITS.name) { view.u32s(CHANNEL_BUFFER_FLITS.name) } else { Vec::new() }
}

/// The largest buffer of a resolved `router` section \[flits\].
pub fn largest(view: View) -> u32 {
    listed(view).into_iter().max().unwrap_or(view.u32("buffer_flits"))
}

/// The buffer of each channel, where a resolved `router` section names them.
pub fn by_channel(view: View) -> Option<[u16; 16]> {
    let list = listed(view);
    (!list.is_empty()).then(|| std::array::from_fn(|c| list.get(c).map_or(0, |&flits| flits as u16)))
}

/// A list that does not have a buffer for each channel.
pub fn objection(view: View) -> Option<SpecError> {
    let buffers = listed(view).len() as u32;
    if buffers == 0 {
        return None;
    }
    let channels = view.u32("virtual_channels");
    let message = format!("router.virtual_channels is {channels}, and the list has {buffers} buffers");
    (buffers != channels)
        .then(|| SpecError::at("router.channel_buffer_flits", message).help("give one size for each channel"))
}

/// Throttles know one size.
pub fn throttled(view: View) -> Option<SpecError> {
    let message = "throttles judge how full a buffer is by one size of buffers, and these have several";
    let help = "leave admission out, or take router.buffer_flits";
    (!listed(view).is_empty()).then(|| SpecError::at("router.channel_buffer_flits", message).help(help))
}
