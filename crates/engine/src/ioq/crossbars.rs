//! The state of crossbars: which ports are idle, and who asks for them.

use super::shape::{Row, Shape};
use super::sides::Ingress;
use crate::contract::queueing::Queueing;
use crate::mask::{Mask, ones_below};
use tailback_base::bits::BitSet;

/// A crossbar.
#[derive(Clone, Debug)]
pub(super) struct Switch<S: Shape> {
    /// Ingress ports that send nothing.
    pub idle_inputs: S::Ports,
    /// Egress ports that receive nothing.
    pub idle_outputs: S::Ports,
    /// Egress ports with a bit in `askers`, by class.
    pub wanted: [S::Ports; 2],
    /// The egress port that comes first.
    pub pointer: u8,
    /// By egress port: ingress ports with a queue in `asks` that is not held and is preferred, and with one that is deferred.
    pub askers: S::Askers,
}

/// All crossbars.
#[derive(Clone, Debug)]
pub(super) struct Crossbars<S: Shape> {
    pub switches: Vec<Switch<S>>,
    /// Switches in which something may be granted.
    pub look: BitSet,
}

tailback_base::state!([S: Shape] Switch<S> { saved: idle_inputs, idle_outputs, wanted, pointer, askers; });
tailback_base::state!([S: Shape] Crossbars<S> { saved: switches, look; });

impl<S: Shape> Crossbars<S> {
    /// So many, idle, with so many ports.
    pub fn new(switches: usize, ports: usize) -> Self {
        Crossbars { switches: vec![Switch::new(ports); switches], look: BitSet::new(switches) }
    }

    /// The first packet of a queue of an ingress side asks for a port from now on. `words`: those of a set of queues.
    #[inline(always)]
    pub fn ask<Q: Queueing>(&mut self, side: &mut Ingress<Q, S>, queue: usize, port: usize, words: usize) {
        let (class, may) = side.ask(queue, port, words);
        let switch = side.switch as usize;
        let grantable = self.switches[switch].ask((side.port, port), class, may);
        self.look.insert_if(switch, grantable);
    }

    /// A queue of an ingress side does not ask for a port any more.
    #[inline(always)]
    pub fn ask_no_more<Q: Queueing>(&mut self, side: &mut Ingress<Q, S>, queue: usize, port: usize, words: usize) {
        if let Some(class) = side.ask_no_more(queue, port, words) {
            self.switches[side.switch as usize].ask_no_more((side.port, port), class);
        }
    }

    /// What asks for a port from an ingress side, or may be sent there, has changed.
    #[inline(always)]
    pub fn rate<Q: Queueing>(&mut self, side: &Ingress<Q, S>, port: usize, words: usize) {
        let mut ready = side.ready(port, words, 0);
        for word in 1..words {
            ready[0] |= side.ready(port, words, word)[0];
        }
        self.switches[side.switch as usize].rate((side.port, port), ready.map(|ready| ready != 0));
    }

    /// A packet is through a crossbar.
    #[inline(always)]
    pub fn free(&mut self, switch: usize, input: u8, port: u8) {
        let grantable = self.switches[switch].free(input, port);
        self.look.insert_if(switch, grantable);
    }
}

impl<S: Shape> Switch<S> {
    /// With so many ports, idle.
    pub fn new(ports: usize) -> Self {
        let (all, none) = (Mask::of(ones_below(ports)), Mask::of(0));
        let askers = S::Askers::of([none; 2], ports);
        Switch { idle_inputs: all, idle_outputs: all, wanted: [none; 2], pointer: 0, askers }
    }

    /// A queue of an ingress port asks for an egress port in a class, if `may` is 1; 1 if it could be granted, else 0.
    #[inline(always)]
    fn ask(&mut self, (input, port): (u8, usize), class: u64, may: u64) -> u64 {
        let class = class as usize & 1;
        let askers = &mut self.askers.at_mut(port)[class];
        *askers = Mask::of(askers.get() | may << input);
        self.wanted[class] = Mask::of(self.wanted[class].get() | may << port);
        may & self.idle_inputs.get() >> input & self.idle_outputs.get() >> port
    }

    /// No queue of an ingress port asks for an egress port in a class.
    #[inline(always)]
    fn ask_no_more(&mut self, (input, port): (u8, usize), class: usize) {
        let askers = &mut self.askers.at_mut(port)[class & 1];
        *askers = Mask::of(askers.get() & !(1 << input));
        let nobody = u64::from(askers.get() == 0);
        self.wanted[class & 1] = Mask::of(self.wanted[class & 1].get() & !(nobody << port));
    }

    /// Whether queues of an ingress port ask for an egress port, by class.
    #[inline(always)]
    fn rate(&mut self, (input, port): (u8, usize), ready: [bool; 2]) {
        let askers = self.askers.at_mut(port);
        for class in 0..2 {
            let others = askers[class].get() & !(1 << input);
            askers[class] = Mask::of(others | u64::from(ready[class]) << input);
            let wanted = self.wanted[class].get() & !(1 << port);
            self.wanted[class] = Mask::of(wanted | u64::from(askers[class].get() != 0) << port);
        }
    }

    /// A packet takes the crossbar from an ingress port to an egress port.
    #[inline(always)]
    pub fn take(&mut self, input: usize, port: usize) {
        self.idle_inputs = Mask::of(self.idle_inputs.get() & !(1 << input));
        self.idle_outputs = Mask::of(self.idle_outputs.get() & !(1 << port));
    }

    /// It is through; 1 if something could be granted, else 0.
    #[inline(always)]
    fn free(&mut self, input: u8, port: u8) -> u64 {
        self.idle_inputs = Mask::of(self.idle_inputs.get() | 1 << input);
        self.idle_outputs = Mask::of(self.idle_outputs.get() | 1 << port);
        u64::from((self.wanted[0].get() | self.wanted[1].get()) & self.idle_outputs.get() != 0)
    }
}
