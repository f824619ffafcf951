//! What formulas and texts are made of.

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A text with formulas in braces.
    Text(Vec<Piece>),
    /// A label, a definition, a column of the record, or the path of a setting.
    Name(String),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `list[i]`.
    Element(Box<Expr>, Box<Expr>),
    /// `-a`.
    Minus(Box<Expr>),
    /// `not a`.
    Not(Box<Expr>),
    /// Two values and a sign or word between them.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `a <= b < c`.
    Chain(Box<Expr>, Vec<(&'static str, Expr)>),
    /// `a if b else c`: the condition, what holds if, what else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `name(arguments | label = value)`.
    Call(String, Vec<Expr>, Vec<(String, Expr)>),
    /// `body for name in list if condition`; without a list, over the values of the label.
    For { body: Box<Expr>, name: String, list: Option<Box<Expr>>, only: Option<Box<Expr>> },
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text that is shown as it is.
    Plain(String),
    /// A value, and how it is shown.
    Value(Expr, Option<String>),
}
