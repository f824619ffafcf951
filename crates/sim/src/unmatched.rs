//! Whether packets that no receive asks for yet can keep every place of a finite ejection buffer (`docs/protocol-deadlock.md`).
//!
//! A message needs its receive, which may wait for other messages, and these may stand behind the full buffer. What can be shown is that
//! a buffer always has a place again: most messages find a receive that asks for them, and there is a place more than all others have packets.
//! A message finds its receive where that waits for nothing, or where it waits for messages that the same rank has sent before, on a way on
//! which packets do not overtake one another.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_program::{Program, Upon, Work};
use tailback_traffic::Placed;

/// The most operations that are looked at. They take a second or two.
const MOST: u64 = 1 << 22;

/// Operations that are looked at to find out whether one comes before another.
const NEAR: usize = 32;

/// A rank whose buffer needs most places, and how many packets may come to it before a receive asks for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Need {
    /// Places with which the buffer has one again, whatever comes.
    pub places: u64,
    /// Those packets.
    pub early: u64,
    /// The rank.
    pub rank: u32,
}

/// Of a program that is too long.
pub(crate) const TOO_LONG: &str = "it is not proved that the program cannot lock at ejection buffers with an end: it is too long to be looked at. \
     A run that locks ends `deadlocked`";

impl Need {
    /// What is to be said where ejection buffers have fewer places than that.
    pub fn words(self, places: u32) -> String {
        let Need { places: enough, early, rank } = self;
        let packets = if early == 1 { "1 packet".to_owned() } else { format!("{early} packets") };
        format!(
            "it is not proved that the program cannot lock at ejection buffers of {places}: {packets} may come to rank {rank} before a receive asks \
             for them; a run that locks ends `deadlocked`, and with router.ejection_packets = {enough} none does"
        )
    }
}

/// Messages of a rank to another one, in one class.
#[derive(Debug, Default)]
struct Flow {
    /// By the number of its send: tag and packets.
    messages: BTreeMap<u32, (u32, u64)>,
}

/// The buffer that needs most places. `keeps_order` says whether packets between the nodes of two ranks cannot overtake one another. `None`
/// where the program is too long to be looked at, or nobody wants to know.
pub(crate) fn need(
    placed: &Placed,
    keeps_order: &mut dyn FnMut(u32, u32) -> bool,
    cancel: &AtomicBool,
) -> Option<Need> {
    let program = placed.program();
    let operations: u64 = (0..program.ranks()).map(|rank| u64::from(program.operations(rank))).sum();
    if operations > MOST {
        return None;
    }
    let (mut flows, mut ordered) = (BTreeMap::<(u32, u32, u32), Flow>::new(), BTreeMap::new());
    for rank in 0..program.ranks() {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let own = sent(placed, rank);
        let waits = Waits::of(program, rank);
        for (&(to, class), flow) in &own {
            ordered.insert((to, rank, class), waits.are_in_order(flow));
        }
        flows.extend(own.into_iter().map(|((to, class), flow)| ((to, rank, class), flow)));
    }
    let most = |rank: u32| {
        let into = flows.range((rank, 0, 0)..=(rank, u32::MAX, u32::MAX));
        let receives = Receives::of(placed, rank);
        let all: usize = into.clone().map(|(_, flow)| flow.messages.len()).sum();
        let mut classes = vec![(0, 0); placed.classes() as usize];
        for (of, flow) in into {
            let (_, from, class) = *of;
            let packets: u64 = flow.messages.values().map(|message| message.1).sum();
            let mut in_order = || ordered[of] && receives.follow(from, class, flow) && keeps_order(from, rank);
            let asked = receives.any >= all + receives.own || in_order();
            let early = if asked { 0 } else { receives.early(from, flow) };
            let (before, sum) = &mut classes[class as usize];
            (*before, *sum) = (*before + early, *sum + packets);
        }
        // With places for all it is never full for anybody.
        let needs = classes.into_iter().map(|(early, all)| Need { places: all.min(early + 1), early, rank });
        needs.max().unwrap_or_default()
    };
    (0..program.ranks()).map(most).max()
}

/// What a rank sends into the network, by destination and class.
fn sent(placed: &Placed, rank: u32) -> BTreeMap<(u32, u32), Flow> {
    let mut flows = BTreeMap::<(u32, u32), Flow>::new();
    placed.messages(rank, &mut |number, to, flits| {
        if let Work::Send { tag, .. } = placed.program().work(rank, number) {
            let flow = flows.entry((to, placed.class_of(tag))).or_default();
            flow.messages.insert(number, (tag, placed.packets(flits)));
        }
    });
    flows
}

/// By operation of a rank: those whose end it waits for.
struct Waits {
    of: Vec<Vec<u32>>,
    /// Whether it waits for the start of others, too.
    starts: bool,
}

impl Waits {
    fn of(program: &dyn Program, rank: u32) -> Waits {
        let operations = program.operations(rank);
        let (mut of, mut starts) = (vec![Vec::new(); operations as usize], false);
        for number in 0..operations {
            program.dependants(rank, number, &mut |waiting, upon| {
                starts |= upon == Upon::Start;
                of[waiting as usize].push(number);
            });
        }
        Waits { of, starts }
    }

    /// Whether messages leave by the numbers of their sends: each send is ready no earlier than the one before.
    fn are_in_order(&self, flow: &Flow) -> bool {
        let numbers = || flow.messages.keys();
        !self.starts && numbers().zip(numbers().skip(1)).all(|(&one, &next)| self.is_not_later(one, next))
    }

    /// Whether all that `one` waits for is among what `next` waits for in the end.
    fn is_not_later(&self, one: u32, next: u32) -> bool {
        let mut seen = self.of[next as usize].clone();
        let mut at = 0;
        while let Some(&number) = seen.get(at).filter(|_| seen.len() < NEAR) {
            let before: Vec<u32> = self.of[number as usize].iter().copied().filter(|of| !seen.contains(of)).collect();
            seen.extend(before);
            at += 1;
        }
        self.of[one as usize].iter().all(|number| seen.contains(number))
    }
}

/// The receives of a rank.
struct Receives {
    /// By source and class: number and tag, those that name both.
    exact: BTreeMap<(u32, u32), Vec<(u32, u32)>>,
    /// By source and tag: those of these that wait for nothing.
    ready: BTreeMap<(u32, u32), usize>,
    /// Those that take any message and wait for nothing.
    any: usize,
    /// Messages of the rank to itself.
    own: usize,
    /// Whether there are others that do not name both.
    has_wild: bool,
    waits: Waits,
}

impl Receives {
    fn of(placed: &Placed, rank: u32) -> Receives {
        let program = placed.program();
        let waits = Waits::of(program, rank);
        let mut found =
            Receives { exact: BTreeMap::new(), ready: BTreeMap::new(), any: 0, own: 0, has_wild: false, waits };
        for number in 0..program.operations(rank) {
            let work = program.work(rank, number);
            found.own += usize::from(matches!(work, Work::Send { to, .. } if to == rank));
            let Work::Receive { from, tag, .. } = work else { continue };
            let waits = !found.waits.of[number as usize].is_empty();
            match (from, tag) {
                (Some(from), Some(tag)) => {
                    found.exact.entry((from, placed.class_of(tag))).or_default().push((number, tag));
                    *found.ready.entry((from, tag)).or_default() += usize::from(!waits);
                }
                (from, tag) => {
                    found.any += usize::from(from.is_none() && tag.is_none() && !waits);
                    found.has_wild = true;
                }
            }
        }
        found
    }

    /// Whether the receives of messages of a rank take them in the order in which they are sent, and each waits for nothing but those before it.
    fn follow(&self, from: u32, class: u32, flow: &Flow) -> bool {
        let Some(receives) = self.exact.get(&(from, class)) else { return false };
        let tags = flow.messages.values().map(|message| message.0);
        let earlier = |(at, &(number, _)): (usize, &(u32, u32))| {
            let before = |of: &u32| receives[..at].binary_search_by_key(of, |receive| receive.0).is_ok();
            self.waits.of[number as usize].iter().all(before)
        };
        let alike = receives.iter().map(|receive| receive.1).eq(tags);
        !self.has_wild && !self.waits.starts && alike && receives.iter().enumerate().all(earlier)
    }

    /// Packets of messages that have fewer receives that wait for nothing than there are such messages.
    fn early(&self, from: u32, flow: &Flow) -> u64 {
        let mut by_tag = BTreeMap::<u32, (usize, u64)>::new();
        for &(tag, packets) in flow.messages.values() {
            let (messages, sum) = by_tag.entry(tag).or_default();
            (*messages, *sum) = (*messages + 1, *sum + packets);
        }
        let ready = |tag: u32| self.ready.get(&(from, tag)).copied().unwrap_or(0);
        by_tag.into_iter().filter(|&(tag, (messages, _))| messages > ready(tag)).map(|(_, (_, packets))| packets).sum()
    }
}
