//! What must hold in every network that follows the page.

use super::end::Thing;
use super::network::Network;
use super::recn::{Line, Told};
use super::side::{Neighbour, Side, Sort};

impl Network<'_> {
    /// What must hold after every cycle: no memory, no part of one and no counter has more than it holds.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check(&self) -> Result<(), String> {
        for side in self.sides() {
            let in_queue = |queue: usize| {
                side.queues[queue].len() + side.leaving.iter().filter(|leaving| leaving.queue == queue).count()
            };
            let too_full = !side.shares && (0..side.queues.len()).any(|queue| in_queue(queue) > side.part as usize);
            if too_full || side.packets() > side.memory as usize {
                return Err(format!("cycle {}: {:?} has {} packets", self.now - 1, side.place, side.packets()));
            }
            self.check_lines(side)?;
        }
        Ok(())
    }

    /// Lines of equal turns never exist twice; one that is off has packets; a marker is in a queue of its side.
    fn check_lines(&self, side: &Side) -> Result<(), String> {
        let Some(recn) = &side.recn else { return Ok(()) };
        for (slot, line) in recn.lines() {
            let queue = &side.queues[recn.slots[slot].queue];
            let twice = recn.lines().any(|(other, l)| other != slot && l.turns == line.turns);
            let is_there = |marker: usize| side.queues.iter().flatten().any(|waiting| waiting.packet == marker);
            if twice || line.off && queue.is_empty() || line.marker.is_some_and(|marker| !is_there(marker)) {
                return Err(format!("cycle {}: {:?} has {line:?}", self.now - 1, side.place));
            }
        }
        Ok(())
    }

    /// Packets of one source to one destination are delivered in the order of their making.
    ///
    /// # Errors
    /// The first two that are not.
    pub fn check_order(&self) -> Result<(), String> {
        let mut last = std::collections::BTreeMap::new();
        for packet in &self.packets {
            let Some(delivered) = packet.delivered else { continue };
            let before = last.insert((packet.source, packet.made.destination), (packet.made.index, delivered));
            if let Some((index, at)) = before.filter(|(_, at)| *at >= delivered) {
                return Err(format!("packet {index} delivered at {at}; later in its flow: {packet:?}"));
            }
        }
        Ok(())
    }

    /// Both ends of every branch know the same, where no notice is on its way between them: a line with a downstream is a
    /// branch of it, stopped if that is off; a branch has a line.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check_branches(&self) -> Result<(), String> {
        for side in self.sides() {
            let Some(recn) = &side.recn else { continue };
            for (_, line) in recn.lines().filter(|(_, line)| line.downstream) {
                let turns = recn.as_downstream_knows(&line.turns);
                let (down, us) = self.downstream(side, line);
                let theirs = down.recn.as_ref().expect("all sides have lines");
                let their_line = theirs.lines().map(|(_, line)| line).find(|line| line.turns == turns);
                let told = their_line.map_or(&theirs.root, |line| &line.told);
                let agreed = told.branches.contains(&us) && line.stopped == their_line.is_some_and(|line| line.off);
                if !agreed && !self.speaks(side, down, us) {
                    return Err(format!("{:?} has {line:?}, {:?} has {their_line:?}", side.place, down.place));
                }
            }
            let lines = recn.lines().map(|(_, line)| (&line.turns[..], &line.told));
            for (turns, told) in lines.chain([(&[][..], &recn.root)]) {
                self.check_told(side, turns, told)?;
            }
        }
        Ok(())
    }

    fn check_told(&self, side: &Side, turns: &[usize], told: &Told) -> Result<(), String> {
        for &branch in &told.branches {
            let up = self.upstream(side, branch);
            let recn = side.recn.as_ref().expect("all sides have lines");
            let turns = recn.as_upstream_knows(turns);
            let mut lines = up.recn.as_ref().expect("all sides have lines").lines();
            let has_line = lines.any(|(_, line)| line.turns == turns && line.downstream);
            let us = if branch == Neighbour::Link { Neighbour::Link } else { Neighbour::Port(side.place.port) };
            if !has_line && !self.speaks(side, up, us) && !self.speaks(up, side, branch) {
                return Err(format!("{:?} has branch {branch:?}, which has no line {turns:?}", side.place));
            }
        }
        Ok(())
    }

    /// The side that told of a line, and what the line's side is to it.
    fn downstream(&self, side: &Side, line: &Line) -> (&Side, Neighbour) {
        let end = self.end_of(side);
        if side.place.sort == Sort::Ingress {
            let next = self.config.port_end(side.place.of, line.turns[0]);
            return (&self.ends[next].sending, Neighbour::Port(side.place.port));
        }
        let partner = self.ends[end].partner.expect("the line leads somewhere");
        (self.ends[partner].receiving.as_ref().expect("it is a port"), Neighbour::Link)
    }

    fn upstream(&self, side: &Side, branch: Neighbour) -> &Side {
        match branch {
            Neighbour::Port(port) => self.ingress(self.config.port_end(side.place.of, port)),
            Neighbour::Link => {
                let partner = self.ends[self.end_of(side)].partner.expect("packets came from there");
                &self.ends[partner].sending
            }
        }
    }

    fn end_of(&self, side: &Side) -> usize {
        match side.place.sort {
            Sort::Adapter => self.config.adapter_end(side.place.of),
            _ => self.config.port_end(side.place.of, side.place.port),
        }
    }

    /// Whether any notice is on its way between the ends of two sides, whose neighbours they are by way of `by`.
    fn speaks(&self, one: &Side, other: &Side, by: Neighbour) -> bool {
        let (one, other) = (self.end_of(one), self.end_of(other));
        if by != Neighbour::Link {
            return self.across.iter().any(|a| {
                let from = self.config.port_end(a.end / self.config.ports(), a.from);
                (from, a.end) == (one, other) || (from, a.end) == (other, one)
            });
        }
        let on_link = |end: usize| {
            let end = &self.ends[end];
            !end.notices.is_empty() || end.flying.iter().any(|(_, thing)| matches!(thing, Thing::Notice(_)))
        };
        on_link(one) || on_link(other)
    }

    /// Whether nothing is left: every packet made has been delivered, and no notice is on its way.
    pub fn is_drained(&self) -> bool {
        let silent = |end: &super::end::End| end.notices.is_empty() && end.flying.is_empty();
        self.packets.iter().all(|packet| packet.delivered.is_some())
            && self.across.is_empty()
            && self.ends.iter().all(silent)
    }
}
