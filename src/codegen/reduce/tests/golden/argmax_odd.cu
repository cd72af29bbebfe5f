// 838 × 1 blocks of 256 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    i64* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 out0_r0;
};

extern "C" __global__ void __launch_bounds__(256) rows(const Params p) {
    __shared__ Best<f32, u32> warps1[8];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f32* in0 = p.in0 + (i64)row * p.in0_r0;
    i64* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 1: %1 = reduce argmax %0.
    Best<f32, u32> acc1 = {(-F32_INF), t};
    {
        u32 start = 0;
        for (; start + 4096 <= len; start += 4096) {
            f32 loaded0[16];
            #pragma unroll
            for (u32 k = 0; k < 16; k++) {
                u32 e = start + k * 256 + t;
                {
                    loaded0[k] = in0[e];
                }
            }
            #pragma unroll
            for (u32 k = 0; k < 16; k++) {
                u32 e = start + k * 256 + t;
                {
                    f32 x0 = loaded0[k];
                    ArgMax::take(acc1, x0, e);
                }
            }
        }
        for (; start < len; start += 4096) {
            f32 loaded0[16];
            #pragma unroll
            for (u32 k = 0; k < 16; k++) {
                u32 e = start + k * 256 + t;
                if (e < len) {
                    loaded0[k] = in0[e];
                }
            }
            #pragma unroll
            for (u32 k = 0; k < 16; k++) {
                u32 e = start + k * 256 + t;
                if (e < len) {
                    f32 x0 = loaded0[k];
                    ArgMax::take(acc1, x0, e);
                }
            }
        }
    }
    acc1 = fold_lanes<ArgMax, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<ArgMax, 8>(warps1);
    i64 v1 = (i64)acc1.at;

    if (t == 0) {
        *out0 = v1;
    }
}
