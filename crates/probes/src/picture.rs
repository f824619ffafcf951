//! What the pictures of a probe look like, as plain data: the program that writes files draws them.

use tailback_results::Series;

/// A picture of one of a probe's tables.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Its kind, with which the names of its files end.
    pub kind: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// The table that it is drawn from.
    pub table: &'static str,
    /// How it is drawn.
    pub draw: Draw,
}

/// A kind of chart. Labels stand with their unit.
#[derive(Clone, Copy, Debug)]
pub enum Draw {
    /// Lines over the table's axis. The function is called with the name of every column; `None`: the column is not shown.
    Lines(fn(&str) -> Option<Line>),
    /// Groups of bars.
    Bars {
        /// What the chart shows.
        title: &'static str,
        /// What the values are.
        label: &'static str,
        /// The unit of the values.
        unit: &'static str,
        /// How the bars of a group stand.
        stand: Stand,
        /// The groups and bars of a table; `None` if it has none.
        bars: fn(&Series) -> Option<Bars>,
    },
    /// A map of the network, for each router the mean over its nodes. The table has one row per node.
    Nodes(Shade),
    /// A map of the routers for each value of the table's axis. The table has one row per router and window.
    Film {
        /// What is shown.
        shade: Shade,
        /// The parameter of the section `probes` that has the length of a window.
        every: &'static str,
    },
    /// A map of the links.
    Links(Shade),
    /// What every rank of a program does over time. The table has one row per operation.
    Ranks,
    /// Space-time charts, which no table holds.
    SpaceTime,
    /// The roots and the trees of congestion.
    Trees,
}

/// What the colours of a map mean.
#[derive(Clone, Copy, Debug)]
pub struct Shade {
    /// The column of the table.
    pub column: &'static str,
    /// What the map shows.
    pub title: &'static str,
    /// What the values are.
    pub label: &'static str,
    /// The unit of the values.
    pub unit: &'static str,
}

/// How the bars of a group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Side by side.
    Beside,
    /// One on the other.
    Stacked,
}

/// A line of a chart; the unit of its axis is that of the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The title of the panel that it is in; empty in a chart without panels.
    pub panel: String,
    /// The label of its axis.
    pub label: &'static str,
    /// Its name.
    pub name: String,
    /// Where its axis stands.
    pub axis: Axis,
}

/// Where the axis of a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left.
    Left,
    /// Right; the line is dashed.
    Right,
}

impl Line {
    /// A line in a chart without panels, with its axis at the left.
    pub fn new(label: &'static str, name: impl Into<String>) -> Self {
        Line { panel: String::new(), label, name: name.into(), axis: Axis::Left }
    }

    /// In a panel.
    #[must_use]
    pub fn within(self, panel: impl Into<String>) -> Self {
        Line { panel: panel.into(), ..self }
    }
}

/// Groups of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The names of the groups.
    pub groups: Vec<String>,
    /// The bars of each group: a name, and one value per group.
    pub bars: Vec<(String, Vec<f64>)>,
}
