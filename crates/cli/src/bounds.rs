//! Which points ask for more than their network can carry.

use crate::exit::Result;
use crate::points::{Points, Source};
use std::collections::BTreeMap;
use tailback_results::Record;
use tailback_sim::{Facts, prepare};
use tailback_spec::Point;
use toml::Value;

/// Networks and patterns of which the bound is computed: counting the load of every link may take a second.
const MOST: usize = 16;

/// Points that ask for more than one and the same bound.
#[derive(Debug)]
pub struct Above {
    /// Their identities.
    pub points: Vec<String>,
    /// The bound \[flits/node/cycle\].
    pub bound: f64,
    /// What is full at it.
    pub what: String,
}

/// The points that ran with an offered load above the channel-load bound, by bound. `first` has the facts of the first
/// point.
pub fn above(points: &Points, records: &[Record], first: &Facts) -> Result<Vec<Above>> {
    let offered: BTreeMap<&str, f64> =
        records.iter().filter_map(|r| Some((r.point_id.as_str(), r.offered_load?))).collect();
    let bound = |facts: &Facts| facts.channel_load_bound.zip(facts.busiest_link.clone());
    let mut known = vec![(network(&points.at(0)?), bound(first))];
    let mut found: Vec<Above> = Vec::new();
    for point in points.iter() {
        let point = point?;
        let Some(offered) = offered.get(point.id.as_str()) else { continue };
        let network = network(&point);
        if known.iter().all(|(other, _)| *other != network) {
            if known.len() == MOST {
                continue;
            }
            known.push((network.clone(), prepare(&point).ok().and_then(|prepared| bound(&prepared.facts()))));
        }
        let Some((_, Some((bound, what)))) = known.iter().find(|(other, _)| *other == network) else { continue };
        if offered <= bound {
            continue;
        }
        match found.iter_mut().find(|above| above.bound == *bound && above.what == *what) {
            Some(above) => above.points.push(point.id.clone()),
            None => found.push(Above { points: vec![point.id.clone()], bound: *bound, what: what.clone() }),
        }
    }
    Ok(found)
}

/// All of a point that its bound can depend on. The load, which sweeps vary most, is not.
fn network(point: &Point) -> String {
    let mut table = point.resolved.table().clone();
    for section in ["name", "description", "admission", "arbiter", "clock", "probes", "workload"] {
        // The patterns of phases are a part of the workload, the times of any other are not.
        if section != "workload" || point.resolved.view("workload").kind() != "phases" {
            table.remove(section);
        }
    }
    if let Some(Value::Table(traffic)) = table.get_mut("traffic") {
        traffic.remove("load");
    }
    table.to_string()
}
