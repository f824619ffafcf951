//! A process without rights: what it may use and where it may write.

use landlock::{ABI, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus};
use nix::sys::resource::{RLIM_INFINITY, Resource, setrlimit};
use nix::unistd::{Gid, Uid, chown, setgid, setgroups, setuid};
use std::path::Path;

/// Memory that a case may come to use \[bytes\].
pub const MEMORY: u64 = 2 << 30;
/// Time of a processor that a case may take \[s\].
pub const PROCESSOR: u64 = 20;
/// Size of any file that a case may write \[bytes\].
pub const FILE: u64 = 256 << 20;

/// Debian's nobody and nogroup.
const NOBODY: u32 = 65534;

/// Gives away a folder, made before rights were dropped.
pub fn give_away(folder: &Path) {
    if Uid::effective().is_root() {
        chown(folder, Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY))).expect("root may give folders away");
    }
}

/// From now on this process and its children are nobody, may write below `folder` alone, and have limits. Returns whether
/// the kernel holds them to the folder; the rights of nobody do in any case.
pub fn confine(folder: &Path) -> bool {
    if Uid::effective().is_root() {
        setgroups(&[]).expect("root may leave groups");
        setgid(Gid::from_raw(NOBODY)).expect("root may become nobody");
        setuid(Uid::from_raw(NOBODY)).expect("root may become nobody");
        assert!(!Uid::effective().is_root());
    }
    for (what, limit) in [(Resource::RLIMIT_DATA, MEMORY), (Resource::RLIMIT_FSIZE, FILE), (Resource::RLIMIT_CORE, 0)] {
        setrlimit(what, limit, limit).expect("limits may be lowered");
    }
    held_to(folder).expect("Landlock is there, or it is not")
}

/// From now on a signal ends this process and its children when they have used so much time of a processor \[s\]; another one, that
/// nobody can ignore, when they have used `last`.
pub fn limit_time(limit: u64, last: Option<u64>) {
    setrlimit(Resource::RLIMIT_CPU, limit, last.unwrap_or(RLIM_INFINITY)).expect("limits may be lowered");
}

/// Lets nothing be written but below `folder` and to devices that keep nothing.
fn held_to(folder: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let abi = ABI::V3;
    let writing = AccessFs::from_write(abi);
    let mut rules = Ruleset::default().handle_access(writing)?.create()?;
    rules = rules.add_rule(PathBeneath::new(PathFd::new(folder)?, writing))?;
    for device in ["/dev/null", "/dev/zero", "/dev/full"] {
        rules = rules.add_rule(PathBeneath::new(PathFd::new(device)?, AccessFs::WriteFile | AccessFs::Truncate))?;
    }
    Ok(rules.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}
