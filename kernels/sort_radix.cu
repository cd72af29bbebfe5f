// Sorts long rows by radix, from the lowest digit of eight bits to the highest, each in one pass
// over the data: a pass finds where its tiles' elements go while it moves them, by looking back at
// the counts of the tiles before ("Onesweep", Adinets and Merrill, 2022; the look-back is that of
// Merrill and Garland's scan, 2016). Counts are whole numbers, so nothing depends on timing.
// Macros: those of sort.cuh, and
// -DPAIRS=1         a payload moves with the elements: numbers of type Count
// -DWIDE=0          1 where a row has 2^30 elements or more
// -DBLOCKS=2        blocks that a multiprocessor should hold at a time

#if WIDE
typedef u64 Count;
#else
typedef u32 Count;
#endif

// A word of the look-back: a count, and in its two upper bits whether it is that of the tile alone
// or that of all tiles up to it.
#define FLAG_SHIFT (8u * (u32)sizeof(Count) - 2u)
#define OF_TILE ((Count)1 << FLAG_SHIFT)
#define OF_ALL ((Count)2 << FLAG_SHIFT)
#define COUNT_MASK (OF_TILE - 1u)

#define PASSES (ITEM_BITS / DIGIT_BITS)
#define COUNTING 512u
// Copies of the histograms in a block, one after the other by lane, so that lanes with the same
// digit seldom wait for each other.
#define COPIES (32u / PASSES)
#define IN_PACK (16u / (u32)sizeof(ITEM))

struct alignas(16) Pack {
    ITEM items[IN_PACK];
};

__device__ inline void count_digits(u32* bins, Bits key) {
    u32 copy = threadIdx.x % COPIES;
#pragma unroll
    for (u32 pass = 0; pass < PASSES; pass++) {
        u32 digit = (u32)(key >> pass * DIGIT_BITS) & (DIGITS - 1u);
        atomicAdd(&bins[(pass * DIGITS + digit) * COPIES + copy], 1u);
    }
}

// Sums of what the threads before have, for the first 256 threads; all threads must come. Begins
// with a barrier.
__device__ inline Count sum_before(Count value, Count* partial) {
    u32 lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
    Count sum = value;
#pragma unroll
    for (u32 step = 1; step < 32u; step *= 2u) {
        Count other = __shfl_up_sync(ALL_LANES, sum, step);
        sum += lane >= step ? other : (Count)0;
    }
    __syncthreads();
    if (lane == 31u) partial[warp] = sum;
    __syncthreads();
    Count before = sum - value;
    for (u32 other = 0; other < warp; other++) before += partial[other];
    return before;
}

// Counts how often each digit occurs in each row, for all passes at once. The last block of a row
// turns the counts into where the digits begin, and notes which passes have anything to do: those
// whose digit is not everywhere the same, but at least one. `starts` (256 of each pass of each row)
// and `done` (one a row) begin as zeros.
extern "C" __global__ void __launch_bounds__(COUNTING) sort_histogram(
    const ITEM* input, Count* starts, u32* plan, u32* done, u64 len, u64 chunk, u32 chunks,
    i64 row_step, u64 flip_bits, u32 passes) {
    __shared__ u32 bins[PASSES * DIGITS * COPIES];
    __shared__ Count partial[COUNTING / 32u];
    __shared__ bool is_last;
    Bits flip = (Bits)flip_bits & ALL_BITS;
    for (u32 bin = threadIdx.x; bin < PASSES * DIGITS * COPIES; bin += COUNTING) bins[bin] = 0u;
    __syncthreads();

    u64 row = blockIdx.x / chunks;
    u64 begin = blockIdx.x % chunks * chunk;
    u64 end = begin + chunk < len ? begin + chunk : len;
    const ITEM* data = input + (i64)row * row_step;
    // Packs of 16 bytes begin at the first element that lies right for them.
    u64 skip = (16u - (u64)(data + begin) % 16u) % 16u / sizeof(ITEM);
    u64 head = begin + skip < end ? begin + skip : end;
    u64 packs = (end - head) / IN_PACK;
    for (u64 at = begin + threadIdx.x; at < head; at += COUNTING) {
        count_digits(bins, encode(data[at], flip));
    }
    const Pack* source = (const Pack*)(data + head);
#pragma unroll 2
    for (u64 pack = threadIdx.x; pack < packs; pack += COUNTING) {
        Pack loaded = source[pack];
#pragma unroll
        for (u32 k = 0; k < IN_PACK; k++) count_digits(bins, encode(loaded.items[k], flip));
    }
    for (u64 at = head + packs * IN_PACK + threadIdx.x; at < end; at += COUNTING) {
        count_digits(bins, encode(data[at], flip));
    }
    __syncthreads();

    Count* totals = starts + row * passes * DIGITS;
    for (u32 bin = threadIdx.x; bin < passes * DIGITS; bin += COUNTING) {
        u32 total = 0;
#pragma unroll
        for (u32 copy = 0; copy < COPIES; copy++) total += bins[bin * COPIES + copy];
        if (total) atomicAdd(&totals[bin], (Count)total);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0u) is_last = atomicAdd(&done[row], 1u) == chunks - 1u;
    __syncthreads();
    if (!is_last) return;

    __threadfence();
    u32 active = 0;
    for (u32 pass = 0; pass < passes; pass++) {
        Count* place = &totals[pass * DIGITS + threadIdx.x];
        Count count = threadIdx.x < DIGITS ? __ldcg(place) : (Count)0;
        if (!__syncthreads_or(count == (Count)len)) active |= 1u << pass;
        Count start = sum_before(count, partial);
        if (threadIdx.x < DIGITS) *place = start;
    }
    if (threadIdx.x == 0u) plan[row] = active ? active : 1u;
}

// A word says all that it has to say by itself, so reads and writes of it need no order beyond.
__device__ inline Count read_word(const Count* place) {
#ifdef GENESIS_SHIM
    return shim_poll(place);
#elif WIDE
    Count word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(place) : "memory");
    return word;
#else
    Count word;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(place) : "memory");
    return word;
#endif
}

__device__ inline void write_word(Count* place, Count word) {
#ifdef GENESIS_SHIM
    *(volatile Count*)place = word;
#elif WIDE
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(place), "l"(word) : "memory");
#else
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(place), "r"(word) : "memory");
#endif
}

// How often a digit occurs in the tiles of the row before this one. `words` is this tile's word of
// that digit, and the others lie before it.
__device__ inline Count look_back(const Count* words, u32 tile) {
    const u32 WINDOW = 4;
    Count sum = 0;
    for (;;) {
        Count seen[WINDOW];
#pragma unroll
        for (u32 k = 0; k < WINDOW; k++) {
            seen[k] = OF_ALL;
            if (k < tile) seen[k] = read_word(words - (k + 1u) * (u64)DIGITS);
        }
        u32 taken = 0;
#pragma unroll
        for (u32 k = 0; k < WINDOW; k++) {
            // Behind a word that is not there yet, none counts.
            if (taken == k && seen[k] >= OF_TILE) {
                sum += seen[k] & COUNT_MASK;
                if (seen[k] >= OF_ALL) return sum;
                taken++;
            }
        }
        tile -= taken;
        words -= taken * (u64)DIGITS;
    }
}

// Where the elements are in a pass, and where they go. They move between the output and a spare
// memory so that the last pass of the row leaves them in the output.
struct Way {
    bool is_first, is_last, to_output;
};

__device__ inline Way way_of(u32 active, u32 pass) {
    Way way;
    way.is_first = (active & ((1u << pass) - 1u)) == 0u;
    way.is_last = active >> pass == 1u;
    way.to_output = __popc(active >> pass) % 2u == 1u;
    return way;
}

// One pass: moves the elements of each row to where their digit puts them. `words` begins as zeros
// and is left in use; `cleared` becomes zeros. A row of the output begins every `out_step`
// elements, one of `carried_out` every `carried_step`, those of the spare memories every `len`.
//
// With PAIRS, the payload is `carried`, or an element's position in its row where that is missing.
// The last pass writes it to `indices`, if that is there, and `keep` says whether it writes the
// elements as well.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) sort_pass(
    const ITEM* input, ITEM* out, ITEM* spare,
#if PAIRS
    const Count* carried, Count* carried_out, Count* carried_spare, i64* indices,
#endif
    const Count* starts, const u32* plan, Count* words, Count* cleared, u64 len, u32 tiles,
    i64 row_step, u64 out_step,
#if PAIRS
    u64 carried_step, u32 keep,
#endif
    u64 flip_bits, u32 pass, u32 passes) {
    union Stage {
        u32 counts[WARPS][DIGITS];
        ITEM items[TILE];
#if PAIRS
        Count carried[TILE];
#endif
    };
    __shared__ Stage stage;
    __shared__ u32 partial[WARPS];
    __shared__ Count bases[DIGITS];

    u64 row = blockIdx.x / tiles;
    u32 tile = blockIdx.x % tiles;
    u32 active = plan[row];
    u64 word = (u64)blockIdx.x * DIGITS + threadIdx.x;
    if (threadIdx.x < DIGITS) cleared[word] = 0;
    if (!(active >> pass & 1u)) return;
    Way way = way_of(active, pass);
    Bits flip = (Bits)flip_bits & ALL_BITS;
    u32 shift = pass * DIGIT_BITS;
    ITEM* output = out + row * out_step;
    ITEM* other = spare + row * len;
    const ITEM* source = way.is_first ? input + (i64)row * row_step : way.to_output ? other : output;
    ITEM* target = way.to_output ? output : other;
    u64 begin = (u64)tile * TILE;
    u32 count = len - begin < TILE ? (u32)(len - begin) : TILE;

    Bits items[ITEMS];
    if (count == TILE) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) items[k] = source[begin + index_in_tile(k)];
    } else {
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            u32 at = index_in_tile(k);
            items[k] = at < count ? (Bits)source[begin + at] : filler(flip);
        }
    }
    u32 place[ITEMS], totals[DIGITS_EACH], local[DIGITS_EACH];
    rank_in_warps(items, place, stage.counts, flip, shift);
    total_counts(stage.counts, totals);
    Count own = 0;
    if (threadIdx.x < DIGITS) {
        own = totals[0];
        if (threadIdx.x == DIGITS - 1u) own -= TILE - count;
        write_word(&words[word], own | (tile == 0u ? OF_ALL : OF_TILE));
    }
    place_in_tile(place, stage.counts, partial, totals, local);
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) stage.items[place[k]] = (ITEM)items[k];
    if (threadIdx.x < DIGITS) {
        Count before = look_back(&words[word], tile);
        if (tile != 0u) write_word(&words[word], (before + own) | OF_ALL);
        bases[threadIdx.x] = starts[(row * passes + pass) * DIGITS + threadIdx.x] + before - local[0];
    }
    __syncthreads();

    // What fills the last tile up lies behind its elements and stays there.
    Count places[ITEMS];
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) items[k] = stage.items[k * THREADS + threadIdx.x];
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        places[k] = bases[digit_of(items[k], flip, shift)] + k * THREADS + threadIdx.x;
    }
#if PAIRS
    if (!way.is_last || keep)
#endif
    {
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            if (k * THREADS + threadIdx.x < count) target[places[k]] = (ITEM)items[k];
        }
    }

#if PAIRS
    Count* carried_output = carried_out + row * carried_step;
    Count* carried_other = carried_spare + row * len;
    const Count* payload = way.is_first ? carried : way.to_output ? carried_other : carried_output;
    if (way.is_first && carried) payload += row * len;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = index_in_tile(k);
        Count value = (Count)(begin + at);
        if (payload && at < count) value = payload[begin + at];
        stage.carried[place[k]] = value;
    }
    __syncthreads();
    i64* index = indices + row * len;
    Count* payload_target = way.to_output ? carried_output : carried_other;
    if (way.is_last && indices) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            u32 at = k * THREADS + threadIdx.x;
            if (at < count) index[places[k]] = (i64)stage.carried[at];
        }
    } else {
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            u32 at = k * THREADS + threadIdx.x;
            if (at < count) payload_target[places[k]] = stage.carried[at];
        }
    }
#endif
}
