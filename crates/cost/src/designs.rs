//! The four routers of `bubble-1999` as designed in VLSI: 0.7 micrometre, typical conditions, two dimensions.

/// A router design of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Cut-through, dimension order, bubble flow control, one queue a link.
    BubbleDor,
    /// Wormhole, dimension order, two virtual channels a link.
    VcDor,
    /// Wormhole, adaptive, one adaptive and two escape channels a link.
    VcAdaptive,
    /// Cut-through, adaptive, one adaptive queue and one with bubble flow control a link.
    BubbleAdaptive,
}

/// Module measured by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// As the paper calls it.
    pub name: &'static str,
    /// Critical path \[ns\].
    pub ns: f64,
    /// Area of one \[mm2\].
    pub mm2: f64,
}

/// A design in two dimensions, and its crossbar in three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    /// Queues of a link \[phits\], the first for each channel beyond these.
    pub queues: &'static [u32],
    /// Queue of the node \[phits\].
    pub injection: u32,
    /// Area of a link's queues beyond that of single queues of the same size \[mm2\].
    pub queues_surplus: f64,
    /// One for every queue, and what the paper calls the stage.
    pub routing: Part,
    /// One for every link, where channels share links flit by flit.
    pub controller: Option<Part>,
    /// Critical paths of the crossbar and arbiter by crossbar inputs, in 2-D and 3-D \[ns\].
    pub crossbar_ns: [(f64, f64); 2],
    /// Critical path of the crossbar alone in 2-D, where the arbiter is a stage of its own \[ns\].
    pub crossbar_alone_ns: Option<f64>,
    /// The table with the modules.
    pub table: &'static str,
}

/// Synchroniser, the same in all designs: one for every link and the node.
pub(crate) const SYNC: Part = Part { name: "synchroniser", ns: 3.53, mm2: 0.51 };

/// Area of a queue by its size \[phits, mm2\].
pub(crate) const QUEUE_AREA: [(f64, f64); 3] = [(32.0, 0.41), (64.0, 0.59), (128.0, 0.94)];

/// Critical path of a queue by the binary logarithm of its size \[ns\].
pub(crate) const QUEUE_DELAY: [(f64, f64); 3] = [(5.0, 5.19), (6.0, 5.22), (7.0, 5.25)];

/// Area of crossbar and arbiter by crosspoints, one output a link \[mm2\]: 5x5 (bubble DOR) and 9x5 (adaptive bubble).
pub(crate) const LINK_CROSSBARS: [(f64, f64); 2] = [(25.0, 2.15), (45.0, 3.70)];

/// The same with an output for every virtual channel: 9x9 (VC DOR) and 13x13 (adaptive VC).
pub(crate) const CHANNEL_CROSSBARS: [(f64, f64); 2] = [(81.0, 6.30), (169.0, 7.86)];

const BUBBLE_DOR: Design = Design {
    queues: &[128],
    injection: 128,
    queues_surplus: 0.0,
    routing: Part { name: "routing unit", ns: 3.58, mm2: 0.13 },
    controller: None,
    crossbar_ns: [(5.0, 4.31), (7.0, 4.92)],
    crossbar_alone_ns: None,
    table: "table 2",
};

const VC_DOR: Design = Design {
    queues: &[64, 64],
    injection: 128,
    queues_surplus: 0.0,
    routing: Part { name: "routing unit", ns: 3.70, mm2: 0.06 },
    controller: Some(Part { name: "virtual-channel controller", ns: 2.97, mm2: 0.17 }),
    crossbar_ns: [(9.0, 5.57), (13.0, 5.79)],
    crossbar_alone_ns: None,
    table: "table 2",
};

const VC_ADAPTIVE: Design = Design {
    queues: &[64, 32, 32],
    injection: 128,
    // 1.51 mm2 a link are printed; queues of 64, 32 and 32 phits are 0.59 + 0.41 + 0.41.
    queues_surplus: 0.10,
    routing: Part { name: "address decoder", ns: 5.31, mm2: 0.86 },
    controller: Some(Part { name: "virtual-channel controller", ns: 4.08, mm2: 1.20 }),
    crossbar_ns: [(13.0, 7.50), (19.0, 8.71)],
    crossbar_alone_ns: Some(6.77),
    table: "table 2",
};

// A critical path of 6.28 ns happens to look like a circle.
#[expect(clippy::approx_constant)]
const BUBBLE_ADAPTIVE: Design = Design {
    queues: &[64, 64],
    injection: 64,
    queues_surplus: 0.0,
    routing: Part { name: "routing decision unit", ns: 5.64, mm2: 0.80 },
    controller: None,
    crossbar_ns: [(9.0, 5.65), (13.0, 6.28)],
    crossbar_alone_ns: None,
    table: "table 1",
};

impl Family {
    /// All, in the order of the paper's tables.
    pub const ALL: [Family; 4] = [Family::BubbleDor, Family::VcDor, Family::VcAdaptive, Family::BubbleAdaptive];

    /// As presets and the paper's targets call it.
    pub fn name(self) -> &'static str {
        match self {
            Family::BubbleDor => "bubble_dor",
            Family::VcDor => "vc_dor",
            Family::VcAdaptive => "vc_adaptive",
            Family::BubbleAdaptive => "bubble_adaptive",
        }
    }

    /// As the paper calls it.
    pub fn title(self) -> &'static str {
        match self {
            Family::BubbleDor => "Bubble DOR",
            Family::VcDor => "VC DOR",
            Family::VcAdaptive => "VC Adap",
            Family::BubbleAdaptive => "Bubble Adap",
        }
    }

    /// Queues of a link in the paper \[phits\].
    pub fn queues(self) -> &'static [u32] {
        self.design().queues
    }

    /// Whether every virtual channel has a crossbar output of its own.
    pub fn crossbar_by_channel(self) -> bool {
        matches!(self, Family::VcDor | Family::VcAdaptive)
    }

    pub(crate) fn design(self) -> &'static Design {
        match self {
            Family::BubbleDor => &BUBBLE_DOR,
            Family::VcDor => &VC_DOR,
            Family::VcAdaptive => &VC_ADAPTIVE,
            Family::BubbleAdaptive => &BUBBLE_ADAPTIVE,
        }
    }
}
