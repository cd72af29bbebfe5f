// The operations of a program that C has no operator for, as src/device/cpu/reference.rs defines
// them. A generated kernel takes the functions that it calls (src/codegen/library.rs), so each is
// a paragraph of its own, and one that calls another stands below it.

// Integers wrap: sums, differences and products are those of unsigned numbers.
__device__ inline u32 bits_of(i32 x) { return (u32)x; }
__device__ inline u64 bits_of(i64 x) { return (u64)x; }
__device__ inline u32 bits_of(u32 x) { return x; }
__device__ inline u64 bits_of(u64 x) { return x; }

template <typename T>
__device__ inline bool is_minus_one(T x) { return (T)-1 < (T)0 && x == (T)-1; }

template <typename T>
__device__ inline T add(T a, T b) { return (T)(bits_of(a) + bits_of(b)); }

template <typename T>
__device__ inline T sub(T a, T b) { return (T)(bits_of(a) - bits_of(b)); }

template <typename T>
__device__ inline T mul(T a, T b) { return (T)(bits_of(a) * bits_of(b)); }

template <typename T>
__device__ inline T negative(T x) { return (T)(0 - bits_of(x)); }

// The lowest number of a type is its own magnitude.
template <typename T>
__device__ inline T magnitude(T x) { return x < 0 ? negative(x) : x; }

// Floats keep their NaN; a zero's sign is plus.
template <typename T>
__device__ inline T sign(T x) { return x != x ? x : (T)((x > 0) - (x < 0)); }

__device__ inline bool sign_bit(f32 x) { return __float_as_int(x) < 0; }
__device__ inline bool sign_bit(f64 x) { return __double_as_longlong(x) < 0; }

// 1 / (1 + exp(-x)), from the side that does not overflow.
__device__ inline f32 sigmoid(f32 x) {
    f32 e = expf(-fabsf(x));
    return (x >= 0.0f ? 1.0f : e) / (1.0f + e);
}
__device__ inline f64 sigmoid(f64 x) {
    f64 e = exp(-fabs(x));
    return (x >= 0.0 ? 1.0 : e) / (1.0 + e);
}

// NaN if either is.
template <typename T>
__device__ inline T maximum(T a, T b) { return a >= b || a != a ? a : b; }

template <typename T>
__device__ inline T minimum(T a, T b) { return a <= b || a != a ? a : b; }

// The other if one is NaN.
template <typename T>
__device__ inline T fmaximum(T a, T b) { return a >= b || b != b ? a : b; }

template <typename T>
__device__ inline T fminimum(T a, T b) { return a <= b || b != b ? a : b; }

// C's remainder. The caller reports a zero divisor; -1 is apart because the quotient may not fit.
template <typename T>
__device__ inline T truncmod(T a, T b) { return b == 0 || is_minus_one(b) ? (T)0 : (T)(a % b); }

// The remainder with the divisor's sign.
template <typename T>
__device__ inline T modulo(T a, T b) {
    T rest = truncmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? (T)(rest + b) : rest;
}
__device__ inline f32 modulo(f32 a, f32 b) {
    f32 rest = fmodf(a, b);
    if (rest == 0.0f) return copysignf(0.0f, b);
    return (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}
__device__ inline f64 modulo(f64 a, f64 b) {
    f64 rest = fmod(a, b);
    if (rest == 0.0) return copysign(0.0, b);
    return (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

// Quotients rounded down. Those of floats come from the exact remainder, so that
// a == b * floordiv(a, b) + modulo(a, b) as nearly as can be.
template <typename T>
__device__ inline T floordiv(T a, T b) {
    if (b == 0) return 0;
    if (is_minus_one(b)) return negative(a);
    T quotient = (T)(a / b);
    return a % b != 0 && (a < 0) != (b < 0) ? (T)(quotient - 1) : quotient;
}
__device__ inline f32 floordiv(f32 a, f32 b) {
    if (b == 0.0f) return a / b;
    f32 rest = fmodf(a, b);
    f32 quotient = (a - rest) / b;
    if (rest != 0.0f && (rest < 0.0f) != (b < 0.0f)) quotient -= 1.0f;
    if (quotient == 0.0f) return copysignf(0.0f, a / b);
    f32 whole = floorf(quotient);
    return quotient - whole > 0.5f ? whole + 1.0f : whole;
}
__device__ inline f64 floordiv(f64 a, f64 b) {
    if (b == 0.0) return a / b;
    f64 rest = fmod(a, b);
    f64 quotient = (a - rest) / b;
    if (rest != 0.0 && (rest < 0.0) != (b < 0.0)) quotient -= 1.0;
    if (quotient == 0.0) return copysign(0.0, a / b);
    f64 whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

// Wraps. The caller reports a negative exponent.
template <typename T>
__device__ inline T power(T base, T exponent) {
    T result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = mul(result, base);
        base = mul(base, base);
    }
    return result;
}

// A number as the unevaluated sum of two doubles, as in src/device/cpu/lanes/pair.rs.
struct DoublePair {
    f64 high, low;
};

__device__ inline DoublePair quick_sum(f64 a, f64 b) {
    f64 sum = a + b;
    return {sum, b - (sum - a)};
}

__device__ inline DoublePair two_sum(f64 a, f64 b) {
    f64 sum = a + b, from_b = sum - a;
    return {sum, (a - (sum - from_b)) + (b - from_b)};
}

__device__ inline DoublePair pair_sum(DoublePair a, DoublePair b) {
    DoublePair outer = two_sum(a.high, b.high), inner = two_sum(outer.low, a.low + b.low);
    DoublePair both = quick_sum(outer.high, inner.high);
    return quick_sum(both.high, both.low + inner.low);
}

__device__ inline DoublePair pair_product(DoublePair a, DoublePair b) {
    f64 high = a.high * b.high;
    return quick_sum(high, fma(a.high, b.high, -high) + a.high * b.low + a.low * b.high);
}

__device__ inline DoublePair pair_quotient(DoublePair a, f64 b) {
    f64 high = a.high / b;
    return quick_sum(high, (fma(-high, b, a.high) + a.low) / b);
}

__device__ inline DoublePair pair_exp(DoublePair x) {
    f64 k = rint(x.high * 1.4426950408889634);
    DoublePair rest = pair_sum(x, pair_product({0.6931471805599453, 2.3190468138462996e-17}, {-k, 0.0}));
    DoublePair small = {rest.high / 512.0, rest.low / 512.0}, more = {0.0, 0.0};
    for (int n = 9; n > 0; n--) {
        more = pair_quotient(pair_product(pair_sum(more, {1.0, 0.0}), small), n);
    }
    for (int n = 0; n < 9; n++) {
        more = pair_sum({2.0 * more.high, 2.0 * more.low}, pair_product(more, more));
    }
    DoublePair power = pair_sum(more, {1.0, 0.0});
    f64 scale = exp2(k);
    return {power.high * scale, power.low * scale};
}

// log(a + b) of a sum near one; by a step of Newton's where a logarithm is less exact than its argument.
__device__ inline DoublePair pair_log(DoublePair a, DoublePair b) {
    DoublePair whole = pair_sum(a, b), more = pair_sum(whole, {-1.0, 0.0});
    f64 near = log1p(more.high);
    if (fabs(near) < 1e-6) return {near, more.low / (1.0 + more.high)};
    DoublePair rest = pair_sum(pair_product(whole, pair_exp({-near, 0.0})), {-1.0, 0.0});
    return {near, rest.high};
}

// Whether a sum of one number below zero and one above loses digits.
__device__ inline bool cancels(f64 below, f64 above) {
    return below < 0.0 && below + above < above && below + above > -above;
}

// Whether so little is left of a float64 sum that a float32 has not all of its digits from it.
__device__ inline bool is_cancelled(f64 sum) { return fabs(sum) < 1e-6; }

// By how much log(exp(a) + exp(b)) is above the larger one, and the same with powers of two. Equal infinities have no
// difference.
__device__ inline f64 above_larger(f64 a, f64 b) {
    return a == b ? 0.6931471805599453 : log1p(exp(-fabs(a - b)));
}
__device__ inline f64 above_larger2(f64 a, f64 b) {
    return a == b ? 1.0 : log1p(exp2(-fabs(a - b))) * 1.4426950408889634;
}

// log(exp(a) + exp(b)), and the same with powers of two. float32 goes through float64, because the
// two terms may cancel.
__device__ inline f64 logaddexp(f64 a, f64 b) {
    f64 larger = a > b ? a : b;
    f64 more = above_larger(a, b);
    if (cancels(larger, more)) {
        DoublePair exact = pair_log(pair_exp({a, 0.0}), pair_exp({b, 0.0}));
        return exact.high + exact.low;
    }
    return larger + more;
}
__device__ inline f32 logaddexp(f32 a, f32 b) {
    f64 sum = (a > b ? a : b) + above_larger(a, b);
    return (f32)(is_cancelled(sum) ? logaddexp((f64)a, (f64)b) : sum);
}

__device__ inline f64 logaddexp2(f64 a, f64 b) {
    f64 larger = a > b ? a : b;
    f64 more = above_larger2(a, b);
    if (cancels(larger, more)) {
        DoublePair ln2 = {0.6931471805599453, 2.3190468138462996e-17};
        DoublePair left = pair_exp(pair_product(ln2, {a, 0.0}));
        DoublePair exact = pair_log(left, pair_exp(pair_product(ln2, {b, 0.0})));
        exact = pair_product(exact, {1.4426950408889634, 2.0355273740931033e-17});
        return exact.high + exact.low;
    }
    return larger + more;
}
__device__ inline f32 logaddexp2(f32 a, f32 b) {
    f64 sum = (a > b ? a : b) + above_larger2(a, b);
    return (f32)(is_cancelled(sum) ? logaddexp2((f64)a, (f64)b) : sum);
}

// A shift that reaches the width, or is negative, leaves nothing but the sign's bit.
template <typename T>
__device__ inline T shl(T a, T b) {
    return b >= 0 && b < (T)(8 * sizeof(T)) ? (T)(bits_of(a) << b) : (T)0;
}

template <typename T>
__device__ inline T shr(T a, T b) {
    if (b >= 0 && b < (T)(8 * sizeof(T))) return (T)(a >> b);
    return a < 0 ? (T)-1 : (T)0;
}

// Euclid's, over magnitudes: that of the lowest number has no place in its own type.
template <typename U>
__device__ inline U common_divisor(U a, U b) {
    while (b != 0) {
        U rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <typename T>
__device__ inline auto unsigned_magnitude(T x) { return x < 0 ? 0 - bits_of(x) : bits_of(x); }

template <typename T>
__device__ inline T gcd(T a, T b) {
    return (T)common_divisor(unsigned_magnitude(a), unsigned_magnitude(b));
}

template <typename T>
__device__ inline T lcm(T a, T b) {
    auto m = unsigned_magnitude(a), n = unsigned_magnitude(b), divisor = common_divisor(m, n);
    return divisor == 0 ? (T)0 : (T)(m / divisor * n);
}

// Floats are cut towards zero. What does not fit, and NaN, is the lowest number, as on x86.
__device__ inline i32 to_i32(f32 x) {
    return x >= -2147483648.0f && x < 2147483648.0f ? (i32)x : -2147483647 - 1;
}
__device__ inline i32 to_i32(f64 x) {
    return x > -2147483649.0 && x < 2147483648.0 ? (i32)x : -2147483647 - 1;
}

__device__ inline i64 to_i64(f32 x) {
    return x >= -9223372036854775808.0f && x < 9223372036854775808.0f
        ? (i64)x : -9223372036854775807ll - 1;
}
__device__ inline i64 to_i64(f64 x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0
        ? (i64)x : -9223372036854775807ll - 1;
}

__device__ inline u32 to_u32(f32 x) { return (u32)to_i64(x); }
__device__ inline u32 to_u32(f64 x) { return (u32)to_i64(x); }

__device__ inline u64 to_u64(f32 x) {
    const f32 half = 9223372036854775808.0f;
    return x >= half ? (u64)to_i64(x - half) ^ 0x8000000000000000ull : (u64)to_i64(x);
}
__device__ inline u64 to_u64(f64 x) {
    const f64 half = 9223372036854775808.0;
    return x >= half ? (u64)to_i64(x - half) ^ 0x8000000000000000ull : (u64)to_i64(x);
}

// A float64 cut to float32 with its last bit set where something was lost ("rounding to odd", Boldo and
// Melquiond 2008), so that a second rounding sees on which side it was.
__device__ inline f32 to_odd(f64 x) {
    f32 near = (f32)x;
    if ((f64)near != x && x == x) {
        i32 bits = __float_as_int(near);
        if (fabs((f64)near) > fabs(x)) bits -= 1;
        near = __int_as_float(bits | 1);
    }
    return near;
}

// What a narrow type holds of a number, in one rounding.
__device__ inline f32 round_f16(f32 x) { return to_f32(f16_from(x)); }
__device__ inline f32 round_f16(f64 x) { return to_f32(f16_from(x)); }
__device__ inline f32 round_bf16(f32 x) { return __int_as_float((i32)nearest_bf16(x)); }
__device__ inline f32 round_bf16(f64 x) { return to_f32(bf16_from(to_odd(x))); }
__device__ inline f32 round_f8e4m3(f32 x) { return to_f32(f8e4m3_from(x)); }
__device__ inline f32 round_f8e4m3(f64 x) { return to_f32(f8e4m3_from(to_odd(x))); }
__device__ inline f32 round_f8e5m2(f32 x) { return to_f32(f8e5m2_from(x)); }
__device__ inline f32 round_f8e5m2(f64 x) { return to_f32(f8e5m2_from(to_odd(x))); }

// The bits of the next number after one that is not another, towards that; `sign` is the sign's bit.
__device__ inline u32 next_bits(u32 bits, u32 sign, bool upwards) {
    if ((bits & ~sign) == 0u) return upwards ? 1u : sign | 1u;
    return upwards == ((bits & sign) == 0u) ? bits + 1u : bits - 1u;
}

template <typename Narrow>
__device__ inline f32 next_narrow(Narrow x, f32 from, f32 towards) {
    if (from != from || towards != towards) return F32_NAN;
    if (from == towards) return towards;
    x.bits = next_bits(x.bits, 1u << (8u * (u32)sizeof(x) - 1u), towards > from);
    return to_f32(x);
}
__device__ inline f32 next_f16(f32 x, f32 y) { return next_narrow(f16_from(x), x, y); }
__device__ inline f32 next_bf16(f32 x, f32 y) { return next_narrow(bf16_from(x), x, y); }
__device__ inline f32 next_f8e4m3(f32 x, f32 y) { return next_narrow(f8e4m3_from(x), x, y); }
__device__ inline f32 next_f8e5m2(f32 x, f32 y) { return next_narrow(f8e5m2_from(x), x, y); }

// An index as NumPy reads it: a negative one counts from the end.
__device__ inline i64 from_start(i64 index, i64 extent) {
    return index < 0 ? index + extent : index;
}

__device__ inline bool is_outside(i64 index, i64 extent) { return (u64)index >= (u64)extent; }
