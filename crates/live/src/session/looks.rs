//! When pictures are made, and how fast the play goes.

use std::time::{Duration, Instant};

/// The shortest time between two pictures: 30 a second, as one is looked for between slices of the play.
const PICTURE: Duration = Duration::from_millis(28);

/// The shortest time between two looks for words and latencies.
const WORDS: Duration = Duration::from_millis(400);

/// The longest time, whatever a picture costs.
const SELDOM: Duration = Duration::from_millis(500);

/// Looks take this part of the time at most: with words and lines less than a tenth, and 32 x 32 routers are drawn 30 times a second.
const SHARE: f64 = 0.09;

/// Looks at a line take this part of the time at most while the play goes as fast as it can.
const LINE: f64 = 0.02;

/// Looks take this part of the time that is left beside the play, too.
const IDLE: f64 = 0.4;

/// They take so long at most while somebody waits \[s\].
const WAITED: f64 = 0.2;

/// The power of two from there on.
fn power(stride: f64) -> u64 {
    (stride.clamp(1.0, 1e6).ceil() as u64).next_power_of_two()
}

/// When the last ones were, and what they took.
#[derive(Debug, Default)]
pub struct Looks {
    picture: Option<Instant>,
    words: Option<Instant>,
    shown: Option<(u64, u32)>,
    hurry: bool,
    /// A hurried picture that no page could take: it is made, with words, when one can.
    owed: bool,
    /// Seconds that a picture of all variants takes.
    cost: f64,
    /// Cycles a second that could be simulated.
    pace: f64,
    /// Since when the speed is measured.
    since: Option<(u64, Instant)>,
}

impl Looks {
    /// The next picture is due at once.
    pub fn hurry(&mut self) {
        self.hurry = true;
    }

    /// Cycles a second that could be simulated.
    pub fn pace(&self) -> f64 {
        self.pace
    }

    /// Whether the next picture is for all pages, whatever they have seen.
    pub fn is_hurried(&self) -> bool {
        self.hurry
    }

    /// Cycles between looks at a line, at a speed \[cycles/s\]: each one, unless that would cost too much. Such a look costs less than a
    /// picture; it may take what time is left beside the play, and a little of that.
    pub fn stride(&self, speed: f64) -> u64 {
        power(self.cost * speed / (LINE + self.idle(speed)))
    }

    /// What part of the time looks may take of what is left beside a play at some speed \[cycles/s\].
    fn idle(&self, speed: f64) -> f64 {
        IDLE * (1.0 - speed / self.pace.max(1.0)).clamp(0.0, 1.0)
    }

    /// The same for so many cycles that somebody waits for.
    pub fn stride_within(&self, cycles: u64) -> u64 {
        power(self.cost * cycles as f64 / WAITED)
    }

    /// So many cycles took so long.
    pub fn ran(&mut self, cycles: u64, time: Duration) {
        let now = cycles as f64 / time.as_secs_f64().max(1e-6);
        self.pace = if self.pace == 0.0 { now } else { 0.8 * self.pace + 0.2 * now };
    }

    /// The speed is measured from here on.
    pub fn measure_anew(&mut self, cycle: u64) {
        self.since = Some((cycle, Instant::now()));
        self.hurry = true;
    }

    /// Cycles a second that were simulated of late.
    pub fn speed(&mut self, cycle: u64) -> f64 {
        let (from, at) = *self.since.get_or_insert((cycle, Instant::now()));
        let time = at.elapsed();
        let speed = cycle.saturating_sub(from) as f64 / time.as_secs_f64().max(1e-3);
        if time > Duration::from_secs(2) {
            // A second of it stays, so that the number does not jump.
            self.since = Some((cycle.saturating_sub((speed * 1.0) as u64), Instant::now() - Duration::from_secs(1)));
        }
        speed
    }

    /// Whether a picture is due of a cycle in an epoch, in a play at some speed \[cycles/s\].
    pub fn is_due(&mut self, cycle: u64, epoch: u32, speed: f64) -> bool {
        let pause = Duration::from_secs_f64(self.cost / (SHARE + self.idle(speed))).clamp(PICTURE, SELDOM);
        let late = self.picture.is_none_or(|last| last.elapsed() >= pause);
        self.hurry || late && (self.owed || self.shown != Some((cycle, epoch)))
    }

    /// A picture was due, but no page could take it. Whether numbers for the curves are due all the same.
    pub fn put_off(&mut self) -> bool {
        (self.hurry, self.owed, self.picture) = (false, self.owed || self.hurry, Some(Instant::now()));
        let due = self.words.is_none_or(|last| last.elapsed() >= WORDS);
        if due {
            // The page that comes back wants words of what it missed.
            (self.owed, self.words) = (true, Some(Instant::now()));
        }
        due
    }

    /// Whether words are due, too.
    pub fn words_are_due(&mut self) -> bool {
        let due = self.hurry || self.owed || self.words.is_none_or(|last| last.elapsed() >= WORDS);
        if due {
            self.words = Some(Instant::now());
        }
        due
    }

    /// A picture has been made, and some page has not got it.
    pub fn missed(&mut self) {
        (self.owed, self.shown) = (true, None);
    }

    /// A picture has been made. Its cost is the least of late: what takes longer was kept waiting by other programs.
    pub fn made(&mut self, cycle: u64, epoch: u32, took: Option<Duration>) {
        (self.hurry, self.owed) = (false, false);
        (self.shown, self.picture) = (Some((cycle, epoch)), Some(Instant::now()));
        if let Some(took) = took.map(|took| took.as_secs_f64()) {
            self.cost = if self.cost == 0.0 { took } else { took.min(1.05 * self.cost) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As fast as it goes.
    const FAST: f64 = f64::MAX;

    #[test]
    fn a_hurried_picture_that_nobody_could_take_is_still_due_with_words() {
        let mut looks = Looks::default();
        assert!(looks.is_due(7, 0, FAST) && looks.words_are_due());
        looks.made(7, 0, None);
        looks.hurry();
        assert!(looks.is_due(7, 0, FAST));
        looks.put_off();
        assert!(!looks.is_due(7, 0, FAST), "not at once: that would keep a core busy");
        std::thread::sleep(PICTURE);
        assert!(looks.is_due(7, 0, FAST), "nothing has shown it yet");
        assert!(looks.words_are_due());
        looks.made(7, 0, None);
        std::thread::sleep(PICTURE);
        assert!(!looks.is_due(7, 0, FAST));
    }

    #[test]
    fn a_line_is_seen_in_every_cycle_unless_that_costs_too_much() {
        let looks = Looks { cost: 3e-4, pace: 150_000.0, ..Looks::default() };
        assert_eq!(looks.stride(320.0), 1);
        assert!(looks.stride(150_000.0) >= 2048);
        assert_eq!((looks.stride_within(64), looks.stride_within(10_000)), (1, 16));
    }

    #[test]
    fn a_picture_that_one_page_missed_is_still_due() {
        let mut looks = Looks::default();
        looks.made(7, 0, None);
        looks.missed();
        std::thread::sleep(PICTURE);
        assert!(looks.is_due(7, 0, FAST) && looks.words_are_due());
        looks.made(7, 0, None);
        std::thread::sleep(PICTURE);
        assert!(!looks.is_due(7, 0, FAST));
    }

    #[test]
    fn a_cycle_that_nobody_could_take_is_shown_later() {
        let mut looks = Looks::default();
        looks.made(7, 0, None);
        std::thread::sleep(PICTURE);
        assert!(looks.is_due(8, 0, FAST));
        looks.put_off();
        std::thread::sleep(PICTURE);
        assert!(looks.is_due(8, 0, FAST));
    }

    #[test]
    fn pictures_of_a_slow_play_take_time_that_it_leaves() {
        let mut looks = Looks { cost: 0.03, pace: 400.0, ..Looks::default() };
        looks.made(7, 0, None);
        std::thread::sleep(Duration::from_millis(130));
        assert!(!looks.is_due(8, 0, 400.0), "0.03 s of 0.33 s, while the play takes all it can get");
        assert!(looks.is_due(8, 0, 100.0), "0.03 s of 0.077 s, while three quarters of the time are free");
    }
}
