//! What verbs are asked to write: files, and standard output for `-`.

use crate::exit::{Failure, Result};
use crate::show;
use crate::spec_file::SpecArgs;
use std::path::{Path, PathBuf};
use tailback_results::{Inputs, Kind, Output, Replace};
use tailback_sim::catalogue;
use tailback_spec::{Point, Resolved};
use toml::Value;

/// `--force`, of verbs that write a file.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ForceArgs {
    /// Replace a file even if its content is of another kind. Files that this command reads, devices and pipes are never
    /// replaced
    #[arg(long)]
    force: bool,
}

impl ForceArgs {
    /// Whether it is given.
    pub fn is_given(self) -> bool {
        self.force
    }

    /// What may be replaced.
    pub fn replace(self) -> Replace {
        replace(self.force)
    }
}

/// What may be replaced, with `--force` or without.
pub fn replace(force: bool) -> Replace {
    if force { Replace::Anything } else { Replace::SameKind }
}

/// Where something is written to.
#[derive(Clone, Debug)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file.
    File(Output),
}

impl Destination {
    /// The file at `path`, or standard output for `-`.
    ///
    /// # Errors
    /// Where nothing may be written there.
    pub fn new(path: &Path, kind: Kind, replace: Replace, inputs: &Inputs) -> Result<Destination> {
        if path.as_os_str() == "-" {
            return Ok(Destination::Stdout);
        }
        Ok(Destination::File(Output::new(path, kind, replace, inputs)?))
    }

    /// Writes all there is to write.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        match self {
            Destination::Stdout => show::print_bytes(bytes),
            Destination::File(output) => Ok(output.write(bytes)?),
        }
    }

    /// Whether it is standard output, where nothing else is printed then.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Destination::Stdout)
    }
}

/// The files that a command reads which was given this spec: the spec, and what its points name.
pub fn inputs(spec: &SpecArgs, mut files: Inputs) -> Inputs {
    files.add(behind(&spec.spec), "the spec");
    files
}

/// The file that a command reads which was given this name: `-` is standard input.
pub fn behind(name: &Path) -> &Path {
    if name.as_os_str() == "-" { Path::new(STDIN) } else { name }
}

/// The files that these points name, which have been located.
pub fn files_of<'p>(points: impl IntoIterator<Item = &'p Point>) -> Inputs {
    let mut files = Inputs::none();
    points.into_iter().for_each(|point| add_files(&mut files, &point.resolved));
    files
}

/// Adds the files that a spec names, which have been located.
pub fn add_files(inputs: &mut Inputs, resolved: &Resolved) {
    for path in resolved.files(catalogue()) {
        if let Some(Value::String(file)) = resolved.value(&path) {
            inputs.add(&PathBuf::from(file), "a file that the spec names");
        }
    }
}

/// What standard input is, where it is a file.
const STDIN: &str = "/dev/stdin";

/// Where a picture is written to.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    svg: Option<Destination>,
    png: Option<Destination>,
}

impl Pictures {
    /// The files of `--svg` and `--png`.
    ///
    /// # Errors
    /// Where nothing may be written to one of them, and where both are the same.
    pub fn new(svg: Option<&Path>, png: Option<&Path>, replace: Replace, inputs: &Inputs) -> Result<Pictures> {
        if svg.is_some() && svg == png {
            return Err(Failure::usage("--svg and --png name the same file, and each picture needs one of its own"));
        }
        let of = |path: Option<&Path>, kind| path.map(|path| Destination::new(path, kind, replace, inputs)).transpose();
        Ok(Pictures { svg: of(svg, Kind::Svg)?, png: of(png, Kind::Png)? })
    }

    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Whether one is written to standard output.
    pub fn fill_stdout(&self) -> bool {
        [&self.svg, &self.png].into_iter().flatten().any(Destination::is_stdout)
    }

    /// Writes a picture as SVG, as PNG, or both.
    ///
    /// # Errors
    /// For what is no picture, and files that cannot be written.
    pub fn write(&self, picture: &str) -> Result<()> {
        if let Some(svg) = &self.svg {
            svg.write(picture.as_bytes())?;
        }
        if let Some(png) = &self.png {
            png.write(&crate::picture::png(picture)?)?;
        }
        Ok(())
    }
}
