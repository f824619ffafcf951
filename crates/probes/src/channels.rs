//! The virtual channels of every direction: what their buffers hold and how much their links carry.

use crate::listed::End;
use crate::tables::{column, rows};
use tailback_results::Series;

/// A row for each virtual channel of every direction: mean over the buffers, and over the links, of that direction. `None` where neither
/// was watched.
pub(crate) fn table(end: &End<'_>) -> Option<Series> {
    // Only the ports of a grid have a direction.
    let grid = end.site.network.grid()?;
    let (occupancy, links) = (&end.watch.channel_occupancy, &end.watch.link_load);
    let all = || (0..grid.ports()).flat_map(|port| (0..end.site.channels).map(move |channel| (port, channel)));
    let mut columns = vec![
        column("port", "", all().map(|(port, _)| port as f64).collect()),
        column("channel", "", all().map(|(_, channel)| channel as f64).collect()),
    ];
    if let Some(occupancy) = occupancy {
        let mean = |(port, channel)| occupancy.mean(port, channel).unwrap_or(f64::NAN);
        columns.push(column("occupancy", "flits", all().map(mean).collect()));
    }
    if let Some(links) = links {
        let used = |(port, channel)| links.mean(end, port, channel);
        columns.push(column("utilisation", "flits/link/cycle", all().map(used).collect()));
    }
    (columns.len() > 2).then(|| rows("channels", "", "row", columns))
}
