//! Figure 8: occupation and utilisation of every virtual channel at load 1.0, 32x32.

use super::fig5::measure;
use super::specs::FIG8;
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::Part;

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = measure(lab, "fig8", &FIG8)?;
    if lab.quick() {
        part.notes.push("This form's network is 16x16.".to_owned());
    }
    Ok(part)
}
