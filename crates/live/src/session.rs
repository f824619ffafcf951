//! The play: variants side by side in one time, steered by one page, shown to all. It waits for no page.

mod looks;
mod steered;
mod told;

use crate::control::{Order, Problem, order, problem};
use crate::lessons::{self, Lesson};
use crate::outbox::Outbox;
use crate::place::Places;
use crate::variant::Variant;
use looks::Looks;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tailback_results::{Inputs, Kind, Output, Replace};
use tailback_sim::live::{Flow, Script};
use tailback_sim::{catalogue, is_changeable};

/// What a page says, or that it comes or goes.
pub enum Said {
    /// There it is, with what waits for it.
    Comes(Arc<Outbox>),
    /// A message.
    Text(String),
    /// It is gone.
    Goes,
}

/// Takes what pages say to the session.
#[derive(Clone)]
pub struct Post(SyncSender<(u64, Said)>);

impl Post {
    /// Sends; `false` where the session has ended.
    pub fn send(&self, page: u64, said: Said) -> bool {
        self.0.send((page, said)).is_ok()
    }
}

/// How a play begins.
pub struct Began {
    /// What is played.
    pub script: Script,
    /// What is played beside it from cycle 0 on, on the same network; three at most.
    pub beside: Vec<Script>,
    /// What the page calls it.
    pub name: String,
    /// Where saved plays go, besides to the browser.
    pub out: Option<PathBuf>,
    /// The files that are read for it, which no saved play replaces.
    pub inputs: Inputs,
}

/// Variants at the same time.
const MOST_VARIANTS: usize = 4;

/// Simulated without a look at the outside world \[s\].
const SLICE: f64 = 0.008;

/// States are kept after so many cycles, or after so much time.
const KEEP_CYCLES: u64 = 25_000;
const KEEP_TIME: Duration = Duration::from_millis(500);

/// So many times as long as the last one took passes before the next state is kept: 25,600 routers take a quarter of a second.
const KEEP_PAUSE: u32 = 12;

/// What lies further ahead is not simulated in one go, nor what takes longer \[s\].
const FAR: u64 = 10_000;
const LONG: f64 = 0.5;

/// Routers times cycles that are simulated in such a time, before anybody has seen how many.
const ROUTERS: u64 = 2_000_000;

/// Rows of the curves of what is simulated in one go, and the cycles of a row at least.
const SAMPLES: u64 = 64;
const SHORTEST: u64 = 32;

/// Cycles between searches for a deadlock.
const SEARCH: u64 = 2_048;

/// The play.
pub struct Session {
    name: String,
    out: Option<PathBuf>,
    inputs: Inputs,
    variants: Vec<Variant>,
    places: Places,
    /// How often pages have turned them.
    turns: u32,
    pages: BTreeMap<u64, Page>,
    steers: Option<u64>,
    cycle: u64,
    playing: bool,
    /// Cycles a second; as fast as it goes where there is none.
    speed: Option<f64>,
    until: u64,
    /// Whether it goes as fast as it goes until then, whatever the speed is.
    rush: bool,
    /// On the way there: the cycle of the last row of the curves, and the cycles between two.
    sampled: (u64, u64),
    /// Changes whenever time does not go on from the picture before.
    epoch: u32,
    looks: Looks,
    from: Receiver<(u64, Said)>,
    /// The flow that is followed.
    flow: Option<Flow>,
    /// What kind of thing was to be seen when somebody began to wait for another one.
    event: Option<Vec<u32>>,
    kept_at: (u64, Instant),
    /// How long keeping a state took.
    kept_in: Duration,
    searched: u64,
    /// Cycles that were asked for and not yet simulated.
    owed: f64,
    ticked: Instant,
}

/// A page that looks.
struct Page {
    outbox: Arc<Outbox>,
    greeted: bool,
    select: Selected,
    /// Routers that it sees closely.
    close: Vec<u32>,
    /// The cycle and the epoch of the last picture that it got, and of the last one that was left out.
    seen: Option<(u64, u32)>,
    missed: Option<(u64, u32)>,
    /// The epoch and the payload of the last picture of each variant that it got.
    pictures: BTreeMap<u8, (u32, Vec<u8>)>,
    /// The cycle up to which it was told of the line.
    told: u64,
}

impl Page {
    fn new(outbox: Arc<Outbox>) -> Page {
        Page {
            outbox,
            greeted: false,
            select: Selected::default(),
            close: Vec::new(),
            seen: None,
            missed: None,
            pictures: BTreeMap::new(),
            told: 0,
        }
    }

    /// Whether it takes a picture; one that it does not take is counted once.
    fn takes(&mut self, now: (u64, u32)) -> bool {
        let takes = self.outbox.takes_picture();
        if !takes && self.missed.replace(now) != Some(now) {
            self.outbox.leave_out();
        }
        takes
    }
}

/// What a page has picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Selected {
    link: Option<u32>,
    router: Option<u32>,
}

impl Session {
    /// A play in cycle 0, which waits for pages.
    ///
    /// # Errors
    /// A spec that cannot be played, in words.
    pub fn new(began: Began) -> Result<(Session, Post), String> {
        let Began { script, beside, name, out, inputs } = began;
        let (variants, places) = side_by_side([script].into_iter().chain(beside))?;
        let (to, from) = sync_channel(256);
        let now = Instant::now();
        let session = Session {
            name,
            out,
            inputs,
            variants,
            places,
            turns: 0,
            pages: BTreeMap::new(),
            steers: None,
            cycle: 0,
            playing: false,
            speed: Some(320.0),
            until: u64::MAX,
            rush: false,
            sampled: (0, SHORTEST),
            epoch: 1,
            looks: Looks::default(),
            from,
            flow: None,
            event: None,
            kept_at: (0, now),
            kept_in: Duration::ZERO,
            searched: 0,
            owed: 0.0,
            ticked: now,
        };
        Ok((session, Post(to)))
    }

    /// Plays until `stop` is set.
    ///
    /// # Errors
    /// A bug in the network.
    pub fn run(mut self, stop: &AtomicBool) -> Result<(), String> {
        while !stop.load(Ordering::Relaxed) {
            let waits = if self.playing { Duration::ZERO } else { Duration::from_millis(20) };
            self.listen(waits);
            if self.playing {
                self.play()?;
            }
            self.show();
        }
        let bye = json!({ "event": "bye", "cycle": self.cycle }).to_string();
        for page in self.pages.values() {
            page.outbox.text(bye.clone());
            page.outbox.close();
        }
        Ok(())
    }

    /// Hears what pages say.
    fn listen(&mut self, waits: Duration) {
        let first = if waits.is_zero() { self.from.try_recv().ok() } else { self.wait(waits) };
        let mut next = first;
        while let Some((page, said)) = next {
            match said {
                Said::Comes(outbox) => {
                    self.pages.insert(page, Page::new(outbox));
                    self.steers.get_or_insert(page);
                }
                Said::Goes => {
                    self.pages.remove(&page);
                    if self.steers == Some(page) {
                        self.steers = self.pages.keys().next().copied();
                        self.tell_state();
                    }
                }
                Said::Text(text) => self.hear(page, &text),
            }
            next = self.from.try_recv().ok();
        }
    }

    fn wait(&self, waits: Duration) -> Option<(u64, Said)> {
        match self.from.recv_timeout(waits) {
            Ok(said) => Some(said),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(waits);
                None
            }
        }
    }

    fn hear(&mut self, page: u64, text: &str) {
        let (id, order) = order(text);
        let answered = order.and_then(|order| self.obey(page, order));
        let Some(listens) = self.pages.get(&page) else { return };
        let answer = match answered {
            // Nobody waits for an answer to that.
            Ok(Value::Null) if id.is_null() => return,
            Ok(ok) => json!({ "id": id, "ok": ok }),
            Err(Problem { code, text }) => json!({ "id": id, "error": { "code": code, "text": text } }),
        };
        listens.outbox.text(answer.to_string());
    }

    fn obey(&mut self, page: u64, order: Order) -> Result<Value, Problem> {
        let looks_only = matches!(
            order,
            Order::Hello
                | Order::Select { .. }
                | Order::Drawn(_)
                | Order::Save(_)
                | Order::Take
                | Order::Strip(_)
                | Order::Close(_)
                | Order::Turn(_)
        );
        if !looks_only && self.steers != Some(page) {
            return problem("watching", "another page steers; take over first");
        }
        match order {
            Order::Hello => return Ok(self.greet(page)),
            Order::Run { speed, until } => {
                (self.speed, self.until, self.rush) = (speed, until.unwrap_or(u64::MAX), false);
                self.start();
            }
            Order::Speed(speed) => {
                (self.speed, self.owed) = (speed, 0.0);
                self.looks.measure_anew(self.cycle);
                self.tell_state();
                return Ok(json!({ "cycle": self.cycle }));
            }
            Order::Pause => (self.playing, self.until, self.rush) = (false, u64::MAX, false),
            Order::Step(cycles) => {
                self.playing = false;
                self.go(self.cycle.saturating_add_signed(cycles))?;
                // Who goes cycle by cycle sees a circle close.
                self.search()?;
            }
            Order::Seek(cycle) => {
                self.playing = false;
                self.go(cycle)?;
            }
            Order::Set { variant, path, value } => return self.set(variant, &path, value),
            Order::Fork { of, set } => return self.fork(of, set),
            Order::Beside { of, set } => return self.beside(of, &set),
            Order::Undo => return self.undo(),
            Order::Event => {
                (self.speed, self.until, self.rush) = (None, u64::MAX, false);
                self.event = Some(self.kinds());
                self.start();
                self.tell_state();
                return Ok(json!({ "cycle": self.cycle }));
            }
            Order::Close(routers) => {
                if let Some(page) = self.pages.get_mut(&page) {
                    (page.close, page.seen) = (routers, None);
                }
                // A play that stands has shown its picture.
                self.looks.missed();
                return Ok(Value::Null);
            }
            Order::Turn(inside) => return self.turn(page, inside),
            Order::Strip(links) => return Ok(self.strip(page, &links)),
            Order::Story { variant, source, number, since } => return self.story(variant, source, number, since),
            Order::Follow(flow) => return self.follow(flow),
            Order::Drop(letter) => {
                if self.variants.len() < 2 || !self.variants.iter().any(|variant| variant.letter == letter) {
                    return problem("variant", "one variant has to stay");
                }
                self.variants.retain(|variant| variant.letter != letter);
                self.epoch += 1;
            }
            Order::Select { link, router } => {
                if let Some(page) = self.pages.get_mut(&page) {
                    page.select = Selected { link, router };
                }
                self.looks.hurry();
                return Ok(Value::Null);
            }
            Order::Drawn(number) => {
                if let Some(page) = self.pages.get(&page) {
                    page.outbox.drawn(number);
                }
                return Ok(Value::Null);
            }
            Order::Save(letter) => return self.save(letter),
            Order::Take => self.steers = Some(page),
            Order::Lesson { number, point } => return self.lesson(number, point),
        }
        self.event = None;
        self.looks.hurry();
        self.tell_state();
        Ok(json!({ "cycle": self.cycle }))
    }

    /// Plays a lesson instead of what is played, its points from one on side by side as far as they have one network.
    fn lesson(&mut self, number: u64, point: usize) -> Result<Value, Problem> {
        let Lesson { name, speed, scripts } = lessons::lesson(number)?;
        let Some(scripts) = scripts.get(point..).filter(|scripts| !scripts.is_empty()) else {
            return problem("lesson", format!("{name} has {} points, numbered from 0 on", scripts.len()));
        };
        let (variants, places) = side_by_side_at_most(scripts.to_vec())?;
        (self.variants, self.places, self.name) = (variants, places, name);
        self.speed = Some(speed);
        (self.cycle, self.searched, self.owed) = (0, 0, 0.0);
        (self.playing, self.until, self.rush) = (false, u64::MAX, false);
        (self.kept_at, self.kept_in, self.looks) = ((0, Instant::now()), Duration::ZERO, Looks::default());
        (self.flow, self.event) = (None, None);
        self.epoch += 1;
        // Pages begin anew, and get no picture of what they do not know yet.
        for page in self.pages.values_mut() {
            (page.select, page.greeted) = (Selected::default(), false);
            page.close.clear();
            page.outbox.text(json!({ "event": "anew", "lesson": number }).to_string());
        }
        Ok(json!({ "lesson": number }))
    }

    fn start(&mut self) {
        self.playing = self.variants.iter().all(|variant| variant.locked.is_none());
        (self.owed, self.ticked) = (0.0, Instant::now());
        self.looks.measure_anew(self.cycle);
    }

    /// Simulates for a moment.
    fn play(&mut self) -> Result<(), String> {
        let elapsed = self.ticked.elapsed().as_secs_f64();
        self.ticked = Instant::now();
        let pace = self.looks.pace().max(50.0);
        let cycles = match self.speed.filter(|_| !self.rush) {
            // What cannot be kept up with is not caught up later.
            Some(speed) => {
                self.owed = (self.owed + speed * elapsed).min((speed * 0.25).max(1.0));
                self.owed.min(pace * SLICE * 4.0).floor()
            }
            None => (pace * SLICE).clamp(1.0, 1e6),
        };
        if cycles < 1.0 {
            std::thread::sleep(Duration::from_millis(2));
            return Ok(());
        }
        let to = (self.cycle + cycles as u64).min(self.until);
        self.owed -= cycles;
        let (start, before) = (Instant::now(), self.cycle);
        self.advance(to, self.looks.stride(self.asked().min(pace)))?;
        self.looks.ran(self.cycle - before, start.elapsed());
        let there = self.cycle >= self.until;
        // Pages miss most of what goes by so fast, but curves are to have no gap.
        if self.rush && (there || self.cycle - self.sampled.0 >= self.sampled.1) {
            self.sampled.0 = self.cycle;
            self.look(told::Ask::Numbers);
        }
        if there {
            (self.playing, self.until, self.rush) = (false, u64::MAX, false);
            self.looks.hurry();
            self.tell_state();
        }
        Ok(())
    }

    /// The speed that the play is to have now \[cycles/s\].
    fn asked(&self) -> f64 {
        match self.speed.filter(|_| !self.rush) {
            _ if !self.playing => 0.0,
            Some(speed) => speed,
            None => f64::MAX,
        }
    }

    /// Simulates all variants up to a cycle, and looks at their lines every so many cycles.
    fn advance(&mut self, to: u64, every: u64) -> Result<(), String> {
        while self.cycle < to {
            let next = self.variants.iter().map(Variant::next_change).fold(to, u64::min);
            let ways: Vec<_> = self.variants.iter().map(|variant| variant.begin(next, every)).collect();
            let seen = ways.into_iter().map(|way| way()).collect::<Result<Vec<_>, _>>()?;
            self.cycle = next;
            let mut changed = false;
            for (variant, levels) in self.variants.iter_mut().zip(seen) {
                variant.saw(every, &levels);
                changed |= variant.script.changes().contains_key(&next);
                variant.arrived(next)?;
            }
            if changed {
                self.tell_state();
            }
        }
        self.keep()?;
        if self.cycle - self.searched >= SEARCH {
            self.search()?;
        }
        self.end_of_work()
    }

    /// Keeps the states of all variants now and then, to which somebody may go back.
    fn keep(&mut self) -> Result<(), String> {
        let (cycle, since) = (self.kept_at.0, self.kept_at.1.elapsed());
        let due = self.cycle - cycle >= KEEP_CYCLES || since >= KEEP_TIME;
        if due && since >= KEEP_PAUSE * self.kept_in {
            let start = Instant::now();
            self.variants.iter_mut().try_for_each(Variant::keep)?;
            (self.kept_at, self.kept_in) = ((self.cycle, Instant::now()), start.elapsed());
        }
        Ok(())
    }

    /// Stops where all work has come to its end.
    fn end_of_work(&mut self) -> Result<(), String> {
        if !self.variants.iter().all(|variant| variant.script.ends()) {
            return Ok(());
        }
        for variant in &mut self.variants {
            variant.done = variant.ask(|stage| stage.finished())?;
        }
        let ends: Option<Vec<u64>> = self.variants.iter().map(|variant| variant.done).collect();
        let Some(end) = ends.and_then(|ends| ends.into_iter().max()) else { return Ok(()) };
        (self.playing, self.until, self.rush) = (false, u64::MAX, false);
        if end < self.cycle {
            self.back_to(end)?;
            for variant in &mut self.variants {
                variant.end_at(end);
            }
        }
        self.looks.hurry();
        self.tell_state();
        Ok(())
    }

    /// Goes back to a cycle.
    fn back_to(&mut self, cycle: u64) -> Result<(), String> {
        for variant in &mut self.variants {
            variant.go(cycle)?;
            (variant.locked, variant.done) = (None, variant.done.filter(|&done| done <= cycle));
        }
        (self.cycle, self.searched) = (cycle, cycle);
        self.epoch += 1;
        self.kept_at = (cycle, Instant::now());
        Ok(())
    }

    /// Looks for packets that wait for each other for ever.
    fn search(&mut self) -> Result<(), String> {
        self.searched = self.cycle;
        for variant in self.variants.iter_mut().filter(|variant| variant.locked.is_none()) {
            let found = variant.ask(|stage| stage.deadlock())?;
            variant.locked = found.map(|found| variant.locked_since().map(|since| (found, since))).transpose()?;
            if variant.locked.is_some() {
                self.playing = false;
                self.looks.hurry();
            }
        }
        if self.variants.iter().any(|variant| variant.locked.is_some()) {
            self.tell_state();
        }
        Ok(())
    }

    /// Goes to a cycle, forward or back. What is far ahead is played, as fast as it goes.
    fn go(&mut self, to: u64) -> Result<(), String> {
        let routers =
            self.variants.iter().map(|variant| variant.prepared.network().routers() as u64).sum::<u64>().max(1);
        let pace = self.looks.pace();
        let quick = if pace > 0.0 { (pace * LONG) as u64 } else { ROUTERS / routers };
        if to > self.cycle + quick.clamp(SHORTEST, FAR) && self.variants.iter().all(|variant| variant.locked.is_none())
        {
            (self.rush, self.until) = (true, to);
            self.sampled = (self.cycle, ((to - self.cycle) / SAMPLES).max(SHORTEST));
            self.start();
            return Ok(());
        }
        if to < self.cycle {
            self.back_to(to)?;
        }
        // Nobody looks meanwhile, but curves and strips are to have no gap.
        let step = ((to - self.cycle) / SAMPLES).max(SHORTEST);
        let every = self.looks.stride_within(to.saturating_sub(self.cycle));
        let few = to <= self.cycle + step;
        // Behind the end of all work there is nothing.
        while self.cycle < to && !self.variants.iter().all(|variant| variant.done.is_some()) {
            self.advance((self.cycle + step).min(to), every)?;
            // Of a few cycles pages see the end, as of any others.
            if !few {
                self.look(told::Ask::Numbers);
            }
        }
        self.looks.measure_anew(self.cycle);
        Ok(())
    }

    fn variant(&self, letter: u8) -> Result<usize, Problem> {
        let found = self.variants.iter().position(|variant| variant.letter == letter);
        found.map_or_else(|| problem("variant", "there is no such variant"), Ok)
    }

    /// Changes a setting, from the next cycle on at which one may change.
    fn set(&mut self, letter: Option<u8>, path: &str, value: toml::Value) -> Result<Value, Problem> {
        if !is_changeable(path) {
            return problem("fixed", format!("{path} cannot change while the network runs"));
        }
        let all: Vec<usize> = match letter {
            Some(letter) => vec![self.variant(letter)?],
            None => (0..self.variants.len()).collect(),
        };
        let cycle = Script::next_change(self.cycle);
        let past = all.iter().any(|&at| self.variants[at].end > cycle);
        let scripts = all.iter().map(|&at| self.changed(at, cycle, path, &value)).collect::<Result<Vec<_>, _>>()?;
        let mut told = Vec::new();
        for (at, script) in all.into_iter().zip(scripts) {
            // What has happened stays: another past is another variant.
            let at = if past && self.variants[at].end > cycle { self.forked(at)? } else { at };
            self.variants[at].play(script, cycle)?;
            told.push(self.variants[at].letter);
        }
        self.looks.hurry();
        self.tell_state();
        Ok(json!({ "cycle": cycle, "variants": told }))
    }

    /// The script of a variant with one more change.
    fn changed(&self, at: usize, cycle: u64, path: &str, value: &toml::Value) -> Result<Script, Problem> {
        let before = &self.variants[at].script;
        let changed = before.with(cycle, path, value.clone());
        let (script, prepared) = changed.map_err(|errors| out_of_range(&errors))?;
        let files = prepared.point().resolved.files(catalogue());
        if files.iter().any(|file| is_changeable(file)) || path.split('.').any(|word| word == "path") {
            return problem("file", "what names a file is set in the spec, not from the page");
        }
        Ok(script)
    }

    /// Makes a variant of another one; returns its place.
    fn forked(&mut self, of: usize) -> Result<usize, Problem> {
        if self.variants.len() >= MOST_VARIANTS {
            return problem("full", "there are four variants: drop one first");
        }
        let letter = self.free_letter();
        let fork = self.variants[of].fork(letter)?;
        self.variants.push(fork);
        self.epoch += 1;
        Ok(self.variants.len() - 1)
    }

    /// A letter that no variant has, where there are fewer than four.
    fn free_letter(&self) -> u8 {
        let free =
            (0..MOST_VARIANTS as u8).find(|&letter| self.variants.iter().all(|variant| variant.letter != letter));
        free.expect("there are fewer than four")
    }

    fn fork(&mut self, of: u8, set: Vec<(String, toml::Value)>) -> Result<Value, Problem> {
        let of = self.variant(of)?;
        let cycle = Script::next_change(self.cycle);
        let mut script = self.variants[of].script.until(cycle);
        for (path, value) in &set {
            if !is_changeable(path) {
                return problem("fixed", format!("{path} cannot change while the network runs"));
            }
            let changed = script.with(cycle, path, value.clone());
            script = changed.map_err(|errors| out_of_range(&errors))?.0;
        }
        let at = self.forked(of)?;
        let letter = self.variants[at].letter;
        if !set.is_empty() {
            self.variants[at].play(script, cycle)?;
        }
        self.looks.hurry();
        self.tell_state();
        Ok(json!({ "cycle": cycle, "variant": letter }))
    }

    /// The play of a variant as a spec, with the digest that it has.
    fn save(&mut self, letter: u8) -> Result<Value, Problem> {
        let variant = &self.variants[self.variant(letter)?];
        if self.cycle == 0 {
            return problem("empty", "nothing has been played yet");
        }
        let spec = variant.script.spec(self.cycle).map_err(|errors| errors.to_string())?;
        let digest = variant.ask(|stage| stage.digest())?;
        let name = format!("play-{}-{}.toml", char::from(b'a' + letter), self.cycle);
        let head = format!("# Played up to cycle {}. `tailback run {name}` gives the digest {digest}.\n\n", self.cycle);
        let text = head + &spec;
        if let Some(folder) = &self.out {
            let output = Output::new(&folder.join(&name), Kind::Spec, Replace::SameKind, &self.inputs);
            output.and_then(|output| output.write(text.as_bytes())).map_err(|error| error.to_string())?;
        }
        Ok(json!({ "name": name, "spec": text, "digest": digest, "cycles": self.cycle, "written": self.out.is_some() }))
    }
}

/// Variants that begin in cycle 0, and where everything stands.
fn side_by_side(scripts: impl IntoIterator<Item = Script>) -> Result<(Vec<Variant>, Places), String> {
    let mut variants: Vec<Variant> = Vec::new();
    let mut places = Places::default();
    for script in scripts {
        let mut variant = Variant::new(script)?;
        let topology = variant.prepared.point().resolved.view("topology");
        let here = Places::new(variant.prepared.network(), topology);
        if variants.is_empty() {
            places = here;
        } else if here != places {
            return Err("these points have different networks, so they are not played side by side".to_owned());
        } else if variants.len() == MOST_VARIANTS {
            return Err(format!("{MOST_VARIANTS} points are played side by side at most"));
        }
        variant.letter = variants.len() as u8;
        variants.push(variant);
    }
    Ok((variants, places))
}

/// All scripts if they have one network, else the first.
fn side_by_side_at_most(scripts: Vec<Script>) -> Result<(Vec<Variant>, Places), String> {
    let first = scripts.first().cloned();
    side_by_side(scripts).or_else(|_| side_by_side(first))
}

/// What is wrong with a setting, without its place in a spec that nobody wrote.
fn out_of_range(errors: &tailback_spec::Errors) -> Problem {
    let said: Vec<&str> = errors.errors().iter().map(|error| error.message.as_str()).collect();
    Problem { code: "range", text: said.join("; ") }
}
