// 512 × 1 blocks of 1024 threads.
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

extern "C" __global__ void __launch_bounds__(1024) rows(const Params p) {
    __shared__ f32 warps1[32];
    __shared__ f64 warps4[32];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    extern __shared__ __align__(128) u8 shared[];
    f32* shared0 = (f32*)shared;
    f32* shared3 = (f32*)shared;
    const f32* in0 = p.in0 + (i64)row * p.in0_r0;
    f32* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 3: %1 = reduce max %0.
    f32 acc1 = (-F32_INF);
    for (u32 start = 0; start < len; start += 16384) {
        Pack<f32, 4> loaded0[4];
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                loaded0[k] = load<4>(in0 + e);
            }
        }
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 x0 = loaded0[k].at[j];
                    acc1 = Max::join(acc1, x0);
                }
                store(shared0 + e, loaded0[k]);
            }
        }
    }
    acc1 = fold_lanes<Max, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Max, 32>(warps1);
    f32 v1 = acc1;

    // Pass 2 of 3: %4 = reduce sum %3.
    f64 acc4 = 0.0;
    for (u32 start = 0; start < len; start += 16384) {
        Pack<f32, 4> loaded0[4];
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                loaded0[k] = load<4>(shared0 + e);
            }
        }
        f32 near4 = 0;
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                Pack<f32, 4> left3;
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 x0 = loaded0[k].at[j];
                    f32 v2 = x0 - v1;
                    f32 v3 = expf(v2);
                    near4 += v3;
                    left3.at[j] = v3;
                }
                store(shared3 + e, left3);
            }
        }
        acc4 += near4;
    }
    acc4 = fold_lanes<Sum, 32>(acc4);
    if (t % 32 == 0) {
        warps4[t / 32] = acc4;
    }
    __syncthreads();
    acc4 = fold_warps<Sum, 32>(warps4);
    f32 v4 = (f32)acc4;

    // Pass 3 of 3: outputs.
    for (u32 start = 0; start < len; start += 16384) {
        Pack<f32, 4> kept3[4];
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                kept3[k] = load<4>(shared3 + e);
            }
        }
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 1024 + t) * 4;
            if (e < len) {
                Pack<f32, 4> out0_next;
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 v3 = kept3[k].at[j];
                    f32 v5 = v3 / v4;
                    out0_next.at[j] = v5;
                }
                store(out0 + e, out0_next);
            }
        }
    }
}
