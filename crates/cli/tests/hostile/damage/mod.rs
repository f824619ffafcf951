//! Ways to damage inputs.

pub mod bytes;
pub mod json;
pub mod table;
pub mod text;

use crate::stock::Stock;
use fastrand::Rng;
use tailback_spec::Kind;

/// One of several.
pub fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.usize(..from.len())]
}

/// Whole numbers at which something ends.
pub const WHOLE: [i64; 30] = [
    0,
    -1,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    15,
    16,
    17,
    31,
    32,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    2_147_483_647,
    2_147_483_648,
    4_294_967_296,
    1_000_000_000_000,
    i64::MAX,
    i64::MIN,
];

/// Numbers that are not whole, or hardly numbers.
pub const NUMBERS: [f64; 14] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    1.000_000_1,
    -1.0,
    1e-9,
    5e-324,
    1e17,
    1e308,
    1.797_693_134_862_315_7e308,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Texts that hurt terminals, names of files, and programs.
pub const TEXTS: [&str; 22] = [
    "",
    " ",
    "infinite",
    "auto",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}2J",
    "\u{0}",
    "\u{202e}drawkcab",
    "\u{feff}",
    "a\r\nb",
    "\u{7f}",
    "n\u{303}\u{303}\u{303}",
    "\u{1f469}\u{200d}\u{1f4bb}",
    "../../..",
    "/dev/zero",
    "{cycle}",
    "{point}",
    "<script>alert(1)</script>",
    "%s%n",
    "-1",
    "'; --",
];

/// TOML that is a whole value, or looks like one.
const VALUES: [&str; 48] = [
    "[]",
    "{}",
    "[[]]",
    "[1]",
    "[1, 2, 3]",
    "[2, 2, 2, 2, 2, 2]",
    "[1073741824]",
    "[65535, 65535, 65535]",
    "[1024, 1024]",
    "[0]",
    "[-1, 4]",
    "[1.5]",
    "[true]",
    "[[1, 2], [3]]",
    "[4, 4]",
    "[3, 5]",
    "true",
    "false",
    "1979-05-27",
    "1979-05-27T07:32:00Z",
    "07:32:00",
    "0x7fffffffffffffff",
    "0b1",
    "0o7",
    "1_000",
    "1__0",
    "+1",
    "1e400",
    "-1e400",
    "99999999999999999999",
    "''",
    "\"",
    "'''",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "{ kind = 'nonesuch' }",
    "{ kind = 1 }",
    "{ kind = [] }",
    "{ from = 0.0, to = 1.0, step = 1e-9 }",
    "{ from = 0, to = 1, step = 0 }",
    "{ from = 0.1, to = 0.2, step = -1 }",
    "{ from = nan, to = inf, step = nan }",
    "{ from = 1, to = 9223372036854775807, step = 1 }",
    "{ from = 0.1, to = 0.2, count = 3 }",
    "{ from = 0.0, to = 1.0, count = 1000000000000 }",
    "[{}]",
    "[{ kind = 'off' }, 'off']",
    "1.7976931348623157e308",
];

/// A value as a spec may write it.
pub fn value(stock: &Stock, rng: &mut Rng) -> String {
    match rng.u8(..16) {
        0..5 => pick(rng, &WHOLE).to_string(),
        5..7 => format!("{:?}", pick(rng, &NUMBERS)).to_lowercase(),
        7..9 => format!("'{}'", pick(rng, &stock.words)),
        9 => format!("\"{}\"", pick(rng, &TEXTS)),
        10 => {
            format!("{{ kind = '{}', {} = {} }}", pick(rng, &stock.words), pick(rng, &stock.words), pick(rng, &WHOLE))
        }
        11 => {
            format!("[{}]", (0..rng.usize(..9)).map(|_| pick(rng, &WHOLE).to_string()).collect::<Vec<_>>().join(", "))
        }
        12 if rng.u8(..8) == 0 => nested(rng),
        _ => (*pick(rng, &VALUES)).to_owned(),
    }
}

/// A parameter and a value that its section may have, as arguments of `--set`: what is wrong with it, if anything, is how it
/// goes with others.
pub fn fitting(stock: &Stock, rng: &mut Rng) -> Vec<(String, String)> {
    let param = pick(rng, &stock.fitting);
    let at = |key: &str| format!("{}.{key}", param.section).trim_start_matches('.').to_owned();
    let fits = fit(param.value, stock, rng);
    let kind = param.of_kind.filter(|_| rng.u8(..4) > 0).map(|kind| (at("kind"), format!("'{kind}'")));
    kind.into_iter().chain([(at(param.name), fits)]).collect()
}

/// A value of this kind.
pub fn fit(kind: Kind, stock: &Stock, rng: &mut Rng) -> String {
    let whole = |min: i64, max: i64, rng: &mut Rng| match rng.u8(..6) {
        0 => min,
        1 => max,
        2 => (*pick(rng, &WHOLE)).clamp(min, max),
        _ => min.saturating_add(rng.i64(..12)).clamp(min, max),
    };
    match kind {
        Kind::Bool => rng.bool().to_string(),
        Kind::Integer { min, max } => whole(min, max, rng).to_string(),
        Kind::IntegerOrInfinite { .. } if rng.u8(..4) == 0 => "'infinite'".to_owned(),
        Kind::IntegerOrAuto { .. } if rng.u8(..4) == 0 => "'auto'".to_owned(),
        Kind::IntegerOrInfinite { min, max } | Kind::IntegerOrAuto { min, max } => whole(min, max, rng).to_string(),
        Kind::Float { min, max } => match rng.u8(..4) {
            0 => format!("{min:?}"),
            1 => format!("{max:?}"),
            _ => format!("{:?}", (min + rng.f64() * 2.0).min(max)),
        },
        Kind::Choice(choices) => format!("'{}'", pick(rng, choices).0),
        Kind::Integers { min, max, min_len, max_len } => {
            let length = (min_len + rng.usize(..4)).min(max_len);
            format!("[{}]", (0..length).map(|_| whole(min, max, rng).to_string()).collect::<Vec<_>>().join(", "))
        }
        Kind::Floats { min, max, min_len, max_len } => {
            let length = (min_len + rng.usize(..4)).min(max_len);
            let one = |rng: &mut Rng| format!("{:?}", (min + rng.f64()).min(max));
            format!("[{}]", (0..length).map(|_| one(rng)).collect::<Vec<_>>().join(", "))
        }
        Kind::Rows { .. } => "[[]]".to_owned(),
        Kind::Text => format!("\"{}\"", pick(rng, &TEXTS).escape_default()),
        Kind::Path => "'table.txt'".to_owned(),
        Kind::Component(_) => format!("'{}'", pick(rng, &stock.kinds)),
        Kind::Tables(_) => "[]".to_owned(),
        Kind::Settings => "{ 'traffic.load' = 0.2 }".to_owned(),
    }
}

/// Deep, or long.
fn nested(rng: &mut Rng) -> String {
    let depth = [10, 33, 1000, 100_000][rng.usize(..4)];
    match rng.u8(..3) {
        0 => format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
        1 => format!("{}1{}", "{a = ".repeat(depth), "}".repeat(depth)),
        _ => format!("'{}'", "x".repeat(depth)),
    }
}

/// A dotted path of a parameter, or what looks like one.
pub fn path(stock: &Stock, rng: &mut Rng) -> String {
    match rng.u8(..12) {
        0 => (*pick(rng, &TEXTS)).to_owned(),
        1 => format!("{}.{}", pick(rng, &stock.paths), pick(rng, &stock.words)),
        2 => format!("sweep.\"{}\"", pick(rng, &stock.paths)),
        3 => format!("{}[{}]", pick(rng, &stock.paths), pick(rng, &WHOLE)),
        4 => pick(rng, &stock.words).clone(),
        _ => pick(rng, &stock.paths).clone(),
    }
}

/// A path that leads somewhere odd; see [`crate::files::Odd`] for what lies in the folder.
pub fn file(rng: &mut Rng) -> String {
    let long = "x".repeat(5000);
    let places = [
        "/dev/zero",
        "/dev/full",
        "/dev/null",
        "/dev/urandom",
        "/dev/stdin",
        "/dev/tty",
        "/dev/fd/0",
        "/proc/self/mem",
        "/proc/self/maps",
        "/proc/self/environ",
        "/proc/self/exe",
        "/proc/kmsg",
        "/proc/self/fd",
        "/etc/passwd",
        "/etc/shadow",
        "/",
        ".",
        "..",
        "",
        " ",
        "-",
        "--",
        "fifo",
        "loop",
        "dangling",
        "link.toml",
        "outside",
        "empty",
        "folder.toml",
        "spec.toml",
        "table.txt",
        "spec.toml/",
        "spec.toml/x",
        "nowhere/x",
        "/nowhere",
        "new",
        "new.svg",
        "\u{1b}[31m",
        "a\nb",
        "\u{202e}x",
        &long,
    ];
    (*pick(rng, &places)).to_owned()
}
