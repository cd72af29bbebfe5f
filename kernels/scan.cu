// Running sums, products, maxima and minima along one axis.
//
// Macros: those of scan_chunk.cuh; GROUP, the lanes of a line in `scan_lines`; WARPS, how many a tile has;
// PART, which kernels are wanted (LINES, TILES, REPAIR or COLUMNS); RANK and WIDE for the axes beside the
// scanned one.
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
// Blocks that share a multiprocessor: a block holds two tiles, and registers that go to memory cost more
// than warps bring.
#define BLOCKS ((Fold::REPAIRS ? 12 : 16) / (WARPS < 2 ? 2 : WARPS))

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

#define GROUPED 64u

// Eight bytes of a total and whether they are there, which are read and written together.
struct Word {
    u64 value;
    u64 known;
};

#ifdef GENESIS_SHIM
__device__ inline Word load_word(const Word* place) { return *place; }
__device__ inline void store_word(Word* place, u64 value) { *place = {value, 1}; }
#else
__device__ inline Word load_word(const Word* place) {
    Word word;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(word.value), "=l"(word.known)
                 : "l"(place)
                 : "memory");
    return word;
}
__device__ inline void store_word(Word* place, u64 value) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(value), "l"(1ull)
                 : "memory");
}
#endif

#define WORDS ((u32)((sizeof(Acc) + 7) / 8))
// Totals that a lane asks for at once.
#define TOGETHER 2

union Parted {
    Acc whole;
    u64 at[WORDS];
    __device__ Parted() {}
};

// What the tiles of a line hold, then groups of so many tiles, then groups of so many groups. Whoever knows
// such a total says so, and others wait for it.
struct Published {
    Word* words;
    // How many of a group are known: of each group, then of each group of groups.
    u32* arrived;
    u32 tiles, groups;

    // Joins `count` of these in order, each where `place_of` says, by a warp. The result is the first lane's.
    template <class Place>
    __device__ Acc join(u32 count, u32 lane, Place place_of) const {
        u32 each = (count + WARP - 1) / WARP;
        u32 first = min(lane * each, count), end = min(first + each, count);
        Acc acc = Fold::identity();
        for (; first < end; first += TOGETHER) {
            // All are asked for before one is waited for.
            Word words_of[TOGETHER][WORDS];
            bool misses = true;
            while (misses) {
                misses = false;
#pragma unroll
                for (u32 i = 0; i < TOGETHER * WORDS; i++) {
                    u32 at = min(first + i / WORDS, end - 1);
                    words_of[i / WORDS][i % WORDS] = load_word(words + place_of(at) * WORDS + i % WORDS);
                }
#pragma unroll
                for (u32 i = 0; i < TOGETHER * WORDS; i++) {
                    misses |= words_of[i / WORDS][i % WORDS].known == 0;
                }
            }
#pragma unroll
            for (u32 i = 0; i < TOGETHER; i++) {
                if (first + i < end) {
                    Parted parted;
#pragma unroll
                    for (u32 j = 0; j < WORDS; j++) {
                        parted.at[j] = words_of[i][j].value;
                    }
                    acc = Fold::join(acc, parted.whole);
                }
            }
        }
        __syncwarp();
        return join_lanes(acc);
    }

    __device__ void say(u32 at, Acc total) const {
        Parted parted;
        parted.whole = total;
#pragma unroll
        for (u32 i = 0; i < WORDS; i++) {
            store_word(words + at * WORDS + i, parted.at[i]);
        }
    }

    // What lies before a tile: of the tile's own group (0), of the groups in that group's group (1), and
    // of all groups of groups before that (2).
    __device__ Acc join_level(u32 level, u32 tile, u32 lane) const {
        u32 group = tile / GROUPED, whole = group / GROUPED;
        u32 count = level == 0 ? tile % GROUPED : level == 1 ? group % GROUPED : whole;
        u32 first = level == 0 ? group * GROUPED : tiles + (level == 1 ? whole * GROUPED : groups);
        return join(count, lane, [&](u32 at) { return first + at; });
    }

    // Where the tile is the last of its group to be known: says the group's total, and what becomes known by
    // that. `before` is how many were, in the first lane. By a warp.
    __device__ void say_group(u32 tile, u32 before, u32 lane) const {
        u32 at = tile / GROUPED, below = 0, own = tiles;
#pragma unroll 1
        for (u32 level = 0; level < 2; level++) {
            if (__shfl_sync(ALL_LANES, before, 0) != GROUPED - 1) {
                return;
            }
            u32 first = below + at * GROUPED;
            Acc total = join(GROUPED, lane, [&](u32 i) { return first + i; });
            if (lane == 0) {
                say(own + at, total);
                before = level == 0 ? atomicAdd(arrived + groups + at / GROUPED, 1u) : 0;
            }
            below = own;
            own += groups;
            at /= GROUPED;
        }
    }
};

// A tile by its number among those of all lines, its line, and where it is there.
struct Tile {
    u32 number, line, at;
};

// Writes every step. A block takes tile after tile, and holds two: it folds one and publishes its total, asks
// for the elements of the next, and then finishes the one before, behind the totals of all tiles before that,
// which others have published in the meantime. These are always joined in the same groups. So memory is read
// once. Who waits does so for tiles that were taken earlier than its own, so every wait ends. Grid: any.
// `words`, `arrived`, `taken` and `repairs` are zeros, of which only the last are there where each line is one
// tile; for folds that repair, `begins` gets what each tile begins with.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_tiles(
    const ITEM* input, ITEM* out, Word* words, u32* arrived, u32* taken, Acc* begins,
    Repair* repairs, u32 tiles, u64 lines, u64 len, i64 in_step, i64 out_step, const Axes axes) {
    // What warps hold; then what lies before each of them in the tile, and behind that the tile's total.
    __shared__ Acc sums[3][WARPS + 1];
    __shared__ Acc levels[3];
    __shared__ u32 ticket, first_ticket;
    __shared__ Stage<WARP> stages[WARPS];
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
    const auto published_of = [&](const Tile& tile) {
        u64 line = tile.line;
        return Published{
            words + line * (tiles + groups + wholes) * WORDS, arrived + line * (groups + wholes), tiles, groups};
    };
    if (threadIdx.x == 0) {
        first_ticket = taken ? atomicAdd(taken, 1u) : blockIdx.x;
    }
    __syncthreads();
    Tile own = tile_at(first_ticket), held_own = tile_at(all);
    Chunk<WARP> chunk, held;
    if (own.number < all) {
        chunk.load(line_of(own), start_of(own), lane);
    }
    for (u32 turn = 0; own.number < all || held_own.number < all; turn = turn == 2 ? 0 : turn + 1) {
        const bool folds = own.number < all, finishes = held_own.number < all;
        Acc* parts = sums[turn];
        if (folds) {
            // It is on its way while the tile is folded.
            u32 coming = own.number + gridDim.x;
            if (taken && threadIdx.x == 0) {
                coming = atomicAdd(taken, 1u);
            }
            chunk.take_runs(stages[warp], lane);
            chunk.fold(line_of(own), start_of(own), lane);
            if (lane == 0) {
                parts[warp] = chunk.total;
            }
            if (threadIdx.x == 0) {
                ticket = coming;
            }
        }
        __syncthreads();
        if (folds && warp == 0) {
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
            if (lane == WARPS - 1 && tiles > 1) {
                published_of(own).say(own.at, scanned);
            }
        }
        const Tile following = tile_at(folds ? ticket : all);
        Chunk<WARP> next;
        if (following.number < all) {
            next.load(line_of(following), start_of(following), lane);
        }
        if (folds && tiles > 1 && warp == 0) {
            // Before anybody waits: others may wait for it.
            const Published published = published_of(own);
            u32 before = lane == 0 ? atomicAdd(published.arrived + own.at / GROUPED, 1u) : 0;
            published.say_group(own.at, before, lane);
        }
        if (finishes) {
            // The last warps wait, because the first one has had something to do.
            for (u32 level = WARPS - 1 - warp; level < 3; level += WARPS) {
                Acc before = published_of(held_own).join_level(level, held_own.at, lane);
                if (lane == 0) {
                    levels[level] = before;
                }
            }
        }
        __syncthreads();
        if (finishes) {
            const Acc* before = sums[turn == 0 ? 2 : turn - 1];
            const Line line = line_of(held_own);
            const u64 start = start_of(held_own);
            Acc carry = Fold::join(Fold::join(levels[2], levels[1]), levels[0]);
            bool sound = held.finish(line, start, lane, Fold::join(carry, before[warp]));
            if (Fold::REPAIRS) {
                if (threadIdx.x == 0) {
                    begins[held_own.number] = carry;
                    sound &= Fold::is_sound_part(before[WARPS]) && Fold::is_sound(carry);
                }
                if (!__all_sync(ALL_LANES, sound) && lane == 0) {
                    atomicMax(&repairs[held_own.line].behind, (u64)(tiles - held_own.at));
                }
            }
            held.give_runs(stages[warp], lane);
            held.store(line, start, lane);
        }
        held = chunk;
        held_own = own;
        own = following;
        chunk = next;
    }
}

#endif

#if PART == REPAIR

// Folds again, one element after the other, from the first tile that can't be trusted until no later
// element's magnitude counts any more.
__device__ inline void fold_again(const Line& line, const Acc* begins, Repair* repair, u32 tiles) {
    u64 tile = tiles - repair->behind;
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
    store_release(&repair->resume, tile);
}

// Mends lines that can't be trusted: a thread folds a part again, and blocks write the tiles behind that.
// Grid: some blocks, which take the tiles in turn; lines.
extern "C" __global__ void __launch_bounds__(WARP * WARPS, BLOCKS) scan_repair(
    const ITEM* input, ITEM* out, const Acc* begins, Repair* repairs, u32 tiles, u64 len,
    i64 in_step, i64 out_step, const Axes axes) {
    __shared__ Acc sums[WARPS];
    __shared__ Stage<WARP> stages[WARPS];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    u64 number = blockIdx.y;
    Repair* repair = repairs + number;
    if (repair->behind == 0) {
        return;
    }
    Line line = line_at(input, out, number, len, in_step, out_step, axes);
    const Acc* first = begins + number * tiles;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        fold_again(line, first, repair, tiles);
    }
    if (threadIdx.x == 0) {
        while (load_acquire(&repair->resume) == 0) {
        }
    }
    __syncthreads();
    const u64 resume = load_acquire(&repair->resume);
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
