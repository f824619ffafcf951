//! The hosts of `examples/hosts` in C and C++, compiled and run, against the same program as a GOAL file; and misuse from C.

use crate::compile::{compiled, libraries, said};
use crate::goal::{as_goal, repository};
use std::path::Path;
use std::process::Command;

#[test]
fn hosts_in_c_and_cpp_complete_when_the_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let expected = format!("completed in cycle {}", as_goal(folder.path()));
    let hosts = repository().join("examples/hosts");
    for (compiler, source, standard) in
        [("gcc", "request_reply.c", "-std=c11"), ("g++", "request_reply.cpp", "-std=c++11")]
    {
        let program = folder.path().join(compiler);
        compiled(compiler, &hosts.join(source), &program, &[standard]);
        assert_eq!(said(&program, &[&hosts.join("mesh.toml")]), expected, "{source}");
    }
}

#[test]
fn toy_cores_use_a_torus_with_adaptive_routing() {
    let folder = tempfile::tempdir().unwrap();
    let (program, hosts) = (folder.path().join("cores"), repository().join("examples/hosts"));
    compiled("g++", &hosts.join("cores.cpp"), &program, &["-std=c++11"]);
    let words = said(&program, &[&hosts.join("torus.toml")]);
    assert!(words.starts_with("16 cores done in cycle ") && words.contains("A packet takes"), "{words}");
}

/// Runs a command in a folder.
fn ran(folder: &Path, command: &str) {
    let ended = Command::new("bash").args(["-euc", command]).current_dir(folder).output().unwrap();
    let all = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(ended.status.success(), "{command}\n{all}");
}

#[test]
fn what_is_installed_is_found_by_pkg_config_and_cmake() {
    let folder = tempfile::tempdir().unwrap();
    let (prefix, root, own) = (folder.path().join("prefix"), repository(), folder.path());
    let make = format!("make -s install-library PREFIX='{}' LIBRARIES='{}'", prefix.display(), libraries().display());
    ran(&root, &make);
    let source = root.join("examples/hosts/request_reply");
    let (source, spec, prefix) = (source.display(), root.join("examples/hosts/mesh.toml"), prefix.display());
    let spec = spec.display();
    ran(own, &format!(
        "export PKG_CONFIG_PATH='{prefix}/lib/pkgconfig'
         gcc '{source}.c' $(pkg-config --cflags --libs tailback) -o shared && ./shared '{spec}'
         gcc '{source}.c' $(pkg-config --cflags tailback) '{prefix}/lib/libtailback.a' -lpthread -ldl -lm -o static && ./static '{spec}'"
    ));
    let lists = format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(host CXX)\nfind_package(tailback 0.1 REQUIRED)\n\
         add_executable(host {source}.cpp)\ntarget_link_libraries(host tailback::tailback)\n"
    );
    std::fs::write(own.join("CMakeLists.txt"), lists).unwrap();
    ran(
        own,
        &format!("cmake -S . -B built -DCMAKE_PREFIX_PATH='{prefix}' && cmake --build built && built/host '{spec}'"),
    );
}

#[test]
fn misuse_from_c_is_a_status_each() {
    let folder = tempfile::tempdir().unwrap();
    let (program, own) = (folder.path().join("misuse"), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    compiled(
        "gcc",
        &own.join("misuse.c"),
        &program,
        &["-std=c11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"],
    );
    assert_eq!(said(&program, &[folder.path()]), "all is well");
}

#[test]
fn calls_at_random_from_c_are_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let (program, own) = (folder.path().join("random"), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    compiled(
        "gcc",
        &own.join("random.c"),
        &program,
        &["-std=c11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"],
    );
    let cases = std::env::var("TAILBACK_CALLS").unwrap_or("2000".to_owned());
    let words = said(&program, &[Path::new(&cases), folder.path()]);
    assert!(words.starts_with(&format!("{cases} sequences")), "{words}");
}
