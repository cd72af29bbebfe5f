//! The registers of the running frame, as the loop over what is frequent sees them.

use crate::interp::compile::Reg;
use crate::interp::value::Value;

/// The registers of a frame that this loop runs on without asking whether there are as many: all that a
/// byte can name. A frame with more goes by a slice.
pub(super) const WINDOW: usize = 256;

/// The registers of a frame.
pub(super) trait Registers {
    /// From those of the machine on, for a frame with `count` of them, where it has no more than this.
    fn of(registers: &mut [Value], count: usize) -> Option<&mut Self>;
    fn get(&self, register: Reg) -> &Value;
    fn at(&mut self, register: Reg) -> &mut Value;
    /// Two of them, if they are two.
    fn pair(&mut self, to: Reg, from: Reg) -> Option<(&mut Value, &mut Value)>;
    fn all(&mut self) -> &mut [Value];
}

impl Registers for [Value; WINDOW] {
    #[inline(always)]
    fn of(registers: &mut [Value], count: usize) -> Option<&mut Self> {
        if count > WINDOW { None } else { registers.first_chunk_mut() }
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
    fn all(&mut self) -> &mut [Value] {
        self
    }
}

impl Registers for [Value] {
    #[inline(always)]
    fn of(registers: &mut [Value], _: usize) -> Option<&mut Self> {
        Some(registers)
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
    fn all(&mut self) -> &mut [Value] {
        self
    }
}
