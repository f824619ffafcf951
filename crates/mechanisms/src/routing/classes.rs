//! Which class of virtual channels a hop of a detour takes, so that packets never wait for each other in a circle; or so that they
//! may, as in simulators whose assignments close one.
//!
//! Channels of local links and of global links are divided into classes separately. Where classes go by position, a local hop takes class
//! `2 g + l`: g counts global hops, and l local hops within the group. Classes that no packet takes are left out. A count of local hops
//! alone would lag behind where a packet skips one, and a circle would close.

use super::ways;
use tailback_network::family;
use tailback_network::graph::LinkKind;
use tailback_spec::{Fallback, Kind, Param, View};

/// The parameter `classes`.
pub const PARAM: Param = Param {
    name: "classes",
    kind: Kind::Choice(&[
        ("position", "by where the hop is on the way: free of deadlock"),
        ("global", "by the number of global hops alone"),
        ("ladder", "by the number of hops of its kind: local hops and global hops are counted separately"),
        (
            "booksim",
            "by phase, as ugal_dragonflynew of BookSim 2: to the intermediate router, to the global link, and from there on",
        ),
        ("supersim", "by place, as SuperSim: one row of classes for local and global hops"),
    ]),
    unit: "",
    fallback: Fallback::Text("position"),
    doc: "How virtual channels are assigned to hops where there are groups. All but \"position\" are for comparison: the static check says \
        whether packets can wait for each other under them.",
};

/// How channels are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Position,
    Global,
    Ladder,
    BookSim,
    SuperSim,
}

impl Scheme {
    /// The scheme of a resolved word.
    pub fn of(word: &str) -> Scheme {
        match word {
            "global" => Scheme::Global,
            "ladder" => Scheme::Ladder,
            "booksim" => Scheme::BookSim,
            "supersim" => Scheme::SuperSim,
            _ => Scheme::Position,
        }
    }
}

/// What ways look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Groups of routers that are all linked.
    Flat,
    /// Groups of leaves and spines.
    Levels,
    /// No groups: minimal ways with classes of their own, and so many links at most.
    Any(family::Classes, u32),
}

/// Where packets may turn to their detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// At their source.
    AtSource,
    /// There, or behind a local hop.
    BehindLocal,
}

/// Why packets cannot wait for each other in a circle under the scheme of a `routing` section.
///
/// # Errors
/// Why they may.
pub fn freedom(view: View) -> Result<String, String> {
    match Scheme::of(view.text("classes")) {
        Scheme::Position => Ok("packets take classes of channels in the order of the places on their way".to_owned()),
        _ => Err(format!("channels are assigned as routing.classes = \"{}\" says", view.text("classes"))),
    }
}

/// The ways that packets take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub shape: Shape,
    /// Whether detours lead by a router, which takes one local hop more in its group.
    pub by_router: bool,
    /// Where they turn to it.
    pub turns: Turns,
}

impl Plan {
    /// 1 where packets may turn behind a local hop.
    fn late(self) -> u32 {
        (self.turns == Turns::BehindLocal).into()
    }
}

/// A hop on a way.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    pub kind: LinkKind,
    /// Global hops before it.
    pub globals: u32,
    /// Local hops before it in the same group.
    pub locals: u32,
    /// All hops before it.
    pub all: u32,
    /// Whether it is on the way to the intermediate router or group.
    pub detour: bool,
    /// Whether it is in the group of the destination.
    pub last_group: bool,
}

/// Channels by class, for local links and for global links.
#[derive(Clone, Debug)]
pub struct Assignment {
    scheme: Scheme,
    plan: Plan,
    /// Channels of a local link, or of any without groups, and of a global link.
    channels: (u32, u32),
    /// Classes of local links, or of all links without groups, and of global links.
    counts: (u32, u32),
}

impl Assignment {
    /// With so many channels of a local link, or of any link without groups, and of a global link.
    pub fn new(scheme: Scheme, plan: Plan, channels: (u32, u32)) -> Self {
        Assignment { scheme, plan, channels, counts: counts(scheme, plan) }
    }

    /// The channels that the assignment needs of links that have fewer: the least of a router, or those of a link of a kind.
    pub fn lacks(&self) -> Option<u32> {
        let [local, global] = [(self.channels.0, self.counts.0), (self.channels.1, self.counts.1)];
        let lacks = [local, global].iter().any(|(channels, needed)| channels < needed);
        lacks.then_some(local.1.max(global.1))
    }

    /// Why it needs them.
    pub fn why(&self) -> String {
        let (local, global) = self.counts;
        match self.plan.shape {
            Shape::Any(..) => "those of minimal ways for each half of a detour".to_owned(),
            _ => format!("{local} classes on local links and {global} on global links"),
        }
    }

    /// The channels that a hop may take, as a mask.
    #[inline]
    pub fn channels(&self, hop: Hop) -> u16 {
        let (class, count, channels) = match hop.kind {
            LinkKind::Global => (self.global(hop), self.counts.1, self.channels.1),
            _ => (self.local(hop), self.counts.0, self.channels.0),
        };
        let end = |class: u32| class * channels / count;
        ways::all(end(class + 1)) & !ways::all(end(class))
    }

    /// The channels of the wire from a router to a node; 0: any.
    #[inline]
    pub fn exit(&self) -> u16 {
        match (self.plan.shape, self.scheme) {
            // As in the last group, whether a packet has come there or began there.
            (Shape::Flat, Scheme::BookSim) => ways::of_class(2, 3, self.channels.0),
            _ => 0,
        }
    }

    fn global(&self, hop: Hop) -> u32 {
        match self.scheme {
            Scheme::BookSim => {
                if hop.detour {
                    0
                } else {
                    2
                }
            }
            Scheme::SuperSim if hop.detour => self.base(),
            Scheme::SuperSim => self.minimal_global(),
            _ => hop.globals,
        }
    }

    fn local(&self, hop: Hop) -> u32 {
        let Hop { globals, locals, detour, .. } = hop;
        if let Shape::Any(classes, longest) = self.plan.shape {
            return match classes {
                family::Classes::ByHop => hop.all.min(2 * longest.max(1) - 1),
                _ => u32::from(!detour),
            };
        }
        if self.plan.shape == Shape::Levels {
            // Up before down in each group, and down closes a group.
            return if hop.kind == LinkKind::Down { globals.saturating_sub(1) } else { globals.min(1) };
        }
        match self.scheme {
            Scheme::Position => self.position(globals, locals),
            Scheme::Global => globals,
            Scheme::Ladder => hop.all - globals,
            Scheme::BookSim => {
                if detour {
                    0
                } else {
                    1 + u32::from(hop.last_group)
                }
            }
            Scheme::SuperSim if hop.last_group && !detour => self.minimal_global() + 1,
            Scheme::SuperSim if globals == 0 => self.base().min(locals),
            Scheme::SuperSim => self.base() + 1 + u32::from(self.plan.by_router && !detour),
        }
    }

    /// `2 g + l` without the classes that no packet takes: a second local hop is one of a late turn in the first group, or one away from
    /// the intermediate router in the second.
    fn position(&self, globals: u32, locals: u32) -> u32 {
        let by_router = self.plan.by_router;
        let first = 1 + self.plan.late();
        match globals {
            0 => locals.min(first - 1),
            1 => first + locals.min(u32::from(by_router)),
            _ => first + 1 + u32::from(by_router),
        }
    }

    /// SuperSim's class of the first global hop of a detour.
    fn base(&self) -> u32 {
        self.plan.late()
    }

    /// SuperSim's class of the global hop to the destination's group.
    fn minimal_global(&self) -> u32 {
        self.base() + 1 + u32::from(self.plan.by_router)
    }
}

/// Classes of local links and of global links.
fn counts(scheme: Scheme, plan: Plan) -> (u32, u32) {
    let (late, more) = (plan.late(), u32::from(plan.by_router));
    match (plan.shape, scheme) {
        (Shape::Any(family::Classes::ByHop, longest), _) => (2 * longest.max(1), 1),
        (Shape::Any(..), _) => (2, 1),
        (Shape::Levels, _) => (2, 2),
        (Shape::Flat, Scheme::Position | Scheme::Ladder) => (3 + late + more, 2),
        (Shape::Flat, Scheme::Global) => (3, 2),
        (Shape::Flat, Scheme::BookSim) => (3, 3),
        (Shape::Flat, Scheme::SuperSim) => (3 + late + more, 3 + late + more),
    }
}
