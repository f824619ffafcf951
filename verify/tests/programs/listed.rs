//! Programs that are written down, and random ones.

use tailback_program::{Operation, Program, Upon, Work};

/// One operation: what it does, and what it waits for.
#[derive(Clone, Debug)]
pub struct Step {
    pub work: Work,
    pub waits: Vec<(u32, Upon)>,
}

/// The operations of every rank.
#[derive(Clone, Debug)]
pub struct Listed(pub Vec<Vec<Step>>);

impl Listed {
    fn lengths_of(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flatten().filter_map(|step| match step.work {
            Work::Send { flits, .. } => Some(flits),
            _ => None,
        })
    }
}

impl Program for Listed {
    fn ranks(&self) -> u32 {
        self.0.len() as u32
    }

    fn operations(&self, rank: u32) -> u32 {
        self.0[rank as usize].len() as u32
    }

    fn operation(&self, rank: u32, number: u32) -> Operation {
        let step = &self.0[rank as usize][number as usize];
        Operation { work: step.work, requirements: step.waits.len() as u32 }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        let steps = (0..).zip(&self.0[rank as usize]);
        steps.filter(|(_, step)| step.waits.is_empty()).for_each(|(number, _)| each(number));
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        for (waiting, step) in (0..).zip(&self.0[rank as usize]) {
            let mut upon: Vec<Upon> = step.waits.iter().filter(|wait| wait.0 == number).map(|wait| wait.1).collect();
            upon.sort_unstable();
            upon.into_iter().for_each(|upon| each(waiting, upon));
        }
    }

    fn has_starts(&self) -> bool {
        self.0.iter().flatten().any(|step| step.waits.iter().any(|wait| wait.1 == Upon::Start))
    }

    fn meets_once(&self) -> bool {
        self.0.iter().all(|steps| {
            let sent = |step: &Step| if let Work::Send { to, .. } = step.work { Some(to) } else { None };
            let mut to: Vec<u32> = steps.iter().filter_map(sent).collect();
            let all = to.len();
            to.sort_unstable();
            to.dedup();
            to.len() == all
        })
    }

    fn place(&self, rank: u32, number: u32) -> String {
        format!("operation {number} of rank {rank}")
    }

    fn sends(&self, rank: u32) -> (u64, u64) {
        let sends = self.0[rank as usize].iter().filter_map(|step| match step.work {
            Work::Send { flits, .. } => Some(u64::from(flits)),
            _ => None,
        });
        sends.fold((0, 0), |(messages, all), flits| (messages + 1, all + flits))
    }

    fn lengths(&self) -> (u32, u32) {
        (self.lengths_of().max().unwrap_or(0), self.lengths_of().min().unwrap_or(0))
    }

    fn identity(&self) -> u64 {
        0
    }
}

/// Numbers that look random.
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

/// A random program of `ranks` ranks. Without `jokers` it comes to its end: each receive takes the
/// message of its own send, and is behind that in one order of everything.
pub fn random(draws: &mut Draws, ranks: u32, jokers: u64) -> Listed {
    let mut program = Listed(vec![Vec::new(); ranks as usize]);
    for message in 0..draws.below(30) as u32 + 1 {
        let (from, to) = (draws.below(u64::from(ranks)) as u32, draws.below(u64::from(ranks)) as u32);
        // Two messages with one tag may be taken by the receives of each other.
        let (flits, tag) = (draws.below(20) as u32 + 1, if jokers > 0 { draws.below(3) as u32 } else { message });
        let wild = |draws: &mut Draws| jokers > 0 && draws.below(jokers) == 0;
        let source = (!wild(draws)).then_some(from);
        let asked = (!wild(draws)).then_some(tag);
        add(draws, &mut program.0[from as usize], Work::Send { to, flits, tag });
        add(draws, &mut program.0[to as usize], Work::Receive { from: source, tag: asked, flits });
        if draws.one_in(2) {
            let rank = draws.below(u64::from(ranks)) as usize;
            let cycles = if draws.one_in(4) { 0 } else { draws.below(60) };
            let on = draws.below(2) as u8;
            add(draws, &mut program.0[rank], Work::Compute { cycles, on });
        }
    }
    program
}

/// Adds an operation that waits for some of those before it.
fn add(draws: &mut Draws, rank: &mut Vec<Step>, work: Work) {
    let mut waits = Vec::new();
    for _ in 0..draws.below(4) {
        if !rank.is_empty() {
            let upon = if draws.one_in(4) { Upon::Start } else { Upon::Finish };
            // Those close before it make chains.
            let back = draws.below(rank.len().min(4) as u64) as usize;
            waits.push(((rank.len() - 1 - back) as u32, upon));
        }
    }
    rank.push(Step { work, waits });
}
