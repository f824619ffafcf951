//! What can be said of a point before it runs: its size, its bounds, and what looks wrong.

use crate::loads::Loads;
use crate::prepare::Prepared;
use tailback_network::bounds;
use tailback_probes::levels::direction_name;

/// What `tailback check` prints. Bounds hold for any router: no measured load can exceed them.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Routers.
    pub routers: u64,
    /// Nodes.
    pub nodes: u64,
    /// Directed links between routers.
    pub links: u64,
    /// Memory the run may come to use \[bytes\].
    pub memory_bytes: u64,
    /// Mean links on the way, over the pattern; unknown where counting would take too long.
    pub hops_mean: Option<f64>,
    /// Mean zero-load latency \[cycles\].
    pub zero_load_latency: Option<f64>,
    /// Load at which uniform traffic fills the narrowest middle cut \[flits/node/cycle\].
    pub bisection_load: f64,
    /// Load at which some link or node of this pattern and routing is full, over all nodes \[flits/node/cycle\].
    pub channel_load_bound: Option<f64>,
    /// What is full then.
    pub busiest_link: Option<String>,
    /// Load the sources are asked for in the measured window, over all nodes \[flits/node/cycle\].
    pub offered_load: Option<f64>,
    /// Why the configuration cannot deadlock, or that it can.
    pub deadlock_freedom: String,
    /// What the user may want to know before running.
    pub warnings: Vec<String>,
}

impl Prepared {
    /// Computes the facts.
    pub fn facts(&self) -> Facts {
        let loads = Loads::walk(self);
        let mean_flits = self.traffic.mean_flits();
        let zero_load = |hops: f64| {
            hops * f64::from(self.grid.link_cycles()) + (hops + 1.0) * f64::from(self.router.header_cycles) + mean_flits
        };
        let bound = loads.as_ref().map(|l| self.bound(l));
        let mut facts = Facts {
            routers: self.grid.routers() as u64,
            nodes: self.grid.nodes() as u64,
            links: self.grid.links() as u64,
            memory_bytes: self.memory_bytes,
            hops_mean: loads.as_ref().map(|l| l.hops_mean),
            zero_load_latency: loads.as_ref().map(|l| zero_load(l.hops_mean)),
            bisection_load: bounds::uniform_bisection_load(&self.grid),
            channel_load_bound: bound.as_ref().map(|b| b.0),
            busiest_link: bound.map(|b| b.1),
            offered_load: self.offered_load(),
            deadlock_freedom: self.deadlock_freedom(),
            warnings: Vec::new(),
        };
        facts.warnings = self.warnings(&facts);
        facts
    }

    /// Load over all nodes at which the tightest of injection, links and ejection is full, and which that is.
    fn bound(&self, loads: &Loads) -> (f64, String) {
        let active_share = loads.active as f64 / self.grid.nodes() as f64;
        let mut tightest = (1.0, "the injection ports, one flit a cycle".to_owned());
        if let Some((at, load)) = loads.busiest().filter(|&(_, load)| load > tightest.0) {
            let (router, port) = ((at / self.grid.ports()) as u32, at % self.grid.ports());
            let place = self.grid.coordinates(router);
            tightest = (load, format!("link {} of router {place:?}", direction_name(port)));
        }
        let lanes = self.router.ejection_channels.map_or(f64::INFINITY, f64::from);
        if loads.ejection_max / lanes > tightest.0 {
            tightest = (loads.ejection_max / lanes, "an ejection port".to_owned());
        }
        (active_share / tightest.0, tightest.1)
    }

    /// Load asked for in the measured window.
    pub(crate) fn offered_load(&self) -> Option<f64> {
        let (from, to) = self.measured_window();
        (!self.traffic.ends()).then(|| self.traffic.offered_load(from, to))
    }

    fn deadlock_freedom(&self) -> String {
        let routing = self.view("routing");
        let ring = self.grid.wrap().iter().any(|&w| w);
        if tailback_mechanisms::routing::dimension_order::DimensionOrder::may_deadlock(routing, &self.grid) {
            return "it can deadlock: rings without datelines".to_owned();
        }
        if !ring {
            return "free of deadlock: dimension order on a mesh closes no cycle".to_owned();
        }
        match routing.text("datelines") {
            "none" => "free of deadlock: no packet makes two hops in a ring".to_owned(),
            _ => "free of deadlock: dimension order between dimensions, datelines within rings".to_owned(),
        }
    }

    fn warnings(&self, facts: &Facts) -> Vec<String> {
        let mut warnings = Vec::new();
        if let (Some(offered), Some(bound)) = (facts.offered_load, facts.channel_load_bound)
            && offered > bound
        {
            let what = facts.busiest_link.as_deref().unwrap_or_default();
            warnings.push(format!(
                "the offered load of {offered:.4} flits/node/cycle is above the bound of {bound:.4} set by {what}: the \
                 network will saturate"
            ));
        }
        if facts.channel_load_bound.is_none() {
            warnings
                .push("the network is too large to add up the load of every link; only the bisection is known".into());
        }
        if self.memory_bytes > 1 << 32 {
            warnings.push(format!("the run may use {} of memory", crate::memory::readable(self.memory_bytes)));
        }
        warnings
    }
}
