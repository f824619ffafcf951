//! A step of a router: all stages decide on what is there at its begin, then all change it.

use super::config::{Config, HALVES};
use super::network::Network;
use super::output::IsTail;
use super::router::{Crossing, State, Wish};
use super::switch::Grant;
use crate::wormhole::packet::{Flit, Packet};

impl Network<'_> {
    /// A step of a router.
    pub(super) fn step_router(&mut self, router: usize) {
        self.look_at_nodes(router);
        self.begin_routing(router);
        let channels = self.allocate_channels(router);
        let kept = self.look_at_held(router);
        let grants = self.allocate_switch(router, &channels);
        self.begin_crossing(router);

        self.end_routing(router);
        self.give_channels(router, &channels);
        self.use_held(router, &kept);
        self.use_grants(router, &grants);
        self.end_crossing(router);
        self.queue_credits(router);
    }

    /// In each half, all heads that wait for it begin to be routed, if none is being routed.
    fn begin_routing(&mut self, router: usize) {
        let done = self.now + u64::from(self.config.routing_cycles.max(1)) - 1;
        let at = &mut self.routers[router];
        for half in HALVES {
            let places = self.config.places(router, half);
            if places.iter().any(|&(port, channel)| matches!(at.inputs[port][channel].state, State::Routing(Some(_)))) {
                continue;
            }
            for (port, channel) in places {
                let state = &mut at.inputs[port][channel].state;
                if *state == State::Routing(None) {
                    *state = State::Routing(Some(done));
                }
            }
        }
    }

    /// Heads whose routing is done ask for channels from the next step on.
    fn end_routing(&mut self, router: usize) {
        self.decide_routed(router);
        for (port, channel) in self.routers[router].places() {
            if self.routers[router].inputs[port][channel].state == State::Routing(Some(self.now)) {
                self.ask(router, port, channel);
            }
        }
    }

    /// The packet at the front of an input channel, whose state was left to it, begins. Without routing cycles it asks
    /// at once.
    pub(super) fn come_to_front(&mut self, router: usize, port: usize, channel: usize) {
        let input = &mut self.routers[router].inputs[port][channel];
        let Some(front) = input.flits.front() else {
            input.state = State::Idle;
            return;
        };
        assert_eq!(front.number, 0, "what follows a tail is a head");
        input.state = State::Routing(None);
        if self.config.routing_cycles == 0 {
            self.ask(router, port, channel);
        }
    }

    fn ask(&mut self, router: usize, port: usize, channel: usize) {
        let front = self.routers[router].inputs[port][channel].flits.front().expect("its head is there");
        let wishes = wishes(self.config, router, (port, channel), &self.packets[front.packet]);
        self.routers[router].inputs[port][channel].state = State::Asking(wishes);
    }

    /// In each half, all flits that wait for it begin to cross, if none is crossing.
    fn begin_crossing(&mut self, router: usize) {
        let through = self.now + u64::from(self.config.crossbar_cycles) - 1;
        for half in HALVES {
            let of_half = |crossing: &&mut Crossing| crossing.half == half;
            let crossbar = &mut self.routers[router].crossbar;
            if crossbar.iter_mut().filter(of_half).all(|crossing| crossing.through.is_none()) {
                crossbar.iter_mut().filter(of_half).for_each(|crossing| crossing.through = Some(through));
            }
        }
    }

    /// Flits that are through join the queues of their outputs.
    fn end_crossing(&mut self, router: usize) {
        let (now, at) = (self.now, &mut self.routers[router]);
        for crossing in at.crossbar.extract_if(.., |crossing| crossing.through == Some(now)) {
            at.queues[crossing.port].push_back((crossing.flit, crossing.channel));
        }
    }

    /// The first flit of an input channel leaves it for the crossbar.
    pub(super) fn leave(&mut self, router: usize, grant: Grant) -> Flit {
        let at = &mut self.routers[router];
        let (to_port, to_channel) = at.ready(grant.port, grant.channel).expect("it has a channel and a flit");
        let flit = at.inputs[grant.port][grant.channel].flits.pop_front().expect("it has a flit");
        at.outputs[to_port][to_channel].send(IsTail::from(flit.tail));
        at.crossbar.push(Crossing {
            flit,
            half: self.config.half(router, grant.port),
            port: to_port,
            channel: to_channel,
            through: None,
        });
        let new = at.freed[grant.port].insert(grant.channel);
        assert!(new, "a channel sends one flit in a step");
        if flit.number == 0 && self.config.node_behind(router, to_port).is_none() {
            self.packets[flit.packet].hops += 1;
        }
        self.sent += 1;
        if flit.tail {
            self.come_to_front(router, grant.port, grant.channel);
        }
        flit
    }

    /// The credits of a step's flits wait as one message of their port.
    fn queue_credits(&mut self, router: usize) {
        let at = &mut self.routers[router];
        for (freed, queue) in at.freed.iter_mut().zip(&mut at.credits) {
            if !freed.is_empty() {
                queue.push_back(std::mem::take(freed));
            }
        }
    }
}

/// What the head of a packet may take at a router which it reached by an input port and channel.
fn wishes(config: &Config, router: usize, (port, channel): (usize, usize), packet: &Packet) -> Vec<Wish> {
    let (first, many) = config.range(packet.kind);
    let from = config.node_behind(router, port).is_none().then(|| (config.input_name(router, port), channel - first));
    match config.of_kind(packet.kind).candidates(config.place(router).0, from, packet) {
        None => {
            let port = config.port_of(packet.made.destination);
            let wish = |channel| Wish { port, channel, priority: 0 };
            match config.exits(config.place(router).0) {
                [] => (first..first + many).map(wish).collect(),
                some => some.iter().copied().map(wish).collect(),
            }
        }
        Some(candidates) => {
            // What a head would rather have than an escape has a priority; where there is no escape all is alike.
            let rather = u32::from(!candidates.fallback.is_empty());
            let wish = |priority| {
                move |&(name, channel): &(usize, usize)| {
                    let port = config.output(router, name);
                    Wish { port, channel: first + channel, priority }
                }
            };
            let preferred = candidates.preferred.iter().map(wish(rather));
            let mut wishes: Vec<Wish> = preferred.chain(candidates.fallback.iter().map(wish(0))).collect();
            wishes.sort_by_key(|wish| (wish.port, wish.channel));
            wishes
        }
    }
}

/// Whether a packet's next flit is there already.
pub(super) fn goes_on(network: &Network, router: usize, grant: Grant, sent: Flit) -> bool {
    !sent.tail && !network.routers[router].inputs[grant.port][grant.channel].flits.is_empty()
}
