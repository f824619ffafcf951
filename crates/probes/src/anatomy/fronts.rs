//! What the packets at the front of queues wait for.

use serde::{Deserialize, Serialize};
use tailback_engine::contract::census::{Doing, Stand};
use tailback_engine::contract::queueing::Side;

/// Packets that wait at the front of a queue, those of the sources among them, by what keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fronts {
    /// Admission holds them at their sources.
    pub held: u32,
    /// Another packet uses the link (or has the turn).
    pub link: u32,
    /// Other packets hold the virtual channels.
    pub channel: u32,
    /// There is no room behind the link.
    pub room: u32,
    /// Fronts of source queues among all of these.
    pub source: u32,
}

impl Fronts {
    /// Those of a census.
    pub fn of(stands: &[Stand]) -> Fronts {
        let mut fronts = Fronts::default();
        stands.iter().for_each(|stand| fronts.add(stand));
        fronts
    }

    /// Adds one. Adapters of nodes are left out, as they are from the looks.
    pub fn add(&mut self, stand: &Stand) {
        if !stand.head || stand.side == Some(Side::Adapter) {
            return;
        }
        let count = match stand.what.doing() {
            Some(Doing::Admission) => &mut self.held,
            Some(Doing::Switch) => &mut self.link,
            Some(Doing::Channel) => &mut self.channel,
            Some(Doing::Room) => &mut self.room,
            Some(Doing::Routing | Doing::Wires | Doing::Arriving) | None => return,
        };
        *count += 1;
        self.source += u32::from(stand.input.is_none());
    }

    /// All of them.
    pub fn total(self) -> u32 {
        self.held + self.link + self.channel + self.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::census::{Name, What};

    #[test]
    fn fronts_are_told_apart_by_what_keeps_them() {
        let packet = Name { source: 0, index: 0 };
        let stand = |what| Stand {
            packet,
            destination: 1,
            router: 0,
            input: None,
            side: None,
            position: 0,
            flits: 4,
            head: true,
            aside: false,
            what,
        };
        let waits = [
            What::Admission,
            What::Output(Some(0), packet),
            What::Turn(None),
            What::Channel { ports: 1, free: false },
            What::Room { port: 0, channels: 1, flits: 0 },
            What::Behind(packet),
            What::Leaves(Some(0)),
            What::Flying,
        ];
        let mut stands: Vec<Stand> = waits.into_iter().map(stand).collect();
        let fronts = Fronts { held: 1, link: 2, channel: 1, room: 1, source: 5 };
        assert_eq!((Fronts::of(&stands), fronts.total()), (fronts, 5));
        stands.iter_mut().for_each(|stand| stand.input = Some((0, 0)));
        assert_eq!(Fronts::of(&stands), Fronts { source: 0, ..fronts });
        stands.iter_mut().for_each(|stand| stand.head = false);
        assert_eq!(Fronts::of(&stands), Fronts::default(), "what follows a head waits for nothing else");
        let adapter = Stand { side: Some(Side::Adapter), ..stand(What::Admission) };
        assert_eq!(Fronts::of(&[adapter]), Fronts::default());
    }
}
