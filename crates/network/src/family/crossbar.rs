//! A crossbar: one router with all nodes.

use super::params::{entry, nodes_per_router};
use super::{Built, Classes, Family, refused};
use crate::graph::{Builder, Seats};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = entry("crossbar", "one router, with `nodes_per_router` nodes and no links", &[]);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let seats = Seats::even(1, nodes_per_router(view, 1));
    let builder = Builder::new(&[0], seats).map_err(refused)?;
    Ok(Built::shortest(builder.finish().map_err(refused)?).with_classes(Classes::One))
}

#[cfg(test)]
mod tests {
    use super::super::testing::measured;

    #[test]
    fn a_crossbar_has_no_links_that_bound_it() {
        let m = measured("crossbar", "nodes_per_router=16");
        assert_eq!((m.routers, m.nodes, m.links, m.diameter, m.hops_mean), (1, 16, 0, Some(0), Some(0.0)));
        assert_eq!((m.channel_load_bound, m.ecmp_bound), (None, None));
    }
}
