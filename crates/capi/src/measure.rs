//! What stepping a network through the C interface costs, for `tailback bench embedded-16`.

use crate::{tb_advance, tb_close, tb_delivery, tb_network, tb_receive, tb_receive_any, tb_send, tb_status};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tailback_embed::Network;
use tailback_sim::{Prepared, catalogue, prepare};
use tailback_spec::Document;
use tailback_traffic::{Shape, Traffic};

/// Deliveries that one call receives.
const ROOM: usize = 16;

/// Messages of which the cost of calls is measured.
const CALLS: usize = 100_000;

/// Messages that a host sends before it receives them: four a node.
const AT_ONCE: usize = 1024;

/// A message that is alone in the network takes no more cycles.
const ALONE: u64 = 256;

/// Cycles that an empty network leaves out.
const IDLE_CYCLES: u64 = 1_000_000_000;

/// A message of the traffic of a spec.
#[derive(Clone, Copy, Debug)]
struct Sent {
    cycle: u64,
    source: u32,
    destination: u32,
    flits: u32,
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Cycles per second, the network stepped cycle by cycle from outside, where its spec says how long messages are \[1/s\].
    pub cycles_per_second: f64,
    /// The same where the spec does not say how long they are.
    pub any_length: f64,
    /// The digest of what was simulated.
    pub digest: String,
    /// Messages received.
    pub received: u64,
    /// Time of a send and a receive, without what is simulated, where some messages wait at each node \[ns\].
    pub call_ns: f64,
    /// The same where all messages are sent before the first is received, and the memory for them grows with each \[ns\].
    pub first_call_ns: f64,
    /// Time in which 1,024 routers with nothing to do advance by 10^9 cycles \[s\].
    pub idle_seconds: f64,
}

/// A network that is closed in the end.
struct Open(*mut tb_network);

impl Open {
    /// A network that a host steps whose messages have these lengths, if any are given.
    fn new(spec: &str, lengths: Option<(u32, u32)>) -> Open {
        let of = |(shortest, longest)| {
            format!("workload={{ kind = \"host\", shortest_flits = {shortest}, longest_flits = {longest} }}")
        };
        let set: Vec<String> = lengths.map(of).into_iter().collect();
        let network = Network::from_text(spec, &set).expect("the scenario can be built");
        Open(Box::into_raw(Box::new(tb_network { network })))
    }

    /// The call is made through a pointer that the compiler does not see through, as a host makes it.
    fn advance(&self, to: u64) {
        // SAFETY: the network is open, and this is its only user.
        let status = unsafe { black_box(tb_advance as unsafe extern "C" fn(_, _) -> _)(self.0, to) };
        assert!(status == tb_status::TB_OK, "the scenario goes on");
    }

    fn send(&self, of: &Sent, tag: u64) {
        let send: unsafe extern "C" fn(_, _, _, _, _, _) -> _ = black_box(tb_send);
        // SAFETY: as above.
        let status = unsafe { send(self.0, of.source, of.destination, 0, of.flits, tag) };
        assert!(status == tb_status::TB_OK, "the scenario sends what the network takes");
    }

    fn receive_any(&self, out: &mut [tb_delivery]) -> usize {
        let receive: unsafe extern "C" fn(_, _, _) -> _ = black_box(tb_receive_any);
        // SAFETY: as above, and there is so much room.
        unsafe { receive(self.0, out.as_mut_ptr(), out.len()) }
    }

    fn receive(&self, node: u32, out: &mut [tb_delivery]) -> usize {
        let receive: unsafe extern "C" fn(_, _, _, _, _) -> _ = black_box(tb_receive);
        // SAFETY: as above.
        unsafe { receive(self.0, node, 0, out.as_mut_ptr(), out.len()) }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: it is open, and nobody uses it after this.
        unsafe { tb_close(self.0) };
    }
}

/// Measures a network on the traffic of its spec, over as many cycles as a run of it has.
///
/// # Panics
/// Where the spec is not one of a grid with traffic that is generated.
pub fn measure(spec: &str, cycles: u64) -> Measured {
    let messages = messages(spec, cycles);
    let flits = || messages.iter().map(|of| of.flits);
    let lengths = flits().min().zip(flits().max());
    let (seconds, received, digest) = stepped(&Open::new(spec, lengths), &messages, cycles);
    let (any, ..) = stepped(&Open::new(spec, None), &messages, cycles);
    Measured {
        cycles_per_second: cycles as f64 / seconds,
        any_length: cycles as f64 / any,
        digest,
        received,
        call_ns: calls(&Open::new(spec, lengths), &messages, AT_ONCE),
        first_call_ns: calls(&Open::new(spec, lengths), &messages, CALLS),
        idle_seconds: idle(),
    }
}

/// All messages in the order in which a host sends them.
fn messages(spec: &str, cycles: u64) -> Vec<Sent> {
    let document = Document::read("the scenario", spec.as_bytes(), &[]).expect("scenarios are tested");
    let point = document.expand(catalogue()).expect("scenarios are tested").remove(0);
    let prepared: Prepared = prepare(&point).expect("scenarios are tested");
    let grid = prepared.network().grid().expect("the scenario is a grid");
    let shape = Shape { radix: grid.radix().to_vec(), nodes_per_router: grid.nodes_per_router() };
    let view = |section| point.resolved.view(section);
    let traffic = Traffic::build(view("traffic"), view("workload"), &shape, point.seed).expect("scenarios are tested");
    let mut all = Vec::new();
    for node in 0..shape.nodes() {
        let mut source = traffic.source(node);
        while let Some(packet) = traffic.next(node, &mut source).filter(|packet| packet.cycle < cycles) {
            let (cycle, destination, flits) = (packet.cycle, packet.destination, packet.flits);
            all.push(Sent { cycle, source: node, destination, flits });
        }
    }
    all.sort_by_key(|of| (of.cycle, of.source));
    all
}

/// Sends, steps and receives cycle by cycle. Returns the time, messages received, and the digest.
fn stepped(network: &Open, messages: &[Sent], cycles: u64) -> (f64, u64, String) {
    let mut out = [tb_delivery::default(); ROOM];
    let (mut next, mut received) = (0, 0);
    let start = Instant::now();
    for cycle in 0..cycles {
        while let Some(of) = messages.get(next).filter(|of| of.cycle == cycle) {
            network.send(of, next as u64);
            next += 1;
        }
        network.advance(cycle + 1);
        loop {
            let count = network.receive_any(&mut out);
            received += count as u64;
            if count < ROOM {
                break;
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    // SAFETY: the network is open.
    let digest = unsafe { (*network.0).network.outcome() }.map_or(String::new(), |outcome| outcome.record.digest);
    (seconds, received, digest)
}

/// The time of a send and of a receive, of so many messages at a time, sent one after the other and received one after the other.
fn calls(network: &Open, messages: &[Sent], at_once: usize) -> f64 {
    let some = &messages[..messages.len().min(CALLS)];
    let mut out = [tb_delivery::default(); 1];
    let (mut tag, mut clock, mut received, mut time) = (0, 0, 0, Duration::ZERO);
    for round in some.chunks(at_once) {
        let start = Instant::now();
        for of in round {
            network.send(of, tag);
            tag += 1;
        }
        time += start.elapsed();
        // They go to many nodes, so all have come long before: the assertion below sees to it.
        clock += round.len() as u64 * 8 + ALONE;
        network.advance(clock);
        let start = Instant::now();
        for of in round {
            received += network.receive(of.destination, &mut out);
        }
        time += start.elapsed();
    }
    assert!(received == some.len(), "all messages have come");
    time.as_nanos() as f64 / some.len() as f64
}

/// The time of 10^9 cycles of a torus in which one message has been on its way.
fn idle() -> f64 {
    let network = Open::new("topology = { kind = \"torus\", radix = [32, 32] }\n", None);
    network.send(&Sent { cycle: 0, source: 0, destination: 500, flits: 8 }, 0);
    let start = Instant::now();
    network.advance(IDLE_CYCLES);
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stepped_is_received_whole() {
        let spec = "topology = { kind = \"mesh\", radix = [4, 4] }\ntraffic = { load = 0.1 }\n";
        let found = measure(spec, 2000);
        assert!(found.received > 100 && !found.digest.is_empty());
        let times = [found.call_ns, found.first_call_ns, found.idle_seconds];
        assert!(found.cycles_per_second > 0.0 && found.any_length > 0.0 && times.iter().all(|&time| time > 0.0));
    }
}
