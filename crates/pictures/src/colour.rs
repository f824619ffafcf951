//! Palettes: Okabe-Ito for series, viridis for values, also Okabe-Ito for virtual channels.

/// Red, green, blue, 0 to 255 each.
pub(crate) type Rgb = [u8; 3];

/// Okabe-Ito palette, told apart with any colour vision; yellow, weak on white, comes last.
pub(crate) const SERIES: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"];

/// Those of Okabe and Ito, too: vermilion, blue and green differ in lightness as well.
const VIRTUAL_CHANNELS: [Rgb; 8] = [
    [213, 94, 0],
    [0, 114, 178],
    [0, 158, 115],
    [240, 228, 66],
    [204, 121, 167],
    [86, 180, 233],
    [230, 159, 0],
    [90, 90, 90],
];

pub(crate) const VIRIDIS: [Rgb; 10] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x28, 0x78],
    [0x3e, 0x49, 0x89],
    [0x31, 0x68, 0x8e],
    [0x26, 0x82, 0x8e],
    [0x1f, 0x9e, 0x89],
    [0x35, 0xb7, 0x79],
    [0x6d, 0xcd, 0x59],
    [0xb4, 0xde, 0x2c],
    [0xfd, 0xe7, 0x25],
];

/// Colour of no data.
pub(crate) const MISSING: Rgb = [225, 225, 225];

pub(crate) fn hex(rgb: Rgb) -> String {
    format!("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2])
}

/// Viridis at `at` in 0..=1; beyond it the nearest end; grey for what is not a number.
pub(crate) fn viridis(at: f64) -> Rgb {
    if at.is_nan() {
        return MISSING;
    }
    let place = at.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - low as f64;
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(VIRIDIS[low][i]), f64::from(VIRIDIS[low + 1][i]));
        (a + (b - a) * part).round() as u8
    })
}

/// Colour of a set of virtual channels (bit i: channel i): the mean of their colours, none for the empty set.
pub(crate) fn virtual_channels(mask: u32) -> Option<Rgb> {
    let members = (0..32).filter(|i| mask >> i & 1 == 1).map(|i| VIRTUAL_CHANNELS[i % VIRTUAL_CHANNELS.len()]);
    mean(members)
}

/// Mean of colours, none of none.
pub(crate) fn mean(colours: impl IntoIterator<Item = Rgb>) -> Option<Rgb> {
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for colour in colours {
        count += 1;
        for (total, part) in sum.iter_mut().zip(colour) {
            *total += u64::from(part);
        }
    }
    (count > 0).then(|| sum.map(|s| ((s + count / 2) / count) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_meets_its_ends_and_survives_bad_values() {
        assert_eq!(hex(viridis(0.0)), "#440154");
        assert_eq!(hex(viridis(1.0)), "#fde725");
        assert_eq!((viridis(-5.0), viridis(f64::INFINITY)), (viridis(0.0), viridis(1.0)));
        assert_eq!(viridis(f64::NAN), MISSING);
    }

    #[test]
    fn first_channels_are_vermilion_blue_green_and_sets_are_distinct() {
        let dominant = |mask| {
            let c = virtual_channels(mask).expect("not empty");
            c.iter().enumerate().max_by_key(|(_, v)| **v).map(|(i, _)| i)
        };
        assert_eq!([dominant(1), dominant(2), dominant(4)], [Some(0), Some(2), Some(1)]);
        assert_eq!(virtual_channels(0), None);
        let all: std::collections::BTreeSet<_> = (1..8).map(virtual_channels).collect();
        assert_eq!(all.len(), 7);
        assert!(virtual_channels(u32::MAX).is_some());
    }
}
