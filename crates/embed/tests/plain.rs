//! What a host opens is a plain file: it would wait for a pipe for ever.

use std::path::Path;
use tailback_embed::Network;

#[test]
#[cfg(unix)]
fn nobody_waits_for_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let what = [
        (pipe.as_path(), "a device or a pipe"),
        (Path::new("/dev/zero"), "a device or a pipe"),
        (folder.path(), "a folder"),
    ];
    for (path, what) in what {
        let tried = [Network::from_file(path, &[]), Network::from_booksim(path, &[]), Network::restore(path)];
        for network in tried {
            let why = network.err().expect("it is no plain file").to_string();
            assert_eq!(why, format!("{} is {what}, not a plain file", path.display()));
        }
    }
}
