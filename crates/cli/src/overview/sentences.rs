//! The headline of a report: what came out, in sentences with a number each.

use crate::show::numbers::{count, maybe, scalar, short, thousands};
use tailback_results::{Record, Scalar, Status};
use tailback_summary::{Difference, LOAD, Mark, Variant, digits};

/// At most so many names stand in a list.
const NAMES: usize = 3;

/// What the headline tells of.
pub struct Study<'s, 'a> {
    pub variants: &'s [Variant<'a>],
    /// By variant, against the first.
    pub differences: &'s [Option<Difference>],
    /// What is compared.
    pub column: &'static str,
    /// The load at which that is.
    pub load: Option<f64>,
}

impl Study<'_, '_> {
    /// One sentence on how points ended, one on the largest difference, one on what is equal.
    pub fn headline(&self) -> String {
        [self.broken(), self.steady(), self.difference(), self.equal()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        self.variants.iter().flat_map(|variant| &variant.points).map(|point| point.mark())
    }

    fn broken(&self) -> Option<String> {
        let broken = self.marks().filter(|mark| *mark == Mark::Crossed).count();
        let all = count(self.marks().count() as u64, "point");
        (broken > 0).then(|| format!("{broken} of {all} end in a deadlock, livelock or starvation."))
    }

    /// Up to which load all is steady.
    fn steady(&self) -> Option<String> {
        let (all, steady) = (self.marks().count(), self.marks().filter(|mark| *mark == Mark::Filled).count());
        if steady == all {
            return Some(format!("All {all} points are steady or completed."));
        }
        let share = format!("{steady} of {} are steady.", count(all as u64, "point"));
        let up_to: Option<Vec<f64>> = self.variants.iter().map(steady_up_to).collect();
        let Some(up_to) = up_to else { return Some(share) };
        let (least, most) = up_to.iter().fold((f64::MAX, 0.0_f64), |(a, b), load| (a.min(*load), b.max(*load)));
        let load = |load: f64| scalar(&Scalar::Float(load));
        Some(match (least == most, self.variants.len()) {
            (true, 1) => format!("The network is steady up to load {}: {share}", load(least)),
            (true, _) => format!("Every variant is steady up to load {}: {share}", load(least)),
            (false, _) => {
                let best: Vec<&str> = self
                    .variants
                    .iter()
                    .zip(&up_to)
                    .filter(|(v, up)| **up == most && v.same_as.is_none())
                    .map(|(v, _)| v.label.as_str())
                    .collect();
                let names = if best.len() > NAMES { count(best.len() as u64, "variant") } else { best.join(" and ") };
                format!(
                    "{names} stays steady longest, up to load {}, and the shortest up to {}: {share}",
                    load(most),
                    load(least)
                )
            }
        })
    }

    /// The largest difference that is shown, or that there is none.
    fn difference(&self) -> Option<String> {
        let first = &self.variants[0];
        let with = || self.variants.iter().zip(self.differences).filter_map(|(v, d)| Some((v, d.as_ref()?)));
        let place = self.load.map_or(String::new(), |load| format!("At load {} ", scalar(&Scalar::Float(load))));
        let capital = |text: String| {
            let mut letters = text.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        };
        let size = |difference: &Difference| difference.ratio.ln().abs();
        let largest = with().filter(|(_, d)| d.differs()).max_by(|a, b| size(a.1).total_cmp(&size(b.1)));
        let Some((variant, difference)) = largest else {
            let tested = with().filter(|(v, d)| v.same_as.is_none() && d.interval.is_some()).count();
            let of = if self.column == "duration" { "duration" } else { "accepted load" };
            return (tested > 0)
                .then(|| capital(format!("{place}no difference from {} is shown in {of}.", first.label)));
        };
        let point = match self.load {
            Some(load) => variant.at(load),
            None => variant.points.last(),
        };
        let mean = point?.spread(self.column)?;
        let number = digits::number(mean.mean, digits::decimals([&mean]));
        let words = difference.words();
        let percent = words.trim_end_matches(" *").trim_start_matches(['+', '-']);
        let more = if difference.ratio > 1.0 { "more" } else { "less" };
        let interval = difference.interval_words();
        let verb = match self.column {
            "duration" => format!("takes {number} cycles"),
            _ => format!("accepts {number} flits/node/cycle"),
        };
        Some(capital(format!("{place}{} {verb}, {percent} {more} than {} ({interval} %).", variant.label, first.label)))
    }

    fn equal(&self) -> Option<String> {
        let twins: Vec<&Variant> = self.variants.iter().filter(|variant| variant.same_as.is_some()).collect();
        let (first, more) = twins.split_first()?;
        let of = &self.variants[first.same_as?].name;
        Some(match more.len() {
            0 => {
                let runs = count(first.runs().count() as u64, "run");
                format!("{} changes nothing: its {runs} equal those of {of} bit for bit.", first.name)
            }
            _ => format!("{} variants equal an earlier one bit for bit.", twins.len()),
        })
    }
}

/// The highest load up to which all points of a variant are steady.
fn steady_up_to(variant: &Variant) -> Option<f64> {
    let steady = variant.points.iter().take_while(|point| point.mark() == Mark::Filled);
    steady.last().and_then(|point| point.number(LOAD))
}

/// What came out of a single run.
pub fn of_one(record: &Record) -> String {
    let accepted = maybe(record.accepted_load);
    let offered = record.offered_load.map_or(String::new(), |load| format!(" of {} offered", short(load)));
    let latency =
        record.latency_mean.map_or(String::new(), |mean| format!(" The mean latency is {} cycles.", short(mean)));
    match record.status {
        Status::Steady => {
            format!("The network is steady: it accepts {accepted} flits/node/cycle{offered}.{latency}")
        }
        Status::Saturated => {
            let share =
                record.accepted_load.zip(record.offered_load).map(|(a, o)| format!(" ({:.0} %)", 100.0 * a / o));
            let share = share.unwrap_or_default();
            format!("The network is saturated: it accepts {accepted} flits/node/cycle{offered}{share}.")
        }
        Status::Completed => {
            let end = record.duration.map_or("-".to_owned(), thousands);
            format!("The workload is complete: the last packet arrives at cycle {end}.{latency}")
        }
        Status::Slow => "The workload had not ended at its limit, though packets went on arriving.".to_owned(),
        Status::Deadlocked => "The network is deadlocked: packets wait for each other in a circle.".to_owned(),
        Status::Starved => "A packet starves: it waits without bound while others pass.".to_owned(),
        Status::Livelocked => "The network is livelocked: packets go on and on, and none arrives.".to_owned(),
        Status::Stuck => "The program is stuck: its operations wait for messages that are never sent.".to_owned(),
        Status::Interrupted => format!("The run was interrupted after {} cycles.", thousands(record.cycles as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer;
    use super::*;
    use crate::made::Made;

    fn run(admission: &str, load: f64, seed: u64, accepted: f64, digest: &str) -> Record {
        let parameters = vec![
            ("admission".to_owned(), Scalar::Text(admission.to_owned())),
            ("traffic.load".to_owned(), Scalar::Float(load)),
        ];
        let status = if load > 0.3 { Status::Saturated } else { Status::Steady };
        let digest = format!("{digest} {load} {seed}");
        let empty = Record::empty(format!("{admission} {load} {seed}"), seed, "0", status);
        Record {
            parameters,
            digest,
            offered_load: Some(load),
            accepted_load: Some(accepted),
            latency_mean: Some(20.0 + load),
            ..empty
        }
    }

    /// Three mechanisms, two loads, four seeds; alo is off.
    fn study() -> Vec<Record> {
        let mut records = Vec::new();
        for (admission, sustained, digest) in [("off", 0.23, "a"), ("spth", 0.29, "b"), ("alo", 0.23, "a")] {
            for (load, accepted) in [(0.3, 0.3), (0.6, sustained)] {
                records.extend((1..=4).map(|seed| run(admission, load, seed, accepted + 1e-3 * seed as f64, digest)));
            }
        }
        records
    }

    #[test]
    fn the_headline_says_where_it_saturates_what_differs_and_what_is_equal() {
        let answer = answer(&study(), &[], &Made::default());
        assert_eq!(
            answer.headline,
            "Every variant is steady up to load 0.3: 3 of 6 points are steady. At load 0.6 spth accepts 0.292 \
             flits/node/cycle, 26 % more than off = alo (+26 to +26 %). alo changes nothing: its 8 runs equal those of off bit \
             for bit."
        );
    }

    #[test]
    fn a_single_run_is_told_in_a_sentence() {
        let told = answer(&[run("off", 0.6, 1, 0.3, "a")], &[], &Made::default());
        assert_eq!(
            told.headline,
            "The network is saturated: it accepts 0.3000 flits/node/cycle of 0.6000 offered (50 %)."
        );
        assert_eq!(told.blocks.len(), 1, "all its numbers");
        assert!(answer(&[], &[], &Made::default()).headline.is_empty());
    }

    #[test]
    fn nothing_is_claimed_of_one_seed() {
        let records: Vec<Record> = study().into_iter().filter(|record| record.seed == 1).collect();
        let answer = answer(&records, &[], &Made::default());
        assert!(
            !answer.headline.contains("more than") && !answer.headline.contains("no difference"),
            "{}",
            answer.headline
        );
    }
}
