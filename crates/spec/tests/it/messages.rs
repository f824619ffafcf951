//! What users see when a spec is wrong.

use tailback_spec::Document;

use crate::sample::{catalogue, document, errors};

fn set(argument: &str) -> String {
    let mut document = document("traffic.load = 0.1\n").unwrap();
    document.set(argument).and_then(|()| document.plan(&catalogue()).map(|_| ())).unwrap_err().render()
}

#[test]
fn did_you_mean() {
    insta::assert_snapshot!(errors("[traffic]\nlaod = 0.3\npattern = \"unifrm\"\n"), @r##"
error: unknown key `laod` in `traffic`
 --> spec.toml:2:1
  |
2 | laod = 0.3
  | ^^^^ unknown
  |
  = help: did you mean `load`?

error: `traffic.pattern` has no kind "unifrm"
 --> spec.toml:3:11
  |
3 | pattern = "unifrm"
  |           ^^^^^^^^ unknown kind
  |
  = help: did you mean `uniform`?
"##);
}

#[test]
fn no_near_name_lists_what_there_is() {
    let spec = "[traffic]\nload = 0.3\ncolour = 1\nties = \"red\"\nvcs = 2\n";
    insta::assert_snapshot!(errors(spec), @r##"
error: unknown key `colour` in `traffic`
 --> spec.toml:3:1
  |
3 | colour = 1
  | ^^^^^^ unknown
  |
  = help: the keys here: `load`, `ties`, `pattern`

error: `ties` has no choice "red"
 --> spec.toml:4:8
  |
4 | ties = "red"
  |        ^^^^^ unknown choice
  |
  = help: the choices here: `random`, `positive`

error: unknown key `vcs` in `traffic`
 --> spec.toml:5:1
  |
5 | vcs = 2
  | ^^^ unknown
  |
  = help: `vcs` belongs to [network]
"##);
}

#[test]
fn ranges_and_types() {
    let spec = "[traffic]\nload = 1.5\n[network]\nvcs = 40\nbuffer_flits = \"8\"\n[topology]\nradix = 8\n";
    insta::assert_snapshot!(errors(spec), @r##"
error: `load` must be between 0 and 1 flits/node/cycle, not 1.5
 --> spec.toml:2:8
  |
2 | load = 1.5
  |        ^^^ too large

error: `vcs` must be between 1 and 16 virtual channels, not 40
 --> spec.toml:4:7
  |
4 | vcs = 40
  |       ^^ too large

error: expected an integer number of flits, found the string "8"
 --> spec.toml:5:16
  |
5 | buffer_flits = "8"
  |                ^^^ wrong type
  |
  = help: write it without quotes: 8

error: expected a list of integers (in routers), found the integer 8
 --> spec.toml:7:9
  |
7 | radix = 8
  |         ^ wrong type
  |
  = help: a list of one value is written [8]
"##);
}

#[test]
fn another_kinds_parameter() {
    let spec = "traffic.load = 0.1\n\n[admission]\nkind = \"off\"\nmargin_flits = 8\n";
    insta::assert_snapshot!(errors(spec), @r##"
error: `margin_flits` belongs to admission kind `spth`; the kind here is `off`
 --> spec.toml:5:1
  |
5 | margin_flits = 8
  | ^^^^^^^^^^^^ not a parameter of `off`
  |
  = help: choose `kind = "spth"` or remove `margin_flits`
"##);
}

#[test]
fn missing() {
    insta::assert_snapshot!(errors("[topology]\nkind = \"file\"\n"), @r##"
error: `topology.path` is missing
 --> spec.toml:1:2
  |
1 | [topology]
  |  ^^^^^^^^ needs `path`
  |
  = help: add `path` to [topology]: the path of a file, in quotes

error: `traffic.load` is missing
--> spec.toml
 = help: add `load` to [traffic]: a number in flits/node/cycle
"##);
}

#[test]
fn syntax() {
    insta::assert_snapshot!(errors("[traffic]\nload =\npattern = uniform\n\"x = 1\n"), @r##"
error: there is no value here
 --> spec.toml:2:7
  |
2 | load =
  |       ^ value missing

error: `uniform` is not a value
 --> spec.toml:3:11
  |
3 | pattern = uniform
  |           ^^^^^^^
  |
  = help: text needs quotes: "uniform"

error: invalid basic string, expected `"`
 --> spec.toml:4:7
  |
4 | "x = 1
  |       ^

error: key with no value, expected `=`
 --> spec.toml:4:7
  |
4 | "x = 1
  |       ^
"##);
}

#[test]
fn sweeps() {
    let spec = "traffic.load = 0.1\n[sweep]\n\"network.vcs\" = [1, 2, 99]\nadmission = [\"off\", { kind = \"spth\", margin_flits = 8.0 }]\n\"traffic.laod\" = [0.1]\n";
    insta::assert_snapshot!(errors(spec), @r##"
error: `vcs` must be between 1 and 16 virtual channels, not 99
 --> spec.toml:3:24
  |
3 | "network.vcs" = [1, 2, 99]
  |                        ^^ too large

error: expected an integer number of flits, found the float 8.0
 --> spec.toml:4:53
  |
4 | admission = ["off", { kind = "spth", margin_flits = 8.0 }]
  |                                                     ^^^ wrong type
  |
  = help: write it without a decimal point: 8

error: the sweep names `traffic.laod`, which is no parameter
 --> spec.toml:5:1
  |
5 | "traffic.laod" = [0.1]
  | ^^^^^^^^^^^^^^ unknown
  |
  = help: did you mean `traffic.load`?
"##);
}

#[test]
fn set_arguments() {
    insta::assert_snapshot!(set("network.vsc=2"), @r##"
error: unknown key `vsc` in `network`
 --> --set:1:9
  |
1 | network.vsc=2
  |         ^^^ unknown
  |
  = help: did you mean `vcs`?
"##);
    insta::assert_snapshot!(set("network.vcs=many"), @r##"
error: expected an integer number of virtual channels, found the string "many"
 --> --set:1:13
  |
1 | network.vcs=many
  |             ^^^^ wrong type
  |
  = help: `vcs` is between 1 and 16 virtual channels
"##);
    insta::assert_snapshot!(set("name=two words"), @r##"
error: `two words` is not a value
 --> --set:1:6
  |
1 | name=two words
  |      ^^^^^^^^^
  |
  = help: the value is TOML; text of several words needs quotes: --set 'name="a b"'
"##);
}

#[test]
fn several_set_arguments_and_the_file_are_told_together() {
    let arguments = ["network.vcs=many", "traffic.load=[1", "colour", "run.seed.x=1"].map(str::to_owned);
    let read = Document::read("spec.toml", b"[traffic]\nlaod = 0.1\n[run]\nseed = 1\n", &arguments).unwrap();
    insta::assert_snapshot!(read.plan(&catalogue()).unwrap_err().render(), @r##"
error: unknown key `laod` in `traffic`
 --> spec.toml:2:1
  |
2 | laod = 0.1
  | ^^^^ unknown
  |
  = help: did you mean `load`?

error: expected an integer number of virtual channels, found the string "many"
 --> --set:1:13
  |
1 | network.vcs=many
  |             ^^^^ wrong type
  |
  = help: `vcs` is between 1 and 16 virtual channels

error: unclosed array, expected `]`
 --> --set:1:16
  |
1 | traffic.load=[1
  |                ^
  |
  = help: the value is TOML; text of several words needs quotes: --set 'name="a b"'

error: --set needs a path, `=` and a value
 --> --set:1:1
  |
1 | colour
  | ^^^^^^
  |
  = help: write --set path=value, as in --set traffic.load=0.3

error: cannot set `run.seed.x`: there is the integer 1 in the way
 --> --set:1:1
  |
1 | run.seed.x=1
  | ^^^^^^^^^^
"##);
    // They are told by whoever asks next, and an argument that can be applied is.
    assert_eq!(read.resolve(&catalogue()).unwrap_err(), read.plan(&catalogue()).unwrap_err());
    let mut read = read;
    assert!(read.set("network.vcs=3").is_ok() && read.set("=").is_err());
    assert_eq!(read.plan(&catalogue()).unwrap_err().errors().len(), 4);
    let unreadable = Document::read("spec.toml", b"traffic =\n", &arguments).unwrap_err().render();
    insta::assert_snapshot!(unreadable, @r##"
error: there is no value here
 --> spec.toml:1:10
  |
1 | traffic =
  |          ^ value missing

error: unclosed array, expected `]`
 --> --set:1:16
  |
1 | traffic.load=[1
  |                ^
  |
  = help: the value is TOML; text of several words needs quotes: --set 'name="a b"'

error: --set needs a path, `=` and a value
 --> --set:1:1
  |
1 | colour
  | ^^^^^^
  |
  = help: write --set path=value, as in --set traffic.load=0.3
"##);
}

#[test]
fn a_value_that_an_argument_fails_to_give_is_not_missing_besides() {
    let told = |arguments: &[String]| {
        let errors = Document::read("spec.toml", b"", arguments).unwrap().plan(&catalogue()).unwrap_err();
        errors.errors().iter().map(|e| e.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(&["traffic.load=".to_owned()]), ["traffic.load"]);
    assert_eq!(told(&["traffic={load".to_owned()]).iter().filter(|path| *path == "traffic.load").count(), 0);
    assert_eq!(told(&["run.seed=".to_owned()]), ["run.seed", "traffic.load"]);
}

#[test]
fn long_lines_are_cut() {
    let spec = format!("name = \"{}\" oops {}\n", "x".repeat(500), "y".repeat(500));
    insta::assert_snapshot!(errors(&spec), @r##"
error: unexpected key or value, expected newline, `#`
 --> spec.toml:1:511
  |
 ::: 
1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" oops yyyyyyyyyyyyyyyyyyyyyyyyyyy...
  |                                                                                                      ^
"##);
}

#[test]
fn at_most_fifty_are_shown() {
    let spec: String = (0..80).map(|i| format!("zz{i} = 1\n")).collect();
    let text = errors(&format!("traffic.load = 0.1\n{spec}"));
    assert_eq!(text.matches("error: ").count(), 50);
    assert!(text.ends_with("... and 30 more errors\n"), "{text}");
}

#[test]
fn colours_are_optional() {
    let errors = document("a = 1").unwrap().resolve(&catalogue()).unwrap_err();
    assert!(errors.styled().contains("\u{1b}["));
    assert!(!errors.render().contains('\u{1b}'));
}
