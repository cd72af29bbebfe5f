// 8192 × 1 blocks of 256 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 out0_r0;
};

extern "C" __global__ void __launch_bounds__(256) rows(const Params p) {
    __shared__ f64 warps1[8];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f32* in0 = p.in0 + (i64)row * p.in0_r0;
    f32* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 1: %1 = reduce sum %0.
    f64 acc1 = 0.0;
    for (u32 start = 0; start < len; start += 8192) {
        Pack<f32, 4> loaded0[8];
        #pragma unroll
        for (u32 k = 0; k < 8; k++) {
            u32 e = start + (k * 256 + t) * 4;
            if (e < len) {
                loaded0[k] = load<4>(in0 + e);
            }
        }
        f32 near1 = 0;
        #pragma unroll
        for (u32 k = 0; k < 8; k++) {
            u32 e = start + (k * 256 + t) * 4;
            if (e < len) {
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 x0 = loaded0[k].at[j];
                    near1 += x0;
                }
            }
        }
        acc1 += near1;
    }
    acc1 = fold_lanes<Sum, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Sum, 8>(warps1);
    f32 v1 = (f32)acc1;

    if (t == 0) {
        *out0 = v1;
    }
}
