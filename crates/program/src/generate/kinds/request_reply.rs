//! Request and reply: clients ask servers, have some requests open at most, and think between a reply and the next request.
//!
//! The first ranks are the servers, all others clients. Request `k` of client `c`, both counted from 0, goes to server `(c + k) mod
//! servers`. It waits for the reply to request `k - window`, and then for the client to think. A server answers each request when it has
//! come. Requests have tag 0 and replies tag 1, so that they can be told apart as classes.

use crate::contract::{Upon, Work};
use crate::generate::shape::Shape;

/// Tag of requests.
const REQUEST: u32 = 0;
/// Tag of replies.
const REPLY: u32 = 1;

/// Clients and servers.
#[derive(Debug)]
pub(crate) struct RequestReply {
    /// All ranks.
    pub(crate) ranks: u32,
    /// How many of them are servers; at least one is not.
    pub(crate) servers: u32,
    /// Requests of a client that are open at most.
    pub(crate) window: u32,
    /// Requests of every client.
    pub(crate) count: u32,
    /// Flits of a request.
    pub(crate) request: u32,
    /// Flits of a reply.
    pub(crate) reply: u32,
    /// Cycles between a reply and the request that waits for it.
    pub(crate) think: u64,
}

/// What a client does for a request, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Think,
    Ask,
    Hear,
}

/// How many of the numbers `start, start - 1, ...` modulo `modulus`, `terms` of them, are below `limit`.
fn below(start: u32, terms: u32, modulus: u32, limit: u32) -> u32 {
    let part = terms % modulus;
    let whole = terms / modulus * limit;
    if part <= start + 1 {
        // From `start` down to `start + 1 - part`.
        return whole + limit.min(start + 1).saturating_sub(start + 1 - part);
    }
    // From `start` down to 0, and on from the top.
    let rest = part - (start + 1);
    whole + limit.min(start + 1) + limit.saturating_sub(modulus - rest)
}

impl RequestReply {
    fn is_server(&self, rank: u32) -> bool {
        rank < self.servers
    }

    fn clients(&self) -> u32 {
        self.ranks - self.servers
    }

    /// Operations of a client for a request behind the first ones.
    fn each(&self) -> u32 {
        if self.think > 0 { 3 } else { 2 }
    }

    /// Requests of a client that wait for no reply.
    fn first(&self) -> u32 {
        self.window.min(self.count)
    }

    /// A client's operation taken apart: its request and what it does.
    fn client(&self, number: u32) -> (u32, Act) {
        let act = |at| [Act::Think, Act::Ask, Act::Hear][at as usize];
        match number.checked_sub(2 * self.first()) {
            None => (number / 2, act(number % 2 + 1)),
            Some(rest) => (self.first() + rest / self.each(), act(rest % self.each() + 3 - self.each())),
        }
    }

    /// The number of a client's first operation for a request.
    fn begin(&self, request: u32) -> u32 {
        let first = request.min(self.first());
        2 * first + (request - first) * self.each()
    }

    /// The number of the operation that hears the reply to a request.
    fn hear(&self, request: u32) -> u32 {
        self.begin(request + 1) - 1
    }

    fn server_of(&self, client: u32, request: u32) -> u32 {
        ((u64::from(client) + u64::from(request)) % u64::from(self.servers)) as u32
    }

    /// Requests to a server from the clients before this one.
    fn before(&self, server: u32, client: u32) -> u64 {
        let (whole, rest) = (self.count / self.servers, self.count % self.servers);
        // Client c asks this server once more than others where the first turn that does so is one of the rest.
        u64::from(client) * u64::from(whole) + u64::from(below(server, client, self.servers, rest))
    }

    /// The client that a server's operation is about, and how many operations about it stand before this one.
    fn served(&self, server: u32, number: u32) -> (u32, u32) {
        let turn = u64::from(number / 2);
        // The last client before whom there are no more requests than this one.
        let (mut low, mut high) = (0, self.clients());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.before(server, middle) <= turn { low = middle } else { high = middle }
        }
        (low, number - 2 * self.before(server, low) as u32)
    }

    /// Whether a server's operation is the last one about a client.
    fn later(&self, server: u32, number: u32) -> Option<u32> {
        let (client, _) = self.served(server, number);
        let end = 2 * self.before(server, client + 1);
        (u64::from(number) + 2 < end).then(|| number + 2)
    }

    fn work_of_server(&self, server: u32, number: u32) -> Work {
        let client = self.servers + self.served(server, number).0;
        match number % 2 {
            0 => Work::Receive { from: Some(client), tag: Some(REQUEST), flits: self.request },
            _ => Work::Send { to: client, flits: self.reply, tag: REPLY },
        }
    }

    fn work_of_client(&self, rank: u32, number: u32) -> Work {
        let (request, act) = self.client(number);
        let server = self.server_of(rank - self.servers, request);
        match act {
            // Each open request has a processor of its own, so that they think side by side.
            Act::Think => Work::Compute { cycles: self.think, on: (request % self.window) as u8 },
            Act::Ask => Work::Send { to: server, flits: self.request, tag: REQUEST },
            Act::Hear => Work::Receive { from: Some(server), tag: Some(REPLY), flits: self.reply },
        }
    }

    fn client_waits_for(&self, number: u32) -> Option<u32> {
        let (request, act) = self.client(number);
        let earlier = request.checked_sub(self.window)?;
        let thinks = self.each() == 3 && act != Act::Think;
        Some(if thinks { self.begin(request) } else { self.hear(earlier) })
    }

    fn waits_for_client(&self, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let (request, act) = self.client(number);
        let (begin, end) = match act {
            Act::Ask => return,
            Act::Think => (number + 1, number + 3),
            Act::Hear => {
                let later = u64::from(request) + u64::from(self.window);
                if later >= u64::from(self.count) {
                    return;
                }
                let begin = self.begin(later as u32);
                (begin, begin + if self.each() == 3 { 1 } else { 2 })
            }
        };
        (begin..end).for_each(|it| each(it, Upon::Finish));
    }
}

impl Shape for RequestReply {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn operations(&self, rank: u32) -> u64 {
        match self.is_server(rank) {
            true => 2 * self.before(rank, self.clients()),
            false => 2 * u64::from(self.first()) + u64::from(self.count - self.first()) * u64::from(self.each()),
        }
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        match self.is_server(rank) {
            true => self.work_of_server(rank, number),
            false => self.work_of_client(rank, number),
        }
    }

    fn waits_for(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let waits_for = match self.is_server(rank) {
            true if !number.is_multiple_of(2) => Some(number - 1),
            true => (self.served(rank, number).1 > 0).then(|| number - 2),
            false => self.client_waits_for(number),
        };
        waits_for.into_iter().for_each(|it| each(it, Upon::Finish));
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        if !self.is_server(rank) {
            return self.waits_for_client(number, each);
        }
        if number.is_multiple_of(2) {
            each(number + 1, Upon::Finish);
            self.later(rank, number).into_iter().for_each(|it| each(it, Upon::Finish));
        }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        if !self.is_server(rank) {
            return (0..2 * self.first()).for_each(each);
        }
        for client in 0..self.clients() {
            let (begin, end) = (self.before(rank, client), self.before(rank, client + 1));
            if begin < end {
                each(2 * begin as u32);
            }
        }
    }

    fn place(&self, rank: u32, number: u32) -> String {
        if self.is_server(rank) {
            let (client, at) = self.served(rank, number);
            return format!("request {} that client {} sends here", at / 2, self.servers + client);
        }
        format!("request {}", self.client(number).0)
    }

    fn lengths(&self) -> (u32, u32) {
        (self.request.max(self.reply), self.request.min(self.reply))
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn counting_down_agrees_with_counting() {
        for modulus in 1..7 {
            for start in 0..modulus {
                for limit in 0..=modulus {
                    for terms in 0..20 {
                        let term = |k: u32| (start + 100 * modulus - k) % modulus;
                        let counted = (0..terms).filter(|&k| term(k) < limit).count() as u32;
                        assert_eq!(below(start, terms, modulus, limit), counted, "{start} {terms} {modulus} {limit}");
                    }
                }
            }
        }
    }
}
