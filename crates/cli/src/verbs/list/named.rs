//! `tailback list NAME`: whatever has that name, a parameter, a kind, a column or a preset.

use tailback_results::schema::{COLUMNS, Column};
use tailback_spec::{Catalogue, Entry, Param, Preset, Section, nearest};

/// Something that has a name.
#[derive(Clone, Copy, Debug)]
pub enum Named<'c> {
    /// A parameter of a section, or of the kind beside it.
    Param(&'c Section, Option<&'c Entry>, &'c Param),
    /// A kind of a section.
    Kind(&'c Section, &'c Entry),
    /// A column of a record.
    Column(&'c Column),
    /// A preset.
    Preset(&'c Preset),
}

impl Named<'_> {
    /// Its name with the names of what it is in: `router.buffer_flits`, `admission.spth.margin_flits`, `latency_p99`.
    pub fn path(&self) -> String {
        match self {
            Named::Param(section, None, param) => format!("{}.{}", section.path, param.name),
            Named::Param(section, Some(entry), param) => format!("{}.{}.{}", section.path, entry.name, param.name),
            Named::Kind(section, entry) => format!("{}.{}", section.path, entry.name),
            Named::Column(column) => column.name.to_owned(),
            Named::Preset(preset) => preset.name.to_owned(),
        }
    }

    /// Whether it may be called so: by its whole path, by that without the kind as a spec has it, or by its last name alone.
    fn is_called(&self, name: &str) -> bool {
        let of_kind = |section: &Section, param: &Param| format!("{}.{}", section.path, param.name) == name;
        let bare = match self {
            Named::Param(section, entry, param) => (entry.is_some() && of_kind(section, param)) || param.name == name,
            Named::Kind(_, entry) => entry.name == name,
            Named::Column(_) | Named::Preset(_) => false,
        };
        bare || self.path() == name
    }
}

/// All that is called so.
pub fn called<'c>(catalogue: &'c Catalogue, name: &str) -> Vec<Named<'c>> {
    all(catalogue).filter(|named| named.is_called(name)).collect()
}

/// What may have been meant, the nearest first.
pub fn near(catalogue: &Catalogue, name: &str) -> Vec<String> {
    let sections = catalogue.sections.iter().map(|section| section.path.to_owned());
    let names: Vec<String> = sections.chain(all(catalogue).map(|named| named.path())).collect();
    nearest(name, names.iter().map(String::as_str), 3).into_iter().map(str::to_owned).collect()
}

fn all(catalogue: &Catalogue) -> impl Iterator<Item = Named<'_>> {
    let of_section = |section| of_section(section).into_iter();
    let presets = catalogue.presets.iter().map(Named::Preset);
    catalogue.sections.iter().flat_map(of_section).chain(COLUMNS.iter().map(Named::Column)).chain(presets)
}

fn of_section(section: &Section) -> Vec<Named<'_>> {
    let mut found: Vec<Named> = section.params.iter().map(|param| Named::Param(section, None, param)).collect();
    for entry in &section.entries {
        found.push(Named::Kind(section, entry));
        found.extend(entry.params.iter().map(|param| Named::Param(section, Some(entry), param)));
    }
    found
}
