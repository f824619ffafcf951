//! What every data path offers to whoever runs it.

use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::host::{Arrived, Offer};
use crate::contract::probe::Probe;
use crate::contract::queueing::Point;
use crate::outcome::{AuditError, Counters, Deadlock, Standing, Waiting};
use crate::packet::Packet;
use crate::partition::ranks::Ranks;
use crate::totals::{Amount, Lot, Totals};
use tailback_base::state::{State, Writer};

/// A network in the middle of a run, in one piece or in parts.
pub trait Network {
    /// Probes that [`Network::advance`] needs: one a part.
    fn watchers(&self) -> usize {
        1
    }

    /// Simulates up to cycle `stop`. Each part is watched by a probe of its own, which sees what happens at the routers of that
    /// part, and of packets in flight how many more have entered there than were delivered there, modulo 2^64.
    fn advance<P: Probe + Send>(&mut self, probes: &mut [P], stop: u64);

    /// The cycle to be simulated next.
    fn cycle(&self) -> u64;

    /// Totals since the start, of all processes.
    fn counters(&self) -> Counters;

    /// Packets whose head has left the source queue and whose tail has not arrived.
    fn in_flight(&self) -> u64;

    /// What became of all packets since cycle 0, in all processes. Cost: proportional to the network and to the packets in the
    /// sources; where lengths of packets differ, to all packets that were ever made.
    fn totals(&self) -> Totals;

    /// Whether all sources, of all processes, have sent their last packet and will make none any more.
    fn sources_are_dry(&self) -> bool;

    /// Whether no source, of any process, has a packet, nor will have one before something is delivered. If the network is empty then
    /// and sources are not dry, they wait for each other for ever.
    fn sources_wait(&self) -> bool;

    /// How far a program has come, where nodes execute one, with `most` of the receives that wait at most. Cost: proportional to the network.
    fn standing(&self, most: usize) -> Option<Standing>;

    /// Lets everything happen at the sources that is due before the next cycle and that nobody has asked for, so that [`Network::backlog`]
    /// and [`Network::totals`] need not work it out on copies. No packet changes by that.
    fn catch_up(&mut self);

    /// Nodes cease to send: from the next cycle on no packet comes to the front of its source queue any more. Those that have come there
    /// are sent.
    ///
    /// # Panics
    /// Where routers are not input-queued.
    fn cease(&mut self) {
        unreachable!("only nodes of input-queued routers cease to send");
    }

    /// Packets that the sources made before cycle `end` and that have not come to the head of their queue. Those of a node that are of one
    /// cycle may come as one lot.
    fn backlog(&self, end: u64, made: impl FnMut(u32, Lot));

    /// Re-derives the books between two cycles.
    ///
    /// # Errors
    /// The first book that does not balance.
    fn audit(&self) -> Result<(), AuditError>;

    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    fn deadlock(&self) -> Option<Deadlock>;

    /// Whether nothing in the network can ever happen again although packets are in it, or wait before ejection buffers without a place.
    fn is_still(&self) -> bool;

    /// Calls `each` with all heads in buffers of links that wait, if only for their turn. Cost: proportional to the buffers of the
    /// network.
    fn waiting(&self, each: &mut dyn FnMut(Waiting));

    /// Calls `each` with every queue that a packet is in which has come to the front of its source queue and has not wholly
    /// arrived, and that its head is on the way to, as it is at the end of the last cycle. Cost: proportional to the buffers of the
    /// network.
    fn census(&self, scope: Scope, each: &mut dyn FnMut(Stand));

    /// Calls `each` with every head that stands behind no other packet, as it is at the end of the last cycle: of what
    /// [`Network::census`] tells, that which charges cycles to their causes. A head that nothing is said of stands behind another
    /// packet, or is on a wire ([`Front::flight`]), or has left its last queue, unless it goes on as before ([`Front::lasts`]). Told of every cycle, no head leaves for its node
    /// unheard. Cost: proportional to the heads, and little for each.
    fn fronts(&self, scratch: &mut Scratch, each: impl FnMut(Front));

    /// The packet with a number that [`Network::fronts`] told.
    fn name_of(&self, id: u32) -> Name;

    /// Calls `tell` with every packet whose tail is on its way to its node, and with the cycle in which it arrives, where a data path
    /// counts the flits that leave a router and not the packets.
    fn arriving(&self, _tell: &mut dyn FnMut(&Packet, u64)) {}

    /// Takes a message of a host, which its node makes in the next cycle to be simulated.
    ///
    /// # Panics
    /// Where no host says what nodes send.
    fn offer(&mut self, offer: Offer);

    /// Packets of a host that have been offered at `node` and whose tail has not left it when the next cycle begins.
    fn queued(&mut self, node: u32) -> Amount;

    /// A host has received a message at `node`. Where ejection buffers are finite, so many places are free from the next cycle on.
    fn consumed(&mut self, node: u32, places: u32);

    /// Calls `each` with what has arrived for a host since the last call, those of one node in the order of their cycles.
    fn arrivals(&mut self, each: &mut dyn FnMut(Arrived));

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass. Cost: proportional to
    /// the network.
    fn is_at_rest(&self) -> bool;

    /// Leaves out the cycles before `to`, in which nothing would happen: the network is at rest. Probes are not told.
    fn skip(&mut self, to: u64);

    /// Writes the state of the network in one piece, as [`DataPath`] restores it; of several processes at the first one.
    fn checkpoint(&self, to: &mut Writer);

    /// The processes that simulate it together, where there are several. Then backlog, heads that wait and the census are those of
    /// this one's parts.
    fn ranks(&self) -> Option<&dyn Ranks> {
        None
    }

    /// Calls `each` with every congested point that some side knows of. None where nothing is set aside.
    fn points(&self, _each: &mut dyn FnMut(Point)) {}
}

/// A network in one piece. It can be restored from a checkpoint of one that was built alike, in one piece or in parts.
pub trait DataPath: Network + State {
    /// Simulates one cycle.
    fn step<P: Probe>(&mut self, probe: &mut P);

    /// Calls `tell` with every packet that has come to the front of its source queue and whose tail has not arrived.
    fn packets(&self, tell: &mut dyn FnMut(&Packet));
}
