// Running sums, products, maxima and minima along one axis.
//
// Macros: ITEM, the type of the elements; FOLD, one of the structs of scan_folds.cuh; PACK, how many
// elements a lane moves at once (1, or 16 bytes where lines lie evenly); ROWS, how many such packs a
// lane holds; GROUP, the lanes of a line in `scan_lines`; WARPS, how many a tile has; PART, which
// kernels are wanted (LINES, TILES, REPAIR or COLUMNS); RANK and WIDE for the axes beside the scanned
// one.
//
// Results do not depend on timing: what a stretch begins with is always folded from the same totals
// in the same order, and no block waits for another.

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
