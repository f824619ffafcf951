//! Requests to read and to write, which their receivers answer.

use super::{MAX_FLITS, Sizes};
use crate::Problem;
use crate::exchange::Exchange;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

const fn flits(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: 1, max: MAX_FLITS }, unit: "flits", fallback: Fallback::Integer(1), doc }
}

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "read_write",
    summary: "requests to read and to write, which their receivers answer, as with use_read_write of BookSim 2; the load is that of requests",
    paper: "Jiang et al., ISPASS 2013",
    ideal: false,
    params: &[
        Param {
            name: "write_fraction",
            kind: Kind::Float { min: 0.0, max: 1.0 },
            unit: "of requests",
            fallback: Fallback::Float(0.5),
            doc: "Share of the requests that are writes.",
        },
        flits("read_request_flits", "Length of a request to read, header included."),
        flits("write_request_flits", "Length of a request to write."),
        flits("read_reply_flits", "Length of the reply to a read. A reply goes before new requests of its node."),
        flits("write_reply_flits", "Length of the reply to a write."),
    ],
};

/// Builds the lengths of requests.
pub(super) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    let (read, write) = (view.u32("read_request_flits"), view.u32("write_request_flits"));
    let writes = if read == write { 0.0 } else { view.float("write_fraction") };
    Ok(Sizes::new(&[(read, 1.0 - writes), (write, writes)]))
}

/// The answers.
pub(super) fn exchange(view: View) -> Exchange {
    Exchange::new(view.float("write_fraction"), ["read_reply_flits", "write_reply_flits"].map(|key| view.u32(key)))
}
