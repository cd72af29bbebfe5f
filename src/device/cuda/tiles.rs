//! What the launchers share whose kernels begin with `kernels/tiles.cuh`: the axes that a kernel
//! walks through, addresses, and the widths of what it moves.

use smallvec::SmallVec;

use super::args::Args;
use crate::codegen::Divisor;
/// The kernels' type for elements; a bool is a `u8` of zero or one.
pub use crate::codegen::stored as item;
use crate::device::{Error, View};
use crate::ir::{Access, Space, collapse};
use crate::layout::Strides;

/// Points whose numbers divide by multiplication, at most.
const NARROW: usize = 1 << 31;

/// `struct Axes` of `tiles.cuh`: the extents of some axes, and each operand's strides along them.
#[derive(Debug)]
pub struct Axes {
    bytes: Vec<u8>,
    /// The values of the macros OPERANDS, RANK and WIDE.
    numbers: [String; 3],
}

impl Axes {
    /// There is at least one operand.
    pub fn new<S: AsRef<[isize]>>(dims: &[usize], operands: &[S]) -> Axes {
        let is_wide = dims.iter().product::<usize>() >= NARROW;
        let mut bytes = Vec::with_capacity(dims.len().max(1) * (16 + 8 * operands.len()));
        let mut axis = |extent: usize, stride: &dyn Fn(&[isize]) -> isize| {
            let by = Divisor::new(if is_wide { 1 } else { extent });
            bytes.extend((extent as u64).to_ne_bytes());
            bytes.extend(by.multiplier.to_ne_bytes());
            bytes.extend(by.shift.to_ne_bytes());
            for operand in operands {
                bytes.extend((stride(operand.as_ref()) as i64).to_ne_bytes());
            }
        };
        for (number, extent) in dims.iter().enumerate() {
            axis(*extent, &|strides| strides[number]);
        }
        if dims.is_empty() {
            axis(1, &|_| 0);
        }
        let numbers = [operands.len(), dims.len().max(1), usize::from(is_wide)];
        Axes { bytes, numbers: numbers.map(|number| number.to_string()) }
    }

    /// The bytes of the struct.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The macros that describe the struct, behind `more`.
    pub fn defines<'a>(
        &'a self,
        more: impl IntoIterator<Item = (&'static str, &'a str)>,
    ) -> SmallVec<[(&'static str, &'a str); 12]> {
        let own = ["OPERANDS", "RANK", "WIDE"].into_iter().zip(self.numbers.iter().map(|n| &**n));
        more.into_iter().chain(own).collect()
    }
}

/// As few axes as all operands can be crossed by, in the same order.
pub fn common_axes(
    dims: &[usize],
    operands: impl IntoIterator<Item = Strides>,
) -> (SmallVec<[usize; 6]>, Vec<Strides>) {
    let mut space = Space { kept: dims.len(), dims: dims.into() };
    let access = |strides| Access { strides, ..Access::default() };
    let mut operands: Vec<Access> = operands.into_iter().map(access).collect();
    collapse(&mut space, &mut operands, 0);
    (space.dims, operands.into_iter().map(|operand| operand.strides).collect())
}

/// Whether some axes are none, or one along which elements lie side by side.
pub fn is_one_run(strides: &[isize]) -> bool {
    matches!(strides, [] | [1])
}

/// Where the element at index (0, …, 0) lies.
pub fn start(view: View<'_>) -> u64 {
    view.storage.address() + (view.layout.offset * view.dtype().size()) as u64
}

/// An unsigned type of the kernels with so many bytes, for what is only moved; `uint4` for 16.
pub fn unsigned(size: usize) -> &'static str {
    match size {
        1 => "u8",
        2 => "u16",
        4 => "u32",
        8 => "u64",
        _ => "uint4",
    }
}

/// The number of blocks of a grid.
///
/// # Errors
/// More than CUDA has.
pub fn blocks(count: usize) -> Result<u32, Error> {
    let count = u32::try_from(count).ok().filter(|count| *count <= i32::MAX as u32);
    count.ok_or_else(|| Error::Driver("a tensor is too large for one launch".to_string()))
}

impl<'a> Args<'a> {
    /// For a parameter of type `Axes`.
    pub fn axes(self, axes: &'a Axes) -> Args<'a> {
        self.bytes(axes.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_the_struct_of_the_kernels() {
        let axes = Axes::new(&[5, 7], &[[7isize, 1], [-1, 0]]);
        assert_eq!(axes.bytes().len(), 2 * 32);
        let words: Vec<i64> = axes
            .bytes()
            .chunks_exact(8)
            .map(|c| i64::from_ne_bytes(c.try_into().unwrap()))
            .collect();
        assert_eq!((words[0], words[2], words[3]), (5, 7, -1));
        assert_eq!((words[4], words[6], words[7]), (7, 1, 0));
        let defines = axes.defines([("ITEM", "f32")]);
        assert_eq!(defines[..2], [("ITEM", "f32"), ("OPERANDS", "2")]);
        assert_eq!(defines[2..], [("RANK", "2"), ("WIDE", "0")]);
        let none: [[isize; 0]; 1] = [[]];
        assert_eq!(Axes::new(&[], &none).bytes().len(), 24);
    }
}
