//! The registers of the running frame, as the loop over what is frequent sees them.

use crate::interp::compile::Reg;
use crate::interp::value::Value;

/// The registers of a frame that this loop runs on without asking whether there are as many: all that a
/// byte can name. A frame with more goes by a slice.
pub(super) const WINDOW: usize = 256;

/// The registers of a frame.
pub(super) trait Registers {
    /// Whether these, of the machine, are enough for a frame with `count` of them.
    fn has_room(registers: &[Value], count: usize) -> bool;
    /// The first of those, where they are enough.
    fn of(registers: &mut [Value]) -> &mut Self;
    fn get(&self, register: Reg) -> &Value;
    fn at(&mut self, register: Reg) -> &mut Value;
    /// Two of them, if they are two.
    fn pair(&mut self, to: Reg, from: Reg) -> Option<(&mut Value, &mut Value)>;
    /// Three in a row.
    fn three(&mut self, first: Reg) -> Option<&mut [Value; 3]>;
    fn all(&mut self) -> &mut [Value];
}

impl Registers for [Value; WINDOW] {
    #[inline(always)]
    fn has_room(registers: &[Value], count: usize) -> bool {
        count <= WINDOW && registers.len() >= WINDOW
    }

    #[inline(always)]
    fn of(registers: &mut [Value]) -> &mut Self {
        registers.first_chunk_mut().expect("as many are there")
    }

    #[inline(always)]
    fn get(&self, register: Reg) -> &Value {
        &self[usize::from(register as u8)]
    }

    #[inline(always)]
    fn at(&mut self, register: Reg) -> &mut Value {
        &mut self[usize::from(register as u8)]
    }

    #[inline(always)]
    fn pair(&mut self, to: Reg, from: Reg) -> Option<(&mut Value, &mut Value)> {
        let pair = self.get_disjoint_mut([to, from].map(|at| usize::from(at as u8)));
        pair.ok().map(|[to, from]| (to, from))
    }

    #[inline(always)]
    fn three(&mut self, first: Reg) -> Option<&mut [Value; 3]> {
        self[usize::from(first as u8)..].first_chunk_mut()
    }

    #[inline(always)]
    fn all(&mut self) -> &mut [Value] {
        self
    }
}

impl Registers for [Value] {
    #[inline(always)]
    fn has_room(registers: &[Value], count: usize) -> bool {
        registers.len() >= count
    }

    #[inline(always)]
    fn of(registers: &mut [Value]) -> &mut Self {
        registers
    }

    #[inline(always)]
    fn get(&self, register: Reg) -> &Value {
        &self[usize::from(register)]
    }

    #[inline(always)]
    fn at(&mut self, register: Reg) -> &mut Value {
        &mut self[usize::from(register)]
    }

    #[inline(always)]
    fn pair(&mut self, to: Reg, from: Reg) -> Option<(&mut Value, &mut Value)> {
        let pair = self.get_disjoint_mut([to, from].map(usize::from));
        pair.ok().map(|[to, from]| (to, from))
    }

    #[inline(always)]
    fn three(&mut self, first: Reg) -> Option<&mut [Value; 3]> {
        self.get_mut(usize::from(first)..)?.first_chunk_mut()
    }

    #[inline(always)]
    fn all(&mut self) -> &mut [Value] {
        self
    }
}
