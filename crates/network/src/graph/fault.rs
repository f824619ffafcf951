//! Why links and nodes make no network.

use super::Port;
use std::fmt;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such router.
    NoRouter {
        /// The router.
        router: u64,
        /// Routers that there are.
        routers: usize,
    },
    /// The router has no port of that number.
    NoPort {
        /// The port.
        port: Port,
        /// Ports that the router has.
        ports: usize,
    },
    /// Two links use one port.
    Twice(Port),
    /// A link leads from a router to itself.
    Loop(u32),
    /// The far end of a link says otherwise.
    OneWay {
        /// The port.
        from: Port,
        /// Where it says that it leads.
        to: Port,
    },
    /// A delay or a period is out of range.
    Timing {
        /// The port.
        port: Port,
        /// The delay \[cycles\].
        cycles: u32,
        /// The period \[cycles\].
        period: u32,
    },
    /// A router cannot be reached.
    Unconnected {
        /// The router.
        router: u32,
        /// Routers that can be reached from router 0.
        reached: usize,
        /// Routers that there are.
        routers: usize,
    },
    /// There is more than can be held.
    TooLarge {
        /// What.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many there may be.
        most: u64,
    },
    /// There is no router, or no node.
    Empty(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoRouter { router, routers } => write!(f, "there is no router {router}; the network has {routers}"),
            Fault::NoPort { port, ports } => {
                write!(f, "router {} has no port {}; it has {ports}", port.router, port.port)
            }
            Fault::Twice(port) => write!(f, "port {} of router {} is used by two links", port.port, port.router),
            Fault::Loop(router) => write!(f, "a link leads from router {router} to itself"),
            Fault::OneWay { from, to } => write!(
                f,
                "port {} of router {} leads to port {} of router {}, which does not lead back",
                from.port, from.router, to.port, to.router
            ),
            Fault::Timing { port, cycles, period } => write!(
                f,
                "the link at port {} of router {} takes {cycles} cycles and a flit each {period} cycles; both must be \
                 between 1 and {}",
                port.port,
                port.router,
                super::limits::CYCLES
            ),
            Fault::Unconnected { router, reached, routers } => write!(
                f,
                "the network is not connected: router 0 reaches {reached} of {routers} routers, and not router {router}"
            ),
            Fault::TooLarge { what, count, most } => write!(f, "the network has {count} {what}; {most} are the most"),
            Fault::Empty(what) => write!(f, "the network has no {what}"),
        }
    }
}

impl std::error::Error for Fault {}
