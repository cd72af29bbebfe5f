//! The subscripts of an Einstein sum.

use super::{Error, Tensor};

/// Labels of every axis: letters, and numbers above all letters for the axes of `...`, counted
/// from the last.
#[derive(Debug)]
pub(super) struct Spec {
    pub inputs: Vec<Vec<u32>>,
    pub output: Vec<u32>,
    /// How long each label's axis is, once lengths of one have been broadcast.
    pub extents: Vec<(u32, usize)>,
}

/// Labels of ellipsis axes begin here, above every character.
const ELLIPSIS: u32 = 0x11_0000;

impl Spec {
    /// # Errors
    /// ValueError where the subscripts are malformed or do not fit the operands.
    pub fn parse(subscripts: &str, operands: &[Tensor]) -> Result<Spec, Error> {
        let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
        let (inputs, output) = match text.split_once("->") {
            Some((inputs, output)) => (inputs, Some(output)),
            None => (text.as_str(), None),
        };
        let terms: Vec<&str> = inputs.split(',').collect();
        if terms.len() != operands.len() {
            return Err(Error::shape_error(format!(
                "einsum: the subscripts name {} operands, found {}",
                terms.len(),
                operands.len(),
            )));
        }
        let widest = terms.iter().zip(operands).map(|(term, operand)| {
            if term.contains("...") { (operand.rank() + 3).saturating_sub(term.len()) } else { 0 }
        });
        let widest = widest.max().unwrap_or(0);
        let mut inputs = Vec::new();
        for (term, operand) in terms.iter().zip(operands) {
            let hidden = (operand.rank() + 3).saturating_sub(term.len());
            let labels = labels_of(term, hidden)?;
            if labels.len() != operand.rank() {
                return Err(Error::shape_error(format!(
                    "einsum: operand has {} axes, but the subscript `{term}` has {}",
                    operand.rank(),
                    labels.len(),
                )));
            }
            inputs.push(labels);
        }
        let output = match output {
            Some(output) => labels_of(output, widest)?,
            None => implicit_output(&inputs),
        };
        let mut spec = Spec { inputs, output, extents: Vec::new() };
        spec.extents = spec.check(operands)?;
        Ok(spec)
    }

    /// Whether labels and operands fit; gives how long each label's axis is.
    fn check(&self, operands: &[Tensor]) -> Result<Vec<(u32, usize)>, Error> {
        for (at, label) in self.output.iter().enumerate() {
            if self.output[..at].contains(label) {
                return Err(Error::shape_error(format!(
                    "einsum: the output subscript includes `{}` more than once",
                    name(*label)
                )));
            }
            if !self.inputs.iter().any(|labels| labels.contains(label)) {
                return Err(Error::shape_error(format!(
                    "einsum: the output subscript `{}` is in no input",
                    name(*label)
                )));
            }
        }
        for (labels, operand) in self.inputs.iter().zip(operands) {
            for (at, label) in labels.iter().enumerate() {
                let first = labels.iter().position(|known| known == label).unwrap_or(at);
                let (known, extent) = (operand.shape()[first], operand.shape()[at]);
                if known != extent {
                    return Err(Error::shape_error(format!(
                        "einsum: dimensions in a single operand for subscript `{}` don't match ({known} != {extent})",
                        name(*label)
                    )));
                }
            }
        }
        // Between operands a length of one broadcasts.
        let mut extents: Vec<(u32, usize)> = Vec::new();
        for (labels, operand) in self.inputs.iter().zip(operands) {
            for (label, extent) in labels.iter().zip(operand.shape().iter()) {
                match extents.iter_mut().find(|(known, _)| known == label) {
                    None => extents.push((*label, *extent)),
                    Some((_, known)) if *known == *extent || *extent == 1 => {}
                    Some((_, known)) if *known == 1 => *known = *extent,
                    Some((_, known)) => {
                        return Err(Error::shape_error(format!(
                            "einsum: dimensions {known} and {extent} of subscript `{}` differ",
                            name(*label)
                        )));
                    }
                }
            }
        }
        Ok(extents)
    }
}

/// `hidden` axes stand behind the ellipsis.
fn labels_of(term: &str, hidden: usize) -> Result<Vec<u32>, Error> {
    let mut labels = Vec::new();
    let mut rest = term;
    let mut had_ellipsis = false;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            if had_ellipsis {
                return Err(Error::shape_error("einsum: a subscript has at most one `...`"));
            }
            had_ellipsis = true;
            labels.extend((0..hidden as u32).rev().map(|at| ELLIPSIS + at));
            rest = after;
        } else if c.is_ascii_alphabetic() {
            labels.push(c as u32);
            rest = &rest[1..];
        } else {
            return Err(Error::shape_error(format!(
                "einsum: invalid subscript `{c}`, expected a letter"
            )));
        }
    }
    Ok(labels)
}

/// The ellipsis first, then the letters that occur once, in order.
fn implicit_output(inputs: &[Vec<u32>]) -> Vec<u32> {
    let mut all: Vec<u32> = inputs.iter().flatten().copied().collect();
    all.sort_unstable();
    let once = |label: &u32| all.iter().filter(|known| *known == label).count() == 1;
    let mut letters: Vec<u32> =
        all.iter().copied().filter(|label| *label < ELLIPSIS).filter(once).collect();
    letters.dedup();
    let mut hidden: Vec<u32> = all.iter().copied().filter(|label| *label >= ELLIPSIS).collect();
    hidden.dedup();
    hidden.reverse();
    hidden.extend(letters);
    hidden
}

fn name(label: u32) -> String {
    char::from_u32(label).map_or_else(|| "...".to_string(), String::from)
}
