// Writing where indices point. All indices are checked first; where one of them is out of bounds,
// nothing is written.
//
// The axes of a scatter are of two kinds. Those along which an index changes, or along which values
// meet at one place, number the *claims*; along the others, which make a *row*, places differ
// whatever the indices are. A claim's place, without the row, is a *slot*: a number that counts
// places from the lowest one that any claim may mean, in steps that all places have in common.
// Slots that several claims mean belong to the last of them, or are folded in their order.
//
// Macros: PART, which kernel is wanted; INDICES, the number of index operands; OWNERS, how a slot's
// owner is found: NOBODY, by the slot (TABLE), by a search for it (SEARCH); OWNER, u32 or u64, for
// the number of a claim plus one; ITEM, the type of the elements (unsigned where they only move);
// APPLY, what is done with a value (WRITE, ADD, MULTIPLY, MAX, MIN); UNIT, what a lane of a row
// moves, made of SPREAD equal items where that is not zero; LANES and TOGETHER, the lanes of a row
// and the rows that they have in flight; KEY and ORDER, the types of sorted slots and of their claims'
// numbers, ROW_RANK, the axes of a row; SLOTS, for how many there are counters, and COPIES of each;
// RANK and WIDE for the axes.

#define CLAIM 1
#define KEYS 2
#define ROWS 3
#define ELEMENTS 4
#define FOLDS 5
#define COUNTS 6

#define NOBODY 0
#define TABLE 1
#define SEARCH 2
#ifndef OWNERS
#define OWNERS NOBODY
#endif
#ifndef OWNER
#define OWNER u32
#endif

#define WRITE 0
#define ADD 1
#define MULTIPLY 2
#define MAX 3
#define MIN 4

#define NO_INSTRUCTION 0xffffffffu

// The indices. Their offsets are the first INDICES operands of a walk, the next is the slot's.
struct Indices {
    const i64* at[INDICES > 0 ? INDICES : 1];
    i64 extents[INDICES > 0 ? INDICES : 1];
    // Slots from one index to the next.
    i64 steps[INDICES > 0 ? INDICES : 1];
    // Of claims whose coordinates and indices are zero.
    i64 base;
};

__device__ inline i64 slot_of(const Indices& indices, const i64* offsets) {
    i64 slot = indices.base + offsets[INDICES];
#pragma unroll
    for (int i = 0; i < INDICES; i++) {
        i64 index = indices.at[i][offsets[i]];
        slot += (index < 0 ? index + indices.extents[i] : index) * indices.steps[i];
    }
    return slot;
}

__device__ inline bool is_within(
    const Indices& indices, const i64* offsets, u64 claim, Fault* fault) {
    bool within = true;
#pragma unroll
    for (int i = 0; i < INDICES; i++) {
        i64 index = indices.at[i][offsets[i]], extent = indices.extents[i];
        if (index < -extent || index >= extent) {
            // The first operand's errors come before all of the second's.
            report(fault, (u64)i << 56 | claim, FAULT_INDEX, NO_INSTRUCTION, i, index, extent);
            within = false;
        }
    }
    return within;
}

__device__ inline bool has_failed(const Fault* fault) { return fault->position != ~0ull; }

// Who owns a slot: the last of its claims. In a search, `names` holds the slots that were met,
// plus one, each behind others of the same hash, and `mask` is the table's length less one.
struct Owners {
    OWNER* last;
    u64* names;
    u64 mask;
};

__device__ inline u64 hash(u64 slot) {
    slot = (slot ^ slot >> 32) * 0x9e3779b97f4a7c15ull;
    return slot ^ slot >> 29;
}

__device__ inline void claim_slot(const Owners& owners, u64 slot, u64 claim) {
#if OWNERS == TABLE
    atomicMax(owners.last + slot, (OWNER)(claim + 1));
#elif OWNERS == SEARCH
    u64 at = hash(slot) & owners.mask;
    while (true) {
        u64 name = atomicCAS(owners.names + at, 0ull, slot + 1);
        if (name == 0 || name == slot + 1) {
            break;
        }
        at = (at + 1) & owners.mask;
    }
    atomicMax(owners.last + at, (OWNER)(claim + 1));
#endif
}

__device__ inline bool owns(const Owners& owners, u64 slot, u64 claim) {
#if OWNERS == TABLE
    return owners.last[slot] == (OWNER)(claim + 1);
#elif OWNERS == SEARCH
    u64 at = hash(slot) & owners.mask;
    while (owners.names[at] != slot + 1) {
        at = (at + 1) & owners.mask;
    }
    return owners.last[at] == (OWNER)(claim + 1);
#else
    return true;
#endif
}

#if PART == CLAIM

// Checks the indices of every claim, and claims its slot. `owners` are zeros. Operands: the indices,
// the slot.
extern "C" __global__ void __launch_bounds__(256) scatter_claim(
    const Owners owners, Fault* fault, u64 claims, const Indices indices, const Axes axes) {
    u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < claims; at += threads) {
        i64 offsets[OPERANDS] = {0};
        locate(at, axes, offsets);
        if (is_within(indices, offsets, at, fault)) {
            claim_slot(owners, (u64)slot_of(indices, offsets), at);
        }
    }
}

#endif

#if PART == KEYS

// Checks the indices of every claim, and writes its slot. Operands: the indices, the slot.
extern "C" __global__ void __launch_bounds__(256) scatter_keys(
    KEY* keys, Fault* fault, u64 claims, const Indices indices, const Axes axes) {
    u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < claims; at += threads) {
        i64 offsets[OPERANDS] = {0};
        locate(at, axes, offsets);
        bool within = is_within(indices, offsets, at, fault);
        keys[at] = within ? (KEY)slot_of(indices, offsets) : (KEY)0;
    }
}

#endif

#if PART == ROWS

typedef Pack<ITEM, SPREAD == 0 ? 1 : SPREAD> Spread;

__device__ inline UNIT unit_at(const ITEM* values, i64 offset, u64 unit) {
#if SPREAD == 0
    return ((const UNIT*)(values + offset))[unit];
#else
    typename Spread::Both both;
#pragma unroll
    for (int i = 0; i < SPREAD; i++) {
        both.at[i] = values[offset];
    }
    return both.moved;
#endif
}

// Rows that lie in one piece, in the target and in the values: `units` long, `grain` units from a
// slot's to the next. Operands: the indices, the slot, and the values.
extern "C" __global__ void __launch_bounds__(256) scatter_rows(
    UNIT* target, const ITEM* values, const Owners owners, const Fault* fault, u64 claims,
    u64 units, u64 grain, const Indices indices, const Axes axes) {
    if (has_failed(fault)) {
        return;
    }
    u32 lane = threadIdx.x % LANES;
    u64 group = (u64)blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    u64 slots[TOGETHER];
    i64 from[TOGETHER];
    UNIT held[TOGETHER];
    bool wins[TOGETHER];
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        u64 claim = group * TOGETHER + i;
        wins[i] = claim < claims;
        if (wins[i]) {
            i64 offsets[OPERANDS] = {0};
            locate(claim, axes, offsets);
            from[i] = offsets[OPERANDS - 1];
            // The values are on their way while the slot is looked up.
            if (lane < units) {
                held[i] = unit_at(values, from[i], lane);
            }
            slots[i] = (u64)slot_of(indices, offsets);
        }
    }
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        wins[i] = wins[i] && owns(owners, slots[i], group * TOGETHER + i);
    }
#pragma unroll
    for (u32 i = 0; i < TOGETHER; i++) {
        if (wins[i]) {
            UNIT* to = target + slots[i] * grain;
            if (lane < units) {
                to[lane] = held[i];
            }
            for (u64 unit = lane + LANES; unit < units; unit += LANES) {
                to[unit] = unit_at(values, from[i], unit);
            }
        }
    }
}

#endif

#if PART == ELEMENTS || PART == FOLDS

template <class T>
__device__ inline T fold(T old, T value) {
    return APPLY == ADD  ? (T)(old + value)
        : APPLY == MULTIPLY ? (T)(old * value)
        : APPLY == MAX ? (old >= value || old != old ? old : value)
        : APPLY == MIN ? (old <= value || old != old ? old : value)
                       : value;
}

__device__ inline f16 fold(f16 old, f16 value) { return f16_from(fold(to_f32(old), to_f32(value))); }

__device__ inline bf16 fold(bf16 old, bf16 value) {
    return bf16_from(fold(to_f32(old), to_f32(value)));
}

#endif

#if PART == ELEMENTS

// Integers are folded in any order: the result is the same. Wrapping sums and products are those
// of unsigned numbers.
#if APPLY == WRITE
__device__ inline void apply(ITEM* place, ITEM value) { *place = value; }
#else
// U is T without its sign.
template <class U, class T>
__device__ inline void apply_whole(T* place, T value) {
    if (APPLY == ADD) {
        atomicAdd((U*)place, (U)value);
    } else if (APPLY == MAX) {
        atomicMax(place, value);
    } else if (APPLY == MIN) {
        atomicMin(place, value);
    } else {
        U old = *(volatile U*)place, seen;
        do {
            seen = old;
            old = atomicCAS((U*)place, seen, seen * (U)value);
        } while (old != seen);
    }
}

__device__ inline void apply(i32* place, i32 value) { apply_whole<u32>(place, value); }
__device__ inline void apply(u32* place, u32 value) { apply_whole<u32>(place, value); }
__device__ inline void apply(i64* place, i64 value) { apply_whole<u64>(place, value); }
__device__ inline void apply(u64* place, u64 value) { apply_whole<u64>(place, value); }

// Types below 32 bits, inside of the word that they share with their neighbours.
template <class T>
__device__ inline void apply(T* place, T value) {
    u32* word = (u32*)((u64)place & ~3ull);
    u32 shift = (u32)((u64)place & 3u) * 8u, mask = (sizeof(T) == 1 ? 0xffu : 0xffffu) << shift;
    u32 old = *(volatile u32*)word, seen;
    do {
        seen = old;
        u32 next = (u32)fold((T)((seen & mask) >> shift), value);
        old = atomicCAS(word, seen, (seen & ~mask) | (next << shift & mask));
    } while (old != seen);
}
#endif

// Any layout: `grain` elements from a slot to the next. Operands: the indices, the slot, the claim's
// number, the place in the row, the value.
extern "C" __global__ void __launch_bounds__(256) scatter_elements(
    ITEM* target, const ITEM* values, const Owners owners, const Fault* fault, u64 points,
    i64 grain, const Indices indices, const Axes axes) {
    if (has_failed(fault)) {
        return;
    }
    u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < points; at += threads) {
        i64 offsets[OPERANDS] = {0};
        locate(at, axes, offsets);
        i64 slot = slot_of(indices, offsets);
        if (owns(owners, (u64)slot, (u64)offsets[INDICES + 1])) {
            apply(target + slot * grain + offsets[INDICES + 2], values[offsets[INDICES + 3]]);
        }
    }
}

#endif

#if PART == FOLDS

// Where a row's elements lie in the target and in the values.
struct RowAxis {
    u64 extent;
    i64 place;
    i64 value;
};

struct RowAxes {
    u64 count;
    RowAxis at[ROW_RANK];
};

// Folds the values of every slot, in the order of their claims: `keys` are sorted slots, and
// `order` says which claim each is of. One thread for each element of a row of the first claim of a
// slot; the others have nothing to do. Operand: the value.
extern "C" __global__ void __launch_bounds__(256) scatter_folds(
    ITEM* target, const ITEM* values, const KEY* keys, const ORDER* order, const Fault* fault,
    u64 claims, u64 row, i64 grain, const RowAxes row_axes, const Axes axes) {
    if (has_failed(fault)) {
        return;
    }
    u64 threads = (u64)gridDim.x * blockDim.x, points = claims * row;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < points; at += threads) {
        u64 first = row == 1 ? at : at / row;
        KEY slot = keys[first];
        if (first > 0 && keys[first - 1] == slot) {
            continue;
        }
        u64 rest = at - first * row;
        i64 place = (i64)slot * grain, value = 0;
        for (u64 axis = row_axes.count; axis-- > 0 && row > 1;) {
            const RowAxis& along = row_axes.at[axis];
            u64 outer = rest / along.extent;
            place += (i64)(rest - outer * along.extent) * along.place;
            value += (i64)(rest - outer * along.extent) * along.value;
            rest = outer;
        }
        // The offset of a claim's row.
        auto begin_of = [&](u64 number) {
            i64 offsets[OPERANDS] = {0};
            locate((u64)order[number], axes, offsets);
            return offsets[0];
        };
        ITEM sum = target[place];
        u64 next = first;
        do {
            // Values are read four at a time, since each sum waits for the one before it.
            ITEM four[4];
            u32 count = 0;
#pragma unroll
            for (u32 i = 0; i < 4; i++) {
                if (count == i && next + i < claims && keys[next + i] == slot) {
                    four[i] = values[begin_of(next + i) + value];
                    count = i + 1;
                }
            }
#pragma unroll
            for (u32 i = 0; i < 4; i++) {
                if (i < count) {
                    sum = fold(sum, four[i]);
                }
            }
            next += 4;
            if (count < 4) {
                break;
            }
        } while (true);
        target[place] = sum;
    }
}

#endif

#if PART == COUNTS

// Indices that a thread asks for at once.
#define ASKED 4

// One number is added at every claim's place: each block counts its claims, in shared memory and in as
// many copies as there is room for, so that few slots are not waited for by all warps. A sum of whole
// numbers is the same in any order. Operands: the indices, the slot.
extern "C" __global__ void __launch_bounds__(256) scatter_counts(
    ITEM* target, const ITEM* value, const Fault* fault, u64 claims, i64 grain, u64 slots,
    const Indices indices, const Axes axes) {
    __shared__ u32 counts[COPIES * SLOTS];
    if (has_failed(fault)) {
        return;
    }
    for (u32 at = threadIdx.x; at < COPIES * SLOTS; at += blockDim.x) {
        counts[at] = 0;
    }
    __syncthreads();
    u32* own = counts + threadIdx.x / 32 % COPIES * SLOTS;
    u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < claims; at += ASKED * threads) {
        // All are asked for before one is waited for.
        u32 slots_of[ASKED];
#pragma unroll
        for (u32 i = 0; i < ASKED; i++) {
            if (at + i * threads < claims) {
                i64 offsets[OPERANDS] = {0};
                locate(at + i * threads, axes, offsets);
                slots_of[i] = (u32)slot_of(indices, offsets);
            }
        }
#pragma unroll
        for (u32 i = 0; i < ASKED; i++) {
            if (at + i * threads < claims) {
                atomicAdd(own + slots_of[i], 1u);
            }
        }
    }
    __syncthreads();
    for (u32 slot = threadIdx.x; slot < slots; slot += blockDim.x) {
        u64 count = 0;
#pragma unroll
        for (u32 copy = 0; copy < COPIES; copy++) {
            count += counts[copy * SLOTS + slot];
        }
        if (count != 0) {
            atomicAdd((u64*)(target + slot * grain), count * (u64)*value);
        }
    }
}

#endif
