// Where values would stand among sorted elements: binary searches, NEAR values a thread, step by step together,
// so that their reads are under way together.
//
// Macros: ITEM, the type of the elements; RIGHT, 1 where a value stands behind its equals; RANK and WIDE for the axes
// of the values.
//
// Every so-and-so-many-th element, the last of its bucket, is a sample, which the block holds in shared memory. A
// search among the samples says which bucket a value belongs to, and one in the bucket goes on in memory. Samples
// lie as the levels of a tree, one level behind the other, so that what is compared at a time lies in all banks.

#define NEAR 4
#define SAMPLES (32768 / sizeof(ITEM))

__device__ inline f32 number(f16 x) { return to_f32(x); }
__device__ inline f32 number(bf16 x) { return to_f32(x); }
template <class T>
__device__ inline T number(T x) {
    return x;
}
typedef decltype(number(ITEM())) Number;

// Whether a value stands behind an element. NaN is larger than any number and equal to itself.
__device__ inline bool is_behind(Number value, Number element) {
#if RIGHT
    return element <= value || value != value;
#else
    return element < value || (value != value && element == element);
#endif
}

// There are 2^levels - 1 samples or fewer, and `bucket` is a power of two. Grid: blocks that take values in turn.
// Operand: the values.
extern "C" __global__ void __launch_bounds__(512, 3) search(
    const ITEM* sorted, const ITEM* values, i64* out, u64 count, u64 bucket, u32 sampled,
    u32 levels, u64 points, const Axes axes) {
    // The first one is that of no node.
    __shared__ ITEM samples[SAMPLES];
    for (u32 node = threadIdx.x + 1; node < 1u << levels; node += blockDim.x) {
        u32 level = 31 - __clz(node);
        u32 place = (2 * (node - (1u << level)) + 1) << (levels - level - 1);
        // Nodes that are missing are equal to the last one.
        samples[node] = sorted[min(place, sampled) * bucket - 1];
    }
    __syncthreads();
    u64 together = (u64)blockDim.x * NEAR;
    for (u64 first = blockIdx.x * together; first < points; first += gridDim.x * together) {
        Number own[NEAR];
#pragma unroll
        for (u32 i = 0; i < NEAR; i++) {
            u64 point = min(first + i * blockDim.x + threadIdx.x, points - 1);
            i64 offsets[OPERANDS] = {0};
            locate(point, axes, offsets);
            own[i] = number(values[offsets[0]]);
        }
        u32 nodes[NEAR];
#pragma unroll
        for (u32 i = 0; i < NEAR; i++) {
            nodes[i] = 1;
        }
        for (u32 level = 0; level < levels; level++) {
#pragma unroll
            for (u32 i = 0; i < NEAR; i++) {
                nodes[i] = 2 * nodes[i] + is_behind(own[i], number(samples[nodes[i]]));
            }
        }
        u64 place[NEAR];
#pragma unroll
        for (u32 i = 0; i < NEAR; i++) {
            place[i] = min(nodes[i] - (1u << levels), sampled) * bucket;
        }
        // The last bucket has no sample, and may be shorter.
        for (u64 left = bucket; left > 0;) {
            u64 half = (left + 1) / 2;
#pragma unroll
            for (u32 i = 0; i < NEAR; i++) {
                u64 at = place[i] + half - 1;
                bool moves = at < count && is_behind(own[i], number(sorted[at]));
                place[i] += moves ? half : 0;
            }
            left -= half;
        }
#pragma unroll
        for (u32 i = 0; i < NEAR; i++) {
            u64 point = first + i * blockDim.x + threadIdx.x;
            if (point < points) {
                out[point] = (i64)place[i];
            }
        }
    }
}
