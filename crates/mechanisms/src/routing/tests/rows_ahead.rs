//! Cross-Line: what registers say, and what packets make of it.

use crate::routing::{Any, build, section};
use crate::testing::resolved_text;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Routing as _};
use tailback_engine::packet::Packet;
use tailback_network::Grid;

/// What a router of the ring sees: free flits by port, registers by router, and the links that carried a flit.
#[derive(Clone, Default)]
struct Rows {
    free: [u32; 4],
    registers: Vec<u64>,
    carried: Vec<(u32, u8)>,
}

impl Queues for Rows {
    fn owed(&self, _port: u8, _channel: u8) -> u32 {
        unreachable!("it asks for what is free")
    }

    fn owed_by_port(&self, _port: u8) -> u32 {
        unreachable!("it asks for what is free")
    }

    fn free(&self, port: u8, _channel: u8) -> u32 {
        self.free[usize::from(port)]
    }

    fn waiting(&self, _port: u8) -> u32 {
        unreachable!("it does not ask who waits")
    }

    fn owed_at(&self, _router: u32, _port: u8, _channel: u8) -> u32 {
        unreachable!("registers tell of other routers")
    }

    fn signal(&self, router: u32, _cycles: u32) -> u64 {
        self.registers[router as usize]
    }

    fn carried(&self, router: u32, port: u8) -> bool {
        self.carried.contains(&(router, port))
    }
}

fn routing(words: &str) -> Any {
    let spec = resolved_text(section(), &format!("routing = {{ kind = 'cross_line'{words} }}"));
    build(spec.view("routing"), &Grid::new(&[8, 8], &[true, true], 1, 1), 4).expect("four channels")
}

/// The port of a packet from router 0 to (2, 3), whose coin says x first.
fn first_port(registers: u64) -> Option<u8> {
    let routing = routing("");
    let mut packet = Packet { router: 3 * 8 + 2, ..Packet::default() };
    let mut word = routing.start(0, &mut packet, || 0);
    let rows = Rows { registers: vec![registers], ..Rows::default() };
    routing.decide(Head { router: 0, input: None }, &mut packet, &mut word, &rows).port
}

#[test]
fn a_packet_counts_the_busy_buffers_of_its_first_leg_in_either_order() {
    let (x, y) = (0, 2 * 16);
    assert_eq!(first_port(0), Some(0), "the coin");
    assert_eq!(first_port(0b01 << x), Some(2));
    assert_eq!(first_port(0b01 << x | 0b100 << y), Some(0), "one busy buffer each");
    assert_eq!(first_port(0b11 << x | 0b100 << y), Some(2));
    assert_eq!(first_port(0b1100 << x), Some(0), "behind the turn");
    assert_eq!(first_port(0b11 << 16), Some(0), "the other way round");
}

#[test]
fn registers_move_a_hop_a_cycle_and_wait_for_an_idle_link_where_they_steal_it() {
    let mut rows = Rows { free: [4, 4, 4, 3], registers: vec![0; 64], carried: Vec::new() };
    // x upwards of router 1; router 0 knows an older state.
    (rows.registers[1], rows.registers[0]) = (0b1110, 0b0010);
    let busy_down = 1 << (3 * 16);
    let ideal = routing(", margin_flits = 3");
    assert_eq!(ideal.signal(0, &rows), 0b1100 | busy_down, "four bits, the last one falls out");
    let stealing = routing(", margin_flits = 3, propagation = 'stealing'");
    assert_eq!(stealing.signal(0, &rows), 0b1100 | busy_down);
    rows.carried = vec![(1, 1)];
    assert_eq!(stealing.signal(0, &rows), 0b0010 | busy_down, "as it was");
    assert_eq!(ideal.signal(0, &rows), 0b1100 | busy_down);
}
