//! What lies in the folder of a case before it starts.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A file by its name below the folder of the case.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its name, which may have folders in it.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A file of this name.
pub fn given(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Given {
    Given { name: name.into(), bytes: bytes.into() }
}

/// A symbolic link below the folder of the case.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name, which may have folders in it.
    pub name: String,
    /// Where it leads.
    pub to: &'static str,
}

/// Things that are no plain files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// A symbolic link to itself, one to nowhere, one to the spec, and one out of the folder.
    Links,
    /// Something that nobody writes to.
    Fifo,
    /// An empty folder, and a folder of the name of a file.
    Folders,
}

/// Lays them out.
pub fn lay_out(folder: &Path, files: &[Given], links: &[Link], odd: &[Odd]) {
    let path_of = |name: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("folders of a case");
        path
    };
    for file in files {
        fs::write(path_of(&file.name), &file.bytes).expect("files of a case");
    }
    for link in links {
        symlink(link.to, path_of(&link.name)).expect("links of a case");
    }
    for odd in odd {
        lay_out_odd(folder, *odd).expect("odd files of a case");
    }
}

fn lay_out_odd(folder: &Path, odd: Odd) -> std::io::Result<()> {
    match odd {
        Odd::Links => {
            symlink("loop", folder.join("loop"))?;
            symlink("nowhere", folder.join("dangling"))?;
            symlink("spec.toml", folder.join("link.toml"))?;
            symlink("/etc/passwd", folder.join("outside"))
        }
        Odd::Fifo => Ok(nix::unistd::mkfifo(&folder.join("fifo"), nix::sys::stat::Mode::S_IRWXU)?),
        Odd::Folders => {
            fs::create_dir(folder.join("empty"))?;
            fs::create_dir_all(folder.join("folder.toml/records.jsonl"))
        }
    }
}
