// What a mask selects: how many, which values, which positions.
//
// Macros: PART, which kernel is wanted (COUNT, SELECT or POSITIONS); ITEM, an unsigned type as wide
// as the values; DIRECT, 1 where mask and values lie contiguously and evenly (masks at 16 bytes,
// values at four of them or 16 bytes), 0 where each point is looked for; RANK and WIDE for the axes.
// Operands: the mask, and in SELECT the values.
//
// A tile's output begins behind that of all tiles before it. Each tile publishes how many it
// selects, then looks back over its predecessors until it meets one that knows its own begin: the
// numbers are whole, so the sum does not depend on where that is.

#define COUNT 1
#define SELECT 2
#define POSITIONS 3

// A warp takes 512 points: 16 a lane, or 16 rows of one a lane.
#define SHARE 16
#define WARPS 8
#define WARP_POINTS (WARP * SHARE)
#define TILE (WARPS * WARP_POINTS)

// One bit for each byte that is not zero.
__device__ inline u32 truths(u32 bytes) {
    u32 high = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    // The four bits, 8 apart, come together at the top.
    return ((high >> 7) * 0x10204080u) >> 28;
}

__device__ inline u32 truths(uint4 bytes) {
    return truths(bytes.x) | truths(bytes.y) << 4 | truths(bytes.z) << 8 | truths(bytes.w) << 12;
}

#if PART == COUNT

__device__ inline u32 count_bytes(u32 bytes) {
    return __popc((((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u);
}

// Counts the true elements. `counters` holds a number of blocks and, from its second word on, the
// sum so far; the last block to finish writes the sum to `out` and then `ticket` to `flag`, which
// the host watches, and leaves zeros.
extern "C" __global__ void __launch_bounds__(256) count_true(
    const u8* mask, u64* out, u32* flag, u32* counters, u64 points, u32 ticket, const Axes axes) {
    __shared__ u32 sums[WARPS];
    u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x;
    // A thread's own count stays below 2^32, because a launch has many threads.
    u32 count = 0;
#if DIRECT
    u64 whole = points / 16;
    const uint4* packs = (const uint4*)mask;
    u64 at = thread;
    for (; at + 3 * threads < whole; at += 4 * threads) {
        uint4 four[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            four[i] = packs[at + i * threads];
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            count += count_bytes(four[i].x) + count_bytes(four[i].y) + count_bytes(four[i].z) +
                count_bytes(four[i].w);
        }
    }
    for (; at < whole; at += threads) {
        uint4 one = packs[at];
        count += count_bytes(one.x) + count_bytes(one.y) + count_bytes(one.z) + count_bytes(one.w);
    }
    if (thread < points % 16) {
        count += mask[whole * 16 + thread] != 0;
    }
#else
    for (u64 at = thread; at < points; at += threads) {
        i64 offsets[OPERANDS] = {0};
        locate(at, axes, offsets);
        count += mask[offsets[0]] != 0;
    }
#endif
    u32 warp = threadIdx.x / WARP;
    u32 sum = __reduce_add_sync(ALL_LANES, count);
    if (threadIdx.x % WARP == 0) {
        sums[warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        u64 block = 0;
        for (u32 i = 0; i < WARPS; i++) {
            block += sums[i];
        }
        u64* total = (u64*)(counters + 2);
        atomicAdd(total, block);
        __threadfence();
        if (atomicAdd(counters, 1u) == gridDim.x - 1) {
            __threadfence();
            *out = atomicExch(total, 0ull);
            counters[0] = 0;
            __threadfence_system();
            *(volatile u32*)flag = ticket;
        }
    }
}

#else

// How far a tile is: what it selects itself, or what all up to it select.
#define KNOWS_OWN (1ull << 62)
#define KNOWS_ALL (1ull << 63)
#define AMOUNT (KNOWS_OWN - 1)

// How many the tiles before this one select. Run by one warp, when its own amount is published.
__device__ inline u64 look_back(u64* states, u32 tile, u32 own, u32 lane) {
    u64 before = 0;
    // The lane reads the state of the tile `lane + 1` before `end`.
    for (u32 end = tile; end > 0;) {
        u64 state = KNOWS_ALL;
        if (lane < end) {
            do {
                state = load_acquire(states + (end - 1 - lane));
            } while (state == 0);
        }
        __syncwarp();
        u32 complete = __ballot_sync(ALL_LANES, (state & KNOWS_ALL) != 0);
        u32 last = complete == 0 ? WARP - 1 : __ffs(complete) - 1;
        // Amounts may need more than 32 bits, of which a sum over a warp keeps the lower ones.
        u64 amount = lane <= last ? state & AMOUNT : 0;
        u64 low = __reduce_add_sync(ALL_LANES, (u32)amount & 0xffffffu);
        u64 middle = __reduce_add_sync(ALL_LANES, (u32)(amount >> 24) & 0xffffffu);
        u64 high = __reduce_add_sync(ALL_LANES, (u32)(amount >> 48));
        before += low + (middle << 24) + (high << 48);
        if (complete != 0) {
            break;
        }
        end -= WARP;
    }
    if (lane == 0 && tile > 0) {
        store_release(states + tile, KNOWS_ALL | (before + own));
    }
    return before;
}

// Where a warp's output begins within its tile's. Leaves the tile's amount in `amounts[WARPS]`, and
// publishes it before anything else is read, since the tiles behind wait for it.
__device__ inline u32 begin_of_warp(
    u64* states, u32* amounts, u32 amount, u32 warp, u32 lane) {
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
        store_release(states + blockIdx.x, (blockIdx.x == 0 ? KNOWS_ALL : KNOWS_OWN) | all);
    }
    return begin;
}

#if DIRECT
// The truths of a lane's 16 points.
__device__ inline u32 direct_truths(const u8* mask, u64 at, u64 points) {
    if (at + SHARE <= points) {
        return truths(*(const uint4*)(mask + at));
    }
    u32 bits = 0;
    for (u32 i = 0; at + i < points; i++) {
        bits |= (mask[at + i] != 0 ? 1u : 0u) << i;
    }
    return bits;
}

__device__ inline u32 sum_up_to(u32 value, u32 lane) {
#pragma unroll
    for (u32 apart = 1; apart < WARP; apart *= 2) {
        u32 left = __shfl_up_sync(ALL_LANES, value, apart);
        value += lane >= apart ? left : 0;
    }
    return value;
}
#endif

#if PART == SELECT

#if DIRECT
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

// Writes the values under true masks to `out`, which has room for `room`. One block a tile; `states`
// are zeros, one for each tile.
extern "C" __global__ void __launch_bounds__(256) compress(
    const u8* mask, const ITEM* values, ITEM* out, u64* states, u64 points, u64 room,
    const Axes axes) {
    __shared__ ITEM chosen[TILE];
    __shared__ u32 amounts[WARPS + 1];
    __shared__ u64 begin;
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 first = (u64)blockIdx.x * TILE + warp * WARP_POINTS;
#if DIRECT
    u32 own = direct_truths(mask, first + lane * SHARE, points);
    u32 up_to = sum_up_to(__popc(own), lane);
    u32 rank = begin_of_warp(states, amounts, __shfl_sync(ALL_LANES, up_to, WARP - 1), warp, lane);
    // The number of points fits beside their truths.
    u32 both = (rank + up_to - __popc(own)) << 16 | own;
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
                for (u32 i = 0; at + i < points; i++) {
                    quads[row].at[i] = values[at + i];
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
    u32 votes[SHARE], amount = 0;
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        u64 at = first + row * WARP + lane;
        bool is_true = false;
        if (at < points) {
            i64 offsets[OPERANDS] = {0};
            locate(at, axes, offsets);
            is_true = mask[offsets[0]] != 0;
            if (is_true) {
                own[row] = values[offsets[OPERANDS - 1]];
            }
        }
        votes[row] = __ballot_sync(ALL_LANES, is_true);
        amount += __popc(votes[row]);
    }
    u32 place = begin_of_warp(states, amounts, amount, warp, lane);
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        if (votes[row] >> lane & 1u) {
            chosen[place + __popc(votes[row] & ((1u << lane) - 1))] = own[row];
        }
        place += __popc(votes[row]);
    }
#endif
    __syncthreads();
    u32 all = amounts[WARPS];
    if (warp == 0) {
        u64 before = look_back(states, blockIdx.x, all, lane);
        if (lane == 0) {
            begin = before;
        }
    }
    __syncthreads();
    u64 to = begin;
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
// the mask's shape. One block a tile; `states` are zeros, one for each tile.
extern "C" __global__ void __launch_bounds__(256) positions(
    const u8* mask, u64* states, u64 points, u64 room, const Outs outs, const Axes axes) {
    // Where in its tile a chosen point lies.
    __shared__ u16 chosen[TILE];
    __shared__ u32 amounts[WARPS + 1];
    __shared__ u64 begin;
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 tile = (u64)blockIdx.x * TILE;
    u32 first = warp * WARP_POINTS;
#if DIRECT
    u32 own = direct_truths(mask, tile + first + lane * SHARE, points);
    u32 up_to = sum_up_to(__popc(own), lane);
    u32 place = begin_of_warp(states, amounts, __shfl_sync(ALL_LANES, up_to, WARP - 1), warp, lane);
    place += up_to - __popc(own);
    for (; own != 0; own &= own - 1) {
        chosen[place++] = (u16)(first + lane * SHARE + __ffs(own) - 1);
    }
#else
    u32 votes[SHARE], amount = 0;
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        u64 at = tile + first + row * WARP + lane;
        bool is_true = false;
        if (at < points) {
            i64 offsets[OPERANDS] = {0};
            locate(at, axes, offsets);
            is_true = mask[offsets[0]] != 0;
        }
        votes[row] = __ballot_sync(ALL_LANES, is_true);
        amount += __popc(votes[row]);
    }
    u32 place = begin_of_warp(states, amounts, amount, warp, lane);
#pragma unroll
    for (u32 row = 0; row < SHARE; row++) {
        if (votes[row] >> lane & 1u) {
            u32 at = first + row * WARP + lane;
            chosen[place + __popc(votes[row] & ((1u << lane) - 1))] = (u16)at;
        }
        place += __popc(votes[row]);
    }
#endif
    __syncthreads();
    u32 all = amounts[WARPS];
    if (warp == 0) {
        u64 before = look_back(states, blockIdx.x, all, lane);
        if (lane == 0) {
            begin = before;
        }
    }
    __syncthreads();
    u64 to = begin;
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
