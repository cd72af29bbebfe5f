// Sorts rows of up to 32 elements: a part of a warp for each, which compares all with all.
// Macros: those of sort.cuh, without tiles.

// `width` is a power of two that holds `len` elements and is at most 32. An element's place is the
// number of those that come before it; of equal ones, that is the one that came first. Either
// output may be missing.
extern "C" __global__ void __launch_bounds__(256) sort_tiny(
    const ITEM* input, ITEM* values, i64* indices, u64 rows, u32 len, u32 width, i64 row_step,
    i64 step, u64 flip) {
    u32 at = threadIdx.x % width;
    u64 row = (blockIdx.x * 256ull + threadIdx.x) / width;
    bool is_there = row < rows && at < len;
    Bits bits = 0;
    if (is_there) bits = input[(i64)row * row_step + at * step];
    Bits key = encode(bits, (Bits)flip & ALL_BITS);
    u32 place = 0;
    for (u32 other = 0; other < len; other++) {
        Bits compared = __shfl_sync(ALL_LANES, key, other, width);
        place += compared < key || (compared == key && other < at);
    }
    if (!is_there) return;
    u64 target = row * len + place;
    if (values) values[target] = (ITEM)bits;
    if (indices) indices[target] = at;
}
