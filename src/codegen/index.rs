//! From a point's number to its coordinates and to the places of its operands.

use super::code::Code;
use crate::ir::Access;

/// The number of points that one launch runs over, at most: their numbers divide by
/// [`Divisor`]. A larger space is cut.
pub const MAX_POINTS: usize = 1 << 30;

/// Division of a number below 2³¹ by one that the launch fixes: `struct Divisor` of the prelude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divisor {
    pub value: u32,
    pub multiplier: u32,
    pub shift: u32,
}

impl Divisor {
    /// `value` is from 1 to 2³¹.
    pub fn new(value: usize) -> Divisor {
        debug_assert!((1..=1 << 31).contains(&value));
        let shift = value.next_power_of_two().trailing_zeros();
        let multiplier = (((1u64 << shift) - value as u64) << 32) / value as u64 + 1;
        Divisor { value: value as u32, multiplier: multiplier as u32, shift }
    }
}

/// Writes `u32 c0 = …, c1 = …`: the coordinates of the point with the row-major number `index`
/// along `rank` axes, whose extents are the `Divisor`s `{dims}1`, `{dims}2`, … (the first axis
/// needs none).
pub fn coordinates(code: &mut Code, index: &str, rank: usize, dims: &str) {
    let mut rest = index.to_string();
    for axis in (1..rank).rev() {
        let outer = if axis == 1 { "c0".to_string() } else { format!("n{axis}") };
        code.line(format_args!("u32 {outer} = divide({rest}, {dims}{axis});"));
        code.line(format_args!("u32 c{axis} = {rest} - {outer} * {dims}{axis}.value;"));
        rest = outer;
    }
    if rank == 1 {
        code.line(format_args!("u32 c0 = {rest};"));
    }
}

/// How an operand moves along one axis, as far as a kernel's text knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Not at all.
    Zero,
    /// To the next element.
    One,
    /// By a parameter.
    Any,
}

impl Step {
    pub fn of(stride: isize) -> Step {
        match stride {
            0 => Step::Zero,
            1 => Step::One,
            _ => Step::Any,
        }
    }
}

/// The sum of coordinate times stride: each axis is its step, its coordinate, and the name of its
/// stride. `wide` computes in 64 bits.
pub fn offset<'a>(wide: bool, axes: impl IntoIterator<Item = (Step, &'a str, String)>) -> String {
    let ty = if wide { "i64" } else { "i32" };
    let mut terms = Vec::new();
    for (step, coordinate, stride) in axes {
        match step {
            Step::Zero => {}
            Step::One => terms.push(format!("({ty}){coordinate}")),
            Step::Any => terms.push(format!("({ty}){coordinate} * {stride}")),
        }
    }
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

/// The lowest and the highest element that an operand touches over these extents, counted from its
/// first: what decides between 32 and 64 bits.
pub fn reach(dims: &[usize], access: &Access) -> (isize, isize) {
    let (mut low, mut high) = (0, 0);
    let steps = dims.iter().zip(&access.strides).map(|(extent, stride)| (*extent, *stride));
    for (extent, stride) in steps.chain(access.gathered.iter().copied()) {
        let far = extent.saturating_sub(1) as isize * stride;
        low += far.min(0);
        high += far.max(0);
    }
    (low, high)
}

/// Whether all places within `reach` fit 32 bits, with some room at both ends.
pub fn is_near((low, high): (isize, isize)) -> bool {
    low > -(1 << 30) && high < 1 << 30
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divide(numerator: u32, by: Divisor) -> u32 {
        let high = (u64::from(numerator) * u64::from(by.multiplier)) >> 32;
        (high as u32 + numerator) >> by.shift
    }

    #[test]
    fn divisors_divide() {
        let top = (1u32 << 31) - 1;
        let near = |n: u32| [n.saturating_sub(1), n, n.saturating_add(1)];
        for value in [1, 2, 3, 5, 7, 10, 64, 641, 1000, 65_535, 65_537, 1 << 20, 1 << 30, top] {
            let by = Divisor::new(value as usize);
            for numerator in
                [0, 1, 2, 3, value / 2, top, top / 3].into_iter().flat_map(near).chain(near(value))
            {
                let numerator = numerator.min(top);
                assert_eq!(divide(numerator, by), numerator / value, "{numerator} / {value}");
            }
        }
    }
}
