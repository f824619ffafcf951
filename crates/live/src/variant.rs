//! One variant of a play: its script, its network, and the states that were kept on the way.

use std::collections::BTreeMap;
use std::sync::Arc;
use tailback_sim::Prepared;
use tailback_sim::live::{Anew, Running, Script, Stage, State, Sums};

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
    /// Packets that wait for each other for ever, once they do.
    pub locked: Option<Vec<String>>,
    /// Whether its work has come to its end.
    pub done: bool,
    /// The network as it is set up now.
    pub prepared: Arc<Prepared>,
    running: Running,
    cycle: u64,
    kept: BTreeMap<u64, State>,
    /// What was delivered at each cycle at which somebody looked last.
    pub before: (u64, Sums),
}

/// The memory that kept states of one variant take at most \[bytes\].
const MOST_KEPT: usize = 64 << 20;

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
            done: false,
            prepared,
            running,
            cycle: 0,
            kept: BTreeMap::new(),
            before: Default::default(),
        };
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
            done: false,
            prepared,
            running,
            cycle: self.cycle,
            kept,
            before: self.before,
        };
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

    /// Begins to simulate up to a cycle, no further than to the next change; wait for what is returned, then call [`Variant::arrived`].
    pub fn begin(&self, to: u64) -> impl FnOnce() -> Result<(), String> + use<> {
        self.running.begin(move |stage| stage.advance(to))
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
        let prepared = Arc::new(self.script.prepare(state.cycle()).map_err(|errors| errors.to_string())?);
        // What a throttle knew is forgotten in the cycle in which another one comes.
        let anew = if self.script.changes_admission(state.cycle()) { Anew::Admission } else { Anew::Nothing };
        // In cycle 0 nothing has happened that could be taken over.
        let from = Some(state).filter(|state| state.cycle() > 0);
        self.running = Running::start(Arc::clone(&prepared), from, anew)?;
        (self.prepared, self.cycle) = (prepared, state.cycle());
        Ok(())
    }

    fn state(&self) -> Result<State, String> {
        self.ask(|stage| stage.state())
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

    /// The cycles of the kept states.
    pub fn kept(&self) -> impl Iterator<Item = u64> + '_ {
        self.kept.keys().copied()
    }

    /// Goes to a cycle, forward or back, change by change.
    pub fn go(&mut self, to: u64) -> Result<(), String> {
        self.rewind(to)?;
        while self.cycle < to {
            let next = self.next_change().min(to);
            self.begin(next)()?;
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
