//! Every generator once more, as the table of collectives says it: loops that push operations onto lists.

use crate::listed::{Draft, Lists, receive, send};
use tailback_program::generate::Generate;
use tailback_program::{Upon, Work};

/// Lengths of the chunks of some flits.
fn cut(flits: u32, parts: u32) -> Vec<u32> {
    let mut sizes = vec![0; parts as usize];
    for flit in 0..flits {
        sizes[(flit % parts) as usize] += 1;
    }
    sizes
}

/// A message has one flit at least.
fn message(sizes: &[u32]) -> u32 {
    sizes.iter().sum::<u32>().max(1)
}

fn number(value: Option<u64>) -> u32 {
    value.expect("the test gives it") as u32
}

/// Ranks between which step after step goes, each waiting for the receive of the step before.
struct Chain {
    draft: Draft,
    heard: Vec<Option<u32>>,
}

impl Chain {
    fn new(ranks: u32) -> Chain {
        Chain { draft: Draft::new(ranks), heard: vec![None; ranks as usize] }
    }

    /// A step: messages from, to, flits, all at once.
    fn step(&mut self, tag: u32, messages: &[(u32, u32, u32)]) {
        let before = self.heard.clone();
        for &(from, to, flits) in messages {
            self.draft.add(from, send(to, flits, tag), &[before[from as usize]]);
        }
        for &(from, to, flits) in messages {
            let number = self.draft.add(to, receive(from, flits, tag), &[before[to as usize]]);
            self.heard[to as usize] = Some(number);
        }
    }
}

pub fn naive(asked: &Generate) -> Lists {
    let algorithm = asked.algorithm.as_deref();
    let ranks = || number(asked.ranks);
    let flits = || number(asked.flits);
    match (asked.kind.as_str(), algorithm) {
        ("all_reduce", None | Some("ring")) => ring(ranks(), flits(), true, true),
        ("reduce_scatter", None | Some("ring")) => ring(ranks(), flits(), true, false),
        ("all_gather", None | Some("ring")) => ring(ranks(), flits(), false, true),
        (kind, Some("halving_doubling")) => halving_doubling(kind, ranks(), flits()),
        ("all_reduce", Some("recursive_doubling")) => recursive_doubling(ranks(), flits()),
        ("all_reduce", Some("double_binary_tree")) => trees(ranks(), flits(), number(asked.chunks)),
        ("all_reduce", Some("hierarchical")) => hierarchical(ranks(), flits(), number(asked.groups)),
        ("broadcast", _) => broadcast(ranks(), flits(), asked.root.unwrap_or(0) as u32),
        ("reduce", _) => reduce(ranks(), flits(), asked.root.unwrap_or(0) as u32),
        ("all_to_all", Some("spread")) => all_to_all(ranks(), flits(), Some(number(asked.window))),
        ("all_to_all", _) => all_to_all(ranks(), flits(), None),
        ("barrier", _) => barrier(ranks()),
        ("halo", _) => halo(asked),
        ("request_reply", _) => request_reply(asked),
        ("incast", _) => incast(ranks(), flits(), asked.root.unwrap_or(0) as u32),
        ("pipeline", _) => pipeline(asked),
        other => panic!("no naive twin of {other:?}"),
    }
}

fn ring(ranks: u32, flits: u32, scatter: bool, gather: bool) -> Lists {
    let sizes = cut(flits, ranks);
    let mut chain = Chain::new(ranks);
    let mut tag = 0;
    // Which chunk a rank sends next: its own first, and then always the one that it got last.
    let mut holds: Vec<u32> = (0..ranks).collect();
    for _ in 0..(u32::from(scatter) + u32::from(gather)) * (ranks - 1) {
        let messages: Vec<_> =
            (0..ranks).map(|i| (i, (i + 1) % ranks, message(&[sizes[holds[i as usize] as usize]]))).collect();
        chain.step(tag, &messages);
        holds.rotate_right(1);
        tag += 1;
    }
    chain.draft.lists
}

/// The core of a power of two: for each index the ranks of it, one or two.
fn core(ranks: u32) -> Vec<Vec<u32>> {
    let size = (0..).map(|k| 1 << k).take_while(|&size| size <= ranks).last().expect("one rank at least");
    let mut rest = (0..ranks).collect::<Vec<_>>().into_iter();
    let mut core = Vec::new();
    for index in 0..size {
        let width = if index < ranks - size { 2 } else { 1 };
        core.push(rest.by_ref().take(width).collect());
    }
    core
}

fn halving_doubling(kind: &str, ranks: u32, flits: u32) -> Lists {
    let core = core(ranks);
    let all = kind == "all_reduce";
    let sizes = cut(flits, if all { core.len() as u32 } else { ranks });
    // The chunks of each index.
    let own: Vec<Vec<u32>> = if all { (0..core.len() as u32).map(|index| vec![index]).collect() } else { core.clone() };
    let length = |indices: &[usize]| {
        let chunks = indices.iter().flat_map(|&index| &own[index]);
        message(&chunks.map(|&chunk| sizes[chunk as usize]).collect::<Vec<_>>())
    };
    let pairs: Vec<(u32, u32)> = core.iter().filter(|ranks| ranks.len() == 2).map(|pair| (pair[0], pair[1])).collect();
    let mine = |odd: u32| message(&[sizes[odd as usize]]);
    let mut chain = Chain::new(ranks);
    let first = |odd: u32| if kind == "all_gather" { mine(odd) } else { flits };
    chain.step(0, &pairs.iter().map(|&(even, odd)| (odd, even, first(odd))).collect::<Vec<_>>());
    let mut tag = 1;
    if kind != "all_gather" {
        // What each index still has to answer for.
        let mut blocks: Vec<Vec<usize>> = vec![(0..core.len()).collect(); core.len()];
        while blocks[0].len() > 1 {
            let half = blocks[0].len() / 2;
            let keeps = |index: usize| -> Vec<usize> {
                let (low, high) = blocks[index].split_at(half);
                if low.contains(&index) { low.to_vec() } else { high.to_vec() }
            };
            let message = |index: usize| (core[index][0], core[index ^ half][0], length(&keeps(index ^ half)));
            chain.step(tag, &(0..core.len()).map(message).collect::<Vec<_>>());
            blocks = (0..core.len()).map(keeps).collect();
            tag += 1;
        }
    }
    if kind != "reduce_scatter" {
        let mut has: Vec<Vec<usize>> = (0..core.len()).map(|index| vec![index]).collect();
        while has[0].len() < core.len() {
            let far = has[0].len();
            let message = |index: usize| (core[index][0], core[index ^ far][0], length(&has[index]));
            chain.step(tag, &(0..core.len()).map(message).collect::<Vec<_>>());
            has = (0..core.len()).map(|index| [has[index].clone(), has[index ^ far].clone()].concat()).collect();
            tag += 1;
        }
    }
    let last = |odd: u32| match kind {
        "all_reduce" => flits,
        "reduce_scatter" => mine(odd),
        _ => flits.saturating_sub(mine(odd)).max(1),
    };
    chain.step(tag, &pairs.iter().map(|&(even, odd)| (even, odd, last(odd))).collect::<Vec<_>>());
    chain.draft.lists
}

fn recursive_doubling(ranks: u32, flits: u32) -> Lists {
    let core = core(ranks);
    let pairs: Vec<(u32, u32)> = core.iter().filter(|ranks| ranks.len() == 2).map(|pair| (pair[0], pair[1])).collect();
    let mut chain = Chain::new(ranks);
    chain.step(0, &pairs.iter().map(|&(even, odd)| (odd, even, flits)).collect::<Vec<_>>());
    let (mut tag, mut far) = (1, 1);
    while far < core.len() {
        let message = |index: usize| (core[index][0], core[index ^ far][0], flits);
        chain.step(tag, &(0..core.len()).map(message).collect::<Vec<_>>());
        (tag, far) = (tag + 1, 2 * far);
    }
    chain.step(tag, &pairs.iter().map(|&(even, odd)| (even, odd, flits)).collect::<Vec<_>>());
    chain.draft.lists
}

fn hierarchical(ranks: u32, flits: u32, groups: u32) -> Lists {
    let members = ranks / groups;
    let inside = cut(flits, members);
    let mut chain = Chain::new(ranks);
    let mut tag = 0;
    let mut holds: Vec<u32> = (0..ranks).map(|rank| rank % members).collect();
    let in_group = |chain: &mut Chain, holds: &mut Vec<u32>, tag: u32| {
        let next = |rank: u32| rank / members * members + (rank + 1) % members;
        let messages: Vec<_> =
            (0..ranks).map(|rank| (rank, next(rank), message(&[inside[holds[rank as usize] as usize]]))).collect();
        chain.step(tag, &messages);
        let before = holds.clone();
        (0..ranks).for_each(|rank| holds[next(rank) as usize] = before[rank as usize]);
    };
    for _ in 1..members {
        in_group(&mut chain, &mut holds, tag);
        tag += 1;
    }
    // The chunk that a rank got last is whole in its group; it is cut across the groups.
    let mut pieces: Vec<u32> = (0..ranks).map(|rank| rank / members).collect();
    for _ in 0..2 * (groups - 1) {
        let next = |rank: u32| (rank + members) % ranks;
        let length = |rank: u32| {
            let whole = message(&[inside[holds[rank as usize] as usize]]);
            message(&[cut(whole, groups)[pieces[rank as usize] as usize]])
        };
        let messages: Vec<_> = (0..ranks).map(|rank| (rank, next(rank), length(rank))).collect();
        chain.step(tag, &messages);
        let before = pieces.clone();
        (0..ranks).for_each(|rank| pieces[next(rank) as usize] = before[rank as usize]);
        tag += 1;
    }
    for _ in 1..members {
        in_group(&mut chain, &mut holds, tag);
        tag += 1;
    }
    chain.draft.lists
}

fn broadcast(ranks: u32, flits: u32, root: u32) -> Lists {
    let mut chain = Chain::new(ranks);
    let rank = |place: u32| (place + root) % ranks;
    let mut know = 1;
    for tag in 0.. {
        if know >= ranks {
            break;
        }
        let fresh = know.min(ranks - know);
        let messages: Vec<_> = (0..fresh).map(|place| (rank(place), rank(place + know), flits)).collect();
        chain.step(tag, &messages);
        know += fresh;
    }
    chain.draft.lists
}

fn reduce(ranks: u32, flits: u32, root: u32) -> Lists {
    let mut chain = Chain::new(ranks);
    let mut holders: Vec<u32> = (0..ranks).map(|place| (place + root) % ranks).collect();
    for tag in 0.. {
        if holders.len() == 1 {
            break;
        }
        let pairs = holders.chunks(2).filter(|pair| pair.len() == 2);
        chain.step(tag, &pairs.map(|pair| (pair[1], pair[0], flits)).collect::<Vec<_>>());
        holders = holders.chunks(2).map(|pair| pair[0]).collect();
    }
    chain.draft.lists
}

fn all_to_all(ranks: u32, flits: u32, window: Option<u32>) -> Lists {
    let sizes = cut(flits, ranks);
    let mut draft = Draft::new(ranks);
    for rank in 0..ranks {
        for step in 1..ranks {
            let both = ranks.is_power_of_two().then_some(rank ^ step);
            let (to, from) = (both.unwrap_or((rank + step) % ranks), both.unwrap_or((rank + ranks - step) % ranks));
            let after = match window {
                None => vec![step.checked_sub(2).map(|before| 2 * before + 1)],
                Some(window) => {
                    let before = (step - 1).checked_sub(window);
                    vec![before.map(|before| 2 * before), before.map(|before| 2 * before + 1)]
                }
            };
            draft.add(rank, send(to, message(&[sizes[to as usize]]), step - 1), &after);
            draft.add(rank, receive(from, message(&[sizes[rank as usize]]), step - 1), &after);
        }
    }
    draft.lists
}

fn barrier(ranks: u32) -> Lists {
    let mut chain = Chain::new(ranks);
    let (mut far, mut tag) = (1, 0);
    while far < ranks {
        chain.step(tag, &(0..ranks).map(|rank| (rank, (rank + far) % ranks, 1)).collect::<Vec<_>>());
        (far, tag) = (2 * far, tag + 1);
    }
    chain.draft.lists
}

/// A tree over labels, made by cutting in halves: the middle of a run is the parent of the middles of its two halves. The run is one of a power of
/// two, and labels that do not exist hand their place to the next existing one down the left edge of their right half.
fn parents(ranks: u32) -> Vec<Option<u32>> {
    let mut parents = vec![None; ranks as usize];
    fn middle(low: u32, high: u32, ranks: u32) -> Option<u32> {
        // The topmost existing label strictly between the ends.
        if high - low < 2 {
            return None;
        }
        let at = low + (high - low) / 2;
        if at < ranks { Some(at) } else { middle(low, at, ranks) }
    }
    fn hang(low: u32, high: u32, ranks: u32, above: u32, parents: &mut Vec<Option<u32>>) {
        if high - low < 2 {
            return;
        }
        let at = low + (high - low) / 2;
        if at >= ranks {
            return hang(low, at, ranks, above, parents);
        }
        parents[at as usize] = Some(above);
        hang(low, at, ranks, at, parents);
        if middle(at, high, ranks).is_some() {
            hang(at, high, ranks, at, parents);
        }
    }
    hang(0, ranks.next_power_of_two(), ranks, 0, &mut parents);
    parents
}

fn trees(ranks: u32, flits: u32, chunks: u32) -> Lists {
    let parents = parents(ranks);
    let halves: Vec<Vec<u32>> = cut(flits, 2).iter().map(|&half| cut(half.max(1), chunks)).collect();
    let mut draft = Draft::new(ranks);
    for rank in 0..ranks {
        // By tree: receives from children, the send up, the receive from the parent, of the chunk before.
        let mut before: Vec<(Vec<Option<u32>>, Option<u32>, Option<u32>)> = vec![(vec![None; 2], None, None); 2];
        for chunk in 0..chunks {
            for tree in 0..2_u32 {
                let shift = |label: u32, by: u32| (label + by) % ranks;
                let label = match (tree, ranks % 2) {
                    (0, _) => rank,
                    (_, 0) => ranks - 1 - rank,
                    _ => shift(rank, ranks - 1),
                };
                let on = |label: u32| match (tree, ranks % 2) {
                    (0, _) => label,
                    (_, 0) => ranks - 1 - label,
                    _ => shift(label, 1),
                };
                let parent = parents[label as usize].map(on);
                let children: Vec<u32> =
                    (0..ranks).filter(|&child| parents[child as usize] == Some(label)).map(on).collect();
                let length = message(&[halves[tree as usize][chunk as usize]]);
                let (up, down) = (2 * tree, 2 * tree + 1);
                let was = before[tree as usize].clone();
                let heard: Vec<Option<u32>> = (0..children.len())
                    .map(|which| Some(draft.add(rank, receive(children[which], length, up), &[was.0[which]])))
                    .collect();
                let mut now = ([heard.clone(), vec![None; 2]].concat(), None, None);
                let mut whole = heard;
                if let Some(parent) = parent {
                    let sent = draft.add(rank, send(parent, length, up), &whole);
                    if let Some(last) = was.1 {
                        draft.also(rank, sent, (last, Upon::Start));
                    }
                    let got = draft.add(rank, receive(parent, length, down), &[was.2]);
                    now.1 = Some(sent);
                    now.2 = Some(got);
                    whole = vec![Some(got)];
                }
                for &child in &children {
                    draft.add(rank, send(child, length, down), &whole);
                }
                before[tree as usize] = now;
            }
        }
    }
    draft.lists
}

fn halo(asked: &Generate) -> Lists {
    let sides: Vec<u32> = asked.dimensions.as_ref().expect("given").iter().map(|&side| side as u32).collect();
    let (flits, ranks) = (number(asked.flits), sides.iter().product::<u32>());
    let place = |rank: u32| {
        let mut rest = rank;
        let coordinate = |&side: &u32| {
            let here = rest % side;
            rest /= side;
            here
        };
        sides.iter().map(coordinate).collect::<Vec<u32>>()
    };
    let find = |wanted: &[u32]| (0..ranks).find(|&rank| place(rank) == wanted).expect("it is one of them");
    let mut draft = Draft::new(ranks);
    for rank in 0..ranks {
        let mut heard: Vec<Option<u32>> = Vec::new();
        for _ in 0..asked.iterations.unwrap_or(1) {
            let work = Work::Compute { cycles: asked.compute_cycles.unwrap_or(0), on: 0 };
            let done = Some(draft.add(rank, work, &heard));
            let mut faces = Vec::new();
            for (dimension, &side) in sides.iter().enumerate().filter(|&(_, &side)| side > 1) {
                for (down, step) in [(0, 1), (1, side - 1)] {
                    let mut there = place(rank);
                    there[dimension] = (there[dimension] + step) % side;
                    faces.push((find(&there), 2 * dimension as u32 + down, 2 * dimension as u32 + 1 - down));
                }
            }
            for &(neighbour, out, _) in &faces {
                draft.add(rank, send(neighbour, flits, out), &[done]);
            }
            heard = faces
                .iter()
                .map(|&(neighbour, _, into)| Some(draft.add(rank, receive(neighbour, flits, into), &[done])))
                .collect();
        }
    }
    draft.lists
}

fn request_reply(asked: &Generate) -> Lists {
    let (ranks, servers) = (number(asked.ranks), asked.servers.unwrap_or(1) as u32);
    let (count, window) = (number(asked.count), asked.window.unwrap_or(1) as u32);
    let (request, reply) = (number(asked.request_flits), number(asked.reply_flits));
    let think = asked.think_cycles.unwrap_or(0);
    let mut draft = Draft::new(ranks);
    for rank in servers..ranks {
        let mut heard: Vec<u32> = Vec::new();
        for k in 0..count {
            let server = (rank - servers + k) % servers;
            let mut after = k.checked_sub(window).map(|before| heard[before as usize]);
            if think > 0 && after.is_some() {
                let work = Work::Compute { cycles: think, on: (k % window) as u8 };
                after = Some(draft.add(rank, work, &[after]));
            }
            draft.add(rank, send(server, request, 0), &[after]);
            heard.push(draft.add(rank, receive(server, reply, 1), &[after]));
        }
    }
    for server in 0..servers {
        for client in servers..ranks {
            let mut last = None;
            for _ in (0..count).filter(|k| (client - servers + k) % servers == server) {
                last = Some(draft.add(server, receive(client, request, 0), &[last]));
                draft.add(server, send(client, reply, 1), &[last]);
            }
        }
    }
    draft.lists
}

fn incast(ranks: u32, flits: u32, root: u32) -> Lists {
    let mut draft = Draft::new(ranks);
    for rank in (0..ranks).filter(|&rank| rank != root) {
        draft.add(rank, send(root, flits, 0), &[]);
        draft.add(root, receive(rank, flits, 0), &[]);
    }
    draft.lists
}

fn pipeline(asked: &Generate) -> Lists {
    let stages = number(asked.stages.or(asked.ranks));
    let ranks = number(asked.ranks.or(asked.stages));
    let (flits, width) = (number(asked.flits), ranks / stages);
    let mut draft = Draft::new(ranks);
    for rank in 0..ranks {
        let (mut heard, mut done) = (None, None);
        for _ in 0..number(asked.microbatches) {
            if rank >= width {
                heard = Some(draft.add(rank, receive(rank - width, flits, 0), &[heard]));
            }
            let work = Work::Compute { cycles: asked.compute_cycles.unwrap_or(0), on: 0 };
            done = Some(draft.add(rank, work, &[heard, done]));
            if rank + width < ranks {
                draft.add(rank, send(rank + width, flits, 0), &[done]);
            }
        }
    }
    draft.lists
}
