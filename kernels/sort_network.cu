// Sorts short rows in registers, some lanes of a warp for each: by a network of comparisons that is
// the same for all rows (bitonic, Batcher 1968, with every merge turned so that no comparison needs
// a direction). Macros: those of sort.cuh, and
// -DLANES=32        that a row has: a power of two
// -DITEMS=4         of each of them; LANES * ITEMS is at least `len`
// -DPAIRS=1         indices are wanted
//
// A network does not keep the order of equal keys. Where that can be seen, because indices are
// wanted or because elements of the same key differ in their bits, what is sorted are keys together
// with positions.

#define WIDTH (LANES * ITEMS)
#define ROWS (256u / LANES)

// Where a row's sorted item is put down for the lane that writes it. Each lane has consecutive ones,
// so a gap after every 32 of them spreads what is written at a time over the banks.
__device__ constexpr u32 staged(u32 at) { return at + at / 32u; }

// A key and where it was.
struct LongPair {
    u64 key;
    u32 position;
};
template <u32 SIZE> struct Placed { typedef u32 type; };
template <> struct Placed<4> { typedef u64 type; };
template <> struct Placed<8> { typedef LongPair type; };
typedef Placed<sizeof(ITEM)>::type Pair;

__device__ inline void place(u32& pair, u32 key, u32 position) { pair = key << 16 | position; }
__device__ inline void place(u64& pair, u32 key, u32 position) { pair = (u64)key << 32 | position; }
__device__ inline void place(LongPair& pair, u64 key, u32 position) { pair = {key, position}; }

__device__ inline u32 position_of(u32 pair) { return pair & 0xffffu; }
__device__ inline u32 position_of(u64 pair) { return (u32)pair; }
__device__ inline u32 position_of(LongPair pair) { return pair.position; }

__device__ inline bool is_before(u32 one, u32 other) { return one < other; }
__device__ inline bool is_before(u64 one, u64 other) { return one < other; }
__device__ inline bool is_before(LongPair one, LongPair other) {
    return one.key < other.key || (one.key == other.key && one.position < other.position);
}

template <typename Key> __device__ inline Key from_lane(Key key, u32 across) {
    return __shfl_xor_sync(ALL_LANES, key, across);
}
template <> __device__ inline LongPair from_lane(LongPair pair, u32 across) {
    return {from_lane(pair.key, across), from_lane(pair.position, across)};
}

// The bits of an element that `encode` gives this key: of the quiet NaN without a sign, and of the
// positive zero.
__device__ inline Bits decode(Bits key, Bits flip) {
#if KEY == 0
    return key ^ flip;
#elif KEY == 1
    return key ^ SIGN_BIT ^ flip;
#else
    if (key == ALL_BITS) return (Bits)INFINITY_BITS | (Bits)INFINITY_BITS >> 1;
    key ^= flip;
    return key & SIGN_BIT ? key ^ SIGN_BIT : key ^ ALL_BITS;
#endif
}

// Puts the lesser of two of this lane's keys first.
template <typename Key> __device__ inline void order(Key& first, Key& second) {
    bool swap = is_before(second, first);
    Key lesser = swap ? second : first;
    second = swap ? first : second;
    first = lesser;
}

// Keeps the lesser or the greater of a key of this lane and one of another.
template <typename Key> __device__ inline Key kept(Key own, Key other, bool lesser) {
    return is_before(other, own) == lesser ? other : own;
}

// Sorts the keys of a row: key `k` of a lane is number `lane * ITEMS + k`, before and after.
template <typename Key> __device__ inline void sort_keys(Key (&keys)[ITEMS], u32 lane) {
#pragma unroll
    for (u32 size = 2; size <= WIDTH; size *= 2u) {
        // Of two sorted halves, the lesser ones go to the first, the greater ones to the second.
        if (size <= ITEMS) {
#pragma unroll
            for (u32 k = 0; k < ITEMS; k++) {
                if (k < (k ^ (size - 1u))) order(keys[k], keys[k ^ (size - 1u)]);
            }
        } else {
            bool lesser = (lane & (size / ITEMS / 2u)) == 0u;
            Key others[ITEMS];
#pragma unroll
            for (u32 k = 0; k < ITEMS; k++) {
                others[k] = from_lane(keys[ITEMS - 1u - k], size / ITEMS - 1u);
            }
#pragma unroll
            for (u32 k = 0; k < ITEMS; k++) keys[k] = kept(keys[k], others[k], lesser);
        }
#pragma unroll
        for (u32 apart = size / 4u; apart > 0; apart /= 2u) {
            if (apart < ITEMS) {
#pragma unroll
                for (u32 k = 0; k < ITEMS; k++) {
                    if (!(k & apart)) order(keys[k], keys[k + apart < ITEMS ? k + apart : k]);
                }
            } else {
                bool lesser = (lane & (apart / ITEMS)) == 0u;
#pragma unroll
                for (u32 k = 0; k < ITEMS; k++) {
                    keys[k] = kept(keys[k], from_lane(keys[k], apart / ITEMS), lesser);
                }
            }
        }
    }
}

// Either output may be missing.
extern "C" __global__ void __launch_bounds__(256) sort_network(
    const ITEM* input, ITEM* values, i64* indices, u64 rows, u32 len, i64 row_step, i64 step,
    u64 flip_bits) {
    __shared__ Bits stage[ROWS][staged(WIDTH)];
    Bits flip = (Bits)flip_bits & ALL_BITS;
    u32 lane = threadIdx.x % LANES;
    u64 row = (u64)blockIdx.x * ROWS + threadIdx.x / LANES;
    bool is_row = row < rows;
    const ITEM* source = input + (i64)row * row_step;
    Bits* staged_row = stage[threadIdx.x / LANES];

    Bits keys[ITEMS];
    bool is_told = true;
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = k * LANES + lane;
        keys[k] = ALL_BITS;
        if (is_row && at < len) {
            Bits bits = source[at * step];
            keys[k] = encode(bits, flip);
            is_told &= decode(keys[k], flip) == bits;
        }
    }

    if (!PAIRS && __all_sync(ALL_LANES, is_told)) {
        sort_keys(keys, lane);
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            staged_row[staged(lane * ITEMS + k)] = decode(keys[k], flip);
        }
        __syncwarp();
#pragma unroll
        for (u32 k = 0; k < ITEMS; k++) {
            u32 at = k * LANES + lane;
            if (is_row && at < len) values[row * len + at] = (ITEM)staged_row[staged(at)];
        }
        return;
    }

    Pair pairs[ITEMS];
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) place(pairs[k], keys[k], k * LANES + lane);
    sort_keys(pairs, lane);
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        staged_row[staged(lane * ITEMS + k)] = position_of(pairs[k]);
    }
    __syncwarp();
    // The values may go to where they come from: all are read before any is written.
    ITEM items[ITEMS];
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = k * LANES + lane;
        if (values && is_row && at < len) items[k] = source[(i64)staged_row[staged(at)] * step];
    }
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < ITEMS; k++) {
        u32 at = k * LANES + lane;
        if (is_row && at < len) {
            if (values) values[row * len + at] = items[k];
            if (indices) indices[row * len + at] = (i64)staged_row[staged(at)];
        }
    }
}
