//! Stacks of matrices of up to 32 rows and columns, a part of a warp for each; see `kernels/small.cuh`.

use crate::device::cuda::args::Args;
use crate::device::cuda::context::{Context, Grid};
use crate::device::cuda::source::{Source, kernel_source};
use crate::device::cuda::tiles::{Axes, blocks, common_axes, item, start};
use crate::device::{Error, Factorisation, View};

const SYSTEMS: Source = kernel_source!("small_systems.cu", behind "tiles.cuh", "small.cuh");
const QR: Source = kernel_source!("small_qr.cu", behind "tiles.cuh", "small.cuh");
const EIGH: Source = kernel_source!("small_eigh.cu", behind "tiles.cuh", "small.cuh");
const SVD: Source = kernel_source!("small_svd.cu", behind "tiles.cuh", "small.cuh");

/// Rows and columns of the largest matrix.
pub const LARGEST: usize = 32;
/// Lanes of the smallest part of a warp.
const LEAST_WIDTH: usize = 4;
const THREADS: usize = 64;

/// Whether matrices of (rows, columns) are taken apart here.
pub fn takes(what: Factorisation, sides: [usize; 2]) -> bool {
    what != Factorisation::Eig && sides.into_iter().all(|side| side <= LARGEST)
}

/// See [`crate::device::Factoriser::factorise`].
pub fn factorise(
    context: &Context,
    what: Factorisation,
    inputs: &[View<'_>],
    outputs: &[View<'_>],
    flaws: View<'_>,
) -> Result<(), Error> {
    let count = flaws.layout.elem_count();
    if count == 0 {
        return Ok(());
    }
    let [rows, columns] = inputs[0].sides();
    let width = rows.max(columns).next_power_of_two().max(LEAST_WIDTH);
    let operands = inputs.iter().map(|view| {
        let strides = &view.layout.strides;
        strides[..strides.len() - 2].iter().copied().collect()
    });
    let (dims, strides) = common_axes(&flaws.layout.shape, operands);
    let stack = Axes::new(&dims, &strides);
    let (source, name, kind) = kernel_of(what);
    let width_name = width.to_string();
    let own = [("REAL", item(inputs[0].dtype())), ("WIDTH", &*width_name), ("WHAT", kind)];
    let kernel = context.kernels.family(source, name, &stack.defines(own))?;

    let matrices: Vec<[u8; 24]> = inputs.iter().map(matrices).collect();
    let mut args = matrices.iter().fold(Args::new(), |args, matrices| args.bytes(matrices));
    // What is not wanted has no address.
    let absent = |missing: usize| (0..missing).map(|_| 0);
    let addresses = outputs.iter().map(|view| start(*view));
    let places: Vec<u64> = match what {
        Factorisation::Qr { .. } => absent(2 - outputs.len()).chain(addresses).collect(),
        Factorisation::Eigh { .. } => addresses.chain(absent(2 - outputs.len())).collect(),
        Factorisation::Svd { .. } => addresses.chain(absent(3 - outputs.len())).collect(),
        Factorisation::Solve
        | Factorisation::Triangular { .. }
        | Factorisation::Lu
        | Factorisation::Cholesky { .. }
        | Factorisation::Eig => addresses.collect(),
    };
    for place in places {
        args = args.address(place);
    }
    args = args.address(start(flaws)).u64(count as u64).u32(rows as u32);
    args = match what {
        Factorisation::Solve => args.u64(inputs[1].sides()[1] as u64).u32(0).u32(0),
        Factorisation::Triangular { upper, unit } => {
            args.u64(inputs[1].sides()[1] as u64).u32(upper.into()).u32(unit.into())
        }
        Factorisation::Lu => args.u32(columns as u32),
        Factorisation::Cholesky { upper } | Factorisation::Eigh { upper } => args.u32(upper.into()),
        Factorisation::Qr { .. } => {
            let [kept, _] = outputs[outputs.len() - 1].sides();
            args.u32(columns as u32).u32(kept as u32)
        }
        Factorisation::Svd { .. } => {
            let [of_u, of_vh] = match outputs {
                [_, u, vh] => [u.sides()[1], vh.sides()[0]],
                _ => [0, 0],
            };
            args.u32(columns as u32).u32(of_u as u32).u32(of_vh as u32)
        }
        Factorisation::Eig => args,
    };
    let mut args = args.axes(&stack);
    let bytes = |view: &View<'_>| view.layout.elem_count() * view.dtype().size();
    let traffic: usize = inputs.iter().chain(outputs).map(bytes).sum();
    let grid = Grid::line(blocks(count.div_ceil(THREADS / width))?, THREADS as u32);
    context.launch(&kernel, grid, &mut args, traffic as u64)
}

/// The file, the kernel in it, and the macro that asks for it.
fn kernel_of(what: Factorisation) -> (&'static Source, &'static str, &'static str) {
    match what {
        Factorisation::Solve => (&SYSTEMS, "small_solve", "LU_SOLVE"),
        Factorisation::Triangular { .. } => (&SYSTEMS, "small_solve", "TRIANGLE"),
        Factorisation::Lu => (&SYSTEMS, "small_lu", "LU"),
        Factorisation::Cholesky { .. } => (&SYSTEMS, "small_cholesky", "CHOLESKY"),
        Factorisation::Qr { .. } => (&QR, "small_qr", ""),
        Factorisation::Eigh { .. } => (&EIGH, "small_eigh", ""),
        Factorisation::Svd { .. } => (&SVD, "small_svd", ""),
        Factorisation::Eig => unreachable!("eigenvalues of general matrices are not made here"),
    }
}

/// `struct Matrices` of the kernels.
fn matrices(view: &View<'_>) -> [u8; 24] {
    let strides = &view.layout.strides;
    let steps = [strides[strides.len() - 2] as u64, strides[strides.len() - 1] as u64];
    let mut bytes = [0; 24];
    for (to, word) in bytes.chunks_exact_mut(8).zip([start(*view), steps[0], steps[1]]) {
        to.copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}
