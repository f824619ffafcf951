use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Vec<(String, String)> {
    let assignments = parse("f", text).unwrap_or_else(|fault| panic!("{text:?}: {fault}"));
    assignments.into_iter().map(|one| (one.key, one.value.to_string())).collect()
}

fn fault(text: &str) -> String {
    parse("f", text).expect_err(text).to_string()
}

#[test]
fn values_have_types() {
    let values = |text: &str| parse("f", text).unwrap()[0].value.clone();
    assert_eq!(values("a = 5;"), Value::Integer(5));
    assert_eq!(values("a = -5;"), Value::Integer(-5));
    assert_eq!(values("a = 0.5;"), Value::Float(0.5, "0.5".into()));
    assert_eq!(values("a = .5;"), Value::Float(0.5, ".5".into()));
    assert_eq!(values("a = 5e-1;"), Value::Float(0.5, "5e-1".into()));
    assert_eq!(values("a = -;"), Value::Text("-".into()));
    assert_eq!(values("a = -5x;"), Value::Text("-5x".into()), "the longest token counts");
    assert_eq!(values("a = islip(3);"), Value::Text("islip(3)".into()));
    assert_eq!(values("a = hotspot({{1,2},{3,4}});"), Value::Text("hotspot({{1,2},{3,4}})".into()));
    assert_eq!(values("a = {{1,5},2};"), Value::Text("{{1,5},2}".into()));
    assert_eq!(values("a = ../out/mesh.m;"), Value::Text("../out/mesh.m".into()));
}

#[test]
fn comments_and_blanks_are_skipped() {
    let text = "// a file\n\tk = 8;  // eight\r\nn=2;seed\n=\n1\n;//end";
    let expected = [("k", "8"), ("n", "2"), ("seed", "1")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(read(text), expected);
    assert_eq!(read("traffic=uniform//x\n;")[0].1, "uniform//x", "slashes are letters of strings");
}

#[test]
fn places_are_lines_and_columns() {
    let found = parse("f", "k = 8;\n  // é\n /*".trim_end_matches(" /*")).unwrap();
    assert_eq!(found[0].place, Place::new("f", 1, 1));
    let found = parse("f", "k = 8;\n\n   n = 2;").unwrap();
    assert_eq!(found[1].place, Place::new("f", 3, 4));
}

#[test]
fn what_is_none_of_the_grammar_is_refused_at_its_place() {
    for (text, expected) in [
        ("", "f:1:1: expected a line `key = value;`, found nothing at all"),
        ("// only a comment", "f:1:18: expected a line"),
        ("k = 8", "f:1:6: expected `;` after the value of `k`, found the end"),
        ("k = 8\nn = 2;", "f:2:1: expected `;` after the value of `k`, found `n`"),
        ("k 8;", "f:1:3: expected `=` after `k`, found `8`"),
        ("k = ;", "f:1:5: expected the value of `k`, found `;`"),
        ("k =", "f:1:4: expected the value of `k`, found the end"),
        ("8 = k;", "f:1:1: expected a key, found `8`"),
        ("= 8;", "f:1:1: expected a key, found `=`"),
        ("k = 8;;", "f:1:7: expected a key, found `;`"),
        ("k = {1, 2};", "f:1:5: expected the value of `k`, found `{`"),
        ("k = \"8\";", "f:1:5: expected the value of `k`, found `\"`"),
        ("k = 99999999999;", "f:1:5: `99999999999` does not fit a number of 32 bits"),
        ("k = 1e999;", "f:1:5: `1e999` does not fit"),
        ("# k = 8;", "f:1:1: expected a key, found `#`"),
        ("k = 5.;", "f:1:6: expected `;` after the value of `k`, found `.`"),
    ] {
        let found = fault(text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn nothing_hostile_is_quoted() {
    let long = fault(&format!("k = {} n", "x".repeat(1 << 16)));
    assert!(long.len() < 200, "{long}");
    assert!(!fault("k = \u{1b}[31m;").contains('\u{1b}'));
}

#[test]
fn huge_files_take_no_time_that_counts() {
    let text = "k = 8; // eight\n".repeat(60_000);
    assert_eq!(parse("f", &text).unwrap().len(), 60_000);
    let deep = format!("k = {}1{};", "{".repeat(100_000), "}".repeat(100_000));
    assert_eq!(parse("f", &deep).unwrap().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n{}();=,./é-]{0,60}") {
        let _ = parse("f", &text);
    }

    #[test]
    fn what_was_written_is_read(key in "[a-z_]{1,12}", value in -1_000_000i32..1_000_000) {
        prop_assert_eq!(read(&format!("{key} = {value};")), vec![(key, value.to_string())]);
    }
}
