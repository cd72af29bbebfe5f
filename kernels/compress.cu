// What a mask selects: how many, which values, which positions.
//
// Macros: PART, which kernel is wanted (COUNT, SELECT or POSITIONS); RANK and WIDE for the axes. In COUNT, MASK: how the
// mask lies, as BITS, as BYTES that are contiguous from a multiple of 16 on, or as bytes that are STRIDED. In SELECT,
// ITEM: an unsigned type as wide as the values; and DIRECT: 1 where these are contiguous from a multiple of four of them
// or of 16 bytes on, 0 where each is looked for. Operands: the mask in COUNT, the values in SELECT.
//
// Whoever counts says where the output of each tile begins, so that tiles are then written independently of each other,
// and leaves a bit for each point: an eighth of the mask to read. Bits of the last byte that belong to no point are zero.

#define COUNT 1
#define SELECT 2
#define POSITIONS 3

#define BITS 1
#define BYTES 2
#define STRIDED 3

// A warp takes 512 points: 16 a lane, or 16 rows of one a lane.
#define SHARE 16
#define WARPS 8
#define WARP_POINTS (WARP * SHARE)
#define TILE (WARPS * WARP_POINTS)

__device__ inline u32 sum_up_to(u32 value, u32 lane) {
#pragma unroll
    for (u32 apart = 1; apart < WARP; apart *= 2) {
        u32 left = __shfl_up_sync(ALL_LANES, value, apart);
        value += lane >= apart ? left : 0;
    }
    return value;
}

// The truths of the 16 points from `at` on.
__device__ inline u32 truths_at(const u8* bits, u64 at, u64 points) {
    if (at + SHARE <= points) {
        return *(const u16*)(bits + at / 8);
    }
    u32 found = at < points ? bits[at / 8] : 0;
    return at + 8 < points ? found | bits[at / 8 + 1] << 8 : found;
}

#if PART == COUNT

// Tiles that a block counts between barriers: with a number of each warp, as many as a warp has lanes.
#define TOGETHER (WARP / WARPS)

#if MASK == BYTES
// One bit for each byte that is not zero.
__device__ inline u32 truths(u32 bytes) {
    u32 high = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    // The four bits, 8 apart, come together at the top.
    return ((high >> 7) * 0x10204080u) >> 28;
}

__device__ inline u32 truths(uint4 bytes) {
    return truths(bytes.x) | truths(bytes.y) << 4 | truths(bytes.z) << 8 | truths(bytes.w) << 12;
}

// The truths of the 16 points from `at` on.
__device__ inline u32 truths_of_bytes(const u8* mask, u64 at, u64 points) {
    if (at + SHARE <= points) {
        return truths(*(const uint4*)(mask + at));
    }
    u32 found = 0;
    for (u32 i = 0; at + i < points; i++) {
        found |= (mask[at + i] != 0 ? 1u : 0u) << i;
    }
    return found;
}
#endif

// What each thread counts of some tiles that follow each other; of those behind the mask's end, nothing. Leaves their
// bits where the mask has none.
__device__ inline void count_tiles(const u8* mask, u8* bits, u64 tile, u64 points, const Axes& axes, u32* own) {
#if MASK == BITS
    u64 first = tile * TILE + threadIdx.x * SHARE;
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        own[i] = __popc(truths_at(mask, first + i * TILE, points));
    }
#elif MASK == BYTES
    u64 first = tile * TILE + threadIdx.x * SHARE;
    u16* to = (u16*)bits + first / SHARE;
    if ((tile + TOGETHER) * TILE <= points) {
        uint4 packs[TOGETHER];
#pragma unroll
        for (u32 i = 0; i < TOGETHER; i++) {
            packs[i] = *(const uint4*)(mask + first + i * TILE);
        }
#pragma unroll
        for (u32 i = 0; i < TOGETHER; i++) {
            u32 found = truths(packs[i]);
            to[i * (TILE / SHARE)] = (u16)found;
            own[i] = __popc(found);
        }
        return;
    }
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        u32 found = truths_of_bytes(mask, first + i * TILE, points);
        if (first + i * TILE < points) {
            to[i * (TILE / SHARE)] = (u16)found;
        }
        own[i] = __popc(found);
    }
#else
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        u64 first = (tile + i) * TILE + warp * WARP_POINTS;
        u32 found = 0;
#pragma unroll 4
        for (u32 row = 0; row < SHARE; row++) {
            u64 at = first + row * WARP + lane;
            bool is_true = false;
            if (at < points) {
                i64 offsets[OPERANDS] = {0};
                locate(at, axes, offsets);
                is_true = mask[offsets[0]] != 0;
            }
            u32 vote = __ballot_sync(ALL_LANES, is_true);
            found = row == lane ? vote : found;
        }
        if (lane < SHARE && first + lane * WARP < points) {
            ((u32*)bits)[first / WARP + lane] = found;
        }
        own[i] = __popc(found);
    }
#endif
}

// Makes of what each block has counted what all before it have, and gives what all have. By one block.
__device__ inline u64 sum_shares(u64* shares, u32 count, u64* sums) {
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u32 each = (count + blockDim.x - 1) / blockDim.x;
    u32 first = min(threadIdx.x * each, count), end = min(first + each, count);
    u64 own = 0;
    for (u32 i = first; i < end; i++) {
        own += __ldcg(shares + i);
    }
    u64 up_to = own;
#pragma unroll
    for (u32 apart = 1; apart < WARP; apart *= 2) {
        u64 left = shuffle_up(up_to, apart, WARP);
        up_to += lane >= apart ? left : 0;
    }
    if (lane == WARP - 1) {
        sums[warp] = up_to;
    }
    __syncthreads();
    u64 before = up_to - own, all = 0;
#pragma unroll
    for (u32 i = 0; i < WARPS; i++) {
        before += i < warp ? sums[i] : 0;
        all += sums[i];
    }
    for (u32 i = first; i < end; i++) {
        u64 amount = __ldcg(shares + i);
        shares[i] = before;
        before += amount;
    }
    return all;
}

// Counts the true elements. A block counts `each` tiles: in `tiles`, what it has counted before each of them; in
// `shares`, what the blocks before it have; in `bits`, the points' bits where the mask is none. `arrived` holds how many
// blocks are done: the last one writes the sum to `out` and then `ticket` to `flag`, which the host watches, and leaves
// a zero.
extern "C" __global__ void __launch_bounds__(256) count_true(
    const u8* mask, u8* bits, u64* shares, u32* tiles, u32 each, u64* out, u32* flag, u32* arrived, u64 points,
    u32 ticket, const Axes axes) {
    // Of one turn, while the first warp still reads those of the one before.
    __shared__ u32 amounts[2][WARP];
    __shared__ u64 sums[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 first = (u64)blockIdx.x * each;
    u64 end = min(first + each, (points + TILE - 1) / TILE);
    u32 share = 0, turn = 0;
    for (u64 tile = first; tile < end; tile += TOGETHER, turn ^= 1) {
        u32 own[TOGETHER];
        // Where others' tiles follow, they do not count here.
        count_tiles(mask, bits, tile, min(points, end * TILE), axes, own);
#pragma unroll
        for (u32 i = 0; i < TOGETHER; i++) {
            u32 amount = __reduce_add_sync(ALL_LANES, own[i]);
            if (lane == 0) {
                amounts[turn][i * WARPS + warp] = amount;
            }
        }
        __syncthreads();
        if (warp == 0) {
            u32 amount = amounts[turn][lane];
            u32 up_to = sum_up_to(amount, lane);
            u64 at = tile + lane / WARPS;
            if (lane % WARPS == 0 && at < end) {
                tiles[at] = share + up_to - amount;
            }
            share += __shfl_sync(ALL_LANES, up_to, WARP - 1);
        }
    }
    bool is_last = false;
    if (threadIdx.x == 0) {
        shares[blockIdx.x] = share;
        __threadfence();
        is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
        __threadfence();
    }
    if (__syncthreads_or(is_last)) {
        u64 all = sum_shares(shares, gridDim.x, sums);
        if (threadIdx.x == 0) {
            *out = all;
            *arrived = 0;
            __threadfence_system();
            *(volatile u32*)flag = ticket;
        }
    }
}

#else

// Where a tile's output begins.
__device__ inline u64 begin_of_tile(const u64* shares, const u32* tiles, u32 each) {
    return shares[blockIdx.x / each] + tiles[blockIdx.x];
}

// Where a warp's output begins within its tile's. Leaves the tile's amount in `amounts[WARPS]`.
__device__ inline u32 begin_of_warp(u32* amounts, u32 amount, u32 warp, u32 lane) {
    if (lane == 0) {
        amounts[warp] = amount;
    }
    __syncthreads();
    u32 begin = 0, all = 0;
#pragma unroll
    for (u32 i = 0; i < WARPS; i++) {
        begin += i < warp ? amounts[i] : 0;
        all += amounts[i];
    }
    if (threadIdx.x == 0) {
        amounts[WARPS] = all;
    }
    return begin;
}

#if PART == SELECT

#if !DIRECT
// The truths of the points of a row, one a lane, where each lane has those of 16 points side by side.
__device__ inline u32 truths_of_row(u32 truths, u32 row) {
    return __shfl_sync(ALL_LANES, truths, 2 * row) | __shfl_sync(ALL_LANES, truths, 2 * row + 1) << 16;
}
#else
// Four values side by side.
struct Quad {
    ITEM at[4];

    __device__ void load(const ITEM* from) {
        typedef Pack<ITEM, sizeof(ITEM) == 8 ? 2 : 4> Part;
#pragma unroll
        for (u32 i = 0; i < 4; i += sizeof(Part) / sizeof(ITEM)) {
            Part part = Part::load(from + i);
#pragma unroll
            for (u32 j = 0; j < sizeof(Part) / sizeof(ITEM); j++) {
                at[i + j] = part.at[j];
            }
        }
    }
};
#endif

// Writes the values under true masks to `out`, which has room for `room`. One block a tile; `shares` and `tiles` are
// those of `count_true`, where a block counted `each` tiles.
extern "C" __global__ void __launch_bounds__(256) compress(
    const ITEM* values, ITEM* out, const u8* bits, const u64* shares, const u32* tiles, u32 each, u64 points,
    u64 room, const Axes axes) {
    __shared__ ITEM chosen[TILE];
    __shared__ u32 amounts[WARPS + 1];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 first = (u64)blockIdx.x * TILE + warp * WARP_POINTS;
    u64 to = begin_of_tile(shares, tiles, each);
    u32 truths = truths_at(bits, first + lane * SHARE, points);
    u32 up_to = sum_up_to(__popc(truths), lane);
    u32 place = begin_of_warp(amounts, __shfl_sync(ALL_LANES, up_to, WARP - 1), warp, lane);
#if DIRECT
    // The number of points fits beside their truths.
    u32 both = (place + up_to - __popc(truths)) << 16 | truths;
    Quad quads[SHARE / 4];
    u32 wanted[SHARE / 4], places[SHARE / 4];
#pragma unroll
    for (u32 row = 0; row < SHARE / 4; row++) {
        // Four lanes read what belongs to one, so that neighbours read side by side.
        u32 owner = __shfl_sync(ALL_LANES, both, row * 8 + lane / 4);
        u32 shift = lane % 4 * 4;
        wanted[row] = owner >> shift & 15u;
        places[row] = (owner >> 16) + __popc(owner & ((1u << shift) - 1));
        u64 at = first + (row * WARP + lane) * 4;
        if (wanted[row] != 0) {
            if (at + 4 <= points) {
                quads[row].load(values + at);
            } else {
                // Constant places keep the values in registers.
#pragma unroll
                for (u32 i = 0; i < 4; i++) {
                    if (at + i < points) {
                        quads[row].at[i] = values[at + i];
                    }
                }
            }
        }
    }
#pragma unroll
    for (u32 row = 0; row < SHARE / 4; row++) {
        u32 place = places[row];
#pragma unroll
        for (u32 i = 0; i < 4; i++) {
            if (wanted[row] >> i & 1u) {
                chosen[place++] = quads[row].at[i];
            }
        }
    }
#else
    ITEM own[SHARE];
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        u32 wanted = truths_of_row(truths, row);
        if (wanted >> lane & 1u) {
            i64 offsets[OPERANDS] = {0};
            locate(first + row * WARP + lane, axes, offsets);
            own[row] = values[offsets[0]];
        }
    }
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        u32 wanted = truths_of_row(truths, row);
        if (wanted >> lane & 1u) {
            chosen[place + __popc(wanted & ((1u << lane) - 1))] = own[row];
        }
        place += __popc(wanted);
    }
#endif
    __syncthreads();
    u32 all = amounts[WARPS];
    for (u32 i = threadIdx.x; i < all; i += blockDim.x) {
        if (to + i < room) {
            out[to + i] = chosen[i];
        }
    }
}

#endif

#if PART == POSITIONS

struct Outs {
    i64* at[RANK];
};

// Writes the coordinates of the true points, of which `room` are expected. The axes are those of
// the mask's shape. One block a tile; `shares` and `tiles` are those of `count_true`, where a block counted `each` tiles.
extern "C" __global__ void __launch_bounds__(256) positions(
    const u8* bits, const u64* shares, const u32* tiles, u32 each, u64 points, u64 room, const Outs outs,
    const Axes axes) {
    // Where in its tile a chosen point lies.
    __shared__ u16 chosen[TILE];
    __shared__ u32 amounts[WARPS + 1];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 tile = (u64)blockIdx.x * TILE;
    u32 first = warp * WARP_POINTS;
    u64 to = begin_of_tile(shares, tiles, each);
    u32 truths = truths_at(bits, tile + first + lane * SHARE, points);
    u32 up_to = sum_up_to(__popc(truths), lane);
    u32 place = begin_of_warp(amounts, __shfl_sync(ALL_LANES, up_to, WARP - 1), warp, lane);
    place += up_to - __popc(truths);
    for (; truths != 0; truths &= truths - 1) {
        chosen[place++] = (u16)(first + lane * SHARE + __ffs(truths) - 1);
    }
    __syncthreads();
    u32 all = amounts[WARPS];
    for (u32 i = threadIdx.x; i < all; i += blockDim.x) {
        if (to + i >= room) {
            break;
        }
        u64 point = tile + chosen[i];
#pragma unroll
        for (int axis = RANK - 1; axis >= 0; axis--) {
            u64 at = axis == 0 ? point : take_coordinate(point, axes.at[axis]);
            outs.at[axis][to + i] = (i64)at;
        }
    }
}

#endif

#endif
