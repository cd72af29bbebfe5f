// 1 × 1056 blocks of 256 threads.
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

extern "C" __global__ void __launch_bounds__(256) rows_pass(const Params p) {
    __shared__ bool warps1[8];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const u8* in0 = p.in0;
    u8* out0 = p.out0;

    // Pass 1 of 1: %1 = reduce max %0.
    bool acc1 = false;
    for (u32 start = blockIdx.y * 16384; start < len; start += gridDim.y * 16384) {
        Pack<u8, 16> loaded0[4];
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 256 + t) * 16;
            if (e < len) {
                loaded0[k] = load<16>(in0 + e);
            }
        }
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 256 + t) * 16;
            if (e < len) {
                #pragma unroll
                for (u32 j = 0; j < 16; j++) {
                    bool x0 = loaded0[k].at[j] != 0;
                    acc1 = Any::join(acc1, x0);
                }
            }
        }
    }
    acc1 = fold_lanes<Any, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Any, 8>(warps1);
    bool* parts1 = (bool*)(p.scratch + p.parts1);
    if (t == 0) {
        parts1[(u64)row * gridDim.y + blockIdx.y] = acc1;
    }
    if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;
    acc1 = false;
    for (u32 s = t; s < gridDim.y; s += 256) {
        acc1 = Any::join(acc1, fresh(parts1 + (u64)row * gridDim.y + s));
    }
    acc1 = fold_lanes<Any, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Any, 8>(warps1);
    bool v1 = acc1;

    if (t == 0) {
        *out0 = v1;
    }
}
