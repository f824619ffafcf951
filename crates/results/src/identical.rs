//! Which variants of a sweep came out bit for bit as another did.
//!
//! Equal digests mean that the same was simulated, whatever the spec calls it. Two variants are identical where every point
//! that both have, of the same place on the axis and the same seed, has the same digest in both, and there is one.

use crate::schema::{Record, Status};
use std::collections::HashMap;

/// Where a point stands in its variant: the bits of its number on the axis, and the seed.
type AxisAndSeed = (Option<u64>, u64);

/// Variants that are identical, in the order of their first members; each group has two or more, by ascending number. In a
/// group all agree wherever they meet, and each has met the first.
///
/// `variants` are records that differ in nothing but column `x`, where there is one, and the seed. Interrupted records say
/// nothing, and nor do those without a digest.
pub fn identical(variants: &[Vec<&Record>], x: Option<&str>) -> Vec<Vec<usize>> {
    let points: Vec<HashMap<AxisAndSeed, &str>> = variants.iter().map(|records| digests(records, x)).collect();
    let mut groups: Vec<Group> = Vec::new();
    // Groups by a point of their first member.
    let mut by_point: HashMap<(AxisAndSeed, &str), Vec<usize>> = HashMap::new();
    for (variant, own) in points.iter().enumerate() {
        let mut candidates: Vec<usize> =
            own.iter().filter_map(|(place, digest)| by_point.get(&(*place, *digest))).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        match candidates.into_iter().find(|&group| groups[group].agrees(own)) {
            Some(group) => groups[group].join(variant, own),
            None => {
                own.iter().for_each(|(place, digest)| by_point.entry((*place, digest)).or_default().push(groups.len()));
                groups.push(Group { members: vec![variant], points: own.clone() });
            }
        }
    }
    groups.into_iter().map(|group| group.members).filter(|members| members.len() > 1).collect()
}

struct Group<'a> {
    members: Vec<usize>,
    /// What any member has.
    points: HashMap<AxisAndSeed, &'a str>,
}

impl<'a> Group<'a> {
    /// Whether no point speaks against the group.
    fn agrees(&self, own: &HashMap<AxisAndSeed, &str>) -> bool {
        own.iter().all(|(place, digest)| self.points.get(place).is_none_or(|known| known == digest))
    }

    fn join(&mut self, variant: usize, own: &HashMap<AxisAndSeed, &'a str>) {
        self.members.push(variant);
        self.points.extend(own);
    }
}

/// The digests of a variant by place. A place with several has none that can be compared.
fn digests<'a>(records: &[&'a Record], x: Option<&str>) -> HashMap<AxisAndSeed, &'a str> {
    let mut digests: HashMap<AxisAndSeed, &str> = HashMap::new();
    for record in records.iter().filter(|record| says_something(record)) {
        let place = (x.and_then(|x| record.number(x)).map(f64::to_bits), record.seed);
        let digest = digests.entry(place).or_insert(&record.digest);
        if *digest != record.digest {
            *digest = "";
        }
    }
    digests.retain(|_, digest| !digest.is_empty());
    digests
}

/// Whether two records came out identical, bit for bit. Interrupted ones say nothing.
pub fn is_identical(one: &Record, other: &Record) -> bool {
    says_something(one) && says_something(other) && one.digest == other.digest
}

fn says_something(record: &Record) -> bool {
    record.status != Status::Interrupted && !record.digest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Scalar;

    fn record(load: f64, seed: u64, digest: &str) -> Record {
        let parameters = vec![("traffic.load".to_owned(), Scalar::Float(load))];
        Record { parameters, digest: digest.to_owned(), ..Record::empty("id", seed, "0", Status::Steady) }
    }

    fn groups(variants: &[&[Record]]) -> Vec<Vec<usize>> {
        let variants: Vec<Vec<&Record>> = variants.iter().map(|records| records.iter().collect()).collect();
        identical(&variants, Some("traffic.load"))
    }

    #[test]
    fn equal_at_every_load_and_seed_is_identical() {
        let off = [record(0.1, 1, "a"), record(0.1, 2, "b"), record(0.2, 1, "c")];
        let alo = [record(0.2, 1, "c"), record(0.1, 2, "b"), record(0.1, 1, "a")];
        let other = [record(0.1, 1, "a"), record(0.1, 2, "b"), record(0.2, 1, "d")];
        assert_eq!(groups(&[&off, &alo]), [[0, 1]]);
        assert_eq!(groups(&[&off, &other, &alo]), [[0, 2]], "one load that differs is enough");
        assert_eq!(groups(&[&other, &off, &off, &alo, &other]), [vec![0, 4], vec![1, 2, 3]]);
    }

    #[test]
    fn what_never_met_is_not_identical() {
        let (low, high) = ([record(0.1, 1, "a")], [record(0.2, 1, "a")]);
        assert!(groups(&[&low, &high]).is_empty(), "another load");
        assert!(groups(&[&low, &[record(0.1, 2, "a")]]).is_empty(), "another seed");
        assert!(groups(&[&low, &[]]).is_empty() && groups(&[&[], &[]]).is_empty() && groups(&[]).is_empty());
        let both = [record(0.1, 1, "a"), record(0.2, 1, "a")];
        assert_eq!(groups(&[&low, &both]), [[0, 1]], "the loads that both have decide");
        assert_eq!(
            groups(&[&low, &both, &[record(0.2, 1, "b"), record(0.1, 1, "a")]]),
            [[0, 1]],
            "no group contradicts itself"
        );
    }

    #[test]
    fn what_was_interrupted_or_has_no_digest_says_nothing() {
        let stopped = Record { status: Status::Interrupted, ..record(0.1, 1, "a") };
        let (whole, blank) = (record(0.1, 1, "a"), record(0.1, 1, ""));
        assert!(groups(&[std::slice::from_ref(&whole), std::slice::from_ref(&stopped)]).is_empty());
        assert!(groups(&[std::slice::from_ref(&blank), std::slice::from_ref(&blank)]).is_empty());
        assert!(is_identical(&whole, &whole.clone()) && !is_identical(&whole, &record(0.1, 1, "b")));
        assert!(!is_identical(&stopped, &whole) && !is_identical(&blank, &blank));
        let torn = [record(0.1, 1, "a"), record(0.1, 1, "b")];
        assert!(groups(&[&torn, &torn, &[whole]]).is_empty(), "one place with two digests has none");
    }

    #[test]
    fn without_an_axis_the_seeds_pair_off() {
        let (a, b) = (record(0.1, 1, "a"), record(0.1, 1, "a"));
        assert_eq!(identical(&[vec![&a], vec![&b]], None), [[0, 1]]);
    }
}
