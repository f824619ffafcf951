//! The small class of a link that routing reads.

use std::fmt;

/// What routing knows of a link, in the direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// Nothing.
    Any,
    /// Within a group.
    Local,
    /// From group to group.
    Global,
    /// Towards the roots of a tree.
    Up,
    /// Towards the leaves of a tree.
    Down,
    /// Towards higher coordinates of a dimension.
    Higher(u8),
    /// Towards lower coordinates of a dimension.
    Lower(u8),
    /// To any coordinate of a dimension.
    Across(u8),
}

impl LinkKind {
    /// The kind of the link at `port` of a grid's router.
    pub fn of_grid(port: usize) -> LinkKind {
        let dimension = (port / 2) as u8;
        if port.is_multiple_of(2) { LinkKind::Higher(dimension) } else { LinkKind::Lower(dimension) }
    }

    /// The kind of the same link in the other direction.
    #[must_use]
    pub fn back(self) -> LinkKind {
        match self {
            LinkKind::Up => LinkKind::Down,
            LinkKind::Down => LinkKind::Up,
            LinkKind::Higher(d) => LinkKind::Lower(d),
            LinkKind::Lower(d) => LinkKind::Higher(d),
            same => same,
        }
    }

    /// The kind that files call so.
    pub fn parse(word: &str) -> Option<LinkKind> {
        let dimension = |digits: &str| digits.parse::<u8>().ok().filter(|d| d.to_string() == digits);
        Some(match word {
            "any" => LinkKind::Any,
            "local" => LinkKind::Local,
            "global" => LinkKind::Global,
            "up" => LinkKind::Up,
            "down" => LinkKind::Down,
            _ if word.starts_with("higher") => LinkKind::Higher(dimension(&word[6..])?),
            _ if word.starts_with("lower") => LinkKind::Lower(dimension(&word[5..])?),
            _ if word.starts_with("across") => LinkKind::Across(dimension(&word[6..])?),
            _ => return None,
        })
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkKind::Any => f.write_str("any"),
            LinkKind::Local => f.write_str("local"),
            LinkKind::Global => f.write_str("global"),
            LinkKind::Up => f.write_str("up"),
            LinkKind::Down => f.write_str("down"),
            LinkKind::Higher(d) => write!(f, "higher{d}"),
            LinkKind::Lower(d) => write!(f, "lower{d}"),
            LinkKind::Across(d) => write!(f, "across{d}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LinkKind::{self, *};

    #[test]
    fn words_are_read_as_they_are_written() {
        for kind in [Any, Local, Global, Up, Down, Higher(0), Lower(5), Across(255)] {
            assert_eq!(LinkKind::parse(&kind.to_string()), Some(kind));
            assert_eq!(kind.back().back(), kind);
        }
        for word in ["", "higher", "higher-1", "higher01", "lower256", "sideways", "across 1"] {
            assert_eq!(LinkKind::parse(word), None, "{word}");
        }
    }
}
