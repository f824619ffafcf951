//! Puts the studies of `papers/` into the program: of every folder with a `study.toml`, the TOML files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let papers = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../papers");
    println!("cargo:rerun-if-changed={}", papers.display());
    let mut list = String::from("&[\n");
    for folder in sorted(&papers)?.iter().filter(|folder| folder.join("study.toml").is_file()) {
        writeln!(list, "({:?}, &[", name(folder)).map_err(io::Error::other)?;
        for file in sorted(folder)?.iter().filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
            println!("cargo:rerun-if-changed={}", file.display());
            writeln!(list, "({:?}, include_str!({:?})),", name(file), file.display().to_string())
                .map_err(io::Error::other)?;
        }
        list += "]),\n";
    }
    list += "]\n";
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("papers.rs"), list)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
