//! What the session tells its pages.

use super::{Selected, Session};
use crate::frame::{self, Header, Kind};
use crate::variant::Variant;
use serde_json::{Value, json};
use std::time::Instant;
use tailback_network::Network;
use tailback_sim::catalogue;
use tailback_sim::live::{Now, Picture, Sums, Waiter};
use tailback_spec::{Catalogue, Param};

/// Buckets of the histogram of latencies: from 8 cycles on, three a doubling.
const BUCKETS: usize = 36;

/// What is looked at now and then.
struct Words {
    now: Now,
    latencies: Vec<u64>,
    waiters: Vec<Waiter>,
}

/// What one look finds in a variant.
struct Look {
    picture: Picture,
    sums: Sums,
    words: Option<Words>,
}

impl Session {
    /// All that a page has to know to begin with.
    pub(super) fn greet(&mut self, page: u64) -> Value {
        let network = self.variants[0].prepared.network();
        let (routers, nodes, links) = (network.routers(), network.nodes(), self.places.links.len());
        let places = frame::places(self.header(Kind::Places, 0, (0, 0), 0), &self.places);
        let grid = network.grid().filter(|_| network.is_plain_grid());
        let point = self.variants[0].script.point();
        let told = json!({
            "version": frame::VERSION,
            "name": self.name,
            "description": point.resolved.description(),
            "summary": summary(point, network),
            "network": {
                "routers": routers, "nodes": nodes, "links": links, "lane": self.places.lane,
                "radix": grid.map(|grid| grid.radix().to_vec()), "nodesAt": network.most_nodes(), "ports": network.most_ports(),
            },
            "catalogue": settings(catalogue()), "lessons": crate::lessons::told(),
            "steering": self.steers == Some(page),
        });
        if let Some(page) = self.pages.get_mut(&page) {
            page.greeted = true;
            page.outbox.picture(vec![places]);
            page.outbox.text(self_state(&self.variants, self.cycle, self.playing, self.speed, self.epoch).to_string());
        }
        self.looks.hurry();
        told
    }

    fn header(&self, kind: Kind, variant: u8, (number, dropped): (u32, u32), covers: u64) -> Header {
        Header { kind, variant, number, cycle: self.cycle, covers, dropped, epoch: self.epoch }
    }

    /// Tells all pages what is played.
    pub(super) fn tell_state(&self) {
        let mut state = self_state(&self.variants, self.cycle, self.playing, self.speed, self.epoch);
        for (number, page) in self.pages.iter().filter(|(_, page)| page.greeted) {
            state["steering"] = json!(self.steers == Some(*number));
            page.outbox.text(state.to_string());
        }
    }

    /// Shows pages what there is, if it is time and somebody looks.
    pub(super) fn show(&mut self) {
        if self.pages.values().all(|page| !page.greeted) || !self.looks.is_due(self.cycle, self.epoch) {
            return;
        }
        let takers: Vec<u64> = self
            .pages
            .iter()
            .filter(|(_, page)| page.greeted && page.outbox.takes_picture())
            .map(|(n, _)| *n)
            .collect();
        let start = Instant::now();
        if takers.is_empty() {
            // Nobody draws it: it is not made.
            return self.looks.made(self.cycle, self.epoch, None);
        }
        let with_words = self.looks.words_are_due();
        let speed = self.looks.speed(self.cycle);
        let select = self.steers.and_then(|page| self.pages.get(&page)).map(|page| page.select).unwrap_or_default();
        let place = self.place_of(select);
        let mut looks = Vec::new();
        for variant in &self.variants {
            let look = variant.ask(move |stage| {
                let mut picture = Picture::default();
                stage.picture(&mut picture);
                let words = with_words.then(|| Words {
                    now: stage.now(),
                    latencies: buckets(stage.latencies()),
                    waiters: place.map_or_else(Vec::new, |(router, _)| stage.waiters(router)),
                });
                Look { picture, sums: stage.sums(), words }
            });
            match look {
                Ok(look) => looks.push(look),
                Err(_) => return,
            }
        }
        let rows: Vec<Value> = self.variants.iter_mut().zip(&looks).map(|(variant, look)| row(variant, look)).collect();
        let told = json!({
            "event": "look", "cycle": self.cycle, "epoch": self.epoch, "playing": self.playing, "speed": speed.round(), "variants": rows,
            "words": with_words.then(|| self.words(&looks, select)),
        });
        let told = told.to_string();
        for number in takers {
            let Some(page) = self.pages.get(&number) else { continue };
            let at = page.outbox.next_picture();
            let mut messages = Vec::new();
            for (variant, look) in self.variants.iter().zip(&looks) {
                let header = self.header(Kind::Picture, variant.letter, at, look.picture.covers);
                messages.push(frame::picture(header, &look.picture));
                messages.push(frame::trees(header, &look.picture));
            }
            page.outbox.text(told.clone());
            page.outbox.picture(messages);
        }
        // Words come seldom, and cost more.
        self.looks.made(self.cycle, self.epoch, (!with_words).then(|| start.elapsed()));
    }

    /// The router at which those wait that a page asks about, and the input port, where it asks about a link.
    fn place_of(&self, select: Selected) -> Option<(u32, Option<u8>)> {
        let network = self.variants[0].prepared.network();
        if let Some(&[from, _, port]) = select.link.and_then(|link| self.places.links.get(link as usize)) {
            let to = network.ahead(from, port as usize)?;
            return Some((to.router, Some(to.port as u8)));
        }
        select.router.filter(|&router| (router as usize) < network.routers()).map(|router| (router, None))
    }

    fn words(&self, looks: &[Look], select: Selected) -> Value {
        let place = self.place_of(select);
        let of = |(variant, look): (&Variant, &Look)| {
            let words = look.words.as_ref()?;
            let here = words.waiters.iter().filter(|waiter| {
                place.and_then(|(_, port)| port).is_none_or(|port| waiter.input.is_some_and(|(input, _)| input == port))
            });
            let waiter = |waiter: &Waiter| {
                json!({
                    "source": waiter.source, "number": waiter.number, "destination": waiter.destination,
                    "channel": waiter.input.map(|input| input.1), "input": waiter.input.map(|input| input.0),
                    "position": waiter.position, "flits": waiter.flits, "does": waiter.does,
                })
            };
            Some(json!({
                "variant": variant.letter, "text": words.now.text, "blocked": words.now.blocked, "depth": words.now.depth,
                "latencies": words.latencies, "waiters": here.take(60).map(waiter).collect::<Vec<_>>(),
            }))
        };
        self.variants.iter().zip(looks).map(of).collect()
    }
}

fn self_state(variants: &[Variant], cycle: u64, playing: bool, speed: Option<f64>, epoch: u32) -> Value {
    let of = |variant: &Variant| {
        let changes = variant.script.changes().iter().map(|(cycle, set)| json!({ "cycle": cycle, "set": set }));
        let now = variant.script.settings(cycle.max(variant.cycle())).ok();
        let section = |path: &str| now.as_ref().and_then(|point| point.resolved.get(path)).cloned();
        json!({
            "letter": variant.letter, "label": label(variant), "born": variant.born.map(|(of, cycle)| json!({ "of": of, "cycle": cycle })),
            "changes": changes.collect::<Vec<_>>(), "end": variant.end, "locked": variant.locked, "done": variant.done,
            "settings": { "traffic": section("traffic"), "admission": section("admission") },
            "kept": variant.kept().collect::<Vec<_>>(),
        })
    };
    json!({
        "event": "state", "cycle": cycle, "playing": playing, "speed": speed, "epoch": epoch,
        "variants": variants.iter().map(of).collect::<Vec<_>>(),
    })
}

/// What tells a variant from those that began beside it, such as `valiant` or `load 0.3`; empty where nothing does.
fn label(variant: &Variant) -> String {
    let words = |(path, value): &(String, toml::Value)| match value {
        toml::Value::String(name) => name.clone(),
        toml::Value::Table(table) => table.get("kind").map_or_else(String::new, plain),
        number => format!("{} {number}", path.rsplit('.').next().unwrap_or(path)),
    };
    variant.script.point().swept.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The numbers of a look, over the cycles since the one before.
fn row(variant: &mut Variant, look: &Look) -> Value {
    let (cycle, sums) = (look.picture.cycle, look.sums);
    let (before, was) = std::mem::replace(&mut variant.before, (cycle, sums));
    let cycles = cycle.saturating_sub(before);
    let nodes = variant.prepared.network().nodes() as f64;
    let packets = sums.packets.saturating_sub(was.packets);
    let mean = |now: u128, was: u128| (packets > 0).then(|| now.saturating_sub(was) as f64 / packets as f64);
    let there = cycles > 0 && sums.packets >= was.packets;
    json!({
        "variant": variant.letter, "cycle": cycle, "covers": cycles,
        "accepted": there.then(|| sums.flits.saturating_sub(was.flits) as f64 / (nodes * cycles as f64)),
        "latency": mean(sums.latency, was.latency).filter(|_| there), "inNetwork": mean(sums.in_network, was.in_network).filter(|_| there),
        "packets": sums.packets, "inFlight": look.picture.in_flight, "still": look.picture.still, "trees": look.picture.all_trees,
    })
}

/// Packets by their latency: from 8 cycles on, three buckets a doubling; the first has what is less, the last what is more.
fn buckets(latencies: &tailback_sim::live::Latencies) -> Vec<u64> {
    let mut counts = vec![0; BUCKETS];
    for bucket in latencies.buckets() {
        let at = ((bucket.low.max(1) as f64 / 8.0).log2() * 3.0).floor().clamp(0.0, (BUCKETS - 1) as f64);
        counts[at as usize] += bucket.count;
    }
    counts
}

fn summary(point: &tailback_spec::Point, network: &Network) -> String {
    let kind = |section: &str| point.resolved.view(section).kind().replace('_', " ");
    let shape = match network.grid() {
        Some(grid) => grid.radix().iter().map(u32::to_string).collect::<Vec<_>>().join(" × "),
        None => format!("{} routers", network.routers()),
    };
    format!(
        "{} {shape} · {} nodes · {} links · {} · seed {}",
        kind("topology"),
        network.nodes(),
        network.links(),
        kind("router"),
        point.seed
    )
}

/// The settings that may change, as the catalogue has them.
fn settings(catalogue: &Catalogue) -> Value {
    let kinds = |path: &str| {
        let entries = catalogue.section(path).map(|section| section.entries.clone()).unwrap_or_default();
        let kind = |entry: &&'static tailback_spec::Entry| json!({ "name": entry.name, "meaning": entry.summary, "params": entry.params.iter().map(param).collect::<Vec<_>>() });
        json!({ "path": path, "kinds": entries.iter().map(kind).collect::<Vec<_>>() })
    };
    let load =
        catalogue.section("traffic").and_then(|section| section.params.iter().find(|param| param.name == "load"));
    let sections = ["traffic.pattern", "traffic.process", "admission"].map(kinds);
    json!({ "load": load.map(param), "sections": sections })
}

fn param(param: &Param) -> Value {
    use tailback_spec::Kind as Of;
    let (kind, min, max, choices) = match param.kind {
        Of::Bool => ("bool", Value::Null, Value::Null, Value::Null),
        Of::Integer { min, max } => ("integer", json!(min), json!((max < i64::MAX).then_some(max)), Value::Null),
        Of::Float { min, max } => ("number", json!(min), json!((max < f64::MAX).then_some(max)), Value::Null),
        Of::IntegerOrAuto { min, max } => ("auto", json!(min), json!((max < i64::MAX).then_some(max)), Value::Null),
        Of::IntegerOrInfinite { min, max } => {
            ("infinite", json!(min), json!((max < i64::MAX).then_some(max)), Value::Null)
        }
        Of::Choice(words) => ("choice", Value::Null, Value::Null, words.iter().map(|(word, _)| *word).collect()),
        Of::Integers { .. } => ("integers", Value::Null, Value::Null, Value::Null),
        Of::Floats { .. } => ("numbers", Value::Null, Value::Null, Value::Null),
        _ => ("fixed", Value::Null, Value::Null, Value::Null),
    };
    json!({
        "name": param.name, "kind": kind, "unit": param.unit, "min": min, "max": max, "choices": choices,
        "default": param.fallback.json(), "meaning": param.doc,
    })
}
