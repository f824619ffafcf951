//! Networks of all families: what `tailback topology` takes of each.

use std::sync::LazyLock;
use tailback_network::family;
use tailback_sim::catalogue;
use tailback_spec::Catalogue;

static WIDE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut wide = catalogue().clone();
    wide.sections.retain(|section| section.path != "topology");
    wide.sections.insert(0, family::section());
    wide
});

/// All that a spec may say, with as many nodes at the routers of a grid as at those of other networks.
pub fn every_family() -> &'static Catalogue {
    &WIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wide_catalogue_is_sound() {
        assert_eq!(tailback_spec::problems(every_family()), Vec::<String>::new());
    }
}
