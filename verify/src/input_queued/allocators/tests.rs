//! Allocators against matchings worked out by hand.

use super::*;

/// Pairs of one step of a new allocator.
type Pairs = Vec<(usize, usize)>;

fn requests(inputs: usize, outputs: usize, asked: &[(usize, usize)]) -> Requests {
    let mut requests = Requests::new(inputs, outputs);
    asked.iter().for_each(|&(input, output)| requests.add(input, output, Ranks::default()));
    requests
}

fn turn(step: u64) -> Turn {
    Turn { allocator: 0, step }
}

/// The same requests for so many steps.
fn steps(kind: Allocator, requests: &Requests, many: u64) -> Vec<Pairs> {
    let mut matcher = Matcher::new(kind, requests.inputs(), requests.outputs(), 1);
    (0..many).map(|step| matcher.allocate(requests, turn(step))).collect()
}

/// Everybody asks for everything.
fn all(side: usize) -> Requests {
    let asked: Vec<(usize, usize)> = (0..side).flat_map(|i| (0..side).map(move |o| (i, o))).collect();
    requests(side, side, &asked)
}

#[test]
fn islip_spreads_its_pointers_until_all_are_served() {
    let found = steps(Allocator::Islip { iterations: 1 }, &all(3), 5);
    // All outputs offer to 0, which accepts output 0. Then output 0 offers to 1, the others to 0, which is at output 1
    // now.
    assert_eq!(found[0], [(0, 0)]);
    assert_eq!(found[1], [(0, 1), (1, 0)]);
    assert_eq!(found[2], [(0, 2), (1, 1), (2, 0)]);
    assert_eq!(found[3], [(0, 0), (1, 2), (2, 1)]);
    assert_eq!(found[4], [(0, 1), (1, 0), (2, 2)]);
}

#[test]
fn more_rounds_of_islip_fill_up_without_moving_pointers() {
    let found = steps(Allocator::Islip { iterations: 3 }, &all(3), 2);
    assert_eq!(found[0], [(0, 0), (1, 1), (2, 2)]);
    // Only 0 and output 0 have moved. Outputs 1 and 2 offer to input 0, which takes 1; output 0 offers to 1; 2 gets 2
    // in round two.
    assert_eq!(found[1], [(0, 1), (1, 0), (2, 2)]);
}

#[test]
fn select_looks_at_priorities_and_islip_does_not() {
    // All outputs offer to input 0, which would rather have output 1. So would input 1, but outputs do not look at
    // that.
    let mut asked = requests(2, 2, &[(0, 0), (1, 1)]);
    asked.add(0, 1, Ranks { at_input: 1, at_output: 0 });
    asked.add(1, 1, Ranks { at_input: 3, at_output: 0 });
    assert_eq!(steps(Allocator::Islip { iterations: 1 }, &asked, 1)[0], [(0, 0)]);
    assert_eq!(steps(Allocator::Select { iterations: 1 }, &asked, 1)[0], [(0, 1)]);
}

#[test]
fn in_a_second_round_of_select_an_input_may_leave_an_output_for_an_old_offer() {
    // Both outputs offer to input 0, which takes 0. Output 1 has nobody else to offer to. In round two input 0 is at
    // output 1, whose offer stands, and takes it.
    let requests = requests(2, 2, &[(0, 0), (0, 1)]);
    assert_eq!(steps(Allocator::Select { iterations: 1 }, &requests, 1)[0], [(0, 0)]);
    assert_eq!(steps(Allocator::Select { iterations: 2 }, &requests, 1)[0], [(0, 1)]);
}

#[test]
fn separable_allocators_count_wins_of_pairs_only() {
    let asked = requests(2, 2, &[(0, 0), (0, 1), (1, 0)]);
    // Both inputs pick output 0, which takes input 0. Input 0 goes on to 1, and output 0 to input 1.
    let found = steps(Allocator::SeparableInputFirst(Arbiter::RoundRobin), &asked, 3);
    assert_eq!(found, [vec![(0, 0)], vec![(0, 1), (1, 0)], vec![(0, 0)]]);
    // Both outputs pick input 0, which takes output 0; then output 0 picks 1, and output 1 picks 0.
    let found = steps(Allocator::SeparableOutputFirst(Arbiter::RoundRobin), &asked, 3);
    assert_eq!(found, [vec![(0, 0)], vec![(0, 1), (1, 0)], vec![(0, 0)]]);
}

#[test]
fn matrix_arbiters_begin_with_the_highest_and_serve_the_least_recent() {
    let asked = requests(3, 1, &[(0, 0), (1, 0), (2, 0)]);
    let found = steps(Allocator::SeparableInputFirst(Arbiter::Matrix), &asked, 4);
    assert_eq!(found.concat(), [(2, 0), (1, 0), (0, 0), (2, 0)]);
    let found = steps(Allocator::SeparableInputFirst(Arbiter::RoundRobin), &asked, 4);
    assert_eq!(found.concat(), [(0, 0), (1, 0), (2, 0), (0, 0)]);
}

#[test]
fn inputs_of_separable_allocators_look_at_priorities() {
    let mut asked = requests(2, 2, &[(0, 0), (0, 1)]);
    asked.add(0, 1, Ranks { at_input: 1, at_output: 0 });
    for kind in [Allocator::SeparableInputFirst, Allocator::SeparableOutputFirst] {
        for arbiter in [Arbiter::RoundRobin, Arbiter::Matrix] {
            assert_eq!(steps(kind(arbiter), &asked, 2).concat(), [(0, 1), (0, 1)]);
        }
    }
}

#[test]
fn wavefronts_go_from_diagonal_to_diagonal() {
    // Diagonal 0 has (0, 0), (2, 1), (1, 2); diagonal 1 has (1, 0), (0, 1), (2, 2); diagonal 2 has (2, 0), (1, 1), (0,
    // 2).
    let found = steps(Allocator::Wavefront, &all(3), 4);
    assert_eq!(found[0], [(0, 0), (1, 2), (2, 1)]);
    assert_eq!(found[1], [(0, 1), (1, 0), (2, 2)]);
    assert_eq!(found[2], [(0, 2), (1, 1), (2, 0)]);
    assert_eq!(found[3], found[0]);
    // The plain one moves by one diagonal; the other past that of its first grant, 1, to 2 and 0.
    let asked = requests(3, 3, &[(1, 0), (1, 1)]);
    assert_eq!(steps(Allocator::Wavefront, &asked, 4).concat(), [(1, 0), (1, 0), (1, 1), (1, 0)]);
    assert_eq!(steps(Allocator::RoundRobinWavefront, &asked, 4).concat(), [(1, 0), (1, 1), (1, 0), (1, 1)]);
}

#[test]
fn wavefronts_stand_still_while_nobody_asks_and_serve_priorities_first() {
    let mut matcher = Matcher::new(Allocator::Wavefront, 2, 2, 1);
    let none = Requests::new(2, 2);
    assert!(matcher.allocate(&none, turn(0)).is_empty());
    assert_eq!(matcher.allocate(&all(2), turn(1)), [(0, 0), (1, 1)]);
    let mut asked = requests(2, 2, &[(0, 0), (0, 1)]);
    asked.add(0, 1, Ranks { at_input: 2, at_output: 0 });
    assert_eq!(steps(Allocator::Wavefront, &asked, 1)[0], [(0, 1)]);
}

#[test]
fn maximum_size_finds_the_pairs_that_others_miss() {
    let asked = requests(3, 3, &[(0, 0), (0, 1), (1, 0), (2, 1), (2, 2)]);
    assert_eq!(steps(Allocator::MaxSize, &asked, 1)[0], [(0, 1), (1, 0), (2, 2)]);
    assert_eq!(steps(Allocator::Islip { iterations: 1 }, &asked, 1)[0], [(0, 0), (2, 2)]);
    // Of two that want the same, the one that is next in turn.
    let asked = requests(2, 1, &[(0, 0), (1, 0)]);
    assert_eq!(steps(Allocator::MaxSize, &asked, 3).concat(), [(0, 0), (1, 0), (0, 0)]);
}

#[test]
fn maximum_size_moves_on_without_requests_too() {
    let mut matcher = Matcher::new(Allocator::MaxSize, 2, 1, 1);
    assert!(matcher.allocate(&Requests::new(2, 1), turn(0)).is_empty());
    assert_eq!(matcher.allocate(&requests(2, 1, &[(0, 0), (1, 0)]), turn(1)), [(1, 0)]);
}

#[test]
fn lonely_outputs_are_asked_first() {
    // Output 1 has one request, output 0 two.
    let asked = requests(2, 2, &[(0, 0), (0, 1), (1, 0)]);
    assert_eq!(steps(Allocator::Loa, &asked, 1)[0], [(0, 1), (1, 0)]);
    // Equally lonely: the pointers are at 0, then both at 1, then at 0 again.
    let found = steps(Allocator::Loa, &all(2), 4);
    assert_eq!(found[0], [(0, 0)]);
    // Input 0 begins at 1, input 1 at 0.
    assert_eq!(found[1], [(0, 1), (1, 0)]);
    // Input 0 begins at 0 again, after two pairs, and input 1 at 1.
    assert_eq!(found[2], [(0, 0), (1, 1)]);
}

#[test]
fn pim_pairs_whoever_is_alone_and_draws_among_others() {
    let alone = requests(3, 3, &[(0, 2), (1, 0), (2, 1)]);
    assert_eq!(steps(Allocator::Pim { iterations: 1 }, &alone, 1)[0], [(0, 2), (1, 0), (2, 1)]);
    let found = steps(Allocator::Pim { iterations: 1 }, &requests(2, 1, &[(0, 0), (1, 0)]), 1000);
    let first = found.iter().filter(|pairs| pairs[..] == [(0, 0)]).count();
    assert!((440..560).contains(&first), "{first} of 1000");
    // As many rounds as there are pairs leave nobody who could have one.
    assert!(steps(Allocator::Pim { iterations: 4 }, &all(4), 50).iter().all(|pairs| pairs.len() == 4));
}
