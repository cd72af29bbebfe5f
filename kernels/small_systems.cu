// Systems of equations with matrices of up to 32 rows: what small.cuh begins with, and WHAT, the kernel
// that is made.
//
// LU and LU_SOLVE divide by the largest of what is left of a column, as LAPACK does; of equal ones the
// first. A flaw is the number, from one, of a pivot that is zero.

#define LU 0
#define LU_SOLVE 1
#define TRIANGLE 2
#define CHOLESKY 3

// Both triangles in the place of `a`; `order` says which row of it stands where.
__device__ inline u32 divide(
    const Group& group, Square& a, u32* order, u32 rows, u32 columns, u32& swaps) {
    u32 at = group.at, flaw = 0;
    swaps = 0;
    if (at < rows) order[at] = at;
    meet(group);
    for (u32 k = 0; k < less(rows, columns); k++) {
        u32 best = place_of_largest(group, at >= k && at < rows ? magnitude(a[at][k]) : -1);
        meet(group);
        if (best != k) {
            swaps++;
            if (at < columns) {
                REAL moved = a[k][at];
                a[k][at] = a[best][at];
                a[best][at] = moved;
            }
            if (at == 0) {
                u32 moved = order[k];
                order[k] = order[best];
                order[best] = moved;
            }
        }
        meet(group);
        REAL pivot = a[k][k];
        if (pivot == 0) {
            flaw = flaw == 0 ? k + 1 : flaw;
        } else if (at > k && at < rows) {
            REAL factor = a[at][k] / pivot;
            a[at][k] = factor;
            for (u32 column = k + 1; column < columns; column++) {
                a[at][column] -= factor * a[k][column];
            }
        }
        meet(group);
    }
    return flaw;
}

// A triangle's equations for the lane's own column of `x`.
__device__ inline void substitute(
    const Square& a, Square& x, u32 n, u32 at, bool is_upper, bool is_unit) {
    for (u32 step = 0; step < n; step++) {
        u32 row = is_upper ? n - 1 - step : step;
        REAL value = x[row][at];
        u32 from = is_upper ? row + 1 : 0, to = is_upper ? n : row;
        for (u32 column = from; column < to; column++) {
            value -= a[row][column] * x[column][at];
        }
        x[row][at] = is_unit ? value : value / a[row][row];
    }
}

#if WHAT == LU

// `lu` is (…, rows, columns), `order` (…, rows), `swaps` (…).
extern "C" __global__ void __launch_bounds__(THREADS) small_lu(
    Matrices input, REAL* lu, i64* order, i64* swaps, i64* flaws, u64 count, u32 rows, u32 columns,
    Axes stack) {
    __shared__ Square squares[GROUPS];
    __shared__ u32 orders[GROUPS][WIDTH];
    Group group = group_of(count);
    Square& a = squares[group.slot];
    i64 offset = 0;
    locate(group.number, stack, &offset);
    load(group, a, input, offset, rows, columns);
    u32 exchanged;
    u32 flaw = divide(group, a, orders[group.slot], rows, columns, exchanged);
    if (!group.is_there) return;
    if (group.at < columns) {
        REAL* out = lu + group.number * rows * columns + group.at;
        for (u32 row = 0; row < rows; row++) out[row * columns] = a[row][group.at];
    }
    if (group.at < rows) order[group.number * rows + group.at] = orders[group.slot][group.at];
    if (group.at == 0) {
        swaps[group.number] = exchanged;
        flaws[group.number] = flaw;
    }
}

#elif WHAT == LU_SOLVE || WHAT == TRIANGLE

// `x` is (…, n, sides), as `right` is. The lanes take a column each, as often as there are more.
extern "C" __global__ void __launch_bounds__(THREADS) small_solve(
    Matrices input, Matrices right, REAL* x, i64* flaws, u64 count, u32 n, u64 sides, u32 is_upper,
    u32 is_unit, Axes stack) {
    __shared__ Square squares[GROUPS], others[GROUPS];
    __shared__ u32 orders[GROUPS][WIDTH];
    Group group = group_of(count);
    Square &a = squares[group.slot], &b = others[group.slot];
    u32 *order = orders[group.slot], at = group.at;
    i64 offsets[2] = {0, 0};
    locate(group.number, stack, offsets);
    load(group, a, input, offsets[0], n, n);
#if WHAT == LU_SOLVE
    u32 swaps;
    u32 flaw = divide(group, a, order, n, n, swaps);
#else
    bool is_zero = at < n && !is_unit && a[at][at] == 0;
    u32 zeros = __ballot_sync(group.lanes, is_zero) & group.lanes;
    u32 flaw = zeros == 0 ? 0 : __ffs(zeros) - (threadIdx.x % WARP - at);
#endif
    if (!group.is_there) return;
    if (at == 0) flaws[group.number] = flaw;
    const REAL* from = right.start + offsets[1];
    REAL* out = x + group.number * n * sides;
    for (u64 side = at; side < sides; side += WIDTH) {
        for (u32 row = 0; row < n; row++) {
#if WHAT == LU_SOLVE
            u32 source = order[row];
#else
            u32 source = row;
#endif
            b[row][at] = from[(i64)source * right.row_step + (i64)side * right.step];
        }
#if WHAT == LU_SOLVE
        substitute(a, b, n, at, false, true);
        substitute(a, b, n, at, true, false);
#else
        substitute(a, b, n, at, is_upper, is_unit);
#endif
        for (u32 row = 0; row < n; row++) out[row * sides + side] = b[row][at];
    }
}

#else

// The triangle that is read is the one that is made. A flaw is the number of a pivot that is not positive.
extern "C" __global__ void __launch_bounds__(THREADS) small_cholesky(
    Matrices input, REAL* out, i64* flaws, u64 count, u32 n, u32 is_upper, Axes stack) {
    __shared__ Square squares[GROUPS];
    Group group = group_of(count);
    Square& a = squares[group.slot];
    u32 at = group.at, flaw = 0;
    i64 offset = 0;
    locate(group.number, stack, &offset);
    // The lower triangle, which is the other one across the diagonal.
    Matrices lower = {input.start, is_upper ? input.step : input.row_step,
                      is_upper ? input.row_step : input.step};
    load(group, a, lower, offset, n, n);
    for (u32 k = 0; k < n && flaw == 0; k++) {
        REAL pivot = a[k][k];
        meet(group);
        if (!(pivot > 0)) {
            flaw = k + 1;
            break;
        }
        REAL diagonal = root(pivot);
        REAL below = at > k && at < n ? a[at][k] / diagonal : 0;
        if (at == k) a[k][k] = diagonal;
        if (at > k && at < n) a[at][k] = below;
        meet(group);
        if (at > k && at < n) {
            for (u32 column = k + 1; column <= at; column++) {
                a[at][column] -= below * a[column][k];
            }
        }
        meet(group);
    }
    if (!group.is_there) return;
    if (at == 0) flaws[group.number] = flaw;
    REAL* to = out + group.number * n * n;
    if (at >= n) return;
    for (u32 row = 0; row < n; row++) {
        bool is_inside = is_upper ? row <= at : at <= row;
        to[row * n + at] = !is_inside ? 0 : is_upper ? a[at][row] : a[row][at];
    }
}

#endif
