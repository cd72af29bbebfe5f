// Eigenvalues and vectors of symmetric matrices of up to 32 rows, by Jacobi's rotations of pairs that do
// not meet (Golub and Van Loan, Matrix Computations, 8.5). Macros: those of small.cuh.

// `values` rise along (…, n); `vectors`, which may be missing, are the columns of (…, n, n). One
// triangle is read. A flaw is a matrix with an element that is not finite.
extern "C" __global__ void __launch_bounds__(THREADS) small_eigh(
    Matrices input, REAL* values, REAL* vectors, i64* flaws, u64 count, u32 n, u32 is_upper,
    Axes stack) {
    __shared__ Square squares[GROUPS], others[GROUPS];
    __shared__ REAL turns[GROUPS][WIDTH];
    Group group = group_of(count);
    Square &a = squares[group.slot], &v = others[group.slot];
    // Of each pair the cosine and the sine.
    REAL* turn = turns[group.slot];
    u32 at = group.at;
    i64 offset = 0;
    locate(group.number, stack, &offset);
    const REAL* start = input.start + offset;
    if (at < n) {
        for (u32 row = 0; row < n; row++) {
            bool is_read = is_upper ? row <= at : at <= row;
            u32 i = is_read ? row : at, j = is_read ? at : row;
            a[row][at] = start[(i64)i * input.row_step + (i64)j * input.step];
            v[row][at] = row == at;
        }
    }
    meet(group);
    REAL size = scale(group, a, n, n);
    bool is_sound = size == size;
    REAL squared = 0;
    if (at < n) {
        for (u32 row = 0; row < n; row++) squared += a[row][at] * a[row][at];
    }
    // What is smaller changes no eigenvalue by more than rounding does.
    REAL negligible = EPSILON * root(total(group, squared)) / n;
    Rounds rounds(n);
    bool is_done = !is_sound;
    for (u32 sweep = 0; sweep < SWEEPS && !is_done; sweep++) {
        bool is_still = true;
        for (u32 round = 0; round < rounds.count(); round++) {
            u32 low = 0, high = 0;
            bool is_turned = false;
            if (at < rounds.pairs()) {
                rounds.pair(round, at, low, high);
                REAL cosine = 1, sine = 0;
                if (high < n && magnitude(a[low][high]) > negligible) {
                    rotation(a[low][low], a[high][high], a[low][high], cosine, sine);
                    is_turned = true;
                }
                turn[2 * at] = cosine;
                turn[2 * at + 1] = sine;
            }
            meet(group);
            if (!__any_sync(group.lanes, is_turned)) continue;
            is_still = false;
            if (at < n) {
                for (u32 pair = 0; pair < rounds.pairs(); pair++) {
                    REAL cosine = turn[2 * pair], sine = turn[2 * pair + 1];
                    if (sine == 0) continue;
                    u32 i, j;
                    rounds.pair(round, pair, i, j);
                    rotate(a[at][i], a[at][j], cosine, sine);
                    if (vectors) rotate(v[at][i], v[at][j], cosine, sine);
                }
            }
            meet(group);
            if (at < n) {
                for (u32 pair = 0; pair < rounds.pairs(); pair++) {
                    REAL cosine = turn[2 * pair], sine = turn[2 * pair + 1];
                    if (sine == 0) continue;
                    u32 i, j;
                    rounds.pair(round, pair, i, j);
                    rotate(a[i][at], a[j][at], cosine, sine);
                }
            }
            meet(group);
            if (is_turned) {
                a[low][high] = 0;
                a[high][low] = 0;
            }
            meet(group);
        }
        is_done = is_still;
    }
    REAL value = at < n ? a[at][at] : 0;
    u32 place = 0;
    for (u32 other = 0; other < n; other++) {
        REAL compared = __shfl_sync(group.lanes, value, other, WIDTH);
        place += compared < value || (compared == value && other < at);
    }
    if (!group.is_there) return;
    if (at == 0) flaws[group.number] = !is_sound || !is_done;
    if (at >= n || !is_sound) return;
    values[group.number * n + place] = value * size;
    if (!vectors) return;
    REAL* out = vectors + group.number * n * n + place;
    for (u32 row = 0; row < n; row++) out[row * n] = v[row][at];
}
