//! dbg
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::*;
#[test]
fn dbg() {
    let config = Config { radix: vec![3], wrap: vec![true], nodes_per_router: 1, link_cycles: 4, virtual_channels: 1, buffer_flits: 1, header_cycles: 0, credit_cycles: 1, ejection_channels: None, source_queue_packets: Some(1), arbiter: Arbiter::RoundRobin, datelines: Datelines::None, numbering: Numbering::Reset, tie: Tie::Plus, admission: Admission::Off, seed: 32904028453258584 };
    let text = "[traffic]\nload = 0.022\npattern = \"uniform\"\nprocess = { kind = \"on_off\", mean_on_cycles = 29, mean_off_cycles = 39 }\nsize = { kind = \"fixed\", flits = 1 }\n\n[workload]\nkind = \"steady\"";
    let traffic = bridge::traffic(&config, text).unwrap();
    for n in 0..3 { let mut s = traffic.source(n); for _ in 0..3 { println!("{n} {:?} {:?}", traffic.next(n, &mut s), s); } }
    let grid = bridge::grid(&config);
    let mut engine = bridge::engine(&config, &grid, &traffic, true);
    let mut d = Deliveries::default();
    for _ in 0..150 { engine.step(&mut d); }
    println!("{:#?}", d.sorted());
    println!("{:#?}", run(&config, &traffic, 150).delivered);
}
