//! From a resolved spec to traffic.

use crate::exchange::Exchange;
use crate::size::Sizes;
use crate::traffic::{Plan, Traffic};
use crate::workload::changes::{self, Stage};
use crate::{Problem, Shape, classes, pattern, problem, process, size, under, workload};
use std::ops::RangeInclusive;
use tailback_spec::View;

impl Traffic {
    /// Builds the traffic of a point from the sections `traffic` and `workload` of its resolved spec.
    ///
    /// # Errors
    /// Everything that makes it impossible on this network, each with its full path in the spec.
    pub fn build(traffic: View, workload: View, shape: &Shape, seed: u64) -> Result<Traffic, Vec<Problem>> {
        Traffic::timed(traffic, workload, shape, seed, None)
    }

    /// As [`Traffic::build`], with the length of a cycle \[ns\], which programs need that compute for so many ns.
    ///
    /// # Errors
    /// Those of [`Traffic::build`].
    pub fn timed(
        traffic: View,
        workload: View,
        shape: &Shape,
        seed: u64,
        cycle_ns: Option<f64>,
    ) -> Result<Traffic, Vec<Problem>> {
        Traffic::staged(traffic, workload, shape, (seed, cycle_ns), &[])
    }

    /// As [`Traffic::timed`], with what nodes send later, where that changes: stages in order of time.
    ///
    /// # Errors
    /// Those of [`Traffic::build`], and those of the stages, at `workload.changes`.
    pub fn staged(
        traffic: View,
        workload: View,
        shape: &Shape,
        (seed, cycle_ns): (u64, Option<f64>),
        stages: &[Stage],
    ) -> Result<Traffic, Vec<Problem>> {
        if classes::listed(traffic) == 0 {
            return Traffic::alike(traffic, workload, shape, (seed, cycle_ns), stages);
        }
        classes::build((traffic, workload), seed, stages, |traffic, seed, stages| {
            Traffic::alike(traffic, workload, shape, (seed, cycle_ns), stages)
        })
    }

    /// Builds the traffic of packets that are all alike.
    fn alike(
        traffic: View,
        workload: View,
        shape: &Shape,
        (seed, cycle_ns): (u64, Option<f64>),
        stages: &[Stage],
    ) -> Result<Traffic, Vec<Problem>> {
        let ask = workload::Ask { traffic, workload, shape, seed, cycle_ns, stages };
        let packet_flits = traffic.u32("packet_flits");
        let sizes = if workload::has_messages(workload) { idle_sizes(traffic) } else { sizes(traffic) };
        let (sizes, workload) = match (sizes, workload::build(&ask)) {
            (Ok(sizes), Ok(workload)) => (sizes, workload),
            (sizes, workload) => {
                let problems = [sizes.err(), workload.err()];
                return Err(problems.into_iter().flatten().flatten().collect());
            }
        };
        let plan = match workload.plan {
            workload::Plan::Packets(packets) => Plan::Packets(packets),
            workload::Plan::Program(placed) => Plan::Program(placed),
            workload::Plan::Host(hosted) => Plan::Host(hosted),
            workload::Plan::Load(timeline) => {
                let (processes, numbers) = changes::processes(traffic, stages);
                let process = process::switched(&processes, &timeline, sizes.mean());
                let process = process.map_err(|(number, problems)| changes::of_process(number, &numbers, problems))?;
                Plan::Load { timeline, process }
            }
        };
        let made = Traffic::new(seed, shape.nodes(), workload.patterns, plan, sizes, packet_flits);
        let messages = workload::has_messages(ask.workload);
        Ok(made.answered(size::exchange(traffic.sub("size")).filter(|_| !messages)))
    }
}

/// The shortest and the longest message of a resolved section `traffic` \[flits\], which says so whatever the network is.
///
/// # Errors
/// What is wrong with its sizes, each with its full path in the spec; [`Traffic::build`] tells the same.
pub fn message_flits(traffic: View) -> Result<RangeInclusive<u32>, Vec<Problem>> {
    let sections = classes::sections(traffic);
    let of = |section| sizes(View::new(section)).map(|sizes| (sizes.min(), sizes.max()));
    let mut all = sections.iter().map(|(_, section)| of(section)).collect::<Result<Vec<_>, _>>()?;
    let exchanges = sections.iter().filter_map(|(_, section)| size::exchange(View::new(section).sub("size")));
    let exchanges: Vec<_> = exchanges.collect();
    all.extend(Exchange::lengths(exchanges.iter()));
    let shortest = all.iter().map(|lengths| lengths.0).min().expect("there is a section");
    Ok(shortest..=all.iter().map(|lengths| lengths.1).max().expect("there is a section"))
}

/// Whether receivers answer, under resolved sections `traffic` and `workload`.
pub fn has_answers(traffic: View, workload: View) -> bool {
    let answers = |section: View| size::exchange(section.sub("size")).is_some();
    !workload::has_messages(workload)
        && classes::sections(traffic).iter().any(|(_, section)| answers(View::new(section)))
}

/// Whether the packets of some class are not answered, under a resolved section `traffic` of which some are.
pub fn has_unanswered(traffic: View) -> bool {
    let is_plain = |section: View| size::exchange(section.sub("size")).is_none();
    classes::sections(traffic).iter().any(|(_, section)| is_plain(View::new(section)))
}

/// Whether a pattern of resolved sections `traffic` and `workload` may be another one under another seed.
pub fn is_drawn(traffic: View, workload: View) -> bool {
    let phases =
        if workload::course(workload) == workload::Course::Phases { workload.tables("phases") } else { Vec::new() };
    if workload::is_program(workload) {
        return workload.text("placement") == "random";
    }
    if workload::has_messages(workload) {
        return false;
    }
    let drawn = |section: View| pattern::is_drawn(section.sub("pattern"));
    classes::sections(traffic).iter().any(|(_, section)| drawn(View::new(section)))
        || phases.iter().any(|phase| pattern::is_drawn(phase.sub("pattern")))
}

/// All patterns of resolved sections `traffic` and `workload`, with their paths in the spec.
pub fn patterns<'a>(traffic: View<'a>, workload: View<'a>) -> Vec<(String, View<'a>)> {
    if workload::has_messages(workload) {
        return Vec::new();
    }
    if classes::listed(traffic) > 0 {
        let classes = traffic.tables("classes").into_iter().enumerate();
        return classes.map(|(n, class)| (format!("traffic.classes[{n}].pattern"), class.sub("pattern"))).collect();
    }
    if workload::course(workload) != workload::Course::Phases {
        return vec![("traffic.pattern".to_owned(), traffic.sub("pattern"))];
    }
    let phases = workload.tables("phases").into_iter().enumerate();
    phases.map(|(n, phase)| (format!("workload.phases[{n}].pattern"), phase.sub("pattern"))).collect()
}

/// Whether some load that its declaration allows would be refused with the process of a resolved section `traffic`.
pub fn refuses_loads(traffic: View) -> bool {
    classes::sections(traffic).iter().any(|(_, section)| process::refuses_loads(View::new(section).sub("process")))
}

/// What `traffic.size` says where it has no effect, whatever packets are cut into.
fn idle_sizes(traffic: View) -> Result<Sizes, Vec<Problem>> {
    size::build(traffic.sub("size")).map_err(|problems| under("traffic.size", problems))
}

fn sizes(traffic: View) -> Result<Sizes, Vec<Problem>> {
    let sizes = size::build(traffic.sub("size")).map_err(|problems| under("traffic.size", problems))?;
    into_packets(sizes, traffic.u32("packet_flits"))
}

/// Refuses messages that packets of `packet_flits` do not fill; 0: they are not cut.
fn into_packets(sizes: Sizes, packet_flits: u32) -> Result<Sizes, Vec<Problem>> {
    match sizes.uneven(packet_flits.max(1)) {
        None => Ok(sizes),
        Some(flits) => {
            let message = format!(
                "messages of {flits} flits cannot be cut into packets of {packet_flits}: all packets have the same length, \
                 and there would be a shorter one at the end"
            );
            let help = "make every length of traffic.size a multiple of traffic.packet_flits";
            problem("traffic.packet_flits", message, Some(help))
        }
    }
}
