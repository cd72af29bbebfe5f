// What all sorting kernels share: keys, and the ranking of a tile by one digit.
//
// Elements are moved about as the bits that they are, and their keys are made anew for every digit.
// So equal elements that differ in their bits, zeros of either sign and NaNs, keep their order too.
//
// -DITEM=u32        the elements' bits: u8, u16, u32 or u64
// -DKEY=2           what the bits mean: 0 unsigned, 1 signed, 2 float
// -DINFINITY_BITS=  a float's positive infinity; what is greater, without the sign, is NaN
// -DTHREADS=384, -DITEMS=20  of a tile, where tiles are ranked: threads, and elements of each

#define ALL_LANES 0xffffffffu
#define DIGIT_BITS 8u
#define DIGITS 256u

// Elements of up to 32 bits are held in whole registers.
template <u32 SIZE> struct Register { typedef u32 type; };
template <> struct Register<8> { typedef u64 type; };
typedef Register<sizeof(ITEM)>::type Bits;

#define ITEM_BITS (8u * (u32)sizeof(ITEM))
#define ALL_BITS ((Bits)(ITEM)~(ITEM)0)
#define SIGN_BIT ((Bits)1 << (ITEM_BITS - 1u))

// An unsigned number that is less for the elements that come first, equal for equal elements, and
// the greatest for NaN. `flip` is zero, or all bits for the descending order.
__device__ inline Bits encode(Bits bits, Bits flip) {
#if KEY == 0
    return bits ^ flip;
#elif KEY == 1
    return bits ^ SIGN_BIT ^ flip;
#else
    if (sizeof(ITEM) == 4) {
        // A sum with zero is never negative zero.
        f32 value = __int_as_float((i32)bits) + 0.0f;
        bits = (Bits)(u32)__float_as_int(value);
        Bits mask = bits & SIGN_BIT ? ALL_BITS ^ flip : SIGN_BIT ^ flip;
        return value != value ? ALL_BITS : bits ^ mask;
    }
    // Negative numbers grow towards zero: all their bits are flipped.
    Bits mask = bits & SIGN_BIT ? ALL_BITS ^ flip : SIGN_BIT ^ flip;
    Bits key = bits == SIGN_BIT ? SIGN_BIT ^ flip : bits ^ mask;
    return (bits & ~SIGN_BIT) > (Bits)INFINITY_BITS ? ALL_BITS : key;
#endif
}

// Bits whose key is the greatest there is. What fills a tile up comes behind all elements of that
// key, because the order is stable.
__device__ inline Bits filler(Bits flip) {
#if KEY == 0
    return ALL_BITS ^ flip;
#elif KEY == 1
    return ALL_BITS ^ SIGN_BIT ^ flip;
#else
    return ALL_BITS;
#endif
}

__device__ inline u32 digit_of(Bits bits, Bits flip, u32 shift) {
    return (u32)(encode(bits, flip) >> shift) & (DIGITS - 1u);
}

#ifdef THREADS

#define TILE (THREADS * ITEMS)
#define WARPS (THREADS / 32u)
// Threads that look after digits, and consecutive digits of each.
#define DIGIT_THREADS (THREADS < DIGITS ? THREADS : DIGITS)
#define DIGITS_EACH (DIGITS / DIGIT_THREADS)

// Where the tile's element `k` of this thread lies: those of a warp are consecutive, and its lanes
// read side by side.
__device__ inline u32 index_in_tile(u32 k) {
    return (threadIdx.x / 32u * ITEMS + k) * 32u + threadIdx.x % 32u;
}

// Which lanes of the warp have the same bit of a number.
__device__ inline u32 lanes_with_bit(u32 number, u32 bit) {
    u32 lanes;
#ifdef GENESIS_SHIM
    lanes = __ballot_sync(ALL_LANES, number & bit);
    if (!(number & bit)) lanes = ~lanes;
#else
    asm volatile(
        "{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0;"
        " vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
        : "=r"(lanes)
        : "r"(number), "r"(bit));
#endif
    return lanes;
}

// The lanes of the warp that have the same digit. There is an instruction for that, but it takes
// longer than eight votes. The bits are tested by halves because a test takes a predicate register,
// of which there are seven.
__device__ inline u32 lanes_with(u32 digit) {
    u32 lanes = ALL_LANES, half = digit;
#pragma unroll
    for (u32 bit = 0; bit < DIGIT_BITS; bit++) {
        if (bit == DIGIT_BITS / 2u) half = digit >> DIGIT_BITS / 2u;
        lanes &= lanes_with_bit(half, 1u << bit % (DIGIT_BITS / 2u));
    }
    return lanes;
}

// Counts the digits of each warp's elements in `counts`, and puts into `place` how many of the same
// digit come before an element in its warp (the upper bits), and its digit (the lower ones).
// Ends with a barrier.
__device__ inline void rank_in_warps(
    const Bits (&items)[ITEMS], u32 (&place)[ITEMS], u32 (*counts)[DIGITS], Bits flip, u32 shift) {
    u32 lane = threadIdx.x % 32u;
    u32* seen = counts[threadIdx.x / 32u];
#pragma unroll
    for (u32 digit = lane; digit < DIGITS; digit += 32u) seen[digit] = 0u;
    __syncwarp();
    u32 below = (1u << lane) - 1u, above = ~below << 1u;
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 digit = digit_of(items[k], flip, shift);
        u32 same = lanes_with(digit);
        u32 rank = seen[digit] + __popc(same & below);
        __syncwarp();
        // The last of the lanes knows how many there are now.
        if ((same & above) == 0u) seen[digit] = rank + 1u;
        __syncwarp();
        place[k] = rank << DIGIT_BITS | digit;
    }
    __syncthreads();
}

// How often the digits of this thread occur in the tile.
__device__ inline void total_counts(u32 (*counts)[DIGITS], u32 (&totals)[DIGITS_EACH]) {
    if (threadIdx.x < DIGIT_THREADS) {
#pragma unroll
        for (u32 each = 0; each < DIGITS_EACH; each++) {
            u32 total = 0;
#pragma unroll
            for (u32 warp = 0; warp < WARPS; warp++) {
                total += counts[warp][threadIdx.x * DIGITS_EACH + each];
            }
            totals[each] = total;
        }
    }
}

// Turns what `rank_in_warps` left into places in the sorted tile; `starts` receives where the
// digits of this thread begin in it. `partial` has room for one number a warp. Two barriers lie in
// between; after them nobody has finished reading `counts`.
__device__ inline void place_in_tile(
    u32 (&place)[ITEMS], u32 (*counts)[DIGITS], u32* partial, const u32 (&totals)[DIGITS_EACH],
    u32 (&starts)[DIGITS_EACH]) {
    u32 lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
    u32 before = 0;
    if (threadIdx.x < DIGIT_THREADS) {
        u32 total = 0;
#pragma unroll
        for (u32 each = 0; each < DIGITS_EACH; each++) total += totals[each];
        u32 sum = total;
#pragma unroll
        for (u32 step = 1; step < 32u; step *= 2u) {
            u32 other = __shfl_up_sync(ALL_LANES, sum, step);
            sum += lane >= step ? other : 0u;
        }
        if (lane == 31u) partial[warp] = sum;
        before = sum - total;
    }
    __syncthreads();
    if (threadIdx.x < DIGIT_THREADS) {
#pragma unroll
        for (u32 other = 0; other < DIGIT_THREADS / 32u; other++) {
            before += other < warp ? partial[other] : 0u;
        }
#pragma unroll
        for (u32 each = 0; each < DIGITS_EACH; each++) {
            u32 digit = threadIdx.x * DIGITS_EACH + each;
            starts[each] = before;
#pragma unroll
            for (u32 other = 0; other < WARPS; other++) {
                u32 count = counts[other][digit];
                counts[other][digit] = before;
                before += count;
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        place[k] = (place[k] >> DIGIT_BITS) + counts[warp][place[k] & (DIGITS - 1u)];
    }
}

#endif
