// Running sums, products, maxima and minima along short lines that follow each other without holes.
//
// Macros: ITEM, the type of the elements; FOLD, one of the structs of scan_folds.cuh.

typedef FOLD<ITEM> Fold;
typedef Fold::Step Step;

#define SHORT_THREADS 256u

// Elements that one instruction moves.
#define MOVED (16u / (u32)sizeof(ITEM))

// The lines of a block in memory that it shares. Behind a line of an even number of packs one is left out, so that not
// all lines begin in few of the banks.
struct Shared {
    ITEM* items;
    // Elements of a line.
    u32 len;

    // Packs of a line behind which one is left out; none elsewhere.
    __device__ u32 packs() const { return len % (2u * MOVED) == 0 ? len / MOVED : 0u; }
    __device__ ITEM* pack(u32 number) const {
        return items + (packs() ? number + number / packs() : number) * MOVED;
    }
    __device__ ITEM* line(u32 number) const { return items + number * (packs() ? len + MOVED : len); }
};

// A block has `each` lines, and every thread goes along one of them after the other, from its first element to its last
// as the CPU does. Dynamic shared memory: those lines, with a pack more for each. Both operands begin at multiples of 16
// bytes, and so do the lines of each block; lines of whole packs leave no elements over.
extern "C" __global__ void __launch_bounds__(SHORT_THREADS) scan_short(
    const ITEM* input, ITEM* out, u64 lines, u32 len, u32 each) {
    extern __shared__ __align__(16) u8 room[];
    const Shared shared = {(ITEM*)room, len};
    const u64 first = (u64)blockIdx.x * each;
    const u32 here = (u32)min(lines - first, (u64)each);
    const u32 count = here * len;
    const u32 packs = count / MOVED;
    input += first * len;
    out += first * len;
    for (u32 pack = threadIdx.x; pack < packs; pack += SHORT_THREADS) {
        copy_asked<16>(shared.pack(pack), input + pack * MOVED);
    }
    close_asked();
    const u32 rest = packs * MOVED + threadIdx.x;
    if (rest < count) {
        shared.items[rest] = input[rest];
    }
    await_asked<0>();
    __syncthreads();
    for (u32 number = threadIdx.x; number < here; number += SHORT_THREADS) {
        ITEM* line = shared.line(number);
        Step step = Fold::begin();
#pragma unroll 4
        for (u32 at = 0; at < len; at++) {
            step = Fold::step(step, line[at]);
            line[at] = Fold::step_value(step);
        }
    }
    __syncthreads();
    for (u32 pack = threadIdx.x; pack < packs; pack += SHORT_THREADS) {
        Pack<ITEM, MOVED>::load(shared.pack(pack)).store(out + pack * MOVED);
    }
    if (rest < count) {
        out[rest] = shared.items[rest];
    }
}
