//! State-propagation throttling (SPTh): registers that tell a router which buffers downstream are busy.

use super::config::{Admission, Config, Propagation, Registers};

/// What a router knows of one direction and virtual channel: whether the buffer `m + 1` routers away is busy, by `m`.
pub type Register = Vec<bool>;

/// The registers of all routers.
#[derive(Clone, Debug)]
pub struct Throttle {
    /// By router, port and virtual channel.
    info: Vec<Vec<Vec<Register>>>,
    /// Shared link: the register of the next router as last received, by router, port and virtual channel.
    received: Vec<Vec<Vec<Register>>>,
    /// Shared link: the channel looked at first, by router and port.
    turn: Vec<Vec<usize>>,
}

impl Throttle {
    /// All registers clear.
    pub fn new(config: &Config) -> Self {
        let channels = config.virtual_channels as usize;
        let ports: Vec<Vec<Register>> =
            (0..config.ports()).map(|port| vec![vec![false; length(config, port)]; channels]).collect();
        let info = vec![ports; config.routers()];
        Throttle { received: info.clone(), turn: vec![vec![0; config.ports()]; config.routers()], info }
    }

    /// Whether a new packet that asks for these channels of `port` may ask in this cycle.
    pub fn admits(&self, config: &Config, router: usize, port: usize, channels: &[usize]) -> bool {
        let Admission::Spth { registers, .. } = config.admission else { return true };
        let clear = |channel: usize| !self.info[router][port][channel].contains(&true);
        match registers {
            Registers::Any => (0..config.virtual_channels as usize).all(clear),
            Registers::Used => channels.iter().all(|&channel| clear(channel)),
        }
    }

    /// The end of a cycle. `level(router, port, channel)` are the flits in a buffer.
    pub fn observe(&mut self, config: &Config, level: impl Fn(usize, usize, usize) -> usize) {
        let Admission::Spth { margin_flits, inclusive, propagation, .. } = config.admission else { return };
        let is_busy = |router, port, channel| {
            let free = config.buffer_flits as usize - level(router, port, channel);
            let margin = margin_flits as usize;
            if inclusive { free <= margin } else { free < margin }
        };
        let before = self.info.clone();
        let outputs = (0..config.routers()).flat_map(|router| (0..config.ports()).map(move |port| (router, port)));
        for (router, port) in outputs {
            let Some(next) = config.neighbour(router, port) else { continue };
            let sent = &before[next][port];
            match propagation {
                Propagation::Ideal => self.received[router][port].clone_from(sent),
                Propagation::SharedLink => self.receive_one(router, port, sent),
            }
            for channel in 0..config.virtual_channels as usize {
                let mut register = vec![is_busy(next, port, channel)];
                register.extend(&self.received[router][port][channel]);
                register.truncate(length(config, port));
                self.info[router][port][channel] = register;
            }
        }
    }

    /// The link carries the first register in turn that differs from what was received last.
    fn receive_one(&mut self, router: usize, port: usize, sent: &[Register]) {
        let received = &mut self.received[router][port];
        let turn = &mut self.turn[router][port];
        for i in 0..sent.len() {
            let channel = (*turn + i) % sent.len();
            if received[channel] != sent[channel] {
                received[channel].clone_from(&sent[channel]);
                *turn = (channel + 1) % sent.len();
                return;
            }
        }
    }
}

/// Bits of the registers of a port.
fn length(config: &Config, port: usize) -> usize {
    match config.admission {
        Admission::Spth { register_bits: Some(bits), .. } => bits as usize,
        Admission::Spth { .. } => (config.radix[port / 2] / 2).min(32) as usize,
        Admission::Off => 0,
    }
}
