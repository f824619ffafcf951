//! The hostile corpus: damaged specs, arguments, tables, networks, programs, capsules, records, folders and checkpoints through the program.
//!
//! ```text
//! cargo test -p tailback-cli --test hostile                            5,000 cases
//! cargo test -p tailback-cli --test hostile -- --cases 100000 --seed 7
//! cargo test -p tailback-cli --test hostile -- --cases 100000 --seconds 3600 --from 40000     what an hour is enough for
//! cargo test -p tailback-cli --test hostile -- --seed 7 --case 4711    one of them, with all that it prints
//! ```
//!
//! A case is a function of (seed, number). Batches of cases run in processes of their own ([`worker`]) without rights and
//! with bounded memory and time ([`confine`]). What a case must not do: [`judge`]. docs/hostile.md tells more.

#[cfg(target_os = "linux")]
mod alone;
#[cfg(target_os = "linux")]
mod batches;
#[cfg(target_os = "linux")]
mod case;
#[cfg(target_os = "linux")]
mod commands;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod damage;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod formats;
#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod many;
#[cfg(target_os = "linux")]
mod options;
#[cfg(target_os = "linux")]
mod stock;
#[cfg(target_os = "linux")]
mod worker;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    use options::Options;
    match Options::of_process() {
        Options::Nothing => std::process::ExitCode::SUCCESS,
        Options::List => {
            println!("hostile: test");
            std::process::ExitCode::SUCCESS
        }
        Options::Worker(work) => worker::main(&work),
        Options::Cases(asked) => batches::main(&asked),
    }
}

/// Rights are dropped and limits set as Linux has them.
#[cfg(not(target_os = "linux"))]
fn main() {
    println!("the hostile corpus needs Linux");
}
