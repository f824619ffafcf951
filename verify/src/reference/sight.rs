//! What heads see of queues: those of the end of the last cycle.

use super::config::Config;
use super::graph::{Beyond, Graph, Hop};
use super::router::Router;

/// The queues of all routers at the end of the last cycle, and of all cycles before.
#[derive(Clone, Debug)]
pub struct Sight {
    /// By router, port and channel: the flits downstream for which no credit is back.
    owed: Vec<Vec<Vec<u32>>>,
    /// By router and port: the flits of packets whose heads ask for it.
    waiting: Vec<Vec<u32>>,
    /// By cycle and router: all flits owed.
    signals: Vec<Vec<u32>>,
}

impl Sight {
    /// Of an empty network.
    pub fn new(config: &Config) -> Self {
        let channels = vec![0; config.virtual_channels as usize];
        Sight {
            owed: vec![vec![channels; config.ports()]; config.routers()],
            waiting: vec![vec![0; config.ports()]; config.routers()],
            signals: Vec::new(),
        }
    }

    /// The end of a cycle. `waiting`: by router, the ports that heads ask for, with the flits of their packets.
    pub fn observe(&mut self, config: &Config, routers: &[Router], waiting: Vec<Vec<(usize, u32)>>) {
        for (router, heads) in waiting.into_iter().enumerate() {
            self.waiting[router] = vec![0; config.ports()];
            for (port, flits) in heads {
                self.waiting[router][port] += flits;
            }
            for port in 0..config.ports() {
                let credits = &routers[router].outputs[port].credits;
                self.owed[router][port] = credits.iter().map(|&free| config.buffer_flits - free).collect();
            }
        }
        self.signals.push((0..routers.len()).map(|router| self.all_owed(router)).collect());
    }

    fn all_owed(&self, router: usize) -> u32 {
        self.owed[router].iter().flatten().sum()
    }

    /// The hop that a head takes.
    pub fn choose<'a>(&self, graph: &Graph, router: usize, ways: &'a [Hop]) -> &'a Hop {
        let Some(taste) = graph.taste else { return &ways[0] };
        let sum = |hop: &&Hop| {
            let owed: u32 = hop.channels.iter().map(|&channel| self.owed[router][hop.port][channel]).sum();
            let link = graph.link(router, hop.port).expect("hops follow links");
            let beyond = match taste.beyond {
                Beyond::Nothing => 0,
                Beyond::Known => self.all_owed(link.router),
                Beyond::Signalled => {
                    let sent = self.signals.len().checked_sub(1 + link.cycles as usize);
                    sent.map_or(0, |cycle| self.signals[cycle][link.router])
                }
            };
            taste.owed * owed + taste.waiting * self.waiting[router][hop.port] + beyond
        };
        ways.iter().min_by_key(sum).expect("there is a way")
    }
}
