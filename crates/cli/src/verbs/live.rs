//! `tailback live`: a network in a browser.

use crate::exit::{Failure, INTERRUPTED, Result};
use crate::interrupt;
use crate::output::inputs;
use crate::points::{Source, points};
use crate::show;
use crate::spec_file::SpecArgs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tailback_live::{Began, Server, Session};
use tailback_sim::live::Script;

const AFTER: &str = "\
Examples:
  tailback live examples/first.toml
  tailback live examples/first.toml --set traffic.load=0.2
  tailback live my.toml --no-open --port 8080
  tailback live my.toml --out plays
  tailback live examples/lessons/07-throttles.toml --all

The page shows the network while it runs, and changes its load, pattern, process and admission.
It goes back in time, and splits the network into up to four variants side by side. Every play
can be saved as a spec with [[workload.changes]]; `tailback run` of that gives the same digest.

The first line on standard output is `listening on ADDRESS`. The address has a key, without
which nobody gets an answer. Only this machine is listened to, unless --listen names another
address. Ctrl-C ends the server.";

/// Arguments of `live`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Play all points of the spec side by side from cycle 0 on: four at most, on one network
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    door: DoorArgs,
    /// Write plays that are saved into this folder, too
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Where a server listens, and whether its page is opened.
#[derive(clap::Args, Debug)]
pub struct DoorArgs {
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// The port to listen at; 0: any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Listen at this address instead of 127.0.0.1. Whoever reaches it and knows the key gets in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
}

impl DoorArgs {
    /// A server at the address that was asked for.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn server(&self) -> Result<Server> {
        Server::new(self.listen, self.port)
            .map_err(|error| Failure::usage(format!("cannot listen at {} port {}: {error}", self.listen, self.port)))
    }

    /// Says who reaches it, where that is not this machine alone; `may` is what they can do.
    pub fn warn(&self, server: &Server, may: &str) {
        if !self.listen.is_loopback() {
            let address = server.door().address;
            show::note(&format!("whoever reaches {address} and knows the key can {may}; the key is sent unencrypted"));
        }
    }

    /// Opens the page in a browser, unless that is not wanted.
    pub fn open(&self, url: &str) {
        if !self.no_open {
            open(url);
        }
    }
}

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let points = points(&args.spec)?;
    points.told.warn();
    let point = points.at(0)?;
    if points.count() > 1 && !args.all {
        show::note(&format!(
            "this spec has {} points; the first one is played. Choose another with --set, or all with --all",
            points.count()
        ));
    }
    let script = Script::new(&point).map_err(|errors| Failure::Spec(Box::new(errors)))?;
    let others = if args.all { 1..points.count() } else { 0..0 };
    if others.len() > 3 {
        return Err(Failure::usage(format!(
            "--all plays four points side by side at most, and there are {}",
            points.count()
        )));
    }
    let script_of = |at| Script::new(&points.at(at)?).map_err(|errors| Failure::Spec(Box::new(errors)));
    let beside = others.map(script_of).collect::<Result<Vec<_>>>()?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    let name = args.spec.spec.file_name().map_or_else(|| args.spec.name(), |name| name.to_string_lossy().into_owned());
    let inputs = inputs(&args.spec, points.files.clone());
    let (session, post) =
        Session::new(Began { script, beside, name, out: args.out.clone(), inputs }).map_err(Failure::Usage)?;
    let server = args.door.server()?;
    let url = server.door().url();
    show::line(&format!("listening on {url}"))?;
    args.door.warn(&server, "steer");
    interrupt::keep();
    args.door.open(&url);
    let stop = interrupt::flag();
    leave_in_time(stop);
    std::thread::scope(|scope| {
        scope.spawn(|| server.run(&post, stop));
        session.run(stop)
    })
    .map_err(Failure::Other)?;
    Ok(INTERRUPTED)
}

/// Whatever a large network is busy with, the program ends soon after Ctrl-C.
fn leave_in_time(stop: &'static AtomicBool) {
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(600));
        std::process::exit(i32::from(INTERRUPTED));
    });
}

/// Opens a browser, where there is one; the address was printed.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || Stdio::null();
    let started = Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    if started.is_err() {
        show::note("no browser could be opened: open the address above in one");
    }
}
