//! What would help a point, as words and cells: for the terminal and for the report.

use tailback_sim::remedy::{Remedy, Tried};

/// What is to be said of changes.
pub enum Remedies {
    /// None was tried: a sentence that names them.
    Untried(String),
    /// Some were.
    Tried(Found),
}

/// What came of changes.
pub struct Found {
    /// The changes that fit the point, the best first.
    pub rows: Vec<Row>,
    /// How many do not, in a sentence.
    pub unfit: Option<String>,
}

/// A change.
pub struct Row {
    /// As a spec has it.
    pub setting: String,
    /// What it gains, such as `+31 %`.
    pub change: String,
    /// The interval of the gain.
    pub interval: String,
    /// Whether it was measured, and what is shown.
    pub verdict: String,
    /// What it changes.
    pub words: String,
}

impl Remedies {
    /// Of these changes.
    pub fn of(all: &[Remedy]) -> Remedies {
        if all.iter().all(|remedy| remedy.tried == Tried::Not) {
            let named: Vec<&str> = all.iter().map(|remedy| remedy.setting.as_str()).collect();
            return Remedies::Untried(format!(
                "Not tried: {}. The option --remedies tries these and others, and measures each.",
                named.join(", ")
            ));
        }
        let refused = |remedy: &&Remedy| matches!(remedy.tried, Tried::Refused { .. });
        let unfit = match all.iter().filter(refused).count() {
            0 => None,
            1 => Some("1 other change does not fit this point; --json names the reasons.".to_owned()),
            many => Some(format!("{many} other changes do not fit this point; --json names the reasons.")),
        };
        Remedies::Tried(Found { rows: all.iter().filter(|r| !refused(r)).map(Row::of).collect(), unfit })
    }
}

impl Row {
    fn of(remedy: &Remedy) -> Row {
        let (change, interval, verdict) = match &remedy.tried {
            Tried::Measured(gain) => {
                (gain.change().unwrap_or_default(), gain.interval_words(), format!("{}.", gain.verdict()))
            }
            Tried::Same => {
                ("0 %".to_owned(), String::new(), "measured: every run is the same, bit for bit.".to_owned())
            }
            Tried::Not => (String::new(), String::new(), "not tried.".to_owned()),
            Tried::Refused { reason } => (String::new(), String::new(), reason.clone()),
        };
        let words = if remedy.tried == Tried::Same { String::new() } else { remedy.words.clone() };
        Row { setting: remedy.setting.clone(), change, interval, verdict, words }
    }
}
