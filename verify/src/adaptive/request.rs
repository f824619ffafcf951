//! Requests: the output that a head asks for in a cycle.

use super::config::{Requests, Way};
use super::network::Network;
use super::router::Front;
use crate::wormhole::routing::{Candidates, Link};
use crate::wormhole::selection::Choice;
use std::cmp::Reverse;
use tailback_base::rng::{self, Purpose};

/// A head that asks for an output.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Its input.
    pub input: usize,
    /// The output.
    pub output: usize,
    /// What it would take there.
    pub way: Way,
}

/// A head, what it may take and where it is.
struct Head<'a> {
    router: usize,
    input: usize,
    candidates: &'a Candidates,
}

impl Network<'_> {
    /// The heads of a router that ask in this cycle.
    pub(super) fn asks(&mut self, router: usize) -> Vec<Ask> {
        (0..self.config.inputs()).filter_map(|input| self.ask(router, input)).collect()
    }

    fn ask(&mut self, router: usize, input: usize) -> Option<Ask> {
        let may_ask = |front: &&Front| front.asks_again <= self.now && front.admitted && front.holds.is_none();
        let front = self.routers[router].inputs[input].front.as_ref().filter(may_ask)?.clone();
        let Some(candidates) = &front.candidates else {
            let channel = self.config.ejection_channel(input, self.packets[front.packet].made.destination);
            if self.routers[router].ejection_room[channel] == 0 {
                return None;
            }
            self.try_once(router, input);
            let output = self.config.ejection_output(input, self.packets[front.packet].made.destination);
            return Some(Ask { input, output, way: Way::Ejection });
        };
        let head = Head { router, input, candidates };
        let link = match self.config.requests {
            Requests::Parallel => self.parallel(&head),
            Requests::InTurn => self.in_turn(&head, self.now - front.asks_from - front.lost),
            Requests::Smart => {
                let (link, pointer) = self.smart(&head, front.pointer);
                self.routers[router].inputs[input].front.as_mut().expect("it was there").pointer = pointer;
                link
            }
            Requests::Random => self.random(&head),
            Requests::Shortest => self.shortest(&head),
            Requests::ShortestFlits => self.shortest_by_flits(&head),
            Requests::Stay => self.stay(&head),
        };
        let any_fits = |links: &[Link]| !self.fitting(&head, links).is_empty();
        let tries = match self.config.requests {
            Requests::Parallel => any_fits(&candidates.preferred) || any_fits(&candidates.fallback),
            Requests::InTurn => any_fits(&self.step_in_turn(&head, self.now - front.asks_from - front.lost)),
            _ => link.is_some(),
        };
        if tries {
            self.try_once(router, input);
        }
        let link = link?;
        Some(Ask { input, output: self.config.link_output(link), way: Way::Link(link) })
    }

    /// A head asks for something: if it is not granted it, it asks again after a while.
    fn try_once(&mut self, router: usize, input: usize) {
        let (now, refusal) = (self.now, u64::from(self.config.pace.refusal));
        let front = self.routers[router].inputs[input].front.as_mut().expect("it was there");
        front.asks_again = now + refusal;
        front.lost += refusal - 1;
    }

    fn parallel(&self, head: &Head) -> Option<Link> {
        let preferred = self.select(head, &head.candidates.preferred);
        let fallback = self.free(head, &head.candidates.fallback).into_iter().min();
        if self.config.escape_first { fallback.or(preferred) } else { preferred.or(fallback) }
    }

    /// `waited` are the cycles since it could ask first.
    fn in_turn(&self, head: &Head, waited: u64) -> Option<Link> {
        self.select(head, &self.step_in_turn(head, waited))
    }

    /// The channels of its step, after so many cycles in which it could ask.
    fn step_in_turn(&self, head: &Head, waited: u64) -> Vec<Link> {
        let dimensions = self.config.shared.base.dimensions();
        let mut steps: Vec<Vec<Link>> = (0..dimensions).map(|step| self.step_channels(head, step)).collect();
        steps.push(head.candidates.fallback.clone());
        steps.retain(|step| !step.is_empty());
        steps.swap_remove((waited % steps.len() as u64) as usize)
    }

    /// What it asks for, and the step to begin with in the next cycle.
    fn smart(&self, head: &Head, pointer: usize) -> (Option<Link>, usize) {
        let dimensions = self.config.shared.base.dimensions();
        for step in pointer..dimensions {
            let channels = self.step_channels(head, step);
            if channels.is_empty() {
                continue;
            }
            let ahead = self.config.from_link(head.input).filter(|from| channels.contains(from));
            let link = ahead.unwrap_or_else(|| {
                let bits = self.request_bits(head)[step / 2] >> (16 * (step % 2)) & 0xffff;
                channels[(bits as usize * channels.len()) >> 16]
            });
            if self.fits(head.router, head.input, head.candidates, link) {
                return (Some(link), step + 1);
            }
        }
        let fallback = head.candidates.fallback.iter().copied().min();
        (fallback.filter(|&link| self.fits(head.router, head.input, head.candidates, link)), 0)
    }

    fn random(&self, head: &Head) -> Option<Link> {
        let mut fitting = self.fitting(head, &head.candidates.preferred);
        fitting.sort_unstable();
        if fitting.is_empty() {
            return self.fitting(head, &head.candidates.fallback).into_iter().min();
        }
        let bits = rng::low_u64(self.request_bits(head));
        Some(fitting[rng::below(bits, fitting.len() as u64) as usize])
    }

    fn shortest(&self, head: &Head) -> Option<Link> {
        let room = |link: Link| self.routers[head.router].room[self.config.number(link)];
        let fitting = self.fitting(head, &head.candidates.preferred).into_iter();
        let roomiest = fitting.min_by_key(|&link| (Reverse(room(link)), link));
        roomiest.or_else(|| self.fitting(head, &head.candidates.fallback).into_iter().min())
    }

    fn shortest_by_flits(&self, head: &Head) -> Option<Link> {
        let behind = |link: Link| self.routers[head.router].behind[self.config.number(link)];
        let fitting = self.fitting(head, &head.candidates.preferred).into_iter();
        let emptiest = fitting.min_by_key(|&link| (behind(link), link));
        emptiest.or_else(|| self.fitting(head, &head.candidates.fallback).into_iter().min())
    }

    fn stay(&self, head: &Head) -> Option<Link> {
        let mut preferred = head.candidates.preferred.clone();
        preferred.sort_unstable();
        let ahead = self.config.from_link(head.input).filter(|from| preferred.contains(from));
        let any = || {
            let bits = rng::low_u64(self.request_bits(head));
            (!preferred.is_empty()).then(|| preferred[rng::below(bits, preferred.len() as u64) as usize])
        };
        let link = ahead.or_else(any).filter(|&link| self.fits(head.router, head.input, head.candidates, link));
        link.or_else(|| self.fitting(head, &head.candidates.fallback).into_iter().min())
    }

    /// The preferred channels of a step, in ascending order: step 0 is the dimension by which it came, or dimension 0.
    fn step_channels(&self, head: &Head, step: usize) -> Vec<Link> {
        let came_by = self.config.from_link(head.input).map_or(0, |(port, _)| port / 2);
        let dimension = (came_by + step) % self.config.shared.base.dimensions();
        let mut channels = head.candidates.preferred.clone();
        channels.retain(|(port, _)| port / 2 == dimension);
        channels.sort_unstable();
        channels
    }

    /// The 128 random bits of an input in this cycle.
    fn request_bits(&self, head: &Head) -> [u32; 4] {
        rng::draw(
            self.config.shared.base.seed,
            Purpose::Request,
            self.config.number_of(head.router, head.input) as u32,
            self.now,
        )
    }

    /// Those of some channels that it fits into.
    fn fitting(&self, head: &Head, links: &[Link]) -> Vec<Link> {
        let fits = |link: &Link| self.fits(head.router, head.input, head.candidates, *link);
        links.iter().copied().filter(fits).collect()
    }

    /// Those that it fits into and that are open, in ascending order.
    fn free(&self, head: &Head, links: &[Link]) -> Vec<Link> {
        let mut free = self.fitting(head, links);
        free.retain(|&link| self.is_open(head.router, self.config.link_output(link)));
        free.sort_unstable();
        free
    }

    /// The one of these channels that selection picks among those that it fits into and that are open.
    fn select(&self, head: &Head, links: &[Link]) -> Option<Link> {
        let room = |link: Link| self.routers[head.router].room[self.config.number(link)];
        let free: Vec<(Link, u32)> = self.free(head, links).into_iter().map(|link| (link, room(link))).collect();
        let place = self.config.number_of(head.router, head.input) as u32;
        let choice = Choice { place, now: self.now, from: self.config.from_link(head.input), free: &free };
        (!free.is_empty()).then(|| self.config.shared.select(&choice))
    }
}
