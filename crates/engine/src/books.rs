//! What the audits of all data paths ask of packets, in the same words: whether each known one was found, and whether it entered when
//! it can have.

use crate::outcome::{AuditError, Counters, expect};
use crate::packet::Packet;

/// Every packet that is known was found, and the counters agree.
pub(crate) fn packets_are_found(known: usize, found: usize, counters: &Counters) -> Result<(), AuditError> {
    let counted = counters.known();
    expect(found == known && counted == known as u64, || {
        format!("{known} packets are known, {found} were found, the counters say {counted}")
    })
}

/// The packets that stand at the head of source queues are those that the counters have.
pub(crate) fn sources_hold(waiting: u64, counters: &Counters) -> Result<(), AuditError> {
    let counted = counters.at_sources();
    expect(counted == waiting, || format!("{waiting} packets wait at sources, the counters say {counted}"))
}

/// Whether a packet has entered the network after its birth and before `cycle`.
pub(crate) fn has_entered(packet: &Packet, cycle: u64) -> bool {
    (packet.birth..cycle).contains(&packet.entered)
}

/// Whether a packet that waits at its source was made before `cycle` and has not entered.
pub(crate) fn waits_to_enter(packet: &Packet, cycle: u64) -> bool {
    packet.entered == 0 && packet.birth < cycle
}
