// What scan.cu folds with.
//
// Where a line is cut, a fold of floats may leave the finite range in a part though the line never
// does, or come back though the line, folded from its start, would not. Folds that can tell say so
// (`is_sound`), and such stretches are folded again one element after the other.

// ---- Elements as what they are folded in

__device__ inline i32 wide(u8 x) { return x; }
__device__ inline i32 wide(i8 x) { return x; }
__device__ inline i32 wide(i16 x) { return x; }
__device__ inline i32 wide(i32 x) { return x; }
__device__ inline i64 wide(i64 x) { return x; }
__device__ inline i32 wide(u16 x) { return x; }
__device__ inline u32 wide(u32 x) { return x; }
__device__ inline u64 wide(u64 x) { return x; }
__device__ inline f32 wide(f16 x) { return to_f32(x); }
__device__ inline f32 wide(bf16 x) { return to_f32(x); }
__device__ inline f32 wide(f32 x) { return x; }
__device__ inline f64 wide(f64 x) { return x; }

__device__ inline void narrow(f64 from, f16* to) { *to = f16_from((f32)from); }
__device__ inline void narrow(f64 from, bf16* to) { *to = bf16_from((f32)from); }
__device__ inline void narrow(f64 from, f32* to) { *to = (f32)from; }
__device__ inline void narrow(f64 from, f64* to) { *to = from; }

__device__ inline i32 lowest(i32) { return -2147483647 - 1; }
__device__ inline i64 lowest(i64) { return -9223372036854775807ll - 1; }
__device__ inline f32 lowest(f32) { return -F32_INF; }
__device__ inline f64 lowest(f64) { return -F64_INF; }
__device__ inline u32 lowest(u32) { return 0; }
__device__ inline u64 lowest(u64) { return 0; }
__device__ inline u32 highest(u32) { return 0xffffffffu; }
__device__ inline u64 highest(u64) { return 0xffffffffffffffffull; }
__device__ inline i32 highest(i32) { return 2147483647; }
__device__ inline i64 highest(i64) { return 9223372036854775807ll; }
__device__ inline f32 highest(f32) { return F32_INF; }
__device__ inline f64 highest(f64) { return F64_INF; }

template <class T>
struct Unsigned { typedef u32 Type; };
template <>
struct Unsigned<i64> { typedef u64 Type; };
template <>
struct Unsigned<u64> { typedef u64 Type; };

template <class T>
struct Widened { typedef decltype(wide(T())) Type; };

// ---- Folds
//
// `Acc` folds a stretch and joins with its neighbours; `Step` folds a line from its start, one
// element after the other, exactly as the CPU does. What is done quickly holds where the last result is settled.

// A fold whose parts join without a difference that counts.
template <class F, class A, class T>
struct Plain {
    typedef A Acc;
    typedef A Step;
    static constexpr bool REPAIRS = false;
    // Whether `is_settled` says something.
    static constexpr bool SETTLES = false;
    // Whether the order of elements is without a difference that counts, too.
    static constexpr bool COMMUTES = true;
    __device__ static A begin() { return F::identity(); }
    __device__ static A step(A acc, T item) { return F::push(acc, item); }
    __device__ static T step_value(A acc) { return F::value(acc); }
    __device__ static bool is_sound(A) { return true; }
    __device__ static bool is_sound_part(A) { return true; }
    __device__ static A quick_push(A acc, T item) { return F::push(acc, item); }
    __device__ static A quick_join(A left, A right) { return F::join(left, right); }
    __device__ static T quick_value(A acc) { return F::value(acc); }
    __device__ static bool is_settled(A) { return true; }
    __device__ static A to_step(A acc) { return acc; }
    __device__ static A from_step(A step) { return step; }
    __device__ static bool is_absorbed(A) { return false; }
    __device__ static A after(A, A, A before) { return before; }
};

template <class T>
struct SumInteger : Plain<SumInteger<T>, typename Unsigned<T>::Type, T> {
    typedef typename Unsigned<T>::Type Acc;
    __device__ static Acc identity() { return 0; }
    __device__ static Acc push(Acc acc, T item) { return acc + (Acc)item; }
    __device__ static Acc join(Acc left, Acc right) { return left + right; }
    __device__ static T value(Acc acc) { return (T)acc; }
};

template <class T>
struct ProdInteger : Plain<ProdInteger<T>, typename Unsigned<T>::Type, T> {
    typedef typename Unsigned<T>::Type Acc;
    __device__ static Acc identity() { return 1; }
    __device__ static Acc push(Acc acc, T item) { return acc * (Acc)item; }
    __device__ static Acc join(Acc left, Acc right) { return left * right; }
    __device__ static T value(Acc acc) { return (T)acc; }
};

__device__ inline void from_wide(i32 x, u8* to) { *to = (u8)x; }
__device__ inline void from_wide(i32 x, i8* to) { *to = (i8)x; }
__device__ inline void from_wide(i32 x, i16* to) { *to = (i16)x; }
__device__ inline void from_wide(i32 x, i32* to) { *to = x; }
__device__ inline void from_wide(i64 x, i64* to) { *to = x; }
__device__ inline void from_wide(i32 x, u16* to) { *to = (u16)x; }
__device__ inline void from_wide(u32 x, u32* to) { *to = x; }
__device__ inline void from_wide(u64 x, u64* to) { *to = x; }
__device__ inline void from_wide(f32 x, f16* to) { *to = f16_from(x); }
__device__ inline void from_wide(f32 x, bf16* to) { *to = bf16_from(x); }
__device__ inline void from_wide(f32 x, f32* to) { *to = x; }
__device__ inline void from_wide(f64 x, f64* to) { *to = x; }

// A NaN stays; of equals (the zeros) the first.
template <class T>
struct MaxOf : Plain<MaxOf<T>, typename Widened<T>::Type, T> {
    typedef typename Widened<T>::Type Acc;
    static constexpr bool COMMUTES = false;
    __device__ static Acc identity() { return lowest(Acc()); }
    __device__ static Acc join(Acc left, Acc right) {
        return left >= right || left != left ? left : right;
    }
    __device__ static Acc push(Acc acc, T item) { return join(acc, wide(item)); }
    __device__ static T value(Acc acc) {
        T item;
        from_wide(acc, &item);
        return item;
    }
};

template <class T>
struct MinOf : Plain<MinOf<T>, typename Widened<T>::Type, T> {
    typedef typename Widened<T>::Type Acc;
    static constexpr bool COMMUTES = false;
    __device__ static Acc identity() { return highest(Acc()); }
    __device__ static Acc join(Acc left, Acc right) {
        return left <= right || left != left ? left : right;
    }
    __device__ static Acc push(Acc acc, T item) { return join(acc, wide(item)); }
    __device__ static T value(Acc acc) {
        T item;
        from_wide(acc, &item);
        return item;
    }
};

// Sums of the types below float64, which float64 holds without leaving its range. The sum of
// nothing but -0.0 is -0.0.
template <class T>
struct SumFloat : Plain<SumFloat<T>, f64, T> {
    __device__ static f64 identity() { return -0.0; }
    __device__ static f64 push(f64 acc, T item) { return acc + (f64)wide(item); }
    __device__ static f64 join(f64 left, f64 right) { return left + right; }
    __device__ static T value(f64 acc) {
        T item;
        narrow(acc, &item);
        return item;
    }
};

// A sum and the rounding errors of its additions (Knuth's two-sum).
struct Pair {
    f64 sum;
    f64 error;
};

#define SAW_PLUS_INFINITY 1u
#define SAW_MINUS_INFINITY 2u

// By the exponent's bits, which leaves the units for float64 to the sums.
__device__ inline bool is_finite(f64 x) {
    return ((u64)__double_as_longlong(x) >> 52 & 0x7ff) != 0x7ff;
}

__device__ inline u32 infinities(f64 x) {
    return is_finite(x) ? 0u
        : x != x        ? SAW_PLUS_INFINITY | SAW_MINUS_INFINITY
        : x > 0.0       ? SAW_PLUS_INFINITY
                        : SAW_MINUS_INFINITY;
}

// Pairs whose sum is finite add up. In others the error's bits say which infinities were among the elements,
// and they decide the sum; where there were none, the sum has left the range by itself.
template <class T>
struct SumDouble {
    typedef Pair Acc;
    typedef Pair Step;
    static constexpr bool REPAIRS = true;
    static constexpr bool SETTLES = true;
    static constexpr bool COMMUTES = true;

    __device__ static Pair begin() { return {-0.0, -0.0}; }
    __device__ static Pair step(Pair acc, f64 item) {
        f64 next = acc.sum + item;
        f64 added = next - acc.sum;
        return {next, acc.error + ((acc.sum - (next - added)) + (item - added))};
    }
    // Beyond the finite range the error is NaN and says nothing; where it is zero, adding it could
    // only change the sign of a zero.
    __device__ static f64 step_value(Pair acc) {
        bool has_error = (u64)__double_as_longlong(acc.error) << 1 != 0;
        return has_error && is_finite(acc.sum) ? acc.sum + acc.error : acc.sum;
    }

    __device__ static u32 seen(Pair acc) {
        return is_finite(acc.sum) ? 0u : (u32)__double_as_longlong(acc.error);
    }
    __device__ static Pair not_finite(f64 sum, u32 seen) {
        return {sum, __longlong_as_double((i64)seen)};
    }

    __device__ static Pair identity() { return {-0.0, -0.0}; }
    // What makes a sum infinite, or no number, leaves it so.
    __device__ static Pair push(Pair acc, f64 item) {
        Pair next = step(acc, item);
        if (!is_finite(next.sum)) {
            return not_finite(next.sum, seen(acc) | infinities(item));
        }
        return next;
    }
    __device__ static Pair join(Pair left, Pair right) {
        Pair next = step(left, right.sum);
        if (!is_finite(next.sum)) {
            return not_finite(next.sum, seen(left) | seen(right));
        }
        return {next.sum, next.error + right.error};
    }
    // A sum that has left the finite range does not come back.
    __device__ static bool is_settled(Pair acc) { return is_finite(acc.sum); }
    __device__ static Pair quick_push(Pair acc, f64 item) { return step(acc, item); }
    __device__ static Pair quick_join(Pair left, Pair right) {
        Pair next = step(left, right.sum);
        return {next.sum, next.error + right.error};
    }
    __device__ static f64 quick_value(Pair acc) {
        bool has_error = (u64)__double_as_longlong(acc.error) << 1 != 0;
        return has_error ? acc.sum + acc.error : acc.sum;
    }
    __device__ static f64 value(Pair acc) {
        if (is_finite(acc.sum)) {
            return quick_value(acc);
        }
        u32 which = seen(acc);
        return which == 0u                ? acc.sum
            : which == SAW_PLUS_INFINITY  ? F64_INF
            : which == SAW_MINUS_INFINITY ? -F64_INF
                                          : F64_NAN;
    }
    __device__ static bool is_sound(Pair acc) { return is_finite(acc.sum) || seen(acc) != 0u; }
    __device__ static bool is_sound_part(Pair acc) { return is_sound(acc); }
    __device__ static Pair to_step(Pair acc) {
        return is_finite(acc.sum) ? acc : Pair{value(acc), 0.0};
    }
    __device__ static Pair from_step(Pair step) {
        return is_finite(step.sum) ? step : not_finite(step.sum, infinities(step.sum));
    }
    __device__ static bool is_absorbed(Pair step) { return !is_finite(step.sum); }
    __device__ static Pair after(Pair absorbed, Pair, Pair before) {
        return not_finite(absorbed.sum, seen(absorbed) | seen(before));
    }
};

// A product beyond the range of float64: `mantissa` · 2^exponent, with a mantissa that is zero,
// infinite, NaN, or of a magnitude in [1, 2).
struct Scaled {
    f64 mantissa;
    i64 exponent;
};

#define F64_FIELD 0x7ff0000000000000ll
#define F64_ONE 0x3ff0000000000000ll

__device__ inline bool is_special(f64 x) { return x == 0.0 || !is_finite(x); }

__device__ inline Scaled scaled(f64 x, i64 exponent) {
    if (is_special(x)) {
        return {x, exponent};
    }
    i64 bits = __double_as_longlong(x);
    if ((bits & F64_FIELD) == 0) {
        bits = __double_as_longlong(x * 18014398509481984.0);
        exponent -= 54;
    }
    exponent += ((bits & F64_FIELD) >> 52) - 1023;
    return {__longlong_as_double((bits & ~F64_FIELD) | F64_ONE), exponent};
}

template <class T>
struct ProdFloat {
    typedef Scaled Acc;
    typedef f64 Step;
    static constexpr bool REPAIRS = true;
    static constexpr bool SETTLES = false;
    static constexpr bool COMMUTES = true;

    __device__ static f64 begin() { return 1.0; }
    __device__ static f64 step(f64 acc, T item) { return acc * (f64)wide(item); }
    __device__ static T step_value(f64 acc) {
        T item;
        narrow(acc, &item);
        return item;
    }

    __device__ static Scaled identity() { return {1.0, 0}; }
    __device__ static Scaled push(Scaled acc, T item) {
        f64 x = (f64)wide(item);
        if (sizeof(T) == 8) {
            return join(acc, scaled(x, 0));
        }
        // Float32 is far from the ends of float64's range.
        return scaled(acc.mantissa * x, acc.exponent);
    }
    __device__ static Scaled join(Scaled left, Scaled right) {
        return scaled(left.mantissa * right.mantissa, left.exponent + right.exponent);
    }
    __device__ static T value(Scaled acc) { return step_value(to_step(acc)); }
    __device__ static Scaled quick_push(Scaled acc, T item) { return push(acc, item); }
    __device__ static Scaled quick_join(Scaled left, Scaled right) { return join(left, right); }
    __device__ static T quick_value(Scaled acc) { return value(acc); }
    __device__ static bool is_settled(Scaled) { return true; }
    __device__ static bool is_sound(Scaled acc) {
        return is_special(acc.mantissa) || (acc.exponent >= -1022 && acc.exponent <= 1023);
    }
    __device__ static bool is_sound_part(Scaled) { return true; }
    // Exact where float64 holds the product.
    __device__ static f64 to_step(Scaled acc) {
        if (is_special(acc.mantissa)) {
            return acc.mantissa;
        }
        bool is_tiny = acc.exponent < -1022;
        i64 exponent = max(min(acc.exponent + (is_tiny ? 64 : 0), 1023ll), -1022ll);
        f64 whole = acc.mantissa * __longlong_as_double((exponent + 1023) << 52);
        return is_tiny ? whole * 5.421010862427522e-20 : whole;
    }
    __device__ static Scaled from_step(f64 step) { return scaled(step, 0); }
    __device__ static bool is_absorbed(f64 step) { return is_special(step); }
    // What lies between the two products, without its magnitude, changes a zero or an infinity
    // as the elements themselves would.
    __device__ static Scaled after(Scaled absorbed, Scaled at, Scaled before) {
        f64 sign = __double_as_longlong(at.mantissa) < 0 ? -1.0 : 1.0;
        return {absorbed.mantissa * (before.mantissa * sign), 0};
    }
};
