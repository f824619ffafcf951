//! Off: every new packet may ask at once.
//!
//! Paper:    `no-th` of `spth-2015`, `base` of `self-tuned-2001`.
//! Acts:     never.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: nothing known.

use super::{Listed, Site};
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, View};

/// No throttling.
pub static ENTRY: Entry =
    Entry { name: "off", summary: "every new packet may ask at once", paper: "", ideal: false, params: &[] };

/// No throttling.
#[derive(Clone, Copy, Debug)]
pub struct Off;

tailback_base::stateless!(Off);

impl Listed for Off {
    fn build(_view: View, _site: Site) -> Self {
        Off
    }
}

impl Admission for Off {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    fn is_local(&self) -> bool {
        true
    }

    fn admits_by_any(&self, _view: LocalView<'_>, _request: Request, _useful: u16) -> bool {
        true
    }
}
