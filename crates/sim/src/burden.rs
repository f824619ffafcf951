//! What a pattern does to a network, in a few numbers, and found once for all points that differ in nothing it depends on.

use crate::loads::Loads;
use crate::memo::Memo;
use crate::prepare::Prepared;
use crate::why::numbers::whole;
use crate::why::places;
use std::sync::atomic::AtomicBool;
use tailback_mechanisms::routing::Routes;
use tailback_probes::levels::direction_name;
use tailback_traffic::Course;

/// Answers kept at a time; one takes a few hundred bytes.
static KNOWN: Memo<Option<Burden>> = Memo::new(256);

/// The loads of links and nodes when every sending node makes one flit a cycle, summed up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Burden {
    /// The fullest link that packets cannot avoid, or the fullest cut \[flits/cycle and link\], and which it is.
    pub fullest: Option<(f64, String)>,
    /// Mean load of the links of each direction \[flits/cycle\]: on the ways that packets take, or where these are too many, on shortest
    /// ones.
    pub directions: Vec<f64>,
    /// Most flits that one node receives \[flits/cycle\].
    pub ejection_max: f64,
    /// Nodes that send.
    pub active: u64,
    /// Mean hops of a packet \[links\].
    pub hops_mean: f64,
    /// Mean number of routers of a grid at which a packet goes on in another dimension; on shortest ways where packets have many.
    pub turns_mean: f64,
    /// Mean cycles that a head spends on links, where these are not alike.
    pub wires_mean: f64,
    /// Mean cycles that a packet of one flit takes more for narrow links.
    pub slow_mean: f64,
}

impl Burden {
    /// That of a point; `None` where to add it up would take too long, and once `cancel` is set.
    pub fn of(prepared: &Prepared, cancel: &AtomicBool) -> Option<Burden> {
        match key(prepared) {
            Some(key) => KNOWN.of(key, cancel, || Burden::find(prepared, cancel)),
            None => Burden::find(prepared, cancel),
        }
    }

    fn find(prepared: &Prepared, cancel: &AtomicBool) -> Option<Burden> {
        let loads = Loads::walk(prepared, cancel)?;
        Some(Burden {
            fullest: fullest(prepared, &loads),
            directions: prepared.network().grid().map(|grid| loads.by_direction(grid)).unwrap_or_default(),
            ejection_max: loads.ejection_max,
            active: loads.active,
            hops_mean: loads.hops_mean,
            turns_mean: loads.turns_mean,
            wires_mean: loads.wires_mean,
            slow_mean: loads.slow_mean,
        })
    }
}

/// All that the loads depend on, as text: the network, its routing, the first pattern and what draws that. `None` where a file or a
/// program has a say, which may be another one by now.
fn key(prepared: &Prepared) -> Option<String> {
    let resolved = &prepared.point.resolved;
    let section = |name: &str| resolved.get(name).map(toml::Value::to_string).unwrap_or_default();
    if prepared.has_table || prepared.traffic.program().is_some() || !resolved.files(crate::catalogue()).is_empty() {
        return None;
    }
    // Phases have patterns of their own.
    let phases = if prepared.course() == Course::Phases { section("workload") } else { String::new() };
    let (queued, channels) = (prepared.router.is_queued(), prepared.channels());
    // Whoever does not draw is the same for every seed.
    let seed =
        tailback_traffic::is_drawn(prepared.view("traffic"), prepared.view("workload")).then_some(prepared.point.seed);
    let (network, routing, pattern) = (section("topology"), section("routing"), section("traffic.pattern"));
    Some(format!("{network} {routing} {queued} {channels} {pattern} {phases} {seed:?}"))
}

/// The fullest link that packets cannot avoid, or the fullest cut \[flits/cycle and link\].
fn fullest(prepared: &Prepared, loads: &Loads) -> Option<(f64, String)> {
    let network = prepared.network();
    let Some(grid) = network.grid() else {
        return loads.busiest().filter(|&(_, load)| load > 0.0).map(|(at, load)| {
            let (router, port) = ((at / network.most_ports()) as u32, at % network.most_ports());
            let sharers = loads.sharers.filter(|&pairs| pairs > 1);
            let sharers =
                sharers.map_or(String::new(), |pairs| format!(", which {} pairs of nodes share", whole(pairs)));
            (load, format!("{}{sharers}", places::link(network, router, port)))
        });
    };
    match loads.routes {
        Routes::Few => loads.busiest().map(|(at, load)| {
            let place = grid.coordinates((at / grid.ports()) as u32);
            (load, format!("link {} of router {place:?}", direction_name(at % grid.ports())))
        }),
        Routes::Shortest | Routes::Detours => loads.busiest_cut(grid).map(|(cut, load)| {
            let (port, at) = (direction_name(cut.port), cut.position);
            let text = match grid.wrap()[cut.port / 2] {
                true => format!("all links from one half of the rings to the other, cut {port} of position {at}"),
                false => format!("all links {port} out of position {at}"),
            };
            (load, text)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_spec::Document;

    fn prepared(spec: &str) -> Prepared {
        let document = Document::parse("s.toml", spec.as_bytes()).expect("readable");
        let point = document.expand(crate::catalogue()).expect("no mistakes").swap_remove(0);
        crate::prepare(&point).expect("it can be")
    }

    #[test]
    fn only_what_loads_depend_on_asks_for_another_look() {
        let with = |more: &str| {
            key(&prepared(&format!("topology = {{ kind = 'torus', radix = [8, 8] }}\n{more}"))).expect("no files")
        };
        let plain = with("");
        for same in ["traffic.load = 0.3", "run.seed = 9", "router.buffer_flits = 64", "admission = 'spth'"] {
            assert_eq!(with(same), plain, "{same}");
        }
        for other in ["routing.tie = 'random'", "traffic.pattern = 'bcmp'", "router.virtual_channels = 4"] {
            assert_ne!(with(other), plain, "{other}");
        }
        let pairs = |seed: u32| with(&format!("traffic.pattern = 'rpar'\nrun.seed = {seed}"));
        assert_eq!(pairs(1), pairs(1));
        assert_ne!(pairs(1), pairs(2));
        let phase = |pattern: &str| {
            with(&format!(
                "[workload]\nkind = 'phases'\n[[workload.phases]]\ncycles = 9\nload = 0.1\npattern = '{pattern}'"
            ))
        };
        assert_ne!(phase("bcmp"), phase("trns"));
    }

    #[test]
    fn what_is_remembered_is_what_would_be_found() {
        for pattern in ["uniform", "trns", "rpar", "{ kind = 'hot_sources', destination = 3, placement = 'random' }"] {
            for seed in 1..4 {
                let pattern = if pattern.contains('{') { pattern.to_owned() } else { format!("'{pattern}'") };
                let spec = format!(
                    "topology = {{ kind = 'mesh', radix = [6, 6] }}\ntraffic.pattern = {pattern}\nrun.seed = {seed}"
                );
                let (prepared, cancel) = (prepared(&spec), AtomicBool::new(false));
                assert_eq!(Burden::of(&prepared, &cancel), Burden::find(&prepared, &cancel), "{spec}");
                assert_eq!(Burden::of(&prepared, &cancel), Burden::find(&prepared, &cancel), "{spec}");
            }
        }
    }
}
