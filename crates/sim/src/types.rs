//! Types of packets, where receivers answer: what of the network each has for itself.

use crate::deadlock::{Freedom, Locks};
use crate::router::Router;
use std::collections::BTreeSet;
use tailback_engine::input_queued::{EntryChannel, Types};
use tailback_mechanisms::routing::{self, ranged::Ranged};
use tailback_spec::{Resolved, SpecError};
use tailback_traffic::{Course, course, has_answers, listed_classes};

const SIZE: &str = "traffic.size";
const CLASSES: &str = "traffic.classes";
const CHANNELS: &str = "router.type_channels";
const PLANES: &str = "router.type_planes";

/// The channels of each type, the first one and how many, where types have channels of their own; behind them all channels, if packets of no
/// type take these.
fn ranges(router: &Router) -> Option<Vec<(u8, u8)>> {
    let Router::InputQueued(router) = router else { return None };
    let ranges = router.types.channels?;
    let all = (0, router.channels as u8);
    let whole = ranges.iter().all(|&range| range == all);
    // Others are refused.
    let sound = |&(first, count): &(u8, u8)| count > 0 && u32::from(first) + u32::from(count) <= router.channels;
    let untyped = router.types.untyped.then_some(all);
    (!whole && ranges.iter().all(sound)).then(|| ranges.into_iter().chain(untyped).collect())
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
        let path = if listed_classes(spec.view("traffic")) > 0 { CLASSES } else { SIZE };
        refuse(path, message, "take that router, or a program of kind \"request_reply\" (workload.kind = \"program\")");
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
    let backwards = channels.chunks(2).any(|pair| pair[pair.len() - 1] < pair[0]);
    if !matches!(channels.len(), 0 | 8) || channels.iter().any(|&channel| channel >= of.channels) || backwards {
        let message = format!("the first and the last channel of four types are named, 0 to {}", of.channels - 1);
        refuse(CHANNELS, &message, "name those of read requests, write requests, read replies and write replies");
    } else if ranges(router).is_some() && of.entry_channel == EntryChannel::Drawn {
        refuse(CHANNELS, "a node draws any channel of its wire", "set router.entry_channel = \"next\"");
    }
    errors
}

/// The router as it is for the packets of one type, once for each number of channels that types have; first that of the type with the fewest.
pub(crate) fn of_types(router: Router) -> Vec<Router> {
    let Some(ranges) = ranges(&router) else { return vec![router] };
    let widths: BTreeSet<u8> = ranges.iter().map(|range| range.1).collect();
    widths.into_iter().map(|width| with_channels(router, width.into())).collect()
}

/// The freedom of a network in which the types with each number of channels by themselves have these.
pub(crate) fn all_free(each: impl IntoIterator<Item = Freedom>) -> Freedom {
    let mut all = each.into_iter();
    let first = all.next().expect("a type has channels");
    all.fold(first, |freedom, other| if freedom.is_ok() { other.and(freedom) } else { freedom })
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

/// The routing of all types, made of those for the numbers of channels that types have, in the order of [`of_types`].
pub(crate) fn routed(routings: Vec<routing::Any>, router: &Router) -> routing::Any {
    let mut routings = routings.into_iter();
    let mut next = |_| routings.next().ok_or(());
    let ranged = ranges(router).map(|ranges| {
        let of_types = [ranges[0], ranges[1], ranges[2], ranges[3]];
        Ranged::new(of_types, ranges.get(4).copied(), &mut next)
    });
    match ranged {
        Some(ranged) => routing::Any::Ranged(ranged.expect("there is one for each number of channels")),
        None => next(0).expect("there is one routing"),
    }
}
