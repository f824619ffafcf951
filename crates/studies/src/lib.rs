//! Published papers as executable studies.
