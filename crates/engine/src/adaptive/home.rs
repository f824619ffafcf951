//! Ejection ports: links from a router to its nodes, whose virtual channels have finite buffers at the node and share a flit a
//! cycle. A node takes every flit out of its buffers in the cycle in which it arrives.

use super::events::RouterPort;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::{Port, Router};
use super::state::{Layout, Mask, RouterState};
use crate::contract::probe::Probe;
use crate::outcome::{AuditError, expect};
use crate::wheel::Wheel;
use tailback_base::state::{Unfit, ensure};

/// The ejection ports of all routers; without any, all is empty.
#[derive(Clone, Debug)]
pub(super) struct Home<S> {
    port: Option<Port>,
    credit_cycles: u32,
    /// Ejection channels of a node.
    lanes: usize,
    /// Ejection channels of a router.
    channels: usize,
    /// By `router * channels + channel`, packets for which there is room.
    room: Vec<u32>,
    /// By router, the channels whose link is held, or pauses.
    closed: Vec<S>,
    /// Room that is known of later.
    credits: Wheel<RouterPort>,
    /// Packets that have left their router and have not come to their node.
    pub landing: Wheel<u32>,
}

tailback_base::state!([S: Members] Home<S> { saved: room, closed, credits, landing; rebuilt: port, credit_cycles, lanes, channels; });

impl<S: Members> Home<S> {
    /// All buffers of nodes are empty.
    pub fn new(config: &Router, layout: &Layout, routers: usize) -> Self {
        let port = config.ejection_port;
        let routers = if port.is_some() { routers } else { 0 };
        let channels = layout.nodes * layout.ejection;
        let Port { buffer_packets, link_cycles } = port.unwrap_or(Port { buffer_packets: 0, link_cycles: 1 });
        let nodes = routers * layout.nodes;
        let on_the_way = |cycles: u32| nodes * (2 + (cycles / config.packet_flits) as usize);
        Home {
            port,
            credit_cycles: config.credit_cycles,
            lanes: layout.ejection,
            channels,
            room: vec![buffer_packets; routers * channels],
            closed: vec![S::default(); routers],
            credits: Wheel::new(
                u64::from(link_cycles + config.credit_cycles),
                on_the_way(link_cycles + config.credit_cycles),
            ),
            landing: Wheel::new(link_cycles.into(), on_the_way(link_cycles)),
        }
    }

    /// Cycles on the link beyond the first.
    pub fn link(&self) -> u64 {
        self.port.map_or(0, |port| u64::from(port.link_cycles) - 1)
    }

    /// Whether nothing is on its way to or from a node.
    pub fn is_still(&self) -> bool {
        self.credits.pending() == 0 && self.landing.pending() == 0
    }

    /// The ejection channel whose arbiter decides who takes `channel`: the first of its link.
    #[inline]
    pub fn arbiter_of(&self, channel: usize) -> usize {
        if self.port.is_some() { channel / self.lanes * self.lanes } else { channel }
    }

    /// All channels of a channel's link.
    fn link_of(&self, channel: usize) -> S {
        S::range(channel / self.lanes * self.lanes, self.lanes)
    }

    /// Whether a packet finds room behind a channel.
    #[inline]
    pub fn has_room(&self, router: u32, channel: usize) -> bool {
        self.port.is_none() || self.room[router as usize * self.channels + channel] > 0
    }

    /// Those of some channels of a router with room behind them.
    fn with_room(&self, router: u32, channels: S) -> S {
        channels.that(|channel| self.has_room(router, channel))
    }
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// A packet is granted an ejection channel.
    #[inline]
    pub(super) fn close_ejection(&mut self, state: &mut RouterState<W, NI, NO>, router: u32, channel: usize) {
        if self.home.port.is_none() {
            state.open_ejection = state.open_ejection & !W::Set::one(channel);
            return;
        }
        let (link, closed) = (self.home.link_of(channel), &mut self.home.closed[router as usize]);
        state.open_ejection = state.open_ejection & !link;
        *closed = *closed | link;
        self.home.room[router as usize * self.home.channels + channel] -= 1;
    }

    /// The link of an ejection channel may be granted again.
    #[inline]
    pub(super) fn open_ejection(&mut self, state: &mut RouterState<W, NI, NO>, router: u32, channel: usize) {
        if self.home.port.is_none() {
            state.open_ejection = state.open_ejection | W::Set::one(channel);
            return;
        }
        let (link, closed) = (self.home.link_of(channel), &mut self.home.closed[router as usize]);
        *closed = *closed & !link;
        state.open_ejection = state.open_ejection | self.home.with_room(router, link);
    }

    /// The tail of a packet has left by an ejection channel.
    #[inline]
    pub(super) fn go_home<P: Probe, const PLAIN: bool>(
        &mut self,
        now: u64,
        router: u32,
        channel: usize,
        packet: u32,
        probe: &mut P,
    ) {
        let Some(port) = self.home.port else { return self.consume::<P, PLAIN>(now, packet, probe) };
        let back = now - 1 + u64::from(port.link_cycles + self.home.credit_cycles);
        self.home.credits.push(back, RouterPort { router, number: channel as u16 });
        match self.home.link() {
            0 => self.consume::<P, PLAIN>(now, packet, probe),
            later => self.home.landing.push(now + later, packet),
        }
    }

    /// What was on its way to nodes and from them arrives.
    #[inline]
    pub(super) fn land<P: Probe, const PLAIN: bool>(
        &mut self,
        routers: &mut [RouterState<W, NI, NO>],
        now: u64,
        probe: &mut P,
    ) {
        if self.home.port.is_none() {
            return;
        }
        let mut cursor = self.home.landing.open(now);
        while let Some(packet) = self.home.landing.take(&mut cursor) {
            self.consume::<P, PLAIN>(now, packet, probe);
        }
        let mut cursor = self.home.credits.open(now);
        while let Some(RouterPort { router, number }) = self.home.credits.take(&mut cursor) {
            let (r, channel) = (router as usize, usize::from(number));
            self.home.room[r * self.home.channels + channel] += 1;
            routers[r].open_ejection = routers[r].open_ejection | W::Set::one(channel) & !self.home.closed[r];
            self.look.insert(r);
        }
    }

    /// Ejection channels that are open where those in `held` are held, or their outputs pause.
    pub(super) fn ejection_open(&self, router: u32, held: W::Set) -> W::Set {
        let all = W::Set::range(0, self.layout.nodes * self.layout.ejection);
        if self.home.port.is_none() {
            return all & !held;
        }
        let closed = held.each().fold(W::Set::default(), |closed, channel| closed | self.home.link_of(channel));
        self.home.with_room(router, all & !closed)
    }

    /// Every place in the buffers of nodes is free, or taken, or its credit is on the way.
    pub(super) fn audit_home(&self) -> Result<(), AuditError> {
        let Some(port) = self.home.port else { return Ok(()) };
        let mut places = self.home.room.clone();
        for credit in self.home.credits.iter() {
            places[credit.router as usize * self.home.channels + usize::from(credit.number)] += 1;
        }
        for tail in self.tails.iter() {
            let (state, input) = (&self.routers[tail.router as usize], usize::from(tail.number));
            if state.ejects(input) {
                places[tail.router as usize * self.home.channels + usize::from(state.at(input).channel)] += 1;
            }
        }
        let right = places.iter().all(|&places| places == port.buffer_packets);
        expect(right, || format!("the buffers of nodes have {places:?} places, not {} each", port.buffer_packets))
    }

    /// What is on its way goes to nodes that are there.
    pub(super) fn home_fits(&self) -> Result<(), Unfit> {
        let (routers, channels) = (self.routers.len() as u32, self.home.channels);
        let there = |place: &RouterPort| place.router < routers && usize::from(place.number) < channels;
        ensure(self.home.credits.iter().all(there), "a credit comes from a node that is not there")?;
        let most = self.home.port.map_or(0, |port| port.buffer_packets);
        ensure(self.home.room.iter().all(|&room| room <= most), "a node has more room than buffers")?;
        let links = self.home.closed.iter().all(|&closed| !(closed & !W::Set::range(0, channels)).any());
        ensure(links, "a link is closed that is not there")?;
        self.packets.know(self.home.landing.iter().copied())
    }
}
