//! Sending, stepping and receiving.

use crate::pointers::{caught, network, network_mut};
use crate::types::{tb_delivery, tb_network, tb_status};
use tailback_embed::Message;

/// Nodes of the network.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_nodes(of: *const tb_network) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.map_or(0, |network| network.nodes())
}

/// Message classes.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_classes(of: *const tb_network) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.map_or(0, |network| network.classes())
}

/// The cycle in which the clock stands.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_cycle(of: *const tb_network) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.map_or(0, |network| network.clock())
}

/// The longest message that may be sent.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_longest(of: *const tb_network) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.map_or(0, |network| network.message_flits().1)
}

/// Whether a message can be sent now.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_can_send(of: *mut tb_network, node: u32, message_class: u32, flits: u32) -> bool {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return false };
    caught(false, || network.can_send(node, message_class, flits))
}

/// Flits that have not left a node.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_queued_flits(of: *mut tb_network, node: u32, message_class: u32) -> u64 {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return 0 };
    caught(0, || network.queued_flits(node, message_class))
}

/// Sends a message.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_send(
    of: *mut tb_network,
    source: u32,
    destination: u32,
    message_class: u32,
    flits: u32,
    tag: u64,
) -> tb_status {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return tb_status::TB_NULL };
    let message = Message { source, destination, class: message_class, flits, tag };
    caught(tb_status::TB_BUG, || network.send(message).into())
}

/// Follows a message.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_follow(of: *mut tb_network, tag: u64) -> tb_status {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return tb_status::TB_NULL };
    network.follow(tag);
    tb_status::TB_OK
}

/// Simulates all cycles before one.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_advance(of: *mut tb_network, to_cycle: u64) -> tb_status {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return tb_status::TB_NULL };
    caught(tb_status::TB_BUG, || network.advance(to_cycle).into())
}

/// Simulates until a delivery waits.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_advance_until_delivery(of: *mut tb_network, to_cycle: u64) -> tb_status {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }) else { return tb_status::TB_NULL };
    caught(tb_status::TB_BUG, || network.advance_until_delivery(to_cycle).into())
}

/// The cycle before which no delivery can be received.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_next_delivery(of: *const tb_network) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.and_then(|network| network.next_delivery()).unwrap_or(u64::MAX)
}

/// Whether nothing is under way and nothing waits.
///
/// # Safety
/// As `tailback.h` says of the pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_idle(of: *const tb_network) -> bool {
    // SAFETY: the caller's promise.
    unsafe { network(of) }.is_none_or(|network| network.is_idle())
}

/// Shows the next delivery of a node.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_peek(of: *const tb_network, node: u32, message_class: u32, out: *mut tb_delivery) -> bool {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network(of) }) else { return false };
    let Ok(Some(delivery)) = network.peek(node, message_class) else { return false };
    if !out.is_null() {
        // SAFETY: it is not NULL, and the caller promises room for one.
        unsafe { out.write(delivery.into()) };
    }
    true
}

/// Receives deliveries of a node.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_receive(
    of: *mut tb_network,
    node: u32,
    message_class: u32,
    out: *mut tb_delivery,
    room: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }).filter(|_| !out.is_null()) else { return 0 };
    let mut count = 0;
    while count < room {
        let Some(delivery) = caught(None, || network.receive(node, message_class)) else { break };
        // SAFETY: it is not NULL, the caller promises room for `room` of them, and this is a place before that.
        unsafe { out.add(count).write((&delivery).into()) };
        count += 1;
    }
    count
}

/// Receives deliveries of all nodes.
///
/// # Safety
/// As `tailback.h` says of the pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_receive_any(of: *mut tb_network, out: *mut tb_delivery, room: usize) -> usize {
    // SAFETY: the caller's promise.
    let Some(network) = (unsafe { network_mut(of) }).filter(|_| !out.is_null()) else { return 0 };
    let mut count = 0;
    while count < room {
        let Some(delivery) = caught(None, || network.receive_any()) else { break };
        // SAFETY: it is not NULL, the caller promises room for `room` of them, and this is a place before that.
        unsafe { out.add(count).write((&delivery).into()) };
        count += 1;
    }
    count
}
