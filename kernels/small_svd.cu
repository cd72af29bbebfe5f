// Singular values and vectors of matrices of up to 32 rows and columns, by rotations that make columns
// orthogonal (Hestenes; Golub and Van Loan, Matrix Computations, 8.6.3). Macros: those of small.cuh.

// A column of `g` that is a unit vector and orthogonal to those in `done`. Of all rows the one that they
// say least of is where it begins.
__device__ inline void complete(const Group& group, Square& g, u32 rows, u32 done, u32 column) {
    u32 at = group.at;
    REAL said = 0;
    for (u32 rest = done; rest; rest &= rest - 1) {
        REAL x = at < rows ? g[at][__ffs(rest) - 1] : 0;
        said += x * x;
    }
    REAL x = at == place_of_largest(group, at < rows ? -said : -(REAL)WIDTH) ? 1 : 0;
    // Once more takes away what rounding has left.
    for (int pass = 0; pass < 2; pass++) {
        for (u32 rest = done; rest; rest &= rest - 1) {
            REAL other = at < rows ? g[at][__ffs(rest) - 1] : 0;
            x -= total(group, x * other) * other;
        }
        x /= root(total(group, x * x));
    }
    if (at < rows) g[at][column] = x;
    meet(group);
}

// `values` fall along (…, least); `u` is (…, rows, of_u) and `vh` (…, of_vh, columns), where both are
// wanted. A flaw is a matrix with an element that is not finite.
extern "C" __global__ void __launch_bounds__(THREADS) small_svd(
    Matrices input, REAL* values, REAL* u, REAL* vh, i64* flaws, u64 count, u32 rows, u32 columns,
    u32 of_u, u32 of_vh, Axes stack) {
    __shared__ Square squares[GROUPS], others[GROUPS];
    Group group = group_of(count);
    Square &g = squares[group.slot], &v = others[group.slot];
    u32 at = group.at;
    i64 offset = 0;
    locate(group.number, stack, &offset);
    // As many rows as columns or more: else the matrix is turned.
    bool is_turned = rows < columns;
    u32 tall = is_turned ? columns : rows, least = is_turned ? rows : columns;
    Matrices upright = {input.start, is_turned ? input.step : input.row_step,
                        is_turned ? input.row_step : input.step};
    load(group, g, upright, offset, tall, least);
    for (u32 row = 0; row < least; row++) v[row][at] = row == at;
    meet(group);
    REAL size = scale(group, g, tall, least);
    bool is_sound = size == size;
    // Two columns whose product is no larger than what its sum may be off by are orthogonal; one that is
    // so short is none.
    REAL orthogonal = EPSILON * root((REAL)tall), none = EPSILON * EPSILON;
    none *= none;
    Rounds rounds(least);
    bool is_done = !is_sound;
    for (u32 sweep = 0; sweep < SWEEPS && !is_done; sweep++) {
        bool is_still = true;
        for (u32 round = 0; round < rounds.count(); round++) {
            u32 i = 0, j = 0;
            bool rotates = false;
            if (at < rounds.pairs()) {
                rounds.pair(round, at, i, j);
                REAL low = 0, high = 0, off = 0;
                for (u32 row = 0; j < least && row < tall; row++) {
                    low += g[row][i] * g[row][i];
                    high += g[row][j] * g[row][j];
                    off += g[row][i] * g[row][j];
                }
                rotates = low > none && high > none
                    && magnitude(off) > orthogonal * root(low) * root(high);
                if (rotates) {
                    REAL cosine, sine;
                    rotation(low, high, off, cosine, sine);
                    for (u32 row = 0; row < tall; row++) rotate(g[row][i], g[row][j], cosine, sine);
                    for (u32 row = 0; u && row < least; row++) {
                        rotate(v[row][i], v[row][j], cosine, sine);
                    }
                }
            }
            meet(group);
            if (__any_sync(group.lanes, rotates)) is_still = false;
        }
        is_done = is_still;
    }
    REAL value = 0;
    for (u32 row = 0; at < least && row < tall; row++) value += g[row][at] * g[row][at];
    bool is_column = at < least && value > none;
    value = root(value);
    u32 place = 0;
    for (u32 other = 0; other < least; other++) {
        REAL compared = __shfl_sync(group.lanes, value, other, WIDTH);
        place += compared > value || (compared == value && other < at);
    }
    if (at >= least) place = at;
    if (at == 0 && group.is_there) flaws[group.number] = !is_sound || !is_done;
    if (at < least && group.is_there && is_sound) {
        values[group.number * least + place] = value * size;
    }
    if (!u || !is_sound) return;
    if (is_column) {
        for (u32 row = 0; row < tall; row++) g[row][at] /= value;
    }
    meet(group);
    u32 done = __ballot_sync(group.lanes, is_column) >> (threadIdx.x % WARP - at);
    u32 wanted = is_turned ? of_vh : of_u;
    for (u32 column = 0; column < wanted; column++) {
        if (done >> column & 1) continue;
        complete(group, g, tall, done, column);
        done |= 1u << column;
    }
    if (!group.is_there) return;
    // The long vectors, from `g`, and the others.
    REAL *left = u + group.number * rows * of_u, *right = vh + group.number * of_vh * columns;
    if (at < wanted) {
        for (u32 row = 0; row < tall; row++) {
            if (is_turned) right[place * columns + row] = g[row][at];
            else left[row * of_u + place] = g[row][at];
        }
    }
    if (at < least) {
        for (u32 row = 0; row < least; row++) {
            if (is_turned) left[row * of_u + place] = v[row][at];
            else right[place * columns + row] = v[row][at];
        }
    }
}
