// 8192 × 1 blocks of 256 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    const f32* in1;
    f32* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 in1_r0;
    i64 out0_r0;
};

extern "C" __global__ void __launch_bounds__(256) rows(const Params p) {
    __shared__ f64 warps2[8];
    __shared__ f64 warps6[8];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f32* in0 = p.in0 + (i64)row * p.in0_r0;
    const f32* in1 = p.in1 + (i64)row * p.in1_r0;
    f32* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 3: %2 = reduce sum %0.
    f64 acc2 = 0.0;
    Pack<f32, 4> loaded0[4];
    #pragma unroll
    for (u32 k = 0; k < 4; k++) {
        u32 e = (k * 256 + t) * 4;
        if (e < len) {
            loaded0[k] = load<4>(in0 + e);
        }
    }
    f32 near2 = 0;
    #pragma unroll
    for (u32 k = 0; k < 4; k++) {
        u32 e = (k * 256 + t) * 4;
        if (e < len) {
            #pragma unroll
            for (u32 j = 0; j < 4; j++) {
                f32 x0 = loaded0[k].at[j];
                near2 += x0;
            }
        }
    }
    acc2 += near2;
    acc2 = fold_lanes<Sum, 32>(acc2);
    if (t % 32 == 0) {
        warps2[t / 32] = acc2;
    }
    __syncthreads();
    acc2 = fold_warps<Sum, 8>(warps2);
    f32 v2 = (f32)acc2;

    // Pass 2 of 3: %6 = reduce sum %5.
    f32 v3 = v2 / 4096.0f;
    f64 acc6 = 0.0;
    f32 near6 = 0;
    #pragma unroll
    for (u32 k = 0; k < 4; k++) {
        u32 e = (k * 256 + t) * 4;
        if (e < len) {
            #pragma unroll
            for (u32 j = 0; j < 4; j++) {
                f32 x0 = loaded0[k].at[j];
                f32 v4 = x0 - v3;
                f32 v5 = v4 * v4;
                near6 += v5;
            }
        }
    }
    acc6 += near6;
    acc6 = fold_lanes<Sum, 32>(acc6);
    if (t % 32 == 0) {
        warps6[t / 32] = acc6;
    }
    __syncthreads();
    acc6 = fold_warps<Sum, 8>(warps6);
    f32 v6 = (f32)acc6;

    // Pass 3 of 3: outputs.
    f32 v7 = v6 / 4096.0f;
    f32 v8 = 1.0f / sqrtf(v7);
    Pack<f32, 4> loaded1[4];
    #pragma unroll
    for (u32 k = 0; k < 4; k++) {
        u32 e = (k * 256 + t) * 4;
        if (e < len) {
            loaded1[k] = load<4>(in1 + e);
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 4; k++) {
        u32 e = (k * 256 + t) * 4;
        if (e < len) {
            Pack<f32, 4> out0_next;
            #pragma unroll
            for (u32 j = 0; j < 4; j++) {
                f32 x0 = loaded0[k].at[j];
                f32 v4 = x0 - v3;
                f32 v9 = v4 * v8;
                f32 x1 = loaded1[k].at[j];
                f32 v11 = v9 * x1;
                out0_next.at[j] = v11;
            }
            store(out0 + e, out0_next);
        }
    }
}
