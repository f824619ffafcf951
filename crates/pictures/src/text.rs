//! Estimates the width of text, so that a layout needs no font engine.

/// Advance widths of Noto Sans from U+0020 to U+007E, in thousandths of the font size. Noto is wider than the sans
/// fonts that browsers substitute, so a layout made for it has room for those as well.
const WIDTHS: [u16; 95] = [
    260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572, 572, 572, 572, 572,
    572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556, 519, 728, 741, 339, 273, 619, 524, 907,
    760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586, 566, 572, 329, 372, 329, 572, 444, 580, 561, 615, 480, 615,
    564, 344, 615, 618, 258, 258, 534, 258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380,
    551, 380, 572,
];

fn char_width(c: char) -> f64 {
    let code = c as u32;
    let thousandths = match code {
        32..=126 => WIDTHS[(code - 32) as usize],
        0x2070..=0x207F | 0xB9 | 0xB2 | 0xB3 => 430,
        0..=0x2000 => 620,
        _ => 1000,
    };
    f64::from(thousandths) / 1000.0
}

/// Width in pixels of `text` set at `size` pixels (regular weight).
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * size
}

/// `text`, cut with an ellipsis where it would be wider than `max` pixels at `size` pixels.
pub(crate) fn fit(text: &str, size: f64, max: f64) -> String {
    let mut used = 0.0;
    let ellipsis = char_width('…') * size;
    let mut safe_end = 0;
    for (at, c) in text.char_indices() {
        let next = used + char_width(c) * size;
        if next > max {
            return format!("{}…", text[..safe_end].trim_end());
        }
        used = next;
        if used + ellipsis <= max {
            safe_end = at + c.len_utf8();
        }
    }
    text.to_owned()
}

/// Widest of `texts` in pixels at `size` pixels; 0 for none.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    texts.into_iter().map(|t| width(t, size)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_kept_and_long_text_is_cut_to_the_width() {
        assert_eq!(fit("load", 12.0, 100.0), "load");
        let cut = fit(&"load ".repeat(1000), 12.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 100.0 && cut.len() > 10, "{cut}");
        assert_eq!(fit("wide", 12.0, 0.0), "…");
    }

    #[test]
    fn multi_byte_text_is_cut_between_characters() {
        let cut = fit("ééééééééé漢字漢字", 10.0, 40.0);
        assert!(cut.starts_with('é') && cut.ends_with('…'));
    }
}
