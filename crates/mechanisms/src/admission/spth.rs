//! State-propagation throttling (SPTh): a node holds a new packet while any buffer along its first direction is busy.
//!
//! Paper:    `spth-2015` sections 4.1 to 4.3 and 5.4.5.
//! Acts:     `observe`, once a cycle; `admit`, once per waiting packet per cycle.
//! Sees:     own VCinfo registers; they learn of remote buffers over neighbour wires, a cycle a hop.
//! State:    one register a router, output and virtual channel: bit `m` is the buffer `m + 1` routers downstream.
//! Differs from the paper: where it is silent parameters choose (`registers`, `inclusive`). Under adaptive routing, which it
//! does not treat, a packet is held only while a buffer along each of its useful directions is busy.

use super::{Listed, Site, Switching};
use crate::{Refusal, routing};
use tailback_base::bits::ones;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// State-propagation throttling.
pub static ENTRY: Entry = Entry {
    name: "spth",
    summary: "holds a packet while a buffer along its first direction is busy (state-propagation throttling)",
    paper: "spth-2015 section 4",
    ideal: false,
    params: &[
        Param {
            name: "margin_flits",
            kind: Kind::Integer { min: 0, max: 65535 },
            unit: "flits",
            fallback: Fallback::Integer(0),
            doc: "A buffer is busy when at most this number of flits is free: th(0), th(8) (spth-2015 section 4.3).",
        },
        Param {
            name: "inclusive",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(true),
            doc: "Busy when free <= margin (true) or free < margin (false); spth-2015 says both (5.2, 5.3).",
        },
        Param {
            name: "level",
            kind: Kind::Choice(&[
                (
                    "edge",
                    "before the departures of the cycle, as a register at the clock edge sees it: a flit that streams through counts",
                ),
                ("departed", "after the departures of the cycle: a flit that streams through does not count"),
            ]),
            unit: "",
            fallback: Fallback::Text("edge"),
            doc: "When in a cycle the flits in a buffer are counted.",
        },
        Param {
            name: "register_bits",
            kind: Kind::IntegerOrAuto { min: 0, max: 64 },
            unit: "routers",
            fallback: Fallback::Text("auto"),
            doc: "Length of a VCinfo register; \"auto\" is k/2 of its dimension, at most 32 (spth-2015 section \
                5.4.4); 0 \
                  never throttles.",
        },
        Param {
            name: "registers",
            kind: Kind::Choice(&[
                ("any", "every virtual channel of the direction"),
                ("used", "the virtual channels that the packet asks for"),
            ]),
            unit: "",
            fallback: Fallback::Text("any"),
            doc: "Which registers of the first direction hold a packet.",
        },
        Param {
            name: "propagation",
            kind: Kind::Choice(&[
                ("ideal", "every register moves a hop each cycle (spth-2015 section 4.1)"),
                ("shared_link", "one changed register per link and cycle, round robin (spth-2015 section 5.4.5)"),
            ]),
            unit: "",
            fallback: Fallback::Text("ideal"),
            doc: "How registers travel against the packets.",
        },
    ],
};

/// Where registers do not tell more.
const IDLE: &[Idle] = &[
    Idle {
        keys: &["margin_flits", "inclusive", "level", "registers", "propagation"],
        when: &[When::Is(".register_bits", &["0"])],
        because: "a register without bits never throttles",
    },
    Idle {
        keys: &["kind", "level", "register_bits", "registers", "propagation"],
        when: &[When::Is(".kind", &["spth"]), When::Is(".inclusive", &["false"]), When::Is(".margin_flits", &["0"])],
        because: "no buffer has less than 0 flits free, so none is ever busy",
    },
    Idle {
        keys: &["level"],
        when: &[When::Is("router.kind", &["wormhole", "input_output_queued"])],
        because: "this router counts the flits in its buffers at the end of the cycle",
    },
    Idle {
        keys: &["registers"],
        when: &[When::Where("a packet asks for all channels of its port", routing::gives_all_channels)],
        because: "they are the registers of all channels in either way",
    },
    Idle {
        keys: &["propagation"],
        when: &[When::Where("there is one virtual channel", has_one_channel)],
        because: "a link never has more than one register to carry",
    },
];

fn has_one_channel(spec: &Resolved, _own: View<'_>) -> bool {
    !spec.view("router").has("virtual_channels") || spec.view("router").u32("virtual_channels") == 1
}

/// One dimension's wires: where a register of one direction comes from.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// Router id step to the next router in the direction.
    stride: usize,
    radix: usize,
    wrap: bool,
    mask: u64,
}

/// VCinfo registers of all routers.
#[derive(Clone, Debug)]
pub struct Spth {
    lanes: Vec<Lane>,
    routers: usize,
    channels: usize,
    /// A buffer is busy from this level on \[flits\].
    busy_level: u32,
    any: bool,
    shared_link: bool,
    /// The levels of this cycle at the clock edge, where they count; else empty.
    edge: Vec<u16>,
    /// Registers by `(port * channels + channel) * routers + router`.
    registers: Vec<u64>,
    /// Ideal propagation: scratch for what all routers send of one port and channel.
    sent: Vec<u64>,
    /// Shared link: the next router's registers as last received, as `registers`.
    received: Vec<u64>,
    /// Shared link: the channel to look at first, by `port * routers + router` of the receiver.
    turn: Vec<u8>,
}

tailback_base::state!([] Spth {
    saved: registers, sent, received, turn;
    rebuilt: lanes, routers, channels, busy_level, any, shared_link, edge;
} [fits]);

impl Spth {
    /// That registers are no longer than they are, and that it is the turn of a channel.
    fn fits(&self) -> Result<(), Unfit> {
        let each = self.channels * self.routers;
        let shown = |(at, &register): (usize, &u64)| register & !self.lanes[at / each / 2].mask == 0;
        let registers = [&self.registers, &self.received].iter().all(|all| all.iter().enumerate().all(shown));
        let turns = self.turn.iter().all(|&turn| usize::from(turn) < self.channels);
        ensure(registers && turns, "a register shows more buffers than it can")
    }

    fn at(&self, port: usize, channel: usize) -> usize {
        (port * self.channels + channel) * self.routers
    }

    /// Whether no register of a direction that counts for a packet on `channels` shows a busy buffer.
    #[inline]
    fn is_clear(&self, router: u32, port: usize, channels: u16) -> bool {
        let first = self.at(port, 0) + router as usize;
        (0..self.channels).all(|c| {
            let counts = self.any || channels >> c & 1 == 1;
            !counts || self.registers[first + c * self.routers] == 0
        })
    }

    /// A cycle ends. `levels_of(port, channel)`: the flits in the buffers that these feed, by router.
    fn shift<'a>(&mut self, levels_of: impl Fn(usize, usize) -> &'a [u16]) {
        if self.shared_link {
            self.shift_shared(levels_of);
        } else {
            self.shift_all(levels_of);
        }
    }

    /// `info_r := (info_next << 1 | busy(next)) & mask` for all routers, from this cycle's values.
    fn shift_all<'a>(&mut self, levels_of: impl Fn(usize, usize) -> &'a [u16]) {
        for port in 0..2 * self.lanes.len() {
            let lane = self.lanes[port / 2];
            for channel in 0..self.channels {
                let at = self.at(port, channel);
                let levels = levels_of(port, channel);
                let busy_level = self.busy_level;
                let now = &mut self.registers[at..at + self.routers];
                // What the register of each router sends against the packets: itself behind its own buffer's bit.
                for ((sent, register), &level) in self.sent.iter_mut().zip(now.iter()).zip(levels) {
                    *sent = (register << 1 | u64::from(u32::from(level) >= busy_level)) & lane.mask;
                }
                receive(lane, port % 2 == 0, &self.sent, now);
            }
        }
    }

    /// As [`Spth::shift_all`], but a link between two routers carries one changed register a cycle. A router sees the
    /// state of the adjacent buffer by itself (the handshake of the link), so bit 0 is always fresh.
    fn shift_shared<'a>(&mut self, levels_of: impl Fn(usize, usize) -> &'a [u16]) {
        for port in 0..2 * self.lanes.len() {
            let (lane, up) = (self.lanes[port / 2], port % 2 == 0);
            for r in 0..self.routers {
                if let Some(next) = next_router(lane, up, r) {
                    self.receive_changed(port, r, next);
                }
            }
            for channel in 0..self.channels {
                let at = self.at(port, channel);
                let levels = levels_of(port, channel);
                for r in 0..self.routers {
                    let Some(next) = next_router(lane, up, r) else { continue };
                    let busy = u64::from(u32::from(levels[next]) >= self.busy_level);
                    self.registers[at + r] = (self.received[at + r] << 1 | busy) & lane.mask;
                }
            }
        }
    }

    /// The link from `next` to `r` carries the first changed register in turn.
    fn receive_changed(&mut self, port: usize, r: usize, next: usize) {
        let turn = usize::from(self.turn[port * self.routers + r]);
        for channel in (turn..self.channels).chain(0..turn) {
            let at = self.at(port, channel);
            if self.registers[at + next] != self.received[at + r] {
                self.received[at + r] = self.registers[at + next];
                self.turn[port * self.routers + r] = ((channel + 1) % self.channels) as u8;
                return;
            }
        }
    }
}

fn lanes(grid: &Grid, bits: Option<u64>) -> Vec<Lane> {
    let mut stride = 1;
    grid.radix()
        .iter()
        .zip(grid.wrap())
        .map(|(&k, &wrap)| {
            let bits = bits.unwrap_or(u64::from(k / 2).min(32));
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            let lane = Lane { stride, radix: k as usize, wrap, mask };
            stride *= k as usize;
            lane
        })
        .collect()
}

/// Router `r` receives what the next router in the direction sends; the end of a mesh receives nothing.
fn receive(lane: Lane, up: bool, sent: &[u64], into: &mut [u64]) {
    let block = lane.stride * lane.radix;
    for (sent, into) in sent.chunks_exact(block).zip(into.chunks_exact_mut(block)) {
        let (inner, edge) = (block - lane.stride, lane.stride);
        if up {
            into[..inner].copy_from_slice(&sent[edge..]);
            if lane.wrap {
                into[inner..].copy_from_slice(&sent[..edge]);
            }
        } else {
            into[edge..].copy_from_slice(&sent[..inner]);
            if lane.wrap {
                into[..edge].copy_from_slice(&sent[inner..]);
            }
        }
    }
}

/// The router after `r` in the direction, by its id alone.
fn next_router(lane: Lane, up: bool, r: usize) -> Option<usize> {
    let x = r / lane.stride % lane.radix;
    let last = lane.radix - 1;
    match (up, x) {
        (true, x) if x < last => Some(r + lane.stride),
        (false, x) if x > 0 => Some(r - lane.stride),
        (true, _) => lane.wrap.then(|| r - last * lane.stride),
        (false, _) => lane.wrap.then(|| r + last * lane.stride),
    }
}

impl Listed for Spth {
    const IDLE: &'static [Idle] = IDLE;

    fn build(view: View, Site { grid, channels, buffer_flits }: Site) -> Self {
        let (routers, channels) = (grid.routers(), channels as usize);
        let margin = view.u32("margin_flits");
        let busy_level = match view.bool("inclusive") {
            true => buffer_flits.saturating_sub(margin),
            false => (buffer_flits + 1).saturating_sub(margin),
        };
        let shared_link = view.text("propagation") == "shared_link";
        let size = grid.ports() * channels * routers;
        Spth {
            lanes: lanes(grid, view.finite("register_bits")),
            routers,
            channels,
            busy_level,
            any: view.text("registers") == "any",
            shared_link,
            edge: vec![0; if view.text("level") == "edge" { size } else { 0 }],
            registers: vec![0; size],
            sent: vec![0; if shared_link { 0 } else { routers }],
            received: vec![0; if shared_link { size } else { 0 }],
            turn: vec![0; if shared_link { grid.ports() * routers } else { 0 }],
        }
    }

    /// Registers that adaptive routing has no use for, a margin that no buffer leaves free, and buffers that are never full.
    fn objection(view: View, site: Site, switching: Switching) -> Option<Refusal> {
        if let Some(refusal) = super::asks_for_full_buffers(&ENTRY, switching) {
            return Some(refusal);
        }
        if switching.adaptive && view.text("registers") == "used" {
            let message = "under adaptive routing a packet asks for other channels in each direction, so there is no one set of \
                           used registers";
            let help = "set admission.registers to \"any\"".to_owned();
            return Some(Refusal { path: "admission", message: message.to_owned(), help });
        }
        let (margin, buffer) = (view.u32("margin_flits"), site.buffer_flits);
        let always = if view.bool("inclusive") { margin >= buffer } else { margin > buffer };
        always.then(|| Refusal {
            path: "admission.margin_flits",
            message: format!(
                "with a margin of {margin} flits a buffer of {buffer} is busy even when it is empty: nothing would ever be \
                 injected"
            ),
            help: format!("take less than {buffer}"),
        })
    }
}

impl Admission for Spth {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, _cycle: u64, occupancy: Option<&Occupancy>) {
        let occupancy = occupancy.expect("the engine keeps occupancy for who needs it");
        if self.edge.is_empty() {
            return self.shift(|port, channel| occupancy.levels(port, channel));
        }
        let mut edge = std::mem::take(&mut self.edge);
        occupancy.levels_at_edge(&mut edge);
        let (routers, channels) = (self.routers, self.channels);
        self.shift(|port, channel| &edge[(port * channels + channel) * routers..][..routers]);
        self.edge = edge;
    }

    #[inline]
    fn admits(&self, view: LocalView<'_>, request: Request) -> bool {
        request.port.is_none_or(|port| self.is_clear(view.router, usize::from(port), request.channels))
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, request: Request, useful: u16) -> bool {
        useful == 0 || ones(u64::from(useful)).any(|port| self.is_clear(view.router, port, request.channels))
    }
}

#[cfg(test)]
mod tests;
