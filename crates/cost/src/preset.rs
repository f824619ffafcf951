//! The paper's routers as the simulator sees them: sections of a spec.

use crate::designs::Family;

/// A router of the paper as defaults of a spec. Cycles and buffers; the network and its traffic are the spec's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The word for it: the design and its dimensions.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The design.
    pub family: Family,
    /// Dimensions of the torus that its times are for.
    pub dimensions: u32,
    /// Paper and section.
    pub paper: &'static str,
    /// Sections of a spec, as TOML.
    pub toml: &'static str,
}

macro_rules! preset {
    ($family:ident, $dimensions:literal, $name:literal, $summary:literal) => {
        Preset {
            name: $name,
            summary: $summary,
            family: Family::$family,
            dimensions: $dimensions,
            paper: "bubble-1999 sections 3 and 4.1",
            toml: include_str!(concat!("presets/", $name, ".toml")),
        }
    };
}

/// The paper's four routers, in 2-D and in 3-D.
pub static PRESETS: [Preset; 8] = [
    preset!(
        BubbleDor,
        2,
        "bubble_dor_2d",
        "cut-through, dimension order with bubbles, one queue of 128 phits per link"
    ),
    preset!(VcDor, 2, "vc_dor_2d", "wormhole, dimension order with datelines, two channels of 64 flits per link"),
    preset!(VcAdaptive, 2, "vc_adaptive_2d", "wormhole, adaptive with an escape pair, three channels per link"),
    preset!(
        BubbleAdaptive,
        2,
        "bubble_adaptive_2d",
        "cut-through, adaptive with an escape queue, two of 64 phits per link"
    ),
    preset!(BubbleDor, 3, "bubble_dor_3d", "the same for three dimensions"),
    preset!(VcDor, 3, "vc_dor_3d", "the same for three dimensions"),
    preset!(VcAdaptive, 3, "vc_adaptive_3d", "the same for three dimensions"),
    preset!(BubbleAdaptive, 3, "bubble_adaptive_3d", "the same for three dimensions: five cycles per router"),
];

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Variant, price};

    /// A number of a preset. Its lines are `key = number  # comment`.
    fn number(preset: &Preset, key: &str) -> Option<f64> {
        let lines = preset.toml.lines().filter_map(|line| line.split_once('='));
        let value = lines.filter(|(name, _)| name.trim() == key).map(|(_, value)| value).next()?;
        value.split('#').next()?.trim().parse().ok()
    }

    #[test]
    fn presets_have_the_times_of_the_price() {
        for preset in &PRESETS {
            assert_eq!(preset.name, format!("{}_{}d", preset.family.name(), preset.dimensions));
            let cost = price(Variant::of(preset.family, preset.dimensions)).unwrap();
            let get = |key: &str| number(preset, key);
            assert_eq!(get("cycle_ns"), Some(cost.cycle_ns.number), "{}", preset.name);
            assert_eq!(get("virtual_channels"), Some(cost.queues.len() as f64), "{}", preset.name);
            assert_eq!(get("link_cycles"), Some(1.0));
            let hop = |keys: &[&str]| keys.iter().map(|key| get(key).unwrap_or_else(|| panic!("{key}"))).sum::<f64>();
            let (least, most) = cost.cycles;
            if preset.family.crossbar_by_channel() {
                let keys = ["routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles", "crossbar_cycles"];
                assert_eq!(hop(&keys) + 1.0, f64::from(least), "{}", preset.name);
            } else {
                assert_eq!(hop(&["header_cycles", "link_cycles"]), f64::from(least), "{}", preset.name);
                assert_eq!(get("turn_cycles").unwrap_or(0.0), f64::from(most - least), "{}", preset.name);
                // The tail leaves the last router a cycle behind the crossbar; the decision for consumption is as long as a turn.
                assert_eq!(get("consumption_cycles"), Some(f64::from(1 + most - least)), "{}", preset.name);
            }
        }
        assert!(preset("vc_dor_3d").is_some() && preset("vc_dor").is_none());
    }
}
