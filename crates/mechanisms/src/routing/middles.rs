//! What a packet draws for its detour: a group or router that it leads by, and one of the ports on each hop that has several.
//!
//! Where they are few enough all of it is one number, so that checks can visit every way and means can weigh each.

use tailback_base::rng::{self, Purpose};
use tailback_engine::packet::Packet;
use tailback_network::graph::Network;
use tailback_network::groups::Groups;
use tailback_network::ways::Ways;

/// The most draws that are told apart.
const MOST_DRAWS: u64 = 1 << 20;

/// Hops on which ports are drawn apart.
const HOPS: u32 = 7;

/// The groups or routers that detours lead by.
#[derive(Debug)]
pub struct Middles {
    /// Routers with nodes, by group; all of them where there are no groups.
    by_group: Vec<Vec<u32>>,
    /// Numbers that a group is drawn with, of which equally many give each; 1 where there are no groups.
    groups: u32,
    /// Whether any group is drawn, and one at an end of the way gives no detour.
    any: bool,
    /// Numbers that a router of it is drawn with.
    routers: u32,
}

impl Middles {
    /// The routers of a network.
    pub fn new(network: &Network, groups: Option<&Groups>) -> Middles {
        let count = groups.map_or(1, Groups::count);
        let mut by_group = vec![Vec::new(); count as usize];
        for router in (0..network.routers() as u32).filter(|&router| network.nodes_at(router) > 0) {
            by_group[groups.map_or(0, |groups| groups.of(router)) as usize].push(router);
        }
        // One group is left out for packets within a group, and two for others.
        let groups = match count {
            1 | 2 => 1,
            _ => (count - 1) * (count - 2),
        };
        let routers = by_group.iter().map(Vec::len).max().unwrap_or(1).max(1) as u32;
        Middles { by_group, groups, any: false, routers }
    }

    /// Routers of all groups: those in a group of the packet's source or destination give no detour.
    pub fn of_all_groups(self) -> Middles {
        Middles { groups: self.by_group.len() as u32, any: true, ..self }
    }

    /// Groups alone, whichever their routers.
    pub fn of_groups(self) -> Middles {
        Middles { routers: 1, ..self }
    }

    /// A group that is neither `from` nor `to`.
    pub fn group(&self, place: u32, from: u32, to: u32) -> Option<u32> {
        if self.any {
            return Some(place % self.groups).filter(|&group| group != from && group != to);
        }
        let left = self.by_group.len() as u32 - 1 - u32::from(from != to);
        let mut group = (place % self.groups).checked_rem(left)?;
        group += u32::from(group >= from.min(to));
        Some(group + u32::from(from != to && group >= from.max(to)))
    }

    /// A router of a group.
    pub fn router(&self, group: u32, place: u32) -> Option<u32> {
        let routers = &self.by_group[group as usize];
        let number = (place / self.groups).checked_rem(routers.len() as u32)?;
        Some(routers[number as usize])
    }
}

/// How draws are divided.
#[derive(Debug)]
pub struct Draws {
    /// All; 0 where they are too many.
    pub all: u32,
    /// Of the place of a detour.
    places: u32,
    /// Of its group, and the first of them that give every group.
    groups: u32,
    few: u32,
    /// Of the port on a hop.
    ties: u32,
}

impl Draws {
    /// With so many ports to choose from on every hop, or a divisor of that number.
    pub fn new(middles: &Middles, ties: u32) -> Draws {
        let (groups, places) = (middles.groups, middles.groups * middles.routers);
        let all = u64::from(places).saturating_mul(u64::from(ties).saturating_pow(HOPS));
        let few = if middles.any { groups } else { (middles.by_group.len() as u32 - 1).clamp(1, groups) };
        Draws { all: if all <= MOST_DRAWS { all as u32 } else { 0 }, places, groups, few, ties }
    }

    /// The number of a packet's place, for its draw of this number.
    pub fn place(&self, packet: &Packet, number: u32) -> u32 {
        if number == 0 && self.all != 0 {
            return packet.choice % self.places;
        }
        let bits = rng::draw_u64(packet.choice.into(), Purpose::Tie, number, 1);
        rng::below(bits, self.places.into()) as u32
    }

    /// Which of so many ports a packet takes that has made so many hops.
    pub fn digit(&self, packet: &Packet, hops: u32, ports: usize) -> usize {
        if ports == 1 {
            return 0;
        }
        let digit = match self.all {
            0 => rng::draw_u64(packet.choice.into(), Purpose::Tie, hops, 0) as u32,
            _ => packet.choice / self.places / self.ties.pow(hops.min(HOPS - 1)) % self.ties,
        };
        digit as usize % ports
    }

    /// Draws that give every way; none where they are too many.
    pub fn cover(&self) -> Vec<u32> {
        (0..self.all).filter(|draw| draw % self.places % self.groups < self.few).collect()
    }
}

/// The least number that the numbers of ports of all hops divide; a large one where it is of no use.
pub fn ties(network: &Network, ways: &Ways, groups: Option<&Groups>) -> u32 {
    let routers = || 0..network.routers() as u32;
    let to_routers = ways.ends().flat_map(|to| routers().map(move |at| ways.ports(at, to).len()));
    let all = to_routers.fold(1, multiple);
    let Some(groups) = groups else { return all };
    let to_groups = (0..groups.count()).flat_map(|group| routers().map(move |at| groups.ports(at, group).len()));
    to_groups.fold(all, multiple)
}

fn multiple(all: u32, ports: usize) -> u32 {
    let ports = ports.max(1) as u32;
    if u64::from(all) > MOST_DRAWS || all.is_multiple_of(ports) {
        return all;
    }
    super::draws::multiple(all.into(), ports.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_drawn_among_those_that_give_a_detour_or_among_all() {
        let middles = |any| {
            let of = Middles { by_group: vec![vec![0]; 5], groups: 4 * 3, any: false, routers: 1 };
            if any { of.of_all_groups() } else { of }
        };
        let drawn = |middles: &Middles, from, to| {
            let mut times = [0; 6];
            (0..middles.groups).for_each(|place| times[middles.group(place, from, to).unwrap_or(5) as usize] += 1);
            times
        };
        assert_eq!(drawn(&middles(false), 1, 3), [4, 0, 4, 0, 4, 0]);
        assert_eq!(drawn(&middles(false), 1, 1), [3, 0, 3, 3, 3, 0]);
        // The last number counts packets that have no detour.
        assert_eq!(drawn(&middles(true), 1, 3), [1, 0, 1, 0, 1, 2]);
        assert_eq!(drawn(&middles(true), 1, 1), [1, 0, 1, 1, 1, 1]);
        assert_eq!((Draws::new(&middles(false), 1).few, Draws::new(&middles(true), 1).few), (4, 5));
    }
}
