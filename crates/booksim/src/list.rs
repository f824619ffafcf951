//! Lists in strings, `{1,{2,3}}`, and strings with arguments, `islip(3)`.

/// The elements of a list; a string that is none is a list of one, and an empty one has none.
pub fn elements(text: &str) -> Vec<&str> {
    let Some(inside) = text.strip_prefix('{') else {
        return if text.is_empty() { Vec::new() } else { vec![text] };
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, sign) in inside.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                if at > start {
                    found.push(&inside[start..at]);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// The elements of a list of numbers. A word counts as 0.
pub fn numbers(text: &str) -> Vec<f64> {
    let numbers: Vec<f64> = elements(text).into_iter().map(counted).collect();
    if numbers.is_empty() { vec![0.0] } else { numbers }
}

/// The first element of a list of numbers, and of lists in it, that is a word.
pub fn word(text: &str) -> Option<&str> {
    elements(text).into_iter().find_map(|one| match one.starts_with('{') {
        true => word(one),
        false => leading(one).is_none().then_some(one),
    })
}

/// The number at the begin of a text.
fn leading(text: &str) -> Option<f64> {
    let number = |end: &usize| text[..*end].parse::<f64>().ok().filter(|value| value.is_finite());
    let ends = text.char_indices().map(|(at, sign)| at + sign.len_utf8()).take(32);
    ends.filter_map(|end| number(&end)).last()
}

/// The same, and 0 where there is none.
fn counted(text: &str) -> f64 {
    leading(text).unwrap_or(0.0)
}

/// A name and its arguments: `hotspot({1,2},{3,1})`. Arguments stand side by side or in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: Vec<&'a str>,
}

impl Call<'_> {
    /// Reads one. As in BookSim, several arguments need braces around them: of `f(1,2)` the argument is `1,2`, which counts as 1.
    pub fn of(text: &str) -> Call<'_> {
        let Some((name, rest)) = text.split_once('(') else { return Call { name: text, arguments: Vec::new() } };
        let inside = rest.rfind(')').map_or(rest, |end| &rest[..end]);
        Call { name, arguments: elements(inside) }
    }

    /// The whole number of an argument, if it is there.
    pub fn int(&self, argument: usize) -> Option<i64> {
        self.arguments.get(argument).map(|text| counted(text) as i64)
    }
}

/// That braces and brackets close.
pub fn check(text: &str) -> Result<(), &'static str> {
    let mut open = Vec::new();
    for sign in text.chars() {
        match sign {
            '{' | '(' => open.push(sign),
            '}' if open.pop() != Some('{') => return Err("a `}` closes nothing"),
            ')' if open.pop() != Some('(') => return Err("a `)` closes nothing"),
            _ => {}
        }
    }
    match open.last() {
        Some('{') => Err("a `{` is not closed"),
        Some(_) => Err("a `(` is not closed"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_nested() {
        assert_eq!(elements("{{1,5},2}"), ["{1,5}", "2"]);
        assert_eq!(elements("{0.1,0.2}"), ["0.1", "0.2"]);
        assert_eq!(elements("x{1}"), ["x{1}"]);
        assert_eq!(elements(""), Vec::<&str>::new());
        assert_eq!(elements("{}"), Vec::<&str>::new());
        assert_eq!(numbers("{1,2.5,x,3y}"), [1.0, 2.5, 0.0, 3.0]);
        assert_eq!((numbers("time"), numbers("{}")), (vec![0.0], vec![0.0]));
    }

    #[test]
    fn words_are_found() {
        assert_eq!(
            (word("time"), word("{1,{2,nan},x}"), word("{1,3y}"), word("0.5")),
            (Some("time"), Some("nan"), None, None)
        );
    }

    #[test]
    fn calls_have_arguments() {
        let call = |text| {
            let call = Call::of(text);
            (call.name, call.arguments)
        };
        assert_eq!(call("islip(3)"), ("islip", vec!["3"]));
        assert_eq!(call("uniform"), ("uniform", vec![]));
        assert_eq!(call("hotspot({{8,12},{1,2}})"), ("hotspot", vec!["{8,12}", "{1,2}"]));
        assert_eq!(call("hotspot({8,12})"), ("hotspot", vec!["8", "12"]));
        assert_eq!(Call::of("randperm(7)").int(0), Some(7));
        assert_eq!((Call::of("f(").arguments, Call::of("f(x)").int(0)), (vec![], Some(0)));
    }

    #[test]
    fn what_is_open_is_closed() {
        assert!(["{1,{2,3}}", "islip(3)", "hotspot({{1},{2}})", "-", "a/b.m"].iter().all(|text| check(text).is_ok()));
        assert!(["{1", "f(", "f)", "}", "{(})"].iter().all(|text| check(text).is_err()));
    }
}
