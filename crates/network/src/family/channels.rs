//! Virtual channels of links, where links of a kind have fewer than the router has.

use super::params::refusal;
use crate::graph::LinkKind;
use tailback_spec::{Fallback, Kind, Param, SpecError, View};

/// The virtual channels of links within groups.
pub const LOCAL: Param = channels(
    "local_channels",
    "Virtual channels of a link within a group, at most `router.virtual_channels`; \"auto\" is as many.",
);

/// The virtual channels of links between groups.
pub const GLOBAL: Param = channels(
    "global_channels",
    "Virtual channels of a link between groups, at most `router.virtual_channels`; \"auto\" is as many.",
);

const fn channels(name: &'static str, doc: &'static str) -> Param {
    let kind = Kind::IntegerOrAuto { min: 1, max: 16 };
    Param { name, kind, unit: "channels", fallback: Fallback::Text("auto"), doc }
}

/// How many virtual channels links have by their kind; those of the router where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkChannels {
    local: Option<u32>,
    global: Option<u32>,
}

impl LinkChannels {
    /// Those of a family that has both parameters.
    pub(super) fn of_groups(view: View) -> Self {
        let of = |name| view.finite(name).map(|channels| channels as u32);
        LinkChannels { local: of(LOCAL.name), global: of(GLOBAL.name) }
    }

    /// Those of a link, out of as many as a router has.
    pub fn of(self, kind: LinkKind, channels: u32) -> u32 {
        let own = if kind == LinkKind::Global { self.global } else { self.local };
        own.unwrap_or(channels)
    }

    /// Those that every link has.
    pub fn everywhere(self, channels: u32) -> u32 {
        [self.local, self.global].into_iter().flatten().fold(channels, u32::min)
    }

    /// Why links cannot have so many where a router has `channels`.
    pub fn refused(self, channels: u32) -> Option<SpecError> {
        let given = [(LOCAL, self.local), (GLOBAL, self.global)];
        let (param, more) = given.iter().find_map(|(param, own)| Some((param, own.filter(|&own| own > channels)?)))?;
        let message = format!(
            "a link would have {more} virtual channels, and router.virtual_channels is {channels}: the most that a link has"
        );
        let error = refusal(&format!("topology.{}", param.name), message);
        Some(error.help(format!("set router.virtual_channels to {more}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_their_own_channels_or_those_of_the_router() {
        let none = LinkChannels::default();
        assert_eq!((none.of(LinkKind::Global, 4), none.everywhere(4), none.refused(1)), (4, 4, None));
        let fewer = LinkChannels { global: Some(2), ..none };
        assert_eq!([LinkKind::Global, LinkKind::Local, LinkKind::Up].map(|kind| fewer.of(kind, 4)), [2, 4, 4]);
        assert_eq!((fewer.everywhere(4), fewer.refused(2)), (2, None));
        assert_eq!(fewer.refused(1).expect("a link has two").path, "topology.global_channels");
    }
}
