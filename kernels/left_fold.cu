// Left folds: a thread joins the elements of a row, or of a section of it, one after the other.
//
// Macros: ITEM, an element in memory, and VALUE, what is computed with; JOIN(a, b), of two values; LOAD(x) and STORE(x),
// a value from an element and back; PAIRS, 1 where an element is the real part of a complex number, and its imaginary part
// lies behind it; STEPS, 1 where every step is kept; RANK and WIDE for the axes of the rows.
//
// Threads that stand side by side have rows that do, so that they read what lies side by side.

// Elements that are read before they are joined.
#define AHEAD 8

__device__ inline VALUE load(const ITEM* from) {
#if PAIRS
    return {LOAD(from[0]), LOAD(from[1])};
#else
    return LOAD(*from);
#endif
}

__device__ inline void store(ITEM* to, VALUE value) {
#if PAIRS
    to[0] = STORE(value.re);
    to[1] = STORE(value.im);
#else
    *to = STORE(value);
#endif
}

// Operands of the axes: the input, what stands before, the output. Without sections `starts` is null, and there is one
// result a row; without what stands before `first` is null.
extern "C" __global__ void left_fold(
    const ITEM* input, const i64* starts, const i64* ends, const ITEM* first, ITEM* out, u64 rows, u64 results, i64 len,
    i64 step, i64 first_step, i64 out_step, const Axes axes) {
    u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= rows * results) {
        return;
    }
    i64 place = (i64)(number / rows);
    i64 offsets[OPERANDS] = {0};
    locate(number % rows, axes, offsets);
    const ITEM* own = input + offsets[0];
    i64 at = starts ? starts[place] : 0;
    i64 end = ends ? ends[place] : len;
    ITEM* result = out + offsets[2] + (STEPS ? 0 : place * out_step);
    VALUE value;
    if (first) {
        value = load(first + offsets[1] + place * first_step);
    } else {
        value = load(own + at * step);
#if STEPS
        store(result, value);
#endif
        at++;
    }
    while (at < end) {
        VALUE next[AHEAD];
#pragma unroll
        for (i64 i = 0; i < AHEAD; i++) {
            next[i] = load(own + min(at + i, end - 1) * step);
        }
#pragma unroll
        for (i64 i = 0; i < AHEAD; i++) {
            if (at + i < end) {
                value = JOIN(value, next[i]);
#if STEPS
                store(result + (at + i) * out_step, value);
#endif
            }
        }
        at += AHEAD;
    }
#if !STEPS
    store(result, value);
#endif
}
