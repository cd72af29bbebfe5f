// Random numbers from the Philox4x32-10 counter generator, with the bits that the CPU gives:
// `src/device/cpu/random/` says which word goes where and what becomes of it.
//
// Macros: ITEM, the type of the elements; DRAW, one of the functions below; FROM, the bits that an
// element is made from (32 or 64).
//
// A thread makes four consecutive blocks, a quarter of a group, because their words of one number
// make four elements that lie side by side.

struct Block {
    u32 words[4];
};

// A product's halves, by one instruction.
__device__ inline void multiply(u32 left, u32 right, u32* low, u32* high) {
#ifdef GENESIS_SHIM
    u64 product = (u64)left * right;
    *low = (u32)product;
    *high = (u32)(product >> 32);
#else
    asm("{ .reg .u64 product; mul.wide.u32 product, %2, %3; mov.b64 {%0, %1}, product; }"
        : "=r"(*low), "=r"(*high)
        : "r"(left), "r"(right));
#endif
}

// The block of that number in the stream of `seed`, which is the key.
__device__ inline Block philox(u64 seed, u64 number) {
    u32 c0 = (u32)number, c1 = (u32)(number >> 32), c2 = 0, c3 = 0;
    u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u32 first, first_high, second, second_high;
        multiply(c0, 0xd2511f53u, &first, &first_high);
        multiply(c2, 0xcd9e8d57u, &second, &second_high);
        c0 = second_high ^ c1 ^ k0;
        c1 = second;
        c2 = first_high ^ c3 ^ k1;
        c3 = first;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return {{c0, c1, c2, c3}};
}

// ---- Normal numbers: Box and Muller's, operation by operation as on the CPU
//
// Divisions and square roots are rounded correctly there. Here they take the steps that the compiler
// takes for `/` and `sqrtf`, but for its look at the ends of the range: these arguments are far
// from them.

// (m - 1) / (m + 1) for m in [√½, √2).
__device__ inline f32 ratio(f32 numerator, f32 denominator) {
#ifdef GENESIS_SHIM
    return numerator / denominator;
#else
    f32 inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(denominator));
    inverse = __fmaf_rn(__fmaf_rn(-denominator, inverse, 1.0f), inverse, inverse);
    f32 quotient = numerator * inverse;
    return __fmaf_rn(__fmaf_rn(-denominator, quotient, numerator), inverse, quotient);
#endif
}

// Of a number that is -0 or in [2^-24, 64). The bound below them keeps the inverse finite.
__device__ inline f32 root(f32 x) {
#ifdef GENESIS_SHIM
    return __fsqrt_rn(x);
#else
    f32 inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(x, 1e-20f)));
    f32 root = x * inverse;
    return __fmaf_rn(__fmaf_rn(-root, root, x), inverse * 0.5f, root);
#endif
}

__device__ inline void normals(u32 radius_word, u32 angle_word, f32* cosine_part, f32* sine_part) {
    const f32 last_bit = 1.0f / 4294967296.0f;
    const u32 one = 0x3f800000u, least = 0x3f3504f3u;
    f32 u = __fmaf_rn((f32)radius_word, last_bit, last_bit / 2.0f);
    u32 lifted = (u32)__float_as_int(u) + (one - least);
    i32 exponent = (i32)(lifted >> 23) - (i32)(one >> 23);
    f32 m = __int_as_float((i32)((lifted & ((1u << 23) - 1)) + least));
    f32 s = ratio(m - 1.0f, m + 1.0f);
    f32 square = s * s;
    f32 series = __fmaf_rn(1.0f / 9.0f, square, 1.0f / 7.0f);
    series = __fmaf_rn(series, square, 1.0f / 5.0f);
    series = __fmaf_rn(series, square, 1.0f / 3.0f);
    f32 half_log = __fmaf_rn(s * square, series, s);
    f32 log = __fmaf_rn((f32)exponent, 0.693147180559945309417232121458f, 2.0f * half_log);
    f32 radius = root(-2.0f * log);

    u32 quarters = (angle_word + (1u << 29)) >> 30;
    i32 left = (i32)(angle_word - (quarters << 30));
    f32 x = (f32)left * (last_bit * 6.28318530717958647692528676655900577f);
    square = x * x;
    series = __fmaf_rn(1.0f / 362880.0f, square, -1.0f / 5040.0f);
    series = __fmaf_rn(series, square, 1.0f / 120.0f);
    series = __fmaf_rn(series, square, -1.0f / 6.0f);
    f32 sine = __fmaf_rn(x * square, series, x);
    series = __fmaf_rn(-1.0f / 3628800.0f, square, 1.0f / 40320.0f);
    series = __fmaf_rn(series, square, -1.0f / 720.0f);
    series = __fmaf_rn(series, square, 1.0f / 24.0f);
    series = __fmaf_rn(series, square, -1.0f / 2.0f);
    f32 cosine = __fmaf_rn(square, series, 1.0f);
    // A quarter turn takes (x, y) to (−y, x).
    bool is_odd = (quarters & 1u) != 0;
    u32 to_x = (u32)__float_as_int(is_odd ? sine : cosine);
    u32 to_y = (u32)__float_as_int(is_odd ? cosine : sine);
    to_x ^= ((quarters + 1u) & 2u) << 30;
    to_y ^= (quarters & 2u) << 30;
    *cosine_part = radius * __int_as_float((i32)to_x);
    *sine_part = radius * __int_as_float((i32)to_y);
}

template <int N>
__device__ inline f64 polynomial(f64 x, const f64 (&coefficients)[N]) {
    f64 sum = coefficients[N - 1];
#pragma unroll
    for (int at = N - 2; at >= 0; at--) {
        sum = __fma_rn(sum, x, coefficients[at]);
    }
    return sum;
}

__device__ inline void normals(u64 radius_word, u64 angle_word, f64* cosine_part, f64* sine_part) {
    const f64 last_bit = 1.0 / 18446744073709551616.0;
    const u64 one = 0x3ff0000000000000ull, least = 0x3fe6a09e667f3bcdull;
    const f64 atanh_terms[] = {
        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0,
        1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0,
    };
    const f64 sine_terms[] = {
        -1.0 / 6.0,        1.0 / 120.0,        -1.0 / 5040.0,          1.0 / 362880.0,
        -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0,
    };
    const f64 cosine_terms[] = {
        -1.0 / 2.0,       1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,
        -1.0 / 3628800.0, 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0,
    };
    f64 u = __fma_rn((f64)radius_word, last_bit, last_bit / 2.0);
    u64 lifted = (u64)__double_as_longlong(u) + (one - least);
    i64 exponent = (i64)(lifted >> 52) - (i64)(one >> 52);
    f64 m = __longlong_as_double((i64)((lifted & ((1ull << 52) - 1)) + least));
    f64 s = (m - 1.0) / (m + 1.0);
    f64 square = s * s;
    f64 half_log = __fma_rn(s * square, polynomial(square, atanh_terms), s);
    f64 log = __fma_rn((f64)exponent, 0.693147180559945309417232121458, 2.0 * half_log);
    f64 radius = __dsqrt_rn(-2.0 * log);

    u64 quarters = (angle_word + (1ull << 61)) >> 62;
    i64 left = (i64)(angle_word - (quarters << 62));
    f64 x = (f64)left * (last_bit * 6.28318530717958647692528676655900577);
    square = x * x;
    f64 sine = __fma_rn(x * square, polynomial(square, sine_terms), x);
    f64 cosine = __fma_rn(square, polynomial(square, cosine_terms), 1.0);
    bool is_odd = (quarters & 1u) != 0;
    f64 to_x = is_odd ? sine : cosine, to_y = is_odd ? cosine : sine;
    to_x = ((quarters + 1u) & 2u) != 0 ? -to_x : to_x;
    to_y = (quarters & 2u) != 0 ? -to_y : to_y;
    *cosine_part = radius * to_x;
    *sine_part = radius * to_y;
}

// ---- From words to elements

__device__ inline void narrow(f32 from, f16* to) { *to = f16_from(from); }
__device__ inline void narrow(f32 from, bf16* to) { *to = bf16_from(from); }
__device__ inline void narrow(f32 from, f32* to) { *to = from; }

__device__ inline void uniform_of(u32 word, f16* to) {
    *to = f16_from((f32)(word >> 21) * (1.0f / 2048.0f));
}
__device__ inline void uniform_of(u32 word, bf16* to) {
    *to = bf16_from((f32)(word >> 24) * (1.0f / 256.0f));
}
__device__ inline void uniform_of(u32 word, f32* to) {
    *to = (f32)(word >> 8) * (1.0f / 16777216.0f);
}
__device__ inline void uniform_of(u64 word, f64* to) {
    *to = (f64)(word >> 11) * (1.0 / 9007199254740992.0);
}

__device__ inline void whole_as(i64 value, u8* to) { *to = (u8)value; }
__device__ inline void whole_as(i64 value, i8* to) { *to = (i8)value; }
__device__ inline void whole_as(i64 value, i16* to) { *to = (i16)value; }
__device__ inline void whole_as(i64 value, i32* to) { *to = (i32)value; }
__device__ inline void whole_as(i64 value, i64* to) { *to = value; }
__device__ inline void whole_as(i64 value, u16* to) { *to = (u16)value; }
__device__ inline void whole_as(i64 value, u32* to) { *to = (u32)value; }
__device__ inline void whole_as(i64 value, u64* to) { *to = (u64)value; }
__device__ inline void whole_as(i64 value, f16* to) { *to = f16_from((f32)value); }
__device__ inline void whole_as(i64 value, bf16* to) { *to = bf16_from((f32)value); }
__device__ inline void whole_as(i64 value, f32* to) { *to = (f32)value; }
__device__ inline void whole_as(i64 value, f64* to) { *to = (f64)value; }

#if FROM == 32
typedef u32 Word;
#define PARTS 4
#else
typedef u64 Word;
#define PARTS 2
#endif

struct Range {
    i64 low;
    u64 span;
};

// Word `part` of a block, of 32 or of 64 bits.
__device__ inline void word_of(const Block& block, int part, u32* word) {
    *word = block.words[part];
}
__device__ inline void word_of(const Block& block, int part, u64* word) {
    *word = (u64)block.words[2 * part] | (u64)block.words[2 * part + 1] << 32;
}

// The elements of a block, made by one of three functions.
template <class T>
__device__ inline void uniform(const Block& block, Range, T* out) {
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        Word word;
        word_of(block, part, &word);
        uniform_of(word, out + part);
    }
}

template <class T>
__device__ inline void integer(const Block& block, Range range, T* out) {
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        u64 word;
        word_of(block, part, &word);
        u64 above = range.span == 0 ? word : __umul64hi(word, range.span);
        whole_as((i64)((u64)range.low + above), out + part);
    }
}


template <class T>
__device__ inline void normal(const Block& block, Range, T* out) {
#pragma unroll
    for (int part = 0; part < 4; part += 2) {
        f32 cosine, sine;
        normals(block.words[part], block.words[part + 1], &cosine, &sine);
        narrow(cosine, out + part);
        narrow(sine, out + part + 1);
    }
}

__device__ inline void normal(const Block& block, Range, f64* out) {
    u64 radius, angle;
    word_of(block, 0, &radius);
    word_of(block, 1, &angle);
    normals(radius, angle, out, out + 1);
}

// Fills `out` from block `counter` on. `aligned`: `out` lies at a multiple of four elements, or of
// 16 bytes.
extern "C" __global__ void __launch_bounds__(256) fill_random(
    ITEM* out, u64 len, u64 seed, u64 counter, const Range range, u32 aligned) {
    // Four blocks of a group of 16.
    u64 quarter = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u64 first = quarter / 4 * (16 * PARTS) + quarter % 4 * 4;
    if (first >= len) {
        return;
    }
    ITEM items[4][PARTS];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        DRAW(philox(seed, counter + quarter * 4 + i), range, items[i]);
    }
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        u64 at = first + part * 16;
        if (aligned != 0 && at + 4 <= len) {
            typedef Pack<ITEM, sizeof(ITEM) == 8 ? 2 : 4> Items;
#pragma unroll
            for (u32 i = 0; i < 4; i += sizeof(Items) / sizeof(ITEM)) {
                Items pack;
#pragma unroll
                for (u32 j = 0; j < sizeof(Items) / sizeof(ITEM); j++) {
                    pack.at[j] = items[i + j][part];
                }
                pack.store(out + at + i);
            }
        } else {
#pragma unroll
            for (u32 i = 0; i < 4; i++) {
                if (at + i < len) {
                    out[at + i] = items[i][part];
                }
            }
        }
    }
}
