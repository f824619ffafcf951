//! The anatomy in a sentence or two.

use super::Dissected;
use tailback_network::Grid;
use tailback_probes::anatomy::Links;
use tailback_probes::levels::direction_name;

/// So many roots are named.
const NAMED: usize = 3;

/// What there is to say; empty where nobody looked.
pub(crate) fn words(dissected: Option<&Dissected>, grid: &Grid) -> String {
    let Some(Dissected { anatomy, speeds }) = dissected else { return String::new() };
    let looks = anatomy.found.len();
    if looks == 0 {
        return "; anatomy: the measured window is shorter than probes.anatomy_every_cycles, so nobody looked".to_owned();
    }
    if anatomy.lives.trees == 0 {
        return format!("; anatomy, {looks} looks: no congestion tree, no link ever stood still");
    }
    let mean = |of: fn(&tailback_probes::anatomy::Found) -> u32| {
        anatomy.found.iter().map(|found| f64::from(of(found))).sum::<f64>() / looks as f64
    };
    let mut text = format!(
        "; anatomy, {looks} looks: {:.1} congestion trees at a time, {:.1} links standing still for them, up to {} one behind the \
         other; roots for longest: {}",
        mean(|found| found.trees),
        mean(|found| found.still),
        anatomy.found.iter().map(|found| found.depth).max().unwrap_or(0),
        roots(dissected.expect("it was there"), Links { grid }),
    );
    if let Some(share) = anatomy.blocked.head_of_line_share() {
        text += &format!("; of the time behind blocked fronts {:.1} % is head-of-line blocking", 100.0 * share);
    }
    let roles = anatomy.flows.total();
    if roles.culprit + roles.victim > 0 {
        let share = 100.0 * roles.victim as f64 / (roles.culprit + roles.victim) as f64;
        text += &format!("; {share:.1} % of the blocked time in trees is of victims, whose way crosses no root there");
    }
    text + &movement(speeds)
}

/// `node 5 (98 % of the time), link x+ of router [1, 2] (3 %)`.
fn roots(dissected: &Dissected, links: Links<'_>) -> String {
    let anatomy = &dissected.anatomy;
    let mut roots: Vec<usize> = (0..anatomy.of_links.len()).filter(|&link| anatomy.of_links[link].root > 0).collect();
    roots.sort_by_key(|&link| std::cmp::Reverse((anatomy.of_links[link].root, anatomy.of_links[link].packets)));
    let named = roots.iter().take(NAMED).map(|&link| {
        let share = 100.0 * anatomy.of_links[link].root as f64 / anatomy.found.len() as f64;
        format!("{} ({share:.0} % of the time)", name(links, link))
    });
    named.collect::<Vec<String>>().join(", ")
}

/// `link x+ of router [1, 2]` or `node 5`.
fn name(links: Links<'_>, link: usize) -> String {
    let (router, port) = links.place(link);
    match port.checked_sub(links.grid.ports()) {
        None => format!("link {} of router {:?}", direction_name(port), links.grid.coordinates(router)),
        Some(local) => format!("node {}", router * links.grid.nodes_per_router() + local as u32),
    }
}

fn movement(speeds: &[Option<tailback_probes::anatomy::Speed>]) -> String {
    let told = |(port, speed): (usize, &Option<tailback_probes::anatomy::Speed>)| {
        speed.map(|s| format!("{:+.3} in {}", s.speed, direction_name(port)))
    };
    let told: Vec<String> = speeds.iter().enumerate().filter_map(told).collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(
            "; busy areas move, in routers/cycle along the traffic (negative: against it): {}",
            told.join(", ")
        ),
    }
}
