//! Who waits for whom.

use super::fabric::Fabric;
use super::layout::End;
use super::mechanisms::Mechanisms;
use super::state::Doing;
use crate::snapshot::{Need, Side, Snapshot};
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Who waits for whom. A buffer drains one day if its front packet may move: if it has, or may yet be given, a channel of its node, or one
    /// whose buffer drains, or that still has room. For as long as there is room a packet moves on, perhaps wholly. Those that wait for
    /// ever fill the buffers that they wait for, so that each is found in time.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new(self.network.most_ports());
        for at in 0..self.channels() {
            let router = self.layout.router[at / self.layout.channels] as usize;
            self.head(&mut snapshot, router, at);
        }
        snapshot
    }

    fn head(&self, snapshot: &mut Snapshot, router: usize, at: usize) {
        let (input, channels, first) = (&self.inputs[at], self.layout.channels, self.first(router));
        let port = first + usize::from(input.port);
        let going = input.doing == Doing::Going;
        let moves = going && self.outputs[port * channels + usize::from(input.channel)].credits > 0;
        let open = self.looks && input.doing == Doing::Routing;
        if input.level == 0 || input.doing == Doing::Nothing || moves || open {
            snapshot.nobody();
            return;
        }
        if going {
            self.ways(snapshot, router, (input.port.into(), 1 << input.channel), 1);
        } else {
            let needed = if self.is_shared() { 1 } else { self.config.buffer_flits };
            for wish in self.wishes(router, at - first * channels).into_iter().filter(|wish| wish.channels != 0) {
                self.ways(snapshot, router, (wish.port, wish.channels), needed);
            }
        }
        let n = at - first * channels;
        let (side, name) = match self.layout.entry(router, n) {
            Some(entry) => (Side::Link, entry),
            None => (Side::Node, (self.layout.behind_links(router, n / channels), (n % channels) as u8)),
        };
        let packet = self.rings[at * self.layout.ring + usize::from(input.front)].packet;
        snapshot.head(side, self.layout.own(router), name, self.packets[packet]);
    }

    /// The ways of a head by channels of a port, whose buffers must have so many flits of room.
    fn ways(&self, snapshot: &mut Snapshot, router: usize, (local, mask): (usize, u16), needed: u32) {
        let (port, channels) = (self.first(router) + local, self.layout.channels);
        let End::Port(far) = self.layout.ahead[port].end else { return snapshot.way_home() };
        let name = self.layout.links(router).name(local).into();
        for channel in ones(mask.into()) {
            let behind = far as usize * channels + channel;
            let room = self.config.buffer_flits - u32::from(self.inputs[behind].level);
            let credits = self.outputs[port * channels + channel].credits;
            snapshot.way(name, channel, Some(credits.into()), (room < needed).then_some(Need::of(behind)));
        }
    }
}
