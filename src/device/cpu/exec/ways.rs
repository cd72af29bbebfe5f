//! How the operands of a launch lie along the axes that it is walked by.

use super::block;
use super::form::WIDE_LANES;
use super::geometry::{Axes, ByteStrides, Operand};
use crate::ir::Space;

/// The extent of the last axis, or `most` of it, if lines are long enough for blocks of their own, because a block of a
/// part of a line is short. Shorter lines are copied sooner than blocks are begun.
pub(super) fn whole_lines(
    axes: &Axes,
    operands: &[Operand],
    space: &Space,
    most: usize,
) -> Option<usize> {
    let [.., last] = axes[..] else { return None };
    let extent = space.dims[last];
    // One value for a line costs a few lanes.
    let is_line = |operand: &Operand| matches!(operand.strides[last], 0) || is_dense(operand, last);
    let is_long = axes.len() > 1 && extent >= WIDE_LANES && most > WIDE_LANES;
    (is_long && operands.iter().all(is_line)).then_some(extent.min(most))
}

fn is_dense(operand: &Operand, axis: usize) -> bool {
    operand.strides[axis] == operand.size as isize
}

/// Whether all operands lie as the lanes of the axes do, or have one value for all of them.
pub(super) fn are_dense(axes: &Axes, operands: &[Operand], space: &Space) -> bool {
    let dims: Axes = axes.iter().map(|axis| space.dims[*axis]).collect();
    operands.iter().all(|operand| {
        let strides: ByteStrides = axes.iter().map(|axis| operand.strides[*axis]).collect();
        strides.iter().all(|stride| *stride == 0) || block::is_dense(&dims, &strides, operand.size)
    })
}

/// Bytes of a lane of all inputs that are not dense.
pub(super) fn copied_bytes(axes: &Axes, inputs: &[Operand], space: &Space) -> usize {
    let dims: Axes = axes.iter().map(|axis| space.dims[*axis]).collect();
    let is_copied = |input: &&Operand| {
        let strides: ByteStrides = axes.iter().map(|axis| input.strides[*axis]).collect();
        !block::is_dense(&dims, &strides, input.size)
    };
    inputs.iter().filter(is_copied).map(|input| input.size).sum()
}

/// If an input is dense along another axis than the last, makes that the last but one, so that
/// blocks can be tiles of the two.
pub(super) fn turn(axes: &mut Axes, inputs: &[Operand], space: &Space) -> bool {
    let last = axes.len() - 1;
    if space.dims[axes[last]] < 8 {
        return false;
    }
    for input in inputs {
        let across = input.strides[axes[last]].unsigned_abs();
        if across <= input.size {
            continue;
        }
        let dense = axes[..last]
            .iter()
            .position(|axis| input.strides[*axis] == input.size as isize && space.dims[*axis] >= 8);
        if let Some(place) = dense {
            let axis = axes.remove(place);
            axes.insert(last - 1, axis);
            return true;
        }
    }
    false
}
