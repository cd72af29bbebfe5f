// 1 × 528 blocks of 512 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const u8* in0;
    u8* out0;
    u32 rows;
    u32 row_len;
    u64 parts1;
};

extern "C" __global__ void __launch_bounds__(512) rows_pass(const Params p) {
    __shared__ bool warps1[16];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const u8* in0 = p.in0;
    u8* out0 = p.out0;

    // Pass 1 of 1: %1 = reduce max %0.
    bool acc1 = false;
    for (u32 start = blockIdx.y * 8192; start < len; start += gridDim.y * 8192) {
        u32 e = start + t * 16;
        Pack<u8, 16> loaded0;
        if (e < len) {
            loaded0 = load<16>(in0 + e);
        }
        if (e < len) {
            #pragma unroll
            for (u32 j = 0; j < 16; j++) {
                bool x0 = loaded0.at[j] != 0;
                acc1 = Any::join(acc1, x0);
            }
        }
    }
    acc1 = fold_lanes<Any, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Any, 16>(warps1);
    bool* parts1 = (bool*)(p.scratch + p.parts1);
    if (t == 0) {
        parts1[(u64)row * gridDim.y + blockIdx.y] = acc1;
    }
    if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;
    acc1 = false;
    for (u32 s = t; s < gridDim.y; s += 512) {
        acc1 = Any::join(acc1, fresh(parts1 + (u64)row * gridDim.y + s));
    }
    acc1 = fold_lanes<Any, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Any, 16>(warps1);
    bool v1 = acc1;

    if (t == 0) {
        *out0 = v1;
    }
}
