//! The window of a head: the 64 channels among which it has its candidates. Of a router with more channels than that it begins
//! at the port that the head asks for.

use crate::contract::routing::{Candidates, Head, Routing};
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use tailback_base::state::State;

/// The first channel of the window in which a head has its candidates.
pub(super) trait First: Copy + Default + Debug + Send + Sync + State {
    /// The channel.
    fn get(self) -> usize;

    /// The bit of a channel in the window, if it is one of it.
    fn bit(self, channel: usize) -> u64;

    /// A port with so many channels, counted from that of the window, if it is one of it.
    fn port(self, port: u8, channels: u32) -> Option<u8>;

    /// The channels that a head may take, `channels` a port, and where its window begins.
    fn candidates(
        routing: &impl Routing,
        head: Head,
        packet: &Packet,
        channels: u32,
        word: &mut u32,
    ) -> (Self, Candidates);
}

/// All channels of the router are in the window.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Lowest;

impl First for Lowest {
    #[inline(always)]
    fn get(self) -> usize {
        0
    }

    #[inline(always)]
    fn bit(self, channel: usize) -> u64 {
        1 << channel
    }

    #[inline(always)]
    fn port(self, port: u8, _channels: u32) -> Option<u8> {
        Some(port)
    }

    #[inline(always)]
    fn candidates(
        routing: &impl Routing,
        head: Head,
        packet: &Packet,
        channels: u32,
        word: &mut u32,
    ) -> (Self, Candidates) {
        (Lowest, routing.candidates(head, packet, channels, word))
    }
}

/// A routing offers a head channels of one port, with which the window begins.
impl First for u16 {
    #[inline]
    fn get(self) -> usize {
        self.into()
    }

    #[inline]
    fn bit(self, channel: usize) -> u64 {
        let place = channel.wrapping_sub(self.into());
        if place < 64 { 1 << place } else { 0 }
    }

    fn port(self, port: u8, channels: u32) -> Option<u8> {
        (u32::from(port) * channels == u32::from(self)).then_some(0)
    }

    fn candidates(
        routing: &impl Routing,
        head: Head,
        packet: &Packet,
        channels: u32,
        word: &mut u32,
    ) -> (Self, Candidates) {
        let request = routing.request(head, packet, word);
        let preferred = request.port.map_or(0, |_| request.channels.into());
        let first = request.port.map_or(0, |port| u16::from(port) * channels as u16);
        (first, Candidates { preferred, fallback: 0 })
    }
}

tailback_base::plain!(Lowest);
