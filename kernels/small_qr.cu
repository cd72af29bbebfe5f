// Orthonormal columns and a triangle, of matrices with up to 32 rows and columns, by Householder's
// reflections with LAPACK's signs. Macros: those of small.cuh.

// `r` is (…, kept, columns) and `q`, which may be missing, (…, rows, kept).
extern "C" __global__ void __launch_bounds__(THREADS) small_qr(
    Matrices input, REAL* q, REAL* r, i64* flaws, u64 count, u32 rows, u32 columns, u32 kept,
    Axes stack) {
    __shared__ Square squares[GROUPS], others[GROUPS];
    Group group = group_of(count);
    Square &a = squares[group.slot], &b = others[group.slot];
    u32 at = group.at, steps = less(rows, columns);
    i64 offset = 0;
    locate(group.number, stack, &offset);
    load(group, a, input, offset, rows, columns);
    // Of the reflection of this lane's number: 1 - tau * v * v', with a 1 at the head of v.
    REAL own_tau = 0;
    for (u32 k = 0; k < steps; k++) {
        REAL head = a[k][k];
        bool is_below = at > k && at < rows;
        REAL below = is_below ? a[at][k] : 0;
        REAL size = largest(group, magnitude(below));
        REAL tau = 0;
        if (size != 0) {
            REAL part = below / size;
            REAL tail = size * root(total(group, part * part));
            REAL diagonal = -with_sign(long_side(head, tail), head);
            tau = (diagonal - head) / diagonal;
            below /= head - diagonal;
            meet(group);
            if (is_below) a[at][k] = below;
            if (at == k) a[k][k] = diagonal;
        }
        if (at == k) own_tau = tau;
        meet(group);
        if (tau != 0 && at > k && at < columns) {
            REAL product = a[k][at];
            for (u32 row = k + 1; row < rows; row++) product += a[row][k] * a[row][at];
            product *= tau;
            a[k][at] -= product;
            for (u32 row = k + 1; row < rows; row++) a[row][at] -= product * a[row][k];
        }
        meet(group);
    }
    if (at < columns && group.is_there) {
        REAL* out = r + group.number * kept * columns + at;
        for (u32 row = 0; row < kept; row++) out[row * columns] = row <= at ? a[row][at] : 0;
    }
    if (at == 0 && group.is_there) flaws[group.number] = 0;
    if (!q) return;
    for (u32 row = 0; row < rows; row++) b[row][at] = row == at;
    for (u32 step = 0; step < steps; step++) {
        u32 k = steps - 1 - step;
        REAL tau = __shfl_sync(group.lanes, own_tau, k, WIDTH);
        if (tau == 0 || at >= kept) continue;
        REAL product = b[k][at];
        for (u32 row = k + 1; row < rows; row++) product += a[row][k] * b[row][at];
        product *= tau;
        b[k][at] -= product;
        for (u32 row = k + 1; row < rows; row++) b[row][at] -= product * a[row][k];
    }
    if (at < kept && group.is_there) {
        REAL* out = q + group.number * rows * kept + at;
        for (u32 row = 0; row < rows; row++) out[row * kept] = b[row][at];
    }
}
