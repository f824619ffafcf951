//! The files that a figure is written to, each in the format that its ending says.

use crate::exit::{Failure, Result};
use crate::output::Destination;
use crate::picture;
use std::path::{Path, PathBuf};
use tailback_pictures::figure::Figure;
use tailback_results::{Inputs, Kind, Replace};

/// Endings and the kinds of files that they say.
const ENDINGS: [(&str, Kind); 4] = [("svg", Kind::Svg), ("png", Kind::Png), ("pdf", Kind::Pdf), ("csv", Kind::Csv)];

/// Parses the name of a file for a figure.
///
/// # Errors
/// For an ending that is none of a figure, naming those that are.
pub fn figure_file(name: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match kind(&path) {
        Some(_) => Ok(path),
        None => Err("the ending says what is written, so it must be .svg, .png, .pdf or .csv".to_owned()),
    }
}

fn kind(path: &Path) -> Option<Kind> {
    let ending = path.extension()?.to_str()?;
    ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, kind)| *kind)
}

/// Where a figure is written to.
#[derive(Clone, Debug, Default)]
pub struct FigureFiles {
    files: Vec<(Kind, Destination)>,
}

impl FigureFiles {
    /// The files `out`, whose endings say what they are, and those `named` as SVG, PNG and CSV.
    ///
    /// # Errors
    /// Where nothing may be written to one of them, and where two are the same.
    pub fn new(out: &[PathBuf], named: [Option<&Path>; 3], replace: Replace, inputs: &Inputs) -> Result<FigureFiles> {
        let of_ending = out.iter().filter_map(|path| Some((kind(path)?, path.as_path())));
        let of_option = [Kind::Svg, Kind::Png, Kind::Csv].into_iter().zip(named);
        let all: Vec<(Kind, &Path)> =
            of_ending.chain(of_option.filter_map(|(kind, path)| Some((kind, path?)))).collect();
        for (at, (_, path)) in all.iter().enumerate() {
            if all[..at].iter().any(|(_, other)| other == path) {
                let name = crate::show::path(path);
                return Err(Failure::usage(format!(
                    "two outputs name the same file, `{name}`, and each needs one of its own"
                )));
            }
        }
        let files = all.into_iter().map(|(kind, path)| Ok((kind, Destination::new(path, kind, replace, inputs)?)));
        Ok(FigureFiles { files: files.collect::<Result<_>>()? })
    }

    /// Whether there is any.
    pub fn any(&self) -> bool {
        !self.files.is_empty()
    }

    /// Writes the figure to all of them.
    ///
    /// # Errors
    /// For what is no picture, and files that cannot be written.
    pub fn write(&self, figure: &Figure) -> Result<()> {
        for (kind, destination) in &self.files {
            destination.write(&bytes(figure, *kind)?)?;
        }
        Ok(())
    }
}

/// The figure as a file of this kind.
fn bytes(figure: &Figure, kind: Kind) -> Result<Vec<u8>> {
    match kind {
        Kind::Png => picture::png(&figure.svg),
        Kind::Pdf => picture::pdf(&figure.svg),
        Kind::Csv => Ok(figure.csv.clone().into_bytes()),
        _ => Ok(figure.svg.clone().into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_says_what_is_written() {
        for good in ["a.svg", "A.PDF", "b.c.png", "x/numbers.csv"] {
            assert_eq!(figure_file(good), Ok(PathBuf::from(good)));
        }
        for bad in ["a", "a.jpg", "-", "svg", ".svg"] {
            assert!(figure_file(bad).unwrap_err().contains(".pdf"), "{bad}");
        }
    }

    #[test]
    fn each_output_needs_a_file_of_its_own() {
        let twice = [PathBuf::from("a.svg"), PathBuf::from("a.svg")];
        assert!(FigureFiles::new(&twice, [None; 3], Replace::SameKind, &Inputs::none()).is_err());
        let named = [Some(Path::new("a.svg")), None, None];
        assert!(FigureFiles::new(&twice[..1], named, Replace::SameKind, &Inputs::none()).is_err());
    }
}
