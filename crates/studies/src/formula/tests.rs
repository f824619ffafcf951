use super::{Expr, Names, Value, eval, parse, text};

/// Names without runs: `a` is 2, label `network` is 1 or 4, `twice` doubles.
#[derive(Clone, Default)]
struct Plain(Vec<(String, Value)>);

impl Names for Plain {
    fn value(&self, name: &str) -> Result<Value, String> {
        let found = self.0.iter().rev().find(|(other, _)| other == name).map(|(_, value)| value.clone());
        match (found, name) {
            (Some(value), _) => Ok(value),
            (None, "a") => Ok(Value::Number(2.0)),
            (None, "nothing") => Ok(Value::Number(f64::NAN)),
            _ => Err(format!("there is no `{name}`")),
        }
    }

    fn whole(&self, name: &str) -> bool {
        name == "network"
    }

    fn call(&self, name: &str, arguments: &[Expr]) -> Option<Result<Value, String>> {
        (name == "here").then(|| eval(&arguments[0], self))
    }

    fn given(&self, label: &str, value: Value) -> Result<Self, String> {
        Ok(self.with(label, value))
    }

    fn with(&self, name: &str, value: Value) -> Self {
        let mut names = self.clone();
        names.0.push((name.to_owned(), value));
        names
    }

    fn values(&self, label: &str) -> Result<Vec<Value>, String> {
        match label {
            "network" => Ok([1.0, 4.0].map(Value::Number).to_vec()),
            _ => Err(format!("there is no label `{label}`")),
        }
    }
}

fn found(formula: &str) -> Result<String, String> {
    eval(&parse::formula(formula)?, &Plain::default()).map(|value| value.told(Some("raw")))
}

#[test]
fn formulas_have_the_values_of_arithmetic() {
    for (formula, value) in [
        ("1 + 2 * 3 - -4", "11"),
        ("(1 + 2) * 3 / 2 % 4", "0.5"),
        ("10_000 / a", "5000"),
        ("1 < a <= 2", "holds"),
        ("1 < a < 2", "does not hold"),
        ("not 1 == a and (a == 2 or b)", "holds"),
        ("3 if a > 2 else 4 if a > 1 else 5", "4"),
        ("a in [1, 2]", "holds"),
        ("[5, 6][1]", "6"),
        ("max([network for network])", "4"),
        ("average([1, 2, 6])", "3"),
        ("known(average([]))", "does not hold"),
        ("'{nothing:.2}, {nothing:raw}, {nothing}'", "none, none, none"),
        ("smoothed([1, 2, 6, 7], 2)", "1, 1.5, 4, 6.5"),
        ("2 * [1, 2] - [1, 0] / 2", "1.5, 4"),
        ("[[1, 2], [3]] * 2", "2, 4, 6"),
        ("since([10, 20, 30], [1, 2, 6], 20)", "2, 6"),
        ("reached([10, 20, 30], [1, 2, 6], 2)", "20"),
        ("known(reached([10, 20], [1, 2], 3))", "does not hold"),
        ("sums([1, 2, 6])", "1, 3, 9"),
        ("up_to([1, 2, 3], [4, 5, 6], 2)", "4, 5"),
        ("slope([0, 1, 2], [1, 1.5, 2])", "0.5"),
        ("known(slope([0, 1], [1, nothing]))", "does not hold"),
        ("averaged([[1, 2], [3, 6]])", "2, 4"),
        ("finite([1 / 0, 2, nothing])", "2"),
        ("thinned([1, 2, 3, 4, 5], 2)", "1, 3, 5"),
        ("first([5, 6, 7], 2)", "5, 6"),
        ("flat([[1, 2], [3]])", "1, 2, 3"),
        ("[i for i in indices([7, 8])]", "0, 1"),
        ("round(10 * half_width_of([1, 3]))", "127"),
        ("seeds_of([1])", "1 seed"),
        ("max(network * a for network)", "8"),
        ("all(network < 4 for network)", "does not hold"),
        ("all(n < 4 for n in [1, 2, 3])", "holds"),
        ("count(n < 3 for n in [1, 2, 3])", "2"),
        ("sum(n for n in [1, 2, 3] if n != 2)", "4"),
        ("here(network * a | network = 7)", "14"),
        ("here(here(network | network = 3) + network | network = 7)", "10"),
        ("'x {a} {network:.1}' for network", "x 2.00 1.0, x 2.00 4.0"),
        ("join('{network}' for network, ' / ')", "1 / 4"),
        ("'{'{a:raw}' if a > 1 else \"no\"}!'", "2!"),
        ("index(['p', 'q'], 'q')", "1"),
        ("pairs_in_order([1, 3, 2], [10, 20, 30])", "2"),
        ("join(descending(['p', 'q', 'r'], [1, 3, 2]), ' > ')", "q > r > p"),
        ("rising([1, 2, 3])", "holds"),
    ] {
        assert_eq!(found(formula).as_deref(), Ok(value), "{formula}");
    }
}

#[test]
fn what_was_not_measured_holds_nothing() {
    for formula in ["nothing < 1", "nothing >= 1", "nothing == nothing", "known(nothing)", "rising([1, nothing])"] {
        assert_eq!(found(formula).as_deref(), Ok("does not hold"), "{formula}");
    }
    assert_eq!(eval(&parse::formula("'{nothing}'").unwrap(), &Plain::default()), Ok(Value::Text("none".into())));
    assert_eq!(found("max([1, nothing])").as_deref(), Ok("1"), "the largest that was measured");
}

#[test]
fn texts_show_values_as_asked() {
    let shown = |source: &str| text(&parse::text(source).unwrap(), &Plain::default()).unwrap();
    assert_eq!(shown("a is {a}, {a:raw}, {a:.1} or {a:+.2}."), "a is 2.00, 2, 2.0 or +2.00.");
    assert_eq!(shown("it's \"so\""), "it's \"so\"");
}

#[test]
fn faults_say_what_was_expected_and_where() {
    for (formula, told) in [
        ("1 +", "expected a number, a text, a name or a bracket, found the end at character 4"),
        ("peak(a", "expected `,`, found the end at character 7"),
        ("peak(a | b > 4)", "expected `=`, found `>`"),
        ("a if b", "expected `else`, found the end"),
        ("'{a", "expected `:`, found the end"),
        ("'{a:x}'", "expected a format"),
        ("'abc", "expected `'`"),
        ("1 2", "expected the end of the formula, or an operator, found `2` at character 3"),
        ("b", "there is no `b`"),
        ("1 + 'x'", "expected a number, found a text"),
        ("a and true", "expected a name"),
        ("[1, 2] + [1]", "expected lists of one length, found 2 and 1 values"),
        ("[1] + 'x'", "expected a number, found a text"),
        ("since([1], 2, 3)", "expected a list, found a number"),
        ("all(a)", "expected a list, found a number"),
        ("max(1, 2)", "`max` takes 1 arguments, found 2"),
        ("fly(a)", "there is no function `fly`"),
        ("a for b", "there is no label `b`"),
        ("[1][3]", "no number 3"),
        ("index([1], 2)", "`2` is not in the list"),
    ] {
        let fault = found(formula).expect_err(formula);
        assert!(fault.contains(told), "{formula}: {fault}");
    }
}

#[test]
fn what_is_nested_without_end_is_refused() {
    for deep in ["(", "[", "-", "not ", "'{", "1 if 2 else ", "abs("] {
        let fault = found(&deep.repeat(20_000)).expect_err(deep);
        assert!(fault.contains("at most 60 brackets and signs within each other"), "{deep}: {fault}");
    }
}
