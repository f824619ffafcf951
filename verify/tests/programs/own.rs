//! Ranks that send messages to themselves: what is refused on reading never completes, however long its computations take.

use super::listed::{Draws, Listed, Step};
use super::twin::Twin;
use tailback_program::{Upon, Work, check};

/// One rank of messages to itself and computations, in any order. An operation waits for some of those before it.
fn random(draws: &mut Draws) -> Vec<Step> {
    let mut works = Vec::new();
    for _ in 0..=draws.below(3) {
        let tag = draws.below(2) as u32;
        let asked = (draws.below(6) > 0).then_some(tag);
        works.push(Work::Send { to: 0, flits: 1, tag });
        works.push(Work::Receive { from: Some(0), tag: asked, flits: 1 });
        works.push(Work::Compute { cycles: 0, on: draws.below(2) as u8 });
    }
    let mut steps: Vec<Step> = Vec::new();
    while !works.is_empty() {
        let work = works.swap_remove(draws.below(works.len() as u64) as usize);
        let mut waits = Vec::new();
        for _ in 0..draws.below(3).min(steps.len() as u64) {
            let upon = if draws.below(5) == 0 { Upon::Start } else { Upon::Finish };
            waits.push((draws.below(steps.len() as u64) as u32, upon));
        }
        steps.push(Step { work, waits });
    }
    steps
}

/// Whether the rank comes to its end with these computations.
fn completes(steps: &[Step]) -> bool {
    let twin = Twin::new(&Listed(vec![steps.to_vec()]), |flits| flits);
    twin.story(0, 60).finished.len() == steps.len()
}

#[test]
fn what_is_refused_never_completes() {
    let mut draws = Draws(41);
    let (mut refused, mut left) = (0, 0);
    for seed in 0..1_500 {
        let mut steps = random(&mut draws);
        let problems = check(&Listed(vec![steps.clone()]));
        if problems.iter().any(|problem| problem.message.contains("never")) {
            continue;
        }
        let mut ends = 0;
        for _ in 0..12 {
            for step in &mut steps {
                if let Work::Compute { cycles, .. } = &mut step.work {
                    *cycles = draws.below(4);
                }
            }
            ends += u32::from(completes(&steps));
        }
        assert!(problems.is_empty() || ends == 0, "seed {seed}: {problems:?}, {steps:?}");
        refused += u32::from(!problems.is_empty());
        let wild = |step: &Step| matches!(step.work, Work::Receive { tag: None, .. });
        left += u32::from(problems.is_empty() && ends == 0 && !steps.iter().any(wild));
    }
    // Receives of any tag take messages that others wait for, which depends on times.
    assert!(refused > 300 && left < refused / 10, "{refused} are refused, and {left} are not that never completed");
}
