//! What a checkpoint holds of a program, and what is asked of it.

use super::matching::{Matching, Name, Posted};
use super::rank::{Giving, Leaving, Outbox, Rank, Site, What};
use super::read;
use crate::packet::Packet;
use std::collections::BTreeMap;
use tailback_base::state::{MOST, Reader, Unfit, Writer, are_counts, ensure};
use tailback_network::graph::limits;
use tailback_program::Work;
use tailback_traffic::Placed;

pub(super) fn save(ranks: &[Rank], to: &mut Writer) {
    ranks.iter().for_each(|rank| to.put(rank));
}

pub(super) fn restore(ranks: &mut [Rank], from: &mut Reader<'_>) -> Result<(), Unfit> {
    ranks.iter_mut().try_for_each(|rank| {
        *rank = from.take()?;
        Ok(())
    })
}

/// That what stands in a rank is of its program.
pub(super) fn fits(site: Site, rank: &Rank) -> Result<(), Unfit> {
    let operations = site.program().known(site.rank);
    let numbers = rank.events.iter().map(|event| event.1).chain(rank.unmet.iter().map(|of| of.0));
    ensure(
        numbers.into_iter().all(|number| number < operations),
        "a rank waits for an operation that it does not have",
    )?;
    let counted = |(number, left): (u32, u32)| {
        let all = site.program().operation(site.rank, number).requirements;
        (1..all).contains(&left)
    };
    ensure(rank.unmet.iter().all(counted), "an operation waits for more than it has to wait for")?;
    ensure(rank.remaining <= operations, "a rank has more to do than there is")?;
    rank.book.fits(if site.placed.is_recorded() && !rank.stopped { operations } else { 0 })?;
    are_counts([rank.finish])?;
    let classes = site.placed.classes() as usize;
    ensure(rank.outboxes.len() == classes && rank.matching.heard.len() <= classes, "a rank has other message classes")?;
    are_counts(rank.processors.values().copied())?;
    are_counts(rank.events.iter().map(|event| event.0))?;
    (0u32..).zip(&rank.outboxes).try_for_each(|(class, outbox)| sends_fit(site, class, outbox))?;
    held_fits(site, rank)?;
    received_fits(site, rank)
}

/// The message that operation `number` sends into the network: the port that it goes to, and its flits on the way.
fn message(placed: &Placed, rank: u32, number: u32) -> Option<(u32, u32)> {
    let there = rank < placed.program().ranks() && number < placed.program().known(rank);
    match placed.program().operation(rank, there.then_some(number)?).work {
        Work::Send { to, flits, tag } if to != rank => {
            Some((placed.port_of(to, placed.class_of(tag)), placed.on_the_way(flits)))
        }
        _ => None,
    }
}

fn sends_fit(site: Site, class: u32, rank: &Outbox) -> Result<(), Unfit> {
    let given = &rank.given;
    are_counts([given.packets, given.flits])?;
    are_counts(rank.sends.iter().map(|send| send.0))?;
    let own = |&(port, _): &(u32, u32)| port % site.placed.classes() == class;
    let sends = |number: u32| message(site.placed, site.rank, number).filter(own);
    let ready = rank.sends.iter().all(|&(_, number)| sends(number).is_some());
    ensure(ready, "a rank sends what is no message")?;
    let giving = rank.giving.iter().all(|&Giving { number, cycle, destination, left }| {
        let right = sends(number).is_some_and(|(node, flits)| node == destination && (1..=flits).contains(&left));
        right && cycle <= MOST
    });
    ensure(giving, "a rank gives what is no message")?;
    let leaving = rank.leaving.iter().all(|&Leaving { number, left, first, .. }| {
        sends(number).is_some_and(|(_, flits)| (1..=flits).contains(&left)) && first < given.packets
    });
    let sorted = rank.leaving.iter().is_sorted_by_key(|leaving| leaving.first);
    ensure(leaving && sorted, "a message leaves that is none")?;
    let last = given.last.map_or(0, |last| last.index + 1);
    ensure(last == given.packets, "a rank has given more packets than it has")
}

/// Places are held by requests, and by those that come here.
fn held_fits(site: Site, rank: &Rank) -> Result<(), Unfit> {
    let (held, classes, operations) = (&rank.held, site.placed.classes(), site.program().known(site.rank));
    let untaken = held.untaken.iter().all(|(&(source, number), &class)| {
        let sent = message(site.placed, source, number);
        class < classes && sent.is_some_and(|(port, _)| port == site.placed.port_of(site.rank, class))
    });
    let waiting = held.waiting.iter().all(|(&receive, &(class, _))| {
        receive < operations && class < classes && matches!(site.work(receive), Work::Receive { .. })
    });
    let answers = held
        .answers
        .iter()
        .all(|&(send, receive)| message(site.placed, site.rank, send).is_some() && held.waiting.contains_key(&receive));
    let counted = held.waiting.iter().all(|(&receive, &(_, left))| {
        left as usize == held.answers.iter().filter(|answer| answer.1 == receive).count()
    });
    ensure(untaken && waiting && answers && counted, "a place is held by no request")?;
    unmatched_fits(site, rank)?;
    are_counts(held.freed.iter().map(|freed| freed.0))?;
    ensure(held.freed.iter().all(|freed| freed.1 < classes), "a place of no class is free")
}

/// Places are held by packets of messages that have come and that no receive has taken, where it is those that hold them.
fn unmatched_fits(site: Site, Rank { held, matching, .. }: &Rank) -> Result<(), Unfit> {
    let placed = site.placed;
    let here = held.unmatched.iter().all(|(&(source, number), &(class, packets))| {
        let sent = message(placed, source, number).filter(|_| class < placed.classes());
        sent.is_some_and(|(port, flits)| {
            let comes = port == placed.port_of(site.rank, class) && is_here(matching, Name { source, number });
            comes && (1..=placed.packets(flits)).contains(&packets.into())
        })
    });
    // No buffer has so many places, and sums stay small.
    let few = held.unmatched.values().map(|of| u64::from(of.1)).sum::<u64>() < 1 << 30;
    let kinds = (held.unmatched.is_empty() || placed.keeps_unmatched())
        && (held.untaken.is_empty() && held.waiting.is_empty() || placed.has_requests());
    ensure(here && few && kinds, "a place is held by nothing that keeps one")
}

/// Whether some of a message has come, and no receive has taken it.
fn is_here(matching: &Matching, name: Name) -> bool {
    let Matching { partial, arrived, .. } = matching;
    partial.iter().any(|of| of.name == name) || arrived.iter().any(|of| of.name == name)
}

fn received_fits(site: Site, rank: &Rank) -> Result<(), Unfit> {
    let classes = site.placed.classes();
    let home = site.placed.node_of(site.rank);
    let known = |source: u32, number: u32, left: u32| {
        let own = source == site.rank && number < site.program().known(source);
        let sent = message(site.placed, source, number);
        own && left == 0 || sent.is_some_and(|(port, flits)| port / classes == home && left <= flits)
    };
    let partial = rank.matching.partial.iter().all(|of| {
        known(of.name.source, of.name.number, of.left)
            && message(site.placed, of.name.source, of.name.number).is_none_or(|(port, _)| port % classes == of.class)
    });
    let sorted = rank.matching.partial.iter().is_sorted_by(|one, next| one.key() < next.key());
    ensure(sorted, "messages that come are in another order")?;
    let arrived = rank.matching.arrived.iter().all(|of| known(of.name.source, of.name.number, 0));
    ensure(partial && arrived, "a message has come that nobody sends")?;
    let operations = site.program().known(site.rank);
    let posted = rank.matching.posted.iter().all(|&Posted { number, from: asked, tag: of }| {
        number < operations
            && matches!(site.work(number), Work::Receive { from, tag, .. } if from == asked && tag == of)
    });
    ensure(posted, "a rank waits for a message that it does not receive")?;
    let finishing = rank.events.iter().all(|&(_, _, what)| what <= What::Finishes);
    ensure(finishing, "an operation does what none does")
}

/// That nothing at a rank lies further ahead of cycle `now` than it can: a computation ends behind those that are under way, and what a
/// packet causes happens until its tail has left, over the narrowest link that there is.
pub(super) fn is_near(site: Site, rank: &Rank, now: u64) -> Result<(), Unfit> {
    let soon = now + (u64::from(site.placed.lengths().1) + 1) * u64::from(limits::CYCLES);
    let mut ends = BTreeMap::new();
    for &(_, number, _) in rank.events.iter().filter(|event| event.2 == What::Finishes) {
        if let Work::Compute { cycles, on } = site.work(number) {
            let end = ends.entry(on).or_insert(now);
            *end = cycles.saturating_add(*end);
        }
    }
    let end = |on: u8| ends.get(&on).copied().unwrap_or(now);
    let events = rank.events.iter().all(|&(at, number, what)| match site.work(number) {
        Work::Compute { on, .. } if what > What::Ready => at <= end(on),
        _ => at <= soon,
    });
    let busy = rank.stopped || rank.processors.iter().all(|(&on, &free)| free <= end(on));
    let outboxes = rank.outboxes.iter().all(|of| {
        let ready = of.sends.iter().map(|send| send.0).chain(of.giving.map(|giving| giving.cycle));
        ready.into_iter().all(|at| at <= soon)
    });
    let freed = rank.held.freed.iter().all(|freed| freed.0 <= soon);
    ensure(events && busy && outboxes && freed, "a rank waits for a time that is too far ahead")
}

/// That a packet in the network is of a message of the program.
pub(super) fn knows(placed: &Placed, packet: &Packet) -> Result<(), Unfit> {
    let number = read(packet.mark).0;
    let of = placed.behind(packet.source).and_then(|(rank, _)| message(placed, rank, number));
    let class = |port: u32| port % placed.classes();
    let same = class(packet.source) == class(packet.destination);
    let right = same && of.is_some_and(|(port, flits)| port == packet.destination && packet.flits <= flits);
    ensure(right, "a packet is of no message of the program")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tailback_program::goal::{Units, read_text};

    /// Two computations of 100 and 50 cycles on one processor, and a message of 8 flits behind them.
    const PROGRAM: &[u8] = b"num_ranks 2\nrank 0 {\na: calc 100\nb: calc 50\nc: send 8b to 1\nc requires b\n}\nrank 1 {\nrecv 8b from 0\n}\n";

    #[test]
    fn nothing_waits_for_a_time_that_never_comes() {
        let program = read_text(PROGRAM, &Units { bytes_per_flit: 8, cycle_ns: Some(1.0) }).expect("a program");
        let placed = Placed::new(Arc::new(program), vec![0, 1], 2).expect("two nodes");
        let site = Site { placed: &placed, rank: 0 };
        let mut good = Rank::new(site);
        let near = |rank: &Rank, now: u64| is_near(site, rank, now).is_ok();
        assert!(near(&good, 0));
        good.run(site, 0);
        assert_eq!(good.events.iter().map(|event| event.0).collect::<Vec<_>>(), [100, 150]);
        assert!(near(&good, 0) && near(&good, 99));

        let mut far = good.clone();
        far.events.insert((251, 1, What::Finishes));
        assert!(!near(&far, 0), "computations of 100 and twice 50 cycles end in cycle 200");
        let mut far = good.clone();
        far.events.insert((1 << 20, 2, What::Ready));
        assert!(!near(&far, 0));
        let mut far = good.clone();
        far.processors.insert(0, 151);
        assert!(!near(&far, 0));
        far.stop();
        assert!(near(&far, 0), "nobody waits for the processors of a job that has stopped");

        good.run(site, 150);
        assert!(near(&good, 151));
        let mut far = good.clone();
        far.outboxes[0].sends.insert((1 << 20, 2));
        assert!(!near(&far, 151));
        far = good;
        far.held.freed.push((1 << 20, 0));
        assert!(!near(&far, 151));
    }
}
