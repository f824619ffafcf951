//! The header that C compilers read says what the library has: every function with its types, every field, every status.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// By name: what it returns and takes, or its fields, each a type and a name, or its values.
type Said = BTreeMap<String, Vec<String>>;

fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The sources of the library without their comments.
fn sources() -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(own("src")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        text.lines().filter(|line| !line.trim_start().starts_with("//")).for_each(|line| all += &format!("{line}\n"));
    }
    all
}

/// The documented header without its comments and directives.
fn header() -> String {
    bare(&std::fs::read_to_string(own("include/tailback.h")).unwrap())
}

fn bare(text: &str) -> String {
    let mut rest = text;
    let mut all = String::new();
    while let Some((before, behind)) = rest.split_once("/*") {
        all += before;
        rest = behind.split_once("*/").unwrap().1;
    }
    all += rest;
    all.lines().filter(|line| !line.trim_start().starts_with('#')).fold(String::new(), |all, line| all + line + "\n")
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A type of Rust as C has it, with stars apart.
fn in_c(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(of) = rust.strip_prefix("*mut ") {
        return format!("{} *", in_c(of));
    }
    if let Some(of) = rust.strip_prefix("*const ") {
        return match in_c(of) {
            of if of.ends_with('*') => format!("{of} const *"),
            of => format!("const {of} *"),
        };
    }
    let names = [("u32", "uint32_t"), ("u64", "uint64_t"), ("i32", "int32_t"), ("usize", "size_t"), ("c_char", "char")];
    names.iter().find(|of| of.0 == rust).map_or(rust, |of| of.1).to_owned()
}

/// A type and a name of C, `const char *file`, with stars apart.
fn typed(declared: &str) -> (String, String) {
    let declared = words(&declared.replace('*', " * "));
    let (of, name) = declared.rsplit_once(' ').unwrap();
    (of.to_owned(), name.to_owned())
}

fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn functions_in_rust(text: &str) -> Said {
    let mut all = Said::new();
    for part in text.split("extern \"C\" fn tb_").skip(1) {
        let (name, behind) = part.split_once('(').unwrap();
        let (arguments, behind) = behind.split_once(')').unwrap();
        let returns = behind.split_once('{').unwrap().0.trim();
        let returns = returns.strip_prefix("->").map_or("void".to_owned(), in_c);
        let arguments = listed(arguments).map(|argument| in_c(argument.split_once(':').unwrap().1));
        all.insert(format!("tb_{name}"), std::iter::once(returns).chain(arguments).collect());
    }
    all
}

fn functions_in_c(text: &str) -> Said {
    let mut all = Said::new();
    for part in text.split(';').filter(|part| part.contains('(')) {
        let (before, arguments) = part.split_once('(').unwrap();
        let before = before.rsplit_once(['{', '}']).map_or(before, |of| of.1);
        let (returns, name) = typed(before);
        let arguments = arguments.trim().trim_end_matches(')');
        let arguments = listed(arguments).filter(|&of| of != "void").map(|argument| typed(argument).0);
        all.insert(name, std::iter::once(returns).chain(arguments).collect());
    }
    all
}

/// Fields of the structures that C sees, and values of the enumeration.
fn types_in_rust(text: &str) -> Said {
    let mut all = Said::new();
    for part in text.split("#[repr(C)]").skip(1) {
        let (before, behind) = part.split_once('{').unwrap();
        let name = before.split_whitespace().last().unwrap().to_owned();
        let fields = listed(behind.split_once('}').unwrap().0).map(|field| match field.split_once(':') {
            Some((name, of)) => format!("{} {}", in_c(of), name.trim().trim_start_matches("pub ")),
            None => words(field),
        });
        all.insert(name, fields.collect());
    }
    all
}

fn types_in_c(text: &str) -> Said {
    let mut all = Said::new();
    for part in text.split("typedef ").skip(1) {
        let Some((before, behind)) = part.split_once('{').filter(|(before, _)| !before.contains(';')) else { continue };
        let (body, after) = behind.split_once('}').unwrap();
        let name = after.split(';').next().unwrap().trim().to_owned();
        let fields: Vec<String> = match before.starts_with("enum") {
            true => listed(body).map(words).collect(),
            false => body
                .split(';')
                .map(words)
                .filter(|field| !field.is_empty())
                .map(|field| {
                    let (of, name) = typed(&field);
                    format!("{of} {name}")
                })
                .collect(),
        };
        all.insert(name, fields);
    }
    all
}

#[test]
fn every_function_is_declared_with_its_types() {
    let (rust, c) = (functions_in_rust(&sources()), functions_in_c(&header()));
    assert!(rust.len() > 25, "{rust:?}");
    assert_eq!(rust, c);
}

#[test]
fn every_field_and_every_status_is_declared() {
    let (rust, c) = (types_in_rust(&sources()), types_in_c(&header()));
    assert!(rust.len() == 4 && rust["tb_status"].len() == 14, "{rust:?}");
    assert_eq!(rust, c);
}

/// What a maintained generator makes of the sources, where it is installed.
#[test]
fn the_generated_header_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("tailback.h");
    let mut cbindgen = Command::new("cbindgen");
    cbindgen.arg("--quiet").arg("--config").arg(own("cbindgen.toml")).arg(own("")).arg("--output").arg(&made);
    let ended = match cbindgen.output() {
        Ok(ended) => ended,
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => panic!("cbindgen: {error}"),
    };
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let generated = bare(&std::fs::read_to_string(&made).unwrap());
    assert_eq!(functions_in_c(&generated), functions_in_c(&header()));
    assert_eq!(types_in_c(&generated), types_in_c(&header()));
}
