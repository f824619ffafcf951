//! What a page asks for beyond play and settings: variants from cycle 0 on, changes that are taken back, stories, flows, strips.

use super::{MOST_VARIANTS, Session, out_of_range};
use crate::control::{Problem, problem};
use crate::place::Places;
use crate::variant::Variant;
use serde_json::{Value, json};
use std::sync::Arc;
use tailback_network::Network;
use tailback_sim::live::Flow;
use tailback_sim::{Story, catalogue};

/// What a router is, and the seed: from cycle 0 on a variant may have others. The first words of dotted paths.
pub(super) const FIXED: [&str; 12] = [
    "router",
    "queueing",
    "routing",
    "selection",
    "flow_control",
    "arbiter",
    "injection",
    "interface",
    "recovery",
    "admission",
    "seed",
    "arbiters",
];

impl Session {
    /// Makes a variant that differs from another one from cycle 0 on, by what cannot change while a network runs.
    pub(super) fn beside(&mut self, of: u8, set: &[(String, toml::Value)]) -> Result<Value, Problem> {
        let of = self.variant(of)?;
        if self.variants.len() >= MOST_VARIANTS {
            return problem("full", "there are four variants: drop one first");
        }
        if set.is_empty() {
            return problem("syntax", "say what the variant has that the others have not");
        }
        for (path, _) in set {
            if !path.split('.').next().is_some_and(|first| FIXED.contains(&first)) {
                return problem("fixed", format!("{path} is the same in all variants"));
            }
        }
        let (script, prepared) = self.variants[of].script.beside(set).map_err(|errors| out_of_range(&errors))?;
        let files = prepared.point().resolved.files(catalogue());
        if set
            .iter()
            .any(|(path, _)| files.iter().any(|file| file == path) || path.split('.').any(|word| word == "path"))
        {
            return problem("file", "what names a file is set in the spec, not from the page");
        }
        if Places::new(prepared.network(), prepared.point().resolved.view("topology")) != self.places {
            return problem("network", "that makes another network, and variants have one");
        }
        let mut variant = Variant::new(script)?;
        variant.letter = self.free_letter();
        variant.own = self.variants[of].own.iter().chain(set).cloned().collect();
        variant.follow(self.flow)?;
        let letter = variant.letter;
        self.playing = false;
        self.go(0)?;
        self.variants.push(variant);
        self.epoch += 1;
        self.looks.hurry();
        self.tell_state();
        Ok(json!({ "cycle": 0, "variant": letter }))
    }

    /// Goes back to before the last change, which is taken back.
    pub(super) fn undo(&mut self) -> Result<Value, Problem> {
        let last = |variant: &Variant| variant.script.changes().keys().next_back().copied();
        let Some(cycle) = self.variants.iter().filter_map(last).max() else {
            return problem("nothing", "nothing was changed so far");
        };
        self.playing = false;
        let to = self.cycle.min(cycle);
        for variant in &mut self.variants {
            if last(variant) == Some(cycle) { variant.undo(cycle) } else { variant.go(to) }?;
        }
        // Variants that were born in a change stay; all are in one cycle.
        self.variants.iter_mut().try_for_each(|variant| variant.go(to))?;
        (self.cycle, self.searched) = (to, to);
        self.epoch += 1;
        self.looks.hurry();
        self.tell_state();
        Ok(json!({ "cycle": self.cycle }))
    }

    /// What kind of thing is to be seen in each variant: no tree, or how large the largest one is, in
    /// doublings; whether packets wait long to get in; a deadlock.
    pub(super) fn kinds(&self) -> Vec<u32> {
        self.variants.iter().map(|variant| variant.kind).collect()
    }

    /// The levels of some links in the past of each variant. If the page steers, they are looked at more often from here on.
    pub(super) fn strip(&mut self, page: u64, links: &[usize]) -> Value {
        let count = self.places.links.len();
        let line: Arc<[u32]> = links.iter().filter(|&&link| link < count).map(|&link| link as u32).collect();
        if self.steers == Some(page) && line.len() == links.len() {
            self.variants.iter_mut().for_each(|variant| variant.line.watch(&line));
        }
        let watched = self.variants[0].line.links().iter().map(|&link| link as usize).eq(links.iter().copied());
        if let Some(page) = self.pages.get_mut(&page) {
            page.told = if watched { self.cycle } else { u64::MAX };
        }
        let of = |variant: &Variant| {
            json!({
                "variant": variant.letter, "spans": variant.history.spans(), "levels": variant.history.strip(links),
                "line": if watched { variant.line.told(..) } else { Value::Null },
            })
        };
        json!({ "variants": self.variants.iter().map(of).collect::<Vec<_>>() })
    }

    /// Shows a page the places with other dimensions inside the tiles: these, or those in whose queues most has stood so far.
    pub(super) fn turn(&mut self, page: u64, inside: Option<[usize; 2]>) -> Result<Value, Problem> {
        let dimensions = self.places.radix.as_ref().map_or(0, Vec::len);
        if dimensions < 3 {
            return problem("flat", "only a grid of three dimensions or more has tiles to turn");
        }
        let mut waited = vec![0.0; dimensions];
        for variant in &self.variants {
            for (sum, of) in waited.iter_mut().zip(variant.history.waited(&self.places.dimensions())) {
                *sum += of;
            }
        }
        let mut most: Vec<usize> = (0..dimensions).collect();
        most.sort_by(|&one, &other| waited[other].total_cmp(&waited[one]));
        let inside = inside.unwrap_or([most[0].min(most[1]), most[0].max(most[1])]);
        let prepared = &self.variants[0].prepared;
        let Some(places) = Places::turned(prepared.network(), prepared.point().resolved.view("topology"), inside)
        else {
            return problem("dimension", format!("dimensions are numbered from 0 to {}", dimensions - 1));
        };
        self.turns += 1;
        let sent = super::told::places(&places, (self.cycle, self.epoch), self.turns);
        if let Some(page) = self.pages.get_mut(&page) {
            page.outbox.picture(vec![sent]);
        }
        let all: f64 = waited.iter().sum();
        let shares: Vec<f64> = waited.iter().map(|of| if all > 0.0 { of / all } else { 0.0 }).collect();
        Ok(json!({ "inside": inside, "waited": shares }))
    }

    /// Follows a flow in all variants, or none.
    pub(super) fn follow(&mut self, ends: Option<(u32, u32)>) -> Result<Value, Problem> {
        let nodes = self.variants[0].prepared.network().nodes() as u32;
        if let Some(node) =
            ends.and_then(|(source, destination)| [source, destination].into_iter().find(|&n| n >= nodes))
        {
            return problem("node", format!("there is no node {node}: they are numbered from 0 to {}", nodes - 1));
        }
        self.flow = ends.map(|(source, destination)| Flow { source, destination });
        let flow = self.flow;
        self.variants.iter_mut().try_for_each(|variant| variant.follow(flow))?;
        self.looks.hurry();
        self.tell_state();
        Ok(Value::Null)
    }

    /// The story of a packet so far.
    pub(super) fn story(&self, letter: u8, source: u32, number: u64, since: Option<u64>) -> Result<Value, Problem> {
        let variant = &self.variants[self.variant(letter)?];
        let (prepared, story) = variant.story(source, number, since)?;
        Ok(told(prepared.network(), &story))
    }
}

fn told(network: &Network, story: &Story) -> Value {
    let stops: Vec<Value> = story
        .stops
        .iter()
        .map(|stop| {
            let waits: Vec<Value> = stop
                .waits
                .iter()
                .map(|wait| json!({ "from": wait.from, "to": wait.to, "words": wait.words(network, stop.router) }))
                .collect();
            json!({
                "place": stop.name(network), "router": stop.router, "from": stop.from, "left": stop.left, "port": stop.port,
                "source": stop.input.is_none(), "waits": waits,
            })
        })
        .collect();
    let packet = &story.packet;
    json!({
        "source": packet.source, "number": packet.index, "destination": packet.destination, "flits": packet.flits,
        "made": packet.birth, "started": story.started, "arrived": story.delivered, "end": story.end, "stops": stops,
    })
}
