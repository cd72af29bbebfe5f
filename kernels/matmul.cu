// Matrix products of integers and of bool, and of floats where there is no cuBLAS. Operands are
// read through any strides; the result is contiguous. Each block makes a tile of the result, in
// registers, from slices of the operands in shared memory.
// Macros: those of matmul.cuh.

#define ROWS 64u
#define COLUMNS 64u
#define DEPTH 16u
#define SIDE 4u
#define THREADS 256u
#define AXES 4
// Rows of the shared slices are a little longer than their contents, so that writes along the
// depth meet different banks.
#define PADDED (ROWS + 4u)

// The leading axes, joined where both operands cross them evenly; those that are left over have
// length one and stand first.
struct Batch {
    i64 dims[AXES];
    i64 lhs[AXES];
    i64 rhs[AXES];
};

// A slice of an operand into shared memory: `outer` rows (of the left operand) or columns (of the
// right) from `first_outer`, by DEPTH from `first_inner`. Threads run along the axis whose elements
// lie closer together.
__device__ inline void load_slice(
    SUM (*slice)[PADDED], const ELEMENT* matrix, i64 outer_step, i64 inner_step, i64 first_outer,
    i64 first_inner, i64 outer, i64 inner) {
    bool along_inner = (inner_step < 0 ? -inner_step : inner_step)
        < (outer_step < 0 ? -outer_step : outer_step);
#pragma unroll
    for (u32 k = 0; k < ROWS * DEPTH / THREADS; k++) {
        u32 at = k * THREADS + threadIdx.x;
        u32 i = along_inner ? at % DEPTH : at / ROWS;
        u32 o = along_inner ? at / DEPTH : at % ROWS;
        i64 x = first_outer + o, y = first_inner + i;
        bool is_inside = x < outer && y < inner;
        slice[i][o] = is_inside ? Float<ELEMENT>::widen(matrix[x * outer_step + y * inner_step]) : (SUM)0;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) matmul(
    const ELEMENT* lhs, const ELEMENT* rhs, ELEMENT* out, i64 rows, i64 columns, i64 depth,
    i64 lhs_row, i64 lhs_column, i64 rhs_row, i64 rhs_column, u32 row_tiles, u32 column_tiles,
    Batch batch) {
    __shared__ SUM left[DEPTH][PADDED];
    __shared__ SUM right[DEPTH][PADDED];
    i64 number = blockIdx.x / column_tiles / row_tiles;
    i64 first_row = (i64)(blockIdx.x / column_tiles % row_tiles) * ROWS;
    i64 first_column = (i64)(blockIdx.x % column_tiles) * COLUMNS;
    out += number * rows * columns;
    i64 rest = number;
#pragma unroll
    for (i32 axis = AXES - 1; axis >= 0; axis--) {
        i64 at = rest % batch.dims[axis];
        rest /= batch.dims[axis];
        lhs += at * batch.lhs[axis];
        rhs += at * batch.rhs[axis];
    }

    SUM sums[SIDE][SIDE] = {};
    u32 row = threadIdx.x / (COLUMNS / SIDE) * SIDE, column = threadIdx.x % (COLUMNS / SIDE) * SIDE;
    for (i64 inner = 0; inner < depth; inner += DEPTH) {
        load_slice(left, lhs, lhs_row, lhs_column, first_row, inner, rows, depth);
        load_slice(right, rhs, rhs_column, rhs_row, first_column, inner, columns, depth);
        __syncthreads();
#pragma unroll
        for (u32 k = 0; k < DEPTH; k++) {
            SUM a[SIDE], b[SIDE];
#pragma unroll
            for (u32 i = 0; i < SIDE; i++) {
                a[i] = left[k][row + i];
                b[i] = right[k][column + i];
            }
#pragma unroll
            for (u32 i = 0; i < SIDE; i++) {
#pragma unroll
                for (u32 j = 0; j < SIDE; j++) multiply_add(sums[i][j], a[i], b[j]);
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (u32 i = 0; i < SIDE; i++) {
#pragma unroll
        for (u32 j = 0; j < SIDE; j++) {
            i64 x = first_row + row + i, y = first_column + column + j;
            if (x < rows && y < columns) out[x * columns + y] = Float<ELEMENT>::narrow(sums[i][j]);
        }
    }
}
