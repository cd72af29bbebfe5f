//! Places that jumps go to, known before or after the jump.

use super::op::Op;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(usize);

#[derive(Debug, Default)]
pub struct Labels {
    places: Vec<u32>,
    /// Jumps, each with the label it goes to.
    jumps: Vec<(usize, Label)>,
}

impl Labels {
    pub fn make(&mut self) -> Label {
        self.places.push(u32::MAX);
        Label(self.places.len() - 1)
    }

    pub fn place(&mut self, label: Label, at: u32) {
        self.places[label.0] = at;
    }

    /// How many operations before this one a label stands that is known, where that is a short way.
    pub fn since(&self, label: Label, here: usize) -> Option<u16> {
        u16::try_from(here.checked_sub(self.places[label.0] as usize)?).ok()
    }

    /// The operation at `jump` goes to the label.
    pub fn refer(&mut self, jump: usize, label: Label) {
        self.jumps.push((jump, label));
    }

    /// Gives all jumps their targets.
    pub fn resolve(&self, ops: &mut [Op]) {
        for (at, label) in &self.jumps {
            let target = self.places[label.0];
            match &mut ops[*at] {
                Op::Jump { to }
                | Op::JumpBack { to }
                | Op::JumpIf { to, .. }
                | Op::JumpIfNot { to, .. } => *to = target,
                _ => {}
            }
        }
    }
}
