//! Who watches; free when absent.
