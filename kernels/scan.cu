// Running sums, products, maxima and minima along one axis.
//
// Macros: those of scan_chunk.cuh; GROUP, the lanes of a line in `scan_lines`; WARPS, how many a tile has;
// PART, which kernels are wanted (LINES, TILES, REPAIR or COLUMNS); RANK and WIDE for the axes beside the
// scanned one.
//
// Results do not depend on timing: what a stretch begins with is always folded from the same totals
// in the same order, and no block waits for another.

#define LINES 1
#define TILES 2
#define REPAIR 3
#define COLUMNS 4

#if PART == LINES

// Many lines: GROUP lanes go through each, chunk by chunk.
extern "C" __global__ void __launch_bounds__(256) scan_lines(
    const ITEM* input, ITEM* out, u64 lines, u64 len, i64 in_step, i64 out_step,
    const Axes axes) {
    __shared__ Stage<GROUP> stages[256 / GROUP];
    Stage<GROUP>& stage = stages[threadIdx.x / GROUP];
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
            chunk.take_runs(stage, lane);
            chunk.fold(line, start, lane);
            bool sound = chunk.finish(line, start, lane, carry);
            chunk.give_runs(stage, lane);
            chunk.store(line, start, lane);
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
// Blocks that share a multiprocessor: wide sums take more registers.
#define BLOCKS ((sizeof(Acc) > 16 ? 16 : 32) / WARPS)

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

// Long lines are cut in stretches of whole tiles. This folds every stretch but a line's last into
// its total, a warp each part of it. Grid: those stretches, lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS) scan_totals(
    const ITEM* input, ITEM* out, Acc* totals, u64 stretch, u64 len, i64 in_step, i64 out_step,
    const Axes axes) {
    __shared__ Acc parts[WARPS];
    __shared__ Stage<WARP> stages[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    Line line = line_at(input, out, blockIdx.y, len, in_step, out_step, axes);
    u64 part = stretch / WARPS;
    u64 start = blockIdx.x * stretch + warp * part, end = start + part;
    Acc acc = Fold::identity();
    Chunk<WARP> chunk;
    chunk.load(line, start, lane);
    for (; start < end; start += Chunk<WARP>::LEN) {
        Chunk<WARP> next;
        if (start + Chunk<WARP>::LEN < end) {
            next.load(line, start + Chunk<WARP>::LEN, lane);
        }
        if (Fold::COMMUTES) {
#pragma unroll
            for (u32 i = 0; i < RUN; i++) {
                acc = Fold::push(acc, chunk.items[i]);
            }
        } else {
            chunk.take_runs(stages[warp], lane);
            acc = Fold::join(acc, join_lanes(chunk.run(line, start, lane)));
        }
#pragma unroll
        for (u32 i = 0; i < RUN; i++) {
            chunk.items[i] = next.items[i];
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
    __shared__ Stage<WARP> stages[WARPS];
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
        chunk.take_runs(stages[warp], lane);
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
        chunk.give_runs(stages[warp], lane);
        chunk.store(line, start, lane);
#pragma unroll
        for (u32 i = 0; i < RUN; i++) {
            chunk.items[i] = next.items[i];
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

// Writes the tiles behind those that were folded again. Grid: some blocks, which take the tiles in turn; lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_after(
    const ITEM* input, ITEM* out, const Acc* begins, const Repair* repairs, u32 tiles, u64 len,
    i64 in_step, i64 out_step, const Axes axes) {
    __shared__ Acc sums[WARPS];
    __shared__ Stage<WARP> stages[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 number = blockIdx.y;
    const Repair* repair = repairs + number;
    if (repair->behind == 0) {
        return;
    }
    Line line = line_at(input, out, number, len, in_step, out_step, axes);
    const Acc* first = begins + number * tiles;
    Acc absorbed = Fold::from_step(repair->step);
    for (u64 tile = repair->resume + blockIdx.x; tile < tiles; tile += gridDim.x) {
        u64 start = tile * TILE + (u64)warp * Chunk<WARP>::LEN;
        Chunk<WARP> chunk;
        chunk.load(line, start, lane);
        chunk.take_runs(stages[warp], lane);
        chunk.fold(line, start, lane);
        if (lane == 0) {
            sums[warp] = chunk.total;
        }
        __syncthreads();
        Acc before = first[tile];
        for (u32 i = 0; i < warp; i++) {
            before = Fold::join(before, sums[i]);
        }
        __syncthreads();
        Acc whole = Fold::join(before, chunk.before);
        chunk.before = Fold::after(absorbed, first[repair->resume], whole);
        chunk.finish(line, start, lane, Fold::identity());
        chunk.give_runs(stages[warp], lane);
        chunk.store(line, start, lane);
    }
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
