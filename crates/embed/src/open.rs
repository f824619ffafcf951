//! From a spec to a network.

use crate::booksim;
use crate::error::Error;
use crate::network::{NEVER, Network};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tailback_base::text::brief;
use tailback_booksim::Inside;
use tailback_sim::{Prepared, catalogue, prepare, quietly};
use tailback_spec::{Document, Errors, MAX_BYTES, Origin, Point};
use toml::Value;

/// What a message calls a configuration file.
const CONFIG: &str = "the configuration";

/// What the workload of a spec becomes that has another one than a host.
const HOSTED: &str = "workload={ kind = \"host\" }";

impl Network {
    /// Opens the network of a spec, with arguments as of `--set`. What its workload says takes no effect unless its kind is `host`. The
    /// argument `threads=N` is short for `workload.threads=N`, whatever the workload.
    ///
    /// # Errors
    /// All that is wrong with the spec, with places, and files that cannot be read.
    pub fn from_file(path: &Path, overrides: &[String]) -> Result<Network, Error> {
        let bytes = read(path, MAX_BYTES)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let made = quietly(|| made(&path.display().to_string(), &bytes, (folder, overrides)));
        made.unwrap_or_else(|bug| Err(Error::Bug(bug))).map(|network| network.reading(path, "the spec"))
    }

    /// Opens the network of a spec as text. The files that it names are looked for in the present folder.
    ///
    /// # Errors
    /// Those of [`Network::from_file`].
    pub fn from_text(text: &str, overrides: &[String]) -> Result<Network, Error> {
        Network::from_bytes(text.as_bytes(), overrides)
    }

    /// As [`Network::from_text`], of bytes that may be no text.
    ///
    /// # Errors
    /// Those of [`Network::from_file`].
    pub fn from_bytes(text: &[u8], overrides: &[String]) -> Result<Network, Error> {
        quietly(|| made("the spec", text, (Path::new(""), overrides))).unwrap_or_else(|bug| Err(Error::Bug(bug)))
    }

    /// Opens the network of a BookSim 2 configuration file, with arguments `key=value`. What it says of traffic and of the length of a run
    /// takes no effect.
    ///
    /// # Errors
    /// What is wrong with the configuration, or cannot be mapped, and files that cannot be read.
    pub fn from_booksim(path: &Path, overrides: &[String]) -> Result<Network, Error> {
        let text = read(path, MAX_BYTES)?;
        let work = || {
            let (own, others) = apart(overrides);
            let spec = booksim::spec(path, &text, &others)?;
            made(&path.display().to_string(), spec.as_bytes(), (Path::new(""), &own))
        };
        let made = quietly(work).unwrap_or_else(|bug| Err(Error::Bug(bug)));
        made.map(|network| network.reading(path, CONFIG))
    }

    /// Opens one of the networks of a configuration that has keys of a simulator with BookSim inside, for `(cores, memories)` devices.
    /// Returns what these keys say, too.
    ///
    /// # Errors
    /// As of [`Network::from_booksim`], and where the devices do not fit on the nodes.
    pub fn from_inside(path: &Path, overrides: &[String], devices: (u32, u32)) -> Result<(Network, Interior), Error> {
        let text = read(path, MAX_BYTES)?;
        let work = || {
            let (own, others) = apart(overrides);
            let (table, config, inside) = booksim::inside(path, &text, &others)?;
            let spec = table.to_string();
            let network = made(&path.display().to_string(), spec.as_bytes(), (Path::new(""), &own))?;
            let places = inside.places(devices, network.nodes());
            let places = places.map_err(|fault| booksim::refused(&[fault]))?;
            Ok((network, Interior { places, channels: config.int("num_vcs") as u32, inside }))
        };
        let made = quietly(work).unwrap_or_else(|bug| Err(Error::Bug(bug)));
        made.map(|(network, interior)| (network.reading(path, CONFIG), interior))
    }

    /// The same network, made of this file, which no output of it replaces.
    pub(crate) fn reading(mut self, path: &Path, what: &str) -> Network {
        self.inputs.add(path, what);
        self
    }
}

/// What a configuration with keys of a simulator says of how it hands over packets.
#[derive(Clone, Debug)]
pub struct Interior {
    /// Those keys.
    pub inside: Inside,
    /// Channels of a link.
    pub channels: u32,
    /// The node of every device, cores before memories.
    pub places: Vec<u32>,
}

/// The setting of threads, and all others.
fn apart(overrides: &[String]) -> (Vec<String>, Vec<String>) {
    overrides.iter().cloned().partition(|text| text.starts_with("threads="))
}

/// Refuses what is there and is no plain file: a pipe that nobody writes to would be waited for, for ever, when it is opened, and a host
/// hears nothing meanwhile.
pub(crate) fn is_plain(path: &Path) -> Result<(), Error> {
    let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
    let what = if data.is_dir() { "a folder" } else { "a device or a pipe" };
    if data.is_file() { Ok(()) } else { Err(Error::File(format!("{} is {what}, not a plain file", path.display()))) }
}

/// Reads a file that may have `limit` bytes.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Error> {
    is_plain(path)?;
    let failed = |error: std::io::Error| Error::File(format!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() > limit {
        true => Err(Error::File(format!("{} is longer than it may be ({limit} bytes)", path.display()))),
        false => Ok(bytes),
    }
}

fn made(name: &str, text: &[u8], (folder, overrides): (&Path, &[String])) -> Result<Network, Error> {
    let (threads, overrides) = threads(overrides)?;
    let point = point(name, text, folder, &overrides)?;
    let prepared = prepare(&point).map_err(wrong)?;
    let threads = threads.unwrap_or_else(|| threads_of(&prepared));
    Network::new(prepared, (threads, &NEVER), None)
}

/// Threads that step a network, as its spec has it.
pub(crate) fn threads_of(prepared: &Prepared) -> usize {
    let workload = prepared.point().resolved.view("workload");
    if workload.kind() == "host" { workload.u32("threads") as usize } else { 1 }
}

/// Takes the setting of threads from those of the spec, of which none has that name. Results do not depend on it.
fn threads(overrides: &[String]) -> Result<(Option<usize>, Vec<String>), Error> {
    let (own, rest) = apart(overrides);
    let Some(last) = own.last() else { return Ok((None, rest)) };
    let threads = last["threads=".len()..].parse().ok().filter(|threads| (1..=256).contains(threads));
    let wrong = || Error::Spec(format!("`{}`: threads are a number from 1 to 256", brief(last)));
    Ok((Some(threads.ok_or_else(wrong)?), rest))
}

/// The one point of a spec, with a host as its workload.
pub(crate) fn point(name: &str, text: &[u8], folder: &Path, overrides: &[String]) -> Result<Point, Error> {
    let document = Document::read(name, text, overrides).map_err(wrong)?;
    let mut points = match document.expand(catalogue()) {
        Ok(points) if points.iter().all(|point| point.resolved.view("workload").kind() == "host") => points,
        // Whatever else its workload says has no effect, and may be wrong.
        _ => {
            let mut hosted = overrides.to_vec();
            hosted.push(HOSTED.to_owned());
            Document::read(name, text, &hosted).and_then(|document| document.expand(catalogue())).map_err(wrong)?
        }
    };
    let (Some(mut point), true) = (points.pop(), points.is_empty()) else {
        let message = "a host steps one network, and this spec asks for several runs: leave out its sweep and seeds";
        return Err(Error::Spec(message.to_owned()));
    };
    locate(&mut point, folder)?;
    Ok(point)
}

/// Makes the paths of files that a spec names absolute: those in it are relative to its folder, others to the present one.
fn locate(point: &mut Point, folder: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::File(format!("cannot find a file that the spec names: {error}"));
    for path in point.resolved.files(catalogue()) {
        let given_here = matches!(point.resolved.sources.origin(&path), Origin::Set(..));
        let base = if given_here { Path::new("") } else { folder };
        let Some(Value::String(file)) = point.resolved.value_mut(&path) else { continue };
        *file = std::path::absolute(base.join(&*file)).map_err(failed)?.display().to_string();
    }
    Ok(())
}

/// What a spec is refused for, in lines with places.
pub(crate) fn wrong(errors: Errors) -> Error {
    Error::Spec(errors.render())
}
