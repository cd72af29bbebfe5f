// Running sums, products, maxima and minima along one axis.
//
// Macros: those of scan_chunk.cuh; GROUP, the lanes of a line in `scan_lines`; WARPS, how many a tile has;
// BLOCKS, how many of such blocks share a multiprocessor; PART, which kernels are wanted (LINES, TILES, REPAIR
// or COLUMNS); RANK and WIDE for the axes beside the scanned one.
//
// Results do not depend on timing: what a part begins with is always folded from the same totals in the
// same order.

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
        Chunk<GROUP> chunk, next_chunk;
        next_chunk.load(line, 0, lane);
        for (u64 start = 0; start < len; start += Chunk<GROUP>::LEN) {
            chunk = next_chunk;
            // The next one is on its way while this one is folded.
            if (start + Chunk<GROUP>::LEN < len) {
                next_chunk.load(line, start + Chunk<GROUP>::LEN, lane);
            }
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

// What is known of a line that has to be folded again from some tile on. Its numbers stand below the launch's tag, so that
// those of launches before count as none. It is as long for all folds, so that no number lies where a step has lain.
struct Repair {
    // The number of tiles less the first one that can't be trusted.
    u64 behind;
    // The first tile after those that were folded again.
    u64 resume;
    union {
        Step step;
        u64 room[2];
    };
};
static_assert(sizeof(Repair) == 32, "as launchers take it to be");

// Bits of a number of tiles below a tag.
#define TILE_BITS 24

__device__ inline u64 tagged(u64 tag, u64 tiles) {
    return tag << TILE_BITS | tiles;
}

// Whether a number is the launch's own; then it is without its tag.
__device__ inline bool untag(u64 tag, u64& number) {
    bool is_own = number >> TILE_BITS == tag;
    number &= (1ull << TILE_BITS) - 1;
    return is_own;
}

#if PART == TILES

// A tile by its number among those of all lines, its line, and where it is there.
struct Tile {
    u32 number, line, at;
};

// The warps' totals in a tile become what lies before each of them, and behind that the tile's total, which is told to
// all if there are other tiles. By the first warp.
__device__ inline void sum_up(Acc* parts, const Published& published, u32 tile, u32 lane) {
    Acc scanned = lane < WARPS ? parts[lane] : Fold::identity();
#pragma unroll
    for (u32 apart = 1; apart < WARPS; apart *= 2) {
        Acc left = shuffle_up(scanned, apart, WARP);
        scanned = lane >= apart ? Fold::join(left, scanned) : scanned;
    }
    __syncwarp();
    if (lane == 0) {
        parts[0] = Fold::identity();
    }
    if (lane < WARPS) {
        parts[lane + 1] = scanned;
    }
    if (published.tiles > 1) {
        if (lane == WARPS - 1) {
            published.say(tile, scanned);
        }
        published.say_group(tile, lane);
    }
}

// What lies before a tile, by all warps: the last ones wait, because the first one has had something to do.
__device__ inline void look_back(Acc* levels, const Published& published, u32 tile, u32 warp, u32 lane) {
    for (u32 level = WARPS - 1 - warp; level < 3; level += WARPS) {
        Acc before = published.join_level(level, tile, lane);
        if (lane == 0) {
            levels[level] = before;
        }
    }
}

// Makes of a warp's run of a tile every step behind what lies before it, and says where that can't be trusted.
__device__ inline void finish_tile(
    Chunk<WARP>& chunk, const Line& line, u64 start, const Acc* levels, const Acc* parts, Acc* begin,
    Repair* repair, u64 behind) {
    const u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    Acc carry = Fold::join(Fold::join(levels[2], levels[1]), levels[0]);
    bool sound = chunk.finish(line, start, lane, Fold::join(carry, parts[warp]));
    if (Fold::REPAIRS) {
        if (threadIdx.x == 0) {
            *begin = carry;
            sound &= Fold::is_sound_part(parts[WARPS]) && Fold::is_sound(carry);
        }
        if (!__all_sync(ALL_LANES, sound) && lane == 0) {
            atomicMax(&repair->behind, behind);
        }
    }
}

// What both kernels below are given: `words` and `repairs` without the launch's `tag`, and `arrived` and `taken`, which
// are zeros. For folds that repair, `begins` gets what each tile begins with.
#define TILED                                                                                             \
    const ITEM *input, ITEM *out, Word *words, u64 tag, u32 *arrived, u32 *taken, Acc *begins,            \
        Repair *repairs, u32 tiles, u64 lines, u64 len, i64 in_step, i64 out_step, const Axes axes

#define PUBLISHED(line)                                                                             \
    Published {                                                                                     \
        words + (line) * (tiles + groups + wholes) * WORDS, tag, arrived + (line) * (groups + wholes), \
            tiles, groups                                                                           \
    }

// Writes every step of few tiles. A block has one, and waits for those of lower numbers, which the GPU begins before
// it. Grid: the tiles of all lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_wave(TILED) {
    __shared__ Acc parts[WARPS + 1];
    __shared__ Acc levels[3];
    __shared__ Stage<WARP> stages[WARPS];
    const u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const u32 groups = (tiles + GROUPED - 1) / GROUPED;
    const u32 wholes = (groups + GROUPED - 1) / GROUPED;
    const u64 number = blockIdx.x / tiles;
    const u32 at = blockIdx.x % tiles;
    const Line line = line_at(input, out, number, len, in_step, out_step, axes);
    const u64 start = (u64)at * TILE + warp * Chunk<WARP>::LEN;
    const Published published = PUBLISHED(number);
    Chunk<WARP> chunk;
    chunk.load(line, start, lane);
    chunk.take_runs(stages[warp], lane);
    chunk.fold(line, start, lane);
    if (lane == 0) {
        parts[warp] = chunk.total;
    }
    __syncthreads();
    if (warp == 0) {
        sum_up(parts, published, at, lane);
    }
    look_back(levels, published, at, warp, lane);
    __syncthreads();
    finish_tile(chunk, line, start, levels, parts, begins + blockIdx.x, repairs + number,
        tagged(tag, tiles - at));
    chunk.give_runs(stages[warp], lane);
    chunk.store(line, start, lane);
}

// Tiles that a block holds: one that comes, one that is folded, and one that waits for those before it.
#define RING 3u

// Writes every step. A block takes tile after tile: it folds one and publishes its total, and then finishes the one
// before, behind the totals of all tiles before that, which others have published in the meantime. These are always
// joined in the same groups. So memory is read once, and all that is read or waits lies in memory that the block
// shares. Who waits does so for tiles that were taken earlier than its own, so every wait ends. Grid: any, with a ring
// of stages for each warp in dynamic shared memory.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_tiles(TILED) {
    extern __shared__ __align__(128) u8 ring[];
    __shared__ Acc sums[RING][WARPS + 1];
    __shared__ Acc levels[3];
    __shared__ u32 tickets[RING];
    const u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const u32 groups = (tiles + GROUPED - 1) / GROUPED;
    const u32 wholes = (groups + GROUPED - 1) / GROUPED;
    const u32 all = (u32)lines * tiles;
    const auto tile_at = [&](u32 number) {
        return Tile{number, number / tiles, number % tiles};
    };
    const auto line_of = [&](const Tile& tile) {
        return line_at(input, out, tile.line, len, in_step, out_step, axes);
    };
    const auto start_of = [&](const Tile& tile) { return (u64)tile.at * TILE + warp * Chunk<WARP>::LEN; };
    const auto stage_at = [&](u32 slot) -> Stage<WARP>& { return ((Stage<WARP>*)ring)[slot * WARPS + warp]; };
    const auto ask = [&](u32 slot, const Tile& tile) {
        if (tile.number < all) {
            Chunk<WARP>::ask(line_of(tile), stage_at(slot), start_of(tile), lane);
        }
        close_asked();
    };
    // By the first thread.
    const auto take = [&](u32 turn) { return taken ? atomicAdd(taken, 1u) : blockIdx.x + turn * gridDim.x; };
    if (threadIdx.x == 0) {
        tickets[0] = take(0);
        tickets[1] = take(1);
    }
    __syncthreads();
    Tile own = tile_at(tickets[0]), following = tile_at(tickets[1]), held = tile_at(all);
    Acc held_before = Fold::identity();
    ask(0, own);
    ask(1, following);
    u32 slot = 0;
    for (u32 turn = 2; own.number < all || held.number < all; turn++) {
        const bool folds = own.number < all, finishes = held.number < all;
        const u32 back = slot == 0 ? RING - 1 : slot - 1;
        Acc* parts = sums[slot];
        // It is on its way while the tile is folded.
        u32 coming = threadIdx.x == 0 ? take(turn) : 0;
        Acc own_before = Fold::identity();
        await_asked<1>();
        __syncwarp();
        if (folds) {
            Chunk<WARP> chunk;
            chunk.read_runs(stage_at(slot), lane);
            chunk.fold(line_of(own), start_of(own), lane);
            own_before = chunk.before;
            if (lane == 0) {
                parts[warp] = chunk.total;
            }
        }
        if (threadIdx.x == 0) {
            tickets[back] = coming;
        }
        __syncthreads();
        if (folds && warp == 0) {
            sum_up(parts, PUBLISHED((u64)own.line), own.at, lane);
        }
        if (finishes) {
            look_back(levels, PUBLISHED((u64)held.line), held.at, warp, lane);
        }
        const Tile next = tile_at(tickets[back]);
        __syncthreads();
        if (finishes) {
            const Line line = line_of(held);
            Chunk<WARP> chunk;
            chunk.read_runs(stage_at(back), lane);
            chunk.before = held_before;
            finish_tile(chunk, line, start_of(held), levels, sums[back], begins + held.number,
                repairs + held.line, tagged(tag, tiles - held.at));
            __syncwarp();
            chunk.give_runs(stage_at(back), lane);
            chunk.store(line, start_of(held), lane);
        }
        // Where the finished tile was there is room: only this warp reads and writes its part of it.
        ask(back, next);
        held = own;
        held_before = own_before;
        own = following;
        following = next;
        slot = slot == RING - 1 ? 0 : slot + 1;
    }
}

#endif

#if PART == REPAIR

// Folds again, one element after the other, from the first tile that can't be trusted until no later
// element's magnitude counts any more.
__device__ inline void fold_again(
    const Line& line, const Acc* begins, Repair* repair, u64 tag, u64 tile, u32 tiles) {
    // The tiles before it are sound, and so is what they begin with.
    if (!Fold::is_sound(begins[tile])) {
        tile -= 1;
    }
    Step step = Fold::to_step(begins[tile]);
    do {
        step = line.walk(step, tile * TILE, min((tile + 1) * TILE, line.len));
        tile += 1;
    } while (tile < tiles && !Fold::is_absorbed(step));
    repair->step = step;
    store_release(&repair->resume, tagged(tag, tile));
}

// Mends lines that can't be trusted: a thread folds a part again, and blocks write the tiles behind that.
// Grid: some blocks, which take the tiles in turn; lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_repair(
    const ITEM* input, ITEM* out, const Acc* begins, Repair* repairs, u64 tag, u32 tiles, u64 len,
    i64 in_step, i64 out_step, const Axes axes) {
    __shared__ Acc sums[WARPS];
    __shared__ Stage<WARP> stages[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 number = blockIdx.y;
    Repair* repair = repairs + number;
    u64 behind = repair->behind;
    if (!untag(tag, behind)) {
        return;
    }
    Line line = line_at(input, out, number, len, in_step, out_step, axes);
    const Acc* first = begins + number * tiles;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        fold_again(line, first, repair, tag, tiles - behind, tiles);
    }
    if (threadIdx.x == 0) {
        u64 resume;
        do {
            resume = load_acquire(&repair->resume);
        } while (!untag(tag, resume));
    }
    __syncthreads();
    u64 resume = load_acquire(&repair->resume);
    untag(tag, resume);
    Acc absorbed = Fold::from_step(repair->step);
    for (u64 tile = resume + blockIdx.x; tile < tiles; tile += gridDim.x) {
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
        chunk.before = Fold::after(absorbed, first[resume], whole);
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
#pragma unroll 8
            for (u64 before = 0; before < segment; before++) {
                acc = Fold::join(acc, own[before * columns + i]);
            }
        }
        steps[i] = segment == 0 ? Fold::begin() : Fold::to_step(acc);
    }
    const auto load = [&](Items* items, u64 at) {
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            if (at + row < end) {
                items[row] = Items::load(input + (i64)(at + row) * in_step);
            }
        }
    };
    Items items[ROWS], next[ROWS];
    load(next, begin);
    for (u64 at = begin; at < end; at += ROWS) {
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            items[row] = next[row];
        }
        // They are on their way while these are folded.
        load(next, at + ROWS);
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
