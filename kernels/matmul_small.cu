// Products of stacked small matrices: a block takes several from memory at a time, neighbouring threads
// neighbouring elements, and each thread makes a few elements of their results, which are contiguous.
//
// Macros: those of matmul.cuh and tiles.cuh (OPERANDS is 2: the axes of the stacks), ROWS, DEPTH and COLUMNS of
// each product, and TOGETHER, the products of a block.

#define THREADS 256u
#define LEFT (ROWS * DEPTH)
#define RIGHT (DEPTH * COLUMNS)
#define RESULT (ROWS * COLUMNS)
// Odd steps, so that the rows and the matrices that a warp reads at once lie in different banks.
#define LEFT_ROW (DEPTH | 1u)
#define LEFT_STEP (ROWS * LEFT_ROW)
#define RIGHT_STEP (RIGHT | 1u)
#define PER_THREAD(elements) ((TOGETHER * (elements) + THREADS - 1) / THREADS)

extern "C" __global__ void __launch_bounds__(THREADS) matmul_small(
    const ELEMENT* lhs, const ELEMENT* rhs, ELEMENT* out, u64 count, i64 lhs_row, i64 lhs_column,
    i64 rhs_row, i64 rhs_column, const Axes axes) {
    __shared__ SUM left[TOGETHER * LEFT_STEP];
    __shared__ SUM right[TOGETHER * RIGHT_STEP];
    u64 first = (u64)blockIdx.x * TOGETHER;
    u32 here = count - first < TOGETHER ? (u32)(count - first) : TOGETHER;

    // All reads are under way before the first one is waited for.
    SUM lefts[PER_THREAD(LEFT)], rights[PER_THREAD(RIGHT)];
#pragma unroll
    for (u32 k = 0; k < PER_THREAD(LEFT); k++) {
        u32 number = (k * THREADS + threadIdx.x) / LEFT, at = (k * THREADS + threadIdx.x) % LEFT;
        if (number < here) {
            i64 starts[2] = {0, 0};
            locate(first + number, axes, starts);
            i64 row = at / DEPTH, column = at % DEPTH;
            lefts[k] = Float<ELEMENT>::widen(lhs[starts[0] + row * lhs_row + column * lhs_column]);
        }
    }
#pragma unroll
    for (u32 k = 0; k < PER_THREAD(RIGHT); k++) {
        u32 number = (k * THREADS + threadIdx.x) / RIGHT, at = (k * THREADS + threadIdx.x) % RIGHT;
        if (number < here) {
            i64 starts[2] = {0, 0};
            locate(first + number, axes, starts);
            i64 row = at / COLUMNS, column = at % COLUMNS;
            rights[k] = Float<ELEMENT>::widen(rhs[starts[1] + row * rhs_row + column * rhs_column]);
        }
    }
#pragma unroll
    for (u32 k = 0; k < PER_THREAD(LEFT); k++) {
        u32 number = (k * THREADS + threadIdx.x) / LEFT, at = (k * THREADS + threadIdx.x) % LEFT;
        if (number < here) left[number * LEFT_STEP + at / DEPTH * LEFT_ROW + at % DEPTH] = lefts[k];
    }
#pragma unroll
    for (u32 k = 0; k < PER_THREAD(RIGHT); k++) {
        u32 number = (k * THREADS + threadIdx.x) / RIGHT, at = (k * THREADS + threadIdx.x) % RIGHT;
        if (number < here) right[number * RIGHT_STEP + at] = rights[k];
    }
    __syncthreads();

    out += first * RESULT;
#pragma unroll
    for (u32 k = 0; k < PER_THREAD(RESULT); k++) {
        u32 number = (k * THREADS + threadIdx.x) / RESULT, at = (k * THREADS + threadIdx.x) % RESULT;
        if (number < here) {
            const SUM* row = left + number * LEFT_STEP + at / COLUMNS * LEFT_ROW;
            const SUM* column = right + number * RIGHT_STEP + at % COLUMNS;
            SUM sum = 0;
#pragma unroll
            for (u32 i = 0; i < DEPTH; i++) multiply_add(sum, row[i], column[i * COLUMNS]);
            out[k * THREADS + threadIdx.x] = Float<ELEMENT>::narrow(sum);
        }
    }
}
