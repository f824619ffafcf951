//! Space-time charts: busy buffers along a row and a column, a row of cells a cycle (`spth-2015` section 3.3, figure 4).

use crate::listed::{Listed, Site, auto, cycles};
use crate::picture::{Draw, Picture};
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::Grid;
use tailback_network::topology::is_of_one_dimension;
use tailback_spec::{Idle, Param, When};

/// One direction's chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// `N`, `E`, `S` or `W` in two dimensions, `E` and `W` in one.
    pub name: &'static str,
    port: usize,
    routers: Vec<u32>,
    /// Cells by `cycle * width + position`: a mask of the virtual channels whose input buffer is full.
    pub cells: Vec<u16>,
}

impl Panel {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.cells.len().is_multiple_of(self.width().max(1)), "a chart ends in the middle of a line")
    }
}

impl Panel {
    /// Routers along the line.
    pub fn width(&self) -> usize {
        self.routers.len()
    }
}

/// Charts of the first two dimensions: E and W along a row of routers, N and S along a column.
#[derive(Clone, Debug)]
pub struct SpaceTime {
    from: u64,
    to: u64,
    channels: usize,
    capacity: u16,
    /// N, E, S, W.
    pub panels: Vec<Panel>,
}

tailback_base::state!([] Panel { saved: ; grown: cells; rebuilt: name, port, routers; } [fits]);
tailback_base::state!([] SpaceTime { saved: panels; rebuilt: from, to, channels, capacity; });

impl SpaceTime {
    /// Records cycles `from..to`. E and W are seen at the routers of row `row` (fixed second coordinate), N and S at those
    /// of column `column` (fixed first coordinate); all further coordinates are 0.
    pub fn new(grid: &Grid, channels: usize, capacity: u16, (from, to): (u64, u64), (row, column): (u32, u32)) -> Self {
        let line = |dimension: usize, other: u32| -> Vec<u32> {
            let place = |x: u32| {
                let mut at = vec![0; grid.dimensions()];
                at[dimension] = x;
                if grid.dimensions() > 1 {
                    at[1 - dimension] = other;
                }
                grid.router_at(&at)
            };
            (0..grid.radix()[dimension]).map(place).collect()
        };
        let reserve = (to - from).min(1 << 20) as usize;
        let panel = |name, port, routers: Vec<u32>| {
            let cells = Vec::with_capacity(reserve * routers.len());
            Panel { name, port, routers, cells }
        };
        let panels = if grid.dimensions() == 1 {
            vec![panel("E", 0, line(0, 0)), panel("W", 1, line(0, 0))]
        } else {
            let (east, north) = (line(0, row), line(1, column));
            vec![panel("N", 2, north.clone()), panel("E", 0, east.clone()), panel("S", 3, north), panel("W", 1, east)]
        };
        SpaceTime { from, to, channels, capacity, panels }
    }

    /// The first cycle recorded.
    pub fn first_cycle(&self) -> u64 {
        self.from
    }

    /// Busy cells of a panel, all virtual channels counted apart.
    pub fn busy(&self, panel: usize) -> u64 {
        self.panels[panel].cells.iter().map(|c| u64::from(c.count_ones())).sum()
    }
}

impl Listed for SpaceTime {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[
        cycles("space_time_cycles", 1 << 20, "Length of the space-time charts; 0: none (spth-2015 section 3.3)."),
        cycles("space_time_from_cycle", 1 << 40, "First cycle of the space-time charts."),
        auto(
            "space_time_row",
            "",
            (0, 1 << 30),
            "Second coordinate of the routers in the E and W charts; \"auto\" is floor(k/3).",
        ),
        auto(
            "space_time_column",
            "",
            (0, 1 << 30),
            "First coordinate of the routers in the N and S charts; \"auto\" is floor(k/3).",
        ),
    ];

    const NEEDS_GRID: bool = true;

    const IDLE: &'static [Idle] = &[
        Idle {
            keys: &["space_time_from_cycle", "space_time_row", "space_time_column"],
            when: &[When::Is(".space_time_cycles", &["0"])],
            because: "there are no space-time charts",
        },
        Idle {
            keys: &["space_time_row", "space_time_column"],
            when: &[When::Where("the network has one dimension", is_of_one_dimension)],
            because: "its routers are in one line",
        },
    ];

    const READS_LEVELS: bool = true;

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "space-time",
        caption: "Full input buffers over time, which runs downwards: a cell is one router in one cycle, coloured by the virtual \
             channels whose buffer is full there (white: none). Panels are directions of travel, N and S along one column of \
             routers, E and W along one row. Congestion is a growing patch; its slope is the speed at which it spreads.",
        table: "",
        draw: Draw::SpaceTime,
    }];

    fn new(site: &Site<'_>) -> Self {
        let (probes, radix) = (site.probes, site.grid().radix());
        let (from, cycles) = (probes.u64("space_time_from_cycle"), probes.u64("space_time_cycles"));
        let third = |k: Option<&u32>| k.map_or(0, |k| k / 3);
        let row = probes.finite("space_time_row").map_or(third(radix.get(1)), |v| v as u32);
        let column = probes.finite("space_time_column").map_or(third(radix.first()), |v| v as u32);
        SpaceTime::new(site.grid(), site.channels, site.capacity, (from, from + cycles), (row, column))
    }

    fn measure_anew(&mut self, _new: Self) {}
}

impl Probe for SpaceTime {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        (self.from..self.to).contains(&cycle)
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        let Some(occupancy) = end.occupancy else { return };
        if !self.reads_levels(end.cycle) {
            return;
        }
        for panel in &mut self.panels {
            for &router in &panel.routers {
                let full = |c: &usize| occupancy.level(router, panel.port, *c) >= self.capacity;
                panel.cells.push((0..self.channels).filter(full).fold(0, |mask, c| mask | 1 << c));
            }
        }
    }
}
