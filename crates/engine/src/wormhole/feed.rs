//! Who sends to whom, for blocks of routers.
//!
//! The routers that feed a block's routers by one port stand side by side too, so what they sent is read as a whole. At the
//! ends of rings they stand elsewhere, all as far away: that is read as a whole a second time.

use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, lanes};
use std::collections::BTreeSet;

/// Values before those of the first router and behind those of the last, which are read and not used.
pub(crate) const MARGIN: usize = LANES;

/// What a block reads for one port, or for its ring's ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<W> {
    /// The router that feeds the first lane, or would if routers went on before and behind the network, plus [`MARGIN`].
    pub first: usize,
    /// Per lane, the channels of the port, or nothing where the lane is not fed by a router of the run.
    pub keep: Lanes<W>,
}

/// Where blocks read what was sent to them.
#[derive(Clone, Debug)]
pub(crate) struct Feed<W> {
    runs: Vec<Run<W>>,
    /// Per block, where its runs end.
    ends: Vec<usize>,
}

impl<W: Mask> Feed<W> {
    /// For `routers` routers: `source(router, port)` is the router that it reads from for `port`, if any, and `keep[port]`
    /// what it reads.
    pub fn new(routers: usize, keep: &[W], source: impl Fn(usize, usize) -> Option<usize>) -> Self {
        let mut feed = Feed { runs: Vec::new(), ends: Vec::new() };
        for block in 0..routers.div_ceil(LANES) {
            for (port, &keep) in keep.iter().enumerate() {
                let from = lanes(|l| Some(block * LANES + l).filter(|&r| r < routers).and_then(|r| source(r, port)));
                feed.add(&from.map(|from| from.map(|router| router + MARGIN)), keep);
            }
            feed.ends.push(feed.runs.len());
        }
        feed
    }

    /// Adds a port of a block, whose lanes read `from`.
    fn add(&mut self, from: &Lanes<Option<usize>>, keep: W) {
        let first = |l: usize| from[l].map(|from| from - l);
        let firsts: BTreeSet<usize> = (0..LANES).filter_map(first).collect();
        for one in firsts {
            let keep = lanes(|l| if first(l) == Some(one) { keep } else { W::default() });
            self.runs.push(Run { first: one, keep });
        }
    }

    /// What was sent to the routers of a block, out of what every router has sent, with margins.
    #[inline(always)]
    pub fn gather(&self, block: usize, sent: &[W], kernels: impl Kernels) -> Lanes<W> {
        let begin = if block == 0 { 0 } else { self.ends[block - 1] };
        let mut all = [W::default(); LANES];
        kernels.gather(&self.runs[begin..self.ends[block]], sent, &mut all);
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
                let sent: Vec<u32> = (0..routers.next_multiple_of(LANES) as u32).map(|r| r << 8 | r).collect();
                let sent = [vec![0xaaaa; MARGIN], sent, vec![0x5555; MARGIN]].concat();
                for router in 0..routers {
                    let up = ((router + shift) % routers) as u32;
                    let down = router.checked_sub(shift).map_or(0, |r| (r as u32) << 8);
                    let got = feed.gather(router / LANES, &sent, AnyProcessor)[router % LANES];
                    assert_eq!(got, up | down, "{routers} {shift} {router}");
                }
            }
        }
    }

    #[test]
    fn neighbours_are_read_as_a_whole() {
        // Along rings of 16, and from ring to ring: ends only where the network ends.
        let feed = Feed::new(256, &[1u32], |r, _| Some(r / 16 * 16 + (r + 1) % 16));
        assert_eq!(feed.runs.len(), 2 * feed.ends.len());
        let feed = Feed::new(256, &[1u32], |r, _| Some((r + 16) % 256));
        assert_eq!(feed.runs.len(), feed.ends.len() + 1);
    }
}
