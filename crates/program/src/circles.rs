//! Operations of a rank that wait for each other in a circle, whatever the other ranks do and whenever they do it.
//!
//! They wait through dependencies, or through messages to the own rank: a receive from the own rank needs a send to the own rank. A
//! receive that surely becomes ready behind n others that ask for the same needs n + 1 sends ([`Needs`]).

use crate::check::Problem;
use crate::contract::{Program, Upon, Work};
use std::collections::{BTreeMap, BTreeSet};

/// What a receive from the own rank asks for: a tag, or `None` for any.
type Asked = Option<u32>;

/// For how many tags of a rank the order of the receives is worked out. Each one takes a look at all operations of the rank.
const MOST_TAGS: usize = 16;
/// How many operations may be looked at for that, where this allows for more tags.
const MOST_LOOKS: usize = 1 << 24;

/// A circle of dependencies.
pub(crate) fn of_dependencies(program: &dyn Program, rank: u32) -> Option<Problem> {
    let play = Play::of(program, rank, Needs::default());
    let circle = play.circle()?;
    let number = *circle.first()?;
    let message = match circle.len() {
        1 => format!("this operation of rank {rank} waits for itself"),
        many => {
            let shown = shown(program, rank, &circle);
            format!("{many} operations of rank {rank} wait for each other in a circle: {shown}")
        }
    };
    Some(Problem::new(program, rank, number, message))
}

/// A circle through messages of the rank to itself, of a program that has no other fault.
pub(crate) fn of_own_messages(program: &dyn Program, rank: u32) -> Option<Problem> {
    let receives = receives(program, rank);
    if receives.is_empty() {
        return None;
    }
    let order = Play::of(program, rank, Needs::default()).order;
    let circle = Play::of(program, rank, Needs::of(program, rank, &receives, &order)).circle()?;
    let (number, many, shown) = (*circle.first()?, circle.len(), shown(program, rank, &circle));
    let message = format!(
        "{many} operations of rank {rank} wait for each other in a circle, in which a receive from rank {rank} itself waits for a send behind \
         it: {shown}; let the send start before that receive has finished"
    );
    Some(Problem::new(program, rank, number, message))
}

fn shown(program: &dyn Program, rank: u32, circle: &[u32]) -> String {
    let first: Vec<String> = circle.iter().take(5).map(|&number| program.place(rank, number)).collect();
    let more = if circle.len() > 5 { format!(" and {} more", circle.len() - 5) } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Receives of a rank from itself, by what they ask for.
fn receives(program: &dyn Program, rank: u32) -> BTreeMap<Asked, Vec<u32>> {
    let mut found = BTreeMap::<Asked, Vec<u32>>::new();
    for number in 0..program.operations(rank) {
        if let Work::Receive { from: Some(from), tag, .. } = program.work(rank, number)
            && from == rank
        {
            found.entry(tag).or_default().push(number);
        }
    }
    found
}

/// How many sends to the own rank its receives from itself need, at least.
#[derive(Debug, Default)]
struct Needs {
    /// By what is asked for: how many sends have begun, and how many of the receives have what they need.
    begun: BTreeMap<Asked, (u32, usize)>,
    /// Receives with the sends that they need, by rising need.
    receives: BTreeMap<Asked, Vec<(u32, u32)>>,
    /// Receives that do not have what they need.
    open: BTreeSet<u32>,
}

impl Needs {
    /// The needs of these receives. `order` has all operations, each behind those that it waits for.
    fn of(program: &dyn Program, rank: u32, receives: &BTreeMap<Asked, Vec<u32>>, order: &[u32]) -> Needs {
        let mut tags_left = MOST_TAGS.max(MOST_LOOKS / order.len().max(1));
        let mut needs = Needs::default();
        for (&asked, numbers) in receives {
            let looks = numbers.len() > 1 && tags_left > 0;
            tags_left -= usize::from(looks);
            let before = if looks { before(program, rank, numbers, order) } else { vec![0; numbers.len()] };
            let mut of_asked: Vec<(u32, u32)> =
                before.into_iter().map(|n| n + 1).zip(numbers.iter().copied()).collect();
            of_asked.sort_unstable();
            needs.open.extend(numbers);
            needs.receives.insert(asked, of_asked);
        }
        needs
    }

    /// A send to the own rank begins. Returns the receives that have what they need with it.
    fn begins(&mut self, tag: u32) -> Vec<u32> {
        let mut met = Vec::new();
        for asked in [Some(tag), None] {
            let Some(receives) = self.receives.get(&asked) else { continue };
            let (sends, has) = self.begun.entry(asked).or_default();
            *sends += 1;
            while let Some(&(_, receive)) = receives.get(*has).filter(|(need, _)| need <= sends) {
                *has += 1;
                self.open.remove(&receive);
                met.push(receive);
            }
        }
        met
    }
}

/// How many of `receives`, which are in order, surely become ready before each of them: those that it depends on, and of those that
/// become ready by the same event the ones with lower numbers.
fn before(program: &dyn Program, rank: u32, receives: &[u32], order: &[u32]) -> Vec<u32> {
    let is_one = |number: u32| u32::from(receives.binary_search(&number).is_ok());
    let mut counts = vec![0; order.len()];
    let mut roots = 0;
    program.roots(rank, &mut |number| {
        counts[number as usize] = roots;
        roots += is_one(number);
    });
    for &number in order {
        let until = counts[number as usize] + is_one(number);
        let mut by_event = [until; 2];
        program.dependants(rank, number, &mut |after, upon| {
            let (count, next) = (&mut by_event[upon as usize], &mut counts[after as usize]);
            *next = (*next).max(*count);
            // One that waits for something else, too, may become ready later.
            if program.operation(rank, after).requirements == 1 {
                *count += is_one(after);
            }
        });
    }
    receives.iter().map(|&number| counts[number as usize]).collect()
}

/// A rank that does what it can as soon as messages of others come. What it has not done in the end, it never does.
struct Play<'p> {
    program: &'p dyn Program,
    rank: u32,
    needs: Needs,
    /// Of each operation: what it waits for that has not happened.
    missing: Vec<u32>,
    /// Operations that are ready, in an order in which they may become so. Nothing calls itself: a rank may be long.
    order: Vec<u32>,
    /// Those that have started and cannot finish.
    waiting: BTreeSet<u32>,
}

impl<'p> Play<'p> {
    fn of(program: &'p dyn Program, rank: u32, needs: Needs) -> Play<'p> {
        let count = program.operations(rank);
        let missing: Vec<u32> = (0..count).map(|number| program.operation(rank, number).requirements).collect();
        let order = (0..count).filter(|&number| missing[number as usize] == 0).collect();
        let mut play = Play { program, rank, needs, missing, order, waiting: BTreeSet::new() };
        let mut next = 0;
        while let Some(&number) = play.order.get(next) {
            next += 1;
            play.begins(number);
        }
        play
    }

    /// An operation is ready.
    fn begins(&mut self, number: u32) {
        self.happens(number, Upon::Start);
        if self.needs.open.contains(&number) {
            self.waiting.insert(number);
            return;
        }
        self.happens(number, Upon::Finish);
        let Work::Send { to, tag, .. } = self.program.work(self.rank, number) else { return };
        if to == self.rank {
            for receive in self.needs.begins(tag) {
                if self.waiting.remove(&receive) {
                    self.happens(receive, Upon::Finish);
                }
            }
        }
    }

    fn happens(&mut self, number: u32, what: Upon) {
        let (missing, order) = (&mut self.missing, &mut self.order);
        self.program.dependants(self.rank, number, &mut |after, upon| {
            if upon == what {
                missing[after as usize] -= 1;
                if missing[after as usize] == 0 {
                    order.push(after);
                }
            }
        });
    }

    /// Whether an operation never finishes.
    fn is_stuck(&self, number: u32) -> bool {
        self.missing[number as usize] > 0 || self.waiting.contains(&number)
    }

    /// A circle among those that never finish, the lowest number first, each waiting for the one before it.
    fn circle(&self) -> Option<Vec<u32>> {
        let stuck = || (0..self.missing.len() as u32).filter(|&number| self.is_stuck(number));
        let mut at = stuck().next()?;
        let before = self.before();
        // Everyone who waits for ever waits for another one who does: after as many steps as there are, this one is in a circle.
        for _ in stuck() {
            at = before[at as usize].unwrap_or(at);
        }
        let mut circle = vec![at];
        let mut next = before[at as usize];
        while let Some(number) = next.filter(|&number| number != at) {
            circle.push(number);
            next = before[number as usize];
        }
        circle.reverse();
        let lowest = circle.iter().zip(0..).min().map_or(0, |(_, place)| place);
        circle.rotate_left(lowest);
        Some(circle)
    }

    /// By operation that never finishes: another one that it waits for.
    fn before(&self) -> Vec<Option<u32>> {
        let mut before: Vec<Option<u32>> = vec![None; self.missing.len()];
        let mut sends = BTreeMap::new();
        for number in (0..self.missing.len() as u32).filter(|&number| self.is_stuck(number)) {
            let started = self.waiting.contains(&number);
            self.program.dependants(self.rank, number, &mut |after, upon| {
                if upon == Upon::Finish || !started {
                    before[after as usize] = Some(number);
                }
            });
            match self.program.work(self.rank, number) {
                Work::Send { to, tag, .. } if to == self.rank => {
                    sends.entry(Some(tag)).or_insert(number);
                    sends.entry(None).or_insert(number);
                }
                _ => {}
            }
        }
        for &receive in &self.waiting {
            if let Work::Receive { tag, .. } = self.program.work(self.rank, receive) {
                before[receive as usize] = sends.get(&tag).copied();
            }
        }
        before
    }
}
