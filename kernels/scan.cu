// Running sums, products, maxima and minima along one axis.
//
// Macros: ITEM, the type of the elements; FOLD, one of the structs below; PACK, how many elements
// a lane moves at once (1, or 16 bytes where lines lie evenly); ROWS, how many such packs a lane
// holds; GROUP, the lanes of a line in `scan_lines`; WARPS, how many a tile has; PART, which kernels
// are wanted (LINES, TILES, REPAIR or COLUMNS); RANK and WIDE for the axes beside the scanned one.
//
// Results do not depend on timing: what a stretch begins with is always folded from the same totals
// in the same order, and no block waits for another.
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
// element after the other, exactly as the CPU does.

// A fold whose parts join without a difference that counts.
template <class F, class A, class T>
struct Plain {
    typedef A Acc;
    typedef A Step;
    static constexpr bool REPAIRS = false;
    // Whether the order of elements is without a difference that counts, too.
    static constexpr bool COMMUTES = true;
    __device__ static A begin() { return F::identity(); }
    __device__ static A step(A acc, T item) { return F::push(acc, item); }
    __device__ static T step_value(A acc) { return F::value(acc); }
    __device__ static bool is_sound(A) { return true; }
    __device__ static bool is_sound_part(A) { return true; }
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

struct DoubleSum {
    f64 sum;
    f64 error;
    // Which infinities were among the elements; a NaN counts as both. They decide the sum.
    u32 saw;
    u32 unused;
};

__device__ inline bool is_finite(f64 x) { return x - x == 0.0; }

__device__ inline u32 infinities(f64 x) {
    return is_finite(x) ? 0u
        : x != x        ? SAW_PLUS_INFINITY | SAW_MINUS_INFINITY
        : x > 0.0       ? SAW_PLUS_INFINITY
                        : SAW_MINUS_INFINITY;
}

template <class T>
struct SumDouble {
    typedef DoubleSum Acc;
    typedef Pair Step;
    static constexpr bool REPAIRS = true;
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
        return acc.error != 0.0 && is_finite(acc.sum) ? acc.sum + acc.error : acc.sum;
    }

    __device__ static DoubleSum identity() { return {-0.0, -0.0, 0u, 0u}; }
    __device__ static DoubleSum push(DoubleSum acc, f64 item) {
        Pair next = step({acc.sum, acc.error}, item);
        return {next.sum, next.error, acc.saw | infinities(item), 0u};
    }
    __device__ static DoubleSum join(DoubleSum left, DoubleSum right) {
        Pair next = step({left.sum, left.error}, right.sum);
        return {next.sum, next.error + right.error, left.saw | right.saw, 0u};
    }
    __device__ static f64 value(DoubleSum acc) {
        return acc.saw == 0u                ? step_value({acc.sum, acc.error})
            : acc.saw == SAW_PLUS_INFINITY  ? F64_INF
            : acc.saw == SAW_MINUS_INFINITY ? -F64_INF
                                            : F64_NAN;
    }
    __device__ static bool is_sound(DoubleSum acc) { return acc.saw != 0u || is_finite(acc.sum); }
    __device__ static bool is_sound_part(DoubleSum acc) { return is_sound(acc); }
    __device__ static Pair to_step(DoubleSum acc) {
        return acc.saw == 0u ? Pair{acc.sum, acc.error} : Pair{value(acc), 0.0};
    }
    __device__ static DoubleSum from_step(Pair step) {
        return {step.sum, step.error, infinities(step.sum), 0u};
    }
    __device__ static bool is_absorbed(Pair step) { return !is_finite(step.sum); }
    __device__ static DoubleSum after(DoubleSum absorbed, DoubleSum, DoubleSum before) {
        absorbed.saw |= before.saw;
        return absorbed;
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

#define LINES 1
#define TILES 2
#define REPAIR 3
#define COLUMNS 4

typedef FOLD<ITEM> Fold;
typedef Fold::Acc Acc;
typedef Fold::Step Step;
typedef Pack<ITEM, PACK> Items;

// A line: `at(position)` for the elements.
struct Line {
    const ITEM* input;
    ITEM* out;
    i64 steps[2];
    u64 len;

    __device__ void load(u64 position, Items& items) const {
        if (PACK > 1) {
            items = Items::load(input + position);
        } else {
            items.at[0] = input[(i64)position * steps[0]];
        }
    }
    __device__ void store(u64 position, const Items& items) const {
        if (PACK > 1) {
            items.store(out + position);
        } else {
            out[(i64)position * steps[1]] = items.at[0];
        }
    }
    // Folds the elements of a range one after the other. Some are asked for together, because one
    // alone takes far longer to come than to fold.
    __device__ Step walk(Step step, u64 start, u64 end) const {
        constexpr u32 TOGETHER = 8;
        for (u64 at = start; at < end; at += TOGETHER) {
            ITEM ahead[TOGETHER];
#pragma unroll
            for (u32 i = 0; i < TOGETHER; i++) {
                if (at + i < end) {
                    ahead[i] = input[(i64)(at + i) * steps[0]];
                }
            }
#pragma unroll
            for (u32 i = 0; i < TOGETHER; i++) {
                if (at + i < end) {
                    step = Fold::step(step, ahead[i]);
                    out[(i64)(at + i) * steps[1]] = Fold::step_value(step);
                }
            }
        }
        return step;
    }
};

// The part of a line that a group of lanes folds together: ROWS rows of one pack a lane.
template <u32 LANES>
struct Chunk {
    Items items[ROWS];
    // What each of the lane's packs begins with, from the chunk's start.
    Acc before[ROWS];
    // Of the whole chunk.
    Acc total;

    static constexpr u32 LEN = LANES * PACK * ROWS;

    __device__ static u64 position(u64 start, u32 lane, u32 row) {
        return start + (u64)(row * LANES + lane) * PACK;
    }

    __device__ void load(const Line& line, u64 start, u32 lane) {
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            u64 at = position(start, lane, row);
            if (at < line.len) {
                line.load(at, items[row]);
            }
        }
    }

    // Elements past the line's end take no part.
    __device__ void fold(const Line& line, u64 start, u32 lane) {
        Acc sums[ROWS];
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            Acc own = Fold::identity();
            if (position(start, lane, row) < line.len) {
#pragma unroll
                for (u32 i = 0; i < PACK; i++) {
                    own = Fold::push(own, items[row].at[i]);
                }
            }
#pragma unroll
            for (u32 apart = 1; apart < LANES; apart *= 2) {
                Acc left = shuffle_up(own, apart, LANES);
                own = lane >= apart ? Fold::join(left, own) : own;
            }
            sums[row] = shuffle(own, LANES - 1, LANES);
            Acc left = shuffle_up(own, 1, LANES);
            before[row] = lane == 0 ? Fold::identity() : left;
        }
        total = sums[0];
#pragma unroll
        for (u32 row = 1; row < ROWS; row++) {
            before[row] = Fold::join(total, before[row]);
            total = Fold::join(total, sums[row]);
        }
    }

    // Writes every step after `start_value`; false where one of them can't be trusted.
    __device__ bool finish(const Line& line, u64 start, u32 lane, Acc start_value) {
        bool sound = true;
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            u64 at = position(start, lane, row);
            if (at < line.len) {
                Acc acc = Fold::join(start_value, before[row]);
                Items values;
#pragma unroll
                for (u32 i = 0; i < PACK; i++) {
                    acc = Fold::push(acc, items[row].at[i]);
                    sound &= Fold::is_sound(acc);
                    values.at[i] = Fold::value(acc);
                }
                line.store(at, values);
            }
        }
        return sound;
    }
};

__device__ inline Line line_at(
    const ITEM* input, ITEM* out, u64 number, u64 len, i64 in_step, i64 out_step,
    const Axes& axes) {
    i64 offsets[OPERANDS] = {0, 0};
    locate(number, axes, offsets);
    return {input + offsets[0], out + offsets[1], {in_step, out_step}, len};
}

#if PART == LINES

// Many lines: GROUP lanes go through each, chunk by chunk.
extern "C" __global__ void __launch_bounds__(256) scan_lines(
    const ITEM* input, ITEM* out, u64 lines, u64 len, i64 in_step, i64 out_step,
    const Axes axes) {
    u32 lane = threadIdx.x % GROUP;
    u64 together = (u64)gridDim.x * (blockDim.x / GROUP);
    u64 first = (u64)blockIdx.x * (blockDim.x / GROUP) + threadIdx.x / WARP * (WARP / GROUP);
    // All lanes of a warp take the same way, because they shuffle.
    for (; first < lines; first += together) {
        u64 number = first + threadIdx.x % WARP / GROUP;
        Line line = line_at(input, out, min(number, lines - 1), len, in_step, out_step, axes);
        if (number >= lines) {
            line.len = 0;
        }
        Acc carry = Fold::identity();
        for (u64 start = 0; start < len; start += Chunk<GROUP>::LEN) {
            Chunk<GROUP> chunk;
            chunk.load(line, start, lane);
            chunk.fold(line, start, lane);
            bool sound = chunk.finish(line, start, lane, carry);
            Acc next = Fold::join(carry, chunk.total);
            if (Fold::REPAIRS) {
                sound &= Fold::is_sound(next);
                if (!__all_sync(ALL_LANES, sound)) {
                    Step step = Fold::to_step(carry);
                    __syncwarp();
                    if (lane == 0) {
                        step = line.walk(step, start, min(start + Chunk<GROUP>::LEN, line.len));
                    }
                    __syncwarp();
                    next = Fold::from_step(shuffle(step, 0, GROUP));
                }
            }
            carry = next;
        }
    }
}

#endif

#define TILE (WARPS * Chunk<WARP>::LEN)
// Blocks that share a multiprocessor: wide sums and single bytes take more registers.
#define BLOCKS ((sizeof(Acc) > 8 || sizeof(ITEM) == 1 ? 16 : 32) / WARPS)

// What is known of a line that has to be folded again from some tile on.
struct Repair {
    // The number of tiles less the first one that can't be trusted; zero if all can.
    u64 behind;
    // The first tile after those that were folded again.
    u64 resume;
    Step step;
};

#if PART == TILES

// Joins the warp's values in the lanes' order. The result is the first lane's.
__device__ inline Acc join_lanes(Acc acc) {
#pragma unroll
    for (u32 apart = 1; apart < WARP; apart *= 2) {
        acc = Fold::join(acc, shuffle_down(acc, apart, WARP));
    }
    return acc;
}

// Joins what the block's warps hold in their first lanes, in order, for every thread.
__device__ inline Acc join_warps(Acc acc, Acc* parts) {
    if (threadIdx.x % WARP == 0) {
        parts[threadIdx.x / WARP] = acc;
    }
    __syncthreads();
    acc = parts[0];
    for (u32 i = 1; i < WARPS; i++) {
        acc = Fold::join(acc, parts[i]);
    }
    return acc;
}

// Packs that a lane asks for before it folds them.
#define READS 8

// Long lines are cut in stretches of whole tiles. This folds every stretch but a line's last into
// its total, a warp each part of it. Grid: those stretches, lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS) scan_totals(
    const ITEM* input, ITEM* out, Acc* totals, u64 stretch, u64 len, i64 in_step, i64 out_step,
    const Axes axes) {
    __shared__ Acc parts[WARPS];
    u32 lane = threadIdx.x % WARP;
    Line line = line_at(input, out, blockIdx.y, len, in_step, out_step, axes);
    u64 part = stretch / WARPS;
    u64 start = blockIdx.x * stretch + threadIdx.x / WARP * part, end = start + part;
    Acc acc = Fold::identity();
    for (; start < end; start += READS * WARP * PACK) {
        Items items[READS];
#pragma unroll
        for (u32 row = 0; row < READS; row++) {
            if (start + row * WARP * PACK < end) {
                line.load(start + (row * WARP + lane) * PACK, items[row]);
            }
        }
#pragma unroll
        for (u32 row = 0; row < READS; row++) {
            if (start + row * WARP * PACK < end) {
                Acc own = Fold::COMMUTES ? acc : Fold::identity();
#pragma unroll
                for (u32 i = 0; i < PACK; i++) {
                    own = Fold::push(own, items[row].at[i]);
                }
                acc = Fold::COMMUTES ? own : Fold::join(acc, join_lanes(own));
            }
        }
    }
    acc = join_warps(Fold::COMMUTES ? join_lanes(acc) : acc, parts);
    if (threadIdx.x == 0) {
        totals[(u64)blockIdx.y * gridDim.x + blockIdx.x] = acc;
    }
}

// Joins the first totals of a line, in order, for every thread.
__device__ inline Acc join_totals(const Acc* totals, u32 count, Acc* parts) {
    u32 each = (count + WARP * WARPS - 1) / (WARP * WARPS);
    u32 first = min(threadIdx.x * each, count), end = min(first + each, count);
    Acc acc = Fold::identity();
    for (u32 i = first; i < end; i++) {
        acc = Fold::join(acc, totals[i]);
    }
    return join_warps(join_lanes(acc), parts);
}

// Writes every step: a block goes through a stretch, tile by tile, and asks for the next tile before
// it folds the present one. Grid: stretches, lines. For folds that repair, `begins` gets what each
// tile begins with; `repairs` are zeros.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_tiles(
    const ITEM* input, ITEM* out, const Acc* totals, u64 stretch, Acc* begins, Repair* repairs,
    u32 tiles, u64 len, i64 in_step, i64 out_step, const Axes axes) {
    __shared__ Acc parts[WARPS];
    __shared__ Acc sums[2][WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 number = blockIdx.y;
    // From the end, which was read last and may still be in the cache.
    u32 earlier = gridDim.x - 1 - blockIdx.x;
    u64 begin = earlier * stretch, end = min(begin + stretch, len);
    Line line = line_at(input, out, number, end, in_step, out_step, axes);
    Chunk<WARP> chunk;
    chunk.load(line, begin + (u64)warp * Chunk<WARP>::LEN, lane);
    Acc carry = Fold::identity();
    if (earlier > 0) {
        carry = join_totals(totals + number * (gridDim.x - 1), earlier, parts);
    }
    // As in `Repair`.
    u64 behind = 0;
    u32 turn = 0;
    for (u64 at = begin; at < end; at += TILE, turn ^= 1) {
        u64 left = tiles - at / TILE;
        u64 start = at + (u64)warp * Chunk<WARP>::LEN;
        chunk.fold(line, start, lane);
        if (lane == 0) {
            sums[turn][warp] = chunk.total;
        }
        Chunk<WARP> next;
        next.load(line, start + TILE, lane);
        // One barrier is enough: the sums of the tile before are in the other half.
        __syncthreads();
        Acc before = carry;
        if (Fold::REPAIRS && threadIdx.x == 0) {
            Acc own = sums[turn][0];
            for (u32 i = 1; i < WARPS; i++) {
                own = Fold::join(own, sums[turn][i]);
            }
            begins[number * tiles + tiles - left] = carry;
            if (!Fold::is_sound_part(own) || !Fold::is_sound(carry)) {
                behind = max(behind, left);
            }
        }
        for (u32 i = 0; i < WARPS; i++) {
            if (i == warp) {
                before = carry;
            }
            carry = Fold::join(carry, sums[turn][i]);
        }
        bool sound = chunk.finish(line, start, lane, before);
        if (Fold::REPAIRS && !sound) {
            behind = max(behind, left);
        }
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            chunk.items[row] = next.items[row];
        }
    }
    if (Fold::REPAIRS) {
        for (u32 apart = 1; apart < WARP; apart *= 2) {
            behind = max(behind, shuffle_down(behind, apart, WARP));
        }
        if (lane == 0 && behind > 0) {
            atomicMax(&repairs[number].behind, behind);
        }
    }
}

#endif

#if PART == REPAIR

// Folds again, one element after the other, from the first tile that can't be trusted until no
// later element's magnitude counts any more. One block of one warp a line.
extern "C" __global__ void scan_again(
    const ITEM* input, ITEM* out, const Acc* begins, Repair* repairs, u32 tiles, u64 len,
    i64 in_step, i64 out_step, const Axes axes) {
    u64 number = blockIdx.x;
    Repair* repair = repairs + number;
    if (threadIdx.x != 0 || repair->behind == 0) {
        return;
    }
    Line line = line_at(input, out, number, len, in_step, out_step, axes);
    u64 tile = tiles - repair->behind;
    // The tiles before it are sound, and so is what they begin with.
    if (!Fold::is_sound(begins[number * tiles + tile])) {
        tile -= 1;
    }
    Step step = Fold::to_step(begins[number * tiles + tile]);
    do {
        step = line.walk(step, tile * TILE, min((tile + 1) * TILE, len));
        tile += 1;
    } while (tile < tiles && !Fold::is_absorbed(step));
    repair->resume = tile;
    repair->step = step;
}

// Writes the tiles behind those that were folded again. One block a tile.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_after(
    const ITEM* input, ITEM* out, const Acc* begins, const Repair* repairs, u32 tiles, u64 len,
    i64 in_step, i64 out_step, const Axes axes) {
    __shared__ Acc sums[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u32 number = blockIdx.y, tile = blockIdx.x;
    const Repair* repair = repairs + number;
    if (repair->behind == 0 || tile < repair->resume) {
        return;
    }
    Line line = line_at(input, out, number, len, in_step, out_step, axes);
    u64 start = (u64)tile * TILE + (u64)warp * Chunk<WARP>::LEN;
    Chunk<WARP> chunk;
    chunk.load(line, start, lane);
    chunk.fold(line, start, lane);
    if (lane == 0) {
        sums[warp] = chunk.total;
    }
    __syncthreads();
    const Acc* first = begins + (u64)number * tiles;
    Acc absorbed = Fold::from_step(repair->step);
    Acc before = first[tile];
    for (u32 i = 0; i < warp; i++) {
        before = Fold::join(before, sums[i]);
    }
#pragma unroll
    for (u32 row = 0; row < ROWS; row++) {
        Acc whole = Fold::join(before, chunk.before[row]);
        chunk.before[row] = Fold::after(absorbed, first[repair->resume], whole);
    }
    chunk.finish(line, start, lane, Fold::identity());
}

#endif

#if PART == COLUMNS

// Lines that lie side by side: a lane goes along PACK of them, `stretch` elements from a segment's
// start, and begins with what the segments before it hold. Axes: those outside the columns.
template <bool WRITES>
__device__ inline void go_along(
    const ITEM* input, ITEM* out, Acc* totals, u64 columns, u64 outer, u64 len, u64 stretch,
    i64 in_step, i64 out_step, const Axes& axes) {
    u64 packs = columns / PACK;
    u64 segments = (len + stretch - 1) / stretch;
    u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u64 segment = blockIdx.y;
    if (thread >= packs * outer) {
        return;
    }
    u64 number = thread / packs, pack = thread - number * packs;
    i64 offsets[OPERANDS] = {0, 0};
    locate(number, axes, offsets);
    input += offsets[0] + (i64)(pack * PACK);
    out += offsets[1] + (i64)(pack * PACK);
    u64 begin = segment * stretch, end = min(begin + stretch, len);
    Acc* own = totals + (number * segments * columns + pack * PACK);
    Step steps[PACK];
#pragma unroll
    for (u32 i = 0; i < PACK; i++) {
        Acc acc = Fold::identity();
        if (WRITES) {
            for (u64 before = 0; before < segment; before++) {
                acc = Fold::join(acc, own[before * columns + i]);
            }
        }
        steps[i] = segment == 0 ? Fold::begin() : Fold::to_step(acc);
    }
    for (u64 at = begin; at < end; at += ROWS) {
        Items items[ROWS];
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            if (at + row < end) {
                items[row] = Items::load(input + (i64)(at + row) * in_step);
            }
        }
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            if (at + row < end) {
                Items values;
#pragma unroll
                for (u32 i = 0; i < PACK; i++) {
                    steps[i] = Fold::step(steps[i], items[row].at[i]);
                    values.at[i] = Fold::step_value(steps[i]);
                }
                if (WRITES) {
                    values.store(out + (i64)(at + row) * out_step);
                }
            }
        }
    }
    if (!WRITES) {
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            own[segment * columns + i] = Fold::from_step(steps[i]);
        }
    }
}

// The totals of all segments. Grid: columns, segments.
extern "C" __global__ void __launch_bounds__(128) scan_column_totals(
    const ITEM* input, ITEM* out, Acc* totals, u64 columns, u64 outer, u64 len, u64 stretch,
    i64 in_step, i64 out_step, const Axes axes) {
    go_along<false>(input, out, totals, columns, outer, len, stretch, in_step, out_step, axes);
}

// Every step. Grid: columns, segments.
extern "C" __global__ void __launch_bounds__(128) scan_columns(
    const ITEM* input, ITEM* out, Acc* totals, u64 columns, u64 outer, u64 len, u64 stretch,
    i64 in_step, i64 out_step, const Axes axes) {
    go_along<true>(input, out, totals, columns, outer, len, stretch, in_step, out_step, axes);
}

#endif
