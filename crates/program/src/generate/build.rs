//! Which generator is behind a kind and an algorithm, and what its parameters must be to each other.

use super::asked::{Asked, Refused};
use super::chunks::Chunks;
use super::fold::Fold;
use super::kinds::binomial::{Binomial, Direction};
use super::kinds::dissemination::Dissemination;
use super::kinds::double_binary_tree::DoubleBinaryTree;
use super::kinds::halo::Halo;
use super::kinds::halving_doubling::HalvingDoubling;
use super::kinds::hierarchical::Hierarchical;
use super::kinds::incast::Incast;
use super::kinds::pairwise::Pairwise;
use super::kinds::pipeline::Pipeline;
use super::kinds::recursive_doubling::RecursiveDoubling;
use super::kinds::request_reply::RequestReply;
use super::kinds::ring::{Half, Ring};
use super::kinds::spread::Spread;
use super::rounds::RoundByRound;
use super::shape::Shape;
use super::steps::StepByStep;
use super::table::MOST_RANKS;

/// A generator, and what its user ought to know.
type Built = (Box<dyn Shape>, Vec<String>);

/// The generator of what was asked.
pub(super) fn shape(asked: &Asked) -> Result<Built, Refused> {
    Ok(match (asked.kind.name, asked.algorithm) {
        ("all_reduce", "ring") => plain(ring(asked, Half::Both)),
        ("reduce_scatter", "ring") => plain(ring(asked, Half::ReduceScatter)),
        ("all_gather", "ring") => plain(ring(asked, Half::AllGather)),
        ("all_reduce", "halving_doubling") => halving(asked, Half::Both),
        ("reduce_scatter", "halving_doubling") => halving(asked, Half::ReduceScatter),
        ("all_gather", "halving_doubling") => halving(asked, Half::AllGather),
        ("all_reduce", "recursive_doubling") => recursive(asked),
        ("all_reduce", "double_binary_tree") => plain(DoubleBinaryTree {
            ranks: asked.small("ranks"),
            flits: asked.small("flits"),
            chunks: asked.small("chunks"),
        }),
        ("all_reduce", "hierarchical") => hierarchical(asked)?,
        ("broadcast", _) => plain(RoundByRound(binomial(asked, Direction::Broadcast)?)),
        ("reduce", _) => plain(RoundByRound(binomial(asked, Direction::Reduce)?)),
        ("all_to_all", "spread") => plain(Spread::new(Pairwise { chunks: chunks(asked) }, asked.small("window"))),
        ("all_to_all", _) => plain(StepByStep(Pairwise { chunks: chunks(asked) })),
        ("barrier", _) => plain(StepByStep(Dissemination { ranks: asked.small("ranks") })),
        ("halo", _) => plain(halo(asked)?),
        ("request_reply", _) => plain(request_reply(asked)?),
        ("incast", _) => plain(Incast { ranks: asked.small("ranks"), root: root(asked)?, flits: asked.small("flits") }),
        ("pipeline", _) => plain(pipeline(asked)?),
        _ => unreachable!("the table has no other kinds and algorithms"),
    })
}

fn plain(shape: impl Shape + 'static) -> Built {
    (Box::new(shape), Vec::new())
}

fn chunks(asked: &Asked) -> Chunks {
    Chunks { flits: asked.small("flits"), parts: asked.small("ranks") }
}

fn ring(asked: &Asked, half: Half) -> StepByStep<Ring> {
    StepByStep(Ring { chunks: chunks(asked), half })
}

fn halving(asked: &Asked, half: Half) -> Built {
    let (ranks, flits) = (asked.small("ranks"), asked.small("flits"));
    let shape = RoundByRound(HalvingDoubling::new(ranks, flits, half));
    (Box::new(shape), Fold::new(ranks).note().into_iter().collect())
}

fn recursive(asked: &Asked) -> Built {
    let fold = Fold::new(asked.small("ranks"));
    let shape = RoundByRound(RecursiveDoubling { fold, flits: asked.small("flits") });
    (Box::new(shape), fold.note().into_iter().collect())
}

fn hierarchical(asked: &Asked) -> Result<Built, Refused> {
    let (ranks, given) = (asked.small("ranks"), asked.given("groups").map(|groups| groups as u32));
    let groups = given.unwrap_or_else(|| (1..=ranks.isqrt()).rev().find(|&of| ranks.is_multiple_of(of)).unwrap_or(1));
    if !ranks.is_multiple_of(groups) {
        return Err(Refused(format!("`groups` is {groups}, which does not divide `ranks`, {ranks}")));
    }
    let shape = Hierarchical { flits: asked.small("flits"), groups, members: ranks / groups };
    let note = given.is_none().then(|| match groups {
        1 => format!("{ranks} is prime: the only group has all {ranks} ranks, and the algorithm is a ring"),
        _ => format!("{groups} groups of {} ranks each: `groups` says another number", ranks / groups),
    });
    Ok((Box::new(StepByStep(shape)), note.into_iter().collect()))
}

fn root(asked: &Asked) -> Result<u32, Refused> {
    let (root, ranks) = (asked.small("root"), asked.small("ranks"));
    match root < ranks {
        true => Ok(root),
        false => Err(Refused(format!("`root` is {root}, and the {ranks} ranks are counted from 0 to {}", ranks - 1))),
    }
}

fn binomial(asked: &Asked, direction: Direction) -> Result<Binomial, Refused> {
    Ok(Binomial { direction, ranks: asked.small("ranks"), root: root(asked)?, flits: asked.small("flits") })
}

fn halo(asked: &Asked) -> Result<Halo, Refused> {
    let dimensions = asked.list("dimensions");
    let product = dimensions.iter().try_fold(1_u64, |product, &side| product.checked_mul(side));
    let product = product.filter(|&product| (2..=MOST_RANKS).contains(&product)).ok_or_else(|| {
        Refused(format!("`dimensions` is {dimensions:?}, whose product lies not between 2 and {MOST_RANKS} ranks"))
    })?;
    if let Some(ranks) = asked.given("ranks").filter(|&ranks| ranks != product) {
        return Err(Refused(format!(
            "`ranks` is {ranks}, and `dimensions` {dimensions:?} has {product} ranks; leave out `ranks`"
        )));
    }
    let sides = dimensions.iter().map(|&side| side as u32).collect();
    Ok(Halo::new(sides, asked.small("flits"), asked.small("iterations"), asked.number("compute_cycles")))
}

fn request_reply(asked: &Asked) -> Result<RequestReply, Refused> {
    let (ranks, servers) = (asked.small("ranks"), asked.small("servers"));
    if servers >= ranks {
        return Err(Refused(format!("`servers` is {servers} of {ranks} ranks, which leaves no client; ask for fewer")));
    }
    Ok(RequestReply {
        ranks,
        servers,
        window: asked.small("window"),
        count: asked.small("count"),
        request: asked.small("request_flits"),
        reply: asked.small("reply_flits"),
        think: asked.number("think_cycles"),
    })
}

fn pipeline(asked: &Asked) -> Result<Pipeline, Refused> {
    let (ranks, stages) = match (asked.given("ranks"), asked.given("stages")) {
        (None, None) => {
            return Err(Refused(
                "a program of kind `pipeline` needs `stages`, or `ranks` for a rank a stage".to_owned(),
            ));
        }
        (ranks, stages) => (ranks.or(stages).unwrap_or(2) as u32, stages.or(ranks).unwrap_or(2) as u32),
    };
    if !ranks.is_multiple_of(stages) {
        return Err(Refused(format!("`stages` is {stages}, which does not divide `ranks`, {ranks}")));
    }
    Ok(Pipeline {
        width: ranks / stages,
        stages,
        microbatches: asked.small("microbatches"),
        flits: asked.small("flits"),
        cycles: asked.number("compute_cycles"),
    })
}
