//! From the input-output-queued reference's configuration to the engine's parts, so that both simulate the same network.

use crate::bridge::{inputs, kind, resolved, site};
use crate::ioq::side::{Place, Sort};
use crate::ioq::{Config, Discipline, EgressIndex};
use crate::wormhole_bridge::{admission_table, arbiter_word, entry, number, routing_table};
use tailback_engine::contract::queueing::{Point, Side};
use tailback_engine::ioq::{self as engine, Parts};
use tailback_mechanisms::{Bundle, admission, arbiter, queueing, routing};
use tailback_network::{Grid, Network};
use tailback_spec::{Section, View};
use toml::Table;

/// Whether a network of this configuration is claimed to be free of deadlock, as the catalogue tells a user.
pub fn is_deadlock_free(config: &Config, grid: &Grid) -> bool {
    routing::deadlock_freedom_of_ports(View::new(&routing_of(config)), grid).is_ok()
}

/// Whether all packets from one node to another are claimed to take one route.
pub fn is_one_route(config: &Config, grid: &Grid) -> bool {
    routing::one_route(View::new(&routing_of(config)), grid).is_ok()
}

/// The places and turns of all set-aside queues in use, in order. Roots, which the engine tells of too, are left out.
pub fn points(engine: &impl tailback_engine::Network) -> Vec<(Place, Vec<usize>)> {
    let mut list = Vec::new();
    engine.points(&mut |point: Point| {
        let turns: Vec<usize> = point.turns.as_slice().iter().map(|&port| usize::from(port)).collect();
        if !turns.is_empty() {
            list.push((place(point.side, point.router, point.port), turns));
        }
    });
    list.sort_unstable();
    list
}

/// The reference's word for a place; whether it is a node's is left open.
pub fn place(side: Side, of: u32, port: u8) -> Place {
    let sort = match side {
        Side::Ingress => Sort::Ingress,
        Side::Egress => Sort::Egress,
        Side::Adapter => Sort::Adapter,
    };
    Place { sort, of: of as usize, port: port.into(), to_node: false }
}

/// The numbers of its routers.
pub fn router(config: &Config) -> engine::Router {
    let base = &config.shared.base;
    engine::Router {
        packet_flits: config.packet_flits,
        packet_bytes: config.packet_bytes,
        ingress_packets: config.ingress_packets,
        egress_packets: config.egress_packets,
        adapter_cycles: base.link_cycles,
        transfer_cycles: config.transfer_cycles,
        header_cycles: base.header_cycles,
        control_flits: config.control_flits,
        credit_batch_packets: config.credit_batch_packets,
        source_queue_packets: base.source_queue_packets,
        seed: base.seed,
    }
}

/// The mechanisms of a configuration.
///
/// # Errors
/// Why they are impossible there.
pub fn parts(config: &Config, grid: &Grid) -> Result<Parts<Bundle>, String> {
    let arbiter_table = complete(arbiter::section(), &kind(arbiter_word(config.shared.arbiter)));
    let admission_table = complete(admission::section(), &admission_table(&config.shared));
    let (base, arbiters) = (config.as_throttles_see_it().base, grid.routers() * engine::MAX_PORTS);
    Ok(Parts {
        routing: routing::build_ports(View::new(&routing_of(config)), grid).map_err(|no| no.message)?,
        discipline: discipline(config, &grid.into())?,
        arbiter: arbiter::build(View::new(&arbiter_table), base.seed, inputs(&base, arbiters)),
        admission: admission::build(View::new(&admission_table), site(grid, &base)),
    })
}

/// The queueing discipline of a configuration on a network.
///
/// # Errors
/// Why it cannot work there.
pub fn discipline(config: &Config, network: &Network) -> Result<queueing::Any, String> {
    let table = complete(queueing::section(), &queueing_table(config));
    let discipline = queueing::build(View::new(&table), network, config.packet_bytes).map_err(|no| no.message)?;
    match config.classes {
        1 => Ok(discipline),
        classes => queueing::in_classes(discipline, classes).ok_or_else(|| "its queues share a memory".to_owned()),
    }
}

fn routing_of(config: &Config) -> Table {
    complete(routing::section(), &routing_table(&config.shared))
}

fn complete(section: Section, given: &Table) -> Table {
    let path = section.path;
    resolved(&[section], path, given)
}

fn queueing_table(config: &Config) -> Table {
    match config.discipline {
        Discipline::Single => kind("single"),
        Discipline::VoqSw(index) => {
            let word = match index {
                EgressIndex::NextTurn => "next_turn",
                EgressIndex::InputPort => "input_port",
                EgressIndex::Single => "single",
            };
            entry("voq_sw", &[("egress_index", word.into())])
        }
        Discipline::VoqNet => kind("voq_net"),
        Discipline::Dbbm(queues) => entry("dbbm", &[("queues", number(queues.into()))]),
        Discipline::Damq => kind("damq"),
        Discipline::Recn(recn) => entry(
            "recn",
            &[
                ("set_aside_queues", number(recn.set_aside_queues.into())),
                ("detection_bytes", number(recn.detection_bytes.into())),
                ("notification_bytes", number(recn.notification_bytes.into())),
                ("xoff_bytes", number(recn.xoff_bytes.into())),
                ("xon_bytes", number(recn.xon_bytes.into())),
            ],
        ),
    }
}
