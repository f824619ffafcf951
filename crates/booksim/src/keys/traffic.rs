//! Keys of traffic.

use super::Fate::{Becomes, NoEffect};
use super::Kind::{Float, FloatOrText, Integer, IntegerOrText, Text};
use super::{Fate, Key, key};

const REPLIES: Fate = Becomes("traffic.size");
const RANGES: Fate = Becomes("router.type_channels");
const PLANES: Fate = Becomes("router.type_planes");
const BATCH: Fate = NoEffect("only sim_type = batch reads it");

pub(super) const KEYS: &[Key] = &[
    key("classes", Integer, "1", "Classes of traffic, each with an element of lists.", Becomes("traffic.classes")),
    key("traffic", Text, "uniform", "To whom nodes send.", Becomes("traffic.pattern")),
    key("class_priority", IntegerOrText, "0", "Priority of each class.", Becomes("router.class_priorities")),
    key("priority", Text, "none", "What flits have priority by.", Becomes("router.priority")),
    key("perm_seed", IntegerOrText, "0", "Seed of traffic = randperm.", Becomes("traffic.pattern")),
    key("injection_rate", FloatOrText, "0.1", "Packets per node and cycle.", Becomes("traffic.load")),
    key(
        "injection_rate_uses_flits",
        Integer,
        "0",
        "1: injection_rate is in flits per node and cycle.",
        Becomes("traffic.load"),
    ),
    key(
        "packet_size",
        IntegerOrText,
        "1",
        "Length of packets [flits]; `{{1,5}}`: several lengths.",
        Becomes("traffic.size"),
    ),
    key("packet_size_rate", IntegerOrText, "1", "Weights of these lengths.", Becomes("traffic.size")),
    key("injection_process", Text, "bernoulli", "When nodes send: bernoulli, or on_off.", Becomes("traffic.process")),
    key("burst_alpha", Float, "0.5", "Probability per cycle that a burst begins.", Becomes("traffic.process")),
    key("burst_beta", Float, "0.5", "Probability per cycle that a burst ends.", Becomes("traffic.process")),
    key(
        "burst_r1",
        Float,
        "-1.0",
        "Packets per cycle in a burst; -1.0: as injection_rate asks for.",
        Becomes("traffic.process"),
    ),
    key("batch_size", Integer, "1000", "Packets of a batch.", BATCH),
    key("batch_count", Integer, "1", "Batches.", BATCH),
    key("max_outstanding_requests", Integer, "0", "Requests of a node without a reply.", BATCH),
    key("use_read_write", IntegerOrText, "0", "1: packets are requests, and receivers reply.", REPLIES),
    key("write_fraction", FloatOrText, "0.5", "Share of writes among requests.", REPLIES),
    key("read_request_begin_vc", Integer, "0", "First channel of read requests.", RANGES),
    key("read_request_end_vc", Integer, "5", "Last channel of read requests.", RANGES),
    key("write_request_begin_vc", Integer, "2", "First channel of write requests.", RANGES),
    key("write_request_end_vc", Integer, "7", "Last channel of write requests.", RANGES),
    key("read_reply_begin_vc", Integer, "8", "First channel of read replies.", RANGES),
    key("read_reply_end_vc", Integer, "13", "Last channel of read replies.", RANGES),
    key("write_reply_begin_vc", Integer, "10", "First channel of write replies.", RANGES),
    key("write_reply_end_vc", Integer, "15", "Last channel of write replies.", RANGES),
    key("read_request_subnet", Integer, "0", "Network of read requests.", PLANES),
    key("read_reply_subnet", Integer, "0", "Network of read replies.", PLANES),
    key("write_request_subnet", Integer, "0", "Network of write requests.", PLANES),
    key("write_reply_subnet", Integer, "0", "Network of write replies.", PLANES),
    key("read_request_size", IntegerOrText, "1", "Length of read requests [flits].", REPLIES),
    key("write_request_size", IntegerOrText, "1", "Length of write requests [flits].", REPLIES),
    key("read_reply_size", IntegerOrText, "1", "Length of read replies [flits].", REPLIES),
    key("write_reply_size", IntegerOrText, "1", "Length of write replies [flits].", REPLIES),
];
