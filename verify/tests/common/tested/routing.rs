//! A routing of the catalogue, or one that only a test has.

use super::super::listed::Listed;
use crate::input_queued::at_source::AtSource;
use crate::livelock::Round;
use tailback_engine::contract::admission::LocalView;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Candidates, Head, Lesser, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_mechanisms::routing::Any;

/// Any routing.
pub enum AnyRouting {
    Catalogue(Any),
    Listed(Listed),
    AtSource(AtSource),
    Round(Round),
}

/// Every method of the contract, the provided ones too: a default may not be what a routing does.
macro_rules! forwarded {
    ($(fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        impl Routing for AnyRouting {
            $(fn $name(&self $(, $arg: $type)*) $(-> $result)? {
                match self {
                    AnyRouting::Catalogue(routing) => routing.$name($($arg),*),
                    AnyRouting::Listed(routing) => routing.$name($($arg),*),
                    AnyRouting::AtSource(routing) => routing.$name($($arg),*),
                    AnyRouting::Round(routing) => routing.$name($($arg),*),
                }
            })+
        }
    };
}

forwarded! {
    fn start(router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32;
    fn request(head: Head, packet: &Packet, word: &mut u32) -> Request;
    fn sight() -> Sight;
    fn decide(head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request;
    fn decided() -> u32;
    fn options(head: Head, packet: &Packet, word: u32) -> u32;
    fn option(head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request;
    fn signal(router: u32, queues: &impl Queues) -> u64;
    fn expect(router: u32);
    fn straight(port: u8, word: u32) -> (u32, u32);
    fn is_adaptive() -> bool;
    fn choose(head: Head, packet: &Packet, view: LocalView<'_>, word: &mut u32) -> Request;
    fn candidates(head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates;
    fn has_lesser() -> Lesser;
    fn lesser(head: Head, packet: &Packet) -> Request;
    fn useful(head: Head, packet: &Packet, word: u32) -> u16;
    fn offsets(router: u32, packet: &Packet) -> [i32; 6];
    fn variety() -> Variety;
    fn even_draws() -> Vec<u32>;
    fn coins(router: u32, packet: &Packet) -> u32;
    fn memory(head: Head, packet: &Packet) -> u32;
    fn input_class(input: Option<(u8, u8)>) -> u32;
    fn is_told(word: u32) -> bool;
    fn advance(port: u8, word: u32) -> u32;
    fn fits(router: u32, packet: &Packet, word: u32) -> bool;
}

impl From<Any> for AnyRouting {
    fn from(routing: Any) -> Self {
        AnyRouting::Catalogue(routing)
    }
}

impl From<Listed> for AnyRouting {
    fn from(routing: Listed) -> Self {
        AnyRouting::Listed(routing)
    }
}

impl From<AtSource> for AnyRouting {
    fn from(routing: AtSource) -> Self {
        AnyRouting::AtSource(routing)
    }
}

impl From<Round> for AnyRouting {
    fn from(routing: Round) -> Self {
        AnyRouting::Round(routing)
    }
}
