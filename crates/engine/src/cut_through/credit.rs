//! Credits: free flits of the buffer downstream, as the router upstream knows them.
//!
//! A packet's flits leave one a cycle, so the credits that come back while it leaves are a ramp known from its grant.
//! Where packets have one length and buffers hold a whole number of them only the top of the ramp matters, and a credit
//! is one addition a packet. Otherwise the ramp itself is kept: the free flits in the router's state, plus one for every
//! cycle since `since`, or every few where a packet leaves by a narrow link, up to `length`.

use super::fabric::Fabric;
use super::hot::{Hot, known};
use super::mechanisms::Mechanisms;
use super::returns::{Event, Ramp};
use super::share::What;
use super::tables::Id;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Free flits of a channel in cycle `now`; negative while packets were granted against a ramp still coming.
    #[inline]
    pub(super) fn free(&self, router: Id, port: usize, channel: usize, now: u64) -> i32 {
        let base = i32::from(self.routers.at(router).credits(port, channel));
        if self.returns.whole() { base } else { base + self.returns.ramp(router, port, channel).height(now) as i32 }
    }

    /// The channel upstream that feeds a network input.
    #[inline(always)]
    pub(super) fn feeding<const PLAIN: bool>(&self, router: Id, input: usize) -> (Id, usize, usize) {
        let (port, channel) = self.layout.lane::<R>(input);
        let (upstream, output) = self.peers.behind(router, usize::from(port), known::<R, PLAIN>());
        (upstream, output, usize::from(channel))
    }

    #[inline]
    fn add_credits(&mut self, router: Id, port: usize, channel: usize, flits: u32) {
        self.routers.at_mut(router).add_credits(port, channel, flits as i16);
    }

    /// A whole packet's credits come back to the channel of `upstream` that feeds `input` of `router`, now.
    #[inline(always)]
    pub(super) fn credit_whole<const PLAIN: bool>(&mut self, router: Id, upstream: Id, input: usize, flits: u32) {
        let (port, channel) = self.layout.lane::<R>(input);
        let (port, channel) = (usize::from(port), usize::from(channel));
        let port = self.peers.behind(router, port, known::<R, PLAIN>()).1;
        let state = self.routers.at_mut(upstream);
        state.add_credits(port, channel, flits as i16);
        state.add_room(port, channel);
        let ready = state.wake(port);
        self.active.insert_if(upstream, ready);
    }

    /// A packet begins to leave `input` now, a flit each `period` cycles.
    pub(super) fn credit_departure(&mut self, now: u64, router: Id, input: usize, flits: u32, period: u32) {
        let (upstream, port, channel) = self.feeding::<false>(router, input);
        let lag = u64::from(if self.returns.whole() { flits * period } else { period }) - 1;
        let event = Event { router: upstream, port: port as u8, channel: channel as u8, period: period as u16, flits };
        let then = now + self.returns.delay + lag;
        if self.share.owns(upstream) {
            self.returns.events.push(then, event);
        } else {
            self.post_credit(then, event);
        }
    }

    /// The tail of a packet will have left `input` its length from now, and its credits will be back upstream in the cycle in which its tail has left:
    /// told now where another part of the network has to know in time.
    pub(super) fn credit_ahead(&mut self, now: u64, router: Id, input: usize, flits: u32) {
        let (upstream, port, channel) = self.feeding::<false>(router, input);
        if !self.share.owns(upstream) {
            let event = Event { router: upstream, port: port as u8, channel: channel as u8, period: 1, flits };
            self.post_credit(now + u64::from(flits), event);
        }
    }

    fn post_credit(&mut self, then: u64, event: Event) {
        let Event { router, port, channel, period, flits } = event;
        self.share.post(router, then, What::Credit { port, channel, period, flits });
    }

    /// Credits of another part of the network come back in cycle `then`.
    pub(super) fn credit_from_afar(&mut self, then: u64, event: Event) {
        self.returns.events.push(then, event);
    }

    /// Credits that are due in cycle `now`.
    #[inline(always)]
    pub(super) fn return_credits(&mut self, now: u64) {
        if self.returns.events.pending() == 0 {
            return;
        }
        let mut cursor = self.returns.events.open(now);
        while let Some(event) = self.returns.events.take(&mut cursor) {
            let (router, port, channel) = (event.router, usize::from(event.port), usize::from(event.channel));
            if self.returns.whole() {
                self.add_credits(router, port, channel, event.flits);
            } else if event.flits > 0 {
                // The packet before it has left completely: one packet at a time leaves a buffer.
                let at = self.returns.at(router, port, channel);
                let ramp = Ramp { since: now, length: event.flits, period: event.period.into() };
                let before = std::mem::replace(&mut self.returns.ramps[at], ramp);
                self.add_credits(router, port, channel, before.length);
            }
            self.look_for_room(now, router, port, channel);
        }
    }

    /// Sets the room bit of a channel if there is room; otherwise plans to look when its ramp will be high enough.
    pub(super) fn look_for_room(&mut self, now: u64, router: Id, port: usize, channel: usize) {
        let free = self.free(router, port, channel, now);
        if free >= i32::from(self.shortest) {
            self.has_room(router, port, channel);
        } else if !self.returns.whole() {
            let more = (i32::from(self.shortest) - free) as u32;
            if let Some(then) = self.returns.rises_by(router, port, channel, now, more) {
                let look = Event { router, port: port as u8, channel: channel as u8, period: 1, flits: 0 };
                self.returns.events.push(then, look);
            }
        }
    }

    #[inline]
    fn has_room(&mut self, router: Id, port: usize, channel: usize) {
        let state = self.routers.at_mut(router);
        state.add_room(port, channel);
        let ready = state.wake(port);
        self.active.insert_if(router, ready);
    }
}
