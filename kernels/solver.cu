// What stands around calls of cuSOLVER, which has matrices by columns. Macro: REAL.

#define WHOLE 0u
#define LOWER 1u
#define UPPER 2u

// Copies a matrix of (rows, columns), or a triangle of it with zeros beside. `flaw`, where it is given,
// becomes 1 if an element is not finite.
extern "C" __global__ void __launch_bounds__(256) solver_deal(
    const REAL* from, REAL* to, i64* flaw, i64 from_row, i64 from_column, i64 to_row, i64 to_column,
    u64 rows, u64 columns, u32 part) {
    u64 step = (u64)gridDim.x * 256;
    for (u64 point = (u64)blockIdx.x * 256 + threadIdx.x; point < rows * columns; point += step) {
        // Threads go along what is written.
        bool is_by_rows = to_column <= to_row;
        u64 inner = is_by_rows ? columns : rows;
        u64 outer = point / inner;
        u64 rest = point - outer * inner;
        i64 row = is_by_rows ? outer : rest, column = is_by_rows ? rest : outer;
        bool is_inside = part == WHOLE || (part == LOWER ? column <= row : row <= column);
        REAL value = is_inside ? from[row * from_row + column * from_column] : 0;
        to[row * to_row + column * to_column] = value;
        if (flaw && value - value != 0) *flaw = 1;
    }
}

// The order of rows and the number of exchanges, from the row that each one was exchanged with.
extern "C" __global__ void __launch_bounds__(256) solver_order(
    const i32* exchanges, i64* order, i64* swaps, u32 rows, u32 count) {
    for (u32 row = threadIdx.x; row < rows; row += 256) order[row] = row;
    __syncthreads();
    if (threadIdx.x != 0) return;
    i64 exchanged = 0;
    for (u32 row = 0; row < count; row++) {
        u32 other = exchanges[row] - 1;
        if (other == row) continue;
        exchanged++;
        i64 moved = order[row];
        order[row] = order[other];
        order[other] = moved;
    }
    *swaps = exchanged;
}

// What cuSOLVER says is wrong: a number from one, or none.
extern "C" __global__ void solver_flaw(const i32* said, i64* flaw) { *flaw = *said > 0 ? *said : 0; }
