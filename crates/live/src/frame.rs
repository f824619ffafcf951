//! Binary messages: a header of 32 bytes, then the payload. All numbers are little-endian.

use crate::place::Places;
use tailback_sim::live::{Dot, Picture};

/// The version of the form.
pub const VERSION: u8 = 1;

/// What a binary message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Where everything stands.
    Places = 0,
    /// Links and routers at one time.
    Picture = 1,
    /// The same as what differs from the picture of the variant before, where that is less.
    Changes = 2,
    /// Congestion trees at that time.
    Trees = 3,
    /// The packets at the routers that a page sees closely, at that time; it comes before the trees.
    Detail = 7,
    /// Set-aside queues at that time; it comes before the trees, where there are such queues.
    Aside = 8,
}

/// Links in a block of a picture: all of a block is sent, or nothing.
const BLOCK: usize = 64;

/// Changes are sent only if they take less than this share of the whole picture \[percent\].
const WORTH: usize = 60;

/// What stands in every header.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// What the message is.
    pub kind: Kind,
    /// The variant, from 0.
    pub variant: u8,
    /// Its number.
    pub number: u32,
    /// The next cycle to be simulated.
    pub cycle: u64,
    /// Cycles that the use of links covers.
    pub covers: u64,
    /// Pictures that were left out since the last one.
    pub dropped: u32,
    /// Changes whenever time does not go on from the picture before.
    pub epoch: u32,
}

/// Bytes of a header.
pub const HEADER: usize = 32;

impl Header {
    fn message(&self, payload: usize) -> Vec<u8> {
        let mut message = Vec::with_capacity(HEADER + payload);
        message.extend([b'T', VERSION, self.kind as u8, self.variant]);
        message.extend(self.number.to_le_bytes());
        message.extend(self.cycle.to_le_bytes());
        message.extend(u32::try_from(self.covers).unwrap_or(u32::MAX).to_le_bytes());
        message.extend(self.dropped.to_le_bytes());
        message.extend(u32::try_from(payload).expect("a picture is smaller than that").to_le_bytes());
        message.extend(self.epoch.to_le_bytes());
        message
    }
}

/// Links, four bytes each, then routers, two bytes each.
pub fn picture(header: Header, picture: &Picture) -> Vec<u8> {
    let payload = 4 * picture.links.len() + 2 * picture.sources.len();
    let mut message = Header { kind: Kind::Picture, ..header }.message(payload);
    for link in &picture.links {
        message.extend([link.used, link.fullest, link.mean, link.state]);
    }
    for (&source, &held) in picture.sources.iter().zip(&picture.held) {
        message.extend([source, held]);
    }
    message
}

/// What differs from the payload of the picture before: a bit for each block of links, the blocks that differ, then all routers if one of
/// them does. `None` where the whole picture is hardly more.
pub fn changes(header: Header, before: &[u8], whole: &[u8], links: usize) -> Option<Vec<u8>> {
    let now = &whole[HEADER..];
    if before.len() != now.len() {
        return None;
    }
    let (old_links, old_routers) = before.split_at(4 * links);
    let (new_links, new_routers) = now.split_at(4 * links);
    let mut bits = vec![0u8; links.div_ceil(BLOCK).div_ceil(8)];
    let mut blocks = Vec::new();
    for (number, (old, new)) in old_links.chunks(4 * BLOCK).zip(new_links.chunks(4 * BLOCK)).enumerate() {
        if old != new {
            bits[number / 8] |= 1 << (number % 8);
            blocks.extend_from_slice(new);
        }
        if 100 * (bits.len() + blocks.len()) >= WORTH * now.len() {
            return None;
        }
    }
    let routers = if old_routers == new_routers { &[][..] } else { new_routers };
    let payload = bits.len() + blocks.len() + routers.len();
    if 100 * payload >= WORTH * now.len() {
        return None;
    }
    let mut message = Header { kind: Kind::Changes, ..header }.message(payload);
    message.extend(bits);
    message.extend(blocks);
    message.extend_from_slice(routers);
    Some(message)
}

/// The level of the set-aside queues behind every link, a byte each.
pub fn aside(header: Header, picture: &Picture) -> Vec<u8> {
    let mut message = Header { kind: Kind::Aside, ..header }.message(picture.aside.len());
    message.extend_from_slice(&picture.aside);
    message
}

/// Bytes of a packet in a detail.
const DOT: usize = 28;

/// Packets of a detail at most, which makes 64 KiB with its routers.
const MOST_DOTS: usize = 2200;

/// Counts of routers and packets; the routers; of each packet its link, or none, its router, source and destination, its number, its flits, the
/// packets before it in its queue, the channel, and [`Dot::signs`]. `dots` come in the order of routers. Routers that there is no room for are
/// left out: the last ones.
pub fn detail(header: Header, routers: &[u32], dots: &[Dot]) -> Vec<u8> {
    let of = |router: u32| {
        let [from, to] = [router, router.saturating_add(1)].map(|end| dots.partition_point(|dot| dot.router < end));
        &dots[from..to]
    };
    let mut told: Vec<&Dot> = Vec::new();
    let fit = |&&router: &&u32| {
        let fits = told.len() + of(router).len() <= MOST_DOTS;
        if fits {
            told.extend(of(router));
        }
        fits
    };
    let routers: Vec<u32> = routers.iter().take_while(fit).copied().collect();
    let mut message = Header { kind: Kind::Detail, ..header }.message(8 + 4 * routers.len() + DOT * told.len());
    for number in [routers.len() as u32, told.len() as u32].into_iter().chain(routers) {
        message.extend(number.to_le_bytes());
    }
    for dot in told {
        let number = u32::try_from(dot.number).unwrap_or(u32::MAX);
        for word in [dot.link.unwrap_or(u32::MAX), dot.router, dot.source, dot.destination, number] {
            message.extend(word.to_le_bytes());
        }
        message.extend(dot.flits.to_le_bytes());
        message.extend(dot.position.to_le_bytes());
        message.extend([dot.channel, dot.signs, 0, 0]);
    }
    message
}

/// The tree of every link, then roots of twelve bytes each.
pub fn trees(header: Header, picture: &Picture) -> Vec<u8> {
    let payload = 2 * picture.trees.len() + 12 * picture.roots.len();
    let mut message = Header { kind: Kind::Trees, ..header }.message(payload);
    picture.trees.iter().for_each(|rank| message.extend(rank.to_le_bytes()));
    for root in &picture.roots {
        message.extend(root.router.to_le_bytes());
        message.extend(root.port.to_le_bytes());
        message.extend(root.depth.to_le_bytes());
        message.extend(root.branches.to_le_bytes());
    }
    message
}

/// Counts of routers, links, pieces and bundles; of each router its place; of each link its ends and its port; of each piece twelve numbers;
/// of each link its bundle, where there are bundles.
pub fn places(header: Header, places: &Places) -> Vec<u8> {
    let Places { routers, links, pieces, bundles, .. } = places;
    let payload = 16 + 8 * routers.len() + 12 * links.len() + 48 * pieces.len() + 4 * bundles.of.len();
    let mut message = Header { kind: Kind::Places, ..header }.message(payload);
    for count in [routers.len(), links.len(), pieces.len(), bundles.count] {
        message.extend(u32::try_from(count).expect("a network has fewer").to_le_bytes());
    }
    for at in routers {
        at.iter().for_each(|number| message.extend(number.to_le_bytes()));
    }
    for link in links {
        link.iter().for_each(|number| message.extend(number.to_le_bytes()));
    }
    for piece in pieces {
        piece.iter().for_each(|number| message.extend(number.to_le_bytes()));
    }
    bundles.of.iter().for_each(|bundle| message.extend(bundle.to_le_bytes()));
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_sim::live::{LinkLook, Root};

    fn header() -> Header {
        Header { kind: Kind::Places, variant: 2, number: 7, cycle: 1 << 33, covers: 64, dropped: 3, epoch: 9 }
    }

    #[test]
    fn a_picture_has_a_header_and_all_of_its_links() {
        let link = LinkLook { used: 1, fullest: 2, mean: 3, state: 0x42 };
        let seen =
            Picture { links: vec![link, LinkLook::default()], sources: vec![5], held: vec![1], ..Picture::default() };
        let message = picture(header(), &seen);
        assert_eq!(message.len(), HEADER + 8 + 2);
        assert_eq!(message[..8], [b'T', 1, 1, 2, 7, 0, 0, 0]);
        assert_eq!(u64::from_le_bytes(message[8..16].try_into().unwrap()), 1 << 33);
        assert_eq!(u32::from_le_bytes(message[24..28].try_into().unwrap()), 10);
        assert_eq!(message[HEADER..], [1, 2, 3, 0x42, 0, 0, 0, 0, 5, 1]);
    }

    /// What a page does with changes.
    fn applied(before: &[u8], message: &[u8], links: usize) -> Vec<u8> {
        let mut picture = before.to_vec();
        let (bits, mut rest) = message[HEADER..].split_at(links.div_ceil(BLOCK).div_ceil(8));
        for (number, block) in picture[..4 * links].chunks_mut(4 * BLOCK).enumerate() {
            if bits[number / 8] >> (number % 8) & 1 == 1 {
                let (sent, after) = rest.split_at(block.len());
                block.copy_from_slice(sent);
                rest = after;
            }
        }
        if !rest.is_empty() {
            picture[4 * links..].copy_from_slice(rest);
        }
        picture
    }

    #[test]
    fn changes_make_the_same_picture_and_are_sent_only_where_they_are_less() {
        // The last block is a short one.
        let (links, routers) = (1000, 256);
        let seen = |change: &dyn Fn(usize) -> u8, held: u8| {
            let link = |n| LinkLook { used: change(n), ..LinkLook::default() };
            let links = (0..links).map(link).collect();
            picture(
                header(),
                &Picture { links, sources: vec![0; routers], held: vec![held; routers], ..Picture::default() },
            )
        };
        let first = seen(&|_| 0, 0);
        let before = &first[HEADER..];
        let same = changes(header(), before, &first, links).unwrap();
        assert_eq!((same.len(), same[2]), (HEADER + 2, 2), "nothing but the bits of 16 blocks");
        for (change, held) in [
            (&(|n: usize| u8::from(n == 999)) as &dyn Fn(usize) -> u8, 0),
            (&|n| u8::from(n % 512 == 3), 0),
            (&|n| u8::from(n < 300), 1),
            (&|_| 0, 1),
        ] {
            let now = seen(change, held);
            let sent = changes(header(), before, &now, links).unwrap();
            assert!(100 * (sent.len() - HEADER) < WORTH * (now.len() - HEADER));
            assert_eq!(applied(before, &sent, links), now[HEADER..]);
        }
        assert_eq!(changes(header(), before, &seen(&|n| u8::from(n % 64 == 0), 0), links), None, "all blocks differ");
        assert_eq!(changes(header(), before, &seen(&|n| u8::from(n < 576), 1), links), None, "routers count, too");
        assert_eq!(changes(header(), &before[1..], &first, links), None, "that is another network");
    }

    #[test]
    fn a_detail_has_whole_routers_only() {
        let dot = |router: u32, position: u16| Dot {
            link: (router > 0).then_some(7),
            router,
            source: 3,
            number: 1 << 40,
            destination: 4,
            channel: 1,
            position,
            flits: 300,
            signs: Dot::HEAD | Dot::WAITS,
        };
        let message = detail(header(), &[5, 0], &[dot(0, 0), dot(5, 2)]);
        assert_eq!((message[2], message.len()), (7, HEADER + 16 + 2 * DOT));
        assert_eq!(message[HEADER..HEADER + 16], [2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
        let first = &message[HEADER + 16..HEADER + 16 + DOT];
        assert_eq!(first[..8], [7, 0, 0, 0, 5, 0, 0, 0]);
        assert_eq!(first[16..], [255, 255, 255, 255, 44, 1, 2, 0, 1, 3, 0, 0]);
        assert_eq!(message[HEADER + 16 + DOT..][..4], [255; 4], "it is in a source queue");
        let full: Vec<Dot> = (0..3).flat_map(|router| (0..1000).map(move |n| dot(router, n))).collect();
        let message = detail(header(), &[2, 1, 0], &full);
        assert_eq!(message[HEADER..HEADER + 8], [2, 0, 0, 0, 208, 7, 0, 0], "for the third there is no room");
        assert!(message.len() < 1 << 16);
    }

    #[test]
    fn trees_tell_of_every_link_and_of_roots() {
        let root = Root { router: 1, port: 2, depth: 3, branches: 4 };
        let seen = Picture { trees: vec![0, 300], roots: vec![root], ..Picture::default() };
        let message = trees(header(), &seen);
        assert_eq!(message[2], 3);
        assert_eq!(message[HEADER..], [0, 0, 44, 1, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0, 0]);
    }
}
