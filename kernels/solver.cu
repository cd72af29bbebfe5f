// What stands around calls of cuSOLVER, which has matrices by columns. Macro: REAL.

#define WHOLE 0u
#define LOWER 1u
#define UPPER 2u

// A square of a matrix that a block moves at a time, so that threads go along memory on both sides.
#define SIDE 32u

// Copies a matrix of (rows, columns), or a triangle of it with zeros beside. `order`, where it is given, says
// which row comes from where; `flaw`, where it is given, becomes 1 if an element is not finite.
extern "C" __global__ void __launch_bounds__(256) solver_deal(
    const REAL* from, REAL* to, const i64* order, i64* flaw, i64 from_row, i64 from_column, i64 to_row, i64 to_column,
    u64 rows, u64 columns, u32 part) {
    __shared__ REAL square[SIDE][SIDE + 1];
    u32 lane = threadIdx.x % SIDE, line = threadIdx.x / SIDE;
    u64 across = (columns + SIDE - 1) / SIDE;
    u64 count = (rows + SIDE - 1) / SIDE * across;
    bool reads_rows = from_column <= from_row, writes_rows = to_column <= to_row;
    for (u64 number = blockIdx.x; number < count; number += gridDim.x) {
        u64 first_row = number / across * SIDE, first_column = number % across * SIDE;
        for (u32 step = line; step < SIDE; step += 256 / SIDE) {
            u32 i = reads_rows ? step : lane, j = reads_rows ? lane : step;
            u64 row = first_row + i, column = first_column + j;
            if (row >= rows || column >= columns) continue;
            bool is_inside = part == WHOLE || (part == LOWER ? column <= row : row <= column);
            i64 source = order && row < rows ? order[row] : row;
            REAL value = is_inside ? from[source * from_row + (i64)column * from_column] : 0;
            if (flaw && value - value != 0) *flaw = 1;
            square[i][j] = value;
        }
        __syncthreads();
        for (u32 step = line; step < SIDE; step += 256 / SIDE) {
            u32 i = writes_rows ? step : lane, j = writes_rows ? lane : step;
            u64 row = first_row + i, column = first_column + j;
            if (row < rows && column < columns) {
                to[(i64)row * to_row + (i64)column * to_column] = square[i][j];
            }
        }
        __syncthreads();
    }
}

// The order of rows and, where `swaps` is given, the number of exchanges, from the row that each one was exchanged with.
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
    if (swaps) *swaps = exchanged;
}

// Of the products `gram` of nearly orthonormal vectors v and `square` of those products, both (n, n): what v is
// multiplied by to become orthonormal, into `gram`. It is the third order of the inverse square root of `gram`
// around the unit matrix.
extern "C" __global__ void __launch_bounds__(256) solver_correction(REAL* gram, const REAL* square, u64 n) {
    for (u64 at = blockIdx.x * 256ull + threadIdx.x; at < n * n; at += gridDim.x * 256ull) {
        REAL constant = at / n == at % n ? (REAL)1.875 : 0;
        gram[at] = constant - (REAL)1.25 * gram[at] + (REAL)0.375 * square[at];
    }
}

// What cuSOLVER says is wrong: a number from one, or none.
extern "C" __global__ void solver_flaw(const i32* said, i64* flaw) { *flaw = *said > 0 ? *said : 0; }

__device__ inline i32 exponent_of(f32 x) { return ilogbf(x); }
__device__ inline i32 exponent_of(f64 x) { return ilogb(x); }
__device__ inline f32 by_power(f32 x, i32 power) { return scalbnf(x, power); }
__device__ inline f64 by_power(f64 x, i32 power) { return scalbn(x, power); }

// The exponent of a power of two next to the largest magnitude of some finite numbers. One block.
extern "C" __global__ void __launch_bounds__(1024) solver_power(const REAL* from, i32* power, u64 count) {
    __shared__ REAL largest[1024];
    REAL own = 0;
    for (u64 at = threadIdx.x; at < count; at += blockDim.x) {
        REAL size = from[at] < 0 ? -from[at] : from[at];
        own = size > own ? size : own;
    }
    largest[threadIdx.x] = own;
    for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            REAL other = largest[threadIdx.x + half];
            own = other > own ? other : own;
            largest[threadIdx.x] = own;
        }
    }
    if (threadIdx.x == 0) *power = own > 0 ? exponent_of(own) : 0;
}

// Numbers by two to a power, or to the negative one.
extern "C" __global__ void __launch_bounds__(256) solver_scale(REAL* at, const i32* power, u64 count, i32 sign) {
    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
        at[i] = by_power(at[i], *power * sign);
    }
}
