// How tiles of a line tell each other what they hold, and join what lies before them.

// Joins the warp's values in the lanes' order. The result is the first lane's.
__device__ inline Acc join_lanes(Acc acc) {
#pragma unroll
    for (u32 apart = 1; apart < WARP; apart *= 2) {
        acc = Fold::join(acc, shuffle_down(acc, apart, WARP));
    }
    return acc;
}

#define GROUPED 64u

// Eight bytes of a total, and the tag of the launch that they are of, which are read and written together.
struct Word {
    u64 value;
    u64 tag;
};

#ifdef GENESIS_SHIM
__device__ inline Word load_word(const Word* place) { return *place; }
__device__ inline void store_word(Word* place, Word word) { *place = word; }
#else
__device__ inline Word load_word(const Word* place) {
    Word word;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(word.value), "=l"(word.tag)
                 : "l"(place)
                 : "memory");
    return word;
}
__device__ inline void store_word(Word* place, Word word) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(word.value), "l"(word.tag)
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
    // What does not carry the tag of this launch is not known yet.
    Word* words;
    u64 tag;
    // How many of a group are known: of each group, then of each group of groups. Zeros, which are zeros again when
    // all are known.
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
                    misses |= words_of[i / WORDS][i % WORDS].tag != tag;
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
            store_word(words + at * WORDS + i, {parted.at[i], tag});
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
    // that. Nobody waits for a group that has not all its members. By a warp.
    __device__ void say_group(u32 tile, u32 lane) const {
        u32 at = tile / GROUPED, below = 0, own = tiles, span = GROUPED;
        u32* counts = arrived;
#pragma unroll 1
        for (u32 level = 0; level < 2; level++) {
            if ((at + 1) * span > tiles) {
                return;
            }
            u32 before = lane == 0 ? atomicAdd(counts + at, 1u) : 0;
            if (__shfl_sync(ALL_LANES, before, 0) != GROUPED - 1) {
                return;
            }
            u32 first = below + at * GROUPED;
            Acc total = join(GROUPED, lane, [&](u32 i) { return first + i; });
            if (lane == 0) {
                say(own + at, total);
                counts[at] = 0;
            }
            below = own;
            own += groups;
            counts += groups;
            span *= GROUPED;
            at /= GROUPED;
        }
    }
};
