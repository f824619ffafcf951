//! Priorities: whose flits come first, and which channels heads would rather have. Only some allocators look at them.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::router::Priority;
use crate::contract::routing::Routing;

/// What a flit with a channel has over a head without one where both ask the same allocator.
pub(super) const WITH_CHANNEL: u64 = 1 << 63;

/// What an empty buffer counts for beside what routing prefers.
const EMPTY: u64 = 2;

/// Channels of a port that a head asks for; none where the mask is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// The port, at the router.
    pub port: usize,
    /// The channels.
    pub channels: u16,
    /// How much they count for the head.
    pub rank: u64,
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// The priority of what is at the front of an input channel.
    #[inline(always)]
    pub(super) fn priority(&self, router: usize, n: usize) -> u64 {
        match self.config.priority {
            Priority::None => 0,
            other => self.priority_by(other, self.first(router) * self.layout.channels + n),
        }
    }

    #[cold]
    fn priority_by(&self, priority: Priority, at: usize) -> u64 {
        let (input, classes) = (&self.inputs[at], self.layout.classes);
        let of = |place: u16| {
            let place = usize::from(input.front.wrapping_add(place) & self.layout.ring_mask);
            let packet = self.rings[at * self.layout.ring + place].packet;
            priority.of_packet(&self.packets[packet], classes)
        };
        match priority {
            Priority::Queue => input.level.into(),
            _ if self.config.donates_priority => (0..input.packets).map(of).max().unwrap_or(0),
            _ => of(0),
        }
    }

    /// What the head of an input channel asks for: what it would rather have, and the rest.
    #[inline(always)]
    pub(super) fn wishes(&self, router: usize, n: usize) -> [Wish; 2] {
        let input = &self.inputs[self.first(router) * self.layout.channels + n];
        let all = Wish { port: input.port.into(), channels: input.channels, rank: 0 };
        if !self.has_lesser {
            return [all, Wish { channels: 0, ..all }];
        }
        self.preferred_and_rest(router, n, all)
    }

    #[cold]
    fn preferred_and_rest(&self, router: usize, n: usize, all: Wish) -> [Wish; 2] {
        let packet = &self.packets[self.front(self.first(router) * self.layout.channels + n).packet];
        let lesser = self.parts.routing.lesser(self.head_at(router, n), packet);
        let Some(port) = lesser.port.map(|name| self.layout.links(router).port(name)) else {
            return [all, Wish { channels: 0, ..all }];
        };
        let own = if port == all.port { all.channels & !lesser.channels } else { all.channels };
        [Wish { channels: own, rank: 1, ..all }, Wish { port, channels: lesser.channels, rank: 0 }]
    }

    /// How much a channel counts for a head that asks for it.
    pub(super) fn rank_of(&self, router: usize, wish: Wish, channel: usize) -> u64 {
        let output = &self.outputs[(self.first(router) + wish.port) * self.layout.channels + channel];
        let empty = self.config.prefers_empty && u32::from(output.credits) == self.config.buffer_flits;
        wish.rank + if empty { EMPTY } else { 0 }
    }
}
