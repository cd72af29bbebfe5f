//! Stacks of small products by one launch: cuBLAS spends nanoseconds on each product of a stack, however small.

use super::super::args::Args;
use super::super::context::Grid;
use super::super::source::{Source, kernel_source};
use super::super::tiles::{Axes, blocks};
use super::product::Product;
use super::{Job, kinds};
use crate::device::Error;

const SMALL: Source = kernel_source!("matmul_small.cu", behind "matmul.cuh", "tiles.cuh");

/// Rows, columns and depth of a small product at most: cuBLAS reads larger ones as fast as memory gives them.
pub const SIDE: usize = 16;

/// Threads of a block: `THREADS` of `kernels/matmul_small.cu`.
const THREADS: usize = 256;

/// Bytes and elements of an operand that a thread has under way.
const THREAD_BYTES: usize = 32;
const THREAD_ELEMENTS: usize = 8;

impl Product {
    /// Whether it is a stack of small products.
    pub fn is_small_stack(&self) -> bool {
        [self.rows, self.columns, self.depth].iter().all(|side| *side <= SIDE) && self.count() > 1
    }
}

impl Job<'_> {
    pub fn multiply_small(&self, product: &Product) -> Result<(), Error> {
        let Product { rows, columns, depth, .. } = *product;
        let dtype = self.out.dtype();
        let sizes = [rows * depth, depth * columns, rows * columns];
        let largest = sizes.into_iter().max().unwrap_or(1);
        let together = (products_together(dtype.size(), largest)).to_string();
        let [rows, columns, depth] = [rows, columns, depth].map(|side| side.to_string());
        let dims: Vec<usize> = product.axes.iter().map(|axis| axis.extent).collect();
        let strides = [
            product.axes.iter().map(|axis| axis.lhs).collect::<Vec<isize>>(),
            product.axes.iter().map(|axis| axis.rhs).collect(),
        ];
        let axes = Axes::new(&dims, &strides);
        let (element, sum, kind) = kinds(dtype);
        let defines = axes.defines([
            ("ELEMENT", element),
            ("SUM", sum),
            ("KIND", kind),
            ("ROWS", &*rows),
            ("COLUMNS", &*columns),
            ("DEPTH", &*depth),
            ("TOGETHER", &*together),
        ]);
        let kernel = self.context.kernels.family(&SMALL, "matmul_small", &defines)?;
        let count = product.count();
        let blocks = blocks(count.div_ceil(products_together(dtype.size(), largest)))?;
        let mut args = Args::new()
            .address(product.lhs.address)
            .address(product.rhs.address)
            .address(product.out)
            .u64(count as u64)
            .stride(product.lhs.row)
            .stride(product.lhs.column)
            .stride(product.rhs.row)
            .stride(product.rhs.column)
            .axes(&axes);
        let traffic = count * sizes.iter().sum::<usize>() * dtype.size();
        self.context.launch(&kernel, Grid::line(blocks, THREADS as u32), &mut args, traffic as u64)
    }
}

/// Products that a block makes, of which the largest matrix has so many elements of so many bytes.
pub fn products_together(size: usize, largest: usize) -> usize {
    let each = (THREAD_BYTES / size).min(THREAD_ELEMENTS);
    (THREADS * each / largest.max(1)).max(1)
}
