//! From characters to formulas.

use super::expr::{Expr, Piece};

type Read<T> = Result<T, String>;

/// Reads a formula.
///
/// # Errors
/// What was expected, and where in the formula.
pub fn formula(text: &str) -> Read<Expr> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let expr = parser.expr()?;
    parser.space();
    if parser.at < text.len() { Err(parser.expected("the end of the formula, or an operator")) } else { Ok(expr) }
}

/// Reads a text.
///
/// # Errors
/// The errors of [`formula`], for a formula in braces.
pub fn text(text: &str) -> Read<Vec<Piece>> {
    Parser { text, at: 0, depth: 0 }.pieces(None)
}

const COMPARISONS: [&str; 7] = ["<=", ">=", "==", "!=", "<", ">", "in"];
const WORDS: [&str; 8] = ["for", "in", "if", "else", "and", "or", "not", "true"];

/// How deep brackets and signs may stand in each other.
const DEEPEST: u32 = 60;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expected(&self, what: &str) -> String {
        let found = self.rest().split_whitespace().next().map_or("the end".to_owned(), |word| format!("`{word}`"));
        format!(
            "expected {what}, found {found} at character {} of the formula",
            self.text[..self.at].chars().count() + 1
        )
    }

    /// Takes a sign.
    fn sign(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn need(&mut self, sign: &str) -> Read<()> {
        if self.sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Takes a word, whole.
    fn word(&mut self, word: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(word) && !self.rest()[word.len()..].starts_with(is_name);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn name(&mut self) -> Read<String> {
        self.space();
        let rest = self.rest();
        let length = rest.find(|c| !is_name(c) && c != '.').unwrap_or(rest.len());
        let name = rest[..length].trim_end_matches('.');
        if name.is_empty() || WORDS.contains(&name) {
            return Err(self.expected("a name"));
        }
        self.at += name.len();
        Ok(name.to_owned())
    }

    /// Reads a part within a part.
    fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(self.expected(&format!("at most {DEEPEST} brackets and signs within each other")));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn expr(&mut self) -> Read<Expr> {
        let mut body = self.within(Self::choice)?;
        while self.word("for") {
            let name = self.name()?;
            let list = if self.word("in") { Some(Box::new(self.either()?)) } else { None };
            let only = if self.word("if") { Some(Box::new(self.either()?)) } else { None };
            body = Expr::For { body: Box::new(body), name, list, only };
        }
        Ok(body)
    }

    fn choice(&mut self) -> Read<Expr> {
        let value = self.either()?;
        if !self.word("if") {
            return Ok(value);
        }
        let condition = self.either()?;
        if !self.word("else") {
            return Err(self.expected("`else`"));
        }
        Ok(Expr::If(Box::new(condition), Box::new(value), Box::new(self.within(Self::choice)?)))
    }

    fn either(&mut self) -> Read<Expr> {
        self.binary(&["or"], Self::both)
    }

    fn both(&mut self) -> Read<Expr> {
        self.binary(&["and"], Self::negated)
    }

    fn negated(&mut self) -> Read<Expr> {
        if self.word("not") { Ok(Expr::Not(Box::new(self.within(Self::negated)?))) } else { self.compared() }
    }

    fn compared(&mut self) -> Read<Expr> {
        let first = self.sum()?;
        let mut rest = Vec::new();
        while let Some(sign) = self.one_of(&COMPARISONS) {
            rest.push((sign, self.sum()?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Chain(Box::new(first), rest) })
    }

    fn sum(&mut self) -> Read<Expr> {
        self.binary(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Read<Expr> {
        self.binary(&["*", "/", "%"], Self::signed)
    }

    /// Values with signs or words of one rank between them, from the left.
    fn binary(&mut self, signs: &[&'static str], value: fn(&mut Self) -> Read<Expr>) -> Read<Expr> {
        let mut left = value(self)?;
        while let Some(sign) = self.one_of(signs) {
            left = Expr::Binary(sign, Box::new(left), Box::new(value(self)?));
        }
        Ok(left)
    }

    /// Takes one of these signs and words.
    fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let is_word = |sign: &str| sign.starts_with(char::is_alphabetic);
        signs.iter().copied().find(|sign| if is_word(sign) { self.word(sign) } else { self.sign(sign) })
    }

    fn signed(&mut self) -> Read<Expr> {
        if self.sign("-") { Ok(Expr::Minus(Box::new(self.within(Self::signed)?))) } else { self.element() }
    }

    fn element(&mut self) -> Read<Expr> {
        let mut value = self.single()?;
        while self.sign("[") {
            value = Expr::Element(Box::new(value), Box::new(self.expr()?));
            self.need("]")?;
        }
        Ok(value)
    }

    fn single(&mut self) -> Read<Expr> {
        self.space();
        match self.rest().chars().next() {
            Some('(') => self.bracketed(),
            Some('[') => self.list(),
            Some(quote @ ('\'' | '"')) => {
                self.at += 1;
                self.pieces(Some(quote)).map(Expr::Text)
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if is_name(c) => self.named(),
            _ => Err(self.expected("a number, a text, a name or a bracket")),
        }
    }

    fn bracketed(&mut self) -> Read<Expr> {
        self.need("(")?;
        let value = self.expr()?;
        self.need(")")?;
        Ok(value)
    }

    fn list(&mut self) -> Read<Expr> {
        self.need("[")?;
        let mut values = Vec::new();
        while !self.sign("]") {
            if !values.is_empty() {
                self.need(",")?;
            }
            values.push(self.expr()?);
        }
        // `[a for b]` is the list that `a for b` is.
        match values.as_mut_slice() {
            [Expr::For { .. }] => Ok(values.remove(0)),
            _ => Ok(Expr::List(values)),
        }
    }

    fn number(&mut self) -> Read<Expr> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(rest.len());
        let number = rest[..length].replace('_', "").parse().map_err(|_| self.expected("a number"))?;
        self.at += length;
        Ok(Expr::Number(number))
    }

    fn named(&mut self) -> Read<Expr> {
        let name = self.name()?;
        if !self.rest().starts_with('(') {
            return Ok(Expr::Name(name));
        }
        self.at += 1;
        let mut arguments = Vec::new();
        let mut given = Vec::new();
        while !self.sign(")") {
            if self.sign("|") {
                given = self.conditions()?;
                break;
            }
            if !arguments.is_empty() {
                self.need(",")?;
            }
            arguments.push(self.expr()?);
        }
        Ok(Expr::Call(name, arguments, given))
    }

    /// `label = value, label = value)`.
    fn conditions(&mut self) -> Read<Vec<(String, Expr)>> {
        let mut given = Vec::new();
        loop {
            let label = self.name()?;
            self.need("=")?;
            given.push((label, self.either()?));
            if self.sign(")") {
                return Ok(given);
            }
            self.need(",")?;
        }
    }

    /// The pieces of a text up to its quotation mark, or to the end.
    fn pieces(&mut self, quote: Option<char>) -> Read<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        loop {
            let Some(c) = self.rest().chars().next() else {
                return match quote {
                    Some(quote) => Err(self.expected(&format!("`{quote}`"))),
                    None => Ok(ended(pieces, plain)),
                };
            };
            self.at += c.len_utf8();
            if Some(c) == quote {
                return Ok(ended(pieces, plain));
            }
            if c != '{' {
                plain.push(c);
                continue;
            }
            pieces = ended(pieces, std::mem::take(&mut plain));
            let value = self.expr()?;
            pieces.push(Piece::Value(value, self.format()?));
        }
    }

    /// `}`, or `:FORMAT}`.
    fn format(&mut self) -> Read<Option<String>> {
        if self.sign("}") {
            return Ok(None);
        }
        self.need(":")?;
        let length = self.rest().find('}').ok_or_else(|| self.expected("`}`"))?;
        let format = self.rest()[..length].to_owned();
        let digits = format.trim_start_matches('+').strip_prefix('.').is_some_and(|d| d.parse::<usize>().is_ok());
        if !["raw", "short"].contains(&format.as_str()) && !digits {
            return Err(self.expected("a format, `raw`, `short` or one such as `.2` or `+.2`"));
        }
        self.at += length + 1;
        Ok(Some(format))
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn ended(mut pieces: Vec<Piece>, plain: String) -> Vec<Piece> {
    if !plain.is_empty() {
        pieces.push(Piece::Plain(plain));
    }
    pieces
}
