//! Folded Clos networks by levels, with any oversubscription: `down / up` of a level.

use super::clos::{self, Level};
use super::params::{delays, each_of, entry, refusal};
use super::{Built, Classes, Family};
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = entry(
    "folded_clos",
    "a tree of levels with several roots; each level has its own number of links down and up",
    &[
        Param {
            name: "levels",
            kind: Kind::Rows { min: 0, max: 1 << 20, min_len: 2, max_len: 3, max_rows: 8 },
            unit: "",
            fallback: Fallback::Required,
            doc: "One row per level, from the leaves up: [down, up, trunk]. A router of the level is joined to `down` routers \
                of the level below and to `up` routers of the level above, by `trunk` parallel links each (1 by default). \
                `down` of the leaves is their number of nodes, and `up` of the last level is 0.",
        },
        delays(
            "level_cycles",
            "Time of a flit on the links between two levels, from the leaves up; `link_cycles` each where the list is empty.",
        ),
    ],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let rows = view.rows("levels");
    let wrong = |message: String| Err(refusal("topology.levels", message));
    let Some(last) = rows.len().checked_sub(1) else { return wrong("`levels` must have at least one row".to_owned()) };
    let cycles = each_of(view, "level_cycles", last, view.u32("link_cycles"))?;
    let mut levels = Vec::new();
    for (level, row) in rows.iter().enumerate() {
        let (down, up, trunk) = (row[0], row[1], row.get(2).copied().unwrap_or(1));
        let top = level == last;
        if down == 0 || (up == 0) != top || (trunk == 0 && !top) {
            return wrong(format!(
                "row {} of `levels` must have down and trunk of at least 1, and up {}; it is {row:?}",
                level + 1,
                if top { "0, since nothing is above the last level" } else { "of at least 1" },
            ));
        }
        let cycles = cycles.get(level).copied().unwrap_or(1);
        levels.push(Level { down: down as u32, up: up as u32, trunk: trunk as u32, cycles, period: 1 });
    }
    if let Some(nodes) = view.finite("nodes_per_router").filter(|&nodes| nodes != u64::from(levels[0].down)) {
        let message =
            format!("`nodes_per_router` is {nodes}, but the leaves have {} nodes by `levels`", levels[0].down);
        return Err(refusal("topology.nodes_per_router", message));
    }
    Ok(Built::shortest(clos::build(&levels)?).with_classes(Classes::One))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, refused};

    /// Networks that other families have, too.
    #[test]
    fn check_values() {
        check("folded_clos", "levels=[[4,4,1],[4,0,1]]", (8, 16, 32, 2), (1.6, 1.25, 1.25));
        check("folded_clos", "levels=[[4,4],[4,4],[4,0]]", (48, 64, 256, 4), (3.428571, 1.05, 1.05));
        check("folded_clos", "levels=[[8,4,1],[8,0,1]]", (12, 64, 64, 2), (1.777778, 0.5625, 0.5625));
        // Two links to each spine where there were one each to two spines.
        check("folded_clos", "levels=[[8,2,2],[8,0,1]]", (10, 64, 64, 2), (1.777778, 0.5625, 0.5625));
    }

    #[test]
    fn rows_that_are_no_levels_are_refused() {
        assert!(refused("folded_clos", "levels=[]").contains("at least one row"));
        assert!(refused("folded_clos", "levels=[[4,4,1]]").contains("nothing is above the last level"));
        assert!(refused("folded_clos", "levels=[[4,0,1],[4,0,1]]").contains("row 1"));
        assert!(refused("folded_clos", "levels=[[4,4,1],[4,0,1]] nodes_per_router=3").contains("have 4 nodes"));
        assert!(refused("folded_clos", "levels=[[4,4,1],[4,0,1]] level_cycles=[1,2]").contains("needs 1"));
    }
}
