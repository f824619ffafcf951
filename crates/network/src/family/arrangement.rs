//! How global links are arranged between groups: which group each of a group's links leads to.

use super::params::refusal;
use crate::graph::limits;
use tailback_spec::{Fallback, Kind, Param, SpecError};

/// The parameter `arrangement`.
pub const PARAM: Param = Param {
    name: "arrangement",
    kind: Kind::Choice(&[
        ("palmtree", "link j of group G leads to group G - j - 1 (Garcia 2012; FOGSim, CAMINOS)"),
        ("absolute", "link j leads to group j, without the own group (BookSim, SST)"),
        ("relative", "link j leads to group G + j + 1 (SuperSim, SST)"),
        ("circulant", "links lead to groups G + 1, G - 1, G + 2, G - 2 and so on (SST/macro)"),
    ]),
    unit: "",
    fallback: Fallback::Text("palmtree"),
    doc: "Which group each global link of a group leads to.",
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Palmtree,
    Absolute,
    Relative,
    Circulant,
}

/// Groups, each with as many links to every other one.
#[derive(Clone, Copy, Debug)]
pub struct Arrangement {
    order: Order,
    groups: u32,
    trunks: u32,
}

impl Arrangement {
    /// `groups` groups with `links` global links each; `None` groups are as many as the links can reach.
    ///
    /// # Errors
    /// Where the links cannot be dealt evenly to the other groups.
    pub fn new(word: &str, links: u64, groups: Option<u64>) -> Result<Arrangement, Box<SpecError>> {
        let most = links + 1;
        let groups = groups.unwrap_or(most);
        if groups > most || !links.is_multiple_of(groups - 1) {
            let message = format!(
                "{groups} groups with {links} global links each cannot be wired: groups - 1 must divide the number of \
                 links, so at most {most} groups"
            );
            return Err(refusal("topology.groups", message));
        }
        if groups > limits::ROUTERS {
            let message = format!("the network has {groups} groups; {} are the most", limits::ROUTERS);
            return Err(refusal("topology", message));
        }
        let order = match word {
            "absolute" => Order::Absolute,
            "relative" => Order::Relative,
            "circulant" => Order::Circulant,
            _ => Order::Palmtree,
        };
        if order == Order::Circulant && groups.is_multiple_of(2) {
            let message = format!("the circulant arrangement needs an odd number of groups; this network has {groups}");
            return Err(refusal("topology.arrangement", message));
        }
        Ok(Arrangement { order, groups: groups as u32, trunks: (links / (groups - 1)) as u32 })
    }

    /// The number of groups.
    pub fn groups(&self) -> u32 {
        self.groups
    }

    /// Links of a group to each other group.
    pub fn trunks(&self) -> u32 {
        self.trunks
    }

    /// The group that global link `link` of `group` leads to, and the number of the link there.
    pub fn far(&self, group: u32, link: u32) -> (u32, u32) {
        let (trunk, link) = (link / (self.groups - 1), link % (self.groups - 1));
        let to = self.to(group, link);
        (to, self.link(to, group, trunk))
    }

    /// The number of the link of group `from` that leads to group `to`, the `trunk`-th of such.
    pub fn link(&self, from: u32, to: u32, trunk: u32) -> u32 {
        let g = self.groups;
        let link = match self.order {
            Order::Absolute => to - u32::from(to > from),
            Order::Relative => (to + g - from) % g - 1,
            Order::Palmtree => (from + g - to) % g - 1,
            Order::Circulant => match (to + g - from) % g {
                ahead if ahead <= (g - 1) / 2 => 2 * (ahead - 1),
                ahead => 2 * (g - ahead - 1) + 1,
            },
        };
        trunk * (g - 1) + link
    }

    fn to(&self, group: u32, link: u32) -> u32 {
        let g = self.groups;
        match self.order {
            Order::Absolute => link + u32::from(link >= group),
            Order::Relative => (group + link + 1) % g,
            Order::Palmtree => (group + g - link - 1) % g,
            Order::Circulant if link.is_multiple_of(2) => (group + link / 2 + 1) % g,
            Order::Circulant => (group + g - (link / 2 + 1)) % g,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_leads_back_and_every_group_is_reached_as_often() {
        for (word, links, groups) in [
            ("palmtree", 8, None),
            ("absolute", 8, None),
            ("relative", 8, None),
            ("circulant", 8, None),
            ("palmtree", 12, Some(5)),
            ("absolute", 12, Some(4)),
            ("relative", 12, Some(2)),
            ("circulant", 12, Some(7)),
        ] {
            let arrangement = Arrangement::new(word, links, groups).unwrap();
            for group in 0..arrangement.groups() {
                let mut reached = vec![0; arrangement.groups() as usize];
                for link in 0..links as u32 {
                    let (to, back) = arrangement.far(group, link);
                    assert_eq!(arrangement.far(to, back), (group, link), "{word}");
                    reached[to as usize] += 1;
                }
                let own = reached.remove(group as usize);
                assert!(own == 0 && reached.iter().all(|&n| n == arrangement.trunks()), "{word}: {reached:?}");
            }
        }
    }

    #[test]
    fn links_that_cannot_be_dealt_evenly_are_refused() {
        assert!(Arrangement::new("palmtree", 8, Some(10)).is_err());
        assert!(Arrangement::new("palmtree", 8, Some(4)).is_err());
        assert!(Arrangement::new("circulant", 9, None).is_err());
    }
}
