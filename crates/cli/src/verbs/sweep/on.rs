//! Where a sweep runs.

use crate::exit::Result;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Where a sweep runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// A script for an array of Slurm jobs.
    Sbatch,
    /// Dask with workers that are Slurm jobs.
    Slurm,
    /// The scheduler of Dask at this address, `HOST:PORT`.
    Dask(String),
}

impl FromStr for On {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<On, String> {
        match (text, text.strip_prefix("dask://")) {
            ("sbatch", _) => Ok(On::Sbatch),
            ("slurm", _) => Ok(On::Slurm),
            (_, Some(address)) if !address.is_empty() => Ok(On::Dask(address.to_owned())),
            _ => Err("it must be dask://HOST:PORT, slurm or sbatch".to_owned()),
        }
    }
}

impl fmt::Display for On {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            On::Sbatch => f.write_str("sbatch"),
            On::Slurm => f.write_str("slurm"),
            On::Dask(address) => write!(f, "dask://{address}"),
        }
    }
}

/// A sweep that is to run elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Remote<'a> {
    /// The spec as it was understood, as TOML.
    pub spec: &'a str,
    /// The folder of the results, which is here.
    pub out: &'a Path,
    /// Where.
    pub on: &'a On,
    /// Jobs, where it is this program's business how many there are.
    pub tasks: u32,
    /// Whether to show no progress.
    pub quiet: bool,
}

/// Runs what is missing of a sweep elsewhere, into its folder; `false` after Ctrl-C, which it listens to itself: this program would
/// say that nothing was run.
pub type Elsewhere<'a> = dyn Fn(&Remote<'_>) -> Result<bool> + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_apart_and_written_as_they_are_read() {
        for text in ["sbatch", "slurm", "dask://head:8786"] {
            assert_eq!(text.parse::<On>().unwrap().to_string(), text);
        }
        for text in ["", "dask://", "head:8786", "pbs"] {
            assert!(text.parse::<On>().is_err(), "{text:?}");
        }
    }
}
