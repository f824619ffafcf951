//! What the session tells its pages.

use super::steered::FIXED;
use super::{Selected, Session};
use crate::frame::{self, HEADER, Header, Kind};
use crate::history::Row;
use crate::place::Places;
use crate::variant::Variant;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;
use tailback_network::Network;
use tailback_network::family::{self, is_twisted};
use tailback_sim::catalogue;
use tailback_sim::live::{Now, Passenger, Picture, Scale, Scope, Script, Sums, Waiter};
use tailback_spec::{Catalogue, Param};

/// Buckets of the histogram of latencies: from 8 cycles on, three a doubling.
const BUCKETS: usize = 36;

/// What a look is for: numbers alone, or words as well, and who waits at a router or behind a link.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    Numbers,
    Words(Option<(u32, Option<u8>)>, Option<(u32, u16)>),
}

/// What is looked at now and then.
struct Words {
    now: Now,
    latencies: Vec<u64>,
    waiters: Vec<Waiter>,
    /// Outputs that the link which is asked about waits for.
    chain: Vec<(u32, u16)>,
}

/// What one look finds in a variant.
pub(super) struct Look {
    picture: Picture,
    row: Row,
    words: Option<Words>,
    flow: Option<Value>,
}

impl Session {
    /// All that a page has to know to begin with.
    pub(super) fn greet(&mut self, page: u64) -> Value {
        let network = self.variants[0].prepared.network();
        let (routers, nodes, links) = (network.routers(), network.nodes(), self.places.links.len());
        let radix = self.places.radix.as_deref();
        let point = self.variants[0].script.point();
        let told = json!({
            "version": frame::VERSION,
            "name": self.name,
            "description": point.resolved.description(),
            "summary": summary(point, network, radix),
            "network": {
                "routers": routers, "nodes": nodes, "links": links, "lane": self.places.lane,
                "radix": radix, "nodesAt": network.most_nodes(), "ports": network.most_ports(),
                "homes": homes(network), "unthrottled": unthrottled(point, network),
                "levels": tailback_network::layout::levels(network).is_some(),
            },
            "history": self.variants.iter().map(|variant| json!({ "variant": variant.letter, "rows": variant.history.told() })).collect::<Vec<_>>(),
            "catalogue": settings(catalogue()), "lessons": crate::lessons::told(),
            "steering": self.steers == Some(page), "out": self.out.is_some(),
            "offered": point.resolved.get("traffic").and_then(|traffic| traffic.get("load")).cloned(),
        });
        let state = self.state();
        if let Some(page) = self.pages.get_mut(&page) {
            // Who asks for the past has the places, and may have turned them.
            if !std::mem::replace(&mut page.greeted, true) {
                page.outbox.picture(vec![places(&self.places, (self.cycle, self.epoch), 0)]);
            }
            page.pictures.clear();
            page.outbox.text(state.to_string());
        }
        self.looks.hurry();
        told
    }

    /// What was seen of the line since a page was told of it.
    fn line_since(&mut self, page: u64) -> Option<Value> {
        let cycle = self.cycle;
        let told = &mut self.pages.get_mut(&page)?.told;
        if *told >= cycle || self.variants[0].line.links().is_empty() {
            return None;
        }
        let after = std::mem::replace(told, cycle) + 1;
        let of = |variant: &Variant| json!({ "variant": variant.letter, "line": variant.line.told(after..=cycle) });
        Some(json!({ "event": "line", "variants": self.variants.iter().map(of).collect::<Vec<_>>() }))
    }

    /// Tells all pages what is played.
    pub(super) fn tell_state(&self) {
        let mut state = self.state();
        for (number, page) in self.pages.iter().filter(|(_, page)| page.greeted) {
            state["steering"] = json!(self.steers == Some(*number));
            page.outbox.text(state.to_string());
        }
    }

    /// Shows pages what there is, if it is time and somebody looks.
    pub(super) fn show(&mut self) {
        if !self.looks.is_due(self.cycle, self.epoch, self.asked()) {
            return;
        }
        let (now, hurried) = ((self.cycle, self.epoch), self.looks.is_hurried());
        // A page that is busy now still has to get what is hurried.
        self.pages.values_mut().filter(|_| hurried).for_each(|page| page.seen = None);
        let waiting = self.pages.iter_mut().filter(|(_, page)| page.greeted && page.seen != Some(now));
        let (takers, busy): (Vec<_>, Vec<_>) =
            waiting.map(|(number, page)| (*number, page.takes(now))).partition(|(_, takes)| *takes);
        if takers.is_empty() && busy.is_empty() && self.pages.values().any(|page| page.greeted) {
            // All have it.
            return self.looks.made(self.cycle, self.epoch, None);
        }
        let start = Instant::now();
        if takers.is_empty() {
            // Nobody draws it now: it is not made, but now and then for the curves. It is still due, whoever can take it first.
            if self.looks.put_off() {
                self.look(Ask::Numbers);
            }
            return;
        }
        let with_words = self.looks.words_are_due();
        let speed = self.looks.speed(self.cycle);
        let select = self.steers.and_then(|page| self.pages.get(&page)).map(|page| page.select).unwrap_or_default();
        let ask = if with_words { Ask::Words(self.place_of(select), self.output_of(select)) } else { Ask::Numbers };
        let Some(looks) = self.look(ask) else { return };
        let rows: Vec<Value> = self
            .variants
            .iter()
            .zip(&looks)
            .map(|(variant, look)| json!({ "variant": variant.letter, "row": look.row.told(), "flow": look.flow }))
            .collect();
        let told = json!({
            "event": "look", "cycle": self.cycle, "epoch": self.epoch, "playing": self.playing, "speed": speed.round(), "variants": rows,
            "words": with_words.then(|| self.words(&looks, select)),
        });
        let told = told.to_string();
        for (number, _) in takers {
            let line = self.line_since(number);
            let Some(page) = self.pages.get_mut(&number) else { continue };
            page.seen = Some(now);
            let at = page.outbox.next_picture();
            let mut messages = Vec::new();
            for (variant, look) in self.variants.iter().zip(&looks) {
                let header = header(Kind::Picture, variant.letter, now, at, look.picture.covers);
                let whole = frame::picture(header, &look.picture);
                let before = page.pictures.get(&variant.letter).filter(|(epoch, _)| *epoch == self.epoch);
                let changes =
                    before.and_then(|(_, before)| frame::changes(header, before, &whole, look.picture.links.len()));
                page.pictures.insert(variant.letter, (self.epoch, whole[HEADER..].to_vec()));
                messages.push(changes.unwrap_or(whole));
                if !look.picture.aside.is_empty() {
                    messages.push(frame::aside(header, &look.picture));
                }
                if !page.close.is_empty() {
                    let close = page.close.clone();
                    let dots = variant.ask(move |stage| stage.dots(&close)).unwrap_or_default();
                    messages.push(frame::detail(header, &page.close, &dots));
                }
                messages.push(frame::trees(header, &look.picture));
            }
            page.outbox.text(told.clone());
            line.into_iter().for_each(|line| page.outbox.text(line.to_string()));
            page.outbox.picture(messages);
        }
        // Words come seldom, and cost more.
        self.looks.made(self.cycle, self.epoch, (!with_words).then(|| start.elapsed()));
        if !busy.is_empty() {
            self.looks.missed();
        }
    }

    /// What is played.
    fn state(&self) -> Value {
        let cycle = self.cycle;
        let of = |variant: &Variant| {
            let changes = variant.script.changes().iter().map(|(cycle, set)| json!({ "cycle": cycle, "set": set }));
            // What was set holds from the next cycle on at which anything may change, and controls show what was set.
            let now = variant.script.settings(Script::next_change(cycle.max(variant.cycle()))).ok();
            let scale = Scale::new(&variant.prepared);
            let section = |path: &str| now.as_ref().and_then(|point| point.resolved.get(path)).cloned();
            json!({
                "letter": variant.letter, "label": label(variant), "born": variant.born.map(|(of, cycle)| json!({ "of": of, "cycle": cycle })),
                "changes": changes.collect::<Vec<_>>(), "end": variant.end, "done": variant.done,
                "locked": variant.locked.as_ref().map(|(locked, _)| &locked.words),
                "circle": variant.locked.as_ref().map(|(locked, _)| &locked.outputs), "since": variant.locked.as_ref().map(|(_, since)| since),
                "ends": variant.script.ends(), "bound": variant.bound(), "scale": { "flits": scale.flits, "log": scale.logarithmic, "channels": scale.channels },
                "settings": { "traffic": section("traffic"), "admission": section("admission") },
                "fixed": FIXED.into_iter().filter_map(|path| Some((path, section(path)?))).collect::<BTreeMap<_, _>>(),
                "kept": variant.kept().collect::<Vec<_>>(),
            })
        };
        json!({
            "event": "state", "cycle": cycle, "playing": self.playing, "speed": self.speed, "epoch": self.epoch,
            "flow": self.flow.map(|flow| [flow.source, flow.destination]),
            "variants": self.variants.iter().map(of).collect::<Vec<_>>(),
        })
    }

    /// Looks at all variants; what is seen is remembered. `None` where a network has stopped.
    pub(super) fn look(&mut self, ask: Ask) -> Option<Vec<Look>> {
        let flow = self.flow;
        let mut looks = Vec::new();
        for variant in &mut self.variants {
            let seen = variant.ask(move |stage| {
                let mut picture = Picture::default();
                stage.picture(&mut picture);
                let words = match ask {
                    Ask::Numbers => None,
                    Ask::Words(place, output) => Some(Words {
                        now: stage.now(),
                        latencies: buckets(stage.latencies()),
                        waiters: place.map_or_else(Vec::new, |(router, _)| stage.waiters(Scope::Router(router))),
                        chain: output.map_or_else(Vec::new, |(router, port)| stage.chain(router, port)),
                    }),
                };
                let flow = flow.map(|flow| (stage.waiters(Scope::Flow(flow)), stage.passengers()));
                (picture, stage.sums(), words, flow)
            });
            let (picture, sums, words, flow) = seen.ok()?;
            let row = row(variant, &picture, sums);
            variant.kind = kind(variant, &picture);
            variant.history.add(row.clone(), picture.links.iter().map(|link| link.fullest));
            let flow = flow.map(|(waiters, seen)| {
                let network = std::sync::Arc::clone(&variant.prepared);
                flow_told(network.network(), &waiters, variant.log(seen), words.is_some())
            });
            looks.push(Look { picture, row, words, flow });
        }
        if self.playing && self.event.as_ref().is_some_and(|before| *before != self.kinds()) {
            (self.playing, self.event) = (false, None);
            self.looks.hurry();
            self.tell_state();
        }
        Some(looks)
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

    /// The output of a link that a page asks about.
    fn output_of(&self, select: Selected) -> Option<(u32, u16)> {
        let &[from, _, port] = self.places.links.get(select.link? as usize)?;
        Some((from, port as u16))
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
                    "source": waiter.source, "number": waiter.number, "destination": waiter.destination, "waits": waiter.waits,
                    "channel": waiter.input.map(|input| input.1), "input": waiter.input.map(|input| input.0),
                    "position": waiter.position, "flits": waiter.flits, "does": waiter.does,
                })
            };
            Some(json!({
                "variant": variant.letter, "text": words.now.text, "blocked": words.now.blocked, "depth": words.now.depth,
                "latencies": words.latencies, "chain": words.chain, "waiters": here.take(60).map(waiter).collect::<Vec<_>>(),
            }))
        };
        self.variants.iter().zip(looks).map(of).collect()
    }
}

fn header(kind: Kind, variant: u8, (cycle, epoch): (u64, u32), (number, dropped): (u32, u32), covers: u64) -> Header {
    Header { kind, variant, number, cycle, covers, dropped, epoch }
}

/// Where everything stands, as a message; pages have turned it so often.
pub(super) fn places(places: &Places, now: (u64, u32), turns: u32) -> Vec<u8> {
    frame::places(header(Kind::Places, 0, now, (turns, 0), 0), places)
}

/// Why nothing can throttle packets here, where nothing can.
fn unthrottled(point: &tailback_spec::Point, network: &Network) -> Option<String> {
    let of = family::without_coordinates(point.resolved.view("topology"));
    network.grid().is_none().then(|| format!("Throttles go by the coordinates of a grid, and {of}."))
}

/// What tells a variant from those that began beside it and still holds, such as `valiant` or `load 0.3`; empty where nothing does.
fn label(variant: &Variant) -> String {
    let changes = variant.script.changes();
    let changed =
        |path: &str| changes.values().flat_map(|set| set.keys()).any(|of| is_part(of, path) || is_part(path, of));
    let words = |(path, value): &(String, toml::Value)| match value {
        toml::Value::String(name) => name.clone(),
        toml::Value::Table(table) => table.get("kind").map_or_else(String::new, plain),
        number => format!("{} {number}", path.rsplit('.').next().unwrap_or(path)),
    };
    let all = variant.script.point().swept.iter().chain(&variant.own).filter(|(path, _)| !changed(path));
    all.map(words).collect::<Vec<_>>().join(", ")
}

/// Whether a dotted path is another one, or leads on from there.
fn is_part(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The numbers of a look, over the cycles since the one before.
fn row(variant: &mut Variant, picture: &Picture, sums: Sums) -> Row {
    let cycle = picture.cycle;
    let (before, was) = std::mem::replace(&mut variant.before, (cycle, sums));
    let covers = cycle.saturating_sub(before);
    let nodes = variant.prepared.network().nodes() as f64;
    let packets = sums.packets.saturating_sub(was.packets);
    let there = covers > 0 && sums.packets >= was.packets;
    let mean = |now: u128, was: u128| (there && packets > 0).then(|| now.saturating_sub(was) as f64 / packets as f64);
    let accepted = there.then(|| sums.flits.saturating_sub(was.flits) as f64 / (nodes * covers as f64));
    Row {
        cycle,
        covers: if there { covers } else { 0 },
        means: [accepted, mean(sums.latency, was.latency), mean(sums.in_network, was.in_network), picture.head_of_line],
        counts: [
            picture.still.into(),
            picture.all_trees.into(),
            picture.in_flight,
            sums.packets,
            picture.full.into(),
            picture.held_back.into(),
        ],
    }
}

/// See [`Variant::kind`].
fn kind(variant: &Variant, picture: &Picture) -> u32 {
    let largest = picture.roots.first().map_or(0, |root| root.branches);
    let starves = picture.held.iter().any(|&held| held > 1);
    if variant.locked.is_some() { 99 } else { 32 - largest.leading_zeros() + if starves { 40 } else { 0 } }
}

/// Where the packets of a flow are: number, router, the output by which they came there, whether they wait, and what they do. With words, also
/// which there were: number, made, entered, arrived.
fn flow_told(network: &Network, waiters: &[Waiter], log: &BTreeMap<u64, Passenger>, with_words: bool) -> Value {
    let at = |waiter: &Waiter| {
        let from = waiter.input.and_then(|(port, _)| network.behind(waiter.router, port.into()));
        let from = from.map(|from| [from.router, from.port]);
        json!([waiter.number, waiter.router, from, waiter.waits, waiter.does])
    };
    let passenger = |(number, packet): (&u64, &Passenger)| json!([number, packet.made, packet.entered, packet.arrived]);
    let packets = with_words.then(|| log.iter().rev().take(64).map(passenger).collect::<Vec<_>>());
    json!({ "at": waiters.iter().map(at).collect::<Vec<_>>(), "packets": packets })
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

/// The router of each node, where nodes are not numbered router by router, as many at each.
fn homes(network: &Network) -> Option<Vec<u32>> {
    let each = network.most_nodes();
    let homes: Vec<u32> = (0..network.nodes() as u32).map(|node| network.router_of(node)).collect();
    homes.iter().zip(0..).any(|(&home, node)| home != node / each).then_some(homes)
}

fn summary(point: &tailback_spec::Point, network: &Network, radix: Option<&[u32]>) -> String {
    let kind = |section: &str| point.resolved.view(section).kind().replace('_', " ");
    let shape = match radix {
        Some(radix) => radix.iter().map(u32::to_string).collect::<Vec<_>>().join(" × "),
        None => format!("{} router{}", network.routers(), if network.routers() == 1 { "" } else { "s" }),
    };
    let twisted = if is_twisted(point.resolved.view("topology")) { "twisted " } else { "" };
    format!(
        "{twisted}{} {shape} · {} nodes · {} links · {} · seed {}",
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
    // What only holds from cycle 0 on.
    let fixed =
        catalogue.sections.iter().filter(|section| FIXED.contains(&section.path) && section.path != "admission");
    let fixed = fixed.map(|section| {
        let of = kinds(section.path);
        json!({ "path": section.path, "meaning": section.doc, "kinds": of["kinds"], "params": section.params.iter().map(param).collect::<Vec<_>>() })
    });
    json!({ "load": load.map(param), "sections": sections, "fixed": fixed.collect::<Vec<_>>() })
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
