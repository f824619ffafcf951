//! Types of packets, where receivers answer: what of the network each has for itself.

use crate::deadlock::{Freedom, Locks};
use crate::router::Router;
use tailback_engine::contract::routing::Sight;
use tailback_engine::input_queued::{EntryChannel, Types};
use tailback_mechanisms::routing::{self, ranged::Ranged};
use tailback_spec::{Resolved, SpecError};
use tailback_traffic::{Course, course, has_answers};

const SIZE: &str = "traffic.size";
const CHANNELS: &str = "router.type_channels";
const PLANES: &str = "router.type_planes";

/// The channels of each type, the first one and how many, where types have channels of their own.
fn ranges(router: &Router) -> Option<[(u8, u8); 4]> {
    let Router::InputQueued(router) = router else { return None };
    let ranges = router.types.channels?;
    let whole = ranges.iter().all(|&range| range == (0, router.channels as u8));
    // Others are refused.
    let sound = |&(first, count): &(u8, u8)| count > 0 && u32::from(first) + u32::from(count) <= router.channels;
    (!whole && ranges.iter().all(sound)).then_some(ranges)
}

/// What speaks against answers under this spec, and against what each type has for itself.
pub(crate) fn refused(spec: &Resolved, router: &Router) -> Vec<SpecError> {
    let mut errors = Vec::new();
    if !has_answers(spec.view("traffic"), spec.view("workload")) {
        return errors;
    }
    let mut refuse = |path: &str, message: &str, help: &str| errors.push(SpecError::at(path, message).help(help));
    let Router::InputQueued(of) = router else {
        let message = "receivers answer under router.kind = \"input_queued\" alone";
        refuse(SIZE, message, "take that router, or a program of kind \"request_reply\" (workload.kind = \"program\")");
        return errors;
    };
    if of.source_queue_packets.is_some() {
        let message = "a source queue with an end holds back what waits behind it, and answers go before requests";
        refuse("router.source_queue_packets", message, "leave it infinite");
    }
    if of.packet_flits.is_some() {
        refuse("traffic.packet_flits", "requests and answers are packets, and are not cut", "leave it at 0");
    }
    if course(spec.view("workload")) == Course::Collective {
        refuse("workload.kind", "requests are made at a load, not all at cycle 0", "take workload.kind = \"steady\"");
    }
    let (planes, channels) = (spec.view("router").u32s("type_planes"), spec.view("router").u32s("type_channels"));
    if !matches!(planes.len(), 0 | 4) || planes.iter().any(|&plane| plane >= of.planes) {
        let message = format!("the planes of four types are named, 0 to {}", of.planes - 1);
        refuse(PLANES, &message, "name the plane of read requests, write requests, read replies and write replies");
    }
    let lengths: Vec<i64> =
        channels.chunks(2).map(|pair| i64::from(pair[pair.len() - 1]) - i64::from(pair[0])).collect();
    if !matches!(channels.len(), 0 | 8)
        || channels.iter().any(|&channel| channel >= of.channels)
        || lengths.iter().any(|&n| n < 0)
    {
        let message = format!("the first and the last channel of four types are named, 0 to {}", of.channels - 1);
        refuse(CHANNELS, &message, "name those of read requests, write requests, read replies and write replies");
    } else if lengths.windows(2).any(|two| two[0] != two[1]) {
        refuse(CHANNELS, "types have ranges of different lengths", "give each as many channels");
    } else if ranges(router).is_some() && of.entry_channel == EntryChannel::Drawn {
        refuse(CHANNELS, "a node draws any channel of its wire", "set router.entry_channel = \"next\"");
    }
    errors
}

/// A routing that shows queues sees those of all channels.
pub(crate) fn sight(sight: Sight, router: &Router) -> Option<SpecError> {
    (ranges(router).is_some() && sight != Sight::Nothing).then(|| {
        let message = "this routing looks at queues, and those of a port are of all types";
        SpecError::at(CHANNELS, message).help("take a routing that looks at no queues, or leave the list empty")
    })
}

/// The router as it is for the packets of one type.
pub(crate) fn of_type(router: Router) -> Router {
    ranges(&router).map_or(router, |ranges| with_channels(router, ranges[0].1.into()))
}

fn with_channels(router: Router, channels: u32) -> Router {
    match router {
        Router::InputQueued(of) => {
            Router::InputQueued(tailback_engine::input_queued::Router { channels, types: Types::default(), ..of })
        }
        _ => router,
    }
}

/// Whether two ranges have some channels in common, and others not.
fn meet(router: &Router) -> bool {
    let Some(ranges) = ranges(router) else { return false };
    let meet = |a: (u8, u8), b: (u8, u8)| a != b && a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
    ranges.iter().any(|&a| ranges.iter().any(|&b| meet(a, b)))
}

/// The freedom of a network in which one type by itself has the freedom `of_one`. Where ranges overlap in part, what one type keeps apart by its
/// channels meets in those of another: then nothing may have to be kept apart, and `alone` is asked for the freedom on a router with one channel.
pub(crate) fn freedom(of_one: Freedom, router: &Router, alone: impl FnOnce(Router) -> Option<Freedom>) -> Freedom {
    if of_one.is_err() || !meet(router) {
        return of_one;
    }
    let met = || {
        let why =
            "ranges of channels overlap in part, so that the classes of channels of one type are not those of another";
        Err(Locks { path: CHANNELS, why: why.to_owned(), witness: None })
    };
    alone(with_channels(*router, 1)).filter(Result::is_ok).unwrap_or_else(met)
}

/// The routing of all types, made of that of one.
pub(crate) fn routed(routing: routing::Any, router: &Router) -> routing::Any {
    match ranges(router) {
        None => routing,
        Some(ranges) => routing::Any::Ranged(Ranged::new(routing, ranges[0].1.into(), ranges.map(|range| range.0))),
    }
}
