//! Numbers in the sentences.

/// A share in percent: `62 %`, `less than 1 %`, `0 %`.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 1.0 => "less than 1 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// A load \[flits/node/cycle\]: `0.275`.
pub fn load(value: f64) -> String {
    if value > 0.0 && value < 0.01 { format!("{value:.5}") } else { format!("{value:.3}") }
}

/// A whole number with its thousands apart: `12,345`.
pub fn whole(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = std::iter::once(head).filter(|head| !head.is_empty());
    let tail: Vec<&str> = (0..tail.len() / 3).map(|at| &tail[3 * at..3 * at + 3]).collect();
    groups.chain(tail).collect::<Vec<&str>>().join(",")
}

/// A mean: `1,604`, `28.4`.
pub fn mean(value: f64) -> String {
    if value >= 100.0 { whole(value.round() as u64) } else { format!("{value:.1}") }
}

/// `1 link`, `2 links`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", whole(number), if number == 1 { "" } else { "s" })
}

/// Words as a list: `a`, `a and b`, `a, b and c`.
pub fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 0.004, 0.6249, 1.0].map(percent), ["0 %", "less than 1 %", "62 %", "100 %"]);
        assert_eq!([0.0, 0.00123, 0.27531].map(load), ["0.000", "0.00123", "0.275"]);
        assert_eq!([0, 999, 1000, 12_345_678].map(whole), ["0", "999", "1,000", "12,345,678"]);
        assert_eq!([28.44, 1604.4].map(mean), ["28.4", "1,604"]);
        assert_eq!((count(1, "link"), count(2000, "link")), ("1 link".to_owned(), "2,000 links".to_owned()));
        let words = |n: usize| list(&["a", "b", "c"][..n].iter().map(|s| (*s).to_owned()).collect::<Vec<String>>());
        assert_eq!([0, 1, 2, 3].map(words), ["", "a", "a and b", "a, b and c"]);
    }
}
