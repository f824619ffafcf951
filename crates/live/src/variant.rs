//! One variant of a play: its script, its network, and the states that were kept on the way.

use crate::control::{Problem, problem};
use crate::history::History;
use crate::line::Seen;
use std::collections::BTreeMap;
use std::sync::Arc;
use tailback_sim::live::{
    Anew, Flow, Line, Locked, Passenger, Running, Scope, Script, Stage, State, Sums, Teller, Waiter,
};
use tailback_sim::{Prepared, Story};

/// A variant.
pub struct Variant {
    /// Its number, 0 for A.
    pub letter: u8,
    /// What is played.
    pub script: Script,
    /// The number of the variant that it was forked from, and the cycle.
    pub born: Option<(u8, u64)>,
    /// The cycle up to which it has been simulated.
    pub end: u64,
    /// Packets that wait for each other for ever, once they do, and the cycle from which on they do.
    pub locked: Option<(Locked, u64)>,
    /// The cycle in which its work came to its end.
    pub done: Option<u64>,
    /// The network as it is set up now.
    pub prepared: Arc<Prepared>,
    running: Running,
    cycle: u64,
    kept: BTreeMap<u64, State>,
    /// What was delivered at each cycle at which somebody looked last.
    pub before: (u64, Sums),
    /// What kind of thing was to be seen of late: no tree, or how large the largest one is, in doublings; whether packets wait long to get in; a deadlock.
    pub kind: u32,
    /// What was seen so far.
    pub history: History,
    /// What was seen of the line that is looked at.
    pub line: Seen,
    /// What it has that those do not that it was made from, where it began beside them.
    pub own: Vec<(String, toml::Value)>,
    /// The pattern of its traffic, and the load at which a link or node is full under it.
    bound: (Option<toml::Value>, Option<f64>),
    flow: Option<Flow>,
    /// The packets of the flow, by their numbers.
    log: BTreeMap<u64, Passenger>,
}

/// The memory that kept states of one variant take at most \[bytes\].
const MOST_KEPT: usize = 64 << 20;

/// Nodes of a network for which the ways of all packets are added up.
const MOST_ADDED: usize = 1024;

/// Packets of a flow that are remembered: the newest.
const MOST_LOGGED: usize = 2048;

/// Routers that are looked at, cycle by cycle, for a story.
const MOST_LOOKS: u64 = 40_000_000;

impl Variant {
    /// A variant in cycle 0.
    pub fn new(script: Script) -> Result<Variant, String> {
        let prepared = Arc::new(script.prepare(0).map_err(|errors| errors.to_string())?);
        let running = Running::start(Arc::clone(&prepared), None, Anew::Nothing)?;
        let mut variant = Variant {
            letter: 0,
            script,
            born: None,
            end: 0,
            locked: None,
            done: None,
            prepared,
            running,
            cycle: 0,
            kept: BTreeMap::new(),
            before: Default::default(),
            kind: 0,
            history: History::default(),
            line: Seen::default(),
            own: Vec::new(),
            bound: Default::default(),
            flow: None,
            log: BTreeMap::new(),
        };
        variant.find_bound();
        variant.keep()?;
        Ok(variant)
    }

    /// The same network in the same state, as another variant.
    pub fn fork(&mut self, letter: u8) -> Result<Variant, String> {
        let state = self.state()?;
        let prepared = Arc::clone(&self.prepared);
        let running = Running::start(Arc::clone(&prepared), Some(&state), Anew::Nothing)?;
        let kept = self.kept.range(..=self.cycle).map(|(cycle, state)| (*cycle, state.clone())).collect();
        self.kept.insert(self.cycle, state.clone());
        let mut fork = Variant {
            letter,
            script: self.script.until(Script::next_change(self.cycle)),
            born: Some((self.letter, self.cycle)),
            end: self.cycle,
            locked: None,
            done: None,
            prepared,
            running,
            cycle: self.cycle,
            kept,
            before: self.before,
            kind: self.kind,
            history: self.history.clone(),
            line: self.line.clone(),
            own: self.own.clone(),
            bound: self.bound.clone(),
            flow: None,
            log: self.log.clone(),
        };
        fork.history.cut(self.cycle);
        fork.line.cut(self.cycle);
        fork.follow(self.flow)?;
        fork.kept.insert(self.cycle, state);
        Ok(fork)
    }

    /// The next cycle to be simulated.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Asks its network.
    pub fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut dyn Stage) -> T + Send + 'static,
    ) -> Result<T, String> {
        self.running.ask(question)
    }

    /// Begins to simulate up to a cycle, no further than to the next change, and looks at its line every so many cycles; wait for what is
    /// returned, then call [`Variant::saw`] and [`Variant::arrived`].
    pub fn begin(&self, to: u64, every: u64) -> impl FnOnce() -> Result<Vec<u8>, String> + use<> {
        let line = Line { links: Arc::clone(self.line.links()), every };
        self.running.begin(move |stage| {
            if !line.links.is_empty() {
                return stage.sample(to, &line);
            }
            stage.advance(to);
            Vec::new()
        })
    }

    /// Keeps what was seen of its line on the way from the present cycle.
    pub fn saw(&mut self, every: u64, levels: &[u8]) {
        self.line.add(self.cycle, every, levels);
    }

    /// It has been simulated up to a cycle: makes the change that is due there.
    pub fn arrived(&mut self, cycle: u64) -> Result<(), String> {
        self.cycle = cycle;
        self.end = self.end.max(cycle);
        if self.script.changes().contains_key(&cycle) { self.change() } else { Ok(()) }
    }

    /// The next cycle at which something changes.
    pub fn next_change(&self) -> u64 {
        self.script.next_after(self.cycle).unwrap_or(u64::MAX)
    }

    /// Takes over another script, which differs from this one from `cycle` on; `cycle` is not before the present one.
    pub fn play(&mut self, script: Script, cycle: u64) -> Result<(), String> {
        self.script = script;
        self.kept.split_off(&(cycle + 1));
        if cycle == self.cycle { self.change() } else { Ok(()) }
    }

    /// Sets the network up as the script says, in the state that it has.
    fn change(&mut self) -> Result<(), String> {
        let state = self.state()?;
        self.set_up(&state)?;
        self.kept.insert(self.cycle, state);
        Ok(())
    }

    fn set_up(&mut self, state: &State) -> Result<(), String> {
        (self.prepared, self.running) = self.again(state)?;
        self.cycle = state.cycle();
        self.find_bound();
        let now = self.cycle;
        self.log.retain(|_, packet| packet.made < now);
        for packet in self.log.values_mut() {
            [&mut packet.entered, &mut packet.arrived].into_iter().for_each(|at| *at = at.filter(|&at| at < now));
        }
        self.follow(self.flow)
    }

    /// Follows a flow from here on, or none.
    pub fn follow(&mut self, flow: Option<Flow>) -> Result<(), String> {
        if flow != self.flow {
            self.log.clear();
        }
        self.flow = flow;
        self.ask(move |stage| stage.follow(flow))
    }

    /// Adds what was seen of the packets of the flow.
    pub fn log(&mut self, seen: BTreeMap<u64, Passenger>) -> &BTreeMap<u64, Passenger> {
        for (number, packet) in seen {
            let known = self.log.entry(number).or_insert(packet);
            known.entered = packet.entered.or(known.entered);
            known.arrived = packet.arrived.or(known.arrived);
        }
        while self.log.len() > MOST_LOGGED {
            self.log.pop_first();
        }
        &self.log
    }

    /// Takes the changes from `cycle` on back, and goes there: what follows is not what followed.
    pub fn undo(&mut self, cycle: u64) -> Result<(), String> {
        self.go(self.cycle.min(cycle.saturating_sub(1)))?;
        self.play(self.script.without(cycle), cycle)?;
        self.history.cut(cycle);
        self.line.cut(cycle);
        (self.end, self.locked, self.done) = (self.cycle, None, None);
        Ok(())
    }

    /// The story of a packet up to now, played once more from a state in which it was not yet under way.
    pub fn story(&self, source: u32, number: u64, since: Option<u64>) -> Result<(Arc<Prepared>, Story), Problem> {
        let routers = self.prepared.network().routers() as u64;
        let under_way =
            |waiters: Vec<Waiter>| waiters.iter().any(|waiter| waiter.input.is_some() || waiter.position == 0);
        let there = !self.ask(move |stage| stage.waiters(Scope::Packet(source, number)))?.is_empty();
        if !there && since.is_none() {
            return problem("gone", "that packet is not in the network");
        }
        let latest = since.unwrap_or(self.cycle).min(self.cycle);
        for state in self.kept.range(..=latest).rev().map(|(_, state)| state) {
            if (self.cycle - state.cycle()) * routers > MOST_LOOKS {
                break;
            }
            let (mut prepared, mut running) = self.again(state)?;
            if running.ask(move |stage| stage.waiters(Scope::Packet(source, number))).map(under_way)? {
                continue;
            }
            let (mut teller, mut cycle) = (Teller::new(source, number), state.cycle());
            loop {
                let stop = self.script.next_after(cycle).unwrap_or(u64::MAX).min(self.cycle);
                teller = running.ask(move |stage| {
                    stage.tell(&mut teller, stop);
                    teller
                })?;
                cycle = stop;
                if cycle >= self.cycle {
                    break;
                }
                let state = running.ask(|stage| stage.state())?;
                // Who has arrived is not looked for any more.
                if state.cycle() < stop {
                    break;
                }
                (prepared, running) = self.again(&state)?;
            }
            return match teller.story(&prepared, self.cycle) {
                Some(story) => Ok((prepared, story)),
                None => problem("gone", "that packet has not come to the front of its source queue"),
            };
        }
        problem("far", "it was made too long ago to be followed")
    }

    /// The cycle from which on packets wait for each other for ever, where they do so now.
    pub fn locked_since(&self) -> Result<u64, String> {
        let is_locked = |running: &Running| running.ask(|stage| stage.deadlock().is_some());
        let (mut from, mut to) = (None, self.cycle);
        for state in self.kept.range(..self.cycle).rev().map(|(_, state)| state) {
            if !is_locked(&self.again(state)?.1)? {
                from = Some(state.clone());
                break;
            }
            to = state.cycle();
        }
        let Some(mut from) = from else { return Ok(to) };
        while to - from.cycle() > 1 {
            let middle = from.cycle() + (to - from.cycle()) / 2;
            let running = self.at(&from, middle)?;
            if is_locked(&running)? {
                to = middle;
            } else {
                from = running.ask(|stage| stage.state())?;
            }
        }
        Ok(to)
    }

    /// Another network in a cycle after a state of this one.
    fn at(&self, state: &State, to: u64) -> Result<Running, String> {
        let mut running = self.again(state)?.1;
        let mut cycle = state.cycle();
        loop {
            cycle = self.script.next_after(cycle).unwrap_or(u64::MAX).min(to);
            running.ask(move |stage| stage.advance(cycle))?;
            if cycle == to {
                return Ok(running);
            }
            running = self.again(&running.ask(|stage| stage.state())?)?.1;
        }
    }

    /// Another network in a state of this one.
    fn again(&self, state: &State) -> Result<(Arc<Prepared>, Running), String> {
        let prepared = Arc::new(self.script.prepare(state.cycle()).map_err(|errors| errors.to_string())?);
        // What a throttle knew is forgotten in the cycle in which another one comes.
        let anew = if self.script.changes_admission(state.cycle()) { Anew::Admission } else { Anew::Nothing };
        // In cycle 0 nothing has happened that could be taken over.
        let from = Some(state).filter(|state| state.cycle() > 0);
        let running = Running::start(Arc::clone(&prepared), from, anew)?;
        Ok((prepared, running))
    }

    fn state(&self) -> Result<State, String> {
        self.ask(|stage| stage.state())
    }

    /// There is nothing behind this cycle: its work has come to its end.
    pub fn end_at(&mut self, cycle: u64) {
        self.kept.split_off(&(cycle + 1));
        self.history.cut(cycle);
        self.line.cut(cycle);
        self.end = cycle;
    }

    /// Keeps the present state.
    pub fn keep(&mut self) -> Result<(), String> {
        let state = self.state()?;
        self.kept.insert(self.cycle, state);
        while self.kept.values().map(State::bytes).sum::<usize>() > MOST_KEPT && self.kept.len() > 2 {
            self.thin();
        }
        Ok(())
    }

    /// Leaves every second state out of the older ones.
    fn thin(&mut self) {
        let cycles: Vec<u64> = self.kept.keys().copied().collect();
        let changes: Vec<u64> = self.script.changes().keys().copied().collect();
        let old = &cycles[1..cycles.len() - 1];
        let before = self.kept.len();
        for cycle in old.iter().skip(1).step_by(2).filter(|cycle| !changes.contains(cycle)) {
            self.kept.remove(cycle);
        }
        if self.kept.len() == before {
            self.kept.remove(&old[0]);
        }
    }

    /// The load at which a link or node is full \[flits/node/cycle\]; none of large networks, and of work.
    pub fn bound(&self) -> Option<f64> {
        self.bound.1
    }

    /// Looks for it again where the pattern is another one: adding up all ways takes a while.
    fn find_bound(&mut self) {
        let pattern = self.prepared.point().resolved.get("traffic").and_then(|traffic| traffic.get("pattern")).cloned();
        let small = self.prepared.network().nodes() <= MOST_ADDED && !self.script.ends();
        if pattern != self.bound.0 {
            self.bound = (pattern, small.then(|| self.prepared.channel_load_bound()).flatten());
        }
    }

    /// The cycles of the kept states.
    pub fn kept(&self) -> impl Iterator<Item = u64> + '_ {
        self.kept.keys().copied()
    }

    /// Goes to a cycle, forward or back, change by change.
    pub fn go(&mut self, to: u64) -> Result<(), String> {
        self.rewind(to)?;
        while self.cycle < to {
            let next = self.next_change().min(to);
            self.ask(move |stage| stage.advance(next))?;
            self.arrived(next)?;
        }
        Ok(())
    }

    /// Goes back, or on, to the nearest kept state before a cycle; it is simulated from there on.
    fn rewind(&mut self, to: u64) -> Result<(), String> {
        let nearest = self.kept.range(..=to).next_back().map(|(_, state)| state.clone());
        let state = nearest.ok_or("no state before that cycle was kept")?;
        if to < self.cycle || state.cycle() > self.cycle {
            self.set_up(&state)?;
        }
        Ok(())
    }
}
