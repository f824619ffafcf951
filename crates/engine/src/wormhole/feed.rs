//! Who sends to whom, for blocks of routers.
//!
//! The routers that feed a block's routers by one port mostly stand side by side too, so what they sent is read as a whole;
//! at the ends of rings and rows the rest is picked up one by one.

use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, lanes};

/// Values before those of the first router and behind those of the last, which are read and not used.
pub(crate) const MARGIN: usize = LANES;

/// What a block reads for one port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<W> {
    /// The router that feeds the first lane, or would if routers went on before and behind the network, plus [`MARGIN`].
    pub first: usize,
    /// Per lane, the channels of the port, or nothing where the lane is not fed by a router of the run.
    pub keep: Lanes<W>,
}

/// What a block reads for one port and one lane.
#[derive(Clone, Copy, Debug)]
struct Patch<W> {
    lane: usize,
    /// The router plus [`MARGIN`].
    from: usize,
    keep: W,
}

/// Where blocks read what was sent to them.
#[derive(Clone, Debug)]
pub(crate) struct Feed<W> {
    ports: usize,
    /// By block, then port.
    runs: Vec<Run<W>>,
    patches: Vec<Patch<W>>,
    /// Per block, where its patches end.
    ends: Vec<usize>,
}

impl<W: Mask> Feed<W> {
    /// For `routers` routers: `source(router, port)` is the router that it reads from for `port`, if any, and `keep[port]`
    /// what it reads.
    pub fn new(routers: usize, keep: &[W], source: impl Fn(usize, usize) -> Option<usize>) -> Self {
        let blocks = routers.div_ceil(LANES);
        let mut feed = Feed { ports: keep.len(), runs: Vec::new(), patches: Vec::new(), ends: Vec::new() };
        for block in 0..blocks {
            for (port, &keep) in keep.iter().enumerate() {
                let from = lanes(|l| Some(block * LANES + l).filter(|&r| r < routers).and_then(|r| source(r, port)));
                feed.add(&from.map(|from| from.map(|router| router + MARGIN)), keep);
            }
            feed.ends.push(feed.patches.len());
        }
        feed
    }

    /// Adds a port of a block, whose lanes read `from`.
    fn add(&mut self, from: &Lanes<Option<usize>>, keep: W) {
        let in_run = |first: usize, l: usize| from[l] == Some(first + l);
        let firsts = (0..LANES).filter_map(|l| Some(from[l]? - l));
        let first = firsts.max_by_key(|&first| (0..LANES).filter(|&l| in_run(first, l)).count()).unwrap_or(0);
        self.runs.push(Run { first, keep: lanes(|l| if in_run(first, l) { keep } else { W::default() }) });
        for (lane, from) in from.iter().enumerate().filter(|&(l, _)| !in_run(first, l)) {
            self.patches.extend(from.map(|from| Patch { lane, from, keep }));
        }
    }

    /// What was sent to the routers of a block, out of what every router has sent, with margins.
    #[inline(always)]
    pub fn gather(&self, block: usize, sent: &[W], kernels: impl Kernels) -> Lanes<W> {
        let mut all = [W::default(); LANES];
        kernels.gather(&self.runs[block * self.ports..][..self.ports], sent, &mut all);
        let begin = if block == 0 { 0 } else { self.ends[block - 1] };
        for patch in &self.patches[begin..self.ends[block]] {
            all[patch.lane % LANES] |= sent[patch.from] & patch.keep;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernels::AnyProcessor;
    use super::*;

    #[test]
    fn reads_from_whom_it_says() {
        for routers in [5usize, 16, 40, 64] {
            for shift in [1, 3, 17] {
                // A ring, and a line that ends.
                let source = |r: usize, port: usize| match port {
                    0 => Some((r + shift) % routers),
                    _ => r.checked_sub(shift),
                };
                let feed = Feed::new(routers, &[0x00ffu32, 0xff00], source);
                let sent: Vec<u32> = (0..routers.next_multiple_of(16) as u32).map(|r| r << 8 | r).collect();
                let sent = [vec![0xaaaa; MARGIN], sent, vec![0x5555; MARGIN]].concat();
                for router in 0..routers {
                    let up = ((router + shift) % routers) as u32;
                    let down = router.checked_sub(shift).map_or(0, |r| (r as u32) << 8);
                    let got = feed.gather(router / 16, &sent, AnyProcessor)[router % 16];
                    assert_eq!(got, up | down, "{routers} {shift} {router}");
                }
            }
        }
    }

    #[test]
    fn neighbours_are_read_as_a_whole() {
        let feed = Feed::new(256, &[1u32, 1], |r, port| Some((r + if port == 0 { 16 } else { 1 }) % 256));
        assert_eq!(feed.patches.len(), 1);
        let feed = Feed::new(256, &[1u32], |r, _| Some((r + 255) % 256));
        assert_eq!(feed.patches.len(), 1);
    }
}
