//! From a resolved spec to traffic.

use crate::traffic::{Plan, Traffic};
use crate::{Problem, Shape, process, size, under, workload};
use tailback_spec::View;

impl Traffic {
    /// Builds the traffic of a point from the sections `traffic` and `workload` of its resolved spec.
    ///
    /// # Errors
    /// Everything that makes it impossible on this network, each with its full path in the spec.
    pub fn build(traffic: View, workload: View, shape: &Shape, seed: u64) -> Result<Traffic, Vec<Problem>> {
        let ask = workload::Ask { traffic, workload, shape, seed };
        let sizes = size::build(traffic.sub("size")).map_err(|problems| under("traffic.size", problems));
        let (sizes, workload) = match (sizes, workload::build(&ask)) {
            (Ok(sizes), Ok(workload)) => (sizes, workload),
            (sizes, workload) => {
                let problems = [sizes.err(), workload.err()];
                return Err(problems.into_iter().flatten().flatten().collect());
            }
        };
        let plan = match workload.plan {
            workload::Plan::Packets(packets) => Plan::Packets(packets),
            workload::Plan::Load(timeline) => {
                let process = process::build(traffic.sub("process"), &timeline, sizes.mean());
                let process = process.map_err(|problems| under("traffic.process", problems))?;
                Plan::Load { timeline, process }
            }
        };
        Ok(Traffic::new(seed, shape.nodes(), workload.patterns, plan, sizes))
    }
}
