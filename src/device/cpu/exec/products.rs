//! Sums of products of two inputs, where each lane is a row.

use super::super::dispatch::Level;
use super::super::lanes::{self, Factors, Points, ProductsFn};
use super::frame::Frame;
use super::geometry::Block;
use super::plan::{Pass, Slot};
use super::steps::Launch;
use crate::device::Error;
use crate::ir::{BinaryOp, Domain, Instr, Op, Program, ReduceOp, Reg, UnaryOp};

/// A fold that is a sum of products of two inputs, and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Products {
    pub kernel: ProductsFn,
    pub inputs: [u16; 2],
    pub result: Slot,
}

impl Products {
    /// What a reduction is, if it is this; `result` is its slot.
    pub fn of(program: &Program, level: Level, reduction: Reg, result: Slot) -> Option<Products> {
        let Instr { op: Op::Reduce(ReduceOp::Sum, value), dtype, .. } = program.instr(reduction)
        else {
            return None;
        };
        let inputs = factors(program, *value)?;
        let is_of_one_type = program.instr(*value).dtype == *dtype;
        let kernel = lanes::products(level, *dtype).filter(|_| is_of_one_type)?;
        Some(Products { kernel, inputs, result })
    }
}

/// The inputs that a value is the product of, element by element.
fn factors(program: &Program, value: Reg) -> Option<[u16; 2]> {
    let loaded = |reg: &Reg| match &program.instr(*reg) {
        Instr { op: Op::Load { input }, domain: Domain::Element, .. } => Some(*input),
        _ => None,
    };
    match &program.instr(value).op {
        Op::Binary(BinaryOp::Mul, a, b) => Some([loaded(a)?, loaded(b)?]),
        Op::Unary(UnaryOp::Square, a) => Some([loaded(a)?; 2]),
        _ => None,
    }
}

/// Whether all that a program does is adding up such products.
pub fn are_all(program: &Program) -> bool {
    program.instrs.iter().all(|instr| match &instr.op {
        Op::Reduce(ReduceOp::Sum, value) => factors(program, *value).is_some(),
        Op::Reduce(..) => false,
        _ => true,
    })
}

impl Launch<'_> {
    /// The same where products of two inputs are summed, each of which lies densely along the block's last axis or
    /// is the same all along it: a row written by a column, a product that is written as a broadcast.
    ///
    /// # Safety
    /// As for the other steps of a block.
    pub unsafe fn folded_products(
        &self,
        pass: &Pass,
        frame: &mut Frame,
        block: &Block,
        state: *mut u8,
        range: std::ops::Range<usize>,
    ) -> Result<bool, Error> {
        let (Some(products), [(axis, _)]) = (pass.products, &self.form.point_axes[..]) else {
            return Ok(false);
        };
        let Some((width, outer)) = block.dims.split_last() else { return Ok(false) };
        let size = self.operands[products.inputs[0] as usize].size;
        let along = products.inputs.map(|input| self.strides(input as usize, block)[outer.len()]);
        let (left, right) = match along.map(|stride| stride == 0) {
            [_, false] => (0, 1),
            [false, true] => (1, 0),
            [true, true] => return Ok(false),
        };
        let is_left_one = along[left] == 0 && *width > 1;
        let is_good = |stride: isize| stride == size as isize || *width == 1;
        if self.is_aliased || !pass.stores.is_empty() || !is_good(along[right]) {
            return Ok(false);
        }
        if !is_left_one && !is_good(along[left]) {
            return Ok(false);
        }
        frame.point.offsets.clear();
        let firsts = products.inputs.map(|input| self.place(input as usize, frame, block));
        let strides = products.inputs.map(|input| self.operands[input as usize].strides[*axis]);
        // Lines that have one right factor are summed side by side.
        let down = |which: usize| match outer.len().checked_sub(1) {
            Some(place) => self.strides(products.inputs[which] as usize, block)[place],
            None => 0,
        };
        let (rows, step) = match outer.last() {
            Some(rows) if down(right) == 0 => (*rows, down(left)),
            _ => (1, 0),
        };
        let lines: usize = outer.iter().product();
        for line in (0..lines).step_by(rows) {
            self.check_interrupt()?;
            let (mut number, mut offsets) = (line, [0isize; 2]);
            for place in (0..outer.len()).rev() {
                let coord = (number % outer[place]) as isize;
                number /= outer[place];
                for (offset, input) in offsets.iter_mut().zip(products.inputs) {
                    *offset += coord * self.strides(input as usize, block)[place];
                }
            }
            let points = |which: usize| Points {
                lanes: firsts[which]
                    .wrapping_offset(offsets[which] + range.start as isize * strides[which]),
                count: range.len(),
                stride: strides[which],
                position: range.start as i64,
            };
            let (left, right) = (points(left), points(right));
            let factors = Factors { left, right, is_left_one, rows, step };
            let acc = state.wrapping_add(8 * line * width);
            let near = state.wrapping_add(8 * block.lanes + size * line * width);
            // SAFETY: the operands' storages hold every point; near sums stand behind the totals of all lanes.
            unsafe { (products.kernel)(acc, near, *width, &factors) };
        }
        Ok(true)
    }
}
