// How scan.cu reads, folds and writes a line: groups of lanes, a chunk at a time.
//
// Macros: ITEM, the type of the elements; FOLD, one of the structs of scan_folds.cuh; PACK, how many
// elements a lane moves at once (1, or 16 bytes); APART, whether memory is read and written element by
// element all the same, because packs do not lie evenly; ROWS, how many packs a lane folds after one
// another.

typedef FOLD<ITEM> Fold;
typedef Fold::Acc Acc;
typedef Fold::Step Step;
typedef Pack<ITEM, PACK> Items;

// A line of elements, as the operands hold it.
struct Line {
    const ITEM* input;
    ITEM* out;
    i64 steps[2];
    u64 len;

    __device__ ITEM element(u64 position) const { return input[(i64)position * steps[0]]; }
    __device__ void set(u64 position, ITEM value) const { out[(i64)position * steps[1]] = value; }

    // A pack of neighbours, or what of it is within the line.
    __device__ void load(u64 position, Items& items) const {
        if (PACK > 1 && position + PACK <= len) {
            items = Items::load(input + position);
            return;
        }
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            if (position + i < len) {
                items.at[i] = element(position + i);
            }
        }
    }
    __device__ void store(u64 position, const Items& items) const {
        if (PACK > 1 && position + PACK <= len) {
            items.store(out + position);
            return;
        }
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            if (position + i < len) {
                set(position + i, items.at[i]);
            }
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
                    ahead[i] = element(at + i);
                }
            }
#pragma unroll
            for (u32 i = 0; i < TOGETHER; i++) {
                if (at + i < end) {
                    step = Fold::step(step, ahead[i]);
                    set(at + i, Fold::step_value(step));
                }
            }
        }
        return step;
    }
};

// Elements that a lane folds one after the other.
#define RUN (PACK * ROWS)

// Where lanes hand each other elements: memory is read and written by neighbours side by side, but each
// lane folds a run. After eight packs one is left out, so that the lanes meet in no bank either way.
template <u32 LANES>
struct Stage {
    static constexpr u32 PACKS = LANES * ROWS;
    static constexpr bool IS_NEEDED = APART ? PACK > 1 : ROWS > 1;
    typename Items::Moved at[IS_NEEDED ? PACKS + PACKS / 8 : 1];

    __device__ ITEM* pack(u32 number) { return (ITEM*)(at + number + number / 8); }
    __device__ ITEM* element(u32 number) { return pack(number / PACK) + number % PACK; }
};

// The part of a line that a group of lanes folds together.
template <u32 LANES>
struct Chunk {
    // As memory was read; between `take_runs` and `give_runs` the lane's run.
    ITEM items[RUN];
    // What the lane's run begins with, from the chunk's start.
    Acc before;
    // Of the whole chunk.
    Acc total;

    static constexpr u32 LEN = LANES * RUN;

    // Where the lane's packs, or its elements, are in the chunk.
    __device__ static u32 striped(u32 lane, u32 row) {
        return APART ? row * LANES + lane : (row * LANES + lane) * PACK;
    }

    __device__ void load(const Line& line, u64 start, u32 lane) {
        if (APART) {
#pragma unroll
            for (u32 i = 0; i < RUN; i++) {
                u64 at = start + striped(lane, i);
                if (at < line.len) {
                    items[i] = line.element(at);
                }
            }
            return;
        }
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            Items pack = {};
            line.load(start + striped(lane, row), pack);
            put(row, pack);
        }
    }

    __device__ void store(const Line& line, u64 start, u32 lane) const {
        if (APART) {
#pragma unroll
            for (u32 i = 0; i < RUN; i++) {
                u64 at = start + striped(lane, i);
                if (at < line.len) {
                    line.set(at, items[i]);
                }
            }
            return;
        }
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            line.store(start + striped(lane, row), get(row));
        }
    }

    __device__ void put(u32 row, const Items& pack) {
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            items[row * PACK + i] = pack.at[i];
        }
    }
    __device__ Items get(u32 row) const {
        Items pack;
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            pack.at[i] = items[row * PACK + i];
        }
        return pack;
    }

    __device__ void read_stripes(Stage<LANES>& stage, u32 lane) {
#pragma unroll
        for (u32 row = 0; row < (APART ? RUN : ROWS); row++) {
            u32 at = striped(lane, row);
            if (APART) {
                items[row] = *stage.element(at);
            } else {
                put(row, Items::load(stage.pack(at / PACK)));
            }
        }
    }
    __device__ void write_stripes(Stage<LANES>& stage, u32 lane) const {
#pragma unroll
        for (u32 row = 0; row < (APART ? RUN : ROWS); row++) {
            u32 at = striped(lane, row);
            if (APART) {
                *stage.element(at) = items[row];
            } else {
                get(row).store_shared(stage.pack(at / PACK));
            }
        }
    }

    // Has the chunk copied to a stage as memory has it: see `await_asked`. What is past the line's end is zero.
    __device__ static void ask(const Line& line, Stage<LANES>& stage, u64 start, u32 lane) {
        constexpr u32 MOVED = APART ? RUN : ROWS, EACH = APART ? 1 : PACK;
#pragma unroll
        for (u32 i = 0; i < MOVED; i++) {
            u32 number = striped(lane, i);
            u64 at = start + number;
            ITEM* to = stage.element(number);
            if (at + EACH <= line.len) {
                copy_asked<EACH * sizeof(ITEM)>(to, line.input + (APART ? (i64)at * line.steps[0] : (i64)at));
                continue;
            }
            for (u32 j = 0; j < EACH; j++) {
                to[j] = at + j < line.len ? line.element(at + j) : ITEM{};
            }
        }
    }
    // The lane's run, from where the chunk was copied to.
    __device__ void read_runs(Stage<LANES>& stage, u32 lane) {
#pragma unroll
        for (u32 row = 0; row < ROWS; row++) {
            put(row, Items::load(stage.pack(lane * ROWS + row)));
        }
    }
    __device__ void take_runs(Stage<LANES>& stage, u32 lane) {
        if (Stage<LANES>::IS_NEEDED) {
            write_stripes(stage, lane);
            __syncwarp();
            read_runs(stage, lane);
            __syncwarp();
        }
    }
    __device__ void give_runs(Stage<LANES>& stage, u32 lane) {
        if (Stage<LANES>::IS_NEEDED) {
#pragma unroll
            for (u32 row = 0; row < ROWS; row++) {
                get(row).store_shared(stage.pack(lane * ROWS + row));
            }
            __syncwarp();
            read_stripes(stage, lane);
            __syncwarp();
        }
    }

    // Elements of the lane's run that are within the line.
    __device__ static u32 within(const Line& line, u64 start, u32 lane) {
        u64 at = start + lane * RUN;
        return at >= line.len ? 0 : (u32)min(line.len - at, (u64)RUN);
    }

    // The lane's run, folded. Elements past the line's end take no part.
    template <bool QUICK>
    __device__ Acc run(u32 count) const {
        Acc own = Fold::identity();
#pragma unroll
        for (u32 i = 0; i < RUN; i++) {
            if (count == RUN || i < count) {
                own = QUICK ? Fold::quick_push(own, items[i]) : Fold::push(own, items[i]);
            }
        }
        return own;
    }

    // Joins the lane's own with all before it, in the lanes' order.
    template <bool QUICK>
    __device__ static Acc scan(Acc own, u32 lane) {
#pragma unroll
        for (u32 apart = 1; apart < LANES; apart *= 2) {
            Acc left = shuffle_up(own, apart, LANES);
            Acc joined = QUICK ? Fold::quick_join(left, own) : Fold::join(left, own);
            own = lane >= apart ? joined : own;
        }
        return own;
    }

    __device__ void fold(const Line& line, u64 start, u32 lane) {
        u32 count = within(line, start, lane);
        Acc own = scan<true>(count == RUN ? run<true>(RUN) : run<true>(count), lane);
        if (!__all_sync(ALL_LANES, Fold::is_settled(own))) {
            own = scan<false>(run<false>(count), lane);
        }
        total = shuffle(own, LANES - 1, LANES);
        Acc left = shuffle_up(own, 1, LANES);
        before = lane == 0 ? Fold::identity() : left;
    }

    // Makes of the run every step after `start_value`; false where one of them can't be trusted.
    __device__ bool finish(const Line& line, u64 start, u32 lane, Acc start_value) {
        u32 count = within(line, start, lane);
        Acc begin = Fold::join(start_value, before), acc = begin;
        bool sound = true;
        const auto step = [&](u32 i) {
            acc = Fold::quick_push(acc, items[i]);
            // What is settled in the end was sound all the way.
            sound &= Fold::SETTLES || Fold::is_sound(acc);
            items[i] = Fold::quick_value(acc);
        };
        if (count == RUN) {
#pragma unroll
            for (u32 i = 0; i < RUN; i++) {
                step(i);
            }
        } else {
#pragma unroll
            for (u32 i = 0; i < RUN; i++) {
                if (i < count) {
                    step(i);
                }
            }
        }
        if (Fold::is_settled(acc)) {
            return sound;
        }
        // The elements once more.
        acc = begin;
        sound = true;
        for (u32 i = 0; i < count; i++) {
            acc = Fold::push(acc, line.element(start + lane * RUN + i));
            sound &= Fold::is_sound(acc);
            put_element(i, Fold::value(acc));
        }
        return sound;
    }

    __device__ void put_element(u32 number, ITEM value) {
#pragma unroll
        for (u32 i = 0; i < RUN; i++) {
            items[i] = i == number ? value : items[i];
        }
    }
};

__device__ inline Line line_at(
    const ITEM* input, ITEM* out, u64 number, u64 len, i64 in_step, i64 out_step,
    const Axes& axes) {
    i64 offsets[OPERANDS] = {0, 0};
    locate(number, axes, offsets);
    return {input + offsets[0], out + offsets[1], {in_step, out_step}, len};
}
