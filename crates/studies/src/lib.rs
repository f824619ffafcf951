//! Published papers as executable studies: the paper's numbers beside measured ones, a verdict on every claim.
//!
//! A paper is a list of [`Item`]s (a table, a figure, a number of the text). An item runs specs of `papers/<key>/`
//! through `tailback_sim` and turns the outcomes into [`Cell`]s, [`Claim`]s and [`Figure`]s. The numbers a paper prints
//! come from its `targets.toml`, never from code. What is measured and by which rule a claim is judged is data, too:
//! `study.toml`, read by the module `data`, whose formulas are the module `formula`'s.
//!
//! Data flows one way: spec -> `lab` (runs, each once; [`kept`](KeptRuns) on the disk) -> item -> [`Study`] -> text, JSON, HTML or Markdown.

mod data;
mod formula;
mod kept;
mod lab;
mod of_kind;
mod of_preset;
mod output;
mod paper;
mod papers;
mod picture;
mod reading;
mod reproduce;
mod search;
mod seeds;
mod study;
mod targets;
mod vcinfo;

pub use data::Fault;
pub use kept::KeptRuns;
pub use paper::{Item, Paper};
pub use papers::{paper, papers, study_of};
pub use reading::Reading;
pub use reproduce::{Form, Progress, Settings, StudyError, reproduce};
pub use search::{Ended, Refused, Search, SearchSettings, Tally, Tried, search};
pub use study::{Beside, Cell, Chosen, Claim, Figure, Study};
