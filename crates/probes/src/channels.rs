//! The virtual channels of every kind of link: what their buffers hold and how much their links carry.

use crate::kinds::Kinds;
use crate::listed::End;
use crate::tables::{column, rows};
use tailback_results::Series;

/// A row for each virtual channel of every direction: mean over the buffers, and over the links, of that direction. In a network without
/// a grid it has a row for each virtual channel, and columns for each kind of link. `None` where neither was watched.
pub(crate) fn table(end: &End<'_>) -> Option<Series> {
    let (occupancy, links) = (&end.watch.channel_occupancy, &end.watch.link_load);
    if occupancy.is_none() && links.is_none() {
        return None;
    }
    let kinds = Kinds::new(end.site.network);
    if !kinds.are_ports() {
        return by_kind(end, &kinds);
    }
    let all = || (0..kinds.count()).flat_map(|port| (0..end.site.channels).map(move |channel| (port, channel)));
    let mut columns = vec![
        column("port", "", all().map(|(port, _)| port as f64).collect()),
        column("channel", "", all().map(|(_, channel)| channel as f64).collect()),
    ];
    if let Some(occupancy) = occupancy {
        let mean = |(port, channel)| occupancy.mean(port, channel).unwrap_or(f64::NAN);
        columns.push(column("occupancy", "flits", all().map(mean).collect()));
    }
    if let Some(links) = links {
        let used = |(port, channel)| links.mean(end, &kinds, port, channel);
        columns.push(column("utilisation", "flits/link/cycle", all().map(used).collect()));
    }
    Some(rows("channels", "", "row", columns))
}

/// The table of a network without directions.
fn by_kind(end: &End<'_>, kinds: &Kinds) -> Option<Series> {
    let mut columns = Vec::new();
    for kind in 0..kinds.count() {
        let of = |value: &dyn Fn(usize) -> f64| (0..end.site.channels).map(value).collect::<Vec<f64>>();
        if let Some(occupancy) = &end.watch.channel_occupancy {
            let mean = of(&|channel| occupancy.mean(kind, channel).unwrap_or(f64::NAN));
            columns.push(column(format!("{}_occupancy", kinds.name(kind)), "flits", mean));
        }
        if let Some(links) = &end.watch.link_load {
            let used = of(&|channel| links.mean(end, kinds, kind, channel));
            columns.push(column(format!("{}_utilisation", kinds.name(kind)), "flits/link/cycle", used));
        }
    }
    (!columns.is_empty()).then(|| rows("channels_by_kind", "", "channel", columns))
}
