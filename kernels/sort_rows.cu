// Sorts rows that fit a block's shared memory, a block for each: by radix from the lowest digit.
// Macros: those of sort.cuh, and
// -DPAIRS=1         indices are wanted
// -DBLOCKS=3        blocks that a multiprocessor should hold at a time

// Elements that a thread holds move through shared memory to where they belong, and back into the
// registers of the thread that has that place. `stage` may be used after the barrier that comes
// first, and after the next one.
template <typename Value, typename Stage>
__device__ inline void exchange(Value (&values)[ITEMS], const u32 (&place)[ITEMS], Stage* stage) {
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) stage[place[k]] = (Stage)values[k];
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) values[k] = stage[index_in_tile(k)];
}

// The bits in which the keys of the row differ, in all threads. `scratch` has room for two words a
// warp.
__device__ inline Bits differing_bits(Bits any, Bits all, Bits* scratch) {
#pragma unroll
    for (u32 step = 16; step > 0; step /= 2u) {
        any |= __shfl_xor_sync(ALL_LANES, any, step);
        all &= __shfl_xor_sync(ALL_LANES, all, step);
    }
    if (threadIdx.x % 32u == 0) {
        scratch[threadIdx.x / 32u] = any;
        scratch[WARPS + threadIdx.x / 32u] = all;
    }
    __syncthreads();
#pragma unroll
    for (u32 warp = 0; warp < WARPS; warp++) {
        any |= scratch[warp];
        all &= scratch[WARPS + warp];
    }
    return any ^ all;
}

// `len` is at most TILE. Either output may be missing.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) sort_rows(
    const ITEM* input, ITEM* values, i64* indices, u32 len, i64 row_step, i64 step, u64 flip_bits) {
    union Stage {
        u32 counts[WARPS][DIGITS];
        ITEM items[TILE];
        u16 positions[TILE];
    };
    __shared__ Stage stage;
    __shared__ u32 partial[WARPS];
    __shared__ Bits extremes[2u * WARPS];
    Bits flip = (Bits)flip_bits & ALL_BITS;
    const ITEM* row = input + (i64)blockIdx.x * row_step;

    Bits items[ITEMS];
    Bits any = 0, all = ALL_BITS;
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = index_in_tile(k);
        items[k] = filler(flip);
        if (at < len) {
            items[k] = row[at * step];
            Bits key = encode(items[k], flip);
            any |= key;
            all &= key;
        }
    }
#if PAIRS
    u32 positions[ITEMS];
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) positions[k] = index_in_tile(k);
#endif

    Bits differing = differing_bits(any, all, extremes);
    for (u32 shift = 0; shift < ITEM_BITS; shift += DIGIT_BITS) {
        if (!(differing >> shift & (DIGITS - 1u))) continue;
        u32 place[ITEMS], totals[DIGITS_EACH], starts[DIGITS_EACH];
        rank_in_warps(items, place, stage.counts, flip, shift);
        total_counts(stage.counts, totals);
        place_in_tile(place, stage.counts, partial, totals, starts);
        exchange(items, place, stage.items);
#if PAIRS
        exchange(positions, place, stage.positions);
#endif
        __syncthreads();
    }

    u64 start = (u64)blockIdx.x * len;
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = index_in_tile(k);
        if (at < len) {
            if (values) values[start + at] = (ITEM)items[k];
#if PAIRS
            if (indices) indices[start + at] = positions[k];
#endif
        }
    }
}
