//! `--where PATH=VALUE` and `--per-seed`: which points a verb shows, and how.

use crate::complete;
use crate::exit::{Failure, Result};
use clap_complete::engine::ArgValueCompleter;
use tailback_results::Record;
use tailback_summary::Filter;
use tailback_summary::filter::{check_path, chosen};

/// The points to show, as every verb asks for them that shows points.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct WhereArgs {
    /// Show only the points with this value of a swept parameter or column, such as traffic.load=0.4 or status=saturated. May
    /// be given several times: several values of one path are alternatives, and several paths must all match
    #[arg(long = "where", value_name = "PATH=VALUE", add = ArgValueCompleter::new(complete::setting))]
    pub filters: Vec<Filter>,
}

impl WhereArgs {
    /// Refuses a path that is neither `swept` nor a column, before anything is run.
    pub fn check(&self, swept: &[String]) -> Result<()> {
        let swept: Vec<&str> = swept.iter().map(String::as_str).collect();
        self.filters.iter().try_for_each(|filter| check_path(&filter.path, &swept)).map_err(refused)
    }

    /// Whether a record is one of those to show.
    pub fn has(&self, record: &Record) -> bool {
        chosen(&self.filters, std::slice::from_ref(record)).is_ok()
    }

    /// The records of the points to show, in their order.
    pub fn choose<'a>(&self, records: &'a [Record]) -> Result<Vec<&'a Record>> {
        chosen(&self.filters, records).map_err(refused)
    }
}

/// Which rows a table of results shows.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ShowArgs {
    /// The points.
    #[command(flatten)]
    pub points: WhereArgs,
    /// Show one row per run instead of one per point with its seeds summed up
    #[arg(long)]
    pub per_seed: bool,
}

fn refused(error: tailback_summary::filter::FilterError) -> Failure {
    Failure::usage(format!("--where: {error}"))
}
