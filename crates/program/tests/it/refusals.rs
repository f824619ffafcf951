//! What cannot be generated is refused in a sentence that names the parameter.

use tailback_program::generate::{Generate, KINDS};
use tailback_program::{Generated, Program};

fn refusal(asked: &Generate) -> String {
    Generated::new(asked).expect_err("it must be refused").to_string()
}

fn ring(ranks: u64, flits: u64) -> Generate {
    Generate { ranks: Some(ranks), flits: Some(flits), ..Generate::new("all_reduce") }
}

#[test]
fn words_that_are_not_in_the_table() {
    assert!(
        refusal(&Generate::new("gather")).starts_with("there is no kind of program `gather`; there are `all_reduce`")
    );
    let other = Generate { algorithm: Some("tree".into()), ..ring(8, 8) };
    assert!(refusal(&other).contains("has no algorithm `tree`; it has `ring`"));
    let none = Generate { algorithm: Some("ring".into()), ..Generate::new("incast") };
    assert!(refusal(&none).contains("leave out `ring`"));
    assert!(Generate::new("halo").set("dimensions", 3).is_err());
}

#[test]
fn parameters_that_are_missing_of_another_kind_or_out_of_range() {
    assert!(refusal(&Generate { flits: None, ..ring(8, 8) }).contains("needs `flits` [flits]"));
    assert!(
        refusal(&Generate { window: Some(2), ..ring(8, 8) }).contains("has no `window`; it takes `ranks`, `flits`")
    );
    let pairwise = Generate { window: Some(2), ..Generate { kind: "all_to_all".into(), ..ring(8, 8) } };
    assert_eq!(
        refusal(&pairwise),
        "`window` is a parameter of the algorithm `spread`, and the algorithm is `pairwise`"
    );
    assert_eq!(refusal(&ring(1, 8)), "`ranks` is 1, and it lies between 2 and 1048576");
    assert_eq!(refusal(&ring(8, 0)), "`flits` is 0 flits, and it lies between 1 and 4294967295");
}

#[test]
fn parameters_that_contradict_each_other() {
    let groups = Generate { algorithm: Some("hierarchical".into()), groups: Some(3), ..ring(8, 8) };
    assert_eq!(refusal(&groups), "`groups` is 3, which does not divide `ranks`, 8");
    let root = Generate { kind: "broadcast".into(), root: Some(8), ..ring(8, 8) };
    assert_eq!(refusal(&root), "`root` is 8, and the 8 ranks are counted from 0 to 7");
    let halo = Generate { kind: "halo".into(), dimensions: Some(vec![2, 2]), ..ring(8, 8) };
    assert!(refusal(&halo).contains("has 4 ranks; leave out `ranks`"));
    for sides in [vec![], vec![1], vec![1 << 20, 1 << 20], vec![3; 17]] {
        refusal(&Generate { ranks: None, dimensions: Some(sides), ..halo.clone() });
    }
    let talk = Generate {
        ranks: Some(4),
        servers: Some(4),
        count: Some(1),
        request_flits: Some(1),
        reply_flits: Some(1),
        ..Generate::new("request_reply")
    };
    assert!(refusal(&talk).contains("leaves no client"));
    let many = Generate { servers: Some(1), count: Some(1 << 30), ranks: Some(1 << 20), ..talk };
    assert!(refusal(&many).contains("operations, and a rank has"));
    let pipeline = Generate { microbatches: Some(1), flits: Some(1), ..Generate::new("pipeline") };
    assert!(refusal(&pipeline).contains("needs `stages`"));
    let pipeline = Generate { ranks: Some(8), stages: Some(3), ..pipeline };
    assert!(refusal(&pipeline).contains("does not divide"));
}

#[test]
fn ranks_that_fold_are_told() {
    let doubling = |ranks| Generate { algorithm: Some("recursive_doubling".into()), ..ring(ranks, 8) };
    let notes = |ranks| Generated::new(&doubling(ranks)).expect("it is well asked").notes().to_vec();
    assert!(notes(8).is_empty());
    assert_eq!(
        notes(12),
        [
            "12 ranks are no power of two: the odd ranks from 1 to 7 fold into the rank before, the algorithm runs among 8, \
          and they get the result last"
        ]
    );
}

#[test]
fn groups_that_nobody_gave_are_told() {
    let asked = |ranks, groups| Generate { algorithm: Some("hierarchical".into()), groups, ..ring(ranks, 64) };
    let of = |ranks| Generated::new(&asked(ranks, None)).expect("it is well asked");
    for (ranks, groups) in [(2, 1), (4, 2), (12, 3), (16, 4), (40, 5), (256, 16)] {
        let (own, given) = (of(ranks), Generated::new(&asked(ranks, Some(groups))).expect("it is well asked"));
        let work = |program: &Generated| {
            let of_rank = |rank| (0..program.operations(rank)).map(move |number| program.work(rank, number));
            (0..ranks as u32).flat_map(of_rank).collect::<Vec<_>>()
        };
        assert_eq!((work(&own), given.notes().len()), (work(&given), 0), "{ranks}");
    }
    assert_eq!(of(12).notes(), ["3 groups of 4 ranks each: `groups` says another number"]);
    assert_eq!(of(13).notes(), ["13 is prime: the only group has all 13 ranks, and the algorithm is a ring"]);
}

#[test]
fn programs_that_differ_have_other_identities() {
    let mut seen = std::collections::BTreeSet::new();
    for ranks in 2..40 {
        for flits in 1..40 {
            for algorithm in ["ring", "halving_doubling", "recursive_doubling"] {
                let asked = Generate { algorithm: Some(algorithm.into()), ..ring(ranks, flits) };
                let identity = Generated::new(&asked).expect("it is well asked").identity();
                assert_eq!(identity, Generated::new(&asked).expect("it is well asked").identity());
                assert!(seen.insert(identity), "{asked:?}");
            }
        }
    }
    // A default is the same as its value.
    let named = Generate { algorithm: Some("ring".into()), ..ring(8, 8) };
    let of = |asked: &Generate| Generated::new(asked).expect("it is well asked").identity();
    assert_eq!(of(&named), of(&ring(8, 8)));
}

#[test]
fn the_table_is_in_order() {
    for kind in &KINDS {
        for parameter in kind.parameters {
            assert!(
                parameter.least <= parameter.most && parameter.doc.ends_with('.'),
                "{} of {}",
                parameter.name,
                kind.name
            );
            let known = |name: &&str| kind.algorithms.iter().any(|algorithm| algorithm.name == *name);
            assert!(parameter.algorithms.iter().all(known), "{} of {}", parameter.name, kind.name);
        }
    }
}
