//! The run once more, with an eye on the packets of the chain.

use super::chain::{Kind, Segment};
use super::tally::{Own, Site, Tally, Waits};
use super::{Crossed, Held};
use crate::drive::Drive;
use crate::prepare::Prepared;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_cycle::Simulated;
use tailback_engine::contract::census::{Name, Scope, Stand};
use tailback_engine::packet::Packet;
use tailback_engine::{Buffers, DataPath, Probe, sending_operation};
use tailback_probes::Watch;
use tailback_program::Work;
use tailback_traffic::Placed;

/// Cycles between looks at whether somebody cancels, while a rank computes.
const LOOK: u64 = 64;

/// Packets of one message of one node.
#[derive(Debug, Default)]
struct Watcher {
    /// The source node and the operation of the message that is looked at.
    of: Option<(u32, u32)>,
    started: Vec<Own>,
    entered: Vec<Name>,
}

impl Watcher {
    fn is_it(&self, packet: &Packet) -> bool {
        self.of.is_some_and(|of| of == (packet.source, sending_operation(packet)))
    }
}

impl Probe for Watcher {
    fn started(&mut self, packet: &Packet) {
        if self.is_it(packet) {
            self.started.push(Own::new(packet));
        }
    }

    fn entered(&mut self, _cycle: u64, packet: &Packet) {
        if self.is_it(packet) {
            self.entered.push(Name { source: packet.source, index: packet.index });
        }
    }
}

/// Segments with their shares, where packets waited, and the links on the way.
type Played = (Vec<Segment>, Vec<Held>, Vec<Crossed>);

/// Fills the shares of the segments, and says where packets went and waited; `None` where it was cancelled.
pub(super) fn replay(prepared: &Prepared, segments: Vec<Segment>, cancel: &AtomicBool) -> Option<Played> {
    if segments.iter().all(|segment| segment.kind == Kind::Compute) {
        return Some((segments, Vec::new(), Vec::new()));
    }
    prepared.drive(Buffers::Unwatched, Replay { prepared, segments, cancel })
}

struct Replay<'a> {
    prepared: &'a Prepared,
    segments: Vec<Segment>,
    cancel: &'a AtomicBool,
}

impl<'a> Drive<'a> for Replay<'_> {
    type Out = Option<Played>;

    fn drive<D: DataPath + Simulated + Send + 'a>(mut self, mut engine: D) -> Self::Out {
        let placed = self.prepared.traffic.program()?;
        let ends = self.prepared.router.ends();
        let rank_at = |port: u32| placed.behind(port).map(|(rank, _)| rank);
        let network = &self.prepared.network;
        let site = Site { network, at_source: ends.at_source, to_node: ends.to_node, rank_at: &rank_at };
        let mut watch = Watch::with(&self.prepared.site(), Watcher::default());
        let (mut waits, mut stands) = (Waits::default(), Vec::new());
        for segment in &mut self.segments {
            if segment.kind == Kind::Compute {
                while engine.cycle() < segment.to {
                    let next = segment.to.min(engine.cycle() + LOOK);
                    engine.simulate(std::slice::from_mut(&mut watch), next);
                    if self.cancel.load(Ordering::Relaxed) {
                        return None;
                    }
                }
                continue;
            }
            let watcher: &mut Watcher = watch.watcher();
            watcher.of = Some((port(placed, segment), segment.operation));
            let mut tally = Tally::default();
            while engine.cycle() < segment.to {
                if self.cancel.load(Ordering::Relaxed) {
                    return None;
                }
                let next = engine.cycle() + 1;
                engine.simulate(std::slice::from_mut(&mut watch), next);
                let watcher: &mut Watcher = watch.watcher();
                watcher.started.drain(..).for_each(|own| tally.starts(segment, own, site));
                watcher.entered.drain(..).for_each(|name| tally.enters(name));
                look(&engine, tally.looks(), &mut stands);
                tally.cycle(&stands, site, &mut waits);
            }
            let watcher: &mut Watcher = watch.watcher();
            watcher.of = None;
            segment.shares = tally.close(site, &mut waits);
        }
        let links = waits.links(network);
        Some((self.segments, waits.sorted(), links))
    }
}

/// The port by which the message of a segment leaves.
fn port(placed: &Placed, segment: &Segment) -> u32 {
    let class = match placed.program().operation(segment.rank, segment.operation).work {
        Work::Send { tag, .. } => placed.class_of(tag),
        _ => 0,
    };
    placed.port_of(segment.rank, class)
}

/// All stands of this moment, where they are `asked` for.
fn look(engine: &impl DataPath, asked: bool, stands: &mut Vec<Stand>) {
    stands.clear();
    if asked {
        engine.census(Scope::All, &mut |stand| stands.push(stand));
    }
}
