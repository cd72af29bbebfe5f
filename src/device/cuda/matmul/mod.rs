//! Matrix products: floats by cuBLAS (`blas.rs`), integers and bool by a kernel of our own, and
//! vectors by programs that multiply and sum.
//!
//! Where there is no cuBLAS, our own kernel multiplies floats as well: slower, but on the GPU. Stacks of small
//! matrices of any type are a kernel's of their own (`small.rs`).

mod blas;
mod product;
mod small;

pub use blas::{Blas, Gemm, Triangle};
pub use product::BlasMatrix;

use std::sync::Arc;

use self::product::Product;
use super::args::Args;
use super::context::{Context, Grid};
use super::copy;
use super::run::Runner;
use super::source::{Source, kernel_source};
use crate::device::{Error, MatmulPrecision, Storage, View};
use crate::dtype::{DType, Kind};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Space, collapse};
use crate::layout::{Layout, Shape, Strides};

const MATMUL: Source = kernel_source!("matmul.cu", behind "matmul.cuh");

/// Threads of a block of our own kernel, and the side of the square that it makes of the result.
const THREADS: u32 = 256;
const TILE: usize = 64;

/// See [`crate::device::Backend::matmul`].
pub fn matmul(
    context: &Context,
    runner: &Runner,
    blas: &Blas,
    [lhs, rhs, out]: [View<'_>; 3],
    precision: MatmulPrecision,
) -> Result<(), Error> {
    let count = out.layout.elem_count();
    if count == 0 {
        return Ok(());
    }
    let product = Product::of(lhs, rhs, out);
    if product.depth == 0 {
        return context.fill(product.out, 0, count * out.dtype().size());
    }
    let has_blas = out.dtype().is_float() && blas.is_there();
    // Reading limits a vector's product, whatever multiplies. cuBLAS knows many of those with a matrix.
    let vectors = usize::from(product.rows == 1) + usize::from(product.columns == 1);
    let is_sum = !has_blas || product.sums_runs(out.dtype().size());
    if vectors == 2 || vectors == 1 && is_sum {
        return multiply_vectors(context, runner, [lhs, rhs, out]);
    }
    let job = Job { context, runner, out };
    let joined = product.with_joined_rows();
    if joined.is_small_stack() {
        return job.multiply_small(&joined);
    }
    if has_blas {
        return job.multiply_by_blas(blas, lhs, rhs, precision);
    }
    if out.dtype().is_float() {
        blas.miss();
    }
    job.multiply_by_kernel(lhs, rhs)
}

/// Bytes that [`matmul`] takes of one product by cuBLAS of matrices that need no copy; none of others.
pub fn workspace(
    context: &Context,
    blas: &Blas,
    lhs: View<'_>,
    rhs: View<'_>,
) -> Option<Vec<usize>> {
    let is_plain = |view: View<'_>| view.layout.rank() == 2 && view.layout.strides.contains(&1);
    let ([rows, depth], [_, columns]) = (lhs.sides(), rhs.sides());
    let is_taken = lhs.dtype().is_float() && rows > 1 && columns > 1 && depth > 0;
    let is_one = is_taken && is_plain(lhs) && is_plain(rhs) && blas.is_there();
    is_one.then(|| vec![blas::workspace_bytes(context, [rows, columns, depth, 1])])
}

struct Job<'a> {
    context: &'a Context,
    runner: &'a Runner,
    out: View<'a>,
}

/// A copy of a view.
struct Copied {
    storage: Arc<Storage>,
    layout: Layout,
}

impl Copied {
    fn view(&self) -> View<'_> {
        View { storage: &self.storage, layout: &self.layout }
    }
}

impl Job<'_> {
    fn multiply_by_blas(
        &self,
        blas: &Blas,
        lhs: View<'_>,
        rhs: View<'_>,
        precision: MatmulPrecision,
    ) -> Result<(), Error> {
        let joined = |lhs, rhs| Product::of(lhs, rhs, self.out).with_joined_rows();
        let mut product = joined(lhs, rhs);
        let fits = [
            product.lhs.for_blas(product.rows, product.depth).is_some(),
            product.rhs.for_blas(product.depth, product.columns).is_some(),
        ];
        let left = if fits[0] { None } else { Some(self.copy_once(lhs)?) };
        let right = if fits[1] { None } else { Some(self.copy_once(rhs)?) };
        if left.is_some() || right.is_some() {
            let lhs = left.as_ref().map_or(lhs, Copied::view);
            product = joined(lhs, right.as_ref().map_or(rhs, Copied::view));
        }
        let Product { rows, columns, depth, .. } = product;
        let left = product.lhs.for_blas(rows, depth).expect("it fits, or is a copy that does");
        let right = product.rhs.for_blas(depth, columns).expect("it fits, or is a copy that does");
        let size = self.out.dtype().size() as isize;
        let shifted = |address: u64, by: isize| address.wrapping_add_signed((by * size) as i64);
        let inner = product.take_longest_axis();
        product.for_each_start(|[lhs_at, rhs_at, out_at]| {
            let gemm = Gemm {
                dtype: self.out.dtype(),
                precision,
                rows,
                columns,
                depth,
                lhs: left.at(shifted(product.lhs.address, lhs_at), inner.lhs),
                rhs: right.at(shifted(product.rhs.address, rhs_at), inner.rhs),
                out: (shifted(product.out, out_at), inner.out),
                count: inner.extent,
            };
            blas.multiply(self.context, self.out.storage.device(), &gemm)
        })
    }

    fn multiply_by_kernel(&self, lhs: View<'_>, rhs: View<'_>) -> Result<(), Error> {
        let product = Product::of(lhs, rhs, self.out);
        let Some(batch) = product.axes_as_bytes() else {
            let copy = |view: View<'_>| -> Result<Copied, Error> {
                let storage = copy::contiguous(self.context, self.runner, view, "matmul")?;
                Ok(Copied { storage, layout: Layout::contiguous(view.layout.shape.clone()) })
            };
            let (lhs, rhs) = (copy(lhs)?, copy(rhs)?);
            return self.multiply_by_kernel(lhs.view(), rhs.view());
        };
        let (element, sum, kind) = kinds(self.out.dtype());
        let defines = [("ELEMENT", element), ("SUM", sum), ("KIND", kind)];
        let kernel = self.context.kernels.family(&MATMUL, "matmul", &defines)?;
        let Product { rows, columns, depth, .. } = product;
        let count = product.count();
        let tiles = [rows.div_ceil(TILE), columns.div_ceil(TILE)];
        let blocks = tiles[0].saturating_mul(tiles[1]).saturating_mul(count);
        let blocks = u32::try_from(blocks).ok().filter(|blocks| *blocks <= i32::MAX as u32);
        let blocks = blocks.ok_or_else(|| Error::Driver("the product is too large".to_string()))?;
        let mut args = Args::new()
            .address(product.lhs.address)
            .address(product.rhs.address)
            .address(product.out)
            .i64(rows)
            .i64(columns)
            .i64(depth)
            .stride(product.lhs.row)
            .stride(product.lhs.column)
            .stride(product.rhs.row)
            .stride(product.rhs.column)
            .u32(tiles[0] as u32)
            .u32(tiles[1] as u32)
            .bytes(&batch);
        let elements = count * (rows * depth + depth * columns + rows * columns);
        let traffic = (elements * self.out.dtype().size()) as u64;
        self.context.launch(&kernel, Grid::line(blocks, THREADS), &mut args, traffic)
    }

    /// A copy without holes, in which each element stands once: what was broadcast still is.
    fn copy_once(&self, view: View<'_>) -> Result<Copied, Error> {
        let axes = view.layout.shape.iter().zip(&view.layout.strides);
        let matrix = view.layout.rank() - 2;
        let shape: Shape = (axes.enumerate())
            .map(|(axis, (extent, stride))| if *stride == 0 && axis < matrix { 1 } else { *extent })
            .collect();
        let once = Layout { shape: shape.clone(), ..view.layout.clone() };
        let view_once = View { storage: view.storage, layout: &once };
        let storage = copy::contiguous(self.context, self.runner, view_once, "matmul")?;
        let layout = Layout::contiguous(shape).broadcast_to(&view.layout.shape);
        Ok(Copied { storage, layout: layout.expect("unit axes become longer ones") })
    }
}

/// The values of the macros ELEMENT, SUM and KIND of `kernels/matmul.cuh`.
fn kinds(dtype: DType) -> (&'static str, &'static str, &'static str) {
    match dtype {
        DType::Bool => ("u8", "u32", "1"),
        DType::U8 => ("u8", "u32", "0"),
        DType::U16 => ("u16", "u32", "0"),
        DType::U32 => ("u32", "u32", "0"),
        DType::U64 => ("u64", "u64", "0"),
        DType::I8 => ("i8", "u32", "0"),
        DType::I16 => ("i16", "u32", "0"),
        DType::I32 => ("i32", "u32", "0"),
        DType::I64 => ("i64", "u64", "0"),
        DType::F16 => ("f16", "f32", "2"),
        DType::BF16 => ("bf16", "f32", "2"),
        DType::F32 => ("f32", "f32", "2"),
        DType::F64 => ("f64", "f64", "2"),
        narrow @ (DType::F8E4M3 | DType::F8E5M2) => narrow.not_carried(),
        complex @ (DType::C64 | DType::C128) => complex.not_stored(),
    }
}

/// Products of a vector: every element of the result is a sum by itself.
fn multiply_vectors(
    context: &Context,
    runner: &Runner,
    [lhs, rhs, out]: [View<'_>; 3],
) -> Result<(), Error> {
    let outer = out.layout.rank() - 2;
    let dims = |view: View<'_>| [view.layout.shape[outer], view.layout.shape[outer + 1]];
    let ([rows, depth], [_, columns]) = (dims(lhs), dims(rhs));
    let mut space = Space { dims: out.layout.shape[..outer].into(), kept: outer + 2 };
    space.dims.extend([rows, columns, depth]);
    let access = |view: View<'_>, last: [isize; 3]| {
        let mut strides: Strides = view.layout.strides[..outer].into();
        strides.extend(last);
        Access { offset: view.layout.offset, strides, ..Access::default() }
    };
    let last = |view: View<'_>| {
        let strides = &view.layout.strides;
        (strides[outer], strides[outer + 1])
    };
    let ((lhs_row, lhs_column), (rhs_row, rhs_column)) = (last(lhs), last(rhs));
    let (out_row, out_column) = last(out);
    let mut accesses = [
        access(lhs, [lhs_row, 0, lhs_column]),
        access(rhs, [0, rhs_column, rhs_row]),
        access(out, [out_row, out_column, 0]),
    ];
    collapse(&mut space, &mut accesses, 0);
    let program = sum_of_products(out.dtype());
    let [lhs_access, rhs_access, out_access] = &accesses;
    let inputs = [(lhs.storage, lhs_access), (rhs.storage, rhs_access)];
    runner.run(context, &program, &space, &inputs, &[(out.storage, out_access)])
}

/// The sum over a row of the products of two elements, as the CPU takes it: of the half types in
/// float32, rounded once; of integers modulo their size; of bool whether any two are true.
fn sum_of_products(dtype: DType) -> Program {
    let (product, sum, wide) = match dtype.kind() {
        Kind::Bool => (BinaryOp::BitAnd, ReduceOp::Max, DType::Bool),
        Kind::Unsigned | Kind::Signed => (BinaryOp::Mul, ReduceOp::Sum, DType::I64),
        Kind::Float => (BinaryOp::Mul, ReduceOp::Sum, dtype.compute()),
        Kind::Complex => dtype.not_stored(),
    };
    let mut builder = Builder::new();
    let [lhs, rhs] = std::array::from_fn(|_| {
        let input = builder.input(dtype);
        let value = builder.load(input, Domain::Element);
        builder.cast(value, wide)
    });
    let value = builder.push(Op::Binary(product, lhs, rhs), wide);
    let value = builder.push(Op::Reduce(sum, value), wide);
    let value = builder.cast(value, dtype);
    builder.output(value, Domain::Row);
    builder.finish()
}

#[cfg(test)]
mod tests;
